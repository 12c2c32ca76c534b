/*
 * The ladder: classic Jacobi on a plane in seven steps of optimisation ("rungs") and five kernels.
 * Rung 2 is the kernel of rung 1 on another layout, rung 7 that of rung 6 with b computed. All
 * compute
 *
 *     out = update(b, u_west, u_east, u_south, u_north)
 *
 * for nx by ny points, where E, the type of `update`, is one of device/update.cuh: Poisson's is
 * b + c ((u_west + u_east) + a (u_south + u_north)), kernels/eq/steady.h. All give the same
 * bits. One launch is one iteration, a cycle; the next cycle reads `out` and writes `u`. Each must
 * move 24 bytes per point in double precision (12 in single): u, b and out once each. The rungs
 * differ in the layout of rows, in how they read u, and in the bytes that they have in flight.
 * Device code; the program launches these kernels (ladder.c), and `make ladder` checks and times
 * them.
 *
 * Time per cycle and share of the bandwidth of a STREAM triad (4.38 TB/s) on an H200, without
 * norms:
 *
 *                        16384^2 f64      16384^2 f32
 *     1 naive            1.60 ms  92 %    1.11 ms  67 %
 *     2 padded           1.59 ms  92 %    1.07 ms  69 %
 *     3 texture          2.10 ms  70 %    1.63 ms  45 %
 *     4 smem-packed      1.93 ms  76 %    1.45 ms  51 %
 *     4 smem             1.91 ms  77 %    1.51 ms  48 %
 *     5 unrolled         1.51 ms  97 %    0.92 ms  80 %
 *     6 vector           1.47 ms 100 %    0.74 ms  99 %
 *     7 inline           1.03 ms  95 %    0.52 ms  95 %
 *
 * At 1024^2, where all three arrays fit into L2, a cycle of rung 1 takes 4.6 us (f32: 3.6), of rung
 * 6 4.2 us (2.7).
 *
 * Rung 7 computes b instead of reading it and must move 16 bytes per point (8 in single). Rungs 2
 * to 5 and the computed b are steps of the paper (Venkatasubramanian & Vuduc, figure 12). On its
 * GPUs of up to 2009 which step gained most differed from one to the next; the paper sees no trend.
 * On Hopper, L1 does the work of rungs 2 to 4, which gain nothing or lose. Rungs 5 and 6 gain by
 * more bytes in flight: bandwidth is at most the bytes in flight over the latency of DRAM. On rung
 * 1 an SM holds at most 2048 threads that each wait for one value of u and one of b: 32 KB in
 * double precision, 16 KB in single. Hence it reaches 92 % of the triad in double, and 67 % in
 * single precision. On rung 6 a thread waits for up to 160 bytes at a time.
 *
 * Arguments of all rungs: u, b and out point to interior point (0, 0); point (i, j) is element j *
 * stride + i. The halo of u (zero on the boundary) lies at i = -1, i = nx, j = -1 and j = ny. stop
 * points to a flag on the device (norm.cuh): not 0 means that the run has ended and that this cycle
 * must store nothing. The threads of a block are blockDim.x by blockDim.y, of which blockDim.x is a
 * multiple of 32: a warp has 32 neighbouring points of a row. E::dim is 2; or 1, and then rows are
 * lines, independent of each other, without south and north. What a norm costs: device/norm.cuh.
 */
#ifndef SS_CUDA_JACOBI_LADDER_CUH
#define SS_CUDA_JACOBI_LADDER_CUH

/* add_to_norm(squares, partial, control): all threads call it with the squared changes of their
 * points; the block that finishes last makes the norm of the field and decides whether the run goes
 * on. stopped(stop): has a norm ended the run? */
#include "kernels/cuda/device/norm.cuh"
/* pack<T>: 16 bytes, pack<T>::n values v[]. load(p): one from an aligned address; store(p, v, n):
 * its first n values, all of them in one store. */
#include "kernels/cuda/device/pack.cuh"
/* await_previous(): waits until the launch before this one has ended and its stores are visible.
 * let_next_begin(): once all blocks have called it (or ended), the next launch may begin, and runs
 * up to its await_previous; without it the next launch begins when the last block has ended. */
#include "kernels/cuda/device/ptx.cuh"
/* The types E; E::real is double or float. */
#include "kernels/cuda/device/update.cuh"

#define LADDER_ROWS 4 /* points of a column per thread, on rungs 4 to 7 */

/* --- shared by all rungs ---------------------------------------------------------------------- */

static __device__ __forceinline__ double square(double d)
{
    return d * d;
}

/* Row of blocks. gridDim.y ends at 65535; taller grids use z as well. */
static __device__ __forceinline__ int block_row()
{
    return blockIdx.z * gridDim.y + blockIdx.y;
}

/*
 * Waits until the kernel before this one has stored u, and returns whether this cycle is wanted: 0
 * if it must store nothing. Before this call a kernel may read b, which no cycle changes, and
 * nothing else (ptx.cuh). The flag is loaded here and tested at the store, so that no thread
 * waits for it alone; all threads of a launch read the same value, since only a norm that has ended
 * before sets it.
 */
static __device__ __forceinline__ int begin_cycle(const int *stop)
{
    await_previous();
    return !stopped(stop);
}

/* --- 1. naive --------------------------------------------------------------------------------- */

/*
 * One thread per point, all operands from global memory. The 32 threads of a warp read 32
 * neighbouring points, so that each load is coalesced. Rows are not padded: row j begins wherever
 * row j - 1 ends, so that a warp's 256 bytes (in double precision) straddle three 128-byte lines
 * instead of filling two. Of the 4 loads of u, 3 hit in L1 or L2: another thread has loaded the
 * same value. (On lines `update` ignores the last two, and the compiler leaves their loads out.)
 */
template <class E, typename T = typename E::real>
__global__ void jacobi1_naive(const T *u, const T *b, T *out, int nx, int ny, ptrdiff_t stride,
                              E update, const int *stop)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = block_row() * blockDim.y + threadIdx.y;
    int wanted = begin_cycle(stop);
    if (i < nx && j < ny) {
        ptrdiff_t at = j * stride + i;
        T v = update(b[at], u[at - 1], u[at + 1], u[at - stride], u[at + stride]);
        if (wanted)
            out[at] = v;
    }
}

/* --- 2. padded -------------------------------------------------------------------------------- */

/*
 * The same kernel on another layout: stride is a multiple of 128 bytes, so that each warp's loads
 * of b, south and north and its store fill whole lines. GPUs before 2010 could not coalesce
 * misaligned loads and gained a factor; the H200 gains 1 %, as its caches keep the rest of a line
 * until the next warp needs it.
 */

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
 * the same with fewer instructions; on the H200 this rung takes more time than padded.
 * Point (i, j) is texel (i + x0, j + y0): the texture includes the halo. Coordinates are not
 * normalised and filtering is off: a fetch at x returns texel floor(x).
 */
template <class E, typename T = typename E::real>
__global__ void jacobi3_texture(cudaTextureObject_t u, int x0, int y0, const T *b, T *out, int nx,
                                int ny, ptrdiff_t stride, E update, const int *stop)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = block_row() * blockDim.y + threadIdx.y;
    int wanted = begin_cycle(stop);
    if (i < nx && j < ny) {
        float x = (float)(i + x0), y = (float)(j + y0);
        ptrdiff_t at = j * stride + i;
        T w = texel<T>(u, x - 1, y), e = texel<T>(u, x + 1, y);
        T s = E::dim > 1 ? texel<T>(u, x, y - 1) : 0, n = E::dim > 1 ? texel<T>(u, x, y + 1) : 0;
        T v = update(b[at], w, e, s, n);
        if (wanted)
            out[at] = v;
    }
}

/* --- 4. smem ---------------------------------------------------------------------------------- */

/*
 * A tile of u and its halo in shared memory: each point is loaded from global memory once per
 * block, and its neighbours are read from there. The paper on asynchronous methods calls this
 * TunedSync. A thread has LADDER_ROWS points, blockDim.y rows apart. The loads of b are issued
 * before the barrier, so that their latency overlaps that of the tile. The 32 threads of a warp
 * read 32 neighbouring values of the tile: no bank conflict. On the H200 the barrier costs more
 * than the tile saves, because L1 keeps the neighbours as well.
 *
 * With NORM it also adds up the norm of u (norm.cuh).
 *
 * It runs on rows with padding and without (kernel smem-packed), as in the paper: on GPUs before
 * 2010 padding gave a factor; on the H200 it gives nothing.
 *
 * Dynamic shared memory: (blockDim.x + 2) * (LADDER_ROWS * blockDim.y + 2) values.
 */
template <class E, bool NORM, typename T = typename E::real>
__global__ void jacobi4_smem(const T *u, const T *b, T *out, int nx, int ny, ptrdiff_t stride,
                             E update, const int *stop, double *partial, ss_cuda_control *control)
{
    extern __shared__ double shared[];
    const int tx = threadIdx.x, ty = threadIdx.y;
    const int width = blockDim.x + 2, height = blockDim.y * LADDER_ROWS;
    const int i = blockIdx.x * blockDim.x, j = block_row() * height; /* the tile's first point */
    T *tile = (T *)shared + width + 1;                               /* the same point there */
    double squares = 0;
    u += j * stride + i;
    const int halo = E::dim > 1; /* rows of halo below and above the tile */
    /* Up to and including nx and ny: where the grid ends inside the tile, so does the halo. Corners
     * of the halo are not loaded, as no update reads them. */
    auto fetch = [&](int x, int y) {
        if (i + x <= nx && j + y < ny + halo)
            tile[y * width + x] = u[y * stride + x];
    };
    auto inside = [&](int y) { return i + tx < nx && j + y < ny; };
    T g[LADDER_ROWS];
#pragma unroll
    for (int r = 0, y = ty; r < LADDER_ROWS; r++, y += blockDim.y)
        g[r] = inside(y) ? b[(j + y) * stride + i + tx] : 0;
    int wanted = begin_cycle(stop);
#pragma unroll
    for (int r = 0, y = ty; r < LADDER_ROWS; r++, y += blockDim.y) {
        fetch(tx, y);
        if (tx == 0)
            fetch(-1, y);
        if (tx == (int)blockDim.x - 1)
            fetch(tx + 1, y);
    }
    if (halo && ty == 0)
        fetch(tx, -1);
    if (halo && ty == (int)blockDim.y - 1)
        fetch(tx, height);
    __syncthreads(); /* the tile is loaded */
#pragma unroll
    for (int r = 0, y = ty; r < LADDER_ROWS; r++, y += blockDim.y)
        if (inside(y)) {
            const T *p = tile + y * width + tx;
            T v = update(g[r], p[-1], p[1], halo ? p[-width] : 0, halo ? p[width] : 0);
            if (wanted)
                out[(j + y) * stride + i + tx] = v;
            if (NORM)
                squares += square((double)(v - p[0]));
        }
    if (NORM && wanted)
        add_to_norm(squares, partial, control);
}

/* --- 5. unrolled ------------------------------------------------------------------------------ */

/*
 * Register blocking along y: a thread updates LADDER_ROWS points of a column from south to north
 * and keeps the column in registers. North of one point is the centre of the next one and south of
 * the one after: 6 loads of the column for 4 points instead of 8 (the update needs no centre). The
 * gain is not these loads, which hit in L1, but that the loop is unrolled and a thread has the
 * loads of several points in flight.
 *
 * With NORM it also adds up the norm of u (norm.cuh).
 */
template <class E, bool NORM, typename T = typename E::real>
__global__ void jacobi5_unrolled(const T *u, const T *b, T *out, int nx, int ny, ptrdiff_t stride,
                                 E update, const int *stop, double *partial,
                                 ss_cuda_control *control)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = (block_row() * blockDim.y + threadIdx.y) * LADDER_ROWS;
    int wanted = begin_cycle(stop);
    double squares = 0;
    if (i < nx && j < ny) {
        const T *p = u + j * stride + i;
        T south = E::dim > 1 ? p[-stride] : 0, centre = p[0];
#pragma unroll
        for (int r = 0; r < LADDER_ROWS; r++, p += stride) {
            if (j + r >= ny)
                break;
            T north = E::dim > 1 || j + r + 1 < ny ? p[stride] : 0;
            ptrdiff_t at = (j + r) * stride + i;
            T v = update(b[at], p[-1], p[1], south, north);
            if (wanted)
                out[at] = v;
            if (NORM)
                squares += square((double)(v - centre));
            south = centre;
            centre = north;
        }
    }
    if (NORM && wanted)
        add_to_norm(squares, partial, control);
}

/* --- 6. vector, 7. inline --------------------------------------------------------------------- */

/* Rung 6: b is an array. A thread keeps its part of a row, 16 bytes. */
template <typename T> struct stored {
    static const bool in_memory = true;
    typedef pack<T> row;
    const T *b; /* of point (0, 0) */
    __device__ __forceinline__ row read(ptrdiff_t at) const
    {
        return load(b + at);
    }
    __device__ __forceinline__ T value(const row &g, int k, int, int) const
    {
        return g.v[k];
    }
};

/*
 * Rung 7: b is a function of the point (x, y): `elsewhere`, but `at` in point (i, j). That is what
 * the papers' two problems need, b = 1 everywhere and a spike. The values are those that the array
 * would have, so that the bits are the same. 16 bytes per point must cross DRAM instead of 24, 8
 * instead of 12 in single precision. At 16384^2, where bandwidth limits, the time falls to 70 % of
 * rung 6; at 1024^2, in L2, to 90 %.
 */
template <typename T> struct spike {
    static const bool in_memory = false;
    struct row {
    };
    int i, j;
    T at, elsewhere;
    __device__ __forceinline__ row read(ptrdiff_t) const
    {
        return {};
    }
    __device__ __forceinline__ T value(row, int, int x, int y) const
    {
        return x == i && y == j ? at : elsewhere;
    }
};

/*
 * The columns of rung 5 with 16 bytes per load: a thread has 2 doubles or 4 floats of each row. All
 * loads are issued before the first is used: of all rungs the most bytes in flight per thread, at
 * the lowest occupancy. It reaches the triad's bandwidth. Rows must be aligned to 16 bytes and
 * padded: a thread at the end of a row loads past column nx - 1, up to one value beyond its vector,
 * and stores only the nx - i points that exist. On rung 6 the first load of b comes before
 * begin_cycle, so that it overlaps the cycle before.
 *
 * F is one of the two above. With NORM it also adds up the norm of u (norm.cuh). `tiles`
 * counts the tiles of blockDim.x * N by blockDim.y * LADDER_ROWS points; blocks then loop over
 * them, so that few blocks are launched and few partial sums are left to add. Without NORM each
 * block has one tile.
 */
template <class E, class F, bool NORM, typename T = typename E::real>
__global__ void __launch_bounds__(512)
    jacobi6_vector(const T *u, F f, T *out, int nx, int ny, ptrdiff_t stride, E update,
                   const int *stop, int tiles, double *partial, ss_cuda_control *control)
{
    const int N = pack<T>::n, halo = E::dim > 1; /* halo: rows below and above */
    int across = (nx + blockDim.x * N - 1) / (blockDim.x * N);
    int wanted = 0;
    double squares = 0;
    auto begin = [&] {
        wanted = begin_cycle(stop);
        let_next_begin();
    };
    if (!F::in_memory)
        begin();
    for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        int i = (tile % across * blockDim.x + threadIdx.x) * N;
        int j = (tile / across * blockDim.y + threadIdx.y) * LADDER_ROWS;
        int rows = i >= nx || j >= ny ? 0 : ny - j < LADDER_ROWS ? ny - j : LADDER_ROWS;
        const ptrdiff_t at = j * stride + i;
        const T *pu = u + at;
        T *po = out + at;
        pack<T> v[LADDER_ROWS + 2]; /* v[r + 1] is row r of u */
        typename F::row g[LADDER_ROWS];
        T west[LADDER_ROWS], east[LADDER_ROWS];
#pragma unroll
        for (int r = 0; r < LADDER_ROWS; r++)
            if (r < rows)
                g[r] = f.read(at + r * stride);
        if (F::in_memory && tile == blockIdx.x)
            begin();
#pragma unroll
        for (int r = -halo; r < LADDER_ROWS + halo; r++)
            if (rows > 0 && r < rows + halo)
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
                T s = halo ? v[r].v[k] : 0, n = halo ? v[r + 2].v[k] : 0;
                next.v[k] = update(f.value(g[r], k, i + k, j + r), w, e, s, n);
                squares += square(i + k < nx ? (double)(next.v[k] - v[r + 1].v[k]) : 0);
            }
            if (wanted)
                store(po + r * stride, next, nx - i);
        }
        if (!NORM)
            break;
    }
    if (NORM && wanted)
        add_to_norm(squares, partial, control);
}

#endif
