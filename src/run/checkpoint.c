/* Checkpoints of a run on the host, recovery on another backend, and the last cycle once more: see
 * checkpoint.h. */
#include "src/run/checkpoint.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/core/registry.h"
#include "src/core/run.h"

#define INTERVAL 0.5    /* least seconds between two checkpoints */
#define SHARE 0.01      /* largest fraction of the time spent on them */
#define BANDWIDTH 2.0e9 /* bytes per second: estimate for the first one */

static struct ss_checkpoint *checkpoint_of(ss_run *run)
{
    if (!run->checkpoint && (run->checkpoint = calloc(1, sizeof *run->checkpoint))) {
        run->checkpoint->last = ss_clock();
        run->checkpoint->cost = (double)ss_field_bytes(run) / BANDWIDTH;
    }
    return run->checkpoint;
}

bool ss_checkpoint_take(ss_run *run)
{
    struct ss_checkpoint *c = checkpoint_of(run);
    double started = ss_clock();
    if (!c || !ss_copy_take(run, &c->copy))
        return false;
    c->last = ss_clock();
    c->cost = c->last - started;
    return true;
}

/* Is there memory for two copies (old and new) and the fields of the recovered run? */
static bool has_room(const ss_run *run)
{
    ss_config cfg;
    char what[96];
    if (ss_fallback(&run->cfg, run->backend, run->ops, &cfg, NULL) != SS_OK)
        return false;
    double need = ss_config_bytes(&cfg) + 2 * (double)ss_field_bytes(run);
    return need <= ss_config_backend(&cfg)->memory(what, sizeof what);
}

void ss_checkpoint_consider(ss_run *run)
{
    if (!run->backend->lost || run->peek || run->cycle == 0)
        return;
    struct ss_checkpoint *c = checkpoint_of(run);
    if (!c || c->hopeless || (c->copy.field && c->copy.then.cycle == run->cycle))
        return;
    double since = ss_clock() - c->last;
    if (since < INTERVAL || since * SHARE < c->cost)
        return;
    c->hopeless = !has_room(run) || !ss_checkpoint_take(run);
}

/* --- recovery --------------------------------------------------------------------------------- */

static int index_of(const ss_solver *solver)
{
    int i = 0;
    while (ss_solvers[i] && ss_solvers[i] != solver)
        i++;
    return i;
}

/* The solver that computes the same on `backend` as these engine ops: the run's own, or the one
 * that replaces it under the microscope. */
static const ss_solver *same_solver(const ss_config *cfg, const ss_backend *backend,
                                    const ss_engine_ops *ops)
{
    const ss_equation *eq = ss_config_equation(cfg);
    if (ss_matrix(eq, ss_config_solver(cfg), backend, NULL))
        return ss_config_solver(cfg);
    for (int i = 0; ss_solvers[i]; i++) {
        const ss_engine_ops *other = ss_matrix(eq, ss_solvers[i], backend, NULL);
        if (other && other == ops->microscope)
            return ss_solvers[i];
    }
    return NULL;
}

int ss_fallback(const ss_config *cfg, const ss_backend *lost, const ss_engine_ops *ops,
                ss_config *out, ss_err *err)
{
    int backend = ss_param_find(cfg, "backend", NULL)->slot;
    int solver = ss_param_find(cfg, "solver", NULL)->slot;
    ss_fail(err, "no other backend runs this");
    for (int i = 0; ss_backends[i]; i++) {
        const ss_backend *b = ss_backends[i];
        const ss_solver *same = b == lost || b->asked_by || !ops ? NULL : same_solver(cfg, b, ops);
        if (!same)
            continue;
        *out = *cfg;
        out->v[backend] = (ss_value){.i = i + 1, .set = true}; /* choice 0 is auto */
        out->v[solver] = (ss_value){.i = index_of(same), .set = true};
        if (ss_config_check(out, NULL, err) == SS_OK)
            return SS_OK;
    }
    return SS_FAIL;
}

/* Moves everything but the field from a run to its replacement. */
static void hand_over(ss_run *from, ss_run *to)
{
    to->stop_at_tol = from->stop_at_tol;
    to->seldom = from->seldom;
    to->abandon = from->abandon;
    to->seconds_solve = from->seconds_solve;
    to->seconds_upload = from->seconds_upload;
    to->seconds_download = from->seconds_download;
    to->seconds_field_up = from->seconds_field_up;
    to->seconds_field_down = from->seconds_field_down;
    to->reference = from->reference;
    to->reference_reported = from->reference_reported;
    from->reference = NULL;
    ss_history none = to->history;
    to->history = from->history;
    from->history = none;
    ss_history_cut(&to->history, to->cycle, to->residual_cycle);
}

static void report_rescue(ss_run *run, const ss_solver *before, const ss_err *why)
{
    char device[64], with[40] = "";
    run->backend->describe(&run->cfg, device, sizeof device);
    if (run->solver != before)
        snprintf(with, sizeof with, " with %.30s", run->solver->name);
    snprintf(run->rescued, sizeof run->rescued, "%.160s: continuing on %s%s from cycle %lld",
             why->text, device, with, (long long)run->cycle);
}

ss_run *ss_fallback_open(const ss_config *cfg, const char *load, const char *rhs, ss_err *err)
{
    ss_config other;
    ss_err why = {0}, failed = err ? *err : why;
    const ss_backend *backend = ss_config_backend(cfg);
    const ss_solver *solver = ss_config_solver(cfg);
    const ss_engine_ops *ops = ss_matrix(ss_config_equation(cfg), solver, backend, NULL);
    ss_run *run = NULL;
    if (backend->lost && backend->lost(NULL, &why) &&
        ss_fallback(cfg, backend, ops, &other, NULL) == SS_OK)
        run = ss_run_open(&other, load, rhs, err);
    if (run)
        report_rescue(run, solver, &why);
    else if (err)
        *err = failed;
    return run;
}

int ss_run_rescue(ss_run *run, const ss_err *why, ss_err *err)
{
    ss_config cfg;
    const struct ss_checkpoint *c = run->checkpoint;
    if (ss_fallback(&run->cfg, run->backend, run->ops, &cfg, err) != SS_OK)
        return SS_FAIL;
    ss_run *next = ss_run_open(&cfg, run->load, run->rhs, err);
    if (!next)
        return SS_FAIL;
    if (c && c->copy.field && ss_copy_put(next, &c->copy, err) != SS_OK) {
        ss_run_close(next);
        return SS_FAIL;
    }
    hand_over(run, next);
    report_rescue(next, run->solver, why);
    ss_run old = *run;
    *run = *next;
    *next = old;
    run->problem.cfg = &run->cfg;
    next->problem.cfg = &next->cfg;
    ss_run_close(next);
    ss_run_mark(run, "device lost");
    return SS_OK;
}

/* --- the last cycle once more ----------------------------------------------------------------- */

#define MEMORY_SHARE 0.25 /* largest share of the host's memory for the two copies */

struct ss_repeat {
    char *field, *start; /* dense, in the run's precision */
};

static bool fits(const ss_run *run)
{
    char what[96];
    return 2 * (double)ss_copy_bytes(run) <= MEMORY_SHARE * ss_host_memory(what, sizeof what);
}

ss_repeat *ss_repeat_keep(ss_run *run)
{
    if (run->eq->kind != SS_STEADY || run->cycle == 0 || run->peek > 0 || !run->start_kept ||
        run->repeated || !fits(run))
        return NULL;
    ss_repeat *r = calloc(1, sizeof *r);
    if (!r)
        return NULL;
    r->field = ss_field_download(run);
    r->start = r->field ? ss_field_copy(run, 2, NULL) : NULL;
    if (r->start)
        return r;
    ss_repeat_free(r);
    return NULL;
}

void ss_repeat_free(ss_repeat *r)
{
    if (r) {
        free(r->field);
        free(r->start);
    }
    free(r);
}

/* Restores everything that a step changes except the fields. */
static void uncount(ss_run *run, const ss_run *before)
{
    ss_run_return(run, before);
    run->status = before->status;
    memcpy(run->message, before->message, sizeof run->message);
    run->check_every = before->check_every;
    run->stop_at_tol = before->stop_at_tol;
    run->seconds_ghosts = before->seconds_ghosts;
    run->seconds_upload = before->seconds_upload;
    run->seconds_download = before->seconds_download;
}

/* Solvers that draw their order from the number of the cycle draw that of the last one. */
static int one_cycle(ss_run *run, ss_err *err)
{
    run->cycle--;
    run->check_every = 0; /* no norm: that of the counted field remains */
    run->stop_at_tol = false;
    ss_run_clock_start(run);
    return run->ops->step(run, 1, err);
}

int ss_repeat_cycle(ss_run *run, const ss_repeat *r, ss_err *err)
{
    const ss_run before = *run;
    if (ss_field_upload(run, r->start, err) != SS_OK)
        return SS_FAIL;
    int status = one_cycle(run, err);
    bool whole = status == SS_OK && run->cycle == before.cycle;
    uncount(run, &before);
    run->repeated = whole;
    if (whole)
        return SS_OK;
    if (status == SS_OK)
        ss_fail(err, "the repetition of the last cycle was interrupted");
    ss_err ignored;
    ss_repeat_return(run, r, &ignored);
    return SS_FAIL;
}

int ss_repeat_return(ss_run *run, const ss_repeat *r, ss_err *err)
{
    run->repeated = false;
    run->start_kept = false; /* the present settings did not make this field */
    return ss_field_upload(run, r->field, err);
}
