/* Prints a tuning map as a heat map of text and as JSON: see kit.h. */
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/tune/kit.h"
#include "src/base/json_out.h"
#include "src/core/registry.h"

/* --- a cell ----------------------------------------------------------------------------------- */

#define REASONS_MAX 26

/* Reasons why cells have no value: a letter per reason, in order of appearance. */
typedef struct reasons {
    const char *text[REASONS_MAX];
    ss_cell_status status[REASONS_MAX];
    int n;
} reasons;

static char letter_of(reasons *r, const ss_map_cell *c)
{
    for (int i = 0; i < r->n; i++)
        if (r->status[i] == c->status && strcmp(r->text[i], c->why) == 0)
            return (char)('a' + i);
    if (r->n == REASONS_MAX)
        return '?';
    r->text[r->n] = c->why;
    r->status[r->n] = c->status;
    return (char)('a' + r->n++);
}

/* All digits: the papers' optima differ from their neighbours by less than 1 %. */
static const char *value_text(const ss_tune_map *m, double v, char *buf, size_t size)
{
    if (*m->quantity->unit)
        ss_format_si(v, m->quantity->unit, buf, size);
    else if (v == floor(v))
        snprintf(buf, size, "%.0f", v);
    else
        snprintf(buf, size, "%.4e", v);
    return buf;
}

static void cell_text(const ss_tune_map *m, int cell, reasons *r, char *buf, size_t size)
{
    const ss_map_cell *c = &m->cell[cell];
    double v = ss_tune_value(m, cell);
    if (isfinite(v))
        value_text(m, v, buf, size);
    else if (c->status == SS_CELL_LIMIT && !*c->why)
        snprintf(buf, size, "%s", ss_cell_status_name(c->status));
    else if (c->status > SS_CELL_OK || *c->why)
        snprintf(buf, size, "(%c)", letter_of(r, c));
    else
        snprintf(buf, size, c->status == SS_CELL_OK ? "-" : ".");
}

/* The darker the larger, between the least and the largest of [from, to). */
static const char *shade(const ss_tune_map *m, int cell, int from, int to)
{
    static const char *const shades[] = {" ", "\xe2\x96\x91", "\xe2\x96\x92", "\xe2\x96\x93",
                                         "\xe2\x96\x88"};
    enum { SHADES = sizeof shades / sizeof *shades };
    double v = ss_tune_value(m, cell), lo = INFINITY, hi = -INFINITY;
    for (int i = from; i < to; i++) {
        double x = ss_tune_value(m, i);
        lo = x < lo ? x : lo;
        hi = x > hi ? x : hi;
    }
    if (!isfinite(v) || !(hi > lo))
        return shades[0];
    int s = (int)(SHADES * (v - lo) / (hi - lo));
    return shades[s < SHADES ? s : SHADES - 1];
}

/* --- the table -------------------------------------------------------------------------------- */

#define TEXT 40

typedef struct layout {
    int head, width; /* characters of the first column, and of a value in the others */
    int marks;       /* characters after a value */
    int overall;     /* the best cell of all, or -1 */
    reasons why;
} layout;

static const char *corner(const ss_tune_map *m, char *buf, size_t size)
{
    const ss_tune_axis *rows = ss_tune_axis_of(m, 0), *columns = ss_tune_axis_of(m, 1);
    snprintf(buf, size, "%s%s%s", rows ? rows->row->name : "", rows ? " \\ " : "",
             columns->row->name);
    return buf;
}

static void measure(const ss_tune_map *m, layout *l)
{
    char text[TEXT];
    const ss_tune_axis *rows = ss_tune_axis_of(m, 0), *columns = ss_tune_axis_of(m, 1);
    l->head = ss_utf8_width(corner(m, text, sizeof text));
    l->width = 0;
    for (int i = 0; rows && i < rows->n; i++)
        l->head = ss_utf8_width(rows->text[i]) > l->head ? ss_utf8_width(rows->text[i]) : l->head;
    for (int i = 0; i < columns->n; i++)
        l->width =
            ss_utf8_width(columns->text[i]) > l->width ? ss_utf8_width(columns->text[i]) : l->width;
    for (int i = 0; i < m->n; i++) {
        cell_text(m, i, &l->why, text, sizeof text);
        l->width = ss_utf8_width(text) > l->width ? ss_utf8_width(text) : l->width;
    }
    l->marks = m->quantity->overall ? 3 : 2;
    l->overall = m->quantity->overall ? ss_tune_least(m, 0, m->n) : -1;
}

static void put_right(const char *text, int width, FILE *out)
{
    fprintf(out, "%*s%s", width - ss_utf8_width(text), "", text);
}

static void print_row(const ss_tune_map *m, layout *l, int row, FILE *out)
{
    char text[TEXT];
    const ss_tune_axis *rows = ss_tune_axis_of(m, 0);
    int from = row * m->nx, to = from + m->nx, best = ss_tune_least(m, from, to);
    put_right(rows ? rows->text[row] : "", l->head, out);
    for (int i = from; i < to; i++) {
        char marks[4] = "";
        const char *ink = m->quantity->overall ? shade(m, i, 0, m->n) : shade(m, i, from, to);
        cell_text(m, i, &l->why, text, sizeof text);
        fprintf(out, " %s", ink);
        put_right(text, l->width, out);
        snprintf(marks, sizeof marks, "%s%s%s", i == best ? "*" : "", i == l->overall ? "!" : "",
                 m->cell[i].papers ? "p" : "");
        fprintf(out, "%-*s", i + 1 < to ? l->marks : 0, marks);
    }
    fprintf(out, "\n");
}

/* "best overlap for each k: 4: 2, 8: 4" */
static void print_best(const ss_tune_map *m, const layout *l, FILE *out)
{
    char text[TEXT];
    const ss_tune_axis *rows = ss_tune_axis_of(m, 0), *columns = ss_tune_axis_of(m, 1);
    fprintf(out, "* best %s%s%s:", columns->row->name, rows ? " for each " : "",
            rows ? rows->row->name : "");
    for (int row = 0, n = 0; row < m->ny; row++) {
        int best = ss_tune_least(m, row * m->nx, (row + 1) * m->nx);
        fprintf(out, "%s ", n++ ? "," : "");
        if (rows)
            fprintf(out, "%s: ", rows->text[row]);
        fprintf(out, "%s", best < 0 ? "none" : columns->text[ss_tune_at(m, best, 1)]);
    }
    fprintf(out, "\n");
    if (l->overall < 0)
        return;
    fprintf(out, "! best of all: ");
    if (rows)
        fprintf(out, "%s %s, ", rows->row->name, rows->text[ss_tune_at(m, l->overall, 0)]);
    fprintf(out, "%s %s: %s\n", columns->row->name, columns->text[ss_tune_at(m, l->overall, 1)],
            value_text(m, ss_tune_value(m, l->overall), text, sizeof text));
}

/* Explains the marks and letters of the table. */
static void print_notes(const ss_tune_map *m, const layout *l, FILE *out)
{
    char source[200];
    int papers = 0;
    bool limited = false;
    for (int i = 0; i < m->n; i++)
        limited = limited || (m->cell[i].status == SS_CELL_LIMIT && !*m->cell[i].why &&
                              !isfinite(ss_tune_value(m, i)));
    print_best(m, l, out);
    while (papers < m->n && !m->cell[papers].papers)
        papers++;
    if (papers < m->n)
        fprintf(out, "p the paper's best (%s)\n", ss_tune_papers(m, papers, source, sizeof source));
    if (limited)
        fprintf(out, "limit: stopped before the tolerance\n");
    for (int i = 0; i < l->why.n; i++) {
        const char *name = ss_cell_status_name(l->why.status[i]);
        bool ran = l->why.status[i] == SS_CELL_OK || l->why.status[i] == SS_CELL_LIMIT;
        fprintf(out, "(%c) %s%s%s\n", 'a' + i, ran ? "" : name, !ran && *l->why.text[i] ? ": " : "",
                l->why.text[i]);
    }
}

void ss_tune_print(const ss_tune_map *m, FILE *out)
{
    char text[TEXT];
    layout l = {.why = {.n = 0}};
    const ss_tune_axis *columns = ss_tune_axis_of(m, 1);
    measure(m, &l);
    fprintf(out, "%s: %s\n\n", m->settings, ss_tune_title(m, m->quantity));
    put_right(corner(m, text, sizeof text), l.head, out);
    for (int i = 0; i < columns->n; i++) {
        fprintf(out, "  ");
        put_right(columns->text[i], l.width, out);
        fprintf(out, "%*s", i + 1 < columns->n ? l.marks : 0, "");
    }
    fprintf(out, "\n");
    for (int row = 0; row < m->ny; row++)
        print_row(m, &l, row, out);
    fprintf(out, "\n");
    print_notes(m, &l, out);
}

/* --- JSON ------------------------------------------------------------------------------------- */

/* The terms of the T4 format for the status of a cell. */
static const struct {
    const char *invalidity;
    int correctness;
} verdicts[SS_NCELL_STATUS] = {
    [SS_CELL_NONE] = {"constraints", 0},    [SS_CELL_OK] = {"correct", 1},
    [SS_CELL_REFUSED] = {"constraints", 0}, [SS_CELL_DIVERGED] = {"correctness", 0},
    [SS_CELL_LIMIT] = {"timeout", 1},
};

static json_t *value_json(const ss_tune_axis *a, int at)
{
    static const bool real[SS_NTYPE] = {[SS_REAL_T] = true, [SS_DURATION] = true};
    if (a->row->type == SS_INT)
        return json_integer(a->v[at].i);
    return real[a->row->type] ? json_real(a->v[at].d) : json_string(a->text[at]);
}

static json_t *configuration_json(const ss_tune_map *m, int cell)
{
    json_t *o = json_object();
    for (int d = 0; d < 2; d++) {
        const ss_tune_axis *a = ss_tune_axis_of(m, d);
        if (a)
            json_object_set_new(o, a->row->name, value_json(a, ss_tune_at(m, cell, d)));
    }
    return o;
}

static void add_measurement(json_t *list, const char *name, const char *unit, double v)
{
    if (isfinite(v))
        json_array_append_new(
            list,
            json_pack("{s:s,s:o,s:s}", "name", name, "value",
                      v == floor(v) && fabs(v) < 1e15 ? json_integer((json_int_t)v) : json_real(v),
                      "unit", unit));
}

static json_t *measurements_json(const ss_tune_map *m, const ss_map_cell *c)
{
    json_t *list = json_array();
    if (c->status == SS_CELL_REFUSED)
        return list;
    add_measurement(list, "blocks", "", c->blocks);
    for (int i = 0; i < ss_ntune_quantity; i++)
        add_measurement(list, ss_tune_quantities[i].name, ss_tune_quantities[i].unit,
                        ss_tune_quantity_of(m, &ss_tune_quantities[i], c));
    return list;
}

static json_t *result_json(const ss_tune_map *m, int cell)
{
    char when[40];
    const ss_map_cell *c = &m->cell[cell];
    json_t *times = json_pack("{s:[]}", "runtimes");
    if (isfinite(c->seconds))
        json_array_append_new(json_object_get(times, "runtimes"), json_real(c->seconds));
    json_t *o = json_pack("{s:o,s:[s],s:o,s:s,s:i,s:o}", "configuration",
                          configuration_json(m, cell), "objectives", m->quantity->name, "times",
                          times, "invalidity", verdicts[c->status].invalidity, "correctness",
                          verdicts[c->status].correctness, "measurements", measurements_json(m, c));
    struct tm utc;
    if (c->when && gmtime_r(&c->when, &utc) &&
        strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", &utc))
        json_object_set_new(o, "timestamp", json_string(when));
    return o;
}

int ss_tune_json(const ss_tune_map *m, const char *path, ss_err *err)
{
    json_t *list = json_array(), *about = json_object();
    ss_json_about(about);
    for (int i = 0; i < m->n; i++)
        json_array_append_new(list, result_json(m, i));
    json_t *o =
        json_pack("{s:s,s:o,s:o}", "schema_version", "1.0.0", "metadata", about, "results", list);
    return o ? ss_json_write(o, path, err) : ss_fail(err, "out of memory: results as JSON");
}
