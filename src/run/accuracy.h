/*
 * Accuracy as the paper on wild asynchrony has it: max |u - ref| / max |ref|, with ref the field
 * after 4096 Jacobi iterations from the same start; and running until it is good enough, to see how
 * many iterations a solver needs for what T iterations of Jacobi give. Engine thread.
 */
#ifndef SS_ACCURACY_H
#define SS_ACCURACY_H

#include "src/core/run.h"

/* The accuracy of the field on hand, if the reference is there: in run->accuracy, and true. Reads
 * the field once, not again for the same cycle. */
bool ss_accuracy_measure(ss_run *run);
/* Is run->accuracy that of the field on hand? */
bool ss_accuracy_known(const ss_run *run);
/* Forgets the reference: the start is another one. */
void ss_accuracy_forget(ss_run *run);

/* ss_run_step for a run that is to stop at run->until_accuracy: up to `cycles` cycles by `advance`,
 * looking after every one (which is not timed). Returns without having advanced while the
 * reference is being computed. At the end status is SS_LIMIT and run->teff the iterations it took,
 * interpolated between two looks on the logarithm of the accuracy. */
int ss_accuracy_seek(ss_run *run, int64_t cycles,
                     int (*advance)(ss_run *run, int64_t cycles, ss_err *err), ss_err *err);

#endif
