/*
 * An exact solve in registers: block smoothers on patches of cells in 3D. Each block of B^3 cells
 * is solved exactly and corrected,
 *
 *     u += omega A^-1 r,    r = h^2 f - (6 u - u_w - u_e - u_s - u_n - u_b - u_t),
 *
 * A the matrix 6, -1 of the block alone. A is separable: its inverse is sine transforms along z, y
 * and x, a division by the eigenvalues (a product with their reciprocals), and the transforms back
 * (kernels/block/inverse.c does the same on the CPU; the bits are equal). A transform of a line
 * of n cells is a product with the matrix of sines S: n values from n values of the same line,
 * nothing else. So a thread has a line of cells in registers and transforms it alone; between two
 * directions the lines are transposed through shared memory:
 *
 *     from memory   z ---> y ---> x, divided by the eigenvalues, x ---> y ---> z   to memory
 *                  transpose  transpose                      transpose  transpose
 *
 * The unit is a cube of C^3 cells: C^2 threads, each with a column of C cells in z, which it loads
 * from memory and stores back; adjacent threads have adjacent cells in x. In the kernel here a cube
 * is one block, B = C; in fast/bars.cuh blocks may be smaller (B < C): then a line consists of C /
 * B lines of blocks, and nothing else changes. A thread block takes several cubes, mostly adjacent
 * ones in x, so that a warp's accesses are coalesced to whole cache lines.
 *
 * Layout. All patches lie in one array with ghost cells around each; x is the fastest index, rows
 * are sy elements apart, planes sz. The host lists the blocks to be relaxed in this launch: all at
 * once, from `in` to another array `out` (Jacobi), or those of one level or colour in place
 * (Gauss-Seidel).
 *
 * What limits it. A step reads u and f and writes u: 24 bytes per cell in double precision, which
 * allows 182 billion cells per second on an H200. Arithmetic, 59 operations without a fused one per
 * cell for 8^3, allows 270; transposes and loads share a pipe that allows 200. One H200, f64,
 * blocks of 4^3, 8^3, 16^3: 138, 122 and 62 billion cells per second. 16^3 takes all registers of
 * an SM for one thread block: nobody else hides the latency of memory (see fetch_ahead). Blocks of
 * up to 8^3 that are relaxed at once have the kernel of fast/bars.cuh. Device code;
 * kernels/cuda/smooth/inverses.c launches it.
 */
#ifndef SS_CUDA_SMOOTH_CUBES_CUH
#define SS_CUDA_SMOOTH_CUBES_CUH

/* leave_sum(to, v): stores the sum of v over the thread block in *to. stopped(stop): has a norm
 * ended the run? */
#include "kernels/cuda/device/norm.cuh"
/* transform(n, S, u, 1, modes): modes = S u for a line of n cells at distance 1. S is symmetric,
 * and mode k has the parity of k about the middle of the line, so that (n + 1) / 2 columns of S are
 * enough. take_residuals<ACCESS, C>(u, sy, sz, cells, r): the C cells of the column at u and, in r,
 * which holds h^2 f on entry, their residuals. ACCESS: how cells are read and written, `alone` by
 * plain loads and stores, `racing` by relaxed atomics, where neighbours may be writing them
 * meanwhile. */
#include "kernels/cuda/device/numerics.cuh"
/* let_next_begin(): the next launch may begin while this one still runs; await_previous(): waits
 * until the launch before this one has stored its cells; prefetch(p): asks for a line in L2. */
#include "kernels/cuda/device/ptx.cuh"
/* cube_plane(C), cube_size(C): values of a plane and of a cube in shared memory. A plane has C^2 +
 * C (C^2 if C = 16), a cube C more than its planes: the padding. */
#include "kernels/cuda/smooth/arguments.h"
/* ss_block_place, where a block lies: first, the element of its first cell; sy, sz. */
#include "kernels/cuda/smooth/places.h"

/* --- arguments -------------------------------------------------------------------------------- */

/* One launch: blocks of one shape that are relaxed at once. `relaxation` of plan.c has the same
 * layout. */
template <typename T> struct relaxation {
    const T *in, *rhs;
    T *out;
    const ss_block_place *place;
    int count; /* of places */
    int ahead; /* a thread block fetches the cells of the one so many further; 0: of none */
    T omega;
    double *partial; /* a sum of squared residuals per thread block */
    const int *stop; /* non-zero: do not write this cycle; NULL: never */
};

/* Whether the cycle is dropped. All threads get the same answer, because only another launch sets
 * the flag. */
template <typename T> static __device__ __forceinline__ int dropped(const relaxation<T> &a)
{
    return a.stop ? stopped(a.stop) : 0;
}

/* The first (B + 1) / 2 columns of the sine matrix, by rows. A kernel argument, so that it is in
 * the constant bank: multiplications take an operand from there without a load instruction. */
template <typename T, int B> struct sines {
    T at[B * ((B + 1) / 2)];
};

/* --- transforms and transposes ---------------------------------------------------------------- */

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
        transform(B, s.at, v + i, 1, modes + i);
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
 * one direction before the next one reads across it. The places that a thread reads last
 * are those that it writes first for the next cube, so that no barrier is needed between two cubes.
 */
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

/* --- the kernel ------------------------------------------------------------------------------- */

/* Brings the cells of a place and their right-hand side to L2. The place has C^2 rows in x of a
 * cache line, one per thread; t: the number of the thread. Nobody waits for a prefetch. */
template <int C, typename T>
static __device__ __forceinline__ void fetch_place(const relaxation<T> &a, const ss_block_place &p,
                                                   int t)
{
    const int row = t % (C * C);
    const ptrdiff_t at =
        (ptrdiff_t)p.first + (ptrdiff_t)(row % C) * p.sy + (ptrdiff_t)(row / C) * p.sz;
    if (t < 2 * C * C)
        prefetch((t < C * C ? a.in : a.rhs) + at);
}

template <int C, typename T>
static __device__ __forceinline__ void fetch_ahead(const relaxation<T> &a, int now, int t)
{
    const int later = now + a.ahead;
    if (a.ahead == 0 || later >= a.count || t >= 2 * C * C)
        return;
    fetch_place<C>(a, a.place[later], t);
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
        /* With one thread block per SM nobody else hides the latency of memory. Not in single
         * precision with the norm: there are too few registers. */
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
