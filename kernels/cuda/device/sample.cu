/*
 * Pictures of a run on the GPU. The field stays on the device: kernels compute one number per cell
 * of the picture, and the CPU's sampler (kernels/sample/parts.h) does the geometry: which points a
 * cell covers, owners, tiles. Cells are bit-for-bit equal to the CPU's, because sums are made in
 * the CPU's order: each column over its rows, then four sums over the columns.
 *
 * The CPU computes staleness: the areas that it needs, of at most 64 subdomains, are gathered and
 * downloaded together. The microscope works on a full copy (shadow.c).
 *
 * A live picture of a field larger than a budget skips rows by the CPU's rule
 * (kernels/sample/plan.c) with a larger budget: 4096 x 4096 values are read completely. That takes
 * 0.05 ms on a large GPU and 1 ms on a small one, at most 2 % of the time at 20 pictures per
 * second. Engine thread.
 */
#include <string.h>

#include "kernels/cuda/device/patches.cuh"
#include "kernels/cuda/device/sample.cuh"
#include "kernels/cuda/device/slabs.cuh"
#include "kernels/cuda/device/split.cuh"
#include "kernels/sample/parts.h"
#include "kernels/geom/boxes.h"

/* --- cells ------------------------------------------------------------------------------------ */

/* A sampling plan on the device: the points [lo, hi) of each column and row of cells. */
struct boxes {
    const int *x_lo, *x_hi, *y_lo, *y_hi;
    int w, h, pairs;
    int widest; /* most points that a cell covers in x */
};

/* The sum or maximum of one column of a cell's points, from the bottom. */
template <class E, class P>
static __device__ double fold_rows(const ss_fields<E> &f, const boxes &b, int x, int lo, int hi,
                                   int r)
{
    double v = P::mean ? 0 : -1;
    int rows = ss_box_rows(lo, hi, b.pairs);
    if (rows == hi - lo) {
#pragma unroll 8
        for (int y = lo; y < hi; y++) {
            double u = P::at(f, x, y);
            v = P::mean ? v + u : u > v ? u : v;
        }
        return v;
    }
#pragma unroll 2
    for (int i = 0; i < rows; i++) {
        double u = P::at(f, x, ss_box_row(lo, hi, b.pairs, r, b.h, i));
        v = P::mean ? v + u : u > v ? u : v;
    }
    return v;
}

/*
 * One row of threads per cell, one thread per column of its points: each reduces its column, then
 * four threads reduce every fourth column each, and their four results are combined to the cell.
 * Cells that are wider than the row of threads are done in several passes.
 */
template <class E, class P> __global__ void gather_cells(ss_fields<E> f, boxes b, float *cell)
{
    extern __shared__ double folded[];
    int across = (b.w + blockDim.y - 1) / blockDim.y, width = blockDim.x;
    int r = blockIdx.x / across, c = blockIdx.x % across * blockDim.y + threadIdx.y;
    int lo = c < b.w ? b.x_lo[c] : 0, n = c < b.w ? b.x_hi[c] - lo : 0, fours = n / 4 * 4;
    double *mine = folded + threadIdx.y * width;
    double total = P::mean ? 0 : -1;
    for (int base = 0; base < b.widest; base += width) {
        int x = base + threadIdx.x;
        if (x < n)
            mine[threadIdx.x] = fold_rows<E, P>(f, b, lo + x, b.y_lo[r], b.y_hi[r], r);
        __syncthreads();
        int end = n - base < width ? n - base : width;
        int even = P::mean && fours - base < end ? fours - base : end;
        if (threadIdx.x < 4)
            for (int i = threadIdx.x; i < even; i += 4)
                total = P::mean ? total + mine[i] : mine[i] > total ? mine[i] : total;
        if (threadIdx.x == 0) /* the remaining columns, at most three */
            for (int i = even > 0 ? even : 0; i < end; i++)
                total = P::mean ? total + mine[i] : mine[i] > total ? mine[i] : total;
        __syncthreads();
    }
    mine[threadIdx.x] = total;
    __syncthreads();
    if (threadIdx.x > 0 || c >= b.w)
        return;
    int rows = ss_box_rows(b.y_lo[r], b.y_hi[r], b.pairs);
    float v = __int_as_float(0x7fc00000); /* the CPU's NaN: nothing to show */
    double max = fmax(fmax(mine[0], mine[1]), fmax(mine[2], mine[3]));
    if (n > 0 && rows > 0 && P::mean)
        v = (float)(((mine[0] + mine[1]) + (mine[2] + mine[3])) / ((double)n * rows));
    else if (n > 0 && rows > 0 && max >= 0) /* else every value was NaN */
        v = (float)max;
    cell[(size_t)(b.h - 1 - r) * b.w + c] = v;
}

#define THREADS 256

template <class E, class P>
static void launch_cells(const ss_run *run, const double *ref, const boxes &b, float *cell)
{
    int width = 4;
    while (width < b.widest && width < THREADS)
        width *= 2;
    dim3 threads(width, THREADS / width);
    unsigned blocks = (unsigned)(ceil_div(b.w, threads.y) * b.h);
    gather_cells<E, P><<<blocks, threads, THREADS * sizeof(double), ss_cuda_of(run)->stream>>>(
        fields_of<E>(run, ref), b, cell);
}

/* --- a row of cells that several devices share ------------------------------------------------ */

/* Adds the rows of a box that this device has to the sums or maxima of its columns, one thread per
 * column: the rows follow from the bottom in the CPU's order, slab after slab. */
template <class E, class P>
__global__ void add_rows(ss_fields<E> f, ss_cuda_rows_of_cells b, double *acc)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, rows = ss_box_rows(b.lo, b.hi, b.pairs);
    if (x >= b.n)
        return;
    double v = acc[x];
    for (int i = 0; i < rows; i++) {
        int y = ss_box_row(b.lo, b.hi, b.pairs, b.box, b.boxes, i);
        if (y < b.from || y >= b.to)
            continue;
        double u = P::at(f, b.x0 + x, y - b.from);
        v = P::mean ? v + u : u > v ? u : v;
    }
    acc[x] = v;
}

template <class E, class P>
static void launch_rows(const ss_run *run, const double *ref, const ss_cuda_rows_of_cells &b,
                        double *acc)
{
    add_rows<E, P>
        <<<ceil_div(b.n, 128), 128, 0, ss_cuda_of(run)->stream>>>(fields_of<E>(run, ref), b, acc);
}

/* --- the edge profile ------------------------------------------------------------------------- */

struct tile {
    int x0, y0, nx, ny;
};
struct tiles {
    tile of[SS_TILES_MAX];
};

/* Sums over the rows of a tile, one thread per column. */
template <class E, class P>
__global__ void sum_columns(ss_fields<E> f, tiles t, int step, int ncolumn, double *columns)
{
    tile a = t.of[blockIdx.y];
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    double sum = 0;
    if (x >= a.nx || x >= ncolumn)
        return;
    for (int y = 0; y < a.ny; y += step) {
        sum += fabs(P::at(f, a.x0 + x, a.y0 + y));
        if (y + 1 < a.ny)
            sum += fabs(P::at(f, a.x0 + x, a.y0 + y + 1));
    }
    columns[blockIdx.y * (size_t)ncolumn + x] = sum;
}

/* Sums over the columns, one warp per row, in the order of row_sum in kernels/sample/profile.c. */
template <class E, class P>
__global__ void sum_rows(ss_fields<E> f, tiles t, int step, int nrow, double *rows)
{
    tile a = t.of[blockIdx.y];
    int y = blockIdx.x * blockDim.y + threadIdx.y;
    double sum = 0;
    if (y >= a.ny || y >= nrow || y % step >= 2)
        return;
#pragma unroll 4
    for (int x = threadIdx.x; x < a.nx; x += 32)
        sum += fabs(P::at(f, a.x0 + x, a.y0 + y));
    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_down_sync(~0u, sum, d);
    if (threadIdx.x == 0)
        rows[blockIdx.y * (size_t)nrow + y] = sum;
}

template <class E, class P>
static void launch_sums(const ss_run *run, const double *ref, const ss_tile_set *set,
                        const ss_tile_sums *how, double *columns, double *rows)
{
    tiles t;
    cudaStream_t stream = ss_cuda_of(run)->stream;
    ss_fields<E> f = fields_of<E>(run, ref);
    for (int i = 0; i < set->count; i++) {
        ss_span x = set->tile[i].x, y = set->tile[i].y;
        t.of[i] = tile{x.lo, y.lo, x.hi - x.lo, y.hi - y.lo};
    }
    dim3 by_column(ceil_div(how->ncolumn, 128), set->count);
    sum_columns<E, P><<<by_column, 128, 0, stream>>>(f, t, how->step, how->ncolumn, columns);
    if (!how->rows)
        return;
    dim3 by_row(ceil_div(how->nrow, 4), set->count);
    sum_rows<E, P><<<by_row, dim3(32, 4), 0, stream>>>(f, t, how->step, how->nrow, rows);
}

/* --- the kernels of a layer ------------------------------------------------------------------- */

struct layer_kernels {
    void (*cells)(const ss_run *run, const double *ref, const boxes &b, float *cell);
    void (*sums)(const ss_run *run, const double *ref, const ss_tile_set *set,
                 const ss_tile_sums *how, double *columns, double *rows);
    void (*rows)(const ss_run *run, const double *ref, const ss_cuda_rows_of_cells &b, double *acc);
    bool ref; /* it reads u* */
};

template <class E, class P> static layer_kernels kernels_of_point(bool ref)
{
    return {launch_cells<E, P>, launch_sums<E, P>, launch_rows<E, P>, ref};
}

/* NULL: the layer does not follow from a point of the field; the CPU computes it. */
template <class E> static layer_kernels kernels_for(ss_layer layer)
{
    layer_kernels table[SS_NLAYER] = {};
    table[SS_VALUE] = kernels_of_point<E, ss_point_value>(false);
    table[SS_EXACT] = kernels_of_point<E, ss_point_exact>(true);
    table[SS_RESIDUAL] = kernels_of_point<E, ss_point_residual>(false);
    table[SS_ERROR] = kernels_of_point<E, ss_point_error>(true);
    return table[layer];
}

static layer_kernels kernels_of(const ss_sampler *s)
{
    return SS_CUDA_DISPATCH(s->run, kernels_for, s->view->layer);
}

static int reference_for(const ss_sampler *s, const layer_kernels *k, const double **ref,
                         ss_err *err)
{
    *ref = NULL;
    return k->ref ? ss_cuda_staging_reference(s->run, s->ref, ref, err) : SS_OK;
}

/* --- called by the sampler -------------------------------------------------------------------- */

/* Uploads the plan: x.lo, x.hi, y.lo, y.hi, before the cells in the staging buffers. */
static int send_boxes(ss_sampler *s, const ss_plan *p, const ss_cuda_staging *at, boxes *b,
                      ss_err *err)
{
    int w = p->x.count, h = p->y.count;
    int *host = (int *)at->host, *device = (int *)at->device;
    size_t n = 2 * (size_t)(w + h);
    memcpy(host, p->x.lo, w * sizeof *host);
    memcpy(host + w, p->x.hi, w * sizeof *host);
    memcpy(host + 2 * w, p->y.lo, h * sizeof *host);
    memcpy(host + 2 * w + h, p->y.hi, h * sizeof *host);
    *b = boxes{device, device + w, device + 2 * w, device + 2 * w + h, w, h, p->pairs, 1};
    for (int c = 0; c < w; c++)
        b->widest = p->x.hi[c] - p->x.lo[c] > b->widest ? p->x.hi[c] - p->x.lo[c] : b->widest;
    SS_CUDA(cudaMemcpyAsync(device, host, n * sizeof *host, cudaMemcpyHostToDevice,
                            ss_cuda_of(s->run)->stream));
    return SS_OK;
}

static int cells(ss_sampler *s, const ss_plan *p, ss_picture *out, ss_err *err)
{
    ss_cuda_staging *at;
    boxes b;
    const double *ref;
    layer_kernels k = kernels_of(s);
    size_t first = 2 * (size_t)(p->x.count + p->y.count) * sizeof(int);
    size_t bytes = (size_t)p->x.count * (size_t)p->y.count * sizeof *out->cell;
    if (!k.cells)
        return ss_sample_cells(s, p, out, err);
    if (ss_cuda_staging_get(s->run, first + bytes, &at, err) != SS_OK ||
        reference_for(s, &k, &ref, err) != SS_OK || send_boxes(s, p, at, &b, err) != SS_OK)
        return SS_FAIL;
    k.cells(s->run, ref, b, (float *)(at->device + first));
    SS_CUDA(cudaGetLastError());
    if (ss_cuda_staging_fetch(s->run, at, first, bytes, err) != SS_OK)
        return SS_FAIL;
    memcpy(out->cell, at->host + first, bytes);
    return SS_OK;
}

static int tile_sums(ss_sampler *s, const ss_tile_set *set, const ss_tile_sums *out, ss_err *err)
{
    ss_cuda_staging *at;
    const double *ref;
    layer_kernels k = kernels_of(s);
    size_t columns = (size_t)set->count * (size_t)out->ncolumn * sizeof *out->columns;
    size_t rows = out->rows ? (size_t)set->count * (size_t)out->nrow * sizeof *out->rows : 0;
    if (!k.sums)
        return ss_sample_tile_sums(s, set, out, err);
    if (ss_cuda_staging_get(s->run, columns + rows, &at, err) != SS_OK ||
        reference_for(s, &k, &ref, err) != SS_OK)
        return SS_FAIL;
    /* Positions that are skipped or lie beyond the tile stay zero. */
    SS_CUDA(cudaMemsetAsync(at->device, 0, columns + rows, ss_cuda_of(s->run)->stream));
    k.sums(s->run, ref, set, out, (double *)at->device, (double *)(at->device + columns));
    SS_CUDA(cudaGetLastError());
    if (ss_cuda_staging_fetch(s->run, at, 0, columns + rows, err) != SS_OK)
        return SS_FAIL;
    memcpy(out->columns, at->host, columns);
    if (rows)
        memcpy(out->rows, at->host + columns, rows);
    return SS_OK;
}

int ss_cuda_add_rows(ss_sampler *s, const ss_cuda_rows_of_cells *b, double *acc, ss_err *err)
{
    ss_cuda_staging *at;
    const double *ref;
    layer_kernels k = kernels_of(s);
    size_t bytes = (size_t)b->n * sizeof *acc;
    if (ss_cuda_staging_get(s->run, bytes, &at, err) != SS_OK ||
        reference_for(s, &k, &ref, err) != SS_OK)
        return SS_FAIL;
    memcpy(at->host, acc, bytes);
    SS_CUDA(cudaMemcpyAsync(at->device, at->host, bytes, cudaMemcpyHostToDevice,
                            ss_cuda_of(s->run)->stream));
    k.rows(s->run, ref, *b, (double *)at->device);
    SS_CUDA(cudaGetLastError());
    if (ss_cuda_staging_fetch(s->run, at, 0, bytes, err) != SS_OK)
        return SS_FAIL;
    memcpy(acc, at->host, bytes);
    return SS_OK;
}

bool ss_cuda_has_cells(const ss_sampler *s)
{
    return kernels_of(s).cells != NULL;
}

/* --- areas for the CPU ------------------------------------------------------------------------ */

/* An area of the fields, possibly with halo; `to` is the offset of its values: u, rhs, start. */
struct area {
    int x0, y0, nx, ny;
    int64_t to;
};
struct areas {
    area of[SS_TILES_MAX];
};
/* Instead of an array, which the compiler would copy to local memory to index it. */
template <typename T> struct three {
    const T *u, *rhs, *start;
};

template <typename T> __global__ void gather_areas(three<T> from, ptrdiff_t sy, areas list, T *to)
{
    area a = list.of[blockIdx.y];
    const T *field = blockIdx.z == SS_PART_U     ? from.u
                     : blockIdx.z == SS_PART_RHS ? from.rhs
                                                 : from.start;
    int64_t n = (int64_t)a.nx * a.ny;
    T *out = to + a.to + n * blockIdx.z;
    for (int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x; i < n;
         i += (int64_t)gridDim.x * blockDim.x)
        out[i] = field[(a.y0 + i / a.nx) * sy + a.x0 + i % a.nx];
}

template <typename T>
static void launch_areas(const ss_run *run, const areas *list, int n, int64_t most, void *to)
{
    const ss_cuda_state *st = ss_cuda_of(run);
    const size_t first = st->box.first;
    three<T> from = {(const T *)st->u[st->cur] + first, (const T *)st->rhs + first,
                     (const T *)st->u[1 - st->cur] + first};
    dim3 blocks(ceil_div(most, THREADS) < 1024 ? ceil_div(most, THREADS) : 1024, n, SS_NPART);
    gather_areas<T><<<blocks, THREADS, 0, st->stream>>>(from, st->box.sy, *list, (T *)to);
}

static int fetch(ss_sampler *s, const ss_area *wanted, int n, ss_parts *out, ss_err *err)
{
    ss_cuda_staging *at;
    areas list;
    int64_t total = 0, most = 0;
    for (int i = 0; i < n; i++) {
        ss_area a = wanted[i];
        list.of[i] = area{a.x0, a.y0, a.x1 - a.x0, a.y1 - a.y0, total};
        int64_t points = (int64_t)list.of[i].nx * list.of[i].ny;
        total += SS_NPART * points;
        most = points > most ? points : most;
    }
    if (ss_cuda_staging_get(s->run, (size_t)total * s->size, &at, err) != SS_OK)
        return SS_FAIL;
    (s->run->prec == SS_F64 ? launch_areas<double> : launch_areas<float>)(s->run, &list, n, most,
                                                                          at->device);
    SS_CUDA(cudaGetLastError());
    if (ss_cuda_staging_fetch(s->run, at, 0, (size_t)total * s->size, err) != SS_OK)
        return SS_FAIL;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < SS_NPART; k++) {
            const area *a = &list.of[i];
            size_t first = (size_t)(a->to + (int64_t)k * a->nx * a->ny) * s->size;
            out[i].of[k] = ss_part{at->host + first, a->nx, a->x0, a->y0, 0};
        }
    return SS_OK;
}

int ss_cuda_sample(ss_run *run, const ss_view *view, ss_picture *out, ss_err *err)
{
    ss_reader reader = {};
    reader.picture_bytes = ss_cuda_picture_bytes;
    reader.profile_bytes = 1024.0 * 1024;
    reader.stale_small = 2e6; /* the GPU has nothing to do while the CPU computes staleness */
    reader.fetch = fetch;
    reader.cells = cells;
    reader.tile_sums = tile_sums;
    reader.slice = ss_cuda_slice;
    if (run->peek)
        return ss_cuda_sample_peeked(run, view, out, err);
    if (!run->eq->rhs)
        return ss_cuda_sample_line(run, view, out, err);
    if (ss_cuda_slabs_of(run))
        return ss_cuda_slabs_sample(run, view, &reader, out, err);
    if (ss_cuda_split_settle(run, 0, err) != SS_OK ||
        (view->layer == SS_STALENESS && ss_cuda_split_settle(run, 2, err) != SS_OK))
        return SS_FAIL;
    return ss_sample(run, view, &reader, &ss_cuda_of(run)->box, out, err);
}
