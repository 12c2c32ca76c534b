/* Chooses the axes of a map around a run, and their values: see kit.h. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "src/tune/kit.h"
#include "src/core/registry.h"

enum { ROWS = 7, COLUMNS = 9, TWO = 2 };

/* Parameters for axes, the most important first; a map takes the first two that can change. */
static const char *const names[] = {"k",       "alpha",   "bx",    "every", "overlap",
                                    "variant", "inverse", "block", "fo",    "dt",
                                    "dtdx",    "order",   NULL};

static bool can_change(const ss_config *cfg, const ss_param *row)
{
    double lo, hi;
    if (row->type == SS_CHOICE) {
        uint32_t choices = ss_config_choices(cfg, row);
        return choices & (choices - 1); /* more than one */
    }
    if ((row->usual && !ss_config_has(cfg, row)) ||
        (row->zero && ss_param_number(row, ss_config_value(cfg, row)) == 0))
        return false; /* chosen by the program: it has no value to vary */
    ss_config_range(cfg, row, &lo, &hi, NULL);
    return row->type != SS_BOOL && hi > lo;
}

static int find_rows(const ss_config *cfg, const ss_param **out)
{
    const ss_param *controls[SS_SLOTS];
    int all = ss_config_controls(cfg, controls, SS_SLOTS), n = 0;
    for (int i = 0; names[i] && n < TWO; i++)
        for (int k = 0; k < all && n < TWO; k++)
            if (strcmp(controls[k]->name, names[i]) == 0 && can_change(cfg, controls[k]))
                out[n++] = controls[k];
    return n;
}

/* The next value above or below; powers of two for parameters on a logarithmic scale. */
static double next(const ss_param *row, double v, int direction)
{
    double step = row->step > 0 ? row->step : 1;
    if ((row->flags & (SS_P_LOG | SS_P_POW2)) && v > 0)
        return direction > 0 ? exp2(floor(log2(v)) + 1) : exp2(ceil(log2(v)) - 1);
    if ((row->flags & SS_P_EVEN) && fmod(step, 2) != 0)
        step *= 2;
    return v + direction * step;
}

static bool is_value(const ss_param *row, double v, double lo, double hi)
{
    bool whole = row->type == SS_INT || row->type == SS_SIZE;
    return v >= lo && v <= hi && (!whole || v == floor(v));
}

/* Up to `most` values on one side of `at`, the nearest first. */
static int one_side(const ss_param *row, double at, int direction, double lo, double hi, int most,
                    double *v)
{
    int n = 0;
    for (double x = next(row, at, direction); n < most && is_value(row, x, lo, hi);
         x = next(row, x, direction))
        v[n++] = x;
    return n;
}

/* As many values below as above, or more on one side if the other has too few. */
static int spread(const ss_param *row, double at, double lo, double hi, int most, double *v)
{
    double below[SS_AXIS_MAX], above[SS_AXIS_MAX];
    int want = most - 1, n = 0;
    int down = one_side(row, at, -1, lo, hi, want, below);
    int up = one_side(row, at, 1, lo, hi, want, above);
    int few = want / 2, keep = up < want - few ? want - up : few;
    down = down < keep ? down : keep;
    up = up < want - down ? up : want - down;
    for (int i = down - 1; i >= 0; i--)
        v[n++] = below[i];
    v[n++] = at;
    for (int i = 0; i < up; i++)
        v[n++] = above[i];
    return n;
}

static int add_text(const char *text, char *list, size_t size)
{
    size_t n = strlen(list);
    return snprintf(list + n, size - n, "%s%s", n ? "," : "", text);
}

/* The values as a list of the command line. */
static void list_values(const ss_config *cfg, const ss_param *row, int most, char *list,
                        size_t size)
{
    double lo, hi, v[SS_AXIS_MAX];
    char text[40];
    list[0] = '\0';
    if (row->type == SS_CHOICE) {
        uint32_t choices = ss_config_choices(cfg, row);
        for (int i = 0; i < 32 && row->choices[i]; i++)
            if (choices >> i & 1)
                add_text(row->choices[i], list, size);
        return;
    }
    ss_config_range(cfg, row, &lo, &hi, NULL);
    int n = spread(row, ss_param_number(row, ss_config_value(cfg, row)), lo, hi, most, v);
    for (int i = 0; i < n; i++) {
        snprintf(text, sizeof text, "%.15g", v[i]);
        add_text(text, list, size);
    }
}

int ss_tune_axes_around(const ss_config *cfg, ss_tune_axes *axes, ss_err *err)
{
    const ss_param *row[TWO];
    char list[2048];
    int n = find_rows(cfg, row);
    axes->n = 0;
    for (int i = 0; i < n; i++) {
        bool taken;
        list_values(cfg, row[i], i + 1 < n ? ROWS : COLUMNS, list, sizeof list);
        if (!strchr(list, ',')) /* one value is not an axis */
            continue;
        if (ss_tune_axes_take(axes, row[i], list, &taken, err) != SS_OK)
            return SS_FAIL;
    }
    return axes->n > 0
               ? SS_OK
               : ss_fail(err, "%s has no parameter to make a map of", ss_config_solver(cfg)->name);
}
