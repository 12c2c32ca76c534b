/*
 * Marching tiles, host side: which kernel does k iterations in a march, and whether the tiles of a
 * run fit it. See tile_march.cuh, and tile_pipeline.cuh for tiles of several warps. Host code;
 * engine thread.
 */
#include "kernels/cuda/jacobi/block_shape.h"
#include "kernels/cuda/jacobi/tiles.h"
#include "kernels/solver/schedules.h"

/* A kernel for k iterations. */
typedef struct march_shape {
    int k, columns; /* of a lane */
    int warps;      /* per tile */
} march_shape;

/* A value of `tile`. */
typedef struct march_kind {
    const char *name;
    const march_shape *shapes[SS_NPREC]; /* the last has no k */
    const char *k[SS_NPREC];             /* the k that they do, for users */
    bool pipelined; /* the last of several tiles end with the grid, else n is whole lanes; and rows
                       are copied whole, which takes compute capability 9.0 */
} march_kind;

typedef struct march {
    ss_tiling tiling;
    const march_kind *kind;
    const march_shape *shape;
    ss_cuda_kernel kernel[2]; /* without and with the norm */
} march;

static march *march_of(const ss_run *run)
{
    return ss_cuda_plan_of(run)->own;
}

/* --- shapes ----------------------------------------------------------------------------------- */

/* Lists rise to the fastest shape: measured.md. Tiles of 64 and 128 columns: */
static const march_shape marches_f64[] = {{8, 2, 1}, {10, 2, 1}, {0}};
static const march_shape marches_f32[] = {{8, 4, 1}, {12, 4, 1}, {0}};

/* Of 320 and 576 columns: */
static const march_shape pipelines_f64[] = {{3, 10, 1},  {6, 10, 2},  {9, 10, 3},
                                            {12, 10, 4}, {15, 10, 5}, {18, 10, 6},
                                            {21, 10, 7}, {24, 10, 8}, {0}};
static const march_shape pipelines_f32[] = {{3, 18, 1},  {6, 18, 2},  {9, 18, 3},
                                            {12, 18, 4}, {15, 18, 5}, {18, 18, 6},
                                            {21, 18, 7}, {24, 18, 8}, {0}};

#define K_PIPELINE "3, 6, 9, ... or 24"
static const march_kind marching = {
    "marching", {marches_f64, marches_f32}, {"8 or 10", "8 or 12"}, false};
static const march_kind pipelined = {
    "pipelined", {pipelines_f64, pipelines_f32}, {K_PIPELINE, K_PIPELINE}, true};

/* The shape for k iterations, or the end of the list. */
static const march_shape *shape_for(const march_kind *kind, ss_prec prec, int64_t k)
{
    const march_shape *s = kind->shapes[prec];
    while (s->k && s->k != k)
        s++;
    return s;
}

static const march_shape *fastest(const march_kind *kind, ss_prec prec)
{
    const march_shape *s = kind->shapes[prec];
    while (s[1].k)
        s++;
    return s;
}

#define ITERATIONS 3 /* per warp of a pipeline: more would spill registers */

/* Warps per SM of a march: the registers that a thread may have. Where products round, the update
 * takes more of them, and 8 warps per SM leave enough. */
static int warps_per_sm(bool fused)
{
    return fused ? 12 : 8;
}

/* Finds the kernel of a shape on the current device, and the sizes of its blocks; fused: the update
 * has a fused multiply-add. */
static int find_kernel(const march_kind *kind, const march_shape *s, ss_prec prec,
                       const char *update, bool fused, bool norm, ss_cuda_kernel *k, ss_err *err)
{
    const char *with_norm = norm ? "true" : "false";
    k->threads = (ss_cu_dim){32, (unsigned)s->warps, 1};
    if (kind->pipelined)
        k->shared = PIPE_STATE_BYTES +
                    (size_t)pipe_values(ITERATIONS, s->columns, s->warps) * ss_prec_size(prec);
    int status = kind->pipelined
                     ? ss_cuda_kernel_get(k, err, "jacobi/fast/tile_pipeline.cuh",
                                          "pipeline_tiles<%s, %d, %d, %s>", update, ITERATIONS,
                                          s->columns, with_norm)
                     : ss_cuda_kernel_get(k, err, "jacobi/fast/tile_march.cuh",
                                          "march_tiles<%s, %d, %d, %s, %d>", update, s->columns,
                                          s->k, with_norm, warps_per_sm(fused));
    return status == SS_OK ? ss_cuda_kernel_allow(k, err) : SS_FAIL;
}

/* --- the best shape --------------------------------------------------------------------------- */

/* Tiles that run at once on the device. */
static int count_resident(const march_kind *kind, const march_shape *s, ss_prec prec, int *out)
{
    static const char *const fused[SS_NPREC] = {"fma_plane<double>", "fma_plane<float>"};
    ss_cuda_limits limits;
    ss_cuda_kernel k = {0};
    int each;
    if (ss_cuda_get_limits(&limits, NULL) != SS_OK)
        return SS_FAIL;
    ss_cuda_use(ss_cuda_current()); /* this thread may have no device yet */
    if (find_kernel(kind, s, prec, fused[prec], true, false, &k, NULL) != SS_OK ||
        ss_cuda_kernel_resident(&k, &each, NULL) != SS_OK)
        return SS_FAIL;
    *out = each * limits.processors;
    return SS_OK;
}

/* All columns of the lanes, the least overlap that is exact, and the height with full waves. */
static bool best_of(const march_kind *kind, const ss_config *cfg, int64_t shape[NSHAPE])
{
    ss_problem p;
    int resident = 0;
    ss_prec prec = (ss_prec)ss_config_int(cfg, "precision");
    if (shape[SHAPE_K] == NOT_GIVEN)
        shape[SHAPE_K] = fastest(kind, prec)->k;
    const march_shape *s = shape_for(kind, prec, shape[SHAPE_K]);
    p = ss_config_problem(cfg);
    if (p.dim != 2 || !s->k || count_resident(kind, s, prec, &resident) != SS_OK || resident == 0)
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
    return best_of(&marching, cfg, shape);
}

bool ss_cuda_pipeline_best(const ss_config *cfg, int64_t shape[NSHAPE])
{
    return best_of(&pipelined, cfg, shape);
}

/* --- a launch --------------------------------------------------------------------------------- */

static void launch(const ss_run *run, int parity, bool norm, ss_cu_stream stream)
{
    const march *p = march_of(run);
    ss_cuda_cycle_args a = ss_cuda_cycle_args_of(run, parity);
    ss_cuda_coefficients update = ss_cuda_coefficients_of(run);
    launch_tiling tiling = {p->tiling, 0};
    ss_cuda_launch_kernel(&p->kernel[norm], stream, SS_ARGUMENTS(&a, &update, &tiling));
}

/* --- prepare ---------------------------------------------------------------------------------- */

static int find(ss_run *run, ss_err *err)
{
    march *p = march_of(run);
    bool fused = ss_cuda_plan_of(run)->fma;
    for (int norm = 0; norm < 2; norm++)
        if (find_kernel(p->kind, p->shape, run->prec, ss_cuda_update_name(run, fused), fused, norm,
                        &p->kernel[norm], err) != SS_OK)
            return SS_FAIL;
    return SS_OK;
}

static int choose_shape(const ss_run *run, ss_err *err)
{
    march *p = march_of(run);
    if (ss_cuda_of(run)->update != SS_CUDA_POISSON2D)
        return ss_fail(err,
                       "tile: %s tiles are for equation poisson2d: choose tile register or memory",
                       p->kind->name);
    if (p->kind->pipelined && !ss_cuda_is_hopper())
        return ss_fail(err,
                       "tile: %s tiles need kernels for compute capability 9.0: choose tile march",
                       p->kind->name);
    p->shape = shape_for(p->kind, run->prec, run->ticks_per_cycle);
    if (!p->shape->k)
        return ss_fail(err, "k: a %s tile does %s iterations, not %d", p->kind->name,
                       p->kind->k[run->prec], run->ticks_per_cycle);
    return SS_OK;
}

/* Tiles begin at multiples of 16 bytes, and the grid ends with a lane's columns. */
static int check_columns(const march *p, ss_prec prec, ss_err *err)
{
    const ss_cut *x = &p->tiling.x;
    int owned = x->block - x->overlap, values = 16 / (int)ss_prec_size(prec);
    int most = 32 * p->shape->columns;
    int whole = p->kind->pipelined && x->count > 1 ? values : p->shape->columns;
    if ((x->block < x->n ? x->block : x->n) > most)
        return ss_fail(err, "block: a %s tile has at most %d columns, not %d", p->kind->name, most,
                       x->block);
    if (x->count > 1 && owned % values)
        return ss_fail(err,
                       "block: %s tiles begin at multiples of %d columns: choose a block that "
                       "exceeds the overlap by such a multiple",
                       p->kind->name, values);
    if (x->n % whole)
        return ss_fail(err,
                       "n: rows of %s tiles have a multiple of %d points, not %d: choose another n "
                       "or tile register",
                       p->kind->name, whole, x->n);
    return SS_OK;
}

/* Its halo lies within a tile, so that it takes one column more on each side than `shared`. */
static int check_overlap(const ss_run *run, const march *p, ss_err *err)
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

static int make(ss_run *run, ss_cuda_plan *plan, ss_err *err)
{
    march *p = plan->own;
    ss_cuda_limits limits;
    int tiles;
    p->kind = ss_config_int(&run->cfg, "tile") == SS_TILE_PIPELINE ? &pipelined : &marching;
    p->tiling = run->solver->tiling(&run->cfg, &run->problem);
    if (choose_shape(run, err) != SS_OK || check_columns(p, run->prec, err) != SS_OK ||
        check_overlap(run, p, err) != SS_OK || find(run, err) != SS_OK ||
        ss_cuda_get_limits(&limits, err) != SS_OK ||
        ss_cuda_count_tiles(&p->tiling, &tiles, err) != SS_OK)
        return SS_FAIL;
    p->kernel[0].blocks.x = p->kernel[1].blocks.x = (unsigned)tiles;
    run->tile_bytes =
        ss_cuda_kernel_attribute(&p->kernel[0], SS_CU_STATIC_SHARED) + (double)p->kernel[0].shared;
    run->tile_room = (double)limits.block_bytes;
    return ss_cuda_plan_cycles(run, launch, (size_t)tiles, err);
}

const ss_cuda_solver ss_cuda_march = {sizeof(march), make, .find = find};
