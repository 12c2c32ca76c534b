/*
 * Kernels of pictures: cells of points, sums over tiles for the edge profile, areas for the CPU.
 * Sums are made in the CPU's order, and so their bits are the CPU's. E is an update of update.cuh,
 * P the value of a layer at a point (sample.cuh). Device code; sample.c launches it.
 */
#ifndef SS_CUDA_GATHER_CUH
#define SS_CUDA_GATHER_CUH

#include "kernels/cuda/device/gather.h"
#include "kernels/cuda/device/sample.cuh"
#include "kernels/geom/pictures.h"

/* --- cells ------------------------------------------------------------------------------------ */

/* The sum or maximum of one column of a cell's points, from the bottom. */
template <class E, class P>
static __device__ double fold_rows(const ss_fields<E> &f, const ss_cuda_boxes &b, int x, int lo,
                                   int hi, int r)
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
template <class E, class P>
__global__ void gather_cells(ss_fields<E> f, ss_cuda_boxes b, float *cell)
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

/* --- the edge profile ------------------------------------------------------------------------- */

/* Sums over the rows of a tile, one thread per column. */
template <class E, class P>
__global__ void sum_columns(ss_fields<E> f, ss_cuda_areas tiles, int step, int ncolumn,
                            double *columns)
{
    ss_cuda_area a = tiles.of[blockIdx.y];
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
__global__ void sum_rows(ss_fields<E> f, ss_cuda_areas tiles, int step, int nrow, double *rows)
{
    ss_cuda_area a = tiles.of[blockIdx.y];
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

/* --- areas for the CPU ------------------------------------------------------------------------ */

/* The arrays that areas are gathered from, in the order of SS_PART_U, SS_PART_RHS and SS_PART_START
 * of kernels/sample/parts.h. Instead of an array, which the compiler would copy to local memory to
 * index it. */
template <typename T> struct sources {
    const T *u, *rhs, *start;
};

/* The arrays of an area follow each other. */
template <typename T>
__global__ void gather_areas(sources<T> from, ptrdiff_t sy, ss_cuda_areas list, T *to)
{
    ss_cuda_area a = list.of[blockIdx.y];
    const T *field = blockIdx.z == 0 ? from.u : blockIdx.z == 1 ? from.rhs : from.start;
    int64_t n = (int64_t)a.nx * a.ny;
    T *out = to + a.to + n * blockIdx.z;
    for (int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x; i < n;
         i += (int64_t)gridDim.x * blockDim.x)
        out[i] = field[(a.y0 + i / a.nx) * sy + a.x0 + i % a.nx];
}

#endif
