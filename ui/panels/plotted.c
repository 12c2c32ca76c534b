/* What all charts share: axes that are zoomed or logarithmic, curves as fine as the screen, hidden
 * curves, what the mouse does. See build.h. Main thread only. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ui/panels/build.h"

/* --- axes ------------------------------------------------------------------------------------- */

/* The least value above 0 of all curves: there a logarithmic axis begins. */
static double least_above_zero(const ss_chart *c, int axis)
{
    double least = INFINITY;
    for (int i = 0; i < c->nseries; i++)
        for (int k = 0; k < c->series[i].n; k++) {
            double v = axis ? c->series[i].at[k].y : c->series[i].at[k].x;
            least = v > 0 && v < least ? v : least;
        }
    return least;
}

static void change_scale(ss_chart *c, int axis, bool log, int room)
{
    ss_plot_axis *a = axis ? &c->y : &c->x;
    double least = least_above_zero(c, axis), hi = a->hi;
    if (log)
        ss_axis_make(a, isfinite(least) ? least : hi * 1e-3, hi, true, axis != 0, room);
    else
        ss_axis_make(a, 0, hi, false, axis != 0, room);
}

static void zoom_axis(ss_plot_axis *a, double lo, double hi, int room)
{
    bool log = a->log && lo > 0;
    ss_axis_make(a, lo, hi, log, false, room);
    a->lo = lo, a->hi = hi;
}

void ss_build_chart_axes(const ss_build *b, ss_chart *c, ss_abscissa x_is, ss_rect in)
{
    ss_chart_view *v = &b->ui->charts.of[x_is];
    ss_plot_axis *const axis[2] = {&c->x, &c->y};
    const int room[2] = {in.w / 6, in.h / 2};
    c->x_is = x_is;
    for (int i = 0; i < 2; i++) {
        bool fixed = i == 0 ? !ss_chart_zooms(c) : x_is == SS_X_VISIT || x_is == SS_X_POINT;
        bool log = v->log[i] ? v->log[i] > 0 : axis[i]->log;
        if (!fixed && log != axis[i]->log)
            change_scale(c, i, log, room[i]);
        v->all_lo[i] = axis[i]->lo, v->all_hi[i] = axis[i]->hi;
        if (v->zoomed[i] && !fixed && ss_chart_zooms(c))
            zoom_axis(axis[i], v->lo[i], v->hi[i], room[i]);
    }
}

/* Two cycles, or twice the distance of two points: between them is only a straight line. */
static double narrowest(const ss_build *b, const ss_chart *c)
{
    static const bool steps[SS_NABSCISSA] = {
        [SS_X_POSITION] = true, [SS_X_FREQUENCY] = true, [SS_X_WAVE] = true, [SS_X_AGE] = true};
    const ss_snapshot *p = b->snap;
    double least = INFINITY;
    if ((c->x_is == SS_X_COST || c->x_is == SS_X_TIME) && p->ncurve > 0) {
        const ss_point *end = &p->curve[p->ncurve - 1];
        double x = c->x_is == SS_X_TIME ? end->time : ss_measure_of((ss_measure)b->ui->over, end);
        least = end->cycle > 0 ? 2 * x / (double)end->cycle : 0;
    }
    for (int i = 0; i < c->nseries && steps[c->x_is]; i++) {
        const ss_series *s = &c->series[i];
        if (s->n > 1)
            least = fmin(least, 2 * (s->at[s->n - 1].x - s->at[0].x) / (s->n - 1));
    }
    return isfinite(least) && least > 0 ? least : 0;
}

/* --- curves ----------------------------------------------------------------------------------- */

/* The curve as fine as the screen, of the part that is shown. Its points are the scene's. */
static void thin(const ss_build *b, const ss_chart *c, ss_series *s, int columns)
{
    static ss_xy part[SS_LINE_MAX + 2]; /* large; main thread only */
    ss_xy *at = (ss_xy *)s->at;
    bool line = !s->bars && !s->points && s->n > 1;
    if (!line || s->n > SS_LINE_MAX)
        return;
    if (b->ui->charts.of[c->x_is].zoomed[0]) {
        s->n = ss_curve_clip(&c->x, &c->y, at, s->n, part);
        memcpy(at, part, (size_t)s->n * sizeof *at);
    }
    s->n = ss_curve_thin(&c->x, &c->y, at, s->n, ss_build_dots(b, columns), at);
}

/* --- words ------------------------------------------------------------------------------------ */

static const char *number(const ss_plot_axis *a, double v, char *buf, size_t size)
{
    return fabs(v) >= 1000 ? ss_count_text(v, buf, size) : ss_axis_text(a, v, buf, size);
}

/* "cycles 200 to 400 of 4,312 · double click: all"; a recording has nothing to click. */
static void zoom_words(const ss_build *b, const ss_chart *c, ss_rect frame)
{
    const ss_chart_view *v = &b->ui->charts.of[c->x_is];
    char lo[32], hi[32], all[32], text[160];
    const char *what = c->x_is == SS_X_COST ? ss_over_names[b->ui->over] : c->x_name;
    const char *how = b->ui->in_order        ? ""
                      : b->ui->charts.cursor ? " · f: all"
                                             : " · double click: all";
    snprintf(text, sizeof text, "%s %s to %s of %s%s", what, number(&c->x, c->x.lo, lo, sizeof lo),
             number(&c->x, c->x.hi, hi, sizeof hi), number(&c->x, v->all_hi[0], all, sizeof all),
             how);
    /* letters of a window are narrower */
    ss_build_drop_parts(text, (ss_scene_fine(b->s) ? frame.w * 3 / 2 : frame.w) - 6);
    ss_build_foot(b, frame, frame.x + 1, text);
}

/* --- the chart -------------------------------------------------------------------------------- */

static void add_hits(const ss_build *b, const ss_chart *c, ss_rect in, ss_rect frame)
{
    int item = b->s->nitem - 1, chart = (int)(c - b->s->chart), last, first;
    char line[48];
    /* the field has a hit of its own; a prediction may be dragged from beside the axis */
    bool draws = ss_page_draws(b->ui, c->x_is) && frame.w > 0;
    ss_rect place = draws ? (ss_rect){frame.x, in.y, frame.w, in.h} : ss_chart_data(c, in);
    if (c->x_is != SS_X_POINT)
        ss_scene_hit(b->s, SS_H_CHART, place, NULL, item);
    for (int n = 1; (first = ss_chart_curve(c, n, &last)) >= 0; n++) {
        int others = 0;
        ss_rect at = ss_legend_hit(b->s, c, in, first);
        if (at.w < 1 || ss_chart_curve(c, 2, &others) < 0)
            continue;
        snprintf(line, sizeof line, "view curve %d %s", n, ss_chart_name(b->ui, chart));
        ss_scene_hit(b->s, SS_H_COMMAND, at, ss_scene_keep(b->s, line), n);
    }
}

void ss_build_chart(const ss_build *b, ss_chart *c, ss_abscissa x_is, ss_rect in, ss_rect frame)
{
    ss_chart_view *v = &b->ui->charts.of[x_is];
    if (c->x_is == SS_X_NONE)
        ss_build_chart_axes(b, c, x_is, in);
    v->least = narrowest(b, c);
    bool thins = x_is == SS_X_COST || x_is == SS_X_TIME || v->zoomed[0];
    for (int i = 0; i < c->nseries; i++) {
        if (thins)
            thin(b, c, &c->series[i], in.w);
        c->series[i].hidden = ss_chart_hides(v, &c->series[i]);
    }
    ss_scene_add(b->s, SS_I_CHART, in, SS_C_TEXT)->chart = c;
    add_hits(b, c, in, frame);
    if (v->zoomed[0] && ss_chart_zooms(c) && frame.w > 0)
        zoom_words(b, c, frame);
}
