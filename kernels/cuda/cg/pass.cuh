/*
 * A pass of conjugate gradients over the field: one kernel that updates vectors and sums dot
 * products in the order of the CPU, so that iterations, factors and fields have the CPU's bits.
 *
 *     1. A row is divided into segments of SS_CG_SEGMENT points. A thread block has a tile: the
 *        same segment of a few adjacent rows. Each thread has one column of it, so that loads are
 *        coalesced and a vector that is read at neighbours comes from the cache. A thread loads a
 *        batch of points before it updates the first of them, to have several loads on their way.
 *     2. Products go to shared memory. Sixteen threads add those of a segment: thread k adds points
 *        k, k + 16, k + 32, ... one after the other, as lane k of the CPU's sum does
 *        (kernels/cpu/simd/norm.h). Shuffles add the lanes. The segment has one partial sum.
 *     3. The block that finishes last adds the partial sums of all segments in a binary tree, and
 *        one thread of it makes the method's factors: no number travels to the host.
 *
 * A pass P is a struct with the pointers that it needs and these members:
 *
 *     sums                        its number of dot products, 0 to 2
 *     point                       what it loads of a point
 *     batch                       points that a thread loads at once; it divides the rows of a tile
 *     due(run)                    does it visit the points? All threads of the launch must agree
 *     load(k, south)              element k of the arrays; south: what was loaded of the point to
 *                                 the south, or NULL
 *     store(k, point, product)    product[0 .. sums): the point's products
 *     finish(run, due, totals)    one thread of the last block
 *
 * A pass that is not due costs an empty launch. With `always`, finish is called nevertheless.
 * Neighbours are read only of vectors that the pass does not write. Device code.
 */
#ifndef SS_CUDA_CG_PASS_CUH
#define SS_CUDA_CG_PASS_CUH

#include "kernels/cpu/simd/norm.h"
#include "kernels/cuda/cg/arguments.h"
#include "kernels/cuda/device/norm.cuh"
#include "kernels/cuda/device/ptx.cuh"

#define CG_BLOCKS 2 /* of an SM, at least: a thread has 64 registers */
#define CG_FOLD 3   /* levels of the tree of partial sums that a thread adds at once */
#define CG_TREE (CG_TILE_SUMS * CG_THREADS)

/* Segments x / SS_CG_SEGMENT of rows [row, row + rows), at the end of the field of fewer rows. */
struct cg_tile {
    int x, row, rows;
};

static __device__ __forceinline__ cg_tile cg_tile_of(const cg_run &a, int block, int rows)
{
    int down = cg_tiles_down(a.ny, rows), row = block % down * rows;
    return {block / down * SS_CG_SEGMENT, row, a.ny - row < rows ? a.ny - row : rows};
}

/* N points of the thread's column, the first of which is element k of the arrays. */
template <int N, class P>
static __device__ __forceinline__ void cg_update(const P &pass, ptrdiff_t k, ptrdiff_t sy,
                                                 double (*product)[CG_THREADS], int row)
{
    typename P::point in[N];
    ptrdiff_t at = k;
#pragma unroll
    for (int q = 0; q < N; q++, at += sy)
        in[q] = pass.load(at, q > 0 ? &in[q - 1] : NULL);
#pragma unroll
    for (int q = 0; q < N; q++, k += sy) {
        double value[P::sums > 0 ? P::sums : 1];
        pass.store(k, in[q], value);
        for (int i = 0; i < P::sums; i++)
            product[i * cg_rows(P::sums) + row + q][threadIdx.x] = value[i];
    }
}

/* The thread's column of a tile. Products of points that do not exist are 0, which changes no bit
 * of a sum: no lane is -0. */
template <class P>
static __device__ __forceinline__ void cg_visit(const P &pass, const cg_run &a, const cg_tile &tile,
                                                double (*product)[CG_THREADS])
{
    const int all = cg_rows(P::sums), x = tile.x + threadIdx.x;
    int row = 0;
    if (x < a.nx) {
        ptrdiff_t k = tile.row * a.sy + x;
#pragma unroll 1
        for (; row + P::batch <= tile.rows; row += P::batch, k += P::batch * a.sy)
            cg_update<P::batch>(pass, k, a.sy, product, row);
#pragma unroll 1
        for (; row < tile.rows; row++, k += a.sy)
            cg_update<1>(pass, k, a.sy, product, row);
    }
    for (; P::sums > 0 && row < all; row++)
        for (int i = 0; i < P::sums; i++)
            product[i * all + row][threadIdx.x] = 0;
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

/* Stores the sums of a tile's segments. */
template <int SUMS>
static __device__ __forceinline__ void cg_leave(const cg_run &a, const cg_tile &tile,
                                                const double (*product)[CG_THREADS])
{
    const int all = cg_rows(SUMS), mine = threadIdx.x / SS_SUM_LANES, row = mine % all;
    const int lane = threadIdx.x % SS_SUM_LANES;
    if (mine >= SUMS * all) /* whole warps */
        return;
    double sum = 0;
#pragma unroll 8
    for (int i = lane; i < SS_CG_SEGMENT; i += SS_SUM_LANES)
        sum += product[mine][i];
    sum = cg_lanes_sum(sum);
    size_t segment = (size_t)(tile.x / SS_CG_SEGMENT) * a.ny + tile.row + row;
    if (lane == 0 && row < tile.rows)
        a.partial[(size_t)(mine / all) * a.segments + segment] = sum;
}

/* True in the block that is the last one to get here: the stores of all others are visible to it,
 * and they have read all that they need of the state. */
static __device__ inline bool cg_is_last(cg_state *state)
{
    __shared__ bool last;
    __syncthreads(); /* the block's sums are stored */
    if (threadIdx.x == 0) {
        __threadfence(); /* before this block is counted */
        last = atomicAdd(&state->arrived, 1u) == gridDim.x - 1;
        if (last)
            state->arrived = 0; /* for the next launch */
    }
    __syncthreads();
    __threadfence();
    return last;
}

/* Element i of the binary tree's level D over v[0..n[0]); level d has n[d] elements, and those
 * beyond are 0. All loads are independent; they bypass L1, which does not see the stores of other
 * blocks. */
template <int D>
static __device__ __forceinline__ double cg_fold(const double *v, const int *n, int i)
{
    if constexpr (D == 0)
        return i < n[0] ? __ldcg(v + i) : 0;
    else {
        int right = i + n[D] < n[D - 1] ? i + n[D] : n[0];
        return cg_fold<D - 1>(v, n, i) + cg_fold<D - 1>(v, n, right);
    }
}

/* The numbers of elements per level; that of the last one. */
static __device__ __forceinline__ int cg_levels(int *n)
{
#pragma unroll
    for (int d = 0; d < CG_FOLD; d++)
        n[d + 1] = (n[d] + 1) / 2;
    return n[CG_FOLD];
}

/* Sum of v[0..n) in the binary tree of ss_tree_sum, for thread 0; v is overwritten. All threads of
 * a block call it. shared: CG_TREE numbers. */
static __device__ inline double cg_tree_sum(double *v, int count, double *shared)
{
    int n[CG_FOLD + 1] = {count}, thread = threadIdx.x, lane = thread % 32;
    for (; cg_levels(n) > CG_TREE; n[0] = n[CG_FOLD]) {
        for (int i = thread; i < n[CG_FOLD]; i += CG_THREADS)
            __stcg(v + i, cg_fold<CG_FOLD>(v, n, i)); /* nobody else reads element i */
        __syncthreads();
    }
    __syncthreads(); /* `shared` may still be read */
#pragma unroll 2
    for (int i = thread; i < n[CG_FOLD]; i += CG_THREADS)
        shared[i] = cg_fold<CG_FOLD>(v, n, i);
    __syncthreads();
    int left = n[CG_FOLD];
    for (int half; left > 32; left = half) {
        half = (left + 1) / 2;
        for (int i = thread; i + half < left; i += CG_THREADS)
            shared[i] += shared[i + half];
        __syncthreads();
    }
    double sum = lane < left ? shared[lane] : 0;
    for (int half; left > 1; left = half) {
        half = (left + 1) / 2;
        double right = __shfl_down_sync(~0u, sum, half);
        sum += lane + half < left ? right : 0;
    }
    return sum;
}

/* --- the kernel ------------------------------------------------------------------------------- */

/* Waits for the kernel before; not 0: the run has stopped (device/norm.cuh). */
static __device__ __forceinline__ int cg_begins(const cg_run &a)
{
    await_previous();
    let_next_begin();
    return stopped(a.control->stop);
}

template <class P>
__global__ void __launch_bounds__(CG_THREADS, CG_BLOCKS)
    cg_pass(const __grid_constant__ P pass, const __grid_constant__ cg_run a)
{
    __shared__ double product[P::sums > 0 ? CG_TILE_SUMS : 1][CG_THREADS];
    const cg_tile tile = cg_tile_of(a, blockIdx.x, cg_rows(P::sums));
    int stop = cg_begins(a);
    P mine = pass;
    bool due = mine.due(a); /* reads the factors from the state, too: before the test of `stop`, so
                               that both loads are on their way */
    if (stop)
        return;
    if (due)
        cg_visit(mine, a, tile, product);
    if constexpr (P::sums > 0) {
        if (!due && !P::always)
            return;
        __syncthreads(); /* the products are stored */
        if (due)
            cg_leave<P::sums>(a, tile, product);
        if (!cg_is_last(a.state))
            return;
        double total[P::sums];
#pragma unroll
        for (int k = 0; k < P::sums; k++)
            total[k] =
                due ? cg_tree_sum(a.partial + (size_t)k * a.segments, a.segments, *product) : 0;
        if (threadIdx.x == 0)
            mine.finish(a, due, total);
    }
}

#endif
