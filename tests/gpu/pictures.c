/* Pictures of a run on the GPU against those on the CPU, bit for bit: cells, ranges, profiles and
 * the probe, at every zoom, of every layer, also where a live picture skips points. And the cost of
 * a picture. Skipped without a GPU. */
#include "kernels/cuda/device/names.h"
#include "src/run/checkpoint.h"
#include "src/run/reference.h"
#include "tests/gpu/gpu.h"

static void same_bits(const void *a, const void *b, size_t size, const char *of, const char *what)
{
    CHECK_MSG(memcmp(a, b, size) == 0, "%s: the %s differ", what, of);
}

static void check_cells(const ss_picture *a, const ss_picture *b, const char *what)
{
    for (int i = 0; i < a->w * a->h; i++) {
        CHECK_MSG(memcmp(&a->cell[i], &b->cell[i], sizeof *a->cell) == 0,
                  "%s: cell (%d, %d) is %.9g, not %.9g", what, i % a->w, i / a->w,
                  (double)b->cell[i], (double)a->cell[i]);
        CHECK_MSG(a->owner[i] == b->owner[i], "%s: owner of cell %d", what, i);
    }
    CHECK_MSG(a->sampled == b->sampled, "%s: sampled %d, not %d", what, b->sampled, a->sampled);
    same_bits(&a->lo, &b->lo, sizeof a->lo, "lower ends", what);
    same_bits(&a->hi, &b->hi, sizeof a->hi, "upper ends", what);
}

static void check_profile(const ss_picture *a, const ss_picture *b, const char *what)
{
    for (int axis = 0; axis < 2; axis++) {
        CHECK_INT(b->nprofile[axis], a->nprofile[axis]);
        for (int i = 0; i < a->nprofile[axis]; i++)
            CHECK_MSG(memcmp(&a->profile[axis][i], &b->profile[axis][i], sizeof(float)) == 0,
                      "%s: profile %d at %d is %.9g, not %.9g", what, axis, i,
                      (double)b->profile[axis][i], (double)a->profile[axis][i]);
    }
}

static void check_probe(const ss_probe *a, const ss_probe *b, const char *what)
{
    CHECK_INT(a->valid, b->valid);
    CHECK_INT(a->has_error, b->has_error);
    CHECK_INT(a->has_stale, b->has_stale);
    CHECK_INT(a->tile_x, b->tile_x);
    CHECK_INT(a->tile_y, b->tile_y);
    same_bits(&a->value, &b->value, 7 * sizeof(double), "probed values", what);
    if (a->has_error)
        same_bits(&a->error, &b->error, sizeof a->error, "probed errors", what);
    if (a->has_stale)
        same_bits(&a->stale, &b->stale, sizeof a->stale, "probed staleness", what);
}

static void check_view(ss_run *const run[2], const ss_view *view, int w, int h, const char *what)
{
    ss_picture pic[2];
    char text[700];
    snprintf(text, sizeof text, "%s, layer %d, %d x %d cells of %g...%g x %g...%g%s", what,
             view->layer, w, h, view->x0, view->x1, view->y0, view->y1,
             view->exact ? ", exact" : "");
    for (int r = 0; r < 2; r++) {
        pic[r] = new_picture(w, h);
        take(run[r], view, &pic[r]);
    }
    CHECK_INT(pic[1].h, pic[0].h);
    check_cells(&pic[0], &pic[1], text);
    check_profile(&pic[0], &pic[1], text);
    check_probe(&pic[0].probe, &pic[1].probe, text);
    for (int r = 0; r < 2; r++)
        free_picture(&pic[r]);
}

/* The whole field, parts of it, more than all of it; one point per cell and many. */
static void check_windows(ss_run *const run[2], ss_layer layer, bool exact, const char *what)
{
    static const int sizes[][2] = {{90, 70}, {301, 40}, {7, 5}, {1, 1}};
    static const double windows[][4] = {
        {0, 0, 0, 0}, {0.1, 0.55, 0.2, 0.63}, {-0.2, 1.3, -0.4, 1.1}, {0.31, 0.35, 0.4, 0.45}};
    double nx = run[0]->problem.nx, ny = run[0]->problem.ny;
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (size_t i = 0; i < sizeof windows / sizeof *windows; i++) {
            ss_view view = view_of(layer);
            view.exact = exact;
            view.x0 = nx * windows[i][0], view.x1 = nx * windows[i][1];
            view.y0 = ny * windows[i][2], view.y1 = ny * windows[i][3];
            view.slice = run[0]->problem.ny / 3;
            view.tile_x = view.tile_y = i % 2 ? 2 : -1;
            view.probe_x = (int)(nx * 0.43) + (int)i;
            view.probe_y = (int)(ny * 0.41);
            check_view(run, &view, sizes[s][0], sizes[s][1], what);
        }
}

/* u* of both, bit-for-bit equal with any BLAS. */
static void know_solution(ss_run *const run[2])
{
    char notice[320];
    ss_err err = {0};
    const ss_problem *p = &run[0]->problem;
    for (int r = 0; r < 2; r++) {
        run[r]->reference = ss_reference_start(run[r], false, notice, sizeof notice, &err);
        CHECK_MSG(ss_run_reference(run[r]) != NULL, "%s", err.text);
    }
    memcpy((double *)ss_run_reference(run[1]), ss_run_reference(run[0]),
           (size_t)p->nx * (size_t)p->ny * (size_t)p->nz * sizeof(double));
}

static const char *devices = ""; /* settings of the run on the GPU only */

static void open_both(const char *settings, int cycles, ss_run *run[2])
{
    char text[300];
    snprintf(text, sizeof text, "%s%s", settings, devices);
    run[0] = open_on("cpu", settings);
    run[1] = open_on("cuda", text);
    for (int r = 0; r < 2; r++)
        step_run(run[r], cycles);
}

static const char *const runs[] = {
    "equation poisson2d solver shared n 203 ny 131 k 6 block 32 overlap 2 problem random",
    "solver shared precision f32 n 203 ny 131 k 5 block 33 block-y 20 problem random",
    "equation poisson2d solver jacobi n 203 ny 131 problem random",
    "equation poisson1d solver shared n 1003 copies 7 k 6 block 40 overlap 4 problem random",
    "equation poisson1d solver jacobi n 203 copies 3 problem random precision f32",
};
enum { NRUN = sizeof runs / sizeof *runs };

static void check_windows_of(const char *settings)
{
    ss_run *run[2];
    open_both(settings, 3, run);
    for (int layer = 0; layer < SS_NLAYER; layer++)
        for (int exact = 0; exact < 2; exact++)
            check_windows(run, (ss_layer)layer, exact, settings);
    close_both(run[0], run[1]);
}

static void check_layers(void)
{
    for (size_t i = 0; i < NRUN; i++)
        check_windows_of(runs[i]);
}

TEST(pictures, every_layer_at_every_zoom)
{
    need_gpu();
    check_layers();
}

static void check_solutions(void)
{
    ss_run *run[2];
    for (size_t i = 0; i < NRUN; i++) {
        double max[2] = {0, 0};
        open_both(runs[i], 3, run);
        know_solution(run);
        for (int r = 0; r < 2; r++)
            CHECK_INT(
                run[r]->backend->reduce(run[r], NULL, ss_run_reference(run[r]), &max[r], NULL),
                SS_OK);
        CHECK_NEAR(max[1], max[0], 0);
        check_windows(run, SS_ERROR, true, runs[i]);
        check_windows(run, SS_EXACT, true, runs[i]);
        close_both(run[0], run[1]);
    }
}

TEST(pictures, error_and_exact_solution)
{
    need_gpu();
    check_solutions();
}

/* The same budget on both, so that both skip the same points. */
static void check_live(void)
{
    static const char *const large[] = {
        "equation poisson2d solver shared n 2047 ny 1501 k 4 block 64 problem random",
        "equation poisson2d solver shared n 2501 ny 1303 k 4 block 100 block-y 50 problem random "
        "precision "
        "f32",
        "equation poisson1d solver jacobi n 2000001 copies 1 problem random",
    };
    ss_run *run[2];
    double usual = ss_cuda_picture_bytes;
    for (size_t i = 0; i < sizeof large / sizeof *large; i++) {
        if (*devices && strstr(large[i], "copies 1 "))
            continue; /* one line is not divided */
        open_both(large[i], 2, run);
        ss_cuda_picture_bytes = 2.0 * 1024 * 1024;
        check_windows(run, SS_VALUE, false, large[i]);
        check_windows(run, SS_RESIDUAL, false, large[i]);
        check_windows(run, SS_OWNER, false, large[i]);
        ss_cuda_picture_bytes = usual;
        close_both(run[0], run[1]);
    }
}

TEST(pictures, live_pictures_of_large_fields)
{
    need_gpu();
    check_live();
}

/* The same also after s subiterations of a cycle. */
static void check_microscope(void)
{
    ss_run *run[2];
    for (size_t i = 0; i < NRUN; i++) {
        open_both(runs[i], 1, run);
        for (int layer = 0; layer < SS_NLAYER; layer++)
            for (int tick = 0; tick < 3; tick++) {
                ss_view view = view_of((ss_layer)layer);
                view.probe_x = 40, view.probe_y = 50;
                for (int r = 0; r < 2; r++)
                    CHECK_INT(ss_run_tick(run[r], NULL), SS_OK);
                check_view(run, &view, 90, 70, runs[i]);
            }
        close_both(run[0], run[1]);
    }
}

TEST(pictures, microscope)
{
    need_gpu();
    check_microscope();
}

/* All ticks of a cycle, which the CPU computes from a copy; then the whole cycle. */
TEST(pictures, microscope_of_other_methods)
{
    static const char *const cycles[] = {
        "equation poisson2d n 203 ny 131 problem random solver sor",
        "equation poisson2d n 127 ny 63 problem random solver multigrid smoother jacobi",
        "equation poisson2d n 127 ny 63 problem random solver multigrid smoother red-black",
        "equation poisson3d solver multigrid patch 16 px 2 pz 2 ghost mirror coarsest 3",
        "equation poisson3d solver multigrid patch 16 px 2 pz 2 ghost mirror coarsest 3 smoother "
        "block-gs order lexicographic",
    };
    need_gpu();
    for (size_t i = 0; i < sizeof cycles / sizeof *cycles; i++) {
        ss_run *run[2];
        ss_view view = view_of(SS_VALUE);
        if (strstr(cycles[i], "poisson3d") && why_no_patches())
            continue;
        open_both(cycles[i], 1, run);
        for (int tick = 1; tick <= run[0]->ticks_per_cycle; tick++) {
            for (int r = 0; r < 2; r++)
                CHECK_INT(ss_run_tick(run[r], NULL), SS_OK);
            CHECK_INT(run[1]->peek, run[0]->peek);
            check_view(run, &view, 127, 63, cycles[i]);
        }
        CHECK_INT(run[1]->cycle, 2);
        close_both(run[0], run[1]);
    }
}

/* The rows of the CPU and of the GPU, while they share a run. */
TEST(pictures, split_rows)
{
    static const char *const split = "equation poisson2d solver jacobi n 203 ny 131 problem random";
    ss_run *run[2];
    need_gpu();
    devices = " split 40 exchange 3";
    open_both(split, 5, run);
    for (int i = 0; i < 6; i++) {
        ss_view view = view_of(i % 2 ? SS_RESIDUAL : SS_VALUE);
        check_view(run, &view, 64, 33, split);
        for (int r = 0; r < 2; r++)
            step_run(run[r], 5);
    }
    check_fields(run[0], run[1], split);
    close_both(run[0], run[1]);
    devices = "";
}

/* The same of a run that several devices share: rows of cells that lie in two slabs, and subdomains
 * that do, are those of one device. CHECK_DEVICES=0,1 names other devices than the first. */
static void share(void)
{
    static char text[64];
    const char *asked = getenv("CHECK_DEVICES");
    snprintf(text, sizeof text, " devices %s", asked && *asked ? asked : "0,0");
    setenv("STENCILSCOPE_CUDA_TWICE", "1", 1);
    devices = text;
}

TEST(pictures, shared_every_layer_at_every_zoom)
{
    need_gpu();
    share();
    check_layers();
    devices = " devices 0,0,0";
    check_windows_of(runs[2]);
    devices = "";
}

TEST(pictures, shared_error_and_exact_solution)
{
    need_gpu();
    share();
    check_solutions();
    devices = "";
}

TEST(pictures, shared_live_pictures_of_large_fields)
{
    need_gpu();
    share();
    check_live();
    devices = "";
}

TEST(pictures, shared_microscope)
{
    need_gpu();
    share();
    check_microscope();
    devices = "";
}

/* --- slices of 3D runs ------------------------------------------------------------------------ */

/* Slices at the ends and in the middle of all directions. */
static void check_slices(ss_run *const run[2], ss_layer layer, const char *what)
{
    const ss_problem *p = &run[0]->problem;
    const int n[3] = {p->nx, p->ny, p->nz};
    for (int axis = 0; axis < 3; axis++)
        for (int i = 0; i < 4; i++) {
            char text[600];
            ss_view view = view_of(layer);
            view.axis = axis;
            view.slice = i == 3 ? -1 : i * (n[axis] - 1) / 2;
            view.exact = i % 2;
            view.probe_x = 1 + i;
            view.probe_y = 3;
            if (i == 2)
                view.x0 = 2.5, view.x1 = 9, view.y0 = -1, view.y1 = 7.3;
            snprintf(text, sizeof text, "%.400s, axis %d, slice %d", what, axis, view.slice);
            check_view(run, &view, i == 1 ? 7 : 41, i == 1 ? 5 : 37, text);
        }
}

TEST(pictures, slices)
{
    static const char *const patches[] = {
        "equation poisson3d solver block-jacobi patch 11 px 3 py 2 bx 4",
        "equation poisson3d solver block-gs order lexicographic sizes 6,10,17 bx 4 precision f32",
        "equation poisson3d solver jacobi patch 12 py 2 ghost mirror problem source",
        "equation poisson3d solver block-gs order lexicographic patch 12 pz 3 bx 8 by 4 bz 5",
    };
    ss_run *run[2];
    need_patches();
    for (size_t i = 0; i < sizeof patches / sizeof *patches; i++) {
        open_both(patches[i], 3, run);
        for (int layer = 0; layer < SS_NLAYER; layer++)
            check_slices(run, (ss_layer)layer, patches[i]);
        know_solution(run);
        check_slices(run, SS_ERROR, patches[i]);
        check_slices(run, SS_EXACT, patches[i]);
        close_both(run[0], run[1]);
    }
}

TEST(pictures, a_slice_costs_no_download)
{
    static const ss_layer layers[] = {SS_VALUE, SS_RESIDUAL, SS_UPDATE, SS_OWNER};
    need_patches();
    ss_run *run = open_on("cuda", "equation poisson3d solver block-gs patch 64 px 4 py 4 pz 4");
    ss_picture pic = new_picture(200, 120);
    step_run(run, 2);
    for (size_t i = 0; i < sizeof layers / sizeof *layers; i++) {
        ss_view view = view_of(layers[i]);
        view.probe_x = view.probe_y = 100;
        double before = ss_cuda_downloaded;
        take(run, &view, &pic);
        double moved = ss_cuda_downloaded - before;
        CHECK_MSG(moved <= 4 * 256 * 256 * 8, "layer %d: %g bytes", layers[i], moved);
    }
    free_picture(&pic);
    ss_run_close(run);
}

TEST(pictures, transfers_are_counted)
{
    need_gpu();
    ss_run *run = open_on("cuda", "equation poisson2d solver jacobi n 1000");
    double up = run->seconds_upload;
    CHECK(up > 0 && run->seconds_download <= 0);
    step_run(run, 10);
    CHECK_NEAR(run->seconds_upload, up, 0);
    free(get_field(run, FIELD));
    CHECK(run->seconds_download > 0);
    ss_run_close(run);
}

/* Transfers of the problem's own fields only: to the device at the start, back once the whole field
 * has come; pictures do not count. */
TEST(pictures, transfers_of_the_problem_are_apart)
{
    need_gpu();
    ss_run *run = open_on("cuda", "equation poisson2d solver jacobi n 1000");
    ss_picture pic = new_picture(200, 120);
    ss_view view = view_of(SS_RESIDUAL);
    double up = run->seconds_field_up;
    CHECK(up > 0);
    step_run(run, 10);
    take(run, &view, &pic);
    CHECK(run->seconds_download > 0 && run->seconds_field_down <= 0);
    double hidden = ss_run_to_hide(run, 1e-6);
    take(run, &view, &pic);
    CHECK_NEAR(ss_run_to_hide(run, 1e-6), hidden, 0);
    free(ss_field_download(run));
    CHECK(run->seconds_field_down > 0 && ss_run_to_hide(run, 1e-6) >= hidden);
    CHECK_NEAR(run->seconds_field_up, up, 0);
    free_picture(&pic);
    ss_run_close(run);
}

/* A picture transfers little, whatever the layer: a few percent of 512 MB at most. */
TEST(pictures, a_live_picture_costs_no_download)
{
    static const ss_layer layers[] = {SS_VALUE, SS_RESIDUAL, SS_OWNER, SS_STALENESS};
    need_gpu();
    ss_run *run = open_on("cuda", "equation poisson2d solver shared n 8192 k 8 block 64 overlap 2");
    ss_picture pic = new_picture(200, 120);
    step_run(run, 2);
    for (size_t i = 0; i < sizeof layers / sizeof *layers; i++) {
        ss_view view = view_of(layers[i]);
        view.probe_x = view.probe_y = 4000;
        double before = ss_cuda_downloaded;
        take(run, &view, &pic);
        double moved = ss_cuda_downloaded - before;
        CHECK_MSG(moved < 2e7, "layer %d: %g bytes", layers[i], moved);
    }
    free_picture(&pic);
    ss_run_close(run);
}
