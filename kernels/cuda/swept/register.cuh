/*
 * The swept rule's variant register: a node is a thread block; each warp advances several levels in
 * registers, with several points per thread, and between such slabs of levels the warps exchange
 * their points through shared memory. CUDA C++17.
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
 * A slab: time steps that a warp advances entirely in registers, without synchronising with the
 * other warps of its node. The warp's window is 32 P points wide. Its outermost `halo_lanes` lanes
 * on each side only serve as halo: unknown values enter from beyond the window at R points per
 * level, and after halo / R levels they have just crossed these lanes. So warps overlap by their
 * halos (redundant work, as in overlapped temporal blocking), but nodes do not. Between two slabs
 * there is a barrier, and the windows are placed anew over the points that the next slab covers: as
 * the triangle shrinks, fewer warps have work.
 *
 * Within a slab every lane computes all of its points on every level, also points that the node may
 * not compute yet or any more: a condition per point would cost more than the update. What
 * separates valid from invalid points is a frontier, 2R points wide, on each side of the triangle:
 *
 * - While the node grows, the frontier's points were computed by its neighbours. After each level
 *   they are loaded from shared memory, over the invalid values that have just been computed.
 * - While it shrinks, the frontier's points are the last two valid levels of these points, which
 * the neighbours need. After each level they are stored to shared memory.
 *
 * The frontier moves by R points per level. The levels are unrolled in groups, over which it moves
 * by whole lanes: so which of a lane's registers it holds is known at compile time, and which lanes
 * hold it is one comparison.
 */
template <class EQ, int POINTS, int LANES = 2> struct slab {
    typedef EQ E;
    static const int P = POINTS, halo_lanes = LANES; /* on each side */
    static const int halo = halo_lanes * P, own = 32 * P - 2 * halo;
    static const int levels = halo / E::radius;
    static const int group = P > 2 * E::radius ? P / E::radius : 2; /* levels, even */
    static_assert(levels % group == 0 && 16 % halo == 0, "a block is a multiple of 32 points");

    static __host__ __device__ constexpr int warps(int block)
    {
        return (block + own - 1) / own;
    }
};

/* Occupancy: thread blocks per SM that the compiler must leave registers for, for nodes of at most
 * MAX_BLOCK points; 0: its own choice. Measured on an H200. */
template <class E, int P, int MAX_BLOCK>
constexpr int min_blocks_per_sm = P == 8   ? (E::stages > 1 ? 4 : 8)
                                  : P == 2 ? (E::fields == 1    ? 0
                                              : MAX_BLOCK > 512 ? 1
                                                                : 3)
                                           : 0;

/* A warp's window as one of its lanes sees it. */
template <class E> struct window {
    node_rows<E, true> mine;
    int x;           /* place of the lane's first point */
    int left, right; /* distance in lanes from the lane that holds the first point of the level that
                        the group starts from, and from the one behind its last point */
    bool own;        /* not a halo lane */
    ss_walls walls;
};

static __host__ __device__ constexpr int floor_div(int a, int b)
{
    return a >= 0 ? a / b : -((-a + b - 1) / b);
}

/* The frontier on level J of a group: loaded from shared memory (GROW) or stored there. */
template <class E, int P, int J, bool GROW>
static __device__ __forceinline__ void exchange_frontier(const window<E> &w, ss_points<E, P> &v)
{
    const int R = E::radius;
#pragma unroll
    for (int i = 0; i < 2 * R; i++) {
        /* The frontier's i-th point: l counts from where the group's first level begins, r from
         * where it ends. Both are split into a lane and one of its registers. */
        const int l = GROW ? -J * R - 1 - i : J * R + i, r = -1 - l;
        const int l_lane = floor_div(l, P), r_lane = floor_div(r, P);
        const int l_slot = l - l_lane * P, r_slot = r - r_lane * P;
#pragma unroll
        for (int f = 0; f < E::fields; f++) {
            typename E::real *row = &w.mine.at(J & 1, f, w.x);
            if (GROW && w.left == l_lane)
                v.at[f][l_slot] = row[l_slot];
            if (GROW && w.right == r_lane)
                v.at[f][r_slot] = row[r_slot];
            if (!GROW && w.own && w.left == l_lane)
                row[l_slot] = v.at[f][l_slot];
            if (!GROW && w.own && w.right == r_lane)
                row[r_slot] = v.at[f][r_slot];
        }
    }
}

/* Levels J .. group of a group that starts on an even level: two per call. The recursion unrolls
 * them, with J known at compile time. */
template <class S, bool GROW, bool ENDS, int J, class E, int P>
static __device__ __forceinline__ void advance_group(const E &eq, const window<E> &w, bool last,
                                                     ss_points<E, P> &even)
{
    if constexpr (J < S::group) {
        const ss_walls walls = ENDS ? w.walls : ss_walls{SS_NO_WALL, SS_NO_WALL};
        ss_points<E, P> odd = warp_step<E, P>::next(eq, 0, even, even, walls);
        exchange_frontier<E, P, J, GROW>(w, odd);
        even = warp_step<E, P>::next(eq, E::stages - 1, odd, even, walls);
        /* At the end of a slab the whole level goes to shared memory instead. */
        if (J + 1 < S::group || !last)
            exchange_frontier<E, P, J + 1, GROW>(w, even);
        advance_group<S, GROW, ENDS, J + 2>(eq, w, last, even);
    }
}

template <class S, bool GROW, bool ENDS, class E, int P>
static __device__ __forceinline__ void advance_slab(const E &eq, window<E> w, ss_points<E, P> &even)
{
    const int moved = (GROW ? 1 : -1) * S::group * E::radius / P; /* lanes per group */
#pragma unroll 1
    for (int j = 0; j < S::levels; j += S::group) {
        advance_group<S, GROW, ENDS, 1>(eq, w, j + S::group == S::levels, even);
        w.left += moved;
        w.right -= moved;
    }
}

/* A lane's points of row 0. Lanes beyond the node's ends load any valid place: their values are not
 * used. */
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

/* One slab of a node: levels `from` (even) to from + slab::levels. */
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
        __syncthreads(); /* all warps have loaded the row that the frontiers will overwrite */
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
        __syncthreads(); /* all warps have loaded their frontiers; now row 0 may be overwritten */
    if (busy && w.own && x >= end && x < stop)
        store_row0<E, P>(mine, x, even);
    __syncthreads(); /* the level is complete before the next slab loads it */
}

/* Where a node is narrow, two warps with four points per lane take half of the time of one warp
 * with eight, and often overlap less. */
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
    __syncthreads(); /* the rows are complete */
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
    let_next_begin();
    await_previous();
    run_diamond<E, P>(eq, rows, a, blockIdx.x, rows_in<E, true>(shared, a.s.block));
}

#endif
