/*
 * Parsing, printing and stepping of parameter values, and the only place for it. See param.h. One
 * row of `types` per type; no parameter is known by name here.
 */
#include "src/core/param.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "src/core/command.h"
#include "src/base/text.h"

typedef struct suffix {
    const char *text;
    int power;     /* of ten */
    double factor; /* besides it; 0: none */
} suffix;

#define MICRO "\xc2\xb5"    /* U+00B5, the sign that screens show */
#define GREEK_MU "\xce\xbc" /* U+03BC, the letter that looks like it */

static const suffix no_suffix[] = {{.text = NULL}};
static const suffix count_suffix[] = {{"k", 3, 0}, {"M", 6, 0}, {"G", 9, 0}, {.text = NULL}};
static const suffix time_suffix[] = {{"s", 0, 0},    {"ns", -9, 0},      {"us", -6, 0},
                                     {"ms", -3, 0},  {MICRO "s", -6, 0}, {GREEK_MU "s", -6, 0},
                                     {"min", 0, 60}, {"h", 0, 3600},     {.text = NULL}};
static const suffix size_suffix[] = {{"k", 0, 1024},      {"K", 0, 1024},      {"M", 0, 1 << 20},
                                     {"G", 0, 1 << 30},   {"B", 0, 0},         {"kB", 3, 0},
                                     {"MB", 6, 0},        {"GB", 9, 0},        {"KiB", 0, 1024},
                                     {"MiB", 0, 1 << 20}, {"GiB", 0, 1 << 30}, {.text = NULL}};

static bool is_real(const ss_param *row)
{
    return row->type == SS_REAL_T || row->type == SS_DURATION;
}

double ss_param_number(const ss_param *row, ss_value v)
{
    return is_real(row) ? v.d : (double)v.i;
}

static ss_value from_number(const ss_param *row, double x)
{
    ss_value v = {.set = true, .list = (uint8_t)row->list};
    if (is_real(row))
        v.d = x;
    else
        v.i = (int64_t)llround(x);
    return v;
}

static const char *format_number(const ss_param *row, double x, char *buf, size_t size)
{
    if (!is_real(row)) {
        snprintf(buf, size, "%.0f", x);
        return buf;
    }
    /* The shortest text that reads back to the same double. */
    for (int digits = 6; digits <= 17; digits++) {
        snprintf(buf, size, "%.*g", digits, x);
        if (strtod(buf, NULL) == x)
            break;
    }
    return buf;
}

static const char *range_text(const ss_param *row, double lo, double hi, char *buf, size_t size)
{
    char a[40], b[40];
    format_number(row, lo, a, sizeof a);
    format_number(row, hi, b, sizeof b);
    snprintf(buf, size, "%s\xe2\x80\xa6%s", a, b);
    return buf;
}

static int fail_range(const ss_param *row, const char *text, ss_err *err)
{
    char range[96];
    return ss_fail(err, "%s: %.40s is out of range %s%s%s", row->name, text,
                   range_text(row, row->min, row->max, range, sizeof range), *row->unit ? " " : "",
                   row->unit);
}

/* The number from text to end, times a power of ten: the double nearest to it, so that 20us is
 * 2e-5 and not a neighbour. */
static double scaled(const char *text, const char *end, int power)
{
    char exact[80];
    const char *e = text + strcspn(text, "eE");
    if (power == 0 || end - text > 60)
        return strtod(text, NULL) * pow(10, power);
    long own = e < end ? strtol(e + 1, NULL, 10) : 0;
    snprintf(exact, sizeof exact, "%.*se%ld", (int)((e < end ? e : end) - text), text,
             own < -9999 || own > 9999 ? own : own + power);
    return strtod(exact, NULL);
}

/* The suffix that stands in unit, which may begin with blanks; the unit of the row means itself. */
static bool find_suffix(const ss_param *row, const suffix *all, const char *unit, suffix *out)
{
    unit += strspn(unit, " ");
    *out = (suffix){.text = unit};
    if (!*unit || strcmp(unit, row->unit) == 0)
        return true;
    for (*out = *all; out->text && strcmp(out->text, unit) != 0; *out = *++all)
        ;
    return out->text;
}

static int parse_number(const ss_param *row, const suffix *suffixes, const char *text,
                        ss_value *out, ss_err *err)
{
    char *end;
    suffix unit;
    double x = strtod(text, &end);
    bool hex = strcspn(text, "xXpP") < (size_t)(end - text);
    if (end == text || isspace((unsigned char)*text) || hex || isnan(x))
        return ss_fail(err, "%s: '%.40s' is not a number", row->name, text);
    if (!find_suffix(row, suffixes, end, &unit))
        return ss_fail(err, "%s: '%.40s' is not a number%s", row->name, text,
                       suffixes == time_suffix   ? " with a unit (ns, us, ms, s, min, h)"
                       : suffixes == size_suffix ? " with a unit (k, M, G; kB, MB, GB)"
                                                 : "");
    double factor = unit.factor > 0 ? unit.factor : 1;
    x = scaled(text, end, unit.power) * factor;
    long double exact =
        strtold(text, NULL) * (long double)pow(10, unit.power) * (long double)factor;
    bool rounded = fabs(x) >= 9007199254740992.0 /* 2^53 */ && exact != (long double)x;
    if (!(x >= row->min && x <= row->max) || (!is_real(row) && rounded))
        return fail_range(row, text, err);
    if (!is_real(row) && x != floor(x))
        return ss_fail(err, "%s: %.40s is not a whole number", row->name, text);
    if ((row->flags & SS_P_EVEN) && fmod(x, 2) != 0)
        return ss_fail(err, "%s: %.40s is odd; it must be even, since half of it lies on each side",
                       row->name, text);
    *out = from_number(row, x);
    return SS_OK;
}

static int parse_plain(const ss_param *row, const char *text, ss_value *out, ss_err *err)
{
    return parse_number(row, is_real(row) ? no_suffix : count_suffix, text, out, err);
}

static int parse_duration(const ss_param *row, const char *text, ss_value *out, ss_err *err)
{
    return parse_number(row, time_suffix, text, out, err);
}

static int parse_size(const ss_param *row, const char *text, ss_value *out, ss_err *err)
{
    return parse_number(row, size_suffix, text, out, err);
}

static int parse_bool(const ss_param *row, const char *text, ss_value *out, ss_err *err)
{
    static const char *const words[] = {"off", "on", "no", "yes", "false", "true", "0", "1"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcasecmp(words[i], text) == 0) {
            *out = (ss_value){.i = (int64_t)(i % 2), .set = true};
            return SS_OK;
        }
    return ss_fail(err, "%s: '%.40s' is neither on nor off", row->name, text);
}

static const char *choice_name(const void *choices, int i)
{
    return ((const char *const *)choices)[i];
}

static int parse_choice(const ss_param *row, const char *text, ss_value *out, ss_err *err)
{
    char all[200] = "";
    int count = 0;
    for (int i = 0; row->choices[i]; i++, count++) {
        if (strcmp(row->choices[i], text) == 0) {
            *out = (ss_value){.i = i, .set = true, .list = (uint8_t)row->list};
            return SS_OK;
        }
        size_t n = strlen(all);
        snprintf(all + n, sizeof all - n, "%s%s", i ? ", " : "", row->choices[i]);
    }
    const char *near = ss_nearest(text, choice_name, row->choices, count);
    return ss_fail(err, "%s: '%.40s' is not one of %s%s%s%s", row->name, text, all,
                   near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
}

static int parse_text(const ss_param *row, const char *text, ss_value *out, ss_err *err)
{
    if (!*text)
        return ss_fail(err, "%s: an empty text is not allowed", row->name);
    if (strlen(text) > 1000)
        return ss_fail(err, "%s: the text is longer than 1000 characters", row->name);
    const char *interned = ss_intern(text);
    if (!interned)
        return ss_fail_memory(err, row->name, strlen(text) + 1);
    *out = (ss_value){.s = interned, .set = true};
    return SS_OK;
}

typedef struct type_row {
    const char *name;
    int (*parse)(const ss_param *row, const char *text, ss_value *out, ss_err *err);
} type_row;

static const type_row types[SS_NTYPE] = {
    [SS_INT] = {"a whole number", parse_plain},     [SS_REAL_T] = {"a number", parse_plain},
    [SS_BOOL] = {"on or off", parse_bool},          [SS_CHOICE] = {"a choice", parse_choice},
    [SS_STRING] = {"a text", parse_text},           [SS_FILE] = {"a file", parse_text},
    [SS_DURATION] = {"a duration", parse_duration}, [SS_SIZE] = {"a size", parse_size},
};

const char *ss_type_name(ss_type type)
{
    return types[type].name;
}

int ss_param_parse(const ss_param *row, const char *text, ss_value *out, ss_err *err)
{
    if (!*text && row->type != SS_STRING && row->type != SS_FILE)
        return ss_fail(err, "%s: a value is missing", row->name);
    if (row->zero && strcmp(text, row->zero) == 0 && row->type != SS_CHOICE) {
        *out = from_number(row, 0);
        return SS_OK;
    }
    return types[row->type].parse(row, text, out, err);
}

const char *ss_param_format(const ss_param *row, ss_value v, char *buf, size_t size)
{
    if (row->type == SS_CHOICE)
        snprintf(buf, size, "%s", row->choices[v.i]);
    else if (row->type == SS_STRING || row->type == SS_FILE)
        snprintf(buf, size, "%s", v.s ? v.s : "");
    else if (row->type == SS_BOOL)
        snprintf(buf, size, "%s", v.i ? "on" : "off");
    else if (row->zero && ss_param_number(row, v) == 0)
        snprintf(buf, size, "%s", row->zero);
    else if (row->usual && !v.set)
        snprintf(buf, size, "%.4g", ss_param_number(row, v));
    else
        format_number(row, ss_param_number(row, v), buf, size);
    return buf;
}

/* --- stepping: keys and sliders ----------------------------------------------------------------
 */

static double to_digits(double x, int digits)
{
    char text[40];
    snprintf(text, sizeof text, "%.*g", digits, x);
    return strtod(text, NULL);
}

/* Does the value move by factors only? Then it is rounded to the three digits of a slider. */
static bool is_factor(const ss_param *row, double lo)
{
    return is_real(row) && row->flags & SS_P_LOG && row->step <= 0 && lo > 0;
}

static double snap(const ss_param *row, double x, double lo, double hi)
{
    double step = row->flags & SS_P_EVEN ? 2 : row->step > 0 ? row->step : 1;
    if (!is_real(row) || row->step > 0)
        x = to_digits(lo + round((x - lo) / step) * step, 15);
    if (is_factor(row, lo))
        x = to_digits(x, 3);
    /* Even rows have an even lower end, so whole steps from it stay even. */
    while (x > hi && x - step >= lo)
        x -= step;
    return x < lo ? lo : x > hi ? hi : x;
}

static double next_pow2(double x, int dir)
{
    double p = pow(2, dir > 0 ? floor(log2(x) + 1) : ceil(log2(x) - 1));
    return p;
}

ss_value ss_param_stepped(const ss_param *row, ss_value v, int dir, double lo, double hi)
{
    double x = ss_param_number(row, v);
    double step = row->flags & SS_P_EVEN ? 2 : row->step > 0 ? row->step : 1;
    if (row->type == SS_BOOL || row->type == SS_CHOICE) {
        double n = hi - lo + 1;
        return from_number(row, lo + fmod(x - lo + (dir > 0 ? 1 : n - 1), n));
    }
    if (row->flags & SS_P_POW2 && x >= 1) {
        for (int i = 0, n = abs(dir); i < (n >= 10 ? 2 : 1); i++)
            x = next_pow2(x, dir);
    } else if (row->flags & SS_P_LOG && abs(dir) >= 10) {
        x = dir > 0 ? x * 2 : x / 2;
        x = snap(row, x, lo, hi);
    } else if (is_factor(row, lo)) {
        x = snap(row, (x < lo ? hi : x) * (dir > 0 ? 1.25 : 0.8), lo, hi);
    } else {
        x += step * dir;
    }
    return from_number(row, x < lo ? lo : x > hi ? snap(row, hi, lo, hi) : x);
}

/* The row as it is spaced on the track. */
static ss_param spaced(const ss_param *row, const ss_track *t)
{
    ss_param out = *row;
    if (t->linear)
        out.flags &= ~(unsigned)(SS_P_LOG | SS_P_POW2);
    return out;
}

double ss_track_fraction(const ss_param *row, const ss_track *t, ss_value v)
{
    ss_param shown = spaced(row, t);
    return ss_param_fraction(&shown, v, t->lo, t->hi);
}

ss_value ss_track_at(const ss_param *row, const ss_track *t, double fraction)
{
    ss_param shown = spaced(row, t);
    ss_value v = ss_param_at(&shown, fraction, t->lo, t->hi);
    if (t->linear && row->type == SS_REAL_T)
        v = from_number(row, to_digits(v.d, 3));
    return ss_param_number(row, v) < t->least ? from_number(row, t->least) : v;
}

double ss_param_fraction(const ss_param *row, ss_value v, double lo, double hi)
{
    double x = ss_param_number(row, v);
    if (hi <= lo)
        return 0;
    if (row->zero && x == 0 && lo > 0)
        return 1; /* a word for 0 ("no limit") belongs to the upper end */
    double f = row->flags & (SS_P_LOG | SS_P_POW2) && lo > 0 ? log(x / lo) / log(hi / lo)
                                                             : (x - lo) / (hi - lo);
    return f < 0 ? 0 : f > 1 ? 1 : f;
}

ss_value ss_param_at(const ss_param *row, double fraction, double lo, double hi)
{
    double f = fraction < 0 ? 0 : fraction > 1 ? 1 : fraction;
    double x =
        row->flags & (SS_P_LOG | SS_P_POW2) && lo > 0 ? lo * pow(hi / lo, f) : lo + f * (hi - lo);
    if (row->flags & SS_P_POW2 && x >= 1)
        x = pow(2, round(log2(x)));
    else
        x = snap(row, x, lo, hi);
    return from_number(row, x < lo ? lo : x > hi ? hi : x);
}
