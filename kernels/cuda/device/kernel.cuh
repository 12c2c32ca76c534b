/*
 * A kernel and the shape of its launch, resolved once by `prepare`: what a plan holds per kernel,
 * so that a step only fills in arguments. Host code, CUDA C++17; engine thread.
 */
#ifndef SS_CUDA_KERNEL_CUH
#define SS_CUDA_KERNEL_CUH

#include "kernels/cuda/device/common.cuh"

struct ss_cuda_kernel {
    const void *function;
    dim3 blocks, threads; /* grid, and threads per block */
    size_t bytes;         /* dynamic shared memory per block */
    int cluster;          /* thread blocks per cluster; 0: no clusters */
};

/* Launches with args[i] the address of the i-th argument; entries beyond the kernel's last
 * parameter are not read. Errors are left to cudaGetLastError, so that launches can be captured. */
void ss_cuda_kernel_launch(const ss_cuda_kernel *k, void **args, cudaStream_t stream);

#endif
