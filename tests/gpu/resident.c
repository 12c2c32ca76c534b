/* Resident tiles on the GPU against the CPU, bit for bit; and runs that take few norms against runs
 * that take all. Skipped without a GPU. */
#include "tests/gpu/methods.h"

/* --- bits ------------------------------------------------------------------------------------- */

static const char *const planes[] = {
    "equation poisson2d n 203 ny 131",
    "equation poisson2d n 37 ny 21",
    "equation poisson2d n 64 ny 48 aspect 1.37",
    "equation poisson2d n 5 ny 300",
    "equation poisson2d n 301 ny 333",
    "equation plane n 131 ny 63 west -1.3 east 0.45 south -0.9 north -1.7 diagonal 4.7",
    "equation advdiff2d n 70 ny 51 scheme upwind",
};

/* Blocks of a thread block's shape and smaller ones, which do not divide the field; as much overlap
 * as the bits of the whole field need, and less. */
static const char *const tiles[] = {
    "k 1 block 64",
    "k 2 block 32 overlap 0",
    "k 5 block 61 block-y 57 overlap 8 overlap-y 4",
    "k 3 block 64 block-y 128 overlap 4 overlap-y 6",
    "k 4 block 50 block-y 100 overlap 14",
    "k 7 block 64 block-y 160 overlap 4 overlap-y 16",
    "k 3 block 62 block-y 131 overlap 2",
    "k 2 block 63 block-y 159 overlap 10 overlap-y 0",
    "k 3 block 128 block-y 88 overlap 16 overlap-y 10",
    "k 5 block 117 block-y 80 overlap 8",
};
/* Tiles as high as their thread block, on grids of such rows of tiles: as wide as it, and narrower,
 * with their halo in x among the points. The aspects make square cells, whose update is fused.
 * Even and odd k; an exchange in whole accesses and not. */
static const char *const full_planes[] = {
    "equation poisson2d n 232",        "equation poisson2d n 255 ny 232 aspect 0.91015625",
    "equation poisson2d n 88",         "equation poisson2d n 511 ny 88 aspect 0.173828125",
    "equation poisson2d n 300 ny 160",
};
static const char *const full_tiles[] = {
    "k 3 block 128 block-y 88 overlap 16 overlap-y 16",
    "k 4 block 126 block-y 88 overlap 10 overlap-y 16",
    "k 5 block 126 block-y 88 overlap 12 overlap-y 16",
    "k 1 block 101 block-y 88 overlap 4 overlap-y 16",
    "k 6 block 70 block-y 88 overlap 6 overlap-y 16",
};
/* Shapes of single precision. */
static const char *const wide_tiles[] = {"k 3 block 100 block-y 70 overlap 4",
                                         "k 4 block 128 overlap 6"};

TEST(resident, tiles_have_the_bits_of_the_cpu)
{
    char common[300], only[64];
    need_gpu();
    for (int f = 0; f < LENGTH(planes); f++)
        for (int t = 0; t < LENGTH(tiles); t++) {
            snprintf(common, sizeof common, "%s solver shared %s", planes[f], tiles[t]);
            snprintf(only, sizeof only, "tile resident %s", launches[(f + t) % 2]);
            compare(common, only);
        }
}

TEST(resident, full_tiles_have_the_bits_of_the_cpu)
{
    char common[300];
    need_gpu();
    for (int f = 0; f < LENGTH(full_planes); f++)
        for (int t = 0; t < LENGTH(full_tiles); t++) {
            snprintf(common, sizeof common, "%s solver shared %s", full_planes[f], full_tiles[t]);
            compare(common, "tile resident");
        }
}

TEST(resident, wide_tiles_have_the_bits_of_the_cpu)
{
    char common[300];
    need_gpu();
    for (int f = 0; f < LENGTH(planes); f++)
        for (int t = 0; t < LENGTH(wide_tiles); t++)
            for (int every = 1; every < 100; every *= 5) {
                snprintf(common, sizeof common, "%s solver shared %s", planes[f], wide_tiles[t]);
                compare_one(common, "tile resident", "f32", every);
            }
}

/* As many tiles as fit on the chip, many cycles: blocks run ahead of each other. */
TEST(resident, all_processors_have_the_bits_of_the_cpu)
{
    static const char *const blocks[] = {"block 64 block-y 160 overlap 4",
                                         "block 128 block-y 88 overlap 16 overlap-y 10",
                                         "block 126 block-y 88 overlap 10 overlap-y 16"};
    char settings[300];
    ss_run *cpu, *gpu;
    need_gpu();
    for (int b = 0; b < LENGTH(blocks); b++) {
        snprintf(
            settings, sizeof settings,
            "equation poisson2d n 1024 solver shared k 3 %s problem random until 0 check-every "
            "1000000",
            blocks[b]);
        open_both(settings, "tile resident", &cpu, &gpu);
        for (int cycles = 1; cycles < 600; cycles = cycles * 4 + 1)
            step_both(cpu, gpu, cycles, settings);
        close_both(cpu, gpu);
    }
}

TEST(resident, runs_stop_at_the_same_cycle)
{
    static const char *const ends[] = {"n 45 ny 20 until 1e-2 check-every 1",
                                       "n 145 ny 120 until 1e-3 check-every 6",
                                       "n 146 ny 121 until 1e-3 check-every 7 precision f32",
                                       "n 145 ny 120 until 1e-4 check-every 100"};
    char problem[300];
    need_gpu();
    for (int e = 0; e < LENGTH(ends); e++) {
        snprintf(problem, sizeof problem, "equation poisson2d solver shared k 4 block 40 %s",
                 ends[e]);
        stop_and_go_on(problem, "tile resident");
    }
}

TEST(resident, what_does_not_fit_is_refused)
{
    static const char *const refused[][2] = {
        {"poisson2d n 4096 block 64", "at once"},
        {"poisson2d block 200", "resident tile has at most"},
        {"poisson1d block 64", "lines"},
        {"poisson2d n 300 block 64 overlap 48", "choose an overlap"},
    };
    char text[200];
    ss_config cfg;
    ss_err err;
    need_gpu();
    for (int i = 0; i < LENGTH(refused); i++) {
        snprintf(text, sizeof text, "equation %s", refused[i][0]);
        char *rest = strchr(text + 9, ' ');
        char settings[300];
        snprintf(settings, sizeof settings, "%.*s solver shared tile resident backend cuda%s",
                 (int)(rest - text), text, rest);
        set_config(&cfg, settings);
        CHECK_MSG(!ss_run_open(&cfg, NULL, NULL, &err), "%s was not refused", settings);
        CHECK_MSG(strstr(err.text, refused[i][1]), "%s: '%s' does not say '%s'", settings, err.text,
                  refused[i][1]);
    }
}

/* --- few norms -------------------------------------------------------------------------------- */

/* The same backend with all norms, and with few: the same last cycle and the same bits. In single
 * precision a residual may be near its rounding from the start, where every cycle has its norm. */
static void ends_alike(const char *settings, int step)
{
    ss_err err = {0};
    ss_run *run[2];
    for (int i = 0; i < 2; i++) {
        run[i] = open_on("cuda", settings);
        run[i]->stop_at_tol = true;
        run[i]->seldom = i == 1;
        while (run[i]->status == SS_RUNNING)
            CHECK_MSG(ss_run_step(run[i], step, &err) == SS_OK, "%s: %s", settings, err.text);
    }
    CHECK_MSG(run[0]->status == SS_CONVERGED && run[1]->status == SS_CONVERGED, "%s: status %d, %d",
              settings, (int)run[0]->status, (int)run[1]->status);
    CHECK_MSG(run[0]->cycle == run[1]->cycle, "%s: cycle %lld, not %lld", settings,
              (long long)run[1]->cycle, (long long)run[0]->cycle);
    check_fields(run[0], run[1], settings);
    bool fewer = run[1]->history.count < run[0]->history.count;
    CHECK_MSG(fewer || run[0]->cycle < 100 || run[0]->prec == SS_F32, "%s: as many norms",
              settings);
    ss_run_close(run[0]);
    ss_run_close(run[1]);
}

TEST(resident, few_norms_find_the_same_last_cycle)
{
    static const char *const methods[] = {
        "equation poisson2d n 203 ny 131 solver jacobi",
        "equation poisson2d n 203 ny 131 solver jacobi launch stream problem random",
        "equation poisson2d n 127 solver jacobi precision f32",
        "equation poisson2d n 203 ny 131 solver persistent",
        "equation poisson2d n 203 ny 131 solver persistent every 4 precision f32 problem random",
        "equation poisson1d n 150 copies 70 solver persistent",
        "equation poisson2d n 203 ny 131 solver shared k 16 block 32",
        "equation poisson2d n 203 ny 131 solver shared k 16 block 64 overlap 4 tile resident",
        "equation poisson2d n 203 ny 131 solver shared k 8 block 32 tile memory precision f32",
        "equation poisson2d n 203 ny 131 solver shared k 8 block 40 overlap 14",
    };
    static const char *const tolerances[] = {"0.3", "1e-2", "1e-4"};
    static const int steps[] = {1000000, 333};
    char settings[300];
    need_gpu();
    for (int m = 0; m < LENGTH(methods); m++)
        for (int t = 0; t < LENGTH(tolerances); t++) {
            snprintf(settings, sizeof settings, "%s until %s", methods[m], tolerances[t]);
            ends_alike(settings, steps[(m + t) % 2]);
        }
}
