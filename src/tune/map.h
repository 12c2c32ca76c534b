/*
 * stencilscope map: a table of cells over lists of up to two parameters, each cell a whole run.
 * `--k 4,8,16 --overlap 0:16:2` are its axes; they are kept beside the config (as the program's own
 * options are), since a config has one value a row. Main thread, nothing else running.
 */
#ifndef SS_MAP_H
#define SS_MAP_H

#include "src/core/param.h"

#define SS_AXIS_MAX 128 /* values */
#define SS_AXES_MAX 2

typedef struct ss_tune_axis {
    const ss_param *row;
    int n;
    ss_value v[SS_AXIS_MAX];
    char text[SS_AXIS_MAX][32];
} ss_tune_axis;

typedef struct ss_axes {
    ss_tune_axis at[SS_AXES_MAX]; /* rows of the table, then columns; one alone: columns */
    int n;
} ss_axes;

/* What the command line has; empty unless it is a map's. */
ss_axes *ss_map_axes(void);
/* Takes the value of an option if it is a list (4,8,16) or a range (from:to:step, both ends
 * included, the step 1 if left out) or a list of both; *taken says so. Of one row the last
 * one counts. On failure they are as they were. */
int ss_axes_take(ss_axes *axes, const ss_param *row, const char *text, bool *taken, ss_err *err);

/* Rows of its own: for ss_registry_add. */
extern ss_param ss_map_rows[];
extern const int ss_nmap;

/* What a screen begins with: the first cell that can be, as the config of a run. Returns an exit
 * status; not 0: there is no such map. */
int ss_map_first(const ss_config *cfg, ss_config *out, ss_err *err);

/* The subcommand: the table on stdout, JSON (T4 auto-tuning results) where --json says, a row a
 * cell appended to --csv, progress on stderr if a terminal. Returns the exit status. */
int ss_map_run(const ss_config *cfg, ss_err *err);

#endif
