/*
 * The six kernels to learn from (kernels/cuda/README.md): `make ladder`, or the program with sizes
 * to time. Checks them against the CPU, bit for bit, then times them and says which share of its
 * limit each reaches. The rungs of ladder.cuh and the norm are launched here and compared with
 * plain loops; tiles, the swept block and cubes are runs of the program on both backends. Exit
 * status 1 if a check fails; without a GPU it says so and exits with 0.
 */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cuda/device/check.h"
#include "kernels/cuda/device/control.h"
#include "kernels/cuda/device/loader.h"
#include "kernels/cuda/device/names.h"
#include "tests/gpu/gpu.h"
#include "tests/windows.h"

#define CUDA(call)                                                                                 \
    do {                                                                                           \
        int code_ = (call);                                                                        \
        if (code_ != 0) {                                                                          \
            printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #call, ss_cu_words(code_));              \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

#define ROWS 4 /* LADDER_ROWS */

/* --- the CPU's cycle -------------------------------------------------------------------------- */

/* One cycle in plain loops; returns the sum of squared changes. */
#define REFERENCE(NAME, T)                                                                         \
    static double NAME(const T *u, const T *b, T *out, int nx, int ny, ptrdiff_t stride, T c, T a) \
    {                                                                                              \
        double squares = 0;                                                                        \
        for (int j = 0; j < ny; j++)                                                               \
            for (int i = 0; i < nx; i++) {                                                         \
                const T *p = u + j * stride + i;                                                   \
                T v = b[j * stride + i] + c * ((p[-1] + p[1]) + a * (p[-stride] + p[stride]));     \
                double d = (double)(v - p[0]);                                                     \
                out[j * stride + i] = v;                                                           \
                squares += d * d;                                                                  \
            }                                                                                      \
        return squares;                                                                            \
    }
REFERENCE(reference_f64, double)
REFERENCE(reference_f32, float)

/* --- a problem -------------------------------------------------------------------------------- */

/* Memory layout of a field with a halo, in elements. */
typedef struct layout {
    int nx, ny;
    ptrdiff_t stride;
    size_t first, count; /* of point (0, 0); of the whole field */
} layout;

static layout lay_out(int nx, int ny, ss_prec prec, bool padded)
{
    int line = padded ? 128 / (int)ss_prec_size(prec) : 1; /* elements that rows are aligned to */
    layout l = {.nx = nx, .ny = ny};
    l.stride = (line + nx + 1 + line - 1) / line * line;
    l.first = (size_t)(line + l.stride);
    l.count = (size_t)(l.stride * (ny + 2) + line);
    return l;
}

/* Values in either precision: coefficients of the update, and a right-hand side that is one value
 * at a point and another elsewhere. Products that round: a fused multiply-add would give other
 * bits. */
static const double coefficient[4] = {0.23, 1.17}, spike[2] = {0.71, -0.13};

typedef union values {
    double f64[4];
    float f32[4];
} values;

static values values_of(ss_prec prec, const double *v, int n)
{
    values out = {{0}};
    for (int i = 0; i < n; i++)
        if (prec == SS_F64)
            out.f64[i] = v[i];
        else
            out.f32[i] = (float)v[i];
    return out;
}

typedef struct problem {
    ss_prec prec;
    layout l;
    char *u, *b, *out; /* on the device, first element */
    ss_cuda_control *control;
    double *partial;
    ss_cu_texture texture; /* of u; 0: packed rows cannot be one */
    ss_cuda_kept kept;
} problem;

#define PARTIAL_SUMS (1 << 19) /* thread blocks of the largest grid */

static void make_texture(problem *p, size_t size)
{
    ss_cu_fetch fetch = {.flags = size == 8 ? SS_CU_AS_INTEGER : 0};
    ss_cu_array array = {.kind = SS_CU_ROWS,
                         .of.rows = {.first = p->u,
                                     .format = size == 8 ? SS_CU_INT32 : SS_CU_FLOAT,
                                     .channels = size == 8 ? 2 : 1,
                                     .width = (size_t)p->l.stride,
                                     .height = (size_t)(p->l.ny + 2),
                                     .pitch = (size_t)p->l.stride * size}};
    ss_err err;
    if ((size_t)p->l.stride * size % 128 == 0)
        CUDA(ss_cuda_keep_texture(&p->kept, &p->texture, &array, &fetch, &err));
}

static void allocate(problem *p, ss_prec prec, layout l)
{
    ss_err err;
    size_t bytes = l.count * ss_prec_size(prec);
    struct {
        void **out;
        size_t bytes;
    } all[] = {{(void **)&p->u, bytes},
               {(void **)&p->b, bytes},
               {(void **)&p->out, bytes},
               {(void **)&p->control, sizeof *p->control},
               {(void **)&p->partial, PARTIAL_SUMS * sizeof *p->partial}};
    *p = (problem){.prec = prec, .l = l};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (ss_cuda_keep_zeroed(&p->kept, all[i].out, all[i].bytes, "a field", NULL, &err) !=
            SS_OK) {
            puts(err.text);
            exit(1);
        }
    make_texture(p, ss_prec_size(prec));
}

/* --- the rungs -------------------------------------------------------------------------------- */

/* %1$s is the update, %2$s the precision. */
typedef struct rung {
    const char *name, *kernel;
    bool padded, function; /* function: it computes the right-hand side */
    bool stores, has_norm;
    double bytes;   /* per point, in values: what must cross DRAM */
    int wide, high; /* points of a thread; wide 0: 16 bytes */
    int most;       /* thread blocks of a launch that loops over tiles; 0: it does not */
    enum { PLAIN, TEXTURE, TILES, PASS } arguments;
} rung;

static const rung rungs[] = {
    {"1 naive", "jacobi1_naive<%1$s>", false, false, true, false, 3, 1, 1, 0, PLAIN},
    {"2 padded", "jacobi1_naive<%1$s>", true, false, true, false, 3, 1, 1, 0, PLAIN},
    {"3 texture", "jacobi3_texture<%1$s>", true, false, true, false, 3, 1, 1, 0, TEXTURE},
    {"4 smem, packed", "jacobi4_smem<%1$s, false>", false, false, true, false, 3, 1, ROWS, 0,
     PLAIN},
    {"4 smem", "jacobi4_smem<%1$s, false>", true, false, true, false, 3, 1, ROWS, 0, PLAIN},
    {"4 smem, norm", "jacobi4_smem<%1$s, true>", true, false, true, true, 3, 1, ROWS, 0, PLAIN},
    {"5 unrolled", "jacobi5_unrolled<%1$s, false>", true, false, true, false, 3, 1, ROWS, 0, PLAIN},
    {"5 unrolled, norm", "jacobi5_unrolled<%1$s, true>", true, false, true, true, 3, 1, ROWS, 0,
     PLAIN},
    {"6 vector", "jacobi6_vector<%1$s, stored<%2$s>, false>", true, false, true, false, 3, 0, ROWS,
     1 << 30, TILES},
    {"6 vector, norm", "jacobi6_vector<%1$s, stored<%2$s>, true>", true, false, true, true, 3, 0,
     ROWS, 528, TILES},
    {"7 inline", "jacobi6_vector<%1$s, spike<%2$s>, false>", true, true, true, false, 2, 0, ROWS,
     1 << 30, TILES},
    {"7 inline, norm", "jacobi6_vector<%1$s, spike<%2$s>, true>", true, true, true, true, 2, 0,
     ROWS, 528, TILES},
    {"2 norm", "jacobi_norm<%1$s>", true, false, false, true, 2, 1, ROWS, 792, PASS},
    {"2 norm, packed", "jacobi_norm<%1$s>", false, false, false, true, 2, 1, ROWS, 792, PASS},
};
enum { NRUNG = sizeof rungs / sizeof *rungs };

static unsigned ceil_div(int64_t a, int64_t b)
{
    return (unsigned)((a + b - 1) / b);
}

/* The kernel of a rung, with blocks of `threads` that cover the field; *tiles: of all blocks. */
static ss_cuda_kernel kernel_of(const rung *r, const problem *p, ss_cu_dim threads, int *tiles)
{
    ss_err err;
    ss_cuda_kernel k = {.threads = r->arguments == PASS ? (ss_cu_dim){32, 8, 1} : threads,
                        .ordinary = true};
    int size = (int)ss_prec_size(p->prec), wide = r->wide ? r->wide : 16 / size;
    unsigned rows = ceil_div(p->l.ny, (int64_t)k.threads.y * r->high);
    k.blocks = (ss_cu_dim){ceil_div(p->l.nx, (int64_t)k.threads.x * wide),
                           rows < 65535 ? rows : 65535, ceil_div(rows, 65535)};
    *tiles = (int)(k.blocks.x * k.blocks.y * k.blocks.z);
    if (r->most)
        k.blocks = (ss_cu_dim){(unsigned)(*tiles < r->most ? *tiles : r->most), 1, 1};
    if (strstr(r->kernel, "smem"))
        k.shared = (size_t)(threads.x + 2) * (ROWS * threads.y + 2) * (size_t)size;
    if (ss_cuda_kernel_get(&k, &err, "jacobi/ladder.cuh", r->kernel,
                           p->prec == SS_F64 ? "poisson_plane<double>" : "poisson_plane<float>",
                           p->prec == SS_F64 ? "double" : "float") != SS_OK ||
        ss_cuda_kernel_raise(&k, &err) != SS_OK) {
        puts(err.text);
        exit(1);
    }
    return k;
}

/* spike<T> of ladder.cuh. */
typedef struct spike_of {
    int i, j;
    values at;
} spike_of;

static void launch(const rung *r, const problem *p, const ss_cuda_kernel *k, int tiles)
{
    size_t first = p->l.first * ss_prec_size(p->prec);
    const char *u = p->u + first, *b = p->b + first;
    char *out = p->out + first;
    const int *nx = &p->l.nx, *ny = &p->l.ny, *stop = p->control->stop;
    int x0 = (int)(p->l.first - (size_t)p->l.stride), y0 = 1;
    const ptrdiff_t *sy = &p->l.stride;
    values update = values_of(p->prec, coefficient, 4);
    spike_of f = {*nx / 2, *ny / 2, values_of(p->prec, spike, 2)};
    const void *const lists[][11] = {
        [PLAIN] = {&u, &b, &out, nx, ny, sy, &update, &stop, &p->partial, &p->control},
        [TEXTURE] = {&p->texture, &x0, &y0, &b, &out, nx, ny, sy, &update, &stop},
        [TILES] = {&u, r->function ? (const void *)&f : &b, &out, nx, ny, sy, &update, &stop,
                   &tiles, &p->partial, &p->control},
        [PASS] = {&u, &b, nx, ny, sy, &update, &stop, &tiles, &p->partial, &p->control},
    };
    ss_cuda_launch_kernel(k, NULL, lists[r->arguments]);
}

/* --- checks ----------------------------------------------------------------------------------- */

static int failures;

static void check(bool ok, const rung *r, const problem *p, const char *what)
{
    if (!ok)
        printf("not ok: %s, %d x %d, f%d: %s\n", r->name, p->l.nx, p->l.ny,
               8 * (int)ss_prec_size(p->prec), what);
    failures += !ok;
}

static void put(ss_prec prec, void *to, size_t at, double v)
{
    if (prec == SS_F64)
        ((double *)to)[at] = v;
    else
        ((float *)to)[at] = (float)v;
}

/* A host array: random values at the interior points, or those of `spike`; zero elsewhere. */
static void *field_of(const problem *p, bool function)
{
    void *v = calloc(p->l.count, ss_prec_size(p->prec));
    for (int j = 0; j < p->l.ny; j++)
        for (int i = 0; i < p->l.nx; i++)
            put(p->prec, v, p->l.first + (size_t)(j * p->l.stride + i),
                function ? spike[!(i == p->l.nx / 2 && j == p->l.ny / 2)]
                         : rand() / (RAND_MAX + 1.0) - 0.5);
    return v;
}

static double reference(const problem *p, const void *u, const void *b, void *out)
{
    values v = values_of(p->prec, coefficient, 4);
    const layout *l = &p->l;
    size_t at = l->first;
    if (p->prec == SS_F64)
        return reference_f64((const double *)u + at, (const double *)b + at, (double *)out + at,
                             l->nx, l->ny, l->stride, v.f64[0], v.f64[1]);
    return reference_f32((const float *)u + at, (const float *)b + at, (float *)out + at, l->nx,
                         l->ny, l->stride, v.f32[0], v.f32[1]);
}

/* One launch with the flag `stop`: the whole array, padding included, is `expected`. */
static void check_launch(const rung *r, const problem *p, const ss_cuda_kernel *k, int tiles,
                         int stop, const void *before, const void *expected)
{
    size_t bytes = p->l.count * ss_prec_size(p->prec);
    ss_cuda_control control = {.scale = 1, .first = -1, .growth = 1e6};
    for (int i = 0; i < SS_CUDA_STOPS; i++)
        control.stop[i * SS_CUDA_STOP_STEP] = stop;
    void *got = malloc(bytes);
    CUDA(ss_cu->copy_now(p->control, &control, sizeof control));
    CUDA(ss_cu->copy_now(p->out, before, bytes));
    launch(r, p, k, tiles);
    CUDA(ss_cuda_launch_error());
    CUDA(ss_cu->copy_now(got, p->out, bytes));
    check(memcmp(got, expected, bytes) == 0, r, p,
          stop ? "stores although the run has stopped" : "other bits than the CPU");
    free(got);
}

/* --- the norm's sum in the order of the GPU: norm.cuh ----------------------------------------- */

/* The sum that block_sum makes of the values v of `threads` threads, which it changes. */
static double sum_of_block(double *v, int threads)
{
    for (int warp = 0; warp < threads; warp += 32)
        for (int d = 16; d > 0; d /= 2)
            for (int lane = 0; lane < d; lane++)
                v[warp + lane] += v[warp + lane + d];
    for (int warp = 32; warp < threads; warp += 32)
        v[0] += v[warp];
    return v[0];
}

static double square_of_change(const problem *p, const void *u, const void *v, int i, int j)
{
    size_t at = p->l.first + (size_t)(j * p->l.stride + i);
    double d = p->prec == SS_F64 ? ((const double *)v)[at] - ((const double *)u)[at]
                                 : (double)(((const float *)v)[at] - ((const float *)u)[at]);
    return d * d;
}

/* The sum of squared changes from u to v that a thread of jacobi_norm makes. */
static double sum_of_thread(const problem *p, const void *u, const void *v, const ss_cuda_kernel *k,
                            int tiles, int block, int thread)
{
    const int tx = (int)k->threads.x, ty = (int)k->threads.y;
    const int across = (p->l.nx + tx - 1) / tx;
    double squares = 0;
    for (int tile = block; tile < tiles; tile += (int)k->blocks.x) {
        int i = tile % across * tx + thread % tx, j = (tile / across * ty + thread / tx) * ROWS;
        for (int r = 0; r < ROWS && i < p->l.nx && j + r < p->l.ny; r++)
            squares += square_of_change(p, u, v, i, j + r);
    }
    return squares;
}

/* All blocks, then the partial sums by the last one. */
static double sum_in_order(const problem *p, const void *u, const void *v, const ss_cuda_kernel *k,
                           int tiles)
{
    enum { MOST = 256 };
    const int threads = (int)(k->threads.x * k->threads.y);
    double of[MOST], last[MOST] = {0};
    for (int block = 0; block < (int)k->blocks.x; block++) {
        for (int t = 0; t < threads; t++)
            of[t] = sum_of_thread(p, u, v, k, tiles, block, t);
        last[block % threads] += sum_of_block(of, threads);
    }
    return sum_of_block(last, threads);
}

static void check_rung(const rung *r, ss_prec prec, int nx, int ny, ss_cu_dim threads)
{
    problem p;
    int tiles;
    allocate(&p, prec, lay_out(nx, ny, prec, r->padded));
    size_t bytes = p.l.count * ss_prec_size(prec);
    void *u = field_of(&p, false), *b = field_of(&p, r->function);
    void *before = malloc(bytes), *after = malloc(bytes);
    for (size_t i = 0; i < p.l.count; i++)
        put(prec, before, i, 7);
    memcpy(after, before, bytes);
    double squares = reference(&p, u, b, after);
    CUDA(ss_cu->copy_now(p.u, u, bytes));
    CUDA(ss_cu->copy_now(p.b, b, bytes));
    ss_cuda_kernel k = kernel_of(r, &p, threads, &tiles);
    check_launch(r, &p, &k, tiles, 1, before, before);
    check_launch(r, &p, &k, tiles, 0, before, r->stores ? after : before);
    ss_cuda_control control;
    CUDA(ss_cu->copy_now(&control, p.control, sizeof control));
    check(control.count == (r->has_norm ? 1 : 0), r, &p, "number of norms");
    if (r->has_norm)
        check(fabs(control.norm[0] - sqrt(squares)) <= 1e-12 * sqrt(squares), r, &p, "norm");
    if (r->arguments == PASS) {
        double norm = sqrt(sum_in_order(&p, u, after, &k, tiles));
        check(memcmp(&norm, &control.norm[0], sizeof norm) == 0, r, &p, "other bits of the norm");
    }
    ss_cuda_kept_free(&p.kept);
    free(u);
    free(b);
    free(before);
    free(after);
}

static void check_all(ss_prec prec)
{
    static const int sizes[][2] = {{128, 64}, {203, 131}, {1, 300}, {301, 1}, {1021, 517}};
    static const ss_cu_dim blocks[] = {{32, 8, 1}, {64, 3, 1}, {256, 1, 1}};
    for (int r = 0; r < NRUNG; r++)
        for (int n = 0; n < 5; n++)
            for (int b = 0; b < 3; b++)
                check_rung(&rungs[r], prec, sizes[n][0], sizes[n][1], blocks[b]);
}

/* --- times ------------------------------------------------------------------------------------ */

enum { PASSES = 9, CYCLES = 10 }; /* of a pass, between two events */
_Static_assert((PASSES + 1) * CYCLES <= SS_CUDA_NORMS, "each launch may append a norm");

static int by_size(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* Seconds per launch: the median of the passes, after one to warm up. NULL: triad. */
static double seconds(const rung *r, const problem *p, const ss_cuda_kernel *k, int tiles)
{
    ss_cu_event begin, end;
    float ms[PASSES], t;
    double s = 3;
    void *x[3] = {p->u, p->b, p->out};
    CUDA(ss_cu->event_create(&begin, 0));
    CUDA(ss_cu->event_create(&end, 0));
    for (int pass = -1; pass < PASSES; pass++) {
        CUDA(ss_cu->event_record(begin, NULL));
        for (int i = 0; i < CYCLES; i++)
            if (r)
                launch(r, p, k, tiles);
            else
                ss_cuda_launch_kernel(k, NULL, SS_ARGUMENTS(&x[0], &x[1], &x[2], &s));
        CUDA(ss_cu->event_record(end, NULL));
        CUDA(ss_cu->event_wait(end));
        CUDA(ss_cu->event_ms(&t, begin, end));
        if (pass >= 0)
            ms[pass] = t;
    }
    CUDA(ss_cuda_launch_error());
    ss_cu->event_destroy(begin);
    ss_cu->event_destroy(end);
    qsort(ms, PASSES, sizeof *ms, by_size);
    return (double)ms[PASSES / 2] * 1e-3 / CYCLES;
}

/* Bytes per second that a triad moves, in arrays as large as a field. */
static double triad_rate(const problem *p)
{
    size_t threads = (size_t)p->l.nx * (size_t)p->l.ny * ss_prec_size(p->prec) / 16 / 256;
    ss_cuda_kernel k = {
        .threads = {256, 1, 1}, .blocks = {(unsigned)threads, 1, 1}, .ordinary = true};
    ss_err err;
    if (ss_cuda_kernel_get(&k, &err, "device/limits.cuh", "triad") != SS_OK) {
        puts(err.text);
        exit(1);
    }
    return 3.0 * 16 * 256 * (double)threads / seconds(NULL, p, &k, 0);
}

static void time_all(ss_prec prec, int n)
{
    problem p;
    double points = (double)n * n, size = (double)ss_prec_size(prec);
    allocate(&p, prec, lay_out(n, n, prec, true));
    double best = triad_rate(&p);
    ss_cuda_kept_free(&p.kept);
    printf("\nf%d, %d x %d points, triad %.0f GB/s\n", (int)(8 * size), n, n, best * 1e-9);
    printf("  %-18s %12s %10s %10s\n", "rung", "us per launch", "GB/s", "of triad");
    for (int r = 0; r < NRUNG; r++) {
        int tiles;
        allocate(&p, prec, lay_out(n, n, prec, rungs[r].padded));
        ss_cuda_kernel k = kernel_of(&rungs[r], &p, (ss_cu_dim){32, 8, 1}, &tiles);
        double s = seconds(&rungs[r], &p, &k, tiles), rate = rungs[r].bytes * size * points / s;
        printf("  %-18s %12.2f %10.0f %9.0f%%\n", rungs[r].name, s * 1e6, rate * 1e-9,
               100 * rate / best);
        ss_cuda_kept_free(&p.kept);
    }
}

/* --- tiles, swept block, cubes: runs of the program ------------------------------------------- */

/* The checks of tests/fields.h. */
void check_fail(const char *file, int line, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    printf("not ok: %s:%d: ", file, line);
    vprintf(format, args);
    puts("");
    va_end(args);
    exit(1);
}

void check_skip(const char *format, ...)
{
    (void)format;
    exit(0);
}

static void compare_rows(ss_run *cpu, ss_run *gpu, const char *what)
{
    check_fields(cpu, gpu, what);
}
static void compare_cells(ss_run *cpu, ss_run *gpu, const char *what)
{
    double *a = get_window(cpu, FIELD), *b = get_window(gpu, FIELD);
    for (size_t c = 0; c < cells_of(cpu); c++)
        CHECK_MSG(memcmp(a + c, b + c, sizeof *a) == 0 || (isnan(a[c]) && isnan(b[c])),
                  "%s: cell %zu is %.17g, not %.17g", what, c, b[c], a[c]);
    free(a);
    free(b);
}

/* What bounds a kernel: bytes of device memory (a triad's rate), words of shared memory (32 per
 * clock and SM), arithmetic operations (one per core and clock). */
enum limit { DRAM, SHARED, ARITHMETIC };
static const char *const limit_names[] = {"bandwidth", "shared memory", "arithmetic"};

/* A run: its settings on both backends, and on the GPU; sizes to check, none a square or a multiple
 * of its tiles, and one to time. work: per point and iteration, in values or operations. */
typedef struct lesson {
    const char *name, *settings, *gpu, *checked, *timed, *unit;
    bool steady; /* it has norms */
    enum limit limit;
    double work;
    void (*compare)(ss_run *cpu, ss_run *gpu, const char *what);
} lesson;

static const lesson lessons[] = {
    {"3 tile in shared memory", "equation poisson2d solver shared k 16", "tile memory",
     "n 203 ny 131 block 32 overlap 6 problem random", "n 1024 block 32 overlap 0", "iteration",
     true, SHARED, 5, compare_rows},
    {"4 tile in registers", "equation poisson2d solver shared k 16", "tile register",
     "n 203 ny 131 block 32 overlap 6 problem random", "n 1024 block 32 overlap 0", "iteration",
     true, ARITHMETIC, 4, compare_rows},
    {"5 swept block", "equation heat1d solver swept", "variant block",
     "n 312 block 24 problem random", "n 1048576 block 512", "time step", false, ARITHMETIC, 4,
     compare_rows},
    {"6 cubes", "equation poisson3d solver block-jacobi bx 16", "", "sizes 40,23",
     "patch 64 px 4 py 4 pz 4", "step", true, DRAM, 3, compare_cells},
};
enum { NLESSON = sizeof lessons / sizeof *lessons };

static const char *const precisions[] = {"f64", "f32"};

/* every: cycles per norm. */
static void settings_of(const lesson *l, const char *size, ss_prec prec, int every, char *out,
                        size_t room)
{
    int used = snprintf(out, room, "%s %s precision %s", l->settings, size, precisions[prec]);
    if (l->steady)
        snprintf(out + used, room - (size_t)used, " check-every %d until 0", every);
}

/* The same cycles on both backends: the fields are equal. */
static void check_lesson(const lesson *l, ss_prec prec, int every)
{
    char common[300], gpu[400];
    settings_of(l, l->checked, prec, every, common, sizeof common);
    snprintf(gpu, sizeof gpu, "%s %s", common, l->gpu);
    ss_run *a = open_on("cpu", common), *b = open_on("cuda", gpu);
    step_run(a, 7);
    step_run(b, 7);
    l->compare(a, b, gpu);
    close_both(a, b);
}

static double seconds_per_cycle(ss_run *run)
{
    float s[PASSES];
    int64_t cycles = 64;
    for (int pass = -1; pass < PASSES;) {
        double before = run->seconds_solve;
        step_run(run, cycles);
        double took = run->seconds_solve - before;
        if (pass < 0 && took < 0.02)
            cycles *= 2;
        else if (++pass > 0)
            s[pass - 1] = (float)(took / (double)cycles);
    }
    qsort(s, PASSES, sizeof *s, by_size);
    return (double)s[PASSES / 2];
}

/* Amounts of a limit per second. Cores: 128 per SM for floats (64 on 8.0 and before 8), and `ratio`
 * times fewer for doubles. */
static double rate_of(enum limit limit, ss_prec prec, double triad)
{
    double clock = 1e3 * ss_cuda_attribute(SS_CU_CLOCK_KHZ);
    double sms = ss_cuda_attribute(SS_CU_PROCESSORS), size = (double)ss_prec_size(prec);
    int capability = 10 * ss_cuda_attribute(SS_CU_MAJOR) + ss_cuda_attribute(SS_CU_MINOR);
    int ratio = prec == SS_F64 ? ss_cuda_attribute(SS_CU_SINGLE_TO_DOUBLE) : 1;
    const double rates[] = {[DRAM] = triad / size,
                            [SHARED] = sms * clock * 128 / size,
                            [ARITHMETIC] = sms * clock * (capability > 80 ? 128 : 64) / ratio};
    return rates[limit];
}

static void time_lesson(const lesson *l, ss_prec prec, double triad)
{
    char common[300], settings[400];
    settings_of(l, l->timed, prec, 1000000, common, sizeof common);
    snprintf(settings, sizeof settings, "%s %s", common, l->gpu);
    ss_run *run = open_on("cuda", settings);
    const ss_problem *p = &run->problem;
    double s = seconds_per_cycle(run), iterations = run->iterations_per_cycle;
    double points = (double)p->nx * p->ny * (p->nz > 1 ? p->nz : 1);
    double rate = l->work * points * iterations / s;
    printf("  %-24s f%d %11.2f us per cycle %9.3f us per %-9s %4.0f%% of %s\n", l->name,
           8 * (int)ss_prec_size(prec), s * 1e6, s * 1e6 / iterations, l->unit,
           100 * rate / rate_of(l->limit, prec, triad), limit_names[l->limit]);
    ss_run_close(run);
}

static void run_lessons(void)
{
    problem p;
    for (int l = 0; l < NLESSON; l++)
        for (ss_prec prec = 0; prec < SS_NPREC; prec++) {
            check_lesson(&lessons[l], prec, 1);
            check_lesson(&lessons[l], prec, 1000000);
        }
    puts("\nok: tiles, swept block and cubes against the CPU, f64 and f32");
    allocate(&p, SS_F64, lay_out(4096, 4096, SS_F64, true));
    double triad = triad_rate(&p);
    ss_cuda_kept_free(&p.kept);
    for (int l = 0; l < NLESSON; l++)
        for (ss_prec prec = 0; prec < SS_NPREC; prec++)
            time_lesson(&lessons[l], prec, triad);
}

int main(int argc, char **argv)
{
    ss_cuda_limits limits;
    ss_err err;
    if (ss_cuda_get_limits(&limits, &err) != SS_OK) {
        printf("skipped: the ladder needs a GPU (%s)\n", err.text);
        return 0;
    }
    ss_cuda_use(0);
    check_all(SS_F64);
    check_all(SS_F32);
    printf("%s: 1, every rung, and 2, the norm, against the CPU, f64 and f32, 5 sizes, 3 shapes of "
           "blocks\n",
           failures ? "not ok" : "ok");
    int most = 16384;
    while (most > 1024 && 3.1 * most * most * (double)sizeof(double) > (double)limits.free)
        most /= 2;
    for (int i = 1; i < (argc > 1 ? argc : 3); i++) {
        int n = argc > 1 ? atoi(argv[i]) : i == 1 ? 1024 : most;
        n = n < 32 ? 32 : n > most ? most : n;
        time_all(SS_F64, n);
        time_all(SS_F32, n);
    }
    run_lessons();
    return failures > 0;
}
