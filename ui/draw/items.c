/* The table of painters, and the plain ones: fills, frames, sliders, veils. See draw.h. */
#include "ui/draw/draw.h"

#include <math.h>

/* --- strokes ---------------------------------------------------------------------------------- */

void ss_draw_color(const ss_painter *p, ss_rgb color, double alpha)
{
    ss_pen_color(p->pen, color, alpha);
}

void ss_draw_role(const ss_painter *p, ss_theme_role role, double alpha)
{
    ss_draw_color(p, p->scene->theme->color[role], alpha);
}

void ss_draw_box(const ss_painter *p, double x, double y, double w, double h)
{
    ss_pen_rect(p->pen, x, y, w, h);
    ss_pen_fill(p->pen);
}

void ss_draw_rounded(const ss_painter *p, double x, double y, double w, double h, double r)
{
    static const double quarter = 1.57079632679489661923;
    ss_pen *pen = p->pen;
    ss_pen_arc(pen, x + w - r, y + r, r, -quarter, 0);
    ss_pen_arc(pen, x + w - r, y + h - r, r, 0, quarter);
    ss_pen_arc(pen, x + r, y + h - r, r, quarter, 2 * quarter);
    ss_pen_arc(pen, x + r, y + r, r, 2 * quarter, 3 * quarter);
    ss_pen_close(pen);
}

/* --- plain items ------------------------------------------------------------------------------ */

static bool same_rect(ss_rect a, ss_rect b)
{
    return a.x == b.x && a.y == b.y && a.w == b.w && a.h == b.h;
}

/* The background of a frame is drawn with it. */
static void draw_fill(const ss_painter *p, int i)
{
    const ss_item *it = &p->scene->item[i];
    ss_px r = ss_draw_px(p->d, it->rect);
    if (i + 1 < p->scene->nitem && it[1].kind == SS_I_FRAME && same_rect(it->rect, it[1].rect))
        return;
    ss_draw_role(p, it->role, 1);
    ss_draw_rounded(p, r.x, r.y, r.w, r.h, 4 * p->d->scale);
    ss_pen_fill(p->pen);
}

static bool is_inside(ss_rect a, ss_rect frame)
{
    return a.x >= frame.x && a.y >= frame.y && a.x + a.w <= frame.x + frame.w &&
           a.y + a.h <= frame.y + frame.h;
}

/* The width of frame i, `most` or that of the texts that follow it, with its sides. */
static int fitted(const ss_painter *p, int i, int most)
{
    const ss_scene *s = p->scene;
    double widest = 0;
    for (int k = i + 1; k < s->nitem && s->item[k].kind == SS_I_TEXT; k++)
        if (is_inside(s->item[k].rect, s->item[i].rect))
            widest = fmax(widest, ss_draw_width(p, s->item[k].style, s->item[k].text));
    double w = ceil(widest) + 2 * s->side * p->d->cw;
    return w < most ? (int)w : most;
}

static void draw_frame(const ss_painter *p, int i)
{
    const ss_item *it = &p->scene->item[i];
    double s = p->d->scale, line = ss_draw_thin(p->d, 1), pad = floor(5 * s), top = floor(8 * s);
    ss_px r = ss_draw_px(p->d, it->rect);
    int w = it->style & SS_FIT ? fitted(p, i, r.w) : r.w;
    r.x += it->style & SS_RIGHT ? r.w - w : 0;
    r.w = w;
    ss_draw_rounded(p, r.x + pad + 0.5 * line, r.y + top + 0.5 * line, r.w - 2 * pad - line,
                    r.h - top - floor(2 * s) - line, 8 * s);
    ss_draw_role(p, SS_C_PANEL, 1);
    ss_pen_fill_keep(p->pen);
    ss_draw_role(p, it->role, 1);
    ss_pen_width(p->pen, line);
    ss_pen_stroke(p->pen);
    ss_draw_role(p, SS_C_TEXT, 1);
    ss_draw_text(p, r.x + p->scene->side * p->d->cw, ss_draw_middle(p->d, r.y, p->scene->head),
                 r.w - 2 * p->scene->side * p->d->cw, SS_BOLD, it->text);
}

/* The knob of a slider stays inside its rectangle. */
static double slider_x(const ss_painter *p, ss_px r, double at)
{
    return r.x + 0.5 * p->d->cw + at * (r.w - p->d->cw);
}

/* Red beyond the limit; a notch at the value worth knowing. */
static void draw_slider_marks(const ss_painter *p, const ss_item *it, ss_px r, double y)
{
    double s = p->d->scale, limit = it->slider.limit, mark = it->slider.mark;
    if (limit >= 0 && limit < 1) {
        double from = slider_x(p, r, limit), high = 4 * s;
        ss_draw_role(p, SS_C_ERROR, 1);
        ss_draw_rounded(p, from, y - high / 2, r.x + r.w - from, high, high / 2);
        ss_pen_fill(p->pen);
        ss_draw_box(p, floor(from), floor(y - 6 * s), ss_draw_thin(p->d, 2), 12 * s);
    }
    if (mark >= 0 && mark <= 1) {
        ss_draw_role(p, SS_C_SERIES2, 1);
        ss_draw_box(p, floor(slider_x(p, r, mark)) - floor(s), floor(y - 7 * s),
                    ss_draw_thin(p->d, 3), 14 * s);
    }
}

static void draw_slider(const ss_painter *p, int i)
{
    const ss_item *it = &p->scene->item[i];
    double s = p->d->scale;
    ss_px r = ss_draw_px(p->d, it->rect);
    double y = r.y + 0.5 * r.h, x = slider_x(p, r, it->slider.at), high = 4 * s;
    ss_draw_role(p, SS_C_LINE, 1);
    ss_draw_rounded(p, r.x, y - high / 2, r.w, high, high / 2);
    ss_pen_fill(p->pen);
    ss_draw_role(p, it->role, 1);
    ss_draw_rounded(p, r.x, y - high / 2, x - r.x, high, high / 2);
    ss_pen_fill(p->pen);
    draw_slider_marks(p, it, r, y);
    if (it->role == SS_C_ACCENT) { /* the focus */
        ss_pen_arc(p->pen, x, y, 8.5 * s, 0, 7);
        ss_pen_width(p->pen, 2 * s);
        ss_pen_stroke(p->pen);
    }
    ss_draw_role(p, SS_C_TEXT, 1);
    ss_pen_arc(p->pen, x, y, 6 * s, 0, 7);
    ss_pen_fill(p->pen);
}

static void draw_image(const ss_painter *p, int i)
{
    ss_draw_image(p, &p->scene->item[i]);
}

static void draw_bar(const ss_painter *p, int i)
{
    ss_draw_bar(p, &p->scene->item[i]);
}

static void draw_chart(const ss_painter *p, int i)
{
    ss_draw_chart(p, &p->scene->item[i]);
}

static void draw_edge(const ss_painter *p, int i)
{
    ss_draw_edge(p, &p->scene->item[i]);
}

static void draw_rule(const ss_painter *p, int i)
{
    ss_draw_rule(p, &p->scene->item[i]);
}

static void draw_sample(const ss_painter *p, int i)
{
    ss_draw_sample(p, &p->scene->item[i]);
}

static void draw_leader(const ss_painter *p, int i)
{
    ss_draw_leader(p, &p->scene->item[i]);
}

static void draw_strip(const ss_painter *p, int i)
{
    ss_draw_strip(p, &p->scene->item[i]);
}

/* On paper and in a figure; ss_groups_paint dims the pixels that it copies. */
static void draw_veil(const ss_painter *p, int i)
{
    ss_px r = ss_draw_px(p->d, p->scene->item[i].rect);
    ss_draw_role(p, SS_C_GROUND, SS_VEIL_PARTS / 256.0);
    ss_draw_box(p, r.x, r.y, r.w, r.h);
}

static void (*const painters[SS_NITEM])(const ss_painter *, int) = {
    [SS_I_FILL] = draw_fill,     [SS_I_FRAME] = draw_frame, [SS_I_TEXT] = ss_draw_text_item,
    [SS_I_IMAGE] = draw_image,   [SS_I_BAR] = draw_bar,     [SS_I_CHART] = draw_chart,
    [SS_I_SLIDER] = draw_slider, [SS_I_EDGE] = draw_edge,   [SS_I_SAMPLE] = draw_sample,
    [SS_I_LEADER] = draw_leader, [SS_I_STRIP] = draw_strip, [SS_I_VEIL] = draw_veil,
    [SS_I_RULE] = draw_rule,
};

void ss_draw_item(const ss_painter *p, int i)
{
    if (p->scene->item[i].rect.w > 0 && p->scene->item[i].rect.h > 0)
        painters[p->scene->item[i].kind](p, i);
}

void ss_draw_scene(const ss_painter *p)
{
    ss_draw_flow(p);
    for (int i = 0; i < p->scene->nitem; i++)
        ss_draw_item(p, i);
}
