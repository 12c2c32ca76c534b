/*
 * Halo exchange of patches on the GPU: ghost cells get the neighbour's outermost cells, or obey the
 * rule at walls, in one launch for all sides of all patches; and the norm of the residual in a pass
 * over all cells. Engine thread.
 *
 * The sides in x limit the exchange, because their accesses are not coalesced: each cell is alone
 * in its sector of 32 bytes, in the source and in the destination. The time depends on the number
 * of sectors, not on bytes (single precision takes as long as double). A ghost costs three sectors:
 * the cell's is read; the ghost's is read, merged and written. Where the ghost shares its sector
 * with padding only, the whole sector is written, padding as zero, which saves the read. In y and z
 * accesses are coalesced.
 */
#include <stdlib.h>
#include <string.h>

#include "kernels/cuda/device/patches.h"
#include "kernels/cuda/device/plan.h"
#include "kernels/cuda/device/sides.h"

#define NORM_BLOCKS                                                                                \
    8192 /* at most; the number, and so the order of the sum, depends on the patches               \
            alone */
#define SECTOR 32

struct ss_cuda_ghosts {
    ss_prec prec;
    ss_cuda_kernel exchange, square; /* exchange_sides, square_residuals */
    ss_cuda_sums sums;
    ss_cuda_side *sides;       /* on the device: those with a neighbour, then those at walls */
    int neighbours, all, most; /* `most`: threads of the largest side */
    ss_cuda_side *edges;       /* on the device; NULL: not asked for */
    int nedge, longest;        /* `longest`: ghosts of an edge */
    ss_cuda_region *regions;   /* on the device */
    int patches, strips;
    double *partial;   /* on the device */
    ss_cuda_kept kept; /* what is on the device */
};

/* --- lists of sides and strips ---------------------------------------------------------------- */

/* Ghosts in x whose sectors contain nothing else but padding are written as whole sectors. */
static void share_sectors(ss_cuda_side *out, const ss_box *box, bool upper, int per)
{
    const ptrdiff_t whole = per;
    bool even = (ptrdiff_t)box->first % whole == 0 && box->sy % whole == 0 &&
                box->sz % whole == 0 && box->nx % per == 0;
    if (even && box->sy >= box->nx + 2 * whole) {
        out->lanes = SECTOR / 16;
        out->position = upper ? 0 : per - 1;
    }
}

/* Side s of patch q. */
static ss_cuda_side side_of(const ss_patch *patch, int q, int s, ss_prec prec, ss_wall wall)
{
    const int d = s / 2, upper = s % 2, a = d == 0 ? 1 : 0, b = d == 2 ? 1 : 2;
    const ss_box *box = &patch[q].box;
    const int beyond = patch[q].side[s], rule = wall == SS_WALL_MIRROR ? GHOST_MIRROR : GHOST_ZERO;
    const ss_box *from = beyond == SS_WALL_SIDE ? box : &patch[beyond].box;
    const int n[3] = {box->nx, box->ny, box->nz}, m[3] = {from->nx, from->ny, from->nz};
    const ptrdiff_t stride[3] = {1, box->sy, box->sz}, other[3] = {1, from->sy, from->sz};
    /* At a wall ghosts follow this patch's own cells, else the neighbour's nearest cells. */
    bool last = beyond == SS_WALL_SIDE ? upper : !upper;
    ss_cuda_side out;
    out.ghost = (uint32_t)((ptrdiff_t)box->first + (upper ? n[d] : -1) * stride[d]);
    out.cell = (uint32_t)((ptrdiff_t)from->first + (last ? m[d] - 1 : 0) * other[d]);
    out.rows = n[b];
    out.columns = n[a];
    out.row = (int)stride[b];
    out.column = (int)stride[a];
    out.cell_row = (int)other[b];
    out.cell_column = (int)other[a];
    out.rule = beyond == SS_WALL_SIDE ? rule : GHOST_COPY;
    out.lanes = 1;
    out.position = 0;
    if (d == 0)
        share_sectors(&out, box, upper, (int)(SECTOR / ss_prec_size(prec)));
    return out;
}

static int list_sides(ss_cuda_ghosts *g, const ss_patch *patch, int patches, ss_wall wall,
                      ss_err *err)
{
    ss_cuda_side *list = ss_alloc((size_t)patches * 6 * sizeof *list, "sides of patches", err);
    if (!list)
        return SS_FAIL;
    for (int walls = 0; walls < 2; walls++) {
        for (int i = 0; i < 6 * patches; i++)
            if ((patch[i / 6].side[i % 6] == SS_WALL_SIDE) == (walls == 1)) {
                ss_cuda_side s = list[g->all++] = side_of(patch, i / 6, i % 6, g->prec, wall);
                int lanes = s.rows * s.columns * s.lanes;
                g->most = lanes > g->most ? lanes : g->most;
            }
        g->neighbours = walls == 0 ? g->all : g->neighbours;
    }
    int status = ss_cuda_keep_copy(&g->kept, (void **)&g->sides, list,
                                   (size_t)g->all * sizeof *list, "sides of patches", err);
    free(list);
    return status;
}

/* Ghosts that are outside in two directions or three: an edge or a corner. `off`: -1, 0 or 1 per
 * direction. As on the CPU, those in z are copied last: the way to the cell begins in z. False:
 * zero because of a wall, which needs no copy. */
static bool edge_of(const ss_patch *patch, int q, const int off[3], ss_wall wall, ss_cuda_side *out)
{
    const ss_patch *p = &patch[q], *from = p;
    bool last[3] = {false, false, false}, negative = false;
    memset(out, 0, sizeof *out);
    for (int d = 2; d >= 0; d--) {
        if (off[d] == 0)
            continue;
        int beyond = from->side[2 * d + (off[d] > 0)];
        bool outside = beyond == SS_WALL_SIDE;
        if (outside && wall == SS_WALL_ZERO)
            return false;
        negative ^= outside;
        last[d] = (off[d] > 0) == outside; /* at a wall its own cell, else the neighbour's */
        from = outside ? from : &patch[beyond];
    }
    const ss_box *b = &p->box, *c = &from->box;
    const int n[3] = {b->nx, b->ny, b->nz}, m[3] = {c->nx, c->ny, c->nz};
    const ptrdiff_t stride[3] = {1, b->sy, b->sz}, other[3] = {1, c->sy, c->sz};
    ptrdiff_t ghost = (ptrdiff_t)b->first, cell = (ptrdiff_t)c->first;
    out->rows = out->columns = out->lanes = 1;
    out->rule = negative ? GHOST_MIRROR : GHOST_COPY;
    for (int d = 0; d < 3; d++)
        if (off[d] == 0) {
            out->columns = n[d];
            out->column = (int)stride[d];
            out->cell_column = (int)other[d];
        } else {
            ghost += (off[d] > 0 ? n[d] : -1) * stride[d];
            cell += last[d] ? (m[d] - 1) * other[d] : 0;
        }
    out->ghost = (uint32_t)ghost;
    out->cell = (uint32_t)cell;
    return true;
}

int ss_ghosts_add_edges(ss_cuda_ghosts *g, const ss_patch *patch, int patches, ss_wall wall,
                        ss_err *err)
{
    const int edges = 20; /* of a patch: 12 and 8 corners */
    ss_cuda_side *list = ss_alloc((size_t)patches * edges * sizeof *list, "edges of patches", err);
    if (!list)
        return SS_FAIL;
    for (int i = 0; i < 27 * patches; i++) {
        const int off[3] = {i % 3 - 1, i / 3 % 3 - 1, i / 9 % 3 - 1};
        bool face = abs(off[0]) + abs(off[1]) + abs(off[2]) < 2; /* or the patch itself */
        if (face || !edge_of(patch, i / 27, off, wall, &list[g->nedge]))
            continue;
        int cells = list[g->nedge++].columns;
        g->longest = cells > g->longest ? cells : g->longest;
    }
    int status = g->nedge == 0
                     ? SS_OK
                     : ss_cuda_keep_copy(&g->kept, (void **)&g->edges, list,
                                         (size_t)g->nedge * sizeof *list, "edges of patches", err);
    free(list);
    return status;
}

static int list_regions(ss_cuda_ghosts *g, const ss_patch *patch, int patches, ss_err *err)
{
    ss_cuda_region *list = ss_alloc((size_t)patches * sizeof *list, "patches", err);
    if (!list)
        return SS_FAIL;
    for (int q = 0; q < patches; q++) {
        const ss_box *b = &patch[q].box;
        int across = ceil_div(b->nx, 32);
        list[q] = (ss_cuda_region){(uint32_t)b->first, (int)b->sy, (int)b->sz, b->nx, b->ny, b->nz,
                                   g->strips,          across};
        g->strips += across * b->ny * ceil_div(b->nz, STRIP_HEIGHT);
    }
    g->patches = patches;
    int status = ss_cuda_keep_copy(&g->kept, (void **)&g->regions, list,
                                   (size_t)patches * sizeof *list, "patches", err);
    free(list);
    return status;
}

/* --- making ----------------------------------------------------------------------------------- */

static int find(ss_cuda_ghosts *g, ss_err *err)
{
    const char *real = ss_cuda_real_name(g->prec);
    g->exchange.threads.x = SIDE_THREADS;
    g->square.threads.x = STRIP_THREADS;
    if (ss_cuda_kernel_get(&g->exchange, err, "device/ghosts.cuh", "exchange_sides<%s>", real) !=
            SS_OK ||
        ss_cuda_kernel_get(&g->square, err, "device/ghosts.cuh", "square_residuals<%s>", real) !=
            SS_OK)
        return SS_FAIL;
    return ss_cuda_sums_find(&g->sums, err);
}

/* After list_regions: as many blocks make the norm as the strips need. */
static int size(ss_cuda_ghosts *g, ss_err *err)
{
    int all = ceil_div(g->strips, STRIP_THREADS / 32);
    g->square.blocks.x = (unsigned)(all < NORM_BLOCKS ? all : NORM_BLOCKS);
    return ss_cuda_keep(&g->kept, (void **)&g->partial, NORM_BLOCKS * sizeof *g->partial, "a norm",
                        err);
}

int ss_cuda_ghosts_make(ss_cuda_ghosts **out, const ss_patch *patch, int patches, ss_prec prec,
                        ss_wall wall, ss_err *err)
{
    *out = NULL;
    if (ss_cuda_probe(err) != SS_OK)
        return SS_FAIL;
    ss_cuda_ghosts *g = ss_alloc(sizeof *g, "ghosts", err);
    if (!g)
        return SS_FAIL;
    g->prec = prec;
    if (find(g, err) != SS_OK || list_sides(g, patch, patches, wall, err) != SS_OK ||
        list_regions(g, patch, patches, err) != SS_OK || size(g, err) != SS_OK) {
        ss_cuda_ghosts_free(g);
        return SS_FAIL;
    }
    *out = g;
    return SS_OK;
}

void ss_cuda_ghosts_free(ss_cuda_ghosts *g)
{
    if (g)
        ss_cuda_kept_free(&g->kept);
    free(g);
}

/* --- launches --------------------------------------------------------------------------------- */

static void launch_sides(const ss_cuda_ghosts *g, const ss_cuda_side *list, int sides, int most,
                         void *u, ss_cu_stream stream)
{
    ss_cuda_kernel k = g->exchange;
    if (sides == 0)
        return;
    k.blocks.x = (unsigned)sides;
    k.blocks.y = (unsigned)ceil_div(most, SIDE_CELLS * SIDE_THREADS);
    ss_cuda_launch_kernel(&k, stream, SS_ARGUMENTS(&list, &u));
}

void ss_ghosts_launch(const ss_cuda_ghosts *g, void *u, bool walls, ss_cu_stream stream)
{
    launch_sides(g, g->sides, walls ? g->all : g->neighbours, g->most, u, stream);
}

void ss_ghosts_launch_walls(const ss_cuda_ghosts *g, void *u, ss_cu_stream stream)
{
    launch_sides(g, g->sides + g->neighbours, g->all - g->neighbours, g->most, u, stream);
}

void ss_ghosts_launch_edges(const ss_cuda_ghosts *g, void *u, ss_cu_stream stream)
{
    launch_sides(g, g->edges, g->nedge, g->longest, u, stream);
}

int ss_cuda_ghosts_exchange(const ss_cuda_ghosts *g, void *u, bool walls, ss_cu_stream stream,
                            ss_err *err)
{
    ss_ghosts_launch(g, u, walls, stream);
    SS_CUDA(ss_cuda_launch_error());
    return SS_OK;
}

/* One partial sum per thread block. */
static void sum_squares(const ss_cuda_ghosts *g, const void *u, const void *rhs,
                        ss_cu_stream stream)
{
    ss_cuda_launch_kernel(
        &g->square, stream,
        SS_ARGUMENTS(&g->regions, &g->patches, &g->strips, &u, &rhs, &g->partial));
}

void ss_ghosts_check(const ss_cuda_ghosts *g, const void *u, const void *rhs,
                     ss_cuda_control *control, ss_cu_stream stream)
{
    sum_squares(g, u, rhs, stream);
    ss_cuda_sums_decide(&g->sums, g->partial, g->square.blocks.x, control, stream);
}

int ss_cuda_ghosts_norm2(const ss_cuda_ghosts *g, const void *u, const void *rhs, double *norm2,
                         ss_cu_stream stream, ss_err *err)
{
    sum_squares(g, u, rhs, stream);
    ss_cuda_sums_add(&g->sums, g->partial, g->square.blocks.x, norm2, stream);
    SS_CUDA(ss_cuda_launch_error());
    return SS_OK;
}
