/*
 * Pictures of a run on one device: gathered there, copied to the host while cycles run. Engine
 * thread.
 */
#ifndef SS_CUDA_SAMPLE_H
#define SS_CUDA_SAMPLE_H

#include "kernels/cuda/device/gather.h"
#include "kernels/cuda/device/plan.h"
#include "kernels/sample/parts.h"

/* The fields of a run as kernels see them: ss_fields<E> of sample.cuh has the same layout. */
typedef struct ss_cuda_fields {
    const void *u, *rhs; /* at interior point (0, 0) */
    const double *ref;
    ptrdiff_t sy;
    int nx;
    double scale; /* |r| = scale |u' - u| */
    ss_cuda_coefficients update;
} ss_cuda_fields;

/* The current field; ref may be NULL. */
ss_cuda_fields ss_cuda_fields_of(const ss_run *run, const double *ref);

/* --- pictures of a run that several devices share (slab_sample.c) ---------------------------- */

/* Adds these rows of the layer to the sums or maxima of n columns. */
int ss_cuda_add_rows(ss_sampler *s, const ss_cuda_rows_of_cells *b, double *acc, ss_err *err);
/* Has the layer kernels? Otherwise the CPU computes its cells. */
bool ss_cuda_has_cells(const ss_sampler *s);

/* --- staging buffers of pictures (sample.c) --------------------------------------------------- */

/*
 * How a picture reaches the host. Its kernels run on the run's stream between cycles, for tens of
 * microseconds, and store their result in `device`. A second stream waits for them by an event and
 * copies the result to the pinned `host`, so that the copy and the following cycles overlap. The
 * engine thread waits for the copy: about 20 microseconds for the cells of a screen, 20 times per
 * second. Publishing the picture later would save that time, but show an older cycle.
 */
typedef struct ss_cuda_staging {
    ss_cu_stream copy;
    ss_cu_event gathered, copied;
    char *device, *host;
    size_t capacity; /* of each, bytes */
    double *ref;     /* u* on the device, dense */
    const double *ref_of;
    ss_cuda_kept kept, buffers; /* the stream, the events and u*; device and host */
} ss_cuda_staging;

/* The staging buffers of a run, with room for `bytes`; allocated on first use. */
int ss_cuda_staging_get(ss_run *run, size_t bytes, ss_cuda_staging **out, ss_err *err);
/* Copies bytes [from, from + bytes) from device to host after all work enqueued on the run's
 * stream; waits for the copy. */
int ss_cuda_staging_fetch(ss_run *run, ss_cuda_staging *s, size_t from, size_t bytes, ss_err *err);
/* u* on the device, uploaded on first use; ref is the run's copy on the host. */
int ss_cuda_staging_reference(ss_run *run, const double *ref, const double **out, ss_err *err);

#endif
