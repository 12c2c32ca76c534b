/*
 * Persistent Jacobi on the GPU: one launch for many iterations, a thread block per processor, and
 * the grid in their registers (warp_tile.cuh). A block's region covers `every` points more than the
 * block owns on each side, except at the ends of the grid. Every `every` iterations the block
 * writes the outermost points it owns to memory, raises its flag, waits for the flags of the up to
 * eight blocks around it, and reads theirs. All blocks must run at once, which a cooperative launch
 * makes sure of. On lines a region is a piece of each of several lines, and only the pieces' ends
 * are exchanged. Included by persistent.cu, which launches this kernel.
 *
 * Why one thread may raise the flag for all (exchange). The barrier before it orders what all
 * threads of the block have written before what thread 0 does next. Thread 0 stores the flag with
 * release order, and release is cumulative: it publishes not only the thread's own writes but all
 * that come before it, those of the others by way of the barrier included. On the other side up to
 * nine threads read a flag each with acquire order, and the barrier behind that
 * (wait_for_neighbours) passes on what they may now see to their whole block. So an exchange needs
 * one store of a flag and no fence by each thread.
 *
 * Why two buffers are enough. Exchange n uses buffer n mod 2. A block raises flag n + 1 only after
 * a barrier behind its reads of exchange n. A neighbour writes into the same buffer again at
 * exchange n + 2, which it reaches only after it has waited for our flag n + 1: by then we have
 * read. It can be one exchange ahead of us, then, but never two. With one buffer it could write
 * exchange n + 1 over points of exchange n that we have not read yet.
 */
#ifndef SS_CUDA_STAY_CUH
#define SS_CUDA_STAY_CUH

#include <cuda/atomic>

#include "kernels/cuda/device/common.cuh"
#include "kernels/cuda/jacobi/warp_tile.cuh"

/* One direction, cut into regions of `width` points that share 2 * every with each neighbour. */
struct cuts {
    int n, width, every, count;
};

struct piece {
    int lo;         /* the region is [lo, lo + width) */
    int own0, own1; /* of which these are the block's */
};

static cuts make_cuts(int n, int width, int every)
{
    cuts c = {n, width, every, 1};
    int end = width - every, middle = width - 2 * every;
    if (n > 2 * end)
        c.count = 2 + ceil_div(n - 2 * end, middle);
    else if (n > width)
        c.count = 2;
    return c;
}

static __host__ __device__ piece cut_piece(cuts c, int i)
{
    int end = c.width - c.every, middle = c.width - 2 * c.every;
    piece p;
    p.own0 = i == 0 ? 0 : end + (i - 1) * middle;
    p.own1 = i == c.count - 1 ? c.n : end + i * middle;
    p.lo = p.own0 - c.every;
    p.lo = p.lo + c.width > c.n ? c.n - c.width : p.lo;
    p.lo = p.lo < 0 ? 0 : p.lo;
    return p;
}

template <typename T> struct persistence {
    const T *in, *rhs;
    T *out, *fringe[2];
    ptrdiff_t sy;
    cuts x, y;
    int iterations;
    int epoch;    /* exchanges before this launch */
    int *flag;    /* exchanges each block has finished writing */
    double *sums; /* NULL, or [iteration][warp] */
};

/* The blocks around this one have written exchange `epoch`. */
static __device__ __forceinline__ void
wait_for_neighbours(int *flags, const cuts &across, const cuts &up, int bx, int by, int epoch)
{
    int t = threadIdx.x, x = bx + t % 3 - 1, y = by + t / 3 - 1;
    bool concerned = y == by || up.every > 0;
    if (t < 9 && concerned && x >= 0 && x < across.count && y >= 0 && y < up.count) {
        cuda::atomic_ref<int, cuda::thread_scope_device> flag(flags[y * across.count + x]);
        while (flag.load(cuda::memory_order_acquire) < epoch) {
        }
    }
    __syncthreads();
}

/* What a thread needs at an exchange only: no reason to keep it in registers. A bit a point. */
template <typename mask> struct parts {
    mask owned, gives, takes, frozen;
    ptrdiff_t at; /* the lane's first point, as an offset in a field */
};

/* Past the first-level cache, which knows nothing of what other processors write. */
template <bool GIVE, typename T> static __device__ __forceinline__ void pass(T *memory, T &value)
{
    if (GIVE)
        __stcg(memory, value);
    else
        value = __ldcg(memory);
}
template <bool GIVE> static __device__ __forceinline__ void pass_pack(double *memory, double *u)
{
    double2 v = make_double2(u[0], u[1]);
    pass<GIVE>((double2 *)memory, v);
    u[0] = v.x, u[1] = v.y;
}
template <bool GIVE> static __device__ __forceinline__ void pass_pack(float *memory, float *u)
{
    float4 v = make_float4(u[0], u[1], u[2], u[3]);
    pass<GIVE>((float4 *)memory, v);
    u[0] = v.x, u[1] = v.y, u[2] = v.z, u[3] = v.w;
}

/* The lane's points with their bit set go to memory or come from there. ROWS: a row of C points is
 * passed as a whole or not at all, and lies well. */
template <bool GIVE, bool ROWS, class P>
static __device__ __forceinline__ void pass_points(P &p, typename P::T *band, ptrdiff_t sy,
                                                   typename P::mask bits)
{
    const int C = P::C, N = ROWS ? pack<typename P::T>::n : 1;
    forget(sy);
#pragma unroll
    for (int r = 0; r < P::R; r++, band += sy)
#pragma unroll
        for (int c = 0; c < C; c += N)
            if (bits >> (r * C + c) & 1) {
                if (ROWS)
                    pass_pack<GIVE>(band + c, &p.u[r][c]);
                else
                    pass<GIVE>(band + c, p.u[r][c]);
            }
}

/* Are the bits of each row all alike? */
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

/* The lane's points of an array, or their right-hand sides; zero where they are frozen. */
template <bool RHS, class P>
static __device__ __forceinline__ void take_points(P &p, const typename P::T *from, ptrdiff_t sy)
{
    forget(sy);
#pragma unroll
    for (int r = 0; r < P::R; r++, from += sy)
#pragma unroll
        for (int c = 0; c < P::C; c++)
            (RHS ? p.g(r, c) : p.u[r][c]) = p.keeps(r, c) ? 0 : from[c];
}

/* Which of the lane's points are whose. */
template <class P>
static __device__ __forceinline__ parts<typename P::mask>
share_out(const persistence<typename P::T> &a, piece x, piece y, int bx, int by, int i, int j)
{
    typedef typename P::mask mask;
    parts<mask> part = {0, 0, 0, 0, (ptrdiff_t)j * a.sy + i};
    int ex = a.x.every, ey = a.y.every;
    /* Owned points that others need lie within `every` of an end that is not the grid's. */
    int deep_x0 = bx > 0 ? x.own0 + ex : x.own0, deep_y0 = by > 0 ? y.own0 + ey : y.own0;
    int deep_x1 = bx + 1 < a.x.count ? x.own1 - ex : x.own1;
    int deep_y1 = by + 1 < a.y.count ? y.own1 - ey : y.own1;
#pragma unroll 1
    for (int r = 0; r < P::R; r++)
#pragma unroll
        for (int c = 0; c < P::C; c++) {
            mask bit = (mask)1 << (r * P::C + c);
            int px = i + c, py = j + r;
            bool inside = px < a.x.n && py < a.y.n;
            bool mine = px >= x.own0 && px < x.own1 && py >= y.own0 && py < y.own1;
            bool near =
                px >= x.own0 - ex && px < x.own1 + ex && py >= y.own0 - ey && py < y.own1 + ey;
            bool deep = px >= deep_x0 && px < deep_x1 && py >= deep_y0 && py < deep_y1;
            part.frozen |= inside ? 0 : bit;
            part.owned |= inside && mine ? bit : 0;
            part.gives |= inside && mine && !deep ? bit : 0;
            part.takes |= inside && near && !mine ? bit : 0;
        }
    return part;
}

template <bool ROWS, class P>
static __device__ __forceinline__ void exchange(P &p, const persistence<typename P::T> &a,
                                                int number, const parts<typename P::mask> &part)
{
    int bx = blockIdx.x % a.x.count, by = blockIdx.x / a.x.count;
    /* Not fringe[number & 1]: to be indexed the pointers would be copied to local memory. */
    typename P::T *band = (number & 1 ? a.fringe[1] : a.fringe[0]) + part.at;
    pass_points<true, ROWS>(p, band, a.sy, part.gives);
    __syncthreads();
    if (threadIdx.x == 0) {
        cuda::atomic_ref<int, cuda::thread_scope_device> flag(a.flag[blockIdx.x]);
        flag.store(number, cuda::memory_order_release);
    }
    wait_for_neighbours(a.flag, a.x, a.y, bx, by, number);
    pass_points<false, ROWS>(p, band, a.sy, part.takes);
}

/* A block's shared memory. */
template <class P, int WX, int WY> struct desk {
    fringes<P, WX, WY> fringe;
    parts<typename P::mask> part[32 * WX * WY];
    typename P::template room<P::ASIDE ? WX * WY : 1> aside;
};

template <class E, class P, int WX, int WY, bool NORM, bool FROZEN>
__global__ void __launch_bounds__(32 * WX * WY, 1) stay(persistence<typename E::real> a, E update)
{
    typedef typename E::real T;
    typedef typename P::mask mask;
    extern __shared__ double raw[];
    desk<P, WX, WY> &d = *(desk<P, WX, WY> *)raw;
    fringes<P, WX, WY> &fringe = d.fringe;
    parts<mask> *part = d.part;
    const int warp = threadIdx.x / 32, bx = blockIdx.x % a.x.count, by = blockIdx.x / a.x.count;
    P p;
    p.start();
    p.wait_in(d.aside);
    piece x = cut_piece(a.x, bx), y = cut_piece(a.y, by);
    int i = x.lo + warp % WX * P::WIDTH + p.x(0), j = y.lo + warp / WX * P::HEIGHT + p.y(0);
    parts<mask> mine = share_out<P>(a, x, y, bx, by, i, j);
    part[threadIdx.x] = mine;
    bool rows = i % pack<T>::n == 0 && whole_rows<P>(mine.gives) && whole_rows<P>(mine.takes);
    rows = __syncthreads_and(rows);
    p.frozen = mine.frozen;
    take_points<false>(p, a.in + part[threadIdx.x].at, a.sy);
    __syncthreads();
    take_points<true>(p, a.rhs + part[threadIdx.x].at, a.sy);
    const T zero_x[P::R] = {}, zero_y[P::C] = {};
    fringe.freeze(p, zero_x, zero_y, zero_y);
    fringe.show(p, 0);
    for (int n = 0, left = a.x.every, number = a.epoch; n < a.iterations; n++) {
        beside<T> f = fringe.of(p, n);
        if (FROZEN)
            p.frozen = part[threadIdx.x].frozen;
        if (NORM) {
            double sum = p.template sweep<true, FROZEN>(update, f, part[threadIdx.x].owned);
            for (int step = 16; step > 0; step /= 2)
                sum += __shfl_down_sync(~0u, sum, step);
            if (threadIdx.x % 32 == 0)
                a.sums[((size_t)n * gridDim.x + blockIdx.x) * WX * WY + warp] = sum;
        } else {
            p.template sweep<false, FROZEN>(update, f, 0);
        }
        if (--left == 0 && n + 1 < a.iterations) {
            left = a.x.every;
            number++;
            if (rows)
                exchange<true>(p, a, number, part[threadIdx.x]);
            else
                exchange<false>(p, a, number, part[threadIdx.x]);
        }
        fringe.show(p, n + 1);
    }
    T *out = a.out + part[threadIdx.x].at;
    mask owned = part[threadIdx.x].owned;
#pragma unroll
    for (int r = 0; r < P::R; r++)
#pragma unroll
        for (int c = 0; c < P::C; c++)
            if (owned >> (r * P::C + c) & 1)
                out[r * a.sy + c] = p.u[r][c];
}

/* Block n adds up iteration n. */
static __global__ void add_up(const double *sums, int warps, double *squares)
{
    double sum = 0;
    for (int i = threadIdx.x; i < warps; i += blockDim.x)
        sum += sums[(size_t)blockIdx.x * warps + i];
    sum = block_sum(sum);
    if (threadIdx.x == 0)
        squares[blockIdx.x] = sum;
}

#endif
