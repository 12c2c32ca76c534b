/*
 * Shared by the files of src/tune. A tuning map is a table of whole runs over the values of up to
 * two parameters, k and overlap for instance; it shows which values are best. axis.c reads the
 * axes, or chooses them around a run, table.c has the options, the table and its optima, measure.c
 * measures a cell, tuner.c is the thread that measures all of them and the subcommand that waits
 * for it, file.c saves the results, print.c prints them.
 */
#ifndef SS_TUNE_KIT_H
#define SS_TUNE_KIT_H

#include <stdio.h>
#include <time.h>

#include "src/core/run.h"
#include "src/snapshot/mapview.h"
#include "src/tune/axis.h"

/* A quantity that the table can show; one row per choice of --quantity. */
typedef struct ss_tune_quantity {
    const char *name, *unit, *title;
    double (*of)(const ss_map_cell *c); /* NaN: not known; NULL: `measure` finds it */
    const char *column;                 /* of the CSV, besides the usual ones; NULL: none */
    bool overall;                       /* compares across rows */
    /* A quantity of the state at the end, known before the tolerance is reached, too; measured only
     * if requested. NaN with a reason in why: the state has none. NULL: `of` finds it. */
    int (*measure)(ss_run *run, double *out, char *why, size_t size, ss_err *err);
    bool residual; /* needs a residual: steady equations only */
} ss_tune_quantity;

extern const ss_tune_quantity ss_tune_quantities[];
extern const int ss_ntune_quantity;

typedef struct ss_tune_map {
    ss_config base; /* of the command line or the run, the backend resolved */
    const ss_tune_axes *axes;
    const ss_tune_quantity *quantity;
    int nx, ny, n; /* columns, rows, cells; row by row */
    ss_map_cell *cell;
    const char *load, *rhs; /* or NULL */
    bool deterministic;     /* no clock in the results */
    char notice[320];       /* why the backend is not the first choice, or empty */
    char settings[1024];    /* "map poisson1d shared --n 1024", without the axes */
} ss_tune_map;

/* The title of a quantity: seconds may be those of modelled ranks. */
const char *ss_tune_title(const ss_tune_map *m, const ss_tune_quantity *q);

/* --- the table (table.c) ------------------------------------------------------------------ */

/* Shape and settings from base and axes; free(m->cell) afterwards. */
int ss_tune_make(ss_tune_map *m, ss_err *err);
/* The settings alone. */
void ss_tune_make_settings(ss_tune_map *m);
/* Axis of the rows (0) or columns (1); NULL: there is one row. */
const ss_tune_axis *ss_tune_axis_of(const ss_tune_map *m, int direction);
/* Position of a cell on it. */
int ss_tune_at(const ss_tune_map *m, int cell, int direction);
/* The config of the run of a cell. With a number of cycles and without a tolerance of the user's, a
 * quantity of the state at the end is that after all of the cycles. */
void ss_tune_config(const ss_tune_map *m, int cell, ss_config *out);
/* Computes the derived values of a measured cell: its quantities, its operations, and whether a
 * paper found its optimum there. */
void ss_tune_complete(ss_tune_map *m, int cell);
/* The quantity of --quantity of a cell; NaN: not known, or not to be compared. */
double ss_tune_value(const ss_tune_map *m, int cell);
/* The cell with the least value of [from, to), the first if there are several; -1: none. */
int ss_tune_least(const ss_tune_map *m, int from, int to);
/* Table and settings of a paper whose optimum is this cell (assets/data/optima.txt), or NULL. */
const char *ss_tune_papers(const ss_tune_map *m, int cell, char *buf, size_t size);
/* Number of cells that are not measured yet. */
int ss_tune_open_cells(const ss_tune_map *m);
/* The view of a map without its cells, which are all NaN; free(v->cell). It points into the map. */
int ss_tune_view_make(const ss_tune_map *m, ss_map_view *v, ss_err *err);

/* The value of a quantity of a cell, whatever its status; NaN: not known. */
double ss_tune_quantity_of(const ss_tune_map *m, const ss_tune_quantity *q, const ss_map_cell *c);

/* --- measuring (measure.c) ---------------------------------------------------------------- */

/* Called between two steps of a run, with its progress from 0 to 1; false: stop it. */
typedef struct ss_tune_watch {
    bool (*go_on)(void *ctx, double progress);
    void *ctx;
    /* Clock for cells whose thread shares its core; NULL: the run's own. */
    double (*clock)(void);
} ss_tune_watch;

/* Solves a cell in *run, which is opened for the first cell and reconfigured for the next ones;
 * the caller closes it. A run that was stopped leaves the status of *out at SS_CELL_NONE. */
int ss_tune_measure(const ss_tune_map *m, int cell, ss_run **run, const ss_tune_watch *w,
                    ss_map_cell *out, ss_err *err);

/* --- options (table.c) ------------------------------------------------------------------------ */

/* Fails if a run has neither a tolerance nor a limit: no user is there to stop it. */
int ss_tune_check_ends(const ss_tune_map *m, ss_err *err);
/* A map of cfg, the axes and the program's options; free(m->cell) in any case. Returns an exit
 * status. */
int ss_tune_prepare(const ss_config *cfg, const ss_tune_axes *axes, ss_tune_map *m, ss_err *err);

/* --- results (file.c) --------------------------------------------------------------------- */

#define SS_TUNE_SECONDS "%.9g" /* format in the file */

typedef struct ss_tune_file {
    FILE *stream;
    const char *path;
} ss_tune_file;

/* Opens a file to append to, and fills the cells that it has rows for. An incomplete last line is
 * cut off; a file of another map is refused. path NULL: results are not saved. */
int ss_tune_file_open(ss_tune_file *f, const char *path, ss_tune_map *m, ss_err *err);
int ss_tune_file_add(ss_tune_file *f, const ss_tune_map *m, int cell, ss_err *err);
int ss_tune_file_close(ss_tune_file *f, ss_err *err);

/* --- output (print.c) --------------------------------------------------------------------- */

void ss_tune_print(const ss_tune_map *m, FILE *out);
/* In the T4 format for auto-tuning results, one line; "-" is stdout. */
int ss_tune_json(const ss_tune_map *m, const char *path, ss_err *err);

#endif
