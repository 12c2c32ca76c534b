/*
 * stencilscope map makes a tuning map: a table over lists of up to two parameters, such as k and
 * overlap, each cell a whole run. `--k 4,8,16 --overlap 0:16:2` are its axes; they are stored
 * apart from the config, which has one value per parameter. Main thread.
 */
#ifndef SS_TUNE_MAP_H
#define SS_TUNE_MAP_H

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

/* Its parameters, for ss_registry_add. */
extern ss_param ss_tune_rows[];
extern const int ss_ntune;

/* The config of the first valid cell, for the head of a screen. Returns an exit status; not 0: the
 * map has no valid cell. */
int ss_tune_first(const ss_config *cfg, ss_config *out, ss_err *err);

/* The subcommand: the table on stdout, JSON (T4 auto-tuning results) to the file of --json, a row
 * per cell appended to that of --csv, a progress bar on stderr if that is a terminal. Returns the
 * exit status. */
int ss_tune_run(const ss_config *cfg, ss_err *err);

#endif
