/*
 * The norm of a field, made on the device, and the decision whether the run goes on. Device code;
 * at the end a kernel that does nothing else.
 *
 * |r| = scale * sqrt(sum of (u' - u)^2), where u' is the updated field. The sum is made in two
 * steps, always in the same order, so that the same field gives the same bits (floating-point sums
 * depend on their order, and an atomic sum would have another order in each run):
 *
 *     1. Each thread adds the squares of its points, and block_sum adds the threads of a block: by
 *        shuffles within a warp, then through shared memory. The block stores one partial sum.
 *     2. The block that finishes last adds the partial sums of all blocks. It knows that it is last
 *        by an atomic counter: __threadfence before the increment makes a block's partial sum
 *        visible to the block that counts to the end.
 *
 * The last block also decides: where the norm meets the tolerance, or is not finite, or has grown
 * without bound, it sets `stop`. The host enqueues many cycles ahead and sees the norms only when
 * all of them have run. Until then every kernel tests `stop` and stores nothing once it is set, so
 * that u, the field whose norm stopped the run, is the field that is kept.
 */
#ifndef SS_CUDA_NORM_CUH
#define SS_CUDA_NORM_CUH

/* ss_cuda_control: what the host fills in before a step and reads after it. stop: SS_CUDA_STOPS
 * copies of the flag, SS_CUDA_STOP_STEP ints apart, each in a cache line of its own: every warp of
 * every launch reads one, and L2 serves about 5 billion loads of one line per second. norm[0 ..
 * count - 1]: the norms so far. arrived: blocks that have stored their partial sum. first: the norm
 * of the run's start, < 0: not known yet. tol, growth: relative to it; stops: does the run end at
 * the tolerance? part: where the field is divided among devices, for the sums of this part, which
 * other kernels add and decide on; else NULL. */
#include "kernels/cuda/device/control.h"
/* await_previous(): waits until the launch before this one has stored its field; let_next_begin():
 * the next launch may begin while this one ends. */
#include "kernels/cuda/device/ptx.cuh"

/* The arguments of a cycle, for kernels that take them as one. in, rhs and out point to interior
 * point (0, 0). */
template <typename T> struct ss_cuda_sweep {
    const T *in, *rhs;
    T *out;
    int nx, ny;
    ptrdiff_t sy;
    double *partial; /* one sum per thread block */
    ss_cuda_control *control;
};

/* Not 0: store nothing. Neighbouring warps read different copies of the flag (control.h). The load
 * bypasses L1, which may hold the value of an earlier kernel. An int, so that the load can be
 * issued early and its result is needed only before the store. */
static __device__ __forceinline__ int stopped(const int *stop)
{
    unsigned warp = threadIdx.x / 32 + threadIdx.y + blockIdx.x + blockIdx.y;
    return __ldcg(stop + warp % SS_CUDA_STOPS * SS_CUDA_STOP_STEP);
}
static __device__ inline void set_stop(ss_cuda_control *c, int value)
{
    for (int i = 0; i < SS_CUDA_STOPS; i++)
        c->stop[i * SS_CUDA_STOP_STEP] = value;
}
template <typename T> static __device__ __forceinline__ int stopped(const ss_cuda_sweep<T> &a)
{
    return stopped(a.control->stop);
}

/* Sum over the thread block; thread 0 gets it. */
static __device__ inline double block_sum(double v)
{
    __shared__ double warp_sum[32];
    int thread = threadIdx.y * blockDim.x + threadIdx.x, threads = blockDim.x * blockDim.y;
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_down_sync(~0u, v, d);
    __syncthreads(); /* warp_sum may still be read for an earlier sum */
    if (thread % 32 == 0)
        warp_sum[thread / 32] = v;
    __syncthreads(); /* all warps have stored theirs */
    if (thread == 0)
        for (int i = 1; i < (threads + 31) / 32; i++)
            v += warp_sum[i];
    return v;
}

/* Appends the norm of a sum of squares, and sets stop where the run ends with it. One thread. */
static __device__ inline void decide(ss_cuda_control *c, double sum)
{
    double norm = c->scale * sqrt(sum);
    if (c->first < 0)
        c->first = norm;
    bool finite = norm - norm == 0; /* not so for NaN and infinity */
    if (!finite || (c->first > 0 && norm > c->growth * c->first) ||
        (c->stops && norm <= c->tol * c->first))
        set_stop(c, 1);
    c->norm[c->count++] = norm;
}

/* All threads of all blocks call this with the squares of their points; blocks must be whole
 * warps. The last block appends the norm. */
static __device__ inline void add_to_norm(double squares, double *partial, ss_cuda_control *control)
{
    __shared__ bool last;
    unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    unsigned blocks = gridDim.x * gridDim.y * gridDim.z;
    int thread = threadIdx.y * blockDim.x + threadIdx.x, threads = blockDim.x * blockDim.y;
    double sum = block_sum(squares);
    if (thread == 0) {
        partial[block] = sum;
        __threadfence(); /* all blocks see the sum before they see the count */
        last = atomicAdd(&control->arrived, 1u) == blocks - 1;
    }
    __syncthreads(); /* thread 0 has set `last` */
    if (!last)
        return;
    __threadfence(); /* the sums are read after the count, */
    sum = 0;
    for (unsigned i = thread; i < blocks; i += threads)
        sum += __ldcg(partial + i); /* and from L2: L1 is not coherent with other SMs */
    sum = block_sum(sum);
    if (thread == 0) {
        control->arrived = 0; /* for the next launch */
        if (control->part)
            control->part[control->count % 2] = sum;
        else
            decide(control, sum);
    }
}

/* The same; a cycle that was dropped has no norm. `dropped` was set before this launch, so that all
 * threads agree. */
template <typename T>
static __device__ void add_to_norm(const ss_cuda_sweep<T> &a, int dropped, double squares)
{
    if (!dropped)
        add_to_norm(squares, a.partial, a.control);
}

/* Stores the sum of squares over the thread block in *to. */
static __device__ __forceinline__ void leave_sum(double *to, double squares)
{
    double sum = block_sum(squares);
    if (threadIdx.x == 0 && threadIdx.y == 0)
        *to = sum;
}

/* --- a pass of its own ------------------------------------------------------------------------ */

#define NORM_ROWS 4 /* points of a column per thread */

/*
 * Two ways to the norm of Jacobi's iteration on a plane. Fused: the cycle has v = u' and u in
 * registers, but each of its blocks ends with a sum over its threads and an atomic. A pass of its
 * own, the kernel below, launched before the cycle: it reads u and b once more, 16 bytes per point
 * (8 in single precision), which is what limits it, with as few blocks as are resident at once.
 * Extra time of a cycle with its norm on an H200 in double precision, by kernels of
 * jacobi/ladder.cuh (rungs), as `make ladder` measures it:
 *
 *                        16384^2           1024^2
 *                     fused   pass      fused   pass
 *     1 naive            -   +89 %         -  +170 %
 *     4 smem          +35 %  +75 %      +58 % +120 %
 *     5 unrolled      +46 %  +94 %      +92 % +181 %
 *     6 vector        +21 %      -      +68 %      -
 *     7 inline        +20 %      -      +94 %      -
 *
 * The program launches the pass for rungs 1 to 3, and for large grids of rungs 4 and 5 (ladder.c).
 *
 * u and b point to interior point (0, 0), point (i, j) is element j * stride + i; around the points
 * of u lies its halo. `update` is the equation: v = update(b, west, east, south, north). A block
 * takes tiles of blockDim.x by NORM_ROWS blockDim.y points, `across` of them side by side, every
 * gridDim.x-th of all `tiles`. A thread has a column of a tile and keeps it in registers: north of
 * one point is the centre of the next one and south of the one after.
 */
template <class E, typename T = typename E::real>
__global__ void __launch_bounds__(256, 4)
    jacobi_norm(const T *u, const T *b, int nx, int ny, ptrdiff_t stride, E update, const int *stop,
                int tiles, double *partial, ss_cuda_control *control)
{
    int across = (nx + blockDim.x - 1) / blockDim.x;
    double squares = 0;
    await_previous();
    int wanted = !stopped(stop);
    for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        int i = tile % across * blockDim.x + threadIdx.x;
        int j = (tile / across * blockDim.y + threadIdx.y) * NORM_ROWS;
        if (i >= nx || j >= ny)
            continue;
        const T *p = u + j * stride + i;
        T south = p[-stride], centre = p[0];
#pragma unroll
        for (int r = 0; r < NORM_ROWS; r++, p += stride) {
            if (j + r >= ny)
                break;
            T north = p[stride];
            T v = update(b[(j + r) * stride + i], p[-1], p[1], south, north);
            double change = (double)(v - centre);
            squares += change * change;
            south = centre;
            centre = north;
        }
    }
    let_next_begin();
    if (wanted)
        add_to_norm(squares, partial, control);
}

/* The same on ny lines of nx points, independent of each other: a tile is blockDim.x points of one
 * line. */
template <class E, typename T = typename E::real>
__global__ void __launch_bounds__(256)
    line_norm(const T *u, const T *b, int nx, int ny, ptrdiff_t stride, E update, const int *stop,
              int tiles, double *partial, ss_cuda_control *control)
{
    int across = (nx + blockDim.x - 1) / blockDim.x;
    double squares = 0;
    await_previous();
    int wanted = !stopped(stop);
    for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        int i = tile % across * blockDim.x + threadIdx.x;
        ptrdiff_t at = tile / across * stride + i;
        if (i >= nx)
            continue;
        double change = (double)(update(b[at], u[at - 1], u[at + 1], 0, 0) - u[at]);
        squares += change * change;
    }
    let_next_begin();
    if (wanted)
        add_to_norm(squares, partial, control);
}

#endif
