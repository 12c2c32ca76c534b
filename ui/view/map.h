/*
 * The map on the screen: what is looked at, where the cursor is, the trail in the roofline. Part of
 * ui/view/state.h. Main thread only.
 */
#ifndef SS_UI_MAP_H
#define SS_UI_MAP_H

#include "src/core/command.h"
#include "src/snapshot/mapview.h"
#include "src/snapshot/types.h"
#include "ui/scene/layout.h"
#include "ui/scene/plot.h"

struct ss_ui;

typedef enum ss_map_page { SS_PAGE_MAP, SS_PAGE_PARETO, SS_PAGE_ROOFLINE, SS_NPAGE } ss_map_page;
extern const char *const ss_map_pages[SS_NPAGE + 1];

enum { SS_TRAIL_MAX = 64, SS_MAP_SIDE_MAX = 128 };

typedef struct ss_map_ui {
    const ss_map_view *view; /* NULL: there is no map */
    bool open, relative;     /* relative: to the best of each row */
    bool placed;             /* the cursor was, by somebody */
    ss_map_page page;
    int quantity, x, y;
    /* Operations a byte and a second of the run now (NaN: not known yet), and before its changes.
     */
    ss_config of;
    bool following;
    ss_xy at, trail[SS_TRAIL_MAX];
    int ntrail;
    float shown[SS_MAP_SIDE_MAX * SS_MAP_SIDE_MAX];
} ss_map_ui;

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

/* map WORD ...: move, cursor, best, quantity, view, relative, take, open, close. */
int ss_map_verb(struct ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap, ss_err *err);
/* What a snapshot brings: the run's dot in the roofline, and its trail. */
void ss_map_follow(struct ss_ui *ui, const ss_snapshot *snap);
/* The cell of the run; -1: none. */
int ss_map_here(const struct ss_ui *ui, const ss_snapshot *snap);
/* The cell under the cursor; -1: there is no map. */
int ss_map_cursor(const struct ss_ui *ui);
/* "k 16, overlap 4" */
const char *ss_map_cell_name(const ss_map_view *v, int cell, char *buf, size_t size);
/* A value in so many characters: full digits, or as many as there is room for. */
const char *ss_map_short(const ss_map_name *q, double v, int room, char *buf, size_t size);

#endif
