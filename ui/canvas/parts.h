/* Shared by the files of a drawing: the pen of cairo, fonts, caches. Private to ui/canvas, the only
 * folder that sees cairo and pango; hence the forward declarations of their structs. Thread: the
 * owner of the drawing. */
#ifndef SS_CANVAS_PARTS_H
#define SS_CANVAS_PARTS_H

#include <stdio.h>

#include "ui/canvas/canvas.h"
#include "ui/draw/draw.h"

struct _cairo;
struct _cairo_surface;

typedef struct ss_fonts ss_fonts;
typedef struct ss_shades ss_shades;
typedef struct ss_groups ss_groups;
typedef struct ss_backdrops ss_backdrops;
typedef struct ss_backdrop ss_backdrop; /* of one chart */
typedef struct ss_words ss_words;       /* texts of an SVG file, written as text (text.c) */
typedef struct ss_rules ss_rules;

struct ss_drawing {
    ss_places places;
    ss_fonts *fonts;
    ss_log_tables *logs;
    ss_shades *shades;
    ss_groups *groups;
    ss_backdrops *backdrops;
    ss_rules *rules;
    ss_words *words; /* not NULL: texts go there */
};

/* --- the pen of cairo (pen.c) ----------------------------------------------------------------- */

typedef struct ss_cairo_pen {
    ss_pen pen;        /* is cast to this struct */
    struct _cairo *cr; /* its origin is the first cell's; NULL: texts are only measured */
    ss_drawing *d;
    ss_backdrop *under; /* the pixels below the curves of a chart; NULL: not kept */
} ss_cairo_pen;

ss_cairo_pen ss_cairo_pen_on(struct _cairo *cr, ss_drawing *d);
ss_painter ss_cairo_painter(ss_cairo_pen *pen, const ss_scene *scene);

/* --- the target, content hashes (common.c) ---------------------------------------------------- */

/* The colour of the pen, without its alpha. */
ss_rgb ss_cairo_color(struct _cairo *cr);
/* The target's pixels, where it has any, to read and to write; else NULL. Call ss_cairo_drawn
 * afterwards. */
unsigned char *ss_cairo_pixels(struct _cairo *cr, ss_px r, int *stride);
void ss_cairo_drawn(struct _cairo *cr);

/* The hash of everything that determines how item i looks, starting from h. */
uint64_t ss_draw_hash(const ss_places *d, const ss_scene *s, int i, uint64_t h);
uint64_t ss_draw_hash_look(const ss_image *im); /* without its cells */
uint64_t ss_draw_hash_rest(const ss_chart *c);  /* without the points of its series */

/* --- text (text.c) ---------------------------------------------------------------------------- */

ss_fonts *ss_fonts_new(ss_err *err);
void ss_fonts_free(ss_fonts *f);
/* The pen's functions. */
double ss_cairo_text_width(ss_pen *pen, const ss_font *font, const char *text);
double ss_cairo_text(ss_pen *pen, const ss_pen_text *text);

ss_words *ss_words_new(void);
void ss_words_free(ss_words *w);
/* As SVG, `points` per pixel. */
void ss_words_write(const ss_words *w, double points, FILE *f);

/* --- images (shade.c) ------------------------------------------------------------------------- */

ss_shades *ss_shades_new(void);
void ss_shades_free(ss_shades *s);
/* The pen's function. */
void ss_cairo_image(ss_pen *pen, const ss_pen_image *image);
/* Draws a picture and remembers its rows. */
void ss_shades_draw(const ss_painter *p, const ss_item *item);
/* Moves the rows that the last picture at this place has, too, and draws the others. False: nothing
 * is drawn, the pictures are unrelated. */
bool ss_shades_draw_again(const ss_painter *p, const ss_item *item);

/* --- what is below the curves of a chart (backdrop.c) ----------------------------------------- */

ss_backdrops *ss_backdrops_new(void);
void ss_backdrops_free(ss_backdrops *b);
/* Draws a chart and keeps the pixels below its curves: axes, zones, labels. */
void ss_backdrops_draw(const ss_painter *p, const ss_item *item);
/* Draws only the curves and the words over them, on the pixels that were kept. False: nothing is
 * drawn, there are none. */
bool ss_backdrops_draw_again(const ss_painter *p, const ss_item *item);
/* Rows [from, to) of column x are covered by a curve, or of all columns by items above the
 * curves; b may be NULL. */
void ss_backdrop_cover(ss_backdrop *b, int x, int from, int to);
void ss_backdrop_over(ss_backdrop *b, int from, int to);
void ss_backdrop_spoil(ss_backdrop *b); /* something of unknown extent was drawn */

/* --- what has changed (groups.c) -------------------------------------------------------------- */

ss_groups *ss_groups_new(void);
void ss_groups_free(ss_groups *g);
void ss_groups_forget(ss_groups *g);
void ss_groups_damage(ss_groups *g, ss_px r); /* also changed, after the paint */
void ss_groups_paint(ss_drawing *d, const ss_scene *scene, const ss_pixels *to, ss_px *changed);

#endif
