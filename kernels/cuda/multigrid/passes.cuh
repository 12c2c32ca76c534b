/*
 * The operations of a multigrid cycle on a large grid, one kernel each; every kernel reads arrays
 * that it does not write, so that no thread waits for another. Bytes per point in double precision:
 *
 *     mg_sweep      24    a sweep of the smoother (red-black: two of them), or the residual
 *     mg_restrict   12    in a plane, per point of the finer grid: its residual in, the coarser
 *                         right-hand side and the first guess, zero, out
 *     mg_correct    18    in a plane: u and the coarser field in, u out
 *     mg_lines            the coarsest grid, if it is a point or lines
 *
 * Many cycles are enqueued ahead of the host: once `stop` is set they store nothing
 * (device/norm.cuh). Kernels may begin early (device/ptx.cuh), and all that they read may have
 * been written by the kernel before: they begin with begin_pass. Device code; cycle.c launches it.
 */
#ifndef SS_CUDA_MULTIGRID_PASSES_CUH
#define SS_CUDA_MULTIGRID_PASSES_CUH

#include "kernels/cuda/device/norm.cuh"
#include "kernels/cuda/device/ptx.cuh"
#include "kernels/cuda/multigrid/grid.cuh"

/* Rows of a plane that a thread updates: u of a row serves as the south and the north neighbour of
 * the next ones from a register. */
template <class E> static constexpr int mg_rows = E::dim > 1 ? MG_ROWS : 1;

/* Waits for the kernel before; false: the run has stopped. */
static __device__ __forceinline__ bool begin_pass(const int *stop)
{
    await_previous();
    let_next_begin();
    return !stopped(stop);
}

/* The first point of this thread in a tile of blockDim.x by `rows` blockDim.y points. */
struct mg_place {
    int i, j;
};
static __device__ __forceinline__ mg_place place_in(int tile, int nx, int rows)
{
    int across = (nx + blockDim.x - 1) / blockDim.x;
    return {(int)(tile % across * blockDim.x + threadIdx.x),
            (int)((tile / across * blockDim.y + threadIdx.y) * rows)};
}

/*
 * A pass over all points of a grid. With NORM it also adds up the norm of the field `from`; the
 * blocks then loop over the tiles, and as many are launched as are resident at once. Without it
 * there is one block per tile.
 */
template <mg_pass P, class E, bool NORM>
__global__ void __launch_bounds__(MG_THREADS)
    mg_sweep(mg_grid<E> at, const typename E::real *from, typename E::real *to,
             mg_relaxation<typename E::real> relax, int tiles, double *partial,
             ss_cuda_control *control)
{
    typedef typename E::real T;
    const int ROWS = mg_rows<E>;
    const bool coupled = E::dim > 1;
    double squares = 0;
    if (!begin_pass(control->stop)) /* all threads of the launch agree */
        return;
    for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        mg_place p = place_in(tile, at.nx, ROWS);
        if (p.i >= at.nx || p.j >= at.ny)
            continue;
        int rows = at.ny - p.j < ROWS ? at.ny - p.j : ROWS;
        const ptrdiff_t first = p.j * at.sy + p.i;
        const T *u = from + first, *g = at.g + first;
        T v[ROWS + 2], b[ROWS], west[ROWS], east[ROWS]; /* v[r + 1] is row r */
#pragma unroll
        for (int r = coupled ? -1 : 0; r < ROWS + (coupled ? 1 : 0); r++)
            if (r < rows + (coupled ? 1 : 0))
                v[r + 1] = u[r * at.sy];
#pragma unroll
        for (int r = 0; r < ROWS; r++)
            if (r < rows) {
                b[r] = g[r * at.sy];
                west[r] = u[r * at.sy - 1];
                east[r] = u[r * at.sy + 1];
            }
#pragma unroll
        for (int r = 0; r < ROWS; r++) {
            if (r >= rows)
                break;
            T s = coupled ? v[r] : 0, n = coupled ? v[r + 2] : 0;
            T jacobi = at.update(b[r], west[r], east[r], s, n);
            double change = (double)(jacobi - v[r + 1]);
            squares += change * change;
            to[first + r * at.sy] = mg_value<P, E>(relax, jacobi, v[r + 1], p.i, p.j + r);
        }
    }
    if (NORM)
        add_to_norm(squares, partial, control);
}

/* The right-hand side of the coarser grid, and its first guess. One block per tile of it. */
template <class E>
__global__ void __launch_bounds__(MG_THREADS)
    mg_restrict(mg_grid<E> fine, mg_grid<E> coarse, const int *stop)
{
    mg_place p = place_in(blockIdx.x, coarse.nx, 1);
    if (!begin_pass(stop) || p.i >= coarse.nx || p.j >= coarse.ny)
        return;
    ptrdiff_t k = p.j * coarse.sy + p.i;
    coarse.restricted[k] = mg_restricted(fine, p.i, p.j);
    coarse.u[0][k] = 0;
}

/* c: the present field of the coarser grid. One block per tile of the finer one. */
template <class E>
__global__ void __launch_bounds__(MG_THREADS)
    mg_correct(mg_grid<E> at, const typename E::real *c, ptrdiff_t sy, const typename E::real *from,
               typename E::real *to, const int *stop)
{
    mg_place p = place_in(blockIdx.x, at.nx, 1);
    if (!begin_pass(stop) || p.i >= at.nx || p.j >= at.ny)
        return;
    ptrdiff_t k = p.j * at.sy + p.i;
    to[k] = from[k] + mg_correction<E>(c, sy, p.i, p.j);
}

template <typename T>
__global__ void __launch_bounds__(MG_THREADS) mg_lines(mg_line l, const T *g, T *u, const int *stop)
{
    int line = blockIdx.x * blockDim.x + threadIdx.x;
    if (begin_pass(stop) && line < l.lines)
        mg_solve(l, line, g, u);
}

#endif
