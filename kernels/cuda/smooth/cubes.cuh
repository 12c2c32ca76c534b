/*
 * The separable inverse (kernels/block/separable.c) for cubes. The inverse of a block is sine
 * transforms along z, y and x, a division by the eigenvalues, and the transforms back. A thread has
 * a line of cells in registers and transforms it; between two directions the lines are transposed
 * through shared memory:
 *
 *     from memory   z ---> y ---> x, divided by the eigenvalues, x ---> y ---> z   to memory
 *                  transpose  transpose                      transpose  transpose
 *
 * The unit is a cube of C^3 cells: C^2 threads, each with a column of C cells in z, which it loads
 * from memory and stores back; adjacent threads have adjacent cells in x. Blocks may be smaller
 * than a cube (B < C): then a line consists of C / B lines of blocks, and nothing else changes.
 *
 * The kernel here relaxes cubes that are one block each, in place or in cubes of 16^3; a thread
 * block takes several, mostly adjacent ones in x, so that a warp's accesses are coalesced to whole
 * cache lines. Blocks of up to 8^3 that are relaxed at once have the kernel of bars.cuh. Device
 * code.
 */
#ifndef SS_CUDA_SMOOTH_CUBES_CUH
#define SS_CUDA_SMOOTH_CUBES_CUH

#include "kernels/cuda/smooth/arguments.h"
#include "kernels/cuda/smooth/relaxation.cuh"

/* The first (B + 1) / 2 columns of the sine matrix, by rows. A kernel argument, so that it is in
 * the constant bank: multiplications take an operand from there without a load instruction. */
template <typename T, int B> struct sines {
    T at[B * ((B + 1) / 2)];
};

/* A cube in shared memory, without bank conflicts in any of the three directions: the exclusive or
 * shifts the rows against each other (a swizzle), and padding shifts the planes and the cubes. */
template <int C> static __device__ __forceinline__ int cube_at(int x, int y, int z)
{
    return z * cube_plane(C) + y * C + (x ^ y);
}

/* Transforms the lines of all blocks within a line of the cube. */
template <int C, int B, typename T>
static __device__ __forceinline__ void transform_line(const sines<T, B> &s, T *v)
{
    T modes[C];
#pragma unroll
    for (int i = 0; i < C; i += B)
        numerics<T>::transform(B, s.at, v + i, modes + i);
#pragma unroll
    for (int i = 0; i < C; i++)
        v[i] = modes[i];
}

/* A thread's lines in the cube, in the three directions; (a, b) is its place among the cube's
 * threads. */
template <int C, int B, typename T> struct lines {
    const sines<T, B> &s;
    T *cells;
    int a, b;

    __device__ __forceinline__ void put_z(const T *v) const
    {
#pragma unroll
        for (int k = 0; k < C; k++)
            cells[cube_at<C>(a, b, k)] = v[k];
    }
    __device__ __forceinline__ void get_z(T *v) const
    {
#pragma unroll
        for (int k = 0; k < C; k++)
            v[k] = cells[cube_at<C>(a, b, k)];
    }
    __device__ __forceinline__ void along_y() const
    {
        T v[C];
#pragma unroll
        for (int j = 0; j < C; j++)
            v[j] = cells[cube_at<C>(a, j, b)];
        transform_line<C, B>(s, v);
#pragma unroll
        for (int j = 0; j < C; j++)
            cells[cube_at<C>(a, j, b)] = v[j];
    }
    /* The transform, times the reciprocal eigenvalues, and the transform back. In the table i is
     * the slowest index, so that adjacent threads read adjacent values: coalesced. */
    __device__ __forceinline__ void along_x(const T *reciprocal) const
    {
        T v[C];
        reciprocal += b % B * B + a % B;
#pragma unroll
        for (int i = 0; i < C; i++)
            v[i] = cells[cube_at<C>(i, a, b)];
        transform_line<C, B>(s, v);
#pragma unroll
        for (int i = 0; i < C; i++)
            v[i] *= __ldg(reciprocal + i % B * B * B);
        transform_line<C, B>(s, v);
#pragma unroll
        for (int i = 0; i < C; i++)
            cells[cube_at<C>(i, a, b)] = v[i];
    }
};

/* v, a column of the right-hand side, becomes the column of the solution. Each barrier completes
 * one direction before the next one reads across it. A thread reads last the places that it writes
 * first for the next cube, so that no barrier is needed between two cubes. */
template <int C, int B, typename T>
static __device__ __forceinline__ void solve_cube(const sines<T, B> &s, const T *reciprocal,
                                                  T *cells, int a, int b, T *v)
{
    lines<C, B, T> l = {s, cells, a, b};
    transform_line<C, B>(s, v);
    l.put_z(v);
    __syncthreads();
    l.along_y();
    __syncthreads();
    l.along_x(reciprocal);
    __syncthreads();
    l.along_y();
    __syncthreads();
    l.get_z(v);
    transform_line<C, B>(s, v);
}

/* Threads (x of all cubes, y). Threads without a cube of their own compute the last one again and
 * do not store it: they must take part in the barriers. The right-hand side, which no cycle
 * changes, is loaded before await_previous, so that its latency overlaps the end of the previous
 * kernel. WIDTH: the most cubes per thread block; MIN_BLOCKS of these fit on an SM. */
template <class ACCESS, typename T, int C, bool NORM, int WIDTH, int MIN_BLOCKS>
__global__ void __launch_bounds__(WIDTH *C *C, MIN_BLOCKS)
    relax_cubes(relaxation<T> a, sines<T, C> s, const T *reciprocal)
{
    extern __shared__ double shared[];
    const int width = blockDim.x / C, x = threadIdx.x % C, y = threadIdx.y, mine = threadIdx.x / C;
    T *cells = (T *)shared + mine * cube_size(C);
    double squares = 0;
    let_next_begin();
    for (int group = blockIdx.x; group * width < a.count; group += gridDim.x) {
        int number = group * width + mine, last = a.count - 1;
        const ss_block_place p = a.place[number < last ? number : last];
        const ptrdiff_t at = (ptrdiff_t)p.first + x + (ptrdiff_t)y * p.sy;
        T u[C], v[C];
#pragma unroll
        for (int k = 0; k < C; k++)
            v[k] = __ldg(a.rhs + at + (ptrdiff_t)k * p.sz);
        await_previous();
        if (dropped(a))
            return;
        take_residuals<ACCESS, C>(a.in + at, p.sy, p.sz, u, v);
        /* One thread block per SM: nobody else hides the latency of memory. In single precision
         * there are two, and with the norm too few registers. */
        if (C == 16 && (!NORM || sizeof(T) == 8)) {
            fetch_ahead<C>(a, number, threadIdx.x + C * y);
            fetch_ahead<C>(a, number, threadIdx.x + C * y + C * C);
        }
        if (NORM && number <= last)
#pragma unroll
            for (int k = 0; k < C; k++)
                squares += (double)v[k] * (double)v[k];
        solve_cube<C, C>(s, reciprocal, cells, x, y, v);
        if (number <= last)
#pragma unroll
            for (int k = 0; k < C; k++)
                ACCESS::put(a.out + at + (ptrdiff_t)k * p.sz, u[k] + a.omega * v[k]);
    }
    if (NORM)
        leave_sum(a.partial + blockIdx.x, squares);
}

#endif
