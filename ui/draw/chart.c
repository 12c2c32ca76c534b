/* Charts: axes, smooth curves, bars, marks, zones, legends. See draw.h. */
#include <math.h>

#include "ui/draw/plot.h"
#include "ui/scene/labels.h"
#include "ui/scene/place.h"

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

double ss_plot_x(const ss_plot *f, double v)
{
    return f->bars ? f->x + (v + 0.5) / f->bars * f->w : f->x + ss_axis_at(&f->chart->x, v) * f->w;
}

double ss_plot_y(const ss_plot *f, double v)
{
    return f->y + (1 - ss_axis_at(&f->chart->y, v)) * f->h;
}

bool ss_plot_has_x(const ss_plot *f, double x)
{
    return x >= f->x - 0.5 && x <= f->x + f->w + 0.5;
}

bool ss_plot_has_y(const ss_plot *f, double y)
{
    return y >= f->y - 0.5 && y <= f->y + f->h + 0.5;
}

static double label_width(const ss_painter *p, const ss_plot_axis *a)
{
    double w = 0;
    for (int i = 0; i < a->ntick; i++)
        w = fmax(w, ss_draw_width(p, SS_FIGURE | SS_SMALL, a->tick[i].label));
    return w;
}

/* --- ground ----------------------------------------------------------------------------------- */

static void draw_zones(const ss_plot *f)
{
    ss_draw_role(f->p, SS_C_SHADE, 1);
    double half = f->bars ? 0.5 : 0;
    for (int i = 0; i < f->chart->nzone; i++) {
        double a = ss_plot_x(f, f->chart->zone[i][0] - half),
               b = ss_plot_x(f, f->chart->zone[i][1] + half);
        a = fmin(fmax(a, f->x), f->x + f->w), b = fmin(fmax(b, f->x), f->x + f->w);
        ss_draw_box(f->p, a, f->y, b - a, f->h);
    }
}

static void draw_y_axis(const ss_plot *f)
{
    double line = ss_draw_thin(f->p->d, 1);
    ss_draw_role(f->p, SS_C_LINE, 0.75);
    for (int i = 0; i < f->chart->y.ntick; i++) {
        double y = ss_plot_y(f, f->chart->y.tick[i].at);
        if (ss_plot_has_y(f, y))
            ss_draw_box(f->p, f->x, floor(y - line / 2 + 0.5), f->w, line);
    }
    ss_draw_axis_up(f->p, &f->chart->y, f->x, f->y, f->h, 0);
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
    ss_draw_axis_across(f->p, &a, &reach, y, f->chart->x_label);
}

static void vertical(const ss_plot *f, double v, ss_theme_role role, double alpha)
{
    double x = ss_plot_x(f, v), line = ss_draw_thin(f->p->d, 1);
    if (!ss_plot_has_x(f, x))
        return;
    ss_draw_role(f->p, role, alpha);
    ss_draw_box(f->p, floor(x - line / 2 + 0.5), f->y, line, f->h);
}

/* A mark's line begins at its label. */
static void draw_verticals(const ss_plot *f)
{
    ss_flag flag[SS_MARKS_MAX];
    int mark[SS_MARKS_MAX], n = ss_plot_flags(f, flag, mark), under = ss_plot_legend(f, false);
    double line = ss_draw_thin(f->p->d, 1), end = f->y + f->h;
    for (int i = 0; i < f->chart->nedge; i++)
        vertical(f, f->chart->edge[i], SS_C_LINE, 1);
    ss_draw_role(f->p, SS_C_ACCENT, 0.8);
    for (int i = 0; i < n; i++) {
        double y = flag[i].shown ? ss_plot_flag_y(f, flag[i].row, under) - 7 * f->s : f->y;
        ss_draw_box(f->p, floor(flag[i].x - line / 2 + 0.5), y, line, end - y);
    }
}

/* Short lines down from the axis; the emphasised one is longer. */
static void draw_under(const ss_plot *f)
{
    double line = fmax(1, floor(f->s));
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < f->chart->nunder; i++) {
            double x = ss_plot_x(f, f->chart->under[i]);
            bool here = i == f->chart->here;
            if (!ss_plot_has_x(f, x) || here != (pass == 1))
                continue;
            ss_draw_role(f->p, here ? SS_C_ACCENT : SS_C_DIM, 1);
            ss_draw_box(f->p, floor(x - line / 2 + 0.5) - here * line, f->y + f->h + 2 * f->s,
                        line * (here ? 3 : 1), (here ? 8 : 5) * f->s);
        }
}

static void draw_level(const ss_plot *f)
{
    double y = ss_plot_y(f, f->chart->level), dash[] = {5 * f->s, 4 * f->s};
    if (!f->chart->has_level || !ss_plot_has_y(f, y))
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
        double x = ss_plot_x(f, s->at[i].x), y = ss_plot_y(f, s->at[i].y);
        if (!ss_plot_has_x(f, x) || !ss_plot_has_y(f, y))
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

/* A piece of a curve, or a point, centred on the line y. */
void ss_plot_piece(const ss_plot *f, const ss_series *s, double x, double y, double w)
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

void ss_draw_sample(const ss_painter *p, const ss_item *item)
{
    ss_px r = ss_draw_px(p->d, item->rect);
    const ss_series s = {.role = item->role, .dash = item->dash};
    const ss_plot f = {.p = p, .s = p->d->scale, .curve = p->d->scale * p->scene->theme->curve};
    ss_plot_piece(&f, &s, r.x, r.y + 0.5 * r.h, r.w);
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
    ss_plot_words(f);
}

void ss_draw_chart(const ss_painter *p, const ss_item *item)
{
    ss_plot f;
    if (!ss_plot_make(&f, p, item))
        return;
    ss_plot_ground(&f);
    ss_plot_data(&f);
}
