/*
 * Shared by the panels: the data of each builder, the builders, and their kit (kit.c, picture.c).
 * Private to ui/panels. Main thread only.
 */
#ifndef SS_PANELS_BUILD_H
#define SS_PANELS_BUILD_H

#include "ui/scene/layout.h"
#include "ui/scene/text.h"
#include "ui/view/state.h"

/* Columns left of a 1D field and of its space-time diagram, so that they share the x axis; rows of
 * an axis below a picture. */
enum { SS_FIELD_GUTTER = 6, SS_FIELD_AXIS = 1 };

/* What a panel would write into its edges. In a frame of a film or figure panels have no edges: the
 * frame keeps their words and sets them itself. */
typedef struct ss_edge_words {
    char title[64], unit[96];
    bool alone;      /* the frame has no other panel */
    double progress; /* the part of a film that is over */
} ss_edge_words;

/* A logarithmic axis of values at points has six decades: smaller values leave the chart. */
#define SS_AXIS_SPAN 1e-6

/* The y axis of the residual, where it has no title of its own. */
#define SS_RESIDUAL_SHORT "residual / r0"

typedef struct ss_build {
    ss_scene *s;
    ss_ui *ui;
    const ss_snapshot *snap; /* never NULL */
    const ss_layout *l;
    ss_extent extent;
    double fps;
    ss_edge_words *edges; /* not NULL: panels have no edges, their words go here */
} ss_build;

/* --- field.c, space_time.c -------------------------------------------------------------------- */

void ss_build_field(const ss_build *b);
/* Without the words around it: a picture with its bar, a curve, or the pictures of a race. */
void ss_build_field_only(const ss_build *b);
/* The meaning of the layer, or of the quantity ("the field u"), and where it is within its cycle
 * ("2nd subiteration of 8"; "": it is whole). */
const char *ss_field_meaning(const ss_build *b);
const char *ss_field_moment(const ss_snapshot *snap);
const char *ss_field_symbol(const ss_build *b);
/* 1D: space-time. */
void ss_build_raster(const ss_build *b);

/* --- cone.c ----------------------------------------------------------------------------------- */

/* The staleness cone, in r. Uses images 2 and 3 of the scene, image 4 for its bar, edge axis 2. */
void ss_build_cone(const ss_build *b, ss_rect r);
/* "block (3, 4), row 37 · subiterations" */
const char *ss_cone_place(const ss_build *b);
/* Is a cycle under the microscope that has one, or a reason for having none? The panel that it
 * takes turns with; does that panel show it now? */
bool ss_has_cone(const ss_build *b);
ss_panel_id ss_cone_panel(const ss_build *b);
bool ss_shows_cone(const ss_build *b, ss_panel_id panel);
/* The frame of that panel with the two names, and the column after them; its contents. */
int ss_cone_tabs(const ss_build *b, ss_panel_id panel);
void ss_build_cone_in(const ss_build *b, ss_panel_id panel, int from);
/* The names of the x axes on the upper edge of the residual plot; returns the next free column. */
int ss_build_axes(const ss_build *b, ss_rect r);

/* --- wipe.c ----------------------------------------------------------------------------------- */

/* A race's wipe in r: names, the picture with its line, the difference. Uses images 0, 1 and 4, in
 * 1D chart 0. */
void ss_build_wipe(const ss_build *b, ss_rect r);
/* The rows at which a frame of `cols` columns is full of two pictures, the wipe and the difference;
 * 0: there is no room for two. */
int ss_wipe_rows(const ss_build *b, int cols);

/* --- race.c ----------------------------------------------------------------------------------- */

/* The residual curves of all runs of a race; returns their number. */
typedef struct ss_curve {
    const ss_point *at;
    int n;
    double residual0;
    ss_theme_role role;
    int dash;
    const char *legend; /* or NULL */
} ss_curve;
int ss_race_curves(const ss_snapshot *snap, ss_curve out[SS_SERIES_MAX]);
/* The rows of a plot that has room for the table of a race and its curves. */
int ss_standings_rows(const ss_snapshot *snap);
/* A line per run, with its place by the axis, at the top of `room`, which shrinks by these lines.
 */
void ss_build_standings(const ss_build *b, ss_rect *room);
/* The pictures of all runs side by side, instead of the field's. False: no race, or no room. */
bool ss_build_race(const ss_build *b);
/* 1D: the fields of all runs in one chart. */
bool ss_race_lines(const ss_build *b, ss_chart *c, ss_box2 w);
/* Transient runs: their costs over simulated time, instead of the space-time diagram. */
void ss_build_race_costs(const ss_build *b);
/* Marks the finishes on the x axis. */
void ss_build_finishes(const ss_build *b, ss_chart *c);
/* For the message line. */
/* Is there a race, and have all its runs ended? */
bool ss_race_is_over(const ss_build *b);
const char *ss_race_text(const ss_build *b);

/* --- chart.c ---------------------------------------------------------------------------------- */

void ss_build_strip(const ss_build *b);
/* The same of a steady run as a large chart in r, with axes; uses chart 1. */
void ss_build_whole_run(const ss_build *b, ss_rect r);
/* Marks the checkpoints below the chart; `at` gives the position of one on the x axis. */
void ss_past_marks(const ss_build *b, ss_chart *c,
                   double (*at)(const ss_build *b, const ss_point *p));

/* --- explain.c -------------------------------------------------------------------------------- */

/* Call-outs over the panels that have been built, inside of `body`. The same for print: numbers in
 * the pictures, and the remarks in r; returns the rows used. The call-outs of a screen. */
void ss_build_callouts(const ss_build *b, ss_rect body);
int ss_build_notes(const ss_build *b, ss_rect r);
void ss_build_explain(const ss_build *b);

/* --- ranks.c ---------------------------------------------------------------------------------- */

/* Modelled ranks: whether there are any; the timeline of their last cycles with the formula, in r;
 * what stands beside its title; the lower panel. */
bool ss_has_timeline(const ss_build *b);
void ss_build_timeline(const ss_build *b, ss_rect r);
const char *ss_timeline_corner(const ss_build *b);
void ss_build_ranks(const ss_build *b);

/* --- the other panels ------------------------------------------------------------------------- */

void ss_build_plot(const ss_build *b);
/* Steady runs: the lower panel, with the first diagram of the layer's row that has something to
 * say; false: none has. */
void ss_build_lower(const ss_build *b);
bool ss_has_lower(const ss_build *b);
/* One of its diagrams: the layer by position in the block. */
bool ss_has_position(const ss_build *b);
void ss_build_position(const ss_build *b);
/* Where the time of a cycle goes on several devices, from row y of `in` on; returns the rows used,
 * an empty one included: 0 if nothing was measured, or without room. */
int ss_build_shares(const ss_build *b, ss_rect in, int y);
/* Time-dependent runs: the selected diagram instead of the residual, and a second one instead of
 * the profile. */
void ss_build_stage(const ss_build *b);
void ss_build_watch(const ss_build *b);
/* The selected diagram, or its replacement where a run does not have it. */
ss_stage_id ss_stage_shown(const ss_build *b);
/* What the diagram of the first panel, or of the second one, is of. */
const char *ss_stage_heading(const ss_build *b, bool second);
/* A space-time diagram in r. */
void ss_build_theatre(const ss_build *b, ss_rect r, ss_stage_id which);
void ss_build_controls(const ss_build *b);
void ss_build_ledger(const ss_build *b);
/* Label and meaning of row i of the ledger; false: no such row. */
bool ss_cost_help(const ss_snapshot *snap, int i, const char **label, const char **help);
/* The page of a lesson. */
void ss_build_page(const ss_build *b);
void ss_build_help(const ss_build *b);

/* --- gallery.c, popup.c, footer.c, tip.c ------------------------------------------------------ */

void ss_build_gallery(const ss_build *b);
void ss_build_kernels(const ss_build *b);
void ss_build_copy(const ss_build *b);
/* The message line, or the command line that is being typed. */
void ss_build_message(const ss_build *b);
/* The smallest screen that shows every important panel; for a window also the --ui-scale that makes
 * the present size sufficient. */
const char *ss_wanted_size(const ss_build *b);
/* Next to the mouse: the help of the item under it. */
void ss_build_tip(const ss_build *b);
void ss_build_keys(const ss_build *b, ss_key_context context);

/* --- kit.c: what all charts share ------------------------------------------------------------- */

/* The axes as they are wanted: zoomed, logarithmic. To be called with all series in the chart. */
void ss_build_chart_axes(const ss_build *b, ss_chart *c, ss_abscissa x_is, ss_rect in);
/* A lesson's number of this kind as lines of a chart whose axes are made: what was said, and the
 * answer. Is it being drawn now, before it is locked? */
void ss_build_drawn(const ss_build *b, ss_chart *c, ss_page_drawn kind);
bool ss_is_drawn(const ss_build *b, ss_page_drawn kind); /* is there one already? */
bool ss_is_drawing(const ss_build *b, ss_page_drawn kind);
/* Adds the chart in `in`, with what the mouse does on it; thins its curves. frame: its panel, whose
 * lower edge says what is zoomed; w 0: none. Calls ss_build_chart_axes unless that was done. */
void ss_build_chart(const ss_build *b, ss_chart *c, ss_abscissa x_is, ss_rect in, ss_rect frame);

/* A panel with a chart, as data. */
typedef struct ss_chart_panel {
    const char *title; /* of its frame; NULL: it has one already */
    const char *words; /* its unit; NULL: */
    const char *(*unit)(const ss_build *b, ss_rect r);
    bool unit_above;                                 /* only on the upper edge */
    void (*above)(const ss_build *b, ss_rect *room); /* draws above it, in its room; may be NULL */
    /* Why there is nothing to draw; NULL: there is. May be NULL: there always is. */
    const char *(*empty)(const ss_build *b);
    /* Axes, series and marks; `in` is the room of the chart. */
    void (*fill)(const ss_build *b, ss_rect in, ss_chart *c);
    ss_abscissa x_is;
    const char *x_label, *x_name, *y_name; /* x_label: below the axis */
} ss_chart_panel;

/* from: the first free column of the upper edge, if it has a frame already. */
void ss_build_chart_panel(const ss_build *b, const ss_chart_panel *p, ss_rect r, int from,
                          ss_chart *c);

/* --- values.c --------------------------------------------------------------------------------- */

/* What the mouse, or the cursor, points at: rules on charts and pictures, with values. */
void ss_build_values(const ss_build *b);
/* Words for the line below the field; NULL: nothing points at it. */
const char *ss_values_of_field(const ss_build *b);
/* In a window: the item under the mouse stands out, and the pointer's shape. */
void ss_build_pointed(const ss_build *b);
/* space_time.c: "block 3 · level 7 · diamond"; NULL: nothing is there. */
const char *ss_theatre_value(const ss_build *b, int slot, ss_xy part);

/* --- picture.c -------------------------------------------------------------------------------- */

/* Request a picture of that size; a spectrum, or none; the states inside a cycle, or none. */
void ss_build_want(const ss_build *b, int w, int h);
void ss_build_want_spectrum(const ss_build *b, bool wanted);
void ss_build_want_kernels(const ss_build *b, int wanted);
void ss_build_want_raster(const ss_build *b, bool wanted);
/* The picture; its overlays; its colour bar. */
void ss_build_image(const ss_build *b, ss_image *im);
/* The colours of a layer in the image's range. */
void ss_build_colours(ss_image *im, const ss_layer_label *layer);
void ss_build_overlay(const ss_build *b, ss_image *im, ss_rect r);
void ss_build_bar(const ss_build *b, const ss_image *im, int which, ss_rect r, bool vertical);
/* The pin beside a colour bar, from whose room it takes its own; the bar's ends follow the mouse.
 */
void ss_build_pin(const ss_build *b, ss_rect *bar, bool vertical);
void ss_build_bar_hit(const ss_build *b, ss_rect r, bool vertical);
/* Edges of the blocks' written regions, as fractions of [a, b), which is `dots` wide; returns their
 * number, 0 if they are too close. The region that a block covers; false: no such block. */
int ss_picture_edges(ss_cut c, double a, double b, bool down, int dots, double *out);
bool ss_picture_block(const ss_snapshot *p, int tx, int ty, ss_span *x, ss_span *y);

/* --- kit.c ------------------------------------------------------------------------------------ */

/* A text at the left end of r, at its right end; returns its columns. A text whose item is all of
 * r, which its style aligns. */
int ss_put(const ss_build *b, ss_rect r, ss_theme_role role, unsigned style, const char *text);
int ss_put_end(const ss_build *b, ss_rect r, ss_theme_role role, unsigned style, const char *text);
ss_item *ss_put_in(const ss_build *b, ss_rect r, ss_theme_role role, unsigned style,
                   const char *text);
/* A press there sends the command, which is copied. */
void ss_press(const ss_build *b, ss_rect r, const char *command, int index);
/* ss_page_reason, ss_layer_zero and ss_waits_text as texts; NULL: it is not zero, nothing waits. */
const char *ss_build_reason(const ss_build *b, const char *why);
const char *ss_build_zero(const ss_build *b);
const char *ss_build_waits(const ss_build *b);
/* The symbol of the layer that the picture shows, or of its quantity. */
const char *ss_build_symbol(const ss_build *b);
/* Request a picture of the field that fills r; a curve of so many columns. */
void ss_build_want_field(const ss_build *b, ss_rect r);
void ss_build_want_line(const ss_build *b, int columns);
/* Width over height of the part of the field that is shown. */
double ss_build_aspect(const ss_build *b);
/* Axis i of a picture, in r: upright (title NULL), or with a title below the picture. */
ss_edge_axis *ss_build_edge(const ss_build *b, int i, ss_rect r, const char *title);
/* One line: the lowest value, the colours, whose place is returned, the highest value. */
ss_rect ss_build_bar_line(const ss_build *b, const ss_image *im, ss_rect r);
/* The text, then " · r -2.7e-3"; name NULL: without one. */
const char *ss_build_with(const char *text, const char *name, double v);
/* n blocks, a bar of characters. */
const char *ss_build_blocks(int n);
/* Adds a series; NULL: there is no room. */
ss_series *ss_chart_add(ss_chart *c, ss_series s, const char *legend);
/* Names, of which one is on. */
typedef struct ss_tabs {
    const char *const *names, *const *values; /* values: what a press sends; NULL: the names */
    int n, on;
    const bool *enabled; /* NULL: all are */
    const char *command; /* that a press sends: "view layer %s" */
    int keep;            /* columns for a title after them, unless all names fit */
} ss_tabs;

/* A frame with tabs in its upper edge. The same on an edge that has been drawn; style: SS_RAISED on
 * a lower edge. Both return the column after the last name. */
int ss_build_tabs(const ss_build *b, ss_rect r, const ss_tabs *t);
int ss_build_tab_line(const ss_build *b, ss_rect r, const ss_tabs *t, unsigned style);
void ss_build_frame(const ss_build *b, ss_rect r, const char *title);
/* A frame above other panels. */
void ss_build_popup(const ss_build *b, ss_rect r, const char *title);
/* A box of words in it: at most six lines of so many columns, which are `wide` cells in a window.
 * style: of its frame, which SS_FIT fits to the words; SS_RIGHT: they end at its right end. */
void ss_build_box(const ss_build *b, ss_rect r, const char *text, int columns, int wide,
                  unsigned style);
/* Everything built so far is dimmed, and the mouse no longer meets it. */
void ss_build_veil(const ss_build *b);
/* Gives the items and hits from these indices on, which are at y, the height of their edge. */
void ss_build_tall(const ss_build *b, int y, int item, int hit);
/* The x axis of a 1D field, in points, with ticks at coordinates of the problem; at most `max`. */
/* The same for any direction: points `step` apart, the first at `origin` steps. */
void ss_build_axis_of(ss_plot_axis *a, double step, double origin, double x0, double x1, int max);
void ss_build_x_axis(const ss_build *b, ss_plot_axis *a, double x0, double x1, int max);
/* The rectangle of a chart: the inside of the frame, in a terminal without its last column. */
ss_rect ss_build_chart_room(const ss_build *b, ss_rect frame);
/* Cells of the window w as points of a curve, each point once; returns their number. */
int ss_build_points(ss_box2 w, const float *cell, int n, ss_xy *to);
/* Horizontal resolution of a curve that is `columns` wide, in dots. */
int ss_build_dots(const ss_build *b, int columns);
/* Right end of the upper edge; _figures: of a text that changes in every frame. */
void ss_build_corner(const ss_build *b, ss_rect r, int from, const char *text);
void ss_build_corner_figures(const ss_build *b, ss_rect r, int from, const char *text);
/* Right end of the lower edge, right of column `from`. */
void ss_build_foot(const ss_build *b, ss_rect r, int from, const char *text);
/* What a panel shows, its unit: in a window in the upper edge right of column `from`, if there is
 * room; else in the lower edge. */
void ss_build_unit(const ss_build *b, ss_rect r, int from, const char *text);
/* A rectangle of w x h in the middle of the screen, at most as large as the screen. */
ss_rect ss_build_centred(const ss_build *b, int w, int h);
/* The bytes of the first line of text when it is cut into words at w columns. */
int ss_build_cut(const char *text, int w);
/* The characters of text that fit w columns: those of a window are narrower than cells. */
int ss_build_letters(const ss_build *b, int w);
/* In the middle of panel r: why it is empty. */
void ss_build_nothing(const ss_build *b, ss_rect r, const char *text);
/* Takes the first such line from *text, with the blanks behind it; the number of lines. */
const char *ss_build_line(const char **text, int w);
int ss_build_lines(const char *text, int w);
/* Sets the text in words that fit r.w columns; returns the lines used, at most r.h. */
int ss_build_wrap(const ss_build *b, ss_rect r, ss_theme_role role, const char *text);
/* footer.c. Does the key do anything here? */
bool ss_build_key_works(const ss_build *b, const ss_key *k);

/* --- map.c ------------------------------------------------------------------------------------ */

/* The open page, and the cell under the cursor. */
void ss_build_map(const ss_build *b);
/* "k 8, overlap 4 · cycles 620": of a cell, with the shown quantity. */
const char *ss_map_cell_words(const ss_build *b, int cell);
/* For the message line. */
const char *ss_map_sentence(const ss_build *b);

/* --- frame.c, frame_parts.c ------------------------------------------------------------------- */

typedef struct ss_frame_part {
    /* Why this run has no such part, a sentence; NULL: it has one. NULL: every run has. */
    const char *(*why)(const ss_build *b);
    /* Its shape; the rows of the heading are included. Depends on the run: NULL: it does not. */
    ss_frame_shape shape;
    void (*fit)(const ss_build *b, ss_frame_shape *shape);
    /* The heading above it, called when it is drawn. */
    const char *(*heading)(const ss_build *b);
    /* Draws it in r, without the heading; not called where there is a reason why not. */
    void (*draw)(const ss_build *b, ss_rect r);
    bool space_time; /* it needs the states of all cycles (ss_build_want_raster) */
} ss_frame_part;

extern const ss_frame_part ss_part_field, ss_part_raster, ss_part_curve, ss_part_lower,
    ss_part_theatre, ss_part_cone, ss_part_wipe, ss_part_timeline;

#endif
