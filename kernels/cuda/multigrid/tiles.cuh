/*
 * The smoother `shared` of multigrid: a sweep of a grid is k damped Jacobi subiterations of every
 * tile, in shared memory, with a frozen halo. The kernel is that of jacobi/tile_memory.cuh for
 * several points per thread, with damping; expressions and order are those of kernels/cpu/shared.c.
 * It reads the right-hand side after the previous kernel has ended, which on a coarser grid is the
 * one that writes it. Device code; then host code of the engine thread.
 */
#ifndef SS_CUDA_MULTIGRID_TILES_CUH
#define SS_CUDA_MULTIGRID_TILES_CUH

#include "kernels/cuda/jacobi/tile_memory.cuh"
#include "kernels/cuda/jacobi/tiles.cuh"
#include "kernels/cuda/multigrid/grid.cuh"

template <class E, bool NORM>
__global__ void mg_smooth_tiles(ss_cuda_sweep<typename E::real> a, E update,
                                mg_relaxation<typename E::real> relax, tile_args s)
{
    typedef typename E::real T;
    extern __shared__ double raw[];
    const int halo = E::dim > 1;
    ss_span x = block_span_x(s.tiling), y = block_span_y(s.tiling);
    int nx = x.hi - x.lo, ny = y.hi - y.lo, width = nx + 2, size = width * (ny + 2 * halo);
    T *u = (T *)raw, *v = u + size, *rhs = v + size;
    double squares = 0;
    await_previous();
    int stop = stopped(a);
    load_smem<E>(a, x, y, u, v, rhs);
    __syncthreads(); /* the tile is loaded */
    for (int n = 0; n < s.k; n++) {
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

template <class E> static auto mg_tile_kernel(bool norm)
{
    return norm ? mg_smooth_tiles<E, true> : mg_smooth_tiles<E, false>;
}

/* By update and precision. */
template <class E> static int mg_allow_tiles(ss_err *err)
{
    return allow_shared_memory(mg_tile_kernel<E>(false), err) == SS_OK
               ? allow_shared_memory(mg_tile_kernel<E>(true), err)
               : SS_FAIL;
}

static int mg_allow_smem(const ss_run *run, ss_err *err)
{
    static int (*const allow[][SS_NPREC])(ss_err *) = {
        {mg_allow_tiles<poisson_line<double>>, mg_allow_tiles<poisson_line<float>>},
        {mg_allow_tiles<poisson_plane<double>>, mg_allow_tiles<poisson_plane<float>>}};
    return allow[run->problem.dim > 1][run->prec](err);
}

/* The tiles of a grid; the costs of the run become those of this grid's tiles. */
static int mg_make_tiles(ss_run *run, const ss_problem *at, tile_plan *p, ss_err *err)
{
    int tiles;
    static_cast<ss_tiling &>(p->tiling) = ss_shared_tiling(&run->cfg, at);
    return ss_cuda_count_tiles(&p->tiling, &tiles, err) == SS_OK &&
                   ss_cuda_tiles_in_memory(run, p, tiles, err) == SS_OK
               ? mg_allow_smem(run, err)
               : SS_FAIL;
}

#endif
