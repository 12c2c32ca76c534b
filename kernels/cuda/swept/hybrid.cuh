/* The host's part of the swept rule's variant hybrid: see hybrid.cu. CUDA C++17; engine thread. */
#ifndef SS_CUDA_HYBRID_CUH
#define SS_CUDA_HYBRID_CUH

#include "kernels/cuda/swept/chain.cuh"
#include "kernels/geom/swept.h"
extern "C" {
#include "kernels/cpu/levels.h"
}

struct ss_cuda_hybrid;

/* NULL: err says why. */
ss_cuda_hybrid *ss_cuda_hybrid_make(const ss_run *run, int block, ss_err *err);
void ss_cuda_hybrid_free(void *own);
/* The split node's rows on their way to the host, before the diamond's kernel is launched. */
int ss_cuda_hybrid_fetch(ss_run *run, ss_cuda_hybrid *h, int cur, ss_err *err);
/* Its diamond, while the kernel runs, and the rows on their way back, behind the kernel. */
int ss_cuda_hybrid_climb(ss_run *run, ss_cuda_hybrid *h, int cur, ss_err *err);

#endif
