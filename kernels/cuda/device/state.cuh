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

struct ss_cuda_state {
    ss_box box; /* of patches: their window, where only the extents and `count` (the elements of all
                   patches) are valid */
    ss_cuda_patches *patches; /* patches.cuh; NULL: the domain is the box */
    int update;               /* SS_CUDA_LINE, SS_CUDA_PLANE; -1: neither */
    void *u[2], *rhs;         /* on the device, first element of the array */
    double least_rhs;         /* lower bound of |rhs| where it is not zero */
    int cur;                  /* u[cur] is the current field */
    cudaStream_t stream;
    cudaEvent_t begin, end;
    ss_cuda_control *control, *host; /* on the device; pinned copy */
    ss_cuda_staging *staging;        /* sample.cuh; NULL: no picture yet */
    void *shadow;                    /* shadow.c */
};

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
