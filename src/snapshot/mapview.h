/*
 * A tuning map as a front end shows it: a table of whole runs over two parameters (k and overlap,
 * say), how much of it is measured, and the search in it. Plain data; a view belongs to the main
 * thread, which copies the cells from the thread that measures them.
 */
#ifndef SS_MAPVIEW_H
#define SS_MAPVIEW_H

#include <time.h>

#include "src/core/param.h"

typedef enum ss_cell_status {
    SS_CELL_NONE, /* not measured yet */
    SS_CELL_OK,
    SS_CELL_REFUSED, /* the values are not possible together */
    SS_CELL_DIVERGED,
    SS_CELL_LIMIT, /* it reached a limit of cycles or seconds before the tolerance */
    SS_NCELL_STATUS
} ss_cell_status;

enum { SS_MAP_QUANTITIES = 5, SS_MAP_WORD = 32 };

/* A quantity to show in the cells. */
typedef struct ss_map_name {
    const char *name, *unit, *title;
    bool overall; /* comparable between rows */
} ss_map_name;

/* A cell: one run, from the initial field to its end. NaN: not known. */
typedef struct ss_map_cell {
    ss_cell_status status;
    double value[SS_MAP_QUANTITIES]; /* NaN also if it must not be compared with others */
    int64_t cycles;
    double seconds, bytes, operations; /* of all cycles together; bytes by the ledger */
    double blocks;                     /* of a cycle */
    double error;                      /* max |u - u*|, if --quantity asks for it */
    double guess;                      /* seconds that it took, or an estimate */
    bool papers;                       /* a paper found its best here */
    time_t when;                       /* it was measured; 0: not known */
    char why[320];                     /* it was refused, or diverged */
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
    int asked; /* the one of --quantity */
    ss_map_side row, column;
    int nx, ny, n;      /* columns, rows, cells; row by row */
    ss_map_cell *cell;  /* all of them */
    int now;            /* the cell that is being measured; -1: none */
    int done;           /* number of cells measured */
    double way;         /* progress of that cell, 0 to 1 */
    double left;        /* seconds to the end, estimated; NaN: not known */
    bool paused, clock; /* clock: seconds are measured */
    char place[128];    /* "CPU, 1 thread beside the run" */
    char papers[200];   /* the tables that papers give their best in; empty: none */
    char error[320];    /* why it has stopped; empty: it has not */
    bool alone;         /* the program was started for the map, and there is no run */
    bool stale;         /* the run is of another problem now */
    /* The machine's limits; 0: not measured. */
    double bandwidth, rate; /* bytes per second, operations per second */
    bool measuring;
    double flops; /* operations per update */
} ss_map_view;

/* Value of a quantity; NaN outside the table. */
double ss_map_look(const ss_map_view *v, int cell, int quantity);
/* The least of a row, or of all (row < 0; only of quantities that compare across rows); -1: none.
 */
int ss_map_best(const ss_map_view *v, int quantity, int row);
/* The cell with these values on its axes, as texts; -1: none. row may be NULL. */
int ss_map_find(const ss_map_view *v, const char *row, const char *column);
/* The Pareto front: cells that no other beats in both cycles and seconds per cycle, fewest cycles
 * first. Returns their number. */
int ss_map_front(const ss_map_view *v, int *cell, int max);
/* Estimates the seconds of cells from their neighbours: rows and columns are factors. */
void ss_map_guess(ss_map_view *v);
/* Seconds per cycle; NaN: not known. */
double ss_map_pace(const ss_map_cell *c);
const char *ss_cell_status_name(ss_cell_status s);
/* "1 h 20 min", "3 min 5 s" */
const char *ss_duration_text(double seconds, char *buf, size_t size);

#endif
