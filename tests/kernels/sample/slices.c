/* Pictures of 3D runs: every layer of a slice along every axis equals the field, patches and gaps
 * are in place, owners, the probed point, outlines and the spectrum. */
#include "kernels/geom/pictures.h"
#include "src/snapshot/snapshot.h"
#include "src/core/history.h"
#include "src/engine/lane.h"
#include "src/run/reference.h"
#include "tests/pictures.h"
#include "tests/windows.h"

static double at(const ss_run *run, const double *u, const int c[3])
{
    const ss_problem *p = &run->problem;
    for (int d = 0; d < 3; d++)
        if (c[d] < 0 || c[d] >= (d == 0 ? p->nx : d == 1 ? p->ny : p->nz))
            return 0; /* a ghost of the rule zero */
    return u[((size_t)c[2] * (size_t)p->ny + (size_t)c[1]) * (size_t)p->nx + (size_t)c[0]];
}

/* The expected value of a layer at a cell. */
typedef double layer_value(const ss_run *run, const double *u, const double *start, const int c[3]);

static double value(const ss_run *run, const double *u, const double *start, const int c[3])
{
    (void)start;
    return at(run, u, c);
}

static double update(const ss_run *run, const double *u, const double *start, const int c[3])
{
    return fabs(at(run, u, c) - at(run, start, c));
}

static double residual(const ss_run *run, const double *u, const double *start, const int c[3])
{
    double sum = 6 * at(run, u, c);
    (void)start;
    for (int d = 0; d < 3; d++)
        for (int side = -1; side <= 1; side += 2) {
            int next[3] = {c[0], c[1], c[2]};
            next[d] += side;
            sum -= at(run, u, next);
        }
    return fabs(sum) * run->coef.residual;
}

static const struct {
    ss_layer layer;
    layer_value *expected;
} layers[] = {{SS_VALUE, value}, {SS_UPDATE, update}, {SS_RESIDUAL, residual}};

static void check_slice(ss_run *run, int axis, int slice, double tolerance)
{
    const ss_problem *p = &run->problem;
    ss_slice s = ss_slice_make(p->nx, p->ny, p->nz, axis, slice);
    ss_picture pic = new_picture(s.n[0], s.n[1]);
    double *u = get_window(run, FIELD), *start = get_window(run, START);
    for (int l = 0; l < 3; l++) {
        ss_view view = view_of(layers[l].layer);
        view.axis = axis;
        view.slice = slice;
        take(run, &view, &pic);
        double most = 0;
        for (int y = 0; y < s.n[1]; y++)
            for (int x = 0; x < s.n[0]; x++) {
                int c[3];
                ss_slice_cell(&s, x, y, c);
                double want = layers[l].expected(run, u, start, c);
                most = fmax(most, fabs(want));
                CHECK_MSG(fabs(cell_at(&pic, x, y) - want) <= tolerance * (1 + most),
                          "axis %d, layer %d, (%d, %d): %g, not %g", axis, l, x, y,
                          cell_at(&pic, x, y), want);
            }
    }
    free(u);
    free(start);
    free_picture(&pic);
}

TEST(slices, layers_are_those_of_the_field)
{
    static const char *const methods[] = {"solver block-jacobi bx 4", "solver block-gs bx 4",
                                          "solver jacobi"};
    for (int m = 0; m < 3; m++) {
        ss_run *run = open_join("patch 7 px 3 py 2", methods[m]);
        step_run(run, 2);
        for (int axis = 0; axis < 3; axis++) {
            check_slice(run, axis, 0, 1e-6);
            check_slice(run, axis, 6, 1e-6);
            check_slice(run, axis, -1, 1e-6);
        }
        ss_run_close(run);
    }
}

TEST(slices, single_precision)
{
    ss_run *run = open_join("patch 6 px 2 precision f32", "solver block-gs bx 4");
    step_run(run, 2);
    for (int axis = 0; axis < 3; axis++)
        check_slice(run, axis, 3, 1e-5);
    ss_run_close(run);
}

/* Between uncoupled patches cells are empty, and blocks start anew in each patch. */
TEST(slices, cells_outside_patches_are_nan_and_owners_are_blocks)
{
    ss_run *run = open_join("sizes 6,10", "solver block-jacobi bx 4");
    ss_picture pic = new_picture(16, 10);
    ss_view view = view_of(SS_OWNER);
    view.axis = 2;
    view.slice = 2;
    for (int l = 0; l < 2; l++) {
        view.layer = l == 0 ? SS_VALUE : SS_OWNER;
        take(run, &view, &pic);
        for (int y = 0; y < 10; y++)
            for (int x = 0; x < 16; x++)
                CHECK(isnan(cell_at(&pic, x, y)) == (x < 6 && y >= 6));
    }
    for (int y = 0; y < 6; y++)
        for (int x = 0; x < 15; x++) {
            bool edge = x + 1 == 4 || x + 1 == 6 || x + 1 == 10 || x + 1 == 14;
            CHECK((cell_at(&pic, x, y) != cell_at(&pic, x + 1, y)) == edge);
        }
    ss_picture beyond = new_picture(16, 10);
    view.slice = 8; /* above the small patch */
    take(run, &view, &beyond);
    CHECK(isnan(cell_at(&beyond, 3, 3)) && isfinite(cell_at(&beyond, 8, 3)));
    free_picture(&beyond);
    free_picture(&pic);
    ss_run_close(run);
}

TEST(slices, the_probe_reads_the_cell_below_it)
{
    ss_run *run = open_join("patch 8 px 2", "solver block-gs bx 4");
    ss_picture pic = new_picture(16, 8);
    ss_view view = view_of(SS_VALUE);
    step_run(run, 1);
    double *u = get_window(run, FIELD);
    view.axis = 1; /* x across, z up */
    view.slice = 5;
    view.probe_x = 9;
    view.probe_y = 7;
    take(run, &view, &pic);
    const ss_probe *p = &pic.probe;
    CHECK(p->valid && p->cell[0] == 9 && p->cell[1] == 5 && p->cell[2] == 7);
    CHECK(p->value == at(run, u, p->cell));
    CHECK(p->west == at(run, u, (const int[]){8, 5, 7}));
    CHECK(p->south == at(run, u, (const int[]){9, 5, 6}) && isnan(p->north));
    CHECK_NEAR(p->residual, residual(run, u, NULL, p->cell), 1e-9);
    CHECK(p->patch == 1 && p->npatch == 2 && p->has_block);
    CHECK(p->block[0] == 0 && p->block[1] == 1 && p->block[2] == 1);
    free(u);
    free_picture(&pic);
    ss_run_close(run);
}

TEST(slices, outlines_of_blocks_and_patches)
{
    static ss_snapshot s;
    static ss_lane lane;
    lane.run = open_join("patch 10 px 2", "solver block-jacobi bx 4 by 5");
    s.view = view_of(SS_VALUE);
    s.view.axis = 2;
    s.view.slice = -1;
    ss_publish_slice(&s, &lane);
    CHECK(s.nx == 20 && s.ny == 10 && s.nz == 10 && s.view.slice == 5);
    CHECK(s.patch_edge[0].n == 1 && s.patch_edge[0].at[0] == 10 && s.patch_edge[1].n == 0);
    static const int want[] = {4, 8, 14, 18};
    CHECK_INT(s.block_edge[0].n, 4);
    for (int i = 0; i < 4; i++)
        CHECK_INT(s.block_edge[0].at[i], want[i]);
    CHECK(s.block_edge[1].n == 1 && s.block_edge[1].at[0] == 5);
    ss_run_close(lane.run);
}

/* --- the spectrum ----------------------------------------------------------------------------- */

/* A mode is in the band of its highest frequency, for any walls. */
static void check_wave(const char *problem, const char *ghost, int band)
{
    char text[100];
    ss_bands now, start;
    snprintf(text, sizeof text, "patch 8 px 2 py 2 pz 2 problem %s ghost %s", problem, ghost);
    ss_run *run = open_join(text, "solver jacobi");
    double *zero = calloc(cells_of(run), sizeof *zero);
    CHECK_INT(ss_bands_measure(run, zero, true, &start, NULL), SS_OK);
    CHECK_INT(ss_bands_measure(run, zero, false, &now, NULL), SS_OK);
    CHECK_INT(now.n, 8);
    for (int b = 0; b < now.n; b++) {
        CHECK(now.rms[b] == start.rms[b]);
        CHECK_MSG(b == band ? now.rms[b] > 0.1 : now.rms[b] < 1e-13, "%s, band %d: %g", text, b,
                  now.rms[b]);
    }
    free(zero);
    ss_run_close(run);
}

TEST(slices, each_wave_is_counted_in_its_band)
{
    check_wave("smooth", "zero", 0);
    check_wave("smooth", "mirror", 0);
    check_wave("rough", "zero", 7);
    check_wave("rough", "mirror", 7);
}

/* The energy is that of the field; block Jacobi takes most of the upper half in a step. */
TEST(slices, smoothers_reduce_the_upper_half_of_the_spectrum)
{
    ss_run *run = open_join("sizes 12,16", "solver block-jacobi bx 4");
    double *zero = calloc(cells_of(run), sizeof *zero), high[2] = {0, 0}, low[2] = {0, 0};
    for (int s = 0; s < 2; s++) {
        ss_bands b;
        CHECK_INT(ss_bands_measure(run, zero, false, &b, NULL), SS_OK);
        CHECK_INT(b.n, 6);
        for (int i = 0; i < b.n; i++)
            (i >= 3 ? high : low)[s] += b.rms[i];
        step_run(run, 2);
    }
    CHECK(high[1] < 0.2 * high[0] && low[1] > 0.5 * low[0]);
    free(zero);
    ss_run_close(run);
}

/* The energy in the lowest and in the highest band, as a snapshot has it. */
static void published(ss_lane *lane, double out[2])
{
    static ss_snapshot s;
    char notice[200];
    s.view = view_of(SS_VALUE);
    s.view.spectrum = true;
    if (!lane->run->reference)
        lane->run->reference = ss_reference_start(lane->run, false, notice, sizeof notice, NULL);
    CHECK(ss_reference_wait(lane->run->reference, NULL) != NULL);
    ss_publish_bands(&s, lane);
    CHECK_INT(s.bands.n, 8);
    CHECK(s.bands_start.n == 8 && s.bands.rms[0] == s.bands_start.rms[0]);
    out[0] = s.bands.rms[0], out[1] = s.bands.rms[7];
}

/* At the same cycle, 0, of another field. */
TEST(slices, the_spectrum_is_that_of_the_current_field)
{
    static ss_lane lane;
    double energy[2];
    lane.run = open_join("patch 16 problem smooth", "solver jacobi");
    published(&lane, energy);
    CHECK(energy[0] > 0.1 && energy[1] < 1e-10);
    ss_config cfg = lane.run->cfg;
    CHECK_INT(ss_config_set(&cfg, "problem", "rough", NULL), SS_OK);
    CHECK_INT(ss_run_configure(lane.run, &cfg, NULL), SS_OK);
    published(&lane, energy);
    CHECK(energy[0] < 1e-10 && energy[1] > 0.1);
    ss_run_close(lane.run);
}

TEST(slices, factors_of_the_residual)
{
    ss_factors f = {.n = 0};
    CHECK(isnan(ss_factors_last(&f)) && isnan(ss_factors_mean(&f)));
    for (int c = 0; c < 30; c++)
        ss_factors_add(&f, c, c < 20 ? 1 : pow(0.5, c - 19));
    CHECK_NEAR(ss_factors_last(&f), 0.5, 1e-15);
    CHECK_NEAR(ss_factors_mean(&f), 0.5, 1e-15);
    ss_factors_add(&f, 34, pow(0.5, 12)); /* five cycles later */
    CHECK_NEAR(ss_factors_last(&f), pow(0.25, 0.2), 1e-15);
    ss_factors_add(&f, 0, 1); /* restarted */
    CHECK(isnan(ss_factors_last(&f)));
}
