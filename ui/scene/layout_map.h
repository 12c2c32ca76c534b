/*
 * Where the parts of a map stand: its table, the texts about it, the figures beside it.
 * ui/view/map.c and the map's panel call it. Pure; any thread.
 */
#ifndef SS_LAYOUT_MAP_H
#define SS_LAYOUT_MAP_H

#include "ui/scene/layout.h"

/* Where the table stands. */
typedef struct ss_map_layout {
    ss_rect panel, details; /* frames; details.w == 0: none */
    ss_rect head, names;    /* texts of columns, of rows */
    ss_rect table;          /* columns * cell_w x rows * cell_h */
    int columns, rows;      /* shown */
    int cell_w, cell_h;
    ss_rect bar, legend; /* w == 0: none */
    ss_rect chart;       /* instead of all that */
} ss_map_layout;

/* For a table of nx x ny whose rows have names of so many characters; details: of the cell under
 * the cursor, if there is room. Pure. */
void ss_layout_map(const ss_layout *l, int nx, int ny, int names, bool details, ss_map_layout *out);

#endif
