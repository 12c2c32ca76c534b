/*
 * A rank's part of a run on a GPU: an ss_part_device, and which GPU a rank has. For the rank
 * program and the tests; the thread that steps the rank calls. Without nvcc at build time the
 * functions give the reason.
 */
#ifndef SS_CUDA_JACOBI_RANK_H
#define SS_CUDA_JACOBI_RANK_H

#include "kernels/part/device.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ss_cuda_ranks {
    /* The GPU for rank number `local` of this machine: *which; *id: a number that no other GPU has,
     * on any machine, > 0. Leaves the GPU alone. SS_FAIL: there is none, err says why. */
    int (*find)(int local, int *which, double *id, ss_err *err);
    /* Makes the GPU that of the calling thread, and asks whether it works. */
    int (*begin)(int which, ss_err *err);
    /* Its stored points and sweeps, of steady equations. NULL: built without CUDA. */
    const ss_part_device *device;
} ss_cuda_ranks;

extern const ss_cuda_ranks ss_cuda_rank; /* kernels/cuda/tables.c */

int ss_cuda_rank_find(int local, int *which, double *id, ss_err *err);
int ss_cuda_rank_begin(int which, ss_err *err);
extern const ss_part_device ss_cuda_rank_device;

#ifdef __cplusplus
}
#endif
#endif
