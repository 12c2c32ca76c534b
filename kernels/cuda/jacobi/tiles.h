/*
 * Tiles of the solver `shared`, host side: a thread block takes a subdomain, its frozen halo and
 * its right-hand side on chip, iterates k times, and writes back the points that the subdomain owns
 * (kernels/geom/tiles.h; kernels/cpu/shared.c is the same schedule on a CPU). There is a file of
 * host code per place where tiles lie; shared.c chooses one by the row `tile`. Engine thread.
 */
#ifndef SS_CUDA_JACOBI_TILES_H
#define SS_CUDA_JACOBI_TILES_H

#include "kernels/cuda/device/plan.h"
#include "kernels/geom/tiles.h"

/* launch_tiling of tile_memory.cuh: the tiles of a launch, those of a tiling from number `first`
 * on. */
typedef struct launch_tiling {
    ss_tiling all;
    int first;
} launch_tiling;

/* tile=register and tile=memory (tiles.c), which also take one device's band of the rows;
 * tile=resident (resident.c), tile=march and tile=pipeline (march.c). */
extern const ss_cuda_solver ss_cuda_tiles, ss_cuda_resident, ss_cuda_march;

/* Refuses a tile of x by y points whose thread block needs more shared memory than there is. */
int ss_cuda_tile_fits(int x, int y, size_t bytes, const ss_cuda_limits *limits, ss_err *err);

/* The shape of a schedule: its rows that are integers. A kernel with a list of shapes has a
 * function that completes one for a device: it replaces what is NOT_GIVEN, and returns false if
 * none of its shapes is for this config. Any thread. */
enum { SHAPE_K, SHAPE_BLOCK, SHAPE_BLOCK_Y, SHAPE_OVERLAP, SHAPE_OVERLAP_Y, NSHAPE };
#define NOT_GIVEN (-1)
typedef bool tile_best(const ss_config *cfg, int64_t shape[NSHAPE]);
tile_best ss_cuda_march_best, ss_cuda_pipeline_best;

#endif
