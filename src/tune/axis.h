/*
 * The axes of a tuning map: lists and ranges of up to two parameters. They are stored apart from
 * the config, which has one value per parameter. Main thread.
 */
#ifndef SS_TUNE_AXIS_H
#define SS_TUNE_AXIS_H

#include "src/core/param.h"

#define SS_AXIS_MAX 128 /* values */
#define SS_AXES_MAX 2

typedef struct ss_tune_axis {
    const ss_param *row;
    int n;
    ss_value v[SS_AXIS_MAX];
    char text[SS_AXIS_MAX][32];
} ss_tune_axis;

typedef struct ss_tune_axes {
    ss_tune_axis at[SS_AXES_MAX]; /* rows of the table, then columns; one alone: columns */
    int n;
} ss_tune_axes;

/* The axes of the command line; empty unless the subcommand is map. */
ss_tune_axes *ss_tune_asked_axes(void);
/* Makes an axis of an option's value if it is a list (4,8,16), a range (from:to:step, both ends
 * included, step 1 if left out) or a list of both; *taken: it was. The last value of an option
 * counts. On failure the axes do not change. */
int ss_tune_axes_take(ss_tune_axes *axes, const ss_param *row, const char *text, bool *taken,
                      ss_err *err);

/* Fails for a list or a range where one value is wanted: outside map. */
int ss_tune_one_value(const ss_param *row, const char *text, ss_err *err);

/* Axes through the values of cfg, over the parameters that matter most to its solver. */
int ss_tune_axes_around(const ss_config *cfg, ss_tune_axes *axes, ss_err *err);

#endif
