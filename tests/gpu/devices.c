/* A run that several devices share against the CPU, bit for bit. Slabs lie on one device, named
 * several times, so that any machine with a GPU tests them; CHECK_DEVICES=0,1 names others. Skipped
 * without a GPU. */
#include <unistd.h>

#include "kernels/cuda/device/slab_sums.h"
#include "tests/gpu/gpu.h"

#include "src/run/checkpoint.h"

/* So many slabs: "0,0,0", or as many of CHECK_DEVICES in turn. */
static const char *slabs(int count)
{
    static char text[64];
    const char *asked = getenv("CHECK_DEVICES");
    int number[8] = {0}, n = 0;
    for (; asked && *asked && n < 8; asked += *asked == ',')
        number[n++] = (int)strtol(asked, (char **)&asked, 10);
    text[0] = '\0';
    for (int i = 0; i < count; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%d", i ? "," : "",
                 number[n ? i % n : 0]);
    setenv("STENCILSCOPE_CUDA_TWICE", "1", 1);
    return text;
}

/* On the CPU, and on `count` slabs with more settings of their own. */
static void open_both(const char *common, const char *gpu_only, int count, ss_run **cpu,
                      ss_run **gpu)
{
    char text[600];
    snprintf(text, sizeof text, "%s %s devices %s", common, gpu_only, slabs(count));
    *cpu = open_on("cpu", common);
    *gpu = open_on("cuda", text);
}

static void check_norms(const ss_run *cpu, const ss_run *gpu, const char *what)
{
    CHECK_MSG(fabs(cpu->residual - gpu->residual) <= 1e-12 * cpu->residual,
              "%s: |r| is %.17g, not %.17g", what, gpu->residual, cpu->residual);
}

/* Both precisions, with a norm in every cycle and without; `first` and `second` cycles, one step
 * each, so that steps begin and end anywhere in a period and with either array. */
static void compare(const char *common, const char *gpu_only, int count, int first, int second)
{
    char settings[400], what[600];
    for (int prec = 0; prec < 2; prec++)
        for (int often = 0; often < 3; often++) {
            static const int every[] = {1, 3, 1000000};
            ss_run *cpu, *gpu;
            snprintf(settings, sizeof settings,
                     "%s problem random precision %s check-every %d until 0", common,
                     prec ? "f32" : "f64", every[often]);
            snprintf(what, sizeof what, "%s %s, %d slabs", settings, gpu_only, count);
            open_both(settings, gpu_only, count, &cpu, &gpu);
            step_run(cpu, first);
            step_run(gpu, first);
            check_fields(cpu, gpu, what);
            step_run(cpu, second);
            step_run(gpu, second);
            check_fields(cpu, gpu, what);
            check_norms(cpu, gpu, what);
            close_both(cpu, gpu);
        }
}

static const char *const planes[] = {
    "equation poisson2d solver %s n 203 ny 131",
    "equation poisson2d solver %s n 70 ny 300",
    "equation poisson2d solver %s n 5 ny 60",
};
enum { NPLANE = sizeof planes / sizeof *planes };

TEST(devices, jacobi_has_the_bits_of_one_device)
{
    static const char *const kernels[] = {"padded", "smem", "unrolled", "vector"};
    static const char *const launches[] = {"graph", "stream"};
    char common[256], only[128];
    need_gpu();
    for (int g = 0; g < NPLANE; g++)
        for (int k = 0; k < 4; k++)
            for (int l = 0; l < 2; l++) {
                snprintf(common, sizeof common, planes[g], "jacobi");
                snprintf(only, sizeof only, "kernel %s launch %s", kernels[k], launches[l]);
                compare(common, only, 2 + (g + k) % 2, l ? 7 : 97, 36);
            }
}

/* Halos of several rows: the neighbours' updates are repeated between two exchanges. */
TEST(devices, deep_halos_have_the_bits_of_one_device)
{
    static const int exchanges[] = {2, 3, 4, 7, 9};
    char common[256], only[128];
    need_gpu();
    for (int g = 0; g < NPLANE; g++)
        for (int e = 0; e < 5; e++)
            for (int count = 2; count < 4; count++) {
                snprintf(common, sizeof common, planes[g], "jacobi");
                snprintf(only, sizeof only, "exchange %d launch %s", exchanges[e],
                         count % 2 ? "stream" : "graph");
                compare(common, only, count, 71, 23);
            }
}

TEST(devices, lines_have_the_bits_of_one_device)
{
    need_gpu();
    compare("equation poisson1d solver jacobi n 203 copies 31", "kernel vector", 3, 71, 3);
    compare("equation poisson1d solver shared n 203 copies 31 k 7 block 32 overlap 6",
            "tile register", 3, 37, 3);
    compare("equation poisson1d solver shared n 203 copies 31 k 7 block 32 overlap 6",
            "tile memory", 2, 37, 3);
}

TEST(devices, tiles_have_the_bits_of_one_device)
{
    static const char *const plane[] = {
        "k 1 block 32 block-y 16",
        "k 7 block 32 block-y 12 overlap 6 overlap-y 4",
        "k 8 block 30 block-y 17 overlap 4 overlap-y 2",
        "k 16 block 48 block-y 20 overlap 30 overlap-y 12",
        "k 4 block 100 block-y 8 overlap 0",
    };
    static const char *const tile[] = {"tile register", "tile memory",
                                       "tile register launch stream"};
    char common[256];
    need_gpu();
    for (int g = 0; g < 2; g++)
        for (int m = 0; m < 5; m++)
            for (int t = 0; t < 3; t++) {
                int n = snprintf(common, sizeof common, planes[g], "shared");
                snprintf(common + n, sizeof common - (size_t)n, " %s", plane[m]);
                compare(common, tile[t], 2 + (g + m) % 2, t ? 5 : 41, 9);
            }
}

/* One launch per device, which exchange halos while they run. */
TEST(devices, persistent_has_the_bits_of_one_device)
{
    static const char *const problems[] = {"equation poisson2d n 203 ny 131",
                                           "equation poisson2d n 128 ny 300",
                                           "equation poisson2d n 300 ny 400",
                                           "equation plane n 203 ny 131 west -1.3 north -1.7 "
                                           "diagonal 5.1"};
    static const int every[] = {1, 3, 8};
    char common[300], text[400];
    need_gpu();
    for (size_t i = 0; i < sizeof problems / sizeof *problems; i++)
        for (size_t e = 0; e < 3; e++)
            for (int variant = 0; variant < 4; variant++) {
                snprintf(common, sizeof common,
                         "%s problem random until 0 precision %s check-every %d", problems[i],
                         variant % 2 ? "f32" : "f64", variant / 2 ? 1 : 1000000);
                snprintf(text, sizeof text, "%s solver jacobi", common);
                ss_run *cpu = open_on("cpu", text);
                snprintf(text, sizeof text, "%s solver persistent every %d devices %s", common,
                         every[e], slabs(i % 2 ? 3 : 2));
                ss_run *gpu = open_on("cuda", text);
                step_run(cpu, 50);
                step_run(gpu, 50 / 3);
                step_run(gpu, 50 - 50 / 3);
                check_fields(cpu, gpu, text);
                if (variant / 2)
                    check_norms(cpu, gpu, text);
                close_both(cpu, gpu);
            }
}

/* The launch that went too far is repeated from its start. */
TEST(devices, persistent_stops_at_the_same_cycle)
{
    ss_err err = {0};
    char text[300];
    need_gpu();
    ss_run *cpu = open_on("cpu", "equation poisson2d solver jacobi n 70 ny 128 until 3e-2");
    snprintf(text, sizeof text,
             "equation poisson2d solver persistent n 70 ny 128 until 3e-2 devices %s", slabs(2));
    ss_run *gpu = open_on("cuda", text);
    while (cpu->status == SS_RUNNING)
        CHECK_INT(ss_run_step(cpu, 100, &err), SS_OK);
    while (gpu->status == SS_RUNNING)
        CHECK_MSG(ss_run_step(gpu, 333, &err) == SS_OK, "%s", err.text);
    CHECK_INT(gpu->cycle, cpu->cycle);
    check_fields(cpu, gpu, text);
    close_both(cpu, gpu);
}

/* --- time-dependent equations: a line with deep halos ----------------------------------------- */

static void compare_line(const char *settings, const char *gpu_only, int count, int first,
                         int second)
{
    for (int prec = 0; prec < 2; prec++) {
        char text[300], what[400];
        ss_run *cpu, *gpu;
        snprintf(text, sizeof text, "%s precision %s", settings, prec ? "f32" : "f64");
        snprintf(what, sizeof what, "%s %s, %d parts", text, gpu_only, count);
        open_both(text, gpu_only, count, &cpu, &gpu);
        for (int step = 0; step < 2; step++) {
            step_run(cpu, step ? second : first);
            step_run(gpu, step ? second : first);
            char *a = ss_field_download(cpu), *b = ss_field_download(gpu);
            CHECK(a && b && ss_field_bytes(cpu) == ss_field_bytes(gpu));
            CHECK_MSG(memcmp(a, b, ss_field_bytes(cpu)) == 0, "%s: after step %d", what, step + 1);
            free(a);
            free(b);
        }
        close_both(cpu, gpu);
    }
}

TEST(devices, a_line_has_the_bits_of_one_device)
{
    static const char *const lines[] = {
        "equation heat1d solver %s n 2048",
        "equation ks1d solver %s n 2048",
        "equation euler1d solver %s n 1024",
    };
    static const char *const launches[] = {"launch graph", "launch stream"};
    char text[128], only[64];
    need_gpu();
    for (int e = 0; e < 3; e++)
        for (int count = 2; count < 4; count++) {
            snprintf(text, sizeof text, lines[e], "stepper");
            compare_line(text, launches[count % 2], count, 150, 31);
            snprintf(text, sizeof text, lines[e], "swept");
            snprintf(only, sizeof only, "variant %s %s", count % 2 ? "block" : "warp",
                     launches[count % 2]);
            compare_line(text, only, count, 9, 2);
        }
}

/* A remainder shorter than a cycle is done by classic steps, on the parts as well. */
TEST(devices, a_line_ends_at_any_step)
{
    ss_run *cpu, *gpu;
    ss_err err = {0};
    need_gpu();
    open_both("equation euler1d solver swept n 1024 until-time 0.0101", "variant block", 2, &cpu,
              &gpu);
    for (int r = 0; r < 2; r++) {
        ss_run *run = r ? gpu : cpu;
        while (run->status == SS_RUNNING)
            CHECK_MSG(ss_run_step(run, 50, &err) == SS_OK, "%s", err.text);
    }
    CHECK_INT(gpu->step, cpu->step);
    char *a = ss_field_download(cpu), *b = ss_field_download(gpu);
    CHECK(a && b && memcmp(a, b, ss_field_bytes(cpu)) == 0);
    free(a);
    free(b);
    close_both(cpu, gpu);
}

/* The run stops at the CPU's cycle, and its field is the one whose norm stopped it. */
TEST(devices, a_shared_run_stops_at_the_same_cycle)
{
    static const char *const problems[] = {
        "equation poisson2d solver jacobi n 45 ny 40 until 1e-2 check-every 1",
        "equation poisson2d solver jacobi n 45 ny 40 until 1e-2 check-every 6",
        "equation poisson2d solver jacobi n 45 ny 40 until 1e-2 check-every 7 precision f32",
        "equation poisson2d solver shared n 24 ny 80 k 5 block 12 overlap 4 until 1e-2",
    };
    static const char *const settings[] = {"launch graph", "launch stream"};
    need_gpu();
    for (size_t i = 0; i < sizeof problems / sizeof *problems; i++)
        for (int k = 0; k < 10; k++) {
            char only[128];
            ss_err err = {0};
            ss_run *cpu, *gpu;
            bool jacobi = strstr(problems[i], "jacobi") != NULL;
            int n = snprintf(only, sizeof only, "%s", settings[k % 2]);
            if (jacobi)
                snprintf(only + n, sizeof only - (size_t)n, " exchange %d", 1 + k / 2);
            open_both(problems[i], only, 2 + k % 2, &cpu, &gpu);
            while (cpu->status == SS_RUNNING)
                CHECK_INT(ss_run_step(cpu, 100, &err), SS_OK);
            while (gpu->status == SS_RUNNING)
                CHECK_MSG(ss_run_step(gpu, 333, &err) == SS_OK, "%s", err.text);
            CHECK_INT(gpu->status, SS_CONVERGED);
            CHECK_MSG(gpu->cycle == cpu->cycle, "%s, %s: cycle %lld, not %lld", problems[i], only,
                      (long long)gpu->cycle, (long long)cpu->cycle);
            check_norms(cpu, gpu, problems[i]);
            check_fields(cpu, gpu, problems[i]);
            /* And it goes on from there. */
            for (int r = 0; r < 2; r++) {
                ss_run *run = r ? gpu : cpu;
                run->tol = 0;
                run->status = SS_RUNNING;
                step_run(run, 13);
            }
            check_fields(cpu, gpu, problems[i]);
            close_both(cpu, gpu);
        }
}

/* Rows move from device to device when the solver's tiles or the depth of the halo ask for it. */
TEST(devices, settings_change_during_a_run)
{
    static const char *const changes[][2] = {
        {"exchange", "4"}, {"solver", "shared"}, {"block-y", "11"}, {"overlap-y", "6"},
        {"k", "5"},        {"solver", "jacobi"}, {"seed", "7"},     {"exchange", "1"},
    };
    ss_run *cpu, *gpu;
    need_gpu();
    open_both("equation poisson2d solver jacobi n 203 ny 131 problem random until 0", "", 2, &cpu,
              &gpu);
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        step_run(cpu, 7);
        step_run(gpu, 7);
        if (strcmp(changes[i][0], "exchange") != 0)
            change_run(cpu, changes[i][0], changes[i][1]);
        change_run(gpu, changes[i][0], changes[i][1]);
        check_fields(cpu, gpu, changes[i][0]);
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

/* A stroke over the boundary of two slabs, and a field from a file. */
TEST(devices, strokes_and_files_reach_every_slab)
{
    static const char *const exchanges[] = {"exchange 1", "exchange 5"};
    char path[64];
    need_gpu();
    snprintf(path, sizeof path, "/tmp/ss-slabs-%d.npy", (int)getpid());
    for (int e = 0; e < 2; e++) {
        ss_run *cpu, *gpu;
        open_both("equation poisson2d solver jacobi n 203 ny 131 problem random until 0",
                  exchanges[e], 2, &cpu, &gpu);
        for (int r = 0; r < 2; r++) {
            ss_run *run = r ? gpu : cpu;
            step_run(run, 7);
            paint_run(run, "paint 60.5 64 17 0.25");
            step_run(run, 8);
        }
        check_fields(cpu, gpu, "a stroke");
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

/* Without peer access copies pass through the host. */
TEST(devices, devices_without_peer_access_have_the_same_bits)
{
    need_gpu();
    setenv("STENCILSCOPE_CUDA_NO_PEERS", "1", 1);
    compare("equation poisson2d solver jacobi n 203 ny 131", "", 3, 37, 4);
    compare("equation poisson2d solver jacobi n 203 ny 131", "exchange 4", 2, 37, 4);
    compare("equation poisson2d solver shared n 203 ny 131 k 3 block 16 overlap 4", "", 2, 5, 4);
    unsetenv("STENCILSCOPE_CUDA_NO_PEERS");
}

/* The two reductions on request. */
TEST(devices, norm_and_error_are_those_of_the_whole_field)
{
    ss_run *cpu, *gpu;
    need_gpu();
    open_both("equation poisson2d solver jacobi n 203 ny 131 problem random until 0", "exchange 3",
              3, &cpu, &gpu);
    step_run(cpu, 10);
    step_run(gpu, 10);
    size_t points = 203 * 131;
    double *ref = malloc(points * sizeof *ref), norm[2], most[2];
    for (size_t i = 0; i < points; i++)
        ref[i] = ss_random_unit(5, i);
    ss_err err = {0};
    CHECK_INT(cpu->backend->reduce(cpu, &norm[0], ref, &most[0], &err), SS_OK);
    CHECK_MSG(gpu->backend->reduce(gpu, &norm[1], ref, &most[1], &err) == SS_OK, "%s", err.text);
    CHECK_MSG(fabs(norm[0] - norm[1]) <= 1e-12 * norm[0], "%.17g, not %.17g", norm[1], norm[0]);
    CHECK(memcmp(&most[0], &most[1], sizeof *most) == 0);
    free(ref);
    close_both(cpu, gpu);
}

/* For the panel of costs: interior, edge, exchange and wait of each device. */
TEST(devices, where_the_time_goes_is_measured)
{
    static const char *const settings[] = {"exchange 1", "exchange 3", "check-every 3"};
    need_gpu();
    for (int i = 0; i < 3; i++) {
        char text[200];
        snprintf(text, sizeof text,
                 "equation poisson2d solver jacobi n 203 ny 131 until 0 %s devices %s", settings[i],
                 slabs(2));
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

TEST(devices, what_cannot_be_divided_is_refused_with_a_reason)
{
    static const char *const cases[][2] = {
        {"equation poisson2d solver jacobi n 64 devices 99", "there is no device 99"},
        {"equation poisson2d solver jacobi n 64 devices two", "is no list of device numbers"},
        {"equation poisson2d solver jacobi n 64 ny 3 devices %s", "too few for 2 devices"},
        {"equation poisson2d solver jacobi n 64 ny 40 exchange 30 devices %s",
         "out of range 1\xe2\x80\xa6"
         "19"},
        {"equation poisson2d solver jacobi n 64 kernel naive devices %s", "one device only"},
        {"equation poisson2d solver jacobi n 64 kernel texture devices %s", "one device only"},
        {"equation poisson2d solver shared n 64 block-y 64 devices %s", "rows of subdomains"},
        {"equation poisson2d solver persistent n 40 devices %s", "do not fit"},
        {"equation poisson1d solver persistent n 64 copies 9 devices %s", "one device only"},
        {"equation heat1d solver swept n 64 block 64 devices %s", "needs a halo"},
        {"equation heat1d solver swept n 1024 variant hybrid devices %s", "one device only"},
    };
    need_gpu();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[256], settings[300];
        snprintf(text, sizeof text, cases[i][0], slabs(2));
        snprintf(settings, sizeof settings, "%s backend cuda", text);
        refused(settings, cases[i][1]);
    }
    unsetenv("STENCILSCOPE_CUDA_TWICE");
    refused("equation poisson2d solver jacobi n 64 devices 0,0 backend cuda", "named twice");
}

/* A setting that is refused leaves the run as it was. */
TEST(devices, a_refused_change_keeps_the_run)
{
    ss_run *cpu, *gpu;
    ss_err err = {0};
    need_gpu();
    open_both("equation poisson2d solver jacobi n 203 ny 131 problem random until 0", "exchange 3",
              3, &cpu, &gpu);
    step_run(cpu, 4);
    step_run(gpu, 4);
    ss_config cfg = gpu->cfg;
    CHECK_INT(ss_config_set(&cfg, "exchange", "60", &err), SS_OK);
    CHECK_INT(ss_run_configure(gpu, &cfg, &err), SS_FAIL);
    CHECK_MSG(strstr(err.text, "exchange"), "%s", err.text);
    step_run(cpu, 5);
    step_run(gpu, 5);
    check_fields(cpu, gpu, "after a refused change");
    close_both(cpu, gpu);
}

static void list_is_refused(const char *text, int present, const char *sentence)
{
    ss_cuda_devices d;
    ss_err err = {0};
    CHECK_INT(ss_cuda_devices_parse(text, present, false, &d, &err), SS_FAIL);
    CHECK_MSG(strstr(err.text, sentence), "%s: '%s' does not say '%s'", text, err.text, sentence);
}

/* Needs no GPU. */
TEST(devices, a_list_of_devices_is_read)
{
    ss_cuda_devices d;
    ss_err err = {0};
    CHECK_INT(ss_cuda_devices_parse(NULL, 1, false, &d, &err), SS_OK);
    CHECK(ss_cuda_devices_single(&d));
    CHECK_INT(ss_cuda_devices_parse("0", 1, false, &d, &err), SS_OK);
    CHECK(ss_cuda_devices_single(&d));
    CHECK_INT(ss_cuda_devices_parse("2,0,1", 3, false, &d, &err), SS_OK);
    CHECK(d.count == 3 && d.of[0] == 2 && d.of[1] == 0 && d.of[2] == 1);
    CHECK_INT(ss_cuda_devices_parse("1", 2, false, &d, &err), SS_OK);
    CHECK(!ss_cuda_devices_single(&d));
    list_is_refused("", 2, "no list");
    list_is_refused("0,", 2, "no list");
    list_is_refused("0 1", 2, "no list");
    list_is_refused("-1", 2, "no list");
    list_is_refused("0,2", 2,
                    "no device 2: choose among 0\xe2\x80\xa6"
                    "1");
    list_is_refused("1", 1, "one, device 0");
    list_is_refused("99999999999999999999", 2, "there is no device");
    list_is_refused("0,1,0", 2, "device 0 is named twice");
    list_is_refused("0,1,2,3,4,5,6,7,8", 9, "at most 8");
}

/* --- times ------------------------------------------------------------------------------------ */

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* Seconds per iteration without norms, median of 7 rounds of a fifth of a second; NaN: refused. */
static double seconds_of(const char *settings)
{
    enum { ROUNDS = 7 };
    ss_config cfg;
    ss_err err = {0};
    double round[ROUNDS];
    int64_t cycles = 64;
    set_config(&cfg, settings);
    ss_run *run = ss_run_open(&cfg, NULL, NULL, &err);
    if (!run) {
        printf("# %s\n", err.text);
        return (double)NAN;
    }
    run->check_every = 0;
    for (int i = -4; i < ROUNDS; i++) {
        double before = run->seconds_solve;
        CHECK_MSG(ss_run_step(run, cycles, &err) == SS_OK, "%s", err.text);
        double took = run->seconds_solve - before;
        if (i >= 0)
            round[i] = took / (double)(cycles * run->iterations_per_cycle);
        else if (took > 0)
            cycles = (int64_t)(0.2 / took * (double)cycles) / 64 * 64 + 64;
    }
    ss_run_close(run);
    qsort(round, ROUNDS, sizeof *round, ascending);
    return round[ROUNDS / 2];
}

/* One device and several (CHECK_DEVICES, else two slabs on the first one) in turn, in one process.
 * Printed, not judged. */
SLOW_TEST(devices, times_of_one_device_and_of_several)
{
    static const char *const planes_of[] = {"1024", "2048", "4096", "8192", "16384"};
    static const char *const precisions[] = {"f64", "f32"};
    static const char *const more[] = {"", "launch stream", "exchange 2", "exchange 4",
                                       "exchange 8"};
    char text[300];
    need_gpu();
    for (int p = 0; p < 2; p++)
        for (size_t i = 0; i < sizeof planes_of / sizeof *planes_of; i++) {
            double one = HUGE_VAL;
            for (size_t k = 2; k < 6; k++) {
                static const char *const kernels[] = {"",     "",         "padded",
                                                      "smem", "unrolled", "vector"};
                snprintf(text, sizeof text,
                         "equation poisson2d solver jacobi n %s precision %s until 0 kernel %s "
                         "backend cuda",
                         planes_of[i], precisions[p], kernels[k]);
                one = fmin(one, seconds_of(text));
            }
            printf("# jacobi %s %s: one device %.2f us, half of it and 8 us: %.2f times\n",
                   planes_of[i], precisions[p], 1e6 * one, one / (one / 2 + 8e-6));
            for (size_t m = 0; m < sizeof more / sizeof *more; m++) {
                snprintf(text, sizeof text,
                         "equation poisson2d solver jacobi n %s precision %s until 0 %s devices %s "
                         "backend cuda",
                         planes_of[i], precisions[p], more[m], slabs(2));
                double two = seconds_of(text);
                printf("#   devices %s %s: %.2f us, %.2f times\n", slabs(2), more[m], 1e6 * two,
                       one / two);
                fflush(stdout);
            }
        }
}

SLOW_TEST(devices, times_of_other_solvers)
{
    static const char *const runs[] = {
        "equation poisson2d solver shared n 2048 k 16 block 32 precision f32 until 0",
        "equation poisson2d solver shared n 8192 k 16 block 64 overlap 4 until 0",
        "equation poisson2d solver persistent n 1024 every 8 precision f32 until 0",
        "equation poisson2d solver persistent n 1408 every 8 precision f32 until 0",
        "equation poisson2d solver jacobi n 2048 precision f32 until 0",
        "equation poisson2d solver persistent n 2048 every 8 precision f32 until 0",
        "equation poisson2d solver jacobi n 2048 until 0",
        "equation poisson2d solver shared n 2048 k 8 block 32 until 0",
        "equation poisson2d solver persistent n 2048 every 4 until 0",
        "equation poisson2d solver persistent n 2048 every 8 until 0",
        "equation poisson2d solver persistent n 1400 every 4 until 0",
        "equation heat1d solver swept n 16777216 block 512",
        "equation heat1d solver stepper n 16777216",
        "equation euler1d solver swept n 4194304 block 128",
    };
    char text[300];
    need_gpu();
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
        snprintf(text, sizeof text, "%s backend cuda", runs[i]);
        double one = seconds_of(text);
        snprintf(text, sizeof text, "%s devices %s backend cuda", runs[i], slabs(2));
        double two = seconds_of(text);
        printf("# %s: one %.3f us, devices %s %.3f us, %.2f times\n", runs[i], 1e6 * one, slabs(2),
               1e6 * two, one / two);
        fflush(stdout);
    }
}
