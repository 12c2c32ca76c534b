/*
 * k subiterations of every tile of a field (shared.c), for a method whose cycle has such passes:
 * multigrid's smoother `shared`. Engine thread.
 */
#ifndef SS_CPU_SHARED_H
#define SS_CPU_SHARED_H

#include "kernels/cpu/state.h"

/* omega: the subiterations are Jacobi's, damped by it; NULL: not damped. Sets run->scratch. */
int ss_shared_open(ss_run *run, const double *omega, ss_err *err);
/* One pass of k subiterations from u[cur] into the other field. False: the app interrupted it.
 * squares: the sum of squared changes by Jacobi, of the last pass with `check`. */
bool ss_shared_pass(const ss_run *run, int k, bool check);
double ss_shared_squares(const ss_run *run);
void ss_shared_release(ss_run *run);

#endif
