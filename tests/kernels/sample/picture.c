/* The CPU sampler: the value of a picture cell, at every zoom and also when a large field is only
 * partly read; the probe and the norms. */
#include "src/run/reference.h"
#include "tests/pictures.h"

#define SHAPE "n 203 ny 131 block 32 block-y 48 "

/* --- boxes against brute force ---------------------------------------------------------------- */

static double at(const double *u, const ss_problem *p, int i, int j)
{
    bool inside = i >= 0 && i < p->nx && j >= 0 && j < p->ny;
    return inside ? u[(size_t)j * (size_t)p->nx + (size_t)i] : 0;
}

/* |r| of poisson2d, written out. */
static double residual_at(const double *u, const double *g, const ss_problem *p, int i, int j)
{
    double wx = 1 / (p->dx * p->dx), wy = 1 / (p->dy * p->dy);
    return fabs(at(g, p, i, j) * 2 * (wx + wy) - 2 * (wx + wy) * at(u, p, i, j) +
                wx * (at(u, p, i - 1, j) + at(u, p, i + 1, j)) +
                wy * (at(u, p, i, j - 1) + at(u, p, i, j + 1)));
}

/* Points of cell c of `count` over [from, to). */
static void box(int c, int count, double from, double to, int n, bool even, int *lo, int *hi)
{
    double step = (to - from) / count;
    if (step <= 1) {
        *lo = (int)floor(from + (c + 0.5) * step);
        *hi = *lo + 1;
        return;
    }
    *lo = (int)floor(from + (to - from) * c / count);
    *hi = (int)floor(from + (to - from) * (c + 1) / count);
    if (even && (*hi - *lo) % 2) {
        if (*hi < n)
            ++*hi;
        else if (*lo > 0)
            --*lo;
    }
}

static void check_boxes(ss_run *run, ss_view view, int w, int h)
{
    const ss_problem *p = &run->problem;
    double *u = get_field(run, FIELD), *g = get_field(run, RHS);
    ss_picture pic = new_picture(w, h);
    bool whole = view.x1 <= view.x0, mean = view.layer == SS_VALUE;
    take(run, &view, &pic);
    CHECK(!pic.sampled);
    for (int r = 0; r < h; r++)
        for (int c = 0; c < w; c++) {
            int x0, x1, y0, y1;
            double sum = 0, max = 0;
            box(c, w, whole ? 0 : view.x0, whole ? p->nx : view.x1, p->nx, mean, &x0, &x1);
            box(r, h, whole ? 0 : view.y0, whole ? p->ny : view.y1, p->ny, mean, &y0, &y1);
            for (int j = y0; j < y1; j++)
                for (int i = x0; i < x1; i++) {
                    double v = residual_at(u, g, p, i, j);
                    sum += at(u, p, i, j);
                    max = v > max ? v : max;
                }
            double want = mean ? sum / ((double)(x1 - x0) * (y1 - y0)) : max;
            CHECK_NEAR(cell_at(&pic, c, r), want, 1e-6 * fabs(want));
        }
    free_picture(&pic);
    free(u);
    free(g);
}

TEST(sample, box_averages_match_brute_force)
{
    ss_run *run = random_run("equation poisson2d solver jacobi n 203 ny 131");
    static const int sizes[][2] = {{40, 30}, {203, 131}, {7, 5}, {300, 150}, {1, 1}, {64, 131}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int layer = SS_VALUE; layer <= SS_RESIDUAL; layer += SS_RESIDUAL - SS_VALUE) {
            ss_view view = view_of((ss_layer)layer);
            check_boxes(run, view, sizes[i][0], sizes[i][1]);
            view.x0 = 17.3, view.x1 = 101.9, view.y0 = 4.5, view.y1 = 77.2;
            check_boxes(run, view, sizes[i][0], sizes[i][1]);
        }
    ss_run_close(run);
}

TEST(sample, range_is_that_of_the_finite_cells)
{
    ss_run *run = random_run("equation poisson2d solver jacobi n 20 ny 10");
    ss_view view = view_of(SS_VALUE);
    ss_picture p = new_picture(60, 40);
    /* One point per cell, much of it outside. */
    view.x0 = -20, view.x1 = 40, view.y0 = -10, view.y1 = 30;
    take(run, &view, &p);
    double lo = 2, hi = -2;
    int finite = 0;
    for (int r = 0; r < 40; r++)
        for (int c = 0; c < 60; c++) {
            double v = cell_at(&p, c, r);
            CHECK_INT(isfinite(v) != 0, c >= 20 && c < 40 && r >= 10 && r < 20);
            finite += isfinite(v) != 0;
            lo = v < lo ? v : lo;
            hi = v > hi ? v : hi;
        }
    CHECK_INT(finite, 200);
    CHECK_NEAR(p.lo, lo, 0);
    CHECK_NEAR(p.hi, hi, 0);
    free_picture(&p);
    ss_run_close(run);
}

/* --- a mode that alternates from point to point ----------------------------------------------- */

static double checkerboard(const ss_run *run, int i, int j, const void *ctx)
{
    (void)ctx;
    return ((i + j) % 2 ? -1.0 : 1.0) + 0.25 * i / run->problem.nx;
}

static double zero(const ss_run *run, int i, int j, const void *ctx)
{
    (void)run, (void)i, (void)j, (void)ctx;
    return 0;
}

/* Every cell shows the gradient alone, and the same residual. Returns true if points were skipped.
 */
static bool check_checkerboard(ss_run *run, ss_view view, int w, int h)
{
    double step = (view.x1 - view.x0) / w, n = run->problem.nx;
    double full = 2 * fabs(run->coef.residual);
    ss_picture p = new_picture(w, h);
    view.layer = SS_VALUE;
    take(run, &view, &p);
    bool sampled = p.sampled;
    for (int r = 0; r < h; r++)
        for (int c = 0; c < w; c++) {
            double want = 0.25 * (view.x0 + (c + 0.5) * step - 0.5) / n;
            CHECK_NEAR(cell_at(&p, c, r), want, 0.25 * (step / 2 + 1.5) / n);
        }
    view.layer = SS_RESIDUAL;
    take(run, &view, &p);
    for (int r = 0; r < h; r++)
        for (int c = 0; c < w; c++)
            CHECK_NEAR(cell_at(&p, c, r), full, 0.15 * full);
    free_picture(&p);
    return sampled || p.sampled;
}

static void check_all_zooms(const char *settings, bool want_sampled)
{
    static const int sizes[][2] = {{80, 60}, {200, 110}, {37, 23}, {7, 5}, {1, 1}};
    static const double zooms[] = {1, 0.93, 0.7, 0.5, 0.31, 0.13};
    ss_run *run = open_run(settings);
    bool sampled = false;
    set_field(run, FIELD, checkerboard, NULL);
    set_field(run, RHS, zero, NULL);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (size_t z = 0; z < sizeof zooms / sizeof *zooms; z++) {
            ss_view view = view_of(SS_VALUE);
            double nx = run->problem.nx, ny = run->problem.ny;
            view.x0 = 0.37 * nx * (1 - zooms[z]);
            view.x1 = view.x0 + nx * zooms[z];
            view.y0 = 0.71 * ny * (1 - zooms[z]);
            view.y1 = view.y0 + ny * zooms[z];
            if (nx * zooms[z] >= 2 * sizes[i][0] && ny * zooms[z] >= 2 * sizes[i][1])
                sampled |= check_checkerboard(run, view, sizes[i][0], sizes[i][1]);
        }
    CHECK_INT(sampled, want_sampled);
    ss_run_close(run);
}

TEST(sample, checkerboard_looks_the_same_at_every_zoom)
{
    check_all_zooms("equation poisson2d solver jacobi n 301 ny 203", false);
}

TEST(sample, checkerboard_looks_the_same_when_rows_are_skipped)
{
    check_all_zooms("equation poisson2d solver jacobi n 2047 ny 1501", true);
    check_all_zooms("equation poisson2d solver jacobi n 2501 ny 1303 precision f32", true);
}

RUN_TEST(sample, one_point_a_cell_shows_the_points, "equation poisson2d solver jacobi n 301 ny 203")
{
    set_field(run, FIELD, checkerboard, NULL);
    ss_view view = view_of(SS_VALUE);
    ss_picture p = new_picture(60, 40);
    view.x0 = 100, view.x1 = 130, view.y0 = 50, view.y1 = 70; /* 2 cells per point */
    take(run, &view, &p);
    for (int r = 0; r < 40; r++)
        for (int c = 0; c < 60; c++)
            CHECK_NEAR(cell_at(&p, c, r), checkerboard(run, 100 + c / 2, 50 + r / 2, NULL), 1e-6);
    free_picture(&p);
}

/* A smooth residual: the maximum over a part of a box is near that of the box. */
static double waves(const ss_run *run, int i, int j, const void *ctx)
{
    (void)run, (void)ctx;
    return 4 + sin(0.02 * i) + sin(0.03 * j);
}

RUN_TEST(sample, pictures_do_not_flicker_and_exact_reads_all,
         "equation poisson2d solver jacobi n 2047 ny 1501")
{
    set_field(run, FIELD, zero, NULL);
    set_field(run, RHS, waves, NULL);
    ss_view view = view_of(SS_RESIDUAL);
    ss_picture a = new_picture(80, 60), b = new_picture(80, 60);
    take(run, &view, &a);
    take(run, &view, &b);
    CHECK(a.sampled);
    for (int i = 0; i < 80 * 60; i++)
        CHECK(a.cell[i] == b.cell[i]);
    view.exact = true;
    take(run, &view, &b);
    CHECK(!b.sampled);
    int smaller = 0;
    for (int i = 0; i < 80 * 60; i++) { /* a maximum over a sixth of the points is no larger */
        CHECK_MSG(a.cell[i] <= b.cell[i] && a.cell[i] > 0.7F * b.cell[i], "cell %d: %g of %g", i,
                  (double)a.cell[i], (double)b.cell[i]);
        smaller += a.cell[i] < b.cell[i];
    }
    CHECK(smaller > 0);
    free_picture(&a);
    free_picture(&b);
}

/* --- the other layers ------------------------------------------------------------------------- */

TEST(sample, error_needs_the_reference)
{
    char notice[320];
    ss_run *run = random_run("equation poisson2d solver jacobi n 33 ny 20");
    ss_view view = view_of(SS_ERROR);
    ss_picture p = new_picture(33, 20);
    take(run, &view, &p);
    CHECK(isnan(p.cell[0]) && p.nprofile[0] == 0);
    run->reference = ss_reference_start(run, false, notice, sizeof notice, NULL);
    const double *ref = ss_run_reference(run);
    CHECK(ref != NULL);
    take(run, &view, &p);
    double *u = get_field(run, FIELD);
    for (int j = 0; j < 20; j++)
        for (int i = 0; i < 33; i++) {
            double want = fabs(u[j * 33 + i] - ref[j * 33 + i]);
            CHECK_NEAR(cell_at(&p, i, j), want, 1e-6 * want);
        }
    free(u);
    free_picture(&p);
    ss_run_close(run);
}

TEST(sample, neighbouring_owners_have_different_colours)
{
    ss_run *run = open_run(
        "equation poisson2d solver shared n 203 ny 131 block 32 block-y 16 overlap 4 overlap-y 2");
    ss_tiling t = run->solver->tiling(&run->cfg, &run->problem);
    ss_view view = view_of(SS_OWNER);
    ss_picture p = new_picture(203, 131);
    take(run, &view, &p);
    for (int j = 0; j + 1 < 131; j++)
        for (int i = 0; i + 1 < 203; i++) {
            bool same_x = ss_cut_owner(t.x, i) == ss_cut_owner(t.x, i + 1);
            bool same_y = ss_cut_owner(t.y, j) == ss_cut_owner(t.y, j + 1);
            double here = cell_at(&p, i, j);
            CHECK_INT(here == cell_at(&p, i + 1, j), same_x);
            CHECK_INT(here == cell_at(&p, i, j + 1), same_y);
            CHECK_INT(here == cell_at(&p, i + 1, j + 1), same_x && same_y);
        }
    free_picture(&p);
    ss_run_close(run);
}

RUN_TEST(sample, age_is_nan_for_solvers_without_ages, "equation poisson2d solver shared n 40")
{
    ss_view view = view_of(SS_AGE);
    ss_picture p = new_picture(40, 40);
    take(run, &view, &p);
    CHECK(isnan(p.cell[0]) && isnan(p.cell[1599]));
    free_picture(&p);
}

/* Every tile is counted once, at the age that its cells show. */
RUN_TEST(sample, tiles_are_counted_by_age,
         "equation poisson2d solver async n 96 block 16 block-y 16")
{
    ss_view view = view_of(SS_AGE);
    ss_picture p = new_picture(6, 6);
    take(run, &view, &p);
    CHECK_INT(p.nages, 0); /* no launch yet */
    step_run(run, 3);
    take(run, &view, &p);
    CHECK_INT(p.nages, run->iterations_per_cycle + 1);
    CHECK_INT(p.age_step, 1);
    for (int age = 0; age < p.nages; age++) {
        int cells = 0;
        for (int i = 0; i < 36; i++)
            cells += (int)p.cell[i] == age;
        CHECK_INT(p.tiles[age], cells);
    }
    view.layer = SS_VALUE;
    take(run, &view, &p);
    CHECK_INT(p.nages, 0);
    free_picture(&p);
}

TEST(sample, one_dimension_is_a_row_of_the_selected_copy)
{
    ss_run *run = random_run("equation poisson1d solver jacobi n 100 copies 3");
    double *u = get_field(run, FIELD);
    ss_view view = view_of(SS_VALUE);
    ss_picture p = new_picture(100, 8);
    for (int slice = 0; slice < 3; slice++) {
        view.slice = slice;
        p.h = 8;
        take(run, &view, &p);
        CHECK_INT(p.h, 1);
        for (int i = 0; i < 100; i++)
            CHECK_NEAR((double)p.cell[i], u[slice * 100 + i], 1e-7);
    }
    free(u);
    free_picture(&p);
    ss_run_close(run);
}

/* --- probe and norms -------------------------------------------------------------------------- */

static void check_probe(ss_run *run, int x, int y)
{
    const ss_problem *p = &run->problem;
    double *u = get_field(run, FIELD), *g = get_field(run, RHS);
    ss_tiling t = run->solver->tiling(&run->cfg, p);
    ss_view view = view_of(SS_VALUE);
    ss_picture pic = new_picture(10, 10);
    view.probe_x = x, view.probe_y = y;
    take(run, &view, &pic);
    const ss_probe *probe = &pic.probe;
    CHECK(probe->valid && !probe->has_error);
    CHECK_NEAR(probe->value, at(u, p, x, y), 0);
    CHECK_NEAR(probe->west, at(u, p, x - 1, y), 0);
    CHECK_NEAR(probe->east, at(u, p, x + 1, y), 0);
    CHECK_NEAR(probe->south, at(u, p, x, y - 1), 0);
    CHECK_NEAR(probe->north, at(u, p, x, y + 1), 0);
    CHECK_NEAR(probe->rhs, at(g, p, x, y) * fabs(run->coef.residual), 1e-9);
    CHECK_NEAR(probe->residual, residual_at(u, g, p, x, y), 1e-12 * fabs(run->coef.residual));
    CHECK_INT(probe->tile_x, ss_cut_owner(t.x, x));
    CHECK_INT(probe->tile_y, ss_cut_owner(t.y, y));
    free_picture(&pic);
    free(u);
    free(g);
}

TEST(sample, probe_reads_a_point_and_its_neighbours)
{
    ss_run *run = random_run("equation poisson2d solver shared k 4 overlap 2 " SHAPE);
    step_run(run, 1);
    check_probe(run, 0, 0);
    check_probe(run, 202, 130);
    check_probe(run, 31, 48);
    ss_view view = view_of(SS_VALUE);
    ss_picture p = new_picture(10, 10);
    view.probe_x = 203, view.probe_y = 0;
    take(run, &view, &p);
    CHECK(!p.probe.valid);
    free_picture(&p);
    ss_run_close(run);
}

TEST(sample, norms_do_not_depend_on_threads)
{
    double one[2], three[2];
    char notice[320];
    ss_run *a = random_run("equation poisson2d solver jacobi threads 1 n 203 ny 131");
    ss_run *b = random_run("equation poisson2d solver jacobi threads 3 n 203 ny 131");
    a->reference = ss_reference_start(a, false, notice, sizeof notice, NULL);
    const double *ref = ss_run_reference(a);
    CHECK(ref != NULL);
    CHECK_INT(a->backend->reduce(a, &one[0], ref, &one[1], NULL), SS_OK);
    CHECK_INT(b->backend->reduce(b, &three[0], ref, &three[1], NULL), SS_OK);
    CHECK(one[0] == three[0] && one[1] == three[1]);
    double *u = get_field(a, FIELD), *g = get_field(a, RHS), sum = 0, max = 0;
    for (int j = 0; j < 131; j++)
        for (int i = 0; i < 203; i++) {
            double r = residual_at(u, g, &a->problem, i, j),
                   e = fabs(u[j * 203 + i] - ref[j * 203 + i]);
            sum += r * r;
            max = e > max ? e : max;
        }
    CHECK_NEAR(one[0], sqrt(sum), 1e-12 * one[0]);
    CHECK_NEAR(one[1], max, 0);
    free(u);
    free(g);
    ss_run_close(b);
    ss_run_close(a);
}
