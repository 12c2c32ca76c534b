/*
 * Painters: each draws one kind of item of a scene through a pen (ui/pen), in pixels. ui/canvas
 * calls them with the pen of cairo. Nothing here knows cairo. Thread: the owner of the pen.
 */
#ifndef SS_DRAW_H
#define SS_DRAW_H

#include "ui/draw/places.h"
#include "ui/pen/pen.h"

typedef struct ss_log_tables ss_log_tables; /* levels of values on logarithmic scales (levels.c) */

typedef struct ss_painter {
    ss_pen *pen; /* its origin is the first cell's */
    ss_places *d;
    ss_log_tables *logs;
    const ss_scene *scene;
} ss_painter;

/* One item, or all of them; the ground below them is not drawn. */
void ss_draw_item(const ss_painter *p, int item);
void ss_draw_scene(const ss_painter *p);

void ss_draw_color(const ss_painter *p, ss_rgb color, double alpha);
void ss_draw_role(const ss_painter *p, ss_theme_role role, double alpha);
void ss_draw_box(const ss_painter *p, double x, double y, double w, double h); /* filled */
void ss_draw_rounded(const ss_painter *p, double x, double y, double w, double h, double radius);

/* --- text (text.c) ---------------------------------------------------------------------------- */

/* The style of a text: bits of ss_scene's styles; SS_BOLD, SS_FIGURE, SS_LARGE, SS_SMALL and
 * SS_HUGE choose the font. */
double ss_draw_width(const ss_painter *p, unsigned style, const char *text);
/* Draws text centred on the line y in the current colour; x is its left edge, right edge
 * (SS_RIGHT) or middle (SS_CENTRE). Cut if it is wider than room. Returns its width. */
double ss_draw_text(const ss_painter *p, double x, double y, double room, unsigned style,
                    const char *text);
/* Places texts that follow each other; also fills the spans of d. */
void ss_draw_flow(const ss_painter *p);
void ss_draw_text_item(const ss_painter *p, int item);

/* --- the other items -------------------------------------------------------------------------- */

ss_log_tables *ss_log_tables_new(void);
void ss_log_tables_free(ss_log_tables *t);
/* Values to levels (levels.c). */
typedef struct ss_levels_of {
    const ss_image *image;
    const uint16_t *log; /* a table; NULL: linear, or owners */
    float scale, shift;
} ss_levels_of;

/* The picture of an item, for the pen; `of` lives as long. */
void ss_draw_picture(const ss_painter *p, const ss_item *item, ss_levels_of *of, ss_pen_image *out);
bool ss_draw_shows(const ss_image *im); /* it has data and fills its rectangle */
void ss_draw_image(const ss_painter *p, const ss_item *item);
void ss_draw_bar(const ss_painter *p, const ss_item *item);
void ss_draw_chart(const ss_painter *p, const ss_item *item);
/* The data of a chart, in pixels. False: too small for any. */
bool ss_draw_chart_data(const ss_painter *p, const ss_item *item, ss_pen_box *out);
/* Fills the spots of d: where the mouse meets data and legends. */
void ss_draw_spots(const ss_painter *p);
void ss_draw_sample(const ss_painter *p, const ss_item *item);
/* Pixels of an axis, and the room of its labels. */
typedef struct ss_reach {
    double x, w, left, right;
} ss_reach;

/* Tick labels and title centred on the line y; tick labels left of `right`. */
void ss_draw_axis_across(const ss_painter *p, const ss_plot_axis *a, const ss_reach *r, double y,
                         const char *title);
/* Labels stay `inset` away from the ends of [y, y + h]. */
void ss_draw_axis_up(const ss_painter *p, const ss_plot_axis *a, double right, double y, double h,
                     double inset);
void ss_draw_edge(const ss_painter *p, const ss_item *item);
void ss_draw_strip(const ss_painter *p, const ss_item *item);
void ss_draw_leader(const ss_painter *p, const ss_item *item);
void ss_draw_rule(const ss_painter *p, const ss_item *item);
/* Calls `take` with the pixels of each part of a rule, before it is drawn. */
void ss_draw_rule_parts(const ss_painter *p, const ss_item *item,
                        void (*take)(const ss_painter *p, ss_px part, void *ctx), void *ctx);

#endif
