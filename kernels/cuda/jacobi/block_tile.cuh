/*
 * The tile of a thread block: block b takes tile first + b of the tiling, row by row; `first` is 0
 * unless several devices share the tiles. A tile holds a subdomain, its overlap included, on chip.
 * kernels/geom/tiles.h defines them: in each direction a tile computes the points [lo, hi) and
 * writes the points [wlo, whi) of them, which it owns. Where tiles overlap, several compute a point
 * and one writes it.
 *
 * Names in the kernels of this folder: a.in, a.rhs and a.out point to interior point (0, 0); a.sy
 * is the stride of rows in elements; E is the equation, whose update(rhs, west, east, south, north)
 * is the new value of a point (device/update.cuh), and E::dim its dimensions: a plane has two,
 * lines have one and are independent of each other, a row each. Device code.
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

/* The tiles of a launch: those of a tiling from number `first` on. */
struct launch_tiling : ss_tiling {
    int first;
};

static __device__ __forceinline__ ss_span block_span_x(const launch_tiling &t)
{
    return ss_cut_span(t.x, (blockIdx.x + t.first) % t.x.count);
}

static __device__ __forceinline__ ss_span block_span_y(const launch_tiling &t)
{
    return ss_cut_span(t.y, (blockIdx.x + t.first) / t.x.count);
}

/* The arguments of the kernels of `shared` beside the fields. The order matters: with k after the
 * tiling, ptxas (CUDA 13.0, sm_90) spills a register of some kernels. */
struct tile_args {
    int k; /* subiterations */
    launch_tiling tiling;
};

#endif
