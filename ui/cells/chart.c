/* Charts as cells: axes, curves of quadrants or braille, bars of eighths, marks. See grid.h. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ui/cells/grid.h"

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

static int label_width(const ss_plot_axis *a)
{
    int w = 1;
    for (int i = 0; i < a->ntick; i++) {
        int n = (int)strlen(a->tick[i].label);
        w = n > w ? n : w;
    }
    return w;
}

static void paint_y_axis(const field *f, int gutter)
{
    for (int i = 0; i < f->chart->y.ntick; i++) {
        const ss_tick *t = &f->chart->y.tick[i];
        int y = row(f, t->at), n = (int)strlen(t->label);
        if (!inside_y(f, y))
            continue;
        for (int x = f->r.x; x < f->r.x + f->r.w; x++)
            ss_canvas_put(f->c, x, y, f->c->how->glyphs->grid, SS_C_LINE);
        ss_canvas_text(f->c, f->r.x - 1 - n, y, gutter, SS_C_FAINT, 0, t->label);
    }
}

/* Tick labels below; the axis name at the right end, where it does not overlap a label. */
static void paint_x_axis(const field *f, int label_row)
{
    const char *name = f->chart->x_label ? f->chart->x_label : "";
    int end = f->r.x + f->r.w, until = -1, room = end - ss_text_width(name);
    for (int i = 0; i < f->chart->x.ntick; i++) {
        const ss_tick *t = ss_axis_tick(&f->chart->x, i);
        int n = (int)strlen(t->label), x = column(f, t->at);
        if (!inside_x(f, x))
            continue;
        x -= n / 2;
        x = x < f->r.x ? f->r.x : x;
        if (x <= until || x + n > (*name ? room - 1 : end))
            continue;
        until = x + ss_canvas_text(f->c, x, label_row, n, SS_C_FAINT, 0, t->label);
    }
    if (room > f->r.x)
        ss_canvas_text(f->c, room, label_row, end - room, SS_C_DIM, 0, name);
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

static void paint_verticals(const field *f)
{
    for (int i = 0; i < f->chart->nedge; i++) {
        int x = column(f, f->chart->edge[i]);
        for (int y = f->r.y; y < f->r.y + f->r.h && inside_x(f, x); y++)
            ss_canvas_put(f->c, x, y, f->c->how->glyphs->mark, SS_C_LINE);
    }
    for (int i = 0; i < f->chart->nmark; i++) {
        int x = column(f, f->chart->mark[i].x);
        for (int y = f->r.y; y < f->r.y + f->r.h && inside_x(f, x); y++)
            ss_canvas_put(f->c, x, y, f->c->how->glyphs->mark, SS_C_ACCENT);
    }
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
} dashes[] = {{1, 1}, {6, 0xf}, {8, 0x2f}, {4, 0x3}};

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

static void paint_points(const field *f, const ss_series *s)
{
    static const uint32_t marks[][2] = {{0x2022, 'o'}, {0x25c6, '@'}}; /* small, large; ASCII */
    for (int i = 0; i < s->n; i++) {
        int x = column(f, s->at[i].x), y = row(f, s->at[i].y);
        if (!inside_x(f, x) || !inside_y(f, y))
            continue;
        ss_canvas_put(f->c, x, y, marks[s->points > 1][f->c->how->glyphs->ascii], s->role);
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

/* Bars stand on the axis; if there are more bars than columns, a column shows the tallest. */
static void paint_bars(const field *f, const ss_series *s)
{
    for (int x = 0; x < f->r.w; x++) {
        int i0 = (int)((int64_t)x * s->n / f->r.w), i1 = (int)((int64_t)(x + 1) * s->n / f->r.w);
        double t = -1;
        for (int i = i0; i < s->n && (i < i1 || i == i0); i++) {
            double v = ss_axis_at(&f->chart->y, s->at[i].y);
            t = v > t ? v : t;
        }
        int eighths = t <= 0 ? 0 : (int)lround((t > 1 ? 1 : t) * 8 * f->r.h);
        bool away = in_zone(f, f->r.x + x);
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

static bool crosses_text(const field *f, int x, int y, int n)
{
    for (int i = -1; i <= n; i++) {
        const ss_term_cell *cell = ss_canvas_cell(f->c, x + i, y);
        if (cell->fg == f->c->scene->theme->color[SS_C_ACCENT] &&
            cell->ch != f->c->how->glyphs->mark)
            return true;
    }
    return false;
}

/* "density  exact", each in the colour of its curve; curves of one colour show a piece of their
 * dashes. */
static void legend_text(const field *f, int i, char *buf, size_t size)
{
    static const char *const pieces[] = {"", "- - ", "-.- ", "... "};
    const ss_series *s = &f->chart->series[i];
    const char *text = f->chart->legend[i];
    snprintf(buf, size, "%s%s", text && s->role == SS_C_DIM ? pieces[s->dash] : "",
             text ? text : "");
}

/* From the right, in a second row if a tall chart has no room left in one. Returns the rows
 * used. */
static int legend(const field *f, bool paint)
{
    int x = f->r.x + f->r.w, y = f->r.y, rows = 0;
    for (int i = f->chart->nseries - 1; i >= 0; i--) {
        char text[64];
        legend_text(f, i, text, sizeof text);
        int n = ss_text_width(text);
        if (n > 0 && x - n - 1 < f->r.x && rows > 0 && f->r.h >= 4 * (rows + 1))
            x = f->r.x + f->r.w, y++;
        if (n == 0 || x - n - 1 < f->r.x)
            continue;
        x -= n + 1;
        rows = y - f->r.y + 1;
        if (!paint)
            continue;
        ss_canvas_put(f->c, x - 1, y, ' ', SS_C_TEXT);
        ss_canvas_text(f->c, x, y, n, f->chart->series[i].role, 0, text);
        ss_canvas_put(f->c, x + n, y, ' ', SS_C_TEXT);
    }
    return rows;
}

static void paint_marks(const field *f)
{
    int top = f->r.y + legend(f, false);
    for (int i = f->chart->nmark - 1; i >= 0; i--) { /* the newest first: it must be readable */
        const char *text = f->chart->mark[i].text;
        int n = ss_text_width(text), x = column(f, f->chart->mark[i].x);
        if (!inside_x(f, x) || n + 2 > f->r.w)
            continue;
        int at = x + 1 + n <= f->r.x + f->r.w ? x + 1 : x - n;
        if (at < f->r.x)
            continue;
        int y = top;
        while (y < f->r.y + f->r.h / 2 && crosses_text(f, at, y, n))
            y++;
        if (y < f->r.y + f->r.h / 2)
            ss_canvas_text(f->c, at, y, n, SS_C_ACCENT, 0, text);
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
    int gutter = label_width(&chart->y) + 1;
    f.c = c, f.chart = chart;
    f.dx = c->how->glyphs->curve_x, f.dy = c->how->glyphs->curve_y;
    f.r = (ss_rect){item->rect.x + gutter, item->rect.y, item->rect.w - gutter, item->rect.h - 1};
    if (f.r.w < 4 || f.r.h < 2)
        return;
    bool under = chart->nunder > 0 && f.r.h >= 4;
    f.r.h -= under;
    paint_y_axis(&f, gutter);
    paint_zones(&f);
    paint_verticals(&f);
    paint_level(&f);
    for (int i = 0; i < chart->nseries; i++) {
        if (chart->series[i].bars)
            paint_bars(&f, &chart->series[i]);
        else if (chart->series[i].points)
            paint_points(&f, &chart->series[i]);
        else
            paint_curve(&f, &chart->series[i]);
    }
    label_level(&f);
    paint_marks(&f);
    legend(&f, true);
    if (chart->zone_label && chart->nzone) {
        int x = column(&f, chart->zone[0][1]) + 2;
        ss_canvas_text(c, x, f.r.y, f.r.x + f.r.w - x, SS_C_ACCENT, 0, chart->zone_label);
    }
    if (under)
        paint_under(&f);
    paint_x_axis(&f, f.r.y + f.r.h + under);
}
