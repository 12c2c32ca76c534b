/*
 * Reads after `tile_register.cuh`. Persistent Jacobi: one kernel launch for many iterations, with
 * at most one thread block per SM and the whole grid in the registers of the blocks. Each block
 * holds a region (regions.h), one tile per warp (warp_tile). The result is classic Jacobi, bit
 * for bit.
 *
 * Blocks exchange halos only every `every` iterations (halo_exchange.cuh). Between exchanges a
 * block updates its halo as well. Beyond the region's edge it knows no values unless the grid
 * ends there, so that wrong ones enter and advance one point per iteration. With every = 3, from
 * the edge of a region inwards:
 *
 *                          halo    owned
 *     after an exchange    + + +   + + +      + right
 *     1 iteration later    - + +   + + +      - wrong
 *     2                    - - +   + + +
 *     3                    - - -   + + +      the next exchange replaces the halo
 *
 * The price is redundant work: at n = 1024 in double precision with every = 8 there are 9 x 14
 * regions of 128 x 88 points, 1.35 updates per point and iteration.
 *
 * A cooperative launch ensures that all blocks are resident at once; otherwise a block could wait
 * for the flag of one that cannot start. On lines, independent 1D problems, a region is the same
 * range of several lines, and only the ends of the range are exchanged.
 *
 * Global memory: field and right-hand side are read once per launch and the field is written once;
 * each exchange stores its points twice and loads them (halo_exchange.cuh); with norms each warp
 * writes a sum per iteration.
 *
 * The limit of the grid's size is registers: a thread holds up to 44 points in double precision
 * with their right-hand sides, 176 of its 255 registers; or 52 with right-hand sides in shared
 * memory, 104 of 168. Therefore masks, and with norms some
 * right-hand sides, are in shared memory; addresses are computed again rather than held in
 * registers (opaque).
 *
 * H100, n = 1024, time per iteration (measured.md says what each part gives). With every = 4 and 8
 * lanes exchange whole rows, which has a faster kernel (grid_kind).
 *
 *     every              1         2         4         8
 *     double precision   2.80 us   1.91 us   1.01 us   0.80 us
 *     single precision   1.98 us   1.30 us   0.71 us   0.51 us
 *
 * persistent.c launches these kernels.
 */
#ifndef SS_CUDA_PERSISTENT_CUH
#define SS_CUDA_PERSISTENT_CUH

#include "kernels/cuda/device/norm.cuh"
#include "kernels/cuda/jacobi/block_shape.h"
#include "kernels/cuda/jacobi/fast/halo_exchange.cuh"

/* Which points of a grid are exchanged, and whether some stay frozen; the host chooses
 * (kind_of in persistent.c). */
enum grid_kind {
    WHOLE_ROWS, /* a lane sends or receives each of its rows with all points or none */
    ANY_POINTS,
    SMALL_GRID /* any points; the grid is smaller than a region, points outside it stay 0 */
};

/* --- more of warp_tile and halo_strips -------------------------------------------------------- */

/* Shared memory for the right-hand sides of a lane's last P::SMEM_ROWS rows, for kernels that would
 * spill registers with all of them. Lanes of a warp access consecutive words: no bank conflicts. */
template <class P, int WARPS> struct rhs_smem {
    typename P::T g[P::SMEM_ROWS > 0 ? WARPS : 1][P::SMEM_ROWS > 0 ? P::SMEM_ROWS : 1][P::C][32];
};
template <class P, int WARPS>
static __device__ __forceinline__ void use_smem(P &p, rhs_smem<P, WARPS> &s)
{
    p.smem_rhs = P::SMEM_ROWS > 0 ? &s.g[threadIdx.x / 32][0][0][threadIdx.x % 32] : nullptr;
}

/* Row r of a subiteration between two rows, with zeros west and east of the tile. */
template <class E, class P>
static __device__ __forceinline__ void update_row(P &p, const E &update, int r,
                                                  const typename P::T (&south)[P::C],
                                                  const typename P::T (&north)[P::C])
{
    const int C = P::C;
    typedef typename P::T T;
    T west = __shfl_up_sync(~0u, p.u[r][C - 1], 1);
    T east = __shfl_down_sync(~0u, p.u[r][0], 1);
    west = p.lx == 0 ? 0 : west;
    east = p.lx == P::LX - 1 ? 0 : east;
#pragma unroll
    for (int c = 0; c < C; c++) {
        T here = p.u[r][c];
        p.u[r][c] = update(p.rhs(r, c), west, c + 1 < C ? p.u[r][c + 1] : east, south[c], north[c]);
        west = here;
    }
}

/* One subiteration that needs the halo late, with one row of lanes (LY = 1) and zeros at the sides:
 * first the inner rows, then wait(), then the two rows next to the halo. */
template <class E, class P, class WAIT>
static __device__ __forceinline__ void
sweep_inner_first(P &p, const E &update, const halo_ptrs<typename P::T> &halo, WAIT wait)
{
    typedef typename P::T T;
    const int C = P::C, R = P::R;
    static_assert(P::LY == 1 && R > 2, "lanes have no neighbours in y");
    T south[C], second[C], beyond_south[C], beyond_north[C];
#pragma unroll
    for (int c = 0; c < C; c++)
        south[c] = p.u[0][c], second[c] = p.u[1][c];
#pragma unroll
    for (int r = 1; r < R - 1; r++) {
        T old[C];
#pragma unroll
        for (int c = 0; c < C; c++)
            old[c] = p.u[r][c];
        update_row(p, update, r, south, p.u[r + 1]);
#pragma unroll
        for (int c = 0; c < C; c++)
            south[c] = old[c];
    }
    wait();
    P::load_strip(halo.south, beyond_south);
    P::load_strip(halo.north, beyond_north);
    update_row(p, update, 0, beyond_south, second);
    update_row(p, update, R - 1, south, beyond_north);
}

/* The barrier of halo_strips::publish in halves, so that warps compute between them: write(n),
 * arrive_strips(n), later wait_for_strips(n). With WX = 1 and an even number of warps. The even
 * warps arrive at barriers at which the odd ones wait, and the other way round; a warp's neighbours
 * are all of the other kind. Each kind has two barriers in turn. When a warp arrives at one again,
 * its last phase is over: the warp has waited for an arrival of the other kind, which follows their
 * wait in that phase. That arrival also follows their loads of the strips which the warp then
 * writes again. */
template <int THREADS> static __device__ __forceinline__ void arrive_strips(int n)
{
    barrier_arrive<THREADS>(1 + (n & 1) * 2 + (threadIdx.x / 32 & 1));
}
template <int THREADS> static __device__ __forceinline__ void wait_for_strips(int n)
{
    barrier_sync<THREADS>(1 + (n & 1) * 2 + (~(threadIdx.x / 32) & 1));
}

/* The shared memory of a block. strips: the halos of its warps, which lie inside the region. */
template <class P, int WX, int WY> struct block_smem {
    halo_strips<P, WX, WY> strips;
    point_masks<typename P::mask> masks[32 * WX * WY];
    rhs_smem<P, WX * WY> rhs;
};

/* --- load ------------------------------------------------------------------------------------- */

/* Loads those of the lane's points that are in the mask, or with RHS their right-hand sides; the
 * others become 0. */
template <bool RHS, class P>
static __device__ __forceinline__ void load_masked(P &p, const typename P::T *from, ptrdiff_t sy,
                                                   typename P::mask bits)
{
    opaque(sy); /* no register holds rows' addresses from one call to the next */
#pragma unroll
    for (int r = 0; r < P::R; r++, from += sy)
#pragma unroll
        for (int c = 0; c < P::C; c++)
            (RHS ? p.rhs(r, c) : p.u[r][c]) = bits >> (r * P::C + c) & 1 ? from[c] : 0;
}

/* Loads the warp's tile of the region and makes its masks. */
template <class P, int WX, int WY, class A>
static __device__ __forceinline__ void load_region(P &p, block_smem<P, WX, WY> &smem, const A &a)
{
    int warp = threadIdx.x / 32, bx = region_of(a) % a.x.count, by = region_of(a) / a.x.count;
    region x = find_region(a.x, bx), y = find_region(a.y, by);
    int i = x.lo + warp % WX * P::WIDTH + p.x(0), j = y.lo + warp / WX * P::HEIGHT + p.y(0);
    point_masks<typename P::mask> m = make_masks<P>(a, x, y, bx, by, i, j);
    smem.masks[threadIdx.x] = m;
    p.frozen = m.frozen;
    load_masked<false>(p, a.in + smem.masks[threadIdx.x].offset, a.sy, ~p.frozen);
    __syncthreads(); /* only to keep the loads of u and rhs apart: up to 6 registers less */
    load_masked<true>(p, a.rhs + smem.masks[threadIdx.x].offset, a.sy, ~p.frozen);
    /* Beyond the region: 0, the boundary value of every field, at the ends of the grid. Elsewhere
     * any value would do: it is the source of the wrong values that the exchange replaces. */
    const typename P::T zero_x[P::R] = {}, zero_y[P::C] = {};
    smem.strips.init(p, zero_x, zero_y, zero_y);
}

/* --- iterate ---------------------------------------------------------------------------------- */

/* Writes the warp's sum of squared updates (u' - u)^2 of iteration n. */
template <int WARPS>
static __device__ __forceinline__ void store_sum(double *sums, int n, double sum)
{
    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_down_sync(~0u, sum, step);
    if (threadIdx.x % 32 == 0)
        sums[((size_t)n * gridDim.x + blockIdx.x) * WARPS + threadIdx.x / 32] = sum;
}

/* One iteration. First the warps' outermost points become the halos of their neighbours, in buffer
 * n mod 2 of the strips: the received points after an exchange, too. */
template <bool NORM, bool FROZEN, class E, class P, int WX, int WY, class A>
static __device__ __forceinline__ void iterate_once(P &p, block_smem<P, WX, WY> &smem,
                                                    const E &update, const A &a, int n)
{
    smem.strips.publish(p, n);
    halo_ptrs<typename P::T> halo = smem.strips.ptrs(p, n);
    const bool zero = WX == 1; /* beyond a region: zeros */
    if (FROZEN)
        p.frozen = smem.masks[threadIdx.x].frozen; /* no register for it during exchanges */
    if (NORM)
        store_sum<WX * WY>(
            a.sums, n,
            p.template sweep<true, FROZEN, zero>(update, halo, smem.masks[threadIdx.x].owned));
    else
        p.template sweep<false, FROZEN, zero>(update, halo, 0);
}

/* All iterations of a launch: `every` of them, an exchange, `every` ...; no exchange after the last
 * one. The exchange is outside the inner loop, which so has no branch. */
template <bool NORM, grid_kind KIND, class E, class P, int WX, int WY, class A>
static __device__ __forceinline__ void iterate(P &p, block_smem<P, WX, WY> &smem, const E &update,
                                               const A &a)
{
    const bool alone = P::DIM == 1 && WX == 1; /* whole lines: no exchange, nor code for it */
    for (int n = 0, number = a.exchanges_before;;) {
        int end = min(n + a.x.every, a.iterations);
        for (; n < end; n++)
            iterate_once<NORM, KIND == SMALL_GRID>(p, smem, update, a, n);
        if (alone || n == a.iterations)
            return;
        exchange_halo<KIND == WHOLE_ROWS>(p, a, ++number, smem.masks[threadIdx.x]);
    }
}

/* The same without norms, for WHOLE_ROWS in double precision. The warps do not wait for each other
 * before an iteration, but before its last rows, those next to the strips (sweep_inner_first).
 * m counts how often the strips have been written: after each iteration, and again after an
 * exchange, which replaces some of their points. */
template <class E, class P, int WY, class A>
static __device__ __forceinline__ void iterate_inner_first(P &p, block_smem<P, 1, WY> &smem,
                                                           const E &update, const A &a)
{
    int m = 0;
    smem.strips.write(p, m);
    arrive_strips<32 * WY>(m);
    for (int n = 0, number = a.exchanges_before;;) {
        for (int end = min(n + a.x.every, a.iterations); n < end; n++) {
            sweep_inner_first(p, update, smem.strips.ptrs(p, m),
                              [&] { wait_for_strips<32 * WY>(m); });
            smem.strips.write(p, ++m);
            arrive_strips<32 * WY>(m);
        }
        if (n == a.iterations)
            break;
        exchange_halo<true>(p, a, ++number, smem.masks[threadIdx.x]);
        wait_for_strips<32 * WY>(m);
        smem.strips.write(p, ++m);
        arrive_strips<32 * WY>(m);
    }
    wait_for_strips<32 * WY>(m); /* each arrival has its wait */
}

/* --- store ------------------------------------------------------------------------------------ */

template <class P>
static __device__ __forceinline__ void store_owned(const P &p,
                                                   const persistent_args<typename P::T> &a,
                                                   const point_masks<typename P::mask> &m)
{
    typename P::T *out = a.out + m.offset;
    typename P::mask owned = m.owned;
#pragma unroll
    for (int r = 0; r < P::R; r++)
#pragma unroll
        for (int c = 0; c < P::C; c++)
            if (owned >> (r * P::C + c) & 1)
                out[r * a.sy + c] = p.u[r][c];
}

/* --- the kernels ------------------------------------------------------------------------------ */

/* One launch. NORM: the sums of squared updates are stored. A: slot_args, or device_args. */
template <class E, class P, int WX, int WY, bool NORM, grid_kind KIND, class A>
__global__ void __launch_bounds__(32 * WX * WY, 1) persistent_jacobi(A a, E update)
{
    extern __shared__ double raw[];
    static_assert(sizeof(block_smem<P, WX, WY>) ==
                      persistent_bytes({P::LX, P::C, P::R, P::SMEM_ROWS, WX, WY}, P::DIM,
                                       sizeof(typename P::T)),
                  "see block_shape.h");
    block_smem<P, WX, WY> &smem = *(block_smem<P, WX, WY> *)raw;
    P p;
    p.init();
    use_smem(p, smem.rhs);
    load_region(p, smem, a);
    if constexpr (KIND == WHOLE_ROWS && !NORM && P::LY == 1 && P::SMEM_ROWS == 0 &&
                  sizeof(typename P::T) == 8)
        iterate_inner_first(p, smem, update, a);
    else
        iterate<NORM, KIND>(p, smem, update, a);
    store_owned(p, a, smem.masks[threadIdx.x]);
}

/* Block n adds up the warps' sums of iteration n, in a fixed order: the same bits in every run.
 * warps: of all blocks. */
__global__ void add_sums(const double *sums, int warps, double *squares)
{
    double sum = 0;
    for (int i = threadIdx.x; i < warps; i += blockDim.x)
        sum += sums[(size_t)blockIdx.x * warps + i];
    sum = block_sum(sum);
    if (threadIdx.x == 0)
        squares[blockIdx.x] = sum;
}

#endif
