/* The place that the mouse or the cursor of a chart points at, in the terms of all panels. See
 * values.h. Main thread only. */
#include <math.h>

#include "ui/panels/values.h"

ss_picture_kind ss_picture_kind_of(const ss_build *b, int item)
{
    const ss_item *it = &b->s->item[item];
    if (it->kind != SS_I_IMAGE)
        return SS_PIC_NONE;
    int i = (int)(it->image - b->s->image);
    return b->snap->dim > 1 ? (i < SS_RACE_PICTURES ? SS_PIC_FIELD : SS_PIC_NONE)
           : i == 1         ? SS_PIC_RASTER
           : i < 4          ? SS_PIC_THEATRE
                            : SS_PIC_NONE;
}

/* The point of the curve nearest to a value of a measure; NULL: there is none. */
static const ss_point *curve_point(const ss_build *b,
                                   double (*of)(const ss_build *, const ss_point *), double v)
{
    const ss_point *best = NULL;
    double least = INFINITY;
    for (int i = 0; i < b->snap->ncurve; i++) {
        double far = fabs(of(b, &b->snap->curve[i]) - v);
        if (far < least)
            best = &b->snap->curve[i], least = far;
    }
    return best;
}

double ss_cost_of(const ss_build *b, const ss_point *p)
{
    return ss_measure_of((ss_measure)b->ui->over, p);
}

/* The time of the space-time diagram. */
static double time_of(const ss_build *b, const ss_point *p)
{
    return b->snap->kind == SS_TRANSIENT ? p->time : (double)p->cycle;
}

static void know_position(const ss_build *b, ss_place *p)
{
    const ss_cut cut = b->snap->tiling.x;
    int n = b->snap->nx, at = (int)floor(p->at[SS_X_POINT]) - b->snap->theatre.shift;
    if (!b->snap->tiled || cut.count < 1 || n < 1)
        return;
    at = at < 0 ? at + n : at >= n ? at - n : at;
    p->at[SS_X_POSITION] = at - ss_cut_span(cut, ss_cut_owner(cut, at)).lo;
}

/* In the selected block. */
static void know_point(const ss_build *b, ss_place *p)
{
    ss_span x, y;
    if (ss_picture_block(b->snap, b->ui->view.tile_x, b->snap->dim > 1 ? b->ui->view.tile_y : 0, &x,
                         &y))
        p->at[SS_X_POINT] = x.lo + b->snap->theatre.shift + p->at[SS_X_POSITION] + 0.5;
}

static void know_time(const ss_build *b, ss_place *p)
{
    const ss_point *at = NULL;
    if (!isnan(p->at[SS_X_COST]) && (at = curve_point(b, ss_cost_of, p->at[SS_X_COST])) != NULL)
        p->time = time_of(b, at);
    else if (!isnan(p->at[SS_X_TIME]))
        p->time = p->at[SS_X_TIME];
    else if (!isnan(p->time) && (at = curve_point(b, time_of, p->time)) != NULL)
        p->at[SS_X_COST] = ss_cost_of(b, at);
    if (b->snap->kind == SS_TRANSIENT)
        p->at[SS_X_TIME] = p->time;
}

static void know_all(const ss_build *b, ss_place *p)
{
    if (!isnan(p->at[SS_X_POINT]))
        know_position(b, p);
    else if (!isnan(p->at[SS_X_POSITION]))
        know_point(b, p);
    know_time(b, p);
}

/* Charts of marks: the nearest one is told. */
bool ss_chart_has_marks(const ss_chart *c)
{
    return c->x_is == SS_X_PACE || c->x_is == SS_X_INTENSITY || c->x_is == SS_X_VISIT;
}

/* The nearest point of a curve, so that what is told was computed. */
double ss_snapped(const ss_chart *c, double x)
{
    int first = ss_chart_has_marks(c) ? -1 : ss_chart_first(c);
    const ss_series *s = first < 0 ? NULL : &c->series[first];
    int i = s && !s->bars ? ss_curve_nearest(&c->x, s->at, s->n, x) : -1;
    return i < 0 ? x : s->at[i].x;
}

static void know_picture(const ss_build *b, ss_place *p)
{
    const ss_raster_row *new = &b->ui->raster.row[b->ui->raster.order[0]];
    const ss_plot_axis *time = &b->s->edge[0].axis;
    ss_box2 w = ss_ui_window(&b->ui->view, b->snap);
    switch (ss_picture_kind_of(b, p->item)) {
    case SS_PIC_FIELD:
        p->at[SS_X_POINT] = w.x0 + p->part.x * (w.x1 - w.x0);
        p->y = w.y1 - p->part.y * (w.y1 - w.y0);
        break;
    case SS_PIC_RASTER:
        new = ss_raster_at(&b->ui->raster, b->ui->raster.count - 1);
        p->at[SS_X_POINT] = new->x0 + p->part.x *(new->x1 - new->x0);
        p->time = time->lo + (1 - p->part.y) * (time->hi - time->lo);
        break;
    case SS_PIC_THEATRE:
    case SS_PIC_NONE:
        break;
    }
}

ss_place ss_find_place(const ss_build *b)
{
    const ss_charts *charts = &b->ui->charts;
    ss_hover h = {.item = -1};
    ss_place p = {.y = NAN, .time = NAN};
    bool mouse = !charts->off && !b->ui->in_order;
    for (int i = 0; i < SS_NABSCISSA; i++)
        p.at[i] = (double)NAN;
    if (mouse)
        h = ss_hover_at(b->s, b->ui->mouse_x, b->ui->mouse_y);
    p.item = h.item, p.part = h.part;
    if (p.item < 0 && charts->cursor && (p.item = ss_chart_item(b->s, charts->chart)) >= 0) {
        const ss_chart *c = &b->s->chart[charts->chart];
        p.part = ss_chart_part_of(c, (ss_xy){ss_chart_untold(c, charts->x), c->y.lo});
        p.part.y = 0.1;
    }
    int chart = ss_chart_of_item(b->s, p.item);
    if (chart >= 0) {
        const ss_chart *c = &b->s->chart[chart];
        double x = h.item < 0 ? ss_chart_untold(c, charts->x) : ss_chart_value(c, p.part).x;
        p.at[c->x_is] = ss_snapped(c, x);
    } else if (p.item >= 0) {
        know_picture(b, &p);
    }
    know_all(b, &p);
    return p;
}
