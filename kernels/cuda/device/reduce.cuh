/* Sums and maxima over a whole field, on request: |r| and max |u - u*|. See norm.c. Device code. */
#ifndef SS_CUDA_REDUCE_CUH
#define SS_CUDA_REDUCE_CUH

#include "kernels/cuda/device/norm.cuh"
#include "kernels/cuda/device/sample.cuh"

/* One sum of squared changes per thread block. */
template <class E>
__global__ void changes(ss_cuda_sweep<typename E::real> a, E update, double *sums)
{
    typedef typename E::real T;
    double squares = 0;
    for (int64_t at = blockIdx.x * (int64_t)blockDim.x + threadIdx.x; at < (int64_t)a.nx * a.ny;
         at += (int64_t)gridDim.x * blockDim.x) {
        int i = (int)(at % a.nx), j = (int)(at / a.nx);
        const T *in = a.in + j * a.sy + i;
        T south = E::dim > 1 ? in[-a.sy] : 0, north = E::dim > 1 ? in[a.sy] : 0;
        double d = (double)(update(a.rhs[j * a.sy + i], in[-1], in[1], south, north) - in[0]);
        squares += d * d;
    }
    double sum = block_sum(squares);
    if (threadIdx.x == 0)
        sums[blockIdx.x] = sum;
}

/* The maximum over rows [j0, j1); ref holds these rows only. A deviation that is not a number
 * counts as infinite, as on the CPU. Bit patterns of non-negative doubles are ordered like their
 * values, so that atomicMax on integers does. */
template <class E>
__global__ void deviations(ss_fields<E> f, int j0, int j1, unsigned long long *max)
{
    double most = 0;
    int64_t n = (int64_t)f.nx * (j1 - j0);
    f.u += j0 * f.sy;
    for (int64_t at = blockIdx.x * (int64_t)blockDim.x + threadIdx.x; at < n;
         at += (int64_t)gridDim.x * blockDim.x) {
        double e = ss_point_error::at(f, (int)(at % f.nx), (int)(at / f.nx));
        most = e <= most ? most : isnan(e) ? HUGE_VAL : e;
    }
    for (int d = 16; d > 0; d /= 2)
        most = fmax(most, __shfl_down_sync(~0u, most, d));
    if (threadIdx.x % 32 == 0)
        atomicMax(max, (unsigned long long)__double_as_longlong(most));
}

#endif
