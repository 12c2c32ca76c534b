/*
 * Runs whose patches live in the host's memory (stream-order depth, breadth): in every step each
 * patch is copied to the GPU, relaxed there and copied back; then the patches exchange ghosts on
 * the host. This is the paper's comparison of two orders of copies and kernels. Between steps the
 * state is on the device as always, so that pictures and files need not know; the copies between
 * the two are not part of a step's time. The fields are bit-for-bit those of resident patches.
 * Engine thread.
 */
#ifndef SS_CUDA_HOST_PATCHES_H
#define SS_CUDA_HOST_PATCHES_H

#include "kernels/cuda/smooth/methods.h"
#include "src/core/run.h"

typedef struct ss_cuda_host_patches {
    ss_cuda_smooth *smooth; /* of one patch; NULL: not made */
    ss_cuda_pipeline *pipeline;
    char *u, *rhs; /* pinned; all patches, laid out as on the device */
    ss_stream_order order;
} ss_cuda_host_patches;

/* Allocates all patches on the host, for as long as the run's plan, and on the device; they must
 * have one size. After a failure the caller calls ss_cuda_host_patches_free. */
int ss_cuda_host_patches_make(ss_cuda_host_patches *a, ss_run *run, const ss_cuda_smooth_how *how,
                              ss_stream_order order, ss_err *err);
void ss_cuda_host_patches_free(ss_cuda_host_patches *a);
int ss_cuda_host_patches_step(ss_run *run, ss_cuda_host_patches *a, double omega, int64_t cycles,
                              ss_err *err);

#endif
