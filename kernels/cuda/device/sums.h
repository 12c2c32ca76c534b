/*
 * Sums over many thread blocks in two launches, always in the same order: each block of the first
 * stores one partial sum (leave_sum in norm.cuh), the one block of the second adds them. Engine
 * thread.
 */
#ifndef SS_CUDA_SUMS_H
#define SS_CUDA_SUMS_H

#include "kernels/cuda/device/state.h"

/* The kernels of the second launch, on one device. */
typedef struct ss_cuda_sums {
    ss_cuda_kernel add, decide;
} ss_cuda_sums;
int ss_cuda_sums_find(ss_cuda_sums *s, ss_err *err);

/* Appends the norm of `count` partial sums and decides whether the run goes on: see norm.cuh. */
void ss_cuda_sums_decide(const ss_cuda_sums *s, const double *partial, uint32_t count,
                         ss_cuda_control *control, ss_cu_stream stream);
/* Stores the sum of `count` partial sums in *out, on the device. */
void ss_cuda_sums_add(const ss_cuda_sums *s, const double *partial, uint32_t count, double *out,
                      ss_cu_stream stream);

#endif
