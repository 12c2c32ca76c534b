/* The two charts of a tuning map, in which a cell is a point: cycles against seconds per cycle
 * with the Pareto front, and the roofline. See map.h. Main thread only. */
#include <math.h>
#include <stdio.h>

#include "ui/panels/map.h"

enum { POINTS_MAX = 2048, FRONT_MAX = 128 };
#define BELOW 1.4 /* room for the name of the memory roof */
#define WIDER 20  /* to show the roofs, the axis begins at 1/20 of the smallest point or above */

/* --- points ----------------------------------------------------------------------------------- */

typedef struct extent2 {
    double x0, x1, y0, y1;
} extent2;

static void extend(extent2 *e, ss_xy p)
{
    if (!isfinite(p.x) || !isfinite(p.y) || p.x <= 0 || p.y <= 0)
        return;
    e->x0 = fmin(e->x0, p.x), e->x1 = fmax(e->x1, p.x);
    e->y0 = fmin(e->y0, p.y), e->y1 = fmax(e->y1, p.y);
}

static ss_series *add(ss_chart *c, const ss_xy *at, int n, ss_theme_role role, int points,
                      const char *legend)
{
    if (c->nseries == SS_SERIES_MAX || !at || n <= 0)
        return NULL;
    c->legend[c->nseries] = legend;
    c->series[c->nseries] = (ss_series){.at = at, .n = n, .role = role, .points = points};
    return &c->series[c->nseries++];
}

/* A single point as a series of its own. */
static void add_one(const ss_build *b, ss_chart *c, ss_xy p, ss_theme_role role, const char *legend)
{
    ss_xy *at = isfinite(p.x) && isfinite(p.y) ? ss_scene_points(b->s, 1) : NULL;
    if (at)
        *at = p;
    add(c, at, 1, role, 2, legend);
}

typedef ss_xy place_of(const ss_map_view *v, int cell);

static int collect(const ss_build *b, place_of *of, ss_xy **out, extent2 *e)
{
    const ss_map_view *v = b->ui->map.view;
    int n = 0;
    *out = ss_scene_points(b->s, v->n < POINTS_MAX ? v->n : POINTS_MAX);
    for (int i = 0; *out && i < v->n && n < POINTS_MAX; i++) {
        ss_xy p = of(v, i);
        if (!isfinite(p.x) || !isfinite(p.y))
            continue;
        extend(e, p);
        (*out)[n++] = p;
    }
    return n;
}

/* Axis limits slightly beyond the visible points. */
static void axes(ss_chart *c, const extent2 *e, ss_rect r)
{
    ss_axis_make(&c->x, e->x0 / 1.3, e->x1 * 1.3, true, e->x1 < 3 * e->x0, r.w / 9);
    ss_axis_make(&c->y, e->y0 / 1.3, e->y1 * 1.3, true, e->y1 < 3 * e->y0, r.h / 2);
}

static ss_xy at_cell(const ss_build *b, place_of *of, int cell)
{
    return cell >= 0 ? of(b->ui->map.view, cell) : (ss_xy){NAN, NAN};
}

static void explain(const ss_build *b, ss_rect r, const char *why)
{
    ss_build_wrap(b, (ss_rect){r.x + 2, r.y + r.h / 2, r.w - 4, 3}, SS_C_DIM, why);
}

/* --- cycles against seconds per cycle --------------------------------------------------------- */

static ss_xy pareto_place(const ss_map_view *v, int cell)
{
    return ss_map_place(v, SS_PAGE_PARETO, cell);
}

/* The Pareto front as a staircase: every point above or to the right of it is dominated. */
static void add_front(const ss_build *b, ss_chart *c)
{
    int cell[FRONT_MAX], n = ss_map_front(b->ui->map.view, cell, FRONT_MAX), k = 0;
    ss_xy *at = n > 0 ? ss_scene_points(b->s, 2 * n) : NULL;
    for (int i = 0; at && i < n; i++) {
        ss_xy p = pareto_place(b->ui->map.view, cell[i]);
        at[k++] = p;
        if (i + 1 < n)
            at[k++] = (ss_xy){p.x, pareto_place(b->ui->map.view, cell[i + 1]).y};
    }
    add(c, at, k, SS_C_SERIES2, 0, "front");
}

/* The line of equal total time through the fastest cell. */
static void add_fastest(const ss_build *b, ss_chart *c, const extent2 *e)
{
    const ss_map_view *v = b->ui->map.view;
    double least = INFINITY;
    for (int i = 0; i < v->n; i++) {
        ss_xy p = pareto_place(v, i);
        least = fmin(least, isfinite(p.x) ? p.x * p.y : (double)INFINITY);
    }
    ss_xy *at = isfinite(least) ? ss_scene_points(b->s, 2) : NULL;
    if (!at)
        return;
    at[0] = (ss_xy){e->x0 / 2, least / (e->x0 / 2)};
    at[1] = (ss_xy){e->x1 * 2, least / (e->x1 * 2)};
    ss_series *s = add(c, at, 2, SS_C_SERIES4, 0, "same total time");
    if (s)
        s->dash = 3;
}

void ss_map_pareto(const ss_build *b, const ss_map_layout *l)
{
    ss_chart *c = &b->s->chart[0];
    extent2 e = {INFINITY, -INFINITY, INFINITY, -INFINITY};
    ss_xy *at;
    int n = collect(b, pareto_place, &at, &e);
    if (n == 0) {
        explain(b, l->chart,
                b->ui->map.view->clock ? "no cell has cycles and seconds yet"
                                       : "with --deterministic no seconds are measured");
        return;
    }
    *c = (ss_chart){.x_label = "seconds per cycle", .y_label = "cycles"};
    axes(c, &e, l->chart);
    add_fastest(b, c, &e);
    add_front(b, c);
    add(c, at, n, SS_C_SERIES1, 1, "cells");
    add_one(b, c, at_cell(b, pareto_place, ss_map_cursor(b->ui)), SS_C_ACCENT, "cursor");
    add_one(b, c, at_cell(b, pareto_place, ss_map_here(b->ui, b->snap)), SS_C_SERIES3,
            "you are here");
    c->x_name = c->x_label, c->y_name = c->y_label;
    ss_build_chart(b, c, SS_X_PACE, l->chart, (ss_rect){0, 0, 0, 0});
}

static int list_front(const ss_build *b, ss_rect r)
{
    const ss_map_view *v = b->ui->map.view;
    int cell[FRONT_MAX], n = ss_map_front(v, cell, FRONT_MAX), y = 0;
    char name[160], total[40];
    if (r.h < 3 || n == 0)
        return 0;
    ss_scene_text(b->s, r.x, r.y + y++, r.w, SS_C_SERIES2, SS_BOLD, "Pareto front, total seconds");
    for (int i = 0; i < n && y < r.h - 3; i++, y++) {
        ss_format_si(v->cell[cell[i]].seconds, "s", total, sizeof total);
        int w = ss_text_width(total);
        ss_scene_text(b->s, r.x, r.y + y, r.w - w - 2, SS_C_DIM, 0,
                      ss_map_cell_name(v, cell[i], name, sizeof name));
        ss_scene_text_right(b->s, r.x + r.w, r.y + y, w, SS_C_TEXT, SS_FIGURE, total);
    }
    return y;
}

/* --- operations per byte against operations per second ---------------------------------------- */

static ss_xy roof_place(const ss_map_view *v, int cell)
{
    return ss_map_place(v, SS_PAGE_ROOFLINE, cell);
}

static void add_trail(const ss_build *b, ss_chart *c)
{
    const ss_map_ui *m = &b->ui->map;
    bool now = isfinite(m->at.x);
    int n = m->ntrail + now;
    ss_xy *at = m->ntrail > 0 ? ss_scene_points(b->s, n) : NULL;
    for (int i = 0; at && i < m->ntrail; i++)
        at[i] = m->trail[i];
    if (at && now)
        at[m->ntrail] = m->at;
    add(c, at, n, SS_C_SERIES3, 0, "trail");
    add_one(b, c, m->at, SS_C_SERIES3, "the run");
}

/* The operations per byte where the fastest roof meets the rate of arithmetic: left of it the roofs
 * lie apart. */
static double first_ridge(const ss_roofs *r)
{
    double ridge = INFINITY;
    for (int i = 0; i < r->n && r->rate > 0; i++)
        ridge = fmin(ridge, r->rate / r->roof[i].bandwidth);
    return ridge;
}

/* Why there is nothing to draw. */
static const char *why_no_roofline(const ss_map_view *v)
{
    return v->measuring      ? "measuring the bandwidths of memory and caches, a few seconds …"
           : *v->error       ? v->error
           : v->no_roofs     ? "the bandwidths of this machine could not be measured"
           : v->roofs.n == 0 ? "the bandwidths of this machine are not known yet"
           : v->apart ? "the run is not measured yet; its cells are measured on the CPU, and "
                        "are no points under the roofs of the device"
                      : "no cell has bytes and seconds yet";
}

void ss_map_roofline(const ss_build *b, const ss_map_layout *l)
{
    static const char *const titles[SS_NROOF_CLOCK][2] = {
        [SS_ROOF_THREAD] =
            {"operations per second of CPU time, one thread",
             "operations per second of CPU time, measured while the machine was busy"},
        [SS_ROOF_WALL] = {"operations per second",
                          "operations per second, measured while the machine was busy"},
        [SS_ROOF_DEVICE] = {"operations per second", "operations per second"}};
    const ss_map_ui *m = &b->ui->map;
    const ss_roofs *r = &m->view->roofs;
    ss_chart *c = &b->s->chart[0];
    extent2 e = {INFINITY, -INFINITY, INFINITY, -INFINITY};
    ss_xy *at;
    int n = collect(b, roof_place, &at, &e);
    extend(&e, m->at);
    for (int i = 0; i < m->ntrail; i++)
        extend(&e, m->trail[i]);
    if (r->n == 0 || !(e.x1 > 0)) {
        explain(b, l->chart, why_no_roofline(m->view));
        return;
    }
    e.x0 = fmin(e.x0, fmax(first_ridge(r), e.x0 / WIDER));
    for (int i = 0; i < r->n; i++) {
        extend(&e, (ss_xy){e.x0, ss_roofs_at(r, i, e.x0)});
        extend(&e, (ss_xy){e.x1, ss_roofs_at(r, i, e.x1)});
    }
    extend(&e, (ss_xy){e.x0, ss_roofs_at(r, 0, e.x0) / BELOW});
    *c = (ss_chart){.x_label = "operations per byte",
                    .y_label = titles[r->clock][r->busy > SS_ROOFS_BUSY]};
    axes(c, &e, l->chart);
    ss_roof_lines(b, c, r, c->x.lo, 4 * e.x1);
    if (c->nseries > 0)
        c->legend[c->nseries - 1] = "roof";
    add(c, at, n, SS_C_SERIES1, 1, "cells");
    add_one(b, c, at_cell(b, roof_place, ss_map_cursor(b->ui)), SS_C_ACCENT, "cursor");
    add_trail(b, c);
    c->x_name = c->x_label, c->y_name = c->y_label;
    ss_build_chart(b, c, SS_X_INTENSITY, l->chart, (ss_rect){0, 0, 0, 0});
}

static int describe_point(const ss_build *b, ss_rect r, const char *label, ss_theme_role role,
                          const ss_roof_point *p)
{
    char text[400], rate[40], each[32], why[240];
    const ss_roofs *roofs = &b->ui->map.view->roofs;
    if (!isfinite(p->intensity) || !isfinite(p->rate) || roofs->n == 0)
        return 0;
    ss_format_si(p->rate, "op/s", rate, sizeof rate);
    snprintf(text, sizeof text, "%s: %s operations per byte, %s%s, %s", label,
             ss_figure_text(p->intensity, each, sizeof each), rate,
             roofs->clock == SS_ROOF_THREAD && p->threads > 1 ? " per thread" : "",
             ss_roofs_explain(roofs, p, why, sizeof why));
    return ss_build_wrap(b, r, role, text);
}

/* The bandwidths, and how they were measured. */
static int describe_roofs(const ss_build *b, ss_rect in)
{
    char text[400] = "", one[40], how[120];
    const ss_roofs *r = &b->ui->map.view->roofs;
    size_t n = 0;
    for (int i = 0; i < r->n && n < sizeof text; i++)
        n += (size_t)snprintf(text + n, sizeof text - n, "%s%s %s",
                              i ? ", " : "the roofs: ", r->roof[i].name,
                              ss_format_si(r->roof[i].bandwidth, "B/s", one, sizeof one));
    if (r->rate > 0 && n < sizeof text)
        n += (size_t)snprintf(text + n, sizeof text - n, ", matrix product %s",
                              ss_format_si(r->rate, "op/s", one, sizeof one));
    if (n < sizeof text)
        snprintf(text + n, sizeof text - n, "; %s%s", ss_roofs_measured(r, how, sizeof how),
                 b->ui->map.view->apart ? "; the cells, measured on the CPU, are not drawn" : "");
    return ss_build_wrap(b, in, SS_C_TEXT, text);
}

static ss_roof_point point_of_cell(const ss_build *b)
{
    const ss_map_view *v = b->ui->map.view;
    int cell = ss_map_cursor(b->ui);
    ss_xy p = at_cell(b, roof_place, cell);
    return (ss_roof_point){.intensity = p.x,
                           .rate = p.y,
                           .threads = v->roofs.threads,
                           .set = cell >= 0 ? v->cell[cell].set : (ss_working_set){0, 0}};
}

static int describe_roof(const ss_build *b, ss_rect r)
{
    const ss_map_ui *m = &b->ui->map;
    const ss_roof_point run = {m->at.x, m->at.y, m->threads, m->set}, cell = point_of_cell(b);
    if (m->view->roofs.n == 0)
        return 0;
    int y = describe_point(b, r, "the run", SS_C_SERIES3, &run);
    ss_rect more = {r.x, r.y + y, r.w, r.h - y};
    y += describe_point(b, more, "the cell", SS_C_ACCENT, &cell);
    more = (ss_rect){r.x, r.y + y, r.w, r.h - y};
    return y + describe_roofs(b, more);
}

static int no_remarks(const ss_build *b, ss_rect r)
{
    (void)b, (void)r;
    return 0;
}

int ss_map_remarks(const ss_build *b, ss_rect r)
{
    static int (*const remarks[SS_NPAGE])(const ss_build *,
                                          ss_rect) = {[SS_PAGE_MAP] = no_remarks,
                                                      [SS_PAGE_PARETO] = list_front,
                                                      [SS_PAGE_ROOFLINE] = describe_roof};
    return r.h > 0 ? remarks[b->ui->map.page](b, r) : 0;
}
