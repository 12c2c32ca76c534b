/*
 * The swept rule's variant register: a warp takes several points a thread through a few levels in
 * registers, and the warps of a node meet in shared memory in between. CUDA C++17.
 */
#ifndef SS_CUDA_CLIMB_SLAB_CUH
#define SS_CUDA_CLIMB_SLAB_CUH

#include "kernels/cuda/diamond.cuh"

/* --- levels by the slab ---------------------------------------------------- */

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

#endif
