/*
 * The tile of asynchronous Jacobi as one of its threads sees it (async.cuh). A thread has up to
 * THREAD_POINTS points and their right-hand sides in registers. The threads of a block see each
 * other's points in buffers in shared memory, one in variant 3, else two. A buffer holds the tile
 * and its halo. Point (i, j) of a tile of nx x ny points, halo: i = -1 or nx, j = -1 or ny:
 *
 *     plane   index (j + 1) * (nx + 2) + i + 1      64 x 32 points: rows of 66, (0, 0) at 67
 *     line    index i + 1                           one row, without halo rows
 *
 * The buffers are volatile. The compiler makes ld.volatile and st.volatile of their accesses, which
 * PTX defines as relaxed, at system scope: where variant 3 has no barriers each access still
 * happens, and a value is old or new but never half of each. C++ itself calls such unordered
 * accesses a data race; the guarantee is that of PTX.
 *
 * Threads of a warp access consecutive words of a buffer, without bank conflicts. Only the halo's
 * west and east columns, whose points are a row apart, may have some. Device code.
 */
#ifndef SS_CUDA_ASYNC_TILE_CUH
#define SS_CUDA_ASYNC_TILE_CUH

#include "kernels/cuda/jacobi/async_halo.cuh"

#define THREAD_POINTS 8                             /* of a thread, at most */
#define ASYNC_THREADS(dim) ((dim) > 1 ? 1024 : 512) /* of a block, at most: planes, lines */

/* The points of a thread: on a plane up to 8 consecutive points of a column, on a line the points
 * threadIdx.x + m * blockDim.x. Either way the threads of a warp have consecutive points in x. A
 * plane's tile of 64 x 32 points has 64 x 4 threads. */
template <class E> struct thread_points {
    typedef typename E::real T;
    int row;   /* of a buffer, halo included: nx + 2 */
    int ny;    /* rows of the tile, without halo */
    int i, j;  /* the thread's first point, in the tile */
    int count; /* points of this thread, 0 to THREAD_POINTS; 0 outside a tile that is cut off */
    int first; /* its first point's index in a buffer */
    T u[THREAD_POINTS], rhs[THREAD_POINTS];

    __device__ __forceinline__ void init(ss_span x, ss_span y)
    {
        const bool is_plane = E::dim > 1;
        int nx = x.hi - x.lo;
        ny = y.hi - y.lo;
        i = threadIdx.x;
        j = is_plane ? threadIdx.y * THREAD_POINTS : 0;
        /* Points of the tile from (i, j) on, in the thread's direction. */
        int rest = is_plane ? ny - j : (nx - i + (int)blockDim.x - 1) / (int)blockDim.x;
        count = i >= nx || rest < 0 ? 0 : rest < THREAD_POINTS ? rest : THREAD_POINTS;
        row = nx + 2;
        first = (is_plane ? (j + 1) * row : 0) + i + 1;
    }

    /* Values of a buffer. */
    __device__ __forceinline__ int buffer_size() const
    {
        return row * (ny + (E::dim > 1 ? 2 : 0));
    }

    /* Points of the halo. */
    __device__ __forceinline__ int halo_size() const
    {
        return 2 * ((E::dim > 1 ? row - 2 : 0) + ny);
    }

    /* From one point of the thread to its next one, in a buffer. */
    __device__ __forceinline__ int stride() const
    {
        return E::dim > 1 ? row : (int)blockDim.x;
    }

    /* Offset of the thread's point m in a field, from the tile's first point. An int is enough: the
     * host has checked the size of a tile (async.c). */
    __device__ __forceinline__ int offset(ptrdiff_t sy, int m) const
    {
        return E::dim > 1 ? (j + m) * (int)sy + i : i + m * (int)blockDim.x;
    }

    __device__ __forceinline__ void load(const T *field, ptrdiff_t origin, ptrdiff_t sy,
                                         T *to) const
    {
#pragma unroll
        for (int m = 0; m < THREAD_POINTS; m++)
            to[m] = m < count ? field[origin + offset(sy, m)] : 0;
    }

    __device__ __forceinline__ void store(T *field, ptrdiff_t origin, ptrdiff_t sy) const
    {
#pragma unroll
        for (int m = 0; m < THREAD_POINTS; m++)
            if (m < count)
                field[origin + offset(sy, m)] = u[m];
    }

    __device__ __forceinline__ void write(volatile T *buffer) const
    {
#pragma unroll
        for (int m = 0; m < THREAD_POINTS; m++)
            if (m < count)
                buffer[first + m * stride()] = u[m];
    }

    /* One update of each point, from south to north. Neighbours in x come from buffer `from`; those
     * in y from the thread's registers, for its first and last point from the buffer. IN_PLACE: the
     * south neighbour of all points but the first is the new value, else the old one; neighbours in
     * x, of other threads, may be old or new. WRITE: the new values go to buffer `to`. */
    template <bool IN_PLACE, bool WRITE>
    __device__ __forceinline__ void sweep(const E &update, volatile T *from, volatile T *to)
    {
        const bool is_plane = E::dim > 1;
        T south = is_plane && count > 0 ? from[first - row] : 0;
        T end = is_plane && count > 0 ? from[first + count * row] : 0; /* north of the last point */
#pragma unroll
        for (int m = 0; m < THREAD_POINTS; m++)
            if (m < count) {
                volatile T *here = from + first + m * stride();
                /* % keeps the constant index in range where m is 7; the value is then `end`. */
                T north = m + 1 < count && m + 1 < THREAD_POINTS ? u[(m + 1) % THREAD_POINTS] : end;
                T value = update(rhs[m], here[-1], here[1], south, north);
                south = IN_PLACE ? value : u[m];
                u[m] = value;
                if (WRITE)
                    to[first + m * stride()] = value;
            }
    }

    /* Writes the points at the tile's edge to its strips with the store `store_to`, each thread its
     * own ones. */
    template <class STORE>
    __device__ __forceinline__ void write_strips(const tile_strips<T> &s, STORE store_to) const
    {
        const bool is_plane = E::dim > 1;
        int last = row - 3; /* column of the tile: nx - 1 */
        if (is_plane && j == 0 && count > 0)
            store_to(s.south + i, u[0]);
        if (i == 0 || i == last || !is_plane || j + count == ny)
#pragma unroll
            for (int m = 0; m < THREAD_POINTS; m++)
                if (m < count) {
                    int x = is_plane ? i : i + m * (int)blockDim.x, y = is_plane ? j + m : 0;
                    if (x == 0)
                        store_to(s.west() + y, u[m]);
                    if (x == last)
                        store_to(s.east() + y, u[m]);
                    if (is_plane && y == ny - 1)
                        store_to(s.north() + x, u[m]);
                }
    }
};

#endif
