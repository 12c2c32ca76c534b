/*
 * What the user interface remembers between frames; shared by events.c (events, verbs) and
 * build_*.c (scene). Private to ui/. Main thread only.
 */
#ifndef SS_STATE_H
#define SS_STATE_H

#include "ui/scene/keys.h"
#include "ui/view/map.h"
#include "ui/scene/items.h"
#include "ui/view/events.h"

enum {
    SS_PRESET_MAX = 24,
    SS_BIND_MAX = 64,
    SS_PENDING_MAX = 8,
    SS_RASTER_ROWS = 160,
    SS_RASTER_COLS = 1024,
    SS_STAGE_DOTS_X = 256,
    SS_STAGE_DOTS_Y = 256
};

/* Over what the residual is drawn. */
typedef enum ss_over { SS_CYCLES, SS_ITERATIONS, SS_SECONDS, SS_BYTES, SS_NOVER } ss_over;
extern const char *const ss_over_names[SS_NOVER + 1];

/* Planes that a slice of a 3D field may lie in, by the direction across it (ss_view.axis). */
extern const char *const ss_plane_names[4];

/* What is shown of a time-dependent run where a steady one shows its residual. */
typedef enum ss_stage_id {
    SS_DIAMONDS,
    SS_LANES,
    SS_CLASSIC,
    SS_DRIFT,
    SS_SPECTRUM,
    SS_NSTAGE
} ss_stage_id;
extern const char *const ss_stage_names[SS_NSTAGE + 1];

/* How a layer is shown. */
typedef struct ss_layer_row {
    const char *name, *symbol, *help;
    const char *map;
    bool log, grid;
    ss_role frame;   /* of the selected block, to stand out from the map */
    int least, most; /* dimensions in which there may be such a thing at all */
} ss_layer_row;
extern const ss_layer_row ss_layer_rows[SS_NLAYER];

typedef struct ss_preset {
    char name[24], title[40], help[96], commands[160];
} ss_preset;

/* A value that was set and that the engine has not carried out yet: shown at once. */
typedef struct ss_pending {
    const ss_param *row;
    ss_value value;
    uint64_t ticket;
} ss_pending;

/* What is in hand to paint with. */
typedef struct ss_brush {
    bool on;
    bool held, joined;     /* the button; what comes next belongs to the same stroke */
    double radius, amount; /* in points, in units of the field; 0: not chosen yet */
    double x, y;           /* of the last dab */
} ss_brush;

/* The line for the clipboard. */
typedef struct ss_copy {
    char text[2048];
    const char *why;    /* why there is none; NULL: there is */
    bool waiting, done; /* for the front end to take it; it has */
} ss_copy;

enum { SS_PROMPT_MAX = SS_CMD_TEXT, SS_PROMPT_LINES = 32 };

/* The command line, what was given there before (the newest last), and names that may follow. */
typedef struct ss_prompt {
    bool on;
    char line[SS_PROMPT_MAX], draft[SS_PROMPT_MAX], offer[SS_PROMPT_MAX];
    char before[SS_PROMPT_LINES][SS_PROMPT_MAX];
    int nbefore, at; /* at: which of them is shown; nbefore: what is being typed */
} ss_prompt;

typedef struct ss_binding {
    char key[16], command[160];
} ss_binding;

/* Space-time: rows of a 1D field, each as it was looked at. */
typedef struct ss_raster_row {
    float cell[SS_RASTER_COLS];
    int w;
    double x0, x1; /* the points it covers */
    int64_t cycle;
    double time;     /* simulated */
    uint64_t serial; /* no other row has the same */
} ss_raster_row;

/* The last rows, one a cycle. A ring; next is the oldest once full. Of a whole run: no more than
 * there is room for, as far apart as that takes. */
typedef struct ss_raster {
    ss_raster_row row[SS_RASTER_ROWS];
    int next, count;
    bool whole;
    int64_t apart; /* cycles between rows of a whole run */
    uint64_t seq, serial;
    float shown[SS_RASTER_ROWS * SS_RASTER_COLS]; /* as drawn: newest at the top */
    uint64_t shown_serial[SS_RASTER_ROWS];
} ss_raster;

/* A picture of the theatre as it is drawn: what each dot is, for a palette. */
typedef struct ss_stage_dots {
    uint8_t dot[SS_STAGE_DOTS_Y * SS_STAGE_DOTS_X];
} ss_stage_dots;

struct ss_ui {
    ss_ui_emit *emit;
    void *ctx;

    ss_view view;
    ss_over over;
    int race_by; /* the measure of the race that was seen last, and 1; 0: none */
    ss_stage_id stage;
    bool grid, probing, smooth;
    ss_brush brush;
    ss_copy copy;
    const ss_theme *theme;
    char focus[32];    /* name of the row in focus */
    int first_control; /* scrolled */

    bool typing;
    char entry[40];
    ss_prompt prompt;
    ss_key_context overlay; /* SS_K_MAIN: none */
    int scroll, picked;
    bool dragging, dragged; /* a slider is held; it has been moved: what comes joins that */
    int drag;               /* its control */
    bool looking, panning;  /* the field is held: with the left button, with another */
    double pan_x, pan_y;    /* where the mouse was then */
    bool tip;               /* what is at (tip_x, tip_y) explains itself */
    double tip_x, tip_y;

    const ss_page *page; /* NULL: there is none */
    bool page_folded;
    bool answering;     /* what is typed is for the page */
    int page_scroll;    /* its first row */
    uint64_t page_turn; /* what was to be seen when it was scrolled last */

    ss_pending pending[SS_PENDING_MAX];
    int npending;
    ss_binding binding[SS_BIND_MAX];
    int nbinding;
    ss_preset preset[SS_PRESET_MAX];
    int npreset;

    char message[320];
    char note[320]; /* stands there while there is no message */
    bool message_is_error;
    uint64_t message_seq;
    bool quit, suspend;
    int recording; /* recordings of what is shown */

    /* What follows the snapshots. */
    uint64_t seen;  /* seq of the last one */
    bool diverged;  /* it was */
    bool in_order;  /* see ss_ui_in_order */
    ss_range range; /* of the layer shown */
    ss_layer range_layer;
    int range_field;
    char range_for[64]; /* the problem it belongs to */
    float *picture;     /* the last good one, kept when a run diverges */
    uint64_t picture_version;
    int picture_w, picture_h;
    size_t picture_room;
    ss_raster raster;
    ss_stage_dots stages[2];
    ss_rgb stage_color[256];
    char stage_letter[256];

    ss_map_ui map;

    ss_layout layout;
    ss_scene scene;
};

/* --- events.c, verbs.c, words.c
 * ---------------------------------------------------------------------- */

/* Sends a command line; an error goes to the message line. Returns its ticket. */
uint64_t ss_ui_send(ss_ui *ui, const char *line);
/* Lowers or raises a control by `dir` steps, or sets it. */
void ss_ui_step(ss_ui *ui, const ss_control *c, int dir);
void ss_ui_set(ss_ui *ui, const ss_control *c, ss_value value);
/* The value to show: the one on its way, or the one in force. on_its_way may be NULL. */
ss_value ss_ui_value(const ss_ui *ui, const ss_control *c, bool *on_its_way);
/* The control in focus, -1 if there is none. */
int ss_ui_focused(const ss_ui *ui, const ss_snapshot *snap);
int ss_say_verb(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap, ss_err *err);
/* Words that only the user interface knows: change, entry, pick, scroll, suspend, shut, prompt. */
bool ss_ui_word(ss_ui *ui, const char *line, const ss_snapshot *snap);
/* Everything the view shows, in points. */
ss_box2 ss_ui_window(const ss_view *v, const ss_snapshot *snap);
void ss_ui_zoom(ss_ui *ui, const ss_snapshot *snap, double factor, double at_x, double at_y);
/* The field follows the mouse, held at (x, y). */
void ss_ui_drag(ss_ui *ui, const ss_snapshot *snap, const struct ss_scene *scene, double x,
                double y);
/* In eighths of what is shown, right and up. */
void ss_ui_pan(ss_ui *ui, const ss_snapshot *snap, int x, int y);
void ss_presets_load(ss_ui *ui);

/* --- brush.c ---------------------------------------------------------------------------------- */

int ss_brush_verb(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap, ss_err *err);
/* An event of the mouse; false: it is none for the brush. */
bool ss_brush_event(ss_ui *ui, const ss_event *ev, const struct ss_scene *scene,
                    const ss_snapshot *snap);
/* Another problem: size and strength are chosen anew. */
void ss_brush_forget(ss_ui *ui);
void ss_brush_text(const ss_ui *ui, const ss_snapshot *snap, char *buf, size_t size);

/* --- prompt.c --------------------------------------------------------------------------------- */

/* "prompt open", "prompt apply"; a key that stands for itself is typed. */
void ss_prompt_word(ss_ui *ui, const char *arg, const ss_snapshot *snap);
void ss_prompt_type(ss_ui *ui, const char *key);

/* --- copy.c ----------------------------------------------------------------------------------- */

int ss_copy_verb(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap, ss_err *err);
void ss_copy_close(ss_ui *ui, const char *arg, const ss_snapshot *snap);

/* --- zoom.c ----------------------------------------------------------------------------------- */

/* view window X0 Y0 X1 Y1: in points. */
int ss_view_window(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap, ss_err *err);

/* --- page_rows.c: a page as rows of text ------------------------------------------------------ */

/* A row: part of a block's text, from a character of it on. */
typedef struct ss_page_row {
    int block; /* -1: empty */
    bool first;
    int indent;       /* columns ahead of it */
    const char *text; /* not ended */
    int length;
    char style; /* the mark that holds at its beginning */
} ss_page_row;

#define SS_PAGE_ROWS 512
/* Cuts a page to w columns; no row is wider. letters: of a font, of which more go into a column.
 * Returns how many rows there are. Pure; any thread. */
int ss_page_rows(const ss_page *p, int w, bool letters, ss_page_row *out, int max);
/* Columns of a row's text. */
int ss_page_row_width(const ss_page_row *row);

/* --- page.c ----------------------------------------------------------------------------- */

ss_page_place ss_page_place_of(const ss_ui *ui);
/* Is a prediction awaited? Then nothing is shown that is worked out, not measured: it may be it. */
bool ss_page_awaits(const ss_ui *ui);
/* "page fold", "page 8": rows down */
void ss_page_word(ss_ui *ui, const char *arg, const ss_snapshot *snap);
/* A key that the page knows: carried out as a line, or it begins a number. NULL: none of its. */
const char *ss_page_key(ss_ui *ui, const char *key);

/* --- follow.c: what is carried from snapshot to snapshot -------------------------------------- */

void ss_ui_follow(ss_ui *ui, const ss_snapshot *snap);

/* --- build_*.c: parts of the scene ------------------------------------------------------------ */

typedef struct ss_build {
    ss_scene *s;
    ss_ui *ui;
    const ss_snapshot *snap; /* never NULL */
    const ss_layout *l;
    ss_extent extent;
    double fps;
} ss_build;

void ss_build_field(const ss_build *b);
/* Parts of it: the size of the picture that is asked for; the picture; what lies over it; its bar.
 */
void ss_build_want(const ss_build *b, int w, int h);
void ss_build_image(const ss_build *b, ss_image *im);
void ss_build_overlay(const ss_build *b, ss_image *im, ss_rect r);
void ss_build_bar(const ss_build *b, const ss_image *im, int which, ss_rect r, bool vertical);
/* Cells of the window w as points of a curve, each point once (returns how many); space-time. */
int ss_build_points(ss_box2 w, const float *cell, int n, ss_xy *to);
void ss_build_raster(const ss_build *b);
/* 3D, parts of the field panel: outlines of blocks and patches; which plane (returns the column
 * after the last name); "z = 31 of 64", and `help` if it fits the room; where the probed cell is.
 */
void ss_build_outlines(const ss_build *b, ss_image *im, ss_rect r);
int ss_build_planes(const ss_build *b, ss_rect r);
void ss_slice_text(const ss_build *b, const char *help, int room, char *buf, size_t size);
void ss_cell_text(const ss_probe *p, char *buf, size_t size);
void ss_build_plot(const ss_build *b);
/* --- race.c: several runs side by side. The curves of all that race (returns how many); */
typedef struct ss_curve {
    const ss_point *at;
    int n;
    double residual0;
    ss_role role;
    int dash;
    const char *legend; /* or NULL */
} ss_curve;
int ss_race_curves(const ss_snapshot *snap, ss_curve out[SS_SERIES_MAX]);
/* a line for each run, with its place by the axis, at the top of the room that a chart has; */
void ss_build_standings(const ss_build *b, ss_rect *room);
/* their pictures side by side, in place of the one of the field (false: there is no race, or no
 * room); marks where they came in; what there is to say. */
bool ss_build_race(const ss_build *b);
/* The same of lines: the curves of all in one chart. */
bool ss_race_lines(const ss_build *b, ss_chart *c, ss_box2 w);
void ss_build_finishes(const ss_build *b, ss_chart *c);
void ss_race_text(const ss_build *b, char *buf, size_t size);

/* --- past.c: the branches of a run behind its own curve, which comes last (returns how many
 * curves); copies that can be gone back to, below the chart, by an axis of the plot, or in time. */
int ss_past_curves(const ss_snapshot *snap, ss_curve out[SS_SERIES_MAX]);
void ss_past_marks(const ss_build *b, ss_chart *c,
                   double (*at)(const ss_build *b, const ss_point *p));

void ss_build_profile(const ss_build *b);
/* Time-dependent runs: what is asked for instead of the residual, and what goes with it instead of
 * the profile. */
void ss_build_stage(const ss_build *b);
void ss_build_watch(const ss_build *b);
/* A picture of the theatre in r. */
void ss_build_theatre(const ss_build *b, ss_rect r, ss_stage_id which);
/* The part of the theatre that one looks at from far: may it be shown, and if not, why? */
const char *ss_stage_why(const ss_snapshot *snap, ss_stage_id which);
/* 3D: the spectrum of the error instead of the profile; the factors of the residual. */
void ss_build_bands(const ss_build *b);
void ss_build_factors(const ss_build *b);
void ss_build_controls(const ss_build *b);
void ss_build_ledger(const ss_build *b);
/* Row i of it and what it means; false: there is none. */
bool ss_cost_help(const ss_snapshot *snap, int i, const char **label, const char **help);
/* The page beside it all: see page.h. */
void ss_build_page(const ss_build *b);
void ss_build_help(const ss_build *b);
void ss_build_picker(const ss_build *b);
void ss_build_copy(const ss_build *b);
/* In place of the line of messages. */
void ss_build_prompt(const ss_build *b);
/* Beside the mouse: what the thing under it is. */
void ss_build_tip(const ss_build *b);
void ss_build_keys(const ss_build *b, ss_key_context context);

/* A frame with tabs in its upper edge: names, which is on, which are off (may be NULL), and the
 * command a click sends ("view layer %s"). Returns the column after the last tab. */
int ss_build_tabs(const ss_build *b, ss_rect r, const char *const *names, int n, int on,
                  const bool *enabled, const char *command);
void ss_build_frame(const ss_build *b, ss_rect r, const char *title);
/* Items and hits from these on, that stand at y: as high as the edge they are in. */
void ss_build_tall(const ss_build *b, int y, int item, int hit);
/* Where a chart goes: all of the inside, but for one column at its right. */
ss_rect ss_build_chart_room(const ss_build *b, ss_rect frame);
/* Dots across that a curve is worth drawing with, of so many columns. */
int ss_build_dots(const ss_build *b, int columns);
/* Right end of the upper edge; _figures: of a text that changes in every frame. */
void ss_build_corner(const ss_build *b, ss_rect r, int from, const char *text);
void ss_build_corner_figures(const ss_build *b, ss_rect r, int from, const char *text);
/* The same on the lower edge, over whatever is there: `shown` is what stands there, names what a
 * click sends. Returns the column after the last name. */
int ss_build_choices(const ss_build *b, ss_rect r, const char *const *shown,
                     const char *const *names, int n, int on, const char *command);
/* "u" where there is only one. */
const char *ss_quantity_symbol(const ss_snapshot *snap);
/* "st", "nd", "rd", "th" */
const char *ss_ordinal(int n);
/* "0.123", "1.2e-4" */
const char *ss_figure_text(double v, char *buf, size_t size);
/* "12,345" */
const char *ss_count_text(double v, char *buf, size_t size);
/* Cuts x into words that fit w columns; returns the lines used (at most max). */
int ss_build_wrap(const ss_build *b, ss_rect r, ss_role role, const char *text);
/* A telemetry value with unit, – where it is not known or must not depend on the clock. */
const char *ss_telemetry_text(const ss_snapshot *snap, ss_telemetry_id id, char *buf, size_t size);

#endif
