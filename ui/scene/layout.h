/*
 * Layouts: pure functions from the size of the screen (character cells) to rectangles. Nothing here
 * draws or knows data. Called by the scene builder and the view; tested over all sizes. Any thread.
 */
#ifndef SS_LAYOUT_H
#define SS_LAYOUT_H

#include <stdbool.h>

#include "ui/scene/plot.h"

/* --- the screen: panels that do not fit are hidden, the least important first ----------------- */

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

/* What a layout is made for. */
typedef struct ss_layout_ask {
    int cols, rows, dim, ncontrol;
    int head, side;     /* of frames, as in a window: rows above, columns beside; 0: 1 */
    ss_page_place page; /* of text; where it covers the body the other panels are hidden */
    int keys;           /* rows of keys at the bottom, as far as there is room; 0: 1 */
    /* The panels that the page needs (bits 1 << panel) take the place of others; where there is one
     * place only, they and the controls take turns: `turn` is shown. */
    unsigned wanted;
    int turn;
} ss_layout_ask;

void ss_layout_make(const ss_layout_ask *ask, ss_layout *out);
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
/* Takes n rows from the upper or the lower end of *r, or n columns from its left or right end. */
ss_rect ss_rect_top(ss_rect *r, int n);
ss_rect ss_rect_bottom(ss_rect *r, int n);
ss_rect ss_rect_left(ss_rect *r, int n);
ss_rect ss_rect_right(ss_rect *r, int n);
bool ss_rect_has(ss_rect r, double x, double y);
/* The largest centred rectangle of the aspect (width / height in square dots; a cell is one wide
 * and two high), unless it would waste more than two thirds of the room. */
ss_rect ss_rect_fit(ss_rect room, double aspect);

/* --- the borders between the panels that the user can move ------------------------------------ */

/* And a panel that takes the room of all. Functions of a layout and the user's choices: the scene
 * builder calls them after the layout is made, the view to find a border. */

typedef enum ss_gutter_id {
    SS_GUTTER_FIELD,    /* right of the field's column */
    SS_GUTTER_CONTROLS, /* left of the controls' column */
    SS_GUTTER_CURVE,    /* right of the curve, where the bars stand beside it */
    SS_GUTTER_UNDER_FIELD,
    SS_GUTTER_UNDER_RASTER,
    SS_GUTTER_UNDER_CURVE,
    SS_GUTTER_UNDER_CONTROLS,
    SS_NGUTTER
} ss_gutter_id;

/* "right-of-field", "below-curve" ... */
extern const char *const ss_gutter_names[SS_NGUTTER];

/* The panels that can be maximised, and their names; ends with a NULL name. */
typedef struct ss_panel_name {
    ss_panel_id panel;
    const char *name;
} ss_panel_name;
extern const ss_panel_name ss_panel_names[];

/* The places that the user has chosen, as parts of the body's width or height; 0: automatic. */
typedef struct ss_gutter_places {
    double at[SS_NGUTTER];
} ss_gutter_places;

/* A border as it is in a layout. Positions are columns or rows: the first one after the border. */
typedef struct ss_gutter {
    bool upright;   /* between columns; else between rows */
    int at, lo, hi; /* its position, and where the panels beside it keep their least sizes */
    int from, room; /* of the body, in the same direction */
    ss_rect rect;   /* the cells that take hold of it: one on either side */
} ss_gutter;

/* False: this layout has no such border, or has it under an earlier name. */
bool ss_gutter_find(const ss_layout *l, ss_gutter_id id, ss_gutter *out);
/* The room of all panels but header, strip, page, message and footer. */
ss_rect ss_layout_body(const ss_layout *l);
/* Moves the borders to the chosen places, as far as the panels keep their least sizes. */
void ss_layout_move_gutters(ss_layout *l, int dim, int ncontrol, const ss_gutter_places *places);
/* The panel takes the room of all panels of the body. */
void ss_layout_maximise(ss_layout *l, int dim, int ncontrol, ss_panel_id panel);

/* --- a frame ---------------------------------------------------------------------------------- */

/* A film or figure of parts (a picture, a curve) without the rest of the screen. */

enum { SS_FRAME_PARTS = 4 };

/* The shape of a part, its heading included. */
typedef struct ss_frame_shape {
    double aspect; /* of a picture, width / height in square dots; 0: any */
    int beside;    /* columns left and right of the picture */
    int around;    /* rows above and below it */
    int rows;      /* aspect 0: its height where the height is free */
    bool lead;     /* in the left one of two columns */
} ss_frame_shape;

typedef struct ss_frame_plan {
    int cols, rows; /* rows 0: free, as high as the parts need */
    int n;
    ss_frame_shape part[SS_FRAME_PARTS];
    int title, words, note; /* rows of the lines above and below the parts; 0: none */
} ss_frame_plan;

typedef struct ss_frame_layout {
    int rows;
    ss_rect title, part[SS_FRAME_PARTS], words, note; /* h == 0: none */
} ss_frame_layout;

/* Parts that fit nowhere get h == 0. */
void ss_layout_frame(const ss_frame_plan *plan, ss_frame_layout *out);

/* --- a tuning map ----------------------------------------------------------------------------- */

/* Its table, the texts around it, the figures beside it. */

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

/* --- the cards of the gallery ----------------------------------------------------------------- */

/* From the room and the number of cards to rectangles. A card has a picture above its text, or
 * beside it where there is less room; a small screen has one line per card. */

typedef enum ss_card_style { SS_CARD_LINE, SS_CARD_WIDE, SS_CARD_TALL } ss_card_style;

typedef struct ss_cards {
    ss_card_style style;
    ss_rect room;
    int n, across, rows; /* cards, columns, rows of cards that are seen at once */
    int w, h, lines;     /* of a card; its lines of text below the title */
    int pitch_x, pitch_y;
} ss_cards;

/* lines: of text wanted below the title; roomy: the letters are narrower than cells. */
void ss_cards_lay(ss_rect room, int n, int lines, bool roomy, ss_cards *out);
/* The first row that is seen, nearest to `first`, with card `at` in view; at < 0: any card. */
int ss_cards_first(const ss_cards *c, int at, int first);
/* Card i if `first` is the first row; w == 0: it is not seen. */
ss_rect ss_cards_at(const ss_cards *c, int i, int first);
/* The room of a card's picture (w == 0: none), and of its title and text. */
ss_rect ss_cards_picture(const ss_cards *c, ss_rect card);
ss_rect ss_cards_text(const ss_cards *c, ss_rect card);
/* The card that lies dx columns and dy rows from card `at`: a step to the right at the end of a row
 * leads to the next one, and from the last card to the first. */
int ss_cards_move(const ss_cards *c, int at, int dx, int dy);

/* --- call-outs -------------------------------------------------------------------------------- */

/* Boxes of words near the points that they explain, which cover neither these points nor each
 * other. */

typedef struct ss_callout {
    ss_rect panel; /* the box stands in it if there is room */
    ss_xy at;      /* the explained point, in cells */
    int w, h;      /* of the box */
    ss_rect box;   /* the result; w 0: there is no room */
} ss_callout;

/* Places n boxes in order; the first ones are the most important. */
void ss_callouts_place(ss_callout *c, int n, ss_rect screen);
/* The place in a box that is nearest to its point: there its line begins. */
ss_xy ss_callout_start(const ss_callout *c);

#endif
