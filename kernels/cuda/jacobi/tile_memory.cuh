/*
 * Temporal blocking in shared memory (Venkatasubramanian & Vuduc): a thread block loads its tile
 * with a halo of one point, iterates k times on chip, and writes the points that the tile owns. Two
 * kernels: `tile_in_smem` with one point per thread, and `tile_in_smem_strided` for tiles of more
 * points than a block has threads.
 *
 * The halo keeps its values during the k subiterations, so that from the second on the outermost
 * points use stale neighbours. The k - 1 outermost points on each side do not have the values of
 * classic Jacobi, all others do; with an overlap of 2 (k - 1) these are all points that are
 * written. With less overlap the method is another one: it has the same solution, since a solution
 * is a fixed point of every subiteration, but more iterations are needed (assets/measured/h200.md,
 * "to 0.0001"). Times per iteration say nothing about that.
 *
 * Global memory: u and the right-hand side are read once and u is written once per k iterations,
 * 24/k bytes per point and iteration in double precision (12/k in single) against 24 (12) of a
 * kernel that iterates once; overlap and halo come on top. Shared memory is the limit: on a plane
 * an update loads four neighbours from it and stores one value, with the strided kernel it also
 * loads the right-hand side, and a barrier ends each subiteration. Threads of a warp access
 * consecutive words, so that there are no bank conflicts.
 *
 * H200, 1024 x 1024 points (all in L2), block 32, overlap 0, k = 16, double precision: 1.72 us per
 * iteration, 2.46 times as fast as `vector`, the best kernel that iterates once. The same tile in
 * registers: 0.70 us (tile_register.cuh).
 *
 * Layout. a.in, a.rhs and a.out point to interior point (0, 0) of the field; point (i, j) is
 * element j * a.sy + i; around the field lies a halo of boundary values. E is the equation:
 * update(rhs, west, east, south, north) is the new value of a point. E::dim is 2 on a plane; lines,
 * E::dim = 1, are independent of each other, a row each: where the code asks for E::dim > 1, a line
 * has no south and north. In shared memory a tile of nx * ny points has rows of nx + 2 values, its
 * point (0, 0) behind the halo's row and column. Two buffers, u and v, alternate.
 *
 * tiles.c launches these kernels. They do not call let_next_begin: the next cycle begins when the
 * last block has ended (device/ptx.cuh).
 */
#ifndef SS_CUDA_TILE_MEMORY_CUH
#define SS_CUDA_TILE_MEMORY_CUH

/* ss_cuda_sweep<T>, the arguments of a cycle: in, rhs, out, sy (see above). stopped(a): has a norm
 * ended the run, so that this cycle must store nothing? add_to_norm(a, stop, squares): all threads
 * call it with the squared changes of their points; the block that ends last makes the norm. */
#include "kernels/cuda/device/norm.cuh"
/* await_previous(): waits until the launch before this one has stored its field. */
#include "kernels/cuda/device/ptx.cuh"
/* The types E; E::real is double or float. */
#include "kernels/cuda/device/update.cuh"
/* ss_tiling, the subdomains: t.x and t.y cut a direction of n points into `count` subdomains of
 * `block` points that share `overlap` points with each neighbour. ss_cut_span(t.x, j): subdomain j
 * as a span: it covers, and computes, the points [lo, hi), and writes [wlo, whi) of them, from the
 * middle of one overlap to the middle of the next. */
#include "kernels/geom/tiles.h"

/* --- the tile of a thread block --------------------------------------------------------------- */

/* Thread block b takes tile first + b of the tiling, numbered row by row; `first` is 0 unless
 * several devices share the tiles. */
struct launch_tiling : ss_tiling {
    int first;
};

static __device__ __forceinline__ ss_span block_span_x(const launch_tiling &t)
{
    return ss_cut_span(t.x, (blockIdx.x + t.first) % t.x.count);
}

static __device__ __forceinline__ ss_span block_span_y(const launch_tiling &t)
{
    return ss_cut_span(t.y, (blockIdx.x + t.first) / t.x.count);
}

/* The arguments of the kernels of `shared` beside the fields. The order matters: with k after the
 * tiling, ptxas (CUDA 13.0, sm_90) spills a register of some kernels. */
struct tile_args {
    int k; /* subiterations */
    launch_tiling tiling;
};

/* Does the tile write its point (i, j)? Points of the overlap are computed by several tiles and
 * written by one. */
static __device__ __forceinline__ bool owns(ss_span x, ss_span y, int i, int j)
{
    return x.lo + i >= x.wlo && x.lo + i < x.whi && y.lo + j >= y.wlo && y.lo + j < y.whi;
}

/* The updated value of the point at u, in a tile whose rows are `width` apart. */
template <class E, typename T>
static __device__ __forceinline__ T update_point(const E &update, T rhs, const T *u, int width)
{
    T south = E::dim > 1 ? u[-width] : 0, north = E::dim > 1 ? u[width] : 0;
    return update(rhs, u[-1], u[1], south, north);
}

/* --- one point per thread --------------------------------------------------------------------- */

/* Loads the halo points next to the thread's point, if it lies at a side of the tile of nx * ny
 * points; into both buffers, because no subiteration writes them. */
template <class E, typename T>
static __device__ __forceinline__ void load_halo(const T *in, ptrdiff_t sy, int nx, int ny, T *u,
                                                 T *v)
{
    int i = threadIdx.x, j = threadIdx.y, width = nx + 2;
    if (i == 0)
        u[-1] = v[-1] = in[-1];
    if (i == nx - 1)
        u[1] = v[1] = in[1];
    if (E::dim > 1 && j == 0)
        u[-width] = v[-width] = in[-sy];
    if (E::dim > 1 && j == ny - 1)
        u[width] = v[width] = in[sy];
}

/* One cycle. The thread keeps the right-hand side of its point in a register. Two blocks of 1024
 * threads are resident per SM (full occupancy), so that one computes while the other waits at its
 * barrier. stopped() loads a flag before the points, and it is tested after them: no thread waits
 * for it alone. The norm is that of the field which the cycle starts from, so it sums the changes
 * of the first subiteration, the only one for which all halos are current. */
template <class E, bool NORM>
__global__ void __launch_bounds__(1024, 2)
    tile_in_smem(ss_cuda_sweep<typename E::real> a, E update, tile_args s)
{
    typedef typename E::real T;
    extern __shared__ double raw[];
    const int halo = E::dim > 1;
    ss_span x = block_span_x(s.tiling), y = block_span_y(s.tiling);
    int i = threadIdx.x, j = threadIdx.y, nx = x.hi - x.lo, ny = y.hi - y.lo, width = nx + 2;
    bool exists = i < nx && j < ny, owned = exists && owns(x, y, i, j);
    ptrdiff_t at = (ptrdiff_t)(y.lo + j) * a.sy + x.lo + i;
    /* Threads without a point must reach the barriers: they compute the first one, and store
     * nothing. */
    T *u = (T *)raw + (exists ? (j + halo) * width + i + 1 : halo * width + 1);
    T *v = u + width * (ny + 2 * halo);
    T value = 0, rhs = exists ? a.rhs[at] : 0;
    double squares = 0;
    await_previous();
    int stop = stopped(a);
    if (exists) {
        value = u[0] = a.in[at];
        load_halo<E>(a.in + at, a.sy, nx, ny, u, v);
    }
    __syncthreads(); /* the tile is loaded */
    if (NORM && owned) {
        double change = (double)(update_point(update, rhs, u, width) - value);
        squares = change * change;
    }
#pragma unroll 2 /* u and v are then renamed, not swapped */
    for (int n = 0; n < s.k; n++) {
        value = update_point(update, rhs, u, width);
        if (exists)
            v[0] = value;
        /* All points are written before a thread reads its neighbours in the next subiteration, and
         * all are read before one is overwritten in the one after. */
        __syncthreads();
        T *swap = u;
        u = v;
        v = swap;
    }
    if (owned && !stop)
        a.out[at] = value;
    if (NORM)
        add_to_norm(a, stop, squares);
}

/* --- several points per thread ---------------------------------------------------------------- */

/* Loads the tile with its halo into both buffers, and its right-hand side without halo. Threads of
 * a warp read consecutive points: coalesced. */
template <class E, typename T>
static __device__ void load_smem(const ss_cuda_sweep<T> &a, ss_span x, ss_span y, T *u, T *v,
                                 T *rhs)
{
    const int halo = E::dim > 1, width = x.hi - x.lo + 2, height = y.hi - y.lo + 2 * halo;
    for (int j = threadIdx.y; j < height; j += blockDim.y)
        for (int i = threadIdx.x; i < width; i += blockDim.x)
            u[j * width + i] = v[j * width + i] = a.in[(y.lo + j - halo) * a.sy + x.lo + i - 1];
    for (int j = threadIdx.y; j < y.hi - y.lo; j += blockDim.y)
        for (int i = threadIdx.x; i < x.hi - x.lo; i += blockDim.x)
            rhs[j * (width - 2) + i] = a.rhs[(y.lo + j) * a.sy + x.lo + i];
}

/* A subiteration from u into v. With `sum`, adds the squared changes of the points the tile owns.
 */
template <class E, typename T>
static __device__ __forceinline__ void sweep_smem(const E &update, ss_span x, ss_span y, const T *u,
                                                  T *v, const T *rhs, bool sum, double &squares)
{
    const int halo = E::dim > 1, nx = x.hi - x.lo, ny = y.hi - y.lo, width = nx + 2;
    for (int j = threadIdx.y; j < ny; j += blockDim.y)
        for (int i = threadIdx.x; i < nx; i += blockDim.x) {
            const T *in = u + (j + halo) * width + i + 1;
            T value = update_point(update, rhs[j * nx + i], in, width);
            v[(j + halo) * width + i + 1] = value;
            if (sum && owns(x, y, i, j))
                squares += (double)(value - in[0]) * (double)(value - in[0]);
        }
}

/* Stores the points that the tile owns. */
template <class E, typename T>
static __device__ __forceinline__ void store_smem(const ss_cuda_sweep<T> &a, ss_span x, ss_span y,
                                                  const T *u)
{
    const int halo = E::dim > 1, nx = x.hi - x.lo, ny = y.hi - y.lo, width = nx + 2;
    for (int j = threadIdx.y; j < ny; j += blockDim.y)
        for (int i = threadIdx.x; i < nx; i += blockDim.x)
            if (owns(x, y, i, j))
                a.out[(y.lo + j) * a.sy + x.lo + i] = u[(j + halo) * width + i + 1];
}

/* One cycle. Each thread computes every blockDim-th point of the tile. With a double buffer one
 * barrier per subiteration is enough: the next one overwrites values that no thread needs any more.
 */
template <class E, bool NORM>
__global__ void tile_in_smem_strided(ss_cuda_sweep<typename E::real> a, E update, tile_args s)
{
    typedef typename E::real T;
    extern __shared__ double raw[];
    ss_span x = block_span_x(s.tiling), y = block_span_y(s.tiling);
    int size = (x.hi - x.lo + 2) * (y.hi - y.lo + (E::dim > 1 ? 2 : 0)); /* of a buffer */
    T *u = (T *)raw, *v = u + size, *rhs = v + size;
    double squares = 0;
    await_previous();
    int stop = stopped(a);
    load_smem<E>(a, x, y, u, v, rhs);
    __syncthreads(); /* the tile is loaded */
    for (int n = 0; n < s.k; n++) {
        sweep_smem(update, x, y, u, v, rhs, NORM && n == 0, squares);
        __syncthreads();
        T *swap = u;
        u = v;
        v = swap;
    }
    if (!stop)
        store_smem<E>(a, x, y, u);
    if (NORM)
        add_to_norm(a, stop, squares);
}

#endif
