/*
 * Persistent Jacobi: one kernel launch for many iterations, with one thread block per SM and the
 * whole grid in their registers. Each block holds a region (regions.cuh) as tiles of its warps
 * (warp_tile.cuh). Its halo is `every` points wide, so that neighbours exchange halos only every
 * `every` iterations (halo_exchange.cuh): from a halo that is not updated stale values advance one
 * point per iteration, and never reach an owned point. This is classic Jacobi, bit for bit.
 *
 * All blocks must be resident at once, or a block would wait for the flag of one that cannot start:
 * a cooperative launch makes sure of that. On lines a region is a piece of each of several lines,
 * and only the ends of the pieces are exchanged.
 *
 * Global memory: only the exchanged points; the grid itself is read once and written once per
 * launch. Registers are the limit of the grid's size: a thread holds up to 44 points in double
 * precision with their right-hand sides, 176 of its 255 registers. Everything else is kept small
 * against register spills: masks and some right-hand sides are in shared memory, and opaque() has
 * addresses computed again.
 *
 * H200, n = 1024, double precision: 0.97 us per iteration with every = 8, 4.39 times as fast as
 * `vector`, the best kernel with one launch per iteration; 3.12 us with every = 1.
 *
 * persistent.cu launches these kernels.
 */
#ifndef SS_CUDA_PERSISTENT_CUH
#define SS_CUDA_PERSISTENT_CUH

#include "kernels/cuda/jacobi/halo_exchange.cuh"

/* The shared memory of a block. */
template <class P, int WX, int WY> struct block_smem {
    halo_strips<P, WX, WY> halo;
    exchange_masks<typename P::mask> masks[32 * WX * WY];
    typename P::template rhs_smem<(P::SMEM_ROWS > 0 ? WX * WY : 1)> rhs;
};

/* --- load ------------------------------------------------------------------------------------- */

/* Loads the lane's points, or with RHS their right-hand sides; zero where they are frozen. */
template <bool RHS, class P>
static __device__ __forceinline__ void load_points(P &p, const typename P::T *from, ptrdiff_t sy)
{
    opaque(sy);
#pragma unroll
    for (int r = 0; r < P::R; r++, from += sy)
#pragma unroll
        for (int c = 0; c < P::C; c++)
            (RHS ? p.rhs(r, c) : p.u[r][c]) = p.is_frozen(r, c) ? 0 : from[c];
}

/* Loads the warp's tile of the region and its masks. Returns whether all threads of the block can
 * exchange whole rows. */
template <class P, int WX, int WY>
static __device__ __forceinline__ bool load_region(P &p, block_smem<P, WX, WY> &smem,
                                                   const persistent_args<typename P::T> &a)
{
    int warp = threadIdx.x / 32, bx = blockIdx.x % a.x.count, by = blockIdx.x / a.x.count;
    region x = find_region(a.x, bx), y = find_region(a.y, by);
    int i = x.lo + warp % WX * P::WIDTH + p.x(0), j = y.lo + warp / WX * P::HEIGHT + p.y(0);
    exchange_masks<typename P::mask> m = make_masks<P>(a, x, y, bx, by, i, j);
    smem.masks[threadIdx.x] = m;
    bool rows =
        i % pack<typename P::T>::n == 0 && whole_rows<P>(m.sent) && whole_rows<P>(m.received);
    rows = __syncthreads_and(rows);
    p.frozen = m.frozen;
    load_points<false>(p, a.in + smem.masks[threadIdx.x].at, a.sy);
    __syncthreads(); /* only to keep the two groups of loads apart: up to 6 registers less */
    load_points<true>(p, a.rhs + smem.masks[threadIdx.x].at, a.sy);
    /* Beyond the region: the boundary value 0 at the ends of the grid. Elsewhere any value would
     * do, since the halo exchange comes before its effect reaches an owned point. */
    const typename P::T zero_x[P::R] = {}, zero_y[P::C] = {};
    smem.halo.init(p, zero_x, zero_y, zero_y);
    smem.halo.publish(p, 0);
    return rows;
}

/* --- iterate ---------------------------------------------------------------------------------- */

/* Writes the warp's sum of squared changes of iteration n. */
template <int WARPS>
static __device__ __forceinline__ void store_sum(double *sums, int n, double sum)
{
    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_down_sync(~0u, sum, step);
    if (threadIdx.x % 32 == 0)
        sums[((size_t)n * gridDim.x + blockIdx.x) * WARPS + threadIdx.x / 32] = sum;
}

/* Iterations, and a halo exchange after every a.x.every of them but not after the last: `left`
 * counts down to the next exchange, `number` counts exchanges of all launches. */
template <bool NORM, bool FROZEN, class E, class P, int WX, int WY>
static __device__ __forceinline__ void iterate(P &p, block_smem<P, WX, WY> &smem, const E &update,
                                               const persistent_args<typename P::T> &a, bool rows)
{
    for (int n = 0, left = a.x.every, number = a.epoch; n < a.iterations; n++) {
        halo_ptrs<typename P::T> halo = smem.halo.ptrs(p, n);
        if (FROZEN)
            p.frozen = smem.masks[threadIdx.x].frozen; /* no register for it during exchanges */
        if (NORM)
            store_sum<WX * WY>(
                a.sums, n,
                p.template sweep<true, FROZEN>(update, halo, smem.masks[threadIdx.x].owned));
        else
            p.template sweep<false, FROZEN>(update, halo, 0);
        if (--left == 0 && n + 1 < a.iterations) {
            left = a.x.every;
            number++;
            if (rows)
                exchange_halo<true>(p, a, number, smem.masks[threadIdx.x]);
            else
                exchange_halo<false>(p, a, number, smem.masks[threadIdx.x]);
        }
        smem.halo.publish(p, n + 1);
    }
}

/* --- store ------------------------------------------------------------------------------------ */

template <class P>
static __device__ __forceinline__ void store_owned(const P &p,
                                                   const persistent_args<typename P::T> &a,
                                                   const exchange_masks<typename P::mask> &m)
{
    typename P::T *out = a.out + m.at;
    typename P::mask owned = m.owned;
#pragma unroll
    for (int r = 0; r < P::R; r++)
#pragma unroll
        for (int c = 0; c < P::C; c++)
            if (owned >> (r * P::C + c) & 1)
                out[r * a.sy + c] = p.u[r][c];
}

/* --- the kernels ------------------------------------------------------------------------------ */

/* All iterations of a launch. FROZEN: the grid is smaller than a region, and points outside it keep
 * their value. */
template <class E, class P, int WX, int WY, bool NORM, bool FROZEN>
__global__ void __launch_bounds__(32 * WX * WY, 1)
    persistent_jacobi(persistent_args<typename E::real> a, E update)
{
    extern __shared__ double raw[];
    block_smem<P, WX, WY> &smem = *(block_smem<P, WX, WY> *)raw;
    P p;
    p.init();
    p.use_smem(smem.rhs);
    bool rows = load_region(p, smem, a);
    iterate<NORM, FROZEN>(p, smem, update, a, rows);
    store_owned(p, a, smem.masks[threadIdx.x]);
}

/* The norms of a launch: block n adds up the warps' sums of iteration n, in a fixed order. */
static __global__ void add_sums(const double *sums, int warps, double *squares)
{
    double sum = 0;
    for (int i = threadIdx.x; i < warps; i += blockDim.x)
        sum += sums[(size_t)blockIdx.x * warps + i];
    sum = block_sum(sum);
    if (threadIdx.x == 0)
        squares[blockIdx.x] = sum;
}

#endif
