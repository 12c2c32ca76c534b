/* The table of a map: its shape, what is asked of a cell, which cells are best. See kit.h. */
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "src/bench/kit.h"
#include "src/tune/kit.h"
#include "src/core/options.h"
#include "src/base/embed.h"
#include "src/core/registry.h"

#define OPTIMA "assets/data/optima.txt"

/* --- quantities ------------------------------------------------------------------------------- */

static double of_cycles(const ss_tune_cell *c)
{
    return (double)c->cycles;
}

static double of_work(const ss_tune_cell *c)
{
    return (double)c->cycles * c->blocks;
}

static double of_seconds(const ss_tune_cell *c)
{
    return c->seconds;
}

static double of_bytes(const ss_tune_cell *c)
{
    return c->bytes;
}

static double of_error(const ss_tune_cell *c)
{
    return c->error;
}

static const char *const quantity_names[] = {"cycles", "work", "seconds", "bytes", "error", NULL};
static const char *const quantity_help[] = {"cycles to the tolerance",
                                            "cycles \xc3\x97 blocks: ranks overlaps within one k",
                                            "solving time",
                                            "bytes moved, by the ledger",
                                            "max|u - u*| where the run stopped",
                                            NULL};

const ss_map_quantity ss_map_quantities[] = {
    {.name = "cycles", .unit = "", .title = "cycles", .of = of_cycles},
    {.name = "work", .unit = "", .title = "cycles \xc3\x97 blocks", .of = of_work},
    {.name = "seconds",
     .unit = "s",
     .title = "seconds of solving",
     .of = of_seconds,
     .overall = true},
    {.name = "bytes",
     .unit = "B",
     .title = "bytes moved (modelled)",
     .of = of_bytes,
     .column = "bytes",
     .overall = true},
    {.name = "error",
     .unit = "",
     .title = "max|u - u*|",
     .of = of_error,
     .column = "error",
     .error = true},
};
const int ss_nmap_quantity = sizeof ss_map_quantities / sizeof *ss_map_quantities;

// clang-format off
ss_param ss_map_rows[] = {
    {.name = "quantity", .symbol = "quantity", .unit = "", .group = "Map", .type = SS_CHOICE,
     .help = "what map shows of each cell", .flags = SS_P_APP, .choices = quantity_names,
     .choice_help = quantity_help},
};
// clang-format on
const int ss_nmap = sizeof ss_map_rows / sizeof *ss_map_rows;

/* --- settings as text ------------------------------------------------------------------------- */

static SS_PRINTF(2, 3) void add_text(ss_map *m, const char *fmt, ...)
{
    size_t used = strlen(m->settings);
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(m->settings + used, sizeof m->settings - used, fmt, ap);
    va_end(ap);
}

/* Said apart: what is solved on what, and the axes. */
static bool is_apart(const ss_map *m, const ss_param *row)
{
    for (int i = 0; i < m->axes->n; i++)
        if (m->axes->at[i].row == row)
            return true;
    static const char *const names[] = {"equation", "solver", "backend"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (row == ss_param_find(&m->base, names[i], NULL))
            return true;
    return row->flags & SS_P_APP;
}

static void add_row(const ss_param *row, void *ctx)
{
    ss_map *m = ctx;
    char now[256], by_default[256];
    ss_config without = m->base;
    if (!m->base.v[row->slot].set || is_apart(m, row))
        return;
    without.v[row->slot].set = false;
    ss_param_format(row, ss_config_value(&m->base, row), now, sizeof now);
    ss_param_format(row, ss_config_value(&without, row), by_default, sizeof by_default);
    if (strcmp(now, by_default) != 0)
        add_text(m, " --%s %s", row->name, now);
}

void ss_map_make_settings(ss_map *m)
{
    m->settings[0] = '\0';
    add_text(m, "map %s %s --backend %s", ss_config_equation(&m->base)->name,
             ss_config_solver(&m->base)->name, ss_config_backend(&m->base)->name);
    ss_param_each(&m->base, add_row, m);
    if (m->load)
        add_text(m, " --load %s", m->load);
    if (m->rhs)
        add_text(m, " --rhs %s", m->rhs);
    if (m->deterministic)
        add_text(m, " --deterministic");
}

/* --- shape ------------------------------------------------------------------------------------ */

const ss_tune_axis *ss_map_axis(const ss_map *m, int direction)
{
    if (direction == 1)
        return &m->axes->at[m->axes->n - 1];
    return m->axes->n > 1 ? &m->axes->at[0] : NULL;
}

int ss_map_at(const ss_map *m, int cell, int direction)
{
    return direction == 1 ? cell % m->nx : cell / m->nx;
}

int ss_map_make(ss_map *m, ss_err *err)
{
    const ss_tune_axis *rows = ss_map_axis(m, 0);
    m->nx = ss_map_axis(m, 1)->n;
    m->ny = rows ? rows->n : 1;
    m->n = m->nx * m->ny;
    m->cell = ss_alloc((size_t)m->n * sizeof *m->cell, "the map", err);
    if (!m->cell)
        return SS_FAIL;
    for (int i = 0; i < m->n; i++)
        m->cell[i].blocks = m->cell[i].seconds = m->cell[i].error = m->cell[i].bytes = NAN;
    ss_map_make_settings(m);
    return SS_OK;
}

void ss_map_config(const ss_map *m, int cell, ss_config *out)
{
    *out = m->base;
    for (int d = 0; d < 2; d++) {
        const ss_tune_axis *a = ss_map_axis(m, d);
        if (a)
            out->v[a->row->slot] = a->v[ss_map_at(m, cell, d)];
    }
}

void ss_map_ledger(const ss_map *m, int cell, ss_ledger *out)
{
    ss_config cfg;
    ss_problem p;
    ss_map_config(m, cell, &cfg);
    ss_config_problem(&cfg, &p);
    *out = (ss_ledger){.blocks = 0};
    ss_config_solver(&cfg)->ledger(&cfg, ss_config_equation(&cfg), &p, out);
}

/* --- what is best ----------------------------------------------------------------------------- */

double ss_map_value(const ss_map *m, int cell)
{
    const ss_tune_cell *c = &m->cell[cell];
    bool there = c->status == SS_CELL_OK || (c->status == SS_CELL_LIMIT && m->quantity->error);
    return there ? m->quantity->of(c) : (double)NAN;
}

int ss_map_least(const ss_map *m, int from, int to)
{
    int best = -1;
    for (int i = from; i < to; i++) {
        double v = ss_map_value(m, i);
        if (isfinite(v) && (best < 0 || v < ss_map_value(m, best)))
            best = i;
    }
    return best;
}

/* --- what the papers found -------------------------------------------------------------------- */

typedef struct optimum {
    char source[64], had[80], agree[200], of[80], best[80];
} optimum;

/* Up to the next tab or the end of the line; moves on behind it. */
static const char *take_field(const char *at, char *out, size_t size)
{
    size_t n = strcspn(at, "\t\n");
    snprintf(out, size, "%.*s", (int)n, at);
    return at + n + (at[n] == '\t');
}

static void read_optimum(const char *line, optimum *o)
{
    char word[16];
    line = take_field(line, word, sizeof word);
    line = take_field(line, o->source, sizeof o->source);
    line = take_field(line, o->agree, sizeof o->agree);
    line = take_field(line, o->had, sizeof o->had);
    line = take_field(line, o->of, sizeof o->of);
    take_field(line, o->best, sizeof o->best);
}

/* Has the config this value? */
static bool has(const ss_config *cfg, const ss_setting *s)
{
    bool applies;
    ss_value v;
    char now[256], want[256];
    const ss_param *row = ss_param_find(cfg, s->name, &applies);
    if (!row || !applies || ss_param_parse(row, s->value, &v, NULL) != SS_OK)
        return false;
    ss_param_format(row, ss_config_value(cfg, row), now, sizeof now);
    return strcmp(now, ss_param_format(row, v, want, sizeof want)) == 0;
}

static bool has_all(const ss_config *cfg, const char *settings)
{
    ss_settings s;
    if (ss_settings_parse(settings, settings + strlen(settings), &s, NULL) != SS_OK)
        return false;
    for (int i = 0; i < s.n; i++)
        if (!has(cfg, &s.at[i]))
            return false;
    return true;
}

/* Is it one of the pairs? Both lists are gone through together. */
static bool has_pair(const ss_config *cfg, const optimum *o)
{
    ss_settings of, best, one, its;
    if (ss_settings_parse(o->of, o->of + strlen(o->of), &of, NULL) != SS_OK ||
        ss_settings_parse(o->best, o->best + strlen(o->best), &best, NULL) != SS_OK)
        return false;
    for (int i = 0; ss_settings_pick(&of, i, &one) && ss_settings_pick(&best, i, &its); i++)
        if (has(cfg, &one.at[0]) && has(cfg, &its.at[0]))
            return true;
    return false;
}

const char *ss_map_papers(const ss_map *m, int cell, char *buf, size_t size)
{
    ss_config cfg;
    ss_map_config(m, cell, &cfg);
    const char *line = m->quantity->error ? NULL : ss_embed_text(OPTIMA); /* they are of time */
    for (; line && *line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
        optimum o;
        if (strncmp(line, "optimum\t", 8) != 0)
            continue;
        read_optimum(line, &o);
        if (!has_all(&cfg, o.agree) || !has_all(&cfg, o.had) || !has_pair(&cfg, &o))
            continue;
        snprintf(buf, size, "%s, %s", o.source, o.had);
        return buf;
    }
    return NULL;
}
