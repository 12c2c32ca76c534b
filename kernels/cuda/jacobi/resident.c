/*
 * Resident tiles, host side: which shape of thread block takes the tiles of a run, the buffers and
 * flags of the exchange, and the two launches: many cycles together (cooperative, without norms),
 * or one cycle. See tile_resident.cuh. Host code; engine thread.
 */
#include <stdio.h>

#include "kernels/cuda/jacobi/persistent.h"
#include "kernels/cuda/jacobi/tiles.h"
#include "kernels/solver/schedules.h"
#include "src/base/common.h"

/* resident_args<T> of tile_resident.cuh. */
typedef struct resident_args {
    flag_args all;
    launch_tiling tiling;
    int k, cycles;
} resident_args;

typedef struct resident {
    ss_tiling tiling;
    block_shape shape;
    ss_cuda_kernel kernel[2]; /* of cycles without norms; of one cycle with its norm */
    bool columns;             /* the first has the halo in x among its points: tile_columns.cuh */
    int exchanges;            /* so far; the number of the last one */
    void *exchange[2];        /* each as large as a field */
    int *flag;                /* [block] */
} resident;

static resident *resident_of(const ss_run *run)
{
    return ss_cuda_plan_of(run)->own;
}

/* --- launches --------------------------------------------------------------------------------- */

/* The exchange. With halo columns a tile begins one column from the start of its thread block:
 * shifted by one, its rows of lanes are aligned in the buffer as before, and no more is sent than
 * is needed. Else more is sent in x, so that lanes send whole rows. */
static void set_exchange(const ss_run *run, bool columns, flag_args *a)
{
    const resident *p = resident_of(run);
    const ss_cut *x = &p->tiling.x, *y = &p->tiling.y;
    const int depth = x->overlap / 2 + 1, c = p->shape.columns;
    size_t first = ss_cuda_of(run)->box.first + columns;
    for (int i = 0; i < 2; i++)
        a->exchange[i] = (char *)p->exchange[i] + first * ss_prec_size(run->prec);
    a->flag = p->flag;
    a->all.x = (regions){x->n, x->block, columns ? depth : (depth + c - 1) / c * c, x->count};
    a->all.y = (regions){y->n, y->block, y->overlap / 2 + 1, y->count};
}

/* Cycles from u[parity] into u[to]; those with a norm are one. */
static void launch_cycles(const ss_run *run, int parity, int to, int cycles, bool norm,
                          ss_cu_stream stream)
{
    const ss_cuda_state *st = ss_cuda_of(run);
    resident *p = resident_of(run);
    ss_cuda_kernel k = p->kernel[norm];
    ss_cuda_cycle_args field = ss_cuda_cycle_args_of(run, parity);
    ss_cuda_coefficients update = ss_cuda_coefficients_of(run);
    field.out = (char *)st->u[to] + st->box.first * ss_prec_size(run->prec);
    resident_args a = {
        .all.all = {.in = field.in,
                    .rhs = field.rhs,
                    .out = field.out,
                    .sy = field.sy,
                    .exchanges_before = p->exchanges},
        .tiling = {p->tiling, 0},
        .k = run->ticks_per_cycle,
        .cycles = cycles,
    };
    set_exchange(run, p->columns && !norm, &a.all);
    p->exchanges += cycles - 1;
    k.cooperative = cycles > 1;
    ss_cuda_launch_kernel(&k, stream, SS_ARGUMENTS(&field, &update, &a));
}

static void launch(const ss_run *run, int parity, bool norm, ss_cu_stream stream)
{
    launch_cycles(run, parity, 1 - parity, 1, norm, stream);
}

/* An even number of cycles ends in the array where it starts. No block stores before it has seen
 * all its neighbours' flags, and they raise those after they have loaded their tiles. */
static void launch_many(const ss_run *run, int parity, int cycles, ss_cu_stream stream)
{
    resident *p = resident_of(run);
    if (p->exchanges > 1 << 30) { /* far below the end of an int; no kernel runs that waits */
        ss_cuda_note(ss_cu->fill(p->flag, 0, p->kernel[0].blocks.x * sizeof *p->flag, stream));
        p->exchanges = 0;
    }
    launch_cycles(run, parity, (parity + cycles) & 1, cycles, false, stream);
}

/* --- shapes and kernels ----------------------------------------------------------------------- */

#define WARPS 8 /* of a block, one above the other */

static const block_shape shapes[] = {
    {16, 4, 4, 0, 1, WARPS},  /* up to  64 x  64 points */
    {16, 4, 8, 0, 1, WARPS},  /*        64 x 128 */
    {16, 4, 10, 0, 1, WARPS}, /*        64 x 160 */
    {32, 4, 11, 0, 1, WARPS}, /*       128 x  88 */
    {32, 4, 16, 0, 1, WARPS}, /*       128 x 128, in single precision */
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

/* Half of the right-hand sides of a cycle with a norm are in shared memory, for its registers. */
static block_shape shape_of(block_shape s, bool norm)
{
    s.smem_rows = norm ? s.rows / 2 : 0;
    return s;
}

static size_t bytes_of(const ss_run *run, block_shape s)
{
    return (size_t)resident_bytes(s, (int)ss_prec_size(run->prec));
}

/* Have all subdomains of a direction `points` points? */
static bool all_have(const ss_cut *c, int points)
{
    return c->block == points && c->n >= points &&
           (c->n - c->overlap) % (c->block - c->overlap) == 0;
}

/* Tiles as large as their thread blocks have a kernel; in single precision it is 8 % slower. */
static bool are_full(const ss_run *run)
{
    const resident *p = resident_of(run);
    return run->prec == SS_F64 && all_have(&p->tiling.x, shape_width(p->shape)) &&
           all_have(&p->tiling.y, shape_height(p->shape));
}

/* Do the tiles leave room for halo columns, in a kernel that is for fma_plane<double> and warps of
 * one row of lanes? */
static bool have_columns(const ss_run *run)
{
    const resident *p = resident_of(run);
    return run->prec == SS_F64 && ss_cuda_plan_of(run)->fma && p->shape.lanes == 32 &&
           all_have(&p->tiling.y, shape_height(p->shape)) &&
           ss_min(p->tiling.x.block, p->tiling.x.n) <= shape_width(p->shape) - 2;
}

static int find_kernel(ss_run *run, bool norm, ss_err *err)
{
    resident *p = resident_of(run);
    ss_cuda_kernel *k = &p->kernel[norm];
    const char *update = ss_cuda_update_name(run, ss_cuda_plan_of(run)->fma);
    block_shape s = shape_of(p->shape, norm);
    char tile[96];
    snprintf(tile, sizeof tile, "warp_tile<%s, %d, %d, %d, %d>, %d", update, s.lanes, s.columns,
             s.rows, s.smem_rows, WARPS);
    k->threads.x = 32 * WARPS;
    k->shared = bytes_of(run, s);
    k->ordinary = true;
    int status = p->columns && !norm
                     ? ss_cuda_kernel_get(k, err, "jacobi/fast/tile_columns.cuh",
                                          "resident_columns<%s, %s>", update, tile)
                     : ss_cuda_kernel_get(k, err, "jacobi/fast/tile_resident.cuh",
                                          "resident_tiles<%s, %s, %s, %s>", update, tile,
                                          norm ? "true" : "false",
                                          !norm && are_full(run) ? "true" : "false");
    return status == SS_OK ? ss_cuda_kernel_raise(k, err) : SS_FAIL;
}

static int find(ss_run *run, ss_err *err)
{
    resident_of(run)->columns = !are_full(run) && have_columns(run);
    return find_kernel(run, false, err) == SS_OK ? find_kernel(run, true, err) : SS_FAIL;
}

/* --- prepare ---------------------------------------------------------------------------------- */

static int choose_shape(const ss_run *run, ss_err *err)
{
    resident *p = resident_of(run);
    int nx = ss_min(p->tiling.x.block, p->tiling.x.n),
        ny = ss_min(p->tiling.y.block, p->tiling.y.n);
    ss_cuda_limits limits;
    if (run->problem.dim == 1)
        return ss_fail(err, "tile: subdomains of lines cannot be resident, only those of planes: "
                            "choose tile register or memory");
    if (ss_cuda_get_limits(&limits, err) != SS_OK)
        return SS_FAIL;
    for (int i = 0; i < (run->prec == SS_F64 ? SHAPES - 1 : SHAPES); i++) {
        p->shape = shapes[i];
        if (shape_width(p->shape) >= nx && shape_height(p->shape) >= ny &&
            bytes_of(run, shape_of(p->shape, true)) <= limits.block_bytes)
            return SS_OK;
    }
    return ss_fail(err,
                   "block: a resident tile has at most %s points, not %d \xc3\x97 %d: choose a "
                   "smaller block or tile register",
                   run->prec == SS_F64 ? "64 \xc3\x97 160 or 128 \xc3\x97 88"
                                       : "64 \xc3\x97 160 or 128 \xc3\x97 128",
                   nx, ny);
}

/* A tile receives overlap / 2 + 1 points, all of them from the next tile. */
static int check_overlap(const ss_cut *c, const char *overlap, ss_err *err)
{
    int owned = c->block - c->overlap;
    if (c->count == 1 || owned > c->overlap / 2)
        return SS_OK;
    return ss_fail(err,
                   "%s: a resident tile owns %d points, fewer than the %d that its neighbour needs "
                   "of it: choose an overlap of at most %d",
                   overlap, owned, c->overlap / 2 + 1, (c->block - 1) * 2 / 3 / 2 * 2);
}

/* Fails if the tiles do not fit on the chip together. */
static int check_room(ss_run *run, double tiles, ss_err *err)
{
    const ss_cuda_kernel *k = &resident_of(run)->kernel[0];
    ss_cuda_limits limits;
    int each;
    if (ss_cuda_get_limits(&limits, err) != SS_OK ||
        ss_cuda_kernel_resident(k, &each, err) != SS_OK)
        return SS_FAIL;
    run->tile_bytes = 4.0 * ss_cuda_kernel_attribute(k, SS_CU_REGISTERS) * k->threads.x;
    run->tile_room = 4.0 * ss_cuda_attribute(SS_CU_REGISTERS_PER_BLOCK);
    if (tiles > (double)each * limits.processors)
        return ss_fail(err,
                       "tile: %.0f subdomains do not fit on the chip of %s at once, which holds %d "
                       "of this size: choose a smaller n, a larger block or tile register",
                       tiles, limits.name, each * limits.processors);
    return SS_OK;
}

static int allocate(const ss_run *run, ss_err *err)
{
    resident *p = resident_of(run);
    ss_cuda_kept *kept = &ss_cuda_plan_of(run)->kept;
    const ss_cuda_state *st = ss_cuda_of(run);
    size_t bytes = (st->box.count + 1) * ss_prec_size(run->prec);
    for (int i = 0; i < 2; i++)
        if (ss_cuda_keep(kept, &p->exchange[i], bytes, "the strips between tiles", err) != SS_OK)
            return SS_FAIL;
    return ss_cuda_keep_zeroed(kept, (void **)&p->flag, p->kernel[0].blocks.x * sizeof *p->flag,
                               "the flags", st->stream, err);
}

/* In place of the ledger of a launch per cycle. The field itself is read and written once per
 * launch, which is not counted. */
static void bill(ss_run *run)
{
    double points = ss_tiled_exchange(run->eq, &run->problem, &resident_of(run)->tiling);
    ss_ledger *one = &run->per_cycle;
    one->launches = 0;
    one->opening = 1;
    one->edge_bytes = one->global_bytes = 2 * points * (double)ss_prec_size(run->prec);
}

static int prepare_tiles(ss_run *run, ss_err *err)
{
    resident *p = resident_of(run);
    const ss_cut *x = &p->tiling.x, *y = &p->tiling.y;
    p->tiling = run->solver->tiling(&run->cfg, &run->problem);
    double tiles = (double)x->count * y->count;
    if (choose_shape(run, err) != SS_OK || check_overlap(x, "overlap", err) != SS_OK ||
        check_overlap(y, "overlap-y", err) != SS_OK || find(run, err) != SS_OK ||
        check_room(run, tiles, err) != SS_OK)
        return SS_FAIL;
    p->kernel[0].blocks.x = p->kernel[1].blocks.x = (unsigned)tiles;
    return allocate(run, err);
}

static int make(ss_run *run, ss_cuda_plan *plan, ss_err *err)
{
    if (prepare_tiles(run, err) != SS_OK ||
        ss_cuda_plan_cycles(run, launch, resident_of(run)->kernel[1].blocks.x, err) != SS_OK)
        return SS_FAIL;
    plan->many = launch_many;
    plan->graphs = false; /* they would launch cycle by cycle */
    plan->alone = 1;      /* its start remains in the other array */
    bill(run);
    return SS_OK;
}

const ss_cuda_solver ss_cuda_resident = {sizeof(resident), make, .find = find};
