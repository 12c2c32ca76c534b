/*
 * Common to the descriptors of time-dependent schedules (stepper, swept). Pure functions; any
 * thread.
 */
#ifndef SS_SOLVER_TRANSIENT_H
#define SS_SOLVER_TRANSIENT_H

#include "kernels/geom/swept.h"
#include "src/core/solver.h"

/* ss_solver.step_ledger: a classic step. */
void ss_step_ledger(const ss_config *cfg, const ss_equation *eq, const ss_problem *p,
                    ss_ledger *out);
/* The nodes of a run with the solver swept. */
ss_swept ss_swept_of(const ss_config *cfg, const ss_problem *p);

#endif
