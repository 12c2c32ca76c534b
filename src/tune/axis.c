/* Lists and ranges of parameters, and the axes of a map around a run: see axis.h. */
#include "src/tune/axis.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/core/registry.h"

/* --- axes of the command line ----------------------------------------------------------------- */

ss_tune_axes *ss_tune_asked_axes(void)
{
    static ss_tune_axes axes;
    return &axes;
}

static bool is_text(const ss_param *row)
{
    return row->type == SS_STRING || row->type == SS_FILE;
}

static bool is_number(const ss_param *row)
{
    return !is_text(row) && row->type != SS_BOOL && row->type != SS_CHOICE;
}

static int add(ss_tune_axis *a, const char *text, ss_err *err)
{
    const char *name = a->row->name;
    if (a->n == SS_AXIS_MAX)
        return ss_fail(err, "%s: more than %d values", name, SS_AXIS_MAX);
    if (ss_param_parse(a->row, text, &a->v[a->n], err) != SS_OK)
        return SS_FAIL;
    char *own = a->text[a->n];
    ss_param_format(a->row, a->v[a->n], own, sizeof a->text[0]);
    for (int i = 0; i < a->n; i++)
        if (strcmp(a->text[i], own) == 0)
            return ss_fail(err, "%s: %s is in the list twice", name, own);
    a->n++;
    return SS_OK;
}

/* True if the choices are numbers: 0, 1, 2 ... */
static bool is_numbered(const ss_param *row)
{
    bool all = row->type == SS_CHOICE;
    for (int i = 0; all && row->choices[i]; i++)
        all = row->choices[i][0] && !row->choices[i][strspn(row->choices[i], "0123456789")];
    return all;
}

static int parse_number(const ss_param *row, const char *text, double *out, ss_err *err)
{
    ss_value v;
    if (is_numbered(row)) {
        char *end;
        *out = strtod(text, &end);
        return *text && !*end ? SS_OK
                              : ss_fail(err, "%s: '%.40s' is not a number", row->name, text);
    }
    if (ss_param_parse(row, text, &v, err) != SS_OK)
        return SS_FAIL;
    *out = ss_param_number(row, v);
    return SS_OK;
}

/* Parses a step or the end of a range: in the parameter's units, without its limits. */
static int parse_loose(const ss_param *row, const char *text, double *out, ss_err *err)
{
    ss_param loose = *row;
    loose.flags &= ~(unsigned)SS_P_EVEN;
    loose.zero = NULL;
    loose.min = -1e18;
    loose.max = 1e18;
    return parse_number(&loose, text, out, err);
}

/* from:to[:step]; text is split in place. */
static int add_range(ss_tune_axis *a, char *text, ss_err *err)
{
    const ss_param *row = a->row;
    double from, end, by = 1;
    char *to = strchr(text, ':');
    *to++ = '\0';
    char *step = strchr(to, ':');
    if (step)
        *step++ = '\0';
    if (!is_number(row) && !is_numbered(row))
        return ss_fail(err, "%s: %.40s:%.40s is a range, but %s is no number", row->name, text, to,
                       row->name);
    if (parse_number(row, text, &from, err) != SS_OK || parse_loose(row, to, &end, err) != SS_OK ||
        (step && parse_loose(row, step, &by, err) != SS_OK))
        return SS_FAIL;
    double steps = by != 0 ? (end - from) / by : -1;
    if (!(steps >= 0))
        return ss_fail(err, "%s: steps of %g do not lead from %.40s to %.40s", row->name, by, text,
                       to);
    if (steps >= SS_AXIS_MAX)
        return ss_fail(err, "%s: more than %d values", row->name, SS_AXIS_MAX);
    for (int i = 0, n = (int)floor(steps + 1e-9); i <= n; i++) {
        char value[40];
        snprintf(value, sizeof value, "%.15g", from + i * by);
        if (add(a, value, err) != SS_OK)
            return SS_FAIL;
    }
    return SS_OK;
}

static int parse(ss_tune_axis *a, const char *text, ss_err *err)
{
    char element[160];
    for (const char *at = text; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL) {
        size_t length = strcspn(at, ",");
        if (length >= sizeof element)
            return ss_fail(err, "%s: '%.40s' is no value", a->row->name, at);
        memcpy(element, at, length);
        element[length] = '\0';
        int status = strchr(element, ':') ? add_range(a, element, err) : add(a, element, err);
        if (status != SS_OK)
            return SS_FAIL;
    }
    return SS_OK;
}

static int find(const ss_tune_axes *axes, const ss_param *row)
{
    int i = 0;
    while (i < axes->n && axes->at[i].row != row)
        i++;
    return i;
}

static void drop(ss_tune_axes *axes, int i)
{
    axes->n--;
    memmove(&axes->at[i], &axes->at[i + 1], (size_t)(axes->n - i) * sizeof axes->at[0]);
}

/* "4..8" is a range as other programs write it. */
static int check_form(const ss_param *row, const char *text, ss_err *err)
{
    const char *dots = strstr(text, "..");
    if (!dots || !is_number(row))
        return SS_OK;
    const char *end = dots + strspn(dots, ".");
    return ss_fail(err, "%s: '%.40s' is not a number; a range is %.*s:%.20s, a list %.*s,%.20s",
                   row->name, text, (int)(dots - text), text, end, (int)(dots - text), text, end);
}

int ss_tune_one_value(const ss_param *row, const char *text, ss_err *err)
{
    bool several = strpbrk(text, ",:") || strstr(text, "..");
    bool number = text[0] >= '0' && text[0] <= '9';
    if (!is_number(row) || !several || !number)
        return SS_OK;
    return ss_fail(err, "%s: '%.40s' is not a number; lists (4,8) and ranges (4:8) are for map",
                   row->name, text);
}

int ss_tune_axes_take(ss_tune_axes *axes, const ss_param *row, const char *text, bool *taken,
                      ss_err *err)
{
    int i = find(axes, row);
    if (check_form(row, text, err) != SS_OK)
        return SS_FAIL;
    *taken = !is_text(row) && strpbrk(text, ",:");
    if (!*taken && i < axes->n)
        drop(axes, i);
    if (!*taken)
        return SS_OK;
    if (i == SS_AXES_MAX)
        return ss_fail(
            err,
            "%s: a map has at most two axes, and %s and %s are lists already: give %s one "
            "value",
            row->name, axes->at[0].row->name, axes->at[1].row->name, row->name);
    ss_tune_axis a = {.row = row};
    if (parse(&a, text, err) != SS_OK)
        return SS_FAIL;
    axes->at[i] = a;
    axes->n += i == axes->n;
    return SS_OK;
}

/* --- axes around a run ------------------------------------------------------------------------ */

/* Chooses the axes of a map around a run, and their values. */

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
    bool whole = row->type == SS_INT;
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
