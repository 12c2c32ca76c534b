/*
 * A diamond of the swept rule as a kernel sees it: its levels, its nodes, where the line ends, and
 * a node's two rows in shared memory. Which points are computed when, and why two levels of each
 * point are enough: the text in kernels/geom/swept.h. Device code.
 *
 * Words of these files. A node is a subdomain of `block` points; x is the local index of a point in
 * its node, 0 .. block - 1, and beyond it in the halo. A level is a stage of a time step. Diamond d
 * has levels 1 .. 2h - 1 of its own, h = height = block / (2R). Level l covers the local indices
 * [lo, hi) of ss_swept_lo and ss_swept_hi. Block 8, R = 1, h = 4:
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
 * Row 0 and row 1 are the two arrays of the line, or their copy on chip: a point's last even and
 * last odd level. Only level h reads beyond its node: on every other level lo >= R.
 *
 * The swept rule is temporal blocking without redundant work: a diamond computes 2h - 1 levels, and
 * each point of the line advances by h levels. A launch of a diamond moves four values per point
 * and field (two rows in, two rows out) for these h levels, where the classic stepper moves two or
 * three values per level.
 */
#ifndef SS_CUDA_DIAMOND_CUH
#define SS_CUDA_DIAMOND_CUH

#include "kernels/cuda/swept/arguments.h"
#include "kernels/cuda/swept/row_io.cuh"
#include "kernels/cuda/swept/walls.cuh"

/* The warp's number in its thread block. The shuffle tells the compiler that it is the same for all
 * lanes, so that it is kept in a uniform register and branches on it do not diverge. */
static __device__ __forceinline__ int warp_index(void)
{
    return __shfl_sync(~0u, (int)threadIdx.x / 32, 0);
}

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

/* Does the line end beside or within the node? If not, the kernels skip the test for walls. */
template <class E> static __device__ __forceinline__ bool has_wall(const diamond &a, int node)
{
    return E::bc != SS_BC_PERIODIC && (node == a.s.count - 1 || (node == 0 && !a.shift));
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
 * halo: it needs level h - 1 of these points. A neighbour in the same diamond computes them only on
 * its own level h, into the other row. So the row of level h - 1 is safe to read while neighbours
 * store theirs; the other row's halo is not used. Called by all threads of the thread block; no
 * barrier inside. */
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

#endif
