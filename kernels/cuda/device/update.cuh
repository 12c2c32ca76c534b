/*
 * The point update as kernels see it. The expressions are those of kernels/eq, which the CPU
 * compiles as well; --fmad=false keeps their rounding, so that GPU and CPU agree bit for bit.
 * Device code.
 *
 *     poisson1d(g, c, w, e), poisson2d(g, c, a, w, e, s, n)   in double and in float
 *     line, plane              the same as types that carry c and a, for kernels that are templates
 *                              over the equation
 *     fma_line, fma_plane    the same in fewer operations, where that changes no bit
 */
#ifndef SS_CUDA_UPDATE_CUH
#define SS_CUDA_UPDATE_CUH

#include "src/base/common.h"

#define SS_REAL double
#define SS_NAME(x) x##_f64
#include "kernels/eq/poisson1d.h"
#include "kernels/eq/poisson2d.h"
#undef SS_REAL
#undef SS_NAME
#define SS_REAL float
#define SS_NAME(x) x##_f32
#include "kernels/eq/poisson1d.h"
#include "kernels/eq/poisson2d.h"
#undef SS_REAL
#undef SS_NAME

SS_INLINE double poisson1d(double g, double c, double w, double e)
{
    return poisson1d_f64(g, c, w, e);
}
SS_INLINE float poisson1d(float g, float c, float w, float e)
{
    return poisson1d_f32(g, c, w, e);
}
SS_INLINE double poisson2d(double g, double c, double a, double w, double e, double s, double n)
{
    return poisson2d_f64(g, c, a, w, e, s, n);
}
SS_INLINE float poisson2d(float g, float c, float a, float w, float e, float s, float n)
{
    return poisson2d_f32(g, c, a, w, e, s, n);
}

/* A line ignores south and north, which a kernel passes as zero. */
template <typename T> struct line {
    typedef T real;
    static const int dim = 1;
    T c, a;
    __device__ T operator()(T g, T w, T e, T, T) const
    {
        return poisson1d(g, c, w, e);
    }
};
template <typename T> struct plane {
    typedef T real;
    static const int dim = 2;
    T c, a;
    __device__ T operator()(T g, T w, T e, T s, T n) const
    {
        return poisson2d(g, c, a, w, e, s, n);
    }
};

/* For kernels that arithmetic limits: four operations instead of six. Valid where ss_cuda_fma
 * says so: c is a power of two and a is 1, so that neither product rounds. A product that does not
 * round may be left out, or fused with the addition that follows it. */
template <typename T> struct fma_line {
    typedef T real;
    static const int dim = 1;
    T c, a;
    __device__ T operator()(T g, T w, T e, T, T) const
    {
        return fma(c, w + e, g);
    }
};
template <typename T> struct fma_plane {
    typedef T real;
    static const int dim = 2;
    T c, a;
    __device__ T operator()(T g, T w, T e, T s, T n) const
    {
        return fma(c, (w + e) + (s + n), g);
    }
};

#endif
