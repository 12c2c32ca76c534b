/* The tuning map: its table as coloured cells, the cell under the cursor, the legend; and its
 * Pareto chart, in which each cell is a point, cycles against seconds per cycle. See build.h. Main
 * thread only. */
#include <math.h>
#include <string.h>

#include "ui/panels/build.h"

enum { POINTS_MAX = 2048, FRONT_MAX = 128 };

/* --- the Pareto chart: points ----------------------------------------------------------------- */

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
    ss_series s = {.at = at, .n = n, .role = role, .points = points};
    return at && n > 0 ? ss_chart_add(c, s, legend) : NULL;
}

/* A single point as a series of its own. */
static void add_one(const ss_build *b, ss_chart *c, int cell, ss_theme_role role,
                    const char *legend)
{
    ss_xy p = cell >= 0 ? ss_map_place(b->ui->map.view, cell) : (ss_xy){NAN, NAN};
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

/* --- the Pareto chart: cycles against seconds per cycle --------------------------------------- */

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

/* The chart of cycles against seconds per cycle, and the list of its front beside it; returns the
 * number of lines. */
static void map_pareto(const ss_build *b, const ss_map_layout *l)
{
    ss_chart *c = &b->s->chart[0];
    extent2 e = {INFINITY, -INFINITY, INFINITY, -INFINITY};
    ss_xy *at;
    int n = collect(b, &at, &e);
    if (n == 0) {
        ss_rect r = l->chart;
        ss_build_wrap(b, (ss_rect){r.x + 2, r.y + r.h / 2, r.w - 4, 3}, SS_C_DIM,
                      b->ui->map.view->clock ? "no cell has cycles and seconds yet"
                                             : "with --deterministic no seconds are measured");
        return;
    }
    *c = (ss_chart){.x_label = "seconds per cycle", .y_label = "cycles"};
    axes(c, &e, l->chart);
    add_fastest(b, c, &e);
    add_front(b, c);
    add(c, at, n, SS_C_SERIES1, 1, "cells");
    add_one(b, c, ss_map_cursor(b->ui), SS_C_ACCENT, "cursor");
    add_one(b, c, ss_map_here(b->ui, b->snap), SS_C_SERIES3, "you are here");
    c->x_name = c->x_label, c->y_name = c->y_label;
    ss_build_chart(b, c, SS_X_PACE, l->chart, (ss_rect){0, 0, 0, 0});
}

static int map_front_list(const ss_build *b, ss_rect r)
{
    const ss_map_view *v = b->ui->map.view;
    int cell[FRONT_MAX], n = ss_map_front(v, cell, FRONT_MAX), y = 0;
    if (r.h < 3 || n == 0)
        return 0;
    ss_scene_text(b->s, r.x, r.y + y++, r.w, SS_C_SERIES2, SS_BOLD, "Pareto front, total seconds");
    for (int i = 0; i < n && y < r.h - 3; i++, y++) {
        const char *total = ss_si_text(v->cell[cell[i]].seconds, "s");
        int w = ss_text_width(total);
        ss_scene_text(b->s, r.x, r.y + y, r.w - w - 2, SS_C_DIM, 0, ss_map_cell_name(v, cell[i]));
        ss_scene_text_right(b->s, r.x + r.w, r.y + y, w, SS_C_TEXT, SS_FIGURE, total);
    }
    return y;
}

/* --- the page --------------------------------------------------------------------------------- */

enum { VALUES_FROM = 5 }; /* columns of a cell with room for a number */

static const struct {
    const char *word[3]; /* longest text first */
    ss_theme_role role;
    const char *means;
} states[SS_NCELL_STATUS] = {
    [SS_CELL_NONE] = {{"·", "·", "·"}, SS_C_FAINT, "not measured yet"},
    [SS_CELL_OK] = {{"–", "–", "–"}, SS_C_DIM, "measured without this quantity"},
    [SS_CELL_REFUSED] = {{"refused", "ref.", "r"}, SS_C_FAINT, "refused"},
    [SS_CELL_DIVERGED] = {{"diverged", "div.", "d"}, SS_C_ERROR, "diverged"},
    [SS_CELL_LIMIT] = {{"missed", "mis.", "m"},
                       SS_C_SERIES3,
                       "missed: reached a limit before the "
                       "tolerance"},
};

/* --- values ----------------------------------------------------------------------------------- */

/* The shown number of a cell: the quantity, or its ratio to the best of its row. */
static double value(const ss_map_ui *m, int cell)
{
    double v = ss_map_look(m->view, cell, m->quantity);
    int best = m->relative ? ss_map_best(m->view, m->quantity, cell / m->view->nx) : -1;
    if (!m->relative)
        return v;
    double least = ss_map_look(m->view, best, m->quantity);
    return least > 0 ? v / least : (double)NAN;
}

static ss_map_name shown_as(const ss_map_ui *m)
{
    ss_map_name q = m->view->quantity[m->quantity];
    if (m->relative)
        q.unit = "×";
    return q;
}

/* True: the colours are logarithmic, because the values span more than a factor of 1.5. */
static bool range_of(const ss_map_ui *m, ss_range *out)
{
    *out = (ss_range){.lo = INFINITY, .hi = -INFINITY};
    for (int i = 0; i < m->view->n; i++) {
        double v = value(m, i);
        if (!isfinite(v))
            continue;
        out->lo = fmin(out->lo, v), out->hi = fmax(out->hi, v);
    }
    out->valid = out->hi >= out->lo;
    return out->valid && out->lo > 0 && out->hi > 1.5 * out->lo;
}

/* --- one cell --------------------------------------------------------------------------------- */

typedef struct window {
    const ss_build *b;
    const ss_map_layout *l;
    const ss_image *im;
    int x0, y0;            /* the first visible cell */
    int cursor, here, all; /* cells: under the cursor, of the run, the best of all; -1: none */
    ss_map_name name;
} window;

static ss_theme_role readable(const window *w, double v)
{
    const ss_theme *t = w->b->s->theme;
    double at = ss_range_at(&w->im->range, w->im->log, v);
    if (!isfinite(at))
        return SS_C_TEXT;
    double fill = ss_rgb_lightness(w->im->map->color[(int)(at * (SS_MAP_SIZE - 1))]);
    double text = fabs(ss_rgb_lightness(t->color[SS_C_TEXT]) - fill);
    double ground = fabs(ss_rgb_lightness(t->color[SS_C_GROUND]) - fill);
    return text >= ground ? SS_C_TEXT : SS_C_GROUND;
}

/* all false: the papers' mark is dropped for lack of room; the details still show it. */
static const char *marks_of(const window *w, int cell, bool all)
{
    const ss_map_ui *m = &w->b->ui->map;
    int best = ss_map_best(m->view, m->quantity, cell / m->view->nx);
    bool compared = isfinite(ss_map_look(m->view, cell, m->quantity));
    const char *mark = cell == w->all ? "!" : cell == best ? "*" : "";
    if (!all || !m->view->cell[cell].papers || !compared)
        return mark;
    return ss_text("%sp", *mark ? mark : " "); /* so that p does not look like a unit */
}

/* The text of a cell, in at most `room` characters. */
static const char *words_of(const window *w, int cell, int room, ss_theme_role *role)
{
    const ss_map_view *v = w->b->ui->map.view;
    double x = value(&w->b->ui->map, cell);
    ss_cell_status s = v->cell[cell].status;
    if (isfinite(x)) {
        *role = readable(w, x);
        return ss_map_short(&w->name, x, room);
    }
    *role = cell == v->now ? SS_C_ACCENT : states[s].role;
    if (cell == v->now)
        return room >= 4 ? ss_text("%.0f %%", 100 * v->way) : "…";
    int k = 0;
    while (k < 2 && ss_text_width(states[s].word[k]) > room)
        k++;
    return states[s].word[k];
}

static void put(const window *w, ss_rect r, int from, int wide, ss_theme_role role, unsigned style,
                const char *text)
{
    bool fine = w->b->extent.dots_x > 2;
    ss_rect at = {r.x + from, fine ? r.y : r.y + (r.h - 1) / 2, wide, fine ? r.h : 1};
    ss_put_in(w->b, at, role, style, text);
}

static void build_cell(const window *w, int x, int y)
{
    const ss_map_ui *m = &w->b->ui->map;
    int cell = (w->y0 + y) * m->view->nx + w->x0 + x, cw = w->l->cell_w;
    bool fine = w->b->extent.dots_x > 2, cursor = cell == w->cursor;
    bool measured = isfinite(value(m, cell)), here = cell == w->here;
    unsigned over = measured ? SS_OVER : 0;
    ss_rect r = {w->l->table.x + x * cw, w->l->table.y + y * w->l->cell_h, cw, w->l->cell_h};
    int inner = cw - (cursor && !fine ? 2 : 1), at = here ? inner >= 6 ? 2 : 1 : 0; /* "@ 620" */
    const char *marks = marks_of(w, cell, inner - at >= (here ? 9 : 6)), *text = "";
    ss_theme_role role = measured ? readable(w, value(m, cell)) : SS_C_TEXT;
    if (cw >= VALUES_FROM)
        text = words_of(w, cell, inner - at - (int)strlen(marks), &role);
    else if (!measured)
        text = words_of(w, cell, 1, &role);
    const char *line = ss_text("%s%s%s", at > 1 ? "@ " : here ? "@" : "", text, marks);
    int wide = ss_text_width(line), from = fine ? 0 : (cw - wide) / 2;
    bool bold = *marks || here || cursor;
    put(w, r, from, fine ? cw : wide, role,
        over | SS_FIGURE | (fine ? SS_CENTRE : 0) | (bold ? SS_BOLD : 0), line);
    if (!cursor || fine)
        return;
    put(w, r, 0, 1, measured ? role : SS_C_ACCENT, over | SS_BOLD, "[");
    put(w, r, cw - 1, 1, measured ? role : SS_C_ACCENT, over | SS_BOLD, "]");
}

/* --- the table -------------------------------------------------------------------------------- */

static int first_shown(int at, int shown, int n)
{
    int first = at - shown / 2;
    return first < 0 ? 0 : first > n - shown ? n - shown : first;
}

static void axis_texts(const window *w)
{
    const ss_map_view *v = w->b->ui->map.view;
    ss_scene *s = w->b->s;
    int cw = w->l->cell_w, x = w->b->ui->map.x, y = w->b->ui->map.y;
    ss_scene_text(s, w->l->head.x, w->l->head.y, w->l->table.x - w->l->head.x - 1, SS_C_DIM, 0,
                  ss_text("%s%s%s", v->row.row ? v->row.row->symbol : "", v->row.row ? " \\ " : "",
                          v->column.row->symbol));
    for (int i = 0; i < w->l->columns; i++) {
        const char *text = v->column.text[w->x0 + i];
        int wide = ss_text_width(text), room = cw - 1;
        bool on = w->cursor >= 0 && w->x0 + i == x;
        if (wide > room && !on)
            continue;
        put(w, (ss_rect){w->l->table.x + i * cw, w->l->head.y, cw, 1},
            w->b->extent.dots_x > 2 || wide > cw ? 0 : (cw - wide + 1) / 2, cw,
            on ? SS_C_ACCENT : SS_C_DIM,
            SS_FIGURE | (on ? SS_BOLD : 0) | (w->b->extent.dots_x > 2 ? SS_CENTRE : 0), text);
    }
    for (int i = 0; i < w->l->rows && v->row.row; i++) {
        bool on = w->cursor >= 0 && w->y0 + i == y;
        ss_rect r = {w->l->names.x, w->l->table.y + i * w->l->cell_h, w->l->names.w, w->l->cell_h};
        const char *text = v->row.text[w->y0 + i];
        int wide = ss_text_width(text);
        put(w, r, wide < r.w ? r.w - wide : 0, wide < r.w ? wide : r.w, on ? SS_C_ACCENT : SS_C_DIM,
            SS_FIGURE | (on ? SS_BOLD : 0), text);
    }
}

static void table_image(const ss_build *b, window *w, ss_image *im)
{
    ss_map_ui *m = &b->ui->map;
    const ss_map_layout *l = w->l;
    *im = (ss_image){.cell = m->shown,
                     .w = l->columns,
                     .h = l->rows,
                     .map = ss_colormap_find("least"), /* the best cell is the brightest */
                     .frame = SS_C_ACCENT};
    im->log = range_of(m, &im->range);
    for (int y = 0; y < l->rows; y++)
        for (int x = 0; x < l->columns; x++)
            m->shown[y * l->columns + x] = (float)value(m, (w->y0 + y) * m->view->nx + w->x0 + x);
    if (b->extent.dots_x > 2) { /* pixels: the cursor is a frame, and cells have gaps */
        double cw = 1.0 / l->columns, ch = 1.0 / l->rows;
        int x = m->x - w->x0, y = m->y - w->y0;
        im->has_block = w->cursor >= 0;
        im->block = im->kept = (ss_box2){x * cw, y * ch, (x + 1) * cw, (y + 1) * ch};
        for (int i = 1; i < l->columns && i <= SS_GRID_MAX; i++)
            im->grid_x[im->ngrid_x++] = i * cw;
        for (int i = 1; i < l->rows && i <= SS_GRID_MAX; i++)
            im->grid_y[im->ngrid_y++] = i * ch;
    }
    w->im = im;
}

static void bar(const ss_build *b, const ss_map_layout *l, const ss_image *im)
{
    const ss_map_ui *m = &b->ui->map;
    const ss_map_name *q = &m->view->quantity[m->quantity];
    ss_rect r = l->bar;
    if (!r.w)
        return;
    if (!im->range.valid) {
        ss_put(b, r, SS_C_FAINT, 0, "no cell has a figure of this yet");
        return;
    }
    const char *label = m->relative ? ss_text("%s, times the best of its row", q->title)
                        : *q->unit  ? ss_text("%s [%s]", q->title, q->unit)
                                    : q->title;
    const ss_map_name name = shown_as(m);
    const char *lo = ss_map_short(&name, im->range.lo, 7),
               *hi = ss_map_short(&name, im->range.hi, 7);
    int wide = ss_min(ss_text_width(label), r.w - 36);
    ss_scene_text(b->s, r.x, r.y, wide, SS_C_TEXT, 0, label);
    int from = r.x + wide + 2, end = r.x + r.w;
    from += ss_scene_text(b->s, from, r.y, 7, SS_C_DIM, SS_FIGURE, lo) + 1;
    end -= ss_scene_text_right(b->s, end, r.y, 7, SS_C_DIM, SS_FIGURE, hi) + 1;
    ss_build_bar(b, im, 0, (ss_rect){from, r.y, end - from, r.h}, false);
}

/* Explains only the marks that are visible. */
static void legend(const window *w)
{
    const ss_map_ui *m = &w->b->ui->map;
    bool printed = false;
    for (int i = 0; i < m->view->n; i++)
        printed = printed || m->view->cell[i].papers;
    const struct {
        const char *mark, *means;
        bool there;
    } marks[] = {{"*", "best of its row", true},
                 {"!", "best of all", w->all >= 0},
                 {"@", "you are here", w->here >= 0},
                 {"p", "the papers' best", printed}};
    int x = w->l->legend.x, end = x + w->l->legend.w;
    for (size_t i = 0; i < sizeof marks / sizeof *marks && w->l->legend.w; i++) {
        int wide = ss_text_width(marks[i].means) + 4;
        if (!marks[i].there || x + wide > end)
            continue;
        x += ss_scene_text(w->b->s, x, w->l->legend.y, 1, SS_C_ACCENT, SS_BOLD | SS_FLOW,
                           marks[i].mark) +
             1;
        x += ss_scene_text(w->b->s, x, w->l->legend.y, end - x, SS_C_DIM, SS_FLOW, marks[i].means) +
             2;
    }
}

static void table(const ss_build *b, const ss_map_layout *l)
{
    const ss_map_ui *m = &b->ui->map;
    if (!l->columns) {
        ss_build_wrap(b, l->chart, SS_C_DIM, "too little room for a map");
        return;
    }
    window w = {.b = b, .l = l, .name = shown_as(m)};
    w.x0 = first_shown(m->x, l->columns, m->view->nx);
    w.y0 = first_shown(m->y, l->rows, m->view->ny);
    w.cursor = b->ui->in_order ? -1 : ss_map_cursor(b->ui);
    w.here = ss_map_here(b->ui, b->snap);
    w.all = ss_map_best(m->view, m->quantity, -1);
    table_image(b, &w, &b->s->image[0]);
    ss_scene_add(b->s, SS_I_IMAGE, l->table, SS_C_TEXT)->image = w.im;
    ss_scene_hit(b->s, SS_H_TABLE, l->table, NULL, w.y0 * m->view->nx + w.x0);
    axis_texts(&w);
    for (int y = 0; y < l->rows; y++)
        for (int x = 0; x < l->columns; x++)
            build_cell(&w, x, y);
    bar(b, l, w.im);
    legend(&w);
}

/* --- the cell under the cursor ---------------------------------------------------------------- */

typedef struct figure {
    const char *label, *text;
    bool shown; /* in the cells of the map */
} figure;

static const char *figure_text(const ss_map_name *q, double v)
{
    if (!isfinite(v))
        return "–";
    if (strcmp(q->unit, "B") == 0)
        return ss_bytes_text(v);
    if (*q->unit)
        return ss_si_text(v, q->unit);
    return v == floor(v) ? ss_count_text(v) : ss_figure_text(v);
}

/* Of the quantities that are measured on request only, lists the requested and the shown one. */
static int figures(const ss_map_ui *m, int cell, figure *out)
{
    const ss_map_view *v = m->view;
    int n = 0;
    for (int q = 0; q < SS_MAP_QUANTITIES; q++) {
        const ss_map_name *name = &v->quantity[q];
        if (!name->on_request || q == v->asked || q == m->quantity)
            out[n++] =
                (figure){name->title, figure_text(name, v->cell[cell].value[q]), q == m->quantity};
    }
    out[n++] =
        (figure){"seconds per cycle",
                 figure_text(&(ss_map_name){.unit = "s"}, ss_map_pace(&v->cell[cell])), false};
    return n;
}

/* Why a cell has no value, or a remark about it. */
static const char *remark(const ss_build *b, int cell)
{
    const ss_map_ui *m = &b->ui->map;
    const ss_map_cell *c = &m->view->cell[cell];
    if (cell == m->view->now)
        return ss_text("being measured: %.0f %%", 100 * m->view->way);
    if (c->status != SS_CELL_OK)
        return ss_text("%s%s%s", states[c->status].means, *c->why ? ": " : "", c->why);
    if (*c->why)
        return c->why;
    if (c->papers)
        return ss_text("the papers' best: %s", m->view->papers);
    return cell == ss_map_best(m->view, m->quantity, cell / m->view->nx) ? "the best of its row"
                                                                         : "";
}

static void map_details(const ss_build *b, const ss_map_layout *l)
{
    const ss_map_ui *m = &b->ui->map;
    figure f[SS_MAP_QUANTITIES + 1];
    int cell = ss_map_cursor(b->ui);
    if (!l->details.w || cell < 0)
        return;
    ss_build_frame(b, l->details, ss_map_cell_name(m->view, cell));
    ss_rect in = ss_layout_inside(b->l, l->details);
    bool two = in.w >= 60;
    int n = figures(m, cell, f), half = two ? (n + 1) / 2 : n, w = two ? in.w / 2 : in.w;
    for (int i = 0; i < n && i % half < in.h; i++) {
        int x = in.x + 1 + i / half * w, y = in.y + i % half, wide = ss_text_width(f[i].text);
        bool on = f[i].shown;
        ss_scene_text(b->s, x, y, w - wide - 3, on ? SS_C_ACCENT : SS_C_DIM, on ? SS_BOLD : 0,
                      f[i].label);
        ss_scene_text_right(b->s, x + w - 2, y, wide, SS_C_TEXT, SS_FIGURE | (on ? SS_BOLD : 0),
                            f[i].text);
    }
    ss_rect below = {in.x + 1, in.y + half + (in.h > n + 3), in.w - 2, 0};
    below.h = in.y + in.h - below.y;
    bool front = m->page == SS_PAGE_PARETO;
    if (two && front && map_front_list(b, below) > 0) /* room for one of them only */
        return;
    bool diverged = m->view->cell[cell].status == SS_CELL_DIVERGED;
    int used = ss_build_wrap(b, below, diverged ? SS_C_ERROR : SS_C_DIM, remark(b, cell));
    ss_rect_top(&below, used + (used > 0));
    if (two)
        return;
    ss_rect_top(&below, (front ? map_front_list(b, below) : 0) + 1);
    ss_build_wrap(b, below, SS_C_FAINT, ss_text("measured on %s", m->view->place));
}

const char *ss_map_cell_words(const ss_build *b, int cell)
{
    const ss_map_ui *m = &b->ui->map;
    const ss_map_name *q = &m->view->quantity[m->quantity];
    const char *why = remark(b, cell);
    return ss_text("%s · %s %s%s%s", ss_map_cell_name(m->view, cell), q->title,
                   figure_text(q, m->view->cell[cell].value[m->quantity]), *why ? " · " : "", why);
}

/* --- all of it -------------------------------------------------------------------------------- */

static const char *progress_text(const ss_map_view *v)
{
    char left[40];
    bool known = isfinite(v->left) && v->clock && !v->paused;
    if (v->done == v->n)
        return ss_text("all %d cells", v->n);
    ss_duration_text(v->left, left, sizeof left);
    return ss_text("%s%d of %d cells%s", v->paused ? "‖ paused, " : "", v->done, v->n,
                   known ? ss_text(", %s left", left) : "");
}

const char *ss_map_sentence(const ss_build *b)
{
    const ss_map_view *v = b->ui->map.view;
    bool any = false;
    for (int i = 0; i < v->n; i++)
        any = any || isfinite(v->cell[i].value[b->ui->map.quantity]);
    if (*v->error)
        return v->error;
    if (v->stale)
        return "the run now solves another problem: esc, then H opens a new map";
    if (!any && v->done > 0)
        return ss_text("not measured; --quantity %s asks for it",
                       v->quantity[b->ui->map.quantity].name);
    return v->alone ? v->settings + strlen("map ") : "enter: the run goes on with this cell";
}

void ss_build_map(const ss_build *b)
{
    static void (*const pages[SS_NPAGE])(const ss_build *, const ss_map_layout *) = {
        [SS_PAGE_MAP] = table, [SS_PAGE_PARETO] = map_pareto};
    ss_map_layout l;
    ss_map_layout_of(b->ui, &l);
    const ss_tabs tabs = {ss_map_pages, NULL,          SS_NPAGE, (int)b->ui->map.page,
                          NULL,         "map view %s", 0};
    int x = ss_build_tabs(b, l.panel, &tabs);
    ss_build_corner(b, l.panel, x, progress_text(b->ui->map.view));
    pages[b->ui->map.page](b, &l);
    map_details(b, &l);
}
