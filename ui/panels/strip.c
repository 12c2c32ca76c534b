/* The timeline of a run, below the header: its curve over cycles, the checkpoints to which it can
 * be rewound, changes of parameters, and the curve ahead of a rewound run. See build.h. Main thread
 * only. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ui/panels/build.h"

enum { LABEL = 12, LEAST_DECADES = 1 };

/* --- curves and checkpoints ------------------------------------------------------------------ */

int ss_past_curves(const ss_snapshot *snap, ss_curve out[SS_SERIES_MAX])
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

/* --- the strip ------------------------------------------------------------------------------- */

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

/* Changes; those that would stand at one place are one, or none if the last one undoes the others.
 */
static void add_flags(const ss_mark *mark, int n, ss_timeline *s, const ss_plot_axis *x,
                      int columns)
{
    for (int i = 0; i < n; i++) {
        const ss_mark *m = &mark[i];
        double at = place(x, (double)m->at.cycle);
        ss_chart_mark *last = s->nflag > 0 ? &s->flag[s->nflag - 1] : NULL;
        if (last && at * columns < last->x * columns + 1 &&
            ss_mark_join(last->text, m->text, last->text, sizeof last->text)) {
            s->nflag -= ss_mark_is_undone(last->text);
            continue;
        }
        if (at < 0)
            continue;
        if (s->nflag == SS_MARKS_MAX)
            memmove(s->flag, s->flag + 1, (size_t)--s->nflag * sizeof *s->flag);
        ss_chart_mark *to = &s->flag[s->nflag++];
        to->x = at;
        snprintf(to->text, sizeof to->text, "%s", m->text);
    }
}

static void fill(const ss_build *b, ss_timeline *s, int columns)
{
    const ss_snapshot *p = b->snap;
    ss_curve curve[SS_SERIES_MAX];
    ss_plot_axis x;
    int n = ss_past_curves(p, curve);
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
    char number[32], text[48];
    if (!r.w)
        return;
    ss_strip_axis(b->snap, &x);
    snprintf(text, sizeof text, "%s cycles", ss_count_text(x.hi, number, sizeof number));
    ss_scene_text_right(b->s, r.x + r.w - 1, r.y + r.h - 1, LABEL + 4, SS_C_DIM,
                        SS_FIGURE | SS_SMALL, text);
    ss_rect in = {r.x + 1, r.y, r.w - ss_text_width(text) - 3, r.h};
    fill(b, &b->s->strip, in.w);
    ss_scene_add(b->s, SS_I_STRIP, in, SS_C_ACCENT)->strip = &b->s->strip;
    ss_scene_hit(b->s, SS_H_STRIP, in, NULL, 0);
}

/* --- as a chart ------------------------------------------------------------------------------- */

/* Residuals of 0 have no place on the logarithmic axis. */
static void add_series(const ss_build *b, ss_chart *c, const ss_curve *from, double *lo, double *hi)
{
    ss_xy *at = ss_scene_points(b->s, from->n);
    ss_series *to = &c->series[c->nseries];
    *to = (ss_series){.at = at, .role = from->role, .dash = from->dash};
    for (int i = 0; at && i < from->n; i++) {
        double r = from->at[i].residual / from->residual0;
        if (!(r > 0) || !isfinite(r))
            continue;
        *lo = fmin(*lo, r), *hi = fmax(*hi, r);
        at[to->n++] = (ss_xy){(double)from->at[i].cycle, r};
    }
    c->legend[c->nseries++] = from->legend;
}

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
    int n = ss_past_curves(b->snap, curve);
    double lo = pow(10, -LEAST_DECADES), hi = 1;
    *c = (ss_chart){.x_label = "cycles", .y_label = "residual / r0", .here = -1};
    c->x_name = "cycles", c->y_name = "residual / initial";
    ss_strip_axis(b->snap, &whole);
    fill(b, &b->s->strip, r.w / FLAG_COLS);
    add_places(c, &b->s->strip, whole.hi);
    ss_axis_make(&c->x, 0, ss_build_axis_end(fmax(whole.hi, LEAST_CYCLES)), false, false, r.w / 6);
    for (int i = 0; i < n; i++)
        add_series(b, c, &curve[i], &lo, &hi);
    ss_axis_make(&c->y, lo, hi > 1.02 ? pow(10, ceil(log10(hi))) : 1, true, true, r.h / 2);
    ss_scene_add(b->s, SS_I_CHART, r, SS_C_TEXT)->chart = c;
}
