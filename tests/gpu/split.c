/* Hybrid runs, a CPU beside a GPU, against the CPU, bit for bit; and the rungs of the ladder that
 * the paper on asynchronous methods has besides. Skipped without a GPU. */
#include <unistd.h>

#include "tests/gpu/gpu.h"

static void open_both(const char *common, const char *gpu_only, ss_run **cpu, ss_run **gpu)
{
    char text[600];
    snprintf(text, sizeof text, "%s %s", common, gpu_only);
    *cpu = open_on("cpu", common);
    *gpu = open_on("cuda", text);
}

static void check_norms(const ss_run *cpu, const ss_run *gpu, const char *what)
{
    CHECK_INT(gpu->residual_cycle, cpu->residual_cycle);
    CHECK_MSG(fabs(cpu->residual - gpu->residual) <= 1e-12 * cpu->residual,
              "%s: |r| is %.17g, not %.17g", what, gpu->residual, cpu->residual);
}

/* Steps that begin and end anywhere between two exchanges, with either array. */
static void compare(const char *common, const char *gpu_only)
{
    static const int every[] = {1, 3, 1000000};
    char settings[400], what[600];
    for (int prec = 0; prec < 2; prec++)
        for (int often = 0; often < 3; often++) {
            ss_run *cpu, *gpu;
            snprintf(settings, sizeof settings, "%s precision %s check-every %d until 0", common,
                     prec ? "f32" : "f64", every[often]);
            snprintf(what, sizeof what, "%s %s", settings, gpu_only);
            open_both(settings, gpu_only, &cpu, &gpu);
            for (int steps = 37; steps > 0; steps /= 3) {
                step_run(cpu, steps);
                step_run(gpu, steps);
                check_fields(cpu, gpu, what);
            }
            check_norms(cpu, gpu, what);
            close_both(cpu, gpu);
        }
}

static const char *const planes[] = {
    "equation poisson2d solver jacobi n 203 ny 131 problem random",
    "equation poisson2d solver jacobi n 70 ny 300 problem random",
    "equation poisson2d solver jacobi n 5 ny 60 problem random",
};
enum { NPLANE = sizeof planes / sizeof *planes };

TEST(split, has_the_bits_of_the_cpu)
{
    static const char *const kernels[] = {"padded", "smem", "unrolled", "vector"};
    static const int rows[] = {1, 17, 44};
    char only[128];
    need_gpu();
    for (int g = 0; g < NPLANE; g++)
        for (int k = 0; k < 4; k++) {
            snprintf(only, sizeof only, "split %d kernel %s", rows[(g + k) % 3], kernels[k]);
            compare(planes[g], only);
        }
    compare(planes[0], "split 130 kernel vector");
}

TEST(split, deep_halos_have_the_bits_of_the_cpu)
{
    static const int exchanges[] = {2, 3, 4, 9};
    char only[128];
    need_gpu();
    for (int g = 0; g < NPLANE; g++)
        for (int e = 0; e < 4; e++) {
            snprintf(only, sizeof only, "split %d exchange %d", 9 + 8 * e, exchanges[e]);
            compare(planes[g], only);
        }
}

/* More rows than one thread of the CPU updates. */
TEST(split, a_large_plane_has_the_bits_of_the_cpu)
{
    need_gpu();
    compare("equation poisson2d solver jacobi n 1500 ny 900 problem random threads 3", "split 400");
}

TEST(split, stops_at_the_same_cycle)
{
    static const char *const problems[] = {
        "equation poisson2d solver jacobi n 45 ny 40 until 1e-2 check-every 1",
        "equation poisson2d solver jacobi n 45 ny 40 until 1e-2 check-every 6",
        "equation poisson2d solver jacobi n 45 ny 40 until 1e-2 check-every 7 precision f32",
    };
    need_gpu();
    for (size_t i = 0; i < sizeof problems / sizeof *problems; i++)
        for (int k = 1; k < 6; k += 2) {
            char only[128];
            ss_err err = {0};
            ss_run *cpu, *gpu;
            snprintf(only, sizeof only, "split 11 exchange %d", k);
            open_both(problems[i], only, &cpu, &gpu);
            while (cpu->status == SS_RUNNING)
                CHECK_INT(ss_run_step(cpu, 100, &err), SS_OK);
            while (gpu->status == SS_RUNNING)
                CHECK_MSG(ss_run_step(gpu, 333, &err) == SS_OK, "%s", err.text);
            CHECK_INT(gpu->status, SS_CONVERGED);
            CHECK_INT(gpu->cycle, cpu->cycle);
            check_norms(cpu, gpu, problems[i]);
            check_fields(cpu, gpu, problems[i]);
            for (int r = 0; r < 2; r++) { /* and it goes on from there */
                ss_run *run = r ? gpu : cpu;
                run->tol = 0;
                run->status = SS_RUNNING;
                step_run(run, 13);
            }
            check_fields(cpu, gpu, problems[i]);
            close_both(cpu, gpu);
        }
}

/* Rows move between the parts, and to a solver that knows of none. */
TEST(split, settings_change_during_a_run)
{
    static const char *const changes[][2] = {
        {"split", "70"},      {"exchange", "4"},    {"split", "auto"}, {"split", "9"},
        {"kernel", "padded"}, {"solver", "shared"}, {"k", "5"},        {"solver", "jacobi"},
        {"split", "off"},     {"split", "33"},      {"seed", "7"},
    };
    ss_run *cpu, *gpu;
    need_gpu();
    open_both("equation poisson2d solver jacobi n 203 ny 131 problem random until 0", "split 20",
              &cpu, &gpu);
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        const char *name = changes[i][0];
        bool gpu_only = strcmp(name, "split") == 0 || strcmp(name, "exchange") == 0 ||
                        strcmp(name, "kernel") == 0;
        step_run(cpu, 7);
        step_run(gpu, 7);
        if (!gpu_only)
            change_run(cpu, name, changes[i][1]);
        change_run(gpu, name, changes[i][1]);
        check_fields(cpu, gpu, name);
    }
    step_run(cpu, 71);
    step_run(gpu, 71);
    check_fields(cpu, gpu, "after all changes");
    CHECK_INT(ss_run_reset(cpu, NULL), SS_OK);
    CHECK_INT(ss_run_reset(gpu, NULL), SS_OK);
    step_run(cpu, 9);
    step_run(gpu, 9);
    check_fields(cpu, gpu, "after a reset");
    close_both(cpu, gpu);
}

/* A stroke over the boundary of the parts, a file, the norm on request, the start of a cycle. */
TEST(split, strokes_files_and_norms_see_both_parts)
{
    char path[64];
    need_gpu();
    snprintf(path, sizeof path, "/tmp/ss-split-%d.npy", (int)getpid());
    for (int k = 1; k < 6; k += 4) {
        char only[64];
        double norm[2];
        ss_run *cpu, *gpu;
        snprintf(only, sizeof only, "split 60 exchange %d", k);
        open_both("equation poisson2d solver jacobi n 203 ny 131 problem random until 0", only,
                  &cpu, &gpu);
        for (int r = 0; r < 2; r++) {
            ss_run *run = r ? gpu : cpu;
            step_run(run, 7);
            paint_run(run, "paint 60.5 64 17 0.25");
            step_run(run, 8);
            CHECK_INT(run->backend->reduce(run, &norm[r], NULL, NULL, NULL), SS_OK);
        }
        CHECK_MSG(fabs(norm[0] - norm[1]) <= 1e-12 * norm[0], "%.17g, not %.17g", norm[1], norm[0]);
        CHECK(cpu->start_kept && gpu->start_kept);
        double *a = get_field(cpu, START), *b = get_field(gpu, START);
        CHECK(memcmp(a, b, 203 * 131 * sizeof *a) == 0);
        free(a);
        free(b);
        check_fields(cpu, gpu, "a stroke");
        step_run(cpu, 3);
        step_run(gpu, 3);
        check_fields(cpu, gpu, "after the start of a cycle was read");
        CHECK_INT(ss_run_save(gpu, path, NULL), SS_OK);
        step_run(gpu, 5);
        CHECK_INT(ss_run_load(gpu, path, NULL), SS_OK);
        CHECK_INT(ss_run_load(cpu, path, NULL), SS_OK);
        step_run(cpu, 5);
        step_run(gpu, 5);
        check_fields(cpu, gpu, "a file");
        close_both(cpu, gpu);
    }
    remove(path);
}

/* Pictures while it runs. */
TEST(split, pictures_show_the_rows_of_both_parts)
{
    static const ss_layer layers[] = {SS_VALUE, SS_RESIDUAL};
    ss_run *cpu, *gpu;
    need_gpu();
    open_both("equation poisson2d solver jacobi n 203 ny 131 problem random until 0",
              "split 40 exchange 3", &cpu, &gpu);
    for (int i = 0; i < 6; i++) {
        ss_picture a = new_picture(64, 33), b = new_picture(64, 33);
        ss_view view = view_of(layers[i % 2]);
        step_run(cpu, 5);
        step_run(gpu, 5);
        take(cpu, &view, &a);
        take(gpu, &view, &b);
        for (int c = 0; c < a.w * a.h; c++)
            CHECK_MSG(memcmp(&a.cell[c], &b.cell[c], sizeof *a.cell) == 0,
                      "cell (%d, %d) is %.9g, not %.9g", c % a.w, c / a.w, (double)b.cell[c],
                      (double)a.cell[c]);
        free_picture(&a);
        free_picture(&b);
    }
    check_fields(cpu, gpu, "after pictures");
    close_both(cpu, gpu);
}

/* `auto` settles, or leaves the rows to the GPU with a sentence; both have the right bits. */
TEST(split, auto_settles_or_gives_the_cpu_up)
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

TEST(split, what_cannot_be_shared_is_refused_with_a_reason)
{
    static const char *const cases[][2] = {
        {"equation poisson2d solver jacobi n 64 split half", "neither off, auto nor a number"},
        {"equation poisson2d solver jacobi n 64 split 64", "out of range 1\xe2\x80\xa6"
                                                           "63"},
        {"equation poisson2d solver jacobi n 64 split 2 exchange 5", "out of range 5\xe2\x80\xa6"
                                                                     "59"},
        {"equation poisson2d solver jacobi n 64 ny 7 split auto exchange 5", "too few"},
        {"equation poisson2d solver jacobi n 64 split 9 kernel naive", "whole array"},
        {"equation poisson2d solver jacobi n 64 split 9 kernel smem-packed", "whole array"},
        {"equation poisson2d solver jacobi n 64 split auto kernel texture", "whole array"},
        {"equation poisson1d solver jacobi n 64 copies 64 split 9", "has lines"},
    };
    need_gpu();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char settings[300];
        snprintf(settings, sizeof settings, "%s backend cuda", cases[i][0]);
        refused(settings, cases[i][1]);
    }
    setenv("STENCILSCOPE_CUDA_TWICE", "1", 1);
    refused("equation poisson2d solver jacobi n 64 split 9 devices 0,0 backend cuda", "one GPU");
    unsetenv("STENCILSCOPE_CUDA_TWICE");
}

/* --- rungs ------------------------------------------------------------------------------------ */

TEST(ladder, inline_has_the_bits_of_the_array)
{
    static const char *const grids[] = {"n 203 ny 131", "n 5 ny 300", "n 64 ny 1", "n 1 ny 1",
                                        "n 1 ny 64"};
    static const char *const problems[] = {"paper", "spike"};
    char common[200];
    need_gpu();
    for (int g = 0; g < 5; g++)
        for (int p = 0; p < 2; p++) {
            snprintf(common, sizeof common, "equation poisson2d solver jacobi %s problem %s",
                     grids[g], problems[p]);
            compare(common, "kernel inline");
            compare(common, "kernel inline launch stream tpb-x 64 tpb-y 3");
        }
    compare("equation poisson2d solver jacobi n 203 ny 131 problem spike",
            "kernel inline split 65 exchange 3");
    compare("equation poisson2d solver jacobi n 203 ny 131 problem spike",
            "kernel inline split 80");
}

TEST(ladder, inline_refuses_what_is_no_function)
{
    need_gpu();
    refused("equation poisson2d solver jacobi n 64 problem random kernel inline backend cuda",
            "random");
    refused("equation poisson1d solver jacobi n 64 kernel inline backend cuda", "kernel vector");
}

TEST(ladder, smem_packed_has_the_bits_of_the_cpu)
{
    need_gpu();
    for (int g = 0; g < NPLANE; g++)
        compare(planes[g], "kernel smem-packed");
    compare("equation poisson1d solver jacobi n 203 copies 31 problem random",
            "kernel smem-packed tpb-x 64 tpb-y 3");
}
