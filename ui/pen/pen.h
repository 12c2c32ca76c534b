/*
 * A pen: the functions that painters draw through. There are two: cairo's (ui/canvas), and one that
 * writes bytes, a stream of operations that a program elsewhere carries out, such as a page in a
 * browser. A pen knows no scene. Units are pixels, x to the right, y down; colours are 0xrrggbb,
 * opaque at alpha 1. Move, line, rect, arc and ellipse add to a path; fill, stroke and clip use it
 * up. One thread at a time per pen.
 */
#ifndef SS_PEN_H
#define SS_PEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "src/base/common.h"

typedef struct ss_pen ss_pen;

typedef struct ss_pen_box {
    double x, y, w, h;
} ss_pen_box;

typedef enum ss_join { SS_JOIN_MITER, SS_JOIN_ROUND, SS_JOIN_BEVEL, SS_NJOIN } ss_join;

enum {
    SS_PEN_DASH = 6,     /* most lengths of a dash pattern */
    SS_PEN_STOPS = 64,   /* most colours of a ramp */
    SS_PEN_TEXT = 256,   /* bytes of the longest text, its end included */
    SS_PEN_LEVELS = 257, /* of an image */
    SS_PEN_HATCH = 8     /* pixels between two lines of a hatch */
};

typedef struct ss_font {
    double size; /* pixels */
    bool mono;   /* numbers and keys: characters of equal width */
    bool bold;
} ss_font;

typedef struct ss_pen_text {
    double x, y;  /* y: the baseline */
    double align; /* the part of its width that is left of x: 0, 0.5 or 1 */
    double room;  /* a wider text is cut and ends in an ellipsis */
    ss_font font;
    const char *text; /* not empty */
} ss_pen_text;

/* A picture of cols * rows cells in a rectangle of pixels. A cell has a level: 0, nothing to show,
 * or 1 to 256, in the order of its values unless they are categories. */
typedef struct ss_pen_image {
    int x, y, w, h;
    int cols, rows;
    bool smooth; /* interpolates between levels where cells are larger than pixels */
    uint32_t palette[SS_PEN_LEVELS];                             /* the colour of a level */
    void (*levels)(const void *cells, int row, uint16_t *level); /* of a row of cells */
    const void *cells;
    const uint8_t *unseen; /* of the rows: covered by a hatch, nothing is known; or NULL */
    uint32_t hatch;        /* the colour of its lines */
    int hatch_row;         /* rows that it has moved down, below SS_PEN_HATCH */
} ss_pen_image;

typedef struct ss_pen_ops {
    void (*color)(ss_pen *pen, uint32_t rgb, double alpha);
    void (*ramp)(ss_pen *pen, ss_xy from, ss_xy to, const uint32_t *rgb, int n);
    void (*width)(ss_pen *pen, double pixels);
    void (*dash)(ss_pen *pen, const double *length, int n);
    void (*join)(ss_pen *pen, ss_join join);
    void (*move)(ss_pen *pen, double x, double y);
    void (*line)(ss_pen *pen, double x, double y);
    void (*rect)(ss_pen *pen, double x, double y, double w, double h);
    void (*arc)(ss_pen *pen, double x, double y, double radius, double from, double to);
    void (*ellipse)(ss_pen *pen, double x, double y, double rx, double ry);
    void (*close)(ss_pen *pen);
    void (*fill)(ss_pen *pen, bool keep);
    void (*stroke)(ss_pen *pen);
    void (*clip)(ss_pen *pen);
    void (*save)(ss_pen *pen);
    void (*restore)(ss_pen *pen);
    void (*curve)(ss_pen *pen, const ss_pen_box *within, const ss_xy *at, int n);
    double (*text_width)(ss_pen *pen, const ss_font *font, const char *text);
    double (*text)(ss_pen *pen, const ss_pen_text *text);
    void (*image)(ss_pen *pen, const ss_pen_image *image);
    void (*covers)(ss_pen *pen, double from, double to); /* NULL: not asked */
} ss_pen_ops;

struct ss_pen { /* the first member of every pen */
    const ss_pen_ops *ops;
};

/* --- how to draw ------------------------------------------------------------------------------ */

static inline void ss_pen_color(ss_pen *pen, uint32_t rgb, double alpha)
{
    pen->ops->color(pen, rgb, alpha);
}

/* n colours at equal distances between two points, up to SS_PEN_STOPS; replaces the colour. */
static inline void ss_pen_ramp(ss_pen *pen, ss_xy from, ss_xy to, const uint32_t *rgb, int n)
{
    pen->ops->ramp(pen, from, to, rgb, n);
}

/* Of strokes. */
static inline void ss_pen_width(ss_pen *pen, double pixels)
{
    pen->ops->width(pen, pixels);
}

/* Lengths in pixels, drawn and left out by turns; n: up to SS_PEN_DASH, 0: solid lines. */
static inline void ss_pen_dash(ss_pen *pen, const double *length, int n)
{
    pen->ops->dash(pen, length, n);
}

static inline void ss_pen_join(ss_pen *pen, ss_join join)
{
    pen->ops->join(pen, join);
}

/* Colour, width, dashes, joins and the clip, until restore. */
static inline void ss_pen_save(ss_pen *pen)
{
    pen->ops->save(pen);
}

static inline void ss_pen_restore(ss_pen *pen)
{
    pen->ops->restore(pen);
}

/* --- the path --------------------------------------------------------------------------------- */

static inline void ss_pen_move(ss_pen *pen, double x, double y)
{
    pen->ops->move(pen, x, y);
}

/* The first of a path moves. */
static inline void ss_pen_line(ss_pen *pen, double x, double y)
{
    pen->ops->line(pen, x, y);
}

static inline void ss_pen_rect(ss_pen *pen, double x, double y, double w, double h)
{
    pen->ops->rect(pen, x, y, w, h);
}

/* Clockwise; angles in radians, 0 is to the right; more than a turn is a circle. A line leads to
 * its beginning from the path's last point. */
static inline void ss_pen_arc(ss_pen *pen, double x, double y, double radius, double from,
                              double to)
{
    pen->ops->arc(pen, x, y, radius, from, to);
}

static inline void ss_pen_ellipse(ss_pen *pen, double x, double y, double rx, double ry)
{
    pen->ops->ellipse(pen, x, y, rx, ry);
}

static inline void ss_pen_close(ss_pen *pen)
{
    pen->ops->close(pen);
}

static inline void ss_pen_fill(ss_pen *pen)
{
    pen->ops->fill(pen, false);
}

/* The path stays, to be stroked. */
static inline void ss_pen_fill_keep(ss_pen *pen)
{
    pen->ops->fill(pen, true);
}

static inline void ss_pen_stroke(ss_pen *pen)
{
    pen->ops->stroke(pen);
}

static inline void ss_pen_clip(ss_pen *pen)
{
    pen->ops->clip(pen);
}

/* --- curves, texts, images -------------------------------------------------------------------- */

/* Strokes straight lines through n points, two at least; nothing outside of `within` is drawn. The
 * path is empty before and after. */
static inline void ss_pen_curve(ss_pen *pen, const ss_pen_box *within, const ss_xy *at, int n)
{
    pen->ops->curve(pen, within, at, n);
}

/* Whole pixels. */
static inline double ss_pen_text_width(ss_pen *pen, const ss_font *font, const char *text)
{
    return pen->ops->text_width(pen, font, text);
}

/* Returns its width as drawn. It begins at a whole pixel. The path is empty afterwards. */
static inline double ss_pen_text_draw(ss_pen *pen, const ss_pen_text *text)
{
    return pen->ops->text(pen, text);
}

static inline void ss_pen_image_draw(ss_pen *pen, const ss_pen_image *image)
{
    pen->ops->image(pen, image);
}

/* Rows [from, to) are about to be drawn over: for pens that keep the pixels below. */
static inline void ss_pen_covers(ss_pen *pen, double from, double to)
{
    if (pen->ops->covers)
        pen->ops->covers(pen, from, to);
}

/* --- shared by pens --------------------------------------------------------------------------- */

/* The longest beginning of a text that fits the room with an ellipsis behind it, in buf; "" if
 * there is none. */
const char *ss_pen_cut(ss_pen *pen, const ss_font *font, double room, const char *text,
                       char buf[SS_PEN_TEXT]);

/* --- the pen that writes bytes ---------------------------------------------------------------- */

/* Widths of texts are those of the fonts Inter and JetBrains Mono, from a table (advances.h).
 * Formats of the operations: ops.h. */
typedef struct ss_bytes_pen ss_bytes_pen;

ss_bytes_pen *ss_bytes_pen_new(ss_err *err); /* NULL: out of memory */
void ss_bytes_pen_free(ss_bytes_pen *b);
/* The pen of a new stream; what it wrote before is forgotten. (x, y): the pixel of its origin. */
ss_pen *ss_bytes_pen_begin(ss_bytes_pen *b, double x, double y);
/* Begins a part that can be played without the parts before it, and where they are left out: an
 * item that is sent only when it has changed. Returns the number of bytes before it. */
size_t ss_bytes_pen_part(ss_bytes_pen *b);
/* Where the levels of the part's last image begin, from the beginning of the stream; its cells
 * across and down. False: the part has no image. */
bool ss_bytes_pen_levels(const ss_bytes_pen *b, size_t *at, int *cols, int *rows);
/* The stream so far, valid until the next call of any function of the pen. NULL: out of memory. */
const uint8_t *ss_bytes_pen_data(const ss_bytes_pen *b, size_t *n);

#endif
