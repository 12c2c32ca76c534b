/*
 * What the kernels of the block smoothers share: their arguments, where a block lies, the residual
 * of a cell. Device code.
 *
 * A block is a box of cells that is solved exactly by its inverse: u += omega A^-1 r with
 * r = h^2 f - A u. Per step a cell is read (u, f) and written once, 24 bytes in double precision:
 * an H200's bandwidth allows 182 billion cells per second. measured.md: the limits, and what
 * was tried.
 */
#ifndef SS_CUDA_RELAXATION_CUH
#define SS_CUDA_RELAXATION_CUH

#include "kernels/cuda/device/norm.cuh"
#include "kernels/cuda/device/numerics.cuh"
#include "kernels/cuda/device/ptx.cuh"
#include "kernels/cuda/smooth/places.h"

/* One launch: blocks of one shape that are relaxed at once. `relaxation` of plan.c has the same
 * layout. */
template <typename T> struct relaxation {
    const T *in, *rhs;
    T *out;
    const ss_block_place *place;
    int count; /* of places */
    int ahead; /* a thread block fetches the cells of the one so many further; 0: of none */
    T omega;
    double *partial; /* a sum of squared residuals per thread block */
    const int *stop; /* non-zero: do not write this cycle; NULL: never */
};

/* Whether the cycle is dropped. All threads get the same answer, because only another launch sets
 * the flag. */
template <typename T> static __device__ __forceinline__ int dropped(const relaxation<T> &a)
{
    return a.stop ? stopped(a.stop) : 0;
}

/* Brings the cells of a place and their right-hand side to L2. The place has C^2 rows in x of a
 * cache line, one per thread; t: the number of the thread. Nobody waits for a prefetch. */
template <int C, typename T>
static __device__ __forceinline__ void fetch_place(const relaxation<T> &a, const ss_block_place &p,
                                                   int t)
{
    const int row = t % (C * C);
    const ptrdiff_t at =
        (ptrdiff_t)p.first + (ptrdiff_t)(row % C) * p.sy + (ptrdiff_t)(row / C) * p.sz;
    if (t < 2 * C * C)
        prefetch((t < C * C ? a.in : a.rhs) + at);
}

template <int C, typename T>
static __device__ __forceinline__ void fetch_ahead(const relaxation<T> &a, int now, int t)
{
    const int later = now + a.ahead;
    if (a.ahead == 0 || later >= a.count || t >= 2 * C * C)
        return;
    fetch_place<C>(a, a.place[later], t);
}

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
    return numerics<T>::residual(a.rhs[at], ACCESS::get(u), ACCESS::get(u - 1), ACCESS::get(u + 1),
                                 ACCESS::get(u - p.sy), ACCESS::get(u + p.sy),
                                 ACCESS::get(u - p.sz), ACCESS::get(u + p.sz));
}

#endif
