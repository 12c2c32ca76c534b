/* Axes in pixels: the labels of a chart's axes and of a picture's. See draw.h. */
#include <math.h>

#include "ui/draw/draw.h"
#include "ui/scene/labels.h"

void ss_draw_axis_across(const ss_painter *p, const ss_plot_axis *a, const ss_reach *r, double y,
                         const char *title)
{
    double s = p->d->scale, near = 3 * s, wide = title ? ss_draw_width(p, SS_SMALL, title) : 0;
    ss_label label[SS_TICK_MAX];
    const ss_tick *tick[SS_TICK_MAX];
    int n = 0;
    for (int i = 0; i < a->ntick; i++) {
        const ss_tick *t = ss_axis_tick(a, i);
        double at = r->x + ss_axis_at(a, t->at) * r->w;
        double tw = ss_draw_width(p, SS_FIGURE | SS_SMALL, t->label);
        if (!(at >= r->x - near && at <= r->x + r->w + near))
            continue;
        tick[n] = t;
        label[n++] = (ss_label){.x = fmin(fmax(at - tw / 2, r->left), r->right - tw), .w = tw};
    }
    double place = ss_labels_on_axis(label, n, r->left, r->right, 8 * s, wide);
    ss_draw_role(p, SS_C_DIM, 1);
    for (int i = 0; i < n; i++)
        if (label[i].shown)
            ss_draw_text(p, label[i].x, y, label[i].w + 2, SS_FIGURE | SS_SMALL, tick[i]->label);
    if (!isnan(place))
        ss_draw_text(p, place, y, wide + 2, SS_SMALL, title);
}

void ss_draw_axis_up(const ss_painter *p, const ss_plot_axis *a, double right, double y, double h,
                     double inset)
{
    double s = p->d->scale, last = 1e9, near = inset > 0 ? 3 * s : 0.5;
    for (int i = 0; i < a->ntick; i++) {
        const ss_tick *t = ss_axis_tick(a, i);
        double at = y + (1 - ss_axis_at(a, t->at)) * h;
        if (!(at >= y - near && at <= y + h + near) || fabs(last - at) < 15 * s)
            continue;
        last = at;
        at = fmin(fmax(at, y + inset), y + h - inset);
        ss_draw_role(p, SS_C_DIM, 1);
        ss_draw_text(p, right - 8 * s, at, 1e4, SS_FIGURE | SS_SMALL | SS_RIGHT, t->label);
    }
}

/* Ticks beside a picture. */
static void draw_ticks(const ss_painter *p, const ss_plot_axis *a, ss_px r)
{
    double line = ss_draw_thin(p->d, 1), s = p->d->scale;
    ss_draw_role(p, SS_C_DIM, 1);
    for (int i = 0; i < a->ntick; i++) {
        double at = ss_axis_at(a, a->tick[i].at), near = 3 * s / r.h;
        if (at >= -near && at <= 1 + near)
            ss_draw_box(p, r.x + r.w - 4 * s, floor(r.y + (1 - at) * r.h - line / 2), 4 * s, line);
    }
}

void ss_draw_edge(const ss_painter *p, const ss_item *item)
{
    const ss_edge_axis *e = item->edge;
    ss_px r = ss_draw_px(p->d, item->rect);
    double s = p->d->scale, thick = ss_draw_thin(p->d, 2);
    if (!e->up) {
        const ss_reach reach = {r.x, r.w, r.x, r.x + r.w};
        ss_draw_axis_across(p, &e->axis, &reach, r.y + 0.5 * r.h, e->title);
        return;
    }
    draw_ticks(p, &e->axis, r);
    ss_draw_axis_up(p, &e->axis, r.x + r.w, r.y, r.h, 7 * s);
    ss_draw_role(p, SS_C_ACCENT, 1);
    for (int i = 0; i < e->nmark; i++) {
        double at = ss_axis_at(&e->axis, e->mark[i]);
        if (at >= 0 && at <= 1)
            ss_draw_box(p, r.x + r.w - 12 * s, floor(r.y + (1 - at) * r.h - thick / 2), 12 * s,
                        thick);
    }
}
