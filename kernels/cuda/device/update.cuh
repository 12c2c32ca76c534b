/*
 * The point update as kernels see it. The expressions are those of kernels/eq, which the CPU
 * compiles as well; --fmad=false keeps their rounding, so that GPU and CPU agree bit for bit.
 * Device code.
 *
 *     poisson_line, poisson_plane    Poisson's update as types that carry its coefficients, for
 *                                    kernels that are templates over the update
 *     fma_line, fma_plane            the same in fewer operations, where that changes no bit
 *     tridiagonal, pentadiagonal     the updates of constant matrices
 */
#ifndef SS_CUDA_UPDATE_CUH
#define SS_CUDA_UPDATE_CUH

#include "src/base/common.h"

/* Overloads for both precisions. */
#define SS_NAME(x) x
#define SS_REAL double
#include "kernels/eq/steady.h"
#undef SS_REAL
#define SS_REAL float
#include "kernels/eq/steady.h"
#undef SS_REAL
#undef SS_NAME

/* The members of every update, so that a launch may pass one where the kernel has another: the
 * first coefficients of the equation (ss_coef). Poisson's are c and a, in c[0] and c[1]. */
template <typename T, int DIM> struct coefficients {
    typedef T real;
    static const int dim = DIM;
    T c[4];
};

/* A line ignores south and north, which a kernel passes as zero. */
template <typename T> struct poisson_line : coefficients<T, 1> {
    __device__ T operator()(T g, T w, T e, T, T) const
    {
        return poisson1d(g, this->c[0], w, e);
    }
};
template <typename T> struct poisson_plane : coefficients<T, 2> {
    __device__ T operator()(T g, T w, T e, T s, T n) const
    {
        return poisson2d(g, this->c[0], this->c[1], w, e, s, n);
    }
};
template <typename T> struct tridiagonal : coefficients<T, 1> {
    __device__ T operator()(T g, T w, T e, T, T) const
    {
        return line(g, this->c[0], this->c[1], w, e);
    }
};
template <typename T> struct pentadiagonal : coefficients<T, 2> {
    __device__ T operator()(T g, T w, T e, T s, T n) const
    {
        return plane(g, this->c[0], this->c[1], this->c[2], this->c[3], w, e, s, n);
    }
};

/* For kernels that arithmetic limits: four operations instead of six. Valid where plan.c
 * says so: c is a power of two and a is 1, so that neither product rounds. A product that does not
 * round may be left out, or fused with the addition that follows it. */
template <typename T> struct fma_line : coefficients<T, 1> {
    __device__ T operator()(T g, T w, T e, T, T) const
    {
        return fma(this->c[0], w + e, g);
    }
};
template <typename T> struct fma_plane : coefficients<T, 2> {
    __device__ T operator()(T g, T w, T e, T s, T n) const
    {
        return fma(this->c[0], (w + e) + (s + n), g);
    }
};

#endif
