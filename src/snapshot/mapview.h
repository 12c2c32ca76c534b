/* A tuning map as a front end shows it: the table and its progress, copied from the measuring
 * thread, and searches in it. Plain data; a view belongs to the main thread. */
#ifndef SS_MAPVIEW_H
#define SS_MAPVIEW_H

#include "src/core/param.h"

typedef enum ss_cell_status {
    SS_CELL_NONE, /* not measured yet */
    SS_CELL_OK,
    SS_CELL_REFUSED, /* the combination of values is invalid */
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

typedef struct ss_map_cell {
    ss_cell_status status;
    double value[SS_MAP_QUANTITIES]; /* NaN: unknown, or not comparable */
    int64_t cycles;
    double seconds, bytes, operations; /* of all cycles together; NaN: unknown */
    double guess;                      /* seconds taken, or estimated; NaN: unknown */
    bool papers;                       /* printed as best in a paper */
    char why[200];                     /* refused, diverged */
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
    int asked; /* of them, for */
    ss_map_side row, column;
    int nx, ny, n;      /* columns, rows, cells; row by row */
    ss_map_cell *cell;  /* cells in total */
    int now;            /* the cell being measured; -1: none */
    int done;           /* cells */
    double way;         /* progress of that cell, 0 to 1 */
    double left;        /* estimated seconds left; NaN: unknown */
    bool paused, clock; /* seconds are measured */
    char place[128];    /* "CPU, 1 thread beside the run" */
    char papers[200];   /* the source of the papers' best values; empty: none here */
    char error[320];    /* why it has stopped; empty: it has not */
    bool alone;         /* the program shows only the map, no run */
    bool stale;         /* the run beside it has become another problem */
    /* The machine's limits; 0: not measured. */
    double bandwidth, rate; /* bytes per second, operations per second */
    bool measuring;
    double flops; /* operations per update */
} ss_map_view;

/* Value of a quantity; NaN outside of the table. */
double ss_map_look(const ss_map_view *v, int cell, int quantity);
/* The cell of the smallest value of a row, or of all rows (row < 0: comparable quantities only);
 * -1: none. */
int ss_map_best(const ss_map_view *v, int quantity, int row);
/* The cell with these axis values, as text; -1: none. row may be NULL. */
int ss_map_find(const ss_map_view *v, const char *row, const char *column);
/* The Pareto front of cycles and seconds per cycle, fewest cycles first; returns its length. */
int ss_map_front(const ss_map_view *v, int *cell, int max);
/* Estimates the seconds of unmeasured cells from measured ones: a product of row and column
 * factors. */
void ss_map_guess(ss_map_view *v);
/* Seconds per cycle; NaN: unknown. */
double ss_map_pace(const ss_map_cell *c);
const char *ss_cell_status_name(ss_cell_status s);
/* "1 h 20 min", "3 min 5 s" */
const char *ss_duration_text(double seconds, char *buf, size_t size);

#endif
