/* The place under the mouse, and the cursor of charts that keys move. See hover.h, state.h. Main
 * thread only. */
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

/* --- the mouse -------------------------------------------------------------------------------- */

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
