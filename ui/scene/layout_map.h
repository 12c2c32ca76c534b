/* The layout of a tuning map: its table, the texts around it, the figures beside it. Called by
 * ui/view/map.c and the map's panel. Pure; any thread. */
#ifndef SS_LAYOUT_MAP_H
#define SS_LAYOUT_MAP_H

#include "ui/scene/layout.h"

/* The place of the table. */
typedef struct ss_map_layout {
    ss_rect panel, details; /* frames; details.w == 0: none */
    ss_rect head, names;    /* labels of columns, of rows */
    ss_rect table;          /* columns * cell_w x rows * cell_h */
    int columns, rows;      /* visible cells */
    int cell_w, cell_h;
    ss_rect bar, legend; /* w == 0: none */
    ss_rect chart;       /* replaces all of the above */
} ss_map_layout;

/* For a table of nx x ny whose row labels have so many characters; details: the figures of the
 * cell under the cursor, if there is room. Pure. */
void ss_layout_map(const ss_layout *l, int nx, int ny, int names, bool details, ss_map_layout *out);

#endif
