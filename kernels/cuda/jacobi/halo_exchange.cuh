/*
 * The halo exchange of persistent Jacobi: thread blocks that run at the same time pass the
 * outermost points they own to their up to eight neighbours through global memory. A block writes
 * its points, raises its flag, waits for the flags of its neighbours, and reads theirs. Only
 * neighbours wait for each other: on an H200 that takes 0.75 us, a barrier of the whole grid 0.97.
 *
 * Why one thread raises the flag for its block. The barrier before it orders the writes of all
 * threads of the block before what thread 0 does next. Thread 0 stores the flag with release order,
 * and release is cumulative: it publishes not only the thread's own writes but all that are ordered
 * before it, those of the other threads included. On the other side up to nine threads read one
 * flag each with acquire order, and the barrier behind that passes on what they may now see to
 * their whole block. So an exchange needs one store of a flag, and no fence per thread.
 *
 * Why a double buffer is enough. Exchange n uses buffer n mod 2. A block raises flag n + 1 only
 * after a barrier behind its reads of exchange n. A neighbour writes the same buffer again in
 * exchange n + 2, which it reaches only after it has waited for our flag n + 1: by then we have
 * read. It can thus be one exchange ahead of us, but never two. With a single buffer it could
 * overwrite points of exchange n that we have not read yet. Device code.
 */
#ifndef SS_CUDA_HALO_EXCHANGE_CUH
#define SS_CUDA_HALO_EXCHANGE_CUH

#include <cuda/atomic>

#include "kernels/cuda/jacobi/regions.cuh"
#include "kernels/cuda/jacobi/warp_tile.cuh"

/* The arguments of the persistent kernel. in, rhs, out and halo address interior point (0, 0); sy
 * is the distance of rows in all of them. */
template <typename T> struct persistent_args {
    const T *in, *rhs;
    T *out, *halo[2]; /* halo: the double buffer, arrays as large as a field */
    ptrdiff_t sy;
    regions x, y;
    int iterations;
    int epoch;    /* exchanges before this launch */
    int *flag;    /* [block]: exchanges that the block has finished writing */
    double *sums; /* squared changes [iteration][warp], or NULL */
};

/* Per-thread point masks used only in the halo exchange; kept in shared memory to save registers.
 * One bit per point. */
template <typename mask> struct exchange_masks {
    mask owned;
    mask sent;     /* owned, and within `every` points of a neighbour */
    mask received; /* halo: owned by a neighbour */
    mask frozen;   /* outside the grid */
    ptrdiff_t at;  /* offset of the lane's first point in a field */
};

/* The masks of a lane whose first point is (i, j), in the region (x, y) of block (bx, by). */
template <class P>
static __device__ __forceinline__ exchange_masks<typename P::mask>
make_masks(const persistent_args<typename P::T> &a, region x, region y, int bx, int by, int i,
           int j)
{
    typedef typename P::mask mask;
    exchange_masks<mask> m = {0, 0, 0, 0, (ptrdiff_t)j * a.sy + i};
    int ex = a.x.every, ey = a.y.every;
    /* Inner points are owned, and no neighbour needs them. */
    int inner_x0 = bx > 0 ? x.own0 + ex : x.own0, inner_y0 = by > 0 ? y.own0 + ey : y.own0;
    int inner_x1 = bx + 1 < a.x.count ? x.own1 - ex : x.own1;
    int inner_y1 = by + 1 < a.y.count ? y.own1 - ey : y.own1;
#pragma unroll 1
    for (int r = 0; r < P::R; r++)
#pragma unroll
        for (int c = 0; c < P::C; c++) {
            mask bit = (mask)1 << (r * P::C + c);
            int px = i + c, py = j + r;
            bool exists = px < a.x.n && py < a.y.n;
            bool owned = px >= x.own0 && px < x.own1 && py >= y.own0 && py < y.own1;
            bool near =
                px >= x.own0 - ex && px < x.own1 + ex && py >= y.own0 - ey && py < y.own1 + ey;
            bool inner = px >= inner_x0 && px < inner_x1 && py >= inner_y0 && py < inner_y1;
            m.frozen |= exists ? 0 : bit;
            m.owned |= exists && owned ? bit : 0;
            m.sent |= exists && owned && !inner ? bit : 0;
            m.received |= exists && near && !owned ? bit : 0;
        }
    return m;
}

/* Is each row of points in the mask completely or not at all? */
template <class P> static __device__ __forceinline__ bool whole_rows(typename P::mask bits)
{
    const unsigned row = (1u << P::C) - 1;
    bool whole = true;
#pragma unroll
    for (int r = 0; r < P::R; r++) {
        unsigned b = (unsigned)(bits >> (r * P::C)) & row;
        whole = whole && (b == 0 || b == row);
    }
    return whole;
}

/* --- accesses --------------------------------------------------------------------------------- */

/* Bypasses L1, which is not coherent with writes of other SMs. SEND: store, else load. */
template <bool SEND, typename T> static __device__ __forceinline__ void pass(T *memory, T &value)
{
    if (SEND)
        __stcg(memory, value);
    else
        value = __ldcg(memory);
}
template <bool SEND> static __device__ __forceinline__ void pass_vector(double *memory, double *u)
{
    double2 v = make_double2(u[0], u[1]);
    pass<SEND>((double2 *)memory, v);
    u[0] = v.x, u[1] = v.y;
}
template <bool SEND> static __device__ __forceinline__ void pass_vector(float *memory, float *u)
{
    float4 v = make_float4(u[0], u[1], u[2], u[3]);
    pass<SEND>((float4 *)memory, v);
    u[0] = v.x, u[1] = v.y, u[2] = v.z, u[3] = v.w;
}

/* Stores or loads the lane's points in the mask. WHOLE_ROWS: rows are in the mask completely or not
 * at all, and aligned for 16-byte accesses. opaque: the addresses of the rows are computed in each
 * exchange; kept in registers between exchanges they would make others spill. */
template <bool SEND, bool WHOLE_ROWS, class P>
static __device__ __forceinline__ void exchange_points(P &p, typename P::T *buffer, ptrdiff_t sy,
                                                       typename P::mask bits)
{
    const int C = P::C, N = WHOLE_ROWS ? pack<typename P::T>::n : 1;
    opaque(sy);
#pragma unroll
    for (int r = 0; r < P::R; r++, buffer += sy)
#pragma unroll
        for (int c = 0; c < C; c += N)
            if (bits >> (r * C + c) & 1) {
                if (WHOLE_ROWS)
                    pass_vector<SEND>(buffer + c, &p.u[r][c]);
                else
                    pass<SEND>(buffer + c, p.u[r][c]);
            }
}

/* --- the exchange ----------------------------------------------------------------------------- */

/* Returns when the blocks around block (bx, by) have written exchange `number`. Lines have no
 * neighbours in y. */
static __device__ __forceinline__ void
wait_for_neighbours(int *flags, const regions &rx, const regions &ry, int bx, int by, int number)
{
    int t = threadIdx.x, x = bx + t % 3 - 1, y = by + t / 3 - 1;
    bool neighbour = y == by || ry.every > 0;
    if (t < 9 && neighbour && x >= 0 && x < rx.count && y >= 0 && y < ry.count) {
        cuda::atomic_ref<int, cuda::thread_scope_device> flag(flags[y * rx.count + x]);
        while (flag.load(cuda::memory_order_acquire) < number) {
        }
    }
    __syncthreads(); /* what these threads have acquired, all may read */
}

template <bool WHOLE_ROWS, class P>
static __device__ __forceinline__ void exchange_halo(P &p, const persistent_args<typename P::T> &a,
                                                     int number,
                                                     const exchange_masks<typename P::mask> &m)
{
    int bx = blockIdx.x % a.x.count, by = blockIdx.x / a.x.count;
    /* Not halo[number & 1]: an indexed argument would be copied to local memory. */
    typename P::T *buffer = (number & 1 ? a.halo[1] : a.halo[0]) + m.at;
    exchange_points<true, WHOLE_ROWS>(p, buffer, a.sy, m.sent);
    __syncthreads(); /* all threads have written */
    if (threadIdx.x == 0) {
        cuda::atomic_ref<int, cuda::thread_scope_device> flag(a.flag[blockIdx.x]);
        flag.store(number, cuda::memory_order_release);
    }
    wait_for_neighbours(a.flag, a.x, a.y, bx, by, number);
    exchange_points<false, WHOLE_ROWS>(p, buffer, a.sy, m.received);
}

#endif
