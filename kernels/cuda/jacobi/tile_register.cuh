/*
 * Hierarchical Jacobi with the subdomain in the registers of one or more warps (warp_tile.cuh).
 * With 4 x 8 points a lane, on a plane, a subiteration passes 2 * 8 values in x and, unless all
 * lanes lie along x, 2 * 4 in y from lane to lane, for 32 updates: 0.75 values each. A shuffle
 * moves 32 bits, so that an update takes 0.75 shuffles in single and 1.5 in double precision, and
 * four or six operations: arithmetic is the limit. Included by shared.cu, which launches this
 * kernel.
 */
#ifndef SS_CUDA_TILE_REGISTER_CUH
#define SS_CUDA_TILE_REGISTER_CUH

#include "kernels/cuda/jacobi/warp_tile.cuh"
#include "kernels/cuda/jacobi/tile_memory.cuh"

/* Row r of a lane in the grid: its points are (i, j), (i + 1, j), ... up to but not including
 * (x.hi, j), and it writes those in [x.wlo, x.whi). rows: how many follow within the tile, this one
 * included; 0 or less: beyond it. */
struct place {
    ss_span x;
    int i, j, rows;
    bool writes;
};

/* The tile is blockIdx.x, the warp's patch starts at (x0, y0) within it. */
template <class P>
static __device__ __forceinline__ place place_in_plane(const subdomains &s, const P &p, int r,
                                                       int x0, int y0)
{
    place at;
    ss_span y = ss_cut_span(s.tiling.y, blockIdx.x / s.tiling.x.count);
    at.x = ss_cut_span(s.tiling.x, blockIdx.x % s.tiling.x.count);
    at.i = at.x.lo + x0 + p.x(0);
    at.j = y.lo + y0 + p.y(r);
    at.rows = y.hi - at.j;
    at.writes = at.j >= y.wlo && at.j < y.whi;
    return at;
}

/* On a line each row of a patch is a subdomain of its own. */
template <class P>
static __device__ __forceinline__ place place_in_line(const subdomains &s, const P &p, int r,
                                                      int x0, int y0)
{
    place at;
    unsigned index = blockIdx.x * (blockDim.x / 32) * P::HEIGHT + y0 + p.y(r);
    at.j = (int)(index / (unsigned)s.tiling.x.count);
    at.x = ss_cut_span(s.tiling.x, (int)(index % (unsigned)s.tiling.x.count));
    at.i = at.x.lo + x0 + p.x(0);
    at.rows = s.tiling.y.n - at.j;
    at.writes = at.rows > 0;
    return at;
}

template <class P>
static __device__ __forceinline__ place place_row(const subdomains &s, const P &p, int r, int x0,
                                                  int y0)
{
    return P::DIM > 1 ? place_in_plane(s, p, r, x0, y0) : place_in_line(s, p, r, x0, y0);
}

/* Bits from `from` up to `to`, of the first n. */
template <typename mask> static __device__ __forceinline__ mask bits(int from, int to, int n)
{
    from = from < 0 ? 0 : from > n ? n : from;
    to = to < 0 ? 0 : to > n ? n : to;
    return to > from ? (((mask)1 << (to - from)) - 1) << from : 0;
}

/* The row's C values, those before `end` of them; 0 for the others. */
template <int C, typename T>
static __device__ __forceinline__ void load_some(const T *from, int end, T *to)
{
#pragma unroll
    for (int c = 0; c < C; c++)
        to[c] = c < end ? from[c] : 0;
}

/* What a thread needs for the norm, and now and then only: no reason to keep it in registers. */
template <typename mask> struct aside {
    mask owned;
    double squares;
};

/* A few blocks are announced as larger than they are: with the registers that the compiler then
 * allows itself it finds room for everything, and with those it would choose it does not. */
template <class P, int WARPS, bool NORM> static constexpr int announced()
{
    return NORM && P::R > 8 ? 192 : WARPS == 2 ? 128 : 32 * WARPS;
}

template <class E, class P, int WX, int WY, bool NORM>
__global__ void __launch_bounds__(announced<P, WX * WY, NORM>())
    in_registers(ss_cuda_sweep<typename E::real> a, E update, subdomains s)
{
    typedef typename E::real T;
    typedef typename P::mask mask;
    __shared__ fringes<P, WX, WY> fringe;
    __shared__ aside<mask> kept[NORM ? 32 * WX * WY : 1];
    const int C = P::C, R = P::R;
    int warp = threadIdx.x / 32, x0 = warp % WX * P::WIDTH, y0 = warp / WX * P::HEIGHT;
    mask owned = 0;
    P p;
    p.start();
    /* Are all points of the patch there, does every row lie well, are all points written? Most
     * patches are like that, and they get by with a tenth of the instructions: there are few warps,
     * so that each instruction before the first subiteration costs. */
    bool whole = true, full = true;
#pragma unroll
    for (int r = 0; r<R; r += E::dim> 1 ? R - 1 : 1) {
        place at = place_row(s, p, r, x0, y0);
        whole = whole && at.rows > 0 && at.x.hi - at.i >= C && at.i % pack<T>::n == 0;
        full = full && at.writes && at.i >= at.x.wlo && at.i + C <= at.x.whi;
    }
    whole = __all_sync(~0u, whole);
    full = __all_sync(~0u, full) && whole;
    if (!full || NORM) {
#pragma unroll
        for (int r = 0; r < R; r++) {
            place at = place_row(s, p, r, x0, y0);
            mask there = at.rows > 0 ? bits<mask>(0, at.x.hi - at.i, C) : 0;
            mask mine = at.writes ? bits<mask>(at.x.wlo - at.i, at.x.whi - at.i, C) : 0;
            p.frozen |= (mask)~there << (r * C) & bits<mask>(r * C, r * C + C, R * C);
            owned |= (mine & there) << (r * C);
        }
    }
    /* The right-hand side does not change from cycle to cycle, so it is read before the cycle that
     * went before is through. */
#pragma unroll
    for (int r = 0; r < R; r++) {
        place at = place_row(s, p, r, x0, y0);
        const T *rhs = a.rhs + (ptrdiff_t)at.j * a.sy + at.i;
        if (whole)
            load_row<C>(rhs, p.held[r]);
        else
            load_some<C>(rhs, at.rows > 0 ? at.x.hi - at.i : 0, p.held[r]);
    }
    await_previous();
    int drop = stopped(a);
    bool side = p.lx == 0 || p.lx == P::LX - 1;
    int far = p.lx == 0 ? -1 : C;
    T west_or_east[R], south[C], north[C];
    /* A point beyond the tile is frozen; right behind the tile's end it is the halo. */
    if (whole) {
#pragma unroll
        for (int r = 0; r < R; r++) {
            place at = place_row(s, p, r, x0, y0);
            const T *in = a.in + (ptrdiff_t)at.j * a.sy + at.i;
            load_row<C>(in, p.u[r]);
            west_or_east[r] = side ? in[far] : 0;
        }
    } else {
#pragma unroll
        for (int r = 0; r < R; r++) {
            place at = place_row(s, p, r, x0, y0);
            const T *in = a.in + (ptrdiff_t)at.j * a.sy + at.i;
            int halo =
                at.rows > 0 || (E::dim > 1 && at.rows == 0) ? at.x.hi - at.i + (at.rows > 0) : 0;
            load_some<C>(in, halo, p.u[r]);
            west_or_east[r] = side && at.rows > 0 && far < halo ? in[far] : 0;
        }
    }
    if (E::dim > 1) {
        place first = place_row(s, p, 0, x0, y0), last = place_row(s, p, R - 1, x0, y0);
        const T *below = a.in + (ptrdiff_t)(first.j - 1) * a.sy + first.i;
        const T *above = a.in + (ptrdiff_t)(last.j + 1) * a.sy + last.i;
#pragma unroll
        for (int c = 0; c < C; c++) {
            bool across = c < first.x.hi - first.i;
            south[c] = p.ly == 0 && first.rows > 0 && across ? below[c] : 0;
            north[c] = p.ly == P::LY - 1 && last.rows > 0 && across ? above[c] : 0;
        }
    }
    fringe.freeze(p, west_or_east, south, north);
    if (NORM)
        kept[threadIdx.x].owned = owned;
    /* Patches at the end of the grid have frozen points; all others never look. */
    bool some = __any_sync(~0u, p.frozen != 0);
    for (int n = 0; n < s.k; n++) {
        beside<T> f = fringe.of(p, n);
        if (NORM && n == 0)
            kept[threadIdx.x].squares =
                p.template sweep<true, true>(update, f, kept[threadIdx.x].owned);
        else if (some)
            p.template sweep<false, true>(update, f, 0);
        else
            p.template sweep<false, false>(update, f, 0);
        fringe.show(p, n + 1);
    }
    let_next_begin();
    if (full && !drop) {
#pragma unroll
        for (int r = 0; r < R; r++) {
            place at = place_row(s, p, r, x0, y0);
            store_row<C>(a.out + (ptrdiff_t)at.j * a.sy + at.i, p.u[r]);
        }
    } else if (!drop) {
        owned = NORM ? kept[threadIdx.x].owned : owned;
#pragma unroll
        for (int r = 0; r < R; r++) {
            place at = place_row(s, p, r, x0, y0);
            T *out = a.out + (ptrdiff_t)at.j * a.sy + at.i;
#pragma unroll
            for (int c = 0; c < C; c++)
                if (owned >> (r * C + c) & 1)
                    out[c] = p.u[r][c];
        }
    }
    if (NORM)
        add_to_norm(a, drop, kept[threadIdx.x].squares);
}

#endif
