/* Launches of ghosts.h that may be captured in a graph: errors are left to be found. Engine thread.
 */
#ifndef SS_CUDA_GHOSTS_CUH
#define SS_CUDA_GHOSTS_CUH

#include "kernels/cuda/device/common.cuh"
#include "kernels/cuda/device/ghosts.h"

/* The norm of the residuals of u, as a pass of its own, and the decision whether to go on. */
void ss_ghosts_check(const ss_cuda_ghosts *g, const void *u, const void *rhs,
                     ss_cuda_control *control, cudaStream_t stream);
void ss_ghosts_launch(const ss_cuda_ghosts *g, void *u, bool walls, cudaStream_t stream);

#endif
