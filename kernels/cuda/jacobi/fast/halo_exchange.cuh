/*
 * Reads after `persistent.cuh`. The halo exchange of persistent Jacobi. Thread blocks that run at
 * the same time pass points through global memory: a block sends the points it owns within `every`
 * points of a neighbour, and receives its halo, which is `every` points deep, from up to eight
 * neighbours, those at its corners included: after two iterations a point depends on its diagonal
 * neighbours. There are two ways.
 *
 * With slots (exchange_halo of slot_args; one device). The points are their own flags. A slot is a
 * field that holds NOTHING, a value that no update yields, wherever no point has been sent.
 * Exchange n of a thread, in slot n mod SLOTS:
 *
 *     1. store the sent points
 *     2. fence
 *     3. load the received points, again and again until none of them is NOTHING
 *     4. put NOTHING in place of the points sent in exchange n - 4
 *
 * No thread waits for another of its block, and a point takes one store and one load to its
 * neighbour; with flags it takes a store, the fence, the store of the flag, the load of the flag,
 * and then its own load. The fence's time passes while the neighbours' points are under way.
 *
 * Why slots can be used again. Between all threads' step 3 of exchange n and their step 1 of
 * exchange n + 1 the block passes a barrier: each iteration has one, or, if it has only halves of a
 * barrier (halo_strips), two iterations order all threads, and an exchange follows after four.
 *   - Who puts NOTHING in place of a point of exchange m destroys nothing: its readers have loaded
 *     it (exchange m), then their block has passed a barrier, its threads a fence (exchange m + 1),
 *     and sent points (m + 2), which our block has received before its fence of exchange m + 3, a
 *     barrier, and step 4 of exchange m + 4.
 *   - Who waits for a point of exchange m + 7 does not see that of exchange m instead: NOTHING was
 *     stored in exchange m + 4, then its writer has passed a fence (m + 5) and sent the next point
 *     (m + 6). The reader has received that one, and passed its own fence (m + 7), before it loads.
 * So seven slots are enough.
 *
 * With flags (exchange_halo of flag_args; several devices, and resident tiles). An exchange of one
 * block:
 *
 *     1. all threads     store the sent points in the exchange buffer; barrier
 *     2. thread 0        stores the exchange's number in the block's flag (release)
 *     3. threads 0 to 8  wait until the neighbours' flags have that number (acquire); barrier
 *     4. all threads     load the received points from the same buffer
 *
 * On an H200 waiting for flags alone takes 0.75 us, a barrier of the whole grid 0.97 us
 * (sync-neighbours and sync-grid in assets/measured/h200.md).
 *
 * Why one flag per block is enough. The barrier in step 1 orders the stores of all threads before
 * the store of thread 0. Release is cumulative: it publishes all stores that are ordered before it,
 * not only the thread's own. The barrier in step 3 extends the acquire loads of nine threads to the
 * whole block. No thread needs a fence of its own.
 *
 * Why a double buffer is enough. Exchange n uses buffer n mod 2. Our block raises flag n + 1 only
 * after a barrier that follows its loads of exchange n. A neighbour stores to the same buffer again
 * in exchange n + 2, which it begins only after it has waited for our flag n + 1. So it cannot
 * overwrite points that we still have to load. With one buffer it could: it may be one exchange
 * ahead. Device code.
 */
#ifndef SS_CUDA_HALO_EXCHANGE_CUH
#define SS_CUDA_HALO_EXCHANGE_CUH

#include "kernels/cuda/device/ptx.cuh"
#include "kernels/cuda/jacobi/regions.h"
#include "kernels/cuda/jacobi/tile_register.cuh"

/* The arguments of the persistent kernel. in, rhs, out, slots and exchange point to interior point
 * (0, 0) of arrays with the layout of a field: row stride sy, rows aligned to 128 bytes
 * (device/backend.c). A point has the same offset in all of them. */
template <typename T> struct persistent_args {
    const T *in, *rhs;
    T *out;
    ptrdiff_t sy;
    regions x, y;
    int iterations;
    int exchanges_before; /* exchanges of earlier launches; they are numbered from 1 */
    double *sums; /* [iteration][block][warp]: sums of squared updates; used only with NORM */
};

template <typename T> struct slot_args : persistent_args<T> {
    T *slots;
    ptrdiff_t slot; /* elements from one slot to the next */
};

template <typename T> struct flag_args : persistent_args<T> {
    T *exchange[2]; /* the double buffer of the exchange */
    int *flag;      /* [block]: number of the last exchange whose points the block has stored */
};

/*
 * The same where several devices share the grid: each has whole rows of regions, and runs the
 * kernel once. Pointers address interior point (0, 0) of the whole grid, although a device stores
 * some of its rows only. `flag` has a flag for each region of the grid. A block at the boundary of
 * two devices stores its points, and raises its flag, in the memory of the neighbouring device as
 * well, so that every block polls and loads from the memory of its own device: a poll over the link
 * would take microseconds.
 */
template <typename T> struct device_args : flag_args<T> {
    int first, end;  /* rows of regions of this device */
    T *beyond[2][2]; /* [south, north][buffer]: exchange buffers of the neighbouring devices */
    int *flags_beyond[2];
    int *lost; /* not 0: a neighbouring device did not answer */
};

/* The region of a block, numbered along x, then y. */
template <typename T>
static __device__ __forceinline__ unsigned region_of(const persistent_args<T> &)
{
    return blockIdx.x;
}
template <typename T> static __device__ __forceinline__ unsigned region_of(const device_args<T> &a)
{
    return blockIdx.x + a.first * a.x.count;
}

/* Which of a lane's R x C points are owned and so on: bit r * C + c for row r, column c. Each
 * thread has its masks in shared memory, to save registers. Example, a region of an inner block in
 * one direction, with width = 12 and every = 2; o owned, s owned and sent, r received:
 *
 *     rrssoooossrr
 *
 * The points marked x in regions.h, which only the last region has, are in no mask. They lie more
 * than `every` points from the owned ones, so that their values never reach those. */
template <typename mask> struct point_masks {
    mask owned;    /* the block stores these when the launch ends */
    mask sent;     /* owned, and within `every` points of a neighbour */
    mask received; /* halo: owned by a neighbour, and within `every` points of ours */
    mask frozen;   /* outside the grid, which is smaller than the region: they keep the value 0 */
    ptrdiff_t offset; /* of the lane's first point from interior point (0, 0) */
};

/* The masks of a lane whose first point is (i, j), in the region (x, y) of block (bx, by). Points
 * have px, py >= 0, since lo >= 0. Rows are a rolled loop: this code runs once per launch. */
template <class P>
static __device__ __forceinline__ point_masks<typename P::mask>
make_masks(const persistent_args<typename P::T> &a, region x, region y, int bx, int by, int i,
           int j)
{
    typedef typename P::mask mask;
    point_masks<mask> m = {0, 0, 0, 0, (ptrdiff_t)j * a.sy + i};
    int ex = a.x.every, ey = a.y.every;
    /* Inner points are owned, and no neighbour needs them. No neighbour, no sent points: at the
     * ends of the grid the inner points extend to the end. */
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

/* Is each of the lane's rows in the mask with all of its C points or with none? */
template <class P> static __device__ __forceinline__ bool whole_rows(typename P::mask bits)
{
    const unsigned row = ~0u >> (32 - P::C);
    bool whole = true;
#pragma unroll
    for (int r = 0; r < P::R; r++) {
        unsigned b = (unsigned)(bits >> (r * P::C)) & row;
        whole = whole && (b == 0 || b == row);
    }
    return whole;
}

/* --- accesses --------------------------------------------------------------------------------- */

/* Stores (SEND) or loads a value in L2, the first cache that all SMs share. L1 is bypassed: it is
 * not coherent with stores of other SMs. */
template <bool SEND, typename T>
static __device__ __forceinline__ void access_l2(T *memory, T &value)
{
    if (SEND)
        __stcg(memory, value);
    else
        value = __ldcg(memory);
}
template <bool SEND>
static __device__ __forceinline__ void access_l2_vector(double *memory, double *u)
{
    double2 v = make_double2(u[0], u[1]);
    access_l2<SEND>((double2 *)memory, v);
    u[0] = v.x, u[1] = v.y;
}
template <bool SEND>
static __device__ __forceinline__ void access_l2_vector(float *memory, float *u)
{
    float4 v = make_float4(u[0], u[1], u[2], u[3]);
    access_l2<SEND>((float4 *)memory, v);
    u[0] = v.x, u[1] = v.y, u[2] = v.z, u[3] = v.w;
}

/* Stores (SEND) or loads the lane's points in the mask. WHOLE_ROWS: each row is in the mask with
 * all points or none, and rows are accessed 16 bytes at a time, N points. That never holds on
 * lines, where C = 11 is no multiple of N: the first points of two adjacent lanes are 11 apart, so
 * that they are not both aligned. */
template <bool SEND, bool WHOLE_ROWS, class P>
static __device__ __forceinline__ void exchange_points(P &p, typename P::T *buffer, ptrdiff_t sy,
                                                       typename P::mask bits)
{
    const int C = P::C, N = WHOLE_ROWS ? pack<typename P::T>::n : 1;
    opaque(sy); /* the rows' addresses are computed again in each exchange: saves registers */
#pragma unroll
    for (int r = 0; r < P::R; r++, buffer += sy)
#pragma unroll
        for (int c = 0; c < C; c += N)
            if (bits >> (r * C + c) & 1) {
                if (WHOLE_ROWS)
                    access_l2_vector<SEND>(buffer + c, &p.u[r][c]);
                else
                    access_l2<SEND>(buffer + c, p.u[r][c]);
            }
}

/* --- the exchange with flags ------------------------------------------------------------------ */

/* Waits until a flag has the number; gives up if another device does not answer for seconds, so
 * that no kernel waits forever for one that has failed. */
template <typename T>
static __device__ __forceinline__ void wait_for_flag(const flag_args<T> &, int &raised, int number)
{
    while (load_acquire(&raised) < number) {
    }
}
template <typename T>
static __device__ __forceinline__ void wait_for_flag(const device_args<T> &a, int &raised,
                                                     int number)
{
    for (int left = 1 << 23; load_acquire<SYSTEM>(&raised) < number; left--)
        if (left == 0 || *(volatile int *)a.lost) {
            *(volatile int *)a.lost = 1;
            return;
        }
}

/* Returns when the blocks around block (bx, by) have stored their points of exchange `number`.
 * Thread 3 * (dy + 1) + dx + 1 polls the flag of block (bx + dx, by + dy), dx and dy from -1 to 1;
 * thread 4 reads the block's own flag, which is raised already. Lines have no neighbours in y. */
template <class A>
static __device__ __forceinline__ void wait_for_neighbours(const A &a, int bx, int by, int number)
{
    int t = threadIdx.x, x = bx + t % 3 - 1, y = by + t / 3 - 1;
    bool neighbour = y == by || a.y.every > 0;
    if (t < 9 && neighbour && x >= 0 && x < a.x.count && y >= 0 && y < a.y.count)
        wait_for_flag(a, a.flag[y * a.x.count + x], number);
    __syncthreads(); /* no thread loads before these nine have seen the flags */
}

/* The sent points of a lane within `every` rows of the neighbouring device. */
template <class P, typename T>
static __device__ __forceinline__ typename P::mask
bits_beyond(const device_args<T> &a, int by, int side, const point_masks<typename P::mask> &m)
{
    typedef typename P::mask mask;
    region y = find_region(a.y, by);
    int j = (int)(m.offset / a.sy); /* of the lane's first row */
    int lo = side ? y.own1 - a.y.every : y.own0, hi = side ? y.own1 : y.own0 + a.y.every;
    mask row = ((mask)1 << P::C) - 1, rows = 0;
    for (int r = 0; r < P::R; r++)
        rows |= j + r >= lo && j + r < hi ? row << (r * P::C) : 0;
    return m.sent & rows;
}

/* Has the block of regions in row `by` a neighbour on another device to the south or north? */
template <typename T>
static __device__ __forceinline__ bool is_boundary(const device_args<T> &a, int by, int side)
{
    return side ? by == a.end - 1 && a.end < a.y.count : by == a.first && a.first > 0;
}

/* Step 1 and 2 for the neighbouring devices. */
template <bool WHOLE_ROWS, class P>
static __device__ __forceinline__ void send_beyond(P &, const flag_args<typename P::T> &, int, int,
                                                   const point_masks<typename P::mask> &)
{
}
template <bool WHOLE_ROWS, class P>
static __device__ __forceinline__ void send_beyond(P &p, const device_args<typename P::T> &a,
                                                   int by, int number,
                                                   const point_masks<typename P::mask> &m)
{
#pragma unroll
    for (int side = 0; side < 2; side++)
        if (is_boundary(a, by, side)) {
            typename P::T *to = number & 1 ? a.beyond[side][1] : a.beyond[side][0];
            exchange_points<true, WHOLE_ROWS>(p, to + m.offset, a.sy,
                                              bits_beyond<P>(a, by, side, m));
        }
}

template <typename T>
static __device__ __forceinline__ void raise_flags(const flag_args<T> &a, int, int number)
{
    store_release(&a.flag[region_of(a)], number);
}
template <typename T>
static __device__ __forceinline__ void raise_flags(const device_args<T> &a, int by, int number)
{
    store_release<SYSTEM>(&a.flag[region_of(a)], number);
#pragma unroll
    for (int side = 0; side < 2; side++)
        if (is_boundary(a, by, side))
            store_release<SYSTEM>(&a.flags_beyond[side][region_of(a)], number);
}

/* Exchange `number` with flags, in the four steps above. */
template <bool WHOLE_ROWS, class P, class A>
static __device__ __forceinline__ void exchange_halo(P &p, const A &a, int number,
                                                     const point_masks<typename P::mask> &m)
{
    int bx = region_of(a) % a.x.count, by = region_of(a) / a.x.count;
    /* Not exchange[number & 1]: an indexed argument would be copied to local memory. */
    typename P::T *buffer = (number & 1 ? a.exchange[1] : a.exchange[0]) + m.offset;
    exchange_points<true, WHOLE_ROWS>(p, buffer, a.sy, m.sent);
    send_beyond<WHOLE_ROWS>(p, a, by, number, m);
    __syncthreads(); /* all threads have stored, before the flag is raised */
    if (threadIdx.x == 0)
        raise_flags(a, by, number);
    wait_for_neighbours(a, bx, by, number);
    exchange_points<false, WHOLE_ROWS>(p, buffer, a.sy, m.received);
}

/* --- the exchange with slots ------------------------------------------------------------------ */

#define SLOTS 7 /* as in persistent.c */

/* NOTHING is a signalling NaN: the result of arithmetic never is one. */
#define NOTHING_F64 0x7ff00001 /* its upper half */
#define NOTHING_F32 0x7f800001

static __device__ __forceinline__ void make_nothing(double &v)
{
    v = __hiloint2double(NOTHING_F64, 0);
}
static __device__ __forceinline__ void make_nothing(float &v)
{
    v = __int_as_float(NOTHING_F32);
}
static __device__ __forceinline__ bool is_nothing(double v)
{
    return __double2hiint(v) == NOTHING_F64;
}
static __device__ __forceinline__ bool is_nothing(float v)
{
    return __float_as_int(v) == NOTHING_F32;
}

/* Before the first exchange. */
template <typename T> __global__ void fill_with_nothing(T *slots, size_t count)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < count;
         i += (size_t)gridDim.x * blockDim.x)
        make_nothing(slots[i]);
}

/* Calls each(address in the slot, the lane's N points there) for the points in the mask. With
 * WHOLE_ROWS the first bit of a row tells of all its points. */
template <bool WHOLE_ROWS, class P, class EACH>
static __device__ __forceinline__ void visit_slot(P &p, typename P::T *slot, ptrdiff_t sy,
                                                  typename P::mask bits, EACH each)
{
    const int N = WHOLE_ROWS ? pack<typename P::T>::n : 1;
    opaque(sy);
#pragma unroll
    for (int r = 0; r < P::R; r++, slot += sy)
#pragma unroll
        for (int c = 0; c < P::C; c += N)
            if (bits >> (r * P::C + (WHOLE_ROWS ? 0 : c)) & 1)
                each(slot + c, &p.u[r][c]);
}

template <bool WHOLE_ROWS, class P>
static __device__ __forceinline__ void send_points(P &p, typename P::T *slot, ptrdiff_t sy,
                                                   typename P::mask bits)
{
    typedef typename P::T T;
    const int N = WHOLE_ROWS ? pack<T>::n : 1;
    visit_slot<WHOLE_ROWS>(p, slot, sy, bits, [](T *to, const T *u) {
        pack<T> v;
#pragma unroll
        for (int k = 0; k < N; k++)
            v.v[k] = u[k];
        if (WHOLE_ROWS)
            store_relaxed((pack<T> *)to, v);
        else
            store_relaxed(to, v.v[0]);
    });
}

template <bool WHOLE_ROWS, class P>
static __device__ __forceinline__ void erase_points(P &p, typename P::T *slot, ptrdiff_t sy,
                                                    typename P::mask bits)
{
    typedef typename P::T T;
    const int N = WHOLE_ROWS ? pack<T>::n : 1;
    visit_slot<WHOLE_ROWS>(p, slot, sy, bits, [](T *to, const T *) {
        pack<T> v;
#pragma unroll
        for (int k = 0; k < N; k++)
            make_nothing(v.v[k]);
        if (WHOLE_ROWS)
            store_relaxed((pack<T> *)to, v);
        else
            store_relaxed(to, v.v[0]);
    });
}

/* Loads the points once. True if all are there; no point of a lane is NOTHING otherwise. */
template <bool WHOLE_ROWS, class P>
static __device__ __forceinline__ bool receive_points(P &p, typename P::T *slot, ptrdiff_t sy,
                                                      typename P::mask bits)
{
    typedef typename P::T T;
    const int N = WHOLE_ROWS ? pack<T>::n : 1;
    visit_slot<WHOLE_ROWS>(p, slot, sy, bits, [](const T *from, T *u) {
        pack<T> v;
        if (WHOLE_ROWS)
            v = load_relaxed((const pack<T> *)from);
        else
            v.v[0] = load_relaxed(from);
#pragma unroll
        for (int k = 0; k < N; k++)
            u[k] = v.v[k];
    });
    bool missing[P::C] = {}; /* by column, so that no test waits for the one before it */
#pragma unroll
    for (int r = 0; r < P::R; r++)
#pragma unroll
        for (int c = 0; c < P::C; c++)
            missing[c] = missing[c] | is_nothing(p.u[r][c]);
    bool any = false;
#pragma unroll
    for (int c = 0; c < P::C; c++)
        any = any | missing[c];
    return !any;
}

/* Exchange `number` with slots, in the four steps above. */
template <bool WHOLE_ROWS, class P, typename T>
static __device__ __forceinline__ void exchange_halo(P &p, const slot_args<T> &a, int number,
                                                     const point_masks<typename P::mask> &m)
{
    T *slot = a.slots + number % SLOTS * a.slot + m.offset;
    send_points<WHOLE_ROWS>(p, slot, a.sy, m.sent);
    fence_gpu();
    while (!receive_points<WHOLE_ROWS>(p, slot, a.sy, m.received)) {
    }
    T *old = a.slots + (number + SLOTS - 4) % SLOTS * a.slot + m.offset;
    erase_points<WHOLE_ROWS>(p, old, a.sy, m.sent);
}

#endif
