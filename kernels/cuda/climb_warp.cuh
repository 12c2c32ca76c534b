/*
 * The swept rule's variant warp: a node of 32 points is a warp, a lane a point, and everything
 * stays in registers. The paper's Register. CUDA C++17.
 */
#ifndef SS_CUDA_CLIMB_WARP_CUH
#define SS_CUDA_CLIMB_WARP_CUH

#include "kernels/cuda/climb_slab.cuh"

/* --- warp: a lane a point --------------------------------------------------------------------- */

#define WARPS 4 /* nodes of a thread block */

/* What a lane of the ends finds beyond the node, at its waist. */
template <class E>
static __device__ __forceinline__ ss_around<E, 1>
fetch_outside(const ss_rows<typename E::real> &rows, const diamond &a, int node)
{
    const int R = E::radius, x = threadIdx.x, row = (a.parity + a.s.height - 1) & 1;
    ss_around<E, 1> out;
#pragma unroll
    for (int i = -R; i <= R; i++) {
        int p = point_at(a, node, x + i);
#pragma unroll
        for (int f = 0; f < E::fields; f++)
            out.at[f][R + i] =
                x + i < 0 || x + i > 31 ? rows.row[a.flat ? 0 : row][f * rows.field + p] : 0;
    }
    return out;
}

template <class E>
static __device__ __forceinline__ void climb_lanes(const E &eq, int stage, ss_walls w, int lo,
                                                   int hi, const ss_around<E, 1> &outside,
                                                   const ss_points<E, 1> &from, ss_points<E, 1> &to)
{
    const int R = E::radius, x = threadIdx.x;
    ss_around<E, 1> u = look_around<E, 1>(from);
#pragma unroll
    for (int i = -R; i <= R; i++)
#pragma unroll
        for (int f = 0; f < E::fields; f++)
            if (x + i < 0 || x + i > 31)
                u.at[f][R + i] = outside.at[f][R + i];
    reflect<E, 1>(u.at, w);
    ss_points<E, 1> v = eq.next(stage, u, to);
    if (x >= lo && x < hi && !is_fixed<E, 1>(w, 0))
        to = v;
}

template <class E>
__global__ void __launch_bounds__(32 * WARPS)
    climb_in_warp(E eq, ss_rows<typename E::real> rows, diamond a)
{
    const int x = threadIdx.x, node = blockIdx.x * WARPS + threadIdx.y;
    let_next_begin();
    await_previous();
    if (node >= a.nodes)
        return;
    int late = (a.parity + a.from - 1) % E::stages, row = (a.parity + a.from - late) & 1;
    int p = point_at(a, node, x);
    ss_walls w = walls_at(a, node, x, 1);
    ss_around<E, 1> outside = fetch_outside<E>(rows, a, node);
    ss_points<E, 1> even, odd;
    for (int f = 0; f < E::fields; f++) {
        even.at[f][0] = rows.row[a.flat ? 0 : 1 - row][f * rows.field + p];
        odd.at[f][0] = rows.row[a.flat ? 0 : row][f * rows.field + p];
    }
    for (int l = a.from - late; l < a.to; l += 2) {
        if (l >= a.from)
            climb_lanes<E>(eq, 0, w, ss_swept_lo(a.s, l), ss_swept_hi(a.s, l), outside, even, odd);
        if (l + 1 < a.to)
            climb_lanes<E>(eq, E::stages - 1, w, ss_swept_lo(a.s, l + 1), ss_swept_hi(a.s, l + 1),
                           outside, odd, even);
    }
    for (int f = 0; f < E::fields; f++) {
        rows.row[1 - row][f * rows.field + p] = even.at[f][0];
        rows.row[row][f * rows.field + p] = odd.at[f][0];
    }
}

#endif
