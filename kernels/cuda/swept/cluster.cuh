/*
 * The swept rule's variant cluster: all diamonds of a short line in one launch, on a few processors
 * that can write each other's shared memory. CUDA C++17, Hopper and later.
 *
 * A node is a warp, P points a lane, as in variant warp. What is new: the gap between two triangles
 * is filled while they still shrink. Level l of a gap needs level l of the 2R points on either side
 * that a triangle has just finished, and these were known l levels ago. So a second team of warps
 * has the odd diamonds, and follows a few levels behind the first one, which has the even ones and
 * by then grows its next diamond a few levels behind the second. Each diamond takes as long as
 * before, but two are under way at any time: a step costs one level's latency instead of two, and
 * not a processor waits for the whole line.
 *
 * A triangle posts the last two levels of each point to the node that needs it, into an inbox in
 * that node's shared memory. Stores count themselves (mbarrier, st.async): a box is full when so
 * many bytes have arrived, and nobody needs a fence.
 */
#ifndef SS_CUDA_CLIMB_CLUSTER_CUH
#define SS_CUDA_CLIMB_CLUSTER_CUH

#include "kernels/cuda/swept/warp.cuh"

#define CLUSTER_BLOCKS 8 /* thread blocks of a cluster, at most */

/* Even nodes of a thread block, at most, and odd ones: by the registers that a lane needs. */
template <class E, int P> constexpr int cluster_nodes = E::fields *P > 4 ? 4 : 8;

/* --- mail ------------------------------------------------------------------------------------- */

/* Addresses in shared memory: of the own thread block, and of any in the cluster. */
static __device__ __forceinline__ unsigned own_address(const void *p)
{
    return (unsigned)__cvta_generic_to_shared(p);
}

static __device__ __forceinline__ unsigned address_in(unsigned own, int block)
{
    unsigned there = own;
#if __CUDA_ARCH__ >= 900
    asm("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(own), "r"(block));
#endif
    return there;
}

static __device__ __forceinline__ void meet_cluster(void)
{
#if __CUDA_ARCH__ >= 900 /* older processors do not get so far: see fit_cluster */
    asm volatile("fence.mbarrier_init.release.cluster;\n\t"
                 "barrier.cluster.arrive.release;\n\t"
                 "barrier.cluster.wait.acquire;" ::
                     : "memory");
#endif
}

/* A value to an address in the cluster; its bytes are counted by the box there. */
static __device__ __forceinline__ void post(unsigned to, double v, unsigned box)
{
#if __CUDA_ARCH__ >= 900
    asm volatile(
        "st.async.shared::cluster.mbarrier::complete_tx::bytes.b64 [%0], %1, [%2];" ::"r"(to),
        "l"(__double_as_longlong(v)), "r"(box));
#endif
}

static __device__ __forceinline__ void post(unsigned to, float v, unsigned box)
{
#if __CUDA_ARCH__ >= 900
    asm volatile(
        "st.async.shared::cluster.mbarrier::complete_tx::bytes.b32 [%0], %1, [%2];" ::"r"(to),
        "r"(__float_as_int(v)), "r"(box));
#endif
}

static __device__ __forceinline__ void open_box(unsigned box)
{
#if __CUDA_ARCH__ >= 900
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(box) : "memory");
#endif
}

/* The whole warp, until `bytes` have arrived for the n-th time. */
static __device__ __forceinline__ void await_mail(unsigned box, int bytes, int n)
{
#if __CUDA_ARCH__ >= 900
    asm volatile("{\n\t.reg .pred p;\n\tsetp.eq.u32 p, %2, 0;\n\t"
                 "@p mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;\n\t}" ::"r"(box),
                 "r"(bytes), "r"(threadIdx.x % 32)
                 : "memory");
    int full;
    do
        asm volatile("{\n\t.reg .pred p;\n\t"
                     "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n\t"
                     "selp.s32 %0, 1, 0, p;\n\t}"
                     : "=r"(full)
                     : "r"(box), "r"(n & 1)
                     : "memory");
    while (!__all_sync(~0u, full));
#endif
}

/* --- inboxes ---------------------------------------------------------------------------------- */

/*
 * A node's inbox: two rows of its places and of R more on each side, and a box to count in for
 * every few levels. All inboxes are in the same place of their thread block's shared memory: first
 * those of the even nodes, then those of the odd ones.
 */
template <class E, int P> struct alignas(16) inbox {
    typedef typename E::real T;
    static const int R = E::radius, height = 16 * P / R;
    static const int levels = P > 4 ? 8 : 4, boxes = height / levels;
    /* Lanes that post within so many levels: those that the edge crosses, and those of the 2R
     * points that stand behind it. */
    static const int top = (R + P - 1) / P, crossed = levels * R / P, lanes = crossed + top;
    static const int bytes = 2 * lanes * 2 * P * E::fields * (int)sizeof(T); /* from both sides */
    static const int aside =
        P > 4 ? P : 4; /* a lane's points, R, or what keeps 16 bytes together */
    static const int width = 32 * P + 2 * aside;

    T row[2][E::fields][width];
    unsigned long long box[boxes];

    __device__ T *at(int r, int f, int x)
    {
        return &row[r][f][aside + x];
    }
};

/* Where a lane posts its points to: place 0 of another node, counted in its own places. */
struct letter {
    unsigned row, box;
};

/* The inbox of a node of the other team. */
template <class E, int P>
static __device__ __forceinline__ letter address_of(inbox<E, P> *first, int node, int nodes,
                                                    int per_block, bool odd, int places)
{
    node = node < 0 ? node + nodes : node >= nodes ? node - nodes : node;
    inbox<E, P> *in = first + node % per_block + (odd ? per_block : 0);
    unsigned row = address_in(own_address(in->at(0, 0, 0)), node / per_block);
    return {row + (unsigned)(places * (int)sizeof(typename E::real)),
            address_in(own_address(in->box), node / per_block)};
}

template <class E, int P> struct mail {
    inbox<E, P> *in;
    letter out, far; /* of the lane's half of the node; of the other half */
    int opened;      /* times that the inbox has been emptied */
};

/* --- a diamond -------------------------------------------------------------------------------- */

/* Of a level whose nearest unknown points are `near` from the middle, the 2R that have arrived. */
template <class E, int P>
static __device__ __forceinline__ void take_posted(const stand<E, P> &s, int near,
                                                   const ss_points<E, P> &in, ss_points<E, P> &v)
{
#pragma unroll
    for (int k = 0; k < P; k++)
#pragma unroll
        for (int f = 0; f < E::fields; f++)
            if ((unsigned)(s.from_middle[k] - near) < 2 * E::radius)
                v.at[f][k] = in.at[f][k];
}

/* Both rows of a lane's points. Of what the receiver has not asked for some is not known yet. */
template <class E, int P>
static __device__ __forceinline__ void post_lane(const letter &to, int box,
                                                 const ss_points<E, P> *row)
{
    typedef inbox<E, P> I;
    const int size = (int)sizeof(typename E::real);
#pragma unroll
    for (int r = 0; r < 2; r++)
#pragma unroll
        for (int f = 0; f < E::fields; f++)
#pragma unroll
            for (int k = 0; k < P; k++)
                post(to.row + (unsigned)(((r * E::fields + f) * I::width + k) * size),
                     row[r].at[f][k], to.box + 8 * (unsigned)box);
}

/* The lower half, on the values that the triangles on both sides post. */
template <class E, int P, bool SPLIT>
static __device__ __forceinline__ ss_points<E, P> fill_gap(const E &eq, const stand<E, P> &s,
                                                           mail<E, P> &m)
{
    typedef inbox<E, P> I;
    const int R = E::radius;
    ss_points<E, P> even = {}, odd = {}, in[2];
#pragma unroll 1
    for (int b = 0; b < I::boxes; b++) {
        await_mail(own_address(&m.in->box[b]), I::bytes, m.opened);
#pragma unroll
        for (int r = 0; r < 2; r++)
#pragma unroll
            for (int f = 0; f < E::fields; f++)
                ss_load_points<typename E::real, P>(m.in->at(r, f, s.x), in[r].at[f]);
#pragma unroll
        for (int j = 0; j < I::levels; j += 2) {
            const int l = b * I::levels + j; /* known everywhere but where it has just arrived */
            take_posted<E, P>(s, R * l, in[0], even);
            odd = climb_level<E, P, SPLIT>(eq, s, 0, even, even);
            take_posted<E, P>(s, R * (l + 1), in[1], odd);
            if (j + 2 == I::levels && b + 1 == I::boxes)
                even = climb_waist<E, P>(
                    eq, s, odd, even, beyond(s, [&](int f, int x) { return *m.in->at(1, f, x); }));
            else
                even = climb_level<E, P, SPLIT>(eq, s, E::stages - 1, odd, even);
        }
    }
    m.opened++;
    return even;
}

/* The upper half. Every few levels the lanes that the edge has crossed post what they have kept. */
template <class E, int P, bool SPLIT>
static __device__ __forceinline__ void shrink_posting(const E &eq, const stand<E, P> &s,
                                                      const mail<E, P> &m, ss_points<E, P> even)
{
    typedef inbox<E, P> I;
    const int R = E::radius, lane = min(s.from_middle[0], s.from_middle[P - 1]) / P;
    ss_points<E, P> row[2] = {even, {}};
#pragma unroll 1
    for (int b = 0; b < I::boxes; b++) {
#pragma unroll
        for (int j = 0; j < I::levels; j += 2) {
            const int reach = 16 * P - R * (b * I::levels + j);
            keep<E, P>(s, reach, even, row[0]);
            ss_points<E, P> odd = climb_level<E, P, SPLIT>(eq, s, 0, even, even);
            keep<E, P>(s, reach - R, odd, row[1]);
            even = climb_level<E, P, SPLIT>(eq, s, E::stages - 1, odd, even);
        }
        const int above = 16 - (b + 1) * I::crossed; /* lanes on each side of the middle */
        if (lane >= above - I::top && lane < above + I::crossed)
            post_lane<E, P>(m.out, b, row);
        if (b + 1 == I::boxes && lane < I::top) /* both sides need what is in the middle */
            post_lane<E, P>(m.far, b, row);
    }
}

/* Every second diamond of a node, from `d` on; the last one, an even one, ends at its waist. */
template <class E, int P, bool SPLIT>
static __device__ __forceinline__ ss_points<E, P>
climb_all(const E &eq, const stand<E, P> &s, mail<E, P> &m, int d, int last, ss_points<E, P> even)
{
#pragma unroll 1
    for (; d <= last; d += 2) {
        if (d > 0)
            even = fill_gap<E, P, SPLIT>(eq, s, m);
        if (d < last)
            shrink_posting<E, P, SPLIT>(eq, s, m, even);
    }
    return even;
}

template <class E, int P> static size_t cluster_bytes(int nodes)
{
    return 2 * (size_t)nodes * sizeof(inbox<E, P>);
}

/* Diamonds 0 .. last of all nodes; a thread block has blockDim.x / 64 even ones and as many odd
 * ones. */
template <class E, int P>
__global__ void __launch_bounds__(64 * cluster_nodes<E, P>)
    climb_in_cluster(E eq, ss_rows<typename E::real> rows, ss_swept swept, int last)
{
    typedef typename E::real T;
    extern __shared__ double shared[];
    inbox<E, P> *boxes = (inbox<E, P> *)shared;
    const int warp = warp_index(), odd = warp % 2, per_block = blockDim.x / 64;
    const int node = blockIdx.x * per_block + warp / 2;
    const diamond a = {swept, 1, 2 * swept.height, 0, odd * swept.block / 2, false, swept.count};
    mail<E, P> m = {boxes + warp / 2 + odd * per_block, {}, {}, 0};
    let_next_begin();
    for (int b = threadIdx.x % 32; b < inbox<E, P>::boxes; b += 32)
        open_box(own_address(&m.in->box[b]));
    meet_cluster();
    await_previous();
    if (node < swept.count) {
        /* Left of its middle an even node meets the odd one before, an odd node the even one with
         * its own number. */
        const stand<E, P> s = stand_in<E, P>(a, node);
        const int half = swept.block / 2, left = node - 1 + odd;
        const letter to_left = address_of(boxes, left, a.s.count, per_block, !odd, s.x + half);
        const letter to_right = address_of(boxes, left + 1, a.s.count, per_block, !odd, s.x - half);
        m.out = s.x < half ? to_left : to_right;
        m.far = s.x < half ? to_right : to_left;
        T *const at = rows.row[0] + point_at(a, node, s.x);
        ss_points<E, P> even = {};
#pragma unroll
        for (int f = 0; f < E::fields && !odd; f++)
            ss_load_points<T, P>(at + f * rows.field, even.at[f]);
        if (odd && node == a.s.count - 1)
            climb_all<E, P, true>(eq, s, m, odd, last, even);
        else
            even = climb_all<E, P, false>(eq, s, m, odd, last, even);
#pragma unroll
        for (int f = 0; f < E::fields && !odd; f++)
            ss_store_points<T, P>(at + f * rows.field, even.at[f]);
    }
    meet_cluster(); /* nobody leaves while there may be mail for him */
}

#endif
