/* The machine's limits as rows for `bench`: the bandwidths of memory and of the caches by
 * machine.h's passes, and the matrix products of one thread, with which stored block inverses are
 * compared. On a shared machine the bandwidth can change by a factor of two within minutes, so
 * bench measures it in every round. Main thread. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "kernels/block/inverse.h"
#include "kernels/cpu/state.h"
#include "kernels/cpu/simd/machine.h"
#include "src/blas/blas.h"

#define PASSES 5 /* the fastest one counts: slower ones were disturbed by other processes */

#define ORDER 1024  /* rows of the multiplied matrices; less if the arrays are smaller */
#define HALF 0.5    /* the measured arrays fill half of a cache; other data have the rest */
#define TRAFFIC 5e8 /* bytes that a thread moves within a cache: more than 5 ms */

/* Operations per second of one thread. */
static double multiply(ss_triad *t, bool single)
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

static double measure_dgemm(ss_triad *arrays)
{
    return multiply(arrays, false);
}

static double measure_sgemm(ss_triad *arrays)
{
    return multiply(arrays, true);
}

typedef struct probe {
    const char *name, *unit, *help;
    double (*pass)(ss_triad *arrays);
} probe;

static const probe probes[] = {
    {"triad", "B/s", "a = b + s c, 24 bytes per element, write-allocate not counted",
     ss_triad_plain},
    {"triad-streaming", "B/s", "the same with non-temporal stores", ss_triad_stream},
    {"copy", "B/s", "a = b, 16 bytes per element", ss_triad_copy},
    {"dgemm", "flop/s", "matrix product by BLAS, one thread, double precision", measure_dgemm},
    {"sgemm", "flop/s", "the same in single precision", measure_sgemm},
};
#define PROBES ((int)(sizeof probes / sizeof *probes))

static int open_arrays(const ss_config *cfg, void **state, ss_err *err)
{
    char what[64];
    ss_triad *arrays = ss_alloc(sizeof *arrays, "the triad", err);
    *state = arrays;
    if (arrays && ss_blas_open(1, err) == SS_OK &&
        ss_triad_open(arrays, ss_config_threads(cfg), 0.4 * ss_memory_available(what, sizeof what),
                      err) == SS_OK)
        return SS_OK;
    free(arrays);
    return SS_FAIL;
}

enum { CACHES = 4 };

/* The triad within a cache; the private caches of all threads are measured together. */
static double pass_cache(ss_triad *arrays, const ss_cache *c)
{
    double all = HALF * c->size * (c->shared ? 1 : arrays->threads);
    return ss_triad_within(arrays, all, (int64_t)ceil(TRAFFIC * arrays->threads / all));
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
    ss_triad_plain(state); /* wakes the threads */
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
             ss_format_bytes((double)((const ss_triad *)state)->n * 8, bytes, sizeof bytes),
             policy ? policy : "not set");
}

static void close_arrays(void *state)
{
    ss_triad_close(state);
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
