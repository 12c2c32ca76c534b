/*
 * What an asynchronous kernel is made of (async.cu): fringes that are told and asked for, the cells
 * of a thread and their update, the list of what a tile asks its neighbours for. CUDA C++17.
 *
 * Two kinds of races are meant, and marked. Between blocks: fringes are atomic objects, written and
 * read with relaxed order, for a neighbour may do one while we do the other. Within a block, where
 * barriers are missing: the tile is volatile, which PTX defines as relaxed too; each access
 * happens, and a value is never half old, half new.
 */
#ifndef SS_CUDA_RACE_CUH
#define SS_CUDA_RACE_CUH

#include <cuda/atomic>

#include "kernels/cuda/device/common.cuh"

#define CELLS 8 /* of a column, or of a line, most that a thread looks after */
#define THREADS(dim) ((dim) > 1 ? 1024 : 512)

/* What a launch needs to know besides the fields. */
template <typename T> struct race {
    ss_tiling tiling;
    int sweeps;
    int width, height; /* of the fringes of a tile; a line has no rows: width 0 */
    T *fringes, *next; /* of all tiles, in this launch and the next one */
    /* [tile][sweep]: when thread 0 was through with it, by the device's clock, ns; 0: never. In
     * variants 0 to 2 a barrier goes before the stamp of each sweep but a launch's last one, so
     * that the whole tile was through. Otherwise warp 0 was, and other warps of the tile may be
     * ahead or behind, in variant 3 by several sweeps. Of two equal times that of the lower tile
     * number counts as the earlier (compare_moments). */
    unsigned long long *done;
};

/* --- fringes ---------------------------------------------------------------------------------- */

template <typename T> static __device__ __forceinline__ void tell(T *to, T value)
{
    cuda::atomic_ref<T, cuda::thread_scope_device>(*to).store(value, cuda::memory_order_relaxed);
}

template <typename T> static __device__ __forceinline__ T ask(T *from)
{
    return cuda::atomic_ref<T, cuda::thread_scope_device>(*from).load(cuda::memory_order_relaxed);
}

/* The fringes of a tile: south and north row, west and east column, one after the other. */
template <typename T> struct fringe {
    T *south;
    int width, height;
    __device__ __forceinline__ fringe(T *all, const race<T> &r, int tile)
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

/* --- a tile, as one of its threads sees it ---------------------------------------------------- */

/* A thread's cells: on a plane a piece of a column, on a line every blockDim.x-th one. */
template <class E> struct cells {
    typedef typename E::real T;
    int row, ny; /* of a copy of the tile, halo included; rows without */
    int i, j;    /* the first cell, in the tile */
    int count;   /* how many */
    int at;      /* the first in a copy */
    T u[CELLS], g[CELLS];

    __device__ __forceinline__ void start(ss_span x, ss_span y)
    {
        const bool flat = E::dim > 1;
        int nx = x.hi - x.lo;
        ny = y.hi - y.lo;
        i = threadIdx.x;
        j = flat ? threadIdx.y * CELLS : 0;
        int left = flat ? ny - j : (nx - i + (int)blockDim.x - 1) / (int)blockDim.x;
        count = i >= nx || left < 0 ? 0 : left < CELLS ? left : CELLS;
        row = nx + 2;
        at = (flat ? (j + 1) * row : 0) + i + 1;
    }

    /* From one cell to the next in a copy. */
    __device__ __forceinline__ int step() const
    {
        return E::dim > 1 ? row : (int)blockDim.x;
    }

    /* Cell m in the grid, from the tile's corner on. */
    __device__ __forceinline__ int place(ptrdiff_t sy, int m) const
    {
        return E::dim > 1 ? (j + m) * (int)sy + i : i + m * (int)blockDim.x;
    }

    /* One update of each cell: neighbours in x from a copy of the tile, in y from the thread's own
     * registers, where it has them. IN_PLACE: from the second cell on with the new value in the
     * south. */
    template <bool IN_PLACE, bool KEEP>
    __device__ __forceinline__ void sweep(const E &update, volatile T *from, volatile T *to)
    {
        const bool flat = E::dim > 1;
        T south = flat && count > 0 ? from[at - row] : 0;
        T far = flat && count > 0 ? from[at + count * row] : 0;
#pragma unroll
        for (int m = 0; m < CELLS; m++)
            if (m < count) {
                volatile T *here = from + at + m * step();
                T north = m + 1 < count && m + 1 < CELLS ? u[(m + 1) % CELLS] : far;
                T value = update(g[m], here[-1], here[1], south, north);
                south = IN_PLACE ? value : u[m];
                u[m] = value;
                if (KEEP)
                    to[at + m * step()] = value;
            }
    }

    __device__ __forceinline__ void keep(volatile T *to) const
    {
#pragma unroll
        for (int m = 0; m < CELLS; m++)
            if (m < count)
                to[at + m * step()] = u[m];
    }

    /* Those of the cells that are at the tile's edge. PUT: tell, or a plain store. */
    template <class PUT> __device__ __forceinline__ void edge(const fringe<T> &f, PUT put) const
    {
        const bool flat = E::dim > 1;
        if (flat && j == 0 && count > 0)
            put(f.south + i, u[0]);
        if (i == 0 || i == row - 3 || !flat || j + count == ny)
#pragma unroll
            for (int m = 0; m < CELLS; m++)
                if (m < count) {
                    int x = flat ? i : i + m * (int)blockDim.x, y = flat ? j + m : 0;
                    if (x == 0)
                        put(f.west() + y, u[m]);
                    if (x == row - 3)
                        put(f.east() + y, u[m]);
                    if (flat && y == ny - 1)
                        put(f.north() + x, u[m]);
                }
    }
};

/* --- the neighbours --------------------------------------------------------------------------- */

/* A point of the halo: where it is in a copy, and where its value comes from; < 0: nowhere, the
 * domain ends here and it is 0. */
struct halo_point {
    int to, from;
};

/* Which of the list of halo points are a thread's: every warp takes its share, for one that had
 * none would run ahead of those that wait for memory. */
struct share {
    int begin, end;
    __device__ __forceinline__ share(int points)
    {
        int thread = threadIdx.y * blockDim.x + threadIdx.x, warps = blockDim.x * blockDim.y / 32;
        int each = (points + warps - 1) / warps, first = thread / 32 * each;
        begin = first + thread % 32;
        end = first + each < points ? first + each : points;
    }
};

/* Point q of the list: the south row, the north row, the west and the east column. */
template <class E>
static __device__ halo_point find_point(const race<typename E::real> &r, int nx, int ny, int q)
{
    const int flat = E::dim > 1, row = nx + 2, all = 2 * (r.width + r.height);
    int across = r.tiling.x.count, tx = blockIdx.x % across, ty = blockIdx.x / across;
    int own = blockIdx.x * all, rows = flat * nx, j = q - 2 * rows;
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

/* The neighbours' fringes into the halo of a copy. */
template <typename T>
static __device__ __forceinline__ void look_around(T *fringes, const halo_point *list, share mine,
                                                   volatile T *copy)
{
    for (int q = mine.begin; q < mine.end; q += 32) {
        halo_point p = list[q];
        if (p.from >= 0)
            copy[p.to] = ask(fringes + p.from);
    }
}

template <class E>
static __device__ __forceinline__ void list_neighbours(const race<typename E::real> &r, int nx,
                                                       int ny, halo_point *list, share mine,
                                                       volatile typename E::real *copy, int other)
{
    for (int q = mine.begin; q < mine.end; q += 32) {
        list[q] = find_point<E>(r, nx, ny, q);
        copy[list[q].to] = copy[list[q].to + other] = 0;
    }
}

#endif
