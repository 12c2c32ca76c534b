/* The pen of cairo: see parts.h and ui/pen/pen.h. Texts are in text.c, images in shade.c, curves in
 * curve.c. */
#include <math.h>

#include <cairo.h>

#include "ui/canvas/parts.h"

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
    .curve = ss_cairo_curve,
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

ss_rgb ss_cairo_color(cairo_t *cr)
{
    double part[3] = {0, 0, 0}, a;
    cairo_pattern_get_rgba(cairo_get_source(cr), &part[0], &part[1], &part[2], &a);
    ss_rgb color = 0;
    for (int i = 0; i < 3; i++)
        color = color << 8 | (ss_rgb)lround(255 * part[i]);
    return color;
}

unsigned char *ss_cairo_pixels(cairo_t *cr, ss_px r, int *stride)
{
    cairo_surface_t *to = cairo_get_target(cr);
    cairo_matrix_t m;
    cairo_get_matrix(cr, &m);
    int x = r.x + (int)m.x0, y = r.y + (int)m.y0;
    if (cairo_surface_get_type(to) != CAIRO_SURFACE_TYPE_IMAGE ||
        cairo_image_surface_get_format(to) != CAIRO_FORMAT_RGB24 || m.xx < 1 || m.xx > 1 ||
        m.x0 > (int)m.x0 || m.y0 > (int)m.y0 || x < 0 || y < 0 ||
        x + r.w > cairo_image_surface_get_width(to) || y + r.h > cairo_image_surface_get_height(to))
        return NULL;
    cairo_surface_flush(to);
    *stride = cairo_image_surface_get_stride(to);
    return cairo_image_surface_get_data(to) + (ptrdiff_t)y * *stride + (ptrdiff_t)x * 4;
}

void ss_cairo_drawn(cairo_t *cr)
{
    cairo_surface_mark_dirty(cairo_get_target(cr));
}
