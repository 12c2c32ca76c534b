/*
 * The references that a run is compared with, the distances to them, and the figures of a finished
 * run. Engine thread.
 */
#ifndef SS_REFERENCE_H
#define SS_REFERENCE_H

#include "src/core/run.h"

/* --- references ------------------------------------------------------------------------------- */

/*
 * The references that a run is compared with, computed on first use. u* is the exact solution of
 * the discrete system, by BLAS, in the background or at once. The baseline is the field after many
 * Jacobi iterations from the run's own start, always in the background: the accuracy of "wild"
 * solvers is measured against it. Owned by the run, or by several ones
 * together (ss_reference_take).
 */

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

/* --- errors ----------------------------------------------------------------------------------- */

/*
 * The error of a steady run relative to u*, the exact solution of the discrete system, in two
 * norms: max|u - u*| / max|u*|, and sqrt(e'A e) / sqrt(u*'A u*) with e = u - u*, where the matrix A
 * is symmetric and positive definite.
 */

/* The error of the current field. Fails while there is no u*, where u* is 0, and where there is no
 * such norm. The energy norm downloads the field. */
int ss_error_of(ss_run *run, ss_error_norm norm, double *out, ss_err *err);

/* --- accuracy --------------------------------------------------------------------------------- */

/*
 * Accuracy as defined in the paper on wild asynchrony: max |u - ref| / max |ref|, where ref is the
 * field after 4096 Jacobi iterations from the same start. Also runs a solver to a given accuracy,
 * to compare its iterations with those of Jacobi, or to a given error.
 */

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

/* --- the figures of a finished run ------------------------------------------------------------ */

/*
 * The figures of a finished run: the last residual, the error, the accuracy. Thread: the run's
 * owner.
 */

typedef struct ss_result {
    ss_run *run;
    ss_status status;                 /* never SS_RUNNING */
    double error_max;                 /* max|u - u*|; NaN: not requested, or the run diverged */
    double error[SS_NERROR];          /* relative to u*; NaN: u* is not known, or as above */
    double accuracy;                  /* max|u - ref| / max|ref|; NaN: as above */
    bool wants_error, wants_accuracy; /* requested */
    double seconds_total;             /* wall clock, opening included */
} ss_result;

/* Of a steady run that stands: its errors relative to u*, each NaN where it is not defined. With
 * `wanted` u* is computed in any case, else only if that takes some milliseconds. */
void ss_result_errors(ss_run *run, bool wanted, double error[SS_NERROR]);
/* Collects the figures; computes the last residual and, if wanted, the error and the accuracy. */
int ss_result_make(ss_run *run, bool want_error, bool want_accuracy, double started, ss_result *out,
                   ss_err *err);
/* mean|u - u*| over the points, of the first field; transient equations: against the exact solution
 * at the present time, as error_max. Downloads the field. Fails where the solution is unknown. */
int ss_result_mean_error(ss_run *run, double *out, ss_err *err);
/* Number of subdomains, nodes or blocks of the current config; NaN: it has none. */
double ss_result_blocks(const ss_run *run);

#endif
