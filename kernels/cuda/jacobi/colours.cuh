/*
 * Red-black SOR on the GPU, three ways with the same bits. Each colour is updated from the other:
 *
 *     1. red     u_red   = (1 - omega) u_red   + omega u'        u' from the old black points
 *     2. black   u_black = (1 - omega) u_black + omega u'        u' from the new red points
 *
 * Counted from 0, point (i, j) of a plane is red if i + j is even; on a line, if i is odd. All red
 * points are independent of each other, and so are all black ones. Between the colours every thread
 * would have to wait for its neighbours. The three ways differ in how they wait:
 *
 *                     launches per cycle    bytes per point, double precision
 *     fused           1                     24: no wait, the red points around a tile twice
 *     interleaved     2                     48: each launch moves all points, for half of them
 *     split           2                     32: each colour in an array of its own
 *
 * A cycle reads u[parity] and writes u[1 - parity], also where an update in place would do: so the
 * start of a cycle stays until the next one, and a cycle that is not wanted leaves no trace.
 * Expressions and rounding are those of kernels/cpu/loops/combine_each.h. E is an update
 * of device/update.cuh. Device code; sor.c launches it.
 */
#ifndef SS_CUDA_JACOBI_COLOURS_CUH
#define SS_CUDA_JACOBI_COLOURS_CUH

#include "kernels/cuda/jacobi/blend.cuh"

enum { RED, BLACK };

/* Of the two points (i, j) and (i + 1, j) with even i: 0 if the first one has this colour, else 1.
 * Rows may be negative. */
template <class E> static __device__ __forceinline__ int place_of(int colour, int j)
{
    return ((E::dim > 1 ? j : 1) + colour) & 1;
}

/* --- fused ------------------------------------------------------------------------------------ */

#define SOR_ROWS 4   /* of a thread; even, so that colours are known when the loops are unrolled */
#define SOR_WARPS 8  /* of a block, one above the other */
#define SOR_LANES 30 /* lanes of a warp that store */

/*
 * One pass. A warp computes the red points of its tile and of one more row and column on each side,
 * from u two points beyond the tile, and then its black points. The points around the tile are
 * computed by the neighbouring warp as well, from the same values by the same operations, so that
 * no warp waits for another. It costs 2 of 32 lanes and 2 rows of red points for 4 rows of the
 * tile; the additional loads hit in L1 and L2, so that DRAM sees the 24 bytes per point of a Jacobi
 * sweep.
 *
 *     row j + 4    r . r . r .        One thread has N values of 8 rows in registers. Lanes 1 to 30
 *     row j + 3    . R . R . R        of a warp own N columns each, rows j to j + 3. R: red points
 *     ...          R . R . R .        of the tile. r: red points beside it, which this warp
 *     row j        R . R . R .        computes for itself. West and east neighbours in another lane
 *     row j - 1    . r . r . r        come by a shuffle; the lanes 0 and 31 exist to answer it.
 *
 * Updates are done in place in the registers: red points read black ones only, and black points red
 * ones only. For each row and colour one shuffle is enough, since of the first and the last of N
 * values, N even, exactly one has the colour. Which of the values have it is a constant in the
 * unrolled loops: a tile begins at an even row and an even column.
 *
 * Points beyond the domain must stay 0, as the boundary is, and so are not updated. They are not
 * loaded either: all rows and columns that do not exist are 0 in registers.
 *
 * With NORM it also adds up the norm of the old field (norm.cuh), which needs u' at the black
 * points from the OLD red ones, before the red points change. `tiles` as on rung 6. Threads of a
 * block: 32 by SOR_WARPS.
 */
template <class E, bool NORM>
__global__ void __launch_bounds__(32 * SOR_WARPS)
    sor_fused(ss_cuda_sweep<typename E::real> a, E update, damped<typename E::real> relax,
              int tiles)
{
    typedef typename E::real T;
    const int N = pack<T>::n, RING = E::dim > 1; /* rows of red points beside the tile */
    const int lane = threadIdx.x, across = (a.nx + SOR_LANES * N - 1) / (SOR_LANES * N);
    int wanted = 0;
    double squares = 0;
    for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        int i = (tile % across * SOR_LANES + lane - 1) * N;
        int j = (tile / across * SOR_WARPS + threadIdx.y) * SOR_ROWS;
        bool column = i >= 0 && i < a.nx, own = column && lane > 0 && lane <= SOR_LANES;
        const T *pu = a.in + j * a.sy + i, *pb = a.rhs + j * a.sy + i;
        T *po = a.out + j * a.sy + i;
        /* u[r + 2] and b[r + 1] are row j + r. */
        pack<T> u[SOR_ROWS + 4] = {};
        pack<T> b[SOR_ROWS + 2] = {};
        auto row = [&](int r) { return j + r >= 0 && j + r < a.ny; };
        /* u' of value k of row r; `beside` is its neighbour in another lane, if it has one. */
        auto jacobi = [&](int r, int k, T beside) {
            T w = k > 0 ? u[r + 2].v[k - 1] : beside, e = k + 1 < N ? u[r + 2].v[k + 1] : beside;
            T s = RING ? u[r + 1].v[k] : 0, n = RING ? u[r + 3].v[k] : 0;
            return update(b[r + 1].v[k], w, e, s, n);
        };
        /* The value beside row r that a colour needs: the last one of the lane to the west, or the
         * first one of the lane to the east. All lanes call it. */
        auto neighbour = [&](int colour, int r) {
            return place_of<E>(colour, r) == 0 ? __shfl_up_sync(~0u, u[r + 2].v[N - 1], 1)
                                               : __shfl_down_sync(~0u, u[r + 2].v[0], 1);
        };
#pragma unroll
        for (int r = -RING; r < SOR_ROWS + RING; r++)
            if (row(r) && column)
                b[r + 1] = load(pb + r * a.sy);
        if (tile == blockIdx.x) {
            wanted = begin_cycle(a.control->stop);
            let_next_begin();
        }
#pragma unroll
        for (int r = -2 * RING; r < SOR_ROWS + 2 * RING; r++)
            if (row(r) && column)
                u[r + 2] = load(pu + r * a.sy);
        if (NORM) {
#pragma unroll
            for (int r = 0; r < SOR_ROWS; r++) {
                T beside = neighbour(BLACK, r);
#pragma unroll
                for (int k = place_of<E>(BLACK, r); k < N; k += 2)
                    if (row(r) && own && i + k < a.nx)
                        squares += square((double)(jacobi(r, k, beside) - u[r + 2].v[k]));
            }
        }
#pragma unroll
        for (int r = -RING; r < SOR_ROWS + RING; r++) {
            T beside = neighbour(RED, r);
#pragma unroll
            for (int k = place_of<E>(RED, r); k < N; k += 2) {
                T old = u[r + 2].v[k], v = jacobi(r, k, beside);
                if (row(r) && column && i + k < a.nx) {
                    u[r + 2].v[k] = relax(v, old, 0);
                    if (NORM && own && r >= 0 && r < SOR_ROWS)
                        squares += square((double)(v - old));
                }
            }
        }
#pragma unroll
        for (int r = 0; r < SOR_ROWS; r++) {
            T beside = neighbour(BLACK, r);
#pragma unroll
            for (int k = place_of<E>(BLACK, r); k < N; k += 2)
                u[r + 2].v[k] = relax(jacobi(r, k, beside), u[r + 2].v[k], 0);
            if (wanted && row(r) && own)
                store(po + r * a.sy, u[r + 2], a.nx - i);
        }
        if (!NORM)
            break;
    }
    if (NORM && wanted)
        add_to_norm(squares, a.partial, a.control);
}

/* --- interleaved ------------------------------------------------------------------------------ */

/*
 * One colour per launch, both colours in one array: a thread has a pair of neighbouring points and
 * updates one of them. The red launch reads a.in and also copies the black point of the pair; the
 * black launch has a.in == a.out and updates in place, which is no race: it reads red points, which
 * nobody writes now. Of each sector of 32 bytes only every second value is of use, and both
 * launches move all sectors. The norm is a pass of its own, before the red launch (jacobi_norm,
 * line_norm).
 */
template <class E>
__global__ void sor_interleaved(ss_cuda_sweep<typename E::real> a, E update,
                                damped<typename E::real> relax, int colour)
{
    typedef typename E::real T;
    int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
    int j = block_row() * blockDim.y + threadIdx.y;
    int wanted = begin_cycle(a.control->stop);
    if (!wanted || i >= a.nx || j >= a.ny)
        return;
    int mine = i + place_of<E>(colour, j), other = i + 1 - place_of<E>(colour, j);
    const T *in = a.in + j * a.sy;
    T *out = a.out + j * a.sy;
    if (mine < a.nx) {
        T s = E::dim > 1 ? in[mine - a.sy] : 0, n = E::dim > 1 ? in[mine + a.sy] : 0;
        T v = update(a.rhs[j * a.sy + mine], in[mine - 1], in[mine + 1], s, n);
        out[mine] = relax(v, in[mine], 0);
    }
    if (colour == RED && other < a.nx)
        out[other] = in[other];
}

/* --- split ------------------------------------------------------------------------------------ */

/*
 * Each colour in an array of its own, point m of a row being the m-th of its colour: rows are half
 * as long, and coalesced loads bring only what is needed. With `place` 0 or 1, the place of the
 * colour in this row (place_of), the neighbours of point m lie in the array of the other colour:
 *
 *     west   row j, m - 1 + place        south   row j - 1, m
 *     east   row j, m + place            north   row j + 1, m
 *
 * since the places of the colours are exchanged from row to row. Pointers are to (0, 0); a halo of
 * zeros surrounds each array.
 */
template <typename T> struct one_colour {
    const T *own, *other, *rhs; /* other: the values that u' is made of */
    T *out;
    int nx, ny; /* of the field */
    ptrdiff_t stride;
    int colour;
};

/* u' of point m of row j. */
template <class E, typename T>
static __device__ __forceinline__ T split_jacobi(const one_colour<T> &a, E update, int m, int j)
{
    const int place = place_of<E>(a.colour, j);
    const ptrdiff_t at = j * a.stride + m;
    const T *p = a.other + at;
    T s = E::dim > 1 ? p[-a.stride] : 0, n = E::dim > 1 ? p[a.stride] : 0;
    return update(a.rhs[at], p[place - 1], p[place], s, n);
}

template <class E, typename T>
static __device__ __forceinline__ bool has_point(const one_colour<T> &a, int m, int j)
{
    return j < a.ny && 2 * m + place_of<E>(a.colour, j) < a.nx;
}

/*
 * One colour: red from the old black points, black from the new red ones. A thread has LADDER_ROWS
 * points of a column, as on rung 5 of the ladder, and issues all loads before it uses the first.
 * `column` is the other colour's column m, from the row below the points to the row above them: it
 * has south and north of each point and, in the point's own row, its east neighbour (place 0) or
 * its west neighbour (place 1). Only `side`, the neighbour on the other side, is not in the column.
 */
template <class E>
__global__ void __launch_bounds__(256) sor_split(one_colour<typename E::real> a, E update,
                                                 damped<typename E::real> relax, const int *stop)
{
    typedef typename E::real T;
    const int beyond = E::dim > 1; /* rows of the column on each side of the points */
    int m = blockIdx.x * blockDim.x + threadIdx.x;
    int j = (block_row() * blockDim.y + threadIdx.y) * LADDER_ROWS;
    int rows = 2 * m >= a.nx || j >= a.ny ? 0 : a.ny - j < LADDER_ROWS ? a.ny - j : LADDER_ROWS;
    ptrdiff_t at = j * a.stride + m;
    T column[LADDER_ROWS + 2], side[LADDER_ROWS], own[LADDER_ROWS], g[LADDER_ROWS];
#pragma unroll
    for (int r = 0; r < LADDER_ROWS; r++)
        if (r < rows)
            g[r] = a.rhs[at + r * a.stride];
    int wanted = begin_cycle(stop);
#pragma unroll
    for (int r = -beyond; r < LADDER_ROWS + beyond; r++)
        if (rows > 0 && r < rows + beyond)
            column[r + 1] = a.other[at + r * a.stride];
#pragma unroll
    for (int r = 0; r < LADDER_ROWS; r++)
        if (r < rows) {
            side[r] = a.other[at + r * a.stride + 2 * place_of<E>(a.colour, r) - 1];
            own[r] = a.own[at + r * a.stride];
        }
#pragma unroll
    for (int r = 0; r < LADDER_ROWS; r++) {
        int place = place_of<E>(a.colour, r); /* that of row j + r too: j is even */
        T w = place ? column[r + 1] : side[r], e = place ? side[r] : column[r + 1];
        T s = beyond ? column[r] : 0, n = beyond ? column[r + 2] : 0;
        if (wanted && r < rows && 2 * m + place < a.nx)
            a.out[at + r * a.stride] = relax(update(g[r], w, e, s, n), own[r], 0);
    }
}

/* The norm of the old field; blocks loop over tiles of blockDim.x pairs of points of blockDim.y
 * rows. */
template <class E>
__global__ void __launch_bounds__(256)
    sor_split_norm(one_colour<typename E::real> red, one_colour<typename E::real> black, E update,
                   int tiles, double *partial, ss_cuda_control *control)
{
    typedef typename E::real T;
    int pairs = (red.nx + 1) / 2, across = (pairs + blockDim.x - 1) / blockDim.x;
    double squares = 0;
    int wanted = begin_cycle(control->stop);
    auto add = [&](const one_colour<T> &a, int m, int j) {
        if (has_point<E>(a, m, j))
            squares += square((double)(split_jacobi(a, update, m, j) - a.own[j * a.stride + m]));
    };
    for (int tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        int m = tile % across * blockDim.x + threadIdx.x;
        int j = tile / across * blockDim.y + threadIdx.y;
        add(red, m, j);
        add(black, m, j);
    }
    if (wanted)
        add_to_norm(squares, partial, control);
}

/* Row j of the interleaved array `u` to the arrays of the colours, or back. */
template <class E, typename T = typename E::real>
__global__ void sor_exchange(T *u, ptrdiff_t u_stride, T *red, T *black, ptrdiff_t stride, int nx,
                             int ny, bool back)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int j = block_row() * blockDim.y + threadIdx.y;
    if (i >= nx || j >= ny)
        return;
    T *colour = (i & 1) == place_of<E>(RED, j) ? red : black;
    T *a = u + j * u_stride + i, *b = colour + j * stride + i / 2;
    *(back ? a : b) = *(back ? b : a);
}

#endif
