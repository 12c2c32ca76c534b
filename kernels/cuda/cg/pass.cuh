/*
 * A pass of conjugate gradients over the field: one kernel that updates vectors and sums dot
 * products in the order of the CPU, so that iterations, factors and fields have the CPU's bits.
 *
 *     1. A row is divided into segments (SS_SUM_STRIP_BYTES), and a segment belongs to sixteen
 *        threads. Thread k visits points k, k + 16, k + 32, ... and adds their products one after
 *        the other: it is lane k of the CPU's sum (kernels/cpu/simd/norm.h). Sixteen adjacent
 *        doubles are 128 bytes, so that access is coalesced. A thread loads CG_BATCH points before
 *        it updates the first of them, to have several loads on their way.
 *     2. Shuffles add the sixteen lanes. The segment stores one partial sum.
 *     3. The block that finishes last adds the partial sums of all segments in a binary tree, and
 *        one thread of it makes the method's factors: no number travels to the host.
 *
 * A pass P is a struct with the pointers that it needs and these members:
 *
 *     sums                 its number of dot products
 *     point                what it loads of a point
 *     due(state)           does it visit the points? All threads of the launch must agree
 *     load(k), store(k, point, sum)    element k of the arrays; store adds to sum[0 .. sums)
 *     finish(run, due, totals)         one thread of the last block
 *
 * A pass that is not due costs an empty launch. With `always`, finish is called nevertheless.
 * Neighbours are read only of vectors that the pass does not write. Device code.
 */
#ifndef SS_CUDA_CG_PASS_CUH
#define SS_CUDA_CG_PASS_CUH

#include "kernels/cpu/simd/norm.h"
#include "kernels/cuda/device/common.cuh"
#include "kernels/solver/cg_recurrence.h"

#define CG_SEGMENTS 8 /* of a block: few, so that a small field has blocks for many SMs */
#define CG_THREADS (SS_SUM_LANES * CG_SEGMENTS)
#define CG_BATCH 4   /* points that a thread loads at once */
#define CG_TREE 1024 /* partial sums in shared memory */

/* What the passes hand on to each other, on the device. The last block of a pass writes it; all
 * other blocks of that pass have read what they need before. */
struct cg_state {
    ss_cg_recurrence at;
    int fresh;        /* pipelined: w is not known yet */
    int reached;      /* the tolerance was met before */
    unsigned arrived; /* thread blocks that have stored their partial sums */
    double gram[SS_CG_PAIRS];
    ss_cg_coordinates vectors;
};

/* What every pass gets. partial: [sum][segment]. */
struct cg_run {
    int nx, ny, width, segments; /* width: points of a segment; the last one of a row has fewer */
    ptrdiff_t sy;
    double *partial;
    cg_state *state;
    ss_cuda_control *control;
};

/* The number of this thread's segment; the last block may have threads without one. */
static __device__ __forceinline__ int cg_segment(int block)
{
    return block * CG_SEGMENTS + threadIdx.y;
}

/* Calls f(k, n) for batches of points of a segment: n points of this thread, whose elements are k,
 * k + 16, ... Segments are numbered down the field, one strip after the other, as on the CPU. */
template <class F>
static __device__ __forceinline__ void cg_batches(const cg_run &a, int segment, F f)
{
    if (segment >= a.segments)
        return;
    int x = segment / a.ny * a.width, n = a.nx - x < a.width ? a.nx - x : a.width;
    ptrdiff_t first = segment % a.ny * a.sy + x;
    for (int i = threadIdx.x; i < n; i += SS_SUM_LANES * CG_BATCH)
        f(first + i, (n - i + SS_SUM_LANES - 1) / SS_SUM_LANES);
}

template <class P>
static __device__ __forceinline__ void cg_visit(const P &pass, const cg_run &a, int segment,
                                                double *sum)
{
    cg_batches(a, segment, [&](ptrdiff_t k, int n) {
        typename P::point in[CG_BATCH];
#pragma unroll
        for (int q = 0; q < CG_BATCH; q++)
            if (q < n)
                in[q] = pass.load(k + q * SS_SUM_LANES);
#pragma unroll
        for (int q = 0; q < CG_BATCH; q++)
            if (q < n)
                pass.store(k + q * SS_SUM_LANES, in[q], sum);
    });
}

/* --- sums ------------------------------------------------------------------------------------- */

/* The sum over the lanes of a segment, in lane 0. All threads of a warp call it: a warp has two
 * segments. */
static __device__ __forceinline__ double cg_lanes_sum(double v)
{
    for (int d = SS_SUM_LANES / 2; d > 0; d /= 2)
        v += __shfl_down_sync(~0u, v, d, SS_SUM_LANES);
    return v;
}

/* Stores the sum of this thread's segment. */
static __device__ __forceinline__ void cg_leave(const cg_run &a, int which, int segment, double v)
{
    double sum = cg_lanes_sum(v);
    if (threadIdx.x == 0 && segment < a.segments)
        a.partial[(size_t)which * a.segments + segment] = sum;
}

/* True in the block that is the last one to get here: the stores of all others are visible to it,
 * and they have read all that they need of the state. */
static __device__ inline bool cg_is_last(cg_state *state)
{
    __shared__ bool last;
    __syncthreads(); /* the block's sums are stored */
    if (threadIdx.x == 0 && threadIdx.y == 0) {
        __threadfence(); /* before this block is counted */
        last = atomicAdd(&state->arrived, 1u) == gridDim.x - 1;
        if (last)
            state->arrived = 0; /* for the next launch */
    }
    __syncthreads();
    __threadfence();
    return last;
}

/* Sum of v[0..n) in the binary tree of ss_tree_sum; v is overwritten. All threads of a block call
 * it, and all get the sum. Loads bypass L1, which does not see the stores of other blocks. */
static __device__ inline double cg_tree_sum(double *v, int n)
{
    __shared__ double sum[CG_TREE];
    int thread = threadIdx.y * SS_SUM_LANES + threadIdx.x, half = (n + 1) / 2;
    for (; half > CG_TREE; n = half, half = (n + 1) / 2) {
        for (int i = thread; i + half < n; i += CG_THREADS)
            __stcg(v + i, __ldcg(v + i) + __ldcg(v + i + half));
        __syncthreads();
    }
    for (int i = thread; i < half; i += CG_THREADS)
        sum[i] = i + half < n ? __ldcg(v + i) + __ldcg(v + i + half) : __ldcg(v + i);
    __syncthreads();
    for (n = half; n > 1; n = half) {
        half = (n + 1) / 2;
        for (int i = thread; i + half < n; i += CG_THREADS)
            sum[i] += sum[i + half];
        __syncthreads();
    }
    double total = sum[0];
    __syncthreads(); /* `sum` may be used again */
    return total;
}

/* --- the kernel ------------------------------------------------------------------------------- */

/* Waits for the kernel before; false: the run has stopped (device/norm.cuh). */
static __device__ __forceinline__ bool cg_begins(const cg_run &a)
{
    await_previous();
    let_next_begin();
    return !stopped(&a.control->stop);
}

template <class P>
__global__ void __launch_bounds__(CG_THREADS)
    cg_pass(const __grid_constant__ P pass, const __grid_constant__ cg_run a)
{
    double sum[P::sums > 0 ? P::sums : 1] = {0};
    int segment = cg_segment(blockIdx.x);
    if (!cg_begins(a))
        return;
    P mine = pass;
    bool due = mine.due(a); /* reads the factors from the state, too */
    if (due)
        cg_visit(mine, a, segment, sum);
    if constexpr (P::sums > 0) {
        if (!due && !P::always)
            return;
        if (due)
            for (int k = 0; k < P::sums; k++)
                cg_leave(a, k, segment, sum[k]);
        if (!cg_is_last(a.state))
            return;
        for (int k = 0; k < P::sums; k++)
            sum[k] = due ? cg_tree_sum(a.partial + (size_t)k * a.segments, a.segments) : 0;
        if (threadIdx.x == 0 && threadIdx.y == 0)
            mine.finish(a, due, sum);
    }
}

#endif
