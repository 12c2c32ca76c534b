/*
 * The state of a run on the device: its fields, its stream, the control block of its norms. The
 * backend owns it (backend.cu, patches.cu). Host code; engine thread.
 */
#ifndef SS_CUDA_STATE_CUH
#define SS_CUDA_STATE_CUH

#include "kernels/cuda/device/check.h"
#include "kernels/cuda/device/names.h"
#include "kernels/cuda/device/norm.cuh"

struct ss_cuda_staging;
struct ss_cuda_patches;
struct ss_cuda_slabs;
struct ss_cuda_split;

struct ss_cuda_state {
    ss_box box; /* of patches: their window, where only the extents and `count` (the elements of all
                   patches) are valid */
    ss_cuda_patches *patches; /* patches.cuh; NULL: the domain is the box */
    ss_cuda_slabs *slabs;     /* slabs.cuh: several devices share the run, and only `box.nx` and
                                 `box.ny` are valid; NULL: they do not */
    ss_cuda_split *split;     /* split.cuh: the CPU updates some rows; NULL: it does not */
    int device;               /* of the stream and of all arrays */
    bool part;                /* this is one device's part of a run */
    int row;                  /* of a part: the row of the field that its row 0 is */
    int update;               /* SS_CUDA_POISSON1D to SS_CUDA_PLANE; -1: none */
    void *u[2], *rhs;         /* on the device, first element of the array */
    double least_rhs;         /* lower bound of |rhs| where it is not zero */
    int cur;                  /* u[cur] is the current field */
    cudaStream_t stream;
    cudaEvent_t begin, end;
    ss_cuda_control *control, *host; /* on the device; pinned copy */
    ss_cuda_staging *staging;        /* sample.cuh; NULL: no picture yet */
    void *shadow;                    /* shadow.c */
};

/* The current device of the thread, while an object of this type exists. */
struct ss_cuda_on {
    int before;
    explicit ss_cuda_on(int device) : before(0)
    {
        cudaGetDevice(&before);
        cudaSetDevice(device);
    }
    ~ss_cuda_on()
    {
        cudaSetDevice(before);
    }
    ss_cuda_on(const ss_cuda_on &) = delete;
    ss_cuda_on &operator=(const ss_cuda_on &) = delete;
};

/* The layout of `ny` rows of `nx` points of a run's field, with `hy` rows of halo on each side. */
ss_box ss_cuda_layout(const ss_run *run, int nx, int ny, int hy);
/* Makes the state of a run on the current device: its stream, the control block of its norms, no
 * arrays. After a failure the caller calls ss_cuda_close. */
int ss_cuda_state_make(ss_run *run, const ss_box *box, ss_err *err);
/* Allocates arrays for the fields of a state, and zeroes them. */
int ss_cuda_arrays_make(const ss_run *run, const ss_box *box, void *u[2], void **rhs, ss_err *err);

void ss_cuda_staging_free(ss_cuda_staging *s);
/* Drops the copy of u* on the device, because u* changes. */
void ss_cuda_staging_forget(ss_cuda_staging *s);

static inline const ss_cuda_state *ss_cuda_of(const ss_run *run)
{
    return (const ss_cuda_state *)run->state;
}

/* Copies `count` rows of `width` bytes on the run's stream; pitches in bytes, without the limit
 * that CUDA's own copies have. */
int ss_cuda_copy_rows(const ss_run *run, void *to, size_t to_pitch, const void *from,
                      size_t from_pitch, size_t width, size_t count, cudaMemcpyKind kind,
                      ss_err *err);

#endif
