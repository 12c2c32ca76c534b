/* Pictures and colour bars: draws block edges, the selected block and the probe over the pixels
 * that shade.c makes. See parts.h. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <cairo.h>

#include "ui/canvas/parts.h"

/* --- what lies over it ------------------------------------------------------------------------ */

static void verticals(const ss_pen *p, ss_px r, const double *at, int n)
{
    double line = ss_draw_thin(p->d, 1);
    for (int i = 0; i < n; i++)
        cairo_rectangle(p->cr, r.x + floor(at[i] * r.w + 0.5), r.y, line, r.h);
    cairo_fill(p->cr);
}

static void horizontals(const ss_pen *p, ss_px r, const double *at, int n)
{
    double line = ss_draw_thin(p->d, 1);
    for (int i = 0; i < n; i++)
        cairo_rectangle(p->cr, r.x, r.y + floor(at[i] * r.h + 0.5), r.w, line);
    cairo_fill(p->cr);
}

static void frame_box(const ss_pen *p, ss_px r, const ss_box2 *b, double wide)
{
    double x0 = r.x + floor(b->x0 * r.w + 0.5), x1 = r.x + floor(b->x1 * r.w + 0.5);
    double y0 = r.y + floor(b->y0 * r.h + 0.5), y1 = r.y + floor(b->y1 * r.h + 0.5);
    cairo_rectangle(p->cr, x0 + wide / 2, y0 + wide / 2, x1 - x0 - wide, y1 - y0 - wide);
    cairo_set_line_width(p->cr, wide);
    cairo_stroke(p->cr);
}

static void ellipse(const ss_pen *p, double x, double y, double rx, double ry)
{
    cairo_save(p->cr);
    cairo_translate(p->cr, x, y);
    cairo_scale(p->cr, rx, ry);
    cairo_new_sub_path(p->cr);
    cairo_arc(p->cr, 0, 0, 1, 0, 7);
    cairo_restore(p->cr);
}

/* A ring, dark within light, visible on every colour; around the brush, if there is one. */
static void draw_probe(const ss_pen *p, ss_px r, const ss_image *im)
{
    double x = r.x + im->probe_x * r.w, y = r.y + im->probe_y * r.h, s = p->d->scale;
    double rx = im->has_brush ? im->brush_rx * r.w : 5 * s;
    double ry = im->has_brush ? im->brush_ry * r.h : 5 * s;
    if (!(rx > 0 && ry > 0))
        return;
    static const double wide[] = {4, 1.8};
    static const ss_rgb color[] = {0x000000, 0xffffff};
    for (int i = 0; i < 2; i++) {
        ss_draw_color(p, color[i], i ? 1 : 0.55);
        cairo_set_line_width(p->cr, wide[i] * s);
        ellipse(p, x, y, rx, ry);
        cairo_stroke(p->cr);
    }
}

/* The line of a wipe, light within dark, with a grip in the middle. */
static void draw_wipe(const ss_pen *p, ss_px r, const ss_image *im)
{
    double x = r.x + floor(im->wipe * r.w + 0.5), s = p->d->scale, y = r.y + r.h / 2.0;
    static const double wide[] = {4, 2}, grip[] = {7, 5};
    static const ss_rgb color[] = {0x000000, 0xffffff};
    for (int i = 0; i < 2; i++) {
        double w = floor(wide[i] * s), g = grip[i] * s;
        ss_draw_color(p, color[i], i ? 1 : 0.6);
        cairo_rectangle(p->cr, x - floor(w / 2), r.y, w, r.h);
        cairo_fill(p->cr);
        ellipse(p, x, y, g, g);
        cairo_fill(p->cr);
    }
}

static void draw_over(const ss_pen *p, ss_px r, const ss_image *im)
{
    double s = p->d->scale;
    ss_draw_role(p, SS_C_GROUND, 0.30);
    verticals(p, r, im->grid_x, im->ngrid_x);
    horizontals(p, r, im->grid_y, im->ngrid_y);
    ss_draw_role(p, SS_C_GROUND, 0.8);
    verticals(p, r, im->patch_x, im->npatch_x);
    horizontals(p, r, im->patch_y, im->npatch_y);
    if (im->has_block) {
        ss_draw_role(p, im->frame, 0.65);
        frame_box(p, r, &im->kept, ss_draw_thin(p->d, 1));
        ss_draw_role(p, SS_C_GROUND, 0.7);
        frame_box(p, r, &im->block, floor(4 * s));
        ss_draw_role(p, im->frame, 1);
        frame_box(p, r, &im->block, ss_draw_thin(p->d, 2));
    }
    if (im->has_wipe)
        draw_wipe(p, r, im);
    if (im->has_probe)
        draw_probe(p, r, im);
}

/* Draws each dot apart from the others: the space-time diagram. */
static void draw_gaps(const ss_pen *p, ss_px r, const ss_image *im)
{
    double line = ss_draw_thin(p->d, 1);
    ss_draw_role(p, SS_C_PANEL, 1);
    bool room = r.w >= 4 * im->w && r.h >= 4 * im->h;
    for (int i = 1; i <= im->w && room; i++) {
        int edge = r.x + i * r.w / im->w;
        cairo_rectangle(p->cr, edge - line, r.y, line, r.h);
    }
    for (int i = 1; i <= im->h && room; i++) {
        int edge = r.y + i * r.h / im->h;
        cairo_rectangle(p->cr, r.x, edge - line, r.w, line);
    }
    cairo_fill(p->cr);
}

unsigned char *ss_draw_pixels(const ss_pen *p, ss_px r, int *stride)
{
    cairo_surface_t *to = cairo_get_target(p->cr);
    cairo_matrix_t m;
    cairo_get_matrix(p->cr, &m);
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

void ss_draw_drawn(const ss_pen *p)
{
    cairo_surface_mark_dirty(cairo_get_target(p->cr));
}

static void show_surface(const ss_pen *p, cairo_surface_t *surface, ss_px r)
{
    cairo_set_source_surface(p->cr, surface, r.x, r.y);
    cairo_pattern_set_filter(cairo_get_source(p->cr), CAIRO_FILTER_NEAREST);
    cairo_paint(p->cr);
}

bool ss_draw_shows(const ss_image *im)
{
    return im->w > 0 && im->h > 0 && (im->cell || im->owner);
}

void ss_draw_image(const ss_pen *p, const ss_item *item)
{
    const ss_image *im = item->image;
    ss_px r = ss_draw_px(p->d, item->rect);
    int stride = 0;
    if (!ss_draw_shows(im))
        return;
    cairo_save(p->cr);
    cairo_rectangle(p->cr, r.x, r.y, r.w, r.h);
    cairo_clip(p->cr);
    unsigned char *to = ss_draw_pixels(p, r, &stride);
    cairo_surface_t *apart = to ? NULL : ss_shades_surface(p->d->shades, r.w, r.h);
    if (to) {
        ss_shade(p, im, r, to, stride);
        ss_draw_drawn(p);
    } else if (apart) {
        cairo_surface_flush(apart);
        ss_shade(p, im, r, cairo_image_surface_get_data(apart),
                 cairo_image_surface_get_stride(apart));
        cairo_surface_mark_dirty(apart);
        show_surface(p, apart, r);
    }
    if (im->blocks)
        draw_gaps(p, r, im);
    draw_over(p, r, im);
    cairo_restore(p->cr);
}

bool ss_draw_image_again(const ss_pen *p, const ss_item *item)
{
    const ss_image *im = item->image;
    ss_px r = ss_draw_px(p->d, item->rect);
    int stride;
    unsigned char *to = ss_draw_shows(im) ? ss_draw_pixels(p, r, &stride) : NULL;
    if (!to || !ss_shade_moved(p, im, r, to, stride))
        return false;
    ss_draw_drawn(p);
    return true;
}

/* --- the colour bar --------------------------------------------------------------------------- */

static void bar_colors(const ss_pen *p, const ss_colormap *map, double x, double y, double w,
                       double h, bool vertical)
{
    cairo_pattern_t *ramp = vertical ? cairo_pattern_create_linear(0, y + h, 0, y)
                                     : cairo_pattern_create_linear(x, 0, x + w, 0);
    for (int i = 0; i <= 32; i++) {
        ss_rgb c = map->color[i * (SS_MAP_SIZE - 1) / 32];
        cairo_pattern_add_color_stop_rgb(ramp, i / 32.0, (c >> 16 & 255) / 255.0,
                                         (c >> 8 & 255) / 255.0, (c & 255) / 255.0);
    }
    cairo_set_source(p->cr, ramp);
    cairo_pattern_destroy(ramp);
    ss_draw_box(p, x, y, w, h);
}

/* Whole numbers: a part of equal size and one colour for each. */
static void bar_swatches(const ss_pen *p, const ss_image *im, double x, double y, double w,
                         double h, bool vertical)
{
    int n = im->steps;
    for (int i = 0; i < n; i++) {
        double from = i / (double)n, to = (i + 1) / (double)n, length = vertical ? h : w;
        double a = floor(from * length + 0.5), b = floor(to * length + 0.5);
        ss_draw_color(p, im->map->color[n > 1 ? i * (SS_MAP_SIZE - 1) / (n - 1) : 0], 1);
        if (vertical)
            cairo_rectangle(p->cr, x, y + h - b, w, b - a);
        else
            cairo_rectangle(p->cr, x + a, y, b - a, h);
        cairo_fill(p->cr);
    }
}

static void bar_ramp(const ss_pen *p, const ss_image *im, double x, double y, double w, double h,
                     bool vertical)
{
    if (im->steps)
        bar_swatches(p, im, x, y, w, h, vertical);
    else
        bar_colors(p, im->map, x, y, w, h, vertical);
}

static void bar_upright(const ss_pen *p, const ss_item *item, ss_px r)
{
    double s = p->d->scale, wide = floor(12 * s), last = -1e9;
    const ss_plot_axis *a = item->bar.axis;
    double x = r.x + wide + 7 * s, room = r.w - wide - 7 * s;
    double low = r.y + r.h - 6 * s, high = r.y + 6 * s;
    bar_ramp(p, item->bar.image, r.x + 2 * s, r.y, wide, r.h, true);
    ss_draw_role(p, SS_C_DIM, 1);
    if (!a->log && !item->bar.image->steps) { /* the ends are not ticks: they show the range */
        char text[24];
        ss_draw_text(p, x, low, room, SS_FIGURE | SS_SMALL,
                     ss_axis_text(a, a->lo, text, sizeof text));
        ss_draw_text(p, x, high, room, SS_FIGURE | SS_SMALL,
                     ss_axis_text(a, a->hi, text, sizeof text));
        low -= 16 * s, high += 16 * s;
    }
    for (int i = 0; i < a->ntick; i++) {
        const ss_tick *t = &a->tick[i];
        double f = ss_axis_at(a, t->at), y = r.y + (1 - f) * r.h;
        if (!(f > -0.01 && f < 1.01) || fabs(y - last) < 16 * s)
            continue;
        if (!a->log && !item->bar.image->steps && (y < high || y > low))
            continue;
        last = y;
        double mid = y < high ? high : y > low ? low : y;
        ss_draw_text(p, x, mid, room, SS_FIGURE | SS_SMALL, t->label);
    }
}

static void bar_flat(const ss_pen *p, const ss_item *item, ss_px r)
{
    const ss_plot_axis *a = item->bar.axis;
    double s = p->d->scale, high = floor(10 * s), until = r.x - 1e3, y = r.y + p->d->ch / 2.0;
    bool words = r.h >= 2 * p->d->ch;
    double end = r.x + r.w;
    bar_ramp(p, item->bar.image, r.x, floor(y - high / 2), r.w, high, false);
    y += 0.8 * p->d->ch;
    ss_draw_role(p, SS_C_DIM, 1);
    if (!a->log && !item->bar.image->steps && words) {
        char lo[24], hi[24];
        ss_axis_text(a, a->lo, lo, sizeof lo);
        ss_axis_text(a, a->hi, hi, sizeof hi);
        until = r.x + ss_draw_text(p, r.x, y, r.w, SS_FIGURE | SS_SMALL, lo) + 8 * s;
        end -= ss_draw_text(p, end, y, r.w, SS_FIGURE | SS_SMALL | SS_RIGHT, hi) + 8 * s;
    }
    for (int i = 0; i < a->ntick && words; i++) {
        const ss_tick *t = ss_axis_tick(a, i);
        double f = ss_axis_at(a, t->at), w = ss_draw_width(p, SS_FIGURE | SS_SMALL, t->label);
        double x = r.x + f * r.w - w / 2;
        if (!(f > -0.01 && f < 1.01))
            continue;
        x = a->log && x + w > end ? end - w : a->log && x < r.x ? r.x : x;
        if (x > until && x + w <= end)
            until = x + ss_draw_text(p, x, y, w + 1, SS_FIGURE | SS_SMALL, t->label) + 6 * s;
    }
}

void ss_draw_bar(const ss_pen *p, const ss_item *item)
{
    ss_px r = ss_draw_px(p->d, item->rect);
    if (item->bar.image->map)
        (item->bar.vertical ? bar_upright : bar_flat)(p, item, r);
}
