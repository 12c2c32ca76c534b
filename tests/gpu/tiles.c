/* Tiles in registers and in shared memory against the CPU, bit for bit: what equal.c leaves out.
 * Skipped without a GPU. */
#include "tests/gpu/methods.h"

static const char *const places[] = {"tile memory", "tile register"};

/* --- bits ------------------------------------------------------------------------------------- */

static const char *const planes[] = {"equation poisson2d n 203 ny 131",
                                     "equation poisson2d n 64 ny 48 aspect 1.37",
                                     "equation advdiff2d n 70 ny 51 scheme upwind"};
static const char *const lines[] = {
    "equation poisson1d n 101 copies 7", "equation poisson1d n 5001 copies 1",
    "equation line n 203 copies 31 west -1.3 east 0.45 diagonal 2.7"};

/* Blocks that do not divide the field, of one row or one column, of an odd number of points. */
static const char *const plane_tiles[] = {
    "k 2 block 33 block-y 1 overlap 2 overlap-y 0",
    "k 3 block 1 block-y 25 overlap 0",
    "k 4 block 31 block-y 26 overlap 6",
};
static const char *const line_tiles[] = {"k 5 block 33 overlap 6", "k 2 block 130 overlap 2"};
/* More points than a thread block has threads, and than registers hold. */
static const char *const memory_tiles[] = {"k 2 block 150 block-y 20", "k 3 block 81 block-y 90"};
static const char *const memory_lines[] = {"k 5 block 1500 overlap 2"};

static void on_fields(const char *const *fields, int nfield, const char *const *tiles, int ntile,
                      const char *place)
{
    char common[300], only[64];
    for (int f = 0; f < nfield; f++)
        for (int t = 0; t < ntile; t++) {
            snprintf(common, sizeof common, "%s solver shared %s", fields[f], tiles[t]);
            snprintf(only, sizeof only, "%s %s", place, launches[(f + t) % 2]);
            compare(common, only);
        }
}

TEST(tiles, odd_blocks_in_memory_have_the_bits_of_the_cpu)
{
    need_gpu();
    on_fields(planes, LENGTH(planes), plane_tiles, LENGTH(plane_tiles), places[0]);
    on_fields(lines, LENGTH(lines), line_tiles, LENGTH(line_tiles), places[0]);
}

TEST(tiles, odd_blocks_in_registers_have_the_bits_of_the_cpu)
{
    need_gpu();
    on_fields(planes, LENGTH(planes), plane_tiles, LENGTH(plane_tiles), places[1]);
    on_fields(lines, LENGTH(lines), line_tiles, LENGTH(line_tiles), places[1]);
}

TEST(tiles, larger_tiles_in_memory_have_the_bits_of_the_cpu)
{
    need_gpu();
    on_fields(planes, 1, memory_tiles, LENGTH(memory_tiles), places[0]);
    on_fields(lines, LENGTH(lines), memory_lines, LENGTH(memory_lines), places[0]);
}

TEST(tiles, the_start_of_the_last_cycle_is_kept)
{
    need_gpu();
    for (int p = 0; p < LENGTH(places); p++) {
        ss_run *cpu, *gpu;
        open_both("equation poisson2d n 203 ny 131 problem random until 0 k 3 block 32 "
                  "solver shared",
                  places[p], &cpu, &gpu);
        for (int cycles = 1; cycles < 100; cycles = 3 * cycles + 1) {
            step_both(cpu, gpu, cycles, places[p]);
            check_starts(cpu, gpu, places[p]);
        }
        close_both(cpu, gpu);
    }
}

/* --- the end of a run ------------------------------------------------------------------------- */

TEST(tiles, a_run_stops_at_the_same_cycle_and_goes_on)
{
    static const char *const ends[] = {
        "n 45 ny 20 until 1e-2 check-every 1",
        "n 45 ny 20 until 1e-3 check-every 6",
        "n 46 ny 21 until 1e-3 check-every 7 precision f32",
        "n 45 ny 20 until 1e-4 check-every 100",
    };
    char problem[300], only[64];
    need_gpu();
    for (int e = 0; e < LENGTH(ends); e++)
        for (int l = 0; l < 4; l++) {
            snprintf(problem, sizeof problem,
                     "equation poisson2d solver shared k 3 block 12 overlap 4 %s", ends[e]);
            snprintf(only, sizeof only, "%s %s", places[l / 2], launches[l % 2]);
            stop_and_go_on(problem, only);
        }
    stop_and_go_on("equation poisson1d solver shared k 3 block 12 overlap 4 n 45 copies 9 "
                   "until 1e-2 check-every 7",
                   "");
}

/* --- changes during a run --------------------------------------------------------------------- */

static bool only_on_the_gpu(const char *row)
{
    return strcmp(row, "launch") == 0 || strcmp(row, "tile") == 0;
}

TEST(tiles, settings_change_during_a_run)
{
    static const char *const changes[][2] = {
        {"solver", "shared"}, {"k", "5"},           {"overlap", "12"},    {"block", "23"},
        {"block-y", "50"},    {"launch", "stream"}, {"tile", "memory"},   {"overlap", "18"},
        {"k", "1"},           {"block", "70"},      {"tile", "register"}, {"seed", "7"},
        {"k", "3"},           {"check-every", "5"}, {"solver", "jacobi"}, {"solver", "shared"},
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

/* --- refusals --------------------------------------------------------------------------------- */

TEST(tiles, a_tile_that_does_not_fit_is_refused)
{
    static const char *const runs[][2] = {
        {"poisson2d n 300 block 256 tile memory", "of shared memory"},
        {"poisson2d n 300 block 256", "does not fit the registers"},
        {"poisson2d n 300 block 128", "which take 64 \xc3\x97 128"},
        {"poisson1d n 3000 block 513", "which take 512"},
    };
    char text[200];
    need_gpu();
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        ss_config cfg;
        ss_err err = {0};
        snprintf(text, sizeof text, "equation %s solver shared backend cuda", runs[i][0]);
        set_config(&cfg, text);
        CHECK_MSG(!ss_run_open(&cfg, NULL, NULL, &err), "%s was not refused", text);
        CHECK_MSG(strstr(err.text, runs[i][1]), "%s: '%s'", text, err.text);
    }
}
