/* Adds the partial sums of many thread blocks, always in the same order: see sums.cuh. */
#include "kernels/cuda/device/sums.cuh"

#define SUM_THREADS 1024

static __device__ double total(const double *partial, uint32_t count)
{
    double sum = 0;
    let_next_begin();
    await_previous();
    for (uint32_t i = threadIdx.x; i < count; i += SUM_THREADS)
        sum += partial[i];
    return block_sum(sum);
}

static __global__ void add_sums(const double *partial, uint32_t count, double *out)
{
    double sum = total(partial, count);
    if (threadIdx.x == 0)
        *out = sum;
}

static __global__ void decide_norm(const double *partial, uint32_t count, ss_cuda_control *control)
{
    double sum = total(partial, count);
    if (threadIdx.x == 0 && count > 0 && !control->stop)
        decide(control, sum);
}

void ss_cuda_sums_decide(const double *partial, uint32_t count, ss_cuda_control *control,
                         cudaStream_t stream)
{
    launch_kernel(decide_norm, 1, SUM_THREADS, 0, stream, partial, count, control);
}

int ss_cuda_sums_add(const double *partial, uint32_t count, double *out, cudaStream_t stream,
                     ss_err *err)
{
    launch_kernel(add_sums, 1, SUM_THREADS, 0, stream, partial, count, out);
    SS_CUDA(cudaGetLastError());
    return SS_OK;
}
