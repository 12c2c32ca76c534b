/*
 * What the kernels of multigrid share with the host: arguments, and sizes that follow from the
 * kernels. Valid as C11 and CUDA C++17.
 */
#ifndef SS_CUDA_MULTIGRID_ARGUMENTS_H
#define SS_CUDA_MULTIGRID_ARGUMENTS_H

#include "src/base/common.h"

#define MG_THREADS 256 /* of a block; whole warps, which block_sum needs */

/* --- lines and planes ------------------------------------------------------------------------- */

#define MG_ROWS 4 /* of a plane that a thread of mg_sweep updates; of lines it updates one */

/* Grids of at most MG_SMALL points are visited by one thread block (small.cuh). */
#define MG_SMALL 1024
#define MG_SMALL_THREADS 1024
#define MG_SMALL_LEVELS 11 /* each has at most half of the points of the one before */

/*
 * The coarsest grid: a point, or lines whose equations are
 *
 *     u_k - west u_(k-1) - east u_(k+1) = g_k
 *
 * The host has eliminated: divisor[k] = 1 - west factor[k - 1], factor[k] = east / divisor[k]. One
 * thread solves one line; elements are `step` apart.
 */
typedef struct mg_line {
    const double *divisor, *factor;
    double west;
    int lines, length;
    ptrdiff_t step, next; /* next: from a line to the next one */
} mg_line;

/* --- patches ---------------------------------------------------------------------------------- */

/* A patch on two grids: where its cells begin, and its strides. */
typedef struct mg_pair {
    uint32_t fine, coarse;
    int fine_sy, fine_sz, sy, sz;
    int nx, ny, nz; /* cells on the coarser grid */
} mg_pair;

typedef struct mg_pairs {
    const mg_pair *list; /* on the device */
    int count;
} mg_pairs;

#endif
