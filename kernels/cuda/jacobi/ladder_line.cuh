/*
 * The ladder on lines: ny independent problems of nx points in one dimension, each a row (parameter
 * copies), out = update(b, u_west, u_east, 0, 0). The kernels of ladder.cuh serve them as well, but
 * two: a line has no column to keep in registers. Arguments, begin_cycle and NORM as there. Device
 * code.
 */
#ifndef SS_CUDA_JACOBI_LADDER_LINE_CUH
#define SS_CUDA_JACOBI_LADDER_LINE_CUH

#include "kernels/cuda/jacobi/ladder.cuh"

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
