/* The GPU against the CPU, bit for bit: random field and right-hand side, a grid that is neither
 * square nor a multiple of any block, every kernel. Skipped without a GPU. */
#include <unistd.h>

#include "kernels/cuda/device/names.h"
#include "tests/gpu/gpu.h"

/* The same settings on both, apart from those of the GPU; `cycles` cycles. */
static void compare(const char *common, const char *gpu_only, int64_t cycles)
{
    char what[600], settings[512];
    for (int prec = 0; prec < 2; prec++)
        for (int often = 0; often < 2; often++) {
            int every = often ? 1 : 1000000;
            snprintf(settings, sizeof settings,
                     "%s problem random precision %s check-every %d until 0", common,
                     prec ? "f32" : "f64", every);
            ss_run *cpu = open_on("cpu", settings);
            snprintf(what, sizeof what, "%s backend cuda %s", settings, gpu_only);
            ss_run *gpu = open_run(what);
            step_run(cpu, cycles);
            step_run(gpu, cycles);
            check_fields(cpu, gpu, what);
            CHECK_MSG(fabs(cpu->residual - gpu->residual) <= 1e-12 * cpu->residual,
                      "%s: |r| is %.17g, not %.17g", what, gpu->residual, cpu->residual);
            ss_run_close(cpu);
            ss_run_close(gpu);
        }
}

static const struct {
    const char *settings;
    int dim;
} grids[] = {
    {"equation poisson2d solver %s n 203 ny 131", 2},
    {"equation poisson2d solver %s n 1024 ny 1024", 2},
    {"equation poisson2d solver %s n 5 ny 300", 2},
    {"equation poisson1d solver %s n 203 copies 131", 1},
    {"equation poisson1d solver %s n 5001 copies 1", 1},
    {"equation plane solver %s n 203 ny 131 west -1.3 east 0.45 south -0.9 north -1.7 diagonal 4.7",
     2},
    {"equation line solver %s n 203 copies 131 west -1.3 east 0.45 diagonal 2.7", 1},
    {"equation advdiff2d solver %s n 131 ny 203 scheme upwind", 2},
};

enum { LARGE = 1 }; /* few cycles on this grid */

static const char *const kernels[] = {"naive", "padded",   "texture", "smem-packed",
                                      "smem",  "unrolled", "vector"};

/* Every kernel on one of the grids. */
static void ladder(int g)
{
    static const char *const more[] = {"launch graph", "launch stream", "tpb-x 64 tpb-y 3",
                                       "tpb-x 256 tpb-y 1"};
    char common[256], only[256];
    need_gpu();
    for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++)
        for (size_t m = 0; m < 4; m++) {
            snprintf(common, sizeof common, grids[g].settings, "jacobi");
            snprintf(only, sizeof only, "kernel %s %s", kernels[k], more[m]);
            compare(common, only, (g == LARGE ? 5 : 37) + 64 * (m == 0));
        }
}

static void tiles(int g, const char *tile)
{
    static const char *const plane[] = {
        "k 1 block 32",
        "k 7 block 32 overlap 6 overlap-y 4",
        "k 8 block 30 block-y 17 overlap 4 overlap-y 2",
        "k 16 block 48 block-y 32 overlap 30 overlap-y 20",
        "k 5 block 64 block-y 64 overlap 2",
        "k 9 block 128 block-y 64 overlap 8",
        "k 9 block 33 block-y 128 overlap 8",
        "k 4 block 100 block-y 20 overlap 0",
    };
    static const char *const line[] = {
        "k 1 block 32",
        "k 7 block 32 overlap 6",
        "k 16 block 64 overlap 30",
        "k 8 block 100 overlap 2",
        "k 40 block 256 overlap 8",
        "k 9 block 500 overlap 16",
    };
    char common[256];
    need_gpu();
    for (size_t m = 0; m < (grids[g].dim > 1 ? 8 : 6); m++) {
        int n = snprintf(common, sizeof common, grids[g].settings, "shared");
        snprintf(common + n, sizeof common - (size_t)n, " %s",
                 grids[g].dim > 1 ? plane[m] : line[m]);
        compare(common, tile, (g == LARGE ? 2 : 5) + 64 * (m == 0));
    }
}

/* One test per grid. */
#define ON_GRID(NUMBER, NAME)                                                                      \
    TEST(gpu, jacobi_kernels_##NAME)                                                               \
    {                                                                                              \
        ladder(NUMBER);                                                                            \
    }                                                                                              \
    TEST(gpu, memory_tiles_##NAME)                                                                 \
    {                                                                                              \
        tiles(NUMBER, "tile memory");                                                              \
    }                                                                                              \
    TEST(gpu, register_tiles_##NAME)                                                               \
    {                                                                                              \
        tiles(NUMBER, "tile register");                                                            \
    }

ON_GRID(0, plane)
ON_GRID(1, large_plane)
ON_GRID(2, narrow_plane)
ON_GRID(3, lines)
ON_GRID(4, long_line)
ON_GRID(5, pentadiagonal)
ON_GRID(6, tridiagonal)
ON_GRID(7, advection)

static void configure(ss_run *run, const char *row, const char *value)
{
    ss_err err = {0};
    ss_config cfg = run->cfg;
    CHECK_MSG(ss_config_set(&cfg, row, value, &err) == SS_OK, "%s", err.text);
    CHECK_MSG(ss_run_configure(run, &cfg, &err) == SS_OK, "%s", err.text);
}

/* Another right-hand side after an odd number of cycles: kernels that cache it and graphs that
 * start with one of the fields must notice the change. */
TEST(gpu, the_seed_can_change_during_a_run)
{
    static const char *const solvers[] = {
        "solver jacobi kernel naive",    "solver jacobi kernel padded",
        "solver jacobi kernel texture",  "solver jacobi kernel smem",
        "solver jacobi kernel unrolled", "solver jacobi kernel vector",
        "solver shared k 3 block 32",    "solver persistent",
    };
    char settings[256];
    need_gpu();
    for (size_t s = 0; s < sizeof solvers / sizeof *solvers; s++)
        for (int every = 1; every < 4; every++) {
            snprintf(settings, sizeof settings,
                     "equation poisson2d n 203 ny 131 problem random check-every %d until 0 %s",
                     every, solvers[s]);
            ss_run *gpu = open_on("cuda", settings);
            step_run(gpu, 37);
            configure(gpu, "seed", "7");
            step_run(gpu, 101);
            /* The CPU has no kernels and no persistent: classic, or shared. */
            snprintf(settings, sizeof settings,
                     "equation poisson2d n 203 ny 131 problem random seed 7 until 0 %s",
                     strstr(solvers[s], "shared") ? solvers[s] : "solver jacobi");
            ss_run *cpu = open_on("cpu", settings);
            step_run(cpu, 101);
            check_fields(cpu, gpu, solvers[s]);
            /* And again with the captured graphs. */
            CHECK_INT(ss_run_reset(gpu, NULL), SS_OK);
            step_run(gpu, 101);
            check_fields(cpu, gpu, solvers[s]);
            ss_run_close(cpu);
            ss_run_close(gpu);
        }
}

/* A field from a file, after an odd number of cycles: cycle 0 begins with the other array. */
TEST(gpu, a_loaded_field_replaces_the_field_during_a_run)
{
    char path[64], settings[256];
    need_gpu();
    snprintf(path, sizeof path, "/tmp/ss-start-%d.npy", (int)getpid());
    for (int every = 1; every < 5; every++) {
        snprintf(settings, sizeof settings,
                 "equation poisson2d solver jacobi n 203 ny 131 problem random check-every %d "
                 "until 0",
                 every);
        ss_run *cpu = open_on("cpu", settings), *gpu = open_on("cuda", settings);
        step_run(gpu, 37);
        step_run(cpu, 37);
        CHECK_INT(ss_run_save(cpu, path, NULL), SS_OK);
        CHECK_INT(ss_run_load(cpu, path, NULL), SS_OK);
        CHECK_INT(ss_run_load(gpu, path, NULL), SS_OK);
        step_run(cpu, 101);
        step_run(gpu, 101);
        check_fields(cpu, gpu, settings);
        CHECK_MSG(fabs(cpu->residual - gpu->residual) <= 1e-12 * cpu->residual,
                  "%s: |r| is %.17g, not %.17g", settings, gpu->residual, cpu->residual);
        ss_run_close(cpu);
        ss_run_close(gpu);
    }
    remove(path);
}

TEST(gpu, a_tile_reports_its_shared_memory_and_registers)
{
    need_gpu();
    ss_run *run = open_on("cuda", "equation poisson2d solver shared n 300 block 32 tile memory");
    CHECK_MSG(run->tile_bytes > 8 * 32 * 32 && run->tile_bytes < run->tile_room, "%g of %g",
              run->tile_bytes, run->tile_room);
    configure(run, "tile", "register");
    CHECK_MSG(run->tile_bytes > 2 * 8 * 32 * 32 && run->tile_bytes < run->tile_room, "%g of %g",
              run->tile_bytes, run->tile_room);
    configure(run, "solver", "jacobi");
    CHECK(run->tile_room <= 0);
    ss_run_close(run);
}

/* Sums over a thread block are reduced warp by warp. */
TEST(gpu, threads_are_whole_warps)
{
    static const char *const solvers[] = {"equation poisson2d solver jacobi n 100",
                                          "equation poisson3d solver jacobi"};
    need_gpu();
    for (size_t s = 0; s < sizeof solvers / sizeof *solvers; s++) {
        ss_err err = {0};
        ss_run *run = open_on("cuda", solvers[s]);
        ss_config cfg = run->cfg;
        CHECK(ss_config_set(&cfg, "tpb-x", "48", &err) == SS_OK);
        CHECK(ss_run_configure(run, &cfg, &err) == SS_FAIL);
        CHECK_MSG(strstr(err.text, "choose 32 or 64"), "%s", err.text);
        step_run(run, 2); /* unchanged settings */
        ss_run_close(run);
    }
}

/* Persistent against classic. */
TEST(gpu, persistent_is_jacobi)
{
    static const char *const problems[] = {
        "equation poisson2d n 203 ny 131",
        "equation poisson2d n 1024 ny 1024",
        "equation poisson2d n 20 ny 700",
        "equation poisson2d n 1000 ny 900",
        "equation poisson1d n 300 copies 131",
        "equation poisson1d n 1024 copies 1000",
        "equation poisson1d n 9000 copies 5",
        "equation plane n 203 ny 131 west -1.3 east 0.45 south -0.9 north -1.7 diagonal 4.7",
        "equation plane n 20 ny 700 west -1.3 east 0.45 south -0.9 north -1.7 diagonal 4.7",
        "equation line n 300 copies 131 west -1.3 east 0.45 diagonal 2.7",
        "equation advdiff2d n 500 ny 300 scheme upwind",
    };
    static const int every[] = {1, 2, 3, 5, 8};
    char text[512];
    need_gpu();
    for (size_t i = 0; i < sizeof problems / sizeof *problems; i++)
        for (size_t e = 0; e < sizeof every / sizeof *every; e++)
            for (int variant = 0; variant < 4; variant++) {
                const char *prec = variant % 2 ? "f32" : "f64";
                int check = variant / 2 ? 1 : 1000000;
                snprintf(text, sizeof text,
                         "%s solver jacobi problem random until 0 precision %s check-every %d",
                         problems[i], prec, check);
                ss_run *cpu = open_on("cpu", text);
                snprintf(text, sizeof text,
                         "%s solver persistent problem random until 0 precision %s check-every %d "
                         "every %d",
                         problems[i], prec, check, every[e]);
                ss_run *gpu = open_on("cuda", text);
                step_run(cpu, 50);
                step_run(gpu, 17);
                step_run(gpu, 33);
                check_fields(cpu, gpu, text);
                ss_run_close(cpu);
                ss_run_close(gpu);
            }
}

/* Each rung stops at the CPU's cycle with the CPU's field, whether its norm is a pass of its own or
 * part of the cycle. */
TEST(gpu, every_kernel_stops_at_the_same_cycle)
{
    static const char *const problems[] = {
        "equation poisson2d solver jacobi n 45 ny 20 until 1e-2 check-every 1",
        "equation poisson2d solver jacobi n 45 ny 20 until 1e-2 check-every 6",
        "equation poisson2d solver jacobi n 45 ny 20 until 1e-2 check-every 7 precision f32",
        "equation poisson1d solver jacobi n 45 copies 9 until 1e-1 check-every 7",
    };
    static const char *const launches[] = {"graph", "stream"};
    char settings[256];
    ss_err err = {0};
    need_gpu();
    for (size_t i = 0; i < sizeof problems / sizeof *problems; i++) {
        ss_run *cpu = open_on("cpu", problems[i]);
        while (cpu->status == SS_RUNNING)
            CHECK_INT(ss_run_step(cpu, 100, &err), SS_OK);
        for (int k = 0; k < 12; k++) {
            snprintf(settings, sizeof settings, "%s kernel %s launch %s", problems[i],
                     kernels[k / 2], launches[k % 2]);
            ss_run *gpu = open_on("cuda", settings);
            while (gpu->status == SS_RUNNING)
                CHECK_MSG(ss_run_step(gpu, 333, &err) == SS_OK, "%s", err.text);
            CHECK_INT(gpu->status, SS_CONVERGED);
            CHECK_MSG(gpu->cycle == cpu->cycle, "%s: cycle %lld, not %lld", settings,
                      (long long)gpu->cycle, (long long)cpu->cycle);
            CHECK_MSG(fabs(cpu->residual - gpu->residual) <= 1e-12 * cpu->residual,
                      "%s: |r| is %.17g, not %.17g", settings, gpu->residual, cpu->residual);
            check_fields(cpu, gpu, settings);
            ss_run_close(gpu);
        }
        ss_run_close(cpu);
    }
}

/* Kernels are written for an equation: another steady one of the same dimension must not use them.
 * Needs no GPU. */
TEST(gpu, an_equation_without_kernels_is_refused)
{
    ss_err err = {0};
    int update = 0, other = 0;
    ss_tables_init();
    for (int i = 0; ss_equations[i]; i++) {
        const ss_equation *eq = ss_equations[i];
        CHECK_INT(ss_cuda_update_of(eq, &update, &err), SS_OK);
        CHECK_INT(update >= 0, eq->kind == SS_STEADY && !eq->patches);
        if (update < 0)
            continue;
        ss_equation copy = *eq;
        copy.name = "helmholtz2d";
        CHECK_INT(ss_cuda_update_of(&copy, &other, &err), SS_FAIL);
        CHECK_MSG(strstr(err.text, "equation helmholtz2d:"), "%s", err.text);
    }
}

/* The same cycle and field, also with a residual check only every few cycles. */
TEST(gpu, convergence_is_exact)
{
    static const char *const runs[] = {
        "equation poisson2d solver jacobi n 64 until 1e-3",
        "equation poisson2d solver jacobi n 64 until 1e-3 check-every 7",
        "equation poisson2d solver jacobi n 64 until 1e-3 check-every 100",
        "equation poisson2d solver shared n 256 k 16 until 1e-2",
        "equation poisson2d solver persistent n 64 until 1e-3",
        "equation poisson2d solver persistent n 64 until 1e-3 check-every 7",
        "equation poisson1d solver persistent n 64 copies 3 until 1e-3",
        "equation poisson1d solver shared n 1024 k 16 overlap 4 until 1e-2 check-every 3",
    };
    need_gpu();
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        ss_err err = {0};
        char same[256];
        snprintf(same, sizeof same, "%s", runs[i]);
        ss_run *gpu = open_on("cuda", runs[i]);
        char *name = strstr(same, "persistent");
        if (name)
            memcpy(name, "jacobi    ", 10);
        ss_run *cpu = open_on("cpu", same);
        while (cpu->status == SS_RUNNING)
            CHECK_INT(ss_run_step(cpu, 100, &err), SS_OK);
        while (gpu->status == SS_RUNNING)
            CHECK_MSG(ss_run_step(gpu, 333, &err) == SS_OK, "%s", err.text);
        CHECK_INT(gpu->status, SS_CONVERGED);
        CHECK_INT(gpu->cycle, cpu->cycle);
        check_fields(cpu, gpu, runs[i]);
        ss_run_close(cpu);
        ss_run_close(gpu);
    }
}
