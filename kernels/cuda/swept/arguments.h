/*
 * What the kernels of time-dependent equations share with the host: arguments, and sizes that
 * follow from the kernels. Macros are used where a kernel needs a constant. Valid as C11 and CUDA
 * C++17.
 */
#ifndef SS_CUDA_SWEPT_ARGUMENTS_H
#define SS_CUDA_SWEPT_ARGUMENTS_H

#include "kernels/geom/swept.h"

#define STEPPER_THREADS 128 /* of a block of one_level */

/* A diamond as a kernel gets it. */
typedef struct diamond {
    ss_swept s;
    int from, to; /* levels [from, to): 1 and 2h; but from = h + 1 in diamond 0, which has only an
                     upper half, and to = h + 1 in the last diamond, which has only a lower half */
    int parity;   /* of (d - 1) h: level l lies in row (parity + l) mod 2. 1 only for odd h and even
                     d; h is even where 32 divides the block */
    int shift;    /* points by which the nodes are shifted: 0 in even diamonds, block / 2 in odd */
    bool initial; /* diamond 0: all points are on level h, in row 0; row 1 holds nothing yet */
    int nodes;    /* s.count; a warp of variant warp with a higher number has no node */
} diamond;

/* --- a node's rows in shared memory ----------------------------------------------------------- */

/* Values on each side of a row: at least R for the halo, and at least the points of a thread. */
#define ROW_MARGIN 8

/* Values from field to field, with margins; of variant block. */
SS_INLINE int node_row_width(int block)
{
    return (block + 2 * ROW_MARGIN + 3) / 4 * 4;
}

/* The same of variant strip. */
SS_INLINE int strip_row_width(int block)
{
    return block + ROW_MARGIN + 4;
}

#define STRIP_EDGE 6 /* values per level of a strip's left edge, in equations with fluxes */

/* Values of a node of variant strip, a multiple of 4. edge: per level, STRIP_EDGE or 0. */
SS_INLINE int strip_node_values(int block, int radius, int fields, int edge)
{
    return (2 * fields * strip_row_width(block) + block / (2 * radius) * edge + 3) / 4 * 4;
}

/* --- warps ------------------------------------------------------------------------------------ */

#define WARP_NODES 4 /* of a thread block of variant warp; they do not communicate */

/* Warps per thread block of variant strip, at most: with three fields more would leave a thread too
 * few registers. */
#define STRIP_WARPS(fields) ((fields) > 1 ? 12 : 16)

#define CLUSTER_BLOCKS 8 /* thread blocks per cluster, at most: the portable limit */

/* Of variant cluster, `values` being those of a lane: windows per thread block, at most (limited by
 * registers); the bytes of a window's halo buffer. */
#define CLUSTER_WINDOWS(values) ((values) > 4 ? 8 : 16)
#define CLUSTER_BYTES(values, real) (64 * (values) * (real) + 16)

#endif
