/*
 * The norm of a cycle, made on the device, and the decision whether the cycles after it still
 * write. Device code.
 */
#ifndef SS_CUDA_NORM_CUH
#define SS_CUDA_NORM_CUH

#include <cuda_runtime.h>
#include <stddef.h>

#define SS_CUDA_NORMS 1024 /* of one step */

/* Lives on the device while cycles run, and is read back when they are through. Every launch looks
 * at stop: once a norm has met the tolerance, the cycles behind it change nothing. */
struct ss_cuda_control {
    int stop;         /* the cycle whose norm stands last was dropped, and so is all that follows */
    int count;        /* norms so far, in the order of the cycles */
    unsigned arrived; /* thread blocks that have left their sum */
    int stops;        /* does the tolerance stop the run? */
    double scale;     /* |r| = scale * sqrt(sum of squared changes) */
    double tol, first, growth;
    double norm[SS_CUDA_NORMS];
};

/* One cycle as a kernel gets it. in, rhs and out address interior point (0, 0). */
template <typename T> struct ss_cuda_sweep {
    const T *in, *rhs;
    T *out;
    int nx, ny;
    ptrdiff_t sy;
    double *partial; /* a sum per thread block */
    ss_cuda_control *control;
};

/* Not 0: the cycle is dropped. A number and not a bool, so that a kernel can ask before it loads
 * its points and need not wait for the answer before it stores them. */
template <typename T> static __device__ __forceinline__ int stopped(const ss_cuda_sweep<T> &a)
{
    return __ldcg(&a.control->stop);
}

/* Sum over the thread block, the same order always; the result is thread 0's. */
static __device__ inline double block_sum(double v)
{
    __shared__ double warp_sum[32];
    int thread = threadIdx.y * blockDim.x + threadIdx.x, threads = blockDim.x * blockDim.y;
    for (int d = 16; d > 0; d /= 2)
        v += __shfl_down_sync(~0u, v, d);
    __syncthreads();
    if (thread % 32 == 0)
        warp_sum[thread / 32] = v;
    __syncthreads();
    if (thread == 0)
        for (int i = 1; i < (threads + 31) / 32; i++)
            v += warp_sum[i];
    return v;
}

static __device__ inline void decide(ss_cuda_control *c, double sum)
{
    double norm = c->scale * sqrt(sum);
    if (c->first < 0)
        c->first = norm;
    bool finite = norm - norm == 0;
    if (!finite || (c->first > 0 && norm > c->growth * c->first) ||
        (c->stops && norm <= c->tol * c->first))
        c->stop = 1;
    c->norm[c->count++] = norm;
}

/* Called by all threads of all blocks: the squared changes of the cycle, of which the block that
 * comes last makes the norm. Blocks must be whole warps. */
template <typename T>
static __device__ void add_to_norm(const ss_cuda_sweep<T> &a, int dropped, double squares)
{
    __shared__ bool last;
    unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    unsigned blocks = gridDim.x * gridDim.y * gridDim.z;
    int thread = threadIdx.y * blockDim.x + threadIdx.x, threads = blockDim.x * blockDim.y;
    if (dropped) /* by a norm before this launch, so that all threads agree */
        return;
    double sum = block_sum(squares);
    if (thread == 0) {
        a.partial[block] = sum;
        __threadfence();
        last = atomicAdd(&a.control->arrived, 1u) == blocks - 1;
    }
    __syncthreads();
    if (!last)
        return;
    __threadfence();
    sum = 0;
    for (unsigned i = thread; i < blocks; i += threads)
        sum += __ldcg(a.partial + i);
    sum = block_sum(sum);
    if (thread == 0) {
        a.control->arrived = 0;
        decide(a.control, sum);
    }
}

#endif
