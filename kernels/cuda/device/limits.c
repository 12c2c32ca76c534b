/*
 * Limits of the device, as rows for `bench`: bandwidths of its memory and of L2, and the times of a
 * kernel launch, a graph node and a synchronisation. Each probe is one small kernel (limits.cuh); a
 * value is the median of a few passes, timed by events. Main thread.
 */
#include <stdio.h>
#include <stdlib.h>

#include "kernels/cuda/device/check.h"
#include "kernels/cuda/device/loader.h"
#include "kernels/cuda/device/names.h"

#define PASSES 7
#define THREADS 256 /* this and the next three as in limits.cuh */
#define UNROLL 4
#define CACHED_SWEEPS 64
#define FLAG_STRIDE 32
#define TILE ((size_t)2 * THREADS * UNROLL) /* doubles per thread block */
#define ARRAY_BYTES ((size_t)2 << 30)       /* of the triad; less on a small device */
#define CACHED_BYTES ((size_t)12 << 20)     /* of each array that stays in L2 */
#define LAUNCHES 500
#define NODES 500
#define SYNCS 1000

typedef struct meter {
    size_t count; /* doubles of an array */
    double *a, *b, *c;
    int *flag, raised; /* one flag per SM; its value after the last pass */
    int *arrived;      /* of the barrier across all SMs */
    int processors, cache_bytes, major, minor;
    ss_cu_stream stream;
    ss_cu_event begin, end;
    ss_cuda_kernel triad, copy, cached, nothing, early, grid, neighbours;
    ss_cu_graph plain, overlapped;
    ss_cuda_kept kept; /* all but the graphs */
} meter;

/* --- one pass each ---------------------------------------------------------------------------- */

static int pass_triad(meter *m)
{
    double s = 3;
    ss_cuda_launch_kernel(&m->triad, m->stream, SS_ARGUMENTS(&m->b, &m->c, &m->a, &s));
    return ss_cuda_launch_error();
}

static int pass_copy(meter *m)
{
    ss_cuda_launch_kernel(&m->copy, m->stream, SS_ARGUMENTS(&m->b, &m->a));
    return ss_cuda_launch_error();
}

static size_t cached_count(const meter *m)
{
    size_t count = CACHED_BYTES / sizeof(double) / TILE * TILE;
    return count < m->count ? count : m->count;
}

static int pass_cached(meter *m)
{
    int tiles = (int)(cached_count(m) / TILE);
    ss_cuda_launch_kernel(&m->cached, m->stream, SS_ARGUMENTS(&m->b, &m->a, &tiles));
    return ss_cuda_launch_error();
}

static int pass_launches(meter *m)
{
    for (int i = 0; i < LAUNCHES; i++)
        ss_cuda_launch_kernel(&m->nothing, m->stream, NULL);
    return ss_cuda_launch_error();
}

static int pass_plain_graph(meter *m)
{
    return ss_cu->graph_launch(m->plain, m->stream);
}

static int pass_overlapped_graph(meter *m)
{
    return ss_cu->graph_launch(m->overlapped, m->stream);
}

static int pass_grid(meter *m)
{
    int times = SYNCS;
    ss_cuda_launch_kernel(&m->grid, m->stream, SS_ARGUMENTS(&m->arrived, &times));
    return ss_cuda_launch_error();
}

static int pass_neighbours(meter *m)
{
    int times = SYNCS;
    ss_cuda_launch_kernel(&m->neighbours, m->stream, SS_ARGUMENTS(&m->flag, &m->raised, &times));
    m->raised += times;
    return ss_cuda_launch_error();
}

/* --- the table -------------------------------------------------------------------------------- */

static double triad_bytes(const meter *m)
{
    return 24.0 * (double)m->count;
}
static double copy_bytes(const meter *m)
{
    return 16.0 * (double)m->count;
}
static double cached_bytes(const meter *m)
{
    return 16.0 * (double)cached_count(m) * CACHED_SWEEPS;
}
static double launches(const meter *m)
{
    (void)m;
    return LAUNCHES;
}
static double nodes(const meter *m)
{
    (void)m;
    return NODES;
}
static double syncs(const meter *m)
{
    (void)m;
    return SYNCS;
}

static const struct {
    const char *name, *unit, *help;
    int (*pass)(meter *m);            /* returns a code of the driver */
    double (*amount)(const meter *m); /* of one pass */
    bool rate;                        /* report amount per second, else seconds per amount */
} probes[] = {
    {"triad", "B/s", "a = b + s c, 24 bytes per element", pass_triad, triad_bytes, true},
    {"copy", "B/s", "a = b, 16 bytes per element", pass_copy, copy_bytes, true},
    {"copy-L2", "B/s", "a = b within L2", pass_cached, cached_bytes, true},
    {"launch-stream", "s", "an empty kernel, launched on a stream", pass_launches, launches, false},
    {"launch-graph", "s", "an empty kernel as a node of a CUDA graph", pass_plain_graph, nodes,
     false},
    {"launch-overlapped", "s", "the same with programmatic dependent launch", pass_overlapped_graph,
     nodes, false},
    {"sync-grid", "s", "a barrier across all SMs", pass_grid, syncs, false},
    {"sync-neighbours", "s", "each SM waits for the flags of two others", pass_neighbours, syncs,
     false},
};
#define PROBES ((int)(sizeof probes / sizeof *probes))

static int compare(const void *a, const void *b)
{
    const float *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static int time_pass(meter *m, int (*pass)(meter *m), double *seconds, ss_err *err)
{
    float ms[PASSES] = {0};
    SS_CUDA(pass(m));
    for (int i = 0; i < PASSES; i++) {
        SS_CUDA(ss_cu->event_record(m->begin, m->stream));
        SS_CUDA(pass(m));
        SS_CUDA(ss_cu->event_record(m->end, m->stream));
        SS_CUDA(ss_cu->event_wait(m->end));
        SS_CUDA(ss_cu->event_ms(&ms[i], m->begin, m->end));
    }
    qsort(ms, PASSES, sizeof *ms, compare);
    *seconds = 1e-3 * (double)ms[PASSES / 2];
    return SS_OK;
}

static int measure(void *state, ss_limit *rows, ss_err *err)
{
    meter *m = state;
    ss_cuda_use(0);
    for (int i = 0; i < PROBES; i++) {
        double seconds = 0, amount = probes[i].amount(m);
        if (time_pass(m, probes[i].pass, &seconds, err) != SS_OK)
            return SS_FAIL;
        rows[i].name = probes[i].name;
        rows[i].unit = probes[i].unit;
        rows[i].help = probes[i].help;
        rows[i].value = probes[i].rate ? amount / seconds : seconds / amount;
        rows[i].capacity = probes[i].pass == pass_cached ? m->cache_bytes : 0;
    }
    return PROBES;
}

/* --- open and close --------------------------------------------------------------------------- */

static void close_meter(void *state)
{
    meter *m = state;
    if (!m)
        return;
    ss_cuda_use(0);
    if (m->plain)
        ss_cu->graph_free(m->plain);
    if (m->overlapped)
        ss_cu->graph_free(m->overlapped);
    ss_cuda_kept_free(&m->kept);
    free(m);
}

static int find(ss_cuda_kernel *k, const char *name, size_t blocks, unsigned threads, ss_err *err)
{
    k->blocks.x = (unsigned)blocks;
    k->threads.x = threads;
    k->ordinary = true;
    return ss_cuda_kernel_get(k, err, "device/limits.cuh", "%s", name);
}

static int find_kernels(meter *m, ss_err *err)
{
    size_t vectors = UNROLL * (m->count / TILE), cached = cached_count(m) / TILE;
    size_t resident = 8 * (size_t)m->processors, sms = (size_t)m->processors;
    cached = cached < resident ? cached : resident;
    if (find(&m->triad, "triad", vectors, THREADS, err) != SS_OK ||
        find(&m->copy, "copy", vectors, THREADS, err) != SS_OK ||
        find(&m->cached, "copy_cached", cached, THREADS, err) != SS_OK ||
        find(&m->nothing, "nothing", 1, 32, err) != SS_OK ||
        find(&m->early, "nothing_early", 1, 32, err) != SS_OK ||
        find(&m->grid, "sync_grid", sms, THREADS, err) != SS_OK ||
        find(&m->neighbours, "sync_neighbours", sms, THREADS, err) != SS_OK)
        return SS_FAIL;
    m->early.ordinary = false;
    m->grid.cooperative = m->neighbours.cooperative = true;
    return SS_OK;
}

static int make_arrays(meter *m, ss_err *err)
{
    size_t left, all;
    SS_CUDA(ss_cu->memory_free(&left, &all));
    size_t bytes = ARRAY_BYTES < left / 8 ? ARRAY_BYTES : left / 8;
    size_t flags = (size_t)m->processors * FLAG_STRIDE * sizeof *m->flag;
    m->count = bytes / sizeof(double) / TILE * TILE;
    if (bytes < 4 * (size_t)m->cache_bytes || m->count == 0)
        return ss_fail(err, "the GPU has too little free memory to measure its bandwidth");
    bytes = m->count * sizeof(double);
    if (ss_cuda_keep(&m->kept, (void **)&m->a, bytes, "an array", err) != SS_OK ||
        ss_cuda_keep(&m->kept, (void **)&m->b, bytes, "an array", err) != SS_OK ||
        ss_cuda_keep(&m->kept, (void **)&m->c, bytes, "an array", err) != SS_OK ||
        ss_cuda_keep_zeroed(&m->kept, (void **)&m->flag, flags, "flags", m->stream, err) != SS_OK ||
        ss_cuda_keep_zeroed(&m->kept, (void **)&m->arrived, sizeof *m->arrived, "a barrier",
                            m->stream, err) != SS_OK)
        return SS_FAIL;
    /* Not zeros, which need less power to transfer than the data of programs. */
    SS_CUDA(ss_cu->fill(m->b, 0x3f, bytes, m->stream));
    SS_CUDA(ss_cu->fill(m->c, 0x3f, bytes, m->stream));
    return SS_OK;
}

/* A chain of empty kernels. */
typedef struct chain {
    const ss_cuda_kernel *kernel;
    ss_cu_stream stream;
} chain;

static int launch_chain(void *context, ss_err *err)
{
    const chain *c = context;
    (void)err;
    for (int i = 0; i < NODES; i++)
        ss_cuda_launch_kernel(c->kernel, c->stream, NULL);
    return SS_OK;
}

static int record(const meter *m, const ss_cuda_kernel *kernel, ss_cu_graph *out, ss_err *err)
{
    chain c = {kernel, m->stream};
    return ss_cuda_record(m->stream, launch_chain, &c, out, err);
}

static int make(meter *m, ss_err *err)
{
    m->processors = ss_cuda_attribute(SS_CU_PROCESSORS);
    m->cache_bytes = ss_cuda_attribute(SS_CU_L2_BYTES);
    m->major = ss_cuda_attribute(SS_CU_MAJOR);
    m->minor = ss_cuda_attribute(SS_CU_MINOR);
    if (ss_cuda_keep_stream(&m->kept, &m->stream, err) != SS_OK ||
        ss_cuda_keep_event(&m->kept, &m->begin, 0, err) != SS_OK ||
        ss_cuda_keep_event(&m->kept, &m->end, 0, err) != SS_OK || make_arrays(m, err) != SS_OK ||
        find_kernels(m, err) != SS_OK || record(m, &m->nothing, &m->plain, err) != SS_OK)
        return SS_FAIL;
    return record(m, &m->early, &m->overlapped, err);
}

static int open_meter(const ss_config *cfg, void **state, ss_err *err)
{
    (void)cfg;
    *state = NULL;
    if (ss_cuda_probe(err) != SS_OK)
        return SS_FAIL;
    ss_cuda_use(0);
    meter *m = calloc(1, sizeof *m);
    if (!m)
        return ss_fail(err, "out of memory");
    if (make(m, err) != SS_OK) {
        close_meter(m);
        return SS_FAIL;
    }
    *state = m;
    return SS_OK;
}

static void describe(const void *state, char *buf, size_t size)
{
    const meter *m = state;
    char cache[32], bytes[32];
    int driver = 0;
    ss_cu->driver_version(&driver);
    snprintf(buf, size,
             "compute capability %d.%d, %d SMs, %s of L2, driver for CUDA %d.%d, "
             "arrays of %s",
             m->major, m->minor, m->processors,
             ss_format_bytes(m->cache_bytes, cache, sizeof cache), driver / 1000,
             driver % 1000 / 10,
             ss_format_bytes((double)(m->count * sizeof(double)), bytes, sizeof bytes));
}

/* At least 64 cycles per figure, which are two graphs: see plan.c. A kernel that needs much power
 * slows down some 0.1 s after it has begun. */
const ss_meter ss_cuda_meter = {
    .sample_seconds = 0.03,
    .load_seconds = 0.25,
    .sample_cycles = 64,
    .open = open_meter,
    .measure = measure,
    .describe = describe,
    .close = close_meter,
};
