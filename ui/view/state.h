/*
 * The state of the user interface between frames. ui/view changes it, ui/panels draws it; private
 * to the two. Main thread only.
 */
#ifndef SS_STATE_H
#define SS_STATE_H

#include "ui/scene/layout.h"
#include "ui/scene/keys.h"
#include "ui/scene/items.h"
#include "ui/scene/place.h"
#include "ui/view/view.h"

/* --- charts that answer ----------------------------------------------------------------------- */

/* The place under the mouse, the cursor of the keyboard, hidden curves, the part of a chart that is
 * shown. The panels draw it. */
enum { SS_NCHART = 4, SS_CURVES_MAX = 9 }; /* charts of a scene */

/* A place: an item of the scene (a chart or a picture), and the part of its data, y down. */
typedef struct ss_hover {
    int item; /* -1: nothing that tells a value */
    ss_xy part;
} ss_hover;

/* How the charts of one abscissa are shown. [0]: x, [1]: y */
typedef struct ss_chart_view {
    unsigned hidden[SS_CURVES_MAX]; /* the looks of the hidden curves */
    int nhidden;
    bool zoomed[2];
    double lo[2], hi[2];
    double all_lo[2], all_hi[2]; /* the axes without zoom, when it was drawn last */
    double least;                /* the narrowest part of x, as it was then; 0: any */
    int log[2];                  /* 1: on, -1: off, 0: as the chart has it */
} ss_chart_view;

/* The mouse on a chart, held. */
typedef struct ss_chart_drag {
    bool on, moved, pans;
    bool draws; /* it sets the number that a lesson asks for */
    int chart;
    ss_xy from, to; /* parts of its data */
    double when;    /* of the last press; 0: none */
} ss_chart_drag;

typedef struct ss_charts {
    bool off; /* the mouse asks for no values */
    bool cursor;
    int chart; /* of the cursor */
    double x;  /* of the cursor, as it is told */
    ss_chart_view of[SS_NABSCISSA];
    ss_chart_drag drag;
} ss_charts;

/* The place at (x, y), in cells. */
ss_hover ss_hover_at(const ss_scene *s, double x, double y);
/* The item of a chart, -1: it is not on the screen. The chart of an item, -1: it is none. */
int ss_chart_item(const ss_scene *s, int chart);
int ss_chart_of_item(const ss_scene *s, int item);
bool ss_chart_hides(const ss_chart_view *v, const ss_series *s);
/* Can its x axis be zoomed? Bars and the visits of grids stay whole. */
bool ss_chart_zooms(const ss_chart *c);

/* --- the map on the screen -------------------------------------------------------------------- */

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
int ss_map_verb(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap, ss_err *err);
/* Moves the cursor to the run's cell until the user has moved it. */
void ss_map_follow(ss_ui *ui, const ss_snapshot *snap);
/* The cell of the run; -1: none. */
int ss_map_here(const ss_ui *ui, const ss_snapshot *snap);
/* The cell under the cursor; -1: there is no map. */
int ss_map_cursor(const ss_ui *ui);
/* "k 16, overlap 4" */
const char *ss_map_cell_name(const ss_map_view *v, int cell);
/* The point of a cell in the Pareto chart, seconds per cycle and cycles; NaN: it has none. The cell
 * of a point; -1: none. */
ss_xy ss_map_place(const ss_map_view *v, int cell);
int ss_map_cell_at(const ss_map_view *v, ss_xy at);
/* A value in at most `room` characters: all digits, or as many as fit. */
const char *ss_map_short(const ss_map_name *q, double v, int room);
/* "▶ measuring" */
const char *ss_map_state(const ss_map_view *v);
/* Its layout on the screen that was drawn last. */
void ss_map_layout_of(const ss_ui *ui, ss_map_layout *out);
/* A click on the table. */
/* The cell of a table at (x, y), and its place; -1: there is none. */
int ss_map_cell_under(const ss_ui *ui, const ss_hit *h, double x, double y, ss_rect *out);
void ss_map_press(ss_ui *ui, const ss_hit *h, double x, double y);

/* --- the state -------------------------------------------------------------------------------- */

enum {
    SS_PRESET_MAX = 24, /* at most SS_SHELF_MAX */
    SS_BIND_MAX = 64,
    SS_PENDING_MAX = 8,
    SS_RASTER_ROWS = 160,
    SS_RASTER_COLS = 1024,
    SS_STAGE_DOTS_X = 256,
    SS_STAGE_DOTS_Y = 256
};

/* The tabs of the gallery. */
typedef enum ss_gallery_tab { SS_TAB_PRESETS, SS_TAB_LESSONS } ss_gallery_tab;

typedef struct ss_preset {
    char name[24], title[40], help[96], commands[320];
} ss_preset;

/* A value that was sent to the engine and is not in effect yet; the screen shows it at once. */
typedef struct ss_pending {
    const ss_param *row;
    ss_value value;
    uint64_t ticket;
} ss_pending;

/* The brush. */
typedef struct ss_brush {
    bool on;
    bool held, joined;     /* the mouse button is down; the next dab joins the stroke */
    double radius, amount; /* in points, in units of the field; 0: not chosen yet */
    double x, y;           /* of the last dab */
} ss_brush;

/* The command line that `copy` shows. */
typedef struct ss_copy {
    char text[2048];
    const char *why;    /* why no line reproduces the state; NULL: one does */
    bool waiting, done; /* to be copied to the clipboard; was copied */
    char *data;         /* the data of a chart, instead of text; NULL: none */
    char what[96];      /* of the data, in words */
    bool picture;       /* a picture of the window is wanted */
    bool from_file;     /* the command came from a run file */
} ss_copy;

enum { SS_PROMPT_MAX = SS_CMD_TEXT, SS_PROMPT_LINES = 32 };

/* The command line, the earlier ones (the newest last), and the names that complete it. */
typedef struct ss_prompt {
    bool on;
    char line[SS_PROMPT_MAX], draft[SS_PROMPT_MAX], offer[SS_PROMPT_MAX];
    char before[SS_PROMPT_LINES][SS_PROMPT_MAX];
    int nbefore, at; /* at: the earlier line that is shown; nbefore: the one being typed */
} ss_prompt;

typedef struct ss_binding {
    char key[16], command[160];
    bool from_file; /* bound by a run file: replaces no existing file */
} ss_binding;

/* Space-time diagram: a row per sampled 1D field. */
typedef struct ss_raster_row {
    float cell[SS_RASTER_COLS];
    int w;
    double x0, x1; /* the range of points that it covers */
    int64_t cycle;
    double time;     /* simulated; of steady equations: cycles */
    double width;    /* of the slots when it was seen */
    uint64_t serial; /* unique */
} ss_raster_row;

/* The rows of the diagram, one per slot except for the newest; slots are `width` of time wide and
 * have their time in the middle. For a whole run the width is such that all slots fit, else such
 * that there is about one row per slot. */
typedef struct ss_raster {
    ss_raster_row row[SS_RASTER_ROWS];
    uint8_t order[SS_RASTER_ROWS]; /* indices of rows, the oldest first, then the unused ones */
    int count;
    bool whole;
    double width, cycle; /* of a slot (0: none yet), of a cycle */
    int replaced;        /* rows that the newest one has replaced in its slot */
    uint64_t serial;
    float shown[SS_RASTER_ROWS * SS_RASTER_COLS]; /* as drawn: newest at the top */
    uint64_t shown_serial[SS_RASTER_ROWS];
    uint8_t unseen[SS_RASTER_ROWS]; /* rows in which nothing was seen */
} ss_raster;

/* Whether the staleness cone is shown while there is one. */
typedef enum ss_cone_shown {
    SS_CONE_AUTO, /* where it replaces what tells less under the microscope */
    SS_CONE_ON,
    SS_CONE_OFF
} ss_cone_shown;

/* Two runs of a race in one picture. */
typedef struct ss_wipe {
    bool on;
    bool focus, held; /* the arrows move the line; the mouse holds it */
    double at;        /* its place, a part of the picture's width */
    uint64_t
        ticket;   /* of the command that starts its race; before it no race is no reason to end */
    double scale; /* of the colours of the difference; 0: none yet */
    float *cell, *difference; /* as drawn */
    size_t room;
} ss_wipe;

/* A space-time diagram of a cycle: a palette index per dot. */
typedef struct ss_stage_dots {
    uint8_t dot[SS_STAGE_DOTS_Y * SS_STAGE_DOTS_X];
    ss_stage_id which;          /* and how it was made: */
    int w, h, skip, wide, rows; /* dots; cells per dot across, or dots per cell; dots per level */
    int top;                    /* the first dot that shows a level */
} ss_stage_dots;

/* Why a colour range does not follow the values. */
typedef enum ss_range_hold {
    SS_RANGE_AUTO,
    SS_RANGE_HELD,  /* view range hold */
    SS_RANGE_SET,   /* view range LO HI */
    SS_RANGE_FILM,  /* a recording */
    SS_RANGE_CYCLE, /* a cycle under the microscope */
    SS_RANGE_RACE,
    SS_RANGE_LESSON, /* a step of a lesson */
    SS_RANGE_TURN    /* a parameter was turned */
} ss_range_hold;

/* What a range belongs to. problem "": any. */
typedef struct ss_range_of {
    char problem[64];
    ss_layer layer;
    int field;
} ss_range_of;

/* The user's own hold of a layer's range; range not valid: that of the next picture. */
typedef struct ss_range_pin {
    ss_range_of of;
    ss_range_hold hold; /* NONE, USER or SET */
    ss_range range;
} ss_range_pin;

/* An end of a colour bar that the mouse holds. */
typedef struct ss_range_drag {
    bool held, moved, twice; /* twice: the second press of a double click */
    bool upright, high;      /* the bar stands; its upper end is held */
    ss_rect rect;            /* of the bar */
    ss_range range;          /* when the mouse was pressed, at part `from` of the bar */
    double from, when;
} ss_range_drag;

/* The colour range. `shown` is that of the cells, the bar and the axis of a curve; it moves from
 * `from` to `target` since the time `since`, or is there (0). */
typedef struct ss_ranging {
    ss_range shown, target, from;
    double since;
    ss_range_of of; /* of the last picture */
    ss_range fit;   /* of the values of the last picture */
    bool log;
    ss_range_hold hold, automatic, dismissed; /* in force; without the user; ended by the user */
    bool free;                                /* no automatic hold */
    bool setting; /* a step of a lesson is set up: its colours begin anew */
    bool turned;  /* a parameter of the run that began as `began` was turned; cfg: its settings */
    uint64_t began;
    ss_config cfg;
    ss_range_pin pin[SS_NLAYER];
    ss_range_drag drag;
    bool filmed;                 /* the screen of a film without an observer */
    struct ss_film_ranges *film; /* the ranges of the whole film; NULL: unknown */
} ss_ranging;

/* The pages of the panel of costs. */
typedef enum ss_cost_page { SS_COST_LEDGER, SS_COST_ROOFLINE, SS_COST_NPAGE } ss_cost_page;
extern const char *const ss_cost_pages[SS_COST_NPAGE + 1];

typedef struct ss_costing {
    ss_cost_page page;
    const ss_roofs *roofs; /* of the roofline; NULL: not known, and then why */
    const char *no_roofs;
} ss_costing;

/* The timeline: SS_STRIP_AUTO shows it where the screen is tall. */
typedef enum ss_strip_choice { SS_STRIP_AUTO, SS_STRIP_ON, SS_STRIP_OFF } ss_strip_choice;

typedef struct ss_stripping {
    ss_strip_choice choice;
    bool shown;       /* on the last screen */
    bool held, spans; /* the mouse holds it; it chooses a span for a film */
    ss_rect rect;     /* of the strip, when the mouse was pressed */
    double x;         /* of the mouse that holds it */
    double asked;     /* the cycle to which the last drag has returned */
    double span[2];   /* cycles */
} ss_stripping;
/* A value in the line of parameters of a film, and its last change. */
typedef struct ss_roll {
    const ss_param *row;
    char now[24], was[24];
    double since; /* film time of the change; < 0: it has never changed */
} ss_roll;

typedef struct ss_rolls {
    ss_roll roll[SS_CONTROL_MAX];
    int n;
} ss_rolls;

/* The user's arrangement of the panels. */
typedef struct ss_arranging {
    ss_gutter_places places;
    ss_gutter_id chosen[2]; /* the border between rows, between columns that the keys move */
    ss_gutter_id turn;      /* the one that `next` offers */
    bool held;              /* the mouse holds border `which`, `off` cells from its position */
    bool marked;            /* border `which` is marked: it is held, or a key has chosen it */
    ss_gutter_id which;
    double off;
    ss_panel_id maximised; /* SS_PANEL_HEADER: none */
    ss_panel_id last;      /* the one that was maximised last; the same */
    unsigned can;          /* the panels that the last screen could maximise: bits 1 << panel */
    ss_panel_id clicked;   /* the last title that was pressed, and when */
    double when;
} ss_arranging;

struct ss_ui {
    ss_ui_emit *emit;
    void *ctx;

    ss_view view;
    bool spectrum_beside; /* a screen beside this one shows a spectrum */
    ss_over over;
    int race_by; /* 1 + the measure of the last race seen; 0: none */
    ss_stage_id stage;
    ss_cone_shown cone;
    ss_wipe wipe;
    bool grid, probing, smooth;
    ss_brush brush;
    ss_copy copy;
    const ss_theme *theme;
    char focus[32];    /* name of the focused row */
    int first_control; /* first visible control */

    bool links; /* as in ss_extent */
    bool typing;
    char entry[40];
    ss_prompt prompt;
    ss_key_context overlay; /* SS_K_MAIN: none */
    int scroll, picked;
    int kernel;                     /* which one the page of kernels shows */
    const ss_shelf *shelf;          /* the list of lessons; NULL: never shown */
    int shelved;                    /* its chosen item */
    struct {                        /* the cards of presets and lessons; gallery.c */
        ss_cards lay;               /* as last drawn */
        int shown[SS_SHELF_MAX], n; /* the cards that the search finds */
        int first;                  /* the first row that is seen, */
        bool free;                  /* whether or not the chosen card is in it */
        float cell[SS_SHELF_MAX][SS_CARD_COLS * SS_CARD_ROWS]; /* their pictures, as drawn */
    } cards;
    bool finding;           /* the keys go to `find` */
    char find[32];          /* help shows what has these words; "": all */
    bool dragging, dragged; /* a slider is held; it has moved, so that changes join for undo */
    int drag;               /* its control */
    bool looking, panning;  /* the field is held: with the left button, with another one */
    double pan_x, pan_y;    /* the mouse position at that time */
    bool tip;               /* the item at (tip_x, tip_y) shows its explanation */
    double tip_x, tip_y;

    const ss_page *page; /* of a lesson; NULL: none */
    bool page_folded;
    bool answering;          /* the typed value answers the page */
    bool page_shows_field;   /* its field must be visible */
    double mouse_x, mouse_y; /* < 0: unknown */
    ss_charts charts;
    int page_panel;     /* which of the panels that share a place is shown: ss_layout.turns */
    int page_step;      /* the page's step when it was drawn last */
    int page_scroll;    /* its first row */
    uint64_t page_turn; /* the page's turn when it was scrolled last */

    ss_pending pending[SS_PENDING_MAX];
    int npending;
    ss_binding binding[SS_BIND_MAX];
    int nbinding;
    ss_preset preset[SS_PRESET_MAX];
    int npreset;

    ss_hold hold; /* that the message line has announced, and its cycle */
    int64_t hold_cycle;
    uint64_t opening; /* ticket of the last command that opens a run */

    char message[320];
    char note[320]; /* shown while there is no message */
    bool message_is_error;
    uint64_t message_seq;
    uint64_t said;           /* counts the messages */
    uint64_t said_by_engine; /* the latest of the engine's */
    int waits;               /* seconds since the last snapshot of an engine that works */
    char waits_for[96];      /* the first snapshot */
    bool quit, suspend;
    int recording; /* number of recordings of this screen */
    int64_t filming,
        film_end; /* a film of earlier cycles: the present and the last one; -1: none */

    /* Persists from snapshot to snapshot: follow.c. */
    uint64_t seen;    /* seq of the last one */
    bool diverged;    /* that run had diverged */
    ss_tiling tiling; /* of the last run that had subdomains; of blocks 0: none had */
    bool in_order;    /* see ss_ui_in_order */
    bool will_say;    /* see ss_ui_will_say */
    double now;       /* clock; 0: none, nothing moves */
    ss_ranging ranging;
    ss_layer followed_layer; /* of the raster */
    int followed_field;
    char followed[64]; /* the problem */
    float *picture;    /* the last valid one; stays when a run diverges */
    uint64_t picture_version;
    int picture_w, picture_h;
    size_t picture_room;
    ss_raster raster;
    ss_stage_dots stages[3]; /* the third: the timeline of modelled ranks */
    ss_rgb ranks_color[256];
    ss_rgb stage_color[256];
    char stage_letter[256];
    ss_rgb cone_color[256];
    char cone_letter[256];

    ss_map_ui map;
    ss_stripping strip;
    ss_costing cost;
    ss_rolls rolls;
    bool theme_chosen; /* by --theme or a command */
    ss_theme paper;    /* of a frame: without the ground around panels */
    ss_arranging arranging;

    ss_layout layout;
    ss_scene scene;
};

/* A handler of a command. snap: the snapshot on the screen, NULL before the first. */
typedef int ss_ui_verb(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap, ss_err *err);

/* --- events.c --------------------------------------------------------------------------------- */

/* Handles a command line of the screen, emits any other. An error goes to the message line. Returns
 * the ticket, 0 if it was refused. */
uint64_t ss_ui_send(ss_ui *ui, const char *line, const ss_snapshot *snap);
/* Is a click now the second of a double click, the first having come at `before` (a clock)? */
bool ss_ui_is_double(const ss_ui *ui, double before);

/* --- names.c ---------------------------------------------------------------------------------- */

/* *out: the index of a name, or of the one after or before `on` (next, previous). An error suggests
 * the nearest name. */
int ss_ui_pick(const char *what, const char *word, const char *const *names, int n, int on,
               int *out, ss_err *err);
/* Steps forward in a list of n: 1 for "next", n - 1 for "previous", else 0. */
int ss_ui_stride(const char *word, int n);
/* left, right, up, down: a step, y upwards. */
bool ss_ui_direction(const char *word, int *x, int *y);

/* --- say.c ------------------------------------------------------------------------------------ */

/* A steady run that holds: for the header ("converged 4,312"), and with what can be done next.
 * ss_hold_goes_on: space continues it, as it does one that does not hold. */
bool ss_hold_goes_on(const ss_ui *ui, const ss_snapshot *snap);
void ss_hold_state(const ss_snapshot *snap, char *buf, size_t size);
void ss_hold_banner(const ss_ui *ui, const ss_snapshot *snap, char *buf, size_t size);
/* Announces it in the message line. */
void ss_hold_follow(ss_ui *ui, const ss_snapshot *snap);
/* "in cycle 1, 3 s"; false: the engine has answered within the last second. */
bool ss_waits_text(const ss_ui *ui, const ss_snapshot *snap, char *buf, size_t size);

/* --- entry.c: controls, the command line ------------------------------------------------------ */

ss_ui_verb ss_change_verb, ss_entry_verb;
/* Changes a control by `dir` steps, or sets it. */
void ss_ui_step(ss_ui *ui, const ss_control *c, int dir);
void ss_ui_set(ss_ui *ui, const ss_control *c, ss_value value);
/* The value to show: the pending one, else the one in effect. is_pending may be NULL. */
ss_value ss_ui_value(const ss_ui *ui, const ss_control *c, bool *is_pending);
/* The focused control, -1: none. */
int ss_ui_focused(const ss_ui *ui, const ss_snapshot *snap);
/* Gives a control the focus. If it did not have it, a preset's advice makes room for its help. */
void ss_ui_focus(ss_ui *ui, const char *name, const ss_snapshot *snap);

ss_ui_verb ss_prompt_verb;
/* A printable key. */
void ss_prompt_type(ss_ui *ui, const char *key);

/* --- brush.c ---------------------------------------------------------------------------------- */

ss_ui_verb ss_brush_verb;
/* Handles a mouse event; false: it is not for the brush. */
bool ss_brush_event(ss_ui *ui, const ss_event *ev, const struct ss_scene *scene,
                    const ss_snapshot *snap);
/* A new problem: radius and amount return to their defaults. */
void ss_brush_forget(ss_ui *ui);
void ss_brush_text(const ss_ui *ui, const ss_snapshot *snap, char *buf, size_t size);

/* --- copy.c ----------------------------------------------------------------------------------- */

ss_ui_verb ss_copy_verb;
/* The file name of `copy session`: "heat1d-swept-120.run". */
void ss_copy_session(const ss_snapshot *snap, char *buf, size_t size);

/* export data FILE.csv */
ss_ui_verb ss_export_data;

/* --- field.c: the window, the colour range ---------------------------------------------------- */

/* The part of the field that is shown, in points. */
ss_box2 ss_ui_window(const ss_view *v, const ss_snapshot *snap);
void ss_ui_zoom(ss_ui *ui, const ss_snapshot *snap, double factor, double at_x, double at_y);
/* Moves the view so that the field follows the mouse to (x, y). */
void ss_ui_drag(ss_ui *ui, const ss_snapshot *snap, const struct ss_scene *scene, double x,
                double y);
/* Moves the view by eighths of it, right and up. */
void ss_ui_pan(ss_ui *ui, const ss_snapshot *snap, int x, int y);
/* view window X0 Y0 X1 Y1: in points. */
ss_ui_verb ss_view_window;

/* The range for a new picture; its next position while it moves. */
void ss_range_follow(ss_ui *ui, const ss_snapshot *snap);
void ss_range_glide(ss_ui *ui);
/* No pin, and no hold that was ended. */
void ss_range_forget(ss_ui *ui);
ss_ui_verb ss_view_range;
/* The arguments of the `view range` that keeps the present pin; false: there is none. */
bool ss_ui_range_command(const ss_ui *ui, char *buf, size_t size);
/* The mouse on a colour bar; true: something changed. */
void ss_range_press(ss_ui *ui, const ss_hit *h, const ss_event *ev);
bool ss_range_drag_to(ss_ui *ui, const ss_event *ev, const ss_snapshot *snap);
bool ss_range_release(ss_ui *ui, const ss_snapshot *snap);

/* --- charts.c --------------------------------------------------------------------------------- */

/* view cursor CHART [X]|next|left [N]|right [N]|off */
ss_ui_verb ss_view_cursor;
/* The name of a chart; the chart of a name, -1 with an error; the one that commands mean: under the
 * mouse, or with the cursor, or the first; -1: none. */
const char *ss_chart_name(const ss_ui *ui, int chart);
int ss_chart_named(const ss_ui *ui, const char *name, ss_err *err);
int ss_chart_chosen(const ss_ui *ui);
/* The mouse has moved there. True: the screen changes. */
bool ss_hover_moves(ss_ui *ui, const struct ss_scene *scene, double x, double y);

ss_ui_verb ss_view_curve, ss_view_chart;
/* Another problem: all charts whole, without a cursor. Another measure on an x axis: those whole.
 */
void ss_charts_forget(ss_ui *ui);
void ss_charts_whole(ss_ui *ui, ss_abscissa what);
/* The mouse on a chart; true: something changed. */
void ss_chart_press(ss_ui *ui, const struct ss_scene *scene, const ss_hit *h, const ss_event *ev,
                    const ss_snapshot *snap);
void ss_chart_wheel(ss_ui *ui, const struct ss_scene *scene, const ss_hit *h, const ss_event *ev);
bool ss_chart_drag_to(ss_ui *ui, const struct ss_scene *scene, const ss_event *ev);
bool ss_chart_zone(const ss_chart_drag *d, ss_box2 *out);
bool ss_chart_release(ss_ui *ui, const struct ss_scene *scene, const ss_snapshot *snap);

/* --- drag.c: the timeline, the wipe, the arrangement ------------------------------------------ */

/* Whether the timeline belongs on a screen of that size; its axis, in cycles. */
bool ss_strip_is_shown(const ss_ui *ui, const ss_snapshot *snap, const ss_extent *extent);
void ss_strip_axis(const ss_snapshot *snap, ss_plot_axis *x);
/* view timeline */
ss_ui_verb ss_view_timeline;
/* The mouse on it; true: something changed. */
void ss_strip_press(ss_ui *ui, const ss_hit *h, const ss_event *ev, const ss_snapshot *snap);
bool ss_strip_drag_to(ss_ui *ui, const ss_event *ev, const ss_snapshot *snap);
bool ss_strip_release(ss_ui *ui, const ss_snapshot *snap);

ss_ui_verb ss_view_wipe;
/* Is it shown; do the arrows move its line? */
bool ss_wipe_shown(const ss_ui *ui, const ss_snapshot *snap);
bool ss_wipe_has_keys(const ss_ui *ui, const ss_snapshot *snap);
/* Ends it with the race. */
void ss_wipe_follow(ss_ui *ui, const ss_snapshot *snap);
/* The mouse on the line; true: something changed. */
void ss_wipe_press(ss_ui *ui);
bool ss_wipe_drag(ss_ui *ui, const ss_event *ev, const struct ss_scene *scene);
bool ss_wipe_release(ss_ui *ui);
/* Makes room for w * h cells of the picture and of the difference. */
bool ss_wipe_room(ss_ui *ui, int w, int h);

/* May the user arrange the panels? Not those of a recording, beside a lesson, or of the map. */
bool ss_ui_arranges(const ss_ui *ui);
ss_ui_verb ss_view_gutter, ss_view_maximise, ss_view_layout;
/* The mouse on a border or a title; true: something changed. */
void ss_arrange_press(ss_ui *ui, const ss_hit *h, const ss_event *ev, const ss_snapshot *snap);
bool ss_arrange_drag_to(ss_ui *ui, const ss_event *ev);
bool ss_arrange_release(ss_ui *ui);

/* --- page.c ----------------------------------------------------------------------------------- */

ss_page_place ss_page_place_of(const ss_ui *ui);
/* True if the lesson waits for a prediction: modelled values are hidden, one may be the answer. */
bool ss_page_awaits(const ss_ui *ui);
/* Why something is missing, without the key it offers while the lesson refuses that key. */
void ss_page_reason(const ss_ui *ui, const char *why, char *buf, size_t size);
/* A drawn number: the prediction so far, typed or locked; NAN: none. */
double ss_page_said(const ss_ui *ui);
/* Can the number that is asked for be drawn in a chart that counts this? */
bool ss_page_draws(const ss_ui *ui, ss_abscissa x_is);
/* The mouse is at x of a chart that counts this: sets the prediction that is asked for. False: none
 * is, or it is not drawn there. */
bool ss_page_draw(ss_ui *ui, ss_abscissa x_is, double x, double last);
/* Of the panels that share a place: the first that the lesson asks for, or the controls. */
typedef enum ss_page_turn { SS_TURN_FIRST, SS_TURN_CONTROLS } ss_page_turn;
void ss_page_turns_to(ss_ui *ui, ss_page_turn to);
/* lesson fold, lesson scroll N */
ss_ui_verb ss_page_verb;
/* Handles a key of the page, or the first character of a number. False: it is not one. */
bool ss_page_key(ss_ui *ui, const char *key, const ss_snapshot *snap);

/* --- gallery.c: presets, cards ---------------------------------------------------------------- */

void ss_presets_load(ss_ui *ui);
ss_ui_verb ss_presets_verb;

ss_gallery_tab ss_gallery_tab_of(const ss_ui *ui);
/* Lists the cards that the search finds, and chooses one of them. */
void ss_gallery_follow(ss_ui *ui);
/* The cards of the open tab, whether or not they are found. */
int ss_gallery_count(const ss_ui *ui);
/* The chosen card, an index of the presets or of the lessons; -1: none is found. */
int ss_gallery_chosen(const ss_ui *ui);
/* Title and text of a card. */
const char *ss_gallery_title(const ss_ui *ui, int card);
const char *ss_gallery_words(const ss_ui *ui, int card);
/* Events; true: something changed. */
bool ss_gallery_key(ss_ui *ui, const char *key);
void ss_gallery_press(ss_ui *ui, const ss_hit *h, const ss_snapshot *snap);
bool ss_gallery_pointed(ss_ui *ui, const struct ss_scene *scene, const ss_event *ev);
void ss_gallery_scroll(ss_ui *ui, int rows);
ss_ui_verb ss_shelf_verb;

/* --- follow.c --------------------------------------------------------------------------------- */

/* The view of the program's start: layer, plane, axis, the whole field, colours that follow. */
void ss_ui_view_anew(ss_ui *ui);
/* Selects the tile that writes the probed point. */
void ss_ui_select_tile(ss_ui *ui, const ss_snapshot *snap);
/* Updates the state that persists from snapshot to snapshot. */
void ss_ui_follow(ss_ui *ui, const ss_snapshot *snap);

/* Row i, the oldest first. */
ss_raster_row *ss_raster_at(ss_raster *r, int i);
/* The slot of a time. Needs a width. */
int64_t ss_raster_slot(const ss_raster *r, double time);

#endif
