/*
 * The separable inverse for blocks of any shape: sine transforms along z, y and x, division by the
 * eigenvalues, and the transforms back, all in shared memory, a thread per cell. Device code.
 *
 * The plain version of cubes.cuh, for the few blocks that the end of a patch cuts off and for
 * blocks that are no cubes: each of the six passes reads a whole line from shared memory per cell
 * and ends with a barrier, where cubes.cuh keeps lines in registers.
 */
#ifndef SS_CUDA_ANY_SHAPE_CUH
#define SS_CUDA_ANY_SHAPE_CUH

#include "kernels/cuda/smooth/cubes.cuh"

/* The element of cell c of a block of nx x ny x ... cells. */
static __device__ __forceinline__ ptrdiff_t cell_at(const ss_block_place &p, int nx, int ny, int c)
{
    return (ptrdiff_t)p.first + c % nx + (ptrdiff_t)(c / nx % ny) * p.sy +
           (ptrdiff_t)(c / nx / ny) * p.sz;
}

/* ACCESS: how cells are read while others may write them (numerics.cuh). */
template <class ACCESS, typename T>
static __device__ __forceinline__ T residual_at(const relaxation<T> &a, const ss_block_place &p,
                                                ptrdiff_t at)
{
    const T *u = a.in + at;
    return residual(a.rhs[at], ACCESS::get(u), ACCESS::get(u - 1), ACCESS::get(u + 1),
                    ACCESS::get(u - p.sy), ACCESS::get(u + p.sy), ACCESS::get(u - p.sz),
                    ACCESS::get(u + p.sz));
}

/* One mode of every line along a direction, a thread per cell; times the cell's factor, if there
 * are factors. The barrier completes `to`, which the next pass reads. */
template <typename T>
static __device__ void transform_blocks(const any_block &b, int n, int stride, const T *s,
                                        const T *factor, const T *from, T *to)
{
    for (int i = threadIdx.x; i < b.width * b.cells; i += ANY_THREADS) {
        int k = i % b.cells / stride % n;
        T value = mode(n, s, from + i - k * stride, stride, k);
        to[i] = factor ? value * factor[i % b.cells] : value;
    }
    __syncthreads();
}

/* The right-hand sides in `one` become the solutions there; `other` is the second buffer of the
 * ping-pong. */
template <typename T>
static __device__ void solve_blocks(const any_block &b, const T *table, T *one, T *other)
{
    const T *sx = table, *sy = sx + sines_of(b.nx), *sz = sy + sines_of(b.ny);
    const T *reciprocal = sz + sines_of(b.nz), *none = NULL;
    int row = b.nx, plane = b.nx * b.ny;
    transform_blocks(b, b.nz, plane, sz, none, one, other);
    transform_blocks(b, b.ny, row, sy, none, other, one);
    transform_blocks(b, b.nx, 1, sx, reciprocal, one, other);
    transform_blocks(b, b.nx, 1, sx, none, other, one);
    transform_blocks(b, b.ny, row, sy, none, one, other);
    transform_blocks(b, b.nz, plane, sz, none, other, one);
}

/* The element of cell i of the blocks from `first` on; < 0: there is no such block. */
template <typename T>
static __device__ ptrdiff_t cell_of_blocks(const relaxation<T> &a, const any_block &b, int first,
                                           int i, ss_block_place *p)
{
    int number = first + i / b.cells, c = i % b.cells;
    if (number >= a.count)
        return -1;
    *p = a.place[number];
    return cell_at(*p, b.nx, b.ny, c);
}

template <class ACCESS, typename T>
__global__ void __launch_bounds__(ANY_THREADS)
    relax_blocks(relaxation<T> a, any_block b, const T *table, bool norm)
{
    extern __shared__ double shared[];
    T *one = (T *)shared, *other = one + b.width * b.cells;
    ss_block_place p;
    double squares = 0;
    let_next_begin();
    await_previous();
    if (dropped(a))
        return;
    for (int first = blockIdx.x * b.width; first < a.count; first += gridDim.x * b.width) {
        for (int i = threadIdx.x; i < b.width * b.cells; i += ANY_THREADS) {
            ptrdiff_t at = cell_of_blocks(a, b, first, i, &p);
            one[i] = at < 0 ? 0 : residual_at<ACCESS>(a, p, at);
            squares += (double)one[i] * (double)one[i];
        }
        __syncthreads(); /* all residuals are there */
        solve_blocks(b, table, one, other);
        for (int i = threadIdx.x; i < b.width * b.cells; i += ANY_THREADS) {
            ptrdiff_t at = cell_of_blocks(a, b, first, i, &p);
            if (at >= 0)
                ACCESS::put(a.out + at, ACCESS::get(a.in + at) + a.omega * one[i]);
        }
    }
    if (norm)
        leave_sum(a.partial + blockIdx.x, squares);
}

#endif
