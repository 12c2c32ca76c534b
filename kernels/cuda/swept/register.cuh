/*
 * The swept rule's variant register: a node is a thread block; each warp advances several levels in
 * registers, with several points per thread. Such a number of levels is a slab (a time tile);
 * between slabs the warps exchange their points through shared memory. CUDA C++17.
 *
 * It combines the wide nodes of variant block (tall diamonds, few launches) with the registers of
 * variant warp (no barrier per level). On an H200, f64, a step of heat takes 540 ns for 2^20 points
 * (blocks of 1024; warp: 859 ns, block: 1.76 us), the fastest of the variants there.
 */
#ifndef SS_CUDA_SWEPT_REGISTER_CUH
#define SS_CUDA_SWEPT_REGISTER_CUH

#include "kernels/cuda/swept/diamond.cuh"
#include "kernels/cuda/swept/warp_step.cuh"

/*
 * A slab: levels that a warp advances entirely in registers, without synchronising with the other
 * warps of its node. The warp's window is 32 P points wide. Its outermost `halo_lanes` lanes on
 * each side only serve as halo: unknown values enter from beyond the window at R points per level,
 * and after halo / R levels they have just crossed these lanes. So warps overlap by their halos
 * (redundant work, as in overlapped temporal blocking), but nodes do not. Barriers separate two
 * slabs, and the windows are placed anew over the points that the next slab covers: as the triangle
 * shrinks, fewer warps have work.
 *
 * Within a slab every lane computes all of its points on every level, also points that the node may
 * not compute yet or any more: a condition per point would cost more than the update. On each side
 * of the diamond 2R points at its edge are exchanged with shared memory:
 *
 * - Lower half: the 2R points beside the level. The neighbours in the diamond before computed them;
 *   the next level reads all of them and covers R. After each level they are loaded from shared
 *   memory, over the invalid values that the lanes have just computed there.
 * - Upper half: the outermost 2R points of the level. Two levels later they are not covered any
 *   more: this is one of their last two levels, which the neighbours need. After each level they
 *   are stored to shared memory.
 *
 * The edge moves by R points per level. The levels are unrolled in groups, the fewest (even) over
 * which it moves by whole lanes. So an edge point lies in a register known at compile time, and one
 * comparison of the lane's position tells whether the lane holds it. R = 1, P = 4, groups of 4
 * levels, left edge; J counts levels within the group, # is covered, s is exchanged:
 *
 *                 lower half                               upper half
 *     lanes_from_lo  -2        -1         0                 0         1         2
 *     point k     0 1 2 3   0 1 2 3   0 1 2 3            0 1 2 3   0 1 2 3   0 1 2 3
 *     J = 0       . . . .   . . . .   # # # #            # # # #   # # # #   # # # #
 *     J = 1       . . . .   . s s #   # # # #            . s s #   # # # #   # # # #
 *     J = 2       . . . .   s s # #   # # # #            . . s s   # # # #   # # # #
 *     J = 3       . . . s   s # # #   # # # #            . . . s   s # # #   # # # #
 *     J = 4       . . s s   # # # #   # # # #            . . . .   s s # #   # # # #
 *
 * J = 4 is J = 0 of the next group, for which lanes_from_lo has changed by one lane.
 */
template <class EQ, int POINTS, int LANES = 2> struct slab {
    typedef EQ E;
    static const int P = POINTS, halo_lanes = LANES;                 /* on each side */
    static const int halo = halo_lanes * P, own = 32 * P - 2 * halo; /* points of a window */
    static const int levels = halo / E::radius;
    static const int group = P > 2 * E::radius ? P / E::radius : 2; /* levels, even */
    /* A block is a multiple of 32 points. So its half, over which an edge moves in h levels, is a
     * multiple of 16 points, and thereby a whole number of slabs, which move an edge by `halo`. */
    static_assert(levels % group == 0 && 16 % halo == 0, "slabs are whole groups and fit into h");

    static __host__ __device__ constexpr int warps(int block)
    {
        return (block + own - 1) / own;
    }
};

/* Occupancy: thread blocks per SM that the compiler must leave registers for, for nodes of at most
 * MAX_BLOCK points; 0: its own choice. Chosen by measurements on an H200, for this kernel only:
 * swept_persistent has its own number. */
template <class E, int P, int MAX_BLOCK>
constexpr int min_blocks_per_sm = P == 8   ? (E::stages > 1 ? 4 : 8)
                                  : P == 2 ? (E::fields == 1    ? 0
                                              : MAX_BLOCK > 512 ? 1
                                                                : 3)
                                           : 0;

/* A warp's window as one of its lanes sees it. */
template <class E> struct window {
    node_rows<E, true> mine;
    int x; /* local index of the lane's first point */
    /* (x - lo) / P and (x - hi) / P for the level [lo, hi) that the group starts from, J = 0: lanes
     * from the lane whose first point is lo, or hi, to this one; negative on its left. */
    int lanes_from_lo, lanes_from_hi;
    bool own; /* not a halo lane */
    ss_walls walls;
};

static __host__ __device__ constexpr int floor_div(int a, int b)
{
    return a >= 0 ? a / b : -((-a + b - 1) / b);
}

/* The edge points on level J = 1 .. group of a group: loaded from shared memory (GROW, the lower
 * half) or stored there. Row J & 1: a group starts from an even level. */
template <class E, int P, int J, bool GROW>
static __device__ __forceinline__ void exchange_edge_points(const window<E> &w, ss_points<E, P> &v)
{
    const int R = E::radius;
#pragma unroll
    for (int i = 0; i < 2 * R; i++) {
        /* Level J begins at lo - J R (lower half) or lo + J R (upper half). From there edge point i
         * is counted outwards (lower half) or inwards (upper half): it is point lo + l. Its mirror
         * image on the right is point hi + r: lo - 1 and hi, lo and hi - 1 correspond. l and r are
         * split into a lane and its point k (slot). In the picture, lower half, J = 1, i = 0: l =
         * -2 is lane -1, k = 2. P divides 8, so that a lane's points have no padding between. */
        const int l = GROW ? -J * R - 1 - i : J * R + i, r = -1 - l;
        const int l_lane = floor_div(l, P), r_lane = floor_div(r, P);
        const int l_slot = l - l_lane * P, r_slot = r - r_lane * P;
#pragma unroll
        for (int f = 0; f < E::fields; f++) {
            typename E::real *row = &w.mine.at(J & 1, f, w.x);
            if (GROW && w.lanes_from_lo == l_lane)
                v.at[f][l_slot] = row[l_slot];
            if (GROW && w.lanes_from_hi == r_lane)
                v.at[f][r_slot] = row[r_slot];
            if (!GROW && w.own && w.lanes_from_lo == l_lane)
                row[l_slot] = v.at[f][l_slot];
            if (!GROW && w.own && w.lanes_from_hi == r_lane)
                row[r_slot] = v.at[f][r_slot];
        }
    }
}

/* Levels J .. group of a group that starts on an even level: two per call. The recursion unrolls
 * them, with J known at compile time. Odd levels are computed by stage 0, which reads no level
 * before `even`, even ones by the last stage. last: the group ends the slab. */
template <class S, bool GROW, bool ENDS, int J, class E, int P>
static __device__ __forceinline__ void advance_group(const E &eq, const window<E> &w, bool last,
                                                     ss_points<E, P> &even)
{
    if constexpr (J < S::group) {
        const ss_walls walls = ENDS ? w.walls : ss_walls{SS_NO_WALL, SS_NO_WALL};
        ss_points<E, P> odd = warp_step<E, P>::next(eq, 0, even, even, walls);
        exchange_edge_points<E, P, J, GROW>(w, odd);
        even = warp_step<E, P>::next(eq, E::stages - 1, odd, even, walls);
        /* At the end of a slab the whole level goes to shared memory instead. */
        if (J + 1 < S::group || !last)
            exchange_edge_points<E, P, J + 1, GROW>(w, even);
        advance_group<S, GROW, ENDS, J + 2>(eq, w, last, even);
    }
}

template <class S, bool GROW, bool ENDS, class E, int P>
static __device__ __forceinline__ void advance_slab(const E &eq, window<E> w, ss_points<E, P> &even)
{
    /* Lanes by which lo moves left (GROW) or right per group; the lane's distance from it grows. */
    const int moved = (GROW ? 1 : -1) * S::group * E::radius / P;
#pragma unroll 1
    for (int j = 0; j < S::levels; j += S::group) {
        advance_group<S, GROW, ENDS, 1>(eq, w, j + S::group == S::levels, even);
        w.lanes_from_lo += moved;
        w.lanes_from_hi -= moved;
    }
}

/* A lane's points of row 0. Lanes beyond the node's ends load from any valid address: their values
 * are not used. */
template <class E, int P>
static __device__ __forceinline__ void load_row0(const node_rows<E, true> &mine, int x, int block,
                                                 ss_points<E, P> &v)
{
    x = x < -P ? -P : x > block ? block : x;
#pragma unroll
    for (int f = 0; f < E::fields; f++)
        ss_load_points<typename E::real, P>(&mine.at(0, f, x), v.at[f]);
}

template <class E, int P>
static __device__ __forceinline__ void store_row0(const node_rows<E, true> &mine, int x,
                                                  const ss_points<E, P> &v)
{
#pragma unroll
    for (int f = 0; f < E::fields; f++)
        ss_store_points<typename E::real, P>(&mine.at(0, f, x), v.at[f]);
}

/*
 * One slab of a node: from level `from`, which is even and complete in row 0, to level
 * from + slab::levels. Level `from` covers [lo, hi), the last level [end, stop). The warps share
 * the points of the wider of the two, `own` points each; x is the first point of a lane, the
 * window's halo included. Block 256, R = 1, P = 8 (halo 16, own 224), from = h = 128: [lo, hi) is
 * [0, 256); warp 0 starts at 0, its lanes at -16, -8 .. 232; warp 1 at 224, at 208, 216 .. 456.
 *
 * P divides x, lo and hi, so that the divisions below have no remainder: lo and hi are multiples of
 * halo, because halo divides block / 2 and each slab moves an edge by halo; `own` is one of P.
 */
template <class S, bool GROW, class E>
static __device__ __forceinline__ void run_slab(const E &eq, const diamond &a, int node,
                                                const node_rows<E, true> &mine, int from)
{
    const int P = S::P;
    const int lane = threadIdx.x % 32, warp = warp_index();
    const int lo = ss_swept_lo(a.s, from), hi = ss_swept_hi(a.s, from);
    const int end = ss_swept_lo(a.s, from + S::levels), stop = a.s.block - end;
    const int start = (GROW ? end : lo) + warp * S::own, x = start - S::halo + lane * P;
    const bool busy = start < (GROW ? stop : hi);
    ss_points<E, P> even;
    if (busy)
        load_row0<E, P>(mine, x, a.s.block, even);
    if (!GROW)
        __syncthreads(); /* all warps have loaded row 0, which edge points will overwrite */
    window<E> w = {mine,
                   x,
                   (x - lo) / P,
                   (x - hi) / P,
                   lane >= S::halo_lanes && lane < 32 - S::halo_lanes,
                   walls_at(a, node, x, P)};
    if (busy && has_wall<E>(a, node))
        advance_slab<S, GROW, true>(eq, w, even);
    else if (busy)
        advance_slab<S, GROW, false>(eq, w, even);
    if (GROW)
        __syncthreads(); /* all warps have loaded row 0 and edge points: it may be overwritten */
    if (busy && w.own && x >= end && x < stop)
        store_row0<E, P>(mine, x, even);
    __syncthreads(); /* the level is complete before the next slab or store_node reads it */
}

/* Where a slab is narrow, two warps with four points per lane take half of the time of one warp
 * with eight, and often overlap less. width: points of the slab's widest level. */
template <class E, int P, bool GROW>
static __device__ __forceinline__ void run_fitting_slab(const E &eq, const diamond &a, int node,
                                                        const node_rows<E, true> &mine, int from)
{
    typedef slab<E, P> S;
    if constexpr (P == 8) {
        typedef slab<E, 4, 4> N; /* as many levels */
        int width = a.s.block - 2 * ss_swept_lo(a.s, GROW ? from + S::levels : from);
        if (width <= N::own * (blockDim.x > 32 ? 2 : 1)) {
            run_slab<N, GROW>(eq, a, node, mine, from);
            return;
        }
    }
    run_slab<S, GROW>(eq, a, node, mine, from);
}

/* A diamond of a node: from device memory to shared memory, slab by slab, and back. */
template <class E, int P>
static __device__ __forceinline__ void
run_diamond(const E &eq, const ss_rows<typename E::real> &rows, const diamond &a, int node,
            const node_rows<E, true> &mine)
{
    typedef slab<E, P> S;
    const int widest = a.s.height; /* level */
    load_node(rows, a, node, mine);
    __syncthreads(); /* threads have loaded points for one another */
    /* a.from = 1: lower half. a.to = 2h: upper half; its last slab ends on level 2h, which covers
     * no points. */
    for (int from = a.from - 1; from < widest; from += S::levels)
        run_fitting_slab<E, P, true>(eq, a, node, mine, from);
    for (int from = widest; from + 1 < a.to; from += S::levels)
        run_fitting_slab<E, P, false>(eq, a, node, mine, from);
    store_node(rows, a, node, mine);
}

template <class E, int P, int MAX_BLOCK>
__global__ void __launch_bounds__(32 * slab<E, P>::warps(MAX_BLOCK),
                                  min_blocks_per_sm<E, P, MAX_BLOCK>)
    swept_register(E eq, ss_rows<typename E::real> rows, diamond a)
{
    extern __shared__ double shared[];
    let_next_begin(); /* overlapped launches: see block.cuh */
    await_previous();
    run_diamond<E, P>(eq, rows, a, blockIdx.x, rows_in<E, true>(shared, a.s.block));
}

#endif
