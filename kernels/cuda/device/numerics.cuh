/*
 * The numerics of kernels/block for both precisions: the residual of a cell and the sine transform
 * of a line, in the same expressions as on the CPU; and loads of cells that other threads may be
 * writing. Device code.
 */
#ifndef SS_CUDA_NUMERICS_CUH
#define SS_CUDA_NUMERICS_CUH

#include "kernels/cuda/device/ptx.cuh"
#include "kernels/geom/patches.h"

/* Overloads for both precisions. */
#define SS_NAME(x) x
#define SS_REAL double
#define SS_CELL double
#include "kernels/eq/poisson3d.h"
#include "kernels/block/line.h"
#undef SS_REAL
#undef SS_CELL
#define SS_REAL float
#define SS_CELL float
#include "kernels/eq/poisson3d.h"
#include "kernels/block/line.h"
#undef SS_REAL
#undef SS_CELL
#undef SS_NAME
#undef inlined
#undef UNROLLED

/* --- reading ---------------------------------------------------------------------------------- */

/* Plain accesses: no other thread writes the cells that a thread reads. */
struct alone {
    template <typename T> static __device__ __forceinline__ T get(const T *p)
    {
        return *p;
    }
    template <typename T> static __device__ __forceinline__ void put(T *p, T value)
    {
        *p = value;
    }
};

/* Relaxed atomic accesses, for cells that neighbours write at the same time: a load gets the old or
 * the new value, and never one from L1, which other SMs' stores do not update. */
struct racing {
    template <typename T> static __device__ __forceinline__ T get(const T *p)
    {
        return load_relaxed(p);
    }
    template <typename T> static __device__ __forceinline__ void put(T *p, T value)
    {
        store_relaxed(p, value);
    }
};

/*
 * The residuals of a column of N cells, one above the other; r holds h^2 f on entry. The neighbours
 * below and above a cell belong to the column and stay in registers. The four others come from L1,
 * where the neighbouring threads load them as well.
 */
template <class ACCESS, int N, typename T>
static __device__ __forceinline__ void take_residuals(const T *u, int sy, int sz, T *cell, T *r)
{
    const T *here = u - sz;
    T below = ACCESS::get(here), above;
#pragma unroll
    for (int k = 0; k < N; k++)
        cell[k] = ACCESS::get(here += sz);
    above = ACCESS::get(here + sz);
    here = u;
#pragma unroll
    for (int k = 0; k < N; k++, here += sz) {
        T over = k < N - 1 ? cell[(k + 1) % N] : above;
        r[k] = residual(r[k], cell[k], ACCESS::get(here - 1), ACCESS::get(here + 1),
                        ACCESS::get(here - sy), ACCESS::get(here + sy),
                        k > 0 ? cell[(k + N - 1) % N] : below, over);
    }
}

#endif
