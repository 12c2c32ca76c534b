/*
 * The engine ops of time-dependent equations on the GPU: functions that the tables in
 * kernels/cuda/tables.c point to. See src/core/backend.h; engine thread.
 */
#ifndef SS_CUDA_SWEPT_ENGINE_OPS_H
#define SS_CUDA_SWEPT_ENGINE_OPS_H

#include "src/core/run.h"

int ss_cuda_stepper_prepare(ss_run *run, ss_err *err);
int ss_cuda_swept_prepare(ss_run *run, ss_err *err);
bool ss_cuda_swept_best(const ss_config *cfg, const char *row, int64_t *out);
int ss_cuda_chain_step(ss_run *run, int64_t cycles, ss_err *err);
int ss_cuda_chain_finish(ss_run *run, int64_t steps, ss_err *err);

#endif
