/*
 * What solvers have in common that go through the whole field once a cycle, point by point. Pure
 * functions; any thread.
 */
#ifndef SS_SOLVER_SWEEP_H
#define SS_SOLVER_SWEEP_H

#include "src/core/solver.h"

/* For the table: one sweep is one launch. See ss_solver. */
void ss_sweep_ledger(const ss_config *cfg, const ss_equation *eq, const ss_problem *p,
                     ss_ledger *out);

#endif
