/*
 * Marching tiles, host side: which kernel does k iterations in a march, and whether the tiles of a
 * run fit it. See tile_march.cuh. Host code; engine thread.
 */
#include <stdlib.h>

#include "kernels/cuda/jacobi/tile_march.cuh"
#include "kernels/cuda/jacobi/tiles.cuh"
#include "kernels/solver/shared.h"

/* The kernels for k iterations with `columns` per lane. */
struct march_shape {
    int k, columns;
    const void *kernel[2][2]; /* [ss_cuda_fma][norm] */
};

struct march_plan {
    launch_tiling tiling;
    const march_shape *shape;
    int blocks;
};

static const march_plan *plan_of(const ss_run *run)
{
    return (const march_plan *)((const ss_cuda_cycles *)run->scratch)->own;
}

/* --- shapes ----------------------------------------------------------------------------------- */

/* WARPS per SM: the registers that a thread may have. Where products round, the update takes more
 * of them, and 8 warps per SM leave enough. */
template <class E, class F, int C, int K, int WARPS> static march_shape shape_of()
{
    return {K,
            C,
            {{(const void *)march_tiles<E, C, K, false, 8>,
              (const void *)march_tiles<E, C, K, true, 8>},
             {(const void *)march_tiles<F, C, K, false, WARPS>,
              (const void *)march_tiles<F, C, K, true, WARPS>}}};
}

static const march_shape *shapes_f64()
{
    typedef poisson_plane<double> E;
    typedef fma_plane<double> F;
    static const march_shape shapes[] = {
        shape_of<E, F, 2, 8, 12>(), /* 64 columns of any height */
        shape_of<E, F, 2, 10, 12>(),
        {},
    };
    return shapes;
}

static const march_shape *shapes_f32()
{
    typedef poisson_plane<float> E;
    typedef fma_plane<float> F;
    static const march_shape shapes[] = {
        shape_of<E, F, 4, 8, 12>(), /* 128 columns */
        shape_of<E, F, 4, 12, 12>(),
        {},
    };
    return shapes;
}

static const march_shape *shapes_of(ss_prec prec)
{
    return prec == SS_F64 ? shapes_f64() : shapes_f32();
}

/* The shape for k iterations, or the end of the list. */
static const march_shape *shape_for(ss_prec prec, int64_t k)
{
    const march_shape *s = shapes_of(prec);
    while (s->k && s->k != k)
        s++;
    return s;
}

/* Lists rise to the fastest shape: measured.md. */
static const march_shape *fastest(ss_prec prec)
{
    const march_shape *s = shapes_of(prec);
    while (s[1].k)
        s++;
    return s;
}

/* Asks for the largest carve-out of shared memory, for the rings of 12 warps per SM. */
static int allow(const march_shape *s, ss_err *err)
{
    for (const auto &with_norm : s->kernel)
        for (const void *kernel : with_norm)
            SS_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                                         cudaSharedmemCarveoutMaxShared));
    return SS_OK;
}

/* Tiles that run at once on the device. */
static int count_resident(const march_shape *s, int *out, ss_err *err)
{
    ss_cuda_limits limits;
    int each;
    if (ss_cuda_get_limits(&limits, err) != SS_OK || allow(s, err) != SS_OK)
        return SS_FAIL;
    SS_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, s->kernel[true][false], 32, 0));
    *out = each * limits.processors;
    return SS_OK;
}

/* All columns of the lanes, the least overlap that is exact, and the height with full waves. */
bool ss_cuda_march_best(const ss_config *cfg, int64_t shape[NSHAPE])
{
    ss_problem p;
    int resident = 0;
    ss_prec prec = (ss_prec)ss_config_int(cfg, "precision");
    if (shape[SHAPE_K] == NOT_GIVEN)
        shape[SHAPE_K] = fastest(prec)->k;
    const march_shape *s = shape_for(prec, shape[SHAPE_K]);
    ss_config_problem(cfg, &p);
    if (p.dim != 2 || !s->k || count_resident(s, &resident, NULL) != SS_OK || resident == 0)
        return false;
    if (shape[SHAPE_BLOCK] == NOT_GIVEN)
        shape[SHAPE_BLOCK] = 32 * s->columns;
    if (shape[SHAPE_OVERLAP] == NOT_GIVEN)
        shape[SHAPE_OVERLAP] = 2 * s->k;
    if (shape[SHAPE_OVERLAP_Y] == NOT_GIVEN)
        shape[SHAPE_OVERLAP_Y] = shape[SHAPE_OVERLAP];
    int block = (int)shape[SHAPE_BLOCK], overlap = (int)shape[SHAPE_OVERLAP];
    if (shape[SHAPE_BLOCK_Y] == NOT_GIVEN && overlap < block)
        shape[SHAPE_BLOCK_Y] = ss_cut_full_waves(p.ny, ss_cut_make(p.nx, block, overlap).count,
                                                 resident, (int)shape[SHAPE_OVERLAP_Y]);
    return shape[SHAPE_BLOCK_Y] != NOT_GIVEN;
}

/* --- launches --------------------------------------------------------------------------------- */

template <typename T>
static void launch_of(const ss_run *run, int parity, bool norm, cudaStream_t stream)
{
    typedef void march(ss_cuda_sweep<T> a, fma_plane<T> update, launch_tiling tiling);
    const march_plan *p = plan_of(run);
    launch_kernel((march *)p->shape->kernel[ss_cuda_fma(run)][norm], p->blocks, dim3(32), 0, stream,
                  sweep_of<T>(run, parity), equation<fma_plane<T>>(run), p->tiling);
}

static void launch(const ss_run *run, int parity, bool norm, cudaStream_t stream)
{
    (run->prec == SS_F64 ? launch_of<double> : launch_of<float>)(run, parity, norm, stream);
}

/* --- prepare ---------------------------------------------------------------------------------- */

static int choose_shape(const ss_run *run, march_plan *p, ss_err *err)
{
    if (ss_cuda_of(run)->update != SS_CUDA_POISSON2D)
        return ss_fail(err, "tile: marching tiles are for equation poisson2d: choose tile register "
                            "or memory");
    p->shape = shape_for(run->prec, run->ticks_per_cycle);
    if (!p->shape->k)
        return ss_fail(err, "k: a marching tile does %s iterations, not %d",
                       run->prec == SS_F64 ? "8 or 10" : "8 or 12", run->ticks_per_cycle);
    return SS_OK;
}

/* Tiles begin at multiples of 16 bytes, and the grid ends with a lane's columns. */
static int check_columns(const march_plan *p, int prec_size, ss_err *err)
{
    const ss_cut &x = p->tiling.x;
    int owned = x.block - x.overlap, values = 16 / prec_size, most = 32 * p->shape->columns;
    if ((x.block < x.n ? x.block : x.n) > most)
        return ss_fail(err, "block: a marching tile has at most %d columns, not %d", most, x.block);
    if (x.count > 1 && owned % values)
        return ss_fail(err,
                       "block: marching tiles begin at multiples of %d columns: choose a block "
                       "that exceeds the overlap by such a multiple",
                       values);
    if (x.n % p->shape->columns)
        return ss_fail(err,
                       "n: rows of marching tiles have a multiple of %d points, not %d: choose "
                       "another n or tile register",
                       p->shape->columns, x.n);
    return SS_OK;
}

/* Its halo lies within a tile, so that it takes one column more on each side than `shared`. */
static int check_overlap(const ss_run *run, const march_plan *p, ss_err *err)
{
    int k = p->shape->k;
    if ((p->tiling.x.count == 1 || p->tiling.x.overlap >= 2 * k) &&
        ss_shared_exact(&run->cfg, &run->problem))
        return SS_OK;
    return ss_fail(err,
                   "overlap: marching tiles do k iterations of the whole field, which takes an "
                   "overlap of at least %d: choose it or tile register",
                   2 * k);
}

static int plan(ss_run *run, march_plan *p, ss_err *err)
{
    cudaFuncAttributes kernel;
    ss_cuda_limits limits;
    int tiles;
    static_cast<ss_tiling &>(p->tiling) = run->solver->tiling(&run->cfg, &run->problem);
    if (choose_shape(run, p, err) != SS_OK ||
        check_columns(p, (int)ss_prec_size(run->prec), err) != SS_OK ||
        check_overlap(run, p, err) != SS_OK || allow(p->shape, err) != SS_OK ||
        ss_cuda_get_limits(&limits, err) != SS_OK ||
        ss_cuda_count_tiles(&p->tiling, &tiles, err) != SS_OK)
        return SS_FAIL;
    p->blocks = tiles;
    SS_CUDA(cudaFuncGetAttributes(&kernel, p->shape->kernel[ss_cuda_fma(run)][false]));
    run->tile_bytes = (double)kernel.sharedSizeBytes;
    run->tile_room = (double)limits.block_bytes;
    return SS_OK;
}

int ss_cuda_march_prepare(ss_run *run, ss_err *err)
{
    march_plan *p = (march_plan *)calloc(1, sizeof *p);
    if (!p)
        return ss_fail(err, "out of memory");
    if (plan(run, p, err) == SS_OK &&
        ss_cuda_cycles_make(run, launch, (size_t)p->blocks, p, free, err) == SS_OK)
        return SS_OK;
    if (!run->scratch) /* else ss_cuda_cycles_make has taken p over, and the release frees it */
        free(p);
    ss_cuda_release(run);
    return SS_FAIL;
}
