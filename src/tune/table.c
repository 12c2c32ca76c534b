/* The table of a tuning map: its quantities, its shape, the config of a cell, the best cells, the
 * view, and the options that it is made of. See kit.h. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/common.h"
#include "src/base/file.h"
#include "src/base/text.h"
#include "src/core/registry.h"
#include "src/core/run.h"
#include "src/core/settings.h"
#include "src/run/reference.h"
#include "src/tune/kit.h"

#define OPTIMA "assets/data/optima.txt"

/* --- quantities ------------------------------------------------------------------------------- */

/* ss_tune_quantity.measure: max|u - u*|, mean|u - u*|, |r|/|r0|, the factor of |r| per cycle, of
 * the state at the end. */

static int state_error(ss_run *run, double *out, char *why, size_t size, ss_err *err)
{
    ss_result r;
    (void)why, (void)size;
    int status = ss_result_make(run, true, false, 0, &r, err);
    *out = r.error_max;
    return status;
}

static int state_mean(ss_run *run, double *out, char *why, size_t size, ss_err *err)
{
    (void)why, (void)size;
    return ss_result_mean_error(run, out, err);
}

static int state_reduction(ss_run *run, double *out, char *why, size_t size, ss_err *err)
{
    (void)err;
    *out = run->residual0 > 0 ? run->residual / run->residual0 : (double)NAN;
    if (isnan(*out))
        snprintf(why, size, "the first residual is 0");
    return SS_OK;
}

/* A value that still changes would be one of the number of cycles, not of the method. */
static int state_factor(ss_run *run, double *out, char *why, size_t size, ss_err *err)
{
    bool settled;
    (void)err;
    *out = ss_run_factor(run, &settled);
    if (run->solver->krylov)
        snprintf(why, size, "%s has no factor per cycle", run->solver->title);
    else if (isnan(*out))
        snprintf(why, size,
                 "the factor needs at least nine residuals above 1e-10 of the first one");
    else if (!settled)
        snprintf(why, size, "the factor has not settled: the residual still changes its rate");
    *out = settled ? *out : (double)NAN;
    return SS_OK;
}

static double of_cycles(const ss_map_cell *c)
{
    return (double)c->cycles;
}

static double of_work(const ss_map_cell *c)
{
    return (double)c->cycles * c->blocks;
}

static double of_seconds(const ss_map_cell *c)
{
    return c->seconds;
}

static double of_bytes(const ss_map_cell *c)
{
    return c->bytes;
}

static const char *const quantity_names[] = {"cycles",    "work",   "seconds", "bytes", "error",
                                             "reduction", "factor", "l1",      NULL};
static const char *const quantity_help[] = {"cycles to the tolerance",
                                            "cycles \xc3\x97 blocks: ranks overlaps within one k",
                                            "solving time",
                                            "bytes moved, by the ledger",
                                            "max|u - u*| where the run stopped",
                                            "|r|/|r0| where the run stopped",
                                            "measured asymptotic factor of |r| per cycle",
                                            "mean|u - u*| where the run stopped",
                                            NULL};

// clang-format off
const ss_tune_quantity ss_tune_quantities[] = {
    {.name = "cycles", .unit = "", .title = "cycles", .of = of_cycles},
    {.name = "work", .unit = "", .title = "cycles \xc3\x97 blocks", .of = of_work},
    {.name = "seconds", .unit = "s", .title = "seconds of solving", .of = of_seconds,
     .overall = true},
    {.name = "bytes", .unit = "B", .title = "modelled bytes", .of = of_bytes,
     .column = "bytes", .overall = true},
    {.name = "error", .unit = "", .title = "max|u - u*|", .column = "error",
     .measure = state_error},
    {.name = "reduction", .unit = "", .title = "|r|/|r0|", .column = "reduction", .overall = true,
     .measure = state_reduction, .residual = true},
    {.name = "factor", .unit = "", .title = "factor of |r| per cycle", .column = "factor",
     .overall = true, .measure = state_factor, .residual = true},
    {.name = "l1", .unit = "", .title = "mean|u - u*|", .column = "l1", .overall = true,
     .measure = state_mean},
};
// clang-format on
const int ss_ntune_quantity = sizeof ss_tune_quantities / sizeof *ss_tune_quantities;

double ss_tune_quantity_of(const ss_tune_map *m, const ss_tune_quantity *q, const ss_map_cell *c)
{
    if (q->of)
        return q->of(c);
    return q == m->quantity ? c->measured : (double)NAN;
}

const char *ss_tune_title(const ss_tune_map *m, const ss_tune_quantity *q)
{
    bool virtual = *q->unit == 's' && ss_config_ranks(&m->base) > 0;
    return virtual ? "seconds on modelled ranks (modelled waits, measured work)" : q->title;
}
_Static_assert(sizeof ss_tune_quantities / sizeof *ss_tune_quantities == SS_MAP_QUANTITIES,
               "a view stores every quantity");

// clang-format off
ss_param ss_tune_rows[] = {
    {.name = "quantity", .symbol = "quantity", .unit = "", .group = "Map", .type = SS_CHOICE,
     .help = "what map shows of each cell", .flags = SS_P_APP, .choices = quantity_names,
     .choice_help = quantity_help},
};
// clang-format on
const int ss_ntune = sizeof ss_tune_rows / sizeof *ss_tune_rows;

/* --- settings as text ------------------------------------------------------------------------- */

static SS_PRINTF(2, 3) void add_text(ss_tune_map *m, const char *fmt, ...)
{
    size_t used = strlen(m->settings);
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(m->settings + used, sizeof m->settings - used, fmt, ap);
    va_end(ap);
}

static bool is_axis(const ss_tune_map *m, const ss_param *row)
{
    for (int i = 0; i < m->axes->n; i++)
        if (m->axes->at[i].row == row)
            return true;
    return false;
}

/* True for the axes, which the settings omit, and for equation, solver and backend, which come
 * first and without a name. */
static bool is_unlisted(const ss_tune_map *m, const ss_param *row)
{
    if (is_axis(m, row))
        return true;
    static const char *const names[] = {"equation", "solver", "backend"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (row == ss_param_find(&m->base, names[i], NULL))
            return true;
    return row->flags & SS_P_APP;
}

void ss_tune_make_settings(ss_tune_map *m)
{
    char value[256];
    const ss_param *row;
    m->settings[0] = '\0';
    add_text(m, "map %s %s --backend %s", ss_config_equation(&m->base)->name,
             ss_config_solver(&m->base)->name, ss_config_backend(&m->base)->name);
    for (ss_param_walk w = {.cfg = &m->base}; (row = ss_param_next(&w)) != NULL;)
        if (!is_unlisted(m, row) && ss_config_unusual(&m->base, row, value, sizeof value))
            add_text(m, " --%s %s", row->name, value);
    if (m->load)
        add_text(m, " --load %s", m->load);
    if (m->rhs)
        add_text(m, " --rhs %s", m->rhs);
    if (m->deterministic)
        add_text(m, " --deterministic");
}

/* --- shape ------------------------------------------------------------------------------------ */

const ss_tune_axis *ss_tune_axis_of(const ss_tune_map *m, int direction)
{
    if (direction == 1)
        return &m->axes->at[m->axes->n - 1];
    return m->axes->n > 1 ? &m->axes->at[0] : NULL;
}

int ss_tune_at(const ss_tune_map *m, int cell, int direction)
{
    return direction == 1 ? cell % m->nx : cell / m->nx;
}

static void clear(ss_map_cell *c)
{
    c->blocks = c->seconds = c->measured = c->bytes = c->guess = NAN;
    for (int q = 0; q < SS_MAP_QUANTITIES; q++)
        c->value[q] = NAN;
}

int ss_tune_make(ss_tune_map *m, ss_err *err)
{
    const ss_tune_axis *rows = ss_tune_axis_of(m, 0);
    m->nx = ss_tune_axis_of(m, 1)->n;
    m->ny = rows ? rows->n : 1;
    m->n = m->nx * m->ny;
    m->cell = ss_alloc((size_t)m->n * sizeof *m->cell, "the map", err);
    if (!m->cell)
        return SS_FAIL;
    for (int i = 0; i < m->n; i++)
        clear(&m->cell[i]);
    ss_tune_make_settings(m);
    return SS_OK;
}

/* Given, or an axis. */
static bool is_given(const ss_tune_map *m, const char *name)
{
    const ss_param *row = ss_param_find(&m->base, name, NULL);
    return is_axis(m, row) || m->base.v[row->slot].set;
}

static void drop_tolerance(const ss_tune_map *m, ss_config *out)
{
    bool steady = ss_config_equation(&m->base)->kind == SS_STEADY;
    if (m->quantity->measure && steady && is_given(m, "cycles") && !is_given(m, "until"))
        out->v[ss_param_find(out, "until", NULL)->slot] = (ss_value){.d = 0, .set = true};
}

void ss_tune_config(const ss_tune_map *m, int cell, ss_config *out)
{
    *out = m->base;
    drop_tolerance(m, out);
    for (int d = 0; d < 2; d++) {
        const ss_tune_axis *a = ss_tune_axis_of(m, d);
        if (a)
            out->v[a->row->slot] = a->v[ss_tune_at(m, cell, d)];
    }
}

/* The ledger of one cycle of a cell. */
static void ledger_of_cell(const ss_tune_map *m, int cell, ss_ledger *out)
{
    ss_config cfg;
    ss_tune_config(m, cell, &cfg);
    ss_problem p = ss_config_problem(&cfg);
    *out = (ss_ledger){.blocks = 0};
    ss_config_solver(&cfg)->ledger(&cfg, ss_config_equation(&cfg), &p, out);
}

/* --- the best cells --------------------------------------------------------------------------- */

double ss_tune_value(const ss_tune_map *m, int cell)
{
    return m->cell[cell].value[m->quantity - ss_tune_quantities];
}

int ss_tune_least(const ss_tune_map *m, int from, int to)
{
    int best = -1;
    for (int i = from; i < to; i++) {
        double v = ss_tune_value(m, i);
        if (isfinite(v) && (best < 0 || v < ss_tune_value(m, best)))
            best = i;
    }
    return best;
}

int ss_tune_open_cells(const ss_tune_map *m)
{
    int n = 0;
    for (int i = 0; i < m->n; i++)
        n += m->cell[i].status == SS_CELL_NONE;
    return n;
}

/* --- the papers' optima ----------------------------------------------------------------------- */

typedef struct optimum {
    char source[64], had[80], agree[200], of[80], best[80];
} optimum;

/* Copies up to the next tab or the end of the line. Returns what follows. */
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

/* True if the config has this value. */
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

/* True if the config has the i-th values of both lists, for some i. */
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

const char *ss_tune_papers(const ss_tune_map *m, int cell, char *buf, size_t size)
{
    ss_config cfg;
    ss_tune_config(m, cell, &cfg);
    const char *line = m->quantity->measure ? NULL : ss_embed_text(OPTIMA); /* of times only */
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

/* The classic steps that complete a run of so many cycles, whose end lies inside the next one. */
static double last_steps(const ss_config *cfg, const ss_problem *p, double cycles)
{
    const ss_solver *solver = ss_config_solver(cfg);
    double until = ss_config_real(cfg, "until-time");
    if (!solver->step_ledger || !(until > 0))
        return 0;
    double each = (double)solver->iterations_per_cycle(cfg, p) / p->nstage;
    double left = ceil(until / p->dt - 1e-6) - cycles * each;
    return left > 0 && left < each ? left : 0;
}

/* The cost by the ledger: a file of results has cycles only. */
static void bill(const ss_tune_map *m, int cell, ss_map_cell *c)
{
    ss_config cfg;
    ss_ledger one, step = {.blocks = 0};
    double cycles = (double)c->cycles, steps;
    ss_tune_config(m, cell, &cfg);
    ss_problem p = ss_config_problem(&cfg);
    ledger_of_cell(m, cell, &one);
    steps = last_steps(&cfg, &p, cycles);
    if (steps > 0)
        ss_config_solver(&cfg)->step_ledger(&cfg, ss_config_equation(&cfg), &p, &step);
    c->bytes = cycles * one.global_bytes + steps * step.global_bytes;
}

void ss_tune_complete(ss_tune_map *m, int cell)
{
    char source[200];
    ss_map_cell *c = &m->cell[cell];
    bool ran = c->status == SS_CELL_OK || c->status == SS_CELL_LIMIT;
    if (ran || c->status == SS_CELL_DIVERGED)
        bill(m, cell, c);
    for (int i = 0; i < ss_ntune_quantity; i++) {
        const ss_tune_quantity *q = &ss_tune_quantities[i];
        bool known = c->status == SS_CELL_OK || (ran && q->measure);
        c->value[i] = known ? ss_tune_quantity_of(m, q, c) : (double)NAN;
    }
    c->papers = ss_tune_papers(m, cell, source, sizeof source) != NULL;
}

/* --- the view --------------------------------------------------------------------------------- */

static ss_map_side side_of(const ss_tune_axis *a)
{
    return a ? (ss_map_side){a->row, a->text, a->v} : (ss_map_side){.row = NULL};
}

int ss_tune_view_make(const ss_tune_map *m, ss_map_view *v, ss_err *err)
{
    const ss_equation *eq = ss_config_equation(&m->base);
    *v = (ss_map_view){.equation = eq->name,
                       .solver = ss_config_solver(&m->base)->name,
                       .settings = m->settings,
                       .row = side_of(ss_tune_axis_of(m, 0)),
                       .column = side_of(ss_tune_axis_of(m, 1)),
                       .asked = (int)(m->quantity - ss_tune_quantities),
                       .nx = m->nx,
                       .ny = m->ny,
                       .n = m->n,
                       .now = -1,
                       .left = NAN,
                       .clock = !m->deterministic};
    ss_config_backend(&m->base)->describe(&m->base, v->place, sizeof v->place);
    for (int i = 0; i < ss_ntune_quantity; i++) {
        const ss_tune_quantity *q = &ss_tune_quantities[i];
        v->quantity[i] =
            (ss_map_name){q->name, q->unit, ss_tune_title(m, q), q->overall, q->measure != NULL};
    }
    v->cell = ss_alloc((size_t)v->n * sizeof *v->cell, "the map", err);
    for (int i = 0; v->cell && i < v->n; i++)
        clear(&v->cell[i]);
    return v->cell ? SS_OK : SS_FAIL;
}

/* --- options ---------------------------------------------------------------------------------- */

/* All cells use the backend of the first one. notice: why it is not the first choice. */
static int choose_backend(ss_tune_map *m, ss_err *notice, ss_err *err)
{
    ss_config first;
    ss_err ignored;
    const ss_param *row = ss_param_find(&m->base, "backend", NULL);
    const ss_backend *asked = ss_config_backend(&m->base);
    if (asked)
        return asked->probe(err);
    ss_tune_config(m, 0, &first);
    bool good = ss_config_check(&first, notice, &ignored) == SS_OK;
    if (!good && !ss_config_backend(&first))
        return ss_fail(err, "%s", ignored.text);
    m->base.v[row->slot] = first.v[row->slot];
    return SS_OK;
}

static bool is_limit(const ss_tune_map *m, const char *name)
{
    const ss_param *row = ss_param_find(&m->base, name, NULL);
    ss_value v = m->base.v[row->slot];
    return is_axis(m, row) || (v.set && (row->type == SS_INT || ss_param_number(row, v) > 0));
}

int ss_tune_check_ends(const ss_tune_map *m, ss_err *err)
{
    static const char *const limits[] = {"cycles", "seconds", "until-time", "until-accuracy",
                                         "until-error"};
    const ss_equation *eq = ss_config_equation(&m->base);
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        if (is_limit(m, limits[i]))
            return SS_OK;
    if (eq->kind == SS_STEADY && ss_config_real(&m->base, "until") > 0)
        return SS_OK;
    return ss_fail(err, "%s never ends by itself: give --cycles, %s or --seconds", eq->name,
                   eq->kind == SS_STEADY ? "--until" : "--until-time");
}

static int check_axes(const ss_tune_map *m, ss_err *err)
{
    bool applies;
    if (m->axes->n == 0)
        return ss_fail(err, "a map needs a list or a range: --k 4,8,16 --overlap 0:16:2");
    for (int i = 0; i < m->axes->n; i++) {
        const ss_param *row = m->axes->at[i].row;
        if (ss_param_find(&m->base, row->name, &applies) != row || !applies)
            return ss_fail(err, "%s does not apply to %s with the solver %s", row->name,
                           ss_config_equation(&m->base)->name, ss_config_solver(&m->base)->name);
    }
    return SS_OK;
}

static int check_quantity(const ss_tune_map *m, ss_err *err)
{
    const ss_equation *eq = ss_config_equation(&m->base);
    if (!m->quantity->residual || eq->kind == SS_STEADY)
        return SS_OK;
    return ss_fail(err,
                   "--quantity %s needs a residual, which %s does not have: use cycles, work, "
                   "seconds, bytes, error or l1",
                   m->quantity->name, eq->name);
}

/* Refuses options of single runs and of bench, and two results in one file. */
static int check_options(ss_err *err)
{
    static const struct {
        const char *name, *why;
    } others[] = {{"save", "applies to a single run"},
                  {"error", "applies to a single run: use --quantity error"},
                  {"accuracy", "applies to a single run"},
                  {"rounds", "belongs to bench: a cell is one run"},
                  {"paper", "belongs to bench"}};
    const char *json = ss_config_text(ss_options(), "json");
    const char *csv = ss_config_text(ss_options(), "csv");
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (ss_config_given(ss_options(), others[i].name))
            return ss_fail(err, "map: --%s %s", others[i].name, others[i].why);
    if (csv && strcmp(csv, "-") == 0)
        return ss_fail(err, "map: --csv needs a file that can be resumed, which stdout is not");
    if (csv && json && strcmp(csv, json) == 0)
        return ss_fail(err, "--json and --csv name the same file, %s", csv);
    return SS_OK;
}

/* Checks before the runs, not after them, that the JSON can be written. */
static int check_json(ss_err *err)
{
    ss_outfile f;
    const char *json = ss_config_text(ss_options(), "json");
    if (!json || strcmp(json, "-") == 0)
        return SS_OK;
    return ss_outfile_open(&f, json, err) == SS_OK ? ss_outfile_close(&f, false, err) : SS_FAIL;
}

int ss_tune_prepare(const ss_config *cfg, const ss_tune_axes *axes, ss_tune_map *m, ss_err *err)
{
    ss_err notice = {0};
    *m = (ss_tune_map){
        .base = *cfg,
        .axes = axes,
        .quantity = &ss_tune_quantities[ss_config_int(ss_options(), "quantity")],
        .load = ss_config_text(ss_options(), "load"),
        .rhs = ss_config_text(ss_options(), "rhs"),
        .deterministic = ss_config_int(ss_options(), "deterministic") != 0,
    };
    if (check_options(err) != SS_OK || check_axes(m, err) != SS_OK ||
        check_quantity(m, err) != SS_OK || ss_tune_check_ends(m, err) != SS_OK)
        return SS_EXIT_USAGE;
    if (check_json(err) != SS_OK)
        return SS_EXIT_FAILED;
    m->nx = 1; /* enough for the config of the first cell */
    if (choose_backend(m, &notice, err) != SS_OK)
        return SS_EXIT_FAILED;
    snprintf(m->notice, sizeof m->notice, "%s", notice.text);
    return ss_tune_make(m, err) == SS_OK ? SS_EXIT_OK : SS_EXIT_FAILED;
}
