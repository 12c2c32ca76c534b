/* Measures a cell of a tuning map, a whole run: see kit.h. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/tune/kit.h"
#include "src/core/registry.h"
#include "src/run/reference.h"

#define CALL_INTERVAL 0.1 /* seconds between two calls of go_on, about */

/* Progress of a run towards its limits, 0 to 1; the residual is taken to fall exponentially. */
static double progress_of(const ss_run *run)
{
    double progress = 0;
    if (run->tol > 0 && run->residual0 > 0 && run->residual > 0 && run->residual < run->residual0)
        progress = log(run->residual / run->residual0) / log(run->tol);
    if (run->max_cycles > 0)
        progress = fmax(progress, (double)run->cycle / (double)run->max_cycles);
    if (run->max_seconds > 0)
        progress = fmax(progress, run->seconds_solve / run->max_seconds);
    return progress < 1 ? progress : 1;
}

/* Opens the run, or reconfigures the previous cell's run and resets its field. */
static int open_cell(const ss_tune_map *m, const ss_config *cfg, ss_run **run, ss_err *err)
{
    if (!*run) {
        *run = ss_run_open(cfg, m->load, m->rhs, err);
    } else if (ss_run_configure(*run, cfg, err) != SS_OK || ss_run_reset(*run, err) != SS_OK) {
        ss_run_close(*run); /* the next cell opens a new one */
        *run = NULL;
    }
    if (*run)
        (*run)->stop_at_tol = true;
    return *run ? SS_OK : SS_FAIL;
}

/* Solves to the end, in steps short enough for go_on. */
static int solve(ss_run *run, const ss_tune_watch *w, double *seconds, ss_err *err)
{
    int64_t cycles = 1;
    while (run->status == SS_RUNNING && w->go_on(w->ctx, progress_of(run))) {
        double before = ss_clock(), counted = w->clock ? w->clock() : 0;
        run->chained = run->cycle > 0;
        if (ss_run_step(run, cycles, err) != SS_OK)
            return SS_FAIL;
        *seconds += w->clock ? w->clock() - counted : 0;
        double took = ss_clock() - before;
        if (took < CALL_INTERVAL / 2)
            cycles *= 2;
        else if (took > 2 * CALL_INTERVAL && cycles > 1)
            cycles /= 2;
    }
    if (!w->clock || run->ranks)
        *seconds = run->seconds_solve;
    return SS_OK;
}

/* Without a tolerance the limit is the goal. */
static ss_cell_status status_of(const ss_run *run)
{
    bool missed = run->eq->kind == SS_STEADY && (run->tol > 0 || ss_run_seeks(run));
    if (run->status == SS_DIVERGED)
        return SS_CELL_DIVERGED;
    return run->status == SS_CONVERGED || !missed ? SS_CELL_OK : SS_CELL_LIMIT;
}

/* Rounded as in the file, so that a resumed map equals one that never stopped. */
static double as_saved(double seconds)
{
    char text[40];
    snprintf(text, sizeof text, SS_TUNE_SECONDS, seconds);
    return strtod(text, NULL);
}

static int collect(const ss_tune_map *m, ss_run *run, double seconds, ss_map_cell *c, ss_err *err)
{
    ss_result r;
    if (ss_result_make(run, false, false, 0, &r, err) != SS_OK)
        return SS_FAIL;
    c->status = status_of(run);
    c->cycles = run->cycle;
    c->blocks = ss_result_blocks(run);
    c->seconds = m->deterministic ? (double)NAN : as_saved(seconds);
    c->when = m->deterministic ? 0 : time(NULL);
    bool stagnated = run->status == SS_STAGNATED && !m->quantity->measure;
    if (c->status == SS_CELL_DIVERGED || stagnated) {
        /* The first sentence only: the others are about keys. */
        const char *end = strstr(run->message, ". ");
        snprintf(c->why, sizeof c->why, "%.*s",
                 (int)(end ? (size_t)(end - run->message) : strlen(run->message)), run->message);
    } else if (m->quantity->measure) {
        return m->quantity->measure(run, &c->measured, c->why, sizeof c->why, err);
    }
    return SS_OK;
}

static void refuse(const ss_tune_map *m, ss_map_cell *c, const ss_err *why)
{
    c->status = SS_CELL_REFUSED;
    c->when = m->deterministic ? 0 : time(NULL);
    snprintf(c->why, sizeof c->why, "%s", why->text);
}

int ss_tune_measure(const ss_tune_map *m, int cell, ss_run **run, const ss_tune_watch *w,
                    ss_map_cell *out, ss_err *err)
{
    ss_config cfg;
    ss_err why = {0};
    ss_map_cell c = m->cell[cell];
    ss_tune_config(m, cell, &cfg);
    if (ss_config_check(&cfg, NULL, &why) != SS_OK || open_cell(m, &cfg, run, &why) != SS_OK) {
        if (w->go_on(w->ctx, 0)) /* opening also fails if it is stopped */
            refuse(m, &c, &why);
        *out = c;
        return SS_OK;
    }
    double seconds = 0;
    int status = solve(*run, w, &seconds, err);
    if (status == SS_OK && w->go_on(w->ctx, 1))
        status = collect(m, *run, seconds, &c, err);
    *out = c;
    return w->go_on(w->ctx, 1) ? status : SS_OK;
}
