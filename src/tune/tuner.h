/*
 * stencilscope map makes a tuning map: a table over lists of up to two parameters, such as k and
 * overlap, each cell a whole run. `--k 4,8,16 --overlap 0:16:2` are its axes; they are stored
 * apart from the config, which has one value per parameter (axis.h).
 * Main thread.
 */
#ifndef SS_TUNER_H
#define SS_TUNER_H

#include <stdio.h>

#include "src/snapshot/mapview.h"
#include "src/tune/axis.h"

/* --- the subcommand --------------------------------------------------------------------------- */

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

/* --- the thread ------------------------------------------------------------------------------- */

/*
 * The thread that measures the cells of a tuning map: of the subcommand, which waits for it, or of
 * a front end, which shows them meanwhile. Everything here is called from the main thread.
 */

typedef struct ss_tuner ss_tuner;

typedef struct ss_tuner_setup {
    const ss_config *cfg;    /* of the run; of the subcommand, everything but the axes */
    const char *load, *rhs;  /* of a run: files or NULL */
    double time;             /* of a transient run: its cells end there unless it has a limit */
    bool by_cell;            /* after each cell the thread waits until it is shown */
    void (*wake)(void *ctx); /* called from the thread when something changes; NULL: not called */
    void *ctx;
} ss_tuner_setup;

/* The map of the command line, with its file; NULL: it is not possible, and *status is an exit
 * status. */
ss_tuner *ss_tuner_asked(const ss_tuner_setup *s, int *status, ss_err *err);
/* A map around a run, the nearest cells first, on one thread of the host at low priority. */
ss_tuner *ss_tuner_around(const ss_tuner_setup *s, ss_err *err);
/* Is the map of the problem, the solver and the settings of cfg, and is cfg one of its cells? */
bool ss_tuner_covers(const ss_tuner *t, const ss_config *cfg);
/* The same, but cfg may lie between its cells. */
bool ss_tuner_concerns(const ss_tuner *t, const ss_config *cfg);

void ss_tuner_pause(ss_tuner *t, bool pause);
/* The map as it is now, valid until the next call; *fresh: it differs from the last time. */
ss_map_view *ss_tuner_view(ss_tuner *t, bool *fresh);
/* Ends the thread, within a cell if need be, and frees it; NULL is fine. A full map of the command
 * line goes to the file of --json, and to table, as text, as far as it is measured. interrupted: by
 * a signal, not by the user. Returns an exit status; if it is not 0, err has the message. */
int ss_tuner_stop(ss_tuner *t, bool interrupted, FILE *table, ss_err *err);

/* The subcommand without a screen, as ss_tune_run, but `each` is called with the map before the
 * first cell and after every one; it fails if `each` does. */
typedef int ss_tune_each(const ss_map_view *v, void *ctx, ss_err *err);
int ss_tune_run_shown(const ss_config *cfg, ss_tune_each *each, void *ctx, ss_err *err);

#endif
