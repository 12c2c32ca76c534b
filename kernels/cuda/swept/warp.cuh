/*
 * The swept rule's variant warp: a node is a warp, a lane has P adjacent points, and everything
 * stays in registers from a diamond's first level to its last. The paper's Register, which has one
 * point per lane. CUDA C++17.
 *
 * Neighbours are read by shuffle, so that a level needs no shared memory and no barrier. In return
 * a node has only 32 P points: a diamond is low, and each of its launches reads and writes two rows
 * for few levels. On an H200, f64, a step of heat takes 127 ns for 2^10 points (P = 4; variant
 * block: 186 ns) and 859 ns for 2^20 (P = 4; block: 1.76 us).
 */
#ifndef SS_CUDA_SWEPT_WARP_CUH
#define SS_CUDA_SWEPT_WARP_CUH

#include "kernels/cuda/swept/diamond.cuh"
#include "kernels/cuda/swept/warp_step.cuh"

/* --- levels ----------------------------------------------------------------------------------- */

/* Where a lane's points are in its node. */
template <class E, int P> struct lane_place {
    int x;              /* place of its first point */
    int from_middle[P]; /* of its points: 0 for the two in the middle of the node */
    ss_walls walls;     /* of the line */
};

template <class E, int P>
static __device__ __forceinline__ lane_place<E, P> place_of_lane(const diamond &a, int node)
{
    const int half = 16 * P, x = threadIdx.x % 32 * P;
    lane_place<E, P> s = {x, {}, walls_at(a, node, x, P)};
#pragma unroll
    for (int k = 0; k < P; k++)
        s.from_middle[k] = x + k < half ? half - 1 - x - k : x + k - half;
    return s;
}

/* A level of all points of a lane, from `now`; `old` is the level before. SPLIT: the ends of the
 * line are in the middle of this node. All other nodes skip the test. */
template <class E, int P, bool SPLIT>
static __device__ __forceinline__ ss_points<E, P> next_level(const E &eq, const lane_place<E, P> &s,
                                                             int stage, const ss_points<E, P> &now,
                                                             const ss_points<E, P> &old)
{
    const ss_walls none = {SS_NO_WALL, SS_NO_WALL};
    return warp_step<E, P>::next(eq, stage, now, old, SPLIT ? s.walls : none);
}

/* The halo: points beside a lane's that are beyond its node, 0 elsewhere. value(f, x) is field f at
 * place x. */
template <class E, int P, class F>
static __device__ __forceinline__ ss_around<E, P> load_halo(const lane_place<E, P> &s, F value)
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

/* The widest level of a diamond, the only one that reads beyond the node. */
template <class E, int P>
static __device__ __forceinline__ ss_points<E, P>
next_widest_level(const E &eq, const lane_place<E, P> &s, const ss_points<E, P> &now,
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
static __device__ __forceinline__ void update_within(const lane_place<E, P> &s, int reach,
                                                     const ss_points<E, P> &v, ss_points<E, P> &row)
{
#pragma unroll
    for (int k = 0; k < P; k++)
#pragma unroll
        for (int f = 0; f < E::fields; f++)
            row.at[f][k] = s.from_middle[k] < reach ? v.at[f][k] : row.at[f][k];
}

/* The lower half of a diamond: level by level the node grows into its neighbours' last two levels,
 * which row[0] and row[1] hold outside the part that is already computed. */
template <class E, int P, bool SPLIT>
static __device__ __forceinline__ void grow(const E &eq, const lane_place<E, P> &s, int height,
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
 * each point are kept in row[0] and row[1]. */
template <class E, int P, bool SPLIT>
static __device__ __forceinline__ void shrink(const E &eq, const lane_place<E, P> &s, int height,
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
    const lane_place<E, P> s = place_of_lane<E, P>(a, node);
    const int p = point_at(a, node, s.x);
    ss_points<E, P> row[2];
#pragma unroll
    for (int f = 0; f < E::fields; f++)
        for (int i = 0; i < 2; i++)
            ss_load_points<typename E::real, P>(r.row[a.initial ? 0 : i] + f * r.field + p,
                                                row[i].at[f]);
    const ss_around<E, P> halo =
        load_halo(s, [&](int f, int x) { return r.row[1][f * r.field + point_at(a, node, x)]; });
    if (a.from == 1)
        grow<E, P, SPLIT>(eq, s, a.s.height, halo, row);
    if (a.to > a.s.height + 1)
        shrink<E, P, SPLIT>(eq, s, a.s.height, row);
#pragma unroll
    for (int f = 0; f < E::fields; f++)
        for (int i = 0; i < 2; i++)
            ss_store_points<typename E::real, P>(r.row[i] + f * r.field + p, row[i].at[f]);
}

#define WARPS 4 /* nodes per thread block; they do not communicate */

/* Occupancy: with three fields the launch bounds cap a thread at 128 registers, so that four thread
 * blocks (16 warps) are resident per SM. */
template <class E, int P>
__global__ void __launch_bounds__(32 * WARPS, E::fields > 1 ? 4 : 0)
    swept_warp(E eq, ss_rows<typename E::real> rows, diamond a)
{
    const int node = blockIdx.x * WARPS + warp_index();
    let_next_begin();
    await_previous();
    if (node >= a.nodes)
        return;
    if (a.shift && node == a.s.count - 1)
        run_node<E, P, true>(eq, rows, a, node);
    else
        run_node<E, P, false>(eq, rows, a, node);
}

#endif
