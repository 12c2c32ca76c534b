/*
 * The update of a point as kernels see it: the expressions of kernels/eq for both precisions, and a
 * type per equation that carries its coefficients. Device code.
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

/* An equation as kernels see it: its type of numbers, its directions, its update. South and north
 * of a point on a line are never read. */
template <typename T> struct line {
    typedef T real;
    static const int dim = 1;
    T c, a;
    __device__ T operator()(T g, T w, T e, T, T) const;
};
template <typename T> struct plane {
    typedef T real;
    static const int dim = 2;
    T c, a;
    __device__ T operator()(T g, T w, T e, T s, T n) const;
};
template <>
__device__ inline double line<double>::operator()(double g, double w, double e, double,
                                                  double) const
{
    return poisson1d_f64(g, c, w, e);
}
template <>
__device__ inline float line<float>::operator()(float g, float w, float e, float, float) const
{
    return poisson1d_f32(g, c, w, e);
}
template <>
__device__ inline double plane<double>::operator()(double g, double w, double e, double s,
                                                   double n) const
{
    return poisson2d_f64(g, c, a, w, e, s, n);
}
template <>
__device__ inline float plane<float>::operator()(float g, float w, float e, float s, float n) const
{
    return poisson2d_f32(g, c, a, w, e, s, n);
}

/* The same numbers in four operations instead of six, for the kernels that arithmetic limits: where
 * `ss_cuda_even` says so, c is a power of two and a is 1, so that neither product rounds, and one
 * that does not round may be left out or fused with the addition behind it. */
template <typename T> struct even_line {
    typedef T real;
    static const int dim = 1;
    T c, a;
    __device__ T operator()(T g, T w, T e, T, T) const
    {
        return fma(c, w + e, g);
    }
};
template <typename T> struct even_plane {
    typedef T real;
    static const int dim = 2;
    T c, a;
    __device__ T operator()(T g, T w, T e, T s, T n) const
    {
        return fma(c, (w + e) + (s + n), g);
    }
};

#endif
