/* The second launch of a sum over many thread blocks: one block adds their partial sums, always in
 * the same order. See plan.h. Device code. */
#ifndef SS_CUDA_SUMS_CUH
#define SS_CUDA_SUMS_CUH

#include "kernels/cuda/device/norm.cuh"
#include "kernels/cuda/device/ptx.cuh"

#define SUM_THREADS 1024

static __device__ double total(const double *partial, unsigned count)
{
    double sum = 0;
    let_next_begin();
    await_previous();
    for (unsigned i = threadIdx.x; i < count; i += SUM_THREADS)
        sum += partial[i];
    return block_sum(sum);
}

__global__ void add_sums(const double *partial, unsigned count, double *out)
{
    double sum = total(partial, count);
    if (threadIdx.x == 0)
        *out = sum;
}

__global__ void decide_norm(const double *partial, unsigned count, ss_cuda_control *control)
{
    double sum = total(partial, count);
    if (threadIdx.x == 0 && count > 0 && !control->stop[0])
        decide(control, sum);
}

#endif
