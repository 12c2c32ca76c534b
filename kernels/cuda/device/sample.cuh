/*
 * The value of a layer at a point, for the gather kernels of sample.cu and the maxima of norm.cu:
 * VALUE, EXACT, RESIDUAL, ERROR. Each is the CPU's expression (kernels/sample/layer.c) in the same
 * order of operations, so that pictures are bit-for-bit equal.
 */
#ifndef SS_CUDA_SAMPLE_CUH
#define SS_CUDA_SAMPLE_CUH

#include "kernels/cuda/device/common.cuh"
#include "kernels/sample/parts.h"

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

template <class E> static ss_fields<E> fields_of(const ss_run *run, const double *ref)
{
    typedef typename E::real T;
    const ss_cuda_state *st = ss_cuda_of(run);
    ss_fields<E> f;
    f.u = (const T *)st->u[st->cur] + st->box.first;
    f.rhs = (const T *)st->rhs + st->box.first;
    f.ref = ref;
    f.sy = st->box.sy;
    f.nx = st->box.nx;
    f.scale = fabs(run->coef.residual);
    f.update = equation<E>(run);
    return f;
}

/* --- pictures of a run that several devices share (slab_sample.cu) ---------------------------- */

/* The rows [lo, hi) of points that a row of cells covers, box number `box` of `boxes`, of which
 * this device has the rows [from, to); and the columns [x0, x0 + n) of the picture. */
struct ss_cuda_rows_of_cells {
    int lo, hi, pairs, box, boxes;
    int from, to;
    int x0, n;
};

/* Adds these rows of the layer to the sums or maxima of n columns. */
int ss_cuda_add_rows(ss_sampler *s, const ss_cuda_rows_of_cells *b, double *acc, ss_err *err);
/* Has the layer kernels? Otherwise the CPU computes its cells. */
bool ss_cuda_has_cells(const ss_sampler *s);

/* --- staging buffers of pictures (staging.cu) ------------------------------------------------- */

/*
 * How a picture reaches the host. Its kernels run on the run's stream between cycles, for tens of
 * microseconds, and store their result in `device`. A second stream waits for them by an event and
 * copies the result to the pinned `host`, so that the copy and the following cycles overlap. The
 * engine thread waits for the copy: about 20 microseconds for the cells of a screen, 20 times per
 * second. Publishing the picture later would save that time, but show an older cycle.
 */
struct ss_cuda_staging {
    cudaStream_t copy;
    cudaEvent_t gathered, copied;
    char *device, *host;
    size_t capacity; /* of each, bytes */
    double *ref;     /* u* on the device, dense */
    const double *ref_of;
};

/* The staging buffers of a run, with room for `bytes`; allocated on first use. */
int ss_cuda_staging_get(ss_run *run, size_t bytes, ss_cuda_staging **out, ss_err *err);
/* Copies bytes [from, from + bytes) from device to host after all work enqueued on the run's
 * stream; waits for the copy. */
int ss_cuda_staging_fetch(ss_run *run, ss_cuda_staging *s, size_t from, size_t bytes, ss_err *err);
/* u* on the device, uploaded on first use; ref is the run's copy on the host. */
int ss_cuda_staging_reference(ss_run *run, const double *ref, const double **out, ss_err *err);

#endif
