/* The identities between the solvers, bit for bit, from random fields and right-hand sides on
 * grids that are neither square nor a multiple of any block: shared(k = 1, o = 0) is Jacobi, and
 * with o >= 2(k-1) a cycle is k Jacobi iterations, for any blocks, threads, precision or stores. */
#include "kernels/cpu/state.h"
#include "tests/fields.h"

#define GRID "equation poisson2d n 203 ny 131 problem random seed 7 aspect 1.5 "
/* Enough work for three threads. */
#define LARGE "equation poisson2d n 523 ny 389 problem random seed 9 "
/* Tiles as high as that hold several times the rows that private memory has. */
#define TALL "equation poisson2d n 61 ny 1031 problem random seed 4 "
#define LINES "equation poisson1d n 1009 copies 5 problem random seed 3 "

static ss_run *open_join(const char *problem, const char *method)
{
    char text[512];
    snprintf(text, sizeof text, "%s%s", problem, method);
    ss_run *run = open_run(text);
    run->tol = 0;
    return run;
}

static bool same_field(ss_run *a, int which_a, ss_run *b, int which_b)
{
    size_t bytes = (size_t)a->problem.nx * (size_t)a->problem.ny * sizeof(double);
    double *u = get_field(a, which_a), *v = get_field(b, which_b);
    bool same = memcmp(u, v, bytes) == 0;
    free(u);
    free(v);
    return same;
}

/* True if that many cycles of one method and of the other give the same field. */
static bool same(const char *problem, const char *a, int64_t cycles_a, const char *b,
                 int64_t cycles_b)
{
    ss_run *x = open_join(problem, a), *y = open_join(problem, b);
    step_run(x, cycles_a);
    step_run(y, cycles_b);
    bool equal = same_field(x, FIELD, y, FIELD);
    ss_run_close(x);
    ss_run_close(y);
    return equal;
}

static const char *const variants[] = {"",           "precision f32 ", "threads 1 ",
                                       "threads 2 ", "threads 3 ",     "threads 3 precision f32 "};
#define VARIANTS (sizeof variants / sizeof *variants)

static void check_variants(const char *problem, const char *method, int64_t cycles, int k)
{
    for (size_t i = 0; i < VARIANTS; i++) {
        char p[256];
        snprintf(p, sizeof p, "%s%s", problem, variants[i]);
        CHECK_MSG(same(p, method, cycles, "solver jacobi", cycles * k), "%s%s", p, method);
    }
}

TEST(equivalence, one_subiteration_is_jacobi)
{
    check_variants(GRID, "solver shared k 1 block 32 block-y 17", 6, 1);
    check_variants(GRID, "solver shared k 1 block 64 block-y 5 overlap 10 overlap-y 4", 6, 1);
    check_variants(GRID, "solver shared k 1 block 1", 2, 1);
}

TEST(equivalence, enough_overlap_is_jacobi)
{
    check_variants(GRID, "solver shared k 5 block 32 block-y 21 overlap 8", 3, 5);
    check_variants(GRID, "solver shared k 5 block 19 block-y 47 overlap 14 overlap-y 8", 3, 5);
    check_variants(GRID, "solver shared k 16 block 61 block-y 32 overlap 30", 2, 16);
    check_variants(GRID, "solver shared k 2 block 3 block-y 5 overlap 2", 3, 2);
}

TEST(equivalence, several_threads)
{
    check_variants(LARGE, "solver shared k 1 block 37 block-y 53", 2, 1);
    check_variants(LARGE, "solver shared k 8 block 128 block-y 57 overlap 14", 2, 8);
    check_variants(LARGE, "solver shared k 7 block 300 block-y 600 overlap 12", 2, 7);
}

TEST(equivalence, tall_tiles)
{
    check_variants(TALL, "solver shared k 5 block 32 block-y 600 overlap 8", 3, 5);
    check_variants(TALL, "solver shared k 3 block 64 block-y 2000", 4, 3);
    check_variants(TALL, "solver shared k 16 block 61 block-y 517 overlap 30", 2, 16);
}

TEST(equivalence, one_pair_less_differs)
{
    CHECK(!same(GRID, "solver shared k 5 block 32 block-y 21 overlap 6 overlap-y 8", 1,
                "solver jacobi", 5));
    CHECK(!same(GRID, "solver shared k 5 block 32 block-y 21 overlap 8 overlap-y 6", 1,
                "solver jacobi", 5));
    CHECK(!same(LINES, "solver shared k 5 block 32 overlap 6", 1, "solver jacobi", 5));
}

TEST(equivalence, lines)
{
    check_variants(LINES, "solver shared k 1 block 32", 4, 1);
    check_variants(LINES, "solver shared k 16 block 32 overlap 30", 3, 16);
    check_variants(LINES, "solver shared k 4 block 1024 overlap 2", 3, 4);
}

/* More points than one strip of a row, and rows fewer than threads. */
TEST(equivalence, long_lines)
{
    check_variants("equation poisson1d n 200001 copies 2 problem random ",
                   "solver shared k 3 block 1024 overlap 4", 2, 3);
    check_variants("equation poisson2d n 9001 ny 37 problem random ",
                   "solver shared k 3 block 256 block-y 16 overlap 4", 2, 3);
}

TEST(equivalence, copies_are_independent)
{
    ss_run *one =
        open_join("equation poisson1d n 333 problem paper ", "solver shared k 6 overlap 4");
    ss_run *three = open_join("equation poisson1d n 333 problem paper copies 3 ",
                              "solver shared k 6 overlap 4");
    step_run(one, 20);
    step_run(three, 20);
    double *u = get_field(one, FIELD), *v = get_field(three, FIELD);
    for (int copy = 0; copy < 3; copy++)
        CHECK(memcmp(u, v + (size_t)copy * 333, 333 * sizeof *u) == 0);
    free(u);
    free(v);
    ss_run_close(one);
    ss_run_close(three);
}

TEST(equivalence, small_grids)
{
    static const int sizes[][2] = {{1, 1}, {2, 1}, {1, 3}, {2, 2},
                                   {3, 3}, {5, 4}, {7, 9}, {16, 15}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        char p[128];
        snprintf(p, sizeof p, "equation poisson2d problem random n %d ny %d ", sizes[i][0],
                 sizes[i][1]);
        CHECK(same(p, "solver shared k 4 block 64", 3, "solver jacobi", 12));
        CHECK(same(p, "solver shared k 3 block 5 overlap 4", 3, "solver jacobi", 9));
        snprintf(p, sizeof p, "equation poisson1d problem random n %d copies %d ", sizes[i][0],
                 sizes[i][1]);
        CHECK(same(p, "solver shared k 4 block 64", 3, "solver jacobi", 12));
    }
}

/* --- the norm ----------------------------------------------------------------------------- */

static double norm_after(const char *problem, const char *method, int64_t cycles)
{
    ss_run *run = open_join(problem, method);
    step_run(run, cycles + 1);
    double norm = run->residual;
    CHECK_INT(run->residual_cycle, cycles);
    ss_run_close(run);
    return norm;
}

TEST(equivalence, norms_do_not_depend_on_threads)
{
    static const char *const methods[] = {"solver jacobi", "solver shared k 6 block 48 overlap 4",
                                          "solver shared k 3 block 256 block-y 100"};
    static const char *const precisions[] = {LARGE "precision f64 ", LARGE "precision f32 "};
    for (size_t m = 0; m < sizeof methods / sizeof *methods; m++)
        for (int p = 0; p < 2; p++) {
            double norm[3];
            for (int t = 0; t < 3; t++) {
                char problem[256];
                snprintf(problem, sizeof problem, "%sthreads %d ", precisions[p], t + 1);
                norm[t] = norm_after(problem, methods[m], 3);
            }
            CHECK(norm[0] > 0 && norm[0] == norm[1] && norm[0] == norm[2]);
        }
}

/* Every point counts once, also where tiles overlap: the norm is that of the whole field. */
TEST(equivalence, norms_agree_with_the_field)
{
    double jacobi = norm_after(GRID, "solver jacobi", 12);
    CHECK_NEAR(norm_after(GRID, "solver shared k 4 block 24 block-y 30 overlap 6", 3) / jacobi, 1,
               1e-12);
    ss_run *run = open_join(GRID, "solver jacobi");
    step_run(run, 12);
    double reduced;
    CHECK_INT(run->backend->reduce(run, &reduced, NULL, NULL, NULL), SS_OK);
    CHECK_NEAR(reduced / jacobi, 1, 1e-12);
    ss_run_close(run);
}

/* A run stops at the first cycle whose field meets the tolerance. */
TEST(equivalence, converged_field_is_kept)
{
    static const char *const methods[] = {"solver jacobi", "solver shared k 3 overlap 4"};
    for (int m = 0; m < 2; m++) {
        ss_run *run = open_join(GRID, methods[m]), *same_cycles = open_join(GRID, methods[m]);
        run->tol = 1e-2;
        run->stop_at_tol = true;
        CHECK_INT(ss_run_step(run, 100000, NULL), SS_OK);
        CHECK_INT(run->status, SS_CONVERGED);
        step_run(same_cycles, run->cycle);
        CHECK(same_field(run, FIELD, same_cycles, FIELD));
        CHECK(!run->start_kept);
        ss_run_close(run);
        ss_run_close(same_cycles);
    }
}

/* --- other ways to the same field ------------------------------------------------------------- */

TEST(equivalence, stores_past_the_caches)
{
    static const char *const methods[] = {"solver jacobi",
                                          "solver shared k 5 block 50 block-y 33 overlap 6"};
    for (int m = 0; m < 2; m++)
        for (size_t i = 0; i < VARIANTS; i++) {
            char p[256];
            snprintf(p, sizeof p, "%s%s", LARGE, variants[i]);
            ss_run *a = open_join(p, methods[m]), *b = open_join(p, methods[m]);
            ((ss_cpu_state *)a->state)->stream = true;
            ((ss_cpu_state *)b->state)->stream = false;
            step_run(a, 3);
            step_run(b, 3);
            CHECK(same_field(a, FIELD, b, FIELD));
            CHECK(a->residual == b->residual);
            ss_run_close(a);
            ss_run_close(b);
        }
}

TEST(equivalence, peek_is_a_cycle_with_fewer_subiterations)
{
    for (int s = 1; s < 7; s++) {
        char fewer[128];
        snprintf(fewer, sizeof fewer, "solver shared block 40 block-y 27 overlap 6 k %d", s);
        ss_run *run = open_join(GRID, "solver shared block 40 block-y 27 overlap 6 k 7");
        ss_run *cycle = open_join(GRID, fewer), *start = open_join(GRID, fewer);
        CHECK_INT(run->ops->peek(run, s, NULL), SS_OK);
        CHECK_INT(run->cycle, 0);
        step_run(cycle, 1);
        CHECK(same_field(run, START, cycle, FIELD)); /* the other buffer */
        CHECK(same_field(run, FIELD, start, FIELD));
        ss_run_close(run);
        ss_run_close(cycle);
        ss_run_close(start);
    }
}

TEST(equivalence, solver_changes_while_running)
{
    ss_err err;
    ss_run *run = open_join(GRID, "solver jacobi"), *jacobi = open_join(GRID, "solver jacobi");
    static const char *const changes[][2] = {
        {"solver", "shared"}, {"k", "4"}, {"overlap", "6"}, {"block", "20"}, {"solver", "jacobi"}};
    step_run(run, 3);
    step_run(jacobi, 3);
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        ss_config cfg = run->cfg;
        CHECK_INT(ss_config_set(&cfg, changes[i][0], changes[i][1], &err), SS_OK);
        CHECK_INT(ss_run_configure(run, &cfg, &err), SS_OK);
        run->tol = 0;
        if (i < 2)
            continue; /* not exact yet: k = 8, then 4, without overlap */
        int k = run->iterations_per_cycle;
        step_run(run, 2);
        step_run(jacobi, 2 * k);
        CHECK(same_field(run, FIELD, jacobi, FIELD));
    }
    ss_run_close(run);
    ss_run_close(jacobi);
}

TEST(equivalence, abandoned_cycle_leaves_the_start)
{
    static const char *const methods[] = {"solver jacobi", "solver shared k 5 block 16"};
    for (int m = 0; m < 2; m++) {
        atomic_bool abandon = true;
        ss_run *run = open_join(LARGE, methods[m]), *start = open_join(LARGE, methods[m]);
        run->abandon = &abandon;
        CHECK_INT(ss_run_step(run, 10, NULL), SS_OK);
        CHECK_INT(run->cycle, 0);
        CHECK_INT(run->status, SS_RUNNING);
        CHECK(same_field(run, FIELD, start, FIELD));
        ss_run_close(run);
        ss_run_close(start);
    }
}

/* --- every registered combination ------------------------------------------------------------- */

/* A problem with work for several threads; settings that do not apply are omitted. */
static ss_run *open_large(const ss_equation *eq, const ss_solver *solver, const char *threads)
{
    const char *const n = eq->dim == 1 ? "262144" : CHECK_SANITIZED ? "263" : "523";
    const char *const rows[][2] = {
        {"equation", eq->name}, {"solver", solver->name}, {"backend", "cpu"},
        {"threads", threads},   {"patch", "48"},          {"n", n},
        {"ny", "389"},          {"problem", "random"},    {"seed", "5"}};
    ss_config cfg;
    ss_err err = {0};
    ss_tables_init();
    ss_config_default(&cfg);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (ss_config_set(&cfg, rows[i][0], rows[i][1], &err) != SS_OK)
            CHECK_MSG(i > 3, "%s", err.text);
    if (ss_config_check(&cfg, NULL, &err) != SS_OK) { /* sizes that can be halved */
        CHECK(ss_config_set(&cfg, "n", eq->dim == 1 ? "262143" : "511", &err) == SS_OK);
        CHECK(eq->dim == 1 || ss_config_set(&cfg, "ny", "255", &err) == SS_OK);
    }
    CHECK_MSG(ss_config_check(&cfg, NULL, &err) == SS_OK, "%s", err.text);
    ss_run *run = ss_run_open(&cfg, NULL, NULL, &err);
    CHECK_MSG(run, "%s", err.text);
    run->tol = 0;
    return run;
}

static bool same_rows(ss_run *a, ss_run *b)
{
    const ss_problem *p = &a->problem;
    size_t n = (size_t)p->nx * (size_t)p->ny;
    double *u = malloc(2 * n * sizeof *u);
    ss_err err;
    bool same = u != NULL;
    for (int k = 0; k < p->nz && same; k++)
        for (int f = 0; f < p->nfield && same; f++) {
            CHECK(a->backend->download(a, FIELD, f, k, 0, p->ny, u, &err) == SS_OK);
            CHECK(b->backend->download(b, FIELD, f, k, 0, p->ny, u + n, &err) == SS_OK);
            same = memcmp(u, u + n, n * sizeof *u) == 0;
        }
    free(u);
    return same;
}

/* Fields and norms are those of one thread; the table of combinations is the list. */
SLOW_TEST(equivalence, no_combination_depends_on_threads)
{
    int seen = 0;
    ss_tables_init();
    for (int e = 0; ss_equations[e]; e++)
        for (int s = 0; ss_solvers[s]; s++) {
            if (!ss_matrix(ss_equations[e], ss_solvers[s], &ss_backend_cpu, NULL))
                continue;
            ss_run *one = open_large(ss_equations[e], ss_solvers[s], "1");
            ss_run *three = open_large(ss_equations[e], ss_solvers[s], "3");
            step_run(one, 2);
            step_run(three, 2);
            CHECK_MSG(same_rows(one, three), "%s %s", one->eq->name, one->solver->name);
            CHECK_NEAR(one->residual, three->residual, 0);
            ss_run_close(one);
            ss_run_close(three);
            seen++;
        }
    CHECK_MSG(seen > 10, "%d combinations", seen);
}
