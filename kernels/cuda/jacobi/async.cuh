/*
 * Asynchronous Jacobi: a thread block loads a tile into shared memory and sweeps it s times per
 * launch. In variants 0, 1 and 3 it exchanges its edge with its neighbours after each sweep but the
 * last: it writes its outermost points to strips in global memory and reads its neighbours' strips
 * into its halo (async_halo.cuh), whatever they hold by then. Blocks never wait for each other; how
 * many sweeps apart they are depends on the hardware's timing.
 *
 *     variant   sweeps s per launch   buffers of a tile   exchange   barriers per sweep
 *     0         2 floor(alpha/2)+1    two                 yes        three
 *     1         the same              two                 yes        one
 *     2         the same              two                 no         one
 *     3         alpha + 1             one, in place       yes        none
 *
 * alpha is the solver's parameter. Source: Venkatasubramanian & Vuduc, tuned and wildly
 * asynchronous stencil kernels, figures 7 to 10. kernels/cpu/async.c runs the same variants in a
 * random order of sweeps that can be repeated.
 *
 * Strips. At the start of a launch they hold the edges of the field that it starts from, so that a
 * block that reads them early gets those. The last sweep of a launch writes the new field, and its
 * edges to a second set of strips, from which the next launch starts.
 *
 * Global memory in double precision: 24 bytes per point and launch (u and right-hand side read, u
 * written), 24/s per sweep. The strips of a tile are written once per launch and read twice in
 * variant 2, written s times and read s + 1 times in 0 and 1, written and read s times in 3.
 *
 * H200, n = 1024, tiles of 64 x 32 points, alpha = 8, so that s = 9, double precision, no norms:
 * time per sweep, and speed-up over `vector`, the best kernel that iterates once per launch. The
 * exchange takes as long as the sweeps, the two barriers that only variant 0 has next to nothing.
 * Variant 3 differs from 1 in two ways, so that the table does not tell which one saves time. (It
 * was measured with these kernels; tiles of 64 x 32 now lie in registers: async_register.cuh.)
 *
 *     variant 0   3.39 us   1.25          variant 2   1.69 us   2.50
 *     variant 1   3.34 us   1.27          variant 3   2.84 us   1.49
 *
 * A launch may have more blocks than can be resident at once. (The table's 512 all fit: at least
 * four per SM, on 132 SMs.) Excess blocks run in waves: a block starts when another has ended, in
 * an order that is not specified. At a neighbour, a block mostly finds the strips of its last
 * exchange, because it has ended, or those of the start, because it has not started. That resembles
 * Gauss-Seidel over the tiles. The picture's layer AGE, made from async_args::stamps, shows it:
 * when half of all sweeps were done, some tiles had finished all of theirs and others none. Device
 * code; async.c launches these kernels.
 */
#ifndef SS_CUDA_ASYNC_CUH
#define SS_CUDA_ASYNC_CUH

#include "kernels/cuda/device/norm.cuh"
#include "kernels/cuda/device/ptx.cuh"
#include "kernels/cuda/device/update.cuh"
#include "kernels/cuda/jacobi/async_tile.cuh"

/* A row of the table above. EXCHANGE: within a launch. IN_PLACE: new values overwrite the old ones
 * in a single buffer; else two buffers alternate. BARRIERS: of each sweep but the last. */
template <bool EXCHANGE, bool IN_PLACE, int BARRIERS> struct async_variant {
    static const bool exchange = EXCHANGE, in_place = IN_PLACE;
    static const int barriers = BARRIERS;
};
typedef async_variant<true, false, 3> variant_0;
typedef async_variant<true, false, 1> variant_1;
typedef async_variant<false, false, 1> variant_2;
typedef async_variant<true, true, 0> variant_3;

/* --- a launch --------------------------------------------------------------------------------- */

/* Offset of a tile's first point from interior point (0, 0). Tiles are numbered row by row. */
static __device__ __forceinline__ ptrdiff_t origin_of(const ss_tiling &t, int tile, ptrdiff_t sy)
{
    return ss_cut_span(t.y, tile / t.x.count).lo * sy + ss_cut_span(t.x, tile % t.x.count).lo;
}

/* Writes the tile's strips and reads its neighbours' into the halo of `buffer`. The two barriers of
 * variant 0 are the paper's. The first holds back all strips until the whole tile is updated, the
 * second all reads until the whole tile has written. They order nothing between blocks, and within
 * a block no result depends on them: strips are written from registers, and the halo is written in
 * a buffer that no thread reads before the next barrier. Without them each warp exchanges as soon
 * as it is ready; its values may be a sweep older or newer either way. */
template <class V, class E>
static __device__ __forceinline__ void
exchange_strips(const thread_points<E> &p, const tile_strips<typename E::real> &own_strips,
                typename E::real *strips, const halo_point *list, halo_share share,
                volatile typename E::real *buffer)
{
    typedef typename E::real T;
    if (V::barriers == 3)
        __syncthreads();
    p.write_strips(own_strips, [](T *to, T value) { store_relaxed(to, value); });
    if (V::barriers == 3)
        __syncthreads();
    read_neighbours(strips, list, share, buffer);
}

/* All sweeps of a launch but the last one. They alternate between two buffers, `from` and
 * from + to_other; in place to_other is 0. The barrier that ends a sweep of variants 0 to 2 makes
 * the double buffer safe: in the next sweep no thread reads points that are still being written,
 * and none overwrites points that are still being read. Variant 3 has no barrier: a warp may find
 * points of other warps of its tile before or after their update. Returns the buffer with the last
 * state. */
template <class V, class E>
static __device__ __forceinline__ volatile typename E::real *
sweep_tile(thread_points<E> &p, const E &update, const async_args<typename E::real> &args,
           const tile_strips<typename E::real> &own_strips, const halo_point *list,
           halo_share share, volatile typename E::real *from, int to_other)
{
    for (int n = 1; n < args.sweeps; n++) {
        p.template sweep<V::in_place, true>(update, from, from + to_other);
        if (V::exchange)
            exchange_strips<V>(p, own_strips, args.strips, list, share, from + to_other);
        if (V::barriers > 0)
            __syncthreads();
        if (threadIdx.x == 0 && threadIdx.y == 0)
            args.stamps[(int)blockIdx.x * args.sweeps + n - 1] = nanoseconds();
        from += to_other;
        to_other = -to_other;
    }
    return from;
}

/* The last sweep. In all variants it is not in place and writes no buffer: its values stay in
 * registers, and go to the new field and to the strips of the next launch. These are read after
 * this launch has ended, so that plain stores are enough. */
template <class V, class E>
static __device__ __forceinline__ void
finish_tile(thread_points<E> &p, const E &update, const ss_cuda_sweep<typename E::real> &a,
            const async_args<typename E::real> &args, volatile typename E::real *from,
            ptrdiff_t origin)
{
    typedef typename E::real T;
    /* With an exchange the origin is computed again, from an opaque tile number (ptx.cuh), so
     * that no register holds it during the sweeps. Variant 2 holds it. */
    if (V::exchange) {
        int tile = blockIdx.x;
        opaque(tile);
        origin = origin_of(args.tiling, tile, a.sy);
    }
    p.template sweep<false, false>(update, from, from);
    if (threadIdx.x == 0 && threadIdx.y == 0)
        args.stamps[(int)(blockIdx.x + 1) * args.sweeps - 1] = nanoseconds();
    p.store(a.out, origin, a.sy);
    p.write_strips(tile_strips<T>(args.next_strips, args, blockIdx.x),
                   [](T *to, T value) { *to = value; });
}

/* One launch, one block per tile. Shared memory: the one or two buffers of the tile, then the list
 * of its halo points. Both buffers get the halo that the launch starts with: variant 2 never
 * replaces it. (Variants 0 and 1 replace that of the second buffer before they read it.) The
 * launch bounds ask for registers such that one block of the largest size fits on an SM:
 * 65536 / 1024 = 64 per thread on planes, of which 32 hold 8 points and their right-hand sides in
 * double precision. */
template <class E, class V>
__global__ void __launch_bounds__(ASYNC_THREADS(E::dim), 1)
    async_tiles(ss_cuda_sweep<typename E::real> a, E update, async_args<typename E::real> args)
{
    typedef typename E::real T;
    extern __shared__ double raw[];
    thread_points<E> p;
    p.init(block_span_x(args.tiling), block_span_y(args.tiling));
    tile_strips<T> own_strips(args.strips, args, blockIdx.x);
    ptrdiff_t origin = origin_of(args.tiling, blockIdx.x, a.sy);
    volatile T *buffer = (T *)raw;
    int size = p.buffer_size(), to_other = V::in_place ? 0 : size;
    halo_point *list = (halo_point *)((T *)raw + size + to_other);
    halo_share share(p.halo_size());
    list_halo<E>(args, p.row - 2, p.ny, list, share, buffer, to_other);
    p.load(a.rhs, origin, a.sy, p.rhs);
    /* Until here the previous kernel may still run (ptx.cuh): only the right-hand side has been
     * read, which no kernel writes. */
    await_previous();
    if (stopped(a))
        return;
    p.load(a.in, origin, a.sy, p.u);
    p.write(buffer);
    read_neighbours(args.strips, list, share, buffer);
    if (!V::in_place)
        read_neighbours(args.strips, list, share, buffer + to_other);
    __syncthreads(); /* the tile and its halo are loaded */
    buffer = sweep_tile<V>(p, update, args, own_strips, list, share, buffer, to_other);
    let_next_begin(); /* the next launch may prepare, up to its await_previous, in the last sweep */
    finish_tile<V>(p, update, a, args, buffer, origin);
}

/* --- before the first launch of a step -------------------------------------------------------- */

/* Fills the strips of all tiles from the field. Rows are read coalesced, columns are not, but that
 * is once per step. */
template <class E>
__global__ void fill_strips(ss_cuda_sweep<typename E::real> a, async_args<typename E::real> args)
{
    ss_span x = block_span_x(args.tiling), y = block_span_y(args.tiling);
    tile_strips<typename E::real> s(args.strips, args, blockIdx.x);
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

#define NORM_BLOCKS 1024 /* each leaves one partial sum */
#define NORM_THREADS 256

/* The sum of squared updates (u' - u)^2 of the field a launch starts from; add_to_norm makes |r| of
 * it (device/norm.cuh). A kernel of its own: within the launch a tile's first sweep may already see
 * values that its neighbours have updated. Reads u and the right-hand side, 16 bytes per point in
 * double precision. A block takes NORM_THREADS consecutive points of a row at a time: accesses are
 * coalesced. At the ends of the grid it reads the field's halo, which is 0. */
template <class E>
__global__ void __launch_bounds__(NORM_THREADS)
    norm_of_start(ss_cuda_sweep<typename E::real> a, E update)
{
    typedef typename E::real T;
    int chunks = (a.nx + NORM_THREADS - 1) / NORM_THREADS; /* per row */
    double squares = 0;
    await_previous();
    bool stop = stopped(a); /* needed only at the end: the sums need not wait for this load */
    for (int64_t p = blockIdx.x; p < (int64_t)chunks * a.ny; p += gridDim.x) {
        int j = (int)(p / chunks), i = (int)(p % chunks) * NORM_THREADS + threadIdx.x;
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
