/*
 * The sides and strips of patches, which the host lists once (ghosts.c) and kernels work through
 * (ghosts.cuh). Valid as C11 and CUDA C++17.
 */
#ifndef SS_CUDA_SIDES_H
#define SS_CUDA_SIDES_H

#include "src/base/common.h"

#define SIDE_THREADS 256
#define SIDE_CELLS 4 /* per thread */

enum { GHOST_COPY, GHOST_MIRROR, GHOST_ZERO };

/* A side of a patch: its ghosts and the cells that they are copied from, as rows and columns. */
typedef struct ss_cuda_side {
    uint32_t ghost, cell; /* the first elements */
    int rows, columns;
    int row, column;           /* strides of the ghosts */
    int cell_row, cell_column; /* strides of the cells */
    int rule;                  /* GHOST_COPY and so on */
    int lanes;    /* threads per ghost: 1, or those that write its sector, 16 bytes each */
    int position; /* of the ghost in its sector, with several threads */
} ss_cuda_side;

#define STRIP_THREADS 512
#define STRIP_HEIGHT 8

/* A patch as the norm sees it: strips of 32 columns of cells, at most STRIP_HEIGHT high. */
typedef struct ss_cuda_region {
    uint32_t first;
    int sy, sz, nx, ny, nz;
    int begin, across; /* number of its first strip; strips in x */
} ss_cuda_region;

#endif
