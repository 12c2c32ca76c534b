/*
 * Private to src/run: shared by several files. Engine thread only.
 */
#ifndef SS_RUN_PARTS_H
#define SS_RUN_PARTS_H

#include "src/core/run.h"

struct ss_saved; /* saved.h */

/* Reads the files that the run was opened with into its fields. *state: the saved state that `load`
 * is, to close; NULL: it is none. */
int ss_run_read_inputs(ss_run *run, struct ss_saved **state, ss_err *err);
/* Resets cycles, clocks and residuals to cycle 0; leaves the fields as they are. */
void ss_run_forget_progress(ss_run *run);
/* Fails if the diagonal of a steady equation differs from `before`: the right-hand side was divided
 * by it when the run began, so a live change must not alter it. */
int ss_run_same_diagonal(const ss_run *run, const ss_coef *before, ss_err *err);
/* Does the cycles, or the classic steps that complete a run whose end lies inside a cycle; both add
 * their time and their cost. */
int ss_run_advance(ss_run *run, int64_t cycles, ss_err *err);
int ss_run_finish(ss_run *run, int64_t steps, ss_err *err);
/* Adds the time since ss_run_clock_start. */
void ss_run_add_seconds(ss_run *run);
/* A number for the equation, the solver and the values of the solver's rows. What a cycle hands on
 * to the next one (ss_engine_ops.memory) is valid only where it is the same: the search directions
 * of one variant of CG mean nothing to another. Other rows (threads, stores, checks) do not count.
 * It is the same in every process. */
uint64_t ss_run_method(const ss_config *cfg);

/* --- divergence of transient equations (divergence.c) ---------------------------------------- */

/* A copy of all fields, dense, in the run's precision; free it. NULL: out of memory or device lost.
 */
char *ss_run_fields(ss_run *run, ss_err *err);
/* max |u| of such a copy; infinite if some values are not finite. */
double ss_run_largest(const ss_run *run, const char *fields);
/* Has max |u| grown as it does when a run diverges? */
bool ss_run_has_grown(const ss_run *run, double largest);
/* Keeps the copy of the present fields, which have not diverged: the next search starts there. */
void ss_good_keep(ss_run *run, char *fields);
void ss_good_forget(ss_run *run);
/* The present fields have diverged: goes back to the fields kept, and from there cycle by cycle to
 * the first that have diverged. *fields and *largest are those of the result. Without kept fields
 * the run stays where it is. */
int ss_run_find_divergence(ss_run *run, char **fields, double *largest, ss_err *err);

/* Transient equations: calls ss_run_watch if it is due. */
int ss_run_watch_sometimes(ss_run *run, ss_err *err);
/* Steps left to the simulated time limit; INT64_MAX: no limit. */
int64_t ss_run_steps_left(const ss_run *run);

#endif
