/*
 * The swept rule in shared memory: temporal blocking of a time-dependent equation on a line,
 * without redundant work. A thread block takes a node, `block` adjacent points, a thread per point,
 * and computes many time levels before it exchanges anything: Magee & Niemeyer's kernel Shared (The
 * swept rule on GPUs, section 3, after Alhubail & Wang). Device code; launch.c launches it, one
 * launch per diamond.
 *
 * The idea. With a stencil of radius R the values of a node are enough for all but R points at each
 * of its ends on the next level, all but 2R on the one after, and so on: a triangle of
 * h = height = block / (2R) levels. The next launch shifts the nodes by half a block; its nodes
 * fill the gap between two triangles and go on with a triangle of their own. Both together are a
 * diamond:
 *
 *     diamond 2  \    /\    /\    /     nodes not shifted; the last diamond ends at level h
 *     diamond 1   \  /  \  /  \  /      nodes shifted by block / 2; the last one is split: it
 *                  \/    \/    \/       consists of both ends of the line
 *                  /\    /\    /\       diamond 0: only its upper half; its base, level h, is
 *     level 0     /__\  /__\  /__\      the start of the run
 *
 * Words. x is the local index of a point in its node, 0 .. block - 1, and beyond it in the halo. A
 * level is a stage of a time step. Diamond d has levels 1 .. 2h - 1 of its own; its level l covers
 * the local indices [lo, hi) = [ss_swept_lo(s, l), ss_swept_hi(s, l)). Block 8, R = 1, h = 4:
 *
 *     l    covered
 *     7       ##        [3, 5)    the upper half: a triangle, levels h + 1 .. 2h - 1
 *     6      ####       [2, 6)
 *     5     ######      [1, 7)
 *     4    ########     [0, 8)    the widest level, l = h
 *     3     ######      [1, 7)    the lower half: the gap between the triangles of diamond d - 1
 *     2      ####       [2, 6)    on both sides; level l of the gap is their level h + l
 *     1       ##        [3, 5)
 *
 * Two arrays are enough, the rows: a point's last even level is in row 0, its last odd level in row
 * 1. A point that its triangle no longer covers keeps its last two levels, those from which the
 * next diamond fills the gap. Only level h reads beyond its node: on every other level lo >= R.
 *
 * What limits it. A launch moves four values per point and field between memory and chip (two rows
 * in, two rows out) and advances every point by h levels; the classic kernel (stepper.cuh) moves
 * two or three values per level. Instead each level ends with a barrier of the thread block, and on
 * average over a diamond half of the threads have no point to compute: barriers and idle threads
 * are the limit. On an H200, f64, a step of heat takes 186 ns for 2^10 points (blocks of 256;
 * stepper: 677 ns) and 1.76 us for 2^20 (blocks of 512; stepper: 4.13 us, 93 % of the bandwidth of
 * a triad).
 */
#ifndef SS_CUDA_SWEPT_BLOCK_CUH
#define SS_CUDA_SWEPT_BLOCK_CUH

/* struct diamond, the geometry of a launch, which the host fills in: a.s.n points of the line,
 * a.s.block of a node, a.s.count nodes, a.s.height; levels [a.from, a.to), 1 and 2h but in the
 * first and the last diamond; a.shift, the points by which nodes are shifted: 0 or block / 2;
 * a.parity, 0 or 1: level l lies in row (a.parity + l) mod 2; a.initial: diamond 0, where row 1
 * holds nothing yet. node_row_width(block): values of a row with ROW_MARGIN values on each side. */
#include "kernels/cuda/swept/arguments.h"
/* ss_rows<T>: row[0], row[1], the addresses of point 0 of field 0 of the two arrays in device
 * memory; field: elements from one field to the next. E, the equation (type `heat`: u' = fo (w + e)
 * + (1 - 2 fo) u): E::real the type of number, E::fields values per point, E::radius R, E::stages
 * levels per time step, E::bc the boundary condition; eq.next(stage, u, old): the new values of a
 * point from `u`, those of the level before at the point and R neighbours on each side, and `old`,
 * its own one level earlier. reflect(u, w): fills in the neighbours beyond an end of the line,
 * w.left points to the left of this one or w.right to the right (SS_NO_WALL: none is near);
 * is_fixed(w, 0): is the point an end that keeps its value (a Dirichlet condition)? */
#include "kernels/cuda/swept/walls.cuh"
/* let_next_begin(): the next launch may begin, while this one still runs; await_previous(): waits
 * until the launch before this one has ended and all that it stored is visible. */
#include "kernels/cuda/device/ptx.cuh"

/* --- points of a node ------------------------------------------------------------------------- */

/* The point of the line with local index x, -block < x < 2 block. The line is treated as a ring:
 * the last node of an odd diamond goes on at point 0. */
static __device__ __forceinline__ int point_at(const diamond &a, int node, int x)
{
    int p = node * a.s.block + a.shift + x;
    return p >= a.s.n ? p - a.s.n : p < 0 ? p + a.s.n : p;
}

/* The ends of the line as seen from `count` points from x on: beside the first and the last node,
 * or, in an odd diamond, in the middle of the last node, which consists of both ends of the line
 * (the split node). Block 8, n = 32, last node of an odd diamond; points 31 and 0 are ends:
 *
 *     x       0  1  2  3 | 4  5  6  7       count 2: x = 2 has right = 4 - 2 - 2 = 0,
 *     point  28 29 30 31 | 0  1  2  3                x = 6 has left  = 6 - 4     = 2
 */
static __device__ __forceinline__ ss_walls walls_at(const diamond &a, int node, int x, int count)
{
    ss_walls w = {SS_NO_WALL, SS_NO_WALL};
    int half = a.s.block / 2;
    bool last = node == a.s.count - 1;
    if (a.shift && last && x >= half)
        w.left = x - half;
    if (a.shift && last && x < half)
        w.right = half - x - count;
    if (!a.shift && node == 0)
        w.left = x;
    if (!a.shift && last)
        w.right = a.s.block - x - count;
    return w;
}

/* --- a node's two levels in shared memory ----------------------------------------------------- */

/* Row 0 and row 1 of all fields; index 0 of a row is 16-byte aligned. */
template <class E> struct node_rows {
    typedef typename E::real T;
    T *first;  /* row 0, field 0, index 0 */
    int width; /* values from field to field, with margins */
    __device__ T &at(int row, int field, int x) const
    {
        return first[(row * E::fields + field) * width + x];
    }
};

template <class E> static __device__ node_rows<E> rows_in(void *shared, int block)
{
    return {(typename E::real *)shared + ROW_MARGIN, node_row_width(block)};
}

/* Loads both rows of a node, coalesced, and R halo points on each side. Only level h reads the
 * halo: it needs level h - 1 of these points. A neighbour in the same diamond computes these points
 * only on its own level h, into the other row, and stores the row of level h - 1 as it was. So that
 * row is safe to read while neighbours store theirs; the other row's halo is not used. Called by
 * all threads of the thread block; no barrier inside. */
template <class E>
static __device__ void load_node(const ss_rows<typename E::real> &rows, const diamond &a, int node,
                                 const node_rows<E> &mine)
{
#pragma unroll 4
    for (int x = (int)threadIdx.x - E::radius; x < a.s.block + E::radius; x += blockDim.x) {
        int p = point_at(a, node, x);
        for (int f = 0; f < E::fields; f++)
            for (int row = 0; row < 2; row++)
                mine.at(row, f, x) = rows.row[a.initial ? 0 : row][f * rows.field + p];
    }
}

template <class E>
static __device__ void store_node(const ss_rows<typename E::real> &rows, const diamond &a, int node,
                                  const node_rows<E> &mine)
{
#pragma unroll 4
    for (int x = threadIdx.x; x < a.s.block; x += blockDim.x) {
        int p = point_at(a, node, x);
        for (int f = 0; f < E::fields; f++)
            for (int row = 0; row < 2; row++)
                rows.row[row][f * rows.field + p] = mine.at(row, f, x);
    }
}

/* --- the kernel ------------------------------------------------------------------------------- */

/*
 * The double buffer in shared memory: level l is computed from row 1 - to, which holds level l - 1,
 * and written to row `to`, which holds level l - 2. A second stage also reads level l - 2, but only
 * the point that the same thread then overwrites. So one barrier per level is enough: within a
 * level no thread writes what another one reads.
 *
 * Level l of diamond d is level (d - 1) h + l of the chain of diamonds, and parity + l has the
 * parity of that number. Time steps of two stages begin on even levels: stage 0 computes the odd
 * levels of the chain, stage 1 the even ones.
 *
 * let_next_begin and await_previous overlap this launch with those before and after it
 * (device/ptx.cuh explains both). Only work that reads no row may stand before await_previous.
 */
template <class E>
__global__ void __launch_bounds__(1024) swept_block(E eq, ss_rows<typename E::real> rows, diamond a)
{
    const int R = E::radius, x = threadIdx.x, node = blockIdx.x;
    extern __shared__ double shared[];
    node_rows<E> mine = rows_in<E>(shared, a.s.block);
    ss_walls w = walls_at(a, node, x, 1);
    bool fixed = is_fixed<E, 1>(w, 0);
    let_next_begin();
    await_previous();
    load_node(rows, a, node, mine);
    __syncthreads(); /* threads have loaded points for one another */
    for (int l = a.from; l < a.to; l++) {
        int to = (a.parity + l) & 1;
        if (x >= ss_swept_lo(a.s, l) && x < ss_swept_hi(a.s, l) && !fixed) {
            ss_around<E, 1> u;
            ss_points<E, 1> old;
#pragma unroll
            for (int f = 0; f < E::fields; f++) {
#pragma unroll
                for (int i = -R; i <= R; i++)
                    u.at[f][R + i] = mine.at(1 - to, f, x + i);
                old.at[f][0] = mine.at(to, f, x);
            }
            reflect<E, 1>(u.at, w);
            ss_points<E, 1> v = eq.next((a.parity + l - 1) % E::stages, u, old);
#pragma unroll
            for (int f = 0; f < E::fields; f++)
                mine.at(to, f, x) = v.at[f][0];
        }
        /* Level l is complete before level l + 1 reads it, and read before l + 1 overwrites it. */
        __syncthreads();
    }
    store_node(rows, a, node, mine);
}

#endif
