/*
 * Kernels that read all patches of a domain, on request: the maximum of |u - u*|, and the cells of
 * a slice. One row of thread blocks per patch. Device code; patches.c launches it.
 */
#ifndef SS_CUDA_PATCHES_CUH
#define SS_CUDA_PATCHES_CUH

#include <math.h>

#include "kernels/geom/patches.h"
#include "kernels/geom/pictures.h"

#define THREADS 256
#define STRIPES 16 /* thread blocks per patch */

/* The maximum of |u - ref| over planes [k0, k1) of the window, nx by ny cells each; ref holds these
 * planes only. A value that is not a number counts as infinite. Bit patterns of non-negative
 * doubles are ordered like their values. */
template <typename T>
__global__ void __launch_bounds__(THREADS)
    find_deviation(const ss_patch *list, const double *ref, int nx, int ny, int k0, int k1,
                   const T *u, unsigned long long *max)
{
    const ss_patch &p = list[blockIdx.x];
    double most = 0;
    int lo = k0 > p.at[2] ? k0 - p.at[2] : 0;
    int hi = k1 - p.at[2] < p.box.nz ? k1 - p.at[2] : p.box.nz;
    for (int r = lo * p.box.ny + blockIdx.y; r < hi * p.box.ny; r += STRIPES) {
        const T *row = u + ss_patch_row_at(&p, r);
        int j = p.at[1] + r % p.box.ny, k = p.at[2] + r / p.box.ny - k0;
        const double *exact = ref + ((ptrdiff_t)k * ny + j) * nx + p.at[0];
        for (int i = threadIdx.x; i < p.box.nx; i += THREADS) {
            double e = fabs((double)row[i] - exact[i]);
            most = e <= most ? most : isnan(e) ? HUGE_VAL : e;
        }
    }
    for (int s = 16; s > 0; s /= 2)
        most = fmax(most, __shfl_down_sync(~0u, most, s));
    if (threadIdx.x % 32 == 0)
        atomicMax(max, (unsigned long long)__double_as_longlong(most));
}

/* --- slices ----------------------------------------------------------------------------------- */

template <typename T> struct fields {
    const T *u, *rhs, *start;
    double scale; /* of the right-hand side and of residuals */
};

/* The values of the parts of a slice, in the expressions of kernels/sample/slice.c. */
struct part_u {
    template <typename T> static __device__ double at(const fields<T> &f, const ss_box &, size_t c)
    {
        return (double)f.u[c];
    }
};
struct part_rhs {
    template <typename T> static __device__ double at(const fields<T> &f, const ss_box &, size_t c)
    {
        return (double)f.rhs[c] * f.scale;
    }
};
struct part_start {
    template <typename T> static __device__ double at(const fields<T> &f, const ss_box &, size_t c)
    {
        return (double)f.start[c];
    }
};
struct part_residual {
    template <typename T> static __device__ double at(const fields<T> &f, const ss_box &b, size_t c)
    {
        const T *u = f.u + c;
        double sum = (double)u[-1] + (double)u[1] + (double)u[-b.sy] + (double)u[b.sy] +
                     (double)u[-b.sz] + (double)u[b.sz];
        double r = (double)f.rhs[c] - 6 * (double)u[0] + sum;
        return f.scale * r;
    }
};

/* Instead of an array, which the compiler would put into local memory if it is indexed at run time.
 */
template <typename V> static __device__ V choose(int axis, V x, V y, V z)
{
    return axis == 0 ? x : axis == 1 ? y : z;
}

static __device__ int extent(const ss_box &b, int axis)
{
    return choose(axis, b.nx, b.ny, b.nz);
}

static __device__ ptrdiff_t stride(const ss_box &b, int axis)
{
    return choose<ptrdiff_t>(axis, 1, b.sy, b.sz);
}

/* Gathers the cells of patch blockIdx.x that lie in the slice into the dense plane. */
template <class PART, typename T>
__global__ void __launch_bounds__(THREADS)
    gather_slice(const ss_patch *list, ss_slice s, fields<T> f, double *plane)
{
    const ss_patch &p = list[blockIdx.x];
    int inside = s.at - p.at[s.axis];
    if (inside < 0 || inside >= extent(p.box, s.axis))
        return;
    size_t first = p.box.first + (size_t)(inside * stride(p.box, s.axis));
    ptrdiff_t step_across = stride(p.box, s.d[0]), step_up = stride(p.box, s.d[1]);
    int across = extent(p.box, s.d[0]), up = extent(p.box, s.d[1]);
    for (int c = blockIdx.y * THREADS + threadIdx.x; c < across * up; c += STRIPES * THREADS) {
        int x = c % across, y = c / across;
        size_t at = first + (size_t)(y * step_up + x * step_across);
        plane[(ptrdiff_t)(p.at[s.d[1]] + y) * s.n[0] + p.at[s.d[0]] + x] = PART::at(f, p.box, at);
    }
}

#endif
