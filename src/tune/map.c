/* `stencilscope map`: see map.h. Cells are run one after the other, each from the initial field to
 * its tolerance or limit; no figure is ever guessed from a shorter run. */
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/tune/kit.h"
#include "src/tune/mapper.h"
#include "src/core/options.h"
#include "src/base/outfile.h"
#include "src/base/quit_signals.h"
#include "src/core/registry.h"

enum { DONE = 0, FAILED = 1, USAGE = 2, INTERRUPTED = 130 };

#define SHOW 0.05 /* seconds between two pictures of the bar */

/* --- signals ---------------------------------------------------------------------------------- */

static atomic_bool stop;

static void on_signal(int number)
{
    (void)number;
    atomic_store(&stop, true);
}

/* --- progress --------------------------------------------------------------------------------- */

typedef struct progress {
    bool shown; /* stderr is a terminal */
    double started, last;
    int done, all; /* cells measured by now, and to be measured */
} progress;

static void show(progress *p, double way)
{
    static const char full[] = "########################################";
    char left[40];
    if (!p->shown || ss_clock() - p->last < SHOW)
        return;
    p->last = ss_clock();
    int width = (int)sizeof full - 1;
    double part = (p->done + way) / p->all, gone = ss_clock() - p->started;
    fprintf(stderr, "\r[%-*.*s] %3d %%  %d of %d cells", width, (int)(width * part), full,
            (int)(100 * part), p->done, p->all);
    if (part > 0.01 && gone > 1)
        fprintf(stderr, ", %s left", ss_duration_text(gone * (1 - part) / part, left, sizeof left));
    fprintf(stderr, "\033[K");
    fflush(stderr);
}

static void show_end(const progress *p)
{
    if (p->shown)
        fprintf(stderr, "\r\033[K");
}

static bool go_on(void *ctx, double way)
{
    show(ctx, way);
    return !atomic_load(&stop);
}

static int measure_all(ss_map *m, ss_map_file *file, progress *p, ss_err *err)
{
    ss_run *run = NULL;
    ss_map_watch watch = {go_on, p, NULL};
    int status = SS_OK;
    for (int i = 0; i < m->n && status == SS_OK && !atomic_load(&stop); i++) {
        if (m->cell[i].status != SS_CELL_NONE)
            continue;
        status = ss_map_measure(m, i, &run, &watch, &m->cell[i], err);
        if (status == SS_OK && m->cell[i].status != SS_CELL_NONE)
            status = ss_map_file_add(file, m, i, err);
        p->done++;
        if (status == SS_OK && m->each)
            status = m->each(m, m->each_ctx, err);
    }
    ss_run_close(run);
    show_end(p);
    return status;
}

/* --- what is asked for ------------------------------------------------------------------------ */

/* The same backend for all cells: the one that the first would have. */
static int choose_backend(ss_map *m, ss_err *say, ss_err *err)
{
    ss_config first;
    ss_err ignored;
    const ss_param *row = ss_param_find(&m->base, "backend", NULL);
    const ss_backend *asked = ss_config_backend(&m->base);
    if (asked)
        return asked->probe(err);
    ss_map_config(m, 0, &first);
    bool good = ss_config_check(&first, say, &ignored) == SS_OK;
    if (!good && !ss_config_backend(&first))
        return ss_fail(err, "%s", ignored.text);
    m->base.v[row->slot] = first.v[row->slot];
    return SS_OK;
}

static bool is_limit(const ss_map *m, const char *name)
{
    const ss_param *row = ss_param_find(&m->base, name, NULL);
    for (int i = 0; i < m->axes->n; i++)
        if (m->axes->at[i].row == row)
            return true;
    ss_value v = m->base.v[row->slot];
    return v.set && (row->type == SS_INT || ss_param_number(row, v) > 0);
}

/* Nobody is there to stop a run that has no end. */
int ss_map_check_ends(const ss_map *m, ss_err *err)
{
    static const char *const limits[] = {"cycles", "seconds", "until-time", "until-accuracy"};
    const ss_equation *eq = ss_config_equation(&m->base);
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        if (is_limit(m, limits[i]))
            return SS_OK;
    if (eq->kind == SS_STEADY && ss_config_real(&m->base, "until") > 0)
        return SS_OK;
    return ss_fail(err, "%s goes on for ever: give --cycles, %s or --seconds", eq->name,
                   eq->kind == SS_STEADY ? "--until" : "--until-time");
}

static int check_axes(const ss_map *m, ss_err *err)
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

/* What a map would write, and what it has no use for. */
static int check_options(ss_err *err)
{
    static const struct {
        const char *name, *why;
    } others[] = {{"save", "is of one run"},
                  {"error", "is of one run: --quantity error"},
                  {"accuracy", "is of one run"},
                  {"rounds", "belongs to bench: a cell is one run"},
                  {"paper", "belongs to bench"}};
    const char *json = ss_config_text(ss_options(), "json");
    const char *csv = ss_config_text(ss_options(), "csv");
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (ss_config_given(ss_options(), others[i].name))
            return ss_fail(err, "map: --%s %s", others[i].name, others[i].why);
    if (csv && strcmp(csv, "-") == 0)
        return ss_fail(err, "map: --csv keeps a file to go on from, which stdout is not");
    if (csv && json && strcmp(csv, json) == 0)
        return ss_fail(err, "--json and --csv name the same file, %s", csv);
    return SS_OK;
}

/* Better now than after all the runs. */
static int check_json(ss_err *err)
{
    ss_outfile f;
    const char *json = ss_config_text(ss_options(), "json");
    if (!json || strcmp(json, "-") == 0)
        return SS_OK;
    return ss_outfile_open(&f, json, err) == SS_OK ? ss_outfile_close(&f, false, err) : SS_FAIL;
}

/* --- the subcommand --------------------------------------------------------------------------- */

/* Has any cell what was asked for? */
static int check_any(const ss_map *m, ss_err *err)
{
    bool refused = true;
    for (int i = 0; i < m->n; i++) {
        if (isfinite(ss_map_value(m, i)) || m->cell[i].status == SS_CELL_OK)
            return SS_OK;
        refused = refused && m->cell[i].status == SS_CELL_REFUSED;
    }
    if (refused)
        return ss_fail(err, "every cell was refused; the first one: %.240s", m->cell[0].why);
    return ss_fail(err, "no cell came to the tolerance");
}

int ss_map_open_cells(const ss_map *m)
{
    int n = 0;
    for (int i = 0; i < m->n; i++)
        n += m->cell[i].status == SS_CELL_NONE;
    return n;
}

int ss_map_fill(ss_map *m, const char *csv, ss_err *err)
{
    ss_map_file file;
    ss_quit_signals before;
    if (ss_map_file_open(&file, csv, m, err) != SS_OK)
        return FAILED;
    progress p = {isatty(STDERR_FILENO) != 0, ss_clock(), 0, 0, ss_map_open_cells(m)};
    atomic_store(&stop, false);
    ss_quit_signals_catch(&before, on_signal);
    ss_run_abandon_by(&stop);
    int status = m->each ? m->each(m, m->each_ctx, err) : SS_OK;
    if (status == SS_OK)
        status = measure_all(m, &file, &p, err);
    ss_run_abandon_by(NULL);
    ss_quit_signals_release(&before);
    if (ss_map_file_close(&file, status == SS_OK ? err : NULL) != SS_OK)
        status = SS_FAIL;
    int open = ss_map_open_cells(m);
    if (status == SS_OK && open > 0) {
        ss_fail(err, "interrupted: %d of %d cells are done%s", m->n - open, m->n,
                csv ? ", and the same command goes on from there" : "");
        return INTERRUPTED;
    }
    return status == SS_OK ? DONE : FAILED;
}

int ss_map_publish(const ss_map *m, ss_err *err)
{
    const char *json = ss_config_text(ss_options(), "json");
    if (!json || strcmp(json, "-") != 0)
        ss_map_print(m, stdout);
    if (json && ss_map_json(m, json, err) != SS_OK)
        return FAILED;
    return check_any(m, err) == SS_OK ? DONE : FAILED;
}

int ss_map_prepare(const ss_config *cfg, const ss_axes *axes, ss_map *m, ss_err *err)
{
    ss_err say = {""};
    *m = (ss_map){
        .base = *cfg,
        .axes = axes,
        .quantity = &ss_map_quantities[ss_config_int(ss_options(), "quantity")],
        .load = ss_config_text(ss_options(), "load"),
        .rhs = ss_config_text(ss_options(), "rhs"),
        .deterministic = ss_config_int(ss_options(), "deterministic") != 0,
    };
    if (check_options(err) != SS_OK || check_axes(m, err) != SS_OK ||
        ss_map_check_ends(m, err) != SS_OK)
        return USAGE;
    if (check_json(err) != SS_OK)
        return FAILED;
    m->nx = 1; /* for the first cell */
    if (choose_backend(m, &say, err) != SS_OK)
        return FAILED;
    snprintf(m->say, sizeof m->say, "%s", say.text);
    return ss_map_make(m, err) == SS_OK ? DONE : FAILED;
}

static void warn(const ss_map *m)
{
    if (m->say[0] && !ss_config_text(ss_options(), "json"))
        fprintf(stderr, "stencilscope: %s\n", m->say);
}

int ss_map_run(const ss_config *cfg, ss_err *err)
{
    ss_map m;
    int status = ss_map_prepare(cfg, ss_map_axes(), &m, err);
    warn(&m);
    if (status == DONE)
        status = ss_map_fill(&m, ss_config_text(ss_options(), "csv"), err);
    if (status == DONE)
        status = ss_map_publish(&m, err);
    free(m.cell);
    return status;
}

int ss_map_first(const ss_config *cfg, ss_config *out, ss_err *err)
{
    ss_map m;
    ss_err why = {""};
    int status = ss_map_prepare(cfg, ss_map_axes(), &m, err);
    bool found = false;
    for (int i = 0; status == DONE && i < m.n && !found; i++) {
        ss_map_config(&m, i, out);
        found = ss_config_check(out, NULL, i ? NULL : &why) == SS_OK;
    }
    free(m.cell);
    if (status == DONE && !found)
        status = (ss_fail(err, "every cell was refused; the first one: %.240s", why.text), FAILED);
    return status;
}

/* --- with somebody who is shown it ------------------------------------------------------------ */

typedef struct shown {
    ss_map_each *each;
    void *ctx;
    ss_map_view view;
} shown;

static int show_each(const ss_map *m, void *ctx, ss_err *err)
{
    shown *s = ctx;
    ss_map_show(m, &s->view);
    return s->each(&s->view, s->ctx, err);
}

int ss_map_run_shown(const ss_config *cfg, ss_map_each *each, void *ctx, ss_err *err)
{
    ss_map m;
    shown s = {.each = each, .ctx = ctx};
    int status = ss_map_prepare(cfg, ss_map_axes(), &m, err);
    warn(&m);
    if (status == DONE && ss_map_show_make(&m, &s.view, err) != SS_OK)
        status = FAILED;
    m.each = show_each;
    m.each_ctx = &s;
    s.view.alone = true;
    if (status == DONE)
        status = ss_map_fill(&m, ss_config_text(ss_options(), "csv"), err);
    if (status == DONE)
        status = ss_map_publish(&m, err);
    free(s.view.cell);
    free(m.cell);
    return status;
}
