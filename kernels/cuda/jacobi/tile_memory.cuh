/*
 * Hierarchical Jacobi with the subdomain in shared memory, the papers' way: two copies of it with
 * their halo, a thread a cell, a barrier after each subiteration. Shared memory is the limit, for
 * an update costs five accesses to it. Included by shared.cu, which launches these kernels.
 */
#ifndef SS_CUDA_TILE_MEMORY_CUH
#define SS_CUDA_TILE_MEMORY_CUH

#include "kernels/cuda/device/common.cuh"

/* What a kernel of a hierarchical solver needs to know of a run. */
struct subdomains {
    ss_tiling tiling;
    int k;
};

template <class E> static size_t memory_bytes(const ss_tiling &t, const ss_box &b)
{
    size_t x = (size_t)(t.x.block < b.nx ? t.x.block : b.nx);
    size_t y = (size_t)(t.y.block < b.ny ? t.y.block : b.ny);
    size_t halo = E::dim > 1 ? 2 : 0;
    return (2 * (x + 2) * (y + halo) + x * y) * sizeof(typename E::real);
}

/* The tile with its halo, from the field into both copies; g without. */
template <class E>
static __device__ void load_tile(const ss_cuda_sweep<typename E::real> &a, ss_span x, ss_span y,
                                 typename E::real *u, typename E::real *v, typename E::real *g)
{
    const int halo = E::dim > 1, width = x.hi - x.lo + 2, height = y.hi - y.lo + 2 * halo;
    for (int j = threadIdx.y; j < height; j += blockDim.y)
        for (int i = threadIdx.x; i < width; i += blockDim.x)
            u[j * width + i] = v[j * width + i] = a.in[(y.lo + j - halo) * a.sy + x.lo + i - 1];
    for (int j = threadIdx.y; j < y.hi - y.lo; j += blockDim.y)
        for (int i = threadIdx.x; i < x.hi - x.lo; i += blockDim.x)
            g[j * (width - 2) + i] = a.rhs[(y.lo + j) * a.sy + x.lo + i];
}

/* Does the subdomain write the tile's point (i, j)? */
static __device__ __forceinline__ bool owns(ss_span x, ss_span y, int i, int j)
{
    return x.lo + i >= x.wlo && x.lo + i < x.whi && y.lo + j >= y.wlo && y.lo + j < y.whi;
}

/* A subiteration of one point, from one copy of the tile into the other. */
template <class E>
static __device__ __forceinline__ typename E::real
step_point(const E &update, typename E::real rhs, const typename E::real *from,
           typename E::real *to, int width, bool there)
{
    typedef typename E::real T;
    T south = E::dim > 1 ? from[-width] : 0, north = E::dim > 1 ? from[width] : 0;
    T value = update(rhs, from[-1], from[1], south, north);
    if (there)
        *to = value;
    __syncthreads();
    return value;
}

/* A thread a cell: it loads the cell (and the halo that is next to it), knows the right-hand side
 * there by heart, and after k subiterations it writes the cell. */
template <class E, bool NORM>
__global__ void __launch_bounds__(1024, 2)
    thread_a_cell(ss_cuda_sweep<typename E::real> a, E update, subdomains s)
{
    typedef typename E::real T;
    extern __shared__ double raw[];
    const int halo = E::dim > 1;
    ss_span x = ss_cut_span(s.tiling.x, blockIdx.x % s.tiling.x.count);
    ss_span y = ss_cut_span(s.tiling.y, blockIdx.x / s.tiling.x.count);
    int i = threadIdx.x, j = threadIdx.y, nx = x.hi - x.lo, ny = y.hi - y.lo;
    int width = nx + 2, size = width * (ny + 2 * halo);
    bool there = i < nx && j < ny, mine = there && owns(x, y, i, j);
    ptrdiff_t at = (ptrdiff_t)(y.lo + j) * a.sy + x.lo + i;
    /* Threads without a cell go along with the first one, for the barriers, and store nothing. */
    T *from = (T *)raw + (there ? (j + halo) * width + i + 1 : halo * width + 1);
    T *to = from + size, value = 0, rhs = there ? a.rhs[at] : 0;
    double squares = 0;
    await_previous();
    int drop = stopped(a);
    if (there) {
        const T *in = a.in + at;
        value = *from = in[0];
        if (i == 0)
            from[-1] = to[-1] = in[-1];
        if (i == nx - 1)
            from[1] = to[1] = in[1];
        if (halo && j == 0)
            from[-width] = to[-width] = in[-a.sy];
        if (halo && j == ny - 1)
            from[width] = to[width] = in[a.sy];
    }
    __syncthreads();
    if (NORM && mine) {
        T south = halo ? from[-width] : 0, north = halo ? from[width] : 0;
        double change = (double)(update(rhs, from[-1], from[1], south, north) - value);
        squares = change * change;
    }
    if (s.k % 2) {
        value = step_point(update, rhs, from, to, width, there);
        T *swap = from;
        from = to;
        to = swap;
    }
    for (int n = 0; n < s.k / 2; n++) {
        step_point(update, rhs, from, to, width, there);
        value = step_point(update, rhs, to, from, width, there);
    }
    if (mine && !drop)
        a.out[at] = value;
    if (NORM)
        add_to_norm(a, drop, squares);
}

/* For tiles of more cells than a block has threads: each thread walks over several. */
template <class E, bool NORM>
__global__ void in_memory(ss_cuda_sweep<typename E::real> a, E update, subdomains s)
{
    typedef typename E::real T;
    extern __shared__ double raw[];
    const int halo = E::dim > 1;
    ss_span x = ss_cut_span(s.tiling.x, blockIdx.x % s.tiling.x.count);
    ss_span y = ss_cut_span(s.tiling.y, blockIdx.x / s.tiling.x.count);
    int nx = x.hi - x.lo, ny = y.hi - y.lo, width = nx + 2, size = width * (ny + 2 * halo);
    T *u = (T *)raw, *v = u + size, *g = v + size;
    double squares = 0;
    await_previous();
    int drop = stopped(a);
    load_tile<E>(a, x, y, u, v, g);
    __syncthreads();
    for (int n = 0; n < s.k; n++) {
        for (int j = threadIdx.y; j < ny; j += blockDim.y)
            for (int i = threadIdx.x; i < nx; i += blockDim.x) {
                const T *in = u + (j + halo) * width + i + 1;
                T south = halo ? in[-width] : 0, north = halo ? in[width] : 0;
                T value = update(g[j * nx + i], in[-1], in[1], south, north);
                v[(j + halo) * width + i + 1] = value;
                if (NORM && n == 0 && owns(x, y, i, j))
                    squares += (double)(value - in[0]) * (double)(value - in[0]);
            }
        __syncthreads();
        T *swap = u;
        u = v;
        v = swap;
    }
    for (int j = threadIdx.y; j < ny && !drop; j += blockDim.y)
        for (int i = threadIdx.x; i < nx; i += blockDim.x)
            if (owns(x, y, i, j))
                a.out[(y.lo + j) * a.sy + x.lo + i] = u[(j + halo) * width + i + 1];
    if (NORM)
        add_to_norm(a, drop, squares);
}

#endif
