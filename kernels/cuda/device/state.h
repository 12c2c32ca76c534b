/*
 * The state of a run on the device: its fields, its stream, the control block of its norms. The
 * backend owns it (backend.c, patches.c). Host code; engine thread.
 */
#ifndef SS_CUDA_STATE_H
#define SS_CUDA_STATE_H

#include "kernels/cuda/device/check.h"
#include "kernels/cuda/device/control.h"
#include "kernels/cuda/device/loader.h"
#include "kernels/cuda/device/names.h"

typedef struct ss_cuda_state {
    ss_box box; /* of patches: their window, where only the extents and `count` (the elements of all
                   patches) are valid */
    struct ss_cuda_patches *patches; /* patches.h; NULL: the domain is the box */
    struct ss_cuda_slabs *slabs; /* slabs.h: several devices share the run, and only `box.nx` and
                             `box.ny` are valid; NULL: they do not */
    struct ss_cuda_split *split; /* slabs.h: the CPU updates some rows; NULL: it does not */
    int device;                  /* of the stream and of all arrays */
    bool part;                   /* this is one device's part of a run */
    int row;                     /* of a part: the row of the field that its row 0 is */
    int update;                  /* SS_CUDA_POISSON1D to SS_CUDA_PLANE; -1: none */
    void *u[2], *rhs;            /* on the device, first element of the array */
    double least_rhs;            /* lower bound of |rhs| where it is not zero */
    int cur;                     /* u[cur] is the current field */
    ss_cu_stream stream;
    ss_cu_event begin, end;
    ss_cuda_control *control, *host; /* on the device; pinned copy */
    struct ss_cuda_staging *staging; /* sample.h; NULL: no picture yet */
    void *shadow;                    /* shadow.c */
    ss_cuda_kept arrays;             /* u and rhs */
    ss_cuda_kept kept;               /* the stream, the events, the control block and its copy */
} ss_cuda_state;

/* The layout of `ny` rows of `nx` points of a run's field, with `hy` rows of halo on each side. */
ss_box ss_cuda_layout(const ss_run *run, int nx, int ny, int hy);
/* Makes the state of a run on the current device: its stream, the control block of its norms, no
 * arrays. After a failure the caller calls ss_cuda_close. */
int ss_cuda_state_make(ss_run *run, const ss_box *box, ss_err *err);
/* Allocates arrays for the fields of a run, zeroed, and adds them to the list. */
int ss_cuda_arrays_make(const ss_run *run, const ss_box *box, ss_cuda_kept *kept, void *u[2],
                        void **rhs, ss_err *err);

void ss_cuda_staging_free(struct ss_cuda_staging *s);
/* Drops the copy of u* on the device, because u* changes. */
void ss_cuda_staging_forget(struct ss_cuda_staging *s);

static inline const ss_cuda_state *ss_cuda_of(const ss_run *run)
{
    return (const ss_cuda_state *)run->state;
}

static inline ss_cuda_state *ss_cuda_state_of(const ss_run *run)
{
    return (ss_cuda_state *)run->state;
}

/* Where the rows of a copy lie. */
typedef enum ss_cuda_way { SS_CUDA_UP, SS_CUDA_DOWN, SS_CUDA_WITHIN } ss_cuda_way;

/* Copies `count` rows of `width` bytes on the run's stream: from the host to the device, back, or
 * on the device. Pitches in bytes, without the limit that the driver's own copies have. */
int ss_cuda_copy_rows(const ss_run *run, void *to, size_t to_pitch, const void *from,
                      size_t from_pitch, size_t width, size_t count, ss_cuda_way way, ss_err *err);

#endif
