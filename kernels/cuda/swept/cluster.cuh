/*
 * The swept rule's variant cluster: all diamonds of a short line in one launch, on a thread block
 * cluster, whose blocks write each other's shared memory (distributed shared memory). CUDA C++17,
 * Hopper and later.
 *
 * A node is a warp with P points per lane, as in variant warp, and half of the warps have the nodes
 * of even diamonds, the other half those of odd diamonds. The two halves form a pipeline: the gap
 * between two triangles (the lower half of diamond d + 1) is filled while the triangles (the upper
 * half of diamond d) still shrink. Level l of the gap needs, on either side, the 2R outermost
 * points of the triangle's level h + l: the same level, numbered in diamond d. So the gap can
 * follow the triangles a group of 2 to 8 levels behind, and the diamonds overlap in time:
 *
 *     time, in units of h levels     0 .. 1      1 .. 2      2 .. 3      3 .. 4
 *     warps of even diamonds         0 upper     2 lower     2 upper     4 lower
 *     warps of odd diamonds          1 lower     1 upper     3 lower     3 upper
 *
 * In each column the lower half starts a group of levels behind the upper half whose values it
 * takes. A diamond takes as long as before, but two are in progress at any time: a step costs the
 * latency of one level instead of two, and no warp ever waits for the whole line.
 *
 * Halo exchange by remote stores: after each group of levels a warp sends the last two levels of
 * the points that its triangle has left to the node that needs them, into a halo buffer in that
 * node's shared memory. st.async stores count their own bytes on an mbarrier there: when the
 * expected bytes have arrived the barrier completes, and no fence is needed. There is one mbarrier
 * per group of levels, so that the receiver starts on the first group while the later ones are
 * still being computed.
 *
 * On an H100, f64, a step of heat with 2^10 points takes 58 ns (blocks of 64), Euler's 1.18 us
 * (blocks of 32); the next best variants take 127 ns (warp) and 1.62 us (warp).
 */
#ifndef SS_CUDA_SWEPT_CLUSTER_CUH
#define SS_CUDA_SWEPT_CLUSTER_CUH

#include "kernels/cuda/swept/warp.cuh"

#define CLUSTER_BLOCKS 8 /* thread blocks per cluster, at most: the portable limit */

/* Nodes of even diamonds per thread block, at most, and as many of odd diamonds: limited by
 * registers per lane. */
template <class E, int P> constexpr int cluster_nodes = E::fields *P > 4 ? 4 : 8;

/* --- PTX: remote addresses, stores, barriers -------------------------------------------------- */

/* Addresses in shared memory: within this thread block, and the same offset in another block of the
 * cluster. */
static __device__ __forceinline__ unsigned shared_address(const void *p)
{
    return (unsigned)__cvta_generic_to_shared(p);
}

static __device__ __forceinline__ unsigned remote_address(unsigned own, int block)
{
    unsigned there = own;
#if __CUDA_ARCH__ >= 900
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(own), "r"(block));
#endif
    return there;
}

/* A barrier of all threads of the cluster, which also makes initialised mbarriers visible to it. */
static __device__ __forceinline__ void cluster_barrier(void)
{
#if __CUDA_ARCH__ >= 900 /* on older GPUs prepare has refused the variant */
    asm volatile("fence.mbarrier_init.release.cluster;\n\t"
                 "barrier.cluster.arrive.release;\n\t"
                 "barrier.cluster.wait.acquire;" ::
                     : "memory");
#endif
}

/* An asynchronous store to shared memory anywhere in the cluster; its bytes are counted by the
 * mbarrier, which must be in the same block as the address. */
static __device__ __forceinline__ void remote_store(unsigned to, double v, unsigned barrier)
{
#if __CUDA_ARCH__ >= 900
    asm volatile(
        "st.async.shared::cluster.mbarrier::complete_tx::bytes.b64 [%0], %1, [%2];" ::"r"(to),
        "l"(__double_as_longlong(v)), "r"(barrier));
#endif
}

static __device__ __forceinline__ void remote_store(unsigned to, float v, unsigned barrier)
{
#if __CUDA_ARCH__ >= 900
    asm volatile(
        "st.async.shared::cluster.mbarrier::complete_tx::bytes.b32 [%0], %1, [%2];" ::"r"(to),
        "r"(__float_as_int(v)), "r"(barrier));
#endif
}

/* An mbarrier that expects one arrival (the receiver's own) and the bytes announced with it. */
static __device__ __forceinline__ void barrier_init(unsigned barrier)
{
#if __CUDA_ARCH__ >= 900
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(barrier) : "memory");
#endif
}

/* The whole warp waits for `bytes` bytes: lane 0 announces them, which is the arrival, and all
 * lanes poll phase n of the barrier. A phase completes when no arrival and no byte is pending.
 * Bytes may come before they are announced: the count of pending bytes is then negative for a
 * while, and the phase cannot complete because the arrival is still pending. */
static __device__ __forceinline__ void barrier_wait(unsigned barrier, int bytes, int n)
{
#if __CUDA_ARCH__ >= 900
    asm volatile("{\n\t.reg .pred p;\n\tsetp.eq.u32 p, %2, 0;\n\t"
                 "@p mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;\n\t}" ::"r"(barrier),
                 "r"(bytes), "r"(threadIdx.x % 32)
                 : "memory");
    int complete;
    do
        asm volatile("{\n\t.reg .pred p;\n\t"
                     "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n\t"
                     "selp.s32 %0, 1, 0, p;\n\t}"
                     : "=r"(complete)
                     : "r"(barrier), "r"(n & 1)
                     : "memory");
    while (!__all_sync(~0u, complete));
#endif
}

/* --- halo buffers ----------------------------------------------------------------------------- */

/* Levels of a group, even. The gap follows the triangle a group behind, so that a diamond of h
 * levels takes the time of h + halo_levels; against that stands the exchange of each group. So low
 * diamonds have small groups, and Euler's the smallest: its levels take longest. */
template <class E, int P>
constexpr int halo_levels = E::fields > 1              ? 2
                            : 16 * P / E::radius >= 32 ? 8
                                                       : 4;

/*
 * A node's halo buffer: two rows, indexed by the node's local indices, with a margin on each side,
 * and an mbarrier per group of `levels` levels. The buffers are at the same addresses in every
 * thread block: first those of the nodes of even diamonds, then those of odd diamonds.
 *
 * One buffer per node is enough. S sends in diamond 4; T receives, with a buffer for diamond 5:
 *
 *     S  upper half of 4: writes the buffer
 *     T  lower half of 5: reads all of it; upper half of 5: sends to S
 *     S  lower half of 6: waits for T's values; upper half of 6: writes the buffer again
 *
 * Each line needs the line before. So no mbarrier gets bytes of its next phase early either.
 */
template <class E, int P> struct alignas(16) halo_buffer {
    typedef typename E::real T;
    static const int R = E::radius, height = 16 * P / R;
    static const int levels = halo_levels<E, P>, groups = height / levels;
    /* In a group the triangle's edge moves inwards over levels * R points: `crossed` whole
     * lanes. The outermost 2R points of the group's levels are these and the next R points inside
     * the edge, which lie in `behind` lanes. P = 2, R = 1: 4 points in 2 lanes, 1 point in 1. */
    static const int behind = (R + P - 1) / P, crossed = levels * R / P, lanes = crossed + behind;
    static const int bytes = 2 * lanes * 2 * P * E::fields * (int)sizeof(T); /* 2 sides, 2 rows */
    static const int margin = P > 4 ? P : 4; /* at least `behind` lanes' points; 16-byte aligned */
    static const int width = 32 * P + 2 * margin;

    T row[2][E::fields][width];
    unsigned long long barrier[groups];

    __device__ T *at(int r, int f, int x)
    {
        return &row[r][f][margin + x];
    }
};

/* Where a lane sends its points: the address of its first point in a remote halo buffer, and that
 * buffer's first mbarrier. */
struct remote_halo {
    unsigned row, barrier;
};

/* The halo buffer of a node of the next diamond, for a lane whose first point has local index x
 * there. odd: the next diamond is odd. per_block: nodes of a diamond per thread block. */
template <class E, int P>
static __device__ __forceinline__ remote_halo halo_of(halo_buffer<E, P> *first, int node, int nodes,
                                                      int per_block, bool odd, int x)
{
    node = node < 0 ? node + nodes : node >= nodes ? node - nodes : node;
    halo_buffer<E, P> *in = first + node % per_block + (odd ? per_block : 0);
    unsigned row = remote_address(shared_address(in->at(0, 0, 0)), node / per_block);
    return {row + (unsigned)(x * (int)sizeof(typename E::real)),
            remote_address(shared_address(in->barrier), node / per_block)};
}

/* A lane's side of the halo exchange. */
template <class E, int P> struct halo_exchange {
    halo_buffer<E, P> *in; /* of its own node */
    remote_halo near, far; /* the neighbour on the lane's half of the node; on the other half */
    int received;          /* diamonds: the phase of the barriers */
};

/* --- a diamond -------------------------------------------------------------------------------- */

/* On level l of the gap, which covers the points nearer than R l to the middle: takes the next 2R
 * points on each side, near = R l .. R l + 2R - 1 from the middle, from those received. */
template <class E, int P>
static __device__ __forceinline__ void take_received(const node_lane<E, P> &s, int near,
                                                     const ss_points<E, P> &in, ss_points<E, P> &v)
{
#pragma unroll
    for (int k = 0; k < P; k++)
#pragma unroll
        for (int f = 0; f < E::fields; f++)
            if ((unsigned)(s.from_middle[k] - near) < 2 * E::radius)
                v.at[f][k] = in.at[f][k];
}

/* Sends both rows of a lane's points. Some values are not final yet: the receiver does not use
 * those, but their bytes are part of the expected count. The values it uses are final: a lane that
 * sends again after the next group stores the same ones, so that a late reader does no harm. */
template <class E, int P>
static __device__ __forceinline__ void send_lane(const remote_halo &to, int group,
                                                 const ss_points<E, P> *row)
{
    typedef halo_buffer<E, P> B;
    const int size = (int)sizeof(typename E::real);
#pragma unroll
    for (int r = 0; r < 2; r++)
#pragma unroll
        for (int f = 0; f < E::fields; f++)
#pragma unroll
            for (int k = 0; k < P; k++)
                remote_store(to.row + (unsigned)(((r * E::fields + f) * B::width + k) * size),
                             row[r].at[f][k], to.barrier + 8 * (unsigned)group);
}

/* The lower half of a diamond (the gap), from the values that the triangles on both sides send. The
 * halo of the widest level is in the margins of row 1: level h - 1, with the last group. */
template <class E, int P, bool SPLIT>
static __device__ __forceinline__ ss_points<E, P>
receive_and_grow(const E &eq, const node_lane<E, P> &s, halo_exchange<E, P> &m)
{
    typedef halo_buffer<E, P> B;
    const int R = E::radius;
    ss_points<E, P> even = {}, odd = {}, in[2];
#pragma unroll 1
    for (int b = 0; b < B::groups; b++) {
        barrier_wait(shared_address(&m.in->barrier[b]), B::bytes, m.received);
#pragma unroll
        for (int r = 0; r < 2; r++)
#pragma unroll
            for (int f = 0; f < E::fields; f++)
                ss_load_points<typename E::real, P>(m.in->at(r, f, s.x), in[r].at[f]);
#pragma unroll
        for (int j = 0; j < B::levels; j += 2) {
            const int l = b * B::levels + j; /* level of `even`; l + 1: of `odd` */
            take_received<E, P>(s, R * l, in[0], even);
            odd = next_level<E, P, SPLIT>(eq, s, 0, even, even);
            take_received<E, P>(s, R * (l + 1), in[1], odd);
            if (j + 2 == B::levels && b + 1 == B::groups)
                even = next_widest_level<E, P>(eq, s, odd, even, load_halo(s, [&](int f, int x) {
                                                   return *m.in->at(1, f, x);
                                               }));
            else
                even = next_level<E, P, SPLIT>(eq, s, E::stages - 1, odd, even);
        }
    }
    m.received++;
    return even;
}

/*
 * The upper half. `lane` counts from 0, the lane beside the middle, outwards. After group b the
 * edge stands at `edge` lanes from the middle, and lanes edge - behind .. edge + crossed - 1 send
 * to the neighbour on their side. P = 1, R = 1 (levels 4, crossed 4, behind 1):
 *
 *     b = 0: edge = 12, lanes 11 .. 15       b = 3, the last: edge = 0, lanes -1 .. 3
 *
 * Lane -1 is lane 0 on the other side of the middle, whose `far` neighbour this is. So it sends to
 * both, and every group brings `lanes` lanes from each side: the bytes that the receiver expects.
 */
template <class E, int P, bool SPLIT>
static __device__ __forceinline__ void shrink_and_send(const E &eq, const node_lane<E, P> &s,
                                                       const halo_exchange<E, P> &m,
                                                       ss_points<E, P> even)
{
    typedef halo_buffer<E, P> B;
    const int R = E::radius, lane = min(s.from_middle[0], s.from_middle[P - 1]) / P;
    ss_points<E, P> row[2] = {even, {}};
#pragma unroll 1
    for (int b = 0; b < B::groups; b++) {
#pragma unroll
        for (int j = 0; j < B::levels; j += 2) {
            const int reach = 16 * P - R * (b * B::levels + j);
            update_within<E, P>(s, reach, even, row[0]);
            ss_points<E, P> odd = next_level<E, P, SPLIT>(eq, s, 0, even, even);
            update_within<E, P>(s, reach - R, odd, row[1]);
            even = next_level<E, P, SPLIT>(eq, s, E::stages - 1, odd, even);
        }
        const int edge = 16 - (b + 1) * B::crossed;
        if (lane >= edge - B::behind && lane < edge + B::crossed)
            send_lane<E, P>(m.near, b, row);
        if (b + 1 == B::groups && lane < B::behind) /* both neighbours need the middle */
            send_lane<E, P>(m.far, b, row);
    }
}

/* Every second diamond of a node, from `d` on. Diamond 0 has only an upper half; the last one, an
 * even one, ends at its widest level. */
template <class E, int P, bool SPLIT>
static __device__ __forceinline__ ss_points<E, P>
run_diamonds(const E &eq, const node_lane<E, P> &s, halo_exchange<E, P> &m, int d, int last,
             ss_points<E, P> even)
{
#pragma unroll 1
    for (; d <= last; d += 2) {
        if (d > 0)
            even = receive_and_grow<E, P, SPLIT>(eq, s, m);
        if (d < last)
            shrink_and_send<E, P, SPLIT>(eq, s, m, even);
    }
    return even;
}

template <class E, int P> static size_t cluster_bytes(int nodes)
{
    return 2 * (size_t)nodes * sizeof(halo_buffer<E, P>);
}

/* Diamonds 0 .. last of all nodes; a thread block has blockDim.x / 64 nodes of even diamonds and as
 * many of odd diamonds, a warp each: even and odd alternate. */
template <class E, int P>
__global__ void __launch_bounds__(64 * cluster_nodes<E, P>)
    swept_cluster(E eq, ss_rows<typename E::real> rows, ss_swept swept, int last)
{
    typedef typename E::real T;
    extern __shared__ double shared[];
    halo_buffer<E, P> *buffers = (halo_buffer<E, P> *)shared;
    const int warp = warp_index(), odd = warp % 2, per_block = blockDim.x / 64;
    const int node = blockIdx.x * per_block + warp / 2;
    /* For the geometry: run_diamonds chooses the levels. parity = 0: h is even. */
    const diamond a = {swept, 1, 2 * swept.height, 0, odd * swept.block / 2, false, swept.count};
    halo_exchange<E, P> m = {buffers + warp / 2 + odd * per_block, {}, {}, 0};
    /* Work before await_previous uses only the cluster's own shared memory. */
    let_next_begin();
    for (int b = threadIdx.x % 32; b < halo_buffer<E, P>::groups; b += 32)
        barrier_init(shared_address(&m.in->barrier[b]));
    cluster_barrier(); /* all mbarriers are initialised before the first store arrives */
    await_previous();
    if (node < swept.count) {
        /* The neighbour on a node's left half: for a node of an even diamond the odd diamond's node
         * with the number before; for one of an odd diamond the even diamond's node of the same
         * number. Its local indices are larger by half a block, those on the right smaller. */
        const node_lane<E, P> s = node_lane_of<E, P>(a, node);
        const int half = swept.block / 2, left = node - 1 + odd;
        const remote_halo to_left = halo_of(buffers, left, a.s.count, per_block, !odd, s.x + half);
        const remote_halo to_right =
            halo_of(buffers, left + 1, a.s.count, per_block, !odd, s.x - half);
        m.near = s.x < half ? to_left : to_right;
        m.far = s.x < half ? to_right : to_left;
        T *const at = rows.row[0] + point_at(a, node, s.x);
        ss_points<E, P> even = {};
#pragma unroll
        for (int f = 0; f < E::fields && !odd; f++)
            ss_load_points<T, P>(at + f * rows.field, even.at[f]);
        if (odd && node == a.s.count - 1)
            run_diamonds<E, P, true>(eq, s, m, odd, last, even);
        else
            even = run_diamonds<E, P, false>(eq, s, m, odd, last, even);
#pragma unroll
        for (int f = 0; f < E::fields && !odd; f++)
            ss_store_points<T, P>(at + f * rows.field, even.at[f]);
    }
    /* No thread block exits while another may still store to its shared memory. */
    cluster_barrier();
}

#endif
