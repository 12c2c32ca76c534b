/*
 * What the files of `map` share: cells, the table they are in, what is looked for in it. axis.c
 * reads axes, table.c finds optima, measure.c measures, file.c keeps the results,
 * print.c prints them, map.c is the subcommand, mapper.c its thread beside a front end. One
 * thread at a time.
 */
#ifndef SS_MAP_KIT_H
#define SS_MAP_KIT_H

#include <stdio.h>
#include <time.h>

#include "src/tune/map.h"
#include "src/snapshot/mapview.h"
#include "src/core/run.h"

typedef struct ss_tune_cell {
    ss_cell_status status;
    int64_t cycles;
    double blocks;  /* NaN: there are none */
    double seconds; /* of solving; NaN: nobody looked at the clock */
    double bytes;   /* moved, by the ledger */
    double error;   /* max |u - u*|; NaN: not asked for */
    char why[320];  /* refused, diverged */
    time_t when;    /* 0: nobody looked */
} ss_tune_cell;

/* What the table shows; a row a choice of --quantity. */
typedef struct ss_map_quantity {
    const char *name, *unit, *title;
    double (*of)(const ss_tune_cell *c); /* NaN: not known */
    const char *column;                  /* of the CSV, besides the usual ones; NULL: none */
    bool overall;                        /* can be compared from row to row */
    bool error;                          /* needs u*; means something before the tolerance, too */
} ss_map_quantity;

extern const ss_map_quantity ss_map_quantities[];
extern const int ss_nmap_quantity;

typedef struct ss_map {
    ss_config base; /* what was asked for, the backend resolved */
    const ss_axes *axes;
    const ss_map_quantity *quantity;
    int nx, ny, n; /* columns, rows, cells; row by row */
    ss_tune_cell *cell;
    const char *load, *rhs; /* or NULL */
    bool deterministic;     /* no clock in the results */
    char say[320];          /* why the backend is not the first choice, or empty */
    char settings[1024];    /* "map poisson1d shared --n 1024": axes apart */
    /* Called after each cell; NULL: nobody wants to know. */
    int (*each)(const struct ss_map *m, void *ctx, ss_err *err);
    void *each_ctx;
} ss_map;

/* --- the table (table.c) ------------------------------------------------------------------ */

/* Shape and settings from base and axes; free(m->cell) afterwards. */
int ss_map_make(ss_map *m, ss_err *err);
/* The settings alone. */
void ss_map_make_settings(ss_map *m);
/* Axis of a cell's row (0) or column (1), and which of its values; NULL: there is one row. */
const ss_tune_axis *ss_map_axis(const ss_map *m, int direction);
int ss_map_at(const ss_map *m, int cell, int direction);
/* What is asked of a cell. */
void ss_map_config(const ss_map *m, int cell, ss_config *out);
/* The quantity of a cell; NaN: not known, or not to be compared. */
double ss_map_value(const ss_map *m, int cell);
/* The cell with the least value of [from, to), the first if there are several; -1: none. */
int ss_map_least(const ss_map *m, int from, int to);
/* Is it an optimum of a paper's (assets/data/optima.txt)? Then under which settings, else NULL. */
const char *ss_map_papers(const ss_map *m, int cell, char *buf, size_t size);

/* What one cycle of a cell costs. */
void ss_map_ledger(const ss_map *m, int cell, ss_ledger *out);
/* Cells that are still to be measured. */
int ss_map_open_cells(const ss_map *m);

/* --- measuring (measure.c) ---------------------------------------------------------------- */

/* Asked between two steps of a run, and told how far it is: shall it go on? */
typedef struct ss_map_watch {
    bool (*go_on)(void *ctx, double way);
    void *ctx;
    /* Seconds that count, for cells whose thread has to wait for others; NULL: those of the run. */
    double (*clock)(void);
} ss_map_watch;

/* A whole run, in *run, which is opened for the first cell and made the next one's; close it. What
 * became of the cell goes to *out, which stays unmeasured if it was not to go on. */
int ss_map_measure(const ss_map *m, int cell, ss_run **run, const ss_map_watch *w,
                   ss_tune_cell *out, ss_err *err);

/* --- the subcommand in pieces (map.c); each returns an exit status ---------------------------- */

/* Nobody is there to stop a run that has no end. */
int ss_map_check_ends(const ss_map *m, ss_err *err);
/* From the options; free(m->cell) whatever becomes of it. */
int ss_map_prepare(const ss_config *cfg, const ss_axes *axes, ss_map *m, ss_err *err);
/* All cells, to the file csv too (NULL: none), with signals and a bar on stderr. */
int ss_map_fill(ss_map *m, const char *csv, ss_err *err);
/* The table on stdout, JSON where --json says. */
int ss_map_publish(const ss_map *m, ss_err *err);

/* --- results (file.c) --------------------------------------------------------------------- */

#define SS_MAP_SECONDS "%.9g" /* as they are written */

typedef struct ss_map_file {
    FILE *stream;
    const char *path;
} ss_map_file;

/* Opens a file to append to, and fills the cells that it has rows for. A torn last line goes; a
 * file of another map is refused. path NULL: no file, and nothing is kept. */
int ss_map_file_open(ss_map_file *f, const char *path, ss_map *m, ss_err *err);
int ss_map_file_add(ss_map_file *f, const ss_map *m, int cell, ss_err *err);
int ss_map_file_close(ss_map_file *f, ss_err *err);

/* --- what is shown (show.c) --------------------------------------------------------------- */

/* The view of a map; free(v->cell) afterwards. It points into the map. */
int ss_map_show_make(const ss_map *m, ss_map_view *v, ss_err *err);
/* Copies what has been measured since. */
void ss_map_show(const ss_map *m, ss_map_view *v);

/* --- the machine (limits.c) --------------------------------------------------------------- */

typedef struct ss_map_limits {
    double bandwidth, rate; /* bytes, operations a second; 0: not known */
} ss_map_limits;

/* Of the backend and the threads of cfg. */
int ss_map_measure_limits(const ss_config *cfg, ss_map_limits *out, ss_err *err);

/* --- around a run (around.c) -------------------------------------------------------------- */

/* Axes through the values of cfg: parameters that make sense for its solver, by a table. */
int ss_axes_around(const ss_config *cfg, ss_axes *axes, ss_err *err);

/* --- what comes out (print.c) ------------------------------------------------------------- */

void ss_map_print(const ss_map *m, FILE *out);
/* The T4 auto-tuning results format, one line; "-" is stdout. */
int ss_map_json(const ss_map *m, const char *path, ss_err *err);

#endif
