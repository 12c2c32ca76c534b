/*
 * A map as a front end shows it: the table and how far it is, copied from the thread that measures,
 * and what is looked for in it. Plain data; a view belongs to the main thread.
 */
#ifndef SS_MAPVIEW_H
#define SS_MAPVIEW_H

#include "src/core/param.h"

typedef enum ss_cell_status {
    SS_CELL_NONE, /* not measured yet */
    SS_CELL_OK,
    SS_CELL_REFUSED, /* the values do not go together */
    SS_CELL_DIVERGED,
    SS_CELL_LIMIT, /* of cycles or seconds, before the tolerance */
    SS_NCELL_STATUS
} ss_cell_status;

enum { SS_MAP_QUANTITIES = 5, SS_MAP_WORD = 32 };

/* A quantity that cells can be shown by. */
typedef struct ss_map_name {
    const char *name, *unit, *title;
    bool overall; /* can be compared from row to row */
} ss_map_name;

typedef struct ss_map_cell {
    ss_cell_status status;
    double value[SS_MAP_QUANTITIES]; /* NaN: not known, or not to be compared */
    int64_t cycles;
    double seconds, bytes, operations; /* of all cycles together; NaN: not known */
    double guess;                      /* seconds that it took, or may take; NaN: nobody knows */
    bool papers;                       /* a paper's best, printed there */
    char why[200];                     /* refused, diverged */
} ss_map_cell;

/* An axis: its parameter (NULL: there is one row) and the texts of its values. */
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
    ss_map_cell *cell;  /* all of them */
    int now;            /* is being measured; -1: none */
    int done;           /* cells */
    double way;         /* how far the one is, 0 to 1 */
    double left;        /* seconds, about; NaN: not known */
    bool paused, clock; /* clock: seconds mean something */
    char place[128];    /* "CPU, 1 thread beside the run" */
    char papers[200];   /* where the papers' best stand; empty: nowhere here */
    char error[320];    /* why it does not go on; empty: it does */
    bool alone;         /* it is what the program was started for, not a run */
    bool stale;         /* the run is another problem by now */
    /* The machine's limits; 0: not measured. */
    double bandwidth, rate; /* bytes, operations a second */
    bool measuring;
    double flops; /* operations of an update */
} ss_map_view;

/* Value of a quantity; NaN outside of the table. */
double ss_map_look(const ss_map_view *v, int cell, int quantity);
/* The least of a row, or of all (row < 0: only what can be compared from row to row); -1: none. */
int ss_map_best(const ss_map_view *v, int quantity, int row);
/* The cell with these values of its axes, as texts; -1: none. row may be NULL. */
int ss_map_find(const ss_map_view *v, const char *row, const char *column);
/* Cells that no other beats in both cycles and seconds a cycle, fewest cycles first; returns how
 * many. */
int ss_map_front(const ss_map_view *v, int *cell, int max);
/* Seconds that cells may take, from those around them: rows and columns are factors. */
void ss_map_guess(ss_map_view *v);
/* Seconds of a cycle; NaN: not known. */
double ss_map_pace(const ss_map_cell *c);
const char *ss_cell_status_name(ss_cell_status s);
/* "1 h 20 min", "3 min 5 s" */
const char *ss_duration_text(double seconds, char *buf, size_t size);

#endif
