/*
 * The map on the screen: its page, quantity and cursor. Part of ui/view/state.h. Main thread only.
 */
#ifndef SS_UI_MAP_H
#define SS_UI_MAP_H

#include "src/core/command.h"
#include "src/snapshot/mapview.h"
#include "src/snapshot/snapshot.h"
#include "ui/scene/items.h"
#include "ui/scene/layout_map.h"
#include "ui/scene/plot.h"

struct ss_ui;

typedef enum ss_map_page { SS_PAGE_MAP, SS_PAGE_PARETO, SS_NPAGE } ss_map_page;
extern const char *const ss_map_pages[SS_NPAGE + 1];

enum { SS_MAP_SIDE_MAX = 128 };

typedef struct ss_map_ui {
    const ss_map_view *view; /* NULL: none */
    bool open, relative;     /* relative: to the best of each row */
    bool placed;             /* the cursor was moved: it no longer follows the run */
    ss_map_page page;
    int quantity, x, y;
    float shown[SS_MAP_SIDE_MAX * SS_MAP_SIDE_MAX];
} ss_map_ui;

/* The words of `map` that the screen handles. */
int ss_map_verb(struct ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap, ss_err *err);
/* Moves the cursor to the run's cell until the user has moved it. */
void ss_map_follow(struct ss_ui *ui, const ss_snapshot *snap);
/* The cell of the run; -1: none. */
int ss_map_here(const struct ss_ui *ui, const ss_snapshot *snap);
/* The cell under the cursor; -1: there is no map. */
int ss_map_cursor(const struct ss_ui *ui);
/* "k 16, overlap 4" */
const char *ss_map_cell_name(const ss_map_view *v, int cell, char *buf, size_t size);
/* The point of a cell in the Pareto chart, seconds per cycle and cycles; NaN: it has none. The cell
 * of a point; -1: none. */
ss_xy ss_map_place(const ss_map_view *v, int cell);
int ss_map_cell_at(const ss_map_view *v, ss_xy at);
/* A value in at most `room` characters: all digits, or as many as fit. */
const char *ss_map_short(const ss_map_name *q, double v, int room, char *buf, size_t size);
/* "▶ measuring" */
const char *ss_map_state(const ss_map_view *v);
/* Its layout on the screen that was drawn last. */
void ss_map_layout_of(const struct ss_ui *ui, ss_map_layout *out);
/* A click on the table. */
/* The cell of a table at (x, y), and its place; -1: there is none. */
int ss_map_cell_under(const struct ss_ui *ui, const ss_hit *h, double x, double y, ss_rect *out);
void ss_map_press(struct ss_ui *ui, const ss_hit *h, double x, double y);

#endif
