/*
 * Hybrid runs on the device's side: the GPU is the other part of kernels/cpu/hybrid.h. It stores
 * the whole field and updates the rows from x on; the CPU's rows are uploaded
 * before a picture, a checkpoint, a transfer or a change of solver. A round on the run's stream:
 *
 *     GPU    | n launches | rows [x, x + k) to the CPU |          | rows [x - k, x) from the CPU |
 *     CPU    | n iterations of rows [0, x) .................... | waits ...................... |
 *
 * With n > 1 the copy to the CPU waits for its iterations, too. Host code; engine thread.
 */
#ifndef SS_CUDA_SPLIT_H
#define SS_CUDA_SPLIT_H

#include "kernels/cuda/device/state.h"
#include "src/core/split.h"

/* Makes a prepared run hybrid. prepare: as in ss_cuda_division, the launches of a band of rows. */
int ss_cuda_split_prepare(ss_run *run, const ss_split_choice *choice, int depth,
                          int (*prepare)(ss_run *band, ss_err *err), ss_err *err);
/* Cycles that `auto` wants to see of the GPU alone, before the CPU takes part: then it knows what
 * to beat. 0: none, or no more. And their seconds. */
int ss_cuda_split_probe(const ss_run *run);
void ss_cuda_split_probed(const ss_run *run, int64_t cycles, double seconds);
/* As ss_hybrid_step. *alone: the GPU does the remaining *cycles alone. */
int ss_cuda_split_step(ss_run *run, int64_t *cycles, bool *alone, ss_err *err);
/* Before rows of an array on the device are read (`which` as in ss_backend), or before some rows of
 * any array are changed: brings the CPU's rows to the device, where they are newer. */
int ss_cuda_split_settle(ss_run *run, int which, ss_err *err);
int ss_cuda_split_settle_all(ss_run *run, ss_err *err);
/* Rows on the device were changed. */
void ss_cuda_split_changed(const ss_run *run);
/* Ends the hybrid run; the device has the whole field. */
void ss_cuda_split_free(ss_cuda_state *st);

#endif
