/*
 * The separable inverse (kernels/block/separable.c) on the GPU. A thread has a line of cells in its
 * registers and transforms it; between two directions the lines are laid anew through shared
 * memory:
 *
 *     from memory   z ---> y ---> x, divided by the eigenvalues, x ---> y ---> z   to memory
 *                     turn   turn                                 turn   turn
 *
 * The unit is a cube of C^3 cells: C^2 threads with a column of C cells each, which is what comes
 * from memory and goes back there, a row of threads a row of cells. Blocks may be smaller than a
 * cube (B < C): then a line holds C / B lines of theirs, which is all the difference. A thread
 * block takes several cubes, side by side mostly, so that a warp reads whole cache lines.
 *
 * 59 operations a cell of 8^3 blocks, and 24 bytes of memory in double: both units are busy.
 */
#ifndef SS_CUDA_SMOOTH_CUBES_CUH
#define SS_CUDA_SMOOTH_CUBES_CUH

#include "kernels/cuda/smooth/common.cuh"

/* The first (B + 1) / 2 columns of the sine matrix, by rows. A kernel's argument: in the constant
 * bank, from which products take a factor without loading it. */
template <typename T, int B> struct sines {
    T at[B * ((B + 1) / 2)];
};

/* A cube in shared memory. Threads that go along x or y side by side meet different banks, whatever
 * direction the others of the warp go in: the exclusive or shifts the rows against each other, the
 * pads the planes and the cubes. */
template <int C> struct cube {
    static const int plane = C * C + (C < 16 ? C : 0), size = C * plane + C;
    static __device__ __forceinline__ int at(int x, int y, int z)
    {
        return z * plane + y * C + (x ^ y);
    }
};

/* All blocks' lines in a line of the cube. */
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

/* A thread's lines: it is at place (a, b) among those of the cube. */
template <int C, int B, typename T> struct lines {
    const sines<T, B> &s;
    T *cells;
    int a, b;

    __device__ __forceinline__ void put_z(const T *v) const
    {
#pragma unroll
        for (int k = 0; k < C; k++)
            cells[cube<C>::at(a, b, k)] = v[k];
    }
    __device__ __forceinline__ void get_z(T *v) const
    {
#pragma unroll
        for (int k = 0; k < C; k++)
            v[k] = cells[cube<C>::at(a, b, k)];
    }
    __device__ __forceinline__ void along_y() const
    {
        T v[C];
#pragma unroll
        for (int j = 0; j < C; j++)
            v[j] = cells[cube<C>::at(a, j, b)];
        transform_line<C, B>(s, v);
#pragma unroll
        for (int j = 0; j < C; j++)
            cells[cube<C>::at(a, j, b)] = v[j];
    }
    /* There, times the reciprocal eigenvalues, and back. The table has i outside, so that threads
     * side by side read side by side. */
    __device__ __forceinline__ void along_x(const T *reciprocal) const
    {
        T v[C];
        reciprocal += b % B * B + a % B;
#pragma unroll
        for (int i = 0; i < C; i++)
            v[i] = cells[cube<C>::at(i, a, b)];
        transform_line<C, B>(s, v);
#pragma unroll
        for (int i = 0; i < C; i++)
            v[i] *= __ldg(reciprocal + i % B * B * B);
        transform_line<C, B>(s, v);
#pragma unroll
        for (int i = 0; i < C; i++)
            cells[cube<C>::at(i, a, b)] = v[i];
    }
};

/* v, a column, becomes the column of the solution. What a thread reads last is what it writes first
 * of the next cube, so that no barrier is needed in between. */
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

/* Threads (x of all the cubes, y). Where there are no cubes left the last one is worked on once
 * more, for nothing. LEAST thread blocks shall fit on a processor. */
template <class ACCESS, typename T, int C, int B, bool NORM, int MOST, int LEAST>
__global__ void __launch_bounds__(MOST, LEAST)
    relax_cubes(relaxation<T> a, sines<T, B> s, const T *reciprocal)
{
    extern __shared__ double shared[];
    const int width = blockDim.x / C, x = threadIdx.x % C, y = threadIdx.y, mine = threadIdx.x / C;
    T *cells = (T *)shared + mine * cube<C>::size;
    double squares = 0;
    let_next_begin();
    for (int group = blockIdx.x; group * width < a.count; group += gridDim.x) {
        int number = group * width + mine, last = a.count - 1;
        const ss_place p = a.place[number < last ? number : last];
        const ptrdiff_t at = (ptrdiff_t)p.first + x + (ptrdiff_t)y * p.sy;
        T u[C], v[C];
#pragma unroll
        for (int k = 0; k < C; k++)
            v[k] = __ldg(a.rhs + at + (ptrdiff_t)k * p.sz);
        await_previous();
        if (dropped(a))
            return;
        take_residuals<ACCESS, C>(a.in + at, p.sy, p.sz, u, v);
        if (NORM && number <= last)
#pragma unroll
            for (int k = 0; k < C; k++)
                squares += (double)v[k] * (double)v[k];
        solve_cube<C, B>(s, reciprocal, cells, x, y, v);
        if (number <= last)
#pragma unroll
            for (int k = 0; k < C; k++)
                ACCESS::put(a.out + at + (ptrdiff_t)k * p.sz, u[k] + a.omega * v[k]);
    }
    if (NORM)
        leave_sum(a.partial, squares);
}

#endif
