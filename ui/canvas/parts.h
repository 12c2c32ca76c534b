/* Shared by the files of a drawing: pens, fonts, painters of items. Private to ui/canvas, the
 * only folder that sees cairo and pango; hence the two forward declarations of their structs.
 * Thread: the owner of the drawing. */
#ifndef SS_CANVAS_DRAW_H
#define SS_CANVAS_DRAW_H

#include <stdio.h>

#include "ui/canvas/drawing.h"

struct _cairo;

typedef struct ss_px { /* whole pixels */
    int x, y, w, h;
} ss_px;

typedef struct ss_fonts ss_fonts;
typedef struct ss_shades ss_shades;
typedef struct ss_groups ss_groups;
typedef struct ss_backdrops ss_backdrops;
typedef struct ss_backdrop ss_backdrop; /* of one chart */

/* A text that begins where the previous one ends, and the cells that events report for it. */
typedef struct ss_stretch {
    double px0, px1;
    int x0, x1, y0, y1;
} ss_stretch;

/* Texts that are not drawn, but written into an SVG file as text (words.c). */
typedef struct ss_words ss_words;
/* Pixels of a chart whose place in cells is another: its data, a name in its legend. */
typedef struct ss_spot {
    double x, y, w, h;
    ss_rect cells;
} ss_spot;

enum { SS_SPOT_MAX = 48 };

typedef struct ss_rules ss_rules;

struct ss_drawing {
    double scale; /* pixels of everything per pixel at scale 1 */
    int cw, ch;   /* pixels per cell */
    int ox, oy;   /* position of the first cell */
    ss_fonts *fonts;
    ss_shades *shades;
    ss_groups *groups;
    ss_backdrops *backdrops;
    double flow_x[SS_ITEM_MAX]; /* left edge of SS_FLOW items */
    ss_stretch span[SS_ITEM_MAX];
    int nspan;
    ss_words *words; /* not NULL: texts go there */
    ss_spot spot[SS_SPOT_MAX];
    int nspot;
    ss_rules *rules;
};

/* A context whose origin is the first cell's; thin lines are whole pixels wide. */
typedef struct ss_pen {
    struct _cairo *cr;
    ss_drawing *d;
    const ss_scene *scene;
} ss_pen;

ss_px ss_draw_px(const ss_drawing *d, ss_rect r);
/* The vertical centre of text in `rows` rows from pixel y on; slightly lower in a frame's edge. */
double ss_draw_middle(const ss_drawing *d, int y, int rows);
/* Whole pixels of a line that is n wide at scale 1; at least one. */
double ss_draw_thin(const ss_drawing *d, int n);
void ss_draw_color(const ss_pen *p, ss_rgb color, double alpha);
void ss_draw_role(const ss_pen *p, ss_theme_role role, double alpha);
void ss_draw_box(const ss_pen *p, double x, double y, double w, double h); /* filled */
void ss_draw_rounded(const ss_pen *p, double x, double y, double w, double h, double radius);

/* The target's pixels, where it has any, to save a copy; else NULL. */
unsigned char *ss_draw_pixels(const ss_pen *p, ss_px r, int *stride);
void ss_draw_drawn(const ss_pen *p); /* call afterwards */
/* A line of that width in pixels through n points (curve.c); covered pixels are reported to
 * `under` unless it is NULL. False: not possible this way. */
bool ss_draw_line(const ss_pen *p, ss_px clip, const ss_xy *at, int n, double width, ss_rgb color,
                  ss_backdrop *under);

/* --- text (text.c) --------------------------------------------------------------------- */

/* The style of a text: bits of ss_scene's styles; SS_BOLD, SS_FIGURE, SS_LARGE and SS_SMALL
 * choose the font. */
ss_fonts *ss_fonts_new(double scale, ss_err *err);
void ss_fonts_free(ss_fonts *f);
double ss_draw_width(const ss_pen *p, unsigned style, const char *text);
/* Draws text centred on the line y in the current colour; x is its left edge, right edge
 * (SS_RIGHT) or middle (SS_CENTRE). Cut if it is wider than room. Returns its width. */
double ss_draw_text(const ss_pen *p, double x, double y, double room, unsigned style,
                    const char *text);
/* Places texts that follow each other; also fills the spans of d. */
/* Font families and size in pixels of a style, for a text that is written. */
const char *ss_draw_families(unsigned style);
double ss_draw_type(const ss_pen *p, unsigned style);
ss_words *ss_words_new(void);
void ss_words_free(ss_words *w);
/* A text with its left end at x on the baseline y, in the pen's present colour. */
void ss_words_add(const ss_pen *p, double x, double y, double width, unsigned style,
                  const char *text);
/* As SVG, `points` per pixel. */
void ss_words_write(const ss_words *w, double points, FILE *f);
void ss_draw_flow(const ss_pen *p);
void ss_draw_text_item(const ss_pen *p, int item);

/* --- the other items -------------------------------------------------------------------------- */

ss_shades *ss_shades_new(void);
void ss_shades_free(ss_shades *s);
struct _cairo_surface *ss_shades_surface(ss_shades *s, int w, int h); /* NULL: out of memory */
/* The pixels of an image in r, from `to` on (shade.c). False: out of memory. */
bool ss_shade(const ss_pen *p, const ss_image *im, ss_px r, unsigned char *to, int stride);
/* The same where `to` holds the previous picture: rows that have moved down are copied. False:
 * the pictures are unrelated. */
bool ss_shade_moved(const ss_pen *p, const ss_image *im, ss_px r, unsigned char *to, int stride);
bool ss_draw_shows(const ss_image *im); /* it has data and fills its rectangle */
void ss_draw_image(const ss_pen *p, const ss_item *item);
/* Draws the changed part at its old place, if nothing else was drawn there; false: draw it as a
 * whole. */
bool ss_draw_image_again(const ss_pen *p, const ss_item *item);
void ss_draw_bar(const ss_pen *p, const ss_item *item);
void ss_draw_chart(const ss_pen *p, const ss_item *item);
bool ss_draw_chart_again(const ss_pen *p, const ss_item *item);
/* The data of a chart, in pixels. False: too small for any. */
typedef struct ss_area {
    double x, y, w, h;
} ss_area;

bool ss_draw_chart_data(const ss_pen *p, const ss_item *item, ss_area *out);
/* Fills the spots of d: where the mouse meets data and legends. */
void ss_draw_spots(const ss_pen *p);
void ss_draw_sample(const ss_pen *p, const ss_item *item);
/* Pixels of an axis, and the room of its labels. */
typedef struct ss_reach {
    double x, w, left, right;
} ss_reach;

/* Tick labels and title centred on the line y; tick labels left of `right`. */
void ss_draw_axis_across(const ss_pen *p, const ss_plot_axis *a, const ss_reach *r, double y,
                         const char *title);
/* Labels stay `inset` away from the ends of [y, y + h]. */
void ss_draw_axis_up(const ss_pen *p, const ss_plot_axis *a, double right, double y, double h,
                     double inset);
void ss_draw_edge(const ss_pen *p, const ss_item *item);
void ss_draw_strip(const ss_pen *p, const ss_item *item);
void ss_draw_leader(const ss_pen *p, const ss_item *item);

/* --- what is below the curves of a chart (backdrop.c) ---------------------------------- */

ss_backdrops *ss_backdrops_new(void);
void ss_backdrops_free(ss_backdrops *b);
void ss_backdrop_forget(const ss_pen *p, ss_px rect); /* its place is taken by another item */
/* Keeps the pixels drawn so far in rect, of a chart whose content without curves has the hash
 * `rest`; or restores those that have been covered since. NULL: not kept. */
ss_backdrop *ss_backdrop_keep(const ss_pen *p, ss_px rect, uint64_t rest);
ss_backdrop *ss_backdrop_restore(const ss_pen *p, ss_px rect, uint64_t rest);
/* Rows [from, to) of column x are covered by a curve, or of all columns by items above the
 * curves; b may be NULL. */
void ss_backdrop_cover(ss_backdrop *b, int x, int from, int to);
void ss_backdrop_over(ss_backdrop *b, int from, int to);
void ss_backdrop_spoil(ss_backdrop *b); /* something of unknown extent was drawn */

/* --- what the mouse points at (rule.c): drawn last, over saved pixels, so that nothing below is
 * painted again when the mouse moves ---------------------------------------------------------- */

ss_rules *ss_rules_new(void);
void ss_rules_free(ss_rules *r);
void ss_rules_forget(ss_rules *r); /* the pixels were replaced */
/* Before the groups are painted: takes the last lines off. After it: draws the new ones. */
void ss_rules_lift(ss_drawing *d, const ss_pixels *to);
void ss_rules_paint(ss_drawing *d, const ss_scene *scene, const ss_pixels *to, ss_px *changed);
void ss_draw_rule(const ss_pen *p, const ss_item *item);

/* One item, or a whole scene with its background, on any surface, paper included. */
void ss_draw_item(const ss_pen *p, int item);
void ss_draw_scene(ss_drawing *d, struct _cairo *cr, const ss_scene *scene);

/* --- what has changed (groups.c) ------------------------------------------------------- */

/* The hash of everything that determines how item i looks, starting from h (hash.c). */
uint64_t ss_draw_hash(const ss_drawing *d, const ss_scene *s, int i, uint64_t h);
uint64_t ss_draw_hash_look(const ss_image *im); /* without its cells */
uint64_t ss_draw_hash_rest(const ss_chart *c);  /* without the points of its series */
ss_groups *ss_groups_new(void);
void ss_groups_free(ss_groups *g);
void ss_groups_forget(ss_groups *g);
void ss_groups_damage(ss_groups *g, ss_px r); /* also changed, after the paint */
void ss_groups_paint(ss_drawing *d, const ss_scene *scene, const ss_pixels *to, ss_px *changed);

#endif
