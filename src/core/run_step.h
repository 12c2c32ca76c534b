/*
 * The bookkeeping of a run that its step functions and the files of src/run share. Functions that
 * the step functions call directly are declared in run.h. Engine thread.
 */
#ifndef SS_RUN_STEP_H
#define SS_RUN_STEP_H

#include "src/core/run.h"

/* A residual (or, for transient equations, a value) this many times the first one is divergence. */
#define SS_RUN_GROWTH 1e6
/* Where the matrix is not symmetric, an iteration that converges may first raise the residual by
 * orders of magnitude: with a spectral radius below 1 only this is divergence. Larger growth would
 * leave no digit of the first field in double precision. */
#define SS_RUN_GROWTH_PASSING 1e14

/* The bound for the run's residual; ss_run.growth has it. */
double ss_run_growth_bound(const ss_run *run);
/* Values not finite or grown beyond the bound: sets the run's status and message. cause: a clause,
 * or NULL if it is unknown. */
void ss_run_say_diverged(ss_run *run, const char *what, const char *cause);
/* The likely cause, with the present values, of a residual that does not fall, or NULL: that of the
 * solver, or else of the equation. */
const char *ss_run_suspect(const ss_run *run);
/* The norm of a matrix whose rows have as much beside the diagonal as on it. */
double ss_run_matrix_norm(const ss_run *run);
/* Adds `times` times the cost `one` to the run's ledger; shares of a cycle (stale, idle) are left.
 */
void ss_run_bill(ss_run *run, const ss_ledger *one, double times);
/* The updates of a ledger per point of the run: sweeps of its (finest) grid. */
double ss_run_work(const ss_run *run, const ss_ledger *ledger);
/* The run's present figures as a point of its history, after `seconds` of solving. */
ss_point ss_run_point(const ss_run *run, double seconds);
/* Seconds since the step in progress began. */
double ss_run_in_step(const ss_run *run);
/* Seconds that the run's solving has taken of this machine or its device, for whoever shares time
 * out: seconds_solve, unless that is the time of modelled ranks. */
double ss_run_spent(const ss_run *run);
/* Starts the clock of a step. */
void ss_run_clock_start(ss_run *run);
/* The value of ss_run_model_work for the calling thread. */
bool ss_run_models_work(void);
/* Adds `steps` time steps and updates the simulated time. */
void ss_run_steps_done(ss_run *run, int64_t steps);
/* The step since which dt has its present value: the current one if dt has just been changed. */
ss_since ss_run_since(const ss_run *run);
/* Did earlier steps have another dt? */
bool ss_run_many_dt(const ss_run *run);
/* The flag that ss_run_abandon_by (run.h) has set for the calling thread, or NULL. */
atomic_bool *ss_run_abandon_flag(void);
/* The flag that ss_exact_cancelled (equation.h) reads on the calling thread. */
void ss_exact_cancel_by(const atomic_bool *flag);

#endif
