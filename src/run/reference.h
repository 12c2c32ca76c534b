/*
 * The references that a run is compared with, computed on first use. u* is the exact solution of
 * the discrete system, by BLAS, in the background or at once. The baseline is the field after many
 * Jacobi iterations from the run's own start, always in the background: the accuracy of "wild"
 * solvers is measured against it. Owned by the run, or by several ones
 * together (ss_reference_take); engine thread.
 */
#ifndef SS_REFERENCE_H
#define SS_REFERENCE_H

#include "src/core/run.h"

typedef struct ss_reference ss_reference;

/* Starts computing u*; writes memory and expected work to `notice`. NULL and a reason in err if
 * that is impossible (unknown solution, memory). The run may continue: it copies the right-hand
 * side. */
ss_reference *ss_reference_start(ss_run *run, bool background, char *notice, size_t size,
                                 ss_err *err);
/* Starts computing the field after SS_REFERENCE_ITERATIONS Jacobi iterations from the run's initial
 * field, in double precision on the run's backend. threads: CPU threads, 0: as many as the run. */
#define SS_REFERENCE_ITERATIONS 4096
ss_reference *ss_reference_iterate(ss_run *run, int threads, char *notice, size_t size,
                                   ss_err *err);
/* Is u* computed within some milliseconds, or there already? */
bool ss_reference_is_cheap(const ss_run *run);
/* Dense nx*ny*nz doubles once ready, else NULL. *failed: it never will be ready; err has the
 * reason. */
const double *ss_reference_get(ss_reference *ref, bool *failed, ss_err *err);
/* Waits until it is ready (or failed). */
const double *ss_reference_wait(ss_reference *ref, ss_err *err);
/* max |u| of a reference that is ready. */
double ss_reference_largest(const ss_reference *ref);
double ss_reference_seconds(const ss_reference *ref);
/* A run without u* takes that of another run of its problem, if the right-hand sides have the same
 * bits: they may differ in precision and in the file that was read. */
void ss_reference_take(ss_run *run, const ss_run *other);
/* The last owner cancels a computation in progress and waits for its thread (a second at most). */
void ss_reference_free(ss_reference *ref);
#endif
