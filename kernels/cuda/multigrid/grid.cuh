/*
 * The operations of a multigrid cycle at one point: smoothing, residual, restriction, correction;
 * and the elimination of one line. kernels/solver/multigrid.c has the method and its source.
 * Expressions and rounding are those of kernels/cpu/multigrid.c and
 * kernels/cpu/loops/combine_each.h, and so are the bits. E is `poisson_line` or `poisson_plane` of
 * device/update.cuh. Device code.
 */
#ifndef SS_CUDA_MULTIGRID_GRID_CUH
#define SS_CUDA_MULTIGRID_GRID_CUH

#include "kernels/cuda/device/update.cuh"
#include "kernels/cuda/multigrid/arguments.h"

/* One grid. Pointers are to point (0, 0); a halo of zeros surrounds each array. The present field
 * is in one of u[0] and u[1], and each pass over it goes from there to the other one. cycle.c has a
 * struct of the same layout, one for both precisions. */
template <class E> struct mg_grid {
    typedef typename E::real T;
    T *u[2], *r;   /* r: the residual u' - u */
    const T *g;    /* the right-hand side, scaled by the diagonal; of coarser grids it is written
                      through `mg_restrict` only */
    T *restricted; /* the same array as g; NULL: the finest grid */
    int nx, ny;
    ptrdiff_t sy;
    T weight; /* of a residual that is restricted from here: D/D_coarser/16, on a line /4 */
    union {
        E update;
        double room[4]; /* its size in double precision */
    };
};
static_assert(sizeof(mg_grid<poisson_plane<float>>) == sizeof(mg_grid<poisson_plane<double>>),
              "one layout");

/* What a pass stores. */
enum mg_pass { MG_DAMPED, MG_RED, MG_BLACK, MG_RESIDUAL };

/* 1 - omega and omega, each rounded once. The same layout in both precisions. */
template <typename T> struct mg_relaxation {
    alignas(8) T rest;
    alignas(8) T w;
};

/* Point (i, j), from u and u'. Counted from 0, (i, j) of a plane is red if i + j is even; on a
 * line, if i is odd. The other colour is copied. */
template <mg_pass P, class E>
static __device__ __forceinline__ typename E::real mg_value(mg_relaxation<typename E::real> relax,
                                                            typename E::real jacobi,
                                                            typename E::real u, int i, int j)
{
    if (P == MG_RESIDUAL)
        return jacobi - u;
    typename E::real relaxed = relax.rest * u + relax.w * jacobi;
    bool mine = ((i + (E::dim > 1 ? j : 1) + (P == MG_BLACK)) & 1) == 0;
    return P == MG_DAMPED || mine ? relaxed : u;
}

/* The right-hand side at point (i, j) of the next coarser grid, which is (2 i + 1, 2 j + 1) of this
 * one; rows of lines are not coupled, and stay. */
template <class E>
static __device__ __forceinline__ typename E::real mg_restricted(const mg_grid<E> &fine, int i,
                                                                 int j)
{
    typedef typename E::real T;
    const T *r = fine.r + (E::dim > 1 ? 2 * (ptrdiff_t)j + 1 : j) * fine.sy + 2 * (ptrdiff_t)i + 1;
    T row = (r[-1] + r[1]) + 2 * r[0];
    if (E::dim > 1) {
        const T *s = r - fine.sy, *n = r + fine.sy;
        row = (((s[-1] + s[1]) + (n[-1] + n[1])) + 2 * ((s[0] + n[0]) + (r[-1] + r[1]))) + 4 * r[0];
    }
    return fine.weight * row;
}

/* The correction of point (i, j): the field c of the coarser grid, whose rows are sy apart,
 * interpolated. An even row is between two of its rows, an even column between two of its columns;
 * row and column -1 are the boundary. */
template <class E>
static __device__ __forceinline__ typename E::real mg_correction(const typename E::real *c,
                                                                 ptrdiff_t sy, int i, int j)
{
    typedef typename E::real T;
    ptrdiff_t row = E::dim > 1 ? (j + 1) / 2 - 1 : j, up = E::dim > 1 && j % 2 == 0 ? sy : 0;
    const T *at = c + row * sy + ((i + 1) / 2 - 1);
    T e = (T)0.5 * (at[0] + at[up]);
    if (i % 2 == 0)
        e = (T)0.5 * (e + (T)0.5 * (at[1] + at[1 + up]));
    return e;
}

/* Solves one line. */
template <typename T>
static __device__ __forceinline__ void mg_solve(const mg_line &l, int line, const T *g, T *u)
{
    double before = 0;
    g += line * l.next;
    u += line * l.next;
    for (int k = 0; k < l.length; k++) {
        before = ((double)g[k * l.step] + l.west * before) / l.divisor[k];
        u[k * l.step] = (T)before;
    }
    for (int k = l.length - 2; k >= 0; k--) {
        before = (double)u[k * l.step] + l.factor[k] * before;
        u[k * l.step] = (T)before;
    }
}

#endif
