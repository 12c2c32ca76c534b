/* The words of a chart: legend, marks, notes, the names of a level and of a zone; and the places at
 * which the mouse meets its data and its legend. See plot.h. */
#include <math.h>

#include "ui/draw/plot.h"

/* Labels of the marks, and the order of the marks by position. */
int ss_plot_flags(const ss_plot *f, ss_flag *flag, int *mark)
{
    int n = 0;
    for (int i = 0; i < f->chart->nmark; i++) {
        double x = ss_plot_x(f, f->chart->mark[i].x);
        if (!ss_plot_has_x(f, x))
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

double ss_plot_flag_y(const ss_plot *f, int row, int under)
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
        ss_plot_piece(f, s, x - sample - 5 * f->s, y, sample);
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

int ss_plot_legend(const ss_plot *f, bool draw)
{
    return lay_legend(f, draw ? legend_entry : NULL);
}

/* Labels right of their lines, one below the other where a line would cross them. */
static void draw_marks(const ss_plot *f)
{
    ss_flag flag[SS_MARKS_MAX];
    int mark[SS_MARKS_MAX], n = ss_plot_flags(f, flag, mark), under = ss_plot_legend(f, false);
    for (int i = 0; i < n; i++) {
        double y = ss_plot_flag_y(f, flag[i].row, under), at = flag[i].at, w = flag[i].w;
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
        double x = ss_plot_x(f, n->at.x) + 8 * f->s, y = ss_plot_y(f, n->at.y) + 8 * f->s;
        double w = ss_draw_width(f->p, SS_SMALL, n->text);
        if (!ss_plot_has_x(f, x) || !ss_plot_has_y(f, y))
            continue;
        tell_over(f, y);
        ss_draw_role(f->p, n->role, 1);
        ss_draw_text(f->p, x, y, w + 2, SS_SMALL, n->text);
    }
}

/* At the left end: no curve starts at the tolerance, and the mark of its end is at the right. */
static void label_level(const ss_plot *f)
{
    double y = ss_plot_y(f, f->chart->level), x = f->x + 6 * f->s;
    const char *text = f->chart->level_text + (f->chart->level_text[0] == ' ');
    if (!f->chart->has_level || !ss_plot_has_y(f, y))
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
    double x = ss_plot_x(f, f->chart->zone[0][bars ? 1 : 0] + (bars ? 0.5 : 0)) + 9 * f->s;
    double y = f->y + (f->chart->nseries > 1 ? 26 : 9) * f->s;
    double w = ss_draw_width(f->p, SS_SMALL, f->chart->zone_label);
    tell_over(f, y);
    ss_draw_role(f->p, SS_C_PANEL, 0.85); /* it may lie over bars */
    ss_draw_box(f->p, x - 4 * f->s, y - 8 * f->s, w + 8 * f->s, 16 * f->s);
    ss_draw_role(f->p, SS_C_ACCENT, 1);
    ss_draw_text(f->p, x, y, f->x + f->w - x, SS_SMALL, f->chart->zone_label);
}

void ss_plot_words(const ss_plot *f)
{
    label_level(f);
    draw_notes(f);
    draw_marks(f);
    ss_plot_legend(f, true);
    label_zone(f);
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
