/*
 * What the kernels for patches share with the host: arguments, and sizes that follow from the
 * kernels. Valid as C11 and CUDA C++17.
 */
#ifndef SS_CUDA_SMOOTH_ARGUMENTS_H
#define SS_CUDA_SMOOTH_ARGUMENTS_H

#include "src/base/common.h"

/* --- classic Jacobi: sweep3d.cuh -------------------------------------------------------------- */

/* A tile of a patch: its first element, strides, cells. */
typedef struct sweep3d_tile {
    uint32_t first;
    int sy, sz, nx, ny, nz;
} sweep3d_tile;

/* --- blocks with a stored inverse: paper.cuh -------------------------------------------------- */

#define PAPER_THREADS 1024 /* per block; larger blocks of cells give a thread several cells */

/* Terms of a sum per unrolled round. The loop loads them ahead, also past the last one. */
enum { PAPER_TERMS = 8 };

typedef struct spatial_block {
    int nx, ny, cells;
} spatial_block;

/* --- the separable inverse: any_shape.cuh, cubes.cuh, bars.cuh -------------------------------- */

#define ANY_THREADS 256 /* per thread block */

typedef struct any_block {
    int nx, ny, nz, cells;
    int width; /* blocks of cells per thread block */
} any_block;

/* Values of the sine matrix of a direction: (n + 1) / 2 columns. */
SS_INLINE int sines_of(int n)
{
    return n * ((n + 1) / 2);
}

/* Values of a plane of a cube of n^3 cells in shared memory, and of the cube: see cube_at. */
SS_INLINE int cube_plane(int n)
{
    return n * n + (n < 16 ? n : 0);
}
SS_INLINE int cube_size(int n)
{
    return n * cube_plane(n) + n;
}

#endif
