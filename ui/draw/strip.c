/* The timeline in pixels: its curve with the area below it, kept states as ticks, changes as flags,
 * the present state as a line. See draw.h. */
#include <math.h>

#include "ui/draw/draw.h"

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

void ss_draw_strip(const ss_painter *p, const ss_item *item)
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
