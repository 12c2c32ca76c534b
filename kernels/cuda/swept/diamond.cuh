/*
 * A diamond of the swept rule as a kernel sees it: its levels, its nodes, where the line ends, and
 * a node's two rows in shared memory. Which points are computed when, and why two levels of each
 * point are enough: the text in kernels/geom/swept.h. CUDA C++17.
 *
 * The swept rule is temporal blocking without redundant work: a node (a subdomain of the line)
 * advances many levels between two exchanges with its neighbours. A launch of a diamond moves four
 * values per point and field (two rows in, two rows out) for `height` = block / (2R) levels, where
 * the classic stepper moves two or three values per level.
 */
#ifndef SS_CUDA_DIAMOND_CUH
#define SS_CUDA_DIAMOND_CUH

#include "kernels/cuda/swept/row_io.cuh"
#include "kernels/cuda/swept/walls.cuh"
#include "kernels/geom/swept.h"

/* A diamond as a kernel gets it. */
struct diamond {
    ss_swept s;
    int from, to; /* levels [from, to) */
    int parity;   /* level l lies in row (parity + l) mod 2 */
    int shift;    /* points by which the nodes are shifted: 0 or half a block */
    bool flat;    /* the first diamond: all points are on one level, and row 1 holds nothing yet */
    int nodes;
};

/* The warp's number in its thread block. The shuffle tells the compiler that it is the same for all
 * lanes, so that it is kept in a uniform register and branches on it do not diverge. */
static __device__ __forceinline__ int warp_index(void)
{
    return __shfl_sync(~0u, (int)threadIdx.x / 32, 0);
}

/* The point of the line at place x of a node, -block < x < 2 block. */
static __device__ __forceinline__ int point_at(const diamond &a, int node, int x)
{
    int p = node * a.s.block + a.shift + x;
    return p >= a.s.n ? p - a.s.n : p < 0 ? p + a.s.n : p;
}

/* The ends of the line as seen from `count` points at place x: beside the first and the last node,
 * or, in a shifted diamond, in the middle of the last node, which consists of both ends. */
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

/* Does the line end beside or within the node? */
template <class E> static __device__ __forceinline__ bool has_wall(const diamond &a, int node)
{
    return E::bc != SS_BC_PERIODIC && (node == a.s.count - 1 || (node == 0 && !a.shift));
}

/* --- a node's two levels in shared memory ----------------------------------------------------- */

/* Places on each side of a row: at least R for the halo, and at least the points of a thread. */
#define ROW_MARGIN 8

/*
 * Row 0 and row 1 of all fields; place 0 of a row is 16-byte aligned. With PADDED a gap of 16 bytes
 * follows every 8 places: lanes that each read 8 adjacent values (a stride of 8 from lane to lane)
 * would otherwise use a quarter of the banks, a 4-way bank conflict.
 */
template <class E, bool PADDED> struct node_rows {
    typedef typename E::real T;
    T *place; /* 0 of row 0, field 0 */
    int width;

    static __host__ __device__ int offset(int x)
    {
        return PADDED ? x + (x >> 3) * (int)(16 / sizeof(T)) : x;
    }
    static __host__ __device__ int width_of(int block)
    {
        return (offset(block + 2 * ROW_MARGIN) + 3) / 4 * 4;
    }
    __device__ T &at(int row, int field, int x) const
    {
        return place[(row * E::fields + field) * width + offset(x)];
    }
};

template <class E, bool PADDED>
static __device__ node_rows<E, PADDED> rows_in(void *shared, int block)
{
    typedef node_rows<E, PADDED> N;
    return {(typename E::real *)shared + N::offset(ROW_MARGIN), N::width_of(block)};
}

/* Loads both rows of a node, coalesced, and R halo points on each side. At the widest level the
 * node reads its neighbours' level just below it from there, which nobody changes any more. Called
 * by all threads of the block; no barrier inside. */
template <class E, bool PADDED>
static __device__ void load_node(const ss_rows<typename E::real> &rows, const diamond &a, int node,
                                 const node_rows<E, PADDED> &mine)
{
#pragma unroll 4
    for (int x = (int)threadIdx.x - E::radius; x < a.s.block + E::radius; x += blockDim.x) {
        int p = point_at(a, node, x);
        for (int f = 0; f < E::fields; f++)
            for (int row = 0; row < 2; row++)
                mine.at(row, f, x) = rows.row[a.flat ? 0 : row][f * rows.field + p];
    }
}

template <class E, bool PADDED>
static __device__ void store_node(const ss_rows<typename E::real> &rows, const diamond &a, int node,
                                  const node_rows<E, PADDED> &mine)
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
