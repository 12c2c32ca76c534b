/*
 * Reads after `block.cuh`. The swept rule's variant warp: a node is a warp, a lane has P adjacent
 * points, and everything stays in registers from a diamond's first level to its last. With P = 1 it
 * is Magee and Niemeyer's kernel Register. Device code.
 *
 * Neighbours are read by shuffle, so that a level needs no shared memory and no barrier. In return
 * a node has only 32 P points: a diamond is low, and each of its launches reads and writes two rows
 * for few levels. On an H200, f64, a step of heat takes 127 ns for 2^10 points (P = 4; variant
 * block: 186 ns) and 859 ns for 2^20 (P = 4; block: 1.76 us).
 *
 * h = 16 P / R is even. So levels of equal parity share a row in every diamond: odd levels are in
 * row[1] and are computed by stage 0, even ones in row[0] by the last stage, E::stages - 1 (stage 0
 * again if a time step has only one).
 */
#ifndef SS_CUDA_SWEPT_WARP_CUH
#define SS_CUDA_SWEPT_WARP_CUH

#include "kernels/cuda/device/pack.cuh"
#include "kernels/cuda/swept/fast/warp_step.cuh"

/* --- levels ----------------------------------------------------------------------------------- */

/* A lane's part of its node. from_middle is the distance of a point from the middle:
 * 15, 14 .. 1, 0, 0, 1 .. 14, 15 for P = 1. Level l of the lower half covers the points with
 * from_middle < R l, level h + l of the upper half those with from_middle < 16 P - R l. */
template <class E, int P> struct node_lane {
    int x;              /* local index of its first point */
    int from_middle[P]; /* of its points */
    ss_walls walls;     /* of the line */
};

template <class E, int P>
static __device__ __forceinline__ node_lane<E, P> node_lane_of(const diamond &a, int node)
{
    const int half = 16 * P, x = threadIdx.x % 32 * P;
    node_lane<E, P> s = {x, {}, walls_at(a, node, x, P)};
#pragma unroll
    for (int k = 0; k < P; k++)
        s.from_middle[k] = x + k < half ? half - 1 - x - k : x + k - half;
    return s;
}

/* A level of all points of a lane, from `now`; `old` is the level before, which stage 0 does not
 * read. SPLIT: the ends of the line are in the middle of this node, so that every level meets them.
 * Other nodes meet an end only on level h, in next_widest_level, and skip the test here. */
template <class E, int P, bool SPLIT>
static __device__ __forceinline__ ss_points<E, P> next_level(const E &eq, const node_lane<E, P> &s,
                                                             int stage, const ss_points<E, P> &now,
                                                             const ss_points<E, P> &old)
{
    const ss_walls none = {SS_NO_WALL, SS_NO_WALL};
    return warp_step<E, P>::next(eq, stage, now, old, SPLIT ? s.walls : none);
}

/* The halo: neighbours of a lane's points that lie beyond its node, 0 elsewhere. value(f, x) is
 * field f at local index x. */
template <class E, int P, class F>
static __device__ __forceinline__ ss_around<E, P> load_halo(const node_lane<E, P> &s, F value)
{
    const int R = E::radius;
    ss_around<E, P> u = {};
#pragma unroll
    for (int i = 0; i < P + 2 * R; i++) {
        int x = s.x + i - R;
        if ((i < R || i >= P + R) && (x < 0 || x >= 32 * P))
#pragma unroll
            for (int f = 0; f < E::fields; f++)
                u.at[f][i] = value(f, x);
    }
    return u;
}

/* The widest level of a diamond, h, the only one that reads beyond the node: R points of level
 * h - 1 on each side, which are its neighbours'. A shuffle cannot read them. */
template <class E, int P>
static __device__ __forceinline__ ss_points<E, P>
next_widest_level(const E &eq, const node_lane<E, P> &s, const ss_points<E, P> &now,
                  const ss_points<E, P> &old, const ss_around<E, P> &halo)
{
    const int R = E::radius;
    ss_around<E, P> u = gather_neighbours<E, P>(now);
#pragma unroll
    for (int i = 0; i < P + 2 * R; i++)
#pragma unroll
        for (int f = 0; f < E::fields; f++)
            if ((i < R && s.x + i < R) || (i >= P + R && s.x + i >= 32 * P + R))
                u.at[f][i] = halo.at[f][i];
    reflect<E, P>(u.at, s.walls);
    ss_points<E, P> v = eq.next(E::stages - 1, u, old);
#pragma unroll
    for (int k = 0; k < P; k++)
#pragma unroll
        for (int f = 0; f < E::fields; f++)
            if (is_fixed<E, P>(s.walls, k))
                v.at[f][k] = old.at[f][k];
    return v;
}

/* --- a diamond -------------------------------------------------------------------------------- */

/* Points nearer to the middle than `reach` get the new level v; the others keep what they had. A
 * select per point, not a branch. */
template <class E, int P>
static __device__ __forceinline__ void update_within(const node_lane<E, P> &s, int reach,
                                                     const ss_points<E, P> &v, ss_points<E, P> &row)
{
#pragma unroll
    for (int k = 0; k < P; k++)
#pragma unroll
        for (int f = 0; f < E::fields; f++)
            row.at[f][k] = s.from_middle[k] < reach ? v.at[f][k] : row.at[f][k];
}

/* The lower half of a diamond. Outside of the points covered so far, row[0] and row[1] hold the
 * last two levels that the diamond before has left there; level l extends the covered part by R
 * points on each side. */
template <class E, int P, bool SPLIT>
static __device__ __forceinline__ void grow(const E &eq, const node_lane<E, P> &s, int height,
                                            const ss_around<E, P> &halo, ss_points<E, P> *row)
{
    for (int l = 1; l < height; l += 2) {
        ss_points<E, P> v = next_level<E, P, SPLIT>(eq, s, 0, row[0], row[1]);
        update_within<E, P>(s, E::radius * l, v, row[1]);
        if (l + 1 == height)
            row[0] = next_widest_level<E, P>(eq, s, row[1], row[0], halo);
        else
            update_within<E, P>(s, E::radius * (l + 1),
                                next_level<E, P, SPLIT>(eq, s, E::stages - 1, row[1], row[0]),
                                row[0]);
    }
}

/* The upper half: the lanes compute all points on every level, valid or not (invalid values move
 * inwards by R points per level, as fast as the triangle shrinks), and the last two valid levels of
 * each point are kept in row[0] and row[1]. In the loop `odd` is level h + 1, h + 3 .. 2h - 1,
 * valid within `reach`; the last `even`, level 2h, is valid nowhere. */
template <class E, int P, bool SPLIT>
static __device__ __forceinline__ void shrink(const E &eq, const node_lane<E, P> &s, int height,
                                              ss_points<E, P> *row)
{
    ss_points<E, P> even = row[0], odd;
    for (int reach = E::radius * (height - 1); reach >= 0; reach -= 2 * E::radius) {
        odd = next_level<E, P, SPLIT>(eq, s, 0, even, even);
        update_within<E, P>(s, reach, odd, row[1]);
        even = next_level<E, P, SPLIT>(eq, s, E::stages - 1, odd, even);
        update_within<E, P>(s, reach - E::radius, even, row[0]);
    }
}

template <class E, int P, bool SPLIT>
static __device__ __forceinline__ void run_node(const E &eq, const ss_rows<typename E::real> &r,
                                                const diamond &a, int node)
{
    const node_lane<E, P> s = node_lane_of<E, P>(a, node);
    const int p = point_at(a, node, s.x);
    ss_points<E, P> row[2];
#pragma unroll
    for (int f = 0; f < E::fields; f++)
        for (int i = 0; i < 2; i++)
            load_points<P>(r.row[a.initial ? 0 : i] + f * r.field + p, row[i].at[f]);
    const ss_around<E, P> halo =
        load_halo(s, [&](int f, int x) { return r.row[1][f * r.field + point_at(a, node, x)]; });
    if (a.from == 1) /* otherwise from = h + 1: diamond 0 */
        grow<E, P, SPLIT>(eq, s, a.s.height, halo, row);
    if (a.to > a.s.height + 1) /* otherwise to = h + 1: the last diamond */
        shrink<E, P, SPLIT>(eq, s, a.s.height, row);
#pragma unroll
    for (int f = 0; f < E::fields; f++)
        for (int i = 0; i < 2; i++)
            store_points<P>(r.row[i] + f * r.field + p, row[i].at[f]);
}

/* Occupancy: with three fields the launch bounds cap a thread at 128 registers, so that four thread
 * blocks (16 warps) are resident per SM. */
template <class E, int P>
__global__ void __launch_bounds__(32 * WARP_NODES, E::fields > 1 ? 4 : 0)
    swept_warp(E eq, ss_rows<typename E::real> rows, diamond a)
{
    const int node = blockIdx.x * WARP_NODES + warp_index();
    let_next_begin(); /* overlapped launches: see block.cuh */
    await_previous();
    if (node >= a.nodes)
        return;
    if (a.shift && node == a.s.count - 1)
        run_node<E, P, true>(eq, rows, a, node);
    else
        run_node<E, P, false>(eq, rows, a, node);
}

#endif
