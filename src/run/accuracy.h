/*
 * Accuracy as defined in the paper on wild asynchrony: max |u - ref| / max |ref|, where ref is the
 * field after 4096 Jacobi iterations from the same start. Also runs a solver to a given accuracy,
 * to compare its iterations with those of Jacobi, or to a given error (error.h). Engine thread.
 */
#ifndef SS_ACCURACY_H
#define SS_ACCURACY_H

#include "src/core/run.h"

/* Stores the accuracy of the current field in run->accuracy; false if the reference is not ready.
 * Reads the field at most once per cycle. */
bool ss_accuracy_measure(ss_run *run);
/* Is run->accuracy that of the current field? */
bool ss_accuracy_known(const ss_run *run);
/* Frees the reference, because the run has a new start. */
void ss_accuracy_forget(ss_run *run);

/* Steps a run that stops at run->until_accuracy or run->until_error: up to `cycles` cycles by
 * `advance`, measuring the distance at each cycle that is due for a residual check (not timed); an
 * error at fewer ones where the residual is checked seldom, too (checks.h).
 * While the reference is being computed, it returns without a step. At the end status is
 * SS_CONVERGED and run->met is set. With an accuracy, run->teff is the number of iterations,
 * interpolated between two cycles on its logarithm; with an error, the cycles count. */
int ss_accuracy_seek(ss_run *run, int64_t cycles,
                     int (*advance)(ss_run *run, int64_t cycles, ss_err *err), ss_err *err);

#endif
