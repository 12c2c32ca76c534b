/*
 * The smoother `shared` of multigrid: a sweep of a grid is k damped Jacobi subiterations of every
 * tile, in shared memory, with a frozen halo. The kernel is that of jacobi/tile_memory.cuh for
 * several points per thread, with damping; expressions and order are those of kernels/cpu/shared.c.
 * It reads the right-hand side after the previous kernel has ended, which on a coarser grid is the
 * one that writes it. Device code; cycle.c launches it.
 */
#ifndef SS_CUDA_MULTIGRID_TILES_CUH
#define SS_CUDA_MULTIGRID_TILES_CUH

#include "kernels/cuda/jacobi/tile_memory.cuh"
#include "kernels/cuda/multigrid/grid.cuh"

template <class E, bool NORM>
__global__ void mg_smooth_tiles(ss_cuda_sweep<typename E::real> a, E update,
                                mg_relaxation<typename E::real> relax, int k, ss_tiling tiling)
{
    typedef typename E::real T;
    extern __shared__ double raw[];
    const int halo = E::dim > 1;
    const launch_tiling all = {tiling, 0};
    ss_span x = block_span_x(all), y = block_span_y(all);
    int nx = x.hi - x.lo, ny = y.hi - y.lo, width = nx + 2, size = width * (ny + 2 * halo);
    T *u = (T *)raw, *v = u + size, *rhs = v + size;
    double squares = 0;
    await_previous();
    int stop = stopped(a);
    load_smem<E>(a, x, y, u, v, rhs);
    __syncthreads(); /* the tile is loaded */
    for (int n = 0; n < k; n++) {
        for (int j = threadIdx.y; j < ny; j += blockDim.y)
            for (int i = threadIdx.x; i < nx; i += blockDim.x) {
                const T *in = u + (j + halo) * width + i + 1;
                T jacobi = update_point(update, rhs[j * nx + i], in, width);
                v[(j + halo) * width + i + 1] = relax.rest * in[0] + relax.w * jacobi;
                if (NORM && n == 0 && owns(x, y, i, j))
                    squares += (double)(jacobi - in[0]) * (double)(jacobi - in[0]);
            }
        __syncthreads();
        T *swap = u;
        u = v;
        v = swap;
    }
    if (!stop)
        store_smem<E>(a, x, y, u);
    if (NORM)
        add_to_norm(a, stop, squares);
}

#endif
