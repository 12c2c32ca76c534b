/*
 * The figures of a finished run: the last residual, the error, the accuracy. Thread: the run's
 * owner.
 */
#ifndef SS_RESULT_H
#define SS_RESULT_H

#include "src/core/run.h"

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
