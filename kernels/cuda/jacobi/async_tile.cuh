/*
 * The tile of asynchronous Jacobi as one of its threads sees it (async.cuh): up to THREAD_POINTS
 * points and their right-hand sides in registers, and one or two copies of the tile with its halo
 * in shared memory, through which the threads of a block see each other's points.
 *
 * The copies are volatile, which PTX defines as relaxed order: where a variant leaves out barriers
 * each access still happens, and a value is old or new but never half of each. Threads of a warp
 * access consecutive words of them, without bank conflicts; only the halo's west and east columns,
 * whose points are a row apart, may have some. Device code.
 */
#ifndef SS_CUDA_ASYNC_TILE_CUH
#define SS_CUDA_ASYNC_TILE_CUH

#include "kernels/cuda/jacobi/async_halo.cuh"

#define THREAD_POINTS 8 /* at most */
#define ASYNC_THREADS(dim) ((dim) > 1 ? 1024 : 512)

/* On a plane a thread has a piece of a column, on a line every blockDim.x-th point. */
template <class E> struct thread_points {
    typedef typename E::real T;
    int row;   /* points of a row of a copy, halo included */
    int ny;    /* rows without halo */
    int i, j;  /* the first point, in the tile */
    int count; /* points of this thread */
    int at;    /* index of the first point in a copy */
    T u[THREAD_POINTS], rhs[THREAD_POINTS];

    __device__ __forceinline__ void init(ss_span x, ss_span y)
    {
        const bool flat = E::dim > 1;
        int nx = x.hi - x.lo;
        ny = y.hi - y.lo;
        i = threadIdx.x;
        j = flat ? threadIdx.y * THREAD_POINTS : 0;
        int left = flat ? ny - j : (nx - i + (int)blockDim.x - 1) / (int)blockDim.x; /* points */
        count = i >= nx || left < 0 ? 0 : left < THREAD_POINTS ? left : THREAD_POINTS;
        row = nx + 2;
        at = (flat ? (j + 1) * row : 0) + i + 1;
    }

    /* Values of a copy. */
    __device__ __forceinline__ int copy_size() const
    {
        return row * (ny + (E::dim > 1 ? 2 : 0));
    }

    /* Points of the halo. */
    __device__ __forceinline__ int halo_size() const
    {
        return 2 * ((E::dim > 1 ? row - 2 : 0) + ny);
    }

    /* From one point of the thread to its next one, in a copy. */
    __device__ __forceinline__ int stride() const
    {
        return E::dim > 1 ? row : (int)blockDim.x;
    }

    /* Offset of point m in a field, from the tile's corner. */
    __device__ __forceinline__ int offset(ptrdiff_t sy, int m) const
    {
        return E::dim > 1 ? (j + m) * (int)sy + i : i + m * (int)blockDim.x;
    }

    __device__ __forceinline__ void load(const T *field, ptrdiff_t corner, ptrdiff_t sy,
                                         T *to) const
    {
#pragma unroll
        for (int m = 0; m < THREAD_POINTS; m++)
            to[m] = m < count ? field[corner + offset(sy, m)] : 0;
    }

    __device__ __forceinline__ void store(T *field, ptrdiff_t corner, ptrdiff_t sy) const
    {
#pragma unroll
        for (int m = 0; m < THREAD_POINTS; m++)
            if (m < count)
                field[corner + offset(sy, m)] = u[m];
    }

    __device__ __forceinline__ void write(volatile T *copy) const
    {
#pragma unroll
        for (int m = 0; m < THREAD_POINTS; m++)
            if (m < count)
                copy[at + m * stride()] = u[m];
    }

    /* One update of each point. Neighbours in x come from a copy of the tile, those in y from the
     * thread's own registers where it has them. IN_PLACE: the south neighbour of all points but the
     * first is the new value. WRITE: the new values go to copy `to`. */
    template <bool IN_PLACE, bool WRITE>
    __device__ __forceinline__ void sweep(const E &update, volatile T *from, volatile T *to)
    {
        const bool flat = E::dim > 1;
        T south = flat && count > 0 ? from[at - row] : 0;
        T end = flat && count > 0 ? from[at + count * row] : 0; /* north of the last point */
#pragma unroll
        for (int m = 0; m < THREAD_POINTS; m++)
            if (m < count) {
                volatile T *here = from + at + m * stride();
                T north = m + 1 < count && m + 1 < THREAD_POINTS ? u[(m + 1) % THREAD_POINTS] : end;
                T value = update(rhs[m], here[-1], here[1], south, north);
                south = IN_PLACE ? value : u[m];
                u[m] = value;
                if (WRITE)
                    to[at + m * stride()] = value;
            }
    }

    /* Writes the points at the tile's edge to its strips; `store_to` is the store to use. */
    template <class STORE>
    __device__ __forceinline__ void write_strips(const tile_strips<T> &s, STORE store_to) const
    {
        const bool flat = E::dim > 1;
        int last = row - 3; /* column of the tile */
        if (flat && j == 0 && count > 0)
            store_to(s.south + i, u[0]);
        if (i == 0 || i == last || !flat || j + count == ny)
#pragma unroll
            for (int m = 0; m < THREAD_POINTS; m++)
                if (m < count) {
                    int x = flat ? i : i + m * (int)blockDim.x, y = flat ? j + m : 0;
                    if (x == 0)
                        store_to(s.west() + y, u[m]);
                    if (x == last)
                        store_to(s.east() + y, u[m]);
                    if (flat && y == ny - 1)
                        store_to(s.north() + x, u[m]);
                }
    }
};

#endif
