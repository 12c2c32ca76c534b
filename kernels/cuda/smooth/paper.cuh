/*
 * The stored (dense) inverse as in the paper on block-relaxation smoothers: a thread block per
 * block of cells, a thread per cell. The residuals go to shared memory; then each thread computes
 * the scalar product of its row of the inverse with them. Device code.
 *
 * Every block of cells reads the whole inverse again, n values per cell for n cells, and each value
 * is used once: the kernel is limited by the L2 cache (small blocks by idle threads). On an H200,
 * f64, blocks of 8^3: 5.0 billion cells per second; the separable inverse (bars.cuh): 142 billion.
 */
#ifndef SS_CUDA_PAPER_CUH
#define SS_CUDA_PAPER_CUH

#include "kernels/cuda/smooth/any_shape.cuh"

/* A column of the inverse instead of a row, which is the same because it is symmetric: so adjacent
 * threads read adjacent values, coalesced. */
template <typename T>
static __device__ __forceinline__ T scalar_product(const T *column, const T *r, int cells)
{
    T sum = 0;
#pragma unroll PAPER_TERMS
    for (int k = 0; k < cells; k++)
        sum = fma(column[(ptrdiff_t)k * cells], r[k], sum);
    return sum;
}

/* Barriers: all residuals are there before the products; all products are done before the next
 * block's residuals overwrite them. */
template <class ACCESS, typename T>
__global__ void __launch_bounds__(PAPER_THREADS)
    relax_block(relaxation<T> a, spatial_block b, const T *inverse, bool norm)
{
    extern __shared__ double shared[];
    T *r = (T *)shared;
    double squares = 0;
    let_next_begin();
    await_previous();
    if (dropped(a))
        return;
    for (int block = blockIdx.x; block < a.count; block += gridDim.x) {
        const ss_block_place p = a.place[block];
        for (int c = threadIdx.x; c < b.cells; c += blockDim.x) {
            r[c] = residual_at<ACCESS>(a, p, cell_at(p, b.nx, b.ny, c));
            squares += (double)r[c] * (double)r[c];
        }
        __syncthreads();
        for (int c = threadIdx.x; c < b.cells; c += blockDim.x) {
            ptrdiff_t at = cell_at(p, b.nx, b.ny, c);
            T correction = scalar_product(inverse + c, r, b.cells);
            ACCESS::put(a.out + at, fma(a.omega, correction, ACCESS::get(a.in + at)));
        }
        __syncthreads();
    }
    if (norm)
        leave_sum(a.partial + blockIdx.x, squares);
}

#endif
