/*
 * Temporal blocking in shared memory (Venkatasubramanian & Vuduc): a thread block loads its tile
 * with a halo of one point, iterates k times on chip, and writes the points that the tile owns. Two
 * kernels: `tile_in_smem` with one point per thread, and `tile_in_smem_strided` for tiles of more
 * points than a block has threads. Both are templates over the inner iteration (inner.cuh):
 * Jacobi's, damped or not, Chebyshev's, red-black SOR's.
 *
 * The halo keeps its values during the k subiterations, so that from the second on the outermost
 * points use stale neighbours. Points that are k or more points inside the tile have the values of
 * classic Jacobi; with an overlap of 2 (k - 1) these are all points that are written. With less
 * overlap the method is another one: it has the same solution, since a solution is a fixed point of
 * every subiteration, but more iterations are needed (assets/measured/h200.md, "to 0.0001"). Times
 * per iteration say nothing about that.
 *
 * Global memory: u and the right-hand side are read once and u is written once per k iterations,
 * 24/k bytes per point and iteration in double precision (12/k in single) against 24 (12) of a
 * kernel that iterates once; overlap and halo come on top. Shared memory is the limit: on a plane
 * an update loads four neighbours from it and stores one value, with the strided kernel it also
 * loads the right-hand side, and a barrier ends each subiteration. Threads of a warp access
 * consecutive words, so that there are no bank conflicts.
 *
 * The inner iterations beside Jacobi's. Chebyshev's also reads and writes the field before: 40/k
 * bytes per point and iteration against 32 of the kernel that iterates once. It adds nothing to the
 * traffic of shared memory where a thread keeps its own point of the last two subiterations in
 * registers. A colour of red-black SOR is a subiteration that every thread takes part in: twice the
 * shared memory traffic of a Jacobi iteration for each of SOR's (tile_register.cuh does half of
 * it).
 *
 * H200, 1024 x 1024 points (all in L2), block 32, overlap 0, k = 16, double precision: 1.72 us per
 * iteration, 2.46 times as fast as `vector`, the best kernel that iterates once. The same tile in
 * registers: 0.70 us (tile_register.cuh).
 *
 * tiles.cuh launches these kernels. They do not call let_next_begin: the next cycle begins when the
 * last block has ended (device/launch.cuh).
 */
#ifndef SS_CUDA_TILE_MEMORY_CUH
#define SS_CUDA_TILE_MEMORY_CUH

#include "kernels/cuda/device/common.cuh"
#include "kernels/cuda/jacobi/block_tile.cuh"
#include "kernels/cuda/jacobi/inner.cuh"

/* Does the tile write its point (i, j)? Points of the overlap are computed by several tiles and
 * written by one. */
static __device__ __forceinline__ bool owns(ss_span x, ss_span y, int i, int j)
{
    return x.lo + i >= x.wlo && x.lo + i < x.whi && y.lo + j >= y.wlo && y.lo + j < y.whi;
}

/* --- one point per thread --------------------------------------------------------------------- */

/* The point of a thread: its colour, its value, and that of one subiteration ago. */
template <typename T> struct tile_point {
    bool exists;
    int colour;
    T rhs, value, before;
};

/* Loads the thread's point and the halo points next to it. The halo goes into both buffers: no
 * subiteration writes it. Returns the point's value. */
template <class E>
static __device__ __forceinline__ typename E::real
load_point(const ss_cuda_sweep<typename E::real> &a, ss_span x, ss_span y, typename E::real *from,
           typename E::real *to)
{
    const int halo = E::dim > 1, nx = x.hi - x.lo, ny = y.hi - y.lo, width = nx + 2;
    int i = threadIdx.x, j = threadIdx.y;
    const typename E::real *in = a.in + (ptrdiff_t)(y.lo + j) * a.sy + x.lo + i;
    typename E::real value = *from = in[0];
    if (i == 0)
        from[-1] = to[-1] = in[-1];
    if (i == nx - 1)
        from[1] = to[1] = in[1];
    if (halo && j == 0)
        from[-width] = to[-width] = in[-a.sy];
    if (halo && j == ny - 1)
        from[width] = to[width] = in[a.sy];
    return value;
}

/* The Jacobi value of one point of a tile whose rows are `width` apart. */
template <class E>
static __device__ __forceinline__ typename E::real
update_point(const E &update, typename E::real rhs, const typename E::real *u, int width)
{
    typename E::real south = E::dim > 1 ? u[-width] : 0, north = E::dim > 1 ? u[width] : 0;
    return update(rhs, u[-1], u[1], south, north);
}

/* Subiteration n, from one buffer into the other. The barrier ends it: all points are written
 * before a thread reads its neighbours in the next one, and all are read before one is overwritten
 * by the one after. */
template <class E, class INNER>
static __device__ __forceinline__ void
step_point(const E &update, const INNER &inner, int n, tile_point<typename E::real> &p,
           const typename E::real *from, typename E::real *to, int width)
{
    typename E::real jacobi = update_point(update, p.rhs, from, width);
    typename E::real value = inner(n, p.colour, jacobi, p.value, p.before);
    p.before = p.value;
    p.value = value;
    if (p.exists)
        *to = value;
    __syncthreads();
}

/* k subiterations in a double buffer, two per pass of the loop so that no pointers are swapped. */
template <class E, class INNER>
static __device__ __forceinline__ void
iterate_point(const E &update, const INNER &inner, tile_point<typename E::real> &p,
              typename E::real *from, typename E::real *to, int width, int k)
{
    int n = 0;
    for (; n + 1 < k; n += 2) {
        step_point(update, inner, n, p, from, to, width);
        step_point(update, inner, n + 1, p, to, from, width);
    }
    if (n < k)
        step_point(update, inner, n, p, from, to, width);
}

/* The tile of this thread block. The thread keeps the right-hand side of its point in a register.
 * `stop` is loaded before the points and tested after them: no thread waits for it. Returns the
 * squared change of the point, if the tile owns it, in the first subiteration: the norm is that of
 * u, so it is summed where all halos are current. */
template <class E, class INNER, bool NORM>
static __device__ __forceinline__ double
compute_tile(const ss_cuda_sweep<typename E::real> &a, const E &update, INNER &inner,
             const tile_args &s, typename E::real *smem, int &stop)
{
    typedef typename E::real T;
    const int halo = E::dim > 1;
    ss_span x = block_span_x(s.tiling), y = block_span_y(s.tiling);
    int i = threadIdx.x, j = threadIdx.y, nx = x.hi - x.lo, ny = y.hi - y.lo, width = nx + 2;
    int size = width * (ny + 2 * halo); /* of a buffer */
    tile_point<T> p = {i < nx && j < ny, colour_of_point<E>(x.lo + i, y.lo + j), 0, 0, 0};
    bool owned = p.exists && owns(x, y, i, j);
    ptrdiff_t at = (ptrdiff_t)(y.lo + j) * a.sy + x.lo + i;
    /* Threads without a point must reach the barriers: they compute the first one, and store
     * nothing. */
    T *from = smem + (p.exists ? (j + halo) * width + i + 1 : halo * width + 1), *to = from + size;
    double squares = 0;
    p.rhs = p.exists ? a.rhs[at] : 0;
    await_previous();
    stop = stopped(a);
    inner.begin(smem + 2 * size, s.k);
    if (p.exists)
        p.value = load_point<E>(a, x, y, from, to);
    if constexpr (INNER::recurs)
        p.before = p.exists ? inner.before[at] : 0;
    __syncthreads(); /* the tile is loaded */
    if (NORM && owned) {
        double change = (double)(update_point(update, p.rhs, from, width) - p.value);
        squares = change * change;
    }
    iterate_point(update, inner, p, from, to, width, s.k);
    if (owned && !stop) {
        a.out[at] = p.value;
        if constexpr (INNER::recurs)
            inner.next_before[at] = p.before;
    }
    return squares;
}

/* One cycle. Two blocks of 1024 threads are resident per SM (full occupancy), so that one computes
 * while the other waits at its barrier. */
template <class E, class INNER, bool NORM>
__global__ void __launch_bounds__(1024, 2)
    tile_in_smem(ss_cuda_sweep<typename E::real> a, E update, INNER inner, tile_args s)
{
    extern __shared__ double raw[];
    double squares = 0;
    int stop;
    if (INNER::recurs && blockIdx.x == gridDim.x - 1)
        stop = make_next_factors(a, inner, s.k);
    else
        squares = compute_tile<E, INNER, NORM>(a, update, inner, s, (typename E::real *)raw, stop);
    if (NORM)
        add_to_norm(a, stop, squares);
}

/* --- several points per thread ---------------------------------------------------------------- */

/* Loads the tile with its halo into both buffers, and its right-hand side without halo. Threads of
 * a warp read consecutive points: coalesced. */
template <class E>
static __device__ void load_smem(const ss_cuda_sweep<typename E::real> &a, ss_span x, ss_span y,
                                 typename E::real *u, typename E::real *v, typename E::real *rhs)
{
    const int halo = E::dim > 1, width = x.hi - x.lo + 2, height = y.hi - y.lo + 2 * halo;
    for (int j = threadIdx.y; j < height; j += blockDim.y)
        for (int i = threadIdx.x; i < width; i += blockDim.x)
            u[j * width + i] = v[j * width + i] = a.in[(y.lo + j - halo) * a.sy + x.lo + i - 1];
    for (int j = threadIdx.y; j < y.hi - y.lo; j += blockDim.y)
        for (int i = threadIdx.x; i < x.hi - x.lo; i += blockDim.x)
            rhs[j * (width - 2) + i] = a.rhs[(y.lo + j) * a.sy + x.lo + i];
}

/* The field before: it is where the first subiteration writes, inside the halo. Each thread
 * replaces values that it has loaded itself or that another one has: a barrier comes first. */
template <class E>
static __device__ void load_before(const typename E::real *before, ptrdiff_t sy, ss_span x,
                                   ss_span y, typename E::real *v)
{
    const int halo = E::dim > 1, width = x.hi - x.lo + 2;
    __syncthreads();
    for (int j = threadIdx.y; j < y.hi - y.lo; j += blockDim.y)
        for (int i = threadIdx.x; i < x.hi - x.lo; i += blockDim.x)
            v[(j + halo) * width + i + 1] = before[(y.lo + j) * sy + x.lo + i];
}

/* Subiteration n from u into v, where the values of the one before it lie. With `sum`, adds the
 * squared changes by Jacobi of the points the tile owns. */
template <class E, class INNER>
static __device__ __forceinline__ void sweep_smem(const E &update, const INNER &inner, int n,
                                                  ss_span x, ss_span y, const typename E::real *u,
                                                  typename E::real *v, const typename E::real *rhs,
                                                  bool sum, double &squares)
{
    const int halo = E::dim > 1, nx = x.hi - x.lo, ny = y.hi - y.lo, width = nx + 2;
    for (int j = threadIdx.y; j < ny; j += blockDim.y)
        for (int i = threadIdx.x; i < nx; i += blockDim.x) {
            const typename E::real *in = u + (j + halo) * width + i + 1;
            typename E::real *out = v + (j + halo) * width + i + 1;
            typename E::real jacobi = update_point(update, rhs[j * nx + i], in, width);
            typename E::real before = INNER::recurs ? *out : 0;
            *out = inner(n, colour_of_point<E>(x.lo + i, y.lo + j), jacobi, in[0], before);
            if (sum && owns(x, y, i, j))
                squares += (double)(jacobi - in[0]) * (double)(jacobi - in[0]);
        }
}

/* Stores the points that the tile owns; `field` points to interior point (0, 0). */
template <class E>
static __device__ __forceinline__ void store_smem(typename E::real *field, ptrdiff_t sy, ss_span x,
                                                  ss_span y, const typename E::real *u)
{
    const int halo = E::dim > 1, nx = x.hi - x.lo, ny = y.hi - y.lo, width = nx + 2;
    for (int j = threadIdx.y; j < ny; j += blockDim.y)
        for (int i = threadIdx.x; i < nx; i += blockDim.x)
            if (owns(x, y, i, j))
                field[(y.lo + j) * sy + x.lo + i] = u[(j + halo) * width + i + 1];
}

/* The tile of this thread block; as compute_tile. Each thread computes every blockDim-th point.
 * With a double buffer one barrier per subiteration is enough: the next one overwrites values that
 * no other thread needs any more. */
template <class E, class INNER, bool NORM>
static __device__ __forceinline__ double
compute_tile_strided(const ss_cuda_sweep<typename E::real> &a, const E &update, INNER &inner,
                     const tile_args &s, typename E::real *smem, int &stop)
{
    typedef typename E::real T;
    ss_span x = block_span_x(s.tiling), y = block_span_y(s.tiling);
    int nx = x.hi - x.lo, ny = y.hi - y.lo, size = (nx + 2) * (ny + (E::dim > 1 ? 2 : 0));
    T *u = smem, *v = u + size, *rhs = v + size;
    double squares = 0;
    await_previous();
    stop = stopped(a);
    load_smem<E>(a, x, y, u, v, rhs);
    inner.begin(rhs + nx * ny, s.k);
    if constexpr (INNER::recurs)
        load_before<E>(inner.before, a.sy, x, y, v);
    __syncthreads(); /* the tile is loaded */
    for (int n = 0; n < s.k; n++) {
        sweep_smem(update, inner, n, x, y, u, v, rhs, NORM && n == 0, squares);
        __syncthreads();
        T *swap = u;
        u = v;
        v = swap;
    }
    if (!stop) {
        store_smem<E>(a.out, a.sy, x, y, u);
        if constexpr (INNER::recurs)
            store_smem<E>(inner.next_before, a.sy, x, y, v);
    }
    return squares;
}

/* One cycle. */
template <class E, class INNER, bool NORM>
__global__ void tile_in_smem_strided(ss_cuda_sweep<typename E::real> a, E update, INNER inner,
                                     tile_args s)
{
    extern __shared__ double raw[];
    double squares = 0;
    int stop;
    if (INNER::recurs && blockIdx.x == gridDim.x - 1)
        stop = make_next_factors(a, inner, s.k);
    else
        squares = compute_tile_strided<E, INNER, NORM>(a, update, inner, s, (typename E::real *)raw,
                                                       stop);
    if (NORM)
        add_to_norm(a, stop, squares);
}

#endif
