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
    ss_box box; /* of patches: their window, of which only the extent means something, and all
                   elements of a field */
    ss_cuda_patches *patches; /* patches.cuh; NULL: box is all there is */
    int update;               /* SS_CUDA_LINE, SS_CUDA_PLANE; -1: neither */
    void *u[2], *rhs;         /* on the device, first element of the array */
    double least_rhs;         /* magnitude, zeros left out; a bound from below */
    int cur;
    cudaStream_t stream;
    cudaEvent_t begin, end;
    ss_cuda_control *control, *host; /* on the device; pinned */
    ss_cuda_staging *staging;        /* sample.cuh; NULL: no picture yet */
    void *shadow;                    /* shadow.c */
};

void ss_cuda_staging_free(ss_cuda_staging *s);
/* u* may become another one. */
void ss_cuda_staging_forget(ss_cuda_staging *s);

static inline const ss_cuda_state *ss_cuda_of(const ss_run *run)
{
    return (const ss_cuda_state *)run->state;
}

/* Rows from anywhere to anywhere, by way of the run's stream; pitches in bytes, of any size. */
int ss_cuda_copy_rows(const ss_run *run, void *to, size_t to_pitch, const void *from,
                      size_t from_pitch, size_t width, size_t count, cudaMemcpyKind kind,
                      ss_err *err);

#endif
