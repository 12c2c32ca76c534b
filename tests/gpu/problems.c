/* Every named problem of every equation, with every choice that changes its arithmetic, on the GPU
 * against the CPU: bit for bit, for every solver whose row of the matrix promises it.  The cases
 * follow from the tables, so that a new problem, limiter or solver is compared as well.  Then the
 * reciprocals and roots of the swept kernels against the CPU's, where rounding is decided last. */
#include <math.h>
#include <stdlib.h>

#include "kernels/cuda/device/check.h"
#include "kernels/cuda/device/loader.h"
#include "tests/gpu/gpu.h"

/* Of these the first that a solver takes: multigrid needs 2^m - 1, the swept rule whole blocks. */
static const char *const sizes[4][4] = {
    {NULL},
    {"n 1001", "n 1024", "n 255", NULL},
    {"n 203 ny 131", "n 255 ny 127", NULL},
    {"px 2 patch 16", NULL},
};

/* Rows of an equation that choose a formula or the data. */
static const ss_param *choices_of(const ss_equation *eq, int i)
{
    for (int p = 0; p < eq->nparam; p++)
        if (eq->params[p].type == SS_CHOICE && eq->params[p].choices && i-- == 0)
            return &eq->params[p];
    return NULL;
}

static ss_run *open_sized(const ss_equation *eq, const char *rest, const char *backend)
{
    ss_config cfg;
    ss_err err = {0};
    for (const char *const *size = sizes[eq->dim]; *size; size++) {
        char text[512], *left = text;
        bool fits = true;
        ss_config_default(&cfg);
        snprintf(text, sizeof text, "equation %s %s %s backend %s", eq->name, rest, *size, backend);
        for (char *name; fits && (name = strtok_r(left, " ", &left)) != NULL;)
            fits = ss_config_set(&cfg, name, strtok_r(left, " ", &left), &err) == SS_OK;
        ss_run *run = fits && ss_config_check(&cfg, NULL, &err) == SS_OK
                          ? ss_run_open(&cfg, NULL, NULL, &err)
                          : NULL;
        if (run)
            return run;
    }
    return NULL;
}

static void same_bits(ss_run *cpu, ss_run *gpu, const char *what)
{
    const ss_problem *p = &cpu->problem;
    size_t bytes = (size_t)p->nx * (size_t)p->ny * ss_prec_size(cpu->prec);
    char *a = malloc(bytes), *b = malloc(bytes);
    CHECK_MSG(cpu->cycle == gpu->cycle, "%s: cycle %lld, not %lld", what, (long long)gpu->cycle,
              (long long)cpu->cycle);
    for (int f = 0; f < p->nfield; f++)
        for (int k = 0; k < p->nz; k++) {
            CHECK_INT(cpu->backend->download(cpu, FIELD, f, k, 0, p->ny, a, NULL), SS_OK);
            CHECK_INT(gpu->backend->download(gpu, FIELD, f, k, 0, p->ny, b, NULL), SS_OK);
            CHECK_MSG(memcmp(a, b, bytes) == 0, "%s: field %d, plane %d", what, f, k);
        }
    free(a);
    free(b);
}

/* A cycle, and whether its values are finite: larger time-dependent fields are checked less often.
 */
static void step_and_look(ss_run *run)
{
    CHECK_INT(ss_run_step(run, 1, NULL), SS_OK);
    if (run->eq->kind == SS_TRANSIENT)
        CHECK_INT(ss_run_watch(run, NULL), SS_OK);
}

/* 40 cycles, of the swept rule as many as have 150 steps: a diverged field may hold NaNs of other
 * bits, so that it is compared as long as it is finite. */
static bool same_run(const ss_equation *eq, const char *rest)
{
    ss_run *gpu = open_sized(eq, rest, "cuda"), *cpu = gpu ? open_sized(eq, rest, "cpu") : NULL;
    if (cpu) {
        int cycles = eq->kind == SS_STEADY ? 40 : 150 / gpu->iterations_per_cycle + 1;
        for (int c = 0; c < cycles && cpu->status != SS_DIVERGED; c++) {
            step_and_look(cpu);
            step_and_look(gpu);
        }
        CHECK_MSG(cpu->status == gpu->status, "%s %s: status", eq->name, rest);
        if (cpu->status != SS_DIVERGED)
            same_bits(cpu, gpu, rest);
        ss_run_close(cpu);
    }
    if (gpu)
        ss_run_close(gpu);
    return cpu != NULL;
}

/* All combinations of the choices from row i on. */
static int vary(const ss_equation *eq, int i, const char *rest)
{
    const ss_param *row = choices_of(eq, i);
    if (!row)
        return same_run(eq, rest);
    int compared = 0;
    for (int c = 0; row->choices[c]; c++) {
        char text[400];
        snprintf(text, sizeof text, "%.300s %.40s %.40s", rest, row->name, row->choices[c]);
        compared += vary(eq, i + 1, text);
    }
    return compared;
}

static void every_problem(const char *name)
{
    need_gpu();
    int e = 0, compared = 0;
    while (strcmp(ss_equations[e]->name, name) != 0)
        e++;
    const ss_backend *cuda = ss_backends[0];
    for (int i = 0; ss_backends[i]; i++)
        if (strcmp(ss_backends[i]->name, "cuda") == 0)
            cuda = ss_backends[i];
    for (int s = 0; ss_solvers[s]; s++) {
        const ss_engine_ops *ops = ss_matrix(ss_equations[e], ss_solvers[s], cuda, NULL);
        for (int prec = 0; ops && ops->caps & SS_CAP_EXACT && prec < 2; prec++) {
            char text[128];
            snprintf(text, sizeof text, "solver %s precision %s%s", ss_solvers[s]->name,
                     prec == SS_F32 ? "f32" : "f64",
                     ss_equations[e]->kind == SS_STEADY ? " until 0" : "");
            compared += vary(ss_equations[e], 0, text);
        }
    }
    CHECK_MSG(compared > 3, "%s: only %d cases", name, compared);
}

#define ON_EQUATION(NAME)                                                                          \
    TEST(gpu_problems, NAME)                                                                       \
    {                                                                                              \
        every_problem(#NAME);                                                                      \
    }

ON_EQUATION(poisson1d)
ON_EQUATION(poisson2d)
ON_EQUATION(line)
ON_EQUATION(plane)
ON_EQUATION(advdiff2d)
ON_EQUATION(heat1d)
ON_EQUATION(ks1d)
ON_EQUATION(euler1d)

/* --- reciprocals and roots -------------------------------------------------------------------- */

/* Of the n values at x, whose results follow them: n reciprocals `most` values after the first, n
 * roots twice as far. The kernel is this test's own. */
static int arith(ss_prec prec, void *x, size_t n, size_t most, ss_err *err)
{
    ss_cuda_kernel each = {.blocks = {(unsigned)((n + 255) / 256), 1, 1}, .threads = {256, 1, 1}};
    ss_cuda_source source = {"tests/gpu/arith.cuh",
                             prec == SS_F64 ? "each<double>" : "each<float>"};
    size_t size = ss_prec_size(prec);
    char *d;
    ss_cuda_use(0);
    setenv("STENCILSCOPE_KERNELS", ".", 1);
    int status = ss_cuda_kernel_find(&each, &source, err);
    unsetenv("STENCILSCOPE_KERNELS");
    if (status != SS_OK || ss_cuda_alloc((void **)&d, 3 * most * size, "values", err) != SS_OK)
        return SS_FAIL;
    SS_CUDA(ss_cu->copy_now(d, x, n * size));
    void *one = d + most * size, *root = d + 2 * most * size;
    ss_cuda_launch_kernel(&each, NULL, SS_ARGUMENTS(&d, &n, &one, &root));
    SS_CUDA(ss_cuda_launch_error());
    SS_CUDA(ss_cu->copy_now((char *)x + most * size, one, 2 * most * size));
    SS_CUDA(ss_cu->free(d));
    return SS_OK;
}

enum { SIDE = 4096, EXPONENTS = 9 };

/* Doubles whose mantissas lie next to those of 1, 1.5, the root of 2 and 2, on both sides, both
 * signs; the narrow ones are not repeated. */
TEST(gpu_problems, reciprocals_and_roots_are_those_of_the_cpu)
{
    static const double centres[] = {1, 1.5, 1.4142135623730951, 2, 4.0 / 3};
    static const int exponent[EXPONENTS] = {-300, -60, -11, -2, -1, 0, 1, 30, 300};
    size_t most = 5 * EXPONENTS * (2 * SIDE + 1), n = 0;
    double *x = malloc(3 * most * sizeof *x);
    need_gpu();
    for (int c = 0; c < 5; c++)
        for (int e = 0; e < EXPONENTS; e++)
            for (int k = -SIDE; k <= SIDE; k++) {
                double v = centres[c];
                uint64_t bits;
                memcpy(&bits, &v, sizeof bits);
                bits += (uint64_t)(int64_t)k;
                memcpy(&v, &bits, sizeof v);
                x[n++] = ldexp(v, exponent[e]);
            }
    CHECK_INT(arith(SS_F64, x, n, most, NULL), SS_OK);
    for (size_t i = 0; i < n; i++) {
        double one = 1 / x[i], root = sqrt(x[i]);
        CHECK_MSG(memcmp(&one, x + most + i, sizeof one) == 0, "1 / %a is %a, not %a", x[i],
                  x[most + i], one);
        CHECK_MSG(memcmp(&root, x + 2 * most + i, sizeof root) == 0, "the root of %a is %a, not %a",
                  x[i], x[2 * most + i], root);
    }
    for (size_t i = 0; i < n; i++)
        x[i] = -x[i];
    CHECK_INT(arith(SS_F64, x, n, most, NULL), SS_OK);
    for (size_t i = 0; i < n; i++) {
        double one = 1 / x[i];
        CHECK_MSG(memcmp(&one, x + most + i, sizeof one) == 0, "1 / %a is %a, not %a", x[i],
                  x[most + i], one);
    }
    free(x);
}

/* Single precision: every float of two octaves, in which all cases of rounding occur. */
TEST(gpu_problems, reciprocals_and_roots_of_floats_are_those_of_the_cpu)
{
    size_t n = (size_t)2 << 23;
    float *x = malloc(3 * n * sizeof *x);
    need_gpu();
    for (size_t i = 0; i < n; i++) {
        uint32_t bits = 0x3f800000u + (uint32_t)i;
        memcpy(x + i, &bits, sizeof bits);
    }
    CHECK_INT(arith(SS_F32, x, n, n, NULL), SS_OK);
    for (size_t i = 0; i < n; i++) {
        float one = 1 / x[i], root = sqrtf(x[i]);
        CHECK_MSG(one == x[n + i] && root == x[2 * n + i], "%a", (double)x[i]);
    }
    free(x);
}
