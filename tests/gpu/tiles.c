/* Chebyshev's iteration and red-black SOR in tiles on the GPU against the CPU, bit for bit. Skipped
 * without a GPU. */
#include "tests/gpu/methods.h"

/* --- bits ------------------------------------------------------------------------------------- */

static const char *const planes[] = {
    "equation poisson2d n 203 ny 131",
    "equation poisson2d n 37 ny 21",
    "equation poisson2d n 64 ny 48 aspect 1.37",
    "equation poisson2d n 5 ny 300",
    "equation plane n 131 ny 63 west -1.3 east 0.45 south -0.9 north -1.7 diagonal 4.7",
    "equation advdiff2d n 70 ny 51 scheme upwind",
};
static const char *const lines[] = {
    "equation poisson1d n 101 copies 7",
    "equation poisson1d n 5001 copies 1",
    "equation line n 203 copies 31 west -1.3 east 0.45 diagonal 2.7",
};

/* Blocks that do not divide the field, larger than the field, of one row or one column; as much
 * overlap as the bits of the whole field need, and less. */
static const char *const plane_tiles[] = {
    "k 1 block 32 overlap 0",
    "k 2 block 32",
    "k 5 block 30 block-y 17 overlap 8 overlap-y 4",
    "k 3 block 64 block-y 20 overlap 2",
    "k 4 block 100 block-y 31 overlap 14",
    "k 3 block 33 block-y 1 overlap-y 0",
    "k 2 block 1 block-y 25 overlap 0",
};
static const char *const line_tiles[] = {
    "k 1 block 32 overlap 0",  "k 7 block 34", "k 5 block 500 overlap 2", "k 16 block 64 overlap 4",
    "k 2 block 130 overlap 2",
};
/* One for each shape in registers that the others leave out. */
static const char *const large_tiles[] = {
    "k 3 block 60 block-y 60",           "k 2 block 20 block-y 50",  "k 3 block 20 block-y 90",
    "k 4 block 31 block-y 26 overlap 6", "k 2 block 128 block-y 30",
};
/* Chebyshev's in single precision only. */
static const char *const largest_tiles[] = {"k 2 block 40 block-y 100", "k 2 block 100 block-y 50"};
/* They do not fit registers. */
static const char *const memory_tiles[] = {"k 2 block 150 block-y 20", "k 3 block 81 block-y 90"};
static const char *const memory_lines[] = {"k 4 block 33 overlap 6", "k 5 block 1500 overlap 2"};

/* With these factors stale halos do not make the methods diverge. */
static const char *const methods[] = {"shared-sor omega 1", "shared-chebyshev rho 0.5"};
static const char *const places[] = {"tile memory", "tile register"};

static void on_fields(const char *const *fields, int nfield, const char *const *tiles, int ntile,
                      const char *method, const char *place)
{
    char common[300], only[64];
    for (int f = 0; f < nfield; f++)
        for (int t = 0; t < ntile; t++) {
            snprintf(common, sizeof common, "%s solver %s %s", fields[f], method, tiles[t]);
            snprintf(only, sizeof only, "%s %s", place, launches[(f + t) % 2]);
            compare(common, only);
        }
}

static void on_planes(const char *method, const char *place)
{
    on_fields(planes, LENGTH(planes), plane_tiles, LENGTH(plane_tiles), method, place);
    on_fields(planes, 1, large_tiles, LENGTH(large_tiles), method, place);
}

static void on_lines(const char *method, const char *place)
{
    on_fields(lines, LENGTH(lines), line_tiles, LENGTH(line_tiles), method, place);
}

/* One test per method, place and dimension: compute-sanitizer takes minutes for each. */
#define IN_TILES(METHOD, NUMBER, PLACE, PLACE_NUMBER)                                              \
    TEST(tiles, METHOD##_in_##PLACE##_has_the_bits_of_the_cpu_on_planes)                           \
    {                                                                                              \
        need_gpu();                                                                                \
        on_planes(methods[NUMBER], places[PLACE_NUMBER]);                                          \
    }                                                                                              \
    TEST(tiles, METHOD##_in_##PLACE##_has_the_bits_of_the_cpu_on_lines)                            \
    {                                                                                              \
        need_gpu();                                                                                \
        on_lines(methods[NUMBER], places[PLACE_NUMBER]);                                           \
    }

IN_TILES(sor, 0, memory, 0)
IN_TILES(sor, 0, registers, 1)
IN_TILES(chebyshev, 1, memory, 0)
IN_TILES(chebyshev, 1, registers, 1)

TEST(tiles, larger_tiles_in_memory_have_the_bits_of_the_cpu)
{
    need_gpu();
    for (int m = 0; m < 2; m++) {
        on_fields(planes, 1, memory_tiles, LENGTH(memory_tiles), methods[m], places[0]);
        on_fields(lines, LENGTH(lines), memory_lines, LENGTH(memory_lines), methods[m], places[0]);
    }
}

TEST(tiles, the_largest_tiles_in_registers_have_the_bits_of_the_cpu)
{
    char common[300];
    need_gpu();
    for (int t = 0; t < LENGTH(largest_tiles); t++)
        for (int m = 0; m < 2; m++)
            for (int p = 0; p <= (m == 0); p++) {
                snprintf(common, sizeof common, "%s solver %s %s", planes[0], methods[m],
                         largest_tiles[t]);
                compare_one(common, places[1], p ? "f64" : "f32", 1 + 2 * t);
            }
}

/* The factors that the methods are used with, which need enough overlap. */
TEST(tiles, the_best_factors_have_the_bits_of_the_cpu)
{
    static const char *const solvers[] = {"shared-sor k 3 block 32", "shared-sor k 2 block 48",
                                          "shared-chebyshev k 6 block 32",
                                          "shared-chebyshev k 8 block 44"};
    char common[300];
    need_gpu();
    for (int s = 0; s < LENGTH(solvers); s++)
        for (int p = 0; p < 2; p++) {
            snprintf(common, sizeof common, "equation poisson2d n 203 ny 131 solver %s",
                     solvers[s]);
            compare_one(common, places[p], p ? "f32" : "f64", 1 + s);
            snprintf(common, sizeof common, "equation poisson1d n 203 copies 3 solver %s",
                     solvers[s]);
            compare_one(common, places[p], p ? "f64" : "f32", 1 + s);
        }
}

TEST(tiles, enough_overlap_is_the_method_of_the_whole_field)
{
    static const char *const pairs[][2] = {
        {"solver shared-sor k 3 block 32 omega 1.7", "solver sor omega 1.7"},
        {"solver shared-chebyshev k 3 block 32 rho 0.99", "solver chebyshev rho 0.99"}};
    static const char *const problem = "equation poisson2d n 203 ny 131 problem random until 0";
    char text[300];
    need_gpu();
    for (size_t p = 0; p < 2; p++) {
        snprintf(text, sizeof text, "%s %s", problem, pairs[p][0]);
        ss_run *tiles = open_on("cuda", text);
        snprintf(text, sizeof text, "%s %s", problem, pairs[p][1]);
        ss_run *whole = open_on("cuda", text);
        step_run(tiles, 15);
        step_run(whole, 45);
        check_fields(whole, tiles, pairs[p][0]);
        close_both(whole, tiles);
    }
}

TEST(tiles, the_start_of_the_last_cycle_is_kept)
{
    char text[300];
    need_gpu();
    for (int m = 0; m < 2; m++) {
        ss_run *cpu, *gpu;
        snprintf(text, sizeof text,
                 "equation poisson2d n 203 ny 131 problem random until 0 k 3 block 32 solver %s",
                 methods[m]);
        open_both(text, "", &cpu, &gpu);
        for (int cycles = 1; cycles < 100; cycles = 3 * cycles + 1) {
            step_both(cpu, gpu, few(cycles), text);
            check_starts(cpu, gpu, text);
        }
        close_both(cpu, gpu);
    }
}

/* --- the end of a run ------------------------------------------------------------------------- */

static const char *const ends[] = {
    "n 45 ny 20 until 1e-2 check-every 1",
    "n 45 ny 20 until 1e-3 check-every 6",
    "n 46 ny 21 until 1e-3 check-every 7 precision f32",
    "n 45 ny 20 until 1e-4 check-every 100",
};

static void all_ends(const char *solver)
{
    char problem[300], only[64];
    for (int e = 0; e < LENGTH(ends); e++)
        for (int l = 0; l < 4; l++) {
            snprintf(problem, sizeof problem, "equation poisson2d solver %s %s", solver, ends[e]);
            snprintf(only, sizeof only, "%s %s", places[l / 2], launches[l % 2]);
            stop_and_go_on(problem, only);
        }
    snprintf(problem, sizeof problem,
             "equation poisson1d solver %s n 45 copies 9 until 1e-2 check-every 7", solver);
    stop_and_go_on(problem, "");
}

TEST(tiles, sor_stops_at_the_same_cycle_and_goes_on)
{
    need_gpu();
    all_ends("shared-sor k 2 block 16 omega 1.7");
    all_ends("shared-sor k 3 block 12 overlap 4 omega 1");
}

TEST(tiles, chebyshev_stops_at_the_same_cycle_and_goes_on)
{
    need_gpu();
    all_ends("shared-chebyshev k 3 block 16");
    all_ends("shared-chebyshev k 4 block 13 overlap 4 rho 0.9");
}

TEST(tiles, divergence_stops_at_the_same_cycle)
{
    static const char *const runs[] = {"solver shared-sor omega 2.2 k 2 block 32",
                                       "solver shared-chebyshev k 4 block 32 overlap 0 n 127"};
    need_gpu();
    for (int i = 0; i < 2; i++) {
        char text[200];
        ss_run *run[2];
        snprintf(text, sizeof text, "equation poisson2d n 45 problem random until 1e-4 %s",
                 runs[i]);
        open_both(text, "", &run[0], &run[1]);
        for (int r = 0; r < 2; r++) {
            ss_err err = {0};
            for (int s = 0; s < 20 && run[r]->status == SS_RUNNING; s++)
                CHECK_MSG(ss_run_step(run[r], 100, &err) == SS_OK, "%s", err.text);
            CHECK_INT(run[r]->status, SS_DIVERGED);
        }
        CHECK_MSG(run[1]->cycle == run[0]->cycle, "%s: cycle %lld, not %lld", text,
                  (long long)run[1]->cycle, (long long)run[0]->cycle);
        check_fields(run[0], run[1], text);
        close_both(run[0], run[1]);
    }
}

/* --- changes during a run --------------------------------------------------------------------- */

TEST(tiles, a_copy_of_the_state_continues_bit_for_bit)
{
    static const char *const solvers[] = {
        "shared-chebyshev k 3 block 32", "shared-chebyshev k 3 block 32 tile memory",
        "shared-chebyshev k 2 precision f32 check-every 3", "shared-sor k 2 block 32"};
    static const int cycles[][2] = {{1, 1}, {1, 40}, {2, 7}, {36, 5}, {41, 70}, {0, 9}};
    char text[200];
    need_gpu();
    for (size_t s = 0; s < sizeof solvers / sizeof *solvers; s++)
        for (size_t c = 0; c < sizeof cycles / sizeof *cycles; c++) {
            snprintf(text, sizeof text,
                     "equation poisson2d n 103 ny 61 problem random until 0 solver %s", solvers[s]);
            restore(text, cycles[c][0], cycles[c][1]);
        }
}

/* The same of a run that has stopped: the launch whose norm ended it has stored its result. */
TEST(tiles, a_copy_of_a_stopped_run_continues_bit_for_bit)
{
    ss_err err = {0};
    ss_run *cpu, *gpu;
    const char *what = "equation poisson2d n 45 ny 20 solver shared-chebyshev k 3 until 1e-3";
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

static bool only_on_the_gpu(const char *row)
{
    return strcmp(row, "launch") == 0 || strcmp(row, "tile") == 0;
}

/* Other subdomains continue Chebyshev's recurrence, another rho begins it again. */
TEST(tiles, settings_change_during_a_run)
{
    static const char *const changes[][2] = {
        {"solver", "shared-chebyshev"},
        {"k", "5"},
        {"overlap", "12"},
        {"block", "23"},
        {"rho", "0.97"},
        {"launch", "stream"},
        {"block-y", "50"},
        {"solver", "shared"},
        {"solver", "shared-sor"},
        {"tile", "memory"},
        {"omega", "1.2"},
        {"overlap", "18"},
        {"k", "1"},
        {"tile", "register"},
        {"seed", "7"},
        {"k", "3"},
        {"solver", "shared-chebyshev"},
        {"check-every", "5"},
        {"solver", "chebyshev"},
        {"solver", "shared-chebyshev"},
    };
    ss_run *cpu, *gpu;
    need_gpu();
    open_both("equation poisson2d solver jacobi n 203 ny 131 problem random until 0", "", &cpu,
              &gpu);
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        step_both(cpu, gpu, few(7), changes[i][0]);
        if (!only_on_the_gpu(changes[i][0]))
            change_run(cpu, changes[i][0], changes[i][1]);
        change_run(gpu, changes[i][0], changes[i][1]);
        check_fields(cpu, gpu, changes[i][0]);
    }
    step_both(cpu, gpu, few(71), "after all changes");
    close_both(cpu, gpu);
}

/* After a stroke and after a reset Chebyshev's recurrence begins again, and SOR goes on. */
TEST(tiles, strokes_and_resets)
{
    char text[200];
    need_gpu();
    for (int m = 0; m < 2; m++) {
        ss_run *run[2];
        snprintf(text, sizeof text,
                 "equation poisson2d n 103 ny 81 problem random until 0 k 3 block 32 solver %s",
                 methods[m]);
        open_both(text, "", &run[0], &run[1]);
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

/* --- refusals --------------------------------------------------------------------------------- */

TEST(tiles, a_tile_that_does_not_fit_is_refused)
{
    static const char *const runs[][2] = {
        {"poisson2d solver shared-chebyshev block 256 tile memory", "of shared memory"},
        {"poisson2d solver shared-sor block 256 tile memory", "of shared memory"},
        {"poisson2d solver shared-chebyshev block 256", "does not fit the registers"},
        {"poisson2d solver shared-sor block 128", "which take 64 \xc3\x97 128"},
        {"poisson2d solver shared-chebyshev block 65", "which take 64 \xc3\x97 64"},
        {"poisson1d solver shared-sor block 33", "choose an even block"},
    };
    char text[200];
    need_gpu();
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        ss_config cfg;
        ss_err err = {0};
        snprintf(text, sizeof text, "equation %s n 300 backend cuda", runs[i][0]);
        set_config(&cfg, text);
        CHECK_MSG(!ss_run_open(&cfg, NULL, NULL, &err), "%s was not refused", text);
        CHECK_MSG(strstr(err.text, runs[i][1]), "%s: '%s'", text, err.text);
    }
}
