/*
 * What a run is compared with, computed when first asked for: u*, the exact solution of the
 * discrete system (in the background, on a thread of its own, by BLAS; or at once), and the field
 * after many Jacobi iterations from the run's own start, against which "wild" solvers state their
 * accuracy (always in the background). Owned by the run; done/poll from the engine thread.
 */
#ifndef SS_REFERENCE_H
#define SS_REFERENCE_H

#include "src/core/run.h"

typedef struct ss_reference ss_reference;

/* Starts computing; memory and expected work are said in `say`. NULL and a reason if it cannot be
 * (unknown solution, memory). Copies the right-hand side first, so the run may go on. */
ss_reference *ss_reference_start(ss_run *run, bool background, char *say, size_t size, ss_err *err);
/* The field after a number of Jacobi iterations from the run's initial field, in double precision
 * on the run's backend; threads: of the CPU, 0: as many as the run itself. Otherwise as above. */
#define SS_REFERENCE_ITERATIONS 4096
ss_reference *ss_reference_iterate(ss_run *run, int threads, char *say, size_t size, ss_err *err);
/* Dense nx*ny*nz doubles once ready, else NULL. *failed: it never will be, err says why. */
const double *ss_reference_get(ss_reference *ref, bool *failed, ss_err *err);
/* Waits until it is ready (or failed). */
const double *ss_reference_wait(ss_reference *ref, ss_err *err);
/* max |u| of a reference that is ready. */
double ss_reference_largest(const ss_reference *ref);
double ss_reference_seconds(const ss_reference *ref);
/* Cancels the computation if it still runs, and waits for its thread (a second at most). */
void ss_reference_free(ss_reference *ref);
/* For samplers, ss_run_reference in run.h: u* of the run if ready, else NULL. */

#endif
