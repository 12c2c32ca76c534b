/*
 * The ladder on lines: ny independent problems of nx points in one dimension, each a row (parameter
 * copies), out = update(b, u_west, u_east, 0, 0). The rungs are those of ladder.cuh without south
 * and north; naive and padded differ in `stride` only, and share line_point. There is no column to
 * keep in registers: on rungs 4 to 6 a thread has points of LADDER_ROWS lines, so that it has the
 * loads of several points in flight. Arguments, begin_cycle and NORM as in ladder.cuh. Device code.
 */
#ifndef SS_CUDA_JACOBI_LADDER_LINE_CUH
#define SS_CUDA_JACOBI_LADDER_LINE_CUH

#include "kernels/cuda/jacobi/ladder.cuh"

/* 1 and 2. One thread per point. */
template <class E, typename T = typename E::real>
__global__ void line_point(const T *u, const T *b, T *out, int nx, int ny, ptrdiff_t stride,
                           E update, const int *stop)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = block_row() * blockDim.y + threadIdx.y;
    int wanted = begin_cycle(stop);
    if (i < nx && j < ny) {
        ptrdiff_t at = j * stride + i;
        T v = update(b[at], u[at - 1], u[at + 1], 0, 0);
        if (wanted)
            out[at] = v;
    }
}

/* 3. u through the texture unit. */
template <class E, typename T = typename E::real>
__global__ void line_texture(cudaTextureObject_t u, int x0, const T *b, T *out, int nx, int ny,
                             ptrdiff_t stride, E update, const int *stop)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = block_row() * blockDim.y + threadIdx.y;
    int wanted = begin_cycle(stop);
    if (i < nx && j < ny) {
        float x = (float)(i + x0), y = (float)j;
        ptrdiff_t at = j * stride + i;
        T v = update(b[at], texel<T>(u, x - 1, y), texel<T>(u, x + 1, y), 0, 0);
        if (wanted)
            out[at] = v;
    }
}

/* 4. A tile of LADDER_ROWS * blockDim.y lines in shared memory, one halo point at both ends.
 * Dynamic shared memory: (blockDim.x + 2) * LADDER_ROWS * blockDim.y values. */
template <class E, bool NORM, typename T = typename E::real>
__global__ void line_smem(const T *u, const T *b, T *out, int nx, int ny, ptrdiff_t stride,
                          E update, const int *stop, double *partial, ss_cuda_control *control)
{
    extern __shared__ double shared[];
    const int tx = threadIdx.x, width = blockDim.x + 2;
    const int i = blockIdx.x * blockDim.x, j = block_row() * blockDim.y * LADDER_ROWS;
    T *tile = (T *)shared + 1, g[LADDER_ROWS];
    double squares = 0;
    auto fetch = [&](int x, int y) {
        if (i + x <= nx && j + y < ny)
            tile[y * width + x] = u[(j + y) * stride + i + x];
    };
    auto inside = [&](int y) { return i + tx < nx && j + y < ny; };
#pragma unroll
    for (int r = 0, y = threadIdx.y; r < LADDER_ROWS; r++, y += blockDim.y)
        g[r] = inside(y) ? b[(j + y) * stride + i + tx] : 0;
    int wanted = begin_cycle(stop);
#pragma unroll
    for (int r = 0, y = threadIdx.y; r < LADDER_ROWS; r++, y += blockDim.y) {
        fetch(tx, y);
        if (tx == 0)
            fetch(-1, y);
        if (tx == (int)blockDim.x - 1)
            fetch(tx + 1, y);
    }
    __syncthreads(); /* the tile is loaded */
#pragma unroll
    for (int r = 0, y = threadIdx.y; r < LADDER_ROWS; r++, y += blockDim.y)
        if (inside(y)) {
            const T *p = tile + y * width + tx;
            T v = update(g[r], p[-1], p[1], 0, 0);
            if (wanted)
                out[(j + y) * stride + i + tx] = v;
            if (NORM)
                squares += square((double)(v - p[0]));
        }
    if (NORM && wanted)
        add_to_norm(squares, partial, control);
}

/* 5. The same point of LADDER_ROWS lines per thread. */
template <class E, bool NORM, typename T = typename E::real>
__global__ void line_unrolled(const T *u, const T *b, T *out, int nx, int ny, ptrdiff_t stride,
                              E update, const int *stop, double *partial, ss_cuda_control *control)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = (block_row() * blockDim.y + threadIdx.y) * LADDER_ROWS;
    int wanted = begin_cycle(stop);
    double squares = 0;
    if (i < nx) {
#pragma unroll
        for (int r = 0; r < LADDER_ROWS; r++) {
            if (j + r >= ny)
                break;
            ptrdiff_t at = (j + r) * stride + i;
            T v = update(b[at], u[at - 1], u[at + 1], 0, 0);
            if (wanted)
                out[at] = v;
            if (NORM)
                squares += square((double)(v - u[at]));
        }
    }
    if (NORM && wanted)
        add_to_norm(squares, partial, control);
}

/* 6. 16 bytes per load of LADDER_ROWS lines per thread. */
template <class E, bool NORM, typename T = typename E::real>
__global__ void __launch_bounds__(512)
    line_vector(const T *u, const T *b, T *out, int nx, int ny, ptrdiff_t stride, E update,
                const int *stop, int tiles, double *partial, ss_cuda_control *control)
{
    const int N = pack<T>::n;
    int across = (nx + blockDim.x * N - 1) / (blockDim.x * N);
    int wanted = 0;
    double squares = 0;
    for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        int i = (tile % across * blockDim.x + threadIdx.x) * N;
        int j = (tile / across * blockDim.y + threadIdx.y) * LADDER_ROWS;
        int rows = i >= nx || j >= ny ? 0 : ny - j < LADDER_ROWS ? ny - j : LADDER_ROWS;
        const T *pu = u + j * stride + i, *pb = b + j * stride + i;
        T *po = out + j * stride + i;
        pack<T> v[LADDER_ROWS], g[LADDER_ROWS];
        T west[LADDER_ROWS], east[LADDER_ROWS];
#pragma unroll
        for (int r = 0; r < LADDER_ROWS; r++)
            if (r < rows)
                g[r] = load(pb + r * stride);
        if (tile == blockIdx.x) {
            wanted = begin_cycle(stop);
            let_next_begin();
        }
#pragma unroll
        for (int r = 0; r < LADDER_ROWS; r++)
            if (r < rows)
                v[r] = load(pu + r * stride);
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
                T w = k ? v[r].v[k - 1] : west[r], e = k + 1 < N ? v[r].v[k + 1] : east[r];
                next.v[k] = update(g[r].v[k], w, e, 0, 0);
                squares += square(i + k < nx ? (double)(next.v[k] - v[r].v[k]) : 0);
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

/* The norm in a pass of its own. A tile is 256 points of one line. */
template <class E, typename T = typename E::real>
__global__ void __launch_bounds__(256)
    line_norm(const T *u, const T *b, int nx, int ny, ptrdiff_t stride, E update, const int *stop,
              int tiles, double *partial, ss_cuda_control *control)
{
    int across = (nx + blockDim.x - 1) / blockDim.x;
    double squares = 0;
    int wanted = begin_cycle(stop);
    for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        int i = tile % across * blockDim.x + threadIdx.x;
        ptrdiff_t at = tile / across * stride + i;
        if (i >= nx)
            continue;
        squares += square((double)(update(b[at], u[at - 1], u[at + 1], 0, 0) - u[at]));
    }
    let_next_begin();
    if (wanted)
        add_to_norm(squares, partial, control);
}

#endif
