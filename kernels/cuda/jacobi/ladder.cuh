/*
 * The ladder: classic Jacobi on a plane in six kernels. All compute
 *
 *     out = b + c ((u_west + u_east) + a (u_south + u_north))        kernels/eq/poisson2d.h
 *
 * for nx by ny points and give the same bits. They differ in how they read u. Each must move 24
 * bytes per point in double precision (12 in single): u, b and out once each. Device code; the
 * program launches these kernels (ladder_run.cu), and `make ladder` checks and times them.
 *
 * Time per cycle and share of the triad's bandwidth (4.37 TB/s) on an H200, without norms; at
 * 1024^2 all three arrays fit into L2:
 *
 *                        16384^2 f64      16384^2 f32      1024^2 f64   1024^2 f32
 *     1 naive            1.83 ms  80 %    1.53 ms  48 %    8.02 us      7.00 us
 *     2 padded           1.81 ms  81 %    1.52 ms  48 %    7.92 us      6.90 us
 *     3 texture          2.20 ms  67 %    1.63 ms  45 %    8.38 us      7.13 us
 *     4 smem             2.07 ms  71 %    1.52 ms  48 %    7.34 us      7.63 us
 *     5 unrolled         1.53 ms  96 %    0.91 ms  81 %    4.98 us      3.71 us
 *     6 vector           1.48 ms 100 %    0.74 ms  99 %    4.24 us      2.85 us
 *
 * The order is the one in which the GPUs of the paper (Venkatasubramanian & Vuduc, up to 2009)
 * gained; on Hopper rungs 3 and 4 are below rung 2, because its L1 does their work.
 *
 * Arguments: u, b and out point to interior point (0, 0); point (i, j) is element j * stride + i.
 * The halo of u (zero on the boundary) lies at i = -1, i = nx, j = -1 and j = ny. stop points to a
 * flag on the device: not 0 means that the run has converged and the cycle must not be stored. The
 * launch has blockDim.x by blockDim.y threads per block.
 */
#ifndef SS_CUDA_JACOBI_LADDER_CUH
#define SS_CUDA_JACOBI_LADDER_CUH

#include "kernels/cuda/device/launch.cuh"
#include "kernels/cuda/device/norm.cuh"
#include "kernels/cuda/device/pack.cuh"
#include "kernels/cuda/device/update.cuh"

#define LADDER_ROWS 4 /* points of a column per thread, on rungs 4 to 6 */

/* --- shared by all rungs ---------------------------------------------------------------------- */

/* Row of blocks. gridDim.y ends at 65535; taller grids use z as well. */
static __device__ __forceinline__ int block_row()
{
    return blockIdx.z * gridDim.y + blockIdx.y;
}

/* Waits until the cycle before has been stored. Returns 0 if this cycle must be dropped. */
static __device__ __forceinline__ int begin_cycle(const int *stop)
{
    await_previous();
    return !stopped(stop);
}

/* --- 1. naive --------------------------------------------------------------------------------- */

/*
 * One thread per point, all operands from global memory. The 32 threads of a warp read 32
 * neighbouring points, so that each load is coalesced. Rows are packed: row j begins wherever row
 * j - 1 ends, so that a warp's 256 bytes straddle three 128-byte lines instead of filling two.
 * Of the 5 loads of u, 4 hit in L1 or L2.
 */
template <typename T>
__global__ void jacobi1_naive(const T *u, const T *b, T *out, int nx, int ny, ptrdiff_t stride, T c,
                              T a, const int *stop)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = block_row() * blockDim.y + threadIdx.y;
    int live = begin_cycle(stop);
    if (i < nx && j < ny) {
        ptrdiff_t at = j * stride + i;
        T v = poisson2d(b[at], c, a, u[at - 1], u[at + 1], u[at - stride], u[at + stride]);
        if (live)
            out[at] = v;
    }
}

/* --- 2. padded -------------------------------------------------------------------------------- */

/*
 * The same code on another layout: stride is a multiple of 128 bytes, so that each warp's loads of
 * b, of u's centre, south and north and its store fill whole lines. GPUs before 2010 could not
 * coalesce misaligned loads and gained a factor; the H200 gains 1 %, as its caches keep the rest of
 * a line until the next warp needs it.
 */
template <typename T>
__global__ void jacobi2_padded(const T *u, const T *b, T *out, int nx, int ny, ptrdiff_t stride,
                               T c, T a, const int *stop)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = block_row() * blockDim.y + threadIdx.y;
    int live = begin_cycle(stop);
    if (i < nx && j < ny) {
        ptrdiff_t at = j * stride + i;
        T v = poisson2d(b[at], c, a, u[at - 1], u[at + 1], u[at - stride], u[at + stride]);
        if (live)
            out[at] = v;
    }
}

/* --- 3. texture ------------------------------------------------------------------------------- */

/* Textures hold float or int, not double: a double is fetched as two ints. */
template <typename T>
static __device__ __forceinline__ T texel(cudaTextureObject_t u, float x, float y);
template <> __device__ __forceinline__ float texel<float>(cudaTextureObject_t u, float x, float y)
{
    return tex2D<float>(u, x, y);
}
template <> __device__ __forceinline__ double texel<double>(cudaTextureObject_t u, float x, float y)
{
    int2 t = tex2D<int2>(u, x, y);
    return __hiloint2double(t.y, t.x);
}

/*
 * One thread per point, u read through the texture unit: before Fermi (2010) its cache was the only
 * one for global data, and every neighbour would otherwise have come from DRAM. Since then L1 does
 * the same with fewer instructions; on the H200 this rung is 3 to 22 % slower than padded. Point
 * (i, j) is texel (i + x0, j + y0): the texture includes the halo.
 */
template <typename T>
__global__ void jacobi3_texture(cudaTextureObject_t u, int x0, int y0, const T *b, T *out, int nx,
                                int ny, ptrdiff_t stride, T c, T a, const int *stop)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = block_row() * blockDim.y + threadIdx.y;
    int live = begin_cycle(stop);
    if (i < nx && j < ny) {
        float x = (float)(i + x0), y = (float)(j + y0);
        ptrdiff_t at = j * stride + i;
        T w = texel<T>(u, x - 1, y), e = texel<T>(u, x + 1, y);
        T s = texel<T>(u, x, y - 1), n = texel<T>(u, x, y + 1);
        T v = poisson2d(b[at], c, a, w, e, s, n);
        if (live)
            out[at] = v;
    }
}

/* --- 4. smem ---------------------------------------------------------------------------------- */

/*
 * A tile of u and its halo in shared memory: each point is loaded from global memory once per
 * block, and its neighbours find it there. This is the papers' TunedSync. A thread has LADDER_ROWS
 * points, blockDim.y rows apart. The loads of b are issued before the barrier, so that their
 * latency overlaps that of the tile. The 32 threads of a warp read 32 neighbouring words of the
 * tile: no bank conflict. On the H200 the barrier costs more than the tile saves, because L1 keeps
 * the neighbours as well; this rung is faster than padded only in double precision where the field
 * stays in L2 (7 % at 1024^2).
 *
 * Dynamic shared memory: (blockDim.x + 2) * (LADDER_ROWS * blockDim.y + 2) values.
 */
template <typename T>
__global__ void jacobi4_smem(const T *u, const T *b, T *out, int nx, int ny, ptrdiff_t stride, T c,
                             T a, const int *stop)
{
    extern __shared__ double shared[];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int width = blockDim.x + 2, height = blockDim.y * LADDER_ROWS;
    const int i = blockIdx.x * blockDim.x, j = block_row() * height; /* the tile's first point */
    T *tile = (T *)shared + width + 1;                               /* the same point there */
    u += j * stride + i;
    auto fetch = [&](int x, int y) {
        if (i + x <= nx && j + y <= ny)
            tile[y * width + x] = u[y * stride + x];
    };
    auto inside = [&](int y) { return i + tx < nx && j + y < ny; };
    T g[LADDER_ROWS];
#pragma unroll
    for (int r = 0, y = ty; r < LADDER_ROWS; r++, y += blockDim.y)
        g[r] = inside(y) ? b[(j + y) * stride + i + tx] : 0;
    int live = begin_cycle(stop);
#pragma unroll
    for (int r = 0, y = ty; r < LADDER_ROWS; r++, y += blockDim.y) {
        fetch(tx, y);
        if (tx == 0)
            fetch(-1, y);
        if (tx == (int)blockDim.x - 1)
            fetch(tx + 1, y);
    }
    if (ty == 0)
        fetch(tx, -1);
    if (ty == (int)blockDim.y - 1)
        fetch(tx, height);
    __syncthreads();
#pragma unroll
    for (int r = 0, y = ty; r < LADDER_ROWS; r++, y += blockDim.y)
        if (inside(y)) {
            const T *p = tile + y * width + tx;
            T v = poisson2d(g[r], c, a, p[-1], p[1], p[-width], p[width]);
            if (live)
                out[(j + y) * stride + i + tx] = v;
        }
}

/* --- 5. unrolled ------------------------------------------------------------------------------ */

/*
 * A thread walks up LADDER_ROWS points of a column and keeps the column in registers: what was
 * north becomes the centre, then south. That is 6 loads of the column for 4 points instead of 12.
 * The loop is unrolled, so that a thread has several loads in flight. It is 18 % faster than padded
 * on the H200 in double precision, 66 % in single.
 */
template <typename T>
__global__ void jacobi5_unrolled(const T *u, const T *b, T *out, int nx, int ny, ptrdiff_t stride,
                                 T c, T a, const int *stop)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = (block_row() * blockDim.y + threadIdx.y) * LADDER_ROWS;
    int live = begin_cycle(stop);
    if (i < nx && j < ny) {
        const T *p = u + j * stride + i;
        T south = p[-stride], here = p[0];
#pragma unroll
        for (int r = 0; r < LADDER_ROWS; r++, p += stride) {
            if (j + r >= ny)
                break;
            T north = p[stride];
            ptrdiff_t at = (j + r) * stride + i;
            T v = poisson2d(b[at], c, a, p[-1], p[1], south, north);
            if (live)
                out[at] = v;
            south = here;
            here = north;
        }
    }
}

/* --- 6. vector -------------------------------------------------------------------------------- */

/*
 * The same walk with 16 bytes per load: a thread has 2 doubles or 4 floats of each row. All loads
 * are issued before the first is used; most bytes in flight per thread of all rungs, at the lowest
 * occupancy. It reaches the triad's bandwidth.
 *
 * With NORM the kernel also adds up the norm of u, of which it has all operands in registers: 19 %
 * more time at 16384^2 in double precision, where a pass of its own would read 16 bytes per point
 * again. Blocks then loop over tiles, so that the grid is limited to the resident blocks and few
 * partial sums are left to add; without NORM each block has one tile.
 */
template <typename T, bool NORM>
__global__ void __launch_bounds__(512)
    jacobi6_vector(const T *u, const T *b, T *out, int nx, int ny, ptrdiff_t stride, T c, T a,
                   const int *stop, int tiles, double *partial, ss_cuda_control *control)
{
    const int N = pack<T>::n;
    int across = (nx + blockDim.x * N - 1) / (blockDim.x * N);
    int live = 0;
    double squares = 0;
    for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        int i = (tile % across * blockDim.x + threadIdx.x) * N;
        int j = (tile / across * blockDim.y + threadIdx.y) * LADDER_ROWS;
        int rows = i >= nx || j >= ny ? 0 : ny - j < LADDER_ROWS ? ny - j : LADDER_ROWS;
        const T *pu = u + j * stride + i, *pb = b + j * stride + i;
        T *po = out + j * stride + i;
        pack<T> v[LADDER_ROWS + 2], g[LADDER_ROWS]; /* v[r + 1] is row r of u */
        T west[LADDER_ROWS], east[LADDER_ROWS];
#pragma unroll
        for (int r = 0; r < LADDER_ROWS; r++)
            if (r < rows)
                g[r] = load(pb + r * stride);
        if (tile == blockIdx.x) {
            live = begin_cycle(stop);
            let_next_begin();
        }
#pragma unroll
        for (int r = -1; r < LADDER_ROWS + 1; r++)
            if (rows > 0 && r < rows + 1)
                v[r + 1] = load(pu + r * stride);
#pragma unroll
        for (int r = 0; r < LADDER_ROWS; r++)
            if (r < rows) {
                west[r] = pu[r * stride - 1];
                east[r] = pu[r * stride + N];
            }
#pragma unroll
        for (int r = 0; r < LADDER_ROWS; r++) {
            if (r >= rows)
                break;
            pack<T> next;
#pragma unroll
            for (int k = 0; k < N; k++) {
                T w = k ? v[r + 1].v[k - 1] : west[r], e = k + 1 < N ? v[r + 1].v[k + 1] : east[r];
                next.v[k] = poisson2d(g[r].v[k], c, a, w, e, v[r].v[k], v[r + 2].v[k]);
                double d = i + k < nx ? (double)(next.v[k] - v[r + 1].v[k]) : 0;
                squares += d * d;
            }
            if (live)
                store(po + r * stride, next, nx - i);
        }
        if (!NORM)
            break;
    }
    if (NORM && live)
        add_to_norm(squares, partial, control);
}

/* --- the norm of rungs 1 to 5 ----------------------------------------------------------------- */

/*
 * The norm of u as a pass of its own, launched before the cycle that starts from u: 16 bytes per
 * point (8 in single precision). Fused into the cycle it cost +401 % on naive, +108 % on unrolled
 * and +53 % on smem (16384^2, double precision), because each of their many blocks ended with a sum
 * over the block and an atomic. Here the grid is limited to the resident blocks, which loop over
 * tiles; a thread walks up a column as on rung 5. norm.cuh explains the sum.
 */
template <typename T>
__global__ void __launch_bounds__(256, 4)
    jacobi_norm(const T *u, const T *b, int nx, int ny, ptrdiff_t stride, T c, T a, const int *stop,
                int tiles, double *partial, ss_cuda_control *control)
{
    int across = (nx + blockDim.x - 1) / blockDim.x;
    double squares = 0;
    int wanted = begin_cycle(stop);
    for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        int i = tile % across * blockDim.x + threadIdx.x;
        int j = (tile / across * blockDim.y + threadIdx.y) * LADDER_ROWS;
        if (i >= nx || j >= ny)
            continue;
        const T *p = u + j * stride + i;
        T south = p[-stride], here = p[0];
#pragma unroll
        for (int r = 0; r < LADDER_ROWS; r++, p += stride) {
            if (j + r >= ny)
                break;
            T north = p[stride];
            T v = poisson2d(b[(j + r) * stride + i], c, a, p[-1], p[1], south, north);
            double d = (double)(v - here);
            squares += d * d;
            south = here;
            here = north;
        }
    }
    let_next_begin();
    if (wanted)
        add_to_norm(squares, partial, control);
}

#endif
