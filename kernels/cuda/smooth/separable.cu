/*
 * The separable inverse on the GPU: cubes of whole blocks (cubes.cuh) where blocks are cubes
 * of 1, 2, 4, 8 or 16 cells, and for all other blocks, those cut off at the ends of a patch too, a
 * plain kernel for any shape. Engine thread.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cuda/smooth/cubes.cuh"

/* --- any shape -------------------------------------------------------------------------------- */

#define THREADS 256
#define SOME_CELLS 2048 /* of the blocks of a thread block, about */

struct any_block {
    int nx, ny, nz, cells;
    int width; /* blocks of a thread block */
};

/* Sines of a direction: (n + 1) / 2 columns. */
static __host__ __device__ int sines_of(int n)
{
    return n * ((n + 1) / 2);
}

/* One mode of every line along a direction, a thread a cell; times the cell's factor, if there are
 * any. */
template <typename T>
static __device__ void transform_blocks(const any_block &b, int n, int stride, const T *s,
                                        const T *factor, const T *from, T *to)
{
    for (int i = threadIdx.x; i < b.width * b.cells; i += THREADS) {
        int k = i % b.cells / stride % n;
        T mode = numerics<T>::mode(n, s, from + i - k * stride, stride, k);
        to[i] = factor ? mode * factor[i % b.cells] : mode;
    }
    __syncthreads();
}

/* The blocks' right-hand sides in `a` become their solutions there. */
template <typename T>
static __device__ void solve_blocks(const any_block &b, const T *table, T *one, T *other)
{
    const T *sx = table, *sy = sx + sines_of(b.nx), *sz = sy + sines_of(b.ny);
    const T *reciprocal = sz + sines_of(b.nz), *none = NULL;
    int row = b.nx, plane = b.nx * b.ny;
    transform_blocks(b, b.nz, plane, sz, none, one, other);
    transform_blocks(b, b.ny, row, sy, none, other, one);
    transform_blocks(b, b.nx, 1, sx, reciprocal, one, other);
    transform_blocks(b, b.nx, 1, sx, none, other, one);
    transform_blocks(b, b.ny, row, sy, none, one, other);
    transform_blocks(b, b.nz, plane, sz, none, other, one);
}

/* Which cell of the fields is cell i of the blocks from `first` on; < 0: none. */
template <typename T>
static __device__ ptrdiff_t cell_at(const relaxation<T> &a, const any_block &b, int first, int i,
                                    ss_place *p)
{
    int number = first + i / b.cells, c = i % b.cells;
    if (number >= a.count)
        return -1;
    *p = a.place[number];
    return (ptrdiff_t)p->first + c % b.nx + (ptrdiff_t)(c / b.nx % b.ny) * p->sy +
           (ptrdiff_t)(c / b.nx / b.ny) * p->sz;
}

template <class ACCESS, typename T>
static __device__ __forceinline__ T residual_at(const relaxation<T> &a, ptrdiff_t at, ss_place p)
{
    const T *u = a.in + at;
    return numerics<T>::residual(a.rhs[at], ACCESS::get(u), ACCESS::get(u - 1), ACCESS::get(u + 1),
                                 ACCESS::get(u - p.sy), ACCESS::get(u + p.sy),
                                 ACCESS::get(u - p.sz), ACCESS::get(u + p.sz));
}

template <class ACCESS, typename T>
__global__ void __launch_bounds__(THREADS)
    relax_blocks(relaxation<T> a, any_block b, const T *table, bool norm)
{
    extern __shared__ double shared[];
    T *one = (T *)shared, *other = one + b.width * b.cells;
    ss_place p;
    double squares = 0;
    let_next_begin();
    await_previous();
    if (dropped(a))
        return;
    for (int first = blockIdx.x * b.width; first < a.count; first += gridDim.x * b.width) {
        for (int i = threadIdx.x; i < b.width * b.cells; i += THREADS) {
            ptrdiff_t at = cell_at(a, b, first, i, &p);
            one[i] = at < 0 ? 0 : residual_at<ACCESS>(a, at, p);
            squares += (double)one[i] * (double)one[i];
        }
        __syncthreads();
        solve_blocks(b, table, one, other);
        for (int i = threadIdx.x; i < b.width * b.cells; i += THREADS) {
            ptrdiff_t at = cell_at(a, b, first, i, &p);
            if (at >= 0)
                ACCESS::put(a.out + at, ACCESS::get(a.in + at) + a.omega * one[i]);
        }
    }
    if (norm)
        leave_sum(a.partial, squares);
}

static any_block shape_of(const ss_smooth_shape *s, int width)
{
    any_block b = {s->n[0], s->n[1], s->n[2], s->n[0] * s->n[1] * s->n[2], width};
    return b;
}

static size_t bytes_of(const any_block &b, ss_prec prec)
{
    return 2 * (size_t)b.width * (size_t)b.cells * ss_prec_size(prec);
}

template <typename T>
static void go_blocks(const ss_cuda_smooth *s, const ss_smooth_launch *l,
                      const ss_smooth_step_args *a)
{
    any_block b = shape_of(&s->shape[l->shape], l->width);
    launch_kernel(s->how.order == SS_CUDA_CHAOTIC ? relax_blocks<racing, T>
                                                  : relax_blocks<alone, T>,
                  l->grid, THREADS, bytes_of(b, s->how.prec), a->stream, relaxation_of<T>(s, l, a),
                  b, (const T *)s->shape[l->shape].table, a->norm);
}

template <typename T> static int allow_blocks(const any_block &b, ss_err *err)
{
    char what[96];
    size_t bytes = bytes_of(b, sizeof(T) == 8 ? SS_F64 : SS_F32);
    snprintf(what, sizeof what, "block %dx%dx%d: a thread block", b.nx, b.ny, b.nz);
    return ss_smooth_allow((const void *)relax_blocks<alone, T>, bytes, what, err) == SS_OK
               ? ss_smooth_allow((const void *)relax_blocks<racing, T>, bytes, what, err)
               : SS_FAIL;
}

static int arrange_blocks(const ss_cuda_smooth *s, ss_smooth_launch *l, ss_err *err)
{
    const ss_smooth_shape *shape = &s->shape[l->shape];
    int some = SOME_CELLS / shape_of(shape, 1).cells;
    l->width = some < 1 ? 1 : some;
    l->grid = ss_smooth_grid(s, l->count, l->width);
    l->go = s->how.prec == SS_F64 ? go_blocks<double> : go_blocks<float>;
    any_block b = shape_of(shape, l->width);
    return s->how.prec == SS_F64 ? allow_blocks<double>(b, err) : allow_blocks<float>(b, err);
}

/* --- cubes ------------------------------------------------------------------------------------ */

template <typename T, int C, int B, int MOST, int LEAST>
static void go_cubes(const ss_cuda_smooth *s, const ss_smooth_launch *l,
                     const ss_smooth_step_args *a)
{
    typedef void kernel(relaxation<T> a, sines<T, B> s, const T *reciprocal);
    const ss_smooth_shape *shape = &s->shape[l->shape];
    kernel *k = a->norm ? relax_cubes<alone, T, C, B, true, MOST, LEAST>
                        : relax_cubes<alone, T, C, B, false, MOST, LEAST>;
    if constexpr (C == B)
        if (s->how.order == SS_CUDA_CHAOTIC)
            k = relax_cubes<racing, T, C, B, false, MOST, LEAST>;
    sines<T, B> sine;
    memcpy(&sine, shape->host, sizeof sine);
    launch_kernel(k, l->grid, dim3((unsigned)(C * l->width), C),
                  (size_t)(l->width * cube<C>::size) * sizeof(T), a->stream,
                  relaxation_of<T>(s, l, a), sine, (const T *)shape->table);
}

typedef void go_fn(const ss_cuda_smooth *s, const ss_smooth_launch *l,
                   const ss_smooth_step_args *a);

/* Cells of a cube and of its blocks; by precision how many cubes a thread block takes, and the
 * kernel. */
struct cube_row {
    int cube, block, width[SS_NPREC];
    go_fn *go[SS_NPREC];
};
#define ROW(C, B, W64, LEAST64, W32, LEAST32)                                                      \
    {                                                                                              \
        C, B, {W64, W32},                                                                          \
        {                                                                                          \
            go_cubes<double, C, B, W64 * C * C, LEAST64>,                                          \
                go_cubes<float, C, B, W32 * C * C, LEAST32>                                        \
        }                                                                                          \
    }
/* 1024 threads a processor leave 64 registers to each. In double a line of 8 wants twice as many if
 * all of it is one block's: 120 GCells/s on an H200 instead of 91 (in single precision 215). A line
 * of 16 wants all there are, 62 instead of 40; in single precision half of them and a few values in
 * local memory are faster, 126, than none, 100. */
static const cube_row cube_rows[] = {
    ROW(8, 8, 2, 4, 4, 4),   ROW(8, 4, 4, 4, 4, 4),   ROW(8, 2, 4, 4, 4, 4),  ROW(8, 1, 4, 4, 4, 4),
    ROW(4, 4, 16, 4, 16, 4), ROW(2, 2, 64, 4, 64, 4), ROW(16, 16, 1, 1, 1, 2)};

static const cube_row *find_row(int cube, int block)
{
    for (size_t i = 0; i < sizeof cube_rows / sizeof *cube_rows; i++)
        if (cube_rows[i].cube == cube && cube_rows[i].block == block)
            return &cube_rows[i];
    return NULL;
}

/* Blocks that are relaxed at once may share a cube, others have one each. */
static int cube_of(int n, ss_cuda_order order)
{
    int c = order == SS_CUDA_AT_ONCE && n < 8 ? 8 : n;
    return find_row(c, n) ? c : 0;
}

static int arrange_cubes(const ss_cuda_smooth *s, ss_smooth_launch *l)
{
    const ss_smooth_shape *shape = &s->shape[l->shape];
    const cube_row *row = find_row(shape->cube, shape->n[0]);
    int most = row->width[s->how.prec];
    l->width = s->how.width > 0 && s->how.width < most ? s->how.width : most;
    l->grid = ss_smooth_grid(s, l->count, l->width);
    l->go = row->go[s->how.prec];
    return SS_OK;
}

/* The reciprocals with i outside, then k, then j: see lines::along_x. */
template <typename T> static void turn_reciprocals(const T *from, int n, T *to)
{
    for (int k = 0; k < n; k++)
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++)
                to[(i * n + k) * n + j] = from[i + n * (j + n * k)];
}

/* What ss_inverse_separable stores: sines in x, y and z, reciprocals. */
static int load_cubes(ss_smooth_shape *shape, const ss_inverse *inv, ss_err *err)
{
    int n = inv->n[0], sines = sines_of(n);
    size_t size = ss_prec_size(inv->prec), bytes = (size_t)inv->cells * size;
    char *turned = (char *)ss_alloc(bytes, "reciprocals", err);
    shape->host = turned ? ss_alloc((size_t)sines * size, "sines", err) : NULL;
    int status = SS_FAIL;
    if (shape->host) {
        memcpy(shape->host, inv->own, (size_t)sines * size);
        if (inv->prec == SS_F64)
            turn_reciprocals((const double *)inv->own + 3 * sines, n, (double *)turned);
        else
            turn_reciprocals((const float *)inv->own + 3 * sines, n, (float *)turned);
        status = ss_cuda_alloc_copy(&shape->table, turned, bytes, "reciprocals", err);
    }
    free(turned);
    return status;
}

static int load(ss_cuda_smooth *s, ss_smooth_shape *shape, const ss_inverse *inv, ss_err *err)
{
    (void)s;
    size_t values = (size_t)inv->cells;
    for (int d = 0; d < 3; d++)
        values += (size_t)sines_of(inv->n[d]);
    if (shape->cube)
        return load_cubes(shape, inv, err);
    return ss_cuda_alloc_copy(&shape->table, inv->own, values * ss_prec_size(inv->prec), "sines",
                              err);
}

static int arrange(const ss_cuda_smooth *s, ss_smooth_launch *l, ss_err *err)
{
    return s->shape[l->shape].cube ? arrange_cubes(s, l) : arrange_blocks(s, l, err);
}

const ss_smooth_way ss_smooth_separable = {"lines", &ss_inverse_separable, cube_of, load, arrange};
