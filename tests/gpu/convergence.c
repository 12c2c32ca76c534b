/* Convergence on the GPU where its bits are not the CPU's, or not alone: counts of the literature,
 * chaotic orders, which are races, norms and times of runs that several devices share. Skipped
 * without a GPU. */
#include <unistd.h>

#include "tests/gpu/gpu.h"
#include "tests/windows.h"

static int64_t cycles_on_gpu(const char *settings)
{
    char text[200];
    snprintf(text, sizeof text, "equation %s until 1e-4 backend cuda", settings);
    return cycles_of(text);
}

/* Iterations with the best omega and with Jacobi's spectral radius; cycles of multigrid. */
TEST(convergence, counts_are_those_of_the_literature)
{
    static const struct {
        const char *settings;
        int64_t count;
    } cases[] = {
        {"poisson2d solver sor n 64", 116},
        {"poisson2d solver sor n 64 omega 1.5", 871},
        {"poisson2d solver sor n 127", 221},
        {"poisson2d solver sor n 256", 431},
        {"poisson2d solver sor n 256 kernel interleaved", 431},
        {"poisson2d solver sor n 256 kernel split", 431},
        {"poisson2d solver sor n 64 omega 1", 2275},
        {"poisson2d solver chebyshev n 127", 387},
        {"poisson1d solver sor n 1024", 1598},
        {"poisson2d solver multigrid n 63", 5},
        {"poisson2d solver multigrid n 127", 5},
        {"poisson2d solver multigrid n 511", 5},
        {"poisson2d solver multigrid n 127 precision f32", 5},
        {"poisson2d solver multigrid n 255 launch stream", 5},
        {"poisson1d solver sor n 1024 kernel split", 1598},
        {"poisson2d solver cg n 127", 169},
        {"poisson2d solver cg n 127 variant pipelined", 169},
        {"poisson2d solver cg n 127 variant s-step", 43},
        {"poisson2d solver cg n 127 precision f32", 169},
    };
    need_gpu();
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        int64_t cycles = cycles_on_gpu(cases[c].settings);
        CHECK_MSG(cycles == cases[c].count, "%s: %lld iterations, not %lld", cases[c].settings,
                  (long long)cycles, (long long)cases[c].count);
    }
}

/* --- chaotic orders --------------------------------------------------------------------------- */

/* They smooth about as well as the lexicographic one. */
TEST(convergence, cycles_of_multigrid_do_not_grow_with_the_patch)
{
    static const char *const methods[] = {
        "smoother block-jacobi", "smoother block-gs order lexicographic", "smoother block-gs",
        "smoother block-gs ghost mirror", "smoother block-gs inverse dense"};
    need_patches();
    for (int m = 0; m < 5; m++)
        for (int patch = 16; patch <= 128; patch *= 2) {
            char text[160];
            snprintf(text, sizeof text, "poisson3d solver multigrid %s patch %d", methods[m],
                     patch);
            int64_t cycles = cycles_on_gpu(text);
            CHECK_MSG(cycles >= 2 && cycles <= 5, "%s: %lld cycles", text, (long long)cycles);
        }
    CHECK(cycles_on_gpu("poisson3d solver multigrid patch 16 px 4 py 2 pz 2") <= 4);
    CHECK(cycles_on_gpu("poisson3d solver multigrid sizes 16,24,32 smoother block-gs") <= 4);
    /* Without the coarsest grids the smooth part of the error remains. */
    CHECK(cycles_on_gpu("poisson3d solver multigrid patch 64 levels 2 problem smooth") > 15);
}

/* |r3| / |r0| of 64^3 cells from the random start. The colours of the blocks keep the hardware's
 * order near the lexicographic one. */
TEST(convergence, chaotic_order_is_a_smoother)
{
    static const struct {
        const char *settings;
        double lexicographic;
    } cases[] = {{"bx 2", .021737874},
                 {"bx 4", .013990269},
                 {"bx 8", .010055430},
                 {"bx 8 inverse dense", .010055430}};
    need_patches();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int each = 0; each < 2; each++) {
            char text[200];
            snprintf(text, sizeof text, "equation poisson3d solver block-gs %s until 0",
                     cases[i].settings);
            ss_run *run = open_on("cuda", text);
            double first, last;
            CHECK_INT(run->backend->reduce(run, &first, NULL, NULL, NULL), SS_OK);
            for (int step = 0; step < (each ? 3 : 1); step++)
                step_run(run, each ? 1 : 3);
            CHECK_INT(run->backend->reduce(run, &last, NULL, NULL, NULL), SS_OK);
            double ratio = last / first / cases[i].lexicographic;
            CHECK_MSG(ratio > 0.8 && ratio < 1.3, "%s: %g times the lexicographic one", text,
                      ratio);
            ss_run_close(run);
        }
}

/* --- norms on request ------------------------------------------------------------------------- */

/* Norm and largest error of the whole field, on slabs and parts, and of patches after an upload: a
 * field from outside has no ghosts. */
TEST(convergence, reductions_are_those_of_the_cpu)
{
    static const char *const cases[][2] = {
        {"equation poisson2d solver jacobi n 203 ny 131 problem random until 0",
         "exchange 3 devices 0,0,0"},
        {"equation poisson2d solver jacobi n 203 ny 131 problem random until 0",
         "exchange 5 split 60"},
        {"equation poisson3d solver block-jacobi bx 4 patch 13 px 2 py 2 until 0", ""},
        {"equation poisson3d solver block-jacobi bx 4 patch 16 px 2 pz 3 ghost mirror until 0", ""},
    };
    need_gpu();
    setenv("STENCILSCOPE_CUDA_TWICE", "1", 1);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[200];
        if (strstr(cases[i][0], "poisson3d") && why_no_patches())
            continue;
        snprintf(text, sizeof text, "%s %s", cases[i][0], cases[i][1]);
        ss_run *run[2] = {open_on("cpu", cases[i][0]), open_on("cuda", text)};
        double *ref = malloc(cells_of(run[0]) * sizeof *ref), norm[2], most[2];
        for (size_t c = 0; c < cells_of(run[0]); c++)
            ref[c] = ss_random_unit(17, c);
        for (int upload = 0; upload < 2; upload++) {
            for (int r = 0; r < 2; r++) {
                step_run(run[r], 10);
                if (upload)
                    set_window(run[r], FIELD, ref);
                CHECK_INT(run[r]->backend->reduce(run[r], &norm[r], ref, &most[r], NULL), SS_OK);
            }
            CHECK_NEAR(norm[1], norm[0], 1e-12 * norm[0]);
            CHECK(most[0] == most[1] && (most[0] > 0) != upload);
        }
        free(ref);
        close_both(run[0], run[1]);
    }
    unsetenv("STENCILSCOPE_CUDA_TWICE");
}

/* --- where the time goes ---------------------------------------------------------------------- */

/* For the panel of costs: interior, edge, exchange and wait of each device. */
TEST(convergence, where_the_time_of_devices_goes_is_measured)
{
    static const char *const settings[] = {"exchange 1", "exchange 3", "check-every 3"};
    need_gpu();
    setenv("STENCILSCOPE_CUDA_TWICE", "1", 1);
    for (int i = 0; i < 3; i++) {
        char text[200];
        snprintf(text, sizeof text,
                 "equation poisson2d solver jacobi n 203 ny 131 until 0 %s devices 0,0",
                 settings[i]);
        ss_run *run = open_on("cuda", text);
        step_run(run, 40);
        usleep(300000); /* it is measured now and then */
        step_run(run, 40);
        CHECK_INT(run->shares.count, 2);
        for (int k = 0; k < 2; k++) {
            const ss_share *s = &run->shares.of[k];
            CHECK_MSG(s->interior > 0 && s->edge > 0 && s->exchange > 0 && s->wait >= 0,
                      "%s: %g %g %g %g", settings[i], s->interior, s->edge, s->exchange, s->wait);
        }
        ss_run_close(run);
    }
    unsetenv("STENCILSCOPE_CUDA_TWICE");
}

/* `split auto` settles, or leaves the rows to the GPU with a sentence; both have the right bits. */
TEST(convergence, split_auto_settles_or_gives_the_cpu_up)
{
    static const char *const grids[] = {
        "equation poisson2d solver jacobi n 300 ny 200 problem random until 0 check-every 1000000",
        "equation poisson2d solver jacobi n 4096 ny 4096 problem random until 0 check-every "
        "1000000"};
    need_gpu();
    for (int g = 0; g < (CHECK_SANITIZED ? 1 : 2); g++) {
        ss_run *gpu = open_on("cuda", grids[g]), *split;
        char text[300];
        snprintf(text, sizeof text, "%s split auto", grids[g]);
        split = open_on("cuda", text);
        CHECK(split->split.on && split->split.automatic && split->split.rows > 0);
        for (int i = 0; i < 20000 && split->split.batches < 20 && !split->split.refused[0]; i++)
            step_run(split, g ? 10 : 100);
        CHECK_MSG(split->split.settled || split->split.refused[0], "neither");
        if (split->split.refused[0]) {
            CHECK_INT(split->split.rows, 0);
            CHECK_MSG(strstr(split->split.refused, "GPU alone"), "'%s'", split->split.refused);
        }
        step_run(split, 100);
        step_run(gpu, split->cycle);
        check_fields(gpu, split, grids[g]);
        close_both(gpu, split);
    }
}
