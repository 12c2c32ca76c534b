/*
 * Classic Jacobi on patches of cells: every cell from the old array into the new one. A thread
 * block takes a tile of a patch, a thread a column of it, which it walks up in z: the cells below
 * and above stay in registers (each cell is loaded once as `above` and moves down), those around
 * come from the L1 cache. 24 bytes of device memory per cell in double precision. The same numbers
 * as kernels/cpu/sweep3d.c, bit for bit. Device code.
 */
#ifndef SS_CUDA_SWEEP3D_CUH
#define SS_CUDA_SWEEP3D_CUH

#include "kernels/cuda/device/norm.cuh"
#include "kernels/cuda/device/numerics.cuh"
#include "kernels/cuda/device/ptx.cuh"
#include "kernels/cuda/smooth/arguments.h"

/* The pointers in `a` are those of the arrays' first elements. A thread walks up a column in z; x
 * is the fastest index of threads and cells, so that accesses are coalesced. */
template <bool NORM, typename T>
__global__ void __launch_bounds__(1024) sweep_tiles(ss_cuda_sweep<T> a, const sweep3d_tile *tiles)
{
    const sweep3d_tile t = tiles[blockIdx.x];
    const bool mine = threadIdx.x < (unsigned)t.nx && threadIdx.y < (unsigned)t.ny;
    ptrdiff_t at = (ptrdiff_t)t.first + threadIdx.x + (ptrdiff_t)threadIdx.y * t.sy;
    double squares = 0;
    let_next_begin();
    await_previous();
    const int drop = stopped(a);
    if (mine) {
        T below = a.in[at - t.sz], here = a.in[at];
#pragma unroll 2
        for (int k = 0; k < t.nz; k++, at += t.sz) {
            const T *u = a.in + at;
            T above = u[t.sz];
            T r = residual(a.rhs[at], here, u[-1], u[1], u[-t.sy], u[t.sy], below, above);
            if (NORM)
                squares += (double)r * (double)r;
            if (!drop)
                a.out[at] = poisson3d(here, r, (T)(1 / 6.0));
            below = here;
            here = above;
        }
    }
    if (NORM)
        add_to_norm(a, drop, squares);
}

#endif
