/*
 * Sums over many thread blocks, added in an order that is always the same: each block leaves one
 * partial sum, and one block adds them up. Device code and launchers; engine thread.
 */
#ifndef SS_CUDA_SUMS_CUH
#define SS_CUDA_SUMS_CUH

#include "kernels/cuda/device/common.cuh"

/* The norm from `count` partial sums, and the decision whether to go on: see common.cuh. */
void ss_cuda_sums_decide(const double *partial, uint32_t count, ss_cuda_control *control,
                         cudaStream_t stream);
/* Their sum into *out, on the device. */
int ss_cuda_sums_add(const double *partial, uint32_t count, double *out, cudaStream_t stream,
                     ss_err *err);

/* Adds a thread's squares to those of its block. */
static __device__ __forceinline__ void leave_sum(double *partial, double squares)
{
    double sum = block_sum(squares);
    if (threadIdx.x == 0 && threadIdx.y == 0)
        partial[blockIdx.x] = sum;
}

#endif
