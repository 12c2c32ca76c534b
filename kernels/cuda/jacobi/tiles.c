/*
 * Tiles in registers and in shared memory: which kernel of tile_register.cuh or tile_memory.cuh
 * takes the tiles of a run, and how it is launched. A cycle reads u[parity] and writes
 * u[1 - parity]. Called by the thread of the engine.
 */
#include "kernels/cuda/jacobi/block_shape.h"
#include "kernels/cuda/jacobi/tiles.h"
#include "src/base/common.h"

/* tile_args of tile_memory.cuh. */
typedef struct tile_args {
    int k;
    launch_tiling tiling;
} tile_args;

typedef struct tiles {
    tile_args args;
    const block_shape *shape; /* NULL: in shared memory, and then: */
    bool strided;             /* more points than threads */
    ss_cuda_kernel kernel[2]; /* without and with the norm */
} tiles;

static tiles *tiles_of(const ss_run *run)
{
    return ss_cuda_plan_of(run)->own;
}

/* --- tiles in registers ----------------------------------------------------------------------- */

/* Points of a tile, with 9 rows per lane for tiles that a little overlap makes higher than 32 or 64
 * points: on an H200, 64 x 72 with k = 48 and an overlap of 4 reaches a residual of 0.0001 first of
 * all (assets/measured/h200.md). */
static const block_shape planes[] = {
    {8, 4, 8, 0, 1, 1},  /* up to  32 x  32 points */
    {8, 4, 9, 0, 1, 1},  /*        32 x  36 */
    {16, 4, 8, 0, 1, 2}, /*        64 x  32 */
    {8, 4, 8, 0, 1, 2},  /*        32 x  64 */
    {16, 4, 8, 0, 1, 4}, /*        64 x  64 */
    {16, 4, 9, 0, 1, 4}, /*        64 x  72 */
    {32, 4, 8, 0, 1, 4}, /*       128 x  32 */
    {8, 4, 8, 0, 1, 4},  /*        32 x 128 */
    {32, 4, 8, 0, 1, 8}, /*       128 x  64 */
    {16, 4, 8, 0, 1, 8}, /*        64 x 128 */
};
/* A warp has several tiles of lines, one above the other. */
static const block_shape lines[] = {
    {8, 4, 8, 0, 1, 4},   /* up to  32 points */
    {8, 8, 4, 0, 1, 4},   /*        64 */
    {16, 8, 4, 0, 1, 4},  /*       128 */
    {32, 8, 4, 0, 1, 4},  /*       256 */
    {32, 16, 2, 0, 1, 4}, /*       512 */
};
enum { NPLANES = sizeof planes / sizeof *planes, NLINES = sizeof lines / sizeof *lines };

/* The first shape that is large enough; NULL: none is. */
static const block_shape *choose_shape(bool plane, int x, int y)
{
    for (int i = 0; i < (plane ? NPLANES : NLINES); i++) {
        const block_shape *s = plane ? &planes[i] : &lines[i];
        if (shape_width(*s) >= x && (!plane || shape_height(*s) >= y))
            return s;
    }
    return NULL;
}

static int find_registers(ss_run *run, tiles *t, ss_err *err)
{
    const block_shape *s = t->shape;
    for (int norm = 0; norm < 2; norm++) {
        const char *update = ss_cuda_update_name(run, ss_cuda_plan_of(run)->fma);
        if (ss_cuda_kernel_get(&t->kernel[norm], err, "jacobi/tile_register.cuh",
                               "tile_in_registers<%s, warp_tile<%s, %d, %d, %d>, %d, %s>", update,
                               update, s->lanes, s->columns, s->rows, shape_warps(*s),
                               norm ? "true" : "false") != SS_OK)
            return SS_FAIL;
    }
    /* For the panel of costs: the bytes of registers of a thread block, and the most it may have.
     */
    run->tile_bytes =
        4.0 * ss_cuda_kernel_attribute(&t->kernel[0], SS_CU_REGISTERS) * 32 * shape_warps(*s);
    run->tile_room = 4.0 * ss_cuda_attribute(SS_CU_REGISTERS_PER_BLOCK);
    return SS_OK;
}

static int size_registers(const ss_run *run, tiles *t, int count, ss_err *err)
{
    bool plane = run->problem.dim > 1;
    const ss_tiling *all = &t->args.tiling.all;
    int x = ss_min(all->x.block, all->x.n), y = ss_min(all->y.block, all->y.n);
    t->shape = choose_shape(plane, x, y);
    if (!t->shape)
        return ss_fail(err,
                       plane
                           ? "block: a tile of %d \xc3\x97 %d points does not fit the registers of "
                             "a thread block, which take 64 \xc3\x97 128, 128 \xc3\x97 64 or less: "
                             "choose a smaller block or tile memory"
                           : "block: %d \xc3\x97 %d points do not fit the registers of a warp, "
                             "which take 512 or less: choose a smaller block or tile memory",
                       x, y);
    for (int norm = 0; norm < 2; norm++) {
        t->kernel[norm].threads.x = (unsigned)(32 * shape_warps(*t->shape));
        t->kernel[norm].blocks.x = (unsigned)ceil_div(count, plane ? 1 : shape_height(*t->shape));
    }
    return SS_OK;
}

/* --- tiles in shared memory ------------------------------------------------------------------- */

#define BLOCK_THREADS 1024
#define NORM_BYTES 512 /* static shared memory of a norm, beside the tile: 272, rounded up */

/* Both buffers with their halo, and the right-hand side (which tile_in_smem keeps in registers
 * instead: its share is not used). */
static size_t bytes_of(const ss_run *run, int x, int y)
{
    size_t halo = run->problem.dim > 1 ? 2 : 0, nx = (size_t)x, ny = (size_t)y;
    return (2 * (nx + 2) * (ny + halo) + nx * ny) * ss_prec_size(run->prec);
}

/* One thread per point, in rows of whole warps, on a plane of one warp. */
static ss_cu_dim threads_of(const ss_tiling *t, int x, int y)
{
    int tx = ss_min(ceil_div(x, 32) * 32, t->y.n > 1 && y > 1 ? 32 : BLOCK_THREADS);
    return (ss_cu_dim){(unsigned)tx, (unsigned)ss_min(y, BLOCK_THREADS / tx), 1};
}

int ss_cuda_tile_fits(int x, int y, size_t bytes, const ss_cuda_limits *limits, ss_err *err)
{
    char need[32], most[32];
    if (bytes <= limits->block_bytes)
        return SS_OK;
    return ss_fail(
        err,
        "block: a tile of %d \xc3\x97 %d points needs %s of shared memory, %s has %s for "
        "a thread block: choose a smaller block or block-y",
        x, y, ss_format_bytes((double)bytes, need, sizeof need), limits->name,
        ss_format_bytes((double)limits->block_bytes, most, sizeof most));
}

static int find_memory(ss_run *run, tiles *t, ss_err *err)
{
    for (int norm = 0; norm < 2; norm++)
        if (ss_cuda_kernel_get(&t->kernel[norm], err, "jacobi/tile_memory.cuh",
                               t->strided ? "tile_in_smem_strided<%s, %s>" : "tile_in_smem<%s, %s>",
                               ss_cuda_update_name(run, ss_cuda_plan_of(run)->fma),
                               norm ? "true" : "false") != SS_OK ||
            ss_cuda_kernel_raise(&t->kernel[norm], err) != SS_OK)
            return SS_FAIL;
    return SS_OK;
}

/* Threads and shared memory, or refuses tiles that shared memory cannot hold. */
static int size_memory(ss_run *run, tiles *t, int count, ss_err *err)
{
    const ss_tiling *all = &t->args.tiling.all;
    ss_cuda_kernel *k = &t->kernel[0];
    ss_cuda_limits limits;
    int x = ss_min(all->x.block, all->x.n), y = ss_min(all->y.block, all->y.n);
    if (ss_cuda_get_limits(&limits, err) != SS_OK)
        return SS_FAIL;
    k->shared = bytes_of(run, x, y);
    k->threads = threads_of(all, x, y);
    size_t bytes = k->shared + NORM_BYTES;
    if (ss_cuda_tile_fits(x, y, bytes, &limits, err) != SS_OK)
        return SS_FAIL;
    run->tile_bytes = (double)bytes;
    run->tile_room = (double)limits.block_bytes;
    k->blocks.x = (unsigned)count;
    t->strided = x > (int)k->threads.x || y > (int)k->threads.y;
    t->kernel[1] = *k;
    return SS_OK;
}

/* --- prepare ---------------------------------------------------------------------------------- */

/* Tiles are numbered from point (0, 0) of the field, whose address lies below the rows of this
 * device if others have those. */
static void launch(const ss_run *run, int parity, bool norm, ss_cu_stream stream)
{
    const tiles *t = tiles_of(run);
    ss_cuda_cycle_args a = ss_cuda_cycle_args_of(run, parity);
    ss_cuda_coefficients update = ss_cuda_coefficients_of(run);
    tile_args args = {run->ticks_per_cycle, t->args.tiling};
    ptrdiff_t below = ss_cuda_of(run)->row * a.sy * (ptrdiff_t)ss_prec_size(run->prec);
    a.in = (const char *)a.in - below;
    a.rhs = (const char *)a.rhs - below;
    a.out = (char *)a.out - below;
    ss_cuda_launch_kernel(&t->kernel[norm], stream, SS_ARGUMENTS(&a, &update, &args));
}

/* The kernels of the present update: which form is valid depends on the right-hand side. */
static int find(ss_run *run, ss_err *err)
{
    tiles *t = tiles_of(run);
    return (t->shape ? find_registers : find_memory)(run, t, err);
}

/* The tiles of a run on one device: all, or those that own the rows of a band. Tiles of lines end
 * with the band. Returns their number, or SS_FAIL. */
static int choose_tiles(const ss_run *run, launch_tiling *t, ss_err *err)
{
    const ss_cuda_state *st = ss_cuda_of(run);
    ss_cut *x = &t->all.x, *y = &t->all.y;
    int all, from = ss_cut_owner(*y, st->row), to;
    if (ss_cuda_count_tiles(&t->all, &all, err) != SS_OK)
        return SS_FAIL;
    to = ss_cut_owner(*y, st->row + st->box.ny - 1) + 1;
    t->first = from * x->count;
    if (run->problem.dim == 1)
        y->n = y->count = to;
    return (to - from) * x->count;
}

static int make(ss_run *run, ss_cuda_plan *plan, ss_err *err)
{
    bool memory = ss_config_int(&run->cfg, "tile") == SS_TILE_MEMORY;
    tiles *t = plan->own;
    t->args.tiling.all = run->solver->tiling(&run->cfg, &run->problem);
    int count = choose_tiles(run, &t->args.tiling, err);
    if (count == SS_FAIL ||
        (memory ? size_memory(run, t, count, err) : size_registers(run, t, count, err)) != SS_OK ||
        find(run, err) != SS_OK)
        return SS_FAIL;
    return ss_cuda_plan_cycles(run, launch, t->kernel[1].blocks.x, err);
}

const ss_cuda_solver ss_cuda_tiles = {sizeof(tiles), make, .find = find};
