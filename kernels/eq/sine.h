/*
 * The sine basis of the Dirichlet Laplacian, and the direct solvers built on it for u* of the
 * steady equations. Separable block inverses use the same basis. Called by the `exact` functions of
 * the equations on the thread that computes u*, by kernels/block, and by tests; stateless.
 */
#ifndef SS_EQ_SINE_H
#define SS_EQ_SINE_H

#include "src/base/common.h"

#ifdef __cplusplus
extern "C" {
#endif

struct ss_problem;

/* S[i*n + j] = sqrt(2/(n+1)) sin(pi (i+1)(j+1)/(n+1)): symmetric, its own inverse, n*n doubles.
 * Free with free(). NULL: err holds the requested size. */
double *ss_sine_basis(int n, ss_err *err);

/* lambda[i] = 4 sin^2(pi (i+1)/(2(n+1))): the eigenvalues of tridiag(-1, 2, -1), column i of S. */
void ss_sine_eigenvalues(int n, double *lambda);

/* The discrete solution for the scaled right-hand side g = b / diagonal (dense, nx*ny doubles):
 * poisson1d for each of ny copies, poisson2d by fast diagonalisation. */
int ss_sine_poisson1d(const struct ss_problem *p, const double *g, double *u, ss_err *err);
int ss_sine_poisson2d(const struct ss_problem *p, const double *g, double *u, ss_err *err);

/* Their memory besides g and u in bytes, and their work in operations. */
void ss_sine_poisson1d_cost(const struct ss_problem *p, double *bytes, double *operations);
void ss_sine_poisson2d_cost(const struct ss_problem *p, double *bytes, double *operations);

#ifdef __cplusplus
}
#endif
#endif
