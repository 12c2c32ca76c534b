/*
 * Multigrid on the GPU as kernels/cuda/tables.c sees it. Engine thread; see src/core/backend.h.
 */
#ifndef SS_CUDA_MULTIGRID_H
#define SS_CUDA_MULTIGRID_H

#include "src/core/run.h"

int ss_cuda_multigrid_prepare(ss_run *run, ss_err *err);
int ss_cuda_multigrid3d_prepare(ss_run *run, ss_err *err); /* on patches: patch_cycle.c */

#endif
