/* Places in charts, and the data of a chart as CSV: see place.h. */
#include "ui/scene/place.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool ss_scene_fine(const ss_scene *s)
{
    return s->cell > 2;
}

int ss_chart_bars(const ss_chart *c)
{
    int n = 0;
    for (int i = 0; i < c->nseries; i++)
        n = c->series[i].bars ? c->series[i].n : n;
    return n;
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

ss_rect ss_chart_data(const ss_chart *c, ss_rect item)
{
    int gutter = c->gutter ? c->gutter : label_width(&c->y) + 1;
    bool title = c->y_label && item.h >= 6;
    ss_rect r = {item.x + gutter, item.y + title, item.w - gutter, item.h - 1 - title};
    r.h -= c->nunder > 0 && r.h >= 4;
    return r;
}

/* A terminal has the ends of an axis in the middle of its first and last cell. */
static double part_of(bool fine, double from, double size, double at)
{
    return fine ? (at - from) / size : (at - 0.5 - from) / (size > 1 ? size - 1 : 1);
}

ss_xy ss_chart_part(const ss_scene *s, const ss_item *chart, double x, double y)
{
    bool fine = ss_scene_fine(s);
    ss_rect r = ss_chart_data(chart->chart, chart->rect);
    return (ss_xy){part_of(fine || ss_chart_bars(chart->chart) > 0, r.x, r.w, x),
                   part_of(fine, r.y, r.h, y)};
}

ss_xy ss_chart_part_of(const ss_chart *c, ss_xy data)
{
    int bars = ss_chart_bars(c);
    return (ss_xy){bars ? (data.x + 0.5) / bars : ss_axis_at(&c->x, data.x),
                   1 - ss_axis_at(&c->y, data.y)};
}

ss_xy ss_chart_value(const ss_chart *c, ss_xy part)
{
    int bars = ss_chart_bars(c);
    double y = ss_axis_value(&c->y, 1 - part.y);
    if (!bars)
        return (ss_xy){ss_axis_value(&c->x, part.x), y};
    double i = floor(part.x * bars);
    return (ss_xy){i < 0 ? 0 : i > bars - 1 ? bars - 1 : i, y};
}

double ss_chart_told(const ss_chart *c, double x)
{
    return c->x_scale > 0 ? c->x_scale * x + c->x_shift : x;
}

double ss_chart_untold(const ss_chart *c, double told)
{
    return c->x_scale > 0 ? (told - c->x_shift) / c->x_scale : told;
}

int ss_chart_column(const ss_chart *c, ss_rect data, double part)
{
    return data.x +
           (int)(ss_chart_bars(c) ? floor(part * data.w) : floor(part * (data.w - 1) + 0.5));
}

int ss_chart_row(ss_rect data, double part)
{
    return data.y + (int)floor(part * (data.h - 1) + 0.5);
}

/* --- legends ---------------------------------------------------------------------------------- */

bool ss_series_has_piece(const ss_series *s)
{
    return s->points || s->dash || s->dots || s->hidden || s->role == SS_C_DIM;
}

static int entry_width(const ss_chart *c, int i)
{
    int n = c->legend[i] ? ss_text_width(c->legend[i]) : 0;
    return n > 0 && ss_series_has_piece(&c->series[i]) ? n + 3 : n;
}

/* From the right, in a second row if a tall chart has no room left in one. */
int ss_chart_legend(const ss_chart *c, ss_rect data, ss_rect entry[SS_SERIES_MAX])
{
    int x = data.x + data.w, y = data.y, rows = 0;
    for (int i = c->nseries - 1; i >= 0; i--) {
        int n = entry_width(c, i);
        entry[i] = (ss_rect){0, 0, 0, 0};
        if (n > 0 && x - n - 1 < data.x && rows > 0 && data.h >= 4 * (rows + 1))
            x = data.x + data.w, y++;
        if (n == 0 || x - n - 1 < data.x)
            continue;
        x -= n + 1;
        rows = y - data.y + 1;
        entry[i] = (ss_rect){x, y, n, 1};
    }
    return rows;
}

ss_rect ss_legend_hit(const ss_scene *s, const ss_chart *c, ss_rect item, int i)
{
    ss_rect entry[SS_SERIES_MAX];
    if (ss_scene_fine(s))
        return (ss_rect){s->cols + 2 + i, item.y, c->legend[i] != NULL, 1};
    ss_chart_legend(c, ss_chart_data(c, item), entry);
    return entry[i];
}

int ss_chart_curve(const ss_chart *c, int number, int *last)
{
    bool named = false;
    int count = 0;
    for (int i = 0; i < c->nseries; i++)
        named = named || c->legend[i];
    for (int i = 0; i < c->nseries; i++) {
        if (named && !c->legend[i])
            continue;
        *last = i + 1;
        while (named && *last < c->nseries && !c->legend[*last])
            ++*last;
        if (++count == number)
            return i;
    }
    return -1;
}

unsigned ss_series_look(const ss_series *s)
{
    return (unsigned)s->role << 8 |
           (unsigned)(s->dash << 4 | s->points << 2 | s->dots << 1 | s->bars);
}

/* --- values ----------------------------------------------------------------------------------- */

int ss_chart_first(const ss_chart *c)
{
    int any = -1;
    for (int i = 0; i < c->nseries; i++) {
        const ss_series *s = &c->series[i];
        if (s->hidden || s->points || s->n < 2)
            continue;
        if (s->dash == 0) /* the run itself: others, as the one ahead, are dashed */
            return i;
        any = any < 0 ? i : any;
    }
    return any;
}

bool ss_chart_nearest_point(const ss_chart *c, ss_rect data, ss_xy part, int *series, int *index)
{
    double least = INFINITY;
    for (int i = 0; i < c->nseries; i++) {
        const ss_series *s = &c->series[i];
        for (int k = 0; s->points && !s->hidden && k < s->n; k++) {
            ss_xy p = ss_chart_part_of(c, s->at[k]);
            double dx = (p.x - part.x) * data.w, dy = (p.y - part.y) * data.h * 2;
            if (dx * dx + dy * dy < least)
                least = dx * dx + dy * dy, *series = i, *index = k;
        }
    }
    return isfinite(least);
}

/* --- data as CSV ------------------------------------------------------------------------------ */

/* A name with a comma or a quote stands in quotes. */
static void put_name(FILE *t, const char *name)
{
    bool quote = strpbrk(name, ",\"\n") != NULL;
    fprintf(t, "%s", quote ? "\"" : "");
    for (; *name; name++)
        fprintf(t, *name == '"' ? "\"%c" : "%c", *name);
    fprintf(t, "%s", quote ? "\"" : "");
}

static const char *y_name(const ss_chart *c)
{
    return c->y_name && *c->y_name ? c->y_name : "y";
}

/* A piece without a name belongs to the curve before it. */
static const char *curve_name(const ss_chart *c, int i)
{
    while (i > 0 && !c->legend[i])
        i--;
    return c->legend[i];
}

static void put_heading(FILE *t, const ss_chart *c, int i)
{
    const char *name = curve_name(c, i);
    char both[160];
    if (name)
        snprintf(both, sizeof both, "%s: %s", name, y_name(c));
    put_name(t, name ? both : y_name(c));
}

static bool has_marks(const ss_chart *c)
{
    for (int i = 0; i < c->nseries; i++)
        if (c->series[i].points && !c->series[i].hidden)
            return true;
    return false;
}

static int by_point(FILE *t, const ss_chart *c)
{
    int rows = 0;
    fprintf(t, "curve,");
    put_name(t, c->x_name ? c->x_name : "x");
    fprintf(t, ",");
    put_name(t, y_name(c));
    fprintf(t, "\n");
    for (int i = 0; i < c->nseries; i++)
        for (int k = 0; !c->series[i].hidden && k < c->series[i].n; k++, rows++) {
            put_name(t, curve_name(c, i) ? curve_name(c, i) : "");
            fprintf(t, ",%.9g,%.9g\n", ss_chart_told(c, c->series[i].at[k].x),
                    c->series[i].at[k].y);
        }
    return rows;
}

/* The smallest x of the points that are not written yet; false: all are. */
static bool next_x(const ss_chart *c, const int *at, double *x)
{
    bool any = false;
    for (int i = 0; i < c->nseries; i++) {
        const ss_series *s = &c->series[i];
        if (s->hidden || at[i] >= s->n || (any && !(s->at[at[i]].x < *x)))
            continue;
        *x = s->at[at[i]].x;
        any = true;
    }
    return any;
}

static int by_column(FILE *t, const ss_chart *c)
{
    int at[SS_SERIES_MAX] = {0}, rows = 0;
    double x = 0;
    put_name(t, c->x_name ? c->x_name : "x");
    for (int i = 0; i < c->nseries; i++) {
        if (c->series[i].hidden)
            continue;
        fprintf(t, ",");
        put_heading(t, c, i);
    }
    fprintf(t, "\n");
    for (; next_x(c, at, &x); rows++) {
        fprintf(t, "%.9g", ss_chart_told(c, x));
        for (int i = 0; i < c->nseries; i++) {
            const ss_series *s = &c->series[i];
            if (s->hidden)
                continue;
            bool here = at[i] < s->n && !(s->at[at[i]].x > x);
            fprintf(t, ",");
            if (here)
                fprintf(t, "%.9g", s->at[at[i]++].y);
        }
        fprintf(t, "\n");
    }
    return rows;
}

char *ss_chart_csv(const ss_chart *c, const char *note, int *rows)
{
    char *text = NULL;
    size_t size;
    FILE *t = open_memstream(&text, &size);
    if (!t)
        return NULL;
    if (*note)
        fprintf(t, "# %s\n", note);
    *rows = (has_marks(c) ? by_point : by_column)(t, c);
    bool failed = ferror(t);
    if (fclose(t) == 0 && !failed)
        return text;
    free(text);
    return NULL;
}
