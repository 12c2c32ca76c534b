/*
 * Sums over many thread blocks in two launches, always in the same order: each block of the first
 * stores one partial sum, the one block of the second adds them. Device code and launchers; engine
 * thread.
 */
#ifndef SS_CUDA_SUMS_CUH
#define SS_CUDA_SUMS_CUH

#include "kernels/cuda/device/common.cuh"

/* Appends the norm of `count` partial sums and decides whether the run goes on: see norm.cuh. */
void ss_cuda_sums_decide(const double *partial, uint32_t count, ss_cuda_control *control,
                         cudaStream_t stream);
/* Stores the sum of `count` partial sums in *out, on the device. */
int ss_cuda_sums_add(const double *partial, uint32_t count, double *out, cudaStream_t stream,
                     ss_err *err);

/* Stores the sum of squares over the thread block in *to. */
static __device__ __forceinline__ void leave_sum(double *to, double squares)
{
    double sum = block_sum(squares);
    if (threadIdx.x == 0 && threadIdx.y == 0)
        *to = sum;
}

#endif
