/* Multigrid on patches on the GPU against the CPU: coupled patches and independent ones, both
 * smoothers, all shapes, few grids, random fields and right-hand sides. Skipped without a GPU. */
#include "src/run/checkpoint.h"
#include "tests/gpu/patches.h"

static const char *const problems[] = {
    "patch 32",
    "patch 16 px 2 pz 3 ghost mirror",
    "patch 24 py 2 bx 3 by 4 bz 2",
    "sizes 32,16,24 ghost mirror",
    "patch 16 px 3 py 2 pz 2 bx 4",
    "patch 32 px 2 py 2 ghost mirror bx 2",
};
enum { NPROBLEM = sizeof problems / sizeof *problems };
#define LEXICOGRAPHIC "smoother block-gs order lexicographic"
static const char *const smoothers[] = {"smoother block-jacobi", LEXICOGRAPHIC};
static const char *const launches[] = {"launch graph", "launch stream"};

static void check_both(ss_run *run[2], double tol, const char *what)
{
    check_windows(run[0], run[1], FIELD, tol, what);
    double near = tol > 0 ? 1e3 * tol : 1e-12;
    CHECK_MSG(fabs(run[0]->residual - run[1]->residual) <= near * run[0]->residual0,
              "%s: |r| is %.17g, not %.17g", what, run[1]->residual, run[0]->residual);
}

static void open_both(const char *common, const char *gpu_only, ss_run *run[2])
{
    char text[400], only[500];
    snprintf(text, sizeof text, "solver multigrid %s until 0", common);
    snprintf(only, sizeof only, "%s %s", text, gpu_only);
    run[0] = open_patches("cpu", text);
    run[1] = open_patches("cuda", only);
}

static void step_both(ss_run *run[2], int cycles)
{
    for (int r = 0; r < 2; r++)
        step_run(run[r], cycles);
}

static void close_all(ss_run *run[2])
{
    for (int r = 0; r < 2; r++)
        ss_run_close(run[r]);
}

/* Steps of odd and even lengths, norms in every cycle and in every third one; a step leaves the
 * start of its last cycle. tol: of f64 and of f32. */
static void compare(const char *common, const char *gpu_only, const double tol[2])
{
    static const int steps[] = {1, 2, 3};
    char settings[400];
    for (int k = 0; k < 4; k++) {
        ss_run *run[2];
        snprintf(settings, sizeof settings, "%s precision %s check-every %d", common,
                 k / 2 ? "f32" : "f64", k % 2 ? 3 : 1);
        open_both(settings, gpu_only, run);
        for (size_t s = 0; s < sizeof steps / sizeof *steps; s++) {
            step_both(run, steps[s]);
            check_both(run, tol[k / 2], settings);
            CHECK_INT(run[1]->start_kept, run[0]->start_kept);
            check_windows(run[0], run[1], START, tol[k / 2], settings);
        }
        CHECK((run[1]->bytes_inverses > 0) == (run[0]->bytes_inverses > 0));
        close_all(run);
    }
}

static const double same_bits[2] = {0, 0}, round_off[2] = {1e-12, 1e-4};

TEST(gpu_multigrid3d, has_the_bits_of_the_cpu)
{
    static const char *const shapes[] = {"shape v", "shape w", "shape f"};
    static const char *const sweeps[] = {"", "pre 0 post 1", "pre 3 post 0", "pre 0 post 2",
                                         "pre 1 post 1 omega 0.7"};
    char common[300];
    need_patches();
    for (int p = 0; p < NPROBLEM; p++)
        for (int m = 0; m < 6; m++) {
            snprintf(common, sizeof common, "%s %s %s %s coarsest %d", problems[p], shapes[m % 3],
                     smoothers[m / 3], sweeps[(p + m) % 5], 2 + m % 2);
            compare(common, launches[(p + m) % 2], same_bits);
        }
}

/* Only the finest grid, with odd and even numbers of sweeps; two grids, three. */
TEST(gpu_multigrid3d, of_few_grids_has_the_bits_of_the_cpu)
{
    static const char *const levels[] = {"levels 1 coarsest 1", "levels 1 coarsest 2",
                                         "levels 2 coarsest 3 shape w",
                                         "levels 3 coarsest 1 post 0"};
    char common[300];
    need_patches();
    for (int l = 0; l < 4; l++)
        for (int s = 0; s < 2; s++) {
            snprintf(common, sizeof common, "patch 32 px 2 ghost mirror bx 4 %s %s", smoothers[s],
                     levels[l]);
            compare(common, launches[(l + s) % 2], same_bits);
        }
}

TEST(gpu_multigrid3d, agrees_to_round_off_with_stored_inverses)
{
    char common[300];
    need_patches();
    for (int s = 0; s < 2; s++) {
        snprintf(common, sizeof common, "patch 16 px 2 py 2 bx 4 inverse dense %s coarsest 3",
                 smoothers[s]);
        compare(common, "", round_off);
    }
}

/* --- convergence ------------------------------------------------------------------------------ */

static void run_to_tolerance(ss_run *run, int cycles)
{
    ss_err err = {0};
    run->tol = 1e-4;
    while (run->status == SS_RUNNING)
        CHECK_MSG(ss_run_step(run, cycles, &err) == SS_OK, "%s", err.text);
    CHECK_MSG(run->status == SS_CONVERGED, "%s", run->message);
}

/* The field whose norm stops the run stays, although later cycles have been enqueued. */
TEST(gpu_multigrid3d, stops_at_the_same_cycle_and_goes_on)
{
    static const char *const settings[] = {"", "shape w pre 0", "shape f post 0 check-every 2",
                                           "check-every 3", "pre 1 precision f32"};
    char common[300];
    need_patches();
    for (int p = 0; p < NPROBLEM; p++)
        for (int s = 0; s < 5; s++) {
            ss_run *run[2];
            snprintf(common, sizeof common, "%s %s %s", problems[p], smoothers[(p + s) % 2],
                     settings[s]);
            open_both(common, launches[s % 2], run);
            run_to_tolerance(run[0], 7);
            run_to_tolerance(run[1], 20);
            CHECK_MSG(run[0]->cycle == run[1]->cycle, "%s: cycle %lld, not %lld", common,
                      (long long)run[1]->cycle, (long long)run[0]->cycle);
            check_both(run, 0, common);
            for (int r = 0; r < 2; r++) {
                run[r]->tol = 0;
                run[r]->status = SS_RUNNING;
            }
            for (int cycles = 1; cycles < 4; cycles++) {
                step_both(run, cycles);
                check_both(run, 0, common);
            }
            close_all(run);
        }
}

static int64_t cycles_of(const char *settings)
{
    char text[300];
    snprintf(text, sizeof text, "equation poisson3d solver multigrid %s", settings);
    ss_run *run = open_on("cuda", text);
    run_to_tolerance(run, 100);
    int64_t cycles = run->cycle;
    ss_run_close(run);
    return cycles;
}

/* The chaotic order is a race: it smooths about as well as the lexicographic one. */
TEST(gpu_multigrid3d, its_cycles_do_not_grow_with_the_patch)
{
    static const char *const methods[] = {"smoother block-jacobi", LEXICOGRAPHIC,
                                          "smoother block-gs", "smoother block-gs ghost mirror",
                                          "smoother block-gs inverse dense"};
    need_patches();
    for (int m = 0; m < 5; m++)
        for (int patch = 16; patch <= 128; patch *= 2) {
            char text[160];
            snprintf(text, sizeof text, "%s patch %d", methods[m], patch);
            int64_t cycles = cycles_of(text);
            CHECK_MSG(cycles >= 2 && cycles <= 5, "%s: %lld cycles", text, (long long)cycles);
        }
    CHECK(cycles_of("patch 16 px 4 py 2 pz 2") <= 4);
    CHECK(cycles_of("sizes 16,24,32 smoother block-gs") <= 4);
    /* Without the coarsest grids the smooth part of the error remains. */
    CHECK(cycles_of("patch 64 levels 2 problem smooth") > 15);
}

/* --- changes and copies ----------------------------------------------------------------------- */

/* After odd and even numbers of cycles. stream-order, set for a smoother alone, does not move the
 * grids to the host's memory. */
TEST(gpu_multigrid3d, settings_can_change_during_a_run)
{
    static const char *const changes[][2] = {
        {"pre", "0"},
        {"post", "3"},
        {"pre", "1"},
        {"shape", "w"},
        {"omega", "0.7"},
        {"smoother", "block-gs"},
        {"order", "lexicographic"},
        {"levels", "2"},
        {"launch", "stream"},
        {"bx", "4"},
        {"levels", "0"},
        {"shape", "f"},
        {"solver", "block-jacobi"},
        {"stream-order", "depth"},
        {"solver", "multigrid"},
        {"launch", "graph"},
        {"post", "1"},
        {"coarsest", "2"},
        {"check-every", "3"},
    };
    need_patches();
    for (int p = 0; p < 2; p++) {
        ss_run *run[2];
        open_both(p ? "patch 32 px 2 ghost mirror" : "patch 16 py 3", "", run);
        for (size_t c = 0; c < sizeof changes / sizeof *changes; c++) {
            bool gpu_only =
                strcmp(changes[c][0], "launch") == 0 || strcmp(changes[c][0], "stream-order") == 0;
            /* The order is chaotic, a race, between these two changes. */
            bool race = strcmp(changes[c][0], "order") == 0;
            if (!race)
                step_both(run, 1 + (int)c % 3);
            for (int r = gpu_only; r < 2; r++)
                change_run(run[r], changes[c][0], changes[c][1]);
            check_windows(run[0], run[1], FIELD, 0, changes[c][0]);
        }
        step_both(run, 3);
        check_both(run, 0, "after all changes");
        close_all(run);
    }
}

/* A copy of the state is restored later; the run repeats its cycles bit for bit. */
TEST(gpu_multigrid3d, continues_from_a_copy_bit_for_bit)
{
    static const char *const methods[] = {"", LEXICOGRAPHIC " shape w",
                                          "pre 1 precision f32 check-every 3"};
    static const int cycles[][2] = {{1, 1}, {2, 5}, {3, 2}, {0, 4}};
    need_patches();
    for (int m = 0; m < 3; m++)
        for (int c = 0; c < 4; c++) {
            char text[300];
            ss_err err = {0};
            snprintf(text, sizeof text, "solver multigrid patch 16 px 2 %s until 0", methods[m]);
            ss_run *run = open_patches("cuda", text);
            step_run(run, cycles[c][0]);
            const ss_run then = *run;
            char *copy = ss_field_download(run);
            CHECK_MSG(copy != NULL, "%s: no copy", text);
            step_run(run, cycles[c][1]);
            double *first = get_window(run, FIELD);
            CHECK_MSG(ss_field_upload(run, copy, &err) == SS_OK, "%s", err.text);
            ss_run_return(run, &then);
            step_run(run, cycles[c][1]);
            double *second = get_window(run, FIELD);
            CHECK_MSG(memcmp(first, second, cells_of(run) * sizeof *first) == 0, "%s", text);
            free(first);
            free(second);
            free(copy);
            ss_run_close(run);
        }
}

TEST(gpu_multigrid3d, a_reset_reaches_graphs)
{
    ss_run *run[2];
    need_patches();
    open_both("patch 16 px 2 pz 2", "", run);
    for (int cycles = 1; cycles < 3; cycles++) {
        step_both(run, cycles);
        for (int r = 0; r < 2; r++)
            CHECK_INT(ss_run_reset(run[r], NULL), SS_OK);
        step_both(run, 2);
        check_both(run, 0, "after a reset");
    }
    close_all(run);
}

/* All ticks of a cycle, which the CPU computes from a copy; then the whole cycle. */
TEST(gpu_multigrid3d, the_microscope_shows_its_visits)
{
    ss_view view = view_of(SS_VALUE);
    need_patches();
    for (int s = 0; s < 2; s++) {
        char text[200];
        ss_run *run[2];
        ss_picture picture[2] = {new_picture(32, 16), new_picture(32, 16)};
        snprintf(text, sizeof text, "patch 16 px 2 pz 2 ghost mirror coarsest 3 %s", smoothers[s]);
        open_both(text, "", run);
        step_both(run, 1);
        for (int tick = 1; tick < run[0]->ticks_per_cycle; tick++) {
            for (int r = 0; r < 2; r++) {
                ss_err err = {0};
                CHECK_MSG(ss_run_tick(run[r], &err) == SS_OK, "%s: %s", text, err.text);
                CHECK_INT(run[r]->peek, tick);
                take(run[r], &view, &picture[r]);
            }
            CHECK_MSG(memcmp(picture[0].cell, picture[1].cell, sizeof(float) * 32 * 16) == 0,
                      "%s: tick %d differs", text, tick);
        }
        for (int r = 0; r < 2; r++) {
            CHECK_INT(ss_run_tick(run[r], NULL), SS_OK);
            CHECK_INT(run[r]->cycle, 2);
            free_picture(&picture[r]);
        }
        check_both(run, 0, text);
        close_all(run);
    }
}
