/*
 * The swept rule on the GPU. A launch is a diamond: every node takes two levels of its points from
 * memory, climbs down into the gap and up to the next point as far as it can alone, and gives two
 * levels back. Which points when, and why two levels are all that neighbours need: the text in
 * kernels/geom/swept.h. Variants differ in where the two levels are meanwhile:
 *
 *     block     in shared memory, a thread a point, a node a thread block: the paper's Shared
 *     warp      in registers, a lane a point, a node of 32 points a warp: the paper's Register
 *     register  by the slab in registers, several points a thread; in between in shared memory
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

/* Does the line end beside or within the node? */
template <class E> static __device__ __forceinline__ bool has_wall(const diamond &a, int node)
{
    return E::bc != SS_BC_PERIODIC && (node == a.s.count - 1 || (node == 0 && !a.shift));
}

/* --- a node's two levels in shared memory ----------------------------------------------------- */

#define ASIDE 8 /* places on each side of a row: at least R, and as many as a thread has points */

/* Row 0 and row 1 of all fields; place 0 of a row is where 16 bytes can be read at once. */
template <class E> struct node_rows {
    typename E::real *place; /* 0 of row 0, field 0 */
    int width;

    __device__ typename E::real &at(int row, int field, int x) const
    {
        return place[(row * E::fields + field) * width + x];
    }
};

static __host__ __device__ int row_width(int block)
{
    return (block + 2 * ASIDE + 3) / 4 * 4;
}

template <class E> static __device__ node_rows<E> rows_in(void *shared, int block)
{
    return {(typename E::real *)shared + ASIDE, row_width(block)};
}

/* All threads of the node. Beyond its ends stands what its neighbours have there: their level below
 * the waist is what this diamond will ask for. */
template <class E>
static __device__ void fetch_node(const ss_rows<typename E::real> &rows, const diamond &a, int node,
                                  const node_rows<E> &mine)
{
    for (int x = (int)threadIdx.x - E::radius; x < a.s.block + E::radius; x += blockDim.x) {
        int p = point_at(a, node, x);
        for (int f = 0; f < E::fields; f++)
            for (int row = 0; row < 2; row++)
                mine.at(row, f, x) = rows.row[a.flat ? 0 : row][f * rows.field + p];
    }
}

template <class E>
static __device__ void return_node(const ss_rows<typename E::real> &rows, const diamond &a,
                                   int node, const node_rows<E> &mine)
{
    for (int x = threadIdx.x; x < a.s.block; x += blockDim.x) {
        int p = point_at(a, node, x);
        for (int f = 0; f < E::fields; f++)
            for (int row = 0; row < 2; row++)
                rows.row[row][f * rows.field + p] = mine.at(row, f, x);
    }
}

/* --- block: a thread a point ------------------------------------------------------------------ */

template <class E>
__global__ void __launch_bounds__(1024)
    climb_in_memory(E eq, ss_rows<typename E::real> rows, diamond a)
{
    const int R = E::radius, x = threadIdx.x, node = blockIdx.x;
    extern __shared__ double shared[];
    node_rows<E> mine = rows_in<E>(shared, a.s.block);
    ss_walls w = walls_at(a, node, x, 1);
    bool fixed = is_fixed<E, 1>(w, 0);
    let_next_begin();
    await_previous();
    fetch_node(rows, a, node, mine);
    __syncthreads();
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
        __syncthreads();
    }
    return_node(rows, a, node, mine);
}

/*
 * The same where a level goes by way of the faces between the points: each pressure and each flux
 * is computed once, by the thread of the point on its right, and found in shared memory by the
 * others. Two waits more a level, and half of the arithmetic less.
 */
template <class E>
__global__ void __launch_bounds__(1024)
    climb_by_faces(E eq, ss_rows<typename E::real> rows, diamond a)
{
    typedef typename E::real T;
    const int x = threadIdx.x, node = blockIdx.x, block = a.s.block;
    extern __shared__ double shared[];
    node_rows<E> mine = rows_in<E>(shared, block);
    T *p = &mine.at(2, 0, 0), *flux = p + mine.width; /* behind the rows; flux of three fields */
    ss_walls w = walls_at(a, node, x, 1);
    bool fixed = is_fixed<E, 1>(w, 0);
    /* Beyond an end its own pressure goes on. */
    int first = w.left == 1 ? x - 1 : x - 2, last = w.right == 0 ? x : x + 1;
    let_next_begin();
    await_previous();
    fetch_node(rows, a, node, mine);
    __syncthreads();
    for (int l = a.from; l < a.to; l++) {
        int to = (a.parity + l) & 1, lo = ss_swept_lo(a.s, l), hi = ss_swept_hi(a.s, l);
        for (int i = x - 2; i < block + 2; i += block)
            if (i >= lo - 2 && i < hi + 2)
                p[i] =
                    pressure(mine.at(1 - to, 0, i), mine.at(1 - to, 1, i), mine.at(1 - to, 2, i));
        __syncthreads();
        for (int i = x; i <= block; i += block)
            if (i >= lo && i <= hi) {
                T ps[4] = {p[i == x ? first : i - 2], p[i - 1], p[i], p[i == x ? last : i + 1]};
                T f[3];
                E::face(ps, mine.at(1 - to, 0, i - 1), mine.at(1 - to, 1, i - 1),
                        mine.at(1 - to, 2, i - 1), mine.at(1 - to, 0, i), mine.at(1 - to, 1, i),
                        mine.at(1 - to, 2, i), f);
                for (int k = 0; k < 3; k++)
                    flux[k * mine.width + i] = f[k];
            }
        __syncthreads();
        if (x >= lo && x < hi && !fixed)
            for (int k = 0; k < 3; k++) {
                const T *f = flux + k * mine.width + x;
                int stage = (a.parity + l - 1) % E::stages;
                mine.at(to, k, x) =
                    eq.change(stage, mine.at(stage ? to : 1 - to, k, x), f[0], f[1]);
            }
        __syncthreads();
    }
    return_node(rows, a, node, mine);
}

/* --- warp and register: levels by the slab ---------------------------------------------------- */

/*
 * A slab is a few levels that a warp climbs in registers, without a word to the other warps of its
 * node. It takes a window of 32 P points, of which a few lanes on each side are there for the
 * others: after halo/R levels what was unknown beyond the window has just crossed them. Between two
 * slabs the node meets in shared memory, and the windows are laid anew over the points that the
 * next slab covers: as many warps work as there is work for. Few points a thread make a level
 * short, many waste less on halos; where a point takes hundreds of operations halos are dear.
 */
template <class E, int P> struct slab {
    static const int most = 1024;                        /* points of a block */
    static const int lanes = E::fields > 1 ? 2 : 16 / P; /* on each side */
    static const int halo = lanes * P, own = 32 * P - 2 * halo, levels = halo / E::radius;
    static const int threads = 32 * ((most + own - 1) / own);
    static const int more = E::fields == 1 && P == 2 ? E::radius : 0; /* see climb_first */
};

/* D points on both sides of a lane's, by shuffle; the outermost lanes get something or other. */
template <class E, int P, int D>
static __device__ __forceinline__ ss_around<E, P + 2 * (D - E::radius)>
look_around(const ss_points<E, P> &mine)
{
    ss_around<E, P + 2 * (D - E::radius)> u;
#pragma unroll
    for (int f = 0; f < E::fields; f++) {
#pragma unroll
        for (int k = 0; k < P; k++)
            u.at[f][D + k] = mine.at[f][k];
#pragma unroll
        for (int i = 1; i <= D; i++) {
            const int lanes = (i + P - 1) / P, k = lanes * P - i; /* point k of so many lanes off */
            u.at[f][D - i] = __shfl_up_sync(~0u, mine.at[f][k], lanes);
            u.at[f][D + P - 1 + i] = __shfl_down_sync(~0u, mine.at[f][P - 1 - k], lanes);
        }
    }
    return u;
}

/* v where the mask is all ones, else old. Bits, not a condition: the compiler works on several
 * points at once only as long as it has predicates left. */
static __device__ __forceinline__ double choose(int mask, double v, double old)
{
    int hi = (__double2hiint(v) & mask) | (__double2hiint(old) & ~mask);
    int lo = (__double2loint(v) & mask) | (__double2loint(old) & ~mask);
    return __hiloint2double(hi, lo);
}

static __device__ __forceinline__ float choose(int mask, float v, float old)
{
    return __int_as_float((__float_as_int(v) & mask) | (__float_as_int(old) & ~mask));
}

/* Which of a lane's points a level computes: [lo, hi), counted from its first one, and no fixed
 * end. EASY: all of them, and no end of the line is near. */
struct share {
    int lo, hi;
    ss_walls walls;
};

static __device__ __forceinline__ share share_of(const ss_swept &s, int l, int x, ss_walls w)
{
    return {ss_swept_lo(s, l) - x, ss_swept_hi(s, l) - x, w};
}

/* The new values where they are wanted; the first of N stands `aside` points before the lane's. */
template <class E, int P, int N, bool EASY>
static __device__ __forceinline__ void adopt(const ss_points<E, N> &v, const share &s,
                                             ss_points<E, N> &to)
{
    const int aside = (N - P) / 2;
#pragma unroll
    for (int i = 0; i < N; i++) {
        int k = i - aside, mine = ((s.lo - 1 - k) & (k - s.hi)) >> 31; /* all ones: lo <= k < hi */
        if (is_fixed<E, P>(s.walls, k))
            mine = 0;
#pragma unroll
        for (int f = 0; f < E::fields; f++)
            to.at[f][i] = EASY ? v.at[f][i] : choose(mine, v.at[f][i], to.at[f][i]);
    }
}

/*
 * Two levels. A lane has its points of both rows, and of `odd`, which takes the first level (stage
 * 0 where there are two), what its neighbours have of it, too: A on each side. It computes these
 * itself, so that the second level needs nobody: A = R costs 2R updates more and saves a shuffle's
 * wait, A = 0 asks twice.
 */
template <class E, int P, int A, bool EASY>
static __device__ __forceinline__ void
climb_first(const E &eq, const share &s, const ss_points<E, P> &even, ss_points<E, P + 2 * A> &odd)
{
    auto u = look_around<E, P, E::radius + A>(even);
    if (!EASY)
        reflect<E, P>(u.at, s.walls);
    adopt<E, P, P + 2 * A, EASY>(eq.next(0, u, odd), s, odd);
}

template <class E, int P, int A, bool EASY>
static __device__ __forceinline__ void
climb_second(const E &eq, const share &s, const ss_points<E, P + 2 * A> &odd, ss_points<E, P> &even)
{
    ss_around<E, P> u;
    if constexpr (A > 0) {
#pragma unroll
        for (int f = 0; f < E::fields; f++)
#pragma unroll
            for (int i = 0; i < P + 2 * A; i++)
                u.at[f][i] = odd.at[f][i];
    } else {
        u = look_around<E, P, E::radius>(odd);
    }
    if (!EASY)
        reflect<E, P>(u.at, s.walls);
    adopt<E, P, P, EASY>(eq.next(E::stages - 1, u, even), s, even);
}

/* Levels [from, to) of a lane's points, the first of which stands at place x. */
template <class E, int P, int A, bool EASY>
static __device__ __forceinline__ void
climb_slab(const E &eq, const ss_swept &s, ss_walls w, int x, int from, int to, int begin,
           ss_points<E, P> &even, ss_points<E, P + 2 * A> &odd)
{
    for (int l = begin; l < to; l += 2) {
        if (l >= from)
            climb_first<E, P, A, EASY>(eq, share_of(s, l, x, w), even, odd);
        if (l + 1 < to)
            climb_second<E, P, A, EASY>(eq, share_of(s, l + 1, x, w), odd, even);
    }
}

/* The points that levels [from, to) cover: the widest level's, and what all of them have in common.
 */
struct cover {
    int lo, hi, all_lo, all_hi;
};

static __device__ __forceinline__ cover cover_of(const ss_swept &s, int from, int to)
{
    int a = ss_swept_lo(s, from), b = ss_swept_lo(s, to - 1);
    int waist = from <= s.height && s.height < to;
    int lo = waist ? 0 : a < b ? a : b, all = a > b ? a : b;
    return {lo, s.block - lo, all, s.block - all};
}

/* A lane's points of a row, and N - P more; beyond the node's ends any will do. */
template <class E, int P, int N>
static __device__ __forceinline__ void take(const node_rows<E> &mine, int row, int x, int block,
                                            ss_points<E, N> &v)
{
    typedef typename E::real T;
    const int aside = (N - P) / 2;
    x = x < -P ? -P : x > block ? block : x;
#pragma unroll
    for (int f = 0; f < E::fields; f++) {
        const T *at = &mine.at(row, f, x);
        ss_load_points<T, P>(at, v.at[f] + aside);
#pragma unroll
        for (int i = 1; i <= aside; i++) {
            v.at[f][aside - i] = at[-i];
            v.at[f][aside + P - 1 + i] = at[P - 1 + i];
        }
    }
}

template <class E, int P, int N>
static __device__ __forceinline__ void give(const node_rows<E> &mine, int row, int x,
                                            const ss_points<E, N> &v)
{
#pragma unroll
    for (int f = 0; f < E::fields; f++)
        ss_store_points<typename E::real, P>(&mine.at(row, f, x), v.at[f] + (N - P) / 2);
}

template <class E, int P>
__global__ void __launch_bounds__(slab<E, P>::threads)
    climb_in_registers(E eq, ss_rows<typename E::real> rows, diamond a)
{
    typedef slab<E, P> S;
    extern __shared__ double shared[];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, node = blockIdx.x;
    node_rows<E> mine = rows_in<E>(shared, a.s.block);
    let_next_begin();
    await_previous();
    fetch_node(rows, a, node, mine);
    __syncthreads();
    /* A first level of stage 1 has no partner before it. */
    int late = (a.parity + a.from - 1) % E::stages, row = (a.parity + a.from - late) & 1;
    for (int begin = a.from - late; begin < a.to; begin += S::levels) {
        int from = begin < a.from ? a.from : begin;
        int to = begin + S::levels < a.to ? begin + S::levels : a.to;
        cover c = cover_of(a.s, from, to);
        int start = c.lo / P * P + warp * S::own, x = start - S::halo + lane * P;
        bool busy = start < c.hi;
        ss_points<E, P> even;
        ss_points<E, P + 2 * S::more> odd;
        if (busy) {
            take<E, P, P>(mine, 1 - row, x, a.s.block, even);
            take<E, P, P + 2 * S::more>(mine, row, x, a.s.block, odd);
        }
        __syncthreads(); /* everybody has taken what others will change */
        if (busy) {
            ss_walls w = walls_at(a, node, x, P);
            bool inside = start - S::halo >= c.all_lo && start + S::own + S::halo <= c.all_hi;
            if (inside && !has_wall<E>(a, node))
                climb_slab<E, P, S::more, true>(eq, a.s, w, x, from, to, begin, even, odd);
            else
                climb_slab<E, P, S::more, false>(eq, a.s, w, x, from, to, begin, even, odd);
            if (lane >= S::lanes && lane < 32 - S::lanes && x < a.s.block) {
                give<E, P, P>(mine, 1 - row, x, even);
                give<E, P, P + 2 * S::more>(mine, row, x, odd);
            }
        }
        __syncthreads();
    }
    return_node(rows, a, node, mine);
}

/* --- warp: a lane a point --------------------------------------------------------------------- */

#define WARPS 4 /* nodes of a thread block */

/* What a lane of the ends finds beyond the node, at its waist. */
template <class E>
static __device__ __forceinline__ ss_around<E, 1>
fetch_outside(const ss_rows<typename E::real> &rows, const diamond &a, int node)
{
    const int R = E::radius, x = threadIdx.x, row = (a.parity + a.s.height - 1) & 1;
    ss_around<E, 1> out;
#pragma unroll
    for (int i = -R; i <= R; i++) {
        int p = point_at(a, node, x + i);
#pragma unroll
        for (int f = 0; f < E::fields; f++)
            out.at[f][R + i] =
                x + i < 0 || x + i > 31 ? rows.row[a.flat ? 0 : row][f * rows.field + p] : 0;
    }
    return out;
}

template <class E>
static __device__ __forceinline__ void climb_lanes(const E &eq, int stage, ss_walls w, int lo,
                                                   int hi, const ss_around<E, 1> &outside,
                                                   const ss_points<E, 1> &from, ss_points<E, 1> &to)
{
    const int R = E::radius, x = threadIdx.x;
    ss_around<E, 1> u = look_around<E, 1, E::radius>(from);
#pragma unroll
    for (int i = -R; i <= R; i++)
#pragma unroll
        for (int f = 0; f < E::fields; f++)
            if (x + i < 0 || x + i > 31)
                u.at[f][R + i] = outside.at[f][R + i];
    reflect<E, 1>(u.at, w);
    ss_points<E, 1> v = eq.next(stage, u, to);
    if (x >= lo && x < hi && !is_fixed<E, 1>(w, 0))
        to = v;
}

template <class E>
__global__ void __launch_bounds__(32 * WARPS)
    climb_in_warp(E eq, ss_rows<typename E::real> rows, diamond a)
{
    const int x = threadIdx.x, node = blockIdx.x * WARPS + threadIdx.y;
    let_next_begin();
    await_previous();
    if (node >= a.nodes)
        return;
    int late = (a.parity + a.from - 1) % E::stages, row = (a.parity + a.from - late) & 1;
    int p = point_at(a, node, x);
    ss_walls w = walls_at(a, node, x, 1);
    ss_around<E, 1> outside = fetch_outside<E>(rows, a, node);
    ss_points<E, 1> even, odd;
    for (int f = 0; f < E::fields; f++) {
        even.at[f][0] = rows.row[a.flat ? 0 : 1 - row][f * rows.field + p];
        odd.at[f][0] = rows.row[a.flat ? 0 : row][f * rows.field + p];
    }
    for (int l = a.from - late; l < a.to; l += 2) {
        if (l >= a.from)
            climb_lanes<E>(eq, 0, w, ss_swept_lo(a.s, l), ss_swept_hi(a.s, l), outside, even, odd);
        if (l + 1 < a.to)
            climb_lanes<E>(eq, E::stages - 1, w, ss_swept_lo(a.s, l + 1), ss_swept_hi(a.s, l + 1),
                           outside, odd, even);
    }
    for (int f = 0; f < E::fields; f++) {
        rows.row[1 - row][f * rows.field + p] = even.at[f][0];
        rows.row[row][f * rows.field + p] = odd.at[f][0];
    }
}

/* --- launches --------------------------------------------------------------------------------- */

enum { REGISTER, BLOCK, WARP, HYBRID }; /* in the order of the names in tables.c */

template <class E> static size_t memory_bytes(int block)
{
    return (2 * E::fields + E::own) * (size_t)row_width(block) * sizeof(typename E::real);
}

template <class E> using kernel = void (*)(E, ss_rows<typename E::real>, diamond);

template <class E> static kernel<E> memory_kernel()
{
    if constexpr (E::own > 0)
        return climb_by_faces<E>;
    else
        return climb_in_memory<E>;
}

template <class E>
static void launch_in_memory(const ss_run *run, int cur, const diamond &a, cudaStream_t stream)
{
    launch_kernel(memory_kernel<E>(), a.nodes, a.s.block, memory_bytes<E>(a.s.block), stream,
                  E(run->coef), rows_of<typename E::real>(run, cur), a);
}

template <class E, int P>
static void launch_points(const ss_run *run, int cur, const diamond &a, cudaStream_t stream)
{
    int warps = ceil_div(a.s.block, slab<E, P>::own);
    launch_kernel(climb_in_registers<E, P>, a.nodes, 32 * warps, memory_bytes<E>(a.s.block), stream,
                  E(run->coef), rows_of<typename E::real>(run, cur), a);
}

/* Points of a thread, at most: those of three fields have no room for more. */
template <class E> constexpr int many = E::fields > 1 ? 4 : 8;

#define FEW 65536 /* points of a line that leave most of the device idle */

template <class E>
static void launch_in_registers(const ss_run *run, int cur, const diamond &a, cudaStream_t stream)
{
    static void (*const launch[])(const ss_run *, int, const diamond &, cudaStream_t) = {
        launch_points<E, 2>, launch_points<E, 2>, launch_points<E, 4>, launch_points<E, many<E>>};
    int choice = (int)ss_config_int(&run->cfg, "points");
    launch[choice > 0 ? choice - 1 : a.s.n <= FEW ? 1 : 3](run, cur, a, stream);
}

template <class E>
static void launch_in_warps(const ss_run *run, int cur, const diamond &a, cudaStream_t stream)
{
    launch_kernel(climb_in_warp<E>, ceil_div(a.nodes, WARPS), dim3(32, WARPS), 0, stream,
                  E(run->coef), rows_of<typename E::real>(run, cur), a);
}

template <class E>
static void launch_diamond(const ss_run *run, int cur, int d, bool last, cudaStream_t stream)
{
    static void (*const launch[])(const ss_run *, int, const diamond &, cudaStream_t) = {
        launch_in_registers<E>, launch_in_memory<E>, launch_in_warps<E>, launch_in_memory<E>};
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
    const kernel<E> kernels[] = {memory_kernel<E>(), climb_in_registers<E, 2>,
                                 climb_in_registers<E, 4>, climb_in_registers<E, many<E>>};
    for (kernel<E> k : kernels)
        SS_CUDA(cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize,
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
