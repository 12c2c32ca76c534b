/*
 * The stored inverse on the GPU as a product of matrices: the residuals of a panel of blocks, a
 * column each, are gathered in shared memory; the warps of the thread block share out the rows of
 * the inverse, which streams in from the second level cache and is read once a panel; what they get
 * is added to the blocks.
 *
 *                             N blocks
 *                             +------+
 *        inverse              |  r   |   shared memory
 *     +------------------+    |      |
 *     | warp 0           |    |      |
 *     | warp 1           |  x |      |  =  corrections, in registers
 *     | ...              |    +------+
 *     +------------------+
 *
 * 2 n operations a cell of blocks of n cells, and n / N words of the inverse: N is as large as
 * shared memory allows. Rows, and the terms of a sum, are rounded up to whole tiles of zeros, so
 * that any shape of block will do. Engine thread.
 */
#include <stdio.h>
#include <stdlib.h>

#include "kernels/cuda/smooth/mma.cuh"
#include "kernels/cuda/smooth/common.cuh"

/* Blocks of one shape, and how a thread block shares out its panel. */
struct panel {
    int n[3], cells;
    int rows, terms; /* of the stored inverse, whole tiles */
    int pitch;       /* of a column */
    int across;      /* groups of columns, a group NT tiles wide */
};

static int round_up(int n, int to)
{
    return (n + to - 1) / to * to;
}

/* The residuals of the blocks, column by column of cells. B: cells of a block in a direction, 0:
 * not known here. */
template <class ACCESS, int B, typename T>
static __device__ double gather(const relaxation<T> &a, const panel &p, int first, int width, T *r)
{
    const int nx = B ? B : p.n[0], ny = B ? B : p.n[1], nz = B ? B : p.n[2];
    const int last = a.count - 1;
    double squares = 0;
    for (int i = threadIdx.x; i < nx * ny * width; i += blockDim.x) {
        int x = i % nx, block = i / nx % width, y = i / nx / width;
        const ss_place place = a.place[first + block < last ? first + block : last];
        ptrdiff_t at = (ptrdiff_t)place.first + x + (ptrdiff_t)y * place.sy;
        T *to = r + block * p.pitch + x + nx * y;
        const int step = B ? B : 1;
        for (int z = 0; z < nz; z += step, at += (ptrdiff_t)step * place.sz) {
            T u[step], v[step];
#pragma unroll
            for (int k = 0; k < step; k++)
                v[k] = a.rhs[at + (ptrdiff_t)k * place.sz];
            take_residuals<ACCESS, step>(a.in + at, place.sy, place.sz, u, v);
#pragma unroll
            for (int k = 0; k < step; k++) {
                to[(z + k) * nx * ny] = v[k];
                squares += first + block <= last ? (double)v[k] * (double)v[k] : 0;
            }
        }
    }
    return squares;
}

/* The rows behind the last cell are zero. */
template <typename T> static __device__ void pad(const panel &p, int width, T *r)
{
    int more = p.terms - p.cells;
    for (int i = threadIdx.x; i < more * width; i += blockDim.x)
        r[i / more * p.pitch + p.cells + i % more] = 0;
}

/* A lane's share of the corrections, to its cells. */
template <class ACCESS, int B, int MT, int NT, typename T>
static __device__ __forceinline__ void add(const relaxation<T> &a, const panel &p, int row,
                                           int column, const T c[MT][NT][4])
{
    const int nx = B ? B : p.n[0], ny = B ? B : p.n[1];
#pragma unroll
    for (int n = 0; n < NT; n++)
#pragma unroll
        for (int e = 0; e < 2; e++) {
            int block = column + n * 8 + e;
            if (block >= a.count)
                continue;
            const ss_place place = a.place[block];
#pragma unroll
            for (int m = 0; m < 2 * MT; m++) {
                int cell = row + m * 8;
                ptrdiff_t at = (ptrdiff_t)place.first + cell % nx +
                               (ptrdiff_t)(cell / nx % ny) * place.sy +
                               (ptrdiff_t)(cell / nx / ny) * place.sz;
                if (cell < p.cells)
                    ACCESS::put(a.out + at,
                                fma(a.omega, c[m / 2][n][m % 2 * 2 + e], ACCESS::get(a.in + at)));
            }
        }
}

template <class ACCESS, typename T, int B, int MT, int NT, bool NORM, int MOST, int LEAST>
__global__ void __launch_bounds__(MOST, LEAST)
    relax_panel(relaxation<T> a, panel p, const two<T> *inverse)
{
    extern __shared__ double shared[];
    T *r = (T *)shared;
    const int width = p.across * NT * 8, tiles = p.terms / 8, lane = threadIdx.x % 32;
    const int group = threadIdx.x / 32 % p.across, warp = threadIdx.x / 32 / p.across;
    const int warps = blockDim.x / 32 / p.across;
    double squares = 0;
    let_next_begin();
    await_previous();
    if (dropped(a))
        return;
    for (int first = blockIdx.x * width; first < a.count; first += gridDim.x * width) {
        squares += gather<ACCESS, B>(a, p, first, width, r);
        pad(p, width, r);
        __syncthreads();
        for (int row = warp * 16 * MT; row < p.rows && warp < warps; row += warps * 16 * MT) {
            T c[MT][NT][4] = {};
            product<T, MT, NT, has_tensor<T>::value>::make(
                inverse + (ptrdiff_t)row / 16 * tiles * 64, tiles, r + group * NT * 8 * p.pitch,
                p.pitch, lane, c);
            add<ACCESS, B, MT, NT>(a, p, row + lane / 4, first + group * NT * 8 + lane % 4 * 2, c);
        }
        __syncthreads();
    }
    if (NORM)
        leave_sum(a.partial, squares);
}

/* --- host ------------------------------------------------------------------------------------- */

typedef void go_fn(const ss_cuda_smooth *s, const ss_smooth_launch *l,
                   const ss_smooth_step_args *a);
typedef int allow_fn(size_t bytes, const char *what, ss_err *err);

/* Of a variant: tiles of a warp, warps of a thread block. */
struct panel_row {
    int mt, nt, warps;
    go_fn *go[SS_NPREC][5]; /* blocks of any shape, 1^3, 2^3, 4^3, 8^3 */
    allow_fn *allow[SS_NPREC][5];
};

static panel panel_of(const ss_smooth_shape *s, const panel_row *row)
{
    panel p;
    p.cells = 1;
    for (int d = 0; d < 3; d++)
        p.cells *= p.n[d] = s->n[d];
    p.terms = round_up(p.cells, 8);
    p.rows = round_up(p.cells, 16 * row->mt);
    /* Lanes that read columns side by side meet different banks. */
    p.pitch = round_up(p.terms, 16) + 8;
    int groups = p.rows / (16 * row->mt), down = groups < row->warps ? groups : row->warps;
    p.across = row->warps / down;
    return p;
}

static int width_of(const panel &p, const panel_row *row)
{
    return p.across * row->nt * 8;
}

static size_t bytes_of(const panel &p, const panel_row *row, ss_prec prec)
{
    return (size_t)width_of(p, row) * (size_t)p.pitch * ss_prec_size(prec);
}

static const panel_row *row_of(const ss_cuda_smooth *s);

template <typename T, int B, int MT, int NT, int MOST, int LEAST>
static void go_panel(const ss_cuda_smooth *s, const ss_smooth_launch *l,
                     const ss_smooth_step_args *a)
{
    typedef void kernel(relaxation<T> a, panel p, const two<T> *inverse);
    const ss_smooth_shape *shape = &s->shape[l->shape];
    const panel_row *row = row_of(s);
    panel p = panel_of(shape, row);
    kernel *k = a->norm ? relax_panel<alone, T, B, MT, NT, true, MOST, LEAST>
                : s->how.order == SS_CUDA_CHAOTIC
                    ? relax_panel<racing, T, B, MT, NT, false, MOST, LEAST>
                    : relax_panel<alone, T, B, MT, NT, false, MOST, LEAST>;
    launch_kernel(k, l->grid, 32 * row->warps, bytes_of(p, row, s->how.prec), a->stream,
                  relaxation_of<T>(s, l, a), p, (const two<T> *)shape->table);
}

template <typename T, int B, int MT, int NT, int MOST, int LEAST>
static int allow_panel(size_t bytes, const char *what, ss_err *err)
{
    const void *const kernels[] = {
        (const void *)relax_panel<alone, T, B, MT, NT, true, MOST, LEAST>,
        (const void *)relax_panel<alone, T, B, MT, NT, false, MOST, LEAST>,
        (const void *)relax_panel<racing, T, B, MT, NT, false, MOST, LEAST>};
    for (const void *k : kernels)
        if (ss_smooth_allow(k, bytes, what, err) != SS_OK)
            return SS_FAIL;
    return SS_OK;
}

#define SIZES(FN, T, ...)                                                                          \
    {                                                                                              \
        FN<T, 0, __VA_ARGS__>, FN<T, 1, __VA_ARGS__>, FN<T, 2, __VA_ARGS__>,                       \
            FN<T, 4, __VA_ARGS__>, FN<T, 8, __VA_ARGS__>                                           \
    }
#define ROW(MT, NT, WARPS, MOST, LEAST)                                                            \
    {                                                                                              \
        MT, NT, WARPS,                                                                             \
            {SIZES(go_panel, double, MT, NT, MOST, LEAST),                                         \
             SIZES(go_panel, float, MT, NT, MOST, LEAST)},                                         \
        {                                                                                          \
            SIZES(allow_panel, double, MT, NT, MOST, LEAST),                                       \
                SIZES(allow_panel, float, MT, NT, MOST, LEAST)                                     \
        }                                                                                          \
    }
static const panel_row rows[] = {ROW(2, 4, 16, 512, 1), ROW(2, 4, 8, 256, 2), ROW(4, 4, 8, 256, 1),
                                 ROW(2, 6, 8, 256, 1), ROW(2, 2, 16, 512, 1)};
#define NROW ((int)(sizeof rows / sizeof *rows))

/* Variant 0 is the choice of this file: large blocks want all of a processor's shared memory for
 * one panel, small ones several thread blocks of which one gathers while another multiplies. */
static const panel_row *row_of(const ss_cuda_smooth *s)
{
    int v = s->how.variant, cells = s->shape[0].n[0] * s->shape[0].n[1] * s->shape[0].n[2];
    return v > 0 ? &rows[v - 1] : cells > 128 ? &rows[0] : &rows[1];
}

static int size_index(const ss_smooth_shape *s)
{
    static const int sizes[] = {0, 1, 2, 4, 8};
    for (int i = 1; i < 5; i++)
        if (s->n[0] == sizes[i] && s->n[1] == sizes[i] && s->n[2] == sizes[i])
            return i;
    return 0;
}

static int no_cube(int n, ss_cuda_order order)
{
    (void)n, (void)order;
    return 0;
}

/* Tile by tile as the lanes want it: see mma.cuh. */
template <typename T> static void pack_inverse(const T *from, const panel &p, T *to)
{
    for (int row = 0; row < p.rows; row += 16)
        for (int term = 0; term < p.terms; term += 8)
            for (int i = 0; i < 2; i++)
                for (int lane = 0; lane < 32; lane++)
                    for (int h = 0; h < 2; h++, to++) {
                        int r = row + lane / 4 + 8 * h, k = term + lane % 4 * 2 + i;
                        bool in = r < p.cells && k < p.cells;
                        *to = in ? from[(size_t)r * (size_t)p.cells + (size_t)k] : (T)0;
                    }
}

static int load(ss_cuda_smooth *s, ss_smooth_shape *shape, const ss_inverse *inv, ss_err *err)
{
    if (s->how.variant < 0 || s->how.variant > NROW)
        return ss_fail(err, "there is no variant %d of the batched product", s->how.variant);
    panel p = panel_of(shape, row_of(s));
    size_t bytes = (size_t)p.rows * (size_t)p.terms * ss_prec_size(inv->prec);
    void *packed = ss_alloc(bytes, "the inverse of a block", err);
    if (!packed)
        return SS_FAIL;
    if (inv->prec == SS_F64)
        pack_inverse((const double *)inv->own, p, (double *)packed);
    else
        pack_inverse((const float *)inv->own, p, (float *)packed);
    int status = ss_cuda_alloc_copy(&shape->table, packed, bytes, "the inverse of a block", err);
    free(packed);
    return status;
}

static int arrange(const ss_cuda_smooth *s, ss_smooth_launch *l, ss_err *err)
{
    const ss_smooth_shape *shape = &s->shape[l->shape];
    const panel_row *row = row_of(s);
    panel p = panel_of(shape, row);
    char what[96];
    snprintf(what, sizeof what, "block %dx%dx%d: a panel of %d blocks", p.n[0], p.n[1], p.n[2],
             width_of(p, row));
    l->width = width_of(p, row);
    l->grid = ss_smooth_grid(s, l->count, l->width);
    l->go = row->go[s->how.prec][size_index(shape)];
    return row->allow[s->how.prec][size_index(shape)](bytes_of(p, row, s->how.prec), what, err);
}

const ss_smooth_way ss_smooth_batched = {"batched", &ss_inverse_dense, no_cube, load, arrange};
