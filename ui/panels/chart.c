/* The residual history with the factors by which it falls, and the profile by position in the
 * block; the timeline of a run, below the header: its curve over cycles, the checkpoints to which
 * it can be rewound, changes of parameters, and the curve ahead of a rewound run. See build.h. Main
 * thread only. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ui/panels/build.h"

/* The end of an x axis up to x. It grows in steps of 1, 2, 5, so that the curve does not creep. */
static double build_axis_end(double x)
{
    if (!(x > 0) || !isfinite(x))
        return 1;
    double p = pow(10, floor(log10(x)));
    static const double steps[] = {1, 1.5, 2, 3, 4, 5, 6, 8, 10};
    for (int i = 0; i < 9; i++)
        if (x <= steps[i] * p * (1 + 1e-12))
            return steps[i] * p;
    return 10 * p;
}

enum { LABEL = 16, LEAST_DECADES = 1 };

/* --- curves and checkpoints ------------------------------------------------------------------- */

/* The curve ahead of a rewound run, if it is one, then its own; returns their number. */
static int past_curves(const ss_snapshot *snap, ss_curve out[SS_SERIES_MAX])
{
    const ss_past *past = &snap->past;
    int n = 0;
    if (past->ncurve > 0)
        out[n++] = (ss_curve){past->curve, past->ncurve, snap->residual0, SS_C_SERIES4, 1, "ahead"};
    out[n] = (ss_curve){snap->curve, snap->ncurve, snap->residual0, SS_C_SERIES1, 0, NULL};
    return n + 1;
}

void ss_past_marks(const ss_build *b, ss_chart *c,
                   double (*at)(const ss_build *b, const ss_point *p))
{
    const ss_past *past = &b->snap->past;
    const ss_point *now = b->snap->ncurve > 0 ? &b->snap->curve[b->snap->ncurve - 1] : NULL;
    c->here = -1;
    c->nunder = 0;
    for (int i = 0; past->used && i < past->nkept; i++)
        c->under[c->nunder++] = at(b, &past->kept[i]);
    if (!past->back || !now || c->nunder == 0)
        return;
    c->here = c->nunder;
    c->under[c->nunder++] = at(b, now);
}

/* The residuals of a curve over a measure, and the range that the axes must cover; those of 0 have
 * no place on a logarithmic axis. */
static ss_series history(const ss_build *b, const ss_curve *from, ss_measure over, ss_box2 *range)
{
    ss_xy *at = ss_scene_points(b->s, from->n);
    ss_series s = {.at = at, .role = from->role, .dash = from->dash};
    double r0 = from->residual0 > 0 ? from->residual0 : 1;
    for (int i = 0; at && i < from->n; i++) {
        ss_xy p = {ss_measure_of(over, &from->at[i]), from->at[i].residual / r0};
        if (!isfinite(p.x) || !isfinite(p.y))
            continue;
        range->x1 = fmax(range->x1, p.x);
        if (!(p.y > 0))
            continue;
        range->y0 = fmin(range->y0, p.y), range->y1 = fmax(range->y1, p.y);
        at[s.n++] = p;
    }
    return s;
}

/* The upper end of the y axis: 1, unless a residual grew beyond the first one, as SOR's does for
 * some iterations. */
static double residual_end(double most)
{
    return most > 1.02 ? pow(10, ceil(log10(most))) : 1;
}

/* --- the strip -------------------------------------------------------------------------------- */

/* Positions along the strip; -1: outside. */
static double place(const ss_plot_axis *x, double cycle)
{
    double at = ss_axis_at(x, cycle);
    return at >= 0 && at <= 1 ? at : -1;
}

/* The least r/r0 of all curves, at most a decade below 1. */
static double least_of(const ss_curve *curve, int n)
{
    double least = pow(10, -LEAST_DECADES);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < curve[i].n; k++) {
            double r = curve[i].at[k].residual / curve[i].residual0;
            if (r > 0 && r < least)
                least = r;
        }
    return least;
}

/* Steady runs: log r/r0 between its least value and 1. A transient run has a line without height.
 */
static double height(const ss_snapshot *p, const ss_point *at, double r0, double least)
{
    if (p->kind != SS_STEADY || !(at->residual > 0))
        return 0;
    double h = 1 - log(at->residual / r0) / log(least);
    return h > 1 ? 1 : h > 0 ? h : 0; /* 0 also without a first residual */
}

static void add_curve(const ss_build *b, ss_timeline *s, const ss_plot_axis *x,
                      const ss_curve *from, double least)
{
    ss_xy *at = ss_scene_points(b->s, from->n);
    ss_series *to = &s->curve[s->ncurve++];
    *to = (ss_series){.at = at, .role = from->role, .dash = from->dash};
    for (int i = 0; at && i < from->n; i++) {
        double along = place(x, (double)from->at[i].cycle);
        if (along >= 0)
            at[to->n++] = (ss_xy){along, height(b->snap, &from->at[i], from->residual0, least)};
    }
}

/* Adds a change to a list of marks. If it overlaps the last one and changes the same parameter they
 * are one, or none if the second undoes the first. If there are too many, the oldest are left out;
 * those at x < 0 are joined only. moves: a joint mark stands at the second place. */
static void add_change(ss_chart_mark *mark, int *n, const char *text, double x, bool overlaps,
                       bool moves)
{
    ss_chart_mark *last = *n > 0 ? &mark[*n - 1] : NULL;
    if (last && overlaps && ss_mark_join(last->text, text, last->text, sizeof last->text)) {
        last->x = moves ? x : last->x;
        *n -= ss_mark_is_undone(last->text);
        return;
    }
    if (x < 0)
        return;
    if (*n == SS_MARKS_MAX)
        memmove(mark, mark + 1, (size_t)(--*n) * sizeof *mark);
    mark[*n].x = x;
    snprintf(mark[(*n)++].text, sizeof mark->text, "%s", text);
}

/* Changes, at their places along the strip. */
static void add_flags(const ss_mark *mark, int n, ss_timeline *s, const ss_plot_axis *x,
                      int columns)
{
    for (int i = 0; i < n; i++) {
        double at = place(x, (double)mark[i].at.cycle);
        bool overlaps = s->nflag > 0 && at * columns < s->flag[s->nflag - 1].x * columns + 1;
        add_change(s->flag, &s->nflag, mark[i].text, at, overlaps, false);
    }
}

static void fill(const ss_build *b, ss_timeline *s, int columns)
{
    const ss_snapshot *p = b->snap;
    ss_curve curve[SS_SERIES_MAX];
    ss_plot_axis x;
    int n = past_curves(p, curve);
    double least = least_of(curve, n);
    ss_strip_axis(p, &x);
    *s = (ss_timeline){.span = {(double)NAN, (double)NAN}};
    for (int i = 0; i < n; i++)
        add_curve(b, s, &x, &curve[i], least);
    for (int i = 0; i < p->past.nkept; i++)
        s->kept[s->nkept++] = place(&x, (double)p->past.kept[i].cycle);
    add_flags(p->mark, p->nmark, s, &x, columns);
    add_flags(p->past.ahead, p->past.nahead, s, &x, columns);
    s->here = place(&x, p->telemetry.value[SS_T_CYCLE]);
    for (int i = 0; b->ui->strip.spans && i < 2; i++)
        s->span[i] = place(&x, b->ui->strip.span[i]);
}

void ss_build_strip(const ss_build *b)
{
    ss_rect r = b->l->panel[SS_PANEL_STRIP];
    ss_plot_axis x;
    if (!r.w)
        return;
    ss_strip_axis(b->snap, &x);
    const char *text = ss_text("%s cycles", ss_count_text(x.hi));
    ss_scene_text_right(b->s, r.x + r.w - 1, r.y + r.h - 1, LABEL, SS_C_DIM, SS_FIGURE | SS_SMALL,
                        text);
    ss_rect in = {r.x + 1, r.y, r.w - ss_text_width(text) - 3, r.h};
    fill(b, &b->s->strip, in.w);
    ss_scene_add(b->s, SS_I_STRIP, in, SS_C_ACCENT)->strip = &b->s->strip;
    ss_scene_hit(b->s, SS_H_STRIP, in, NULL, 0);
}

/* --- as a chart ------------------------------------------------------------------------------- */

/* Places along the strip, from 0 to `end`, as cycles. */
static void add_places(ss_chart *c, const ss_timeline *s, double end)
{
    for (int i = 0; i < s->nkept; i++)
        c->under[c->nunder++] = s->kept[i] * end;
    c->here = c->nunder;
    c->under[c->nunder++] = s->here * end;
    for (int i = 0; i < s->nflag; i++) {
        c->mark[i] = s->flag[i];
        c->mark[i].x *= end;
    }
    c->nmark = s->nflag;
}

void ss_build_whole_run(const ss_build *b, ss_rect r)
{
    enum { FLAG_COLS = 9, LEAST_CYCLES = 10 };
    ss_plot_axis whole;
    ss_chart *c = &b->s->chart[1];
    ss_curve curve[SS_SERIES_MAX];
    int n = past_curves(b->snap, curve);
    ss_box2 range = {0, pow(10, -LEAST_DECADES), 0, 1};
    *c = (ss_chart){.x_label = "cycles",
                    .y_label = "residual / r0",
                    .x_name = "cycles",
                    .y_name = "residual / initial",
                    .here = -1};
    ss_strip_axis(b->snap, &whole);
    fill(b, &b->s->strip, r.w / FLAG_COLS);
    add_places(c, &b->s->strip, whole.hi);
    ss_axis_make(&c->x, 0, build_axis_end(fmax(whole.hi, LEAST_CYCLES)), false, false, r.w / 6);
    for (int i = 0; i < n; i++)
        ss_chart_add(c, history(b, &curve[i], SS_BY_CYCLES, &range), curve[i].legend);
    ss_axis_make(&c->y, range.y0, residual_end(range.y1), true, true, r.h / 2);
    ss_scene_add(b->s, SS_I_CHART, r, SS_C_TEXT)->chart = c;
}

#define HELD_RANGE 1.15 /* of the x axis, once the run holds: times its end */

/* --- residual --------------------------------------------------------------------------------- */

/* Would the label of a change reach the next one? distance: between them on the x axis; columns:
 * those of the plot. The small letters of a window are narrower than columns. */
static bool labels_overlap(const ss_build *b, const ss_chart *c, const char *label, double distance,
                           int columns)
{
    enum { GAP = 1 };
    double letters = b->extent.dots_x > 2 ? 0.6 : 1;
    double room = letters * ss_text_width(label) + GAP;
    return distance / (c->x.hi - c->x.lo) * columns < room;
}

/* The changes of the run; one parameter's have one mark where their labels would overlap. */
static void add_marks(const ss_build *b, ss_chart *c, ss_over over, int columns)
{
    for (int i = 0; i < b->snap->nmark; i++) {
        const ss_mark *from = &b->snap->mark[i];
        double x = ss_measure_of((ss_measure)over, &from->at);
        const ss_chart_mark *last = c->nmark > 0 ? &c->mark[c->nmark - 1] : NULL;
        bool overlaps = last && labels_overlap(b, c, last->text, x - last->x, columns);
        add_change(c->mark, &c->nmark, from->text, x, overlaps, true);
    }
}

/* The classic solver's curve, up to the end of the x axis, which it does not extend. */
static ss_series classic_curve(const ss_build *b, double end, ss_box2 *range)
{
    const ss_beside *beside = &b->snap->beside;
    const ss_curve all = {.at = beside->curve,
                          .n = beside->n,
                          .residual0 = beside->residual0,
                          .role = SS_C_DIM,
                          .dash = 1};
    ss_box2 own = {0, 1, 0, 1};
    ss_series s = history(b, &all, (ss_measure)b->ui->over, &own);
    int n = 0;
    for (; n < s.n && s.at[n].x <= end; n++)
        range->y0 = fmin(range->y0, s.at[n].y);
    s.n = n;
    return s;
}

/* Adds it as the last series; the run's own series then needs a name too. */
static void add_classic(const ss_build *b, ss_chart *c, ss_series s)
{
    enum { LEAST_COLS = 36 }; /* of the panel, for the longer names */
    bool room = b->l->panel[SS_PANEL_PLOT].w >= LEAST_COLS;
    int own = c->nseries - 1;
    const char *name = !room                          ? "classic"
                       : b->snap->beside.behind       ? "classic, so far"
                       : b->ui->over == SS_ITERATIONS ? "classic, same iterations"
                                                      : "classic";
    if (s.n < 2 || !ss_chart_add(c, s, name))
        return;
    if (own >= 0 && !c->legend[own])
        c->legend[own] = b->snap->solver_name;
}

static double over_axis(const ss_build *b, const ss_point *p)
{
    return ss_measure_of((ss_measure)b->ui->over, p);
}

static void add_level(ss_chart *c, double tol)
{
    if (!(tol > 0) || tol < c->y.lo)
        return;
    c->has_level = true, c->level = tol;
    snprintf(c->level_text, sizeof c->level_text, " tol %s ", ss_tick_text(tol, true));
}

/* On the lower edge: what a run that holds waits for. */
static void held_banner(const ss_build *b, ss_rect r)
{
    char text[160];
    ss_hold_banner(b->ui, b->snap, text, sizeof text);
    const char *next = strstr(text, " · "); /* the message line has the first half */
    r.y += r.h - 1;
    ss_build_corner(b, r, r.x + 1, next ? next + strlen(" · ") : text);
}

/* "factor 0.9563, predicted 0.9521" */
static const char *factor_of_cycles(const ss_build *b, int columns)
{
    const ss_telemetry *t = &b->snap->telemetry;
    bool measured = t->valid[SS_T_FACTOR], predicted = t->valid[SS_T_PREDICTED];
    const char *last = ss_telemetry_text(b->snap, measured ? SS_T_FACTOR : SS_T_PREDICTED);
    if ((!measured && !predicted) || b->snap->race.n > 0)
        return "";
    if (columns >= 40 && measured && predicted)
        return ss_text("factor %s per cycle, in the long run %s", last,
                       ss_telemetry_text(b->snap, SS_T_PREDICTED));
    return ss_text("%s %s per cycle", measured ? "factor" : "predicted in the long run: factor",
                   last);
}

/* On the lower edge of the residual panel: the measured and the predicted factor of a cycle; in 3D
 * the factor of the last cycle and the mean of the last ones. */
static const char *factors(const ss_build *b, int columns)
{
    const ss_telemetry *t = &b->snap->telemetry;
    if (b->snap->dim < 3)
        return factor_of_cycles(b, columns);
    if (!t->valid[SS_T_SMOOTHING] || !t->valid[SS_T_CONVERGENCE])
        return "";
    return ss_text(columns >= 36 ? "last cycle ×%.4f · mean ×%.4f" : "×%.4f · mean ×%.4f",
                   t->value[SS_T_SMOOTHING], t->value[SS_T_CONVERGENCE]);
}

static const char *cost_label(const ss_build *b, int columns)
{
    static const char *const units[SS_NOVER] = {"cycles", "iterations", "sweeps of the finest grid",
                                                "s",      "B",          "reductions"};
    if (b->ui->over == SS_SECONDS && b->snap->ranks.count > 0)
        return columns >= 50 ? "s, modelled waits" : "s, virtual";
    if (b->ui->over == SS_SECONDS && b->snap->deterministic)
        return "s, modelled";
    return units[b->ui->over];
}

/* Axes and series of the residuals, and the classic solver's. Returns the number of points.
 * *holds: does the run hold, at a cost above 0? */
static int fill_residuals(const ss_build *b, ss_chart *c, ss_rect in, bool *holds)
{
    const ss_snapshot *p = b->snap;
    ss_curve curve[SS_SERIES_MAX];
    ss_series s[SS_SERIES_MAX], classic = {.n = 0};
    ss_box2 range = {0, 0.5, 0, 1};
    bool race = p->race.n > 0;
    int n = (race ? ss_race_curves : past_curves)(p, curve), points = 0;
    for (int i = 0; i < n; i++) {
        s[i] = history(b, &curve[i], (ss_measure)b->ui->over, &range);
        points += s[i].n;
    }
    if (!race)
        ss_past_marks(b, c, over_axis);
    for (int i = 0; i < c->nunder; i++)
        range.x1 = fmax(range.x1, c->under[i]);
    if (p->tol > 0 && range.y0 < 20 * p->tol)
        range.y0 = fmin(range.y0, p->tol);
    *holds = b->snap->hold != SS_HOLD_NONE && range.x1 > 0;
    double end = *holds ? HELD_RANGE * range.x1 : build_axis_end(range.x1);
    if (!race && !ss_page_awaits(b->ui) && p->beside.n > 0)
        classic = classic_curve(b, end, &range);
    ss_axis_make(&c->x, 0, end, false, false, in.w / 6);
    ss_axis_make(&c->y, range.y0, residual_end(range.y1), true, true, in.h / 2);
    add_level(c, p->tol);
    for (int i = 0; i < n && points > 0; i++)
        ss_chart_add(c, s[i], curve[i].legend);
    if (points > 0)
        add_classic(b, c, classic);
    return points;
}

void ss_build_plot(const ss_build *b)
{
    ss_rect r = b->l->panel[SS_PANEL_PLOT];
    ss_chart *c = &b->s->chart[1];
    bool race = b->snap->race.n > 0;
    if (!r.w)
        return;
    int x = ss_build_axes(b, r);
    if (ss_shows_cone(b, SS_PANEL_PLOT)) {
        ss_build_cone_in(b, SS_PANEL_PLOT, x);
        return;
    }
    ss_rect in = ss_build_chart_room(b, r);
    ss_build_corner(b, r, x, in.w >= 56 ? "residual / initial" : SS_RESIDUAL_SHORT);
    ss_build_standings(b, &in);
    const char *label = cost_label(b, in.w);
    *c = (ss_chart){.x_label = label, .x_name = label, .y_name = "residual / initial"};
    bool holds;
    int points = fill_residuals(b, c, in, &holds);
    ss_build_chart_axes(b, c, SS_X_COST, in);
    if (race)
        ss_build_finishes(b, c);
    else
        add_marks(b, c, b->ui->over, in.w);
    ss_build_drawn(b, c, SS_DRAWN_CYCLES);
    if (points == 0)
        ss_build_wrap(b, ss_rect_inset(in, 8, in.h / 3), SS_C_FAINT, "no residual yet");
    bool zoomed = b->ui->charts.of[SS_X_COST].zoomed[0];
    ss_build_chart(b, c, SS_X_COST, in, r);
    if (zoomed)
        return;
    if (holds)
        held_banner(b, r);
    else
        ss_build_foot(b, r, r.x + 1, factors(b, r.w));
}

/* --- profile ---------------------------------------------------------------------------------- */

/* The mean of both directions where blocks are square, else x alone. */
static int profile_points(const ss_picture *p, ss_xy *out, bool both, double *lo, double *hi)
{
    int n = p->nprofile[0];
    for (int i = 0; i < n; i++) {
        double v = (double)p->profile[0][i];
        if (both)
            v = 0.5 * (v + (double)p->profile[1][i]);
        out[i] = (ss_xy){i, v};
        if (v > 0 && isfinite(v))
            *lo = fmin(*lo, v), *hi = fmax(*hi, v);
    }
    return n;
}

/* While the colours keep their values, so does this axis: a bar that has grown is higher. */
static void profile_axis(const ss_build *b, ss_plot_axis *a, double lo, double hi, int room)
{
    bool log = ss_layer_labels[b->snap->view.layer].log;
    const ss_ranging *held = &b->ui->ranging;
    lo = fmax(lo * 0.99, hi * SS_AXIS_SPAN);
    if (held->hold != SS_RANGE_AUTO) {
        hi = fmax(hi, held->shown.hi);
        lo = fmin(held->shown.lo, hi * SS_AXIS_SPAN);
    }
    ss_axis_make(a, log ? lo : 0, hi > 0 ? hi : 1, log, true, room);
}

static void no_profile(const ss_build *b, ss_rect r)
{
    const char *why = b->snap->layer_why[b->snap->view.layer];
    ss_build_nothing(b, r,
                     !b->snap->layers[b->snap->view.layer]
                         ? "this layer is not available: l shows the next one"
                     : why ? why
                           : "nothing measured in the blocks yet");
}

static void position_axis(ss_plot_axis *a, int n, int room)
{
    *a = (ss_plot_axis){.lo = 0, .hi = n - 1};
    int step = room >= 30 ? 4 : 2;
    for (int i = 0; i <= step && n > 1; i++) {
        int at = i == 0 ? 1 : i * n / step;
        if (at < 1 || (a->ntick && at - 1 <= a->tick[a->ntick - 1].at))
            continue;
        ss_axis_add(a, at - 1, ss_text("%d", at));
    }
}

/* The positions of a block without values, with a prediction or to draw one in. */
static void sketch_position(const ss_build *b, ss_rect r, int from, const char *words)
{
    ss_chart *c = &b->s->chart[2];
    ss_rect in = ss_build_chart_room(b, r);
    *c = (ss_chart){.x_label = ""};
    position_axis(&c->x, b->snap->tiling.x.block, in.w);
    c->y = (ss_plot_axis){.lo = 0, .hi = 1};
    ss_build_drawn(b, c, SS_DRAWN_DEPTH);
    c->x_shift = c->x_scale = 1;
    c->x_name = "position in the block", c->y_name = "";
    ss_build_unit(b, r, from, words);
    ss_build_chart(b, c, SS_X_POSITION, in, r);
}

/* The longest one that fits between the end of its zone and that of the chart. */
static const char *zone_label(int columns)
{
    static const char *const labels[] = {"thrown away by overlap", "thrown away", "overlap"};
    enum { AXIS = 8 }; /* columns of the numbers, and a gap */
    int i = 0;
    while (i < 2 && ss_text_width(labels[i]) > columns - AXIS)
        i++;
    return labels[i];
}

bool ss_has_position(const ss_build *b)
{
    ss_layer layer = b->snap->view.layer;
    return b->snap->tiled && b->snap->dim < 3 && layer != SS_AGE && layer != SS_OWNER;
}

void ss_build_position(const ss_build *b)
{
    ss_rect r = b->l->panel[SS_PANEL_PROFILE];
    const ss_picture *pic = &b->snap->picture;
    ss_chart *c = &b->s->chart[2];
    double lo = (double)INFINITY, hi = 0;
    bool turns = ss_has_cone(b) && ss_cone_panel(b) == SS_PANEL_PROFILE;
    int from = r.x + 27;
    if (turns)
        from = ss_cone_tabs(b, SS_PANEL_PROFILE);
    else
        ss_build_frame(b, r, "By position in the block");
    bool both = b->snap->dim > 1 && pic->nprofile[0] == pic->nprofile[1];
    ss_layer layer = b->snap->view.layer;
    bool middle = layer == SS_STALENESS && b->snap->dim > 1;
    const char *corner =
        ss_text("mean %s%s%s", ss_layer_symbol(b->snap, layer), middle ? " of middle rows" : "",
                b->snap->dim == 1 ? ""
                : both            ? ", x and y"
                                  : " along x");
    int n = b->snap->tiled && pic->nprofile[0] <= SS_PROFILE_MAX ? pic->nprofile[0] : 0;
    ss_xy *p = ss_scene_points(b->s, n);
    if (ss_is_drawing(b, SS_DRAWN_DEPTH)) {
        sketch_position(b, r, from, "drag from an edge, or type");
        return;
    }
    if (!p || (n = profile_points(pic, p, both, &lo, &hi)) < 2) {
        if (ss_is_drawn(b, SS_DRAWN_DEPTH))
            sketch_position(b, r, from, "your prediction");
        else
            no_profile(b, r);
        return;
    }
    ss_build_unit(b, r, from, corner);
    if (!(hi > 0) && ss_build_zero(b)) {
        ss_build_wrap(b, (ss_rect){r.x + 3, r.y + r.h / 2, r.w - 6, 2}, SS_C_DIM,
                      "0 at every position");
        return;
    }
    ss_rect in = ss_build_chart_room(b, r);
    int width = b->snap->tiling.x.overlap / 2;
    *c = (ss_chart){.x_label = b->edges ? "point of the block" : ""};
    position_axis(&c->x, n, in.w);
    profile_axis(b, &c->y, lo, hi, in.h / 2);
    if (width > 0 && 2 * width < n) {
        c->zone[0][0] = 0, c->zone[0][1] = width - 1;
        c->zone[1][0] = n - width, c->zone[1][1] = n - 1;
        c->nzone = 2;
        c->zone_label = zone_label(in.w * (n - width) / n);
    }
    ss_chart_add(c, (ss_series){.at = p, .n = n, .role = SS_C_SERIES1, .bars = true}, NULL);
    ss_build_drawn(b, c, SS_DRAWN_DEPTH);
    c->x_shift = c->x_scale = 1; /* told from 1 */
    c->x_name = "position in the block", c->y_name = ss_scene_keep(b->s, corner);
    ss_build_chart(b, c, SS_X_POSITION, in, r);
}
