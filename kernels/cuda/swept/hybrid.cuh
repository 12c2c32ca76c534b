/*
 * The host's part of the swept rule's variant hybrid: see hybrid.cu. The host computes the split
 * node: the last node of every odd diamond, which consists of both ends of the line (diamond.cuh).
 * Host code, CUDA C++17; engine thread.
 */
#ifndef SS_CUDA_HYBRID_CUH
#define SS_CUDA_HYBRID_CUH

#include "kernels/cuda/device/common.cuh"
#include "kernels/geom/swept.h"
extern "C" {
#include "kernels/cpu/levels.h"
}

struct ss_cuda_hybrid;

/* NULL: err says why. */
ss_cuda_hybrid *ss_cuda_hybrid_make(const ss_run *run, int block, ss_err *err);
void ss_cuda_hybrid_free(void *own);
/* Starts the copy of the split node's rows to the host; before the diamond's kernel is launched. */
int ss_cuda_hybrid_fetch(ss_run *run, ss_cuda_hybrid *h, int cur, ss_err *err);
/* Waits for the rows, computes the node's diamond while the kernel runs, and starts the copy back,
 * behind the kernel. */
int ss_cuda_hybrid_advance(ss_run *run, ss_cuda_hybrid *h, int cur, ss_err *err);

#endif
