/*
 * Parameter rows and ranges that time-dependent equations share. Constant and pure; any thread.
 */
#ifndef SS_EQ_TRANSIENT_H
#define SS_EQ_TRANSIENT_H

#include "kernels/eq/rows.h"

/* Beyond the limit of stability only on request. */
#define SS_ROW_ALLOW_UNSTABLE                                                                      \
    {                                                                                              \
        SS_ROW("allow-unstable", "Problem", SS_BOOL),                                              \
            .symbol = "unstable", .flags = SS_P_LIVE,                                              \
            .help = "let a step be larger than the limit of stability, to see what happens"        \
    }

/* SS_OK, or the sentence: `row` is `value`, stable is up to `limit`. */
int ss_transient_check(const ss_config *cfg, const char *row, double value, double limit,
                       ss_err *err);
/* What a slider reaches: from `least` to the limit, with allow-unstable twice as far; and the value
 * in force, wherever it is: ss_transient_check has the word about that. */
void ss_transient_range(const ss_config *cfg, double value, double least, double limit, double *lo,
                        double *hi, const char **why);
/* "stable to 0.00309" */
void ss_transient_note(double limit, char *buf, size_t size);

#endif
