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

/* The hybrid variant needs a line with ends; a warp node has 32 points times a power of two, a
 * cluster 64 of them, or 32 where a lane has many values. */
static bool offered(int e, const char *way, int n, int block)
{
    bool warps = block % 32 == 0 && (block & (block - 1)) == 0 && block <= (e == 2 ? 64 : 256);
    int most = block / 32 * (e == 2 ? 3 : 1) > 4 ? 32 : 64;
    /* Strips have 128 or 256 points, those of Euler 64. */
    if (strstr(way, "strip") && (block % 128 || (strstr(way, "points 8") && block % 256)))
        return false;
    return !(strstr(way, "hybrid") && e == 1) && (!strstr(way, "warp") || warps) &&
           (!strstr(way, "cluster") || (warps && n / block <= most));
}

/* One variant with all its options. */
static void sweep(int e, const char *variant, const char *prec)
{
    /* points, block, cycles: few, since compute-sanitizer checks every access; but a CUDA graph
     * holds 33 cycles */
    static const int sizes[][3] = {{128, 128, 9},  {256, 32, 110}, {1024, 32, 10}, {1024, 256, 3},
                                   {960, 96, 6},   {1024, 128, 6}, {2048, 512, 3}, {1024, 1024, 3},
                                   {16384, 64, 3}, {704, 64, 60},  {2048, 256, 3}, {2048, 32, 4},
                                   {4096, 64, 3},  {4352, 128, 3}, {4608, 256, 3}};
    static const char *const ways[] = {"variant register",
                                       "variant register points 4",
                                       "variant register points 2 launch stream",
                                       "variant register points 8",
                                       "variant block",
                                       "variant block launch stream",
                                       "variant warp",
                                       "variant warp launch stream",
                                       "variant cluster",
                                       "variant persistent",
                                       "variant persistent points 2",
                                       "variant hybrid",
                                       "variant strip",
                                       "variant strip launch stream",
                                       "variant strip points 4",
                                       "variant strip points 8"};
    char problem[128], method[128];
    need_gpu();
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
            bool again =
                strstr(ways[w], "stream") && s >= 3; /* the same kernels: a few cases are enough */
            if (!strstr(ways[w], variant) || !offered(e, ways[w], sizes[s][0], sizes[s][1]) ||
                again || (e == 2 && strstr(ways[w], "strip points")))
                continue;
            snprintf(problem, sizeof problem, "equation %s n %d %s precision %s", equations[e].name,
                     sizes[s][0], equations[e].start, prec);
            snprintf(method, sizeof method, "solver swept backend cuda block %d %s", sizes[s][1],
                     ways[w]);
            compare(problem, method, sizes[s][2]);
        }
}

static void steps(int e, const char *prec)
{
    static const char *const ways[] = {"",         "launch stream", "points 1",
                                       "points 2", "points 4",      "points 8"};
    static const int sizes[] = {101, 1024, 5003, 300000};
    char problem[128], method[128];
    need_gpu();
    for (size_t s = 0; s < sizeof sizes / sizeof *sizes; s++)
        for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
            snprintf(problem, sizeof problem, "equation %s n %d %s precision %s", equations[e].name,
                     sizes[s], equations[e].start, prec);
            snprintf(method, sizeof method, "solver stepper backend cuda %s", ways[w]);
            compare(problem, method, 101);
        }
}

/* One test per equation and variant: compute-sanitizer takes minutes for each. */
#define ON_VARIANT(NUMBER, NAME, VARIANT)                                                          \
    TEST(gpu_line, VARIANT##_##NAME)                                                               \
    {                                                                                              \
        sweep(NUMBER, "variant " #VARIANT, "f64");                                                 \
        sweep(NUMBER, "variant " #VARIANT, "f32");                                                 \
    }
#define ON_EQUATION(NUMBER, NAME)                                                                  \
    ON_VARIANT(NUMBER, NAME, register)                                                             \
    ON_VARIANT(NUMBER, NAME, block)                                                                \
    ON_VARIANT(NUMBER, NAME, warp)                                                                 \
    ON_VARIANT(NUMBER, NAME, cluster)                                                              \
    ON_VARIANT(NUMBER, NAME, persistent)                                                           \
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
        static const char *const changes[] = {
            "block=64",     "variant=block", "variant=cluster",  "variant=persistent",
            "block=256",    "variant=strip", "variant=register", "solver=stepper",
            "solver=swept", "points=2"};
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

/* A case that a variant does not support is refused; the error names the supported ones. */
TEST(gpu_line, refusals)
{
    static const char *const cases[][2] = {
        {"equation heat1d n 14400 block 100 variant register", "not 100: 96 or 160"},
        {"equation heat1d n 1280 block 20 variant register", "not 20: 32"},
        {"equation heat1d n 1000 block 20 variant register", "no such block divides n = 1000"},
        {"equation heat1d n 1024 block 512 variant warp", "32, 64, 128 or 256 points"},
        {"equation euler1d n 1024 block 128 variant warp", "32 or 64 points"},
        {"equation ks1d n 1024 variant hybrid", "is a ring"},
        {"equation heat1d n 8192 block 32 variant cluster", "at most 64 blocks of 32 points"},
        {"equation euler1d n 4096 block 64 variant cluster", "at most 32 blocks of 64 points"},
        {"equation heat1d n 1024 block 64 variant strip",
         "a multiple of 128 with 4 points per lane"},
        {"equation heat1d n 1280 block 128 variant strip points 8",
         "a multiple of 256 with 8 points"},
        {"equation heat1d n 1024 block 256 variant strip points 2", "a lane has 4 or 8"},
        {"equation euler1d n 1024 block 256 variant strip points 4", "a lane has 2"},
        {"equation heat1d n 1024 variant register points 1", "points: 2, 4 or 8"},
        {"equation heat1d n 1024 block 64 variant warp points 8", "leave it at auto"}};
    need_gpu();
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        char text[128];
        ss_config cfg;
        ss_err err = {0};
        snprintf(text, sizeof text, "%s solver swept backend cuda", cases[c][0]);
        set_config(&cfg, text);
        ss_run *run = ss_run_open(&cfg, NULL, NULL, &err);
        CHECK_MSG(!run, "%s: was opened", text);
        CHECK_MSG(strstr(err.text, cases[c][1]), "%s: %s", text, err.text);
    }
}
