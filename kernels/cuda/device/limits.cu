/*
 * Limits of the device, as rows for `bench`: bandwidths of its memory and of L2, and the times of a
 * kernel launch, a graph node and a synchronisation. Each probe is one small kernel; a value is the
 * median of a few passes, timed by CUDA events. Main thread.
 */
#include <algorithm>
#include <cooperative_groups.h>
#include <cuda/atomic>
#include <stdio.h>
#include <stdlib.h>

#include "kernels/cuda/device/graph.cuh"

#define PASSES 7
#define THREADS 256
#define UNROLL 4 /* loads of 16 bytes in flight per thread in copy_cached */
#define TILE ((size_t)2 * THREADS * UNROLL) /* doubles per thread block */
#define ARRAY_BYTES ((size_t)2 << 30)       /* of the triad; less on a small device */
#define CACHED_BYTES ((size_t)12 << 20)     /* of each array that stays in L2 */
#define CACHED_SWEEPS 64
#define LAUNCHES 500
#define NODES 500
#define SYNCS 1000
#define FLAG_STRIDE 32 /* each flag in a cache line of its own */

struct meter {
    size_t count; /* doubles of an array */
    double *a, *b, *c;
    int *flag, raised; /* one flag per SM; its value after the last pass */
    int processors, cache_bytes, major, minor;
    cudaStream_t stream;
    cudaEvent_t begin, end;
    cudaGraphExec_t plain, overlapped;
};

/* --- kernels ---------------------------------------------------------------------------------- */

/* 16 bytes of each array per thread; more per thread was slower. */
static __global__ void __launch_bounds__(THREADS)
    triad(const double2 *b, const double2 *c, double2 *a, double s)
{
    size_t at = (size_t)blockIdx.x * THREADS + threadIdx.x;
    double2 x = b[at], y = c[at];
    a[at] = make_double2(x.x + s * y.x, x.y + s * y.y);
}

static __global__ void __launch_bounds__(THREADS) copy(const double2 *b, double2 *a)
{
    size_t at = (size_t)blockIdx.x * THREADS + threadIdx.x;
    a[at] = b[at];
}

/* Many sweeps in one launch, because a launch takes as long as a sweep. A thread block copies
 * another tile in each sweep, bypassing L1. */
static __global__ void __launch_bounds__(THREADS)
    copy_cached(const double2 *b, double2 *a, int tiles)
{
    int tile = blockIdx.x;
    for (int n = 0; n < CACHED_SWEEPS; n++) {
        for (int t = tile; t < tiles; t += gridDim.x) {
            size_t at = (size_t)t * THREADS * UNROLL + threadIdx.x;
            double2 x[UNROLL];
#pragma unroll
            for (int i = 0; i < UNROLL; i++)
                x[i] = __ldcg(b + at + i * THREADS);
#pragma unroll
            for (int i = 0; i < UNROLL; i++)
                __stcg(a + at + i * THREADS, x[i]);
        }
        tile = tile + 1 < (int)gridDim.x ? tile + 1 : 0;
    }
}

static __global__ void nothing()
{
}

static __global__ void nothing_early()
{
    let_next_begin();
    await_previous();
}

static __global__ void sync_grid(int times)
{
    cooperative_groups::grid_group grid = cooperative_groups::this_grid();
    for (int i = 0; i < times; i++)
        grid.sync();
}

/* Thread blocks in a ring: each raises its flag and waits for its two neighbours' flags. */
static __global__ void sync_neighbours(int *flags, int raised, int times)
{
    int block = blockIdx.x, blocks = gridDim.x;
    int other = (block + (threadIdx.x == 0 ? blocks - 1 : 1)) % blocks;
    cuda::atomic_ref<int, cuda::thread_scope_device> mine(flags[block * FLAG_STRIDE]);
    cuda::atomic_ref<int, cuda::thread_scope_device> theirs(flags[other * FLAG_STRIDE]);
    for (int i = raised + 1; i <= raised + times; i++) {
        if (threadIdx.x == 0)
            mine.store(i, cuda::memory_order_release);
        if (threadIdx.x < 2)
            while (theirs.load(cuda::memory_order_acquire) < i) {
            }
        __syncthreads();
    }
}

/* --- one pass each ---------------------------------------------------------------------------- */

static unsigned tiles(size_t count)
{
    return (unsigned)(count / TILE);
}

static void pass_triad(meter *m)
{
    triad<<<UNROLL * tiles(m->count), THREADS, 0, m->stream>>>((double2 *)m->b, (double2 *)m->c,
                                                               (double2 *)m->a, 3.0);
}

static void pass_copy(meter *m)
{
    copy<<<UNROLL * tiles(m->count), THREADS, 0, m->stream>>>((double2 *)m->b, (double2 *)m->a);
}

static size_t cached_count(const meter *m)
{
    size_t count = CACHED_BYTES / sizeof(double) / TILE * TILE;
    return count < m->count ? count : m->count;
}

static void pass_cached(meter *m)
{
    unsigned all = tiles(cached_count(m)), blocks = 8u * (unsigned)m->processors;
    blocks = blocks < all ? blocks : all;
    copy_cached<<<blocks, THREADS, 0, m->stream>>>((double2 *)m->b, (double2 *)m->a, (int)all);
}

static void pass_launches(meter *m)
{
    for (int i = 0; i < LAUNCHES; i++)
        nothing<<<1, 32, 0, m->stream>>>();
}

static void pass_plain_graph(meter *m)
{
    cudaGraphLaunch(m->plain, m->stream);
}

static void pass_overlapped_graph(meter *m)
{
    cudaGraphLaunch(m->overlapped, m->stream);
}

static void pass_grid(meter *m)
{
    int times = SYNCS;
    void *args[] = {&times};
    cudaLaunchCooperativeKernel((const void *)sync_grid, dim3((unsigned)m->processors),
                                dim3(THREADS), args, 0, m->stream);
}

static void pass_neighbours(meter *m)
{
    int times = SYNCS;
    void *args[] = {&m->flag, &m->raised, &times};
    cudaLaunchCooperativeKernel((const void *)sync_neighbours, dim3((unsigned)m->processors),
                                dim3(THREADS), args, 0, m->stream);
    m->raised += times;
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
static double launches(const meter *)
{
    return LAUNCHES;
}
static double nodes(const meter *)
{
    return NODES;
}
static double syncs(const meter *)
{
    return SYNCS;
}

static const struct {
    const char *name, *unit, *help;
    void (*pass)(meter *m);
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

static int time_pass(meter *m, void (*pass)(meter *m), double *seconds, ss_err *err)
{
    float ms[PASSES];
    pass(m);
    for (int i = 0; i < PASSES; i++) {
        SS_CUDA(cudaEventRecord(m->begin, m->stream));
        pass(m);
        SS_CUDA(cudaGetLastError());
        SS_CUDA(cudaEventRecord(m->end, m->stream));
        SS_CUDA(cudaEventSynchronize(m->end));
        SS_CUDA(cudaEventElapsedTime(&ms[i], m->begin, m->end));
    }
    std::sort(ms, ms + PASSES);
    *seconds = 1e-3 * ms[PASSES / 2];
    return SS_OK;
}

static int measure(void *state, ss_limit *rows, ss_err *err)
{
    meter *m = (meter *)state;
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
    meter *m = (meter *)state;
    if (!m)
        return;
    cudaFree(m->a);
    cudaFree(m->b);
    cudaFree(m->c);
    cudaFree(m->flag);
    if (m->plain)
        cudaGraphExecDestroy(m->plain);
    if (m->overlapped)
        cudaGraphExecDestroy(m->overlapped);
    if (m->begin)
        cudaEventDestroy(m->begin);
    if (m->end)
        cudaEventDestroy(m->end);
    if (m->stream)
        cudaStreamDestroy(m->stream);
    free(m);
}

/* A graph of empty kernels in a chain. */
static int capture(meter *m, bool overlap, cudaGraphExec_t *out, ss_err *err)
{
    cudaStream_t stream = m->stream;
    auto launches = [=] {
        for (int i = 0; i < NODES; i++)
            if (overlap)
                launch_kernel(nothing_early, 1, dim3(32), 0, stream);
            else
                nothing<<<1, 32, 0, stream>>>();
        return SS_OK;
    };
    return ss_cuda_record(stream, launches, out, err);
}

static int make(meter *m, ss_err *err)
{
    size_t left, all;
    SS_CUDA(cudaMemGetInfo(&left, &all));
    SS_CUDA(cudaDeviceGetAttribute(&m->processors, cudaDevAttrMultiProcessorCount, 0));
    SS_CUDA(cudaDeviceGetAttribute(&m->cache_bytes, cudaDevAttrL2CacheSize, 0));
    SS_CUDA(cudaDeviceGetAttribute(&m->major, cudaDevAttrComputeCapabilityMajor, 0));
    SS_CUDA(cudaDeviceGetAttribute(&m->minor, cudaDevAttrComputeCapabilityMinor, 0));
    size_t bytes = ARRAY_BYTES < left / 8 ? ARRAY_BYTES : left / 8;
    m->count = bytes / sizeof(double) / TILE * TILE;
    if (bytes < 4 * (size_t)m->cache_bytes || m->count == 0)
        return ss_fail(err, "the GPU has too little free memory to measure its bandwidth");
    bytes = m->count * sizeof(double);
    SS_CUDA(cudaStreamCreateWithFlags(&m->stream, cudaStreamNonBlocking));
    SS_CUDA(cudaEventCreate(&m->begin));
    SS_CUDA(cudaEventCreate(&m->end));
    SS_CUDA(cudaMalloc(&m->a, bytes));
    SS_CUDA(cudaMalloc(&m->b, bytes));
    SS_CUDA(cudaMalloc(&m->c, bytes));
    SS_CUDA(cudaMalloc(&m->flag, (size_t)m->processors * FLAG_STRIDE * sizeof *m->flag));
    /* Not zeros, which need less power to transfer than the data of programs. */
    SS_CUDA(cudaMemsetAsync(m->b, 0x3f, bytes, m->stream));
    SS_CUDA(cudaMemsetAsync(m->c, 0x3f, bytes, m->stream));
    SS_CUDA(cudaMemsetAsync(m->flag, 0, (size_t)m->processors * FLAG_STRIDE * sizeof *m->flag,
                            m->stream));
    if (capture(m, false, &m->plain, err) != SS_OK)
        return SS_FAIL;
    return capture(m, true, &m->overlapped, err);
}

static int open_meter(const ss_config *cfg, void **state, ss_err *err)
{
    (void)cfg;
    meter *m = (meter *)calloc(1, sizeof *m);
    *state = m;
    if (!m)
        return ss_fail(err, "out of memory");
    if (make(m, err) == SS_OK)
        return SS_OK;
    close_meter(m);
    return SS_FAIL;
}

static void describe(const void *state, char *buf, size_t size)
{
    const meter *m = (const meter *)state;
    char cache[32], bytes[32];
    int driver = 0;
    cudaDriverGetVersion(&driver);
    snprintf(buf, size,
             "compute capability %d.%d, %d SMs, %s of L2, driver for CUDA %d.%d, "
             "arrays of %s",
             m->major, m->minor, m->processors,
             ss_format_bytes(m->cache_bytes, cache, sizeof cache), driver / 1000,
             driver % 1000 / 10,
             ss_format_bytes((double)m->count * sizeof(double), bytes, sizeof bytes));
}

/* At least 64 cycles per figure, which are two graphs: see cycles.cu. */
const ss_meter ss_cuda_meter = {0.01, 64, open_meter, measure, describe, close_meter};
