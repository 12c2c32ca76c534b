/*
 * Common to Poisson's equation in 1D and in 2D: the initial fields, the right-hand sides and the
 * operator's diagonal. Constant and pure; any thread.
 */
#ifndef SS_EQ_POISSON_H
#define SS_EQ_POISSON_H

#include "src/core/equation.h"

/* The choices of the parameter `problem`, and their help. */
extern const char *const ss_poisson_problems[], *const ss_poisson_problem_help[];

/* See ss_equation. The coefficients of the update: c = (1/dx^2)/D, and in 2D a = (dx/dy)^2. */
void ss_poisson_coef(const ss_problem *p, ss_coef *out);
double ss_poisson_spectral_radius(const ss_problem *p);
void ss_poisson_init(const ss_problem *p, int field, int j, int k, double *row);
void ss_poisson_rhs(const ss_problem *p, int field, int j, int k, double *row);

#endif
