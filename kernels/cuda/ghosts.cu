/*
 * Ghost cells of patches on the GPU: what neighbours tell each other at the end of a step, and the
 * rule at the walls; one launch for all sides of all patches. Beside it a norm of the residual by a
 * pass over all cells. Engine thread.
 */
#include <stdlib.h>

#include "kernels/cuda/smooth.cuh"

enum { COPY, MIRROR, ZERO };

/* A side of a patch: its ghosts and the cells they are told by, rows of columns of cells. */
struct side {
    uint32_t ghost, cell; /* the first elements */
    int rows, columns;
    int row, column;           /* strides of the ghosts */
    int cell_row, cell_column; /* strides of the cells */
    int rule;
};

struct region {
    uint32_t first;
    int sy, sz, nx, ny, rows; /* ny * nz rows */
};

struct ss_cuda_ghosts {
    ss_prec prec;
    side *sides; /* on the device: those with a neighbour, then those at walls */
    int neighbours, all, most;
    region *regions; /* on the device */
    int patches;
    double *partial; /* on the device */
};

/* --- kernels ---------------------------------------------------------------------------------- */

#define THREADS 256

template <typename T>
__global__ void __launch_bounds__(THREADS) exchange_sides(const side *sides, int count, T *u)
{
    int i = blockIdx.x * THREADS + threadIdx.x;
    let_next_begin();
    await_previous();
    for (int number = blockIdx.y; number < count; number += gridDim.y) {
        const side s = sides[number];
        int r = i / s.columns, c = i % s.columns;
        if (r >= s.rows)
            continue;
        T value =
            s.rule == ZERO
                ? 0
                : u[(ptrdiff_t)s.cell + (ptrdiff_t)r * s.cell_row + (ptrdiff_t)c * s.cell_column];
        u[(ptrdiff_t)s.ghost + (ptrdiff_t)r * s.row + (ptrdiff_t)c * s.column] =
            s.rule == MIRROR ? -value : value;
    }
}

#define GRID_MOST 65535 /* thread blocks in y */
#define NORM_BLOCKS 1024

/* Rows of all patches, one after the other. */
template <typename T>
__global__ void __launch_bounds__(THREADS)
    square_residuals(const region *regions, int patches, const T *u, const T *rhs, double *partial)
{
    double squares = 0;
    let_next_begin();
    await_previous();
    for (int q = 0, row = blockIdx.x; q < patches; row -= regions[q++].rows)
        for (const region p = regions[q]; row < p.rows; row += gridDim.x) {
            ptrdiff_t at = (ptrdiff_t)p.first + (ptrdiff_t)(row % p.ny) * p.sy +
                           (ptrdiff_t)(row / p.ny) * p.sz;
            for (int x = threadIdx.x; x < p.nx; x += THREADS) {
                const T *here = u + at + x;
                double r =
                    (double)numerics<T>::residual(rhs[at + x], here[0], here[-1], here[1],
                                                  here[-p.sy], here[p.sy], here[-p.sz], here[p.sz]);
                squares += r * r;
            }
        }
    leave_sum(partial, squares);
}

/* --- host ------------------------------------------------------------------------------------- */

/* Side s of patch q. */
static side side_of(const ss_patch *patch, int q, int s, ss_wall wall)
{
    const int d = s / 2, upper = s % 2, a = d == 0 ? 1 : 0, b = d == 2 ? 1 : 2;
    const ss_box *box = &patch[q].box;
    const int beyond = patch[q].side[s], rule = wall == SS_WALL_MIRROR ? MIRROR : ZERO;
    const ss_box *from = beyond == SS_WALL_SIDE ? box : &patch[beyond].box;
    const int n[3] = {box->nx, box->ny, box->nz}, m[3] = {from->nx, from->ny, from->nz};
    const ptrdiff_t stride[3] = {1, box->sy, box->sz}, other[3] = {1, from->sy, from->sz};
    /* A wall's ghosts are told by the cells inside, a neighbour's by its cells next to us. */
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
                side s = list[g->all++] = side_of(patch, i / 6, i % 6, wall);
                g->most = s.rows * s.columns > g->most ? s.rows * s.columns : g->most;
            }
        g->neighbours = walls == 0 ? g->all : g->neighbours;
    }
    int status = ss_smooth_upload((void **)&g->sides, list, (size_t)g->all * sizeof *list,
                                  "sides of patches", err);
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
        list[q] = {(uint32_t)b->first, (int)b->sy, (int)b->sz, b->nx, b->ny, b->ny * b->nz};
    }
    g->patches = patches;
    int status = ss_smooth_upload((void **)&g->regions, list, (size_t)patches * sizeof *list,
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
        cudaFree(g->regions);
        cudaFree(g->partial);
    }
    free(g);
}

void ss_ghosts_launch(const ss_cuda_ghosts *g, void *u, bool walls, cudaStream_t stream)
{
    int sides = walls ? g->all : g->neighbours;
    dim3 blocks((unsigned)ceil_div(g->most, THREADS),
                (unsigned)(sides < GRID_MOST ? sides : GRID_MOST));
    if (sides == 0)
        return;
    if (g->prec == SS_F64)
        launch_kernel(exchange_sides<double>, blocks, THREADS, 0, stream, g->sides, sides,
                      (double *)u);
    else
        launch_kernel(exchange_sides<float>, blocks, THREADS, 0, stream, g->sides, sides,
                      (float *)u);
}

int ss_cuda_ghosts_exchange(const ss_cuda_ghosts *g, void *u, bool walls, ss_cuda_stream stream,
                            ss_err *err)
{
    ss_ghosts_launch(g, u, walls, stream);
    SS_CUDA(cudaGetLastError());
    return SS_OK;
}

static void sum_squares(const ss_cuda_ghosts *g, const void *u, const void *rhs,
                        cudaStream_t stream)
{
    if (g->prec == SS_F64)
        launch_kernel(square_residuals<double>, NORM_BLOCKS, THREADS, 0, stream, g->regions,
                      g->patches, (const double *)u, (const double *)rhs, g->partial);
    else
        launch_kernel(square_residuals<float>, NORM_BLOCKS, THREADS, 0, stream, g->regions,
                      g->patches, (const float *)u, (const float *)rhs, g->partial);
}

void ss_ghosts_check(const ss_cuda_ghosts *g, const void *u, const void *rhs,
                     ss_cuda_control *control, cudaStream_t stream)
{
    sum_squares(g, u, rhs, stream);
    ss_smooth_decide(g->partial, NORM_BLOCKS, control, stream);
}

int ss_cuda_ghosts_norm2(const ss_cuda_ghosts *g, const void *u, const void *rhs, double *norm2,
                         ss_cuda_stream stream, ss_err *err)
{
    sum_squares(g, u, rhs, stream);
    SS_CUDA(cudaGetLastError());
    return ss_smooth_add_sums(g->partial, NORM_BLOCKS, norm2, stream, err);
}
