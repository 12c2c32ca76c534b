/*
 * A tuning map as a front end shows it: a table of complete runs over two parameters (for example k
 * and overlap), the progress of the measurement, and searches in the table. Plain data; a view
 * belongs to the main thread, which copies the cells from the measuring thread.
 */
#ifndef SS_MAPVIEW_H
#define SS_MAPVIEW_H

#include <time.h>

#include "src/core/param.h"

typedef enum ss_cell_status {
    SS_CELL_NONE, /* not measured yet */
    SS_CELL_OK,
    SS_CELL_REFUSED, /* invalid combination of values */
    SS_CELL_DIVERGED,
    SS_CELL_LIMIT, /* a limit of cycles or seconds was reached before the tolerance */
    SS_NCELL_STATUS
} ss_cell_status;

enum { SS_MAP_QUANTITIES = 8, SS_MAP_WORD = 32 };

/* A quantity to show in the cells. */
typedef struct ss_map_name {
    const char *name, *unit, *title;
    bool overall;    /* comparable between rows */
    bool on_request; /* measured only if --quantity requests it */
} ss_map_name;

/* A cell: one run, from the initial field to its end. NaN: unknown. */
typedef struct ss_map_cell {
    ss_cell_status status;
    double value[SS_MAP_QUANTITIES]; /* NaN also if it is not comparable with other cells */
    int64_t cycles;
    double seconds, bytes; /* of all cycles together; bytes by the ledger */
    double blocks;         /* per cycle */
    double measured;       /* the quantity of the state at the end that --quantity requests */
    double guess;          /* seconds measured, or an estimate */
    bool papers;           /* the best cell of a paper */
    time_t when;           /* time of measurement; 0: unknown */
    char why[320];         /* reason if refused or diverged, or if the quantity is unknown */
} ss_map_cell;

/* An axis: its parameter (NULL: a single row) and its values as text. */
typedef struct ss_map_side {
    const ss_param *row;
    const char (*text)[SS_MAP_WORD];
    const ss_value *value;
} ss_map_side;

typedef struct ss_map_view {
    const char *equation, *solver, *settings;
    ss_map_name quantity[SS_MAP_QUANTITIES];
    int asked; /* index of the quantity given by --quantity */
    ss_map_side row, column;
    int nx, ny, n;      /* columns, rows, cells */
    ss_map_cell *cell;  /* n of them, row by row */
    int now;            /* the cell being measured; -1: none */
    int done;           /* number of measured cells */
    double way;         /* progress of cell `now`, 0 to 1 */
    double left;        /* estimated remaining seconds; NaN: unknown */
    bool paused, clock; /* clock: seconds are measured */
    char place[128];    /* the device: "CPU, 1 thread beside the run" */
    char papers[200];   /* the papers' tables with best cells in this map; empty: none */
    char error[320];    /* why the measurement has stopped; empty: it has not */
    bool alone;         /* the program was started for the map only: there is no run */
    bool stale;         /* the run now has another problem */
} ss_map_view;

/* Value of a quantity; NaN outside the table. */
double ss_map_look(const ss_map_view *v, int cell, int quantity);
/* The cell with the least value in a row, or in the map (row < 0; only quantities comparable
 * between rows); -1: none. */
int ss_map_best(const ss_map_view *v, int quantity, int row);
/* The cell with these axis values, given as text; -1: none. row may be NULL. */
int ss_map_find(const ss_map_view *v, const char *row, const char *column);
/* The Pareto front: cells that no other beats in both cycles and seconds per cycle, fewest cycles
 * first. Returns their number. */
int ss_map_front(const ss_map_view *v, int *cell, int max);
/* Estimates the seconds of unmeasured cells from their neighbours: row factor times column factor.
 */
void ss_map_guess(ss_map_view *v);
/* Seconds per cycle; NaN: unknown. */
double ss_map_pace(const ss_map_cell *c);
const char *ss_cell_status_name(ss_cell_status s);
/* "1 h 20 min", "3 min 5 s" */
const char *ss_duration_text(double seconds, char *buf, size_t size);

#endif
