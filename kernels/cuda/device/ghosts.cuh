/* The launches of ghosts.h without error checks, so that a graph can capture them; the caller
 * checks cudaGetLastError. Engine thread. */
#ifndef SS_CUDA_GHOSTS_CUH
#define SS_CUDA_GHOSTS_CUH

#include "kernels/cuda/device/common.cuh"
#include "kernels/cuda/device/ghosts.h"

/* Appends the norm of the residual of u and decides whether the run goes on: see norm.cuh. */
void ss_ghosts_check(const ss_cuda_ghosts *g, const void *u, const void *rhs,
                     ss_cuda_control *control, cudaStream_t stream);
void ss_ghosts_launch(const ss_cuda_ghosts *g, void *u, bool walls, cudaStream_t stream);

#endif
