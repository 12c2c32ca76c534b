/* poisson3d through the registered solvers: figures of an independent program, patches against one
 * domain, threads, precisions, both inverses. */
#include "kernels/block/smooth.h"
#include "tests/windows.h"

/* --- figures of an independent program -------------------------------------------------------- */

static double reduction(const char *settings)
{
    ss_run *run = open_join("", settings);
    step_run(run, 3);
    CHECK_INT(ss_run_settle(run, NULL), SS_OK);
    double ratio = run->residual / run->residual0;
    ss_run_close(run);
    return ratio;
}

static const struct row {
    int block;
    double jacobi, gauss_seidel;
} table[] = {{2, .048066648, .021737874}, {4, .033544781, .013990269}, {8, .023951574, .010055430}};

TEST(poisson3d, starts_from_the_documented_field)
{
    ss_run *run = open_join("patch 4", "bx 2");
    double *u = get_window(run, FIELD);
    CHECK(u[0] == ss_random_unit(1, 0) && u[0] == .5665615751722809);
    CHECK_NEAR(u[1], .7457817572627011, 1e-16);
    for (size_t c = 0; c < cells_of(run); c++)
        CHECK(u[c] == ss_random_unit(1, c));
    free(u);
    ss_run_close(run);
}

static void check_reductions(const char *form)
{
    char text[200];
    for (int r = 0; r < 3; r++) {
        snprintf(text, sizeof text, "solver block-jacobi bx %d inverse %s", table[r].block, form);
        CHECK_NEAR(reduction(text), table[r].jacobi, 5.1e-10);
        snprintf(text, sizeof text, "solver block-gs bx %d inverse %s order lexicographic",
                 table[r].block, form);
        CHECK_NEAR(reduction(text), table[r].gauss_seidel, 5.1e-10);
    }
}

TEST(poisson3d, reductions_of_the_reference)
{
    check_reductions("separable");
}

TEST(poisson3d, reductions_of_the_reference_by_stored_inverses)
{
    check_reductions("dense");
}

/* |r| / |r_0| after so many steps from the documented start. */
static double reduction_after(int steps, int block, const char *order, int seed)
{
    char text[200];
    ss_run *run = open_join("", "solver block-jacobi bx 8");
    double *start = get_window(run, FIELD);
    ss_run_close(run);
    snprintf(text, sizeof text, "solver block-gs bx %d order %s seed %d", block, order, seed);
    run = open_join("", text);
    set_window(run, FIELD, start); /* whatever the seed */
    step_run(run, steps);
    CHECK_INT(ss_run_settle(run, NULL), SS_OK);
    double ratio = run->residual / run->residual0;
    free(start);
    ss_run_close(run);
    return ratio;
}

/* A fresh order in every step leaves more than a fixed one: one step of 4^3 about as much as the
 * lexicographic one, three steps 20 to 28 % more. */
TEST(poisson3d, chaotic_orders_smooth_less_than_the_lexicographic_one)
{
    for (int r = 0; r < 3; r++)
        for (int seed = 1; seed <= (CHECK_SANITIZED ? 1 : 5); seed++) {
            double ratio = reduction_after(3, table[r].block, "chaotic", seed);
            CHECK_MSG(ratio > 1.18 * table[r].gauss_seidel && ratio < 1.3 * table[r].gauss_seidel,
                      "block %d, seed %d: %g", table[r].block, seed, ratio);
        }
    double chaotic = reduction_after(1, 4, "chaotic", 1);
    CHECK_NEAR(chaotic / reduction_after(1, 4, "lexicographic", 1), 1, 0.07);
}

/* Steps to 1e-4 on 32^3 from the random start. One order for all steps takes as many as the
 * lexicographic order: 122 and 66. */
TEST(poisson3d, steps_with_a_fresh_order_each)
{
    static const struct {
        int block, steps;
    } counts[] = {{4, 152}, {8, 83}};
    for (int i = 0; i < 2; i++)
        for (int seed = 1; seed <= 3; seed++) {
            char text[96];
            snprintf(text, sizeof text,
                     "equation poisson3d solver block-gs patch 32 bx %d seed %d until 1e-4",
                     counts[i].block, seed);
            ss_run *run = open_run(text);
            run->stop_at_tol = true;
            CHECK_INT(ss_run_step(run, 1000, NULL), SS_OK);
            CHECK_MSG(llabs(run->cycle - counts[i].steps) <= 3, "%s: %lld steps", text,
                      (long long)run->cycle);
            ss_run_close(run);
        }
}

/* The order of a step follows from the seed and the number of the step: not from the threads, from
 * how they divide the blocks, or from the calls. */
TEST(poisson3d, a_step_has_the_same_order_again)
{
    static const char *const how[] = {"threads 1", "threads 3 parallel patch",
                                      "threads 2 parallel block"};
    double *first = field_after("patch 12 px 2", "solver block-gs bx 3", 5, false);
    for (int h = 0; h < 3; h++) {
        char text[96];
        snprintf(text, sizeof text, "solver block-gs bx 3 %s", how[h]);
        ss_run *run = open_join("patch 12 px 2", text);
        for (int i = 0; i < 5; i++)
            step_run(run, 1);
        double *u = get_window(run, FIELD);
        CHECK(memcmp(u, first, sizeof *u * cells_of(run)) == 0);
        free(u);
        ss_run_close(run);
    }
    free(first);
}

/* From the smoothest mode, which decays most slowly. */
static double asymptotic(const char *settings, int64_t steps)
{
    ss_run *run = open_join("problem smooth bx 4 check-every 1000000", settings);
    double before, after;
    step_run(run, steps - 1);
    CHECK_INT(run->backend->reduce(run, &before, NULL, NULL, NULL), SS_OK);
    step_run(run, 1);
    CHECK_INT(run->backend->reduce(run, &after, NULL, NULL, NULL), SS_OK);
    ss_run_close(run);
    return after / before;
}

SLOW_TEST(poisson3d, asymptotic_factors_of_the_reference)
{
    CHECK_NEAR(asymptotic("solver block-jacobi", 1000), .9962798756, 1e-9);
    CHECK_NEAR(asymptotic("solver block-gs order lexicographic", 1300), .9907213130, 1e-9);
}

/* The field after that many steps of the smoother alone, in one patch with zero ghost cells. */
static double *smoothed(const double *start, int n, bool jacobi, int steps)
{
    int row = n + 2, plane = row * row;
    ss_box box = {.nx = n, .ny = n, .nz = n, .hx = 1, .hy = 1, .hz = 1, .sy = row, .sz = plane};
    box.first = 1 + (size_t)row + (size_t)plane;
    box.count = (size_t)plane * (size_t)row;
    ss_smooth smooth;
    ss_order order;
    CHECK_INT(ss_smooth_make(&smooth, &box, (const int[]){4, 4, 4}, &ss_inverse_separable, SS_F64,
                             2, NULL),
              SS_OK);
    CHECK_INT(ss_order_make(&order, &smooth.blocking, smooth.form->width(SS_F64), NULL), SS_OK);
    double *u = ss_alloc(box.count * sizeof *u, "u", NULL);
    double *next = ss_alloc(box.count * sizeof *u, "next", NULL);
    double *rhs = ss_alloc(box.count * sizeof *u, "rhs", NULL);
    double *out = malloc((size_t)n * (size_t)n * (size_t)n * sizeof *out);
    CHECK(u && next && rhs && out);
    for (int r = 0; r < n * n; r++)
        memcpy(u + box.first + r % n * row + r / n * plane, start + r * n, (size_t)n * sizeof *u);
    for (int s = 0; s < steps; s++) {
        if (jacobi) {
            ss_order_at_once(&order);
            ss_smooth_step(&smooth, &order, 0.8, u, rhs, next);
            double *swap = u;
            u = next;
            next = swap;
        } else {
            ss_order_lexicographic(&order);
            ss_smooth_step(&smooth, &order, 1, u, rhs, u);
        }
    }
    for (int r = 0; r < n * n; r++)
        memcpy(out + r * n, u + box.first + r % n * row + r / n * plane, (size_t)n * sizeof *u);
    ss_smooth_free(&smooth);
    ss_order_free(&order);
    free(u);
    free(next);
    free(rhs);
    return out;
}

static void check_smoother(const char *method, bool jacobi)
{
    int steps = CHECK_SANITIZED ? 10 : 100;
    ss_run *run = open_join("problem smooth bx 4 check-every 1000000", method);
    double *start = get_window(run, FIELD);
    step_run(run, steps);
    double *u = get_window(run, FIELD), *v = smoothed(start, run->problem.nx, jacobi, steps);
    CHECK(memcmp(u, start, cells_of(run) * sizeof *u) != 0);
    CHECK_MSG(!memcmp(u, v, cells_of(run) * sizeof *u), "%s", method);
    free(start);
    free(u);
    free(v);
    ss_run_close(run);
}

TEST(poisson3d, a_run_is_bit_for_bit_the_smoother_by_itself)
{
    check_smoother("solver block-jacobi", true);
    check_smoother("solver block-gs order lexicographic", false);
}

/* --- patches ---------------------------------------------------------------------------------- */

/* One patch of 16^3, and eight of 8^3. */
static void check_patches(const char *method, const char *ghost)
{
    char one[100], eight[100];
    snprintf(one, sizeof one, "patch 16 ghost %s", ghost);
    snprintf(eight, sizeof eight, "patch 8 px 2 py 2 pz 2 ghost %s", ghost);
    double *a = field_after(one, method, 7, true), *b = field_after(eight, method, 7, true);
    CHECK_MSG(!memcmp(a, b, 16 * 16 * 16 * sizeof *a), "%s, %s", method, ghost);
    free(a);
    free(b);
}

TEST(poisson3d, patches_are_one_domain)
{
    static const char *const ghosts[] = {"zero", "mirror"};
    for (int g = 0; g < 2; g++) {
        check_patches("solver jacobi", ghosts[g]);
        check_patches("solver block-jacobi bx 4", ghosts[g]);
        check_patches("solver block-jacobi bx 8 by 2 bz 1", ghosts[g]);
        check_patches("solver block-jacobi bx 4 precision f32", ghosts[g]);
        check_patches("solver jacobi precision f32", ghosts[g]);
    }
}

/* The lookup finds every patch that has cells in a row of the window. */
static void check_lookup(const ss_patch *p, int n, int ny, int nz)
{
    ss_patch_rows rows = ss_patches_rows(p, n);
    CHECK_INT(rows.count[0] * rows.count[1] * rows.count[2], n);
    for (int k = 0; k < nz; k++)
        for (int j = 0; j < ny; j++) {
            int first = ss_patch_rows_at(&rows, j, k);
            CHECK(first >= 0 && first + rows.count[0] <= n);
            for (int q = 0; q < n; q++)
                CHECK(ss_patch_row(&p[q], j, k) < 0 || (q >= first && q < first + rows.count[0]));
        }
}

TEST(poisson3d, rows_of_the_window_find_their_patches)
{
    static const int counts[][3] = {{1, 1, 1}, {4, 1, 1}, {1, 3, 1}, {1, 1, 5}, {3, 4, 2}};
    static const int sizes[] = {3, 5, 1};
    ss_patch p[24];
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
        check_lookup(p, ss_patches_grid(counts[c], 3, p), 3 * counts[c][1], 3 * counts[c][2]);
    check_lookup(p, ss_patches_row(sizes, 3, p), 5, 5);
}

/* The reference domain as one patch and as eight; a flat one as four and as thirty-two. */
TEST(poisson3d, large_patches_are_one_domain)
{
    double *a = field_after("patch 64", "solver jacobi", 3, false);
    double *b = field_after("patch 32 px 2 py 2 pz 2", "solver jacobi", 3, false);
    CHECK(!memcmp(a, b, (size_t)64 * 64 * 64 * sizeof *a));
    free(a);
    free(b);
    a = field_after("patch 32 px 2 py 2", "solver jacobi", 3, false);
    b = field_after("patch 16 px 4 py 4 pz 2", "solver jacobi", 3, false);
    CHECK(!memcmp(a, b, (size_t)64 * 64 * 32 * sizeof *a));
    free(a);
    free(b);
}

/* Block Gauss-Seidel takes other patches from before the step: with blocks as large as patches it
 * is block Jacobi. */
TEST(poisson3d, other_patches_are_as_before_the_step)
{
    double *a = field_after("patch 6 px 3 py 2", "solver block-gs bx 6", 5, true);
    double *b = field_after("patch 6 px 3 py 2", "solver block-jacobi bx 6 omega 1", 5, true);
    CHECK(!memcmp(a, b, 18 * 12 * 6 * sizeof *a));
    free(a);
    free(b);
}

/* Each patch of a list is computed as if it were alone. */
TEST(poisson3d, a_list_of_patches_is_not_coupled)
{
    static const int size[3] = {9, 14, 6};
    static const int at[3] = {0, 9, 23};
    static const char *const methods[] = {"solver jacobi", "solver block-jacobi bx 4",
                                          "solver block-gs bx 4 order lexicographic"};
    for (int m = 0; m < 3; m++) {
        double *all = field_after("sizes 9,14,6 problem source", methods[m], 4, false);
        for (int q = 0; q < 3; q++) {
            char alone[64];
            snprintf(alone, sizeof alone, "sizes %d problem source", size[q]);
            double *one = field_after(alone, methods[m], 4, false);
            for (int k = 0; k < 14; k++)
                for (int j = 0; j < 14; j++)
                    for (int i = 0; i < size[q]; i++) {
                        double u = all[(k * 14 + j) * 29 + at[q] + i];
                        bool in = j < size[q] && k < size[q];
                        CHECK(in ? u == one[(k * size[q] + j) * size[q] + i] : isnan(u));
                    }
            free(one);
        }
        free(all);
    }
}

/* --- invariances ------------------------------------------------------------------------------ */

/* Blocks that do not divide the patch, patches of two sizes; and enough cells for several threads.
 */
static const char *const odd[] = {"patch 21 px 2 bx 8 by 4 bz 5", "sizes 50,37 bx 8"};

static void check_same(const char *method, const char *a, const char *b)
{
    char first[200], second[200];
    int steps = CHECK_SANITIZED ? 1 : 3;
    for (int o = 0; o < 2; o++) {
        snprintf(first, sizeof first, "%s %s", method, a);
        snprintf(second, sizeof second, "%s %s", method, b);
        double *u = field_after(odd[o], first, steps, o == 0);
        double *v = field_after(odd[o], second, steps, o == 0);
        size_t n = o == 0 ? 42 * 21 * 21 : 87 * 50 * 50;
        CHECK_MSG(!memcmp(u, v, n * sizeof *u), "%s %s: %s, %s", odd[o], method, a, b);
        free(u);
        free(v);
    }
}

SLOW_TEST(poisson3d, threads_and_parallel_modes_do_not_change_the_field)
{
    static const char *const methods[] = {
        "solver block-jacobi", "solver block-gs", "solver block-gs order lexicographic",
        "solver block-jacobi precision f32", "solver block-gs inverse dense"};
    for (int m = 0; m < 5; m++) {
        check_same(methods[m], "threads 1", "threads 3");
        check_same(methods[m], "threads 1", "threads 3 parallel patch");
        check_same(methods[m], "threads 1", "threads 2 parallel block");
    }
}

TEST(poisson3d, threads_do_not_change_the_field_of_jacobi)
{
    double *u = field_after("sizes 50,37", "solver jacobi threads 1", 5, false);
    double *v = field_after("sizes 50,37", "solver jacobi threads 3", 5, false);
    CHECK(!memcmp(u, v, (size_t)87 * 50 * 50 * sizeof *u));
    free(u);
    free(v);
}

/* The norm fused into a sweep is that of the field, with any number of threads. */
TEST(poisson3d, norms_are_those_of_the_field)
{
    static const char *const methods[] = {"solver jacobi", "solver block-jacobi bx 4",
                                          "solver block-gs bx 4", "solver jacobi precision f32"};
    for (int m = 0; m < 4; m++) {
        double seen[2];
        for (int t = 0; t < 2; t++) {
            char text[100];
            snprintf(text, sizeof text, "%s threads %d", methods[m], 1 + 2 * t);
            ss_run *run = open_join("patch 21 px 2 py 4", text);
            step_run(run, 3);
            double expected;
            CHECK_INT(run->backend->reduce(run, &expected, NULL, NULL, NULL), SS_OK);
            step_run(run, 1);
            CHECK_INT(run->residual_cycle, 3); /* by blocks the sum is in another order */
            CHECK_NEAR(run->residual, expected, m == 1 ? 1e-14 * expected : 0);
            seen[t] = run->residual;
            ss_run_close(run);
        }
        CHECK(seen[0] == seen[1]);
    }
}

TEST(poisson3d, a_seed_determines_the_order_of_blocks)
{
    double *u = field_after("patch 16 problem smooth", "solver block-gs bx 4 seed 1", 2, false);
    double *v = field_after("patch 16 problem smooth", "solver block-gs bx 4 seed 2", 2, false);
    double *w = field_after("patch 16 problem smooth", "solver block-gs bx 4 seed 1", 2, false);
    size_t bytes = 16 * 16 * 16 * sizeof *u;
    CHECK(memcmp(u, v, bytes) != 0 && !memcmp(u, w, bytes));
    free(u);
    free(v);
    free(w);
}

static void check_inverses(const char *method, double tolerance)
{
    char dense[200], separable[200];
    for (int o = 0; o < 2; o++) {
        snprintf(dense, sizeof dense, "%s inverse dense", method);
        snprintf(separable, sizeof separable, "%s inverse separable", method);
        double *u = field_after(odd[o], dense, 3, o == 0);
        double *v = field_after(odd[o], separable, 3, o == 0);
        CHECK_NEAR(distance(u, v, o == 0 ? 42 * 21 * 21 : 87 * 50 * 50), 0, tolerance);
        free(u);
        free(v);
    }
}

TEST(poisson3d, separable_and_dense_agree_to_round_off)
{
    check_inverses("solver block-jacobi", 1e-14);
    check_inverses("solver block-gs", 1e-14);
    check_inverses("solver block-jacobi precision f32", 6e-6);
}

/* Jacobi's sweep is the block method with blocks of one cell. */
TEST(poisson3d, jacobi_is_blocks_of_one_cell)
{
    double *u = field_after(odd[0], "solver block-jacobi bx 1 by 1 bz 1 omega 1", 5, true);
    double *v = field_after("patch 21 px 2", "solver jacobi", 5, true);
    CHECK_NEAR(distance(u, v, 42 * 21 * 21), 0, 1e-14);
    free(u);
    free(v);
}

TEST(poisson3d, single_precision)
{
    static const char *const methods[] = {"solver jacobi", "solver block-jacobi bx 4",
                                          "solver block-gs bx 4"};
    for (int m = 0; m < 3; m++) {
        char narrow[100];
        snprintf(narrow, sizeof narrow, "%s precision f32", methods[m]);
        double *u = field_after("patch 14 px 2 ghost mirror", narrow, 5, false);
        double *v = field_after("patch 14 px 2 ghost mirror", methods[m], 5, false);
        CHECK_NEAR(distance(u, v, 28 * 14 * 14), 0, 2e-6);
        free(u);
        free(v);
    }
}
