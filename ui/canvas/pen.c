/* The pen of cairo: see parts.h and ui/pen/pen.h. Its curves: a line of even width through points
 * of increasing x, column by column; a pixel is covered according to its distance. In a large
 * window every curve changes in every frame, and cairo's stroke takes ten times as long, more for a
 * noisy curve. Texts are in text.c, images in shade.c. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include <cairo.h>

#include "ui/canvas/parts.h"

/* --- curves ----------------------------------------------------------------------------------- */

enum { ROWS_MAX = 4096 };

typedef struct line {
    const ss_xy *at;
    int n;
    double half; /* of the line width */
    double reach;
    ss_px clip;
} line;

static double between(double v, double lo, double hi)
{
    return v < lo ? lo : v > hi ? hi : v;
}

static bool runs_right(const line *l)
{
    for (int i = 0; i + 1 < l->n; i++)
        if (!(l->at[i + 1].x >= l->at[i].x))
            return false;
    return true;
}

/* Coverage of the pixels of column x by segment i, at least what they have already; rows count
 * from the clip's edge. Branch-free, so that four or more pixels are computed at once. */
static void cover(const line *l, int i, double x, float *cover_of, int *top, int *end)
{
    ss_xy a = l->at[i], b = l->at[i + 1];
    double dx = b.x - a.x, dy = b.y - a.y, length = sqrt(dx * dx + dy * dy);
    double ux = length > 0 ? dx / length : 1, uy = length > 0 ? dy / length : 0;
    double t0 = dx > 0 ? between((x - l->reach - a.x) / dx, 0, 1) : 0;
    double t1 = dx > 0 ? between((x + l->reach - a.x) / dx, 0, 1) : 1;
    double y0 = a.y + t0 * dy, y1 = a.y + t1 * dy;
    double above = (y0 < y1 ? y0 : y1) - l->reach, below = (y0 < y1 ? y1 : y0) + l->reach;
    int from = (int)between(floor(above), l->clip.y, l->clip.y + l->clip.h) - l->clip.y;
    int to = (int)between(ceil(below), l->clip.y, l->clip.y + l->clip.h) - l->clip.y;
    double px = x - a.x, py = l->clip.y + 0.5 - a.y;
    float along0 = (float)(px * ux + py * uy), across0 = (float)(px * uy - py * ux);
    float step = (float)uy, side = (float)ux, reach = (float)l->reach, whole = (float)length;
    for (int row = from; row < to; row++) {
        float along = along0 + (float)row * step, across = across0 - (float)row * side;
        float beyond = along < 0 ? along : along > whole ? along - whole : 0;
        float far = reach - sqrtf(across * across + beyond * beyond);
        float most = far < 1 ? far : 1;
        cover_of[row] = most > cover_of[row] ? most : cover_of[row];
    }
    *top = from < *top ? from : *top;
    *end = to > *end ? to : *end;
}

/* Red and blue together: their products do not overlap. */
static uint32_t mixed(uint32_t under, ss_rgb over, float much)
{
    uint32_t share = (uint32_t)(much * 256 + 0.5F), keep = 256 - share;
    uint32_t two = (under & 0xff00ffu) * keep + (over & 0xff00ffu) * share + 0x800080u;
    uint32_t one = (under & 0x00ff00u) * keep + (over & 0x00ff00u) * share + 0x008000u;
    return 0xff000000u | (two >> 8 & 0xff00ffu) | (one >> 8 & 0x00ff00u);
}

/* False: not possible this way. Covered pixels are reported to `under`. */
static bool draw_columns(cairo_t *cr, const line *l, ss_rgb color, ss_backdrop *under)
{
    static float covers[ROWS_MAX]; /* all 0 between two columns */
    ss_px clip = l->clip;
    int stride = 0, first = 0;
    unsigned char *to = clip.h <= ROWS_MAX ? ss_cairo_pixels(cr, clip, &stride) : NULL;
    if (!to || !runs_right(l))
        return false;
    for (int column = clip.x; column < clip.x + clip.w; column++) {
        double x = column + 0.5;
        int top = clip.h, end = 0;
        while (first + 2 < l->n && l->at[first + 1].x < x - l->reach)
            first++;
        for (int i = first; i + 1 < l->n && l->at[i].x <= x + l->reach; i++)
            if (l->at[i + 1].x >= x - l->reach)
                cover(l, i, x, covers, &top, &end);
        if (top < end)
            ss_backdrop_cover(under, column, clip.y + top, clip.y + end);
        for (int row = top; row < end; row++) {
            uint32_t *px = (uint32_t *)(void *)(to + (ptrdiff_t)row * stride) + (column - clip.x);
            if (covers[row] > 0)
                *px = mixed(*px, color, covers[row]);
            covers[row] = 0;
        }
    }
    ss_cairo_drawn(cr);
    return true;
}

static void stroke_curve(cairo_t *cr, const ss_pen_box *within, const line *l)
{
    cairo_save(cr);
    cairo_rectangle(cr, within->x, within->y, within->w, within->h);
    cairo_clip(cr);
    for (int i = 0; i < l->n; i++)
        (i ? cairo_line_to : cairo_move_to)(cr, l->at[i].x, l->at[i].y);
    /* not CAIRO_ANTIALIAS_FAST: before 1.17.4 it writes behind its buffer */
    cairo_set_antialias(cr, CAIRO_ANTIALIAS_GOOD);
    cairo_set_tolerance(cr, 0.4);
    cairo_stroke(cr);
    cairo_restore(cr);
}

/* The pen's function: within a rectangle, straight lines through n points. Fast where it can be. */
static void cairo_curve(ss_pen *pen, const ss_pen_box *within, const ss_xy *at, int n)
{
    const ss_cairo_pen *c = (const ss_cairo_pen *)(const void *)pen;
    double width = cairo_get_line_width(c->cr);
    ss_px clip = {(int)within->x, (int)within->y, (int)within->w, (int)within->h};
    const line l = {at, n, 0.5 * width, 0.5 * width + 0.5, clip};
    bool dashed = cairo_get_dash_count(c->cr) > 0;
    if (!dashed && draw_columns(c->cr, &l, ss_cairo_color(c->cr), c->under))
        return;
    ss_backdrop_spoil(c->under);
    stroke_curve(c->cr, within, &l);
}

/* --- the pen ---------------------------------------------------------------------------------- */

static cairo_t *cr_of(ss_pen *pen)
{
    return ((ss_cairo_pen *)(void *)pen)->cr;
}

/* --- how to draw ------------------------------------------------------------------------------ */

static void set_color(ss_pen *pen, uint32_t c, double alpha)
{
    cairo_set_source_rgba(cr_of(pen), (c >> 16 & 255) / 255.0, (c >> 8 & 255) / 255.0,
                          (c & 255) / 255.0, alpha);
}

static void set_ramp(ss_pen *pen, ss_xy from, ss_xy to, const uint32_t *rgb, int n)
{
    cairo_pattern_t *ramp = cairo_pattern_create_linear(from.x, from.y, to.x, to.y);
    for (int i = 0; i < n; i++)
        cairo_pattern_add_color_stop_rgb(ramp, n > 1 ? i / (n - 1.0) : 0,
                                         (rgb[i] >> 16 & 255) / 255.0, (rgb[i] >> 8 & 255) / 255.0,
                                         (rgb[i] & 255) / 255.0);
    cairo_set_source(cr_of(pen), ramp);
    cairo_pattern_destroy(ramp);
}

static void set_width(ss_pen *pen, double pixels)
{
    cairo_set_line_width(cr_of(pen), pixels);
}

static void set_dash(ss_pen *pen, const double *length, int n)
{
    cairo_set_dash(cr_of(pen), length, n, 0);
}

static void set_join(ss_pen *pen, ss_join join)
{
    static const cairo_line_join_t joins[SS_NJOIN] = {[SS_JOIN_MITER] = CAIRO_LINE_JOIN_MITER,
                                                      [SS_JOIN_ROUND] = CAIRO_LINE_JOIN_ROUND,
                                                      [SS_JOIN_BEVEL] = CAIRO_LINE_JOIN_BEVEL};
    cairo_set_line_join(cr_of(pen), joins[join]);
}

static void save(ss_pen *pen)
{
    cairo_save(cr_of(pen));
}

static void restore(ss_pen *pen)
{
    cairo_restore(cr_of(pen));
}

/* --- the path --------------------------------------------------------------------------------- */

static void add_move(ss_pen *pen, double x, double y)
{
    cairo_move_to(cr_of(pen), x, y);
}

static void add_line(ss_pen *pen, double x, double y)
{
    cairo_line_to(cr_of(pen), x, y);
}

static void add_rect(ss_pen *pen, double x, double y, double w, double h)
{
    cairo_rectangle(cr_of(pen), x, y, w, h);
}

static void add_arc(ss_pen *pen, double x, double y, double radius, double from, double to)
{
    cairo_arc(cr_of(pen), x, y, radius, from, to);
}

static void add_ellipse(ss_pen *pen, double x, double y, double rx, double ry)
{
    cairo_t *cr = cr_of(pen);
    cairo_save(cr);
    cairo_translate(cr, x, y);
    cairo_scale(cr, rx, ry);
    cairo_new_sub_path(cr);
    cairo_arc(cr, 0, 0, 1, 0, 7);
    cairo_restore(cr);
}

static void close_path(ss_pen *pen)
{
    cairo_close_path(cr_of(pen));
}

static void fill(ss_pen *pen, bool keep)
{
    (keep ? cairo_fill_preserve : cairo_fill)(cr_of(pen));
}

static void stroke(ss_pen *pen)
{
    cairo_stroke(cr_of(pen));
}

static void clip(ss_pen *pen)
{
    cairo_clip(cr_of(pen));
}

static void covers(ss_pen *pen, double from, double to)
{
    ss_backdrop_over(((ss_cairo_pen *)(void *)pen)->under, (int)from, (int)to);
}

static const ss_pen_ops ops = {
    .color = set_color,
    .ramp = set_ramp,
    .width = set_width,
    .dash = set_dash,
    .join = set_join,
    .move = add_move,
    .line = add_line,
    .rect = add_rect,
    .arc = add_arc,
    .ellipse = add_ellipse,
    .close = close_path,
    .fill = fill,
    .stroke = stroke,
    .clip = clip,
    .save = save,
    .restore = restore,
    .curve = cairo_curve,
    .text_width = ss_cairo_text_width,
    .text = ss_cairo_text,
    .image = ss_cairo_image,
    .covers = covers,
};

/* --- pens ------------------------------------------------------------------------------------- */

ss_cairo_pen ss_cairo_pen_on(cairo_t *cr, ss_drawing *d)
{
    return (ss_cairo_pen){.pen = {&ops}, .cr = cr, .d = d};
}

ss_painter ss_cairo_painter(ss_cairo_pen *c, const ss_scene *scene)
{
    return (ss_painter){&c->pen, &c->d->places, c->d->logs, scene};
}
