/* The kit of all panels: frames, tabs, corners, wrapped text, rooms and points of charts. What all
 * charts share: axes that are zoomed or logarithmic, curves as fine as the screen, hidden curves,
 * what the mouse does; and a number that a lesson asks for, drawn in a diagram: the prediction
 * dashed, the answer solid. See build.h and src/snapshot/page.h. Main thread only. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ui/panels/build.h"

/* --- frames and the text in their edges ------------------------------------------------------- */

static void keep(char *to, size_t size, const char *text)
{
    snprintf(to, size, "%s", text);
    ss_text_safe(to);
}

int ss_put(const ss_build *b, ss_rect r, ss_theme_role role, unsigned style, const char *text)
{
    return ss_scene_text(b->s, r.x, r.y, r.w, role, style, text);
}

int ss_put_end(const ss_build *b, ss_rect r, ss_theme_role role, unsigned style, const char *text)
{
    return ss_scene_text_right(b->s, r.x + r.w, r.y, r.w, role, style, text);
}

ss_item *ss_put_in(const ss_build *b, ss_rect r, ss_theme_role role, unsigned style,
                   const char *text)
{
    int w = ss_text_width(text);
    if (style & SS_CENTRE && b->extent.dots_x <= 2 && w < r.w) /* cells do not centre */
        r.x += (r.w - w) / 2, r.w = w;
    ss_item *it = ss_scene_add(b->s, SS_I_TEXT, r, role);
    it->style = style;
    it->text = ss_scene_keep(b->s, text);
    return it;
}

void ss_press(const ss_build *b, ss_rect r, const char *command, int index)
{
    ss_scene_hit(b->s, SS_H_COMMAND, r, ss_scene_keep(b->s, command), index);
}

void ss_build_frame(const ss_build *b, ss_rect r, const char *title)
{
    if (b->edges) {
        keep(b->edges->title, sizeof b->edges->title, title);
        return;
    }
    ss_scene_add(b->s, SS_I_FILL, r, SS_C_PANEL);
    ss_scene_add(b->s, SS_I_FRAME, r, SS_C_LINE)->text = ss_scene_keep(b->s, title);
}

void ss_build_popup(const ss_build *b, ss_rect r, const char *title)
{
    ss_build_frame(b, r, title);
    b->s->item[b->s->nitem - 1].style = SS_OVER;
}

void ss_build_box(const ss_build *b, ss_rect r, const char *text, int columns, int wide,
                  unsigned style)
{
    enum { LINES = 6 };
    bool roomy = b->l->head > 1;
    ss_build_popup(b, r, "");
    b->s->item[b->s->nitem - 1].style |= style;
    int first = b->s->nitem;
    ss_build_wrap(b, (ss_rect){r.x + b->l->side, r.y + !roomy, columns, LINES}, SS_C_TEXT, text);
    for (int i = first; i < b->s->nitem && roomy; i++) { /* centred vertically */
        b->s->item[i].rect.h = 2;
        b->s->item[i].rect.w = wide;
        b->s->item[i].style |= style & SS_RIGHT;
    }
}

void ss_build_veil(const ss_build *b)
{
    ss_rect all = {0, 0, b->s->cols, b->s->rows};
    ss_scene_add(b->s, SS_I_VEIL, all, SS_C_GROUND);
    ss_scene_hit(b->s, SS_H_WORDS, all, "", 0);
}

/* At the right end of row y of a frame, from column `from` on, inside the frame. */
static void put_at_end(const ss_build *b, ss_rect r, int y, int from, unsigned style,
                       const char *text)
{
    const char *padded = ss_text(" %s ", text);
    if (b->edges)
        return;
    bool roomy = b->l->head > 1;
    int room = r.x + r.w - 2 - from, w = ss_text_width(padded), most = r.w - 2 * b->l->side;
    /* Proportional letters are narrower than cells, small ones even more. */
    int spared = roomy ? (from - r.x) * 3 / 10 + w * (style & SS_FIGURE ? 3 : 4) / 10 : 0;
    if (w > room + spared || !*text)
        return;
    ss_item *item = ss_scene_add(b->s, SS_I_TEXT, (ss_rect){0, y, w, 1}, SS_C_FAINT);
    item->style = style | SS_RIGHT;
    item->text = ss_scene_keep(b->s, padded);
    if (roomy && w > most)
        item->rect.w = most;
    item->rect.x = r.x + r.w - 2 - item->rect.w;
}

static void add_corner(const ss_build *b, ss_rect r, int from, unsigned style, const char *text)
{
    int first = b->s->nitem;
    if (b->edges)
        keep(b->edges->unit, sizeof b->edges->unit, text);
    put_at_end(b, r, r.y, from, style, text);
    ss_build_tall(b, r.y, first, b->s->nhit);
}

void ss_build_corner(const ss_build *b, ss_rect r, int from, const char *text)
{
    add_corner(b, r, from, 0, text);
}

void ss_build_corner_figures(const ss_build *b, ss_rect r, int from, const char *text)
{
    add_corner(b, r, from, SS_FIGURE, text);
}

void ss_build_foot(const ss_build *b, ss_rect r, int from, const char *text)
{
    put_at_end(b, r, r.y + r.h - 1, from, SS_RAISED, text);
}

void ss_build_unit(const ss_build *b, ss_rect r, int from, const char *text)
{
    int before = b->s->nitem;
    if (b->l->head > 1 || b->edges)
        ss_build_corner(b, r, from, text);
    if (b->s->nitem == before)
        ss_build_foot(b, r, r.x + 2, text);
}

/* Items in the upper edge of a frame are as high as that edge. */
void ss_build_tall(const ss_build *b, int y, int item, int hit)
{
    int h = y == 0 ? b->l->head : 1, x = item < b->s->nitem ? b->s->item[item].rect.x : 0;
    for (int i = 0; i < b->s->nitem; i++) {
        const ss_item *frame = &b->s->item[i];
        if (frame->kind == SS_I_FRAME && frame->rect.y == y && ss_rect_has(frame->rect, x, y))
            h = b->l->head;
    }
    for (; item < b->s->nitem; item++)
        b->s->item[item].rect.h = h;
    for (; hit < b->s->nhit; hit++)
        b->s->hit[hit].rect.h = h;
}

enum { TABS_MAX = 16 };

/* The names of a row that are drawn. more: an ellipsis stands for the others. */
typedef struct tab_set {
    bool has[TABS_MAX], more;
    int count;
} tab_set;

/* Columns of a set: one space before, two brackets, a space between names. */
static int tabs_width(const tab_set *set, const char *const *names, int n)
{
    int total = 2 + (set->more ? 2 : 0);
    for (int i = 0; i < n; i++)
        total += set->has[i] ? ss_text_width(names[i]) + 1 : 0;
    return total;
}

static bool add_tab(tab_set *set, const char *const *names, int n, int i, int room)
{
    set->has[i] = true;
    return set->has[i] = tabs_width(set, names, n) <= room;
}

/* All names if there is room for them; else the available ones; else the current one and as many
 * beside it as fit, and an ellipsis. */
static tab_set choose_tabs(const ss_tabs *t, int room)
{
    const bool *enabled = t->enabled;
    int n = t->n, on = t->on;
    tab_set set = {.more = false};
    for (int all = 1; all >= 0; all--) {
        for (int i = 0; i < n; i++)
            set.has[i] = all || i == on || (enabled && enabled[i]);
        if (tabs_width(&set, t->names, n) <= room)
            return set;
    }
    set = (tab_set){.more = true, .count = 1};
    set.has[on] = true;
    bool open[2] = {true, true}; /* to the right, to the left */
    for (int away = 1; away < n; away++)
        for (int left = 0; left < 2; left++) {
            int i = left ? on - away : on + away;
            bool there = i >= 0 && i < n && (!enabled || enabled[i]);
            if (open[left] && there)
                set.count += open[left] = add_tab(&set, t->names, n, i, room - t->keep);
        }
    return set;
}

/* In a very narrow panel the current name stands alone, and then leads to the next. */
int ss_build_tab_line(const ss_build *b, ss_rect r, const ss_tabs *t, unsigned style)
{
    const char *const *values = t->values ? t->values : t->names;
    int x = r.x + 2, end = r.x + r.w - 1, first_hit = b->s->nhit;
    if (b->edges)
        return x;
    tab_set set = choose_tabs(t, r.w - 2);
    bool narrow = set.more && set.count == 1;
    if (!narrow)
        x += ss_scene_text(b->s, x - 1, r.y, 1, SS_C_LINE, 0, " ") - 1;
    int first = b->s->nitem;
    for (int i = 0; i <= t->n; i++) {
        bool more = i == t->n, on = i == t->on; /* more: the ellipsis */
        if (more ? !set.more || narrow : !set.has[i])
            continue;
        bool off = !more && t->enabled && !t->enabled[i];
        const char *name = ss_text(narrow ? " [%s] "
                                   : on   ? "[%s]"
                                          : "%s",
                                   more ? "…" : t->names[i]);
        int w = ss_scene_text(b->s, x, r.y, end - x,
                              on    ? SS_C_ACCENT
                              : off ? SS_C_FAINT
                                    : SS_C_DIM,
                              style | SS_TAB | SS_FLOW | (on ? SS_BOLD : 0), name);
        const char *value = narrow || more ? "next" : values[i];
        ss_press(b, (ss_rect){x, r.y, w, 1}, ss_text(t->command, value), i);
        x += w;
        if (x < end)
            x += ss_scene_text(b->s, x, r.y, 1, SS_C_LINE, 0, " ");
    }
    ss_build_tall(b, r.y, first, first_hit);
    return x;
}

int ss_build_tabs(const ss_build *b, ss_rect r, const ss_tabs *t)
{
    ss_build_frame(b, r, "");
    return ss_build_tab_line(b, r, t, 0);
}

ss_rect ss_build_centred(const ss_build *b, int w, int h)
{
    int top = b->l->head, room = b->s->rows - 2 - top;
    w = w > b->s->cols - 2 ? b->s->cols - 2 : w;
    h = h > room ? room : h;
    return (ss_rect){(b->s->cols - w) / 2, top + (room - h) / 2, w, h};
}

/* A sign of equality stays between its sides. */
static bool may_cut(const char *text, int i)
{
    return text[i] == ' ' && text[i + 1] != '=' && (i == 0 || text[i - 1] != '=');
}

int ss_build_cut(const char *text, int w)
{
    int columns = 0, i = 0, space = -1;
    for (; text[i]; i++) {
        if ((text[i] & 0xc0) != 0x80 && ++columns > w)
            break;
        if (may_cut(text, i))
            space = i;
    }
    return text[i] && space > 0 ? space : i;
}

int ss_build_wrap(const ss_build *b, ss_rect r, ss_theme_role role, const char *text)
{
    int lines = 0;
    while (*text && lines < r.h) {
        const char *line = ss_build_line(&text, r.w < 250 ? r.w : 250);
        ss_scene_text(b->s, r.x, r.y + lines++, r.w, role, 0, line);
    }
    return lines;
}

const char *ss_build_line(const char **text, int w)
{
    int cut = ss_build_cut(*text, w);
    const char *line = ss_text("%.*s", cut, *text);
    *text += cut + strspn(*text + cut, " ");
    return line;
}

int ss_build_lines(const char *text, int w)
{
    int lines = 0;
    for (; *text && w > 0; lines++)
        ss_build_line(&text, w);
    return lines;
}

int ss_build_letters(const ss_build *b, int w)
{
    return b->extent.dots_x > 2 ? w * 7 / 5 : w;
}

/* --- charts ----------------------------------------------------------------------------------- */

ss_rect ss_build_chart_room(const ss_build *b, ss_rect frame)
{
    ss_rect in = ss_layout_inside(b->l, frame);
    in.w -= b->l->side == 1;
    return in;
}

void ss_build_x_axis(const ss_build *b, ss_plot_axis *a, double x0, double x1, int max)
{
    ss_build_axis_of(a, b->snap->spacing, b->snap->origin, x0, x1, max);
}

void ss_build_axis_of(ss_plot_axis *a, double step, double origin, double x0, double x1, int max)
{
    double first = origin - 0.5;
    step = step > 0 ? step : 1;
    /* the ends of the domain may lie half a spacing outside */
    ss_axis_make(a, (x0 + first - 0.5) * step, (x1 + first + 0.5) * step, false, false, max);
    for (int i = 0; i < a->ntick; i++)
        a->tick[i].at = a->tick[i].at / step - first;
    a->lo = x0, a->hi = x1;
}

int ss_build_dots(const ss_build *b, int columns)
{
    int dots = columns * (b->extent.dots_x > 2 ? b->extent.dots_x : 2);
    return dots < SS_LINE_MAX ? dots : SS_LINE_MAX;
}

/* The abscissa of cell i of n: the middle of the points that it averages or shows
 * (kernels/sample/plan.c). */
static double middle_of(ss_box2 w, int n, int i)
{
    double step = (w.x1 - w.x0) / n;
    if (step <= 1)
        return floor(w.x0 + (i + 0.5) * step) + 0.5;
    return 0.5 * (floor(w.x0 + i * step) + floor(w.x0 + (i + 1) * step));
}

int ss_build_points(ss_box2 w, const float *cell, int n, ss_xy *to)
{
    int count = 0;
    for (int i = 0; i < n; i++) {
        double x = middle_of(w, n, i);
        if (count == 0 || x > to[count - 1].x)
            to[count++] = (ss_xy){x, (double)cell[i]};
    }
    return count;
}

void ss_build_nothing(const ss_build *b, ss_rect r, const char *text)
{
    ss_build_wrap(b, (ss_rect){r.x + 3, r.y + r.h / 2, r.w - 6, 3}, SS_C_DIM,
                  ss_build_reason(b, text));
}

const char *ss_build_reason(const ss_build *b, const char *why)
{
    char text[240];
    ss_page_reason(b->ui, why, text, sizeof text);
    return ss_text("%s", text);
}

const char *ss_build_zero(const ss_build *b)
{
    char text[96];
    return ss_layer_zero(b->snap, text, sizeof text) ? ss_text("%s", text) : NULL;
}

const char *ss_build_waits(const ss_build *b)
{
    char text[160];
    return ss_waits_text(b->ui, b->snap, text, sizeof text) ? ss_text("%s", text) : NULL;
}

const char *ss_build_with(const char *text, const char *name, double v)
{
    return ss_text("%s%s%s%s%s", text, *text ? " · " : "", name ? name : "", name ? " " : "",
                   ss_figure_text(v));
}

const char *ss_build_blocks(int n)
{
    static const char full[] = "█";
    char text[512] = "";
    for (size_t i = 0; (int)i < n && (i + 2) * strlen(full) < sizeof text; i++)
        strcat(text, full);
    return ss_text("%s", text);
}

const char *ss_build_symbol(const ss_build *b)
{
    ss_layer layer = b->snap->view.layer;
    return layer == SS_VALUE ? ss_quantity_symbol(b->snap) : ss_layer_symbol(b->snap, layer);
}

void ss_build_want_field(const ss_build *b, ss_rect r)
{
    bool whole = !(b->ui->view.x1 > b->ui->view.x0); /* so that no cell is sampled twice */
    bool fine = whole && b->extent.dots_x > 2;
    int across = r.w * b->extent.dots_x, up = r.h * b->extent.dots_y;
    ss_build_want(b, fine ? ss_min(b->snap->nx, across) : across,
                  fine ? ss_min(b->snap->ny, up) : up);
}

void ss_build_want_line(const ss_build *b, int columns)
{
    bool fine = !(b->ui->view.x1 > b->ui->view.x0) && b->extent.dots_x > 2;
    int dots = ss_build_dots(b, columns), nx = b->snap->nx;
    ss_build_want(b, fine && nx > 1 ? ss_min(nx, dots) : dots, 1);
}

double ss_build_aspect(const ss_build *b)
{
    ss_box2 w = ss_ui_window(&b->ui->view, b->snap);
    return (w.x1 - w.x0) / (w.y1 - w.y0);
}

ss_edge_axis *ss_build_edge(const ss_build *b, int i, ss_rect r, const char *title)
{
    ss_edge_axis *e = &b->s->edge[i];
    *e = (ss_edge_axis){.up = title == NULL, .title = title};
    ss_scene_add(b->s, SS_I_EDGE, r, SS_C_DIM)->edge = e;
    return e;
}

ss_rect ss_build_bar_line(const ss_build *b, const ss_image *im, ss_rect r)
{
    const ss_plot_axis ends = {.lo = im->range.lo, .hi = im->range.hi, .log = im->log};
    const char *lo = ss_axis_text(&ends, ends.lo), *hi = ss_axis_text(&ends, ends.hi);
    int wl = ss_text_width(lo), wh = ss_text_width(hi);
    ss_scene_text(b->s, r.x, r.y, wl, SS_C_DIM, SS_FIGURE | SS_SMALL, lo);
    ss_scene_text_right(b->s, r.x + r.w, r.y, wh, SS_C_DIM, SS_FIGURE | SS_SMALL, hi);
    ss_rect colours = {r.x + wl + 1, r.y, r.w - wl - wh - 2, 1};
    ss_build_bar(b, im, 1, colours, false);
    return colours;
}

/* --- charts: axes ----------------------------------------------------------------------------- */

/* The least value above 0 of all curves: there a logarithmic axis begins. */
static double least_above_zero(const ss_chart *c, int axis)
{
    double least = INFINITY;
    for (int i = 0; i < c->nseries; i++)
        for (int k = 0; k < c->series[i].n; k++) {
            double v = axis ? c->series[i].at[k].y : c->series[i].at[k].x;
            least = v > 0 && v < least ? v : least;
        }
    return least;
}

static void change_scale(ss_chart *c, int axis, bool log, int room)
{
    ss_plot_axis *a = axis ? &c->y : &c->x;
    double least = least_above_zero(c, axis), hi = a->hi;
    if (log)
        ss_axis_make(a, isfinite(least) ? least : hi * 1e-3, hi, true, axis != 0, room);
    else
        ss_axis_make(a, 0, hi, false, axis != 0, room);
}

static void zoom_axis(ss_plot_axis *a, double lo, double hi, int room)
{
    bool log = a->log && lo > 0;
    ss_axis_make(a, lo, hi, log, false, room);
    a->lo = lo, a->hi = hi;
}

void ss_build_chart_axes(const ss_build *b, ss_chart *c, ss_abscissa x_is, ss_rect in)
{
    ss_chart_view *v = &b->ui->charts.of[x_is];
    ss_plot_axis *const axis[2] = {&c->x, &c->y};
    const int room[2] = {in.w / 6, in.h / 2};
    c->x_is = x_is;
    for (int i = 0; i < 2; i++) {
        bool fixed = i == 0 ? !ss_chart_zooms(c) : x_is == SS_X_VISIT || x_is == SS_X_POINT;
        bool log = v->log[i] ? v->log[i] > 0 : axis[i]->log;
        if (!fixed && log != axis[i]->log)
            change_scale(c, i, log, room[i]);
        v->all_lo[i] = axis[i]->lo, v->all_hi[i] = axis[i]->hi;
        if (v->zoomed[i] && !fixed && ss_chart_zooms(c))
            zoom_axis(axis[i], v->lo[i], v->hi[i], room[i]);
    }
}

/* Two cycles, or twice the distance of two points: between them is only a straight line. */
static double narrowest(const ss_build *b, const ss_chart *c)
{
    static const bool steps[SS_NABSCISSA] = {
        [SS_X_POSITION] = true, [SS_X_FREQUENCY] = true, [SS_X_WAVE] = true, [SS_X_AGE] = true};
    const ss_snapshot *p = b->snap;
    double least = INFINITY;
    if ((c->x_is == SS_X_COST || c->x_is == SS_X_TIME) && p->ncurve > 0) {
        const ss_point *end = &p->curve[p->ncurve - 1];
        double x = c->x_is == SS_X_TIME ? end->time : ss_measure_of((ss_measure)b->ui->over, end);
        least = end->cycle > 0 ? 2 * x / (double)end->cycle : 0;
    }
    for (int i = 0; i < c->nseries && steps[c->x_is]; i++) {
        const ss_series *s = &c->series[i];
        if (s->n > 1)
            least = fmin(least, 2 * (s->at[s->n - 1].x - s->at[0].x) / (s->n - 1));
    }
    return isfinite(least) && least > 0 ? least : 0;
}

/* --- charts: curves --------------------------------------------------------------------------- */

/* The curve as fine as the screen, of the part that is shown. Its points are the scene's. */
static void thin(const ss_build *b, const ss_chart *c, ss_series *s, int columns)
{
    static ss_xy part[SS_LINE_MAX + 2]; /* large; main thread only */
    ss_xy *at = (ss_xy *)s->at;
    bool line = !s->bars && !s->points && s->n > 1;
    if (!line || s->n > SS_LINE_MAX)
        return;
    if (b->ui->charts.of[c->x_is].zoomed[0]) {
        s->n = ss_curve_clip(&c->x, &c->y, at, s->n, part);
        memcpy(at, part, (size_t)s->n * sizeof *at);
    }
    s->n = ss_curve_thin(&c->x, &c->y, at, s->n, ss_build_dots(b, columns), at);
}

/* --- charts: words ---------------------------------------------------------------------------- */

static const char *number(const ss_plot_axis *a, double v)
{
    return fabs(v) >= 1000 ? ss_count_text(v) : ss_axis_text(a, v);
}

/* "cycles 200 to 400 of 4,312 · double click: all"; a recording has nothing to click. */
static void zoom_words(const ss_build *b, const ss_chart *c, ss_rect frame)
{
    double all = b->ui->charts.of[c->x_is].all_hi[0];
    const char *what = c->x_is == SS_X_COST ? ss_over_names[b->ui->over] : c->x_name;
    const char *how = b->ui->in_order        ? ""
                      : b->ui->charts.cursor ? " · f: all"
                                             : " · double click: all";
    const char *text = ss_text("%s %s to %s of %s%s", what, number(&c->x, c->x.lo),
                               number(&c->x, c->x.hi), number(&c->x, all), how);
    /* letters of a window are narrower */
    text = ss_text_parts(text, (ss_scene_fine(b->s) ? frame.w * 3 / 2 : frame.w) - 6);
    ss_build_foot(b, frame, frame.x + 1, text);
}

/* --- charts: the whole ------------------------------------------------------------------------ */

static void add_hits(const ss_build *b, const ss_chart *c, ss_rect in, ss_rect frame)
{
    int item = b->s->nitem - 1, chart = (int)(c - b->s->chart), last, first;
    /* the field has a hit of its own; a prediction may be dragged from beside the axis */
    bool draws = ss_page_draws(b->ui, c->x_is) && frame.w > 0;
    ss_rect place = draws ? (ss_rect){frame.x, in.y, frame.w, in.h} : ss_chart_data(c, in);
    if (c->x_is != SS_X_POINT)
        ss_scene_hit(b->s, SS_H_CHART, place, NULL, item);
    for (int n = 1; (first = ss_chart_curve(c, n, &last)) >= 0; n++) {
        int others = 0;
        ss_rect at = ss_legend_hit(b->s, c, in, first);
        if (at.w >= 1 && ss_chart_curve(c, 2, &others) >= 0)
            ss_press(b, at, ss_text("view curve %d %s", n, ss_chart_name(b->ui, chart)), n);
    }
}

ss_series *ss_chart_add(ss_chart *c, ss_series s, const char *legend)
{
    if (c->nseries == SS_SERIES_MAX)
        return NULL;
    c->legend[c->nseries] = legend;
    c->series[c->nseries] = s;
    return &c->series[c->nseries++];
}

void ss_build_chart(const ss_build *b, ss_chart *c, ss_abscissa x_is, ss_rect in, ss_rect frame)
{
    ss_chart_view *v = &b->ui->charts.of[x_is];
    if (c->x_is == SS_X_NONE)
        ss_build_chart_axes(b, c, x_is, in);
    v->least = narrowest(b, c);
    bool thins = x_is == SS_X_COST || x_is == SS_X_TIME || v->zoomed[0];
    for (int i = 0; i < c->nseries; i++) {
        if (thins)
            thin(b, c, &c->series[i], in.w);
        c->series[i].hidden = ss_chart_hides(v, &c->series[i]);
    }
    ss_scene_add(b->s, SS_I_CHART, in, SS_C_TEXT)->chart = c;
    add_hits(b, c, in, frame);
    if (v->zoomed[0] && ss_chart_zooms(c) && frame.w > 0)
        zoom_words(b, c, frame);
}

void ss_build_chart_panel(const ss_build *b, const ss_chart_panel *p, ss_rect r, int from,
                          ss_chart *c)
{
    enum { GAP = 3 };
    if (p->title) {
        ss_build_frame(b, r, p->title);
        from = r.x + ss_text_width(p->title) + GAP;
    }
    (p->unit_above ? ss_build_corner : ss_build_unit)(b, r, from,
                                                      p->words ? p->words : p->unit(b, r));
    ss_rect in = ss_build_chart_room(b, r);
    if (p->above)
        p->above(b, &in);
    const char *why = p->empty ? p->empty(b) : NULL;
    if (why) {
        ss_build_nothing(b, r, why);
        return;
    }
    *c = (ss_chart){.x_label = p->x_label, .x_name = p->x_name, .y_name = p->y_name};
    p->fill(b, in, c);
    ss_build_chart(b, c, p->x_is, in, r);
}

/* --- the number that a lesson asks for -------------------------------------------------------- */

/* An upright line at x, in the whole height of the chart. */
static void add_line(const ss_build *b, ss_chart *c, double x, ss_theme_role role, int dash,
                     const char *legend)
{
    ss_xy *at = c->nseries < SS_SERIES_MAX ? ss_scene_points(b->s, 2) : NULL;
    if (!at || x < c->x.lo || x > c->x.hi)
        return;
    at[0] = (ss_xy){x, c->y.lo};
    at[1] = (ss_xy){x, c->y.hi};
    ss_chart_add(c, (ss_series){.at = at, .n = 2, .role = role, .dash = dash}, legend);
}

/* So many points from both ends of a block, between two bars. */
static void add_depth(const ss_build *b, ss_chart *c, double depth, ss_theme_role role, int dash,
                      const char *legend)
{
    double n = c->x.hi + 1;
    add_line(b, c, depth - 0.5, role, dash, legend);
    add_line(b, c, n - depth - 0.5, role, dash, NULL);
}

typedef void add_number(const ss_build *b, ss_chart *c, double number, ss_theme_role role, int dash,
                        const char *legend);

void ss_build_drawn(const ss_build *b, ss_chart *c, ss_page_drawn kind)
{
    static add_number *const add[SS_PAGE_NDRAWN] = {
        [SS_DRAWN_DEPTH] = add_depth, [SS_DRAWN_CYCLES] = add_line};
    const ss_page *page = b->ui->page;
    double said = ss_page_said(b->ui);
    if (!page || page->drawn != kind)
        return;
    if (!isnan(page->truth))
        add[kind](b, c, page->truth, SS_C_TEXT, 0,
                  ss_scene_keep(b->s, ss_text("it is %g", page->truth)));
    if (!isnan(said))
        add[kind](b, c, said, SS_C_ACCENT, 1, ss_scene_keep(b->s, ss_text("you: %g", said)));
}

bool ss_is_drawn(const ss_build *b, ss_page_drawn kind)
{
    return b->ui->page && b->ui->page->drawn == kind && !isnan(ss_page_said(b->ui));
}

bool ss_is_drawing(const ss_build *b, ss_page_drawn kind)
{
    return ss_page_awaits(b->ui) && b->ui->page->drawn == kind;
}
