/*
 * Parameter rows and ranges common to time-dependent equations. Constant and pure; any thread.
 */
#ifndef SS_EQ_TRANSIENT_H
#define SS_EQ_TRANSIENT_H

#include "kernels/eq/rows.h"

/* Permits steps beyond the limit of stability. */
#define SS_ROW_ALLOW_UNSTABLE                                                                      \
    {                                                                                              \
        SS_ROW("allow-unstable", "Problem", SS_BOOL),                                              \
            .symbol = "unstable", .flags = SS_P_LIVE,                                              \
            .help = "allow steps beyond the limit of stability"                                    \
    }

/* Fails with a message if `value` of `row` exceeds `limit` and allow-unstable is off. */
int ss_transient_check(const ss_config *cfg, const char *row, double value, double limit,
                       ss_err *err);
/* The range of a slider: from `least` to the limit, with allow-unstable to twice the limit. It is
 * extended to include the present `value`; ss_transient_check decides whether that is valid. */
void ss_transient_range(const ss_config *cfg, double value, double least, double limit, double *lo,
                        double *hi, const char **why);
/* A slider from 0 to 1.2 times the limit, evenly spaced. */
void ss_transient_track(double limit, ss_track *track);
/* Writes the note "0.80 of the limit". */
void ss_transient_note(double value, double limit, char *buf, size_t size);

#endif
