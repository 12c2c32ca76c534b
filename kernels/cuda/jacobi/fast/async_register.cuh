/*
 * Reads after `async.cuh` and `tile_register.cuh`. Variant 3 of asynchronous Jacobi (async.cuh)
 * with the tile in registers, one to eight warps, one above the other. A sweep
 * updates rows in place from south to north: the south neighbour of a point is new if it is the
 * same lane's, all others are old. Neighbours in other lanes come by shuffle, those in other warps
 * and blocks from halo strips in shared memory, which nobody waits for:
 *
 *     1. load the neighbouring tiles' strips from global memory, a few values per thread
 *     2. sweep
 *     3. store the outermost points: to the halo of the next warp, or to this tile's strips
 *     4. put the values of 1 into the halo
 *
 * So the loads of 1 travel while the warp computes, and a halo is older by one sweep than in
 * async_tile.cuh.
 *
 * As there, all accesses of a race are relaxed: strips in global memory by atomics, those in shared
 * memory because they are volatile. Only tiles of exactly these shapes lie in registers, others in
 * shared memory; where the grid ends within a tile, the points outside are frozen at 0, which is
 * the halo there. Device code; async.c launches this kernel.
 *
 * Limit, double precision: an SM holds two tiles of 64 x 64 points, 8 warps. A sweep of them takes
 * 512 clocks of arithmetic (4 operations a point, 64 a clock), 384 of shuffles and about 400 of
 * loads and stores of halos: about 8 points a clock, 2100 GPoints/s at 1.98 GHz, if all latencies
 * were hidden. In shared memory (async_tile.cuh) a point takes two loads and a store, and 2.2
 * instructions per point and sweep are spent on loop bounds: issue slots are 68 % busy.
 */
#ifndef SS_CUDA_ASYNC_REGISTER_CUH
#define SS_CUDA_ASYNC_REGISTER_CUH

#include "kernels/cuda/jacobi/async.cuh"
#include "kernels/cuda/jacobi/tile_register.cuh"

/* The halo of a tile of W x H points in shared memory, in the order in which find_halo_point counts
 * it: south row, north row, west column, east column. Between warps w and w + 1: above[w] is the
 * row above warp w, below[w] the row below warp w + 1. */
template <class P, int WARPS> struct racing_halo {
    typedef typename P::T T;
    static const int W = P::WIDTH, H = P::HEIGHT * WARPS, POINTS = 2 * (W + H);
    static const int THREADS = 32 * WARPS, EACH = (POINTS + THREADS - 1) / THREADS;
    volatile T ring[POINTS];
    volatile T above[WARPS][W], below[WARPS][W];

    /* The halo next to this lane. */
    __device__ halo_ptrs<volatile T> ptrs(const P &p)
    {
        int warp = threadIdx.x / 32, y = warp * P::HEIGHT + p.y(0), x = p.x(0);
        return {ring + 2 * W + (p.lx != 0 ? H : 0) + y, warp > 0 ? below[warp - 1] + x : ring + x,
                warp + 1 < WARPS ? above[warp] + x : ring + W + x};
    }

    /* Writes the outermost rows of a warp to the halos of the next ones in the block. */
    __device__ __forceinline__ void publish(const P &p)
    {
        int warp = threadIdx.x / 32;
#pragma unroll
        for (int c = 0; c < P::C; c++) {
            if (p.ly == 0 && warp > 0)
                above[warp - 1][p.x(c)] = p.u[0][c];
            if (p.ly == P::LY - 1 && warp + 1 < WARPS)
                below[warp][p.x(c)] = p.u[P::R - 1][c];
        }
    }
};

/* This thread's points of the halo: threadIdx.x, threadIdx.x + THREADS and so on. */
template <class HALO> struct halo_reader {
    typedef typename HALO::T T;
    int from[HALO::EACH]; /* index among all strips; < 0: the grid ends here */
    T value[HALO::EACH];

    template <class E> __device__ __forceinline__ void init(const async_args<T> &args)
    {
        const int W = HALO::W, H = HALO::H;
        ss_span x = block_span_x(args.tiling), y = block_span_y(args.tiling);
#pragma unroll
        for (int i = 0; i < HALO::EACH; i++) {
            int q = threadIdx.x + i * HALO::THREADS;
            bool in_row = q < 2 * W;
            int k = in_row ? q % W : (q - 2 * W) % H;
            bool exists = q < HALO::POINTS && k < (in_row ? x.hi - x.lo : y.hi - y.lo);
            from[i] = exists ? find_halo_point<E>(args, W, H, q).from : -1;
        }
    }
    __device__ __forceinline__ void load(T *strips)
    {
#pragma unroll
        for (int i = 0; i < HALO::EACH; i++)
            value[i] = from[i] >= 0 ? load_relaxed(strips + from[i]) : 0;
    }
    __device__ __forceinline__ void put(HALO &halo) const
    {
#pragma unroll
        for (int i = 0; i < HALO::EACH; i++) {
            int q = threadIdx.x + i * HALO::THREADS;
            if (q < HALO::POINTS)
                halo.ring[q] = value[i];
        }
    }
};

/* Writes the outermost points of the tile to its strips with the store `store_to`. */
template <class HALO, class P, class STORE>
static __device__ __forceinline__ void
write_racing_strips(const P &p, const tile_strips<typename P::T> &s, STORE store_to)
{
    int warp = threadIdx.x / 32, y = warp * P::HEIGHT;
#pragma unroll
    for (int c = 0; c < P::C; c++) {
        if (p.ly == 0 && y == 0)
            store_to(s.south + p.x(c), p.u[0][c]);
        if (p.ly == P::LY - 1 && y + P::HEIGHT == HALO::H)
            store_to(s.north() + p.x(c), p.u[P::R - 1][c]);
    }
    if (p.lx == 0)
#pragma unroll
        for (int r = 0; r < P::R; r++)
            store_to(s.west() + y + p.y(r), p.u[r][0]);
    if (p.lx == P::LX - 1)
#pragma unroll
        for (int r = 0; r < P::R; r++)
            store_to(s.east() + y + p.y(r), p.u[r][P::C - 1]);
}

/* All sweeps of a launch but the last one. FROZEN: the grid ends within the warp. */
template <bool FROZEN, class HALO, class P, class E, typename T>
static __device__ __forceinline__ void race_on(P &p, const E &update, const async_args<T> &args,
                                               HALO &halo, halo_reader<HALO> &reader)
{
    tile_strips<T> own_strips(args.strips, args, blockIdx.x);
    for (int n = 1; n < args.sweeps; n++) {
        reader.load(args.strips);
        p.template sweep<false, FROZEN, false, true>(update, halo.ptrs(p), 0);
        halo.publish(p);
        write_racing_strips<HALO>(p, own_strips, [](T *to, T value) { store_relaxed(to, value); });
        reader.put(halo);
        if (threadIdx.x == 0)
            args.stamps[(int)blockIdx.x * args.sweeps + n - 1] = nanoseconds();
        __syncwarp(); /* lanes of a warp stay together */
    }
}

/* One launch, one block per tile. The last sweep is not in place, as in all variants. */
template <class E, class P, int WARPS, int BLOCKS>
__global__ void __launch_bounds__(32 * WARPS, BLOCKS)
    async_in_registers(ss_cuda_sweep<typename E::real> a, E update,
                       async_args<typename E::real> args)
{
    typedef typename E::real T;
    typedef racing_halo<P, WARPS> halo_type;
    __shared__ halo_type halo;
    halo_reader<halo_type> reader;
    launch_tiling t = {args.tiling, 0};
    T beside[P::R]; /* not used: the halo comes from the strips */
    bool whole, full;
    P p;
    p.init();
    typename P::mask owned = classify<false>(t, p, whole, full);
    load_rhs(p, a, t, whole);
    reader.template init<E>(args);
    await_previous();
    int stop = stopped(a);
    if (stop)
        return;
    load_rows(p, a, t, whole, beside);
    reader.load(args.strips);
    reader.put(halo);
    halo.publish(p);
    __syncthreads(); /* the tile and its halo are loaded */
    bool frozen = __any_sync(~0u, p.frozen != 0);
    if (frozen)
        race_on<true>(p, update, args, halo, reader);
    else
        race_on<false>(p, update, args, halo, reader);
    let_next_begin();
    p.template sweep<false, true>(update, halo.ptrs(p), 0);
    if (threadIdx.x == 0)
        args.stamps[(int)(blockIdx.x + 1) * args.sweeps - 1] = nanoseconds();
    store_tile(p, a, t, stop, full, owned);
    write_racing_strips<halo_type>(p, tile_strips<T>(args.next_strips, args, blockIdx.x),
                                   [](T *to, T value) { *to = value; });
}

#endif
