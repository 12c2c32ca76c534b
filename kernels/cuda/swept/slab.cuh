/*
 * The swept rule's variant register: a warp takes several points a thread through a few levels in
 * registers, and the warps of a node meet in shared memory in between. CUDA C++17.
 */
#ifndef SS_CUDA_CLIMB_SLAB_CUH
#define SS_CUDA_CLIMB_SLAB_CUH

#include "kernels/cuda/swept/diamond.cuh"
#include "kernels/cuda/swept/warp_step.cuh"

/*
 * A slab is a few levels that a warp climbs in registers, without a word to the other warps of its
 * node. It takes a window of 32 P points, of which a few lanes on each side are there for the
 * others: after halo/R levels what was unknown beyond the window has just crossed them. Between two
 * slabs the node meets in shared memory, and the windows are laid anew over the points that the
 * next slab covers: as many warps work as there is work for.
 *
 * Within a slab every lane computes every point, also those that the node may not compute yet or
 * any more: a condition for each would cost more than the points. What tells them apart is a
 * frontier of 2R points on each side. While the node grows, they have been computed by its
 * neighbours: after each level the values of that level are taken from shared memory, over those
 * that have just been computed from too little. While it shrinks, they are the last two levels
 * that the node knows of these points: they go to shared memory, where they stay.
 *
 * The unrolled levels move the frontier by whole lanes, so that which of a lane's points it holds
 * is known when this is compiled, and which lanes hold it is a comparison a group.
 */
template <class EQ, int POINTS, int LANES = 2> struct slab {
    typedef EQ E;
    static const int P = POINTS, lanes = LANES; /* there for others, on each side */
    static const int halo = lanes * P, own = 32 * P - 2 * halo;
    static const int levels = halo / E::radius;
    static const int group = P > 2 * E::radius ? P / E::radius : 2; /* levels, even */
    static_assert(levels % group == 0 && 16 % halo == 0, "a block is a multiple of 32 points");

    static __host__ __device__ constexpr int warps(int block)
    {
        return (block + own - 1) / own;
    }
};

/* Thread blocks that a processor shall have room for, of nodes of MOST points or fewer; 0: let the
 * compiler choose. Measured on an H200. */
template <class E, int P, int MOST>
constexpr int resident = P == 8   ? (E::stages > 1 ? 4 : 8)
                         : P == 2 ? (E::fields == 1 ? 0
                                     : MOST > 512   ? 1
                                                    : 3)
                                  : 0;

/* Where a warp stands. */
template <class E> struct window {
    node_rows<E, true> mine;
    int x;           /* place of the lane's first point */
    int left, right; /* lanes behind the first, and before the first one beyond the last point of
                        the level that the group starts from */
    bool own;        /* not there for the others only */
    ss_walls walls;
};

static __host__ __device__ constexpr int floor_div(int a, int b)
{
    return a >= 0 ? a / b : -((-a + b - 1) / b);
}

/* Level J of a group: the frontier's points of the level, from shared memory or to it. */
template <class E, int P, int J, bool GROW>
static __device__ __forceinline__ void meet_frontier(const window<E> &w, ss_points<E, P> &v)
{
    const int R = E::radius;
#pragma unroll
    for (int i = 0; i < 2 * R; i++) {
        /* Points from the place where the first one of the group's start stood; from the place
         * behind its last one. */
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

/* Levels J .. group of a group that starts on an even level; `odd` is what lies between two. */
template <class S, bool GROW, bool ENDS, int J, class E, int P>
static __device__ __forceinline__ void climb_group(const E &eq, const window<E> &w, bool last,
                                                   ss_points<E, P> &even)
{
    if constexpr (J < S::group) {
        const ss_walls walls = ENDS ? w.walls : ss_walls{SS_NO_WALL, SS_NO_WALL};
        ss_points<E, P> odd = lanes<E, P>::next(eq, 0, even, even, walls);
        meet_frontier<E, P, J, GROW>(w, odd);
        even = lanes<E, P>::next(eq, E::stages - 1, odd, even, walls);
        /* Where a slab ends all of the level goes to shared memory. */
        if (J + 1 < S::group || !last)
            meet_frontier<E, P, J + 1, GROW>(w, even);
        climb_group<S, GROW, ENDS, J + 2>(eq, w, last, even);
    }
}

template <class S, bool GROW, bool ENDS, class E, int P>
static __device__ __forceinline__ void climb_slab(const E &eq, window<E> w, ss_points<E, P> &even)
{
    const int moved = (GROW ? 1 : -1) * S::group * E::radius / P; /* lanes a group */
#pragma unroll 1
    for (int j = 0; j < S::levels; j += S::group) {
        climb_group<S, GROW, ENDS, 1>(eq, w, j + S::group == S::levels, even);
        w.left += moved;
        w.right -= moved;
    }
}

/* A lane's points of row 0; beyond the node's ends any will do. */
template <class E, int P>
static __device__ __forceinline__ void take(const node_rows<E, true> &mine, int x, int block,
                                            ss_points<E, P> &v)
{
    x = x < -P ? -P : x > block ? block : x;
#pragma unroll
    for (int f = 0; f < E::fields; f++)
        ss_load_points<typename E::real, P>(&mine.at(0, f, x), v.at[f]);
}

template <class E, int P>
static __device__ __forceinline__ void give(const node_rows<E, true> &mine, int x,
                                            const ss_points<E, P> &v)
{
#pragma unroll
    for (int f = 0; f < E::fields; f++)
        ss_store_points<typename E::real, P>(&mine.at(0, f, x), v.at[f]);
}

/* The levels from `from` (even) to from + slab::levels of a node. */
template <class S, bool GROW, class E>
static __device__ __forceinline__ void climb(const E &eq, const diamond &a, int node,
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
        take<E, P>(mine, x, a.s.block, even);
    if (!GROW)
        __syncthreads(); /* everybody has taken what others will change */
    window<E> w = {mine,
                   x,
                   (x - lo) / P,
                   (x - hi) / P,
                   lane >= S::lanes && lane < 32 - S::lanes,
                   walls_at(a, node, x, P)};
    if (busy && has_wall<E>(a, node))
        climb_slab<S, GROW, true>(eq, w, even);
    else if (busy)
        climb_slab<S, GROW, false>(eq, w, even);
    if (GROW)
        __syncthreads(); /* nobody asks for the older levels any more */
    if (busy && w.own && x >= end && x < stop)
        give<E, P>(mine, x, even);
    __syncthreads();
}

/* Where a node is narrow, two warps of four points a lane do what one of eight does in half of the
 * time, and often with less waste. */
template <class E, int P, bool GROW>
static __device__ __forceinline__ void climb_fitting(const E &eq, const diamond &a, int node,
                                                     const node_rows<E, true> &mine, int from)
{
    typedef slab<E, P> S;
    if constexpr (P == 8) {
        typedef slab<E, 4, 4> N; /* climbs as many levels */
        int width = a.s.block - 2 * ss_swept_lo(a.s, GROW ? from + S::levels : from);
        if (width <= N::own * (blockDim.x > 32 ? 2 : 1)) {
            climb<N, GROW>(eq, a, node, mine, from);
            return;
        }
    }
    climb<S, GROW>(eq, a, node, mine, from);
}

/* A diamond of a node, from memory to memory. */
template <class E, int P>
static __device__ __forceinline__ void
climb_diamond(const E &eq, const ss_rows<typename E::real> &rows, const diamond &a, int node,
              const node_rows<E, true> &mine)
{
    typedef slab<E, P> S;
    const int waist = a.s.height;
    fetch_node(rows, a, node, mine);
    __syncthreads();
    for (int from = a.from - 1; from < waist; from += S::levels)
        climb_fitting<E, P, true>(eq, a, node, mine, from);
    for (int from = waist; from + 1 < a.to; from += S::levels)
        climb_fitting<E, P, false>(eq, a, node, mine, from);
    return_node(rows, a, node, mine);
}

template <class E, int P, int MOST>
__global__ void __launch_bounds__(32 * slab<E, P>::warps(MOST), resident<E, P, MOST>)
    climb_in_registers(E eq, ss_rows<typename E::real> rows, diamond a)
{
    extern __shared__ double shared[];
    let_next_begin();
    await_previous();
    climb_diamond<E, P>(eq, rows, a, blockIdx.x, rows_in<E, true>(shared, a.s.block));
}

#endif
