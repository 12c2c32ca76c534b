/* Charts as cells: the labels of axes, also of a picture; curves of quadrants or braille, bars of
 * eighths, marks. See cells.h. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ui/cells/cells.h"
#include "ui/scene/plot.h"
#include "ui/scene/place.h"

/* --- labels of axes --------------------------------------------------------------------------- */

/* Tick labels and title on row y below r. */
static void paint_axis_across(const ss_canvas *c, const ss_plot_axis *a, ss_rect r, int y,
                              const char *title)
{
    ss_label label[SS_TICK_MAX];
    const ss_tick *tick[SS_TICK_MAX];
    int n = 0, wide = title ? ss_text_width(title) : 0;
    for (int i = 0; i < a->ntick; i++) {
        const ss_tick *t = ss_axis_tick(a, i);
        double at = floor(ss_axis_at(a, t->at) * (r.w - 1) + 0.5);
        if (!(at >= 0 && at < r.w))
            continue;
        int w = ss_text_width(t->label), x = (int)at - w / 2;
        x = x + w > r.w ? r.w - w : x < 0 ? 0 : x;
        tick[n] = t;
        label[n++] = (ss_label){.x = r.x + x, .w = w};
    }
    double place = ss_labels_on_axis(label, n, r.x, r.x + r.w, 1, wide);
    for (int i = 0; i < n; i++)
        if (label[i].shown)
            ss_canvas_text(c, (int)label[i].x, y, (int)label[i].w, SS_C_FAINT, 0, tick[i]->label);
    if (!isnan(place))
        ss_canvas_text(c, (int)place, y, wide, SS_C_DIM, 0, title);
}

/* Tick labels left of column `right`, beside r. */
static void paint_axis_up(const ss_canvas *c, const ss_plot_axis *a, int right, ss_rect r)
{
    int last = r.y + r.h + 1;
    for (int i = 0; i < a->ntick; i++) {
        const ss_tick *t = ss_axis_tick(a, i);
        double at = ss_axis_at(a, t->at);
        if (!(at > -1 && at < 2))
            continue;
        int y = r.y + (int)floor((1 - at) * (r.h - 1) + 0.5), n = ss_text_width(t->label);
        if (y < r.y || y >= r.y + r.h || y >= last)
            continue;
        last = y;
        ss_canvas_text(c, right - 1 - n, y, n, SS_C_FAINT, 0, t->label);
    }
}

void ss_paint_edge(const ss_canvas *c, const ss_item *item)
{
    const ss_edge_axis *e = item->edge;
    ss_rect r = item->rect;
    if (!e->up) {
        paint_axis_across(c, &e->axis, r, r.y, e->title);
        return;
    }
    paint_axis_up(c, &e->axis, r.x + r.w, r);
    for (int i = 0; i < e->nmark; i++) {
        double at = ss_axis_at(&e->axis, e->mark[i]);
        if (at >= 0 && at <= 1)
            ss_canvas_put(c, r.x + r.w - 1, r.y + (int)floor((1 - at) * (r.h - 1) + 0.5),
                          c->how->glyphs->ascii ? '-' : 0x2576, SS_C_ACCENT);
    }
}

#define DOT_COLS 512
#define DOT_ROWS 256
enum { BRAILLE = 0x2800 };

/* The data rectangle of the chart, and the dots of the series being drawn. */
typedef struct field {
    const ss_canvas *c;
    const ss_chart *chart;
    ss_rect r;
    int dx, dy; /* dots per cell */
    unsigned char dot[DOT_ROWS][DOT_COLS];
} field;

static int column(const field *f, double x)
{
    double t = ss_axis_at(&f->chart->x, x);
    return t < -1 || t > 2 || t != t ? -1 : f->r.x + (int)floor(t * (f->r.w - 1) + 0.5);
}

static int row(const field *f, double y)
{
    double t = ss_axis_at(&f->chart->y, y);
    return t < -1 || t > 2 || t != t ? -1 : f->r.y + (int)floor((1 - t) * (f->r.h - 1) + 0.5);
}

static bool inside_x(const field *f, int x)
{
    return x >= f->r.x && x < f->r.x + f->r.w;
}

static bool inside_y(const field *f, int y)
{
    return y >= f->r.y && y < f->r.y + f->r.h;
}

static void paint_y_axis(const field *f)
{
    for (int i = 0; i < f->chart->y.ntick; i++) {
        int y = row(f, f->chart->y.tick[i].at);
        for (int x = f->r.x; inside_y(f, y) && x < f->r.x + f->r.w; x++)
            ss_canvas_put(f->c, x, y, f->c->how->glyphs->grid, SS_C_LINE);
    }
    paint_axis_up(f->c, &f->chart->y, f->r.x, f->r);
}

static void paint_zones(const field *f)
{
    ss_rgb shade = f->c->scene->theme->color[SS_C_SHADE];
    for (int i = 0; i < f->chart->nzone; i++) {
        int x0 = column(f, f->chart->zone[i][0]), x1 = column(f, f->chart->zone[i][1]);
        for (int x = x0; x <= x1; x++)
            for (int y = f->r.y; y < f->r.y + f->r.h && inside_x(f, x); y++)
                ss_canvas_cell(f->c, x, y)->bg = shade;
    }
}

static int legend(const field *f, bool paint);

/* Labels of the marks, and the order of the marks by position. */
static int flags_of(const field *f, ss_flag *flag, int *mark)
{
    int n = 0;
    for (int i = 0; i < f->chart->nmark; i++) {
        int x = column(f, f->chart->mark[i].x), at = n;
        if (!inside_x(f, x))
            continue;
        for (; at > 0 && flag[at - 1].x > x; at--)
            flag[at] = flag[at - 1], mark[at] = mark[at - 1];
        flag[at] = (ss_flag){.x = x, .w = ss_text_width(f->chart->mark[i].text)};
        mark[at] = i;
        n++;
    }
    ss_labels_of_marks(flag, n, f->r.x, f->r.x + f->r.w, 1, f->r.h / 2);
    return n;
}

static void paint_verticals(const field *f)
{
    for (int i = 0; i < f->chart->nedge; i++) {
        int x = column(f, f->chart->edge[i]);
        for (int y = f->r.y; y < f->r.y + f->r.h && inside_x(f, x); y++)
            ss_canvas_put(f->c, x, y, f->c->how->glyphs->mark, SS_C_LINE);
    }
    ss_flag flag[SS_MARKS_MAX];
    int mark[SS_MARKS_MAX], n = flags_of(f, flag, mark), under = legend(f, false);
    for (int i = 0; i < n; i++) /* from its label down */
        for (int y = f->r.y + (flag[i].shown ? under + flag[i].row : 0); y < f->r.y + f->r.h; y++)
            ss_canvas_put(f->c, (int)flag[i].x, y, f->c->how->glyphs->mark, SS_C_ACCENT);
}

/* --- curves ----------------------------------------------------------------------------------- */

static void set_dot(field *f, int x, int y)
{
    if (x >= 0 && y >= 0 && x < f->r.w * f->dx && y < f->r.h * f->dy && x < DOT_COLS &&
        y < DOT_ROWS)
        f->dot[y][x] = 1;
}

/* Dash patterns: the period in dots, and the dots that are set. */
static const struct {
    int n;
    unsigned on;
} dashes[] = {{1, 1}, {6, 0xf}, {8, 0x2f}, {4, 0x3}, {10, 0xff}, {12, 0x2bf}};

static void line(field *f, int x0, int y0, int x1, int y1, const ss_series *s)
{
    int n = abs(x1 - x0) > abs(y1 - y0) ? abs(x1 - x0) : abs(y1 - y0);
    for (int i = 0; i <= n; i++) {
        int x = n ? x0 + (int)lround((double)(x1 - x0) * i / n) : x0;
        int y = n ? y0 + (int)lround((double)(y1 - y0) * i / n) : y0;
        bool dash = dashes[s->dash].on >> abs(x + y) % dashes[s->dash].n & 1;
        if (dash && (!s->dots || (x / 2) % 2 == 0))
            set_dot(f, x, y);
    }
}

static uint32_t dot_glyph(const field *f, int x, int y)
{
    static const unsigned char braille[4][2] = {{1, 8}, {2, 16}, {4, 32}, {64, 128}};
    const ss_glyphs *g = f->c->how->glyphs;
    unsigned bits = 0;
    for (int j = 0; j < f->dy; j++)
        for (int i = 0; i < f->dx; i++)
            if (f->dot[y * f->dy + j][x * f->dx + i])
                bits |= g->curve ? 1U << (j * f->dx + i) : braille[j][i];
    return !bits ? 0 : g->curve ? g->curve[bits] : BRAILLE + bits;
}

static void paint_curve(field *f, const ss_series *s)
{
    int w = f->r.w * f->dx, h = f->r.h * f->dy, px = 0, py = 0;
    bool pen = false;
    memset(f->dot, 0, sizeof f->dot);
    for (int i = 0; i < s->n; i++) {
        double tx = ss_axis_at(&f->chart->x, s->at[i].x), ty = ss_axis_at(&f->chart->y, s->at[i].y);
        if (!(tx > -4 && tx < 5) || ty != ty) {
            pen = false;
            continue;
        }
        ty = ty < -2 ? -2 : ty > 3 ? 3 : ty;
        int x = (int)floor(tx * (w - 1) + 0.5), y = (int)floor((1 - ty) * (h - 1) + 0.5);
        line(f, pen ? px : x, pen ? py : y, x, y, s);
        px = x, py = y, pen = true;
    }
    for (int y = 0; y < f->r.h && (y + 1) * f->dy <= DOT_ROWS; y++)
        for (int x = 0; x < f->r.w && (x + 1) * f->dx <= DOT_COLS; x++) {
            uint32_t ch = dot_glyph(f, x, y);
            if (ch)
                ss_canvas_put(f->c, f->r.x + x, f->r.y + y, ch, s->role);
        }
}

static const uint32_t point_marks[][2] = {{0x2022, 'o'}, {0x25c6, '@'}}; /* small, large; ASCII */

static void paint_points(const field *f, const ss_series *s)
{
    for (int i = 0; i < s->n; i++) {
        int x = column(f, s->at[i].x), y = row(f, s->at[i].y);
        if (!inside_x(f, x) || !inside_y(f, y))
            continue;
        ss_canvas_put(f->c, x, y, point_marks[s->points > 1][f->c->how->glyphs->ascii], s->role);
        ss_canvas_cell(f->c, x, y)->attr |= s->points > 1 ? SS_BOLD : 0;
    }
}

static bool in_zone(const field *f, int x)
{
    for (int i = 0; i < f->chart->nzone; i++)
        if (x >= column(f, f->chart->zone[i][0]) && x <= column(f, f->chart->zone[i][1]))
            return true;
    return false;
}

/* A value above 0 that the axis does not reach down to. */
static void paint_stub(const field *f, int x, ss_theme_role role)
{
    ss_canvas_put(f->c, x, f->r.y + f->r.h - 1, f->c->how->glyphs->ascii ? 'v' : 0x25be, role);
}

/* Bars stand on the axis; if there are more bars than columns, a column shows the tallest. */
static void paint_bars(const field *f, const ss_series *s)
{
    for (int x = 0; x < f->r.w; x++) {
        int i0 = (int)((int64_t)x * s->n / f->r.w), i1 = (int)((int64_t)(x + 1) * s->n / f->r.w);
        double t = -INFINITY;
        for (int i = i0; i < s->n && (i < i1 || i == i0); i++) {
            double v = ss_axis_at(&f->chart->y, s->at[i].y);
            t = v > t ? v : t;
        }
        int eighths = t <= 0 ? 0 : (int)ceil((t > 1 ? 1 : t) * 8 * f->r.h - 0.5);
        bool away = in_zone(f, f->r.x + x), below = f->chart->y.log && t <= 0 && isfinite(t);
        eighths += t > 0 && eighths == 0;
        if (below)
            paint_stub(f, f->r.x + x, away ? SS_C_ACCENT : s->role);
        ss_rgb ground = f->c->scene->theme->color[SS_C_PANEL];
        for (int y = f->r.h - 1; y >= 0 && eighths > 0; y--, eighths -= 8) {
            ss_canvas_put(f->c, f->r.x + x, f->r.y + y,
                          f->c->how->glyphs->bar[eighths > 8 ? 8 : eighths],
                          away ? SS_C_ACCENT : s->role);
            ss_term_cell *cell = ss_canvas_cell(f->c, f->r.x + x, f->r.y + y);
            cell->fg = ss_rgb_mix(cell->fg, ground, 0.35);
        }
    }
}

/* --- labels, last ----------------------------------------------------------------------------- */

/* A piece of a curve, or its point. */
static void paint_piece(const ss_canvas *c, int x, int y, int w, ss_theme_role role, int dash,
                        int points)
{
    static const uint32_t lines[][2][2] = {
        {{0x2501, 0x2501}, {'-', '-'}}, {{0x2578, 0x2578}, {'-', ' '}},
        {{0x2501, 0xb7}, {'-', '.'}},   {{0xb7, 0xb7}, {'.', '.'}},
        {{0x2501, 0x2578}, {'=', '-'}}, {{0x2578, 0xb7}, {'=', '.'}}};
    bool ascii = c->how->glyphs->ascii;
    for (int i = 0; i < w; i++)
        ss_canvas_put(c, x + i, y,
                      !points  ? lines[dash][ascii][i % 2]
                      : i == 0 ? point_marks[points > 1][ascii]
                               : ' ',
                      role);
}

void ss_paint_sample(const ss_canvas *c, const ss_item *item)
{
    paint_piece(c, item->rect.x, item->rect.y, item->rect.w, item->role, item->dash, 0);
}

/* A hidden curve has an empty sample and a faint name. */
static void paint_entry(const field *f, int i, ss_rect at)
{
    const ss_series *s = &f->chart->series[i];
    int x = at.x, w = at.w;
    ss_theme_role role = s->hidden ? SS_C_FAINT : s->role;
    for (int k = -1; k <= w; k++)
        ss_canvas_put(f->c, x + k, at.y, ' ', SS_C_TEXT);
    if (ss_series_has_piece(s)) {
        if (s->hidden)
            ss_canvas_put(f->c, x, at.y, f->c->how->glyphs->ascii ? 'x' : 0xd7, role);
        else
            paint_piece(f->c, x, at.y, 2, role, s->dots ? 3 : s->dash, s->points);
        x += 3, w -= 3;
    }
    ss_canvas_text(f->c, x, at.y, w, role, 0, f->chart->legend[i]);
}

/* Returns the rows used. */
static int legend(const field *f, bool paint)
{
    ss_rect entry[SS_SERIES_MAX];
    int rows = ss_chart_legend(f->chart, f->r, entry);
    for (int i = 0; paint && i < f->chart->nseries; i++)
        if (entry[i].w > 0)
            paint_entry(f, i, entry[i]);
    return rows;
}

static void paint_marks(const field *f)
{
    ss_flag flag[SS_MARKS_MAX];
    int mark[SS_MARKS_MAX], n = flags_of(f, flag, mark), top = f->r.y + legend(f, false);
    for (int i = 0; i < n; i++)
        if (flag[i].shown)
            ss_canvas_text(f->c, (int)flag[i].at, top + flag[i].row, (int)flag[i].w, SS_C_ACCENT, 0,
                           f->chart->mark[mark[i]].text);
}

/* Only grid lines between two names and curves? */
static bool is_free(const field *f, int x, int y, int w)
{
    for (int i = 0; i < w; i++) {
        uint32_t ch = inside_x(f, x + i) && inside_y(f, y) ? ss_canvas_cell(f->c, x + i, y)->ch : 0;
        if (ch != ' ' && ch != f->c->how->glyphs->grid)
            return false;
    }
    return true;
}

/* Below the beginning of a line, else above; not at all over data and other names. */
static void paint_notes(const field *f)
{
    static const int rows[] = {1, -1};
    for (int i = 0; i < f->chart->nnote; i++) {
        const ss_chart_note *n = &f->chart->note[i];
        int x = column(f, n->at.x) + 1, y = row(f, n->at.y), w = ss_text_width(n->text);
        for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
            if (is_free(f, x, y + rows[k], w)) {
                ss_canvas_text(f->c, x, y + rows[k], w, n->role, 0, n->text);
                break;
            }
    }
}

static void paint_level(const field *f)
{
    int y = row(f, f->chart->level);
    for (int x = f->r.x; f->chart->has_level && inside_y(f, y) && x < f->r.x + f->r.w; x++)
        ss_canvas_put(f->c, x, y, f->c->how->glyphs->level, SS_C_SERIES2);
}

/* At the left or right end of the level line, where no curve passes; else not at all. */
static void label_level(const field *f)
{
    int y = row(f, f->chart->level), n = ss_text_width(f->chart->level_text);
    if (!f->chart->has_level || !inside_y(f, y))
        return;
    for (int end = 0; end < 2 && n + 2 < f->r.w; end++) {
        int x = end ? f->r.x + f->r.w - n - 1 : f->r.x + 1, i = 0;
        while (i < n && ss_canvas_cell(f->c, x + i, y)->ch == f->c->how->glyphs->level)
            i++;
        if (i < n)
            continue;
        ss_canvas_text(f->c, x, y, n, SS_C_SERIES2, 0, f->chart->level_text);
        return;
    }
}

/* A row of its own between the data and the labels. */
static void paint_under(const field *f)
{
    bool ascii = f->c->how->glyphs->ascii;
    for (int pass = 0; pass < 2; pass++) /* the emphasised one last */
        for (int i = 0; i < f->chart->nunder; i++) {
            int x = column(f, f->chart->under[i]);
            bool here = i == f->chart->here;
            if (inside_x(f, x) && here == (pass == 1))
                ss_canvas_put(f->c, x, f->r.y + f->r.h,
                              here    ? (ascii ? '^' : 0x25b2)
                              : ascii ? '\''
                                      : 0x2575,
                              here ? SS_C_ACCENT : SS_C_DIM);
        }
}

void ss_paint_chart(const ss_canvas *c, const ss_item *item)
{
    static field f; /* static because it is large; main thread only */
    const ss_chart *chart = item->chart;
    f.c = c, f.chart = chart;
    f.dx = c->how->glyphs->curve_x, f.dy = c->how->glyphs->curve_y;
    f.r = ss_chart_data(chart, item->rect);
    bool title = f.r.y > item->rect.y, under = f.r.y + f.r.h + 1 < item->rect.y + item->rect.h;
    if (f.r.w < 4 || f.r.h + under < 2)
        return;
    paint_y_axis(&f);
    if (title)
        ss_canvas_text(c, item->rect.x, item->rect.y, item->rect.w, SS_C_DIM, 0, chart->y_label);
    paint_zones(&f);
    paint_verticals(&f);
    paint_level(&f);
    for (int i = 0; i < chart->nseries; i++) {
        if (chart->series[i].hidden)
            continue;
        if (chart->series[i].bars)
            paint_bars(&f, &chart->series[i]);
        else if (chart->series[i].points)
            paint_points(&f, &chart->series[i]);
        else
            paint_curve(&f, &chart->series[i]);
    }
    label_level(&f);
    paint_notes(&f);
    paint_marks(&f);
    legend(&f, true);
    if (chart->zone_label && chart->nzone) {
        int x = column(&f, chart->zone[0][1]) + 2;
        ss_canvas_text(c, x, f.r.y, f.r.x + f.r.w - x, SS_C_ACCENT, 0, chart->zone_label);
    }
    if (under)
        paint_under(&f);
    paint_axis_across(c, &chart->x, f.r, f.r.y + f.r.h + under, chart->x_label);
}
