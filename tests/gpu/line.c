/* Time-dependent equations on the GPU, bit for bit: the stepper's fields are the CPU's, the swept
 * rule's are the stepper's, in every variant. */
#include "tests/gpu/gpu.h"

static const struct {
    const char *name, *start;
} equations[] = {{"heat1d", "problem random"}, {"ks1d", "problem waves"}, {"euler1d", ""}};
enum { NEQUATION = sizeof equations / sizeof *equations };

/* All fields, rows one after the other. */
static void check_all(ss_run *cpu, ss_run *gpu, const char *what)
{
    size_t bytes = (size_t)cpu->problem.nx * ss_prec_size(cpu->prec);
    char *a = malloc(bytes), *b = malloc(bytes);
    CHECK_MSG(cpu->step == gpu->step, "%s: step %lld, not %lld", what, (long long)gpu->step,
              (long long)cpu->step);
    for (int f = 0; f < cpu->eq->nfield; f++) {
        CHECK_INT(cpu->backend->download(cpu, 0, f, 0, 0, 1, a, NULL), SS_OK);
        CHECK_INT(gpu->backend->download(gpu, 0, f, 0, 0, 1, b, NULL), SS_OK);
        size_t at = 0;
        while (at < bytes && a[at] == b[at])
            at++;
        CHECK_MSG(at == bytes, "%s: field %d differs from point %zu on", what, f,
                  at / ss_prec_size(cpu->prec));
    }
    free(a);
    free(b);
}

/* The GPU with these settings, after so many cycles, against the CPU's stepper. */
static void compare(const char *problem, const char *method, int64_t cycles)
{
    char text[256];
    ss_err err;
    snprintf(text, sizeof text, "%s solver stepper backend cpu", problem);
    ss_run *cpu = open_run(text);
    snprintf(text, sizeof text, "%s %s", problem, method);
    ss_run *gpu = open_run(text);
    step_run(gpu, cycles - cycles / 3);
    step_run(gpu, cycles / 3);
    step_run(cpu, gpu->step);
    check_all(cpu, gpu, text);
    /* A few steps more, as at the end of a simulated time. */
    CHECK_INT(gpu->ops->finish(gpu, 3, &err), SS_OK);
    CHECK_INT(cpu->ops->finish(cpu, 3, &err), SS_OK);
    check_all(cpu, gpu, text);
    ss_run_close(cpu);
    ss_run_close(gpu);
}

/* Kernels for a GPU older than 9.0 have none (STENCILSCOPE_CUDA_PTX=75). */
static bool has_clusters(void)
{
    ss_config cfg;
    ss_err err = {0};
    set_config(&cfg, "equation heat1d n 128 block 32 solver swept variant cluster backend cuda");
    ss_run *run = ss_run_open(&cfg, NULL, NULL, &err);
    ss_run_close(run);
    return run || !strstr(err.text, "clusters need");
}

/* The hybrid variant needs a line with ends; a warp node has 32 points times a power of two, a
 * cluster 64 of them, or 32 where a lane has many values. */
static bool offered(int e, const char *way, int n, int block)
{
    bool warps = block % 32 == 0 && (block & (block - 1)) == 0 && block <= (e == 2 ? 64 : 256);
    int most = block / 32 * (e == 2 ? 3 : 1) > 4 ? 32 : 64;
    if (strstr(way, "strip") && block % 128)
        return false;
    return !(strstr(way, "hybrid") && e == 1) && (!strstr(way, "warp") || warps) &&
           (!strstr(way, "cluster") || (warps && n / block <= most));
}

/* One variant with all its options. */
static void sweep(int e, const char *variant, const char *prec)
{
    /* points, block, cycles: few; but a CUDA graph
     * holds 33 cycles */
    static const int sizes[][3] = {{128, 128, 9},  {256, 32, 110}, {1024, 32, 10}, {1024, 256, 3},
                                   {960, 96, 6},   {1024, 128, 6}, {2048, 512, 3}, {1024, 1024, 3},
                                   {16384, 64, 3}, {704, 64, 60},  {2048, 256, 3}, {2048, 32, 4},
                                   {4096, 64, 3},  {4352, 128, 3}, {4608, 256, 3}};
    static const char *const ways[] = {"variant block",   "variant block launch stream",
                                       "variant warp",    "variant warp launch stream",
                                       "variant hybrid",  "variant strip",
                                       "variant cluster", "variant strip launch stream"};
    char problem[128], method[128];
    need_gpu();
    if (strstr(variant, "cluster") && !has_clusters())
        SKIP("no thread block clusters");
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
            bool again =
                strstr(ways[w], "stream") && s >= 3; /* the same kernels: a few cases are enough */
            if (!strstr(ways[w], variant) || !offered(e, ways[w], sizes[s][0], sizes[s][1]) ||
                again)
                continue;
            snprintf(problem, sizeof problem, "equation %s n %d %s precision %s", equations[e].name,
                     sizes[s][0], equations[e].start, prec);
            snprintf(method, sizeof method, "solver swept backend cuda block %d %s", sizes[s][1],
                     ways[w]);
            compare(problem, method, sizes[s][2]);
        }
}

/* Longer lines have more points per thread. */
static void steps(int e, const char *prec)
{
    static const char *const ways[] = {"", "launch stream"};
    static const int sizes[][2] = {{101, 101},   {1024, 101},  {5003, 101},
                                   {300007, 31}, {600011, 31}, {1100009, 31}}; /* points, cycles */
    char problem[128], method[128];
    need_gpu();
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
            snprintf(problem, sizeof problem, "equation %s n %d %s precision %s", equations[e].name,
                     sizes[s][0], equations[e].start, prec);
            snprintf(method, sizeof method, "solver stepper backend cuda %s", ways[w]);
            compare(problem, method, sizes[s][1]);
        }
}

/* One test per equation and variant. */
#define ON_VARIANT(NUMBER, NAME, VARIANT)                                                          \
    TEST(gpu_line, VARIANT##_##NAME)                                                               \
    {                                                                                              \
        sweep(NUMBER, "variant " #VARIANT, "f64");                                                 \
        sweep(NUMBER, "variant " #VARIANT, "f32");                                                 \
    }
#define ON_EQUATION(NUMBER, NAME)                                                                  \
    ON_VARIANT(NUMBER, NAME, block)                                                                \
    ON_VARIANT(NUMBER, NAME, warp)                                                                 \
    ON_VARIANT(NUMBER, NAME, cluster)                                                              \
    ON_VARIANT(NUMBER, NAME, strip)                                                                \
    TEST(gpu_line, stepper_##NAME)                                                                 \
    {                                                                                              \
        steps(NUMBER, "f64");                                                                      \
        steps(NUMBER, "f32");                                                                      \
    }

ON_EQUATION(0, heat)
ON_EQUATION(1, ks)
ON_EQUATION(2, euler)
ON_VARIANT(0, heat, hybrid)
ON_VARIANT(2, euler, hybrid)

/* A change of block, variant or solver between two cycles keeps the fields. */
TEST(gpu_line, changes_in_flight)
{
    need_gpu();
    for (int e = 0; e < NEQUATION; e++) {
        static const char *const changes[] = {"block=64",     "variant=cluster", "variant=block",
                                              "block=256",    "variant=strip",   "solver=stepper",
                                              "solver=swept", "launch=stream"};
        char text[128];
        ss_err err;
        snprintf(text, sizeof text, "equation %s n 2048 %s", equations[e].name, equations[e].start);
        ss_run *gpu = open_on("cuda", text), *cpu;
        snprintf(text, sizeof text, "equation %s solver stepper n 2048 %s", equations[e].name,
                 equations[e].start);
        cpu = open_on("cpu", text);
        for (size_t c = 0; c < sizeof changes / sizeof *changes; c++) {
            char name[32];
            const char *value = strchr(changes[c], '=') + 1;
            snprintf(name, sizeof name, "%.*s", (int)(value - changes[c] - 1), changes[c]);
            ss_config cfg = gpu->cfg;
            if (strstr(value, "cluster") && !has_clusters())
                continue;
            step_run(gpu, 3);
            CHECK_INT(ss_config_set(&cfg, name, value, &err), SS_OK);
            CHECK_MSG(ss_config_check(&cfg, NULL, &err) == SS_OK, "%s", err.text);
            CHECK_MSG(ss_run_configure(gpu, &cfg, &err) == SS_OK, "%s", err.text);
        }
        step_run(gpu, 2);
        step_run(cpu, gpu->step);
        check_all(cpu, gpu, text);
        ss_run_close(gpu);
        ss_run_close(cpu);
    }
}

/* Without a variant a line gets one that takes its block, and its fields have the same bits. */
TEST(gpu_line, a_variant_for_every_line)
{
    static const struct {
        const char *line, *variant, *without_clusters;
    } cases[] = {{"equation heat1d n 2048", "cluster", "warp"},
                 {"equation ks1d n 8192 block 256", "cluster", "warp"},
                 {"equation euler1d n 2048 block 64", "cluster", "warp"},
                 {"equation heat1d n 4096", "warp", "warp"}, /* more nodes than a cluster holds */
                 {"equation euler1d n 2048 block 128", "block", "block"},
                 {"equation heat1d n 1000 block 20", "block", "block"},
                 {"equation heat1d n 16384 block 1024", "strip", "strip"},
                 {"equation euler1d n 16384 block 256", "strip", "strip"},
                 {"equation ks1d n 16384", "warp", "warp"},
                 {"equation heat1d n 10240 block 80", "block", "block"}};
    need_gpu();
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        char text[128], name[32];
        ss_config cfg;
        snprintf(text, sizeof text, "%s solver swept backend cuda", cases[c].line);
        compare(cases[c].line, "solver swept backend cuda", 3);
        set_config(&cfg, text);
        const ss_param *row = ss_param_find(&cfg, "variant", NULL);
        ss_param_format(row, ss_config_value(&cfg, row), name, sizeof name);
        CHECK_MSG(strcmp(name, cases[c].variant) == 0 ||
                      strcmp(name, cases[c].without_clusters) == 0,
                  "%s: %s", text, name);
    }
}

/* A case that a variant does not support is refused; the error names the supported ones. */
TEST(gpu_line, refusals)
{
    static const char *const cases[][2] = {
        {"equation heat1d n 3840 block 240 variant strip", "not 240: 128 or 256"},
        {"equation heat1d n 1280 block 20 variant strip", "not 20: 128"},
        {"equation heat1d n 1000 block 20 variant strip", "no such block divides n = 1000"},
        {"equation heat1d n 1024 block 512 variant warp", "32, 64, 128 or 256 points"},
        {"equation euler1d n 1024 block 128 variant warp", "32 or 64 points"},
        {"equation ks1d n 1024 variant hybrid", "is a ring"},
        {"equation heat1d n 8192 block 32 variant cluster", "at most 64 blocks of 32 points"},
        {"equation euler1d n 4096 block 64 variant cluster", "at most 32 blocks of 64 points"},
        {"equation heat1d n 1024 block 64 variant strip", "a multiple of 128 up to 1024"}};
    need_gpu();
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        char text[128];
        ss_config cfg;
        ss_err err = {0};
        if (strstr(cases[c][0], "cluster") && !has_clusters())
            continue;
        snprintf(text, sizeof text, "%s solver swept backend cuda", cases[c][0]);
        set_config(&cfg, text);
        ss_run *run = ss_run_open(&cfg, NULL, NULL, &err);
        CHECK_MSG(!run, "%s: was opened", text);
        CHECK_MSG(strstr(err.text, cases[c][1]), "%s: %s", text, err.text);
    }
}
