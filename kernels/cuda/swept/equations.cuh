/*
 * Time-dependent equations as the kernels see them: one type per equation, whose `next` computes P
 * adjacent points of the next time level from those points and R more on each side. The formulas
 * are those of kernels/eq, which the CPU compiles as well; this file only says which values go
 * where. Device code.
 *
 * To add an equation: a type here with the members of `heat`, and a row in chain.c. Two cases
 * need more, both as in `euler`:
 * - shared_values > 0 selects swept_block_faces (fast/faces.cuh), which is written for three fields
 * and R = 2, and calls `face` and `change`;
 * - fixed ends (SS_BC_FIXED) need a warp_step of their own (warp_step.cuh), because the general one
 *   does not keep the end points' values.
 */
#ifndef SS_CUDA_EQUATIONS_CUH
#define SS_CUDA_EQUATIONS_CUH

#include "kernels/cuda/swept/arith.cuh"
#include "kernels/geom/tiles.h"

/* The point updates in both precisions, with the arithmetic of arith.cuh. SS_LESS_HALF: x - t / 2;
 * SS_TRUST: the slope limiter; SS_INVERSE: 1 / x; SS_MAGNITUDE: |x|. */
#define SS_LESS_HALF(x, t) minus_half(x, t)
#define SS_TRUST(x) limited(x)
#define SS_SQRT(x) square_root(x)
#define SS_INVERSE(x) reciprocal(x)
#define SS_MAGNITUDE(x) magnitude(x)
#define SS_NAME(x) x
#define SS_REAL double
#include "kernels/eq/euler1d.h"
#include "kernels/eq/heat1d.h"
#include "kernels/eq/ks1d.h"
#undef SS_REAL
#define SS_REAL float
#include "kernels/eq/euler1d.h"
#include "kernels/eq/heat1d.h"
#include "kernels/eq/ks1d.h"
#undef SS_REAL
#undef SS_NAME
#undef SS_INVERSE
#undef SS_LESS_HALF
#undef SS_MAGNITUDE
#undef SS_SQRT
#undef SS_TRUST

/* Euler: twice the flux f[3] through the face between points 1 and 2, whose densities, momenta and
 * total energies per volume are r, m and e; p[0 .. 3]: the pressures of points 0 .. 3. */
template <int LIMITER, typename T>
static __device__ __forceinline__ void flux(const T *p, T r1, T m1, T e1, T r2, T m2, T e2, T *f)
{
    euler1d_flux(LIMITER, p[0], p[1], p[2], p[3], r1, m1, e1, r2, m2, e2, f, f + 1, f + 2);
}

/* --- rows and points -------------------------------------------------------------------------- */

/*
 * The two arrays of a line, each with all fields; a row is the address of point 0 of field 0. In
 * stepper.cuh they are a double buffer: row[0] is the level at hand, and row[1] becomes the next
 * one. In the swept rule they hold the last two levels of each point, the even and the odd one;
 * different points may be on different levels (block.cuh).
 */
template <typename T> struct ss_rows { /* the host's: ss_cuda_rows */
    T *row[2];
    ptrdiff_t field; /* elements between fields */
    int n;
};

/* P points of a thread with R neighbours on each side: field f, point k is at[f][R + k]. */
template <class E, int P> struct ss_around {
    typename E::real at[E::fields][P + 2 * E::radius];
};
/* P points of a thread. */
template <class E, int P> struct ss_points {
    typename E::real at[E::fields][P];
};

/* --- equations -------------------------------------------------------------------------------- */

/*
 * real: the type of number; fields: values per point; stages: levels per time step; radius: R, the
 * stencil's; shared_values: values per point beside its fields that neighbours need too, which the
 * variant block keeps in shared memory; bc: the boundary condition at both ends of the line. Other
 * members are the first coefficients of kernels/eq in their order: the host passes those
 * (equations.h).
 */
template <typename T> struct heat {
    typedef T real;
    static const int fields = 1, stages = 1, radius = 1, shared_values = 0;
    static const ss_bc bc = SS_BC_MIRROR;
    T fo, rest; /* the Fourier number, and 1 - 2 fo */

    /* The points on the next level. Stages count from 0. old: the same points one level before u;
     * stage 1 adds its change to them, stage 0 to u and does not read old. */
    template <int P>
    __device__ __forceinline__ ss_points<heat, P> next(int, const ss_around<heat, P> &u,
                                                       const ss_points<heat, P> &) const
    {
        ss_points<heat, P> v;
#pragma unroll
        for (int k = 0; k < P; k++)
            v.at[0][k] = heat1d(fo, rest, u.at[0][k], u.at[0][k + 1], u.at[0][k + 2]);
        return v;
    }
};

template <typename T> struct ks {
    typedef T real;
    static const int fields = 1, stages = 2, radius = 2, shared_values = 0;
    static const ss_bc bc = SS_BC_PERIODIC;
    T c[2][4]; /* by stage: c0 .. c3 of kernels/eq/ks1d.h */

    template <int P>
    __device__ __forceinline__ ss_points<ks, P> next(int stage, const ss_around<ks, P> &u,
                                                     const ss_points<ks, P> &old) const
    {
        ss_points<ks, P> v;
        /* Selected, not indexed: an index known only at run time would put c into local memory. */
        const T now[4] = {stage ? c[1][0] : c[0][0], stage ? c[1][1] : c[0][1],
                          stage ? c[1][2] : c[0][2], stage ? c[1][3] : c[0][3]};
#pragma unroll
        for (int k = 0; k < P; k++)
            v.at[0][k] =
                ks1d(now[0], now[1], now[2], now[3], stage ? old.at[0][k] : u.at[0][k + 2],
                     u.at[0][k], u.at[0][k + 1], u.at[0][k + 2], u.at[0][k + 3], u.at[0][k + 4]);
        return v;
    }
};

/* A type per slope limiter. The shared values are a point's pressure and the three components of
 * the flux through its left face. */
template <typename T, int LIMITER> struct euler {
    typedef T real;
    static const int fields = 3, stages = 2, radius = 2, shared_values = 4;
    static const ss_bc bc = SS_BC_FIXED;
    T h[2]; /* by stage: dt/dx / 4 and dt/dx / 2, halved because `flux` is twice the flux */

    /* The flux f through one face: see `flux` above. */
    static __device__ __forceinline__ void face(const T *p, T r1, T m1, T e1, T r2, T m2, T e2,
                                                T *f)
    {
        flux<LIMITER>(p, r1, m1, e1, r2, m2, e2, f);
    }

    /* One field of a point on the next level, from the fluxes through its left and right faces. */
    __device__ __forceinline__ T change(int stage, T base, T left, T right) const
    {
        return base - (stage ? h[1] : h[0]) * (right - left);
    }

    template <int P>
    __device__ __forceinline__ ss_points<euler, P> next(int stage, const ss_around<euler, P> &q,
                                                        const ss_points<euler, P> &old) const
    {
        ss_points<euler, P> v;
        T p[P + 4], left[3], right[3]; /* pressures of points -2 .. P + 1; fluxes */
#pragma unroll
        for (int i = 0; i < P + 4; i++)
            p[i] = euler1d_pressure(q.at[0][i], q.at[1][i], q.at[2][i]);
#pragma unroll
        for (int k = 0; k <= P; k++) { /* the face on the left of point k */
            flux<LIMITER>(p + k, q.at[0][k + 1], q.at[1][k + 1], q.at[2][k + 1], q.at[0][k + 2],
                          q.at[1][k + 2], q.at[2][k + 2], right);
#pragma unroll
            for (int f = 0; f < 3; f++) {
                if (k > 0)
                    v.at[f][k - 1] =
                        change(stage, stage ? old.at[f][k - 1] : q.at[f][k + 1], left[f], right[f]);
                left[f] = right[f];
            }
        }
        return v;
    }
};

#endif
