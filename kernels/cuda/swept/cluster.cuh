/*
 * The swept rule's variant cluster: all diamonds of a short line in one launch, on a thread block
 * cluster, whose blocks write each other's shared memory (distributed shared memory). CUDA C++17,
 * Hopper and later.
 *
 * A node is a warp with P points per lane, as in variant warp. What is new is a pipeline: the gap
 * between two triangles is filled while they still shrink. Level l of a gap needs level l of the 2R
 * points on either side that a triangle has just finished; so a second team of warps, which has the
 * odd diamonds, follows a few levels behind the first team, which has the even ones and by then
 * grows its next diamond a few levels behind the second. A diamond takes as long as before, but two
 * are in progress at any time: a step costs the latency of one level instead of two, and no warp
 * ever waits for the whole line.
 *
 * Halo exchange by remote stores: every few levels a warp sends the last two levels of the points
 * that its triangle has left to the node that needs them, into an edge buffer in that node's shared
 * memory. st.async stores count their own bytes on an mbarrier there: when the expected bytes have
 * arrived the barrier completes, and no fence is needed. There is one mbarrier per group of levels,
 * so that the receiver starts on the first group while the later ones are still being computed.
 *
 * On an H200, f64, a step of heat with 2^10 points takes 64 ns (blocks of 64), Euler's 1.39 us
 * (blocks of 32); the next best variants take 127 ns (warp) and 1.62 us (warp).
 */
#ifndef SS_CUDA_SWEPT_CLUSTER_CUH
#define SS_CUDA_SWEPT_CLUSTER_CUH

#include "kernels/cuda/swept/warp.cuh"

#define CLUSTER_BLOCKS 8 /* thread blocks per cluster, at most: the portable limit */

/* Even nodes per thread block, at most, and as many odd ones: limited by registers per lane. */
template <class E, int P> constexpr int cluster_nodes = E::fields *P > 4 ? 4 : 8;

/* --- PTX: remote addresses, stores, barriers -------------------------------------------------- */

/* Addresses in shared memory: within this thread block, and the same place in another block of the
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

/* The whole warp waits for `bytes` bytes: announces them, which is the arrival, and polls phase n
 * of the barrier. */
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

/* --- edge buffers ----------------------------------------------------------------------------- */

/*
 * A node's edge buffer: two rows of its places with a margin on each side, and an mbarrier per
 * group of `levels` levels. The buffers are at the same addresses in every thread block: first
 * those of the even nodes, then those of the odd ones.
 *
 * No second buffer is needed: a sender stores to the same place again only in its next diamond, and
 * the lower half of that diamond needs values which the receiver computed after it had read this
 * one's.
 */
template <class E, int P> struct alignas(16) edge_buffer {
    typedef typename E::real T;
    static const int R = E::radius, height = 16 * P / R;
    static const int levels = P > 4 ? 8 : 4, groups = height / levels;
    /* Lanes that send after a group: those that the triangle's edge has crossed, and those of the
     * 2R points behind it. */
    static const int behind = (R + P - 1) / P, crossed = levels * R / P, lanes = crossed + behind;
    static const int bytes = 2 * lanes * 2 * P * E::fields * (int)sizeof(T); /* from both sides */
    static const int margin = P > 4 ? P : 4; /* at least P and R places, and 16-byte aligned */
    static const int width = 32 * P + 2 * margin;

    T row[2][E::fields][width];
    unsigned long long barrier[groups];

    __device__ T *at(int r, int f, int x)
    {
        return &row[r][f][margin + x];
    }
};

/* Where a lane sends its points: the address of its first point in a remote edge buffer, and that
 * buffer's first mbarrier. */
struct remote_edge {
    unsigned row, barrier;
};

/* The edge buffer of a node of the other team; `places`: of the lane's first point, counted in that
 * node. */
template <class E, int P>
static __device__ __forceinline__ remote_edge edge_of(edge_buffer<E, P> *first, int node, int nodes,
                                                      int per_block, bool odd, int places)
{
    node = node < 0 ? node + nodes : node >= nodes ? node - nodes : node;
    edge_buffer<E, P> *in = first + node % per_block + (odd ? per_block : 0);
    unsigned row = remote_address(shared_address(in->at(0, 0, 0)), node / per_block);
    return {row + (unsigned)(places * (int)sizeof(typename E::real)),
            remote_address(shared_address(in->barrier), node / per_block)};
}

/* A lane's side of the halo exchange. */
template <class E, int P> struct edge_exchange {
    edge_buffer<E, P> *in;
    remote_edge near, far; /* the neighbour on the lane's half of the node; on the other half */
    int received;          /* diamonds: the phase of the barriers */
};

/* --- a diamond -------------------------------------------------------------------------------- */

/* Of a level whose nearest unknown points are `near` from the middle: takes the 2R received ones.
 */
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

/* Sends both rows of a lane's points. Some of them may still be unknown; the receiver does not use
 * those, but their bytes are part of the expected count. */
template <class E, int P>
static __device__ __forceinline__ void send_lane(const remote_edge &to, int group,
                                                 const ss_points<E, P> *row)
{
    typedef edge_buffer<E, P> B;
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

/* The lower half of a diamond, from the values that the triangles on both sides send. */
template <class E, int P, bool SPLIT>
static __device__ __forceinline__ ss_points<E, P> fill_gap(const E &eq, const node_lane<E, P> &s,
                                                           edge_exchange<E, P> &m)
{
    typedef edge_buffer<E, P> B;
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
            const int l = b * B::levels + j; /* known, but for the points just received */
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

/* The upper half. After each group of levels the lanes that the edge has crossed send what they
 * kept. */
template <class E, int P, bool SPLIT>
static __device__ __forceinline__ void shrink_and_send(const E &eq, const node_lane<E, P> &s,
                                                       const edge_exchange<E, P> &m,
                                                       ss_points<E, P> even)
{
    typedef edge_buffer<E, P> B;
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
        const int above = 16 - (b + 1) * B::crossed; /* lanes left on each side of the middle */
        if (lane >= above - B::behind && lane < above + B::crossed)
            send_lane<E, P>(m.near, b, row);
        if (b + 1 == B::groups && lane < B::behind) /* both neighbours need the middle */
            send_lane<E, P>(m.far, b, row);
    }
}

/* Every second diamond of a node, from `d` on; the last one, an even one, ends at its widest level.
 */
template <class E, int P, bool SPLIT>
static __device__ __forceinline__ ss_points<E, P>
run_diamonds(const E &eq, const node_lane<E, P> &s, edge_exchange<E, P> &m, int d, int last,
             ss_points<E, P> even)
{
#pragma unroll 1
    for (; d <= last; d += 2) {
        if (d > 0)
            even = fill_gap<E, P, SPLIT>(eq, s, m);
        if (d < last)
            shrink_and_send<E, P, SPLIT>(eq, s, m, even);
    }
    return even;
}

template <class E, int P> static size_t cluster_bytes(int nodes)
{
    return 2 * (size_t)nodes * sizeof(edge_buffer<E, P>);
}

/* Diamonds 0 .. last of all nodes; a thread block has blockDim.x / 64 even nodes and as many odd
 * ones, a warp each. */
template <class E, int P>
__global__ void __launch_bounds__(64 * cluster_nodes<E, P>)
    swept_cluster(E eq, ss_rows<typename E::real> rows, ss_swept swept, int last)
{
    typedef typename E::real T;
    extern __shared__ double shared[];
    edge_buffer<E, P> *buffers = (edge_buffer<E, P> *)shared;
    const int warp = warp_index(), odd = warp % 2, per_block = blockDim.x / 64;
    const int node = blockIdx.x * per_block + warp / 2;
    const diamond a = {swept, 1, 2 * swept.height, 0, odd * swept.block / 2, false, swept.count};
    edge_exchange<E, P> m = {buffers + warp / 2 + odd * per_block, {}, {}, 0};
    let_next_begin();
    for (int b = threadIdx.x % 32; b < edge_buffer<E, P>::groups; b += 32)
        barrier_init(shared_address(&m.in->barrier[b]));
    cluster_barrier(); /* all mbarriers exist before the first store arrives */
    await_previous();
    if (node < swept.count) {
        /* On its left half an even node borders on the odd node before it, an odd node on the even
         * one with its own number. */
        const node_lane<E, P> s = node_lane_of<E, P>(a, node);
        const int half = swept.block / 2, left = node - 1 + odd;
        const remote_edge to_left = edge_of(buffers, left, a.s.count, per_block, !odd, s.x + half);
        const remote_edge to_right =
            edge_of(buffers, left + 1, a.s.count, per_block, !odd, s.x - half);
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
    cluster_barrier(); /* no block exits while another may still store to its shared memory */
}

#endif
