/*
 * What the panels share: what each of them is built from, the panels themselves, and the kit they
 * are built with (kit.c, picture.c). Private to ui/panels. Main thread only.
 */
#ifndef SS_PANELS_BUILD_H
#define SS_PANELS_BUILD_H

#include "ui/scene/numbers.h"
#include "ui/view/state.h"

typedef struct ss_build {
    ss_scene *s;
    ss_ui *ui;
    const ss_snapshot *snap; /* never NULL */
    const ss_layout *l;
    ss_extent extent;
    double fps;
} ss_build;

/* --- field.c, raster.c, slice.c --------------------------------------------------------------- */

void ss_build_field(const ss_build *b);
/* 1D: space-time. */
void ss_build_raster(const ss_build *b);
/* 3D, parts of the field panel: outlines of blocks and patches; which plane (returns the column
 * after the last name); "z = 31 of 64", and `help` if it fits the room; where the probed cell is.
 */
void ss_build_outlines(const ss_build *b, ss_image *im, ss_rect r);
int ss_build_planes(const ss_build *b, ss_rect r);
void ss_slice_text(const ss_build *b, const char *help, int room, char *buf, size_t size);
void ss_cell_text(const ss_probe *p, char *buf, size_t size);

/* --- race.c: several runs side by side. The curves of all that race (returns how many); */
typedef struct ss_curve {
    const ss_point *at;
    int n;
    double residual0;
    ss_theme_role role;
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

/* --- the other panels ------------------------------------------------------------------------- */

void ss_build_plot(const ss_build *b);
void ss_build_profile(const ss_build *b);
/* Time-dependent runs: what is asked for instead of the residual, and what goes with it instead of
 * the profile. */
void ss_build_stage(const ss_build *b);
void ss_build_watch(const ss_build *b);
/* A picture of the theatre in r. */
void ss_build_theatre(const ss_build *b, ss_rect r, ss_stage_id which);
/* 3D: the spectrum of the error instead of the profile; the factors of the residual. */
void ss_build_bands(const ss_build *b);
void ss_build_factors(const ss_build *b);
void ss_build_controls(const ss_build *b);
void ss_build_ledger(const ss_build *b);
/* Row i of it and what it means; false: there is none. */
bool ss_cost_help(const ss_snapshot *snap, int i, const char **label, const char **help);
/* The page beside it all. */
void ss_build_page(const ss_build *b);
void ss_build_help(const ss_build *b);
void ss_build_picker(const ss_build *b);
void ss_build_copy(const ss_build *b);
/* In place of the line of messages. */
void ss_build_prompt(const ss_build *b);
/* Beside the mouse: what the thing under it is. */
void ss_build_tip(const ss_build *b);
void ss_build_keys(const ss_build *b, ss_key_context context);

/* --- picture.c -------------------------------------------------------------------------------- */

/* The size of the picture that is asked for; the picture; what lies over it; its bar. */
void ss_build_want(const ss_build *b, int w, int h);
void ss_build_image(const ss_build *b, ss_image *im);
void ss_build_overlay(const ss_build *b, ss_image *im, ss_rect r);
void ss_build_bar(const ss_build *b, const ss_image *im, int which, ss_rect r, bool vertical);
/* Edges of what the blocks write, as fractions of [a, b), drawn with so many dots; returns how
 * many, none if they would lie too close. What a block covers; false: there is no such block. */
int ss_picture_edges(ss_cut c, double a, double b, bool down, int dots, double *out);
bool ss_picture_block(const ss_snapshot *p, int tx, int ty, ss_span *x, ss_span *y);

/* --- kit.c ------------------------------------------------------------------------------------ */

/* A frame with tabs in its upper edge: names, which is on, which are off (may be NULL), and the
 * command a click sends ("view layer %s"). Returns the column after the last tab. */
int ss_build_tabs(const ss_build *b, ss_rect r, const char *const *names, int n, int on,
                  const bool *enabled, const char *command);
void ss_build_frame(const ss_build *b, ss_rect r, const char *title);
/* Items and hits from these on, that stand at y: as high as the edge they are in. */
void ss_build_tall(const ss_build *b, int y, int item, int hit);
/* Where a chart goes: all of the inside, but for one column at its right. */
ss_rect ss_build_chart_room(const ss_build *b, ss_rect frame);
/* Cells of the window w as points of a curve, each point once; returns how many. */
int ss_build_points(ss_box2 w, const float *cell, int n, ss_xy *to);
/* Dots across that a curve is worth drawing with, of so many columns. */
int ss_build_dots(const ss_build *b, int columns);
/* Right end of the upper edge; _figures: of a text that changes in every frame. */
void ss_build_corner(const ss_build *b, ss_rect r, int from, const char *text);
void ss_build_corner_figures(const ss_build *b, ss_rect r, int from, const char *text);
/* The same on the lower edge, over whatever is there: `shown` is what stands there, names what a
 * click sends. Returns the column after the last name. */
int ss_build_choices(const ss_build *b, ss_rect r, const char *const *shown,
                     const char *const *names, int n, int on, const char *command);
/* Cuts x into words that fit w columns; returns the lines used (at most max). */
int ss_build_wrap(const ss_build *b, ss_rect r, ss_theme_role role, const char *text);

#endif
