/*
 * The value of a layer at a point, for pictures (gather.cuh) and maxima (reduce.cuh): VALUE, EXACT,
 * RESIDUAL, ERROR. Each is the CPU's expression (kernels/sample/layer.c) in the same order of
 * operations, so that pictures are bit-for-bit equal. Device code.
 */
#ifndef SS_CUDA_SAMPLE_CUH
#define SS_CUDA_SAMPLE_CUH

#include "kernels/cuda/device/update.cuh"

/* The fields, each pointer at interior point (0, 0); u* is dense. */
template <class E> struct ss_fields {
    typedef typename E::real T;
    const T *u, *rhs;
    const double *ref; /* NULL: not needed */
    ptrdiff_t sy;
    int nx;
    double scale; /* |r| = scale |u' - u| */
    E update;
};

/* mean: a cell shows the mean of signed values; else the maximum of magnitudes. */
struct ss_point_value {
    static const bool mean = true;
    template <class E> static __device__ double at(const ss_fields<E> &f, int x, int y)
    {
        return (double)f.u[y * f.sy + x];
    }
};

struct ss_point_exact {
    static const bool mean = true;
    template <class E> static __device__ double at(const ss_fields<E> &f, int x, int y)
    {
        return f.ref[y * (ptrdiff_t)f.nx + x];
    }
};

struct ss_point_residual {
    static const bool mean = false;
    template <class E> static __device__ double at(const ss_fields<E> &f, int x, int y)
    {
        typedef typename E::real T;
        const T *u = f.u + y * f.sy + x;
        T south = E::dim > 1 ? u[-f.sy] : 0, north = E::dim > 1 ? u[f.sy] : 0;
        T updated = f.update(f.rhs[y * f.sy + x], u[-1], u[1], south, north);
        return f.scale * fabs((double)updated - (double)u[0]);
    }
};

struct ss_point_error {
    static const bool mean = false;
    template <class E> static __device__ double at(const ss_fields<E> &f, int x, int y)
    {
        return fabs((double)f.u[y * f.sy + x] - f.ref[y * (ptrdiff_t)f.nx + x]);
    }
};

#endif
