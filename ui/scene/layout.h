/* The layout: a pure function from the screen size (character cells) to rectangles. Panels that
 * do not fit are hidden, the least important first; nothing here draws or knows data. Called by
 * the scene builder; tested over all sizes. Any thread. */
#ifndef SS_LAYOUT_H
#define SS_LAYOUT_H

#include <stdbool.h>

#define SS_COLS_FULL 80 /* the smallest screen that shows every important panel */
#define SS_ROWS_FULL 24
#define SS_COLS_MIN 20 /* below this only a sentence is shown */
#define SS_ROWS_MIN 8

typedef struct ss_rect {
    int x, y, w, h;
} ss_rect;

typedef enum ss_panel_id {
    SS_PANEL_HEADER,
    SS_PANEL_STRIP, /* the timeline, below the header */
    SS_PANEL_FIELD,
    SS_PANEL_RASTER, /* 1D: the space-time panel below the curve */
    SS_PANEL_PLOT,
    SS_PANEL_PROFILE,
    SS_PANEL_CONTROLS,
    SS_PANEL_LEDGER,
    SS_PANEL_MESSAGE,
    SS_PANEL_FOOTER,
    SS_PANEL_PAGE, /* text beside the panels: a lesson */
    SS_NPANEL
} ss_panel_id;

/* The place of a page of text. */
typedef enum ss_page_place {
    SS_PAGE_NONE,
    SS_PAGE_BESIDE, /* a column at the right; if that is too narrow for both, the whole body */
    SS_PAGE_FOLDED  /* one line below */
} ss_page_place;

typedef struct ss_layout {
    int head, side;           /* rows of a frame's upper edge, columns of its sides */
    ss_rect panel[SS_NPANEL]; /* frame included; w == 0: hidden */
    ss_rect image;            /* room for the picture (2D) or the curve (1D), inside the field */
    ss_rect bar;              /* colour bar; w == 0: none */
    bool bar_vertical;
    ss_rect probe; /* lines about the probed point */
    ss_rect raster, raster_bar;
    int control_rows;  /* height of one control: 1 to 4 */
    int controls;      /* the number of controls that fit */
    int turns;         /* panels that share one place and take turns */
    int controls_turn; /* the turn of the controls, if they are among them */
    bool small;        /* below SS_COLS_FULL x SS_ROWS_FULL */
} ss_layout;

/* The smallest size of each panel, frame included. */
extern const ss_rect ss_panel_min[SS_NPANEL];

void ss_layout_make(int cols, int rows, int dim, int ncontrol, ss_layout *out);
/* The same for frames with `head` rows above and `side` columns beside, as in a window. */
void ss_layout_framed(int cols, int rows, int dim, int ncontrol, int head, int side,
                      ss_layout *out);
/* The same with a page of text and `keys` rows of keys at the bottom, as far as there is room.
 * Where a page covers the body the other panels are hidden. */
void ss_layout_paged(int cols, int rows, int dim, int ncontrol, int head, int side,
                     ss_page_place page, int keys, ss_layout *out);
/* The same; wanted: the panels that the page needs (bits 1 << panel). They take the place of
 * others; where there is one place only, they and the controls take turns: `turn` is shown. */
void ss_layout_wanted(int cols, int rows, int dim, int ncontrol, int head, int side,
                      ss_page_place page, int keys, unsigned wanted, int turn, ss_layout *out);
/* The places inside the panels, from the panels' rectangles. */
void ss_layout_fill(ss_layout *l, int dim, int ncontrol);
/* A panel that has nothing to say gives its room to the one above it or left of it. */
void ss_layout_give(ss_layout *l, ss_panel_id panel);
/* The plot gets `rows` rows inside, as a race's table needs, from the controls or the profile below
 * it if these can spare them: three controls remain. */
void ss_layout_enlarge_plot(ss_layout *l, int rows, int ncontrol);
/* A race: rectangles inside the field for the name and picture of each of n runs (2 to
 * SS_RACE_PICTURES), as large as possible, and a colour bar below (w == 0: none). False: too small.
 */
bool ss_layout_race(const ss_layout *l, int n, ss_rect *name, ss_rect *image, ss_rect *bar);
/* The inside of a panel. */
ss_rect ss_layout_inner(const ss_layout *l, ss_panel_id panel);
ss_rect ss_layout_inside(const ss_layout *l, ss_rect frame);
ss_rect ss_rect_inset(ss_rect r, int dx, int dy);
bool ss_rect_has(ss_rect r, double x, double y);
/* The largest centred rectangle of the aspect (width / height in square dots; a cell is one wide
 * and two high), unless it would waste more than two thirds of the room. */
ss_rect ss_rect_fit(ss_rect room, double aspect);

#endif
