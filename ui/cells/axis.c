/* Axes as cells: the labels of a chart's axes and of a picture's. See grid.h. */
#include <math.h>

#include "ui/cells/grid.h"
#include "ui/scene/labels.h"

void ss_paint_axis_across(const ss_canvas *c, const ss_plot_axis *a, ss_rect r, int y,
                          const char *title)
{
    ss_label label[SS_TICK_MAX];
    const ss_tick *tick[SS_TICK_MAX];
    int n = 0, wide = title ? ss_text_width(title) : 0;
    for (int i = 0; i < a->ntick; i++) {
        const ss_tick *t = ss_axis_tick(a, i);
        double at = floor(ss_axis_at(a, t->at) * (r.w - 1) + 0.5);
        if (!(at >= 0 && at < r.w))
            continue;
        int w = ss_text_width(t->label), x = (int)at - w / 2;
        x = x + w > r.w ? r.w - w : x < 0 ? 0 : x;
        tick[n] = t;
        label[n++] = (ss_label){.x = r.x + x, .w = w};
    }
    double place = ss_labels_on_axis(label, n, r.x, r.x + r.w, 1, wide);
    for (int i = 0; i < n; i++)
        if (label[i].shown)
            ss_canvas_text(c, (int)label[i].x, y, (int)label[i].w, SS_C_FAINT, 0, tick[i]->label);
    if (!isnan(place))
        ss_canvas_text(c, (int)place, y, wide, SS_C_DIM, 0, title);
}

void ss_paint_axis_up(const ss_canvas *c, const ss_plot_axis *a, int right, ss_rect r)
{
    int last = r.y + r.h + 1;
    for (int i = 0; i < a->ntick; i++) {
        const ss_tick *t = ss_axis_tick(a, i);
        double at = ss_axis_at(a, t->at);
        if (!(at > -1 && at < 2))
            continue;
        int y = r.y + (int)floor((1 - at) * (r.h - 1) + 0.5), n = ss_text_width(t->label);
        if (y < r.y || y >= r.y + r.h || y >= last)
            continue;
        last = y;
        ss_canvas_text(c, right - 1 - n, y, n, SS_C_FAINT, 0, t->label);
    }
}

void ss_paint_edge(const ss_canvas *c, const ss_item *item)
{
    const ss_edge_axis *e = item->edge;
    ss_rect r = item->rect;
    if (!e->up) {
        ss_paint_axis_across(c, &e->axis, r, r.y, e->title);
        return;
    }
    ss_paint_axis_up(c, &e->axis, r.x + r.w, r);
    for (int i = 0; i < e->nmark; i++) {
        double at = ss_axis_at(&e->axis, e->mark[i]);
        if (at >= 0 && at <= 1)
            ss_canvas_put(c, r.x + r.w - 1, r.y + (int)floor((1 - at) * (r.h - 1) + 0.5),
                          c->how->glyphs->ascii ? '-' : 0x2576, SS_C_ACCENT);
    }
}
