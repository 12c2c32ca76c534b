/*
 * Reads after `block.cuh`. One time level computed by a warp in registers: each lane has P adjacent
 * points and gets its neighbours' by warp shuffle. No shared memory, no barrier: a shuffle
 * synchronises the warp. All 32 lanes must call. The outermost R points of the warp get wrong
 * values, because their neighbours are in no lane; the callers do not use them, or replace them.
 * Device code.
 */
#ifndef SS_CUDA_WARP_STEP_CUH
#define SS_CUDA_WARP_STEP_CUH

#include "kernels/cuda/swept/block.cuh"

/* The warp's number in its thread block. The shuffle tells the compiler that it is the same for all
 * lanes, so that it is kept in a uniform register and branches on it do not diverge. */
static __device__ __forceinline__ int warp_index(void)
{
    return __shfl_sync(~0u, (int)threadIdx.x / 32, 0);
}

/* Does the line end beside or within the node? If not, the kernels skip the test for walls. */
template <class E> static __device__ __forceinline__ bool has_wall(const diamond &a, int node)
{
    return E::bc != SS_BC_PERIODIC && (node == a.s.count - 1 || (node == 0 && !a.shift));
}

/* Shuffle from the lane `lanes` before (up) or after (down) this one. The lanes at the ends of the
 * warp, which have no such neighbour, receive unspecified values. */
template <typename T> static __device__ __forceinline__ T shfl_up(T v, int lanes = 1)
{
    return __shfl_up_sync(~0u, v, lanes);
}
template <typename T> static __device__ __forceinline__ T shfl_down(T v, int lanes = 1)
{
    return __shfl_down_sync(~0u, v, lanes);
}

/*
 * A lane's points and W neighbours on each side, R if not said otherwise: 2W shuffles per field,
 * whatever P is. So the more points per lane, the fewer shuffles per point. The result has the
 * neighbours of the points that can be computed next: R on each side of P + 2 (W - R) points. The
 * i-th neighbour on the left is
 * `lanes` = ceil(i / P) lanes before, point k = lanes * P - i there:
 *
 *     P = 4    i = 1: 1 lane,  point 3    i = 2: 1 lane,  point 2
 *     P = 1    i = 1: 1 lane,  point 0    i = 2: 2 lanes, point 0
 */
template <class E, int P, int W = E::radius>
static __device__ __forceinline__ ss_around<E, P + 2 * (W - E::radius)>
gather_neighbours(const ss_points<E, P> &mine)
{
    ss_around<E, P + 2 * (W - E::radius)> u;
#pragma unroll
    for (int f = 0; f < E::fields; f++) {
#pragma unroll
        for (int k = 0; k < P; k++)
            u.at[f][W + k] = mine.at[f][k];
#pragma unroll
        for (int i = 1; i <= W; i++) {
            const int lanes = (i + P - 1) / P, k = lanes * P - i;
            u.at[f][W - i] = shfl_up(mine.at[f][k], lanes);
            u.at[f][W + P - 1 + i] = shfl_down(mine.at[f][P - 1 - k], lanes);
        }
    }
    return u;
}

/* The next level of a lane's points; old: the level before `now`. This is the general form, which
 * calls the equation's own update. It has no fixed ends (SS_BC_FIXED). */
template <class E, int P> struct warp_step {
    static __device__ __forceinline__ ss_points<E, P>
    next(const E &eq, int stage, const ss_points<E, P> &now, const ss_points<E, P> &old, ss_walls w)
    {
        ss_around<E, P> u = gather_neighbours<E, P>(now);
        reflect<E, P>(u.at, w);
        return eq.next(stage, u, old);
    }
};

/* Euler, with fixed ends. A pressure is computed once, by the lane of its point, and a flux once,
 * by the lane of the point on the left of its face: right[k] is the flux through the right face of
 * point k. Both are then shuffled to the lanes that need them; computing them again would cost more
 * than half of the arithmetic. */
template <typename T, int LIMITER, int P> struct warp_step<euler<T, LIMITER>, P> {
    typedef euler<T, LIMITER> E;

    /* p[0 .. P + 2]: pressures from one point before the lane's first to two behind its last, which
     * are those that the fluxes right[0 .. P - 1] need. */
    static __device__ __forceinline__ void pressures(const ss_points<E, P> &q, ss_walls w, T *p)
    {
#pragma unroll
        for (int k = 0; k < P; k++)
            p[1 + k] = euler1d_pressure(q.at[0][k], q.at[1][k], q.at[2][k]);
        p[0] = shfl_up(p[P]);
        p[P + 1] = shfl_down(p[1]);
        p[P + 2] = P > 1 ? shfl_down(p[2]) : shfl_down(p[1], 2);
        if (w.left == 0) /* beyond an end of the line its own pressure is used */
            p[0] = p[1];
        if (w.right == 0)
            p[P + 1] = p[P + 2] = p[P];
        if (P == 1 && w.right == 1)
            p[P + 2] = p[P + 1];
    }

    static __device__ __forceinline__ ss_points<E, P>
    next(const E &eq, int stage, const ss_points<E, P> &q, const ss_points<E, P> &old, ss_walls w)
    {
        ss_points<E, P> v;
        T p[P + 3], next[3], right[P][3];
        pressures(q, w, p);
#pragma unroll
        for (int f = 0; f < 3; f++)
            next[f] = shfl_down(q.at[f][0]);
#pragma unroll
        for (int k = 0; k < P; k++) {
            const int n =
                k + 1 < P ? k + 1 : 0; /* the neighbour is this lane's or the next one's */
            const T r = k + 1 < P ? q.at[0][n] : next[0], m = k + 1 < P ? q.at[1][n] : next[1],
                    e = k + 1 < P ? q.at[2][n] : next[2];
            flux<LIMITER>(p + k, q.at[0][k], q.at[1][k], q.at[2][k], r, m, e, right[k]);
        }
#pragma unroll
        for (int f = 0; f < 3; f++) {
            T left = shfl_up(right[P - 1][f]);
#pragma unroll
            for (int k = 0; k < P; k++) {
                T base = stage ? old.at[f][k] : q.at[f][k];
                v.at[f][k] = eq.change(stage, base, left, right[k][f]);
                if (is_fixed<E, P>(w, k))
                    v.at[f][k] = q.at[f][k];
                left = right[k][f];
            }
        }
        return v;
    }
};

#endif
