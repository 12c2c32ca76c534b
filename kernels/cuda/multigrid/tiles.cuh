/*
 * The smoother `shared` of multigrid: a sweep of a grid is k damped Jacobi subiterations of every
 * tile, in shared memory, with a frozen halo. The kernel is that of hierarchical Jacobi
 * (jacobi/tile_memory.cuh) with another inner iteration; expressions and order are those of
 * kernels/cpu/multigrid_tiles.c. The kernel for several points per thread is taken for all tiles,
 * since the other one reads the right-hand side before the previous kernel has ended, which on a
 * coarser grid is the one that writes it. Host code; engine thread.
 */
#ifndef SS_CUDA_MULTIGRID_TILES_CUH
#define SS_CUDA_MULTIGRID_TILES_CUH

#include "kernels/cuda/jacobi/tiles.cuh"

template <class E> static auto mg_tile_kernel(bool norm)
{
    typedef damped_in_tile<typename E::real> I;
    return norm ? tile_in_smem_strided<E, I, true> : tile_in_smem_strided<E, I, false>;
}

/* By update and precision. */
template <class E> static int mg_allow_tiles(ss_err *err)
{
    return allow_shared_memory(mg_tile_kernel<E>(false), err) == SS_OK
               ? allow_shared_memory(mg_tile_kernel<E>(true), err)
               : SS_FAIL;
}

static int mg_allow_smem(const ss_run *run, const tile_plan *, ss_err *err)
{
    static int (*const allow[][SS_NPREC])(ss_err *) = {
        {mg_allow_tiles<poisson_line<double>>, mg_allow_tiles<poisson_line<float>>},
        {mg_allow_tiles<poisson_plane<double>>, mg_allow_tiles<poisson_plane<float>>}};
    return allow[run->problem.dim > 1][run->prec](err);
}

static const tile_method mg_tile_method = {NULL, mg_allow_smem, NULL, false, false};

/* The tiles of a grid; the costs of the run become those of this grid's tiles. */
static int mg_make_tiles(ss_run *run, const ss_problem *at, tile_plan *p, ss_err *err)
{
    int tiles;
    static_cast<ss_tiling &>(p->tiling) = ss_shared_tiling(&run->cfg, at);
    p->method = &mg_tile_method;
    return ss_cuda_count_tiles(&p->tiling, &tiles, err) == SS_OK
               ? ss_cuda_tiles_in_memory(run, p, tiles, err)
               : SS_FAIL;
}

#endif
