/*
 * A level of a time-dependent equation by the lanes of a warp: each has a few points side by side,
 * and gets what it needs of its neighbours' by shuffle. CUDA C++17.
 */
#ifndef SS_CUDA_LANES_CUH
#define SS_CUDA_LANES_CUH

#include "kernels/cuda/swept/equations.cuh"

/* A value of the lane before or behind; the outermost lanes get something or other. */
template <typename T> static __device__ __forceinline__ T before(T v, int lanes = 1)
{
    return __shfl_up_sync(~0u, v, lanes);
}
template <typename T> static __device__ __forceinline__ T behind(T v, int lanes = 1)
{
    return __shfl_down_sync(~0u, v, lanes);
}

/* A lane's points and R more on each side. */
template <class E, int P>
static __device__ __forceinline__ ss_around<E, P> look_around(const ss_points<E, P> &mine)
{
    const int R = E::radius;
    ss_around<E, P> u;
#pragma unroll
    for (int f = 0; f < E::fields; f++) {
#pragma unroll
        for (int k = 0; k < P; k++)
            u.at[f][R + k] = mine.at[f][k];
#pragma unroll
        for (int i = 1; i <= R; i++) {
            const int lanes = (i + P - 1) / P, k = lanes * P - i; /* point k of so many lanes off */
            u.at[f][R - i] = before(mine.at[f][k], lanes);
            u.at[f][R + P - 1 + i] = behind(mine.at[f][P - 1 - k], lanes);
        }
    }
    return u;
}

/* The next level of a lane's points; old: the level before. Equations whose updates are cheap do
 * each in one piece. */
template <class E, int P> struct lanes {
    static __device__ __forceinline__ ss_points<E, P>
    next(const E &eq, int stage, const ss_points<E, P> &now, const ss_points<E, P> &old, ss_walls w)
    {
        ss_around<E, P> u = look_around<E, P>(now);
        reflect<E, P>(u.at, w);
        return eq.next(stage, u, old);
    }
};

/* Euler's pressures and fluxes are computed once, by the lane of the point itself and of the point
 * on the face's left, and handed on. */
template <typename T, int LIMITER, int P> struct lanes<euler<T, LIMITER>, P> {
    typedef euler<T, LIMITER> E;

    static __device__ __forceinline__ void pressures(const ss_points<E, P> &q, ss_walls w, T *p)
    {
#pragma unroll
        for (int k = 0; k < P; k++)
            p[1 + k] = pressure(q.at[0][k], q.at[1][k], q.at[2][k]);
        p[0] = before(p[P]);
        p[P + 1] = behind(p[1]);
        p[P + 2] = P > 1 ? behind(p[2]) : behind(p[1], 2);
        if (w.left == 0) /* the ends' own pressure goes on beyond */
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
            next[f] = behind(q.at[f][0]);
#pragma unroll
        for (int k = 0; k < P; k++) {
            const int n =
                k + 1 < P ? k + 1 : 0; /* its neighbour is this lane's or the next one's */
            const T r = k + 1 < P ? q.at[0][n] : next[0], m = k + 1 < P ? q.at[1][n] : next[1],
                    e = k + 1 < P ? q.at[2][n] : next[2];
            flux<LIMITER>(p + k, q.at[0][k], q.at[1][k], q.at[2][k], r, m, e, right[k]);
        }
#pragma unroll
        for (int f = 0; f < 3; f++) {
            T left = before(right[P - 1][f]);
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
