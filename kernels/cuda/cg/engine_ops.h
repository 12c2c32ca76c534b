/*
 * Conjugate gradients on the GPU as kernels/cuda/tables.c sees them. Engine thread; see
 * src/core/backend.h.
 */
#ifndef SS_CUDA_CG_H
#define SS_CUDA_CG_H

#include "src/core/run.h"

int ss_cuda_cg_prepare(ss_run *run, ss_err *err);
size_t ss_cuda_cg_memory(const ss_run *run);
int ss_cuda_cg_get(ss_run *run, void *to, ss_err *err);
int ss_cuda_cg_put(ss_run *run, const void *from, ss_err *err);

#endif
