/*
 * Tiles in shared memory, host side: how the kernels of tile_memory.cuh are launched, and one of
 * multigrid (multigrid/tiles.cuh). Engine thread.
 */
#ifndef SS_CUDA_JACOBI_TILE_MEMORY_H
#define SS_CUDA_JACOBI_TILE_MEMORY_H

#include "kernels/cuda/device/plan.h"

/* Sets threads and shared memory of a kernel whose thread block takes a tile of t, or refuses tiles
 * that shared memory cannot hold. The costs of the run become those of these tiles. */
int ss_cuda_tiles_in_memory(ss_run *run, const ss_tiling *t, ss_cuda_kernel *k, ss_err *err);

#endif
