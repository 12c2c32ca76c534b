/* Charts that answer: the place under the mouse, and the cursor of charts that keys move. What of a
 * chart is shown: its curves, the part of its axes, logarithms; the mouse that drags on it. See
 * state.h. Main thread only. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ui/view/state.h"

/* --- places ----------------------------------------------------------------------------------- */

static bool tells(const ss_item *it)
{
    return it->kind == SS_I_IMAGE || it->kind == SS_I_CHART;
}

ss_hover ss_hover_at(const ss_scene *s, double x, double y)
{
    const ss_hit *h = x >= 0 && y >= 0 ? ss_scene_at(s, x, y) : NULL;
    ss_hover out = {.item = -1};
    if (!h || (h->kind != SS_H_FIELD && h->kind != SS_H_CHART))
        return out;
    for (int i = 0; i < s->nitem; i++)
        if (tells(&s->item[i]) && ss_rect_has(s->item[i].rect, x, y))
            out.item = i;
    if (out.item < 0)
        return out;
    const ss_item *it = &s->item[out.item];
    if (it->kind == SS_I_CHART)
        out.part = ss_chart_part(s, it, x, y);
    else
        out.part = (ss_xy){(x - it->rect.x) / it->rect.w, (y - it->rect.y) / it->rect.h};
    out.part.x = fmin(fmax(out.part.x, 0), 1);
    out.part.y = fmin(fmax(out.part.y, 0), 1);
    return out;
}

int ss_chart_item(const ss_scene *s, int chart)
{
    for (int i = 0; i < s->nitem; i++)
        if (s->item[i].kind == SS_I_CHART && s->item[i].chart == &s->chart[chart])
            return i;
    return -1;
}

int ss_chart_of_item(const ss_scene *s, int item)
{
    if (item < 0 || s->item[item].kind != SS_I_CHART)
        return -1;
    return (int)(s->item[item].chart - s->chart);
}

/* --- the charts of the screen ----------------------------------------------------------------- */

/* "map" is another name of the first: the map stands in the place of the field. */
static const char *const chart_names[] = {"field", "plot", "lower", "cost", "map"};

const char *ss_chart_name(const ss_ui *ui, int chart)
{
    return chart_names[chart == 0 && ui->map.open ? SS_NCHART : chart];
}

int ss_chart_named(const ss_ui *ui, const char *name, ss_err *err)
{
    int i;
    if (ss_ui_pick("chart", name, chart_names, SS_NCHART + 1, 0, &i, err) != SS_OK)
        return -1;
    i = i < SS_NCHART ? i : 0;
    bool drawn = ui->scene.nitem > 0; /* a figure is drawn after its commands */
    if (!drawn || ss_chart_item(&ui->scene, i) >= 0)
        return i;
    ss_fail(err, "the chart '%s' is not on the screen", name);
    return -1;
}

int ss_chart_chosen(const ss_ui *ui)
{
    static const int order[SS_NCHART] = {1, 2, 0, 3};
    int under =
        ss_chart_of_item(&ui->scene, ss_hover_at(&ui->scene, ui->mouse_x, ui->mouse_y).item);
    if (ui->charts.drag.on)
        return ui->charts.drag.chart;
    if (under >= 0)
        return under;
    if (ui->charts.cursor && ss_chart_item(&ui->scene, ui->charts.chart) >= 0)
        return ui->charts.chart;
    for (int i = 0; i < SS_NCHART; i++)
        if (ss_chart_item(&ui->scene, order[i]) >= 0)
            return order[i];
    return -1;
}

/* --- the cursor ------------------------------------------------------------------------------- */

static void place_cursor(ss_ui *ui, int chart, double told)
{
    ui->charts.cursor = true;
    ui->charts.chart = chart;
    ui->charts.x = told;
    ui->mouse_x = ui->mouse_y = -1; /* the mouse points again when it moves */
    ui->probing = false;
}

/* The points that the cursor steps over: of the first line or bars, else of the first marks. */
static const ss_series *steps_of(const ss_chart *c)
{
    int first = ss_chart_first(c);
    for (int i = 0; first < 0 && i < c->nseries; i++)
        first = !c->series[i].hidden && c->series[i].n > 0 ? i : first;
    return first < 0 ? NULL : &c->series[first];
}

static int next_chart(ss_ui *ui, ss_err *err)
{
    int from = ui->charts.cursor ? ui->charts.chart : 0;
    for (int k = 1; k <= SS_NCHART; k++) {
        int i = (from + k) % SS_NCHART, item = ss_chart_item(&ui->scene, i);
        const ss_series *s = item < 0 ? NULL : steps_of(&ui->scene.chart[i]);
        if (!s || (i == from && ui->charts.cursor))
            continue;
        place_cursor(ui, i, ss_chart_told(&ui->scene.chart[i], s->at[s->n / 2].x));
        return SS_OK;
    }
    return ui->charts.cursor ? SS_OK
                             : ss_fail(err, "view cursor: no chart on the screen has points");
}

static int step_cursor(ss_ui *ui, int by, ss_err *err)
{
    const ss_chart *c = &ui->scene.chart[ui->charts.chart];
    const ss_series *s = steps_of(c);
    if (!ui->charts.cursor || !s || ss_chart_item(&ui->scene, ui->charts.chart) < 0)
        return ss_fail(err, "view cursor: no chart has the cursor; / puts it on the next one");
    int at = ss_curve_nearest(&c->x, s->at, s->n, ss_chart_untold(c, ui->charts.x)) + by;
    at = at < 0 ? 0 : at >= s->n ? s->n - 1 : at;
    place_cursor(ui, ui->charts.chart, ss_chart_told(c, s->at[at].x));
    return SS_OK;
}

static int number(const char *text, const char *what, double *out, ss_err *err)
{
    char *end;
    *out = strtod(text, &end);
    if (end == text || *end || !isfinite(*out))
        return ss_fail(err, "view %s: '%.40s' is not a number", what, text);
    return SS_OK;
}

/* CHART X, CHART, next, left [N], right [N], off */
int ss_view_cursor(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap, ss_err *err)
{
    const char *word = cmd->arg[1];
    double v = 1;
    (void)snap;
    int dir = strcmp(word, "left") == 0 ? -1 : strcmp(word, "right") == 0;
    if (cmd->argc > 2 && number(cmd->arg[2], "cursor", &v, err) != SS_OK)
        return SS_FAIL;
    if (strcmp(word, "off") == 0) {
        ui->charts.cursor = false;
        return SS_OK;
    }
    if (strcmp(word, "next") == 0)
        return next_chart(ui, err);
    if (dir)
        return step_cursor(ui, dir * (int)v, err);
    int chart = ss_chart_named(ui, word, err);
    if (chart < 0)
        return SS_FAIL;
    const ss_chart *c = &ui->scene.chart[chart];
    const ss_series *s = steps_of(c);
    if (cmd->argc < 3 && !s)
        return ss_fail(err, "view cursor: the chart '%s' has no points yet", word);
    place_cursor(ui, chart, cmd->argc < 3 ? ss_chart_told(c, s->at[s->n / 2].x) : v);
    return SS_OK;
}

/* --- the mouse on a place --------------------------------------------------------------------- */

static bool is_same(double a, double b)
{
    return !(a < b) && !(a > b);
}

/* True: another value, another hit, or another command of a page is under the mouse. */
bool ss_hover_moves(ss_ui *ui, const struct ss_scene *scene, double x, double y)
{
    double x0 = ui->mouse_x, y0 = ui->mouse_y;
    ui->mouse_x = x, ui->mouse_y = y;
    if (!scene)
        return false;
    const ss_hit *before = ss_scene_at(scene, x0, y0), *now = ss_scene_at(scene, x, y);
    ss_hover from = ss_hover_at(scene, x0, y0), to = ss_hover_at(scene, x, y);
    bool moved = from.item != to.item || !is_same(from.part.x, to.part.x) ||
                 !is_same(from.part.y, to.part.y);
    bool other = before != now && (ss_scene_fine(scene) || ui->page);
    return other || (moved && !ui->charts.off);
}

#define DOUBLE 0.4 /* seconds between the presses of a double click */

bool ss_chart_zooms(const ss_chart *c)
{
    return ss_chart_bars(c) == 0 && c->x_is != SS_X_VISIT && c->x_is != SS_X_POINT &&
           c->x_is != SS_X_NONE;
}

/* --- curves ----------------------------------------------------------------------------------- */

bool ss_chart_hides(const ss_chart_view *v, const ss_series *s)
{
    for (int i = 0; i < v->nhidden; i++)
        if (v->hidden[i] == ss_series_look(s))
            return true;
    return false;
}

static void set_hidden(ss_chart_view *v, const ss_series *s, bool hide)
{
    int n = 0;
    for (int i = 0; i < v->nhidden; i++)
        if (v->hidden[i] != ss_series_look(s))
            v->hidden[n++] = v->hidden[i];
    if (hide && n < SS_CURVES_MAX)
        v->hidden[n++] = ss_series_look(s);
    v->nhidden = n;
}

/* N [CHART]: hides a curve, or shows it again. */
int ss_view_curve(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap, ss_err *err)
{
    int chart = cmd->argc > 2 ? ss_chart_named(ui, cmd->arg[2], err) : ss_chart_chosen(ui),
        last = 0;
    int64_t n = 0;
    (void)snap;
    if (cmd->argc > 2 && chart < 0)
        return SS_FAIL;
    if (chart < 0)
        return ss_fail(err, "view curve: there is no chart on the screen");
    if (ss_parse_count(cmd->arg[1], 1, SS_CURVES_MAX, &n, err) != SS_OK)
        return SS_FAIL;
    const ss_chart *c = &ui->scene.chart[chart];
    int first = ss_chart_curve(c, (int)n, &last), other;
    if (ss_chart_curve(c, 2, &other) < 0)
        return ss_fail(err, "view curve: this chart has one curve");
    if (first < 0)
        return ss_fail(err, "view curve: this chart has no curve %d", (int)n);
    ss_chart_view *v = &ui->charts.of[c->x_is];
    bool hide = !ss_chart_hides(v, &c->series[first]);
    for (int i = first; i < last; i++)
        set_hidden(v, &c->series[i], hide);
    return SS_OK;
}

/* --- the axes --------------------------------------------------------------------------------- */

/* A figure is drawn after its commands: then they mean the upper chart, whatever it will show. */
static ss_chart *to_be_drawn(ss_ui *ui, const ss_snapshot *snap)
{
    ss_chart *c = &ui->scene.chart[1];
    *c = (ss_chart){.x_is = snap->kind == SS_STEADY ? SS_X_COST : SS_X_TIME};
    return c;
}

static ss_chart *zoomable(ss_ui *ui, const ss_snapshot *snap, ss_err *err)
{
    int chart = ss_chart_chosen(ui);
    if (chart < 0 && ui->scene.nitem == 0 && snap)
        return to_be_drawn(ui, snap);
    if (chart < 0) {
        ss_fail(err, "view chart: there is no chart on the screen");
        return NULL;
    }
    return &ui->scene.chart[chart];
}

/* Shows x from lo to hi, but not less than the narrowest part: then `still` keeps its place. */
static void zoom_x(ss_chart_view *v, double lo, double hi, double still)
{
    if (hi - lo < v->least) {
        lo = still - (still - lo) / (hi - lo) * v->least;
        hi = lo + v->least;
    }
    v->lo[0] = lo, v->hi[0] = hi;
}

static int set_zoom(ss_chart_view *v, int axis, double lo, double hi, bool log, ss_err *err)
{
    if (!(lo < hi) || (log && !(lo > 0)))
        return ss_fail(err, "view chart zoom takes X0 X1 [Y0 Y1], the lower end first%s",
                       log ? ", above 0 on a logarithmic axis" : "");
    v->zoomed[axis] = true;
    v->lo[axis] = lo, v->hi[axis] = hi;
    if (axis == 0)
        zoom_x(v, lo, hi, 0.5 * (lo + hi));
    return SS_OK;
}

static int chart_zoom(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap, ss_err *err)
{
    ss_chart *c = zoomable(ui, snap, err);
    double at[4];
    int n = cmd->argc - 2;
    if (!c)
        return SS_FAIL;
    if (!ss_chart_zooms(c))
        return ss_fail(err, "view chart zoom: this chart is always shown whole");
    if (n != 2 && n != 4)
        return ss_fail(err, "view chart zoom takes X0 X1 [Y0 Y1]");
    for (int i = 0; i < n; i++) {
        char *end;
        at[i] = strtod(cmd->arg[i + 2], &end);
        if (end == cmd->arg[i + 2] || *end || !isfinite(at[i]))
            return ss_fail(err, "view chart zoom: '%.40s' is not a number", cmd->arg[i + 2]);
    }
    ss_chart_view next = ui->charts.of[c->x_is];
    if (set_zoom(&next, 0, at[0], at[1], c->x.log, err) != SS_OK ||
        (n == 4 && set_zoom(&next, 1, at[2], at[3], c->y.log, err) != SS_OK))
        return SS_FAIL;
    ui->charts.of[c->x_is] = next;
    return SS_OK;
}

/* Part `at` of x stays where it is. */
static void zoom_about(ss_ui *ui, const ss_chart *c, double factor, double at)
{
    ss_chart_view *v = &ui->charts.of[c->x_is];
    double lo = ss_axis_value(&c->x, at - factor * at);
    double hi = ss_axis_value(&c->x, at + factor * (1 - at));
    zoom_x(v, lo, hi, ss_axis_value(&c->x, at));
    v->lo[0] = fmax(v->lo[0], v->all_lo[0]), v->hi[0] = fmin(v->hi[0], v->all_hi[0]);
    v->zoomed[0] = v->lo[0] > v->all_lo[0] || v->hi[0] < v->all_hi[0];
}

/* closer, wider: half or twice as much of x, about the cursor or the middle. */
static int zoom_by(ss_ui *ui, double factor, const ss_snapshot *snap, ss_err *err)
{
    ss_chart *c = zoomable(ui, snap, err);
    if (!c)
        return SS_FAIL;
    if (!ss_chart_zooms(c))
        return ss_fail(err, "view chart zoom: this chart is always shown whole");
    double at = ui->charts.cursor ? ss_axis_at(&c->x, ss_chart_untold(c, ui->charts.x)) : 0.5;
    zoom_about(ui, c, factor, at >= 0 && at <= 1 ? at : 0.5);
    return SS_OK;
}

static int chart_closer(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap, ss_err *err)
{
    (void)cmd;
    return zoom_by(ui, 0.5, snap, err);
}

static int chart_wider(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap, ss_err *err)
{
    (void)cmd;
    return zoom_by(ui, 2, snap, err);
}

static int chart_fit(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap, ss_err *err)
{
    ss_chart *c = zoomable(ui, snap, err);
    (void)cmd;
    if (!c)
        return SS_FAIL;
    ui->charts.of[c->x_is].zoomed[0] = ui->charts.of[c->x_is].zoomed[1] = false;
    return SS_OK;
}

/* x|y [on|off|toggle] */
static int chart_log(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap, ss_err *err)
{
    static const char *const axes[] = {"x", "y"}, *const states[] = {"off", "on", "toggle"};
    ss_chart *c = zoomable(ui, snap, err);
    int axis, to = 2;
    if (!c)
        return SS_FAIL;
    if (cmd->argc < 3)
        return ss_fail(err, "view chart log takes x or y, then on, off or toggle");
    if (ss_ui_pick("axis", cmd->arg[2], axes, 2, 0, &axis, err) != SS_OK ||
        (cmd->argc > 3 && ss_ui_pick("state", cmd->arg[3], states, 3, 0, &to, err) != SS_OK))
        return SS_FAIL;
    if (c->x_is == SS_X_POINT || c->x_is == SS_X_VISIT || (axis == 0 && ss_chart_bars(c) > 0))
        return ss_fail(err, "view chart log: this axis has one scale only");
    bool on = axis ? c->y.log : c->x.log;
    ss_chart_view *v = &ui->charts.of[c->x_is];
    v->log[axis] = (to == 2 ? !on : to) ? 1 : -1;
    v->zoomed[axis] = v->zoomed[axis] && v->lo[axis] > 0;
    return SS_OK;
}

int ss_view_chart(ss_ui *ui, const ss_cmd *cmd, const ss_snapshot *snap, ss_err *err)
{
    static const char *const words[] = {"zoom", "closer", "wider", "fit", "log"};
    static ss_ui_verb *const act[] = {chart_zoom, chart_closer, chart_wider, chart_fit, chart_log};
    int i;
    if (ss_ui_pick("word of view chart", cmd->arg[1], words, 5, 0, &i, err) != SS_OK)
        return SS_FAIL;
    return act[i](ui, cmd, snap, err);
}

void ss_charts_forget(ss_ui *ui)
{
    ui->charts = (ss_charts){.off = ui->charts.off};
}

void ss_charts_whole(ss_ui *ui, ss_abscissa what)
{
    ss_chart_view *v = &ui->charts.of[what];
    v->zoomed[0] = v->zoomed[1] = false;
    v->log[0] = 0;
    ui->charts.cursor = false;
}

/* --- the mouse that drags --------------------------------------------------------------------- */

static ss_xy part_at(const ss_scene *s, int chart, const ss_event *ev)
{
    const ss_item *it = &s->item[ss_chart_item(s, chart)];
    ss_xy p = ss_chart_part(s, it, ev->x, ev->y);
    return (ss_xy){fmin(fmax(p.x, 0), 1), fmin(fmax(p.y, 0), 1)};
}

/* A lesson asks for a number that this chart can show. */
static bool draw_number(ss_ui *ui, const ss_chart *c, ss_xy part)
{
    return ss_page_draw(ui, c->x_is, ss_chart_value(c, part).x, c->x.hi);
}

void ss_chart_press(ss_ui *ui, const struct ss_scene *scene, const ss_hit *h, const ss_event *ev,
                    const ss_snapshot *snap)
{
    ss_chart_drag *d = &ui->charts.drag;
    int chart = ss_chart_of_item(scene, h->index);
    bool twice = ui->now > 0 && d->when > 0 && ui->now - d->when < DOUBLE && d->chart == chart;
    *d = (ss_chart_drag){.when = twice ? 0 : ui->now, .chart = chart};
    if (chart < 0)
        return;
    if (draw_number(ui, &scene->chart[chart], part_at(scene, chart, ev))) {
        d->on = d->draws = true;
        return;
    }
    if (!ss_chart_zooms(&scene->chart[chart]))
        return;
    if (twice) {
        d->on = true; /* the command means this chart */
        ss_ui_send(ui, "view chart fit", snap);
        d->on = false;
        return;
    }
    d->on = true;
    d->pans = ev->button != 0 || ev->shift;
    d->from = d->to = part_at(scene, chart, ev);
}

void ss_chart_wheel(ss_ui *ui, const struct ss_scene *scene, const ss_hit *h, const ss_event *ev)
{
    int chart = ss_chart_of_item(scene, h->index);
    if (chart >= 0 && ss_chart_zooms(&scene->chart[chart]))
        zoom_about(ui, &scene->chart[chart], ev->dy > 0 ? 0.8 : 1.25, part_at(scene, chart, ev).x);
}

/* The axis moves with the mouse, inside its whole range. */
static void pan_axis(ss_chart_view *v, const ss_plot_axis *a, int axis, double by)
{
    double lo = ss_axis_value(a, by), hi = ss_axis_value(a, 1 + by);
    if (v->zoomed[axis] && lo >= v->all_lo[axis] && hi <= v->all_hi[axis])
        v->lo[axis] = lo, v->hi[axis] = hi;
}

bool ss_chart_drag_to(ss_ui *ui, const struct ss_scene *scene, const ss_event *ev)
{
    enum { LEAST = 1 }; /* cells of a drag that is not a click */
    ss_chart_drag *d = &ui->charts.drag;
    if (!d->on || ss_chart_item(scene, d->chart) < 0)
        return false;
    const ss_chart *c = &scene->chart[d->chart];
    if (d->draws)
        return draw_number(ui, c, part_at(scene, d->chart, ev));
    ss_rect data = ss_chart_data(c, scene->item[ss_chart_item(scene, d->chart)].rect);
    ss_xy before = d->to;
    d->to = part_at(scene, d->chart, ev);
    d->moved = d->moved || fabs(d->to.x - d->from.x) * data.w >= LEAST ||
               fabs(d->to.y - d->from.y) * data.h >= LEAST;
    if (d->pans) {
        ss_chart_view *v = &ui->charts.of[c->x_is];
        pan_axis(v, &c->x, 0, before.x - d->to.x);
        pan_axis(v, &c->y, 1, d->to.y - before.y);
    }
    return true;
}

/* The part of the chart that the drag covers. x alone where the mouse moved along it only. */
bool ss_chart_zone(const ss_chart_drag *d, ss_box2 *out)
{
    const double least = 0.15; /* of the height */
    *out = (ss_box2){fmin(d->from.x, d->to.x), fmin(d->from.y, d->to.y), fmax(d->from.x, d->to.x),
                     fmax(d->from.y, d->to.y)};
    if (out->y1 - out->y0 < least)
        out->y0 = 0, out->y1 = 1;
    return d->on && d->moved && !d->pans && out->x1 > out->x0;
}

/* A click on a point of a map moves the map's cursor to its cell. */
static void choose_cell(ss_ui *ui, const struct ss_scene *scene, const ss_snapshot *snap)
{
    const ss_chart_drag *d = &ui->charts.drag;
    const ss_chart *c = &scene->chart[d->chart];
    const ss_map_view *v = ui->map.view;
    ss_rect data = ss_chart_data(c, scene->item[ss_chart_item(scene, d->chart)].rect);
    int series, i, cell = -1;
    char line[64];
    if (ui->map.open && v && v->nx > 0 && ss_chart_nearest_point(c, data, d->from, &series, &i))
        cell = ss_map_cell_at(v, c->series[series].at[i]);
    if (cell < 0)
        return;
    snprintf(line, sizeof line, "map cursor %d %d", cell % v->nx, cell / v->nx);
    ss_ui_send(ui, line, snap);
}

bool ss_chart_release(ss_ui *ui, const struct ss_scene *scene, const ss_snapshot *snap)
{
    ss_chart_drag *d = &ui->charts.drag;
    ss_box2 z;
    bool was = d->on;
    char line[160];
    if (was && !d->moved && !d->pans && !d->draws && ss_chart_item(scene, d->chart) >= 0)
        choose_cell(ui, scene, snap);
    if (ss_chart_zone(d, &z) && ss_chart_item(scene, d->chart) >= 0) {
        const ss_chart *c = &scene->chart[d->chart];
        int n = snprintf(line, sizeof line, "view chart zoom %.6g %.6g", ss_axis_value(&c->x, z.x0),
                         ss_axis_value(&c->x, z.x1));
        if (z.y0 > 0 || z.y1 < 1)
            snprintf(line + n, sizeof line - (size_t)n, " %.6g %.6g",
                     ss_axis_value(&c->y, 1 - z.y1), ss_axis_value(&c->y, 1 - z.y0));
        ss_ui_send(ui, line, snap);
    }
    d->when = d->moved ? 0 : d->when;
    d->on = false;
    return was;
}
