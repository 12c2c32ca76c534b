/*
 * Asynchronous Jacobi: a thread block takes a tile into shared memory and sweeps it several times
 * per launch. After a sweep it writes its outermost points to memory and reads its neighbours' into
 * its halo (async_halo.cuh), whatever they hold by then: blocks never wait for each other, and the
 * hardware decides which one is ahead. Source: Venkatasubramanian & Vuduc, tuned and wildly
 * asynchronous stencil kernels, figures 7 to 10; the table of the four variants is in
 * kernels/solver/async.c, the same schedule on a CPU in kernels/cpu/async.c.
 *
 * The strips of a launch start with the values of the field it starts from, so that a tile that
 * reads too early gets those; each launch leaves the strips of the next one.
 *
 * Global memory: 24/s bytes per point and sweep with s sweeps per launch in double precision, and
 * the strips, which are written and read once per sweep.
 *
 * H200, n = 1024, tiles of 64 x 32 points, alpha = 8, double precision: time per sweep, and
 * speed-up over `vector`, the best kernel that iterates once per launch. The exchange costs as much
 * as the sweeps, the barriers of variant 0 next to nothing.
 *
 *     variant 0   exchange, three barriers per sweep   3.39 us   1.25
 *     variant 1   exchange, one barrier                3.34 us   1.27
 *     variant 2   no exchange, one barrier             1.69 us   2.50
 *     variant 3   exchange, no barrier, in place       2.84 us   1.49
 *
 * A launch may have more thread blocks than can be resident at once. They then run in waves: the
 * hardware starts a block when another has ended, in an order that is not specified. A tile then
 * mostly finds one of two states at a neighbour: it has ended, and its strips are those of its last
 * exchange, or it has not started, and its strips are those of the field the launch started from.
 * That resembles Gauss-Seidel over the tiles more than neighbours that run at the same time, and
 * layer AGE shows it: when half of all sweeps were done, some tiles had finished all of theirs and
 * others none. To see neighbours at different sweeps, choose a grid whose tiles are all resident.
 * Device code; async.cu launches these kernels.
 */
#ifndef SS_CUDA_ASYNC_CUH
#define SS_CUDA_ASYNC_CUH

#include "kernels/cuda/device/common.cuh"
#include "kernels/cuda/jacobi/async_tile.cuh"
#include "kernels/cuda/jacobi/opaque.cuh"

/* A variant: does it exchange strips within a launch, does it update a single copy of the tile in
 * place, and how many barriers per sweep has it? */
template <bool EXCHANGE, bool IN_PLACE, int BARRIERS> struct async_variant {
    static const bool exchange = EXCHANGE, in_place = IN_PLACE;
    static const int barriers = BARRIERS;
};
typedef async_variant<true, false, 3> variant_full;
typedef async_variant<true, false, 1> variant_loose;
typedef async_variant<false, false, 1> variant_mute;
typedef async_variant<true, true, 0> variant_wild;

/* --- a launch --------------------------------------------------------------------------------- */

static __device__ __forceinline__ unsigned long long nanoseconds()
{
    unsigned long long t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    return t;
}

/* Offset of a tile's first point in a field. */
static __device__ __forceinline__ ptrdiff_t corner_of(const ss_tiling &t, int tile, ptrdiff_t sy)
{
    return ss_cut_span(t.y, tile / t.x.count).lo * sy + ss_cut_span(t.x, tile % t.x.count).lo;
}

/* With three barriers, as in the paper, all threads have updated their points before one writes to
 * a strip, and all have written before one reads a neighbour's. Without these two each warp
 * exchanges when it is ready; what it reads may be a sweep older or newer either way. */
template <class V, class E>
static __device__ __forceinline__ void
exchange_strips(const thread_points<E> &p, const tile_strips<typename E::real> &own,
                typename E::real *strips, const halo_point *list, halo_share mine,
                volatile typename E::real *copy)
{
    if (V::barriers == 3)
        __syncthreads();
    p.write_strips(own, store_relaxed<typename E::real>);
    if (V::barriers == 3)
        __syncthreads();
    gather_neighbours(strips, list, mine, copy);
}

/* All sweeps of a launch but the last one. They alternate between the two copies of the tile (a
 * double buffer), `from` and from + other; in place there is one copy, and `other` is 0. The
 * barrier of variants 0 to 2 ends a sweep: no thread reads a copy that another one still writes.
 * Returns the copy with the last state. */
template <class V, class E>
static __device__ __forceinline__ volatile typename E::real *
sweep_tile(thread_points<E> &p, const E &update, const async_args<typename E::real> &r,
           const tile_strips<typename E::real> &own, const halo_point *list, halo_share mine,
           volatile typename E::real *from, int other)
{
    for (int n = 1; n < r.sweeps; n++) {
        p.template sweep<V::in_place, true>(update, from, from + other);
        if (V::exchange)
            exchange_strips<V>(p, own, r.strips, list, mine, from + other);
        if (V::barriers > 0)
            __syncthreads();
        if (threadIdx.x == 0 && threadIdx.y == 0)
            r.done[(int)blockIdx.x * r.sweeps + n - 1] = nanoseconds();
        from += other;
        other = -other;
    }
    return from;
}

/* The last sweep goes to the new field, and the tile's edge to the strips of the next launch. */
template <class V, class E>
static __device__ __forceinline__ void
finish_tile(thread_points<E> &p, const E &update, const ss_cuda_sweep<typename E::real> &a,
            const async_args<typename E::real> &r, volatile typename E::real *from,
            ptrdiff_t corner)
{
    typedef typename E::real T;
    if (V::exchange) { /* computed again: no register holds it during the sweeps */
        int tile = blockIdx.x;
        opaque(tile);
        corner = corner_of(r.tiling, tile, a.sy);
    }
    p.template sweep<false, false>(update, from, from);
    if (threadIdx.x == 0 && threadIdx.y == 0)
        r.done[(int)(blockIdx.x + 1) * r.sweeps - 1] = nanoseconds();
    p.store(a.out, corner, a.sy);
    p.write_strips(tile_strips<T>(r.next_strips, r, blockIdx.x),
                   [](T *to, T value) { *to = value; });
}

/* One launch. Shared memory: the copies of the tile, then the list of its halo points. Both copies
 * get the halo, for variant 2 never writes it again. */
template <class E, class V>
__global__ void __launch_bounds__(ASYNC_THREADS(E::dim), 1)
    async_tiles(ss_cuda_sweep<typename E::real> a, E update, async_args<typename E::real> r)
{
    typedef typename E::real T;
    extern __shared__ double raw[];
    thread_points<E> p;
    p.init(block_span_x(r.tiling), block_span_y(r.tiling));
    tile_strips<T> own(r.strips, r, blockIdx.x);
    ptrdiff_t corner = corner_of(r.tiling, blockIdx.x, a.sy);
    volatile T *copy = (T *)raw;
    int size = p.copy_size(), other = V::in_place ? 0 : size;
    halo_point *list = (halo_point *)((T *)raw + size + other);
    halo_share mine(p.halo_size());
    list_halo<E>(r, p.row - 2, p.ny, list, mine, copy, other);
    p.load(a.rhs, corner, a.sy, p.rhs);
    await_previous();
    if (stopped(a))
        return;
    p.load(a.in, corner, a.sy, p.u);
    p.write(copy);
    gather_neighbours(r.strips, list, mine, copy);
    if (!V::in_place)
        gather_neighbours(r.strips, list, mine, copy + other);
    __syncthreads(); /* the tile is loaded */
    copy = sweep_tile<V>(p, update, r, own, list, mine, copy, other);
    let_next_begin();
    finish_tile<V>(p, update, a, r, copy, corner);
}

/* --- before the first launch of a step -------------------------------------------------------- */

/* Fills the strips of all tiles from the field. Rows are read coalesced; columns are not, but that
 * is once per step. */
template <class E>
__global__ void gather_strips(ss_cuda_sweep<typename E::real> a, async_args<typename E::real> r)
{
    ss_span x = block_span_x(r.tiling), y = block_span_y(r.tiling);
    tile_strips<typename E::real> s(r.strips, r, blockIdx.x);
    for (int i = x.lo + threadIdx.x; E::dim > 1 && i < x.hi; i += blockDim.x) {
        s.south[i - x.lo] = a.in[y.lo * a.sy + i];
        s.north()[i - x.lo] = a.in[(y.hi - 1) * a.sy + i];
    }
    for (int j = y.lo + threadIdx.x; j < y.hi; j += blockDim.x) {
        s.west()[j - y.lo] = a.in[j * a.sy + x.lo];
        s.east()[j - y.lo] = a.in[j * a.sy + x.hi - 1];
    }
}

/* --- norm ------------------------------------------------------------------------------------- */

#define NORM_BLOCKS 1024
#define NORM_THREADS 256

/* |r| of the field a launch starts from: a separate pass, since no tile's first sweep sees the
 * whole field unchanged. Reads u and the right-hand side, 16 bytes per point in double precision;
 * consecutive threads take consecutive points, so that accesses are coalesced. */
template <class E>
__global__ void __launch_bounds__(NORM_THREADS)
    norm_of_start(ss_cuda_sweep<typename E::real> a, E update)
{
    typedef typename E::real T;
    int pieces = (a.nx + NORM_THREADS - 1) / NORM_THREADS; /* of a row */
    double squares = 0;
    await_previous();
    bool stop = stopped(a);
    for (int64_t p = blockIdx.x; p < (int64_t)pieces * a.ny; p += gridDim.x) {
        int j = (int)(p / pieces), i = (int)(p % pieces) * NORM_THREADS + threadIdx.x;
        if (i >= a.nx)
            continue;
        const T *in = a.in + j * a.sy + i;
        T south = E::dim > 1 ? in[-a.sy] : 0, north = E::dim > 1 ? in[a.sy] : 0;
        double d = (double)(update(a.rhs[j * a.sy + i], in[-1], in[1], south, north) - in[0]);
        squares += d * d;
    }
    add_to_norm(a, stop, squares);
}

#endif
