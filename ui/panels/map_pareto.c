/* The Pareto chart of a tuning map: each cell is a point, cycles against seconds per cycle. See
 * map.h. Main thread only. */
#include <math.h>
#include <stdio.h>

#include "ui/panels/map.h"

enum { POINTS_MAX = 2048, FRONT_MAX = 128 };

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

static int collect(const ss_build *b, ss_xy **out, extent2 *e)
{
    const ss_map_view *v = b->ui->map.view;
    int n = 0;
    *out = ss_scene_points(b->s, v->n < POINTS_MAX ? v->n : POINTS_MAX);
    for (int i = 0; *out && i < v->n && n < POINTS_MAX; i++) {
        ss_xy p = ss_map_place(v, i);
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

static ss_xy at_cell(const ss_build *b, int cell)
{
    return cell >= 0 ? ss_map_place(b->ui->map.view, cell) : (ss_xy){NAN, NAN};
}

static void explain(const ss_build *b, ss_rect r, const char *why)
{
    ss_build_wrap(b, (ss_rect){r.x + 2, r.y + r.h / 2, r.w - 4, 3}, SS_C_DIM, why);
}

/* --- cycles against seconds per cycle --------------------------------------------------------- */

/* The Pareto front as a staircase: every point above or to the right of it is dominated. */
static void add_front(const ss_build *b, ss_chart *c)
{
    int cell[FRONT_MAX], n = ss_map_front(b->ui->map.view, cell, FRONT_MAX), k = 0;
    ss_xy *at = n > 0 ? ss_scene_points(b->s, 2 * n) : NULL;
    for (int i = 0; at && i < n; i++) {
        ss_xy p = ss_map_place(b->ui->map.view, cell[i]);
        at[k++] = p;
        if (i + 1 < n)
            at[k++] = (ss_xy){p.x, ss_map_place(b->ui->map.view, cell[i + 1]).y};
    }
    add(c, at, k, SS_C_SERIES2, 0, "front");
}

/* The line of equal total time through the fastest cell. */
static void add_fastest(const ss_build *b, ss_chart *c, const extent2 *e)
{
    const ss_map_view *v = b->ui->map.view;
    double least = INFINITY;
    for (int i = 0; i < v->n; i++) {
        ss_xy p = ss_map_place(v, i);
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
    int n = collect(b, &at, &e);
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
    add_one(b, c, at_cell(b, ss_map_cursor(b->ui)), SS_C_ACCENT, "cursor");
    add_one(b, c, at_cell(b, ss_map_here(b->ui, b->snap)), SS_C_SERIES3, "you are here");
    c->x_name = c->x_label, c->y_name = c->y_label;
    ss_build_chart(b, c, SS_X_PACE, l->chart, (ss_rect){0, 0, 0, 0});
}

int ss_map_front_list(const ss_build *b, ss_rect r)
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
