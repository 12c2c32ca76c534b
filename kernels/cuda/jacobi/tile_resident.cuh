/*
 * Resident tiles: the tiles of tile_register.cuh, but one launch does many cycles. Each thread
 * block keeps its tile in registers from the first cycle to the last. Between two cycles the blocks
 * exchange what the next one needs of its neighbours: a strip of overlap / 2 points, which the
 * neighbour owns, and behind it the frozen halo, one point more. So a cycle moves strips through
 * the L2 cache instead of the field through memory, and blocks wait for their neighbours' flags
 * (halo_exchange.cuh) instead of a launch. One direction, block 12, overlap 4; o owned, s owned and
 * sent, r received, h halo (received):
 *
 *     h rr ss oooooo ss rr h
 *
 * The result is that of the same cycles one by one, bit for bit. All blocks run at once: there are
 * at most as many tiles as the SMs hold (132 on an H200, one each).
 *
 * A tile may be smaller than its thread block. Its halo then lies among the points of some lanes,
 * which update it like any other point; its values are in shared memory, and are put back after
 * each subiteration. So the loop that counts has no test for frozen points, and the registers that
 * it would take hold points instead. Points beyond the halo have no right-hand side, and no effect.
 *
 * Two columns of 20 rows per lane: for 40 updates a lane exchanges 44 values, 40 of them by
 * shuffles; with right-hand sides it has 160 of its 255 registers for points. At n = 1024 in double
 * precision with 64 x 160 points and an overlap of 4 there are 17 x 7 = 119 tiles.
 *
 * A cycle whose norm is taken is a launch of its own. resident.cu launches this kernel.
 */
#ifndef SS_CUDA_TILE_RESIDENT_CUH
#define SS_CUDA_TILE_RESIDENT_CUH

#include "kernels/cuda/jacobi/persistent.cuh"
#include "kernels/cuda/jacobi/tile_register.cuh"

/* exchange: as in persistent_args. Of its x and y, count is the number of tiles, and every the
 * depth of what a tile sends, overlap / 2 + 1. */
template <typename T> struct resident_args : persistent_args<T> {
    launch_tiling tiling;
    int k, cycles;
};

template <class P, int WARPS> struct resident_smem {
    halo_strips<P, 1, WARPS> strips;
    /* The halo among a thread's points: of its column east of the tile, and its row north of it. */
    typename P::T east[P::R][32 * WARPS], north[P::C][32 * WARPS];
    point_masks<typename P::mask> masks[32 * WARPS];
    typename P::template rhs_smem<(P::SMEM_ROWS > 0 ? WARPS : 1)> rhs;
};

/* --- which points are sent, which are received ------------------------------------------------ */

/* Is point i owned by span s, and within `depth` of a neighbour that it has? */
static __device__ __forceinline__ bool is_sent(const ss_cut &c, const ss_span &s, int i, int depth)
{
    return (s.wlo > 0 && i < s.wlo + depth) || (s.whi < c.n && i >= s.whi - depth);
}

/* frozen: the points outside the tile, its halo among them. */
template <class P, class A>
static __device__ __forceinline__ point_masks<typename P::mask> masks_of(const P &p, const A &a)
{
    typedef typename P::mask mask;
    const launch_tiling &t = a.tiling;
    ss_span x = block_span_x(t), y = block_span_y(t);
    int i = x.lo + p.x(0), j = y.lo + threadIdx.x / 32 * P::HEIGHT + p.y(0);
    point_masks<mask> m = {0, 0, 0, 0, (ptrdiff_t)j * a.sy + i};
#pragma unroll 1
    for (int r = 0; r < P::R; r++)
#pragma unroll
        for (int c = 0; c < P::C; c++) {
            mask bit = (mask)1 << (r * P::C + c);
            int px = i + c, py = j + r;
            bool inside = px < x.hi && py < y.hi;
            bool owned =
                inside && px >= x.wlo && px < x.whi && py >= y.wlo && py < y.whi;
            bool sent = is_sent(t.x, x, px, a.x.every) || is_sent(t.y, y, py, a.y.every);
            bool halo = (px == x.hi && py < y.hi) || (py == y.hi && px < x.hi);
            halo = halo && px < t.x.n && py < t.y.n;
            m.frozen |= inside ? 0 : bit;
            m.owned |= owned ? bit : 0;
            m.sent |= owned && sent ? bit : 0;
            m.received |= (inside && !owned) || halo ? bit : 0;
        }
    return m;
}

/* --- load ------------------------------------------------------------------------------------- */

/* Loads those of the lane's points that are in the mask, or with RHS their right-hand sides; the
 * others become 0. */
template <bool RHS, class P>
static __device__ __forceinline__ void load_masked(P &p, const typename P::T *from, ptrdiff_t sy,
                                                   typename P::mask bits)
{
    opaque(sy);
#pragma unroll
    for (int r = 0; r < P::R; r++, from += sy)
#pragma unroll
        for (int c = 0; c < P::C; c++)
            (RHS ? p.rhs(r, c) : p.u[r][c]) = bits >> (r * P::C + c) & 1 ? from[c] : 0;
}

/* Reads the frozen halo beside the tile, where it is no end of the grid. `buffer` points to the
 * lane's first point. The strips of both subiterations get it; no other lane reads them. */
template <class P, int WARPS, class A>
static __device__ __forceinline__ void receive_halo(const P &p, resident_smem<P, WARPS> &smem,
                                                    const A &a, const typename P::T *buffer)
{
    typedef typename P::T T;
    const launch_tiling &t = a.tiling;
    ss_span x = block_span_x(t), y = block_span_y(t);
    const int warp = threadIdx.x / 32;
    halo_ptrs<T> h0 = smem.strips.ptrs(p, 0), h1 = smem.strips.ptrs(p, 1);
    ptrdiff_t sy = a.sy;
    opaque(sy);
    bool west = p.lx == 0 && x.lo > 0;
    bool east = p.lx == P::LX - 1 && x.lo + P::WIDTH == x.hi && x.hi < t.x.n;
    int rows = y.hi - y.lo - warp * P::HEIGHT - p.y(0);
    if (west || east) {
        const T *from = buffer + (west ? -1 : P::C);
#pragma unroll
        for (int r = 0; r < P::R; r++, from += sy)
            if (r < rows)
                h0.x[r] = h1.x[r] = __ldcg(from);
    }
    int columns = x.hi - x.lo - p.x(0);
    bool south = warp == 0 && p.ly == 0 && y.lo > 0;
    bool north = warp == WARPS - 1 && p.ly == P::LY - 1 && rows == P::R && y.hi < t.y.n;
#pragma unroll
    for (int c = 0; c < P::C; c++) {
        if (south && c < columns)
            h0.south[c] = h1.south[c] = __ldcg(buffer - sy + c);
        if (north && c < columns)
            h0.north[c] = h1.north[c] = __ldcg(buffer + P::R * sy + c);
    }
}

/* --- the halo among a lane's points ----------------------------------------------------------- */

/* Which columns and rows of the lane are inside the tile: those below these numbers. */
struct lane_part {
    int columns, rows;
};

template <class P, class A>
static __device__ __forceinline__ lane_part part_of(const P &p, const A &a)
{
    ss_span x = block_span_x(a.tiling), y = block_span_y(a.tiling);
    return {x.hi - x.lo - p.x(0), y.hi - y.lo - (int)threadIdx.x / 32 * P::HEIGHT - p.y(0)};
}

template <class P> static __device__ __forceinline__ bool has_halo(const lane_part &in)
{
    return (in.columns >= 0 && in.columns < P::C) || (in.rows >= 0 && in.rows < P::R);
}

/* SAVE: copies the halo to shared memory; else puts it back. */
template <bool SAVE, class P, int WARPS>
static __device__ __forceinline__ void copy_halo(P &p, resident_smem<P, WARPS> &smem,
                                                 const lane_part &in)
{
#pragma unroll
    for (int r = 0; r < P::R; r++)
#pragma unroll
        for (int c = 0; c < P::C; c++) {
            bool east = c == in.columns && r < in.rows, north = r == in.rows && c < in.columns;
            if (SAVE && east)
                smem.east[r][threadIdx.x] = p.u[r][c];
            if (SAVE && north)
                smem.north[c][threadIdx.x] = p.u[r][c];
            if (!SAVE && east)
                p.u[r][c] = smem.east[r][threadIdx.x];
            if (!SAVE && north)
                p.u[r][c] = smem.north[c][threadIdx.x];
        }
}

/* --- iterate ---------------------------------------------------------------------------------- */

/* Exchange `number`: the points, then the halo beside the tile. */
template <class P, int WARPS, class A>
static __device__ __forceinline__ void exchange_tile(P &p, resident_smem<P, WARPS> &smem,
                                                     const A &a, int number, bool partial)
{
    const point_masks<typename P::mask> &m = smem.masks[threadIdx.x];
    exchange_halo<false>(p, a, number, m);
    receive_halo(p, smem, a, (number & 1 ? a.exchange[1] : a.exchange[0]) + m.offset);
    if (partial)
        copy_halo<true>(p, smem, part_of(p, a));
}

/* All cycles of a launch; with NORM it is one, and the thread's squared changes in its first
 * subiteration are returned. n counts subiterations: number n reads the strips of buffer n mod 2
 * and publishes those of number n + 1, after the exchange, so that received points are among them.
 * A warp outside the tile has nothing to update. */
template <bool NORM, class E, class P, int WARPS, class A>
static __device__ __forceinline__ double iterate_resident(P &p, resident_smem<P, WARPS> &smem,
                                                          const E &update, const A &a)
{
    lane_part in = part_of(p, a);
    bool partial = __any_sync(~0u, has_halo<P>(in));
    bool idle = __all_sync(~0u, in.columns <= 0 || in.rows <= 0);
    double squares = 0;
    int n = 0;
    if (partial)
        copy_halo<true>(p, smem, in);
    for (int cycle = 1; cycle <= a.cycles; cycle++)
        for (int left = a.k; left > 0; left--, n++) {
            halo_ptrs<typename P::T> halo = smem.strips.ptrs(p, n);
            if (NORM && n == 0)
                squares = p.template sweep<true, false>(update, halo, smem.masks[threadIdx.x].owned);
            else if (!idle)
                p.template sweep<false, false>(update, halo, 0);
            if (partial)
                copy_halo<false>(p, smem, part_of(p, a));
            if (!NORM && left == 1 && cycle < a.cycles)
                exchange_tile(p, smem, a, a.exchanges_before + cycle, partial);
            smem.strips.publish(p, n + 1);
        }
    return squares;
}

/* --- the kernel ------------------------------------------------------------------------------- */

/* NORM: one cycle. */
template <class E, class P, int WARPS, bool NORM>
__global__ void __launch_bounds__(32 * WARPS, 1)
    resident_tiles(ss_cuda_sweep<typename E::real> field, E update,
                   resident_args<typename E::real> a)
{
    extern __shared__ double raw[];
    resident_smem<P, WARPS> &smem = *(resident_smem<P, WARPS> *)raw;
    int stop = stopped(field);
    if (!NORM && stop)
        return; /* so do all blocks */
    P p;
    p.init();
    p.use_smem(smem.rhs);
    point_masks<typename P::mask> m = masks_of(p, a);
    smem.masks[threadIdx.x] = m;
    load_masked<false>(p, a.in + m.offset, a.sy, ~m.frozen | m.received);
    __syncthreads(); /* only to keep both loads apart: fewer registers */
    load_masked<true>(p, a.rhs + m.offset, a.sy, ~m.frozen);
    const typename P::T zero_x[P::R] = {}, zero_y[P::C] = {}; /* at the ends of the grid */
    smem.strips.init(p, zero_x, zero_y, zero_y);
    receive_halo(p, smem, a, a.in + m.offset);
    smem.strips.publish(p, 0); /* the warps' edges for subiteration 0; ends with a barrier */
    double squares = iterate_resident<NORM>(p, smem, update, a);
    if (!NORM || !stop)
        store_owned(p, a, smem.masks[threadIdx.x]);
    if (NORM)
        add_to_norm(field, stop, squares);
}

#endif
