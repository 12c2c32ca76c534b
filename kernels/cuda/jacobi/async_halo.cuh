/*
 * The halo exchange of asynchronous Jacobi (async.cuh): each tile writes its outermost points to
 * four halo strips in global memory, and copies its neighbours' strips into its halo, without
 * waiting for anybody.
 *
 * The data race between blocks is intended, and defined: strips are atomic objects, written and
 * read with relaxed order, so that a value is old or new but never half of each. Strips of a launch
 * lie apart from the field, a tile's four together: a west or east column is contiguous there, so
 * that its accesses are coalesced; in the field each of its points would cost a transaction.
 * Device code.
 */
#ifndef SS_CUDA_ASYNC_HALO_CUH
#define SS_CUDA_ASYNC_HALO_CUH

#include <cuda/atomic>

#include "kernels/cuda/jacobi/block_tile.cuh"

/* The arguments of a launch beside the fields. */
template <typename T> struct async_args {
    ss_tiling tiling;
    int sweeps;
    int width, height; /* of the halo strips of a tile, in points; lines have no rows: width 0 */
    T *strips;         /* of all tiles, in this launch */
    T *next_strips;    /* of the next launch */
    /* [tile][sweep]: when thread 0 had finished it, by the device's clock in ns; 0: never. In
     * variants 0 to 2 a barrier precedes the stamp of each sweep but a launch's last one, so that
     * the whole tile had finished. Otherwise only warp 0 had; other warps of the tile may be ahead
     * or behind, in variant 3 by several sweeps. Equal times are ordered by tile number
     * (compare_moments). */
    unsigned long long *done;
};

template <typename T> static __device__ __forceinline__ void store_relaxed(T *to, T value)
{
    cuda::atomic_ref<T, cuda::thread_scope_device>(*to).store(value, cuda::memory_order_relaxed);
}

template <typename T> static __device__ __forceinline__ T load_relaxed(T *from)
{
    return cuda::atomic_ref<T, cuda::thread_scope_device>(*from).load(cuda::memory_order_relaxed);
}

/* The halo strips of a tile: south and north row, west and east column, one after the other. */
template <typename T> struct tile_strips {
    T *south;
    int width, height;
    __device__ __forceinline__ tile_strips(T *all, const async_args<T> &r, int tile)
        : south(all + (int)(tile * (2 * (r.width + r.height)))), width(r.width), height(r.height)
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

/* A point of a tile's halo: its index in the tile's copy in shared memory, and the index of its
 * value in the strips; < 0: none, the domain ends here and the value is 0. */
struct halo_point {
    int to, from;
};

/* The halo points of a thread: [begin, end) in steps of 32. Every warp takes an equal part, for a
 * warp without any would run ahead of those that wait for memory. */
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

/* Point q of the halo of a tile of nx x ny points: the south row, the north row, the west column,
 * the east column. The south row comes from the north strip of the tile below, and so on; a tile's
 * strips begin at its number times `all`. */
template <class E>
static __device__ halo_point find_halo_point(const async_args<typename E::real> &r, int nx, int ny,
                                             int q)
{
    const int flat = E::dim > 1, row = nx + 2, all = 2 * (r.width + r.height);
    int across = r.tiling.x.count, tx = blockIdx.x % across, ty = blockIdx.x / across;
    int own = blockIdx.x * all, rows = flat * nx, j = q - 2 * rows; /* j: along a column */
    if (q < rows)
        return {q + 1, ty > 0 ? own - across * all + r.width + q : -1};
    if (q < 2 * rows)
        return {(ny + 1) * row + q - nx + 1,
                ty + 1 < r.tiling.y.count ? own + across * all + q - nx : -1};
    if (j < ny)
        return {(j + flat) * row, tx > 0 ? own - r.height + j : -1};
    return {(j - ny + flat) * row + nx + 1,
            tx + 1 < across ? own + all + 2 * r.width + j - ny : -1};
}

/* Finds the thread's halo points once, and sets them to 0 in both copies of the tile; the second is
 * `other` values behind the first. */
template <class E>
static __device__ __forceinline__ void list_halo(const async_args<typename E::real> &r, int nx,
                                                 int ny, halo_point *list, halo_share mine,
                                                 volatile typename E::real *copy, int other)
{
    for (int q = mine.begin; q < mine.end; q += 32) {
        list[q] = find_halo_point<E>(r, nx, ny, q);
        copy[list[q].to] = copy[list[q].to + other] = 0;
    }
}

/* Copies the neighbours' strips into the halo of a copy, whatever they hold by then. */
template <typename T>
static __device__ __forceinline__ void gather_neighbours(T *strips, const halo_point *list,
                                                         halo_share mine, volatile T *copy)
{
    for (int q = mine.begin; q < mine.end; q += 32) {
        halo_point p = list[q];
        if (p.from >= 0)
            copy[p.to] = load_relaxed(strips + p.from);
    }
}

#endif
