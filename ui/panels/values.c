/* What the mouse, or the cursor of a chart, points at: the place in the terms of all panels, its
 * value in words (of curves, of marks, of pictures), and the same place in the other panels. In a
 * window the item under the mouse stands out, and the pointer shows what a press does. See build.h.
 * Main thread only. */
#include <math.h>
#include <string.h>

#include "ui/panels/build.h"

/* --- the place -------------------------------------------------------------------------------- */

/* NaN: not known. at: in the units of each abscissa; y: in points of the field; time: that of the
 * space-time diagram. */
typedef struct place {
    int item; /* that the mouse or the cursor is on; -1: nothing */
    ss_xy part;
    double at[SS_NABSCISSA];
    double y, time;
} place;

/* Pictures by what they show. */
typedef enum picture_kind { SS_PIC_NONE, SS_PIC_FIELD, SS_PIC_RASTER, SS_PIC_THEATRE } picture_kind;

static picture_kind picture_kind_of(const ss_build *b, int item)
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

/* The measure on the x axis of the residual. */
static double cost_of(const ss_build *b, const ss_point *p)
{
    return ss_measure_of((ss_measure)b->ui->over, p);
}

/* The time of the space-time diagram. */
static double time_of(const ss_build *b, const ss_point *p)
{
    return b->snap->kind == SS_TRANSIENT ? p->time : (double)p->cycle;
}

static void know_position(const ss_build *b, place *p)
{
    const ss_cut cut = b->snap->tiling.x;
    int n = b->snap->nx, at = (int)floor(p->at[SS_X_POINT]) - b->snap->theatre.shift;
    if (!b->snap->tiled || cut.count < 1 || n < 1)
        return;
    at = at < 0 ? at + n : at >= n ? at - n : at;
    p->at[SS_X_POSITION] = at - ss_cut_span(cut, ss_cut_owner(cut, at)).lo;
}

/* In the selected block. */
static void know_point(const ss_build *b, place *p)
{
    ss_span x, y;
    if (ss_picture_block(b->snap, b->ui->view.tile_x, b->snap->dim > 1 ? b->ui->view.tile_y : 0, &x,
                         &y))
        p->at[SS_X_POINT] = x.lo + b->snap->theatre.shift + p->at[SS_X_POSITION] + 0.5;
}

static void know_time(const ss_build *b, place *p)
{
    const ss_point *at = NULL;
    if (!isnan(p->at[SS_X_COST]) && (at = curve_point(b, cost_of, p->at[SS_X_COST])) != NULL)
        p->time = time_of(b, at);
    else if (!isnan(p->at[SS_X_TIME]))
        p->time = p->at[SS_X_TIME];
    else if (!isnan(p->time) && (at = curve_point(b, time_of, p->time)) != NULL)
        p->at[SS_X_COST] = cost_of(b, at);
    if (b->snap->kind == SS_TRANSIENT)
        p->at[SS_X_TIME] = p->time;
}

static void know_all(const ss_build *b, place *p)
{
    if (!isnan(p->at[SS_X_POINT]))
        know_position(b, p);
    else if (!isnan(p->at[SS_X_POSITION]))
        know_point(b, p);
    know_time(b, p);
}

/* Charts of marks: the nearest one is told. */
static bool chart_has_marks(const ss_chart *c)
{
    return c->x_is == SS_X_PACE || c->x_is == SS_X_INTENSITY || c->x_is == SS_X_VISIT;
}

/* The x of the point of the first curve that is nearest: what is told was computed. */
static double snapped(const ss_chart *c, double x)
{
    int first = chart_has_marks(c) ? -1 : ss_chart_first(c);
    const ss_series *s = first < 0 ? NULL : &c->series[first];
    int i = s && !s->bars ? ss_curve_nearest(&c->x, s->at, s->n, x) : -1;
    return i < 0 ? x : s->at[i].x;
}

static void know_picture(const ss_build *b, place *p)
{
    const ss_raster_row *new = &b->ui->raster.row[b->ui->raster.order[0]];
    const ss_plot_axis *time = &b->s->edge[0].axis;
    ss_box2 w = ss_ui_window(&b->ui->view, b->snap);
    switch (picture_kind_of(b, p->item)) {
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

static place find_place(const ss_build *b)
{
    const ss_charts *charts = &b->ui->charts;
    ss_hover h = {.item = -1};
    place p = {.y = NAN, .time = NAN};
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
        p.at[c->x_is] = snapped(c, x);
    } else if (p.item >= 0) {
        know_picture(b, &p);
    }
    know_all(b, &p);
    return p;
}

/* --- words of charts -------------------------------------------------------------------------- */

static const char *cost_text(const ss_build *b, double x)
{
    static const char *const words[SS_NOVER] = {"cycle ", "iteration ", "sweep ",
                                                "",       "",           "reduction "};
    return ss_text("%s%s", words[b->ui->over],
                   b->ui->over == SS_SECONDS ? ss_si_text(x, "s")
                   : b->ui->over == SS_BYTES ? ss_bytes_text(x)
                                             : ss_count_text(x));
}

static const char *abscissa_text(const ss_build *b, const ss_chart *c, double x)
{
    static const char *const formats[SS_NABSCISSA] = {
        [SS_X_POINT] = "x %.4g",          [SS_X_POSITION] = "position %.0f",
        [SS_X_TIME] = "t %.4g",           [SS_X_FREQUENCY] = "frequency %.3g",
        [SS_X_WAVE] = "wave %.0f",        [SS_X_AGE] = "%.0f sweeps ahead",
        [SS_X_VISIT] = "sweep %.0f",      [SS_X_SHARE] = "%.3g %% on the CPU",
        [SS_X_PACE] = "%.3g s per cycle", [SS_X_INTENSITY] = "%.3g op/B"};
    if (c->x_is == SS_X_COST)
        return cost_text(b, x);
    return formats[c->x_is] ? ss_text(formats[c->x_is], ss_chart_told(c, x)) : "";
}

/* "cycle 107 to cycle 263" */
static const char *zone_words(const ss_build *b, const ss_chart *c, const ss_box2 *zone)
{
    return ss_text("%s to %s", abscissa_text(b, c, ss_axis_value(&c->x, zone->x0)),
                   abscissa_text(b, c, ss_axis_value(&c->x, zone->x1)));
}

/* "4" of "k 4→12" in the text of a mark, which may name several parameters; NULL: it does not name
 * this one. */
static const char *value_before(const char *mark, const char *name)
{
    size_t n = strlen(name);
    for (const char *at = mark; (at = strstr(at, name)) != NULL; at += n) {
        const char *arrow = strstr(at, "→");
        bool whole = at == mark || at[-1] == ' ';
        if (whole && at[n] == ' ' && arrow)
            return ss_text("%.*s", (int)(arrow - at - (ptrdiff_t)n - 1), at + n + 1);
    }
    return NULL;
}

/* The value that a parameter had at x: the one before the first change after it. */
static const char *value_at(const ss_build *b, const ss_control *c, double x)
{
    const char *text = ss_value_text(c->row, c->value);
    const char *name = c->row->symbol ? c->row->symbol : c->row->name;
    for (int i = b->snap->nmark - 1; i >= 0 && cost_of(b, &b->snap->mark[i].at) >= x; i--) {
        const char *before = value_before(b->snap->mark[i].text, name);
        text = before ? before : text;
    }
    return text;
}

/* " · k 12, overlap 4" */
static const char *parameters_at(const ss_build *b, double x)
{
    static const char *const told[] = {"k", "overlap"};
    const char *text = "";
    for (size_t t = 0; t < sizeof told / sizeof *told && b->snap->race.n == 0; t++)
        for (int i = 0; i < b->snap->ncontrol; i++) {
            const ss_control *c = &b->snap->control[i];
            if (strcmp(c->row->name, told[t]) == 0)
                text = ss_text("%s%s%s %s", text, *text ? ", " : " · ", c->row->name,
                               value_at(b, c, x));
        }
    return text;
}

/* The name of a curve where there are several. */
static const char *curve_name(const ss_build *b, const ss_chart *c, int i)
{
    int other, at = i;
    if (ss_chart_curve(c, 2, &other) < 0)
        return c->x_is == SS_X_POINT ? c->y_name : NULL;
    if (b->snap->race.n > 0 && !c->legend[i] && i < b->snap->race.n)
        return b->snap->race.racer[i].label;
    while (at > 0 && !c->legend[at])
        at--;
    return c->legend[at];
}

/* NaN: none there. */
static double series_value(const ss_chart *c, const ss_series *s, double x)
{
    if (s->bars)
        return x >= 0 && x < s->n ? s->at[(int)x].y : (double)NAN;
    return s->points ? (double)NAN : ss_curve_value(&c->x, &c->y, s->at, s->n, x);
}

/* A chart of marks without lines: the nearest one. */
static const char *mark_words(const ss_build *b, const ss_chart *c, ss_xy at)
{
    const ss_map_view *map = b->ui->map.open ? b->ui->map.view : NULL;
    int cell = map ? ss_map_cell_at(map, at) : -1;
    const char *name = cell >= 0 ? ss_map_cell_name(map, cell) : "";
    const char *x =
        c->x_is == SS_X_PACE ? ss_si_text(at.x, "s per cycle") : abscissa_text(b, c, at.x);
    const char *y = c->x_is == SS_X_INTENSITY ? ss_si_text(at.y, "op/s")
                    : c->x_is == SS_X_VISIT   ? ss_text("grid %.0f", -at.y)
                                              : ss_count_text(at.y);
    return ss_text("%s%s%s · %s%s", name, *name ? " · " : "", x, y,
                   c->x_is == SS_X_PACE ? " cycles" : "");
}

/* own: the chart that the mouse is on. Without `names` the values stand in the order of the legend.
 */
static const char *curve_words(const ss_build *b, const ss_chart *c, double x, bool names, bool own)
{
    const char *text = abscissa_text(b, c, x);
    for (int i = 0; i < c->nseries; i++) {
        const ss_series *s = &c->series[i];
        double v = s->hidden ? (double)NAN : series_value(c, s, x);
        if (!isnan(v))
            text = ss_build_with(text, names ? curve_name(b, c, i) : NULL, v);
    }
    return own && c->x_is == SS_X_COST ? ss_text("%s%s", text, parameters_at(b, x)) : text;
}

/* Columns of words over so many columns of a panel: letters of a window are narrower. */
static int words_room(const ss_build *b, int columns)
{
    return (ss_scene_fine(b->s) ? columns * 17 / 10 : columns) - 2;
}

/* --- words of pictures ------------------------------------------------------------------------ */

static double picture_value(const ss_image *im, ss_xy part)
{
    int x = (int)(part.x * im->w), y = (int)(part.y * im->h);
    x = x < im->w ? x : im->w - 1, y = y < im->h ? y : im->h - 1;
    if (im->w < 1 || im->h < 1 || !im->cell || im->owner || (im->unseen && im->unseen[y]))
        return (double)NAN;
    return (double)im->cell[(size_t)y * (size_t)im->w + (size_t)x];
}

/* A cell of a coarse picture is no single point. */
static const char *sample_words(const ss_build *b, const ss_image *im)
{
    static const char *const of[SS_NLAYER] = {
        [SS_VALUE] = "mean",       [SS_EXACT] = "mean",    [SS_AGE] = "least",
        [SS_RESIDUAL] = "largest", [SS_ERROR] = "largest", [SS_UPDATE] = "largest",
        [SS_STALENESS] = "largest"};
    ss_box2 w = ss_ui_window(&b->ui->view, b->snap);
    double x = (w.x1 - w.x0) / im->w, y = (w.y1 - w.y0) / im->h;
    const char *what = of[b->snap->view.layer];
    if ((x <= 1.5 && y <= 1.5) || !what)
        return "";
    return ss_text(" · %s of %.0f×%.0f points", what, ceil(x), ceil(y));
}

static const char *field_words(const ss_build *b, const place *p)
{
    const ss_snapshot *snap = b->snap;
    const ss_image *im = b->s->item[p->item].image;
    double v = picture_value(im, p->part);
    int x = (int)floor(p->at[SS_X_POINT]), y = (int)ceil(p->y) - 1;
    y = y < 0 ? 0 : y;
    const char *text = ss_text("(%d, %d)", x, y);
    if (!isnan(v))
        text = ss_text("%s%s", ss_build_with(text, ss_build_symbol(b), v), sample_words(b, im));
    if (!snap->tiled || x >= snap->nx || y >= snap->ny)
        return text;
    return ss_text("%s · block (%d, %d)", text, ss_cut_owner(snap->tiling.x, x),
                   ss_cut_owner(snap->tiling.y, y));
}

static const char *raster_words(const ss_build *b, const place *p)
{
    double step = b->snap->spacing > 0 ? b->snap->spacing : 1;
    double v = picture_value(b->s->item[p->item].image, p->part);
    const char *text =
        ss_text(b->snap->kind == SS_TRANSIENT ? "t %.4g · x %.4g" : "cycle %.0f · x %.4g", p->time,
                (floor(p->at[SS_X_POINT]) + b->snap->origin) * step);
    return isnan(v) ? ss_text("%s · not seen", text) : ss_build_with(text, NULL, v);
}

/* --- rules on charts -------------------------------------------------------------------------- */

static void add_dot(ss_rule *r, const ss_chart *c, ss_xy at, ss_theme_role role)
{
    ss_xy p = ss_chart_part_of(c, at);
    if (r->ndot == SS_SERIES_MAX || isnan(p.y))
        return;
    r->dot[r->ndot].x = p.x, r->dot[r->ndot].y = p.y;
    r->dot[r->ndot++].role = role;
}

/* Returns NULL if the chart has no mark. */
static const char *fill_marks(const ss_build *b, ss_rule *r, const ss_chart *c, const place *p)
{
    int series, i;
    if (!ss_chart_nearest_point(c, ss_chart_data(c, b->s->item[r->on].rect), p->part, &series, &i))
        return NULL;
    ss_xy at = c->series[series].at[i];
    r->x = ss_chart_part_of(c, at).x;
    add_dot(r, c, at, c->series[series].role);
    return mark_words(b, c, at);
}

static void curve_dots(ss_rule *r, const ss_chart *c, double x)
{
    r->x = ss_chart_part_of(c, (ss_xy){x, c->y.lo}).x;
    for (int i = 0; i < c->nseries; i++)
        if (!c->series[i].hidden)
            add_dot(r, c, (ss_xy){x, series_value(c, &c->series[i], x)}, c->series[i].role);
}

/* A dot on each curve, and their values. */
static const char *fill_curves(const ss_build *b, ss_rule *r, const ss_chart *c, double x, bool own)
{
    int room = words_room(b, ss_chart_data(c, b->s->item[r->on].rect).w);
    curve_dots(r, c, x);
    const char *text = curve_words(b, c, x, true, own);
    if (ss_text_width(text) > room && r->ndot > 1) /* of several values the names are needed most */
        text = curve_words(b, c, x, true, false);
    return ss_text_width(text) > room ? curve_words(b, c, x, false, own) : text;
}

static void drag_zone(const ss_build *b, int chart, ss_rule *r)
{
    const ss_chart_drag *d = &b->ui->charts.drag;
    r->has_zone = d->chart == chart && ss_chart_zone(d, &r->zone);
}

static void chart_rule(const ss_build *b, int chart, const place *p)
{
    int item = ss_chart_item(b->s, chart);
    const ss_chart *c = &b->s->chart[chart];
    bool own = item == p->item;
    double x = isnan(p->at[c->x_is]) ? (double)NAN : snapped(c, p->at[c->x_is]);
    const char *text = NULL;
    bool drawn = own && ss_page_draws(b->ui, c->x_is); /* the line has the number */
    if (item < 0 || isnan(x) || c->nseries == 0 || drawn)
        return;
    double part = ss_chart_part_of(c, (ss_xy){x, c->y.lo}).x;
    ss_rule *r = part >= 0 && part <= 1 ? ss_scene_rule(b->s, item) : NULL;
    if (!r)
        return;
    drag_zone(b, chart, r);
    if (r->has_zone)
        text = zone_words(b, c, &r->zone);
    else if (own && chart_has_marks(c))
        text = fill_marks(b, r, c, p);
    if (!text)
        text = fill_curves(b, r, c, x, own);
    text = ss_text_parts(text, words_room(b, ss_chart_data(c, b->s->item[item].rect).w));
    r->text = ss_scene_keep(b->s, text);
    r->text_y = own ? p->part.y : 0.9;
    r->clear = own && b->ui->mouse_x >= 0;
}

/* --- rules on pictures ------------------------------------------------------------------------ */

const char *ss_values_of_field(const ss_build *b)
{
    place p = find_place(b);
    bool field = p.item >= 0 && picture_kind_of(b, p.item) == SS_PIC_FIELD;
    return field ? field_words(b, &p) : NULL;
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

static void picture_rule(const ss_build *b, const place *p)
{
    picture_kind what = picture_kind_of(b, p->item);
    const ss_image *im = b->s->item[p->item].image;
    const char *text = "";
    if (what == SS_PIC_THEATRE)
        text = ss_theatre_value(b, (int)(im - b->s->image) - 2, p->part);
    if (!text)
        return;
    ss_rule *r = ss_scene_rule(b->s, p->item);
    if (!r)
        return;
    r->x = p->part.x, r->y = p->part.y;
    r->text_y = p->part.y < 0.5 ? p->part.y + 0.08 : p->part.y - 0.08;
    if (what == SS_PIC_RASTER)
        text = raster_words(b, p);
    else if (what == SS_PIC_FIELD && (b->snap->picture.probe.valid || b->snap->race.n > 0))
        text = field_words(b, p); /* the line below is in use */
    text = ss_text_parts(text, words_room(b, b->s->item[p->item].rect.w));
    r->text = ss_scene_keep(b->s, text);
    if (what == SS_PIC_FIELD || what == SS_PIC_RASTER)
        bar_ticks(b, im, picture_value(im, p->part));
}

/* The same place in a picture that the mouse is not on. */
static void linked_picture(const ss_build *b, int item, const place *p)
{
    const ss_plot_axis *time = &b->s->edge[0].axis;
    picture_kind what = picture_kind_of(b, item);
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
    place p = find_place(b);
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

/* --- the item under the mouse ----------------------------------------------------------------- */

/* One step up; what is brightest already is emphasised. */
static const ss_theme_role brighter[SS_THEME_NROLE] = {[SS_C_LINE] = SS_C_DIM,
                                                       [SS_C_FAINT] = SS_C_DIM,
                                                       [SS_C_DIM] = SS_C_TEXT,
                                                       [SS_C_TEXT] = SS_C_ACCENT};

static const struct {
    bool stands_out;
    ss_pointer shape;
} kinds[SS_NHIT] = {
    [SS_H_COMMAND] = {true, SS_POINT_HAND},   [SS_H_FIELD] = {false, SS_POINT_CROSS},
    [SS_H_SLIDER] = {true, SS_POINT_ACROSS},  [SS_H_CONTROL] = {true, SS_POINT_HAND},
    [SS_H_GUTTER] = {false, SS_POINT_ACROSS}, [SS_H_STRIP] = {false, SS_POINT_ACROSS},
    [SS_H_WIPE] = {false, SS_POINT_ACROSS},   [SS_H_PICK] = {true, SS_POINT_HAND},
    [SS_H_BAR] = {false, SS_POINT_ACROSS},    [SS_H_SHELF] = {true, SS_POINT_HAND},
    [SS_H_TABLE] = {false, SS_POINT_HAND},    [SS_H_PAGE] = {false, SS_POINT_ARROW},
    [SS_H_WORDS] = {false, SS_POINT_ARROW},   [SS_H_CHART] = {false, SS_POINT_CROSS}};

static bool is_in(ss_rect in, ss_rect r)
{
    return ss_rect_has(in, r.x + 0.5 * r.w, r.y + 0.5 * r.h);
}

static void stand_out(const ss_build *b, const ss_hit *h)
{
    for (int i = 0; i < b->s->nitem; i++) {
        ss_item *it = &b->s->item[i];
        bool lights = it->kind == SS_I_TEXT || it->kind == SS_I_SLIDER;
        if (!lights || !is_in(h->rect, it->rect) || !brighter[it->role])
            continue;
        if (it->role == SS_C_FAINT) /* pixels draw faint text small: it keeps its size */
            it->style |= SS_SMALL;
        it->role = brighter[it->role];
    }
}

/* The end of a colour bar that a drag would take. */
static void mark_end(const ss_build *b, const ss_hit *h)
{
    double x = (b->ui->mouse_x - h->rect.x) / h->rect.w;
    double y = 1 - (b->ui->mouse_y - h->rect.y) / h->rect.h;
    for (int i = 0, n = b->s->nitem; i < n; i++) {
        const ss_item *it = &b->s->item[i];
        ss_rule *r = it->kind == SS_I_BAR && ss_rect_has(it->rect, h->rect.x, h->rect.y)
                         ? ss_scene_rule(b->s, i)
                         : NULL;
        if (r)
            r->x = (h->index ? y : x) < 0.5 ? 0 : 1;
    }
}

void ss_build_pointed(const ss_build *b)
{
    const ss_ui *ui = b->ui;
    const ss_hit *h = ui->mouse_x >= 0 ? ss_scene_at(b->s, ui->mouse_x, ui->mouse_y) : NULL;
    if (!h || !ss_scene_fine(b->s))
        return;
    bool upright = (h->kind == SS_H_BAR && h->index) ||
                   (h->kind == SS_H_GUTTER && h->index >= SS_GUTTER_UNDER_FIELD);
    b->s->pointer = upright ? SS_POINT_UP : kinds[h->kind].shape;
    if (ui->dragging)
        b->s->pointer = SS_POINT_ACROSS;
    if (kinds[h->kind].stands_out)
        stand_out(b, h);
    if (h->kind == SS_H_BAR)
        mark_end(b, h);
}
