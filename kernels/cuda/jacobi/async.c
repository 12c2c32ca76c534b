/*
 * Asynchronous Jacobi on the GPU, host side: chooses the kernel (async.cuh, or async_register.cuh
 * for variant 3 with tiles of its shapes) and the sizes of a launch, allocates the strips, and
 * finds out in which order the tiles were swept.
 *
 * A cycle of the run is one launch of async_tiles, after a launch of norm_of_start if its norm is
 * wanted: run->iterations_per_cycle sweeps of each tile. A step is a number of cycles, which
 * device/plan.c enqueues; fill_strips precedes the first. `parity` is the field u[parity] that a
 * cycle starts from, and the strips that it starts with. Engine thread.
 */
#include <limits.h>
#include <stdlib.h>

#include "kernels/cuda/jacobi/tiles.h"
#include "kernels/solver/schedules.h"
#include "src/base/common.h"

/* Of async.cuh and async_tile.cuh. */
#define NORM_BLOCKS 1024
#define NORM_THREADS 256
#define THREAD_POINTS 8
#define ASYNC_THREADS(dim) ((dim) > 1 ? 1024 : 512)
#define HALO_POINT 8 /* bytes of a halo_point */

/* async_args<T> of async_halo.cuh. */
typedef struct async_args {
    ss_tiling tiling;
    int sweeps, width, height;
    void *strips, *next_strips;
    unsigned long long *stamps;
} async_args;

/* Tiles in registers: an SM holds 8 warps, 12 in single precision, in as many thread blocks as fit.
 * With 12 warps a thread has 168 registers, which is enough in single precision; with 16 it has
 * 128, and tiles spill. */
typedef struct async_shape {
    int width, height, warps;
} async_shape;
static const async_shape async_shapes[] = {
    {32, 32, 1}, {64, 32, 2}, {64, 64, 4}, {64, 128, 8}, {128, 32, 4}};

typedef struct async_plan {
    ss_tiling tiling;
    const ss_async_variant *variant;
    const async_shape *shape; /* of tiles in registers; NULL: they are in shared memory */
    ss_cuda_kernel fill, norm, sweep;
    void *strips[2];   /* of all tiles; a launch starts with [parity], the next with the other */
    int width, height; /* of a tile's strips, in points: see async_args */
    unsigned long long *stamps; /* [tile][sweep]: see async_args */
} async_plan;

static async_plan *plan_of(const ss_run *run)
{
    return ss_cuda_plan_of(run)->own;
}

static int tiles_of(const async_plan *p)
{
    return p->tiling.x.count * p->tiling.y.count;
}

/* --- launches --------------------------------------------------------------------------------- */

static async_args args_of(const ss_run *run, int parity)
{
    const async_plan *p = plan_of(run);
    return (async_args){
        .tiling = p->tiling,
        .sweeps = run->iterations_per_cycle,
        .width = p->width,
        .height = p->height,
        .strips = p->strips[parity],
        .next_strips = p->strips[1 - parity],
        .stamps = p->stamps,
    };
}

static void launch(const ss_run *run, int parity, bool norm, ss_cu_stream stream)
{
    const async_plan *p = plan_of(run);
    ss_cuda_cycle_args a = ss_cuda_cycle_args_of(run, parity);
    ss_cuda_coefficients update = ss_cuda_coefficients_of(run);
    async_args args = args_of(run, parity);
    if (norm) /* of u[parity], the field that the cycle starts from */
        ss_cuda_launch_kernel(&p->norm, stream, SS_ARGUMENTS(&a, &update));
    ss_cuda_launch_kernel(&p->sweep, stream, SS_ARGUMENTS(&a, &update, &args));
}

/* ss_cuda_plan::begin: before the first cycle of a step. */
static void begin(const ss_run *run, int parity, ss_cu_stream stream)
{
    ss_cuda_cycle_args a = ss_cuda_cycle_args_of(run, parity);
    async_args args = args_of(run, parity);
    ss_cuda_launch_kernel(&plan_of(run)->fill, stream, SS_ARGUMENTS(&a, &args));
}

/* --- kernels ---------------------------------------------------------------------------------- */

static int find_sweep(const ss_run *run, const char *update, ss_err *err)
{
    async_plan *p = plan_of(run);
    const async_shape *s = p->shape;
    int warps = run->prec == SS_F64 ? 8 : 12; /* of an SM */
    if (s)
        return ss_cuda_kernel_get(&p->sweep, err, "jacobi/fast/async_register.cuh",
                                  "async_in_registers<%s, warp_tile<%s, %d, 4, 8>, %d, %d>", update,
                                  update, s->width / 4, s->warps, warps / s->warps);
    if (ss_cuda_kernel_get(&p->sweep, err, "jacobi/async.cuh", "async_tiles<%s, variant_%d>",
                           update, (int)(p->variant - ss_async_variants)) != SS_OK)
        return SS_FAIL;
    return ss_cuda_kernel_raise(&p->sweep, err);
}

/* Those that depend on the update, with or without fused multiply-add: a reset may bring a
 * right-hand side with which the fused one rounds differently, or no longer does. */
static int find(ss_run *run, ss_err *err)
{
    const char *update = ss_cuda_update_name(run, ss_cuda_plan_of(run)->fma);
    return ss_cuda_kernel_get(&plan_of(run)->norm, err, "jacobi/async.cuh", "norm_of_start<%s>",
                              update) == SS_OK
               ? find_sweep(run, update, err)
               : SS_FAIL;
}

/* --- sizes ------------------------------------------------------------------------------------ */

/* The shape of registers that is x by y points. */
static const async_shape *find_shape(const ss_run *run, int x, int y)
{
    const async_shape *s = async_shapes, *end = s + sizeof async_shapes / sizeof *s;
    if (run->problem.dim == 1 || !plan_of(run)->variant->in_place)
        return NULL;
    while (s < end && (s->width != x || s->height != y))
        s++;
    return s < end ? s : NULL;
}

/* Sets the threads and the shared memory of a block with a tile of x by y points; fails if the
 * device does not offer them. Example: a tile of 64 x 32 points has 64 x 4 threads with 8 points
 * each. Variants with two buffers need 2 * 66 * 34 * 8 bytes in double precision and 192 halo
 * points of 8 bytes, 37440 bytes. A line's tile of 4096 points has 512 x 1 threads. */
static int size_block(const ss_run *run, int x, int y, ss_err *err)
{
    async_plan *p = plan_of(run);
    ss_cuda_limits limits;
    bool is_plane = run->problem.dim > 1;
    int thread_columns = ceil_div(is_plane ? x : ceil_div(x, THREAD_POINTS), 32) * 32,
        thread_rows = ceil_div(y, THREAD_POINTS);
    size_t buffer = (size_t)(x + 2) * (size_t)(is_plane ? y + 2 : 1) * ss_prec_size(run->prec);
    size_t bytes =
        buffer * (p->variant->in_place ? 1 : 2) + 2 * (size_t)((is_plane ? x : 0) + y) * HALO_POINT;
    if (ss_cuda_get_limits(&limits, err) != SS_OK)
        return SS_FAIL;
    if ((int64_t)thread_columns * thread_rows > ASYNC_THREADS(run->problem.dim))
        return ss_fail(err,
                       "block: a tile of %d \xc3\x97 %d points is too large for a thread block of "
                       "%d threads with %d points each: choose a smaller block or block-y",
                       x, y, ASYNC_THREADS(run->problem.dim), THREAD_POINTS);
    if (ss_cuda_tile_fits(x, y, bytes, &limits, err) != SS_OK)
        return SS_FAIL;
    p->shape = find_shape(run, x, y);
    p->sweep.threads = p->shape ? (ss_cu_dim){(unsigned)(32 * p->shape->warps), 1, 1}
                                : (ss_cu_dim){(unsigned)thread_columns, (unsigned)thread_rows, 1};
    p->sweep.shared = p->shape ? 0 : bytes;
    return SS_OK;
}

/* Sets the sizes of strips and launches. */
static int set_sizes(const ss_run *run, ss_err *err)
{
    async_plan *p = plan_of(run);
    int x = ss_min(p->tiling.x.block, p->tiling.x.n), y = ss_min(p->tiling.y.block, p->tiling.y.n),
        tiles;
    if (ss_cuda_count_tiles(&p->tiling, &tiles, err) != SS_OK ||
        size_block(run, x, y, err) != SS_OK)
        return SS_FAIL;
    p->width = run->problem.dim > 1 ? x : 0;
    p->height = y;
    if (2.0 * (p->width + p->height) * tiles > INT_MAX ||
        (double)run->iterations_per_cycle * tiles > INT_MAX)
        return ss_fail(err, "block: %d tiles are too many: choose larger ones", tiles);
    if ((double)y * (double)ss_cuda_of(run)->box.sy > INT_MAX)
        return ss_fail(
            err,
            "block-y: a tile of %d rows of a field this wide exceeds the 32-bit offsets of its "
            "threads: choose a smaller block-y",
            y);
    p->norm.blocks.x = NORM_BLOCKS;
    p->norm.threads.x = NORM_THREADS;
    p->sweep.blocks.x = p->fill.blocks.x = (unsigned)tiles;
    p->fill.threads.x = 64;
    p->fill.ordinary = true;
    return SS_OK;
}

/* --- prepare ---------------------------------------------------------------------------------- */

static int allocate(const ss_run *run, ss_err *err)
{
    async_plan *p = plan_of(run);
    ss_cuda_kept *kept = &ss_cuda_plan_of(run)->kept;
    size_t tiles = (size_t)tiles_of(p), count = tiles * (size_t)run->iterations_per_cycle;
    size_t bytes = tiles * 2 * (size_t)(p->width + p->height) * ss_prec_size(run->prec);
    for (int i = 0; i < 2; i++)
        if (ss_cuda_keep(kept, &p->strips[i], bytes, "the halo strips", err) != SS_OK)
            return SS_FAIL;
    return ss_cuda_keep_zeroed(kept, (void **)&p->stamps, count * sizeof *p->stamps,
                               "the order of the tiles", ss_cuda_of(run)->stream, err);
}

static int make(ss_run *run, ss_cuda_plan *plan, ss_err *err)
{
    async_plan *p = plan->own;
    p->tiling = run->solver->tiling(&run->cfg, &run->problem);
    p->variant = ss_async_variant_of(&run->cfg);
    if (set_sizes(run, err) != SS_OK ||
        ss_cuda_kernel_get(&p->fill, err, "jacobi/async.cuh", "fill_strips<%s>",
                           ss_cuda_update_name(run, false)) != SS_OK ||
        find(run, err) != SS_OK || allocate(run, err) != SS_OK)
        return SS_FAIL;
    return ss_cuda_plan_cycles(run, launch, NORM_BLOCKS, err);
}

static const ss_cuda_solver solver = {sizeof(async_plan), make, .alone = "the asynchronous solver",
                                      .find = find, .begin = begin};

int ss_cuda_async_prepare(ss_run *run, ss_err *err)
{
    return ss_cuda_prepare(run, &solver, err);
}

/* --- the order of sweeps ---------------------------------------------------------------------- */

typedef struct stamp {
    unsigned long long ns; /* 0: never */
    uint32_t tile;
} stamp;

/* By time, equal times by tile number. */
static int compare_stamps(const void *a, const void *b)
{
    const stamp *x = a, *y = b;
    if (x->ns != y->ns)
        return x->ns > y->ns ? 1 : -1;
    return (x->tile > y->tile) - (x->tile < y->tile);
}

static int fetch_stamps(const ss_run *run, unsigned long long *to, size_t n, ss_err *err)
{
    ss_cu_stream stream = ss_cuda_of(run)->stream;
    ss_cuda_use(ss_cuda_of(run)->device);
    SS_CUDA(ss_cu->copy(to, plan_of(run)->stamps, n * sizeof *to, stream));
    SS_CUDA(ss_cu->stream_wait(stream));
    return SS_OK;
}

/* The tiles of all sweeps of the last launch that was not stopped, in the order in which the sweeps
 * were done. *known: all sweeps have stamps. Missing stamps are 0 and come first in the order, so
 * that testing the first one is enough. */
int ss_cuda_async_order(ss_run *run, uint32_t *tile, bool *known, ss_err *err)
{
    size_t sweeps = (size_t)run->iterations_per_cycle, n = (size_t)tiles_of(plan_of(run)) * sweeps;
    unsigned long long *ns = ss_alloc(n * sizeof *ns, "times", err);
    stamp *order = ns ? ss_alloc(n * sizeof *order, "times", err) : NULL;
    int status = order ? fetch_stamps(run, ns, n, err) : SS_FAIL;
    if (status == SS_OK) {
        for (size_t i = 0; i < n; i++)
            order[i] = (stamp){ns[i], (uint32_t)(i / sweeps)};
        qsort(order, n, sizeof *order, compare_stamps);
        for (size_t i = 0; i < n; i++)
            tile[i] = order[i].tile;
    }
    *known = status == SS_OK && order[0].ns > 0;
    free(ns);
    free(order);
    return status;
}
