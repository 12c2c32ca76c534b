/* `stencilscope map`, the tuning map: checks the options, and waits for the thread that
 * measures the cells. Each cell is a run from the initial field to its tolerance or limit; no
 * value is extrapolated from a shorter run. See tuner.h. */
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "src/base/common.h"
#include "src/base/file.h"
#include "src/base/system.h"
#include "src/core/registry.h"
#include "src/tune/kit.h"
#include "src/tune/tuner.h"

#define SHOW 0.05 /* seconds between two updates of the progress bar */

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
    for (int i = 0; i < m->axes->n; i++)
        if (m->axes->at[i].row == row)
            return true;
    ss_value v = m->base.v[row->slot];
    return v.set && (row->type == SS_INT || ss_param_number(row, v) > 0);
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

int ss_tune_first(const ss_config *cfg, ss_config *out, ss_err *err)
{
    ss_tune_map m;
    ss_err why = {0};
    int status = ss_tune_prepare(cfg, ss_tune_asked_axes(), &m, err);
    bool found = false;
    for (int i = 0; status == SS_EXIT_OK && i < m.n && !found; i++) {
        ss_tune_config(&m, i, out);
        found = ss_config_check(out, NULL, i ? NULL : &why) == SS_OK;
    }
    free(m.cell);
    if (status == SS_EXIT_OK && !found)
        status = (ss_fail(err, "every cell was refused; the first one: %.240s", why.text),
                  SS_EXIT_FAILED);
    return status;
}

/* --- the subcommand --------------------------------------------------------------------------- */

static atomic_bool interrupted;

static void on_signal(int number)
{
    (void)number;
    atomic_store(&interrupted, true);
}

/* The progress bar on stderr; before: cells that were done at the start. */
static void show(const ss_map_view *v, int before)
{
    static const char full[] = "########################################";
    char left[40];
    int width = (int)sizeof full - 1, done = v->done - before, all = v->n - before;
    double part = (done + v->way) / (all > 0 ? all : 1);
    fprintf(stderr, "\r[%-*.*s] %3d %%  %d of %d cells", width, (int)(width * part), full,
            (int)(100 * part), done, all);
    if (isfinite(v->left))
        fprintf(stderr, ", %s left", ss_duration_text(v->left, left, sizeof left));
    fprintf(stderr, "\033[K");
    fflush(stderr);
}

/* Until the map is full, something fails, or a signal comes. */
static int wait_for_all(ss_tuner *t, ss_tune_each *each, void *ctx, ss_err *err)
{
    bool fresh, bar = isatty(STDERR_FILENO);
    const ss_map_view *v = ss_tuner_view(t, &fresh);
    int status = SS_OK, before = v->done, seen = -1;
    for (; !atomic_load(&interrupted); v = ss_tuner_view(t, &fresh)) {
        if (each && v->done != seen)
            status = each(v, ctx, err);
        seen = v->done;
        if (status != SS_OK || *v->error || v->done == v->n)
            break;
        if (bar)
            show(v, before);
        ss_tuner_wait(t, SHOW);
    }
    if (bar)
        fprintf(stderr, "\r\033[K");
    return status;
}

int ss_tune_run_shown(const ss_config *cfg, ss_tune_each *each, void *ctx, ss_err *err)
{
    int status;
    ss_quit_signals before;
    const char *json = ss_config_text(ss_options(), "json");
    ss_tuner_setup setup = {.cfg = cfg, .by_cell = each != NULL};
    atomic_store(&interrupted, false);
    ss_quit_signals_catch(&before, on_signal);
    ss_tuner *t = ss_tuner_asked(&setup, &status, err);
    if (!t) {
        ss_quit_signals_release(&before);
        return status;
    }
    if (*ss_tuner_notice(t) && !json)
        fprintf(stderr, "stencilscope: %s\n", ss_tuner_notice(t));
    bool failed = wait_for_all(t, each, ctx, err) != SS_OK;
    ss_quit_signals_release(&before);
    FILE *table = json && strcmp(json, "-") == 0 ? NULL : stdout;
    return ss_tuner_finish(t, failed, table, err);
}

int ss_tune_run(const ss_config *cfg, ss_err *err)
{
    return ss_tune_run_shown(cfg, NULL, NULL, err);
}
