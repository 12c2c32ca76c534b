/*
 * The eigenvectors of the discrete Laplacian, which are sines, and the direct solvers built on them
 * for u* of the steady equations. Separable block inverses and the error spectrum use them as well.
 * Called by the `exact` functions of the equations on the thread that computes u*, by
 * kernels/block, from the engine thread and by tests; stateless.
 */
#ifndef SS_EQ_SINE_H
#define SS_EQ_SINE_H

#include "src/base/common.h"

struct ss_problem;

/* --- direct solvers --------------------------------------------------------------------------- */

/* The discrete solution for the scaled right-hand side g = b / diagonal (dense, nx*ny doubles):
 * poisson1d for each of ny copies, poisson2d by fast diagonalisation. */
int ss_sine_poisson1d(const struct ss_problem *p, const double *g, double *u, ss_err *err);
int ss_sine_poisson2d(const struct ss_problem *p, const double *g, double *u, ss_err *err);

/* Their memory besides g and u in bytes, and their work in operations. */
void ss_sine_poisson1d_cost(const struct ss_problem *p, double *bytes, double *operations);
void ss_sine_poisson2d_cost(const struct ss_problem *p, double *bytes, double *operations);

/* --- modes of a box of cells ------------------------------------------------------------------ */

/* The eigenvectors of the seven-point Laplacian, direction by direction: sines that vanish at the
 * ghost cells' centres (zero ghost cells) or on the wall (ghost cells are minus the cells inside).
 */

/* One direction. */
typedef struct ss_modes {
    int n;
    double *basis;  /* basis[i*n + k]: orthonormal mode k at cell i */
    double *lambda; /* eigenvalues of tridiag(-1, 2, -1); if mirrored, 3 at the diagonal's ends */
} ss_modes;

/* Without mirrored ghost cells the basis is symmetric, and these are the modes of lines and planes:
 * basis[i*n + j] = sqrt(2/(n+1)) sin(pi (i+1)(j+1)/(n+1)), lambda[i] = 4 sin^2(pi (i+1)/(2(n+1))).
 */

/* Mode m = 1 ... n at cell i, not normalised: sin(pi m (i+1)/(n+1)), or sin(pi m (i+1/2)/n). */
double ss_mode_at(int n, bool mirror, int m, int i);

/* All three directions; directions with equal n share memory. A failure leaves nothing to free. */
int ss_modes_make(ss_modes out[3], const int n[3], bool mirror, ss_err *err);
void ss_modes_free(ss_modes m[3]);

/* The size in doubles of the `work` array of a transform. */
size_t ss_modes_work(const ss_modes m[3]);
/* Transforms a dense box u, x fastest, to its modes or back, in place: three matrix products.
 * Fails if u* is no longer needed. */
int ss_modes_transform(const ss_modes m[3], bool back, double *u, double *work, ss_err *err);

#endif
