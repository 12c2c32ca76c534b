/* What the mouse, or the cursor of a chart, points at: its value in words, and the same place in
 * the other panels. See build.h. Main thread only. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ui/panels/values.h"

/* --- charts ----------------------------------------------------------------------------------- */

static void add_dot(ss_rule *r, const ss_chart *c, ss_xy at, ss_theme_role role)
{
    ss_xy p = ss_chart_part_of(c, at);
    if (r->ndot == SS_SERIES_MAX || isnan(p.y))
        return;
    r->dot[r->ndot].x = p.x, r->dot[r->ndot].y = p.y;
    r->dot[r->ndot++].role = role;
}

static bool fill_marks(const ss_build *b, ss_rule *r, const ss_chart *c, const ss_place *p,
                       char *buf, size_t size)
{
    int series, i;
    if (!ss_chart_nearest_point(c, ss_chart_data(c, b->s->item[r->on].rect), p->part, &series, &i))
        return false;
    ss_xy at = c->series[series].at[i];
    r->x = ss_chart_part_of(c, at).x;
    add_dot(r, c, at, c->series[series].role);
    ss_mark_words(b, c, at, buf, size);
    return true;
}

static void curve_dots(ss_rule *r, const ss_chart *c, double x)
{
    r->x = ss_chart_part_of(c, (ss_xy){x, c->y.lo}).x;
    for (int i = 0; i < c->nseries; i++)
        if (!c->series[i].hidden)
            add_dot(r, c, (ss_xy){x, ss_series_value(c, &c->series[i], x)}, c->series[i].role);
}

/* A dot on each curve, and their values. */
static void fill_curves(const ss_build *b, ss_rule *r, const ss_chart *c, double x, bool own,
                        char *buf, size_t size)
{
    int room = ss_words_room(b, ss_chart_data(c, b->s->item[r->on].rect).w);
    curve_dots(r, c, x);
    ss_curve_words(b, c, x, true, own, buf, size);
    if (ss_text_width(buf) > room && r->ndot > 1) /* of several values the names are needed most */
        ss_curve_words(b, c, x, true, false, buf, size);
    if (ss_text_width(buf) > room)
        ss_curve_words(b, c, x, false, own, buf, size);
}

static void drag_zone(const ss_build *b, int chart, ss_rule *r)
{
    const ss_chart_drag *d = &b->ui->charts.drag;
    r->has_zone = d->chart == chart && ss_chart_zone(d, &r->zone);
}

static void chart_rule(const ss_build *b, int chart, const ss_place *p)
{
    int item = ss_chart_item(b->s, chart);
    const ss_chart *c = &b->s->chart[chart];
    bool own = item == p->item;
    double x = isnan(p->at[c->x_is]) ? (double)NAN : ss_snapped(c, p->at[c->x_is]);
    char text[300] = "";
    bool drawn = own && ss_page_draws(b->ui, c->x_is); /* the line has the number */
    if (item < 0 || isnan(x) || c->nseries == 0 || drawn)
        return;
    double part = ss_chart_part_of(c, (ss_xy){x, c->y.lo}).x;
    ss_rule *r = part >= 0 && part <= 1 ? ss_scene_rule(b->s, item) : NULL;
    if (!r)
        return;
    drag_zone(b, chart, r);
    if (r->has_zone)
        ss_zone_words(b, c, &r->zone, text, sizeof text);
    else if (!(own && ss_chart_has_marks(c) && fill_marks(b, r, c, p, text, sizeof text)))
        fill_curves(b, r, c, x, own, text, sizeof text);
    ss_build_drop_parts(text, ss_words_room(b, ss_chart_data(c, b->s->item[item].rect).w));
    r->text = ss_scene_keep(b->s, text);
    r->text_y = own ? p->part.y : 0.9;
    r->clear = own && b->ui->mouse_x >= 0;
}

/* --- pictures --------------------------------------------------------------------------------- */

bool ss_values_of_field(const ss_build *b, char *buf, size_t size)
{
    ss_place p = ss_find_place(b);
    if (p.item < 0 || ss_picture_kind_of(b, p.item) != SS_PIC_FIELD)
        return false;
    ss_field_words(b, &p, buf, size);
    return true;
}

/* On the bars of the same colours. */
static void bar_ticks(const ss_build *b, const ss_image *im, double v)
{
    for (int i = 0, n = b->s->nitem; i < n && !isnan(v); i++) {
        const ss_item *it = &b->s->item[i];
        if (it->kind != SS_I_BAR || it->bar.image->map != im->map ||
            memcmp(&it->bar.image->range, &im->range, sizeof im->range) != 0)
            continue;
        ss_rule *r = ss_scene_rule(b->s, i);
        double at = ss_axis_at(it->bar.axis, v);
        if (r)
            r->x = isnan(at) ? 0 : fmin(fmax(at, 0), 1);
    }
}

static void picture_rule(const ss_build *b, const ss_place *p)
{
    ss_picture_kind what = ss_picture_kind_of(b, p->item);
    char text[200] = "";
    const ss_image *im = b->s->item[p->item].image;
    if (what == SS_PIC_THEATRE &&
        !ss_theatre_value(b, (int)(im - b->s->image) - 2, p->part, text, sizeof text))
        return;
    ss_rule *r = ss_scene_rule(b->s, p->item);
    if (!r)
        return;
    r->x = p->part.x, r->y = p->part.y;
    r->text_y = p->part.y < 0.5 ? p->part.y + 0.08 : p->part.y - 0.08;
    if (what == SS_PIC_RASTER)
        ss_raster_words(b, p, text, sizeof text);
    else if (what == SS_PIC_FIELD && (b->snap->picture.probe.valid || b->snap->race.n > 0))
        ss_field_words(b, p, text, sizeof text); /* the line below is in use */
    ss_build_drop_parts(text, ss_words_room(b, b->s->item[p->item].rect.w));
    r->text = ss_scene_keep(b->s, text);
    if (what == SS_PIC_FIELD || what == SS_PIC_RASTER)
        bar_ticks(b, im, ss_picture_value(im, p->part));
}

/* The same place in a picture that the mouse is not on. */
static void linked_picture(const ss_build *b, int item, const ss_place *p)
{
    const ss_plot_axis *time = &b->s->edge[0].axis;
    ss_picture_kind what = ss_picture_kind_of(b, item);
    double x = NAN, y = NAN;
    if (what == SS_PIC_RASTER) {
        const ss_raster_row *new = ss_raster_at(&b->ui->raster, b->ui->raster.count - 1);
        x = (p->at[SS_X_POINT] - new->x0) / (new->x1 - new->x0);
        y = 1 - (p->time - time->lo) / (time->hi - time->lo);
    } else if (what == SS_PIC_FIELD) {
        ss_box2 w = ss_ui_window(&b->ui->view, b->snap);
        x = (p->at[SS_X_POINT] - w.x0) / (w.x1 - w.x0);
        y = (w.y1 - p->y) / (w.y1 - w.y0);
    }
    bool there = (x >= 0 && x <= 1) || (y >= 0 && y <= 1);
    ss_rule *r = there ? ss_scene_rule(b->s, item) : NULL;
    if (r)
        r->x = x, r->y = y;
}

void ss_build_values(const ss_build *b)
{
    for (int i = 0; i < b->s->nhit && !b->ui->charts.off && !b->ui->in_order; i++)
        b->s->tells =
            b->s->tells || b->s->hit[i].kind == SS_H_FIELD || b->s->hit[i].kind == SS_H_CHART;
    ss_place p = ss_find_place(b);
    int n = b->s->nitem;
    if (p.item < 0)
        return;
    for (int i = 0; i < n; i++)
        if (b->s->item[i].kind == SS_I_IMAGE && i != p.item)
            linked_picture(b, i, &p);
    for (int i = 0; i < SS_NCHART; i++)
        if (ss_chart_item(b->s, i) != p.item)
            chart_rule(b, i, &p);
    if (ss_chart_of_item(b->s, p.item) >= 0)
        chart_rule(b, ss_chart_of_item(b->s, p.item), &p);
    else
        picture_rule(b, &p);
}
