/*
 * The norm of a field, made on the device, and the decision whether the run goes on. Device code.
 *
 * |r| = scale * sqrt(sum of (u' - u)^2), where u' is the updated field. The sum is made in two
 * steps, always in the same order, so that the same field gives the same bits:
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
 * that the field whose norm stopped the run is the field that is kept.
 */
#ifndef SS_CUDA_NORM_CUH
#define SS_CUDA_NORM_CUH

#include "kernels/cuda/device/control.h"

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
    __syncthreads();
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
    bool finite = norm - norm == 0;
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
        __threadfence();
        last = atomicAdd(&control->arrived, 1u) == blocks - 1;
    }
    __syncthreads();
    if (!last)
        return;
    __threadfence();
    sum = 0;
    for (unsigned i = thread; i < blocks; i += threads)
        sum += __ldcg(partial + i);
    sum = block_sum(sum);
    if (thread == 0) {
        control->arrived = 0;
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

#endif
