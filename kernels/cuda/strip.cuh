/*
 * Time-dependent equations as kernels see them: a thread takes P points that lie side by side to
 * the next level, from them and R points on each side. The updates are those of kernels/eq, written
 * once; what is here says only which values go where. CUDA C++17.
 */
#ifndef SS_CUDA_STRIP_CUH
#define SS_CUDA_STRIP_CUH

#include "kernels/cuda/device.cuh"

#define SS_REAL double
#define SS_NAME(x) x##_f64
#define SS_SQRT(x) sqrt(x)
#include "kernels/eq/euler1d.h"
#include "kernels/eq/heat1d.h"
#include "kernels/eq/ks1d.h"
#undef SS_REAL
#undef SS_NAME
#undef SS_SQRT
#define SS_REAL float
#define SS_NAME(x) x##_f32
#define SS_SQRT(x) sqrtf(x)
#include "kernels/eq/euler1d.h"
#include "kernels/eq/heat1d.h"
#include "kernels/eq/ks1d.h"
#undef SS_REAL
#undef SS_NAME
#undef SS_SQRT

/* --- the updates, by type of number ----------------------------------------------------------- */

static __device__ __forceinline__ double update_heat(double fo, double rest, double w, double u,
                                                     double e)
{
    return heat1d_f64(fo, rest, w, u, e);
}
static __device__ __forceinline__ float update_heat(float fo, float rest, float w, float u, float e)
{
    return heat1d_f32(fo, rest, w, u, e);
}

static __device__ __forceinline__ double update_ks(const double *c, double base, const double *u)
{
    return ks1d_f64(c[0], c[1], c[2], c[3], base, u[-2], u[-1], u[0], u[1], u[2]);
}
static __device__ __forceinline__ float update_ks(const float *c, float base, const float *u)
{
    return ks1d_f32(c[0], c[1], c[2], c[3], base, u[-2], u[-1], u[0], u[1], u[2]);
}

static __device__ __forceinline__ double pressure(double r, double m, double e)
{
    return euler1d_pressure_f64(r, m, e);
}
static __device__ __forceinline__ float pressure(float r, float m, float e)
{
    return euler1d_pressure_f32(r, m, e);
}

template <int LIMITER>
static __device__ __forceinline__ void flux(const double *p, double r1, double m1, double e1,
                                            double r2, double m2, double e2, double *f)
{
    euler1d_flux_f64(LIMITER, p[0], p[1], p[2], p[3], r1, m1, e1, r2, m2, e2, f, f + 1, f + 2);
}
template <int LIMITER>
static __device__ __forceinline__ void flux(const float *p, float r1, float m1, float e1, float r2,
                                            float m2, float e2, float *f)
{
    euler1d_flux_f32(LIMITER, p[0], p[1], p[2], p[3], r1, m1, e1, r2, m2, e2, f, f + 1, f + 2);
}

/* --- equations -------------------------------------------------------------------------------- */

/* The values around a thread's points: field f, point k is at[f][R + k]. */
template <class E, int P> struct ss_around {
    typename E::real at[E::fields][P + 2 * E::radius];
};
template <class E, int P> struct ss_points {
    typename E::real at[E::fields][P];
};

template <typename T> struct heat {
    typedef T real;
    static const int fields = 1, stages = 1, radius = 1;
    static const ss_bc bc = SS_BC_MIRROR;
    T fo, rest;
    explicit heat(const ss_coef &c) : fo((T)c.c[0]), rest((T)c.c[1])
    {
    }

    /* Points of the next level; old: the level before. */
    template <int P>
    __device__ __forceinline__ ss_points<heat, P> next(int, const ss_around<heat, P> &u,
                                                       const ss_points<heat, P> &) const
    {
        ss_points<heat, P> v;
#pragma unroll
        for (int k = 0; k < P; k++)
            v.at[0][k] = update_heat(fo, rest, u.at[0][k], u.at[0][k + 1], u.at[0][k + 2]);
        return v;
    }
};

template <typename T> struct ks {
    typedef T real;
    static const int fields = 1, stages = 2, radius = 2;
    static const ss_bc bc = SS_BC_PERIODIC;
    T c[2][4];
    explicit ks(const ss_coef &from)
    {
        for (int i = 0; i < 8; i++)
            c[i / 4][i % 4] = (T)from.c[i];
    }

    template <int P>
    __device__ __forceinline__ ss_points<ks, P> next(int stage, const ss_around<ks, P> &u,
                                                     const ss_points<ks, P> &old) const
    {
        ss_points<ks, P> v;
        const T now[4] = {stage ? c[1][0] : c[0][0], stage ? c[1][1] : c[0][1],
                          stage ? c[1][2] : c[0][2], stage ? c[1][3] : c[0][3]};
#pragma unroll
        for (int k = 0; k < P; k++)
            v.at[0][k] = update_ks(now, stage ? old.at[0][k] : u.at[0][k + 2], &u.at[0][k + 2]);
        return v;
    }
};

template <typename T, int LIMITER> struct euler {
    typedef T real;
    static const int fields = 3, stages = 2, radius = 2;
    static const ss_bc bc = SS_BC_FIXED;
    T h[2];
    explicit euler(const ss_coef &c) : h{(T)c.c[0], (T)c.c[1]}
    {
    }

    template <int P>
    __device__ __forceinline__ ss_points<euler, P> next(int stage, const ss_around<euler, P> &q,
                                                        const ss_points<euler, P> &old) const
    {
        ss_points<euler, P> v;
        T p[P + 4], left[3], right[3], step = stage ? h[1] : h[0];
#pragma unroll
        for (int i = 0; i < P + 4; i++)
            p[i] = pressure(q.at[0][i], q.at[1][i], q.at[2][i]);
#pragma unroll
        for (int k = 0; k <= P; k++) { /* the face left of point k */
            flux<LIMITER>(p + k, q.at[0][k + 1], q.at[1][k + 1], q.at[2][k + 1], q.at[0][k + 2],
                          q.at[1][k + 2], q.at[2][k + 2], right);
#pragma unroll
            for (int f = 0; f < 3; f++) {
                if (k > 0)
                    v.at[f][k - 1] =
                        (stage ? old.at[f][k - 1] : q.at[f][k + 1]) - step * (right[f] - left[f]);
                left[f] = right[f];
            }
        }
        return v;
    }
};

/* --- a row of points in memory ---------------------------------------------------------------- */

/* Two levels of all fields: level l lies in row[l mod 2]. Each addresses point 0 of field 0. */
template <typename T> struct ss_rows {
    T *row[2];
    ptrdiff_t field; /* elements between fields */
    int n;
};

/* The rows of a run, as if the step had begun with row[0]. */
template <typename T> static ss_rows<T> rows_of(const ss_run *run, int cur)
{
    const ss_cuda_state *st = ss_cuda_of(run);
    ss_rows<T> r;
    r.row[0] = (T *)st->u[cur] + st->box.first;
    r.row[1] = (T *)st->u[1 - cur] + st->box.first;
    r.field = (ptrdiff_t)st->box.count;
    r.n = st->box.nx;
    return r;
}

/* --- walls ------------------------------------------------------------------------------------ */

/* Points between a thread's first (last) point and the end of the line on its left (right). */
struct ss_walls {
    int left, right;
};
#define SS_NO_WALL (1 << 30)

/* What stands beyond a wall, where others would read a neighbour: the picture in a mirror, or the
 * end's own value. */
template <class E, int P>
static __device__ __forceinline__ void reflect(ss_around<E, P> &u, ss_walls w)
{
    const int R = E::radius;
    if constexpr (E::bc != SS_BC_PERIODIC)
#pragma unroll
        for (int near = 0; near < R; near += P) /* where the wall is, known when this is compiled */
#pragma unroll
            for (int i = near + 1; i <= R; i++)
#pragma unroll
                for (int f = 0; f < E::fields; f++) {
                    int back = E::bc == SS_BC_MIRROR ? i - near : 0; /* from the end inwards */
                    if (w.left == near)
                        u.at[f][R - i] = u.at[f][R - near + back];
                    if (w.right == near)
                        u.at[f][R + P - 1 + i] = u.at[f][R + P - 1 + near - back];
                }
}

/* Is point k of the thread's an end that keeps its value? */
template <class E, int P> static __device__ __forceinline__ bool is_fixed(ss_walls w, int k)
{
    return E::bc == SS_BC_FIXED && ((k == 0 && w.left == 0) || (k == P - 1 && w.right == 0));
}

#endif
