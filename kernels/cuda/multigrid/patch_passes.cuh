/*
 * Between the grids of patches (patch_cycle.c): the restricted residual and the interpolated
 * correction, a thread per cell of the coarser grid, which is 2 x 2 x 2 cells of the finer one.
 * Expressions and rounding are those of kernels/block/panel.h, and so are the bits. Bytes
 * per finer cell in double precision:
 *
 *     mg_restrict_patches    18    u and the right-hand side in, the coarser one and zeros out
 *     mg_correct_patches     17    u and the coarser field in, u out
 *     mg_copy                16    a smoother in place needs an array of its own
 *
 * Once `stop` is set they store nothing: see passes.cuh. Device code.
 */
#ifndef SS_CUDA_MULTIGRID_PATCH_PASSES_CUH
#define SS_CUDA_MULTIGRID_PATCH_PASSES_CUH

#include "kernels/cuda/device/numerics.cuh"
#include "kernels/cuda/multigrid/passes.cuh"

/* Two adjacent cells of a row, in one access: rows begin at cache lines. */
template <typename T> struct alignas(2 * sizeof(T)) mg_two {
    T even, odd;
};

template <typename T> static __device__ __forceinline__ mg_two<T> two_at(const T *p)
{
    return *(const mg_two<T> *)p;
}

/* Of row k = 0 ... 3 of the finer grid in a coarser cell: odd in y if k is odd, in z from 2 on. */
static __device__ __forceinline__ ptrdiff_t row_of(const mg_pair &p, int k)
{
    return (ptrdiff_t)(k % 2) * p.fine_sy + (ptrdiff_t)(k / 2) * p.fine_sz;
}

/* u and f: at the first of the eight cells. */
template <typename T>
static __device__ __forceinline__ T mg_mean_residual(const mg_pair &p, const T *u, const T *f)
{
    T even[4], odd[4];
#pragma unroll
    for (int k = 0; k < 4; k++) {
        const T *a = u + row_of(p, k);
        mg_two<T> g = two_at(f + row_of(p, k)), here = two_at(a);
        mg_two<T> south = two_at(a - p.fine_sy), north = two_at(a + p.fine_sy);
        mg_two<T> below = two_at(a - p.fine_sz), above = two_at(a + p.fine_sz);
        even[k] = residual(g.even, here.even, a[-1], here.odd, south.even, north.even, below.even,
                           above.even);
        odd[k] =
            residual(g.odd, here.odd, here.even, a[2], south.odd, north.odd, below.odd, above.odd);
    }
    return (T)0.5 *
           (((even[0] + even[1]) + (even[2] + even[3])) + ((odd[0] + odd[1]) + (odd[2] + odd[3])));
}

/* The coarser field, interpolated in y and z; y and z: the distances to the next coarser rows. */
template <typename T>
static __device__ __forceinline__ T mg_between(const T *c, ptrdiff_t y, ptrdiff_t z)
{
    const T near = (T)0.75, far = (T)0.25;
    return near * (near * c[0] + far * c[y]) + far * (near * c[z] + far * c[y + z]);
}

/* c: the coarser cell; from and to: the first of its eight cells, which only this thread accesses.
 */
template <typename T>
static __device__ __forceinline__ void mg_add_correction(const mg_pair &p, const T *c,
                                                         const T *from, T *to)
{
    const T near = (T)0.75, far = (T)0.25;
    mg_two<T> add[4];
#pragma unroll
    for (int k = 0; k < 4; k++) {
        ptrdiff_t y = k % 2 ? p.sy : -p.sy, z = k / 2 ? p.sz : -p.sz;
        T west = mg_between(c - 1, y, z), here = mg_between(c, y, z),
          east = mg_between(c + 1, y, z);
        add[k].even = near * here + far * west;
        add[k].odd = near * here + far * east;
    }
#pragma unroll
    for (int k = 0; k < 4; k++) {
        mg_two<T> u = two_at(from + row_of(p, k));
        u.even += add[k].even;
        u.odd += add[k].odd;
        *(mg_two<T> *)(to + row_of(p, k)) = u;
    }
}

/* This thread's cell of a patch: elements of both grids. False: it has none. */
static __device__ __forceinline__ bool find_cell(const mg_pair &p, size_t *fine, size_t *coarse)
{
    const int c = blockIdx.x * MG_THREADS + threadIdx.x;
    const int x = c % p.nx, y = c / p.nx % p.ny, z = c / p.nx / p.ny;
    *fine = p.fine + 2 * ((size_t)x + (size_t)y * p.fine_sy + (size_t)z * p.fine_sz);
    *coarse = p.coarse + ((size_t)x + (size_t)y * p.sy + (size_t)z * p.sz);
    return z < p.nz;
}

/* Zeros `count` times 16 bytes: the threads of all blocks share them. */
static __device__ __forceinline__ void zero_all(uint4 *to, size_t count)
{
    size_t block = (size_t)blockIdx.y * gridDim.x + blockIdx.x;
    size_t threads = (size_t)gridDim.x * gridDim.y * MG_THREADS;
    for (size_t i = block * MG_THREADS + threadIdx.x; i < count; i += threads)
        to[i] = make_uint4(0, 0, 0, 0);
}

/* `out`: the coarser right-hand side. `guess`: the coarser field, which begins as zero, its ghost
 * cells, too. A row of thread blocks takes a patch. */
template <typename T>
__global__ void __launch_bounds__(MG_THREADS)
    mg_restrict_patches(mg_pairs pairs, const T *u, const T *rhs, T *out, uint4 *guess,
                        size_t guesses, const int *stop)
{
    if (!begin_pass(stop))
        return;
    zero_all(guess, guesses);
    for (int q = blockIdx.y; q < pairs.count; q += gridDim.y) {
        const mg_pair p = pairs.list[q];
        size_t fine, coarse;
        if (find_cell(p, &fine, &coarse))
            out[coarse] = mg_mean_residual(p, u + fine, rhs + fine);
    }
}

/* e: the coarser field. from and to are the same array or different ones. */
template <typename T>
__global__ void __launch_bounds__(MG_THREADS)
    mg_correct_patches(mg_pairs pairs, const T *e, const T *from, T *to, const int *stop)
{
    if (!begin_pass(stop))
        return;
    for (int q = blockIdx.y; q < pairs.count; q += gridDim.y) {
        const mg_pair p = pairs.list[q];
        size_t fine, coarse;
        if (find_cell(p, &fine, &coarse))
            mg_add_correction(p, e + coarse, from + fine, to + fine);
    }
}

/* Copies `count` times 16 bytes. */
__global__ void __launch_bounds__(MG_THREADS)
    mg_copy(const uint4 *from, uint4 *to, size_t count, const int *stop)
{
    size_t threads = (size_t)gridDim.x * MG_THREADS;
    if (!begin_pass(stop))
        return;
    for (size_t i = (size_t)blockIdx.x * MG_THREADS + threadIdx.x; i < count; i += threads)
        to[i] = from[i];
}

#endif
