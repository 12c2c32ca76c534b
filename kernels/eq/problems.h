/*
 * The problems of the steady equations in 1D and in 2D: a right-hand side that is even, a spike or
 * random, and an initial field to each. The equations name them; the order is that of the enum.
 * Pure; any thread.
 */
#ifndef SS_EQ_PROBLEMS_H
#define SS_EQ_PROBLEMS_H

#include "src/core/equation.h"

enum { SS_PROBLEM_EVEN, SS_PROBLEM_SPIKE, SS_PROBLEM_RANDOM };

/* See ss_equation. The initial field is `even` everywhere in the first problem, 0 in the second. */
void ss_problem_init(const ss_problem *p, int j, double even, double *row);
/* The scaled right-hand side g: `even` everywhere, or `spike` at the middle point and 0 elsewhere,
 * or random between -1 and 1. */
void ss_problem_rhs(const ss_problem *p, int j, double even, double spike, double *row);

#endif
