/*
 * What a finished run says of itself: the JSON object, the residual history as CSV, a few lines of
 * text. Main thread, after the engine has stopped.
 */
#ifndef SS_REPORT_H
#define SS_REPORT_H

#include <stdio.h>

#include "src/core/run.h"

typedef struct ss_result {
    ss_run *run;
    ss_status status;     /* never SS_RUNNING */
    double error_max;     /* max|u - u*|; NaN: not asked for */
    double accuracy;      /* max|u - ref| / max|ref|; NaN: not asked for */
    double seconds_total; /* wall clock, opening included */
} ss_result;

/* Collects the figures; computes the last residual and, if wanted, the error and the accuracy. */
int ss_result_make(ss_run *run, bool want_error, bool want_accuracy, double started, ss_result *out,
                   ss_err *err);
/* One object on one line; path "-" is stdout. */
int ss_result_json(const ss_result *r, const char *path, ss_err *err);
/* Subdomains, nodes or blocks of the run as it is; NaN: it has none. */
double ss_result_blocks(const ss_run *run);
int ss_result_csv(const ss_result *r, const char *path, ss_err *err);
void ss_result_text(const ss_result *r, FILE *out);

#endif
