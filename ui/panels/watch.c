/* The panels next to the field of a time-dependent run: the space-time diagram, the error over
 * time, the conserved quantities, the energy spectrum. See build.h. Main thread only. */
#include <math.h>
#include <stdio.h>

#include "ui/panels/build.h"

/* --- conserved quantities --------------------------------------------------------------------- */

/* Lower end of the axis: below the rounding of a single addition. */
#define LEAST_DRIFT 1e-17
/* Largest drawn value, since a diverging run exceeds every scale. */
#define ALL_LOST 10.0

static double drift_of(const ss_watched *w, double value, double time)
{
    double scale = fabs(w->first) > 1e-3 ? fabs(w->first) : 1;
    return fabs(ss_watched_drift(w, value, time)) / scale;
}

/* A drift of exactly 0, as at the start, has no place on a logarithmic axis. */
static int drift_points(const ss_build *b, int monitor, ss_xy *out, double *hi)
{
    const ss_snapshot *p = b->snap;
    int n = 0;
    for (int i = 0; i < p->ncurve; i++) {
        double v = drift_of(&p->watched[monitor], p->curve[i].monitor[monitor], p->curve[i].time);
        if (!isfinite(v) || !(v > 0))
            continue;
        v = fmin(v, ALL_LOST);
        *hi = fmax(*hi, v);
        out[n++] = (ss_xy){p->curve[i].time, v};
    }
    return n;
}

/* "|error| / first · mass: 0": what is conserved and has not changed at all has no curve. */
static const char *drift_unit(const ss_build *b, ss_rect r)
{
    const ss_snapshot *p = b->snap;
    const char *text = "|error| / first";
    for (int i = 0; i < p->nwatched; i++) {
        const ss_watched *w = &p->watched[i];
        bool changed = !w->row->conserved || drift_of(w, w->now, w->time) != 0;
        for (int k = 0; k < p->ncurve && !changed; k++)
            changed = drift_of(w, p->curve[k].monitor[i], p->curve[k].time) != 0;
        if (!changed)
            text = ss_text("%s · %s: 0", text, w->row->name);
    }
    return ss_text_parts(text, r.w - 6);
}

static const char *no_drift(const ss_snapshot *p)
{
    bool any = false;
    for (int i = 0; i < p->nwatched; i++)
        any = any || p->watched[i].row->conserved;
    if (!any)
        return "nothing is conserved here";
    return p->telemetry.value[SS_T_STEP] > 0
               ? "no drift so far: each conserved sum has exactly its first value"
               : "no step has been done yet";
}

static double in_time(const ss_build *b, const ss_point *p)
{
    (void)b;
    return p->time;
}

static void drift(const ss_build *b, ss_rect r, ss_chart *c)
{
    const ss_snapshot *p = b->snap;
    double hi = 1e-14, t1 = p->ncurve > 0 ? p->curve[p->ncurve - 1].time : 0;
    for (int i = 0; i < p->nwatched; i++) {
        ss_xy *at = p->watched[i].row->conserved ? ss_scene_points(b->s, p->ncurve) : NULL;
        int n = at ? drift_points(b, i, at, &hi) : 0;
        ss_theme_role role = (ss_theme_role)(SS_C_SERIES1 + c->nseries);
        if (n > 0)
            ss_chart_add(c, (ss_series){.at = at, .n = n, .role = role, .points = n == 1},
                         p->watched[i].row->name);
    }
    ss_past_marks(b, c, in_time);
    for (int i = 0; i < c->nunder; i++)
        t1 = fmax(t1, c->under[i]);
    ss_axis_make(&c->x, 0, t1 > 0 ? t1 : 1, false, false, r.w / 8);
    ss_axis_make(&c->y, LEAST_DRIFT, hi, true, true, r.h / 2);
    if (c->nseries == 0)
        ss_build_wrap(b, ss_rect_inset(r, 8, r.h / 3), SS_C_DIM, no_drift(p));
}

/* --- the error over time ---------------------------------------------------------------------- */

/* Each measurement once; an error of 0, as at the start, has no place on a logarithmic axis. */
static int error_points(const ss_build *b, ss_xy *out, double *lo, double *hi)
{
    const ss_snapshot *p = b->snap;
    int n = 0;
    for (int i = 0; i < p->ncurve; i++) {
        double t = p->curve[i].error_time, v = p->curve[i].error;
        if (!isfinite(v) || !(v > 0) || (n > 0 && !(t > out[n - 1].x)))
            continue;
        v = fmin(v, ALL_LOST);
        *lo = fmin(*lo, v), *hi = fmax(*hi, v);
        out[n++] = (ss_xy){t, v};
    }
    return n;
}

static void error(const ss_build *b, ss_rect r, ss_chart *c)
{
    enum { DECADES = 6 }; /* at most: the first steps are nearly exact */
    double lo = INFINITY, hi = 0;
    ss_xy *at = ss_scene_points(b->s, b->snap->ncurve);
    int n = at ? error_points(b, at, &lo, &hi) : 0;
    if (n == 0) {
        ss_build_wrap(b, ss_rect_inset(r, 3, r.h / 3), SS_C_DIM,
                      b->snap->telemetry.value[SS_T_STEP] > 0 ? "no error yet"
                                                              : "no step has been done yet");
        return;
    }
    lo = fmin(fmax(lo, hi * pow(10, -DECADES)), hi / 2);
    int first = 0;
    while (first < n - 2 && at[first].y < lo)
        first++;
    ss_axis_make(&c->x, 0, at[n - 1].x, false, false, r.w / 8);
    ss_axis_make(&c->y, lo, hi, true, true, r.h / 2);
    n -= first;
    ss_chart_add(c, (ss_series){.at = at + first, .n = n, .role = SS_C_SERIES1, .points = n == 1},
                 NULL);
}

/* --- the spectrum ----------------------------------------------------------------------------- */

/* The number of waves up to the first one beyond which all energies are below `least`: there the
 * line leaves the chart. */
static int waves_above(const ss_xy *at, int n, double least)
{
    int all = n;
    while (n > 1 && !(at[n - 1].y > least))
        n--;
    return n < all ? n + 1 : n;
}

static void spectrum(const ss_build *b, ss_rect r, ss_chart *c)
{
    const ss_snapshot *p = b->snap;
    ss_xy *at = ss_scene_points(b->s, p->nspectrum);
    double hi = 0;
    for (int i = 0; at && i < p->nspectrum; i++) {
        hi = fmax(hi, p->spectrum[i]);
        at[i] = (ss_xy){i + 1, p->spectrum[i]};
    }
    hi = hi > 0 && isfinite(hi) ? pow(10, ceil(log10(hi))) : 1;
    double least = hi * 1e-14;
    int n = at ? waves_above(at, p->nspectrum, least) : 0;
    for (int i = 0; i < n; i++)
        at[i].y = fmax(at[i].y, least);
    ss_axis_make(&c->x, 0, p->nspectrum > 0 ? p->nspectrum : 1, false, false, r.w / 7);
    ss_axis_make(&c->y, least, hi, true, true, r.h / 2);
    if (n > 1)
        ss_chart_add(c, (ss_series){.at = at, .n = n, .role = SS_C_SERIES1}, NULL);
}

/* --- panels ----------------------------------------------------------------------------------- */

static const char *error_unit(const ss_build *b, ss_rect r)
{
    (void)r;
    return ss_text("mean |%s − exact|", b->snap->quantities ? b->snap->quantities[0].symbol : "u");
}

static const ss_chart_panel charts[SS_NSTAGE] = {
    [SS_ACCURACY] = {.unit = error_unit,
                     .fill = error,
                     .x_is = SS_X_TIME,
                     .x_label = "t",
                     .x_name = "t",
                     .y_name = "mean distance to the exact solution"},
    [SS_DRIFT] = {.unit = drift_unit,
                  .fill = drift,
                  .x_is = SS_X_TIME,
                  .x_label = "t",
                  .x_name = "t",
                  .y_name = "|error| / first"},
    [SS_SPECTRUM] = {.words = "energy |u_k|² of wave k",
                     .fill = spectrum,
                     .x_is = SS_X_WAVE,
                     .x_label = "k",
                     .x_name = "wave k",
                     .y_name = "energy |u_k|²"}};

static const char *theatre_unit(const ss_snapshot *p)
{
    const ss_theatre *t = &p->theatre;
    if (p->peek > 0)
        return ss_text("sub-step %d of %d", p->peek, p->per_cycle);
    if (t->swept)
        return ss_text("block %d · %d levels per cycle", t->block, t->levels);
    return ss_text("%d levels", t->levels);
}

/* In a tall panel, the same levels by the classic schedule below the diamonds. */
static void both_theatres(const ss_build *b, ss_rect in)
{
    int dots = b->extent.dots_y, diamonds = (b->snap->theatre.diamonds.rows + dots - 1) / dots + 1;
    if (dots > 2) /* each level as high as the room allows */
        diamonds = in.h * 3 / 5;
    int below = in.h - diamonds - 1;
    if (below < 6) {
        ss_build_theatre(b, in, SS_DIAMONDS);
        return;
    }
    ss_build_theatre(b, ss_rect_top(&in, below > diamonds ? in.h / 2 : diamonds), SS_DIAMONDS);
    ss_rect_top(&in, 1);
    ss_build_theatre(b, in, SS_CLASSIC);
}

/* `from`: the column after the title or the tabs. */
static void content(const ss_build *b, ss_rect r, int from, ss_stage_id which, ss_chart *c)
{
    ss_rect in = ss_layout_inside(b->l, r);
    if (charts[which].fill) {
        ss_build_chart_panel(b, &charts[which], r, from, c);
        return;
    }
    ss_build_unit(b, r, from, which == SS_TIMELINE ? ss_timeline_corner(b) : theatre_unit(b->snap));
    if (which == SS_TIMELINE)
        ss_build_timeline(b, in);
    else if (which == SS_DIAMONDS)
        both_theatres(b, in);
    else
        ss_build_theatre(b, in, which);
}

/* The selected diagram, or its replacement if it is not available. */
ss_stage_id ss_stage_shown(const ss_build *b)
{
    if (!ss_stage_why(b->snap, b->ui->stage))
        return b->ui->stage;
    return b->snap->theatre.swept ? SS_DIAMONDS : SS_CLASSIC;
}

void ss_build_stage(const ss_build *b)
{
    ss_rect r = b->l->panel[SS_PANEL_PLOT];
    bool enabled[SS_NSTAGE];
    if (b->snap->race.n > 0) {
        ss_build_race_costs(b);
        return;
    }
    if (!r.w)
        return;
    for (int i = 0; i < SS_NSTAGE; i++)
        enabled[i] = !ss_stage_why(b->snap, (ss_stage_id)i);
    ss_stage_id shown = ss_stage_shown(b);
    const ss_tabs tabs = {
        ss_stage_names,  NULL, enabled[SS_TIMELINE] ? SS_NSTAGE : SS_TIMELINE, (int)shown, enabled,
        "view stage %s", 0};
    content(b, r, ss_build_tabs(b, r, &tabs), shown, &b->s->chart[1]);
}

/* The diagram of the second panel: another than the first panel's. */
static ss_stage_id companion(const ss_build *b)
{
    static const ss_stage_id order[] = {SS_TIMELINE, SS_SPECTRUM, SS_ACCURACY, SS_DRIFT};
    for (int i = 0; i < 4; i++)
        if (order[i] != ss_stage_shown(b) && !ss_stage_why(b->snap, order[i]))
            return order[i];
    return b->snap->theatre.swept ? SS_DIAMONDS : SS_CLASSIC;
}

void ss_build_watch(const ss_build *b)
{
    ss_rect r = b->l->panel[SS_PANEL_PROFILE];
    ss_stage_id which = companion(b);
    bool visible = ss_stage_shown(b) == SS_SPECTRUM || (r.w && which == SS_SPECTRUM);
    ss_build_want_spectrum(b, visible);
    if (!r.w)
        return;
    char title[32];
    snprintf(title, sizeof title, "%s", ss_stage_names[which]);
    title[0] -= title[0] >= 'a' && title[0] <= 'z' ? 'a' - 'A' : 0;
    ss_build_frame(b, r, title);
    content(b, r, r.x + 4 + ss_text_width(title), which, &b->s->chart[2]);
}

const char *ss_stage_heading(const ss_build *b, bool second)
{
    static const char *const headings[SS_NSTAGE] = {
        [SS_DIAMONDS] = "one cycle, swept and classic: which block computes what when",
        [SS_LANES] = "one cycle: which lanes compute when",
        [SS_CLASSIC] = "one cycle, classic: which block computes what when",
        [SS_ACCURACY] = "error over time",
        [SS_DRIFT] = "conservation error",
        [SS_SPECTRUM] = "energy by wave number",
        [SS_TIMELINE] = "timeline of the modelled ranks"};
    return headings[second ? companion(b) : ss_stage_shown(b)];
}
