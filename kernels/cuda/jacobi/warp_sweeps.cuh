/*
 * Subiterations of other methods than Jacobi's on a tile in registers (warp_tile.cuh).
 *
 * Red-black SOR relaxes one colour at a time, and points of one colour read only the other one. So
 * a half-iteration is done in place, and needs neither old values nor the shuffles of its own
 * colour: of the outermost points of a row exactly one needs a neighbour in another lane, and every
 * second one of the outermost points of a column. Both halves together cost the shuffles of one
 * Jacobi iteration and its arithmetic, and three operations per point to relax it. Which points of
 * a lane have the colour is known when the loops are unrolled, since a lane's points begin an even
 * number of rows and columns from the tile's first one: C and R are even.
 *
 * Chebyshev's iteration combines u' with the value of one subiteration ago, and puts the result in
 * its place: two arrays of points in registers, which change roles. A point takes three registers
 * of its precision instead of two (with its right-hand side), so that a lane has half as many
 * points in double precision; an update takes two shuffles instead of 1.5, and three operations
 * more: arithmetic is the limit still.
 *
 * Expressions and rounding as in inner.cuh. Device code.
 */
#ifndef SS_CUDA_JACOBI_WARP_SWEEPS_CUH
#define SS_CUDA_JACOBI_WARP_SWEEPS_CUH

#include "kernels/cuda/jacobi/inner.cuh"
#include "kernels/cuda/jacobi/warp_tile.cuh"

/* u' of a lane's point (r, c). west and east: beside its row, south and north: beside its columns;
 * each is read at the lane's outermost points only. */
template <class P, class E>
static __device__ __forceinline__ typename P::T
jacobi_value(P &p, const E &update, int r, int c, typename P::T west, typename P::T east,
             const typename P::T (&south)[P::C], const typename P::T (&north)[P::C])
{
    typedef typename P::T T;
    T w = c > 0 ? p.u[r][c - 1] : west, e = c + 1 < P::C ? p.u[r][c + 1] : east;
    T s = P::DIM > 1 ? (r > 0 ? p.u[r - 1][c] : south[c]) : 0;
    T n = P::DIM > 1 ? (r + 1 < P::R ? p.u[r + 1][c] : north[c]) : 0;
    return update(p.rhs(r, c), w, e, s, n);
}

/* The values west and east of a row. All lanes call it. */
template <class P>
static __device__ __forceinline__ void get_x_neighbours(const P &p, int r,
                                                        const halo_ptrs<typename P::T> &halo,
                                                        typename P::T &west, typename P::T &east)
{
    west = __shfl_up_sync(~0u, p.u[r][P::C - 1], 1);
    east = __shfl_down_sync(~0u, p.u[r][0], 1);
    if (p.lx == 0)
        west = halo.x[r];
    if (p.lx == P::LX - 1)
        east = halo.x[r];
}

/* --- red-black SOR ---------------------------------------------------------------------------- */

/* The rows below and above the lane's, at the columns whose outermost points have the colour: every
 * second one, south from `first` on. */
template <class P>
static __device__ __forceinline__ void
get_y_neighbours_of(const P &p, int first, const halo_ptrs<typename P::T> &halo,
                    typename P::T (&south)[P::C], typename P::T (&north)[P::C])
{
#pragma unroll
    for (int c = 0; c < P::C; c++) {
        bool below = c % 2 == first;
        if (P::DIM == 1)
            break;
        if (P::LY > 1 && below)
            south[c] = __shfl_up_sync(~0u, p.u[P::R - 1][c], P::LX % 32);
        if (P::LY > 1 && !below)
            north[c] = __shfl_down_sync(~0u, p.u[0][c], P::LX % 32);
        if (below && p.ly == 0)
            south[c] = halo.south[P::along(c)];
        if (!below && p.ly == P::LY - 1)
            north[c] = halo.north[P::along(c)];
    }
}

/* Calls each(r, c, u') for the lane's points of one colour, which are those whose row plus column
 * within the lane, or on lines whose column, is even or odd as FIRST. `each` may change that point.
 * All lanes call it; with IN_ORDER, row by row. */
template <int FIRST, bool IN_ORDER, class P, class E, class EACH>
static __device__ __forceinline__ void visit_colour(P &p, const E &update,
                                                    const halo_ptrs<typename P::T> &halo, EACH each)
{
    typedef typename P::T T;
    const int C = P::C, R = P::R;
    static_assert(C % 2 == 0 && (P::DIM == 1 || R % 2 == 0), "the colours of all lanes are alike");
    T south[C], north[C];
    get_y_neighbours_of(p, FIRST, halo, south, north);
#pragma unroll
    for (int r = 0; r < R; r++) {
        const int first = (FIRST + (P::DIM > 1 ? r : 0)) % 2;
        T beside = first == 0 ? __shfl_up_sync(~0u, p.u[r][C - 1], 1)
                              : __shfl_down_sync(~0u, p.u[r][0], 1);
        if (p.lx == (first == 0 ? 0 : P::LX - 1))
            beside = halo.x[r];
#pragma unroll
        for (int c = first; c < C; c += 2)
            each(r, c, jacobi_value(p, update, r, c, beside, beside, south, north));
        if (IN_ORDER)
            __syncwarp(); /* else all rows' shuffles move to the front, and registers spill */
    }
}

/* Half of an iteration: relaxes the points of one colour. With FROZEN, points whose bit is set in
 * p.frozen keep their value. */
template <int FIRST, bool FROZEN, class P, class E>
static __device__ __forceinline__ void relax_colour(P &p, const E &update,
                                                    const damped<typename P::T> &relax,
                                                    const halo_ptrs<typename P::T> &halo)
{
    if (FROZEN)
        opaque(p.frozen); /* its bits are tested anew, not kept as one predicate per point */
    visit_colour<FIRST, FROZEN>(p, update, halo, [&](int r, int c, typename P::T jacobi) {
        if (!FROZEN || !p.is_frozen(r, c))
            p.u[r][c] = relax(jacobi, p.u[r][c], 0);
    });
}

/* The sum of the squared changes that a Jacobi iteration makes of the points in `owned`; changes no
 * point. */
template <class P, class E>
static __device__ __forceinline__ double
sum_squares(P &p, const E &update, const halo_ptrs<typename P::T> &halo, typename P::mask owned)
{
    double squares = 0;
    auto add = [&](int r, int c, typename P::T jacobi) {
        double d = owned >> (r * P::C + c) & 1 ? (double)(jacobi - p.u[r][c]) : 0;
        squares = fma(d, d, squares);
    };
    visit_colour<0, true>(p, update, halo, add);
    opaque(owned);
    visit_colour<1, true>(p, update, halo, add);
    opaque(p.lx); /* comparisons with them are made anew: there are seven predicate registers */
    opaque(p.ly);
    return squares;
}

/* --- Chebyshev's iteration -------------------------------------------------------------------- */

/* A tile with the values of one subiteration ago. */
template <class E, int LX, int C, int R> struct recurring_tile : warp_tile<E, LX, C, R> {
    typename E::real before[R][C];

    /* The arrays change roles; no instruction where subiterations are unrolled in pairs. */
    __device__ __forceinline__ void exchange()
    {
#pragma unroll
        for (int r = 0; r < R; r++)
#pragma unroll
            for (int c = 0; c < C; c++) {
                typename E::real swap = this->u[r][c];
                this->u[r][c] = before[r][c];
                before[r][c] = swap;
            }
    }
};

/* One subiteration. With FIRST, if `alone` is set too, it is a Jacobi step. SUM, FROZEN and the
 * result: as warp_tile::sweep. */
template <bool FIRST, bool SUM, bool FROZEN, class P, class E>
static __device__ __forceinline__ double
recur(P &p, const E &update, const chebyshev_in_tile<typename P::T> &inner, int n,
      const halo_ptrs<typename P::T> &halo, typename P::mask owned)
{
    typedef typename P::T T;
    T south[P::C], north[P::C];
    double squares = 0;
    if (FROZEN)
        opaque(p.frozen);
    p.get_y_neighbours(halo, south, north);
#pragma unroll
    for (int r = 0; r < P::R; r++) {
        T west, east;
        get_x_neighbours(p, r, halo, west, east);
#pragma unroll
        for (int c = 0; c < P::C; c++) {
            T here = p.u[r][c];
            T jacobi = jacobi_value(p, update, r, c, west, east, south, north);
            T value = FIRST ? inner(n, 0, jacobi, here, p.before[r][c])
                            : inner.combine(n, jacobi, p.before[r][c]);
            if (SUM && owned >> (r * P::C + c) & 1) {
                double d = (double)(jacobi - here);
                squares = fma(d, d, squares);
            }
            p.before[r][c] = FROZEN && p.is_frozen(r, c) ? here : value;
        }
        if (SUM || FROZEN)
            __syncwarp(); /* as in visit_colour */
    }
    p.exchange();
    return squares;
}

#endif
