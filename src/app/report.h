/* The report of a finished run: the JSON object, the residual history as CSV, a few lines of
 * text. Main thread, after the engine has stopped. */
#ifndef SS_REPORT_H
#define SS_REPORT_H

#include <jansson.h>
#include <stdio.h>

#include "src/run/reference.h"

/* One object on one line; path "-" is stdout. */
int ss_result_json(const ss_result *r, const char *path, ss_err *err);
int ss_result_csv(const ss_result *r, const char *path, ss_err *err);
/* Both norms as an object. */
json_t *ss_errors_json(const double error[SS_NERROR]);
void ss_result_text(const ss_result *r, FILE *out);

#endif
