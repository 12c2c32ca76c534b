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

#include "kernels/cuda/device/patches.cuh"
#include "kernels/cuda/device/numerics.cuh"
#include "kernels/cuda/device/sums.cuh"

enum { COPY, MIRROR, ZERO };

/* A side of a patch: its ghosts and the cells that they are copied from, as rows and columns. */
struct side {
    uint32_t ghost, cell; /* the first elements */
    int rows, columns;
    int row, column;           /* strides of the ghosts */
    int cell_row, cell_column; /* strides of the cells */
    int rule;
    int lanes;    /* threads per ghost: 1, or those that write its sector, 16 bytes each */
    int position; /* of the ghost in its sector, with several threads */
};

/* A patch as the norm sees it: strips of 32 columns of cells, at most TALL high. */
struct region {
    uint32_t first;
    int sy, sz, nx, ny, nz;
    int begin, across; /* number of its first strip; strips in x */
};

struct ss_cuda_ghosts {
    ss_prec prec;
    side *sides;               /* on the device: those with a neighbour, then those at walls */
    int neighbours, all, most; /* `most`: threads of the largest side */
    side *edges;               /* on the device; NULL: not asked for */
    int nedge, longest;        /* `longest`: ghosts of an edge */
    region *regions;           /* on the device */
    int patches, strips;
    double *partial; /* on the device */
};

/* --- kernels ---------------------------------------------------------------------------------- */

#define THREADS 256
#define SOME 4 /* cells per thread */
#define SECTOR 32

/* Stores a ghost, or one thread's 16 bytes of its sector. */
template <typename T>
static __device__ __forceinline__ void put_ghost(const side &s, T *ghost, int lane, T value)
{
    if (s.lanes == 1) {
        *ghost = value;
        return;
    }
    pack<T> part = {};
#pragma unroll
    for (int k = 0; k < pack<T>::n; k++)
        part.v[k] = lane * pack<T>::n + k == s.position ? value : (T)0;
    store(ghost - s.position + lane * pack<T>::n, part, pack<T>::n);
}

/* Sides are neighbours in the grid, so that both sides of a patch in x, whose ghosts share lines of
 * L2, run at the same time. */
template <typename T>
__global__ void __launch_bounds__(THREADS) exchange_sides(const side *sides, T *u)
{
    const side s = sides[blockIdx.x];
    const int first = blockIdx.y * SOME * THREADS + threadIdx.x, cells = s.rows * s.columns;
    T value[SOME];
    let_next_begin();
    await_previous();
#pragma unroll
    for (int k = 0; k < SOME; k++) {
        int i = (first + k * THREADS) / s.lanes, r = i / s.columns, c = i % s.columns;
        value[k] = 0;
        if (i < cells && s.rule != ZERO)
            value[k] =
                u[(ptrdiff_t)s.cell + (ptrdiff_t)r * s.cell_row + (ptrdiff_t)c * s.cell_column];
    }
#pragma unroll
    for (int k = 0; k < SOME; k++) {
        int lane = (first + k * THREADS) % s.lanes, i = (first + k * THREADS) / s.lanes;
        T *ghost = u + (ptrdiff_t)s.ghost + (ptrdiff_t)(i / s.columns) * s.row +
                   (ptrdiff_t)(i % s.columns) * s.column;
        if (i < cells)
            put_ghost(s, ghost, lane, s.rule == MIRROR ? -value[k] : value[k]);
    }
}

#define NORM_THREADS 512
#define NORM_BLOCKS                                                                                \
    8192 /* at most; the number, and so the order of the sum, depends on the patches               \
            alone */
#define TALL 8

/* The patch of strip i: a guess, exact if all patches have the same size, then a linear search. */
static __device__ __forceinline__ int patch_of(const region *regions, int patches, int strips,
                                               int i)
{
    int q = (int)((int64_t)i * patches / strips);
    while (regions[q].begin > i)
        q--;
    while (q + 1 < patches && regions[q + 1].begin <= i)
        q++;
    return q;
}

/* N cells, one above the other. */
template <int N, typename T>
static __device__ __forceinline__ double column_squares(const region &p, const T *u, const T *rhs)
{
    T cell[N], r[N];
    double squares = 0;
#pragma unroll
    for (int k = 0; k < N; k++)
        r[k] = __ldg(rhs + (ptrdiff_t)k * p.sz);
    take_residuals<alone, N>(u, p.sy, p.sz, cell, r);
#pragma unroll
    for (int k = 0; k < N; k++)
        squares += (double)r[k] * (double)r[k];
    return squares;
}

/* One warp per strip, one lane per column; consecutive warps in x, then y, then z. */
template <typename T>
__global__ void __launch_bounds__(NORM_THREADS, 2)
    square_residuals(const region *regions, int patches, int strips, const T *u, const T *rhs,
                     double *partial)
{
    const int warps = NORM_THREADS / 32, lane = threadIdx.x % 32;
    double squares = 0;
    let_next_begin();
    await_previous();
    for (int i = blockIdx.x * warps + threadIdx.x / 32; i < strips; i += gridDim.x * warps) {
        const region p = regions[patch_of(regions, patches, strips, i)];
        int strip = i - p.begin, x = strip % p.across * 32 + lane, y = strip / p.across % p.ny;
        int z = strip / p.across / p.ny * TALL;
        ptrdiff_t at = (ptrdiff_t)p.first + x + (ptrdiff_t)y * p.sy + (ptrdiff_t)z * p.sz;
        if (x >= p.nx)
            continue;
        if (z + TALL <= p.nz)
            squares += column_squares<TALL>(p, u + at, rhs + at);
        else
            for (; z < p.nz; z++, at += p.sz)
                squares += column_squares<1>(p, u + at, rhs + at);
    }
    leave_sum(partial + blockIdx.x, squares);
}

/* --- host ------------------------------------------------------------------------------------- */

/* Ghosts in x whose sectors contain nothing else but padding are written as whole sectors. */
static void share_sectors(side *out, const ss_box *box, bool upper, int per)
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
static side side_of(const ss_patch *patch, int q, int s, ss_prec prec, ss_wall wall)
{
    const int d = s / 2, upper = s % 2, a = d == 0 ? 1 : 0, b = d == 2 ? 1 : 2;
    const ss_box *box = &patch[q].box;
    const int beyond = patch[q].side[s], rule = wall == SS_WALL_MIRROR ? MIRROR : ZERO;
    const ss_box *from = beyond == SS_WALL_SIDE ? box : &patch[beyond].box;
    const int n[3] = {box->nx, box->ny, box->nz}, m[3] = {from->nx, from->ny, from->nz};
    const ptrdiff_t stride[3] = {1, box->sy, box->sz}, other[3] = {1, from->sy, from->sz};
    /* At a wall ghosts follow this patch's own cells, else the neighbour's nearest cells. */
    bool last = beyond == SS_WALL_SIDE ? upper : !upper;
    side out;
    out.ghost = (uint32_t)((ptrdiff_t)box->first + (upper ? n[d] : -1) * stride[d]);
    out.cell = (uint32_t)((ptrdiff_t)from->first + (last ? m[d] - 1 : 0) * other[d]);
    out.rows = n[b];
    out.columns = n[a];
    out.row = (int)stride[b];
    out.column = (int)stride[a];
    out.cell_row = (int)other[b];
    out.cell_column = (int)other[a];
    out.rule = beyond == SS_WALL_SIDE ? rule : COPY;
    out.lanes = 1;
    out.position = 0;
    if (d == 0)
        share_sectors(&out, box, upper, (int)(SECTOR / ss_prec_size(prec)));
    return out;
}

static int list_sides(ss_cuda_ghosts *g, const ss_patch *patch, int patches, ss_wall wall,
                      ss_err *err)
{
    side *list = (side *)ss_alloc((size_t)patches * 6 * sizeof *list, "sides of patches", err);
    if (!list)
        return SS_FAIL;
    for (int walls = 0; walls < 2; walls++) {
        for (int i = 0; i < 6 * patches; i++)
            if ((patch[i / 6].side[i % 6] == SS_WALL_SIDE) == (walls == 1)) {
                side s = list[g->all++] = side_of(patch, i / 6, i % 6, g->prec, wall);
                int lanes = s.rows * s.columns * s.lanes;
                g->most = lanes > g->most ? lanes : g->most;
            }
        g->neighbours = walls == 0 ? g->all : g->neighbours;
    }
    int status = ss_cuda_alloc_copy((void **)&g->sides, list, (size_t)g->all * sizeof *list,
                                    "sides of patches", err);
    free(list);
    return status;
}

/* Ghosts that are outside in two directions or three: an edge or a corner. `off`: -1, 0 or 1 per
 * direction. As on the CPU, those in z are copied last: the way to the cell begins in z. False:
 * zero because of a wall, which needs no copy. */
static bool edge_of(const ss_patch *patch, int q, const int off[3], ss_wall wall, side *out)
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
    out->rule = negative ? MIRROR : COPY;
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
    side *list = (side *)ss_alloc((size_t)patches * edges * sizeof *list, "edges of patches", err);
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
                     : ss_cuda_alloc_copy((void **)&g->edges, list, (size_t)g->nedge * sizeof *list,
                                          "edges of patches", err);
    free(list);
    return status;
}

static int list_regions(ss_cuda_ghosts *g, const ss_patch *patch, int patches, ss_err *err)
{
    region *list = (region *)ss_alloc((size_t)patches * sizeof *list, "patches", err);
    if (!list)
        return SS_FAIL;
    for (int q = 0; q < patches; q++) {
        const ss_box *b = &patch[q].box;
        int across = ceil_div(b->nx, 32);
        list[q] = {(uint32_t)b->first, (int)b->sy, (int)b->sz, b->nx, b->ny, b->nz,
                   g->strips,          across};
        g->strips += across * b->ny * ceil_div(b->nz, TALL);
    }
    g->patches = patches;
    int status = ss_cuda_alloc_copy((void **)&g->regions, list, (size_t)patches * sizeof *list,
                                    "patches", err);
    free(list);
    return status;
}

int ss_cuda_ghosts_make(ss_cuda_ghosts **out, const ss_patch *patch, int patches, ss_prec prec,
                        ss_wall wall, ss_err *err)
{
    *out = NULL;
    if (ss_cuda_probe(err) != SS_OK)
        return SS_FAIL;
    ss_cuda_ghosts *g = (ss_cuda_ghosts *)ss_alloc(sizeof *g, "ghosts", err);
    if (!g)
        return SS_FAIL;
    g->prec = prec;
    if (list_sides(g, patch, patches, wall, err) != SS_OK ||
        list_regions(g, patch, patches, err) != SS_OK ||
        ss_cuda_alloc((void **)&g->partial, NORM_BLOCKS * sizeof *g->partial, "a norm", err) !=
            SS_OK) {
        ss_cuda_ghosts_free(g);
        return SS_FAIL;
    }
    *out = g;
    return SS_OK;
}

void ss_cuda_ghosts_free(ss_cuda_ghosts *g)
{
    if (g) {
        cudaFree(g->sides);
        cudaFree(g->edges);
        cudaFree(g->regions);
        cudaFree(g->partial);
    }
    free(g);
}

static void launch_sides(const ss_cuda_ghosts *g, const side *list, int sides, int most, void *u,
                         cudaStream_t stream)
{
    dim3 blocks((unsigned)sides, (unsigned)ceil_div(most, SOME * THREADS));
    if (sides == 0)
        return;
    if (g->prec == SS_F64)
        launch_kernel(exchange_sides<double>, blocks, THREADS, 0, stream, list, (double *)u);
    else
        launch_kernel(exchange_sides<float>, blocks, THREADS, 0, stream, list, (float *)u);
}

void ss_ghosts_launch(const ss_cuda_ghosts *g, void *u, bool walls, cudaStream_t stream)
{
    launch_sides(g, g->sides, walls ? g->all : g->neighbours, g->most, u, stream);
}

void ss_ghosts_launch_walls(const ss_cuda_ghosts *g, void *u, cudaStream_t stream)
{
    launch_sides(g, g->sides + g->neighbours, g->all - g->neighbours, g->most, u, stream);
}

void ss_ghosts_launch_edges(const ss_cuda_ghosts *g, void *u, cudaStream_t stream)
{
    launch_sides(g, g->edges, g->nedge, g->longest, u, stream);
}

int ss_cuda_ghosts_exchange(const ss_cuda_ghosts *g, void *u, bool walls, ss_cuda_stream stream,
                            ss_err *err)
{
    ss_ghosts_launch(g, u, walls, stream);
    SS_CUDA(cudaGetLastError());
    return SS_OK;
}

/* Returns the number of partial sums. */
static unsigned sum_squares(const ss_cuda_ghosts *g, const void *u, const void *rhs,
                            cudaStream_t stream)
{
    int all = ceil_div(g->strips, NORM_THREADS / 32);
    unsigned blocks = (unsigned)(all < NORM_BLOCKS ? all : NORM_BLOCKS);
    if (g->prec == SS_F64)
        launch_kernel(square_residuals<double>, blocks, NORM_THREADS, 0, stream, g->regions,
                      g->patches, g->strips, (const double *)u, (const double *)rhs, g->partial);
    else
        launch_kernel(square_residuals<float>, blocks, NORM_THREADS, 0, stream, g->regions,
                      g->patches, g->strips, (const float *)u, (const float *)rhs, g->partial);
    return blocks;
}

void ss_ghosts_check(const ss_cuda_ghosts *g, const void *u, const void *rhs,
                     ss_cuda_control *control, cudaStream_t stream)
{
    unsigned blocks = sum_squares(g, u, rhs, stream);
    ss_cuda_sums_decide(g->partial, blocks, control, stream);
}

int ss_cuda_ghosts_norm2(const ss_cuda_ghosts *g, const void *u, const void *rhs, double *norm2,
                         ss_cuda_stream stream, ss_err *err)
{
    unsigned blocks = sum_squares(g, u, rhs, stream);
    SS_CUDA(cudaGetLastError());
    return ss_cuda_sums_add(g->partial, blocks, norm2, stream, err);
}
