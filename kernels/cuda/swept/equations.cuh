/*
 * Time-dependent equations as kernels see them: a thread takes P points that lie side by side to
 * the next level, from them and R points on each side. The updates are those of kernels/eq, written
 * once; what is here says only which values go where. CUDA C++17.
 */
#ifndef SS_CUDA_STRIP_CUH
#define SS_CUDA_STRIP_CUH

#include "kernels/cuda/device/common.cuh"

/* --- arithmetic --------------------------------------------------------------------- */

/*
 * The compiler's own are correctly rounded for every number there is, and each has a branch for
 * those that need more than a few steps of Newton's, which keeps it from working on several at
 * once. These have no branch, and round correctly, too, wherever x and 1/x are normal numbers; x =
 * 0 gives NaN. The last step is Markstein's: the residual is exact, so that only the sum rounds.
 */
static SS_HD __forceinline__ double inverse(double x)
{
#ifdef __CUDA_ARCH__
    double y;
    asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x)); /* 23 bits */
    double e = fma(-x, y, 1.0);
    y = fma(y, fma(e, e, e), y); /* nearly all of them: the error is cubed */
    return fma(fma(-x, y, 1.0), y, y);
#else
    return 1 / x;
#endif
}

static SS_HD __forceinline__ double root(double x)
{
#ifdef __CUDA_ARCH__
    double y;
    asm("rsqrt.approx.ftz.f64 %0, %1;" : "=d"(y) : "d"(x));
    double g = x * y, h = 0.5 * y; /* sqrt(x), 1/(2 sqrt(x)): 22 bits */
    double r = fma(-g, h, 0.5);
    r = fma(1.5 * r, r, r); /* nearly all of them: the error is cubed */
    g = fma(g, r, g);
    h = fma(h, r, h);
    return fma(fma(-g, g, x), h, g);
#else
    return sqrt(x);
#endif
}

/* In single precision one step is enough; roots are right from 2^-102 on. (Compared with the
 * compiler's for every number there is.) */
static SS_HD __forceinline__ float inverse(float x)
{
#ifdef __CUDA_ARCH__
    float y;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return fmaf(fmaf(-x, y, 1.0f), y, y);
#else
    return 1 / x;
#endif
}

static SS_HD __forceinline__ float root(float x)
{
#ifdef __CUDA_ARCH__
    float y;
    asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    float g = x * y;
    return fmaf(fmaf(-g, g, x), 0.5f * y, g);
#else
    return sqrtf(x);
#endif
}

/* min(x, 1/2), and 0 where x is not positive and finite. Bits are compared as integers, which the
 * units for double precision have no part in. */
static SS_HD __forceinline__ double trust(double x)
{
#ifdef __CUDA_ARCH__
    unsigned high = (unsigned)__double2hiint(x);
    double most = high < 0x3fe00000u ? x : 0.5;
    return high < 0x7ff00000u ? most : 0;
#else
    return x > 0 && x - x == 0 ? (x < 0.5 ? x : 0.5) : 0;
#endif
}

static SS_HD __forceinline__ float trust(float x)
{
#ifdef __CUDA_ARCH__
    unsigned bits = __float_as_uint(x);
    float most = bits < 0x3f000000u ? x : 0.5f;
    return bits < 0x7f800000u ? most : 0;
#else
    return x > 0 && x - x == 0 ? (x < 0.5f ? x : 0.5f) : 0;
#endif
}

static SS_HD __forceinline__ double less_half(double x, double t)
{
    return fma(-0.5, t, x);
}

static SS_HD __forceinline__ float less_half(float x, float t)
{
    return fmaf(-0.5f, t, x);
}

#define SS_LESS_HALF(x, t) less_half(x, t)
#define SS_TRUST(x) trust(x)
#define SS_SQRT(x) root(x)
#define SS_INVERSE(x) inverse(x)
#define SS_REAL double
#define SS_NAME(x) x##_f64
#include "kernels/eq/euler1d.h"
#include "kernels/eq/heat1d.h"
#include "kernels/eq/ks1d.h"
#undef SS_REAL
#undef SS_NAME
#define SS_REAL float
#define SS_NAME(x) x##_f32
#include "kernels/eq/euler1d.h"
#include "kernels/eq/heat1d.h"
#include "kernels/eq/ks1d.h"
#undef SS_REAL
#undef SS_NAME
#undef SS_INVERSE
#undef SS_LESS_HALF
#undef SS_SQRT
#undef SS_TRUST

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
    static const int own = 0; /* values of a point beside its fields that neighbours may share */
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
    static const int fields = 1, stages = 2, radius = 2, own = 0;
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
    static const int own = 4; /* its pressure, and the flux through the face on its left */
    static const ss_bc bc = SS_BC_FIXED;
    T h[2];
    explicit euler(const ss_coef &c) : h{(T)c.c[0], (T)c.c[1]}
    {
    }

    static __device__ __forceinline__ void face(const T *p, T r1, T m1, T e1, T r2, T m2, T e2,
                                                T *f)
    {
        flux<LIMITER>(p, r1, m1, e1, r2, m2, e2, f);
    }

    __device__ __forceinline__ T change(int stage, T base, T left, T right) const
    {
        return base - (stage ? h[1] : h[0]) * (right - left);
    }

    template <int P>
    __device__ __forceinline__ ss_points<euler, P> next(int stage, const ss_around<euler, P> &q,
                                                        const ss_points<euler, P> &old) const
    {
        ss_points<euler, P> v;
        T p[P + 4], left[3], right[3];
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
                        change(stage, stage ? old.at[f][k - 1] : q.at[f][k + 1], left[f], right[f]);
                left[f] = right[f];
            }
        }
        return v;
    }
};

/* --- a row of points in memory ---------------------------------------------------------------- */

/* The two arrays of a line, each with all fields; a row addresses point 0 of field 0. What they
 * hold is the kernel's to say. In stepper.cu row[0] is the level on hand and row[1] becomes the
 * next one; in the swept rule they hold the last two levels of each point, by parity (diamond.cuh).
 */
template <typename T> struct ss_rows {
    T *row[2];
    ptrdiff_t field; /* elements between fields */
    int n;
};

/* The rows of a run: row[0] is u[cur], row[1] the other one. */
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

/* P points, 16 bytes at a time where that is possible. */
template <typename T, int P>
static __device__ __forceinline__ void ss_load_points(const T *from, T *to)
{
    const int N = P < pack<T>::n ? P : pack<T>::n;
#pragma unroll
    for (int k = 0; k < P; k += N) {
        if constexpr (N == pack<T>::n) {
            pack<T> v = load(from + k);
#pragma unroll
            for (int i = 0; i < N; i++)
                to[k + i] = v.v[i];
        } else {
#pragma unroll
            for (int i = 0; i < N; i++)
                to[k + i] = from[k + i];
        }
    }
}

template <typename T, int P>
static __device__ __forceinline__ void ss_store_points(T *to, const T *from)
{
    const int N = P < pack<T>::n ? P : pack<T>::n;
#pragma unroll
    for (int k = 0; k < P; k += N) {
        if constexpr (N == pack<T>::n) {
            pack<T> v;
#pragma unroll
            for (int i = 0; i < N; i++)
                v.v[i] = from[k + i];
            store(to + k, v, N);
        } else {
#pragma unroll
            for (int i = 0; i < N; i++)
                to[k + i] = from[k + i];
        }
    }
}

/* --- walls ------------------------------------------------------------------------------------ */

/* Points between a thread's first (last) point and the end of the line on its left (right). */
struct ss_walls {
    int left, right;
};
#define SS_NO_WALL (1 << 30)

/* What stands beyond a wall, where others would read a neighbour: the picture in a mirror, or the
 * end's own value. The thread's P points stand in the middle of N places. */
template <class E, int P, int N>
static __device__ __forceinline__ void reflect(typename E::real (&at)[E::fields][N], ss_walls w)
{
    const int R = E::radius, first = (N - P) / 2, last = first + P - 1;
    if constexpr (E::bc != SS_BC_PERIODIC)
#pragma unroll
        for (int near = 0; near < R; near += P) /* where the wall is, known when this is compiled */
#pragma unroll
            for (int i = near + 1; i <= R; i++)
#pragma unroll
                for (int f = 0; f < E::fields; f++) {
                    int back = E::bc == SS_BC_MIRROR ? i - near : 0; /* from the end inwards */
                    if (w.left == near)
                        at[f][first - i] = at[f][first - near + back];
                    if (w.right == near)
                        at[f][last + i] = at[f][last + near - back];
                }
}

/* Is point k of the thread's an end that keeps its value? */
template <class E, int P> static __device__ __forceinline__ bool is_fixed(ss_walls w, int k)
{
    return E::bc == SS_BC_FIXED && ((k == 0 && w.left == 0) || (k == P - 1 && w.right == 0));
}

#endif
