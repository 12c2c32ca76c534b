/*
 * The numerics of kernels/block, by type: the residual of a cell and the sine transform of a line,
 * the same expressions as on the CPU.
 */
#ifndef SS_CUDA_NUMERICS_CUH
#define SS_CUDA_NUMERICS_CUH

#include "kernels/cuda/device/common.cuh"

#define SS_REAL double
#define SS_CELL double
#define SS_NAME(x) x##_f64
#include "kernels/block/residual.h"
#include "kernels/block/line.h"
#undef SS_REAL
#undef SS_CELL
#undef SS_NAME
#define SS_REAL float
#define SS_CELL float
#define SS_NAME(x) x##_f32
#include "kernels/block/residual.h"
#include "kernels/block/line.h"
#undef SS_REAL
#undef SS_CELL
#undef SS_NAME
#undef inlined
#undef UNROLLED

template <typename T> struct numerics;
template <> struct numerics<double> {
    static __device__ __forceinline__ double residual(double f, double u, double w, double e,
                                                      double s, double n, double b, double t)
    {
        return residual_f64(f, u, w, e, s, n, b, t);
    }
    static __device__ __forceinline__ void transform(int n, const double *s, const double *u,
                                                     double *modes)
    {
        transform_f64(n, s, u, 1, modes);
    }
    static __device__ __forceinline__ double mode(int n, const double *s, const double *u,
                                                  int stride, int k)
    {
        return mode_f64(n, s, u, stride, k);
    }
};
template <> struct numerics<float> {
    static __device__ __forceinline__ float residual(float f, float u, float w, float e, float s,
                                                     float n, float b, float t)
    {
        return residual_f32(f, u, w, e, s, n, b, t);
    }
    static __device__ __forceinline__ void transform(int n, const float *s, const float *u,
                                                     float *modes)
    {
        transform_f32(n, s, u, 1, modes);
    }
    static __device__ __forceinline__ float mode(int n, const float *s, const float *u, int stride,
                                                 int k)
    {
        return mode_f32(n, s, u, stride, k);
    }
};

#endif
