/*
 * Temporal blocking in registers: as tile_memory.cuh, with the tile in the registers of one or more
 * warps (warp_tile.cuh), one above the other. A thread block loads its tile (load_rhs, load_tile),
 * iterates k times on chip (iterate) and writes the points that the tile owns (store_tile). On a
 * plane a block takes one tile, and each warp its rows of it; on lines each row of a warp is a tile
 * of its own, so that a block takes several.
 *
 * Global memory: as in tile_memory.cuh, 24/k bytes per point and iteration in double precision. The
 * updates themselves access registers, and shared memory only at the sides of a warp's tile, so
 * that arithmetic is the limit. Occupancy is low by design: 4 x 8 points in double precision take
 * about 230 registers per thread, so that 8 of the 64 warps of an SM are resident; latencies are
 * hidden by the independent updates of one thread instead of by other warps.
 *
 * H200, double precision, k = 16, no overlap, against `vector`, the best kernel that iterates once:
 * 6.09 times as fast for 1024 x 1024 points in tiles of 32 x 32 (0.70 us per iteration;
 * tile_in_smem: 1.72 us), 7.77 times for 16384 x 16384 in tiles of 64 x 64. tiles.c launches this
 * kernel.
 */
#ifndef SS_CUDA_TILE_REGISTER_CUH
#define SS_CUDA_TILE_REGISTER_CUH

#include "kernels/cuda/device/norm.cuh"
#include "kernels/cuda/device/ptx.cuh"
#include "kernels/cuda/device/update.cuh"
#include "kernels/cuda/jacobi/tile_memory.cuh"
#include "kernels/cuda/jacobi/warp_tile.cuh"

/* --- where a lane's rows lie in the grid ------------------------------------------------------ */

/* One row of a lane: point (i, j) and the C - 1 points east of it. Those with a column below x.hi
 * exist; those with a column in [x.wlo, x.whi) are written. */
struct row_place {
    ss_span x;
    int i, j;
    int rows; /* from j to the end of the tile (on lines: of the grid); <= 0: the row lies beyond */
    bool writes; /* does the tile write this row? */
};

/* On a plane: block b takes tile first + b, and this warp its rows from y0 on. */
template <class P>
static __device__ __forceinline__ row_place locate_in_plane(const launch_tiling &t, const P &p,
                                                            int r, int y0)
{
    row_place at;
    ss_span y = block_span_y(t);
    at.x = block_span_x(t);
    at.i = at.x.lo + p.x(0);
    at.j = y.lo + y0 + p.y(r);
    at.rows = y.hi - at.j;
    at.writes = at.j >= y.wlo && at.j < y.whi;
    return at;
}

/* On lines: tiles are numbered along a line, then line by line; each row of a warp takes the next
 * tile, whose line is j. */
template <class P>
static __device__ __forceinline__ row_place locate_on_line(const launch_tiling &t, const P &p,
                                                           int r, int y0)
{
    row_place at;
    unsigned tile = t.first + blockIdx.x * (blockDim.x / 32) * P::HEIGHT + y0 + p.y(r);
    at.j = (int)(tile / (unsigned)t.x.count);
    at.x = ss_cut_span(t.x, (int)(tile % (unsigned)t.x.count));
    at.i = at.x.lo + p.x(0);
    at.rows = t.y.n - at.j;
    at.writes = at.rows > 0;
    return at;
}

template <class P>
static __device__ __forceinline__ row_place locate_row(const launch_tiling &t, const P &p, int r)
{
    int y0 = threadIdx.x / 32 * P::HEIGHT;
    return P::DIM > 1 ? locate_in_plane(t, p, r, y0) : locate_on_line(t, p, r, y0);
}

/* --- which points exist, which are owned ------------------------------------------------------ */

/* Bits [from, to), cut to [0, n). */
template <typename mask> static __device__ __forceinline__ mask bits(int from, int to, int n)
{
    from = from < 0 ? 0 : from > n ? n : from;
    to = to < 0 ? 0 : to > n ? n : to;
    return to > from ? (((mask)1 << (to - from)) - 1) << from : 0;
}

/* Returns the lane's points that the tile owns; 0 if `full` and no norm is wanted, as nothing needs
 * them then. whole: all points of the warp exist, and each row is aligned for 16-byte accesses.
 * full: whole, and the tile owns all of them. Also sets p.frozen: points that do not exist keep
 * their value. Most warps are full and skip the masks: with few warps per SM each instruction
 * before the first subiteration counts. (Two references and no struct: in a struct the compiler
 * keeps flags as bytes, which took 2 to 5 % of the time of a cycle.) On a plane it is enough to
 * test the first and the last row; on a line each row belongs to another tile. */
template <bool NORM, class P>
static __device__ __forceinline__ typename P::mask classify(const launch_tiling &t, P &p,
                                                            bool &whole, bool &full)
{
    typedef typename P::mask mask;
    const int C = P::C, R = P::R, STEP = P::DIM > 1 ? R - 1 : 1;
    static_assert(STEP > 0, "a warp's part of a tile has at least two rows");
    mask owned = 0;
    whole = full = true;
#pragma unroll
    for (int r = 0; r < R; r += STEP) {
        row_place at = locate_row(t, p, r);
        whole = whole && at.rows > 0 && at.x.hi - at.i >= C && at.i % pack<typename P::T>::n == 0;
        full = full && at.writes && at.i >= at.x.wlo && at.i + C <= at.x.whi;
    }
    whole = __all_sync(~0u, whole);
    full = __all_sync(~0u, full) && whole;
    if (!full || NORM) {
#pragma unroll
        for (int r = 0; r < R; r++) {
            row_place at = locate_row(t, p, r);
            mask exists = at.rows > 0 ? bits<mask>(0, at.x.hi - at.i, C) : 0;
            mask mine = at.writes ? bits<mask>(at.x.wlo - at.i, at.x.whi - at.i, C) : 0;
            p.frozen |= ((mask)~exists << (r * C)) & bits<mask>(r * C, r * C + C, R * C);
            owned |= (mine & exists) << (r * C);
        }
    }
    return owned;
}

/* --- load ------------------------------------------------------------------------------------- */

/* Loads C values, those before `end` only; the others become 0. */
template <int C, typename T>
static __device__ __forceinline__ void load_part(const T *from, int end, T *to)
{
#pragma unroll
    for (int c = 0; c < C; c++)
        to[c] = c < end ? from[c] : 0;
}

template <class P>
static __device__ __forceinline__ void load_rhs(P &p, const ss_cuda_sweep<typename P::T> &a,
                                                const launch_tiling &t, bool whole)
{
#pragma unroll
    for (int r = 0; r < P::R; r++) {
        row_place at = locate_row(t, p, r);
        const typename P::T *rhs = a.rhs + (ptrdiff_t)at.j * a.sy + at.i;
        if (whole)
            load_row<P::C>(rhs, p.reg_rhs[r]);
        else
            load_part<P::C>(rhs, at.rows > 0 ? at.x.hi - at.i : 0, p.reg_rhs[r]);
    }
}

/* Loads the lane's rows, and the west or east halo of lanes at that side of the warp. Where a tile
 * is smaller than the warp's part, its halo lies within that part: one point east of the end of
 * each row (hence the + 1) and the row north of the last one are loaded as if they were points, and
 * are frozen. Example: C = 4, at.i = 8, hi = 10: points 8 and 9 exist, 10 is the halo, 11 is 0. */
template <class P>
static __device__ __forceinline__ void load_rows(P &p, const ss_cuda_sweep<typename P::T> &a,
                                                 const launch_tiling &t, bool whole,
                                                 typename P::T (&west_or_east)[P::R])
{
    const int C = P::C;
    bool side = p.lx == 0 || p.lx == P::LX - 1;
    int halo = p.lx == 0 ? -1 : C;
    if (whole) {
#pragma unroll
        for (int r = 0; r < P::R; r++) {
            row_place at = locate_row(t, p, r);
            const typename P::T *in = a.in + (ptrdiff_t)at.j * a.sy + at.i;
            load_row<C>(in, p.u[r]);
            west_or_east[r] = side ? in[halo] : 0;
        }
    } else {
#pragma unroll
        for (int r = 0; r < P::R; r++) {
            row_place at = locate_row(t, p, r);
            const typename P::T *in = a.in + (ptrdiff_t)at.j * a.sy + at.i;
            bool halo_row = P::DIM > 1 && at.rows == 0;
            int end = at.rows > 0 || halo_row ? at.x.hi - at.i + (at.rows > 0) : 0;
            load_part<C>(in, end, p.u[r]);
            west_or_east[r] = side && at.rows > 0 && halo < end ? in[halo] : 0;
        }
    }
}

/* Loads the halo rows below and above the tile, for the lanes next to them. */
template <class P>
static __device__ __forceinline__ void
load_halo_rows(const P &p, const ss_cuda_sweep<typename P::T> &a, const launch_tiling &t,
               typename P::T (&south)[P::C], typename P::T (&north)[P::C])
{
    row_place first = locate_row(t, p, 0), last = locate_row(t, p, P::R - 1);
    const typename P::T *below = a.in + (ptrdiff_t)(first.j - 1) * a.sy + first.i;
    const typename P::T *above = a.in + (ptrdiff_t)(last.j + 1) * a.sy + last.i;
#pragma unroll
    for (int c = 0; c < P::C; c++) {
        bool exists = c < first.x.hi - first.i;
        south[c] = p.ly == 0 && first.rows > 0 && exists ? below[c] : 0;
        north[c] = p.ly == P::LY - 1 && last.rows > 0 && exists ? above[c] : 0;
    }
}

/* Loads the warp's part of the tile into registers and its frozen halo into shared memory. */
template <class P, int WARPS>
static __device__ __forceinline__ void load_tile(P &p, halo_strips<P, 1, WARPS> &halo,
                                                 const ss_cuda_sweep<typename P::T> &a,
                                                 const launch_tiling &t, bool whole)
{
    typename P::T west_or_east[P::R], south[P::C], north[P::C];
    load_rows(p, a, t, whole, west_or_east);
    if (P::DIM > 1)
        load_halo_rows(p, a, t, south, north);
    halo.init(p, west_or_east, south, north);
}

/* --- iterate ---------------------------------------------------------------------------------- */

/* A thread's part of the norm, in shared memory: it is needed in the first subiteration and at the
 * end of a launch, and a register for it in between would make others spill. */
template <typename mask> struct norm_part {
    mask owned;
    double squares;
};

/* k subiterations. Between warps, the halo of a warp holds its neighbours' points of the last
 * subiteration (publish, which ends with a barrier); at the tile's sides it is frozen. Only warps
 * with frozen points, those of tiles smaller than the block's shape, test for them; with NORM the
 * first subiteration always does. */
template <bool NORM, class E, class P, int WARPS>
static __device__ __forceinline__ void iterate(P &p, halo_strips<P, 1, WARPS> &halo,
                                               const E &update, int k,
                                               norm_part<typename P::mask> *part)
{
    bool frozen = __any_sync(~0u, p.frozen != 0);
    for (int n = 0; n < k; n++) {
        halo_ptrs<typename P::T> h = halo.ptrs(p, n);
        if (NORM && n == 0)
            part->squares = p.template sweep<true, true>(update, h, part->owned);
        else if (frozen)
            p.template sweep<false, true>(update, h, 0);
        else
            p.template sweep<false, false>(update, h, 0);
        halo.publish(p, n + 1);
    }
}

/* --- store ------------------------------------------------------------------------------------ */

template <class P>
static __device__ __forceinline__ void store_tile(const P &p, const ss_cuda_sweep<typename P::T> &a,
                                                  const launch_tiling &t, int stop, bool full,
                                                  typename P::mask owned)
{
    if (full && !stop) {
#pragma unroll
        for (int r = 0; r < P::R; r++) {
            row_place at = locate_row(t, p, r);
            store_row<P::C>(a.out + (ptrdiff_t)at.j * a.sy + at.i, p.u[r]);
        }
    } else if (!stop) {
#pragma unroll
        for (int r = 0; r < P::R; r++) {
            row_place at = locate_row(t, p, r);
            typename P::T *out = a.out + (ptrdiff_t)at.j * a.sy + at.i;
#pragma unroll
            for (int c = 0; c < P::C; c++)
                if (owned >> (r * P::C + c) & 1)
                    out[c] = p.u[r][c];
        }
    }
}

/* --- the kernel ------------------------------------------------------------------------------- */

/* Threads per block for __launch_bounds__. For some tile shapes it is deliberately larger than the
 * launch: with the true size ptxas (CUDA 13.0, sm_90) spills registers, although a thread may have
 * 255 in either case. Wide tiles in single precision are held to 128 registers: ptxas takes 139,
 * and an SM then has 8 warps of the largest tile, not 16 (measured.md). */
template <class P, int WARPS, bool NORM> static constexpr int launch_bound()
{
    const int threads = WARPS == 2 ? 128 : 32 * WARPS;
    const bool wide = P::DIM > 1 && P::LX == 32 && sizeof(typename P::T) == 4 && !NORM;
    const int least = wide ? 512 : NORM && P::R > 8 ? 224 : 0;
    return least > threads ? least : threads;
}

/* One cycle of the tile of these warps, or of their lines. The right-hand side is the same in all
 * cycles and is loaded while the previous one may still run, the field only after it
 * (await_previous). The next kernel may start while this one stores (let_next_begin). `stop` is
 * loaded before the points and tested after them: no thread waits for it. */
template <class E, class P, int WARPS, bool NORM>
__global__ void __launch_bounds__(launch_bound<P, WARPS, NORM>())
    tile_in_registers(ss_cuda_sweep<typename E::real> a, E update, tile_args s)
{
    __shared__ halo_strips<P, 1, WARPS> halo;
    __shared__ norm_part<typename P::mask> norm_parts[NORM ? 32 * WARPS : 1];
    norm_part<typename P::mask> *part = &norm_parts[NORM ? threadIdx.x : 0];
    P p;
    p.init();
    bool whole, full;
    typename P::mask owned = classify<NORM>(s.tiling, p, whole, full);
    load_rhs(p, a, s.tiling, whole);
    await_previous();
    int stop = stopped(a);
    load_tile(p, halo, a, s.tiling, whole);
    if (NORM)
        part->owned = owned;
    iterate<NORM>(p, halo, update, s.k, part);
    let_next_begin();
    store_tile(p, a, s.tiling, stop, full, NORM ? part->owned : owned);
    if (NORM)
        add_to_norm(a, stop, part->squares);
}

#endif
