/*
 * The swept rule where a node is a warp: P points a lane, and everything stays in registers from a
 * diamond's first level to its last. The paper's Register, which has a point a lane. Two variants
 * differ in where nodes meet: `warp` in memory, a launch a diamond; `cluster` in the shared memory
 * of a few processors that can read each other's, all diamonds in one launch. CUDA C++17.
 */
#ifndef SS_CUDA_CLIMB_WARP_CUH
#define SS_CUDA_CLIMB_WARP_CUH

#include <cooperative_groups.h>

#include "kernels/cuda/diamond.cuh"
#include "kernels/cuda/lanes.cuh"

/* --- levels ----------------------------------------------------------------------------------- */

/* A lane of a node. */
template <class E, int P> struct climber {
    int x;                   /* place of its first point */
    int from_middle[P];      /* of its points: 0 for the two in the middle of the node */
    ss_walls walls;          /* of the line */
    ss_points<E, P> row[2];  /* the last two levels of each point */
    ss_around<E, P> outside; /* level height - 1 of the points beyond the node; 0 within it */
};

/* Which step of a climb: how much a lane must look at. */
enum { GROW, WAIST, SHRINK };

/*
 * Level l of all points of a lane, from `now`; `old` is the level before. Only at its waist does a
 * node need anything from beyond its ends; only a node that is split has the ends of the line
 * within it.
 */
template <class E, int P, int WHEN, bool SPLIT>
static __device__ __forceinline__ ss_points<E, P> climb_level(const E &eq, const climber<E, P> &c,
                                                              int stage, const ss_points<E, P> &now,
                                                              const ss_points<E, P> &old)
{
    const ss_walls none = {SS_NO_WALL, SS_NO_WALL};
    if constexpr (WHEN == WAIST) {
        const int R = E::radius;
        ss_around<E, P> u = look_around<E, P>(now);
#pragma unroll
        for (int i = 0; i < P + 2 * R; i++)
#pragma unroll
            for (int f = 0; f < E::fields; f++)
                if (c.x + i < R || c.x + i >= 32 * P + R)
                    u.at[f][i] = c.outside.at[f][i];
        reflect<E, P>(u.at, c.walls);
        return eq.next(stage, u, old);
    } else {
        return lanes<E, P>::next(eq, stage, now, old, SPLIT ? c.walls : none);
    }
}

/* Points nearer to the middle than `reach` have a new level; the others keep what they had. */
template <class E, int P>
static __device__ __forceinline__ void keep(const climber<E, P> &c, int reach,
                                            const ss_points<E, P> &v, ss_points<E, P> &row)
{
#pragma unroll
    for (int k = 0; k < P; k++)
#pragma unroll
        for (int f = 0; f < E::fields; f++)
            row.at[f][k] = c.from_middle[k] < reach ? v.at[f][k] : row.at[f][k];
}

/* Levels l and l + 1, l odd, of a node that grows. */
template <class E, int P, int WHEN, bool SPLIT>
static __device__ __forceinline__ void grow(const E &eq, climber<E, P> &c, int l)
{
    ss_points<E, P> v = climb_level<E, P, GROW, SPLIT>(eq, c, 0, c.row[0], c.row[1]);
    keep<E, P>(c, E::radius * l, v, c.row[1]);
    v = climb_level<E, P, WHEN, SPLIT>(eq, c, E::stages - 1, c.row[1], c.row[0]);
    keep<E, P>(c, E::radius * (l + 1), v, c.row[0]);
}

/*
 * All levels of a diamond. While a node grows, points that are not its own yet are what their
 * neighbours need. While it shrinks, nobody needs them any more: lanes go on with whatever comes of
 * it, and what must be kept is put aside.
 */
template <class E, int P, bool SPLIT>
static __device__ __forceinline__ void climb_node(const E &eq, climber<E, P> &c, int height,
                                                  bool lower, bool upper)
{
    if (lower) {
        for (int l = 1; l < height - 1; l += 2)
            grow<E, P, GROW, SPLIT>(eq, c, l);
        grow<E, P, WAIST, SPLIT>(eq, c, height - 1);
    }
    if (!upper)
        return;
    ss_points<E, P> even = c.row[0], odd;
    for (int reach = E::radius * (height - 1); reach >= 0; reach -= 2 * E::radius) {
        odd = climb_level<E, P, SHRINK, SPLIT>(eq, c, 0, even, even);
        keep<E, P>(c, reach, odd, c.row[1]);
        even = climb_level<E, P, SHRINK, SPLIT>(eq, c, E::stages - 1, odd, even);
        keep<E, P>(c, reach - E::radius, even, c.row[0]);
    }
}

/* --- a diamond -------------------------------------------------------------------------------- */

/* A node from where `from` says its values are, and to where `to` says: both take a row, a field
 * and a point of the line. */
template <class E, int P, class From, class To>
static __device__ __forceinline__ void climb_diamond(const E &eq, const diamond &a, int node,
                                                     From from, To to)
{
    const int R = E::radius, b = 32 * P, x = threadIdx.x % 32 * P, p = point_at(a, node, x);
    climber<E, P> c;
    c.x = x;
    c.walls = walls_at(a, node, x, P);
#pragma unroll
    for (int k = 0; k < P; k++) {
        c.from_middle[k] = x + k < b / 2 ? b / 2 - 1 - x - k : x + k - b / 2;
        if (is_fixed<E, P>(c.walls, k))
            c.from_middle[k] = b;
    }
#pragma unroll
    for (int f = 0; f < E::fields; f++) {
        for (int row = 0; row < 2; row++)
            ss_load_points<typename E::real, P>(from(a.flat ? 0 : row, f, p), c.row[row].at[f]);
#pragma unroll
        for (int i = 0; i < P + 2 * R; i++)
            c.outside.at[f][i] = x + i < R || x + i >= b + R
                                     ? *from(a.flat ? 0 : 1, f, point_at(a, node, x + i - R))
                                     : 0;
    }
    if (a.shift && node == a.s.count - 1)
        climb_node<E, P, true>(eq, c, a.s.height, a.from == 1, a.to > a.s.height + 1);
    else
        climb_node<E, P, false>(eq, c, a.s.height, a.from == 1, a.to > a.s.height + 1);
#pragma unroll
    for (int f = 0; f < E::fields; f++)
        for (int row = 0; row < 2; row++)
            ss_store_points<typename E::real, P>(to(row, f, p), c.row[row].at[f]);
}

/* --- warp: nodes meet in memory --------------------------------------------------------------- */

#define WARPS 4 /* nodes of a thread block */

template <class E, int P>
__global__ void __launch_bounds__(32 * WARPS)
    climb_in_warp(E eq, ss_rows<typename E::real> rows, diamond a)
{
    const int node = blockIdx.x * WARPS + threadIdx.x / 32;
    let_next_begin();
    await_previous();
    if (node >= a.nodes)
        return;
    auto at = [&](int row, int f, int p) { return rows.row[row] + f * rows.field + p; };
    climb_diamond<E, P>(eq, a, node, at, at);
}

/* --- cluster: nodes meet in shared memory ----------------------------------------------------- */

#define CLUSTER_BLOCKS 8 /* thread blocks, at most */
#define CLUSTER_WARPS 16 /* of each */

/* A piece of the line: that of a thread block. All pieces are in the same place of their block's
 * shared memory. */
template <class E> struct pieces {
    typedef typename E::real T;
    T *mine;
    int points; /* of a piece */

    /* The two rows are there twice: while some nodes still read, others may write already. */
    __device__ T *at(int copy, int row, int field, int x) const
    {
        return mine + ((copy * 2 + row) * E::fields + field) * points + x;
    }
    /* Point p of the line, wherever it is. */
    __device__ T *anywhere(int copy, int row, int field, int p) const
    {
        int block = p / points;
        T *there = at(copy, row, field, p - block * points);
#if __CUDA_ARCH__ >= 900
        there = cooperative_groups::this_cluster().map_shared_rank(there, (unsigned)block);
#endif
        return there;
    }
    static size_t bytes(int points)
    {
        return (size_t)4 * E::fields * (size_t)points * sizeof(T);
    }
};

static __device__ __forceinline__ void meet_cluster(void)
{
#if __CUDA_ARCH__ >= 900 /* older processors do not get so far: see fit_cluster */
    cooperative_groups::this_cluster().sync();
#endif
}

/* Diamonds 0 .. last, one thread block for a piece. */
template <class E, int P>
__global__ void __launch_bounds__(32 * CLUSTER_WARPS)
    climb_in_cluster(E eq, ss_rows<typename E::real> rows, ss_swept s, int last)
{
    extern __shared__ double shared[];
    const int count = blockDim.x / 32, node = blockIdx.x * count + threadIdx.x / 32;
    const pieces<E> line = {(typename E::real *)shared, count * s.block};
    const int first = blockIdx.x * line.points;
    let_next_begin();
    await_previous();
    for (int x = threadIdx.x; x < line.points && first + x < s.n; x += blockDim.x)
        for (int f = 0; f < E::fields; f++)
            *line.at(0, 0, f, x) = rows.row[0][f * rows.field + first + x];
    meet_cluster();
    for (int d = 0; d <= last; d++) {
        diamond a = {s,      ss_swept_first(s, d),    ss_swept_end(s, d, last),
                     0,      d % 2 ? s.block / 2 : 0, d == 0,
                     s.count};
        auto from = [&](int row, int f, int p) { return line.anywhere(d & 1, row, f, p); };
        auto to = [&](int row, int f, int p) { return line.anywhere(~d & 1, row, f, p); };
        if (node < s.count)
            climb_diamond<E, P>(eq, a, node, from, to);
        meet_cluster();
    }
    for (int x = threadIdx.x; x < line.points && first + x < s.n; x += blockDim.x)
        for (int f = 0; f < E::fields; f++)
            rows.row[0][f * rows.field + first + x] = *line.at(~last & 1, 0, f, x);
}

#endif
