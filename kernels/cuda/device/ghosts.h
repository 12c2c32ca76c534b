/*
 * Ghost cells of patches on the GPU: exchanged between neighbours, filled at walls; and the norm of
 * the residual as a pass of its own. Engine thread.
 */
#ifndef SS_CUDA_GHOSTS_H
#define SS_CUDA_GHOSTS_H

#include "kernels/block/smooth.h"
#include "kernels/cuda/device/driver.h"
#include "kernels/geom/patches.h"

/* Ghost cells: those at a side with a neighbour become its outermost cells, those at a wall zero or
 * minus the cell inside. */
typedef struct ss_cuda_ghosts ss_cuda_ghosts;
int ss_cuda_ghosts_make(ss_cuda_ghosts **out, const ss_patch *patch, int patches, ss_prec prec,
                        ss_wall wall, ss_err *err);
void ss_cuda_ghosts_free(ss_cuda_ghosts *g);
/* walls: fill the ghosts at walls too; zeros are needed only once. */
int ss_cuda_ghosts_exchange(const ss_cuda_ghosts *g, void *u, bool walls, ss_cu_stream stream,
                            ss_err *err);
/* The sum of the squares of all residuals, in a pass of its own; *norm2 is on the device. Always in
 * the same order. */
int ss_cuda_ghosts_norm2(const ss_cuda_ghosts *g, const void *u, const void *rhs, double *norm2,
                         ss_cu_stream stream, ss_err *err);

#endif
