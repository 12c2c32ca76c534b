/*
 * The tile of a thread block: block b takes tile b of the tiling, row by row (kernels/geom/tiles.h
 * defines tiles and which points each one writes). Device code.
 */
#ifndef SS_CUDA_BLOCK_TILE_CUH
#define SS_CUDA_BLOCK_TILE_CUH

#include "kernels/geom/tiles.h"

static __device__ __forceinline__ ss_span block_span_x(const ss_tiling &t)
{
    return ss_cut_span(t.x, blockIdx.x % t.x.count);
}

static __device__ __forceinline__ ss_span block_span_y(const ss_tiling &t)
{
    return ss_cut_span(t.y, blockIdx.x / t.x.count);
}

/* The arguments of a `shared` kernel beside the fields: k subiterations on every tile. */
struct tile_args {
    ss_tiling tiling;
    int k;
};

#endif
