/*
 * Kernels of the halo exchange of patches, and of the norm of the residual in a pass over all
 * cells. Device code; ghosts.c has the lists of sides and strips, and launches them.
 */
#ifndef SS_CUDA_GHOSTS_CUH
#define SS_CUDA_GHOSTS_CUH

#include "kernels/cuda/device/norm.cuh"
#include "kernels/cuda/device/numerics.cuh"
#include "kernels/cuda/device/pack.cuh"
#include "kernels/cuda/device/ptx.cuh"
#include "kernels/cuda/device/sides.h"

/* Stores a ghost, or one thread's 16 bytes of its sector. */
template <typename T>
static __device__ __forceinline__ void put_ghost(const ss_cuda_side &s, T *ghost, int lane, T value)
{
    if (s.lanes == 1) {
        *ghost = value;
        return;
    }
    pack<T> part = {};
#pragma unroll
    for (int k = 0; k < pack<T>::n; k++)
        part.v[k] = lane * pack<T>::n + k == s.position ? value : (T)0;
    store(ghost - s.position + lane * pack<T>::n, part, pack<T>::n);
}

/* Sides are neighbours in the grid, so that both sides of a patch in x, whose ghosts share lines of
 * L2, run at the same time. */
template <typename T>
__global__ void __launch_bounds__(SIDE_THREADS) exchange_sides(const ss_cuda_side *sides, T *u)
{
    const ss_cuda_side s = sides[blockIdx.x];
    const int first = blockIdx.y * SIDE_CELLS * SIDE_THREADS + threadIdx.x;
    const int cells = s.rows * s.columns;
    T value[SIDE_CELLS];
    let_next_begin();
    await_previous();
#pragma unroll
    for (int k = 0; k < SIDE_CELLS; k++) {
        int i = (first + k * SIDE_THREADS) / s.lanes, r = i / s.columns, c = i % s.columns;
        value[k] = 0;
        if (i < cells && s.rule != GHOST_ZERO)
            value[k] =
                u[(ptrdiff_t)s.cell + (ptrdiff_t)r * s.cell_row + (ptrdiff_t)c * s.cell_column];
    }
#pragma unroll
    for (int k = 0; k < SIDE_CELLS; k++) {
        int lane = (first + k * SIDE_THREADS) % s.lanes, i = (first + k * SIDE_THREADS) / s.lanes;
        T *ghost = u + (ptrdiff_t)s.ghost + (ptrdiff_t)(i / s.columns) * s.row +
                   (ptrdiff_t)(i % s.columns) * s.column;
        if (i < cells)
            put_ghost(s, ghost, lane, s.rule == GHOST_MIRROR ? -value[k] : value[k]);
    }
}

/* The patch of strip i: a guess, exact if all patches have the same size, then a linear search. */
static __device__ __forceinline__ int patch_of(const ss_cuda_region *regions, int patches,
                                               int strips, int i)
{
    int q = (int)((int64_t)i * patches / strips);
    while (regions[q].begin > i)
        q--;
    while (q + 1 < patches && regions[q + 1].begin <= i)
        q++;
    return q;
}

/* N cells, one above the other. */
template <int N, typename T>
static __device__ __forceinline__ double column_squares(const ss_cuda_region &p, const T *u,
                                                        const T *rhs)
{
    T cell[N], r[N];
    double squares = 0;
#pragma unroll
    for (int k = 0; k < N; k++)
        r[k] = __ldg(rhs + (ptrdiff_t)k * p.sz);
    take_residuals<alone, N>(u, p.sy, p.sz, cell, r);
#pragma unroll
    for (int k = 0; k < N; k++)
        squares += (double)r[k] * (double)r[k];
    return squares;
}

/* One warp per strip, one lane per column; consecutive warps in x, then y, then z. */
template <typename T>
__global__ void __launch_bounds__(STRIP_THREADS, 2)
    square_residuals(const ss_cuda_region *regions, int patches, int strips, const T *u,
                     const T *rhs, double *partial)
{
    const int warps = STRIP_THREADS / 32, lane = threadIdx.x % 32;
    double squares = 0;
    let_next_begin();
    await_previous();
    for (int i = blockIdx.x * warps + threadIdx.x / 32; i < strips; i += gridDim.x * warps) {
        const ss_cuda_region p = regions[patch_of(regions, patches, strips, i)];
        int strip = i - p.begin, x = strip % p.across * 32 + lane, y = strip / p.across % p.ny;
        int z = strip / p.across / p.ny * STRIP_HEIGHT;
        ptrdiff_t at = (ptrdiff_t)p.first + x + (ptrdiff_t)y * p.sy + (ptrdiff_t)z * p.sz;
        if (x >= p.nx)
            continue;
        if (z + STRIP_HEIGHT <= p.nz)
            squares += column_squares<STRIP_HEIGHT>(p, u + at, rhs + at);
        else
            for (; z < p.nz; z++, at += p.sz)
                squares += column_squares<1>(p, u + at, rhs + at);
    }
    leave_sum(partial + blockIdx.x, squares);
}

#endif
