/*
 * Between the field and the registers of tile_register.cuh: where a lane's rows lie, which of their
 * points exist and which the tile owns, loads and stores. P is a warp_tile. Most warps lie inside
 * the grid with all their points and take the short way, `whole` or `full`. Device code.
 */
#ifndef SS_CUDA_TILE_ROWS_CUH
#define SS_CUDA_TILE_ROWS_CUH

#include "kernels/cuda/device/norm.cuh"
#include "kernels/cuda/device/pack.cuh"
#include "kernels/cuda/jacobi/tile_memory.cuh"

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
            load_points<P::C>(rhs, p.reg_rhs[r]);
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
            load_points<C>(in, p.u[r]);
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
            store_points<P::C>(a.out + (ptrdiff_t)at.j * a.sy + at.i, p.u[r]);
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

#endif
