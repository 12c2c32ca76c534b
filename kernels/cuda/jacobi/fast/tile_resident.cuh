/*
 * Reads after `persistent.cuh`. Resident tiles: the tiles of tile_register.cuh, but one launch does
 * many cycles. Each thread block keeps its tile in registers from the first cycle to the last.
 * Between two cycles the blocks exchange what the next one needs of its neighbours: a strip of
 * overlap / 2 points, which the neighbour owns, and behind it the frozen halo, one point more. So a
 * cycle moves strips through the L2 cache instead of the field through memory, and blocks wait for
 * their neighbours' flags (halo_exchange.cuh) instead of a launch. One direction, block 12, overlap
 * 4; o owned, s owned and sent, r received, h halo (received):
 *
 *     h rr sss oo sss rr h
 *
 * The result is that of the same cycles one by one, bit for bit. All blocks run at once: there are
 * at most as many tiles as the SMs hold (132 on an H200, one each).
 *
 * A tile may be smaller than its thread block. Its halo then lies among the points of some lanes,
 * which update it like any other point; its values are in shared memory, and are put back after
 * each subiteration. So the loop that counts has no test for frozen points, and the registers that
 * it would take hold points instead. Points beyond the halo have no right-hand side, and no effect.
 *
 * Right-hand sides are in registers, too: 4 x 11 points of a lane take 176 of its 255 registers in
 * double precision. At n = 1024 tiles of 128 x 88 points with an overlap of 16 and 10 are 9 x 13 =
 * 117. There the x strips are whole rows of lanes, which are sent as vectors.
 *
 * H100, n = 1024, double precision: a cycle of k = 64 takes 39.7 us, 2859 of them reach a residual
 * of 1e-4. A subiteration takes 0.55 us, an exchange about 4.5 us (measured.md). With the default's
 * checks tile_register.cuh takes 167 ms (64 x 72 points, overlap 4, k = 48), `vector` 843 ms. Small
 * fields gain nothing: at n = 512 and 256 a launch per cycle is faster.
 *
 * A cycle whose norm is taken is a launch of its own. resident.c launches this kernel.
 */
#ifndef SS_CUDA_TILE_RESIDENT_CUH
#define SS_CUDA_TILE_RESIDENT_CUH

#include "kernels/cuda/jacobi/fast/persistent.cuh"
#include "kernels/cuda/jacobi/tile_register.cuh"

/* exchange: as in flag_args. Of its x and y, count is the number of tiles, and every the
 * depth of what a tile sends: overlap / 2 + 1, in x rounded up to whole rows of lanes. */
template <typename T> struct resident_args : flag_args<T> {
    launch_tiling tiling;
    int k, cycles;
};

/* Where the block's tile lies, and which of its sides have a halo beside the thread block. */
struct tile_place {
    ptrdiff_t offset; /* of its first point from interior point (0, 0) */
    int columns, rows;
    bool west, east, south, north;
};

template <class P, int WARPS> struct resident_smem {
    halo_strips<P, 1, WARPS> strips;
    tile_place place;
    /* The halo among a thread's points: of its column east of the tile, and its row north of it. */
    typename P::T east[P::R][32 * WARPS], north[P::C][32 * WARPS];
    point_masks<typename P::mask> masks[32 * WARPS];
    rhs_smem<P, WARPS> rhs;
};

template <class P, int WARPS> static constexpr bool has_stated_size()
{
    const block_shape s = {P::LX, P::C, P::R, P::SMEM_ROWS, 1, WARPS};
    return sizeof(resident_smem<P, WARPS>) == resident_bytes(s, sizeof(typename P::T)) &&
           sizeof(tile_place) == TILE_PLACE_BYTES;
}

/* --- which points are sent, which are received ------------------------------------------------ */

/* Is point i owned by span s, and within `depth` of a neighbour that it has? */
static __device__ __forceinline__ bool is_sent(const ss_cut &c, const ss_span &s, int i, int depth)
{
    return (s.wlo > 0 && i < s.wlo + depth) || (s.whi < c.n && i >= s.whi - depth);
}

/* frozen: the points outside the tile, its halo among them. The tile begins at column `west` of the
 * thread block. */
template <class P, class A>
static __device__ __forceinline__ point_masks<typename P::mask> masks_of(const P &p, const A &a,
                                                                         int west = 0)
{
    typedef typename P::mask mask;
    const launch_tiling &t = a.tiling;
    ss_span x = block_span_x(t), y = block_span_y(t);
    int i = x.lo - west + p.x(0), j = y.lo + threadIdx.x / 32 * P::HEIGHT + p.y(0);
    point_masks<mask> m = {0, 0, 0, 0, (ptrdiff_t)j * a.sy + i};
#pragma unroll 1
    for (int r = 0; r < P::R; r++)
#pragma unroll
        for (int c = 0; c < P::C; c++) {
            mask bit = (mask)1 << (r * P::C + c);
            int px = i + c, py = j + r;
            bool inside = px >= x.lo && px < x.hi && py < y.hi;
            bool owned = inside && px >= x.wlo && px < x.whi && py >= y.wlo && py < y.whi;
            bool sent = is_sent(t.x, x, px, a.x.every) || is_sent(t.y, y, py, a.y.every);
            bool halo = ((px == x.lo - 1 || px == x.hi) && py < y.hi) ||
                        (py == y.hi && px >= x.lo && px < x.hi);
            halo = halo && px >= 0 && px < t.x.n && py < t.y.n;
            m.frozen |= inside ? 0 : bit;
            m.owned |= owned ? bit : 0;
            m.sent |= owned && sent ? bit : 0;
            m.received |= (inside && !owned) || halo ? bit : 0;
        }
    return m;
}

/* --- the halo beside the warps ---------------------------------------------------------------- */

template <class P, int WARPS, class A>
static __device__ __forceinline__ tile_place place_of(const A &a)
{
    const launch_tiling &t = a.tiling;
    ss_span x = block_span_x(t), y = block_span_y(t);
    tile_place at = {y.lo * a.sy + x.lo, x.hi - x.lo, y.hi - y.lo, 0, 0, 0, 0};
    at.west = x.lo > 0;
    at.south = y.lo > 0;
    at.east = at.columns == P::WIDTH && x.hi < t.x.n;
    at.north = at.rows == P::HEIGHT * WARPS && y.hi < t.y.n;
    return at;
}

/* The index of column x of the tile in a strip along x (along() in tile_register.cuh). */
template <class P> static __device__ __forceinline__ int place_in_strip(int x)
{
    return x / P::C * P::PACK + P::along(x % P::C);
}

/* Writes the halo beside the warp to its strips, for both subiterations, from `field`, which points
 * to interior point (0, 0). Lane i takes points i, i + 32 ... of each side, so that a warp waits
 * for memory once, not once per point. Other lanes of the warp read them, after the barrier in
 * `publish`. */
template <class P, int WARPS>
static __device__ __forceinline__ void receive_halo(resident_smem<P, WARPS> &smem,
                                                    const typename P::T *field, ptrdiff_t sy)
{
    typedef typename P::T T;
    const int ALONG_Y = (P::HEIGHT + 31) / 32, ALONG_X = P::WIDTH / 32;
    const int BESIDE = halo_strips<P, 1, WARPS>::BESIDE;
    const tile_place &at = smem.place;
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int rows = at.rows - warp * P::HEIGHT;
    const T *first = field + at.offset + warp * P::HEIGHT * sy;
    const bool beside[2] = {at.west, at.east};
    const bool above[2] = {at.south && warp == 0, at.north && warp == WARPS - 1};
    T x[2][ALONG_Y], y[2][ALONG_X];
#pragma unroll
    for (int side = 0; side < 2; side++) {
#pragma unroll
        for (int i = 0; i < ALONG_Y; i++)
            if (beside[side] && lane + 32 * i < P::HEIGHT && lane + 32 * i < rows)
                x[side][i] = __ldcg(first + (lane + 32 * i) * sy + (side ? P::WIDTH : -1));
#pragma unroll
        for (int i = 0; i < ALONG_X; i++)
            if (above[side] && lane + 32 * i < at.columns)
                y[side][i] = __ldcg(first + lane + 32 * i + (side ? P::HEIGHT * sy : -sy));
    }
#pragma unroll
    for (int n = 0; n < 2; n++)
#pragma unroll
        for (int side = 0; side < 2; side++) {
#pragma unroll
            for (int i = 0; i < ALONG_Y; i++)
                if (beside[side] && lane + 32 * i < P::HEIGHT && lane + 32 * i < rows)
                    smem.strips.x[n][warp][side][lane + 32 * i] = x[side][i];
#pragma unroll
            for (int i = 0; i < ALONG_X; i++)
                if (above[side] && lane + 32 * i < at.columns)
                    smem.strips.y[n][BESIDE + warp][side][place_in_strip<P>(lane + 32 * i)] =
                        y[side][i];
        }
}

/* --- the halo among a lane's points ----------------------------------------------------------- */

/* SAVE: copies it to shared memory; else puts it back. At most one column and one row of a lane
 * belong to it; most lanes have none. columns, rows: of the lane, inside the tile. */
template <bool SAVE, class P, int WARPS>
static __device__ __forceinline__ void copy_halo(P &p, resident_smem<P, WARPS> &smem)
{
    const int columns = smem.place.columns - p.x(0);
    const int rows = smem.place.rows - (int)threadIdx.x / 32 * P::HEIGHT - p.y(0);
#pragma unroll
    for (int c = 0; c < P::C; c++)
        if (c == columns)
#pragma unroll
            for (int r = 0; r < P::R; r++) {
                typename P::T &east = smem.east[r][threadIdx.x];
                if (r < rows)
                    (SAVE ? east : p.u[r][c]) = SAVE ? p.u[r][c] : east;
            }
    if (rows >= 0 && rows < P::R)
#pragma unroll
        for (int r = 0; r < P::R; r++)
            if (r == rows)
#pragma unroll
                for (int c = 0; c < P::C; c++) {
                    typename P::T &north = smem.north[c][threadIdx.x];
                    if (c < columns)
                        (SAVE ? north : p.u[r][c]) = SAVE ? p.u[r][c] : north;
                }
}

/* --- iterate ---------------------------------------------------------------------------------- */

/* Exchange `number`: the points, then the halo beside the tile. */
template <bool ROWS, class P, int WARPS, class A>
static __device__ __forceinline__ void exchange_tile(P &p, resident_smem<P, WARPS> &smem,
                                                     const A &a, int number, bool partial)
{
    exchange_halo<ROWS>(p, a, number, smem.masks[threadIdx.x]);
    receive_halo(smem, number & 1 ? a.exchange[1] : a.exchange[0], a.sy);
    if (partial)
        copy_halo<true>(p, smem);
}

/* Subiteration n; with FIRST the thread's squared changes are returned. First the warps' outermost
 * points become the halos of their neighbours, in buffer n mod 2 of the strips: the received points
 * after an exchange, too. In a block with PARTIAL warps, these put back the
 * halo among their points. */
template <bool FIRST, bool PARTIAL, class E, class P, int WARPS>
static __device__ __forceinline__ double iterate_once(P &p, resident_smem<P, WARPS> &smem,
                                                      const E &update, int n, bool partial)
{
    smem.strips.publish(p, n);
    halo_ptrs<typename P::T> halo = smem.strips.ptrs(p, n);
    double squares =
        p.template sweep<FIRST, false>(update, halo, FIRST ? smem.masks[threadIdx.x].owned : 0);
    if (PARTIAL && partial)
        copy_halo<false>(p, smem);
    return squares;
}

/* Subiterations [n, end). any: is a warp of the block partial? Then so is the loop. */
template <class E, class P, int WARPS>
static __device__ __forceinline__ void iterate_until(P &p, resident_smem<P, WARPS> &smem,
                                                     const E &update, int n, int end, bool partial,
                                                     bool any)
{
    if (any)
        for (; n < end; n++)
            iterate_once<false, true>(p, smem, update, n, partial);
    else
        for (; n < end; n++)
            iterate_once<false, false>(p, smem, update, n, false);
}

/* All cycles of a launch; with NORM it is one, and the thread's squared changes in its first
 * subiteration are returned. The exchange is outside the loops that count, which so have no branch.
 * rows: whole rows of lanes are sent and received. FULL: no warp is partial. */
template <bool NORM, bool FULL, class E, class P, int WARPS, class A>
static __device__ __forceinline__ double iterate_resident(P &p, resident_smem<P, WARPS> &smem,
                                                          const E &update, const A &a, bool rows)
{
    const int above = smem.place.rows - (int)threadIdx.x / 32 * P::HEIGHT; /* rows of the warp */
    const bool partial =
        !FULL && above >= 0 && (above < P::HEIGHT || smem.place.columns < P::WIDTH);
    const bool any = !FULL && __syncthreads_or(partial);
    double squares = 0;
    int n = 0;
    if (partial)
        copy_halo<true>(p, smem);
    if (NORM)
        squares = iterate_once<true, !FULL>(p, smem, update, n++, partial);
    for (int cycle = 1;; cycle++) {
        iterate_until(p, smem, update, n, cycle * a.k, partial, any);
        n = cycle * a.k;
        if (NORM || cycle == a.cycles)
            return squares;
        if (rows)
            exchange_tile<true>(p, smem, a, a.exchanges_before + cycle, partial);
        else
            exchange_tile<false>(p, smem, a, a.exchanges_before + cycle, partial);
    }
}

/* --- the kernel ------------------------------------------------------------------------------- */

/* NORM: one cycle. FULL: all tiles are as large as their thread blocks; a kernel of its own, since
 * the loop of partial warps costs the other one registers. */
template <class E, class P, int WARPS, bool NORM, bool FULL>
__global__ void __launch_bounds__(32 * WARPS, 1)
    resident_tiles(ss_cuda_sweep<typename E::real> field, E update,
                   resident_args<typename E::real> a)
{
    extern __shared__ double raw[];
    static_assert(has_stated_size<P, WARPS>(), "see block_shape.h");
    resident_smem<P, WARPS> &smem = *(resident_smem<P, WARPS> *)raw;
    int stop = stopped(field);
    if (!NORM && stop)
        return; /* so do all blocks */
    P p;
    p.init();
    use_smem(p, smem.rhs);
    if (threadIdx.x == 0)
        smem.place = place_of<P, WARPS>(a);
    point_masks<typename P::mask> m = masks_of(p, a);
    smem.masks[threadIdx.x] = m;
    bool rows = m.offset % pack<typename P::T>::n == 0 && P::C % pack<typename P::T>::n == 0 &&
                whole_rows<P>(m.sent) && whole_rows<P>(m.received);
    rows = __syncthreads_and(rows); /* true for all threads or for none */
    load_masked<false>(p, a.in + m.offset, a.sy, ~m.frozen | m.received);
    __syncthreads(); /* only to keep both loads apart: fewer registers */
    load_masked<true>(p, a.rhs + m.offset, a.sy, ~m.frozen);
    const typename P::T zero_x[P::R] = {}, zero_y[P::C] = {}; /* at the ends of the grid */
    smem.strips.init(p, zero_x, zero_y, zero_y);
    receive_halo(smem, a.in, a.sy);
    double squares = iterate_resident<NORM, FULL>(p, smem, update, a, rows);
    if (!NORM || !stop)
        store_owned(p, a, smem.masks[threadIdx.x]);
    if (NORM)
        add_to_norm(field, stop, squares);
}

#endif
