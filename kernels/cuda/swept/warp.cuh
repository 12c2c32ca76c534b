/*
 * The swept rule where a node is a warp: P points a lane, and everything stays in registers from a
 * diamond's first level to its last. The paper's Register, which has a point a lane. CUDA C++17.
 */
#ifndef SS_CUDA_CLIMB_WARP_CUH
#define SS_CUDA_CLIMB_WARP_CUH

#include "kernels/cuda/swept/diamond.cuh"
#include "kernels/cuda/swept/warp_step.cuh"

/* --- levels ----------------------------------------------------------------------------------- */

/* Where a lane stands in its node. */
template <class E, int P> struct stand {
    int x;              /* place of its first point */
    int from_middle[P]; /* of its points: 0 for the two in the middle of the node */
    ss_walls walls;     /* of the line */
};

template <class E, int P>
static __device__ __forceinline__ stand<E, P> stand_in(const diamond &a, int node)
{
    const int half = 16 * P, x = threadIdx.x % 32 * P;
    stand<E, P> s = {x, {}, walls_at(a, node, x, P)};
#pragma unroll
    for (int k = 0; k < P; k++)
        s.from_middle[k] = x + k < half ? half - 1 - x - k : x + k - half;
    return s;
}

/* A level of all points of a lane, from `now`; `old` is the level before. A node that is split has
 * the ends of the line within it. */
template <class E, int P, bool SPLIT>
static __device__ __forceinline__ ss_points<E, P> climb_level(const E &eq, const stand<E, P> &s,
                                                              int stage, const ss_points<E, P> &now,
                                                              const ss_points<E, P> &old)
{
    const ss_walls none = {SS_NO_WALL, SS_NO_WALL};
    return lanes<E, P>::next(eq, stage, now, old, SPLIT ? s.walls : none);
}

/* Points on both sides of a lane's that are beyond its node, 0 elsewhere. value(f, x) is field f of
 * place x. */
template <class E, int P, class F>
static __device__ __forceinline__ ss_around<E, P> beyond(const stand<E, P> &s, F value)
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

/* The one level that needs anything from beyond the node: its waist. */
template <class E, int P>
static __device__ __forceinline__ ss_points<E, P>
climb_waist(const E &eq, const stand<E, P> &s, const ss_points<E, P> &now,
            const ss_points<E, P> &old, const ss_around<E, P> &outside)
{
    const int R = E::radius;
    ss_around<E, P> u = look_around<E, P>(now);
#pragma unroll
    for (int i = 0; i < P + 2 * R; i++)
#pragma unroll
        for (int f = 0; f < E::fields; f++)
            if ((i < R && s.x + i < R) || (i >= P + R && s.x + i >= 32 * P + R))
                u.at[f][i] = outside.at[f][i];
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

/* Points nearer to the middle than `reach` have a new level; the others keep what they had. */
template <class E, int P>
static __device__ __forceinline__ void keep(const stand<E, P> &s, int reach,
                                            const ss_points<E, P> &v, ss_points<E, P> &row)
{
#pragma unroll
    for (int k = 0; k < P; k++)
#pragma unroll
        for (int f = 0; f < E::fields; f++)
            row.at[f][k] = s.from_middle[k] < reach ? v.at[f][k] : row.at[f][k];
}

/* While a node grows, points that are not its own yet are what their neighbours need. */
template <class E, int P, bool SPLIT>
static __device__ __forceinline__ void grow(const E &eq, const stand<E, P> &s, int height,
                                            const ss_around<E, P> &outside, ss_points<E, P> *row)
{
    for (int l = 1; l < height; l += 2) {
        ss_points<E, P> v = climb_level<E, P, SPLIT>(eq, s, 0, row[0], row[1]);
        keep<E, P>(s, E::radius * l, v, row[1]);
        if (l + 1 == height)
            row[0] = climb_waist<E, P>(eq, s, row[1], row[0], outside);
        else
            keep<E, P>(s, E::radius * (l + 1),
                       climb_level<E, P, SPLIT>(eq, s, E::stages - 1, row[1], row[0]), row[0]);
    }
}

/* While it shrinks, nobody needs them any more: lanes go on with whatever comes of it, and what
 * must be kept is put aside. */
template <class E, int P, bool SPLIT>
static __device__ __forceinline__ void shrink(const E &eq, const stand<E, P> &s, int height,
                                              ss_points<E, P> *row)
{
    ss_points<E, P> even = row[0], odd;
    for (int reach = E::radius * (height - 1); reach >= 0; reach -= 2 * E::radius) {
        odd = climb_level<E, P, SPLIT>(eq, s, 0, even, even);
        keep<E, P>(s, reach, odd, row[1]);
        even = climb_level<E, P, SPLIT>(eq, s, E::stages - 1, odd, even);
        keep<E, P>(s, reach - E::radius, even, row[0]);
    }
}

template <class E, int P, bool SPLIT>
static __device__ __forceinline__ void climb_node(const E &eq, const ss_rows<typename E::real> &r,
                                                  const diamond &a, int node)
{
    const stand<E, P> s = stand_in<E, P>(a, node);
    const int p = point_at(a, node, s.x);
    ss_points<E, P> row[2];
#pragma unroll
    for (int f = 0; f < E::fields; f++)
        for (int i = 0; i < 2; i++)
            ss_load_points<typename E::real, P>(r.row[a.flat ? 0 : i] + f * r.field + p,
                                                row[i].at[f]);
    const ss_around<E, P> outside =
        beyond(s, [&](int f, int x) { return r.row[1][f * r.field + point_at(a, node, x)]; });
    if (a.from == 1)
        grow<E, P, SPLIT>(eq, s, a.s.height, outside, row);
    if (a.to > a.s.height + 1)
        shrink<E, P, SPLIT>(eq, s, a.s.height, row);
#pragma unroll
    for (int f = 0; f < E::fields; f++)
        for (int i = 0; i < 2; i++)
            ss_store_points<typename E::real, P>(r.row[i] + f * r.field + p, row[i].at[f]);
}

#define WARPS 4 /* nodes of a thread block */

template <class E, int P>
__global__ void __launch_bounds__(32 * WARPS, E::fields > 1 ? 4 : 0)
    climb_in_warp(E eq, ss_rows<typename E::real> rows, diamond a)
{
    const int node = blockIdx.x * WARPS + warp_index();
    let_next_begin();
    await_previous();
    if (node >= a.nodes)
        return;
    if (a.shift && node == a.s.count - 1)
        climb_node<E, P, true>(eq, rows, a, node);
    else
        climb_node<E, P, false>(eq, rows, a, node);
}

#endif
