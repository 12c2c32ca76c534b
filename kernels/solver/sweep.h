/*
 * Common to solvers that sweep the whole field once per cycle, point by point. Pure functions; any
 * thread.
 */
#ifndef SS_SOLVER_SWEEP_H
#define SS_SOLVER_SWEEP_H

#include "src/core/solver.h"

/* ss_solver.ledger: one sweep is one launch. */
void ss_sweep_ledger(const ss_config *cfg, const ss_equation *eq, const ss_problem *p,
                     ss_ledger *out);

#endif
