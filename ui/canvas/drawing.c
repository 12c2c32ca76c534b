/* A scene in pixels: see drawing.h. This file: the drawing itself, positions of cells, the plain
 * items. */
#include "ui/canvas/drawing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cairo.h>

#include "src/base/outfile.h"
#include "ui/canvas/parts.h"

/* --- scales ----------------------------------------------------------------------------------- */

static double between(double v, double lo, double hi)
{
    return v < lo ? lo : v > hi ? hi : v;
}

/* Whole pixels across a cell. */
static int cell_of(double scale)
{
    return (int)lround(SS_CELL_W * (scale > 0 ? between(scale, 0.5, 8) : 1));
}

double ss_drawing_scale(double w, double h)
{
    return floor(between(fmin(w / 1280, h / 800), 1, 2.5) * 4) / 4;
}

double ss_drawing_fitted(const ss_scene *scene, int w, int h)
{
    int cols = scene->cols > 0 ? scene->cols : 1, rows = scene->rows > 0 ? scene->rows : 1;
    int across = w / cols, down = h / (2 * rows);
    return between(across < down ? across : down, SS_CELL_W / 2.0, 8 * SS_CELL_W) / SS_CELL_W;
}

/* --- life ------------------------------------------------------------------------------------- */

ss_drawing *ss_drawing_new(double scale, ss_err *err)
{
    ss_drawing *d = calloc(1, sizeof *d);
    if (!d)
        goto memory;
    d->cw = cell_of(scale);
    d->ch = 2 * d->cw;
    d->scale = d->cw / (double)SS_CELL_W;
    d->fonts = ss_fonts_new(d->scale, err);
    if (!d->fonts)
        goto fail;
    d->shades = ss_shades_new();
    d->groups = ss_groups_new();
    d->backdrops = ss_backdrops_new();
    d->rules = ss_rules_new();
    if (d->shades && d->groups && d->backdrops && d->rules)
        return d;
memory:
    ss_fail(err, "out of memory: a drawing");
fail:
    ss_drawing_free(d);
    return NULL;
}

void ss_drawing_free(ss_drawing *d)
{
    if (!d)
        return;
    ss_backdrops_free(d->backdrops);
    ss_rules_free(d->rules);
    ss_groups_free(d->groups);
    ss_shades_free(d->shades);
    ss_fonts_free(d->fonts);
    free(d);
}

void ss_drawing_forget(ss_drawing *d)
{
    ss_groups_forget(d->groups);
    ss_rules_forget(d->rules);
}

/* --- places ----------------------------------------------------------------------------------- */

void ss_drawing_extent(double scale, int w, int h, ss_extent *out)
{
    int cw = cell_of(scale), ch = 2 * cw;
    *out = (ss_extent){.cols = w / cw,
                       .rows = h / ch,
                       .dots_x = cw,
                       .dots_y = ch,
                       .head = 2,
                       .side = 2,
                       .scale = cw / (double)SS_CELL_W};
}

/* The data and the legend of a chart. */
static bool in_spot(const ss_drawing *d, double px, double py, double *x, double *y)
{
    for (int i = 0; i < d->nspot; i++) {
        const ss_spot *s = &d->spot[i];
        if (px < s->x || px > s->x + s->w || py < s->y || py > s->y + s->h)
            continue;
        *x = s->cells.x + fmin((px - s->x) / s->w, 0.9999) * s->cells.w;
        *y = s->cells.y + fmin((py - s->y) / s->h, 0.9999) * s->cells.h;
        return true;
    }
    return false;
}

/* Text drawn narrower than its cells: hits follow the drawn text; its blank cells have none. */
void ss_drawing_place(const ss_drawing *d, double px, double py, double *x, double *y)
{
    px -= d->ox, py -= d->oy;
    *x = px / d->cw, *y = py / d->ch;
    if (in_spot(d, px, py, x, y))
        return;
    bool blank = false;
    for (int i = 0; i < d->nspan; i++) {
        const ss_stretch *s = &d->span[i];
        double slack = 4 * d->scale;
        if (*y < s->y0 || *y >= s->y1)
            continue;
        if (px >= s->px0 - slack && px < s->px1 + slack) {
            double f = (px - s->px0) / (s->px1 - s->px0);
            *x = s->x0 + (f < 0 ? 0 : f > 0.99 ? 0.99 : f) * (s->x1 - s->x0);
            return;
        }
        blank = blank || (px / d->cw >= s->x0 && px / d->cw < s->x1);
    }
    if (blank)
        *y = -1;
}

ss_px ss_draw_px(const ss_drawing *d, ss_rect r)
{
    return (ss_px){r.x * d->cw, r.y * d->ch, r.w * d->cw, r.h * d->ch};
}

/* --- strokes ---------------------------------------------------------------------------------- */

double ss_draw_thin(const ss_drawing *d, int n)
{
    return d->scale * n < 1 ? 1 : floor(d->scale * n);
}

void ss_draw_color(const ss_pen *p, ss_rgb c, double alpha)
{
    cairo_set_source_rgba(p->cr, (c >> 16 & 255) / 255.0, (c >> 8 & 255) / 255.0, (c & 255) / 255.0,
                          alpha);
}

void ss_draw_role(const ss_pen *p, ss_theme_role role, double alpha)
{
    ss_draw_color(p, p->scene->theme->color[role], alpha);
}

void ss_draw_box(const ss_pen *p, double x, double y, double w, double h)
{
    cairo_rectangle(p->cr, x, y, w, h);
    cairo_fill(p->cr);
}

void ss_draw_rounded(const ss_pen *p, double x, double y, double w, double h, double r)
{
    static const double quarter = 1.57079632679489661923;
    cairo_t *cr = p->cr;
    cairo_new_sub_path(cr);
    cairo_arc(cr, x + w - r, y + r, r, -quarter, 0);
    cairo_arc(cr, x + w - r, y + h - r, r, 0, quarter);
    cairo_arc(cr, x + r, y + h - r, r, quarter, 2 * quarter);
    cairo_arc(cr, x + r, y + r, r, 2 * quarter, 3 * quarter);
    cairo_close_path(cr);
}

double ss_draw_middle(const ss_drawing *d, int y, int rows)
{
    return y + 0.5 * rows * d->ch + (rows > 1 ? 4 * d->scale : 0);
}

/* --- plain items ------------------------------------------------------------------------------ */

static bool same_rect(ss_rect a, ss_rect b)
{
    return a.x == b.x && a.y == b.y && a.w == b.w && a.h == b.h;
}

/* The background of a frame is drawn with it. */
static void draw_fill(const ss_pen *p, int i)
{
    const ss_item *it = &p->scene->item[i];
    ss_px r = ss_draw_px(p->d, it->rect);
    if (i + 1 < p->scene->nitem && it[1].kind == SS_I_FRAME && same_rect(it->rect, it[1].rect))
        return;
    ss_draw_role(p, it->role, 1);
    ss_draw_rounded(p, r.x, r.y, r.w, r.h, 4 * p->d->scale);
    cairo_fill(p->cr);
}

static void draw_frame(const ss_pen *p, int i)
{
    const ss_item *it = &p->scene->item[i];
    double s = p->d->scale, line = ss_draw_thin(p->d, 1), pad = floor(5 * s), top = floor(8 * s);
    ss_px r = ss_draw_px(p->d, it->rect);
    ss_draw_rounded(p, r.x + pad + 0.5 * line, r.y + top + 0.5 * line, r.w - 2 * pad - line,
                    r.h - top - floor(2 * s) - line, 8 * s);
    ss_draw_role(p, SS_C_PANEL, 1);
    cairo_fill_preserve(p->cr);
    ss_draw_role(p, it->role, 1);
    cairo_set_line_width(p->cr, line);
    cairo_stroke(p->cr);
    ss_draw_role(p, SS_C_TEXT, 1);
    ss_draw_text(p, r.x + p->scene->side * p->d->cw, ss_draw_middle(p->d, r.y, p->scene->head),
                 r.w - 2 * p->scene->side * p->d->cw, SS_BOLD, it->text);
}

/* The knob of a slider stays inside its rectangle. */
static double slider_x(const ss_pen *p, ss_px r, double at)
{
    return r.x + 0.5 * p->d->cw + at * (r.w - p->d->cw);
}

/* Red beyond the limit; a notch at the value worth knowing. */
static void draw_slider_marks(const ss_pen *p, const ss_item *it, ss_px r, double y)
{
    double s = p->d->scale, limit = it->slider.limit, mark = it->slider.mark;
    if (limit >= 0 && limit < 1) {
        double from = slider_x(p, r, limit), high = 4 * s;
        ss_draw_role(p, SS_C_ERROR, 1);
        ss_draw_rounded(p, from, y - high / 2, r.x + r.w - from, high, high / 2);
        cairo_fill(p->cr);
        ss_draw_box(p, floor(from), floor(y - 6 * s), ss_draw_thin(p->d, 2), 12 * s);
    }
    if (mark >= 0 && mark <= 1) {
        ss_draw_role(p, SS_C_SERIES2, 1);
        ss_draw_box(p, floor(slider_x(p, r, mark)) - floor(s), floor(y - 7 * s),
                    ss_draw_thin(p->d, 3), 14 * s);
    }
}

static void draw_slider(const ss_pen *p, int i)
{
    const ss_item *it = &p->scene->item[i];
    double s = p->d->scale;
    ss_px r = ss_draw_px(p->d, it->rect);
    double y = r.y + 0.5 * r.h, x = slider_x(p, r, it->slider.at), high = 4 * s;
    ss_draw_role(p, SS_C_LINE, 1);
    ss_draw_rounded(p, r.x, y - high / 2, r.w, high, high / 2);
    cairo_fill(p->cr);
    ss_draw_role(p, it->role, 1);
    ss_draw_rounded(p, r.x, y - high / 2, x - r.x, high, high / 2);
    cairo_fill(p->cr);
    draw_slider_marks(p, it, r, y);
    if (it->role == SS_C_ACCENT) { /* the focus */
        cairo_arc(p->cr, x, y, 8.5 * s, 0, 7);
        cairo_set_line_width(p->cr, 2 * s);
        cairo_stroke(p->cr);
    }
    ss_draw_role(p, SS_C_TEXT, 1);
    cairo_arc(p->cr, x, y, 6 * s, 0, 7);
    cairo_fill(p->cr);
}

static void draw_image(const ss_pen *p, int i)
{
    ss_draw_image(p, &p->scene->item[i]);
}

static void draw_bar(const ss_pen *p, int i)
{
    ss_draw_bar(p, &p->scene->item[i]);
}

static void draw_chart(const ss_pen *p, int i)
{
    ss_draw_chart(p, &p->scene->item[i]);
}

static void draw_edge(const ss_pen *p, int i)
{
    ss_draw_edge(p, &p->scene->item[i]);
}

static void draw_rule(const ss_pen *p, int i)
{
    ss_draw_rule(p, &p->scene->item[i]);
}

static void draw_sample(const ss_pen *p, int i)
{
    ss_draw_sample(p, &p->scene->item[i]);
}

static void draw_leader(const ss_pen *p, int i)
{
    ss_draw_leader(p, &p->scene->item[i]);
}

static void draw_strip(const ss_pen *p, int i)
{
    ss_draw_strip(p, &p->scene->item[i]);
}

/* On paper and in a figure; ss_groups_paint dims the pixels that it copies. */
static void draw_veil(const ss_pen *p, int i)
{
    ss_px r = ss_draw_px(p->d, p->scene->item[i].rect);
    ss_draw_role(p, SS_C_GROUND, SS_VEIL_PARTS / 256.0);
    ss_draw_box(p, r.x, r.y, r.w, r.h);
}

static void (*const painters[SS_NITEM])(const ss_pen *, int) = {
    [SS_I_FILL] = draw_fill,     [SS_I_FRAME] = draw_frame, [SS_I_TEXT] = ss_draw_text_item,
    [SS_I_IMAGE] = draw_image,   [SS_I_BAR] = draw_bar,     [SS_I_CHART] = draw_chart,
    [SS_I_SLIDER] = draw_slider, [SS_I_EDGE] = draw_edge,   [SS_I_SAMPLE] = draw_sample,
    [SS_I_LEADER] = draw_leader, [SS_I_STRIP] = draw_strip, [SS_I_VEIL] = draw_veil,
    [SS_I_RULE] = draw_rule,
};

void ss_draw_item(const ss_pen *p, int i)
{
    if (p->scene->item[i].rect.w > 0 && p->scene->item[i].rect.h > 0)
        painters[p->scene->item[i].kind](p, i);
}

void ss_draw_scene(ss_drawing *d, cairo_t *cr, const ss_scene *scene)
{
    ss_pen p = {cr, d, scene};
    ss_draw_role(&p, SS_C_GROUND, 1);
    cairo_paint(cr);
    ss_draw_flow(&p);
    for (int i = 0; i < scene->nitem; i++)
        ss_draw_item(&p, i);
}

void ss_drawing_paint(ss_drawing *d, const ss_scene *scene, const ss_pixels *to, ss_rect *changed)
{
    ss_px all = {0, 0, 0, 0};
    int ox = (to->w - scene->cols * d->cw) / 2, oy = (to->h - scene->rows * d->ch) / 2;
    d->ox = ox > 0 ? ox : 0, d->oy = oy > 0 ? oy : 0;
    ss_rules_lift(d, to);
    ss_groups_paint(d, scene, to, &all);
    ss_draw_spots(&(ss_pen){NULL, d, scene});
    ss_rules_paint(d, scene, to, &all);
    if (changed)
        *changed = (ss_rect){all.x, all.y, all.w, all.h};
}

static cairo_status_t to_file(void *file, const unsigned char *data, unsigned n)
{
    return fwrite(data, 1, n, file) == n ? CAIRO_STATUS_SUCCESS : CAIRO_STATUS_WRITE_ERROR;
}

int ss_pixels_png(const ss_pixels *px, const char *path, ss_err *err)
{
    ss_outfile file;
    if (ss_outfile_open(&file, path, err) != SS_OK)
        return SS_FAIL;
    cairo_surface_t *s =
        cairo_image_surface_create_for_data(px->data, CAIRO_FORMAT_RGB24, px->w, px->h, px->stride);
    cairo_status_t status = cairo_surface_write_to_png_stream(s, to_file, file.stream);
    cairo_surface_destroy(s);
    bool drawn = status == CAIRO_STATUS_SUCCESS || status == CAIRO_STATUS_WRITE_ERROR;
    if (drawn) /* cairo reports a full disk only here */
        return ss_outfile_close(&file, true, err);
    ss_outfile_close(&file, false, NULL);
    return ss_fail(err, "%.200s: %s", path, cairo_status_to_string(status));
}
