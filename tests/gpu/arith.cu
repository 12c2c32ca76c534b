/* See arith.h. */
#include "kernels/cuda/swept/arith.cuh"
#include "tests/gpu/arith.h"

template <class T>
static __global__ void each(const T *x, size_t n, T *reciprocals, T *roots)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    reciprocals[i] = reciprocal(x[i]);
    roots[i] = square_root(x[i]);
}

template <class T>
static int arith(const void *x, size_t n, void *reciprocals, void *roots, ss_err *err)
{
    T *d;
    SS_CUDA(cudaMalloc(&d, 3 * n * sizeof(T)));
    SS_CUDA(cudaMemcpy(d, x, n * sizeof(T), cudaMemcpyHostToDevice));
    each<<<(unsigned)((n + 255) / 256), 256>>>(d, n, d + n, d + 2 * n);
    SS_CUDA(cudaMemcpy(reciprocals, d + n, n * sizeof(T), cudaMemcpyDeviceToHost));
    SS_CUDA(cudaMemcpy(roots, d + 2 * n, n * sizeof(T), cudaMemcpyDeviceToHost));
    SS_CUDA(cudaFree(d));
    return SS_OK;
}

int gpu_arith(const void *x, size_t n, ss_prec prec, void *reciprocals, void *roots, ss_err *err)
{
    return (prec == SS_F64 ? arith<double> : arith<float>)(x, n, reciprocals, roots, err);
}
