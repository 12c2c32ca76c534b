/*
 * Reads after `tile_resident.cuh`. Resident tiles (tile_resident.cuh) whose halo in x lies among
 * the points: the first column of a thread block, and the first one east of the tile, are the halo.
 * There the update has the coefficient 0, and the halo's value as right-hand side: 0 * sum + value
 * is the value, so that no subiteration loads a halo in x, chooses, or puts one back. The tile has
 * at least two columns less than its thread block. (A halo of -0 may become 0; that changes only a
 * point whose right-hand side and all other neighbours are -0. Sums that overflow do not keep the
 * value.)
 *
 * A subiteration computes the warps' outermost rows first and writes them to the neighbours' strips
 * for the next one; the time until they arrive passes with the other rows. Two subiterations are
 * unrolled, so that no value moves to another register between them.
 *
 * H100, n = 1024, double precision, tiles of 126 x 88 points with an overlap of 10 and 16 (126
 * tiles): a cycle of k = 96 takes 50.5 us, 1951 of them reach a residual of 1e-4 (measured.md).
 *
 * For fma_plane, and tiles as high as their thread block. resident.c launches this kernel. Device
 * code.
 */
#ifndef SS_CUDA_TILE_COLUMNS_CUH
#define SS_CUDA_TILE_COLUMNS_CUH

#include "kernels/cuda/jacobi/fast/tile_resident.cuh"

/* The coefficients of a lane's columns: 0 where they are halo. */
template <class P> struct column_coefficients {
    typename P::T c[P::C];
};

/* Is column c of the lane halo, or the end of the grid? The tile begins at column 1. */
template <class P, int WARPS>
static __device__ __forceinline__ bool is_halo(const P &p, const resident_smem<P, WARPS> &smem,
                                               int c)
{
    return p.x(c) == 0 || p.x(c) == smem.place.columns + 1;
}

/* The columns of the halo keep the values that they have now. */
template <class P, int WARPS>
static __device__ __forceinline__ void freeze_columns(P &p, const resident_smem<P, WARPS> &smem)
{
#pragma unroll
    for (int c = 0; c < P::C; c++)
        if (is_halo(p, smem, c))
#pragma unroll
            for (int r = 0; r < P::R; r++)
                p.rhs(r, c) = p.u[r][c];
}

/* Row r with the rows s and n south and north of it; `old` becomes what it was, and may be s or n.
 */
template <class P>
static __device__ __forceinline__ void
update_row(P &p, const column_coefficients<P> &at, int r, typename P::T (&old)[P::C],
           const typename P::T (&s)[P::C], const typename P::T (&n)[P::C])
{
    typedef typename P::T T;
    T west = __shfl_up_sync(~0u, p.u[r][P::C - 1], 1), east = __shfl_down_sync(~0u, p.u[r][0], 1);
#pragma unroll
    for (int c = 0; c < P::C; c++) {
        T here = p.u[r][c], e = c + 1 < P::C ? p.u[r][c + 1] : east;
        p.u[r][c] = fma(at.c[c], (west + e) + (s[c] + n[c]), p.rhs(r, c));
        old[c] = here;
        west = here;
    }
}

/* Writes the warp's outermost rows to the strips of its neighbours, for subiteration n. */
template <class P, int WARPS>
static __device__ __forceinline__ void send_rows(const P &p, resident_smem<P, WARPS> &smem, int n)
{
    const int warp = threadIdx.x / 32, x = p.lx * P::PACK;
    P::store_strip(&smem.strips.y[n & 1][warp][1][x], p.u[0]);
    P::store_strip(&smem.strips.y[n & 1][warp + 2][0][x], p.u[P::R - 1]);
}

/* Subiteration n; sends the outermost rows for the next one. */
template <class P, int WARPS>
static __device__ __forceinline__ void iterate_columns(P &p, resident_smem<P, WARPS> &smem,
                                                       const column_coefficients<P> &at, int n)
{
    const int R = P::R;
    typename P::T south[P::C], north[P::C];
    __syncthreads(); /* all strips of subiteration n are written */
    halo_ptrs<typename P::T> halo = smem.strips.ptrs(p, n);
    P::load_strip(halo.north, north);
    P::load_strip(halo.south, south);
    update_row(p, at, R - 1, north, p.u[R - 2], north);
    update_row(p, at, 0, south, south, p.u[1]);
    send_rows(p, smem, n + 1);
#pragma unroll
    for (int r = 1; r < R - 2; r++)
        update_row(p, at, r, south, south, p.u[r + 1]);
    update_row(p, at, R - 2, south, south, north);
}

/* Loads the halo south and north of the tile into the strips of both subiterations; `field` points
 * to interior point (0, 0). Lane i takes columns i, i + 32 ... */
template <class P, int WARPS>
static __device__ __forceinline__ void receive_rows(resident_smem<P, WARPS> &smem,
                                                    const typename P::T *field, ptrdiff_t sy)
{
    const tile_place &at = smem.place;
    const int warp = threadIdx.x / 32, side = warp == 0 ? 0 : 1;
    typename P::T y[P::WIDTH / 32] = {};
    if (!(warp == 0 && at.south) && !(warp == WARPS - 1 && at.north))
        return;
    const typename P::T *row = field + at.offset + (side ? at.rows * sy : -sy);
#pragma unroll
    for (int i = 0; i < P::WIDTH / 32; i++) {
        int x = threadIdx.x % 32 + 32 * i;
        if (x > 0 && x <= at.columns)
            y[i] = __ldcg(row + x - 1);
    }
#pragma unroll
    for (int i = 0; i < P::WIDTH / 32; i++)
        for (int n = 0; n < 2; n++)
            smem.strips.y[n][warp + 1][side][place_in_strip<P>(threadIdx.x % 32 + 32 * i)] = y[i];
}

/* Are the points of each 16 bytes of the lane all in the mask, or none? */
template <class P> static __device__ __forceinline__ bool whole_packs(typename P::mask bits)
{
    const int N = pack<typename P::T>::n;
    const unsigned all = (1u << N) - 1;
    bool whole = P::C % N == 0;
    for (int i = 0; i < P::R * P::C; i += N) {
        unsigned b = (unsigned)(bits >> i) & all;
        whole = whole && (b == 0 || b == all);
    }
    return whole;
}

/* --- the kernel ------------------------------------------------------------------------------- */

/* All cycles of a launch. packs: what is sent and received are whole accesses of 16 bytes. */
template <class P, int WARPS, class A>
static __device__ __forceinline__ void iterate_cycles(P &p, resident_smem<P, WARPS> &smem,
                                                      const column_coefficients<P> &at, const A &a,
                                                      bool packs)
{
    int n = 0;
    for (int cycle = 1;; cycle++) {
        const int end = cycle * a.k;
        freeze_columns(p, smem);
        send_rows(p, smem, n);
        if ((end - n) % 2)
            iterate_columns(p, smem, at, n++);
#pragma unroll 1
        for (; n < end; n += 2) {
            iterate_columns(p, smem, at, n);
            iterate_columns(p, smem, at, n + 1);
        }
        if (cycle == a.cycles)
            return;
        const int number = a.exchanges_before + cycle;
        if (packs)
            exchange_halo<true>(p, a, number, smem.masks[threadIdx.x]);
        else
            exchange_halo<false>(p, a, number, smem.masks[threadIdx.x]);
        receive_rows(smem, number & 1 ? a.exchange[1] : a.exchange[0], a.sy);
    }
}

template <class E, class P, int WARPS>
__global__ void __launch_bounds__(32 * WARPS, 1)
    resident_columns(ss_cuda_sweep<typename E::real> field, E update,
                     resident_args<typename E::real> a)
{
    extern __shared__ double raw[];
    static_assert(has_stated_size<P, WARPS>(), "see block_shape.h");
    resident_smem<P, WARPS> &smem = *(resident_smem<P, WARPS> *)raw;
    if (stopped(field))
        return; /* so do all blocks */
    P p;
    p.init();
    if (threadIdx.x == 0)
        smem.place = place_of<P, WARPS>(a);
    point_masks<typename P::mask> m = masks_of(p, a, 1);
    smem.masks[threadIdx.x] = m;
    bool packs = whole_packs<P>(m.sent) && whole_packs<P>(m.received);
    packs = __syncthreads_and(packs);
    load_masked<false>(p, a.in + m.offset, a.sy, ~m.frozen | m.received);
    __syncthreads(); /* only to keep both loads apart: fewer registers */
    load_masked<true>(p, a.rhs + m.offset, a.sy, ~m.frozen);
    const typename P::T zero_x[P::R] = {}, zero_y[P::C] = {};
    smem.strips.init(p, zero_x, zero_y, zero_y);
    receive_rows(smem, a.in, a.sy);
    column_coefficients<P> at;
#pragma unroll
    for (int c = 0; c < P::C; c++)
        at.c[c] = is_halo(p, smem, c) ? 0 : update.c[0];
    iterate_cycles(p, smem, at, a, packs);
    store_owned(p, a, smem.masks[threadIdx.x]);
}

#endif
