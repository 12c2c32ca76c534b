/*
 * Reads after `warp.cuh`. The swept rule's variant cluster: a short line in one launch, on a thread
 * block cluster, whose blocks write each other's shared memory (distributed shared memory). Device
 * code, compute capability 9.0 and later.
 *
 * On a short line latency counts, not the number of operations: a level takes as long as its chain
 * of dependent operations, and a lane that has no valid point takes as long as one that has. So the
 * lanes that a triangle of the swept rule leaves idle are given redundant points here. A window is
 * a warp with P points per lane: its own points in the middle, and copies of the neighbours' points
 * on both sides, the halo. All lanes compute on every level. Lanes at the window's ends have no
 * neighbour, so that R more points per side become invalid on every level; when only the own points
 * are still valid, the windows exchange halos. A block of 64 points (P = 2), R = 1:
 *
 *     level 16              [      own      ]               32 valid points: exchange halos
 *     level  8          [                       ]           48
 *     level  0      [  halo |      own      | halo  ]       64
 *
 * In space-time the valid points form a triangle of the swept rule, cut off at half of its height.
 * The triangles of neighbours overlap, and leave no gap to be filled. Two windows compute the same
 * points by the same operations, hence with the same bits.
 *
 * Halo exchange by remote stores: each lane sends its own points to the windows that have copies of
 * them, into a halo buffer in the shared memory of their thread block. st.async stores count their
 * own bytes on an mbarrier there: when the expected bytes have arrived the barrier completes, and
 * no fence is needed. No warp ever waits for the whole line.
 *
 * On an H100, f64, a step of heat with 2^10 points takes 35 ns (blocks of 128), Euler's 0.84 us
 * (blocks of 64); the next best variants take 127 ns (warp) and 1.62 us (warp).
 */
#ifndef SS_CUDA_SWEPT_CLUSTER_CUH
#define SS_CUDA_SWEPT_CLUSTER_CUH

#include "kernels/cuda/device/pack.cuh"
#include "kernels/cuda/device/ptx.cuh"
#include "kernels/cuda/swept/fast/warp_step.cuh"

/* A window has 32 P points, P per lane of its warp. It owns the middle half, which it stores. */
template <class E, int P> struct window_shape {
    static const int own = 16 * P, halo = 8 * P;
    static const int levels = halo / E::radius; /* between exchanges: a quarter of a cycle */
    static const int bytes = 2 * halo * E::fields * (int)sizeof(typename E::real); /* received */
};

/* The whole warp waits for `bytes` bytes: lane 0 announces them, which is the arrival, and all
 * lanes poll phase n of the barrier. A phase completes when no arrival and no byte is pending.
 * Bytes may come before they are announced: the count of pending bytes is then negative for a
 * while, and the phase cannot complete because the arrival is still pending. */
static __device__ __forceinline__ void barrier_wait(unsigned barrier, int bytes, int n)
{
    arrive_expecting(barrier, bytes, threadIdx.x % 32 == 0);
    while (!__all_sync(~0u, arrived(barrier, n & 1))) {
    }
}

/* --- windows ---------------------------------------------------------------------------------- */

/*
 * A window's halo buffer: two rows with a place for each of its points (those of the own points are
 * not used), and an mbarrier for each row. The buffers are at the same addresses in every thread
 * block. Exchange e uses row e % 2. Two are enough: a neighbour sends in exchange e + 2 after it
 * has received what this window sent in exchange e + 1, after reading exchange e.
 */
template <class E, int P> struct alignas(16) halo_buffer {
    typename E::real row[2][E::fields][32 * P];
    unsigned long long barrier[2];
};

/* Where a lane sends its points: their address in row 0 of a halo buffer of another window, and
 * that buffer's first mbarrier. */
struct remote_halo {
    unsigned row, barrier;
};

/* A lane's part of its window. */
template <class E, int P> struct window_lane {
    int at;         /* its first point in the line, which goes on beyond its ends */
    bool own;       /* the lane's points are the window's own */
    ss_walls ends;  /* of the line */
    remote_halo to; /* the nearer neighbour's, which has copies of the lane's points */
    halo_buffer<E, P> *in;
};

/* Window `to` of the line, as the receiver of a lane's points. x: of the lane's first point, from
 * that window's first point on. */
template <class E, int P>
static __device__ __forceinline__ remote_halo halo_of(halo_buffer<E, P> *first, int to, int x)
{
    const int per_block = blockDim.x / 32;
    halo_buffer<E, P> *in = first + to % per_block;
    return {remote_address(shared_address(&in->row[0][0][0]), to / per_block) +
                (unsigned)(x * (int)sizeof(typename E::real)),
            remote_address(shared_address(in->barrier), to / per_block)};
}

/* A lane of window number w of the line. A halo is half of the own points deep: those of the left
 * half are in the halo of window w - 1, those of the right half in that of w + 1. The line is
 * treated as a ring here, so that every window receives two halos. What is beyond an end of the
 * line is computed like the rest, and not used. */
template <class E, int P>
static __device__ __forceinline__ window_lane<E, P> window_lane_of(const ss_swept &s,
                                                                   halo_buffer<E, P> *first, int w)
{
    typedef window_shape<E, P> W;
    const int x = (int)threadIdx.x % 32 * P - W::halo, windows = s.n / W::own;
    const int way = x < W::own / 2 ? -1 : 1;
    window_lane<E, P> l;
    l.at = w * W::own + x;
    l.own = x >= 0 && x < W::own;
    l.ends.left = l.at >= 0 ? l.at : SS_NO_WALL;
    l.ends.right = l.at + P <= s.n ? s.n - l.at - P : SS_NO_WALL;
    l.to = halo_of(first, (w + way + windows) % windows, x + W::halo - way * W::own);
    l.in = first + w % (blockDim.x / 32);
    return l;
}

/* A lane's points of one field, into a row of remote shared memory. */
template <typename T, int P>
static __device__ __forceinline__ void send_points(unsigned to, const T *v, unsigned barrier)
{
    const int N = pack<T>::n;
    if constexpr (P % N == 0) {
#pragma unroll
        for (int k = 0; k < P; k += N) {
            pack<T> u;
#pragma unroll
            for (int i = 0; i < N; i++)
                u.v[i] = v[k + i];
            remote_store(to + k * (int)sizeof(T), u, barrier);
        }
    } else {
#pragma unroll
        for (int k = 0; k < P; k++)
            remote_store(to + k * (int)sizeof(T), v[k], barrier);
    }
}

/* Exchange e: the own points to the neighbours, then their own into the lanes of the halo. */
template <class E, int P>
static __device__ __forceinline__ void exchange_halos(const window_lane<E, P> &l, unsigned e,
                                                      ss_points<E, P> &now)
{
    typedef typename E::real T;
    const int r = e % 2, field = 32 * P * (int)sizeof(T); /* bytes from field to field */
    if (l.own)
#pragma unroll
        for (int f = 0; f < E::fields; f++)
            send_points<T, P>(l.to.row + (r * E::fields + f) * field, now.at[f],
                              l.to.barrier + 8 * r);
    barrier_wait(shared_address(&l.in->barrier[r]), window_shape<E, P>::bytes, (int)(e / 2));
#pragma unroll
    for (int f = 0; f < E::fields; f++) {
        T in[P];
        load_points<P>(&l.in->row[r][f][threadIdx.x % 32 * P], in);
#pragma unroll
        for (int k = 0; k < P; k++)
            now.at[f][k] = l.own ? now.at[f][k] : in[k];
    }
}

/* --- levels ----------------------------------------------------------------------------------- */

/*
 * Two levels of a lane's points. If a step has one stage, its level is short, and the shuffles take
 * longer than the arithmetic. Then a lane shuffles once for two levels: it gathers 2R neighbours on
 * each side, computes R of them on the first level too, redundantly, and the second level needs no
 * other lane. ENDS: an end of the line is in the window.
 */
template <class E, int P, bool ENDS>
static __device__ __forceinline__ ss_points<E, P>
two_levels(const E &eq, const ss_points<E, P> &now, ss_walls ends)
{
    const int R = E::radius;
    const ss_walls w = ENDS ? ends : ss_walls{SS_NO_WALL, SS_NO_WALL};
    if constexpr (E::stages > 1) {
        const ss_points<E, P> middle = warp_step<E, P>::next(eq, 0, now, now, w);
        return warp_step<E, P>::next(eq, E::stages - 1, middle, now, w);
    } else {
        ss_around<E, P + 2 *R> u = gather_neighbours<E, P, 2 * R>(now);
        reflect<E, P>(u.at, w);
        const ss_points<E, P + 2 *R> middle = eq.next(0, u, {});
        ss_around<E, P> m;
#pragma unroll
        for (int f = 0; f < E::fields; f++)
#pragma unroll
            for (int k = 0; k < P + 2 * R; k++)
                m.at[f][k] = middle.at[f][k];
        return eq.next(0, m, now);
    }
}

/* All levels of a window, a whole number of cycles. Unrolled, so that the shuffles of a level
 * overlap the arithmetic of the level before; how far was measured. */
template <class E, int P, bool ENDS>
static __device__ __forceinline__ ss_points<E, P>
run_window(const E &eq, const window_lane<E, P> &l, int64_t levels, ss_points<E, P> now)
{
    const int pairs = window_shape<E, P>::levels / 2;
    const int unrolled = E::fields > 1 ? 2 : pairs < 8 ? pairs : 8;
#pragma unroll 1
    for (unsigned e = 0; levels > 0; e++) {
#pragma unroll(unrolled)
        for (int i = 0; i < pairs; i++)
            now = two_levels<E, P, ENDS>(eq, now, l.ends);
        levels -= 2 * pairs;
        if (levels > 0)
            exchange_halos(l, e, now);
    }
    return now;
}

/* `levels` levels of a line from its row 0 on, into row 0: a window per warp. The launch bounds say
 * that one thread block per SM is enough: else the compiler saves registers for more of them, at
 * the price of operations that wait for each other (KS with 4 points per lane takes twice as
 * long). */
template <class E, int P>
__global__ void __launch_bounds__(32 * CLUSTER_WINDOWS(E::fields * P), 1)
    swept_cluster(E eq, ss_rows<typename E::real> rows, ss_swept swept, int64_t levels)
{
    typedef typename E::real T;
    typedef window_shape<E, P> W;
    extern __shared__ double shared[];
    static_assert(sizeof(halo_buffer<E, P>) == CLUSTER_BYTES(E::fields * P, sizeof(T)), "the host");
    halo_buffer<E, P> *const buffers = (halo_buffer<E, P> *)shared;
    const int window = blockIdx.x * (blockDim.x / 32) + warp_index(), first = window * W::own;
    const window_lane<E, P> l = window_lane_of<E, P>(swept, buffers, window);
    /* Work before await_previous uses only the cluster's own shared memory. */
    let_next_begin();
    if (threadIdx.x % 32 < 2)
        arrivals_init(shared_address(&l.in->barrier[threadIdx.x % 32]), 1);
    cluster_barrier(); /* all mbarriers are initialised before the first store arrives */
    await_previous();
    if (first < swept.n) {
        const bool ends = first <= W::halo || first + W::own + W::halo >= swept.n;
        ss_points<E, P> now;
#pragma unroll
        for (int f = 0; f < E::fields; f++)
            load_points<P>(rows.row[0] + f * rows.field + (l.at + swept.n) % swept.n, now.at[f]);
        if (E::bc != SS_BC_PERIODIC && ends)
            now = run_window<E, P, true>(eq, l, levels, now);
        else
            now = run_window<E, P, false>(eq, l, levels, now);
            /* Every window that has loaded these points has sent something since. */
#pragma unroll
        for (int f = 0; f < E::fields && l.own; f++)
            store_points<P>(rows.row[0] + f * rows.field + l.at, now.at[f]);
    }
    /* No thread block exits while another may still store to its shared memory. */
    cluster_barrier();
}

#endif
