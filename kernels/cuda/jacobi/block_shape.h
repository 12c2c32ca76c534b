/*
 * Thread blocks whose warps hold tiles: the numbers that make the name of a kernel, the points that
 * a block takes, and its shared memory, which the host asks for and the kernel declares; there a
 * static_assert compares both. Valid as C11 and CUDA C++17. Pure functions; any thread.
 */
#ifndef SS_CUDA_JACOBI_BLOCK_SHAPE_H
#define SS_CUDA_JACOBI_BLOCK_SHAPE_H

#include "src/base/common.h"

#ifdef __cplusplus
#define SHAPE_INLINE constexpr SS_INLINE
#else
#define SHAPE_INLINE SS_INLINE
#endif

/* wx times wy warps, each with a warp_tile<E, lanes, columns, rows, smem_rows>
 * (tile_register.cuh). */
typedef struct block_shape {
    int lanes, columns, rows; /* lanes of a warp in x; points of a lane */
    int smem_rows;            /* of a lane: those whose right-hand sides are in shared memory */
    int wx, wy;
} block_shape;

SHAPE_INLINE int shape_warps(block_shape s)
{
    return s.wx * s.wy;
}
/* Points of a block. */
SHAPE_INLINE int shape_width(block_shape s)
{
    return s.lanes * s.columns * s.wx;
}
SHAPE_INLINE int shape_height(block_shape s)
{
    return 32 / s.lanes * s.rows * s.wy;
}

/* --- bytes of shared memory ------------------------------------------------------------------- */

/* Each for an equation of `dim` dimensions with values of `size` bytes. */

SHAPE_INLINE int whole_packs_of(int bytes)
{
    return (bytes + 15) / 16 * 16;
}

/* halo_strips. */
SHAPE_INLINE int strip_bytes(block_shape s, int dim, int size)
{
    int warps = shape_warps(s);
    int buffers = s.wx > 1 || (dim > 1 && s.wy > 1) ? 2 : 1;
    int beside = dim > 1 && s.wy > 1 && warps <= 8 ? s.wx : 0;
    int width = dim > 1 ? s.lanes * s.columns : 1, height = 32 / s.lanes * s.rows;
    int y = (warps + 2 * beside) * 2 * width, x = warps * 2 * height;
    return whole_packs_of(buffers * (y + x) * size);
}

/* point_masks of all threads. */
SHAPE_INLINE int mask_bytes(block_shape s)
{
    int mask = s.columns * s.rows > 32 ? 8 : 4;
    return (4 * mask + 8) * 32 * shape_warps(s);
}

/* rhs_smem of persistent.cuh. */
SHAPE_INLINE int rhs_bytes(block_shape s, int size)
{
    return (s.smem_rows > 0 ? shape_warps(s) * s.smem_rows : 1) * s.columns * 32 * size;
}

/* block_smem of persistent.cuh. */
SHAPE_INLINE int persistent_bytes(block_shape s, int dim, int size)
{
    return whole_packs_of(strip_bytes(s, dim, size) + mask_bytes(s) + rhs_bytes(s, size));
}

#define TILE_PLACE_BYTES 24 /* sizeof(tile_place) of tile_resident.cuh */

/* resident_smem of tile_resident.cuh. */
SHAPE_INLINE int resident_bytes(block_shape s, int size)
{
    int halo = (s.rows + s.columns) * 32 * shape_warps(s) * size;
    return whole_packs_of(strip_bytes(s, 2, size) + TILE_PLACE_BYTES + halo + mask_bytes(s) +
                          rhs_bytes(s, size));
}

/* --- pipelined tiles: tile_pipeline.cuh ------------------------------------------------------- */

#define PIPE_STEPS 2  /* between two barriers */
#define PIPE_STAGES 3 /* pairs of rows: in use, on their way, or free again */
#define PIPE_ROWS (PIPE_STAGES * PIPE_STEPS) /* between two warps; steps until names repeat */
#define PIPE_STATE_BYTES 640                 /* sizeof(pipe_state) */

/* Values of the ring of right-hand sides: `iterations` per warp, rows of 32 * `columns`. */
SHAPE_INLINE int pipe_rhs_values(int iterations, int columns, int warps)
{
    return ((warps - 1) * (iterations + PIPE_STEPS) + PIPE_ROWS) * 32 * columns;
}
/* Values in all: a row of zeros, PIPE_ROWS rows for each warp to read, the ring. */
SHAPE_INLINE int pipe_values(int iterations, int columns, int warps)
{
    return (1 + warps * PIPE_ROWS) * 32 * columns + pipe_rhs_values(iterations, columns, warps);
}

#undef SHAPE_INLINE
#endif
