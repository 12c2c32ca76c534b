/* The machine's limits as rows for `bench`: the bandwidths of memory and of the caches by
 * the triad's passes, and the matrix products of one thread, with which stored block inverses are
 * compared. On a shared machine the bandwidth can change by a factor of two within minutes, so
 * bench measures it in every round. Main thread. */
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#include "kernels/block/inverse.h"
#include "kernels/cpu/state.h"
#include "kernels/cpu/simd/machine.h"
#include "src/blas/blas.h"

/* --- the triad -------------------------------------------------------------------------------- */

/* STREAM's triad, the bandwidth with which every kernel is compared. The arrays persist between
 * rounds, so that a benchmark can interleave triads with its own runs. */
typedef struct triad_t {
    size_t n;
    double *a, *b, *c;
    int threads;
} triad_t;

#define CACHE_LINE 64

#ifdef __SSE2__
static void triad_streaming(double *a, const double *b, const double *c, double s, size_t n)
{
    __m128d factor = _mm_set1_pd(s);
    for (size_t i = 0; i < n; i += 2)
        _mm_stream_pd(a + i,
                      _mm_add_pd(_mm_load_pd(b + i), _mm_mul_pd(factor, _mm_load_pd(c + i))));
    _mm_sfence();
}

#else
static void triad_streaming(double *a, const double *b, const double *c, double s, size_t n)
{
    for (size_t i = 0; i < n; i++)
        a[i] = b[i] + s * c[i];
}

#endif

typedef void pass_fn(double *a, const double *b, const double *c, double s, size_t n);

#define SS_TEMPLATE "kernels/cpu/triad_each.h"
#include "kernels/cpu/simd/each.h"

/* As wide as the row kernels that are compared with it. */
static void triad(double *a, const double *b, const double *c, double s, size_t n)
{
    SS_PICK(triad, f64)(a, b, c, s, n);
}

static void copy(double *a, const double *b, const double *c, double s, size_t n)
{
    (void)c, (void)s;
    memcpy(a, b, n * sizeof *a);
}

/* Each thread has the same part of the arrays in every pass; parts are whole cache lines. */
static void run_pass(const triad_t *t, pass_fn *pass)
{
#pragma omp parallel num_threads(t->threads)
    {
        size_t lines = t->n / 8, id = (size_t)omp_get_thread_num();
        size_t team = (size_t)omp_get_num_threads();
        size_t from = lines * id / team * 8, to = lines * (id + 1) / team * 8;
        pass(t->a + from, t->b + from, t->c + from, 3.0, to - from);
    }
}

static double rate(const triad_t *t, pass_fn *pass, double bytes_each)
{
    double start = ss_clock();
    run_pass(t, pass);
    return bytes_each * (double)t->n / (ss_clock() - start);
}

/* Initial values; the first touch. */
static void fill(double *a, const double *b, const double *c, double s, size_t n)
{
    (void)s;
    double *y = (double *)(uintptr_t)b, *z = (double *)(uintptr_t)c;
    for (size_t i = 0; i < n; i++) {
        a[i] = 0;
        y[i] = 1;
        z[i] = 2;
    }
}

static void close_triad(triad_t *t)
{
    free(t->a);
    free(t->b);
    free(t->c);
    *t = (triad_t){0};
}

/* Each array has four times the size of the last-level cache, less if all three would exceed
 * most_bytes: then they may fit in that cache. */
static int open_triad(triad_t *t, int threads, double most_bytes, ss_err *err)
{
    size_t bytes = 4 * ss_memory_cache();
    if (3 * (double)bytes > most_bytes)
        bytes = (size_t)(most_bytes / 3);
    *t = (triad_t){.n = bytes / CACHE_LINE * 8, .threads = threads};
    t->a = ss_memory_untouched(bytes, "the triad's arrays", err);
    t->b = t->a ? ss_memory_untouched(bytes, "the triad's arrays", err) : NULL;
    t->c = t->b ? ss_memory_untouched(bytes, "the triad's arrays", err) : NULL;
    if (!t->c) {
        close_triad(t);
        return SS_FAIL;
    }
    run_pass(t, fill);
    return SS_OK;
}

/* Keeps the compiler from joining passes over the same elements. */
static void use(const double *a)
{
    __asm__ volatile("" : : "r"(a) : "memory");
}

/* The plain triad over the first `bytes` of the three arrays together, divided among the threads,
 * `times` times: the bandwidth of a cache that holds these bytes, in bytes per second. */
static double measure_within(triad_t *t, double bytes, int64_t times)
{
    size_t lines = (size_t)(bytes / 3 / CACHE_LINE) / (size_t)t->threads;
    size_t most = t->n / 8 / (size_t)t->threads;
    size_t n = 8 * (lines < 1 ? 1 : lines < most ? lines : most); /* per thread */
    double start = ss_clock();
#pragma omp parallel num_threads(t->threads)
    {
        size_t from = n * (size_t)omp_get_thread_num();
        for (int64_t i = 0; i < times; i++) {
            triad(t->a + from, t->b + from, t->c + from, 3.0, n);
            use(t->a);
        }
    }
    return 24.0 * (double)n * t->threads * (double)times / (ss_clock() - start);
}

/* One pass over the arrays, in bytes per second. Bytes are counted as STREAM does, without
 * write-allocate traffic: 24 per element of the triad a = b + s c (plain: ordinary stores; stream:
 * non-temporal stores), 16 per element of the copy. */
static double measure_plain(triad_t *t)
{
    return rate(t, triad, 24);
}

static double measure_stream(triad_t *t)
{
    return rate(t, triad_streaming, 24);
}

static double measure_copy(triad_t *t)
{
    return rate(t, copy, 16);
}

/* --- rows ------------------------------------------------------------------------------------- */

#define PASSES 5 /* the fastest one counts: slower ones were disturbed by other processes */

#define ORDER 1024  /* rows of the multiplied matrices; less if the arrays are smaller */
#define HALF 0.5    /* the measured arrays fill half of a cache; other data have the rest */
#define TRAFFIC 5e8 /* bytes that a thread moves within a cache: more than 5 ms */

/* Operations per second of one thread. */
static double multiply(triad_t *t, bool single)
{
    int n = (int)fmin(ORDER, sqrt((double)t->n));
    ss_blas_alone();
    double started = ss_clock();
    if (single)
        ss_blas->sgemm(SS_ROW_MAJOR, SS_NO_TRANS, SS_NO_TRANS, n, n, n, 1, (float *)t->b, n,
                       (float *)t->c, n, 0, (float *)t->a, n);
    else
        ss_blas->dgemm(SS_ROW_MAJOR, SS_NO_TRANS, SS_NO_TRANS, n, n, n, 1, t->b, n, t->c, n, 0,
                       t->a, n);
    return 2.0 * n * n * n / (ss_clock() - started);
}

static double measure_dgemm(triad_t *arrays)
{
    return multiply(arrays, false);
}

static double measure_sgemm(triad_t *arrays)
{
    return multiply(arrays, true);
}

typedef struct probe {
    const char *name, *unit, *help;
    double (*pass)(triad_t *arrays);
} probe;

static const probe probes[] = {
    {"triad", "B/s", "a = b + s c, 24 bytes per element, write-allocate not counted",
     measure_plain},
    {"triad-streaming", "B/s", "the same with non-temporal stores", measure_stream},
    {"copy", "B/s", "a = b, 16 bytes per element", measure_copy},
    {"dgemm", "flop/s", "matrix product by BLAS, one thread, double precision", measure_dgemm},
    {"sgemm", "flop/s", "the same in single precision", measure_sgemm},
};
#define PROBES ((int)(sizeof probes / sizeof *probes))

static int open_arrays(const ss_config *cfg, void **state, ss_err *err)
{
    char what[64];
    triad_t *arrays = ss_alloc(sizeof *arrays, "the triad", err);
    *state = arrays;
    if (arrays && ss_blas_open(1, err) == SS_OK &&
        open_triad(arrays, ss_config_threads(cfg), 0.4 * ss_memory_available(what, sizeof what),
                   err) == SS_OK)
        return SS_OK;
    free(arrays);
    return SS_FAIL;
}

enum { CACHES = 4 };

/* The triad within a cache; the private caches of all threads are measured together. */
static double pass_cache(triad_t *arrays, const ss_cache *c)
{
    double all = HALF * c->size * (c->shared ? 1 : arrays->threads);
    return measure_within(arrays, all, (int64_t)ceil(TRAFFIC * arrays->threads / all));
}

static ss_limit cache_row(const ss_cache *c)
{
    static const char *const names[] = {"triad-L0", "triad-L1", "triad-L2", "triad-L3", "triad-L4"};
    return (ss_limit){.name = names[c->level <= CACHES ? c->level : 0],
                      .unit = "B/s",
                      .help = "the triad within half of this cache",
                      .capacity = c->size,
                      .per_core = !c->shared};
}

static int measure(void *state, ss_limit *rows, ss_err *err)
{
    (void)err;
    ss_cache cache[CACHES];
    int n = ss_memory_caches(cache, CACHES);
    measure_plain(state); /* wakes the threads */
    for (int i = 0; i < PROBES; i++)
        rows[i] =
            (ss_limit){.name = probes[i].name, .unit = probes[i].unit, .help = probes[i].help};
    for (int i = 0; i < n; i++)
        rows[PROBES + i] = cache_row(&cache[i]);
    for (int pass = 0; pass < PASSES; pass++) {
        for (int i = 0; i < PROBES; i++)
            rows[i].value = fmax(rows[i].value, probes[i].pass(state));
        for (int i = 0; i < n; i++)
            rows[PROBES + i].value = fmax(rows[PROBES + i].value, pass_cache(state, &cache[i]));
    }
    return PROBES + n;
}

/* The wait policy belongs to the result: if threads sleep at barriers, schedules with fewer
 * barriers gain more. */
static void describe(const void *state, char *buf, size_t size)
{
    char bytes[32];
    const char *policy = getenv("OMP_WAIT_POLICY");
    snprintf(buf, size, "%s instructions, %s %s, arrays of %s, OpenMP wait policy %s",
             ss_isa_name(ss_isa_level()),
             ss_blas_found() ? "BLAS for" : "no BLAS:", ss_blas_kernels(),
             ss_format_bytes((double)((const triad_t *)state)->n * 8, bytes, sizeof bytes),
             policy ? policy : "not set");
}

static void close_arrays(void *state)
{
    close_triad(state);
    free(state);
}

const ss_meter ss_cpu_meter = {
    .sample_seconds = 0.15,
    .sample_cycles = 1,
    .open = open_arrays,
    .measure = measure,
    .describe = describe,
    .close = close_arrays,
};
