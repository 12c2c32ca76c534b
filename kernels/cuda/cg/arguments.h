/*
 * The arguments of the passes of conjugate gradients (pass.cuh), and the shapes of their launches,
 * which follow from them. For the host and for kernels: valid as C11 and CUDA C++17.
 */
#ifndef SS_CUDA_CG_ARGUMENTS_H
#define SS_CUDA_CG_ARGUMENTS_H

#include "kernels/cpu/simd/norm.h"
#include "kernels/cuda/device/control.h"
#include "kernels/solver/recurrence.h"

#define CG_THREADS SS_CG_SEGMENT
#define CG_TILE_SUMS 8 /* segments of a tile times dot products */

/* s-step: */
#define CG_CHUNK 9         /* vectors whose products a thread adds: all of them up to s = 4 */
#define CG_GRAM_SEGMENTS 8 /* of a block */
#define CG_GRAM_THREADS (CG_GRAM_SEGMENTS * SS_SUM_LANES)

/* What the passes hand on to each other, on the device. The last block of a pass writes it; all
 * other blocks of that pass have read what they need before. */
typedef struct cg_state {
    ss_cg_recurrence at;
    int fresh;        /* pipelined: w is not known yet */
    int reached;      /* the tolerance was met before */
    unsigned arrived; /* thread blocks that have stored their partial sums */
    double gram[SS_CG_PAIRS];
    ss_cg_coordinates vectors;
} cg_state;

/* What every pass gets. partial: [sum][segment], where segments are numbered down the field, one
 * column of segments after the other, as on the CPU. */
typedef struct cg_run {
    int nx, ny, segments; /* the last segment of a row has fewer points */
    ptrdiff_t sy;
    double *partial;
    cg_state *state;
    ss_cuda_control *control;
} cg_run;

/* The rows of a pass's tile. */
SS_INLINE int cg_rows(int sums)
{
    return sums > 1 ? CG_TILE_SUMS / sums : CG_TILE_SUMS;
}

SS_INLINE int cg_tiles_down(int ny, int rows)
{
    return (ny + rows - 1) / rows;
}

#endif
