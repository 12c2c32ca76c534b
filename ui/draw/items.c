/* The table of painters, and the plain ones: fills, frames, sliders, veils; a line from a box of
 * words to the place that it explains; the timeline: its curve with the area below it, kept states
 * as ticks, changes as flags, the present state as a line. See draw.h. */
#include <math.h>
#include <stdio.h>

#include "ui/draw/draw.h"

/* --- a line to what is explained -------------------------------------------------------------- */

/* The pixel of a place: in a chart its data have pixels of their own. */
static ss_xy pixel_of(const ss_places *d, ss_xy at)
{
    for (int i = 0; i < d->nspot; i++) {
        const ss_spot *s = &d->spot[i];
        if (ss_rect_has(s->cells, at.x, at.y))
            return (ss_xy){s->x + (at.x - s->cells.x) / s->cells.w * s->w,
                           s->y + (at.y - s->cells.y) / s->cells.h * s->h};
    }
    return (ss_xy){at.x * d->cw, at.y * d->ch};
}

/* In a filled circle. */
static void draw_number(const ss_painter *p, const ss_item *item, ss_xy to)
{
    char text[16];
    snprintf(text, sizeof text, "%d", item->leader.number);
    ss_pen_arc(p->pen, to.x, to.y, 8 * p->d->scale, 0, 7);
    ss_draw_role(p, item->role, 1);
    ss_pen_fill_keep(p->pen);
    ss_draw_role(p, SS_C_PANEL, 1);
    ss_pen_width(p->pen, p->d->scale);
    ss_pen_stroke(p->pen);
    ss_draw_text(p, to.x, to.y, 1e3, SS_BOLD | SS_SMALL | SS_CENTRE, text);
}

static void draw_leader(const ss_painter *p, const ss_item *item)
{
    double s = p->d->scale;
    ss_xy from = {item->leader.from.x * p->d->cw, item->leader.from.y * p->d->ch};
    ss_xy to = pixel_of(p->d, item->leader.to);
    if (item->leader.number > 0) {
        draw_number(p, item, to);
        return;
    }
    ss_pen_move(p->pen, from.x, from.y);
    ss_pen_line(p->pen, to.x, to.y);
    ss_pen_width(p->pen, 1.5 * s);
    ss_draw_role(p, item->role, 1);
    ss_pen_stroke(p->pen);
    ss_pen_arc(p->pen, to.x, to.y, 4 * s, 0, 7);
    ss_pen_fill(p->pen);
}

/* --- the timeline ----------------------------------------------------------------------------- */

/* The curve stands in the lower part, the words above it. */
static ss_px curve_room(const ss_painter *p, ss_px r)
{
    int words = (int)(14 * p->d->scale), foot = (int)(6 * p->d->scale);
    return (ss_px){r.x, r.y + words, r.w, r.h - words - foot};
}

static void trace(const ss_painter *p, ss_px r, const ss_series *s)
{
    for (int i = 0; i < s->n; i++)
        ss_pen_line(p->pen, r.x + s->at[i].x * r.w, r.y + (1 - s->at[i].y) * r.h);
}

static void draw_curve(const ss_painter *p, ss_px r, const ss_series *s)
{
    double dash[] = {4 * p->d->scale, 3 * p->d->scale};
    if (s->n < 2)
        return;
    if (s->dash == 0) {
        trace(p, r, s);
        ss_pen_line(p->pen, r.x + s->at[s->n - 1].x * r.w, r.y + r.h);
        ss_pen_line(p->pen, r.x + s->at[0].x * r.w, r.y + r.h);
        ss_draw_role(p, s->role, 0.18);
        ss_pen_fill(p->pen);
    }
    trace(p, r, s);
    ss_draw_role(p, s->role, 1);
    ss_pen_width(p->pen, 1.25 * p->d->scale);
    ss_pen_dash(p->pen, dash, s->dash ? 2 : 0);
    ss_pen_stroke(p->pen);
    ss_pen_dash(p->pen, dash, 0);
}

static void draw_kept(const ss_painter *p, ss_px r, const ss_timeline *s)
{
    double line = ss_draw_thin(p->d, 1);
    ss_draw_role(p, SS_C_DIM, 1);
    ss_draw_box(p, r.x, r.y + r.h, r.w, line);
    for (int i = 0; i < s->nkept; i++)
        if (s->kept[i] >= 0)
            ss_draw_box(p, floor(r.x + s->kept[i] * r.w - line / 2), r.y + r.h, line,
                        5 * p->d->scale);
}

static void draw_flags(const ss_painter *p, ss_px all, const ss_timeline *s)
{
    double scale = p->d->scale, line = ss_draw_thin(p->d, 1);
    for (int i = 0; i < s->nflag; i++) {
        double x = all.x + s->flag[i].x * all.w;
        double end = i + 1 < s->nflag ? all.x + s->flag[i + 1].x * all.w : all.x + all.w;
        ss_draw_role(p, SS_C_SERIES2, 1);
        ss_draw_box(p, floor(x), all.y + 2 * scale, line, all.h - 8 * scale);
        ss_pen_move(p->pen, x, all.y + 2 * scale);
        ss_pen_line(p->pen, x + 6 * scale, all.y + 5 * scale);
        ss_pen_line(p->pen, x, all.y + 8 * scale);
        ss_pen_fill(p->pen);
        if (ss_draw_width(p, SS_SMALL, s->flag[i].text) > end - x - 12 * scale)
            continue;
        ss_draw_role(p, SS_C_DIM, 1);
        ss_draw_text(p, x + 9 * scale, all.y + 6 * scale, end - x, SS_SMALL, s->flag[i].text);
    }
}

static void draw_span(const ss_painter *p, ss_px all, const ss_timeline *s)
{
    if (!(s->span[0] >= 0 && s->span[1] >= 0))
        return;
    double x0 = all.x + fmin(s->span[0], s->span[1]) * all.w;
    double x1 = all.x + fmax(s->span[0], s->span[1]) * all.w;
    ss_draw_role(p, SS_C_ACCENT, 0.3);
    ss_draw_box(p, x0, all.y, x1 - x0, all.h);
}

static void draw_strip(const ss_painter *p, const ss_item *item)
{
    const ss_timeline *s = item->strip;
    ss_px all = ss_draw_px(p->d, item->rect), r = curve_room(p, all);
    double scale = p->d->scale, thick = ss_draw_thin(p->d, 2);
    for (int i = 0; i < s->ncurve; i++)
        draw_curve(p, r, &s->curve[i]);
    draw_kept(p, r, s);
    draw_flags(p, all, s);
    draw_span(p, all, s);
    if (s->here < 0)
        return;
    double x = r.x + s->here * r.w;
    ss_draw_role(p, item->role, 1);
    ss_draw_box(p, floor(x - thick / 2), r.y - 4 * scale, thick, r.h + 8 * scale);
    ss_pen_arc(p->pen, x, r.y - 4 * scale, 4 * scale, 0, 7);
    ss_pen_fill(p->pen);
}

/* --- plain items ------------------------------------------------------------------------------ */

static bool same_rect(ss_rect a, ss_rect b)
{
    return a.x == b.x && a.y == b.y && a.w == b.w && a.h == b.h;
}

/* The background of a frame is drawn with it. */
static void draw_fill(const ss_painter *p, const ss_item *it)
{
    ss_px r = ss_draw_px(p->d, it->rect);
    if (it + 1 < p->scene->item + p->scene->nitem && it[1].kind == SS_I_FRAME &&
        same_rect(it->rect, it[1].rect))
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

/* The width of a frame, `most` or that of the texts that follow it, with its sides. */
static int fitted(const ss_painter *p, const ss_item *frame, int most)
{
    const ss_scene *s = p->scene;
    double widest = 0;
    for (const ss_item *t = frame + 1; t < s->item + s->nitem && t->kind == SS_I_TEXT; t++)
        if (is_inside(t->rect, frame->rect))
            widest = fmax(widest, ss_draw_width(p, t->style, t->text));
    double w = ceil(widest) + 2 * s->side * p->d->cw;
    return w < most ? (int)w : most;
}

static void draw_frame(const ss_painter *p, const ss_item *it)
{
    double s = p->d->scale, line = ss_draw_thin(p->d, 1), pad = floor(5 * s), top = floor(8 * s);
    ss_px r = ss_draw_px(p->d, it->rect);
    int w = it->style & SS_FIT ? fitted(p, it, r.w) : r.w;
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

static void draw_slider(const ss_painter *p, const ss_item *it)
{
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

/* On paper and in a figure; ss_groups_paint dims the pixels that it copies. */
static void draw_veil(const ss_painter *p, const ss_item *it)
{
    ss_px r = ss_draw_px(p->d, it->rect);
    ss_draw_role(p, SS_C_GROUND, SS_VEIL_PARTS / 256.0);
    ss_draw_box(p, r.x, r.y, r.w, r.h);
}

static void (*const painters[SS_NITEM])(const ss_painter *, const ss_item *) = {
    [SS_I_FILL] = draw_fill,      [SS_I_FRAME] = draw_frame,  [SS_I_TEXT] = ss_draw_text_item,
    [SS_I_IMAGE] = ss_draw_image, [SS_I_BAR] = ss_draw_bar,   [SS_I_CHART] = ss_draw_chart,
    [SS_I_SLIDER] = draw_slider,  [SS_I_EDGE] = ss_draw_edge, [SS_I_SAMPLE] = ss_draw_sample,
    [SS_I_LEADER] = draw_leader,  [SS_I_STRIP] = draw_strip,  [SS_I_VEIL] = draw_veil,
    [SS_I_RULE] = ss_draw_rule,
};

void ss_draw_item(const ss_painter *p, int i)
{
    if (p->scene->item[i].rect.w > 0 && p->scene->item[i].rect.h > 0)
        painters[p->scene->item[i].kind](p, &p->scene->item[i]);
}

void ss_draw_scene(const ss_painter *p)
{
    ss_draw_flow(p);
    for (int i = 0; i < p->scene->nitem; i++)
        ss_draw_item(p, i);
}
