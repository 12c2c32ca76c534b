/* The spectrum of a steady run's error, and how fast the residual of a 3D run falls. See build.h.
 * Main thread only. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ui/panels/build.h"

/* The points of a stretch of bands, each at its band's middle, from band *from on. Bands without
 * modes are left out. A stretch begins and ends at amplitudes below `least`, which it shows on the
 * axis: between two of them there is no line. */
static int points(const ss_bands *bands, double least, int *from, ss_xy *out)
{
    int n = 0;
    for (; *from < bands->n && *from < SS_BAND_MAX; ++*from) {
        double v = bands->rms[*from];
        if (!isfinite(v))
            continue;
        bool ends = v < least && n > 0 && out[n - 1].y > least;
        n -= v < least && n > 0 && !ends; /* only the last one of those below */
        out[n++] = (ss_xy){(*from + 0.5) / bands->n, fmax(v, least)};
        if (ends)
            break;
    }
    return n;
}

static double largest(const ss_bands *bands)
{
    double most = 0;
    for (int i = 0; i < bands->n && i < SS_BAND_MAX; i++)
        if (isfinite(bands->rms[i]))
            most = fmax(most, bands->rms[i]);
    return most;
}

static double smallest(const ss_bands *bands, double least)
{
    double low = (double)INFINITY;
    for (int i = 0; i < bands->n && i < SS_BAND_MAX; i++)
        if (bands->rms[i] > 0)
            low = fmin(low, bands->rms[i]);
    return fmax(low, least);
}

static void add(const ss_build *b, ss_chart *c, const ss_bands *bands, double least,
                const ss_series *how, const char *legend)
{
    for (int from = 0; from < bands->n && c->nseries < SS_SERIES_MAX;) {
        ss_xy *at = ss_scene_points(b->s, bands->n + 1);
        int n = at ? points(bands, least, &from, at) : 0;
        if (n < 2)
            return;
        c->series[c->nseries] = *how;
        c->series[c->nseries].at = at;
        c->series[c->nseries].n = n;
        c->legend[c->nseries++] = legend;
        legend = NULL;
    }
}

/* The name of the present spectrum: a large one may be older than the field. */
static const char *now_text(const ss_build *b)
{
    char text[48], n[32];
    const ss_snapshot *p = b->snap;
    if (p->bands_cycle == (int64_t)p->telemetry.value[SS_T_CYCLE])
        return "now";
    snprintf(text, sizeof text, "cycle %s", ss_count_text((double)p->bands_cycle, n, sizeof n));
    return ss_scene_keep(b->s, text);
}

/* A curve a run, in its colour: where the race is kept level by sweeps, at equal work. */
static void add_racers(const ss_build *b, ss_chart *c, double least)
{
    ss_curve curve[SS_SERIES_MAX];
    int n = ss_race_curves(b->snap, curve);
    for (int i = 0; i < n; i++)
        add(b, c, &b->snap->race.racer[i].bands, least,
            &(ss_series){.role = curve[i].role, .dash = curve[i].dash}, NULL);
}

/* Where the error has no part that the axis holds: said, as there is no curve. */
static void now_is_missing(const ss_build *b, ss_rect r, double least)
{
    char text[96], t[16], value[32] = "0";
    if (largest(&b->snap->bands) > 0)
        snprintf(value, sizeof value, "below %s", ss_tick_text(least, true, t, sizeof t));
    snprintf(text, sizeof text, "%s: %s at every frequency", now_text(b), value);
    if (ss_text_width(text) > r.w - 5)
        snprintf(text, sizeof text, "%s: %s", now_text(b), value);
    ss_build_foot(b, r, r.x + 1, text);
}

/* The axis holds all curves, twelve decades at most. */
static void range(const ss_build *b, double *lo, double *hi)
{
    const ss_snapshot *p = b->snap;
    for (int i = 0; i < p->race.n; i++)
        *hi = fmax(*hi, largest(&p->race.racer[i].bands));
    *hi = pow(10, ceil(log10(*hi)));
    *lo = fmin(smallest(&p->bands, *hi * 1e-12), *hi * 1e-3);
    for (int i = 0; i < p->race.n; i++)
        *lo = fmin(*lo, smallest(&p->race.racer[i].bands, *hi * 1e-12));
}

bool ss_has_bands(const ss_build *b)
{
    return !b->snap->bands_why;
}

void ss_build_bands(const ss_build *b)
{
    const ss_snapshot *p = b->snap;
    ss_rect r = b->l->panel[SS_PANEL_PROFILE];
    ss_chart *c = &b->s->chart[2];
    ss_build_frame(b, r, "Error by frequency");
    ss_build_corner(b, r, r.x + 22, r.w >= 56 ? "rms amplitude of its waves" : "rms amplitude");
    ss_rect in = ss_build_chart_room(b, r);
    double hi = fmax(largest(&p->bands), largest(&p->bands_start)), lo;
    if (p->bands.n < 2 || !(hi > 0)) {
        ss_build_nothing(b, r,
                         p->bands.n > 0             ? "the error is 0 at every frequency"
                         : p->status == SS_DIVERGED ? "the run has diverged"
                         : p->busy_reference ? "computing u*, the exact discrete solution …"
                                             : "waiting for u*, the exact discrete solution");
        return;
    }
    range(b, &lo, &hi);
    *c = (ss_chart){.x_label = b->edges ? "frequency / highest" : ""};
    ss_axis_make(&c->x, 0, 1, false, false, in.w / 8);
    ss_axis_make(&c->y, lo, hi, true, true, in.h / 2);
    c->zone[0][0] = 0.5, c->zone[0][1] = 1;
    c->nzone = 1;
    c->zone_label = in.w >= 40 ? "not resolved by a coarser grid" : "high";
    ss_theme_role start = p->race.n > 0 ? SS_C_DIM : SS_C_SERIES2;
    add(b, c, &p->bands_start, lo, &(ss_series){.role = start, .dots = true}, "start");
    int before = c->nseries;
    if (p->race.n > 0)
        add_racers(b, c, lo);
    else
        add(b, c, &p->bands, lo, &(ss_series){.role = SS_C_SERIES1}, now_text(b));
    if (p->race.n == 0 && c->nseries == before)
        now_is_missing(b, r, lo);
    c->x_name = "frequency / highest", c->y_name = "rms amplitude of the error";
    ss_build_chart(b, c, SS_X_FREQUENCY, in, r);
}

/* "factor 0.9563, predicted 0.9521" */
static void factor_of_cycles(const ss_build *b, ss_rect r)
{
    const ss_telemetry *t = &b->snap->telemetry;
    bool both = r.w >= 40 && t->valid[SS_T_FACTOR] && t->valid[SS_T_PREDICTED];
    ss_telemetry_id one = t->valid[SS_T_FACTOR] ? SS_T_FACTOR : SS_T_PREDICTED;
    char factor[32], predicted[32], text[96];
    if (!t->valid[one] || b->snap->race.n > 0)
        return;
    ss_telemetry_text(b->snap, one, factor, sizeof factor);
    ss_telemetry_text(b->snap, SS_T_PREDICTED, predicted, sizeof predicted);
    snprintf(text, sizeof text, both ? "%s %s per cycle, in the long run %s" : "%s %s per cycle",
             one == SS_T_FACTOR ? "factor" : "predicted in the long run: factor", factor,
             predicted);
    ss_build_foot(b, r, r.x + 1, text);
}

/* On the lower edge of the residual panel: the measured and the predicted factor of a cycle; in 3D
 * the factor of the last cycle and the mean of the last ones. */
void ss_build_factors(const ss_build *b)
{
    const ss_telemetry *t = &b->snap->telemetry;
    ss_rect r = b->l->panel[SS_PANEL_PLOT];
    char last[32], mean[32], text[96];
    if (r.w && b->snap->dim < 3)
        factor_of_cycles(b, r);
    if (!r.w || b->snap->dim < 3 || !t->valid[SS_T_SMOOTHING] || !t->valid[SS_T_CONVERGENCE])
        return;
    snprintf(last, sizeof last, "%.4f", t->value[SS_T_SMOOTHING]);
    snprintf(mean, sizeof mean, "%.4f", t->value[SS_T_CONVERGENCE]);
    snprintf(text, sizeof text, r.w >= 36 ? "last cycle ×%s · mean ×%s" : "×%s · mean ×%s", last,
             mean);
    ss_build_foot(b, r, r.x + 1, text);
}
