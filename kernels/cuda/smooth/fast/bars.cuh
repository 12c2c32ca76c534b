/*
 * Reads after `cubes.cuh`. The separable inverse for bars: a few cubes of 8^3 cells, adjacent in x,
 * per thread block. The cells, threads and operations are those of cubes.cuh; four things are new:
 *
 *     sides    What lies beyond the six sides of a bar is an address of its place. It is a ghost
 *              cell, or the outermost cell of the neighbour patch itself: then a step needs no halo
 *              exchange before it, and no ghosts in x, of which each fills a sector of its own.
 *     ahead    While a thread block computes, it asks for the cells of the one that will take its
 *              turn on the SM, so that these come from L2 and not from memory. Neither earlier nor
 *              later: twice as far ahead they are evicted again.
 *     once     A thread block has one bar and no loop.
 *     places   Where patches are a box of equal ones, a thread block computes the place of its bar
 *              from its own in the grid: loads do not wait for a list, which comes from L2.
 *
 * What each of them gave, and what did not help: measured.md. Device code.
 */
#ifndef SS_CUDA_SMOOTH_BARS_CUH
#define SS_CUDA_SMOOTH_BARS_CUH

#include "kernels/cuda/smooth/cubes.cuh"

/* A thread's neighbours in x and y, as columns of cells: the cells around it in the bar, or, for
 * threads at a side, those beyond. (x, y): its place in the bar, `end` that of the bar's last
 * column; a short bar has fewer columns than the thread block. */
template <typename T> struct around {
    const T *west, *east, *south, *north;

    __device__ __forceinline__ around(const T *in, const ss_block_place &p, int x, int y, int end)
    {
        const T *here = in + (ptrdiff_t)p.first + x + (ptrdiff_t)y * p.sy;
        west = x > 0 ? here - 1 : in + (ptrdiff_t)p.beyond[0] + (ptrdiff_t)y * p.sy;
        east = x < end ? here + 1 : in + (ptrdiff_t)p.beyond[1] + (ptrdiff_t)y * p.sy;
        south = y > 0 ? here - p.sy : in + (ptrdiff_t)p.beyond[2] + x;
        north = y < BAR_CELLS - 1 ? here + p.sy : in + (ptrdiff_t)p.beyond[3] + x;
    }
};

/* The residuals of a column; r holds h^2 f on entry, u the cells afterwards. */
template <typename T>
static __device__ __forceinline__ void take_bar_residuals(const T *in, const ss_block_place &p,
                                                          int x, int y, int end, T *u, T *r)
{
    const int n = BAR_CELLS;
    const ptrdiff_t sz = p.sz, along = x + (ptrdiff_t)y * p.sy;
    const around<T> side(in, p, x, y, end);
    const T below = in[(ptrdiff_t)p.beyond[4] + along], above = in[(ptrdiff_t)p.beyond[5] + along];
#pragma unroll
    for (int k = 0; k < n; k++)
        u[k] = in[(ptrdiff_t)p.first + along + k * sz];
#pragma unroll
    for (int k = 0; k < n; k++)
        r[k] = residual(r[k], u[k], side.west[k * sz], side.east[k * sz], side.south[k * sz],
                        side.north[k * sz], k > 0 ? u[(k + n - 1) % n] : below,
                        k < n - 1 ? u[(k + 1) % n] : above);
}

/* W: cubes of a bar, 128 bytes in x. Threads (x of the bar, y). Those of cubes that a short bar
 * lacks compute its last cube again and do not store it: they must take part in the barriers. */
template <typename T, int B, int W, bool NORM, int MIN_BLOCKS>
__global__ void __launch_bounds__(W *BAR_CELLS *BAR_CELLS, MIN_BLOCKS)
    relax_bars(relaxation<T> a, sines<T, B> s, const T *reciprocal, bool, ss_bars bars)
{
    extern __shared__ double shared[];
    const int mine = threadIdx.x / BAR_CELLS, y = threadIdx.y;
    T *cells = (T *)shared + mine * cube_size(BAR_CELLS);
    double squares = 0;
    let_next_begin();
    const int number = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    const bool listed = bars.cubes == 0;
    const ss_block_place p =
        listed ? a.place[number] : ss_bar_place(&bars, blockIdx.x, blockIdx.y, blockIdx.z);
    const int in_cube = threadIdx.x % BAR_CELLS, end = p.cubes * BAR_CELLS - 1;
    const int x = in_cube + (mine < p.cubes ? mine : p.cubes - 1) * BAR_CELLS;
    const ptrdiff_t sz = p.sz, at = (ptrdiff_t)p.first + x + (ptrdiff_t)y * p.sy;
    T u[BAR_CELLS], v[BAR_CELLS];
#pragma unroll
    for (int k = 0; k < BAR_CELLS; k++)
        v[k] = __ldg(a.rhs + at + k * sz);
    await_previous();
    if (dropped(a))
        return;
    take_bar_residuals(a.in, p, x, y, end, u, v);
    if (a.ahead > 0 && number + a.ahead < a.count) {
        ss_block_place later = p;
        later.first = listed ? a.place[number + a.ahead].first
                             : p.first + ss_to_later_bar(&bars, blockIdx.y, blockIdx.z);
        fetch_place<BAR_CELLS>(a, later, threadIdx.x + blockDim.x * y);
    }
    if (NORM && mine < p.cubes)
#pragma unroll
        for (int k = 0; k < BAR_CELLS; k++)
            squares += (double)v[k] * (double)v[k];
    solve_cube<BAR_CELLS, B>(s, reciprocal, cells, in_cube, y, v);
    if (mine < p.cubes)
#pragma unroll
        for (int k = 0; k < BAR_CELLS; k++)
            a.out[at + k * sz] = u[k] + a.omega * v[k];
    if (NORM)
        leave_sum(a.partial + number, squares);
}

#endif
