/*
 * The halo exchange of asynchronous Jacobi (async.cuh). Each tile writes its outermost points to
 * four strips in global memory, which are its neighbours' halos. It reads its neighbours' strips
 * into its own halo without waiting for anybody.
 *
 * The race between blocks is intended, and defined: strips are accessed with relaxed atomics, so
 * that a value is old or new but never half of each. Relaxed accesses order nothing else: the
 * points of a strip may be of different sweeps.
 *
 * Strips are arrays of their own, apart from the field. West and east columns are contiguous there,
 * so that reading them is coalesced; in the field their points are a row apart, one transaction
 * each. The four strips of a tile follow each other. With tiles of up to 64 x 32 points (width =
 * 64, height = 32) those of tile t begin at t * 192, since 2 * (width + height) = 192:
 *
 *     south         north         west              east
 *     0 .. 63       64 .. 127     128 .. 159        160 .. 191
 *     0             width         2 * width         2 * width + height
 *
 * Tiles that the end of the grid cuts off use only the first part of each strip. Device code.
 */
#ifndef SS_CUDA_ASYNC_HALO_CUH
#define SS_CUDA_ASYNC_HALO_CUH

#include "kernels/cuda/device/ptx.cuh"
#include "kernels/geom/tiles.h"

/* Thread block b takes tile b. */
static __device__ __forceinline__ ss_span block_span_x(const ss_tiling &t)
{
    return ss_cut_span(t.x, blockIdx.x % t.x.count);
}

static __device__ __forceinline__ ss_span block_span_y(const ss_tiling &t)
{
    return ss_cut_span(t.y, blockIdx.x / t.x.count);
}

/* The arguments of a launch other than the fields. */
template <typename T> struct async_args {
    ss_tiling tiling;
    int sweeps;        /* of each tile per launch: s in async.cuh */
    int width, height; /* points of a south or north strip, of a west or east strip; on lines, which
                          exchange no rows, 0 and 1 */
    T *strips;         /* of all tiles, those that this launch exchanges */
    T *next_strips;    /* those that the next launch starts with */
    /* [tile][sweep]: time at which thread 0 had finished the sweep, by the device's clock in ns;
     * 0: never. In variants 0 to 2 a barrier precedes the stamp of each sweep but the last one, so
     * that the whole tile had finished. Otherwise only warp 0 had, and other warps of the tile may
     * be ahead or behind, in variant 3 by several sweeps. */
    unsigned long long *stamps;
};

/* The four strips of a tile, in the layout above. */
template <typename T> struct tile_strips {
    T *south;
    int width, height;
    __device__ __forceinline__ tile_strips(T *all_strips, const async_args<T> &args, int tile)
        : south(all_strips + (int)(tile * (2 * (args.width + args.height)))), width(args.width),
          height(args.height)
    {
    }
    __device__ __forceinline__ T *north() const
    {
        return south + width;
    }
    __device__ __forceinline__ T *west() const
    {
        return south + 2 * width;
    }
    __device__ __forceinline__ T *east() const
    {
        return south + 2 * width + height;
    }
};

/* --- the neighbours' strips ------------------------------------------------------------------- */

/* A point of a tile's halo: its index in a buffer of the tile in shared memory, and the index of
 * its value among all strips; < 0: none, the grid ends here and the value is 0. */
struct halo_point {
    int to, from;
};

/* The halo points of a thread: [begin, end) in steps of 32. Each warp takes points / warps of
 * them, rounded up, so that all warps wait for memory; one without points would run ahead. Example:
 * a tile of 64 x 32 points has 192 halo points and 8 warps, and warp 1 has points 24 to 47, one for
 * each of its first 24 lanes. On a line, with 2 points, only warps 0 and 1 have one. */
struct halo_share {
    int begin, end;
    __device__ __forceinline__ halo_share(int points)
    {
        int thread = threadIdx.y * blockDim.x + threadIdx.x, warps = blockDim.x * blockDim.y / 32;
        int each = (points + warps - 1) / warps, first = thread / 32 * each;
        begin = first + thread % 32;
        end = first + each < points ? first + each : points;
    }
};

/* Point q of the halo of this block's tile of nx x ny points. They are counted in the order south
 * row, north row, west column, east column. The halo's south row is the north strip of the tile
 * below, and so on. Point k of each row or column, where per_tile is the length of a tile's four
 * strips, base the index of this tile's first one, and tiles_x the number of tiles per row of
 * tiles:
 *
 *              index in a buffer       index in the strips
 *     south    k + 1                   base - tiles_x * per_tile + width + k
 *     north    (ny + 1) * row + k + 1  base + tiles_x * per_tile + k
 *     west     (k + 1) * row           base - per_tile + 2 * width + height + k
 *     east     (k + 1) * row + nx + 1  base + per_tile + 2 * width + k
 *
 * In the code west is base - height + k, the same since per_tile = 2 * width + 2 * height. A line's
 * buffer has no halo rows: in its columns k + 1 becomes k = 0. */
template <class E>
static __device__ halo_point find_halo_point(const async_args<typename E::real> &args, int nx,
                                             int ny, int q)
{
    const int halo_rows = E::dim > 1; /* of a buffer, below the tile */
    const int row = nx + 2, per_tile = 2 * (args.width + args.height);
    int tiles_x = args.tiling.x.count, tx = blockIdx.x % tiles_x, ty = blockIdx.x / tiles_x;
    int base = blockIdx.x * per_tile, row_points = halo_rows * nx;
    int j = q - 2 * row_points; /* k of the west column, of the east column from ny on */
    if (q < row_points)
        return {q + 1, ty > 0 ? base - tiles_x * per_tile + args.width + q : -1};
    if (q < 2 * row_points)
        return {(ny + 1) * row + q - nx + 1,
                ty + 1 < args.tiling.y.count ? base + tiles_x * per_tile + q - nx : -1};
    if (j < ny)
        return {(j + halo_rows) * row, tx > 0 ? base - args.height + j : -1};
    return {(j - ny + halo_rows) * row + nx + 1,
            tx + 1 < tiles_x ? base + per_tile + 2 * args.width + j - ny : -1};
}

/* Lists the thread's halo points once per launch, so that no sweep computes indices, and sets them
 * to 0 in both buffers; the second begins to_other values after the first. Each thread uses only
 * its own entries of the list: no barrier is needed. The list is in shared memory, since registers
 * cannot hold an array whose length is known only at run time. */
template <class E>
static __device__ __forceinline__ void list_halo(const async_args<typename E::real> &args, int nx,
                                                 int ny, halo_point *list, halo_share share,
                                                 volatile typename E::real *buffer, int to_other)
{
    for (int q = share.begin; q < share.end; q += 32) {
        list[q] = find_halo_point<E>(args, nx, ny, q);
        buffer[list[q].to] = buffer[list[q].to + to_other] = 0;
    }
}

/* Reads the neighbours' strips into the halo of a buffer, whatever they hold by then. */
template <typename T>
static __device__ __forceinline__ void read_neighbours(T *strips, const halo_point *list,
                                                       halo_share share, volatile T *buffer)
{
    for (int q = share.begin; q < share.end; q += 32) {
        halo_point p = list[q];
        if (p.from >= 0)
            buffer[p.to] = load_relaxed(strips + p.from);
    }
}

#endif
