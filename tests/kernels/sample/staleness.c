/* Staleness against its definition, block value minus exact sweeps, and the edge profile. */
#include "tests/pictures.h"

/* --- staleness -------------------------------------------------------------------------------- */

#define SHAPE "n 203 ny 131 block 32 block-y 48 "

static float kept_middle; /* of the profile of the last picture */

/* Largest staleness of a picture with one cell per point, after two cycles. */
static double largest_staleness(const char *settings, float *profile_edge)
{
    ss_run *run = random_run(settings);
    ss_view view = view_of(SS_STALENESS);
    ss_picture p = new_picture(run->problem.nx, run->problem.ny);
    step_run(run, 2);
    take(run, &view, &p);
    CHECK(!p.sampled);
    CHECK(p.blocks > 1 && p.blocks_computed == p.blocks);
    for (int i = 0; i < p.w * p.h; i++)
        CHECK(isfinite(p.cell[i]));
    CHECK_INT(p.nprofile[0], 32);
    CHECK_INT(p.nprofile[1], 48);
    *profile_edge = p.profile[0][0];
    kept_middle = p.profile[0][16];
    double hi = p.hi;
    free_picture(&p);
    ss_run_close(run);
    return hi;
}

TEST(staleness, staleness_is_zero_exactly_where_the_overlap_is_enough)
{
    static const char *const precisions[] = {"f64", "f32"};
    for (int i = 0; i < 2; i++) {
        char settings[256];
        float edge;
        snprintf(settings, sizeof settings,
                 "equation poisson2d solver shared k 4 overlap 6 overlap-y 8 precision %s " SHAPE,
                 precisions[i]);
        CHECK_NEAR(largest_staleness(settings, &edge), 0, 0);
        CHECK(edge > 0); /* discarded points are stale, and the profile shows it */
        CHECK_NEAR((double)kept_middle, 0, 0); /* they enter no mean of kept ones */
        snprintf(settings, sizeof settings,
                 "equation poisson2d solver shared k 4 overlap 4 overlap-y 8 precision %s " SHAPE,
                 precisions[i]);
        CHECK(largest_staleness(settings, &edge) > 0);
        snprintf(settings, sizeof settings,
                 "equation poisson2d solver shared k 1 overlap 0 precision %s " SHAPE,
                 precisions[i]);
        CHECK_NEAR(largest_staleness(settings, &edge), 0, 0);
        CHECK_NEAR((double)edge, 0, 0);
    }
}

TEST(staleness, staleness_is_the_distance_to_exact_sweeps)
{
    ss_run *run = random_run("equation poisson2d solver shared k 5 overlap 4 overlap-y 2 " SHAPE);
    ss_run *exact = random_run("equation poisson2d solver jacobi n 203 ny 131");
    ss_view view = view_of(SS_STALENESS);
    ss_picture p = new_picture(203, 131);
    step_run(run, 1);
    step_run(exact, 5);
    double *a = get_field(run, FIELD), *b = get_field(exact, FIELD);
    take(run, &view, &p);
    for (int j = 0; j < 131; j++)
        for (int i = 0; i < 203; i++) {
            double want = fabs(a[j * 203 + i] - b[j * 203 + i]);
            CHECK_NEAR(cell_at(&p, i, j), want, 1e-6 * want);
        }
    view.probe_x = 31, view.probe_y = 77;
    take(run, &view, &p);
    CHECK(p.probe.has_stale);
    CHECK_NEAR(p.probe.stale, fabs(a[77 * 203 + 31] - b[77 * 203 + 31]), 0);
    free(a);
    free(b);
    free_picture(&p);
    ss_run_close(exact);
    ss_run_close(run);
}

TEST(staleness, staleness_grows_under_the_microscope)
{
    ss_run *run = random_run("equation poisson2d solver shared k 5 " SHAPE);
    ss_run *exact = random_run("equation poisson2d solver jacobi n 203 ny 131");
    ss_view view = view_of(SS_STALENESS);
    ss_picture p = new_picture(203, 131);
    step_run(run, 1);
    step_run(exact, 5);
    double *start = get_field(run, FIELD); /* the two differ after a cycle without overlap */
    set_field(exact, FIELD, from_array, start);
    for (int s = 1; s < 5; s++) {
        CHECK_INT(ss_run_tick(run, NULL), SS_OK);
        step_run(exact, 1);
        double *want = get_field(exact, FIELD);
        int stale = 0;
        take(run, &view, &p);
        for (int i = 0; i < 203; i++)
            stale += cell_at(&p, i, 20) > 0;
        CHECK_MSG(s == 1 ? stale == 0 : stale > 0, "%d stale points after %d", stale, s);
        view.probe_x = 63, view.probe_y = 20;
        take(run, &view, &p);
        CHECK_NEAR(p.probe.stale, fabs(p.probe.value - want[20 * 203 + 63]), 0);
        CHECK_NEAR(cell_at(&p, 63, 20), p.probe.stale, 1e-6 * p.probe.stale);
        free(want);
    }
    free(start);
    free_picture(&p);
    ss_run_close(exact);
    ss_run_close(run);
}

TEST(staleness, staleness_needs_the_start_of_the_cycle)
{
    ss_run *run = random_run("equation poisson2d solver shared k 4 " SHAPE);
    ss_view view = view_of(SS_STALENESS);
    ss_picture p = new_picture(20, 20);
    take(run, &view, &p);
    CHECK(isnan(p.cell[0]) && p.nprofile[0] == 0);
    free_picture(&p);
    ss_run_close(run);
}

TEST(staleness, many_tiles_show_one_value_each)
{
    ss_run *run = random_run("equation poisson2d solver shared k 4 block 8 n 203 ny 131");
    ss_view view = view_of(SS_STALENESS);
    ss_picture p = new_picture(203, 131);
    step_run(run, 1);
    view.tile_x = 3, view.tile_y = 4;
    take(run, &view, &p);
    CHECK(p.sampled);
    CHECK_INT(p.blocks, 26 * 17);
    CHECK(p.blocks_computed > 1 && p.blocks_computed < p.blocks);
    CHECK_INT(p.nprofile[0], 8);
    ss_tiling t = run->solver->tiling(&run->cfg, &run->problem);
    for (int j = 0; j < 131; j++)
        for (int i = 0; i + 1 < 203; i++) {
            CHECK(cell_at(&p, i, j) > 0);
            if (ss_cut_owner(t.x, i) == ss_cut_owner(t.x, i + 1))
                CHECK_NEAR(cell_at(&p, i, j), cell_at(&p, i + 1, j), 0);
        }
    /* The selected tile shows its own maximum. */
    double selected = cell_at(&p, 3 * 8 + 4, 4 * 8 + 4), max = 0;
    view.x0 = 24, view.x1 = 32, view.y0 = 32, view.y1 = 40;
    take(run, &view, &p);
    for (int i = 0; i < 203 * 131; i++)
        max = (double)p.cell[i] > max ? (double)p.cell[i] : max;
    CHECK_NEAR(selected, max, 0);
    free_picture(&p);
    ss_run_close(run);
}

/* --- profile ---------------------------------------------------------------------------------- */

/* Of more tiles than are computed each is drawn with the values of another one; but those at the
 * edge of the domain have no halo there, and every inner tile has one at each side. */
TEST(staleness, an_inner_tile_is_not_drawn_as_one_at_the_edge)
{
    enum { N = 256, B = 16 };
    ss_run *run = random_run("equation poisson2d solver shared k 4 overlap 0 n 256 ny 256 block 16 "
                             "block-y 16");
    ss_view view = view_of(SS_STALENESS);
    view.w = view.h = N;
    ss_picture p = new_picture(N, N);
    step_run(run, 1);
    take(run, &view, &p);
    CHECK(p.sampled);
    for (int tile = 0; tile < N / B; tile++) {
        int first = tile * B, last = first + B - 1, at = B / 2;
        CHECK_MSG((cell_at(&p, first, at) > 0) == (tile > 0), "tile %d: %g", tile,
                  cell_at(&p, first, at));
        CHECK((cell_at(&p, last, at) > 0) == (tile < N / B - 1));
        CHECK((cell_at(&p, at, first) > 0) == (tile > 0));
        CHECK((cell_at(&p, at, last) > 0) == (tile < N / B - 1));
    }
    free_picture(&p);
    ss_run_close(run);
}

RUN_TEST(staleness, edge_profile_has_the_reference_figures,
         "equation poisson1d solver shared n 1024 block 32 overlap 0 k 32")
{
    static const double want[][2] = {
        {1, 1.356e-3}, {2, 1.033e-3}, {4, 5.64e-4}, {8, 1.28e-4}, {16, 2.6e-6}};
    ss_view view = view_of(SS_STALENESS);
    ss_picture p = new_picture(100, 1);
    step_run(run, 10);
    take(run, &view, &p);
    CHECK_INT(p.nprofile[0], 32);
    CHECK_INT(p.nprofile[1], 0);
    for (int i = 0; i < 5; i++) {
        int position = (int)want[i][0];
        double tol = 0.005 * want[i][1] * (i == 4 ? 4 : 1); /* the printed digits */
        CHECK_NEAR((double)p.profile[0][position - 1], want[i][1], tol);
        CHECK_NEAR((double)p.profile[0][32 - position], want[i][1], tol);
    }
    free_picture(&p);
}

RUN_TEST(staleness, edge_profile_of_a_symmetric_problem_is_symmetric,
         "equation poisson2d solver shared n 128 block 32 overlap 0 k 8")
{
    ss_picture p = new_picture(16, 16);
    step_run(run, 3);
    for (int layer = SS_VALUE; layer <= SS_STALENESS; layer++) {
        ss_view view = view_of((ss_layer)layer);
        take(run, &view, &p);
        if (layer == SS_ERROR || layer == SS_EXACT || layer == SS_UPDATE)
            continue;
        CHECK_INT(p.nprofile[0], 32);
        CHECK_INT(p.nprofile[1], 32);
        for (int axis = 0; axis < 2; axis++)
            for (int i = 0; i < 32; i++) {
                double v = (double)p.profile[axis][i];
                CHECK_NEAR((double)p.profile[axis][31 - i], v, 1e-5 * v);
                CHECK_NEAR((double)p.profile[1 - axis][i], v, 1e-5 * v);
            }
    }
    free_picture(&p);
}

TEST(staleness, edge_profile_of_values_is_their_mean)
{
    ss_run *run =
        random_run("equation poisson2d solver shared k 2 n 128 ny 96 block 32 block-y 48");
    double *u = get_field(run, FIELD);
    ss_view view = view_of(SS_VALUE);
    ss_picture p = new_picture(16, 16);
    take(run, &view, &p);
    for (int position = 0; position < 48; position++) {
        double x = 0, y = 0;
        for (int j = 0; j < 96; j++)
            for (int i = 0; i < 128; i++) {
                x += i % 32 == position ? u[j * 128 + i] / (4 * 96) : 0;
                y += j % 48 == position ? u[j * 128 + i] / (2 * 128) : 0;
            }
        CHECK_NEAR((double)p.profile[1][position], y, 1e-6);
        if (position < 32)
            CHECK_NEAR((double)p.profile[0][position], x, 1e-6);
    }
    free(u);
    free_picture(&p);
    ss_run_close(run);
}

/* In 2D the rows next to the halos below and above are stale at every position: they enter no mean
 * along x. */
TEST(staleness, edge_profile_is_zero_where_the_middle_of_the_picture_is)
{
    static const int overlaps[] = {0, 8};
    for (int i = 0; i < 2; i++) {
        char settings[128];
        snprintf(settings, sizeof settings,
                 "equation poisson2d solver shared n 128 block 32 k 12 overlap %d", overlaps[i]);
        ss_run *run = random_run(settings);
        ss_view view = view_of(SS_STALENESS);
        ss_picture p = new_picture(16, 16);
        step_run(run, 3);
        take(run, &view, &p);
        for (int axis = 0; axis < 2; axis++)
            for (int at = 0; at < 32; at++) {
                bool stale = at < 11 || at >= 21;
                float v = p.profile[axis][at], outer = at < 16 ? p.profile[axis][at - (at > 0)]
                                                               : p.profile[axis][at + (at < 31)];
                CHECK_MSG(stale == (v > 0), "axis %d, position %d: %g", axis, at, (double)v);
                CHECK_MSG(v <= outer, "axis %d, position %d: a hump", axis, at);
            }
        free_picture(&p);
        ss_run_close(run);
    }
}

/* Where k reaches the middle of the block, its two middle rows are the least stale. */
RUN_TEST(staleness, edge_profile_has_no_hump_where_all_rows_are_stale,
         "equation poisson2d solver shared n 128 block 32 k 32 overlap 0")
{
    ss_view view = view_of(SS_STALENESS);
    ss_picture p = new_picture(16, 16);
    step_run(run, 3);
    take(run, &view, &p);
    for (int at = 1; at < 16; at++)
        CHECK_MSG(p.profile[0][at] <= p.profile[0][at - 1], "position %d", at);
    free_picture(&p);
}
