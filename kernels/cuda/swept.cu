/*
 * The swept rule on the GPU. A launch is a diamond: every node takes two levels of its points from
 * memory, climbs down into the gap and up to the next point as far as it can alone, and gives two
 * levels back. Which points when, and why two levels are all that neighbours need: the text in
 * kernels/geom/swept.h. Variants differ in where the two levels are meanwhile:
 *
 *     block     in shared memory, a thread a point, a node a thread block: the paper's Shared
 *     warp      in registers, a lane a point, a node of 32 points a warp: the paper's Register
 *     register  in registers, several points a thread; a node is as many warps as it needs
 *     hybrid    block, and the node that is split across the ends of the line is the host's
 *
 * Engine thread.
 */
#include "kernels/cuda/chain.cuh"
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

static diamond diamond_of(const ss_run *run, int d, bool last)
{
    diamond a;
    a.s = ss_swept_make(run->problem.nx, (int)ss_config_int(&run->cfg, "block"), run->eq->radius);
    a.from = ss_swept_first(a.s, d);
    a.to = ss_swept_end(a.s, d, last ? d : -1);
    a.parity = (int)(ss_swept_level(a.s, d, 0) & 1);
    a.shift = d % 2 ? a.s.block / 2 : 0;
    a.flat = d == 0;
    a.nodes = a.s.count;
    return a;
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

/* --- block: two levels in shared memory ------------------------------------------------------- */

/* THREADS: at most; a thousand of them have fewer registers each. */
template <class E, int THREADS>
__global__ void __launch_bounds__(THREADS)
    climb_in_memory(E eq, ss_rows<typename E::real> rows, diamond a)
{
    typedef typename E::real T;
    const int R = E::radius, width = a.s.block + 2 * R, x = threadIdx.x, node = blockIdx.x;
    extern __shared__ double raw[];
    T *level = (T *)raw + R; /* [2][fields][width], place 0 of row 0, field 0 */
    auto at = [&](int row, int f, int i) -> T & {
        return level[(row * E::fields + f) * width + i];
    };
    ss_walls w = walls_at(a, node, x, 1);
    let_next_begin();
    await_previous();
    for (int i = x - R; i < a.s.block + R; i += blockDim.x) {
        int p = point_at(a, node, i);
        for (int f = 0; f < E::fields; f++)
            for (int row = 0; row < 2; row++)
                at(row, f, i) = rows.row[a.flat ? 0 : row][f * rows.field + p];
    }
    __syncthreads();
    for (int l = a.from; l < a.to; l++) {
        int to = (a.parity + l) & 1;
        if (x >= ss_swept_lo(a.s, l) && x < ss_swept_hi(a.s, l) && !is_fixed<E, 1>(w, 0)) {
            ss_around<E, 1> u;
            ss_points<E, 1> old;
#pragma unroll
            for (int f = 0; f < E::fields; f++) {
#pragma unroll
                for (int i = -R; i <= R; i++)
                    u.at[f][R + i] = at(1 - to, f, x + i);
                old.at[f][0] = at(to, f, x);
            }
            reflect<E, 1>(u, w);
            ss_points<E, 1> v = eq.next((a.parity + l - 1) % E::stages, u, old);
#pragma unroll
            for (int f = 0; f < E::fields; f++)
                at(to, f, x) = v.at[f][0];
        }
        __syncthreads();
    }
    int p = point_at(a, node, x);
    for (int f = 0; f < E::fields; f++)
        for (int row = 0; row < 2; row++)
            rows.row[row][f * rows.field + p] = at(row, f, x);
}

/* --- warp and register: two levels in registers ----------------------------------------------- */

/* What a warp shows its neighbours in the node: R points of each end, of both levels. */
template <class E> struct edges {
    typename E::real at[2][2][E::fields][E::radius]; /* [level][left, right] */
};

/* The points on both sides of a thread's: its neighbours' in the warp by shuffle, the next warp's
 * from shared memory, and beyond the node what was there when it began. */
template <class E, int P>
static __device__ __forceinline__ void look_around(ss_around<E, P> &u, const ss_points<E, P> &mine,
                                                   const typename E::real (*left)[E::radius],
                                                   const typename E::real (*right)[E::radius])
{
    const int R = E::radius, lane = threadIdx.x % 32;
#pragma unroll
    for (int f = 0; f < E::fields; f++) {
#pragma unroll
        for (int k = 0; k < P; k++)
            u.at[f][R + k] = mine.at[f][k];
#pragma unroll
        for (int i = 1; i <= R; i++) {
            const int lanes = (i + P - 1) / P, k = lanes * P - i; /* point k of so many lanes off */
            typename E::real l = __shfl_up_sync(~0u, mine.at[f][k], lanes);
            typename E::real r = __shfl_down_sync(~0u, mine.at[f][P - 1 - k], lanes);
            if (lane < lanes)
                l = left[f][i - lane * P - 1];
            if (lane > 31 - lanes)
                r = right[f][i - (31 - lane) * P - 1];
            u.at[f][R - i] = l;
            u.at[f][R + P - 1 + i] = r;
        }
    }
}

/* A thread's part of a node. */
template <class E, int P> struct piece {
    int x;          /* place of its first point */
    ss_walls walls; /* seen from there */
    edges<E> *edge; /* of its warp; the ones before and behind it are its neighbours' */
    bool alone;     /* the node is one warp */
};

/* The ends of a warp's points to its neighbours. */
template <class E, int P>
static __device__ __forceinline__ void show(edges<E> *edge, int row, const ss_points<E, P> &v)
{
    const int R = E::radius, lane = threadIdx.x % 32;
#pragma unroll
    for (int k = 0; k < P; k++)
#pragma unroll
        for (int f = 0; f < E::fields; f++) {
            if (lane * P + k < R)
                edge->at[row][0][f][lane * P + k] = v.at[f][k];
            if ((31 - lane) * P + P - 1 - k < R)
                edge->at[row][1][f][(31 - lane) * P + P - 1 - k] = v.at[f][k];
        }
}

/* Level l: `to` from `from`, whose parities are 1 - row and row; points that this diamond does not
 * have on this level keep what they hold. */
template <class E, int P>
static __device__ __forceinline__ void climb_level(const E &eq, const diamond &a,
                                                   const piece<E, P> &p, int l, int stage, int row,
                                                   const ss_points<E, P> &from, ss_points<E, P> &to)
{
    const int lane = threadIdx.x % 32, lo = ss_swept_lo(a.s, l), hi = ss_swept_hi(a.s, l),
              first = p.x - lane * P;        /* of the warp */
    if (first < hi && first + 32 * P > lo) { /* else it has nothing to do */
        ss_around<E, P> u;
        look_around<E, P>(u, from, p.edge[-1].at[1 - row][1], p.edge[1].at[1 - row][0]);
        reflect<E, P>(u, p.walls);
        ss_points<E, P> v = eq.next(stage, u, to);
#pragma unroll
        for (int k = 0; k < P; k++) {
            bool mine = p.x + k >= lo && p.x + k < hi && !is_fixed<E, P>(p.walls, k);
#pragma unroll
            for (int f = 0; f < E::fields; f++)
                to.at[f][k] = mine ? v.at[f][k] : to.at[f][k];
        }
        if (!p.alone)
            show<E, P>(p.edge, row, to);
    }
    if (!p.alone)
        __syncthreads();
}

template <class E, int P>
static __device__ __forceinline__ void load_points(const ss_rows<typename E::real> &rows, int row,
                                                   int p, ss_points<E, P> &v)
{
#pragma unroll
    for (int f = 0; f < E::fields; f++)
#pragma unroll
        for (int k = 0; k < P; k++)
            v.at[f][k] = rows.row[row][f * rows.field + p + k];
}

template <class E, int P>
static __device__ __forceinline__ void store_points(const ss_rows<typename E::real> &rows, int row,
                                                    int p, const ss_points<E, P> &v)
{
#pragma unroll
    for (int f = 0; f < E::fields; f++)
#pragma unroll
        for (int k = 0; k < P; k++)
            rows.row[row][f * rows.field + p + k] = v.at[f][k];
}

/* What is beyond the node: its neighbours' level below the waist. The warps at its ends find it
 * where another warp's edge would be, one before the first and one behind the last. */
template <class E>
static __device__ void load_outside(const ss_rows<typename E::real> &rows, const diamond &a,
                                    int node, edges<E> *edge, int warps)
{
    const int R = E::radius, x = threadIdx.x, row = (a.parity + a.s.height - 1) & 1;
    if (x >= R)
        return;
    int left = point_at(a, node, -1 - x), right = point_at(a, node, a.s.block + x);
    for (int f = 0; f < E::fields; f++) {
        edge[0].at[row][1][f][x] = rows.row[a.flat ? 0 : row][f * rows.field + left];
        edge[warps + 1].at[row][0][f][x] = rows.row[a.flat ? 0 : row][f * rows.field + right];
    }
}

/* threadIdx.x: the threads of a node, whole warps; threadIdx.y: nodes of a thread block (one, if a
 * node has several warps). */
template <class E, int P>
__global__ void __launch_bounds__(P == 1 ? 256 : 1024 / P)
    climb_in_registers(E eq, ss_rows<typename E::real> rows, diamond a)
{
    extern __shared__ double raw[];
    const int warps = blockDim.x / 32, node = blockIdx.x * blockDim.y + threadIdx.y;
    edges<E> *edge = (edges<E> *)raw + threadIdx.y * (warps + 2);
    let_next_begin();
    await_previous();
    if (node >= a.nodes)
        return;
    piece<E, P> p = {(int)threadIdx.x * P, {}, edge + 1 + threadIdx.x / 32, warps == 1};
    p.walls = walls_at(a, node, p.x, P);
    int first = point_at(a, node, p.x);
    /* Levels in pairs, so that each row has registers of its own: `odd` takes the first of a pair,
     * which is stage 0 where there are two. A first level of stage 1 has no such partner. */
    int late = (a.parity + a.from - 1) % E::stages, row = (a.parity + a.from - late) & 1;
    ss_points<E, P> odd, even;
    load_points<E, P>(rows, a.flat ? 0 : row, first, odd);
    load_points<E, P>(rows, a.flat ? 0 : 1 - row, first, even);
    load_outside<E>(rows, a, node, edge, warps);
    if (!p.alone) {
        show<E, P>(p.edge, row, odd);
        show<E, P>(p.edge, 1 - row, even);
        __syncthreads();
    } else {
        __syncwarp();
    }
    for (int l = a.from - late; l < a.to; l += 2) {
        if (l >= a.from)
            climb_level<E, P>(eq, a, p, l, 0, row, even, odd);
        if (l + 1 < a.to)
            climb_level<E, P>(eq, a, p, l + 1, E::stages - 1, 1 - row, odd, even);
    }
    store_points<E, P>(rows, row, first, odd);
    store_points<E, P>(rows, 1 - row, first, even);
}

/* --- launches --------------------------------------------------------------------------------- */

enum { REGISTER, BLOCK, WARP, HYBRID }; /* in the order of the names in tables.c */

template <class E> static size_t memory_bytes(int block)
{
    return 2 * E::fields * (size_t)(block + 2 * E::radius) * sizeof(typename E::real);
}

template <class E> using kernel = void (*)(E, ss_rows<typename E::real>, diamond);

template <class E> static kernel<E> memory_kernel(int block)
{
    return block > 512 ? climb_in_memory<E, 1024> : climb_in_memory<E, 512>;
}

template <class E>
static void launch_in_memory(const ss_run *run, int cur, const diamond &a, cudaStream_t stream)
{
    launch_kernel(memory_kernel<E>(a.s.block), a.nodes, a.s.block, memory_bytes<E>(a.s.block),
                  stream, E(run->coef), rows_of<typename E::real>(run, cur), a);
}

/* Nodes of a single warp share thread blocks where there are more than the device has places for.
 */
template <class E, int P>
static void launch_points(const ss_run *run, int cur, const diamond &a, cudaStream_t stream)
{
    unsigned threads = a.s.block / P, together = threads == 32 && a.nodes > 2048 ? 4 : 1;
    size_t shared = together * (threads / 32 + 2) * sizeof(edges<E>);
    launch_kernel(climb_in_registers<E, P>, ceil_div(a.nodes, together), dim3(threads, together),
                  shared, stream, E(run->coef), rows_of<typename E::real>(run, cur), a);
}

/* Points of a thread, as a power of two. */
static int points_of(const ss_run *run, int block)
{
    int choice = (int)ss_config_int(&run->cfg, "points"), most = 0;
    while (most < 3 && block >= 64 << most)
        most++;
    int best = choice > 0 ? choice - 1 : 2;
    return ss_config_int(&run->cfg, "variant") == WARP ? 0 : best < most ? best : most;
}

template <class E>
static void launch_in_registers(const ss_run *run, int cur, const diamond &a, cudaStream_t stream)
{
    static void (*const launch[])(const ss_run *, int, const diamond &, cudaStream_t) = {
        launch_points<E, 1>, launch_points<E, 2>, launch_points<E, 4>, launch_points<E, 8>};
    launch[points_of(run, a.s.block)](run, cur, a, stream);
}

template <class E>
static void launch_diamond(const ss_run *run, int cur, int d, bool last, cudaStream_t stream)
{
    static void (*const launch[])(const ss_run *, int, const diamond &, cudaStream_t) = {
        launch_in_registers<E>, launch_in_memory<E>, launch_in_registers<E>, launch_in_memory<E>};
    launch[ss_config_int(&run->cfg, "variant")](run, cur, diamond_of(run, d, last), stream);
}

template <class E> static void first(const ss_run *run, int cur, cudaStream_t stream)
{
    launch_diamond<E>(run, cur, 0, false, stream);
}

template <class E> static void middle(const ss_run *run, int cur, int i, cudaStream_t stream)
{
    launch_diamond<E>(run, cur, i % 2 ? 1 : 2, false, stream);
}

template <class E> static void last(const ss_run *run, int cur, cudaStream_t stream)
{
    launch_diamond<E>(run, cur, 2, true, stream);
}

static int64_t between(const ss_run *run, int64_t cycles)
{
    (void)run;
    return 2 * cycles - 1;
}

/* --- preparing -------------------------------------------------------------------------------- */

/* What the variants ask of a block. */
static const struct {
    const char *name;
    int least, most, step;
    bool walls; /* the line must have ends */
} variants[] = {{"register", 32, 1024, 32, false},
                {"block", 4, 1024, 1, false},
                {"warp", 32, 32, 32, false},
                {"hybrid", 4, 1024, 1, true}};

static int fit(const ss_run *run, ss_err *err)
{
    int block = (int)ss_config_int(&run->cfg, "block");
    int64_t v = ss_config_int(&run->cfg, "variant");
    if (variants[v].walls && run->eq->bc == SS_BC_PERIODIC)
        return ss_fail(err,
                       "variant hybrid: the line of %s is a ring, which has no node that its ends "
                       "split: choose register, block or warp",
                       run->eq->name);
    if (block < variants[v].least || block > variants[v].most || block % variants[v].step)
        return ss_fail(err, "variant %s: a block must be %d%s%.0d%s, not %d", variants[v].name,
                       variants[v].least, variants[v].most > variants[v].least ? " to " : "",
                       variants[v].most > variants[v].least ? variants[v].most : 0,
                       variants[v].step > 1 ? " and a multiple of 32" : "", block);
    return SS_OK;
}

template <class E> static int prepare(ss_run *run, ss_err *err)
{
    ss_cuda_chain like = {};
    if (fit(run, err) != SS_OK)
        return SS_FAIL;
    int block = (int)ss_config_int(&run->cfg, "block");
    SS_CUDA(cudaFuncSetAttribute(memory_kernel<E>(block),
                                 cudaFuncAttributeMaxDynamicSharedMemorySize,
                                 (int)memory_bytes<E>(block)));
    like.launch = middle<E>;
    like.level = ss_cuda_launch_level<E>;
    like.first = first<E>;
    like.last = last<E>;
    like.between = between;
    return ss_cuda_chain_make(run, &like, err);
}

extern "C" {
SS_CUDA_PREPARE_EACH(ss_cuda_swept, prepare)
}
