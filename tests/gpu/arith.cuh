/* Reciprocals and square roots of the swept kernels, one per value. */
#include "kernels/cuda/swept/arith.cuh"

template <class T> __global__ void each(const T *x, size_t n, T *reciprocals, T *roots)
{
    size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    reciprocals[i] = reciprocal(x[i]);
    roots[i] = square_root(x[i]);
}
