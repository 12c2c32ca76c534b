/*
 * A diamond of the swept rule as a kernel sees it: its levels, its nodes, where the line ends, and
 * the two rows of a node in shared memory. Which points when, and why two rows are enough: the text
 * in kernels/geom/swept.h. CUDA C++17.
 */
#ifndef SS_CUDA_DIAMOND_CUH
#define SS_CUDA_DIAMOND_CUH

#include "kernels/cuda/swept/chain.cuh"
#include "kernels/geom/swept.h"

/* A diamond as a kernel gets it. */
struct diamond {
    ss_swept s;
    int from, to; /* levels [from, to) */
    int parity;   /* level l lies in row (parity + l) mod 2 */
    int shift;    /* points that nodes lie further on: 0 or half of a block */
    bool flat;    /* the first one: all points are on one level, and the other row holds nothing */
    int nodes;
};

/* The same for all threads of a warp, and the compiler knows. */
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
 * or within the node that is split. */
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

#define ASIDE 8 /* places on each side of a row: at least R, and as many as a thread has points */

/* Row 0 and row 1 of all fields; place 0 of a row is where 16 bytes can be read at once. With GAPS
 * 16 bytes are left out after every 8 places: lanes that read 8 values each at once would otherwise
 * meet in a quarter of the banks. */
template <class E, bool GAPS> struct node_rows {
    typedef typename E::real T;
    T *place; /* 0 of row 0, field 0 */
    int width;

    static __host__ __device__ int offset(int x)
    {
        return GAPS ? x + (x >> 3) * (int)(16 / sizeof(T)) : x;
    }
    static __host__ __device__ int width_of(int block)
    {
        return (offset(block + 2 * ASIDE) + 3) / 4 * 4;
    }
    __device__ T &at(int row, int field, int x) const
    {
        return place[(row * E::fields + field) * width + offset(x)];
    }
};

template <class E, bool GAPS> static __device__ node_rows<E, GAPS> rows_in(void *shared, int block)
{
    typedef node_rows<E, GAPS> N;
    return {(typename E::real *)shared + N::offset(ASIDE), N::width_of(block)};
}

/* All threads of the node. Beyond its ends stands what its neighbours have there: their level below
 * the waist is what this diamond will ask for. */
template <class E, bool GAPS>
static __device__ void fetch_node(const ss_rows<typename E::real> &rows, const diamond &a, int node,
                                  const node_rows<E, GAPS> &mine)
{
#pragma unroll 4
    for (int x = (int)threadIdx.x - E::radius; x < a.s.block + E::radius; x += blockDim.x) {
        int p = point_at(a, node, x);
        for (int f = 0; f < E::fields; f++)
            for (int row = 0; row < 2; row++)
                mine.at(row, f, x) = rows.row[a.flat ? 0 : row][f * rows.field + p];
    }
}

template <class E, bool GAPS>
static __device__ void return_node(const ss_rows<typename E::real> &rows, const diamond &a,
                                   int node, const node_rows<E, GAPS> &mine)
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
