/* The data of a chart as CSV: see place.h. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ui/scene/place.h"

typedef struct text {
    char *at;
    size_t n, room;
    bool failed;
} text;

static SS_PRINTF(2, 3) void put(text *t, const char *fmt, ...)
{
    char part[160];
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(part, sizeof part, fmt, ap);
    va_end(ap);
    n = n < (int)sizeof part ? n : (int)sizeof part - 1;
    if (t->n + (size_t)n + 1 > t->room) {
        size_t room = 2 * t->room + 512;
        char *more = realloc(t->at, room);
        t->failed = t->failed || !more;
        if (!more)
            return;
        t->at = more, t->room = room;
    }
    memcpy(t->at + t->n, part, (size_t)n + 1);
    t->n += (size_t)n;
}

/* A name with a comma or a quote stands in quotes. */
static void put_name(text *t, const char *name)
{
    bool quote = strpbrk(name, ",\"\n") != NULL;
    put(t, "%s", quote ? "\"" : "");
    for (; *name; name++)
        put(t, *name == '"' ? "\"%c" : "%c", *name);
    put(t, "%s", quote ? "\"" : "");
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

static void put_heading(text *t, const ss_chart *c, int i)
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

static int by_point(text *t, const ss_chart *c)
{
    int rows = 0;
    put(t, "curve,");
    put_name(t, c->x_name ? c->x_name : "x");
    put(t, ",");
    put_name(t, y_name(c));
    put(t, "\n");
    for (int i = 0; i < c->nseries; i++)
        for (int k = 0; !c->series[i].hidden && k < c->series[i].n; k++, rows++) {
            put_name(t, curve_name(c, i) ? curve_name(c, i) : "");
            put(t, ",%.9g,%.9g\n", ss_chart_told(c, c->series[i].at[k].x), c->series[i].at[k].y);
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

static int by_column(text *t, const ss_chart *c)
{
    int at[SS_SERIES_MAX] = {0}, rows = 0;
    double x = 0;
    put_name(t, c->x_name ? c->x_name : "x");
    for (int i = 0; i < c->nseries; i++) {
        if (c->series[i].hidden)
            continue;
        put(t, ",");
        put_heading(t, c, i);
    }
    put(t, "\n");
    for (; next_x(c, at, &x) && !t->failed; rows++) {
        put(t, "%.9g", ss_chart_told(c, x));
        for (int i = 0; i < c->nseries; i++) {
            const ss_series *s = &c->series[i];
            if (s->hidden)
                continue;
            bool here = at[i] < s->n && !(s->at[at[i]].x > x);
            put(t, ",");
            if (here)
                put(t, "%.9g", s->at[at[i]++].y);
        }
        put(t, "\n");
    }
    return rows;
}

char *ss_chart_csv(const ss_chart *c, const char *note, int *rows)
{
    text t = {NULL, 0, 0, false};
    if (*note)
        put(&t, "# %s\n", note);
    *rows = (has_marks(c) ? by_point : by_column)(&t, c);
    if (!t.failed)
        return t.at;
    free(t.at);
    return NULL;
}
