/*
 * What the parts of a drawing share: pens, fonts, the painters of items. Private to ui/canvas,
 * which alone sees cairo and pango; hence the two names of their structs here. The thread that owns
 * the drawing.
 */
#ifndef SS_CANVAS_DRAW_H
#define SS_CANVAS_DRAW_H

#include "ui/canvas/drawing.h"

struct _cairo;

/* Sizes at scale 1, in pixels. */
enum { SS_CELL_W = 10, SS_CELL_H = 20 };

typedef struct ss_px { /* whole pixels */
    int x, y, w, h;
} ss_px;

typedef struct ss_fonts ss_fonts;
typedef struct ss_shades ss_shades;
typedef struct ss_groups ss_groups;
typedef struct ss_backdrops ss_backdrops;
typedef struct ss_backdrop ss_backdrop; /* of one chart */

/* A text that stands where the one before it ends, and the cells that events should see there. */
typedef struct ss_stretch {
    double px0, px1;
    int x0, x1, y0, y1;
} ss_stretch;

struct ss_drawing {
    double scale; /* of everything drawn: pixels of one at scale 1 */
    int cw, ch;   /* pixels of a cell */
    int ox, oy;   /* where the first cell is */
    ss_fonts *fonts;
    ss_shades *shades;
    ss_groups *groups;
    ss_backdrops *backdrops;
    double flow_x[SS_ITEM_MAX]; /* left edge of SS_FLOW items */
    ss_stretch span[SS_ITEM_MAX];
    int nspan;
};

/* A context to draw with, its origin being the first cell's; thin lines are whole pixels wide. */
typedef struct ss_pen {
    struct _cairo *cr;
    ss_drawing *d;
    const ss_scene *scene;
} ss_pen;

ss_px ss_draw_px(const ss_drawing *d, ss_rect r);
/* Where text of so many rows from pixel y on has its middle: in an edge, a bit below. */
double ss_draw_middle(const ss_drawing *d, int y, int rows);
/* Whole pixels: of a thin line, n of them wide at scale 1; never none. */
double ss_draw_thin(const ss_drawing *d, int n);
void ss_draw_color(const ss_pen *p, ss_rgb color, double alpha);
void ss_draw_role(const ss_pen *p, ss_theme_role role, double alpha);
void ss_draw_box(const ss_pen *p, double x, double y, double w, double h); /* filled */
void ss_draw_rounded(const ss_pen *p, double x, double y, double w, double h, double radius);

/* The pixels themselves, where what is drawn on has such: no need to copy. Else NULL. */
unsigned char *ss_draw_pixels(const ss_pen *p, ss_px r, int *stride);
void ss_draw_drawn(const ss_pen *p); /* afterwards */
/* A line of that many pixels along n points in pixels (curve.c), which `under` is told of
 * where it is not NULL. False: not by it. */
bool ss_draw_line(const ss_pen *p, ss_px clip, const ss_xy *at, int n, double width, ss_rgb color,
                  ss_backdrop *under);

/* --- text (text.c) --------------------------------------------------------------------- */

/* How a text is set: bits of ss_scene's styles, of which SS_BOLD, SS_FIGURE, SS_LARGE, SS_SMALL
 * choose the font. */
ss_fonts *ss_fonts_new(double scale, ss_err *err);
void ss_fonts_free(ss_fonts *f);
double ss_draw_width(const ss_pen *p, unsigned style, const char *text);
/* Around the line y, in the colour set; x is its left edge, right edge (SS_RIGHT) or middle
 * (SS_CENTRE). Cut if it is wider than room. Returns its width. */
double ss_draw_text(const ss_pen *p, double x, double y, double room, unsigned style,
                    const char *text);
/* Places the texts that follow each other; also fills the spans of d. */
void ss_draw_flow(const ss_pen *p);
void ss_draw_text_item(const ss_pen *p, int item);

/* --- the other items -------------------------------------------------------------------------- */

ss_shades *ss_shades_new(void);
void ss_shades_free(ss_shades *s);
struct _cairo_surface *ss_shades_surface(ss_shades *s, int w, int h); /* NULL: no memory */
/* The pixels of an image in r, from `to` on (shade.c). False: there is no memory. */
bool ss_shade(const ss_pen *p, const ss_image *im, ss_px r, unsigned char *to, int stride);
/* The same where `to` has what was shaded last: rows that have moved down are moved. False: it is
 * another picture. */
bool ss_shade_moved(const ss_pen *p, const ss_image *im, ss_px r, unsigned char *to, int stride);
bool ss_draw_shows(const ss_image *im); /* it has what to show, and fills its rectangle */
void ss_draw_image(const ss_pen *p, const ss_item *item);
/* Where it was drawn before and nothing else since; false: it has to be drawn as a whole. */
bool ss_draw_image_again(const ss_pen *p, const ss_item *item);
void ss_draw_bar(const ss_pen *p, const ss_item *item);
void ss_draw_chart(const ss_pen *p, const ss_item *item);
bool ss_draw_chart_again(const ss_pen *p, const ss_item *item);

/* --- what is below the curves of a chart (backdrop.c) ---------------------------------- */

ss_backdrops *ss_backdrops_new(void);
void ss_backdrops_free(ss_backdrops *b);
void ss_backdrop_forget(const ss_pen *p, ss_px rect); /* another one is drawn there */
/* Keeps what has been drawn in rect so far, of a chart that says `rest` beside its curves; or puts
 * it back where it has been covered since. NULL: it does not. */
ss_backdrop *ss_backdrop_keep(const ss_pen *p, ss_px rect, uint64_t rest);
ss_backdrop *ss_backdrop_restore(const ss_pen *p, ss_px rect, uint64_t rest);
/* Rows [from, to) of column x are covered by a curve, or of all columns by what lies over curves;
 * b may be NULL. */
void ss_backdrop_cover(ss_backdrop *b, int x, int from, int to);
void ss_backdrop_over(ss_backdrop *b, int from, int to);
void ss_backdrop_spoil(ss_backdrop *b); /* something was drawn that nobody can tell of */

/* One item, or all of a scene with the ground: on any surface, paper included. */
void ss_draw_item(const ss_pen *p, int item);
void ss_draw_scene(ss_drawing *d, struct _cairo *cr, const ss_scene *scene);

/* --- what has changed (groups.c) ------------------------------------------------------- */

/* Of all that decides how item i looks, and of h (hash.c). */
uint64_t ss_draw_hash(const ss_drawing *d, const ss_scene *s, int i, uint64_t h);
uint64_t ss_draw_hash_look(const ss_image *im); /* without its cells */
uint64_t ss_draw_hash_rest(const ss_chart *c);  /* without the points of its series */
ss_groups *ss_groups_new(void);
void ss_groups_free(ss_groups *g);
void ss_groups_forget(ss_groups *g);
void ss_groups_paint(ss_drawing *d, const ss_scene *scene, const ss_pixels *to, ss_px *changed);

#endif
