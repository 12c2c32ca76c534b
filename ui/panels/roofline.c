/* The roofline of the shown run, in the place of its costs: roofs, one point, and its trail of the
 * last half minute. See build.h. Main thread only. */
#include <math.h>
#include <stdio.h>

#include "ui/panels/build.h"

#define WIDE 8 /* the axes reach beyond the point by this factor */

void ss_roof_lines(const ss_build *b, ss_chart *c, const ss_roofs *r, double x0, double x1)
{
    for (int i = r->n - 1; i >= 0; i--) {
        ss_xy *at = c->nseries < SS_SERIES_MAX ? ss_scene_points(b->s, 3) : NULL;
        if (!at)
            return;
        double ridge = r->rate > 0 ? r->rate / r->roof[i].bandwidth : x1;
        ridge = fmin(fmax(ridge, x0), x1);
        at[0] = (ss_xy){x0, ss_roofs_at(r, i, x0)};
        at[1] = (ss_xy){ridge, ss_roofs_at(r, i, ridge)};
        at[2] = (ss_xy){x1, ss_roofs_at(r, i, x1)};
        ss_theme_role role = i == 0 ? SS_C_TEXT : SS_C_DIM;
        c->legend[c->nseries] = NULL;
        c->series[c->nseries++] =
            (ss_series){.at = at, .n = 3, .role = role, .dash = i == 0 ? 0 : 3};
        c->note[c->nnote++] = (ss_chart_note){at[0], r->roof[i].name, role};
    }
}

static void add_points(const ss_build *b, ss_chart *c, const ss_xy *from, int n, int points,
                       ss_theme_role role)
{
    ss_xy *at = n > 0 && c->nseries < SS_SERIES_MAX ? ss_scene_points(b->s, n) : NULL;
    for (int i = 0; at && i < n; i++)
        at[i] = from[i];
    if (at)
        c->series[c->nseries++] = (ss_series){.at = at, .n = n, .role = role, .points = points};
}

static const char *why_nothing(const ss_build *b)
{
    const ss_roofing *r = &b->ui->roof;
    return b->snap->deterministic ? "with --deterministic nothing is measured"
           : r->failed            ? "the bandwidths of this machine could not be measured"
           : !r->roofs ? "measuring the bandwidths of memory and caches, a few seconds …"
                       : "the run is not measured yet; space goes on";
}

static void describe(const ss_build *b, ss_rect in)
{
    char why[240];
    const ss_roofing *r = &b->ui->roof;
    const ss_roof_point p = {r->at.x, r->at.y, b->snap->threads, b->snap->working_set};
    ss_build_wrap(b, in, SS_C_TEXT, ss_roofs_explain(r->roofs, &p, why, sizeof why));
}

void ss_build_roofline(const ss_build *b, ss_rect panel)
{
    enum { WORDS = 2, LEAST = 5, NAMES = 12 };
    const ss_roofing *r = &b->ui->roof;
    ss_rect in = ss_layout_inside(b->l, panel);
    if (!r->roofs || r->roofs->n == 0 || isnan(r->at.x)) {
        ss_build_nothing(b, panel, why_nothing(b));
        return;
    }
    ss_chart *c = &b->s->chart[3];
    double x0 = r->at.x / WIDE, x1 = r->at.x * WIDE, top = r->at.y;
    *c = (ss_chart){.x_label = "op/B", .y_label = "op/s"};
    for (int i = 0; i < r->n; i++)
        x0 = fmin(x0, r->trail[i].x / 2), x1 = fmax(x1, r->trail[i].x * 2);
    for (int i = 0; i < r->roofs->n; i++)
        top = fmax(top, ss_roofs_at(r->roofs, i, x1));
    ss_rect chart = {in.x, in.y, in.w, in.h - (in.h >= LEAST + WORDS ? WORDS : 0)};
    ss_axis_make(&c->x, x0, x1, true, false, chart.w / 7);
    ss_axis_make(&c->y, fmin(ss_roofs_at(r->roofs, 0, x0), r->at.y) / 2, top * 1.5, true, false,
                 chart.h / 2);
    ss_roof_lines(b, c, r->roofs, c->x.lo, c->x.hi);
    if (chart.h < NAMES && c->nnote > 1) /* no room but for the name of memory, the last one */
        c->note[0] = c->note[c->nnote - 1], c->nnote = 1;
    add_points(b, c, r->trail, r->n, 1, SS_C_SERIES3);
    add_points(b, c, &r->at, 1, 2, SS_C_SERIES3);
    c->x_name = "operations per byte", c->y_name = "operations per second";
    ss_build_chart(b, c, SS_X_INTENSITY, chart, panel);
    if (chart.h < in.h)
        describe(b, (ss_rect){in.x, in.y + chart.h, in.w, in.h - chart.h});
}
