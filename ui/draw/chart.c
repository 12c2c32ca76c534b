/* Charts: axes, smooth curves, bars, marks, zones; their words, which are legend, marks, notes, the
 * names of a level and of a zone; and the places at which the mouse meets their data and their
 * legend. The labels of axes, also those of a picture. See draw.h. */
#include <math.h>

#include "ui/draw/draw.h"
#include "ui/scene/plot.h"
#include "ui/scene/place.h"

/* --- labels of axes --------------------------------------------------------------------------- */

/* Pixels of an axis, and the room of its labels. */
typedef struct ss_reach {
    double x, w, left, right;
} ss_reach;

/* Tick labels and title centred on the line y; tick labels left of `right`. */
static void draw_axis_across(const ss_painter *p, const ss_plot_axis *a, const ss_reach *r,
                             double y, const char *title)
{
    double s = p->d->scale, near = 3 * s, wide = title ? ss_draw_width(p, SS_SMALL, title) : 0;
    ss_label label[SS_TICK_MAX];
    const ss_tick *tick[SS_TICK_MAX];
    int n = 0;
    for (int i = 0; i < a->ntick; i++) {
        const ss_tick *t = ss_axis_tick(a, i);
        double at = r->x + ss_axis_at(a, t->at) * r->w;
        double tw = ss_draw_width(p, SS_FIGURE | SS_SMALL, t->label);
        if (!(at >= r->x - near && at <= r->x + r->w + near))
            continue;
        tick[n] = t;
        label[n++] = (ss_label){.x = fmin(fmax(at - tw / 2, r->left), r->right - tw), .w = tw};
    }
    double place = ss_labels_on_axis(label, n, r->left, r->right, 8 * s, wide);
    ss_draw_role(p, SS_C_DIM, 1);
    for (int i = 0; i < n; i++)
        if (label[i].shown)
            ss_draw_text(p, label[i].x, y, label[i].w + 2, SS_FIGURE | SS_SMALL, tick[i]->label);
    if (!isnan(place))
        ss_draw_text(p, place, y, wide + 2, SS_SMALL, title);
}

/* Labels stay `inset` away from the ends of [y, y + h]. */
static void draw_axis_up(const ss_painter *p, const ss_plot_axis *a, double right, double y,
                         double h, double inset)
{
    double s = p->d->scale, last = 1e9, near = inset > 0 ? 3 * s : 0.5;
    for (int i = 0; i < a->ntick; i++) {
        const ss_tick *t = ss_axis_tick(a, i);
        double at = y + (1 - ss_axis_at(a, t->at)) * h;
        if (!(at >= y - near && at <= y + h + near) || fabs(last - at) < 15 * s)
            continue;
        last = at;
        at = fmin(fmax(at, y + inset), y + h - inset);
        ss_draw_role(p, SS_C_DIM, 1);
        ss_draw_text(p, right - 8 * s, at, 1e4, SS_FIGURE | SS_SMALL | SS_RIGHT, t->label);
    }
}

/* Ticks beside a picture. */
static void draw_ticks(const ss_painter *p, const ss_plot_axis *a, ss_px r)
{
    double line = ss_draw_thin(p->d, 1), s = p->d->scale;
    ss_draw_role(p, SS_C_DIM, 1);
    for (int i = 0; i < a->ntick; i++) {
        double at = ss_axis_at(a, a->tick[i].at), near = 3 * s / r.h;
        if (at >= -near && at <= 1 + near)
            ss_draw_box(p, r.x + r.w - 4 * s, floor(r.y + (1 - at) * r.h - line / 2), 4 * s, line);
    }
}

void ss_draw_edge(const ss_painter *p, const ss_item *item)
{
    const ss_edge_axis *e = item->edge;
    ss_px r = ss_draw_px(p->d, item->rect);
    double s = p->d->scale, thick = ss_draw_thin(p->d, 2);
    if (!e->up) {
        const ss_reach reach = {r.x, r.w, r.x, r.x + r.w};
        draw_axis_across(p, &e->axis, &reach, r.y + 0.5 * r.h, e->title);
        return;
    }
    draw_ticks(p, &e->axis, r);
    draw_axis_up(p, &e->axis, r.x + r.w, r.y, r.h, 7 * s);
    ss_draw_role(p, SS_C_ACCENT, 1);
    for (int i = 0; i < e->nmark; i++) {
        double at = ss_axis_at(&e->axis, e->mark[i]);
        if (at >= 0 && at <= 1)
            ss_draw_box(p, r.x + r.w - 12 * s, floor(r.y + (1 - at) * r.h - thick / 2), 12 * s,
                        thick);
    }
}

/* --- from data to pixels ---------------------------------------------------------------------- */

static double plot_x(const ss_plot *f, double v)
{
    return f->bars ? f->x + (v + 0.5) / f->bars * f->w : f->x + ss_axis_at(&f->chart->x, v) * f->w;
}

static double plot_y(const ss_plot *f, double v)
{
    return f->y + (1 - ss_axis_at(&f->chart->y, v)) * f->h;
}

static bool plot_has_x(const ss_plot *f, double x)
{
    return x >= f->x - 0.5 && x <= f->x + f->w + 0.5;
}

static bool plot_has_y(const ss_plot *f, double y)
{
    return y >= f->y - 0.5 && y <= f->y + f->h + 0.5;
}

/* --- curves ----------------------------------------------------------------------------------- */

/* Dash patterns: curves differ without colour, too. */
static const struct {
    ss_theme_role role;
    int n;
    double dash[SS_PEN_DASH];
} dashes[] = {{SS_C_SERIES2, 2, {7, 4}},
              {SS_C_SERIES3, 4, {8, 3, 2, 3}},
              {SS_C_SERIES4, 2, {3, 3}},
              {SS_C_SERIES5, 2, {14, 4}},
              {SS_C_SERIES6, 6, {8, 3, 2, 3, 2, 3}}};

/* Roles that are no run's: the series says its dashes. */
static bool is_own(ss_theme_role role)
{
    return role == SS_C_DIM || role == SS_C_ACCENT;
}

/* The number of dashes; 0: a solid line. */
static int dash_of(const ss_series *s, const double **dash)
{
    static const double dots[] = {2, 4};
    *dash = dots;
    if (s->dots)
        return 2;
    for (size_t i = 0; i < sizeof dashes / sizeof *dashes; i++)
        if (dashes[i].role == s->role || (is_own(s->role) && (int)i == s->dash - 1)) {
            *dash = dashes[i].dash;
            return dashes[i].n;
        }
    return 0;
}

static void set_dash(const ss_plot *f, const ss_series *s)
{
    double dash[SS_PEN_DASH];
    const double *from;
    int n = dash_of(s, &from);
    for (int i = 0; i < n; i++)
        dash[i] = from[i] * f->s;
    ss_pen_dash(f->p->pen, dash, n);
}

/* A piece of a curve, or a point, centred on the line y. */
static void plot_piece(const ss_plot *f, const ss_series *s, double x, double y, double w)
{
    ss_draw_role(f->p, s->role, 1);
    if (s->points) {
        ss_pen_arc(f->p->pen, x + w / 2, floor(y) + 0.5, (s->points > 1 ? 5 : 3.5) * f->s, 0, 7);
        ss_pen_fill(f->p->pen);
        return;
    }
    ss_pen_save(f->p->pen);
    set_dash(f, s);
    ss_pen_width(f->p->pen, f->curve);
    ss_pen_move(f->p->pen, x, floor(y) + 0.5);
    ss_pen_line(f->p->pen, x + w, floor(y) + 0.5);
    ss_pen_stroke(f->p->pen);
    ss_pen_restore(f->p->pen);
}

/* --- words ------------------------------------------------------------------------------------ */

/* Labels of the marks, and the order of the marks by position; returns their number. */
static int plot_flags(const ss_plot *f, ss_flag *flag, int *mark)
{
    int n = 0;
    for (int i = 0; i < f->chart->nmark; i++) {
        double x = plot_x(f, f->chart->mark[i].x);
        if (!plot_has_x(f, x))
            continue;
        int at = n++;
        for (; at > 0 && flag[at - 1].x > x; at--)
            flag[at] = flag[at - 1], mark[at] = mark[at - 1];
        flag[at] = (ss_flag){.x = x};
        mark[at] = i;
        flag[at].w = ss_draw_width(f->p, SS_SMALL, f->chart->mark[i].text);
    }
    ss_labels_of_marks(flag, n, f->x, f->x + f->w, 5 * f->s, (int)(f->h / 2 / (15 * f->s)));
    return n;
}

/* The middle of a label's row, below `under` rows of the legend. */
static double plot_flag_y(const ss_plot *f, int row, int under)
{
    return f->y + (9 + 17 * under + 15 * row) * f->s;
}

/* Text centred on the line y. */
static void tell_over(const ss_plot *f, double y)
{
    ss_pen_covers(f->p->pen, floor(y - 12 * f->s), ceil(y + 12 * f->s));
}

/* The name of a hidden curve is struck out, and has no sample. */
static void legend_entry(const ss_plot *f, int i, double x, double y, double w)
{
    const ss_series *s = &f->chart->series[i];
    double sample = 18 * f->s;
    tell_over(f, y);
    ss_draw_role(f->p, SS_C_PANEL, 0.75);
    ss_draw_box(f->p, x - sample - 8 * f->s, y - 8 * f->s, w + sample + 10 * f->s, 16 * f->s);
    ss_draw_role(f->p, s->hidden ? SS_C_FAINT : SS_C_DIM, 1);
    ss_draw_text(f->p, x, y, w + 2, SS_SMALL, f->chart->legend[i]);
    if (s->hidden)
        ss_draw_box(f->p, x, floor(y), w, ss_draw_thin(f->p->d, 1));
    else
        plot_piece(f, s, x - sample - 5 * f->s, y, sample);
}

/* A piece of each curve, then its name, from the right; in a second row where the first is full.
 * `each` gets the left edge, middle and width of the names. Returns the rows used. */
static int lay_legend(const ss_plot *f, void (*each)(const ss_plot *, int, double, double, double))
{
    double end = f->x + f->w, x = end, room = 34 * f->s;
    int row = 0, rows = 0;
    for (int i = f->chart->nseries - 1; i >= 0; i--) {
        const char *text = f->chart->legend[i];
        double w = text ? ss_draw_width(f->p, SS_SMALL, text) : 0;
        if (w > 0 && x - w - room < f->x && row == 0 && rows > 0)
            x = end, row = 1;
        if (w <= 0 || x - w - room < f->x)
            continue;
        rows = row + 1;
        if (each)
            each(f, i, x - w, f->y + (9 + 17 * row) * f->s, w);
        x -= w + room;
    }
    return rows;
}

/* Returns the rows of the legend. */
static int plot_legend(const ss_plot *f, bool draw)
{
    return lay_legend(f, draw ? legend_entry : NULL);
}

/* Labels right of their lines, one below the other where a line would cross them. */
static void draw_marks(const ss_plot *f)
{
    ss_flag flag[SS_MARKS_MAX];
    int mark[SS_MARKS_MAX], n = plot_flags(f, flag, mark), under = plot_legend(f, false);
    for (int i = 0; i < n; i++) {
        double y = plot_flag_y(f, flag[i].row, under), at = flag[i].at, w = flag[i].w;
        if (!flag[i].shown)
            continue;
        tell_over(f, y);
        ss_draw_role(f->p, SS_C_PANEL, 0.75);
        ss_draw_box(f->p, at - 2 * f->s, y - 7 * f->s, w + 4 * f->s, 14 * f->s);
        ss_draw_role(f->p, SS_C_ACCENT, 1);
        ss_draw_text(f->p, at, y, w + 2, SS_SMALL, f->chart->mark[mark[i]].text);
    }
}

static void draw_notes(const ss_plot *f)
{
    for (int i = 0; i < f->chart->nnote; i++) {
        const ss_chart_note *n = &f->chart->note[i];
        double x = plot_x(f, n->at.x) + 8 * f->s, y = plot_y(f, n->at.y) + 8 * f->s;
        double w = ss_draw_width(f->p, SS_SMALL, n->text);
        if (!plot_has_x(f, x) || !plot_has_y(f, y))
            continue;
        tell_over(f, y);
        ss_draw_role(f->p, n->role, 1);
        ss_draw_text(f->p, x, y, w + 2, SS_SMALL, n->text);
    }
}

/* At the left end: no curve starts at the tolerance, and the mark of its end is at the right. */
static void label_level(const ss_plot *f)
{
    double y = plot_y(f, f->chart->level), x = f->x + 6 * f->s;
    const char *text = f->chart->level_text + (f->chart->level_text[0] == ' ');
    if (!f->chart->has_level || !plot_has_y(f, y))
        return;
    y += (y > f->y + 20 * f->s ? -9 : 9) * f->s;
    double w = ss_draw_width(f->p, SS_SMALL, text);
    tell_over(f, y);
    ss_draw_role(f->p, SS_C_PANEL, 0.75);
    ss_draw_box(f->p, x - 2 * f->s, y - 7 * f->s, w + 4 * f->s, 14 * f->s);
    ss_draw_role(f->p, SS_C_SERIES2, 1);
    ss_draw_text(f->p, x, y, f->w, SS_SMALL, text);
}

static void label_zone(const ss_plot *f)
{
    if (!f->chart->zone_label || !f->chart->nzone)
        return;
    bool bars = f->bars != 0;
    double x = plot_x(f, f->chart->zone[0][bars ? 1 : 0] + (bars ? 0.5 : 0)) + 9 * f->s;
    double y = f->y + (f->chart->nseries > 1 ? 26 : 9) * f->s;
    double w = ss_draw_width(f->p, SS_SMALL, f->chart->zone_label);
    tell_over(f, y);
    ss_draw_role(f->p, SS_C_PANEL, 0.85); /* it may lie over bars */
    ss_draw_box(f->p, x - 4 * f->s, y - 8 * f->s, w + 8 * f->s, 16 * f->s);
    ss_draw_role(f->p, SS_C_ACCENT, 1);
    ss_draw_text(f->p, x, y, f->x + f->w - x, SS_SMALL, f->chart->zone_label);
}

/* The words over the curves. */
static void plot_words(const ss_plot *f)
{
    label_level(f);
    draw_notes(f);
    draw_marks(f);
    plot_legend(f, true);
    label_zone(f);
}

/* --- ground ----------------------------------------------------------------------------------- */

static double label_width(const ss_painter *p, const ss_plot_axis *a)
{
    double w = 0;
    for (int i = 0; i < a->ntick; i++)
        w = fmax(w, ss_draw_width(p, SS_FIGURE | SS_SMALL, a->tick[i].label));
    return w;
}

static void draw_zones(const ss_plot *f)
{
    ss_draw_role(f->p, SS_C_SHADE, 1);
    double half = f->bars ? 0.5 : 0;
    for (int i = 0; i < f->chart->nzone; i++) {
        double a = plot_x(f, f->chart->zone[i][0] - half),
               b = plot_x(f, f->chart->zone[i][1] + half);
        a = fmin(fmax(a, f->x), f->x + f->w), b = fmin(fmax(b, f->x), f->x + f->w);
        ss_draw_box(f->p, a, f->y, b - a, f->h);
    }
}

static void draw_y_axis(const ss_plot *f)
{
    double line = ss_draw_thin(f->p->d, 1);
    ss_draw_role(f->p, SS_C_LINE, 0.75);
    for (int i = 0; i < f->chart->y.ntick; i++) {
        double y = plot_y(f, f->chart->y.tick[i].at);
        if (plot_has_y(f, y))
            ss_draw_box(f->p, f->x, floor(y - line / 2 + 0.5), f->w, line);
    }
    draw_axis_up(f->p, &f->chart->y, f->x, f->y, f->h, 0);
    ss_draw_role(f->p, SS_C_DIM, 1);
    if (f->chart->y_label)
        ss_draw_text(f->p, f->left, f->y - 15 * f->s, f->x + f->w - f->left, SS_SMALL,
                     f->chart->y_label);
}

static void draw_x_axis(const ss_plot *f)
{
    double y = f->y + f->h + (f->chart->nunder ? 8 : 0) * f->s + 11 * f->s;
    ss_plot_axis a = f->chart->x;
    const ss_reach reach = {f->x, f->w, f->left, f->right};
    if (f->bars) /* labels are below the middles of bars */
        a.lo -= 0.5, a.hi = a.lo + f->bars;
    draw_axis_across(f->p, &a, &reach, y, f->chart->x_label);
}

static void vertical(const ss_plot *f, double v, ss_theme_role role, double alpha)
{
    double x = plot_x(f, v), line = ss_draw_thin(f->p->d, 1);
    if (!plot_has_x(f, x))
        return;
    ss_draw_role(f->p, role, alpha);
    ss_draw_box(f->p, floor(x - line / 2 + 0.5), f->y, line, f->h);
}

/* A mark's line begins at its label. */
static void draw_verticals(const ss_plot *f)
{
    ss_flag flag[SS_MARKS_MAX];
    int mark[SS_MARKS_MAX], n = plot_flags(f, flag, mark), under = plot_legend(f, false);
    double line = ss_draw_thin(f->p->d, 1), end = f->y + f->h;
    for (int i = 0; i < f->chart->nedge; i++)
        vertical(f, f->chart->edge[i], SS_C_LINE, 1);
    ss_draw_role(f->p, SS_C_ACCENT, 0.8);
    for (int i = 0; i < n; i++) {
        double y = flag[i].shown ? plot_flag_y(f, flag[i].row, under) - 7 * f->s : f->y;
        ss_draw_box(f->p, floor(flag[i].x - line / 2 + 0.5), y, line, end - y);
    }
}

/* Short lines down from the axis; the emphasised one is longer. */
static void draw_under(const ss_plot *f)
{
    double line = fmax(1, floor(f->s));
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < f->chart->nunder; i++) {
            double x = plot_x(f, f->chart->under[i]);
            bool here = i == f->chart->here;
            if (!plot_has_x(f, x) || here != (pass == 1))
                continue;
            ss_draw_role(f->p, here ? SS_C_ACCENT : SS_C_DIM, 1);
            ss_draw_box(f->p, floor(x - line / 2 + 0.5) - here * line, f->y + f->h + 2 * f->s,
                        line * (here ? 3 : 1), (here ? 8 : 5) * f->s);
        }
}

static void draw_level(const ss_plot *f)
{
    double y = plot_y(f, f->chart->level), dash[] = {5 * f->s, 4 * f->s};
    if (!f->chart->has_level || !plot_has_y(f, y))
        return;
    ss_draw_role(f->p, SS_C_SERIES2, 0.9);
    ss_pen_dash(f->p->pen, dash, 2);
    ss_pen_width(f->p->pen, ss_draw_thin(f->p->d, 1));
    ss_pen_move(f->p->pen, f->x, floor(y) + 0.5);
    ss_pen_line(f->p->pen, f->x + f->w, floor(y) + 0.5);
    ss_pen_stroke(f->p->pen);
    ss_pen_dash(f->p->pen, NULL, 0);
}

/* --- data ------------------------------------------------------------------------------------- */

/* In pixels; NaN and points far outside are gaps. */
static bool place(const ss_plot *f, ss_xy at, ss_xy *out)
{
    double tx = ss_axis_at(&f->chart->x, at.x), ty = ss_axis_at(&f->chart->y, at.y);
    if (!(tx > -4 && tx < 5) || ty != ty)
        return false;
    ty = ty < -2 ? -2 : ty > 3 ? 3 : ty;
    *out = (ss_xy){f->x + tx * f->w, f->y + (1 - ty) * f->h};
    return true;
}

/* A piece of a curve without gaps. */
static void draw_piece(const ss_plot *f, const ss_xy *at, int n)
{
    const ss_pen_box within = {f->x, f->y - 3 * f->s, f->w, f->h + 6 * f->s};
    if (n < 2)
        return;
    ss_pen_join(f->p->pen, n > 200 ? SS_JOIN_BEVEL : SS_JOIN_ROUND);
    ss_pen_curve(f->p->pen, &within, at, n);
}

static void draw_curve(const ss_plot *f, const ss_series *s)
{
    enum { AT_ONCE = 2048 };
    ss_xy at[AT_ONCE];
    int n = 0;
    ss_pen_save(f->p->pen);
    ss_draw_role(f->p, s->role, 1);
    ss_pen_width(f->p->pen, f->curve);
    set_dash(f, s);
    for (int i = 0; i < s->n; i++) {
        bool there = place(f, s->at[i], &at[n]);
        n += there;
        if (there && n < AT_ONCE)
            continue;
        draw_piece(f, at, n);
        at[0] = at[n > 0 ? n - 1 : 0];
        n = there; /* continues from its last point */
    }
    draw_piece(f, at, n);
    ss_pen_restore(f->p->pen);
}

static void draw_points(const ss_plot *f, const ss_series *s)
{
    double radius = (s->points > 1 ? 6 : 3.5) * f->s;
    for (int i = 0; i < s->n; i++) {
        double x = plot_x(f, s->at[i].x), y = plot_y(f, s->at[i].y);
        if (!plot_has_x(f, x) || !plot_has_y(f, y))
            continue;
        ss_pen_arc(f->p->pen, x, y, radius, 0, 6.283185307179586);
        ss_draw_role(f->p, s->role, s->points > 1 ? 1 : 0.75);
        ss_pen_fill(f->p->pen);
    }
}

static bool in_zone(const ss_plot *f, double v)
{
    for (int i = 0; i < f->chart->nzone; i++)
        if (v >= f->chart->zone[i][0] && v <= f->chart->zone[i][1])
            return true;
    return false;
}

/* A value above 0 that the axis does not reach down to: its end points down. */
static void draw_stub(const ss_plot *f, double x, double w)
{
    double y = f->y + f->h, h = fmin(6 * f->s, w);
    ss_pen_move(f->p->pen, x, y - h);
    ss_pen_line(f->p->pen, x + w, y - h);
    ss_pen_line(f->p->pen, x + w / 2, y);
    ss_pen_fill(f->p->pen);
}

static void draw_bars(const ss_plot *f, const ss_series *s)
{
    double pitch = f->w / (s->n > 0 ? s->n : 1), gap = pitch >= 4 ? 0.25 * pitch : 0;
    for (int i = 0; i < s->n; i++) {
        double t = ss_axis_at(&f->chart->y, s->at[i].y);
        double x = f->x + i * pitch + gap / 2, high = fmax(fmin(t, 1) * f->h, f->s);
        if (!isfinite(t) || (!f->chart->y.log && !(t > 0)))
            continue;
        ss_draw_role(f->p, in_zone(f, i) ? SS_C_ACCENT : s->role, in_zone(f, i) ? 0.75 : 0.8);
        if (t > 0)
            ss_draw_box(f->p, x, f->y + f->h - high, pitch - gap, high);
        else
            draw_stub(f, x, pitch - gap);
    }
}

/* --- samples ---------------------------------------------------------------------------------- */

void ss_draw_sample(const ss_painter *p, const ss_item *item)
{
    ss_px r = ss_draw_px(p->d, item->rect);
    const ss_series s = {.role = item->role, .dash = item->dash};
    const ss_plot f = {.p = p, .s = p->d->scale, .curve = p->d->scale * p->scene->theme->curve};
    plot_piece(&f, &s, r.x, r.y + 0.5 * r.h, r.w);
}

/* --- the mouse -------------------------------------------------------------------------------- */

static ss_spot *add_spot(ss_places *d, double x, double y, double w, double h)
{
    ss_spot *s = &d->spot[d->nspot < SS_SPOT_MAX ? d->nspot++ : SS_SPOT_MAX - 1];
    *s = (ss_spot){.x = x, .y = y, .w = w, .h = h};
    return s;
}

static void entry_spot(const ss_plot *f, int i, double x, double y, double w)
{
    double sample = 23 * f->s;
    ss_spot *s = add_spot(f->p->d, x - sample, y - 9 * f->s, w + sample + 4 * f->s, 18 * f->s);
    s->cells = ss_legend_hit(f->p->scene, f->chart, f->item, i);
}

void ss_draw_spots(const ss_painter *p)
{
    p->d->nspot = 0;
    for (int i = 0; i < p->scene->nitem; i++) {
        const ss_item *item = &p->scene->item[i];
        ss_plot f;
        if (item->kind == SS_I_VEIL) /* only what is above it meets the mouse */
            p->d->nspot = 0;
        if (item->kind != SS_I_CHART || !ss_plot_make(&f, p, item))
            continue;
        lay_legend(&f, entry_spot); /* before the data below them */
        add_spot(p->d, f.x, f.y, f.w, f.h)->cells = ss_chart_data(item->chart, item->rect);
    }
}

bool ss_draw_chart_data(const ss_painter *p, const ss_item *item, ss_pen_box *out)
{
    ss_plot f;
    bool room = ss_plot_make(&f, p, item);
    *out = (ss_pen_box){f.x, f.y, f.w, f.h};
    return room;
}

/* --- charts ----------------------------------------------------------------------------------- */

/* False: too small for any data. */
bool ss_plot_make(ss_plot *f, const ss_painter *p, const ss_item *item)
{
    const ss_chart *c = item->chart;
    ss_px r = ss_draw_px(p->d, item->rect);
    double s = p->d->scale;
    double gutter = c->gutter ? c->gutter * p->d->cw : ceil(label_width(p, &c->y) + 10 * s);
    *f = (ss_plot){.p = p,
                   .chart = c,
                   .item = item->rect,
                   .s = s,
                   .curve = s * p->scene->theme->curve,
                   .bars = ss_chart_bars(c)};
    double top = (c->y_label ? 24 : 9) * s;
    f->left = r.x, f->right = r.x + r.w;
    f->x = r.x + gutter, f->w = r.w - gutter - (c->gutter ? 0 : 4 * s);
    f->y = r.y + top, f->h = r.h - top - p->d->ch - (c->nunder ? 8 * s : 0);
    return f->w >= 20 * s && f->h >= 20 * s;
}

bool ss_plot_is_solid(const ss_plot *f)
{
    for (int i = 0; i < f->chart->nseries; i++) {
        const ss_series *s = &f->chart->series[i];
        const double *dash;
        if (s->bars || s->points || dash_of(s, &dash) > 0)
            return false;
    }
    return true;
}

void ss_plot_ground(const ss_plot *f)
{
    draw_zones(f);
    draw_y_axis(f);
    draw_x_axis(f);
    draw_verticals(f);
    draw_level(f);
    draw_under(f);
}

static void draw_nothing(const ss_plot *f, const ss_series *s)
{
    (void)f, (void)s;
}

void ss_plot_data(const ss_plot *f)
{
    for (int i = 0; i < f->chart->nseries; i++)
        (f->chart->series[i].hidden   ? draw_nothing
         : f->chart->series[i].bars   ? draw_bars
         : f->chart->series[i].points ? draw_points
                                      : draw_curve)(f, &f->chart->series[i]);
    plot_words(f);
}

void ss_draw_chart(const ss_painter *p, const ss_item *item)
{
    ss_plot f;
    if (!ss_plot_make(&f, p, item))
        return;
    ss_plot_ground(&f);
    ss_plot_data(&f);
}
