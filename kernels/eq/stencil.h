/*
 * A matrix with the same entries in every row, three in 1D and five in 2D: the numbers that
 * Jacobi's iteration, its convergence and a direct solution follow from. Used by the equations
 * line, plane and advdiff2d. Pure but for ss_stencil_solve, which takes seconds; any thread.
 * Source: Islam & Wang, equations 4 and 11.
 *
 *     w u_w + e u_e + s u_s + n u_n + d u = b     with u = 0 beyond the edge
 *
 * In the middle of row i is d, which is not 0. In 1D s = n = 0, and the rows of a field are copies.
 */
#ifndef SS_EQ_STENCIL_H
#define SS_EQ_STENCIL_H

#include "src/core/equation.h"

typedef struct ss_stencil {
    double w, e, s, n, d;
} ss_stencil;

/* c[0] to c[3] are -w/d, -e/d, -s/d, -n/d, what line.h and plane.h multiply the neighbours by. */
void ss_stencil_coef(const ss_stencil *m, ss_coef *out);
/* Spectral radius of Jacobi's iteration. The eigenvalues are those of a Toeplitz matrix,
 *     -(2 sqrt(w e) cos(i pi/(nx+1)) + 2 sqrt(s n) cos(j pi/(ny+1)))/d,
 * imaginary in a direction where the product is negative: the radius is the largest modulus. */
double ss_stencil_radius(const ss_problem *p, const ss_stencil *m);
/* The sum of the moduli beside the diagonal. Up to |d| the matrix is diagonally dominant, and no
 * iteration enlarges the largest error. */
double ss_stencil_beside(const ss_stencil *m);
bool ss_stencil_is_dominant(const ss_stencil *m);
bool ss_stencil_is_symmetric(const ss_stencil *m);

/* How many times as far apart as those of the config the points of a problem are: 1, or a power of
 * 2 on a coarser grid of multigrid. */
double ss_stencil_width(const ss_problem *p);

/* u* for the scaled right-hand side g = b/d, and its cost: see exact and exact_cost of ss_equation.
 * In 1D LAPACK's tridiagonal solver, in 2D Gaussian elimination with partial pivoting inside the
 * band, whose width is the smaller of nx and ny. Fails if the matrix is singular. */
int ss_stencil_solve(const ss_problem *p, const ss_stencil *m, const double *g, double *u,
                     ss_err *err);
void ss_stencil_cost(const ss_problem *p, double *bytes, double *operations);

#endif
