/* The contrast methods on the GPU against the CPU, bit for bit: red-black SOR, Chebyshev's
 * iteration, damped Jacobi and multigrid. Skipped without a GPU. */
#include "tests/gpu/methods.h"

static const char *const sor_kernels[] = {"fused", "interleaved", "split"};

/* --- bits ------------------------------------------------------------------------------------- */

static void sor_on_all_grids(const char *kernel)
{
    static const char *const omegas[] = {"omega 1", "omega 1.5", "omega 1.93"};
    char common[200], only[64];
    need_gpu();
    for (int g = 0; g < NGRID; g++)
        for (int l = 0; l < 2; l++) {
            snprintf(common, sizeof common, "%s solver sor %s", grids[g], omegas[(g + l) % 3]);
            snprintf(only, sizeof only, "kernel %s %s", kernel, launches[l]);
            compare(common, only);
        }
}

TEST(methods, fused_sor_has_the_bits_of_the_cpu)
{
    sor_on_all_grids("fused");
}

TEST(methods, interleaved_sor_has_the_bits_of_the_cpu)
{
    sor_on_all_grids("interleaved");
}

TEST(methods, split_sor_has_the_bits_of_the_cpu)
{
    sor_on_all_grids("split");
}

/* Widths and heights around the tile of a warp: 60 points of double precision, 120 of single, by 4
 * rows; and around a vector and a pair. */
static void sor_around_a_tile(const char *equation, const char *rows)
{
    static const int widths[] = {1, 2, 3, 4, 5, 59, 60, 61, 119, 120, 121, 239, 241};
    static const int heights[] = {1, 2, 3, 4, 5, 31, 32, 33};
    char common[200], only[64];
    for (size_t w = 0; w < sizeof widths / sizeof *widths; w++)
        for (size_t h = 0; h < sizeof heights / sizeof *heights; h++) {
            size_t k = (w + h) % 3;
            if (widths[w] < 2 && *equation == 'p' && strstr(equation, "1d"))
                continue;
            snprintf(common, sizeof common, "equation %s n %d %s %d solver sor omega 1.7", equation,
                     widths[w], rows, heights[h]);
            snprintf(only, sizeof only, "kernel %s", sor_kernels[h % 2 ? 0 : k]);
            compare_one(common, only, w % 2 ? "f64" : "f32", 1);
            compare_one(common, only, w % 2 ? "f32" : "f64", 1000000);
        }
}

TEST(methods, sor_has_the_bits_of_the_cpu_around_a_tile_of_a_plane)
{
    need_gpu();
    sor_around_a_tile("poisson2d", "ny");
}

TEST(methods, sor_has_the_bits_of_the_cpu_around_a_tile_of_lines)
{
    need_gpu();
    sor_around_a_tile("poisson1d", "copies");
}

TEST(methods, chebyshev_has_the_bits_of_the_cpu)
{
    static const char *const rhos[] = {"rho 0.9", "rho 0.999", "rho 1", "rho 0"};
    static const char *const threads[] = {"", "tpb-x 64 tpb-y 3", "tpb-x 256 tpb-y 1"};
    char common[200], only[64];
    need_gpu();
    for (int g = 0; g < NGRID; g++)
        for (int l = 0; l < 2; l++) {
            snprintf(common, sizeof common, "%s solver chebyshev %s", grids[g],
                     rhos[(g + 2 * l) % 4]);
            snprintf(only, sizeof only, "%s %s", launches[l], threads[(g + l) % 3]);
            compare(common, only);
        }
}

TEST(methods, damped_jacobi_has_the_bits_of_the_cpu)
{
    static const char *const omegas[] = {"damping 0.8", "damping 0.37", "damping 1.01"};
    static const char *const threads[] = {"", "tpb-x 64 tpb-y 3", "tpb-x 256 tpb-y 1"};
    char common[200], only[64];
    need_gpu();
    for (int g = 0; g < NGRID; g++)
        for (int l = 0; l < 2; l++) {
            snprintf(common, sizeof common, "%s solver jacobi %s", grids[g], omegas[(g + l) % 3]);
            snprintf(only, sizeof only, "%s %s", launches[l], threads[(g + l) % 3]);
            compare(common, only);
        }
}

/* Slabs read rows of their neighbours, and the CPU damps its rows beside the GPU. */
TEST(methods, damped_jacobi_is_shared_by_devices_and_the_cpu)
{
    static const char *const shared[] = {"devices 0,0,0", "devices 0,0 exchange 4", "split 40",
                                         "split 40 exchange 3", "split 17 launch stream"};
    need_gpu();
    setenv("STENCILSCOPE_CUDA_TWICE", "1", 1);
    for (size_t s = 0; s < sizeof shared / sizeof *shared; s++)
        compare("equation poisson2d n 203 ny 131 solver jacobi damping 0.8", shared[s]);
}

/* After odd and even numbers of cycles the other buffer has the field before the last cycle. */
TEST(methods, the_start_of_the_last_cycle_is_kept)
{
    static const char *const solvers[][2] = {{"chebyshev", ""},
                                             {"sor", "kernel fused"},
                                             {"sor", "kernel interleaved"},
                                             {"sor", "kernel split"},
                                             {"jacobi damping 0.8", ""}};
    char text[200];
    need_gpu();
    for (size_t s = 0; s < sizeof solvers / sizeof *solvers; s++) {
        ss_run *cpu, *gpu;
        snprintf(text, sizeof text,
                 "equation poisson2d n 203 ny 131 problem random until 0 solver %s", solvers[s][0]);
        open_both(text, solvers[s][1], &cpu, &gpu);
        for (int cycles = 1; cycles < 100; cycles = 3 * cycles + 1) {
            step_both(cpu, gpu, cycles, text);
            check_starts(cpu, gpu, text);
        }
        close_both(cpu, gpu);
    }
}

/* --- the end of a run ------------------------------------------------------------------------- */

static const char *const ends[] = {
    "n 45 ny 20 until 1e-2 check-every 1",   "n 45 ny 20 until 1e-3 check-every 1",
    "n 45 ny 20 until 1e-3 check-every 6",   "n 46 ny 21 until 1e-3 check-every 7 precision f32",
    "n 45 ny 20 until 1e-4 check-every 100",
};
enum { NEND = sizeof ends / sizeof *ends };

static void all_ends(const char *solver, const char *gpu_only)
{
    char problem[200], only[64];
    for (int e = 0; e < NEND; e++)
        for (int l = 0; l < 2; l++) {
            snprintf(problem, sizeof problem, "equation poisson2d solver %s %s", solver, ends[e]);
            snprintf(only, sizeof only, "%s %s", gpu_only, launches[l]);
            stop_and_go_on(problem, only);
        }
    snprintf(problem, sizeof problem,
             "equation poisson1d solver %s n 45 copies 9 until 1e-2 check-every 7", solver);
    stop_and_go_on(problem, gpu_only);
}

TEST(methods, sor_stops_at_the_same_cycle_and_goes_on)
{
    char only[64];
    need_gpu();
    for (int k = 0; k < 3; k++) {
        snprintf(only, sizeof only, "kernel %s", sor_kernels[k]);
        all_ends("sor omega 1.7", only);
    }
}

TEST(methods, chebyshev_stops_at_the_same_cycle_and_goes_on)
{
    need_gpu();
    all_ends("chebyshev", "");
}

TEST(methods, damped_jacobi_stops_at_the_same_cycle_and_goes_on)
{
    need_gpu();
    all_ends("jacobi damping 0.8", "");
}

/* Iterations to 1e-4 with the best omega and with Jacobi's spectral radius; cycles of multigrid. */
TEST(methods, counts_are_those_of_the_literature)
{
    static const struct {
        const char *settings;
        int64_t count;
    } cases[] = {
        {"equation poisson2d solver sor n 64", 116},
        {"equation poisson2d solver sor n 64 omega 1.5", 871},
        {"equation poisson2d solver sor n 127", 221},
        {"equation poisson2d solver sor n 256", 431},
        {"equation poisson2d solver sor n 256 kernel interleaved", 431},
        {"equation poisson2d solver sor n 256 kernel split", 431},
        {"equation poisson2d solver sor n 64 omega 1", 2275},
        {"equation poisson2d solver chebyshev n 127", 387},
        {"equation poisson1d solver sor n 1024", 1598},
        {"equation poisson2d solver multigrid n 63", 5},
        {"equation poisson2d solver multigrid n 127", 5},
        {"equation poisson2d solver multigrid n 511", 5},
        {"equation poisson2d solver multigrid n 127 precision f32", 5},
        {"equation poisson2d solver multigrid n 255 launch stream", 5},
        {"equation poisson1d solver sor n 1024 kernel split", 1598},
    };
    char text[200];
    need_gpu();
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        snprintf(text, sizeof text, "%s until 1e-4", cases[c].settings);
        ss_run *gpu = open_on("cuda", text);
        run_to_the_end(gpu, 1000);
        CHECK_MSG(gpu->cycle == cases[c].count, "%s: %lld iterations, not %lld", text,
                  (long long)gpu->cycle, (long long)cases[c].count);
        ss_run_close(gpu);
    }
}

/* A diverging run stops at the CPU's cycle, too. */
TEST(methods, divergence_stops_at_the_same_cycle)
{
    static const char *const runs[] = {"solver sor omega 2.2", "solver jacobi damping 1.5"};
    need_gpu();
    for (int i = 0; i < 2; i++) {
        char text[200];
        ss_err err = {0};
        ss_run *cpu, *gpu;
        snprintf(text, sizeof text, "equation poisson2d n 45 ny 20 problem random %s", runs[i]);
        open_both(text, "", &cpu, &gpu);
        for (int r = 0; r < 2; r++)
            while ((r ? gpu : cpu)->status == SS_RUNNING)
                CHECK_MSG(ss_run_step(r ? gpu : cpu, 500, &err) == SS_OK, "%s", err.text);
        CHECK_INT(cpu->status, SS_DIVERGED);
        CHECK_INT(gpu->status, SS_DIVERGED);
        CHECK_MSG(gpu->cycle == cpu->cycle, "%s: cycle %lld, not %lld", text, (long long)gpu->cycle,
                  (long long)cpu->cycle);
        check_fields(cpu, gpu, text);
        close_both(cpu, gpu);
    }
}

/* --- changes during a run --------------------------------------------------------------------- */

TEST(methods, a_copy_of_the_state_continues_bit_for_bit)
{
    static const char *const solvers[] = {"chebyshev", "chebyshev precision f32 check-every 3",
                                          "sor omega 1.7", "sor omega 1.7 kernel split"};
    static const int cycles[][2] = {{1, 1}, {1, 40}, {2, 7}, {36, 5}, {41, 70}, {0, 9}};
    char text[200];
    need_gpu();
    for (size_t s = 0; s < sizeof solvers / sizeof *solvers; s++)
        for (size_t c = 0; c < sizeof cycles / sizeof *cycles; c++) {
            snprintf(text, sizeof text,
                     "equation poisson2d n 203 ny 131 problem random until 0 solver %s",
                     solvers[s]);
            restore(text, cycles[c][0], cycles[c][1]);
        }
}

/* The same of a run that has stopped, one cycle ahead of its field. */
TEST(methods, a_copy_of_a_stopped_run_continues_bit_for_bit)
{
    ss_err err = {0};
    ss_run *cpu, *gpu;
    const char *what = "equation poisson2d n 45 ny 20 solver chebyshev until 1e-3";
    need_gpu();
    open_both(what, "", &cpu, &gpu);
    run_to_the_end(cpu, 100);
    run_to_the_end(gpu, 100);
    const ss_run then = *gpu;
    char *copy = ss_field_download(gpu);
    CHECK(copy != NULL);
    go_on(cpu);
    go_on(gpu);
    step_both(cpu, gpu, 9, "before the copy is restored");
    CHECK_MSG(ss_field_upload(gpu, copy, &err) == SS_OK, "%s", err.text);
    ss_run_return(gpu, &then);
    step_run(gpu, 9);
    check_fields(cpu, gpu, "after the copy was restored");
    free(copy);
    close_both(cpu, gpu);
}

static const char *const rows_of_the_gpu[] = {"kernel", "launch", "tpb-x"};

static bool only_on_the_gpu(const char *row)
{
    for (size_t i = 0; i < sizeof rows_of_the_gpu / sizeof *rows_of_the_gpu; i++)
        if (strcmp(rows_of_the_gpu[i], row) == 0)
            return true;
    return false;
}

TEST(methods, settings_change_during_a_run)
{
    static const char *const changes[][2] = {
        {"solver", "sor"},       {"omega", "1.2"},
        {"kernel", "split"},     {"kernel", "interleaved"},
        {"solver", "chebyshev"}, {"rho", "0.97"},
        {"launch", "stream"},    {"solver", "jacobi"},
        {"damping", "0.7"},      {"damping", "1"},
        {"solver", "chebyshev"}, {"tpb-x", "64"},
        {"seed", "7"},           {"solver", "sor"},
        {"check-every", "5"},
    };
    ss_run *cpu, *gpu;
    need_gpu();
    open_both("equation poisson2d solver jacobi n 203 ny 131 problem random until 0", "", &cpu,
              &gpu);
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        step_both(cpu, gpu, 7, changes[i][0]);
        if (!only_on_the_gpu(changes[i][0]))
            change_run(cpu, changes[i][0], changes[i][1]);
        change_run(gpu, changes[i][0], changes[i][1]);
        check_fields(cpu, gpu, changes[i][0]);
    }
    step_both(cpu, gpu, 71, "after all changes");
    close_both(cpu, gpu);
}

/* After a stroke and after a reset Chebyshev's recurrence begins again, and SOR goes on. */
TEST(methods, strokes_and_resets)
{
    static const char *const solvers[][2] = {
        {"chebyshev", ""}, {"sor", ""}, {"sor", "kernel split"}, {"jacobi damping 0.8", ""}};
    need_gpu();
    for (size_t s = 0; s < sizeof solvers / sizeof *solvers; s++) {
        ss_run *run[2];
        char text[200];
        snprintf(text, sizeof text,
                 "equation poisson2d n 203 ny 131 problem random until 0 solver %s", solvers[s][0]);
        open_both(text, solvers[s][1], &run[0], &run[1]);
        for (int r = 0; r < 2; r++) {
            step_run(run[r], 37);
            paint_run(run[r], "paint 60.5 64 17 0.25");
            step_run(run[r], 40);
        }
        check_fields(run[0], run[1], text);
        for (int r = 0; r < 2; r++) {
            CHECK_INT(ss_run_reset(run[r], NULL), SS_OK);
            step_run(run[r], 41);
        }
        check_fields(run[0], run[1], text);
        close_both(run[0], run[1]);
    }
}

/* The red half of a cycle, which the CPU computes from a copy; then the whole cycle. */
TEST(methods, the_microscope_shows_the_red_points)
{
    ss_run *run[2];
    need_gpu();
    open_both("equation poisson2d n 203 ny 131 problem random until 0 solver sor", "", &run[0],
              &run[1]);
    ss_picture picture[2];
    ss_view view = view_of(SS_VALUE);
    for (int r = 0; r < 2; r++) {
        step_run(run[r], 3);
        CHECK_INT(ss_run_tick(run[r], NULL), SS_OK);
        CHECK_INT(run[r]->peek, 1);
        picture[r] = new_picture(203, 131);
        take(run[r], &view, &picture[r]);
    }
    for (int i = 0; i < 203 * 131; i++)
        CHECK_MSG(memcmp(&picture[0].cell[i], &picture[1].cell[i], sizeof(float)) == 0,
                  "cell (%d, %d) is %.9g, not %.9g", i % 203, i / 203, (double)picture[1].cell[i],
                  (double)picture[0].cell[i]);
    for (int r = 0; r < 2; r++) {
        CHECK_INT(ss_run_tick(run[r], NULL), SS_OK);
        CHECK_INT(run[r]->cycle, 4);
        free_picture(&picture[r]);
    }
    check_fields(run[0], run[1], "after the microscope");
    close_both(run[0], run[1]);
}

/* --- multigrid -------------------------------------------------------------------------------- */

/* Some have small grids only below the finest one, some have large coarse grids, lines of points,
 * or one point; 255 by 7 ends as a line along x, 7 by 1023 as one along y. */
static const char *const halved[] = {
    "equation poisson2d n 63",         "equation poisson2d n 127 ny 63",
    "equation poisson2d n 511 ny 255", "equation poisson2d n 255 ny 7 aspect 0.03",
    "equation poisson2d n 7 ny 1023",  "equation poisson2d n 127 aspect 1.37",
    "equation poisson2d n 31 ny 1",    "equation poisson2d n 1",
    "equation poisson1d n 4095",       "equation poisson1d n 63 copies 131",
    "equation poisson1d n 1 copies 3", "equation poisson1d n 3 copies 5000",
};
enum { NHALVED = sizeof halved / sizeof *halved };
static const char *const smoothings[] = {"smoother jacobi", "smoother red-black"};
enum { NSMOOTHING = sizeof smoothings / sizeof *smoothings };

/* As `compare`, in fewer cycles: after ten only rounding is left, and a graph has one cycle. */
static void compare_cycles(const char *common, const char *gpu_only)
{
    static const int steps[] = {1, 5, 2};
    char settings[400], what[500];
    for (int k = 0; k < 4; k++) {
        ss_run *cpu, *gpu;
        snprintf(settings, sizeof settings, "%s problem random precision %s check-every %d until 0",
                 common, k / 2 ? "f32" : "f64", k % 2 ? 3 : 1);
        snprintf(what, sizeof what, "%s %s", settings, gpu_only);
        open_both(settings, gpu_only, &cpu, &gpu);
        for (size_t s = 0; s < sizeof steps / sizeof *steps; s++)
            step_both(cpu, gpu, steps[s], what);
        check_norms(cpu, gpu, what);
        close_both(cpu, gpu);
    }
}

TEST(methods, multigrid_has_the_bits_of_the_cpu)
{
    static const char *const shapes[] = {"shape v", "shape w", "shape f"};
    static const char *const sweeps[] = {"", "pre 0 post 1", "pre 3 post 0", "pre 0 post 2",
                                         "pre 1 post 1 omega 0.7"};
    char common[200];
    need_gpu();
    for (int g = 0; g < NHALVED; g++)
        for (int m = 0; m < 3 * NSMOOTHING; m++) {
            snprintf(common, sizeof common, "%s solver multigrid %s %s %s", halved[g],
                     shapes[m % 3], smoothings[m / 3], sweeps[(g + m) % 5]);
            compare_cycles(common, launches[(g + m) % 2]);
        }
}

/* The coarsest grid is smoothed: a large one, one that is small, the finest. */
TEST(methods, multigrid_of_few_grids_has_the_bits_of_the_cpu)
{
    static const char *const levels[] = {"levels 1", "levels 2 shape w", "levels 3 shape f pre 0",
                                         "levels 5 shape w post 0"};
    char common[200];
    need_gpu();
    for (int l = 0; l < 4; l++)
        for (int s = 0; s < NSMOOTHING; s++) {
            snprintf(common, sizeof common, "equation poisson2d n 127 ny 63 solver multigrid %s %s",
                     smoothings[s], levels[l]);
            compare_cycles(common, launches[(l + s) % 2]);
        }
}

TEST(methods, multigrid_stops_at_the_same_cycle_and_goes_on)
{
    static const char *const grids_of_ends[] = {
        "poisson2d n 63",           "poisson2d n 127",
        "poisson2d n 255",          "poisson2d n 127 ny 63 aspect 0.5",
        "poisson1d n 255 copies 9", "poisson2d n 127 precision f32",
    };
    static const char *const settings[] = {"", "shape w pre 0", "shape f smoother red-black",
                                           "check-every 3", "pre 1 post 0 check-every 2"};
    char text[200];
    need_gpu();
    for (int g = 0; g < 6; g++)
        for (int s = 0; s < 5; s++) {
            snprintf(text, sizeof text, "equation %s solver multigrid %s until 1e-4",
                     grids_of_ends[g], settings[s]);
            stop_and_go_on(text, launches[(g + s) % 2]);
        }
}

TEST(methods, multigrid_keeps_the_start_of_its_last_cycle)
{
    need_gpu();
    for (int s = 0; s < 2 * NSMOOTHING; s++) {
        char text[200];
        ss_run *cpu, *gpu;
        snprintf(text, sizeof text,
                 "equation poisson2d n 127 ny 63 problem random until 0 solver multigrid %s pre %d",
                 smoothings[s / 2], 1 + s % 2);
        open_both(text, "", &cpu, &gpu);
        for (int cycles = 1; cycles < 10; cycles++) {
            step_both(cpu, gpu, cycles, text);
            check_starts(cpu, gpu, text);
        }
        close_both(cpu, gpu);
    }
}

/* All ticks of a cycle, which the CPU computes from a copy; then the whole cycle. */
TEST(methods, the_microscope_shows_the_visits_of_multigrid)
{
    ss_view view = view_of(SS_VALUE);
    need_gpu();
    for (int s = 0; s < NSMOOTHING; s++) {
        char text[200];
        ss_run *run[2];
        ss_picture picture[2] = {new_picture(127, 63), new_picture(127, 63)};
        snprintf(text, sizeof text,
                 "equation poisson2d n 127 ny 63 problem random until 0 solver multigrid %s",
                 smoothings[s]);
        open_both(text, "", &run[0], &run[1]);
        for (int r = 0; r < 2; r++)
            step_run(run[r], 1);
        for (int tick = 1; tick < run[0]->ticks_per_cycle; tick++) {
            for (int r = 0; r < 2; r++) {
                ss_err err = {0};
                CHECK_MSG(ss_run_tick(run[r], &err) == SS_OK, "%s: %s", text, err.text);
                CHECK_INT(run[r]->peek, tick);
                take(run[r], &view, &picture[r]);
            }
            CHECK_MSG(memcmp(picture[0].cell, picture[1].cell, sizeof(float) * 127 * 63) == 0,
                      "%s: tick %d differs", text, tick);
        }
        for (int r = 0; r < 2; r++) {
            CHECK_INT(ss_run_tick(run[r], NULL), SS_OK);
            CHECK_INT(run[r]->cycle, 2);
            free_picture(&picture[r]);
        }
        check_fields(run[0], run[1], text);
        close_both(run[0], run[1]);
    }
}

TEST(methods, multigrid_continues_from_a_copy_bit_for_bit)
{
    static const char *const solvers[] = {"multigrid", "multigrid shape w smoother red-black",
                                          "multigrid pre 1 precision f32 check-every 3"};
    static const int cycles[][2] = {{1, 1}, {2, 7}, {3, 2}, {0, 9}};
    char text[200];
    need_gpu();
    for (size_t s = 0; s < sizeof solvers / sizeof *solvers; s++)
        for (size_t c = 0; c < sizeof cycles / sizeof *cycles; c++) {
            snprintf(text, sizeof text,
                     "equation poisson2d n 127 ny 63 problem random until 0 solver %s", solvers[s]);
            restore(text, cycles[c][0], cycles[c][1]);
        }
}

TEST(methods, settings_of_multigrid_change_during_a_run)
{
    static const char *const changes[][2] = {
        {"shape", "w"},          {"smoother", "red-black"}, {"levels", "3"}, {"pre", "0"},
        {"post", "3"},           {"launch", "stream"},      {"levels", "1"}, {"shape", "f"},
        {"omega", "0.7"},        {"levels", "0"},           {"pre", "1"},    {"solver", "jacobi"},
        {"solver", "multigrid"}, {"smoother", "jacobi"},    {"seed", "7"},   {"check-every", "5"},
    };
    ss_run *cpu, *gpu;
    need_gpu();
    open_both("equation poisson2d solver multigrid n 127 ny 63 problem random until 0", "", &cpu,
              &gpu);
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        step_both(cpu, gpu, 3, changes[i][0]);
        if (!only_on_the_gpu(changes[i][0]))
            change_run(cpu, changes[i][0], changes[i][1]);
        change_run(gpu, changes[i][0], changes[i][1]);
        check_fields(cpu, gpu, changes[i][0]);
    }
    step_both(cpu, gpu, 5, "after all changes");
    close_both(cpu, gpu);
}

/* --- refusals --------------------------------------------------------------------------------- */

static void refused(const char *settings, const char *sentence)
{
    ss_config cfg;
    ss_err err = {0};
    set_config(&cfg, settings);
    CHECK_MSG(!ss_run_open(&cfg, NULL, NULL, &err), "%s was not refused", settings);
    CHECK_MSG(strstr(err.text, sentence), "%s: '%s' does not say '%s'", settings, err.text,
              sentence);
}

TEST(methods, other_kernels_do_not_damp)
{
    need_gpu();
    refused("equation poisson2d solver jacobi n 64 backend cuda damping 0.8 kernel padded",
            "choose it, or damping 1");
}

/* A run on two devices that changes to a solver of one is refused, and stays as it was. */
TEST(methods, one_device_only)
{
    static const char *const solvers[] = {"sor", "chebyshev", "cg", "multigrid"};
    need_gpu();
    setenv("STENCILSCOPE_CUDA_TWICE", "1", 1);
    for (size_t s = 0; s < sizeof solvers / sizeof *solvers; s++) {
        ss_err err = {0};
        ss_run *run = open_on("cuda", "equation poisson2d solver jacobi n 63 devices 0,0 until 0");
        ss_config cfg = run->cfg;
        CHECK_INT(ss_config_set(&cfg, "solver", solvers[s], &err), SS_OK);
        CHECK_INT(ss_run_configure(run, &cfg, &err), SS_FAIL);
        CHECK_MSG(strstr(err.text, solvers[s]) && strstr(err.text, "choose"), "%s", err.text);
        step_run(run, 3);
        ss_run_close(run);
    }
}

/* --- times ------------------------------------------------------------------------------------ */

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* Cycles that take about 0.2 s. */
static int64_t cycles_of(ss_run *run)
{
    int64_t cycles = 64;
    for (int i = 0; i < 4; i++) {
        double before = run->seconds_solve;
        step_run(run, cycles);
        double took = run->seconds_solve - before;
        cycles = took > 0 ? (int64_t)(0.2 / took * (double)cycles) / 64 * 64 + 64 : cycles;
    }
    return cycles;
}

enum { ROUNDS = 7, NTIMED = 11 };
static const char *const timed[NTIMED] = {
    "solver jacobi kernel vector",
    "solver jacobi kernel vector damping 0.8",
    "solver chebyshev",
    "solver sor kernel fused",
    "solver sor kernel interleaved",
    "solver sor kernel split",
    "solver cg",
    "solver cg variant pipelined",
    "solver cg variant s-step",
    "solver shared k 8 block 64 overlap 14",
    "solver shared k 8 block 64 overlap 14 tile memory",
};

/* Seconds per iteration of all of them, medians of rounds in turn. */
static void time_all(const char *problem, int every)
{
    double round[NTIMED][ROUNDS];
    int64_t cycles[NTIMED];
    ss_run *run[NTIMED];
    char text[300];
    for (int s = 0; s < NTIMED; s++) {
        snprintf(text, sizeof text, "%s %s until 0 check-every %d", problem, timed[s], every);
        run[s] = open_on("cuda", text);
        cycles[s] = cycles_of(run[s]);
    }
    for (int r = 0; r < ROUNDS; r++)
        for (int s = 0; s < NTIMED; s++) {
            double before = run[s]->seconds_solve;
            step_run(run[s], cycles[s]);
            round[s][r] = (run[s]->seconds_solve - before) /
                          (double)(cycles[s] * run[s]->iterations_per_cycle);
        }
    for (int s = 0; s < NTIMED; s++)
        ss_run_close(run[s]);
    printf("# %s, check-every %d\n", problem, every);
    for (int s = 0; s < NTIMED; s++)
        qsort(round[s], ROUNDS, sizeof **round, ascending);
    for (int s = 0; s < NTIMED; s++)
        printf("#   %-42s %9.2f us, %.3f times jacobi (%.2f to %.2f us)\n", timed[s],
               1e6 * round[s][ROUNDS / 2], round[s][ROUNDS / 2] / round[0][ROUNDS / 2],
               1e6 * round[s][0], 1e6 * round[s][ROUNDS - 1]);
    fflush(stdout);
}

/* Printed, not judged. */
SLOW_TEST(methods, times_per_iteration)
{
    static const char *const problems[] = {
        "equation poisson2d n 8192 precision f64", "equation poisson2d n 8192 precision f32",
        "equation poisson2d n 1024 precision f64", "equation poisson2d n 1024 precision f32"};
    need_gpu();
    for (size_t p = 0; p < sizeof problems / sizeof *problems; p++)
        time_all(problems[p], 1000000);
    time_all(problems[0], 1);
}
