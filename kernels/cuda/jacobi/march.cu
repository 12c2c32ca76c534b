/*
 * Marching tiles, host side: which kernel does k iterations in a march, and whether the tiles of a
 * run fit it. See tile_march.cuh, and tile_pipeline.cuh for tiles of several warps. Host code;
 * engine thread.
 */
#include <stdlib.h>

#include "kernels/cuda/jacobi/tile_march.cuh"
#include "kernels/cuda/jacobi/tile_pipeline.cuh"
#include "kernels/cuda/jacobi/tiles.cuh"
#include "kernels/solver/shared.h"

/* The kernels for k iterations with `columns` per lane. */
struct march_shape {
    int k, columns;
    const void *kernel[2][2]; /* [ss_cuda_fma][norm] */
    int warps;                /* per tile */
    int bytes;                /* of dynamic shared memory */
};

/* A value of `tile`. */
struct march_kind {
    const char *name;
    const march_shape *(*shapes)(int prec); /* the last has no k */
    const char *k[2];                       /* [double precision]: the k that they do */
    bool shifted; /* the last of several tiles end with the grid; else n is whole lanes */
    bool bulk;    /* copies whole rows, which takes compute capability 9.0 */
};

struct march_plan {
    launch_tiling tiling;
    const march_kind *kind;
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
              (const void *)march_tiles<F, C, K, true, WARPS>}},
            1,
            0};
}

static const march_shape *march_shapes(int prec)
{
    typedef poisson_plane<double> E;
    typedef fma_plane<double> F;
    typedef poisson_plane<float> e;
    typedef fma_plane<float> f;
    static const march_shape f64[] = {
        shape_of<E, F, 2, 8, 12>(), /* 64 columns of any height */
        shape_of<E, F, 2, 10, 12>(),
        {},
    };
    static const march_shape f32[] = {
        shape_of<e, f, 4, 8, 12>(), /* 128 columns */
        shape_of<e, f, 4, 12, 12>(),
        {},
    };
    return prec == SS_F64 ? f64 : f32;
}

/* Three iterations per warp: more would spill registers. */
template <class E, class F, int C> static march_shape pipeline_of(int warps)
{
    const int L = 3;
    return {L * warps,
            C,
            {{(const void *)pipeline_tiles<E, L, C, false>,
              (const void *)pipeline_tiles<E, L, C, true>},
             {(const void *)pipeline_tiles<F, L, C, false>,
              (const void *)pipeline_tiles<F, L, C, true>}},
            warps,
            (int)pipe_rows<typename E::real, L, C>::bytes(warps)};
}

template <typename T, int C> static const march_shape *pipelines()
{
    typedef poisson_plane<T> E;
    typedef fma_plane<T> F;
    static const march_shape shapes[] = {
        pipeline_of<E, F, C>(1), pipeline_of<E, F, C>(2), pipeline_of<E, F, C>(3),
        pipeline_of<E, F, C>(4), pipeline_of<E, F, C>(5), pipeline_of<E, F, C>(6),
        pipeline_of<E, F, C>(7), pipeline_of<E, F, C>(8), {},
    };
    return shapes;
}

static const march_shape *pipeline_shapes(int prec)
{
    return prec == SS_F64 ? pipelines<double, 10>() : pipelines<float, 18>(); /* 320, 576 columns */
}

#define K_PIPELINE "3, 6, 9, ... or 24"
static const march_kind march_kind_of = {
    "marching", march_shapes, {"8 or 12", "8 or 10"}, false, false};
static const march_kind pipeline_kind_of = {
    "pipelined", pipeline_shapes, {K_PIPELINE, K_PIPELINE}, true, true};

/* The shape for k iterations, or the end of the list. */
static const march_shape *shape_for(const march_kind *kind, int prec, int64_t k)
{
    const march_shape *s = kind->shapes(prec);
    while (s->k && s->k != k)
        s++;
    return s;
}

/* Lists rise to the fastest shape: measured.md. */
static const march_shape *fastest(const march_kind *kind, int prec)
{
    const march_shape *s = kind->shapes(prec);
    while (s[1].k)
        s++;
    return s;
}

/* Asks for the largest carve-out of shared memory, and for what a block needs of it. */
static int allow(const march_shape *s, ss_err *err)
{
    for (const auto &with_norm : s->kernel)
        for (const void *kernel : with_norm) {
            SS_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                                         cudaSharedmemCarveoutMaxShared));
            if (s->bytes && allow_shared_memory(kernel, err) != SS_OK)
                return SS_FAIL;
        }
    return SS_OK;
}

/* Tiles that run at once on the device. */
static int count_resident(const march_shape *s, int *out, ss_err *err)
{
    ss_cuda_limits limits;
    int each;
    if (ss_cuda_get_limits(&limits, err) != SS_OK || allow(s, err) != SS_OK)
        return SS_FAIL;
    SS_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&each, s->kernel[true][false],
                                                          32 * s->warps, (size_t)s->bytes));
    *out = each * limits.processors;
    return SS_OK;
}

/* All columns of the lanes, the least overlap that is exact, and the height with full waves. */
static bool best_of(const march_kind *kind, const ss_config *cfg, int64_t shape[NSHAPE])
{
    ss_problem p;
    int resident = 0;
    int prec = (int)ss_config_int(cfg, "precision");
    if (shape[SHAPE_K] == NOT_GIVEN)
        shape[SHAPE_K] = fastest(kind, prec)->k;
    const march_shape *s = shape_for(kind, prec, shape[SHAPE_K]);
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

bool ss_cuda_march_best(const ss_config *cfg, int64_t shape[NSHAPE])
{
    return best_of(&march_kind_of, cfg, shape);
}

bool ss_cuda_pipeline_best(const ss_config *cfg, int64_t shape[NSHAPE])
{
    return best_of(&pipeline_kind_of, cfg, shape);
}

/* --- launches --------------------------------------------------------------------------------- */

template <typename T>
static void launch_of(const ss_run *run, int parity, bool norm, cudaStream_t stream)
{
    typedef void march(ss_cuda_sweep<T> a, fma_plane<T> update, launch_tiling tiling);
    const march_plan *p = plan_of(run);
    launch_kernel((march *)p->shape->kernel[ss_cuda_fma(run)][norm], p->blocks,
                  dim3(32, p->shape->warps), p->shape->bytes, stream, sweep_of<T>(run, parity),
                  equation<fma_plane<T>>(run), p->tiling);
}

static void launch(const ss_run *run, int parity, bool norm, cudaStream_t stream)
{
    (run->prec == SS_F64 ? launch_of<double> : launch_of<float>)(run, parity, norm, stream);
}

/* --- prepare ---------------------------------------------------------------------------------- */

static int choose_shape(const ss_run *run, march_plan *p, ss_err *err)
{
    if (ss_cuda_of(run)->update != SS_CUDA_POISSON2D)
        return ss_fail(err,
                       "tile: %s tiles are for equation poisson2d: choose tile register or memory",
                       p->kind->name);
    if (p->kind->bulk && !ss_cuda_overlap)
        return ss_fail(err,
                       "tile: %s tiles need compute capability 9.0, which this GPU has not: choose "
                       "tile march",
                       p->kind->name);
    p->shape = shape_for(p->kind, run->prec, run->ticks_per_cycle);
    if (!p->shape->k)
        return ss_fail(err, "k: a %s tile does %s iterations, not %d", p->kind->name,
                       p->kind->k[run->prec == SS_F64], run->ticks_per_cycle);
    return SS_OK;
}

/* Tiles begin at multiples of 16 bytes, and the grid ends with a lane's columns. */
static int check_columns(const march_plan *p, int prec_size, ss_err *err)
{
    const ss_cut &x = p->tiling.x;
    int owned = x.block - x.overlap, values = 16 / prec_size, most = 32 * p->shape->columns;
    int whole = p->kind->shifted && x.count > 1 ? values : p->shape->columns;
    if ((x.block < x.n ? x.block : x.n) > most)
        return ss_fail(err, "block: a %s tile has at most %d columns, not %d", p->kind->name, most,
                       x.block);
    if (x.count > 1 && owned % values)
        return ss_fail(err,
                       "block: %s tiles begin at multiples of %d columns: choose a block that "
                       "exceeds the overlap by such a multiple",
                       p->kind->name, values);
    if (x.n % whole)
        return ss_fail(err,
                       "n: rows of %s tiles have a multiple of %d points, not %d: choose another n "
                       "or tile register",
                       p->kind->name, whole, x.n);
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
                   "overlap: %s tiles do k iterations of the whole field, which takes an overlap "
                   "of at least %d: choose it or tile register",
                   p->kind->name, 2 * k);
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
    run->tile_bytes = (double)kernel.sharedSizeBytes + p->shape->bytes;
    run->tile_room = (double)limits.block_bytes;
    return SS_OK;
}

static int prepare(ss_run *run, const march_kind *kind, ss_err *err)
{
    march_plan *p = (march_plan *)calloc(1, sizeof *p);
    if (!p)
        return ss_fail(err, "out of memory");
    p->kind = kind;
    if (plan(run, p, err) == SS_OK &&
        ss_cuda_cycles_make(run, launch, (size_t)p->blocks, p, free, err) == SS_OK)
        return SS_OK;
    if (!run->scratch) /* else ss_cuda_cycles_make has taken p over, and the release frees it */
        free(p);
    ss_cuda_release(run);
    return SS_FAIL;
}

int ss_cuda_march_prepare(ss_run *run, ss_err *err)
{
    return prepare(run, &march_kind_of, err);
}

int ss_cuda_pipeline_prepare(ss_run *run, ss_err *err)
{
    return prepare(run, &pipeline_kind_of, err);
}
