/*
 * Painters: each draws one kind of item of a scene through a pen (ui/pen), in pixels. ui/canvas
 * calls them with the pen of cairo. Nothing here knows cairo. Thread: the owner of the pen.
 *
 * Where a scene's cells, texts and data lie in pixels is filled while it is drawn, read for events
 * and by painters; pure but for the struct.
 */
#ifndef SS_DRAW_H
#define SS_DRAW_H

#include "ui/pen/pen.h"
#include "ui/scene/frontend.h"
#include "ui/scene/items.h"
#include "ui/scene/place.h"

/* --- places (places.c) ------------------------------------------------------------------------ */

/* A cell at scale 1, in pixels. */
enum { SS_CELL_W = 10, SS_CELL_H = 20 };

typedef struct ss_px { /* whole pixels */
    int x, y, w, h;
} ss_px;

/* A text that begins where the previous one ends, and the cells that events report for it. */
typedef struct ss_stretch {
    double px0, px1;
    int x0, x1, y0, y1;
} ss_stretch;

/* Pixels of a chart whose place in cells is another: its data, a name in its legend. */
typedef struct ss_spot {
    double x, y, w, h;
    ss_rect cells;
} ss_spot;

enum { SS_SPOT_MAX = 48 };

typedef struct ss_places {
    double scale;               /* pixels of everything per pixel at scale 1 */
    int cw, ch;                 /* pixels per cell */
    int ox, oy;                 /* position of the first cell */
    double flow_x[SS_ITEM_MAX]; /* left edge of SS_FLOW items */
    ss_stretch span[SS_ITEM_MAX];
    int nspan;
    ss_spot spot[SS_SPOT_MAX];
    int nspot;
} ss_places;

/* The scale at which w x h pixels show as much as 1280 x 800 do at scale 1: from 1 to 2.5, in
 * quarters. Fewer pixels show less, in letters that can be read: a phone has the layout of a small
 * terminal. */
double ss_places_scale(double w, double h);
/* The scale at which w x h pixels hold all cells of the scene; at least 0.5. */
double ss_places_fitted(const ss_scene *scene, int w, int h);
/* The cells that fit w x h pixels at a scale; dots are the pixels of a cell. */
void ss_places_extent(double scale, int w, int h, ss_extent *out);
/* The same for a page in a browser. */
void ss_places_page(int w, int h, ss_extent *out);

/* scale: 1 is 96 dots per inch. */
void ss_places_make(ss_places *d, double scale);
/* Puts the scene into the middle of w x h pixels. */
void ss_places_centre(ss_places *d, const ss_scene *scene, int w, int h);
/* From pixels to character cells, the units of events. */
void ss_places_cell(const ss_places *d, double px, double py, double *x, double *y);

ss_px ss_draw_px(const ss_places *d, ss_rect r);
/* The vertical centre of text in `rows` rows from pixel y on; slightly lower in a frame's edge. */
double ss_draw_middle(const ss_places *d, int y, int rows);
/* Whole pixels of a line that is n wide at scale 1; at least one. */
double ss_draw_thin(const ss_places *d, int n);

/* --- painters --------------------------------------------------------------------------------- */

typedef struct ss_log_tables ss_log_tables; /* levels of values on logarithmic scales (image.c) */

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
void ss_draw_text_item(const ss_painter *p, const ss_item *item);

/* --- the other items -------------------------------------------------------------------------- */

ss_log_tables *ss_log_tables_new(void);
void ss_log_tables_free(ss_log_tables *t);
/* Values to levels (image.c). */
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
void ss_draw_edge(const ss_painter *p, const ss_item *item);
void ss_draw_rule(const ss_painter *p, const ss_item *item);
/* Calls `take` with the pixels of each part of a rule, before it is drawn. */
void ss_draw_rule_parts(const ss_painter *p, const ss_item *item,
                        void (*take)(const ss_painter *p, ss_px part, void *ctx), void *ctx);

/* --- a chart being drawn (chart.c); ui/canvas keeps what is below the data -------------------- */

/* The data rectangle of a chart. */
typedef struct ss_plot {
    const ss_painter *p;
    const ss_chart *chart;
    double x, y, w, h, s; /* pixels; s: scale */
    double left, right;   /* edges of the chart with its labels */
    double curve;         /* width of a curve in pixels */
    ss_rect item;         /* in cells */
    int bars;             /* bars side by side per point, 0: curves */
} ss_plot;

/* False: too small for any data. */
bool ss_plot_make(ss_plot *f, const ss_painter *p, const ss_item *item);
/* Axes, zones and marks; then the curves or bars, and the words over them. */
void ss_plot_ground(const ss_plot *f);
void ss_plot_data(const ss_plot *f);
bool ss_plot_is_solid(const ss_plot *f); /* no bars, no points, no dashes */

#endif
