/*
 * One run from open to close: live changes that keep the state. See run.h. Engine thread only
 * (tests and the bench call it directly, from their one thread).
 */
#include "src/core/run.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/system.h"
#include "src/core/registry.h"
#include "src/run/parts.h"
#include "src/run/reference.h"

/* --- opening and changing ------------------------------------------------------------------------
 */

/* Resolves the config into the members of the run. */
static void adopt(ss_run *run, const ss_config *cfg)
{
    run->cfg = *cfg;
    run->eq = ss_config_equation(cfg);
    run->solver = ss_config_solver(cfg);
    run->backend = ss_config_backend(cfg);
    run->ops = ss_matrix(run->eq, run->solver, run->backend, NULL);
    run->prec = (ss_prec)ss_config_int(cfg, "precision");
    run->threads = ss_config_ranks(cfg) ? 1 : ss_config_threads(cfg);
    run->pin = ss_config_int(cfg, "pin") != 0;
    run->problem = ss_config_problem(&run->cfg);
    run->eq->coef(&run->problem, &run->coef);
    run->iterations_per_cycle = run->solver->iterations_per_cycle
                                    ? run->solver->iterations_per_cycle(&run->cfg, &run->problem)
                                    : 1;
    run->ticks_per_cycle = run->solver->ticks_per_cycle
                               ? run->solver->ticks_per_cycle(&run->cfg, &run->problem)
                               : run->iterations_per_cycle;
    run->solver->ledger(&run->cfg, run->eq, &run->problem, &run->per_cycle);
    run->tol = ss_config_real(cfg, "until");
    run->growth = ss_run_growth_bound(run);
    double accuracy = ss_config_real(cfg, "until-accuracy");
    if (accuracy < run->until_accuracy || accuracy > run->until_accuracy)
        run->teff = NAN; /* it was measured for the previous threshold */
    run->until_accuracy = accuracy;
    run->until_error = ss_config_real(cfg, "until-error");
    run->error_norm = (ss_error_norm)ss_config_int(cfg, "error-norm");
    run->met = false;
    if (ss_run_seeks(run) && !cfg->v[ss_param_find(cfg, "until", NULL)->slot].set)
        run->tol = 0; /* the distance is the only limit that was given */
    run->max_seconds = ss_config_real(cfg, "seconds");
    run->max_time = ss_config_real(cfg, "until-time");
    int64_t every = ss_config_int(cfg, "check-every");
    run->check_every = every > 0 ? every : 1;
    run->no_stride = every == 0;
    const ss_param *cycles = ss_param_find(cfg, "cycles", NULL);
    run->max_cycles = cfg->v[cycles->slot].set ? ss_config_value(cfg, cycles).i : -1;
}

/* The schedule stays as it was prepared, and so does its ledger, which prepare may have changed. */
static void adopt_equal(ss_run *run, const ss_config *cfg)
{
    ss_ledger prepared = run->per_cycle;
    adopt(run, cfg);
    run->per_cycle = prepared;
}

static void forget_progress(ss_run *run)
{
    static atomic_uint_fast64_t begun;
    run->began = atomic_fetch_add(&begun, 1) + 1;
    run->cycle = run->iteration = run->step = 0;
    run->time = 0;
    run->exact_since = 0;
    run->since = (ss_since){0, 0, 0};
    run->many_dt = run->painted = false;
    run->edited = (ss_edited){0, SS_BITS_UNKNOWN};
    run->status = SS_RUNNING;
    run->reached = run->met = false;
    run->residual_cycle = -1;
    run->residual = run->residual0 = 0;
    run->factors.n = 0;
    run->accuracy_cycle = -1;
    run->teff = NAN;
    run->watch.step = run->watch.error_step = -1;
    run->watch.error = run->watch.error_time = NAN;
    run->seconds_solve = run->seconds_ghosts = 0;
    run->peek = 0;
    run->start_kept = run->repeated = false;
    run->message[0] = '\0';
    ss_run_ranks_restart(run);
    ss_checkpoint_forget(run);
    ss_copy_free(&run->good);
    memset(&run->total, 0, sizeof run->total);
    ss_history_clear(&run->history);
}

ss_run *ss_run_open(const ss_config *cfg, const char *load, const char *rhs, ss_err *err)
{
    ss_saved *state = NULL;
    ss_run *run = calloc(1, sizeof *run);
    if (!run) {
        ss_fail_memory(err, "a run", sizeof *run);
        return NULL;
    }
    adopt(run, cfg);
    run->modelled_work = ss_run_models_work();
    if (ss_threads_check(run->threads - 1, err) != SS_OK || ss_run_ranks_open(run, err) != SS_OK)
        goto fail;
    forget_progress(run);
    run->abandon = ss_run_abandon_flag();
    run->load = load;
    run->rhs = rhs;
    if (run->backend->open(run, err) != SS_OK)
        goto fail;
    if (ss_run_read_inputs(run, &state, err) != SS_OK)
        goto fail_opened;
    ss_saved_put_progress(state, run);
    run->seconds_field_up = run->seconds_upload;
    if ((run->eq->kind == SS_TRANSIENT && ss_run_watch(run, err) != SS_OK) ||
        run->ops->prepare(run, err) != SS_OK)
        goto fail_opened;
    if (state && ss_saved_put_memory(state, run, err) != SS_OK)
        goto fail_prepared;
    ss_saved_close(state);
    return run;
fail_prepared:
    run->ops->release(run);
fail_opened:
    ss_saved_close(state);
    run->backend->close(run);
fail:
    ss_run_ranks_close(run);
    free(run);
    return NULL;
}

void ss_run_close(ss_run *run)
{
    if (!run)
        return;
    ss_reference_free(run->reference);
    ss_accuracy_forget(run);
    ss_checkpoint_forget(run);
    ss_copy_free(&run->good);
    run->ops->release(run);
    run->backend->close(run);
    ss_run_ranks_close(run);
    ss_history_free(&run->history);
    free(run);
}

int ss_run_reset(ss_run *run, ss_err *err)
{
    ss_saved *state;
    run->seconds_upload = run->seconds_download = 0;
    run->seconds_field_up = run->seconds_field_down = 0;
    if (run->backend->reset(run, err) != SS_OK || ss_run_read_inputs(run, &state, err) != SS_OK)
        return SS_FAIL;
    run->seconds_field_up = run->seconds_upload;
    ss_reference_free(run->reference); /* the right-hand side may have changed */
    run->reference = NULL;
    run->reference_reported = false;
    ss_accuracy_forget(run);
    forget_progress(run);
    ss_saved_put_progress(state, run);
    int status = ss_saved_put_memory(state, run, err);
    ss_saved_close(state);
    if (status != SS_OK)
        return SS_FAIL;
    return run->eq->kind == SS_TRANSIENT ? ss_run_watch(run, err) : SS_OK;
}

/* Opens the new problem before it closes the old one: a failure leaves the run as it was. */
static int reopen(ss_run *run, const ss_config *cfg, ss_err *err)
{
    ss_run *next = ss_run_open(cfg, run->load, run->rhs, err);
    if (!next)
        return SS_FAIL;
    ss_run old = *run;
    next->stop_at_tol = old.stop_at_tol;
    next->seldom = old.seldom;
    next->abandon = old.abandon;
    *run = *next;
    *next = old;
    run->problem.cfg = &run->cfg;
    next->problem.cfg = &next->cfg;
    ss_run_close(next);
    return SS_OK;
}

/* Figures that prepare fills in. */
static void clear_costs(ss_run *run)
{
    run->seconds_inverses = run->bytes_inverses = 0;
    run->tile_bytes = run->tile_room = 0;
    run->shares.count = 0;
    memset(&run->split, 0, sizeof run->split);
}

int ss_run_same_diagonal(const ss_run *run, const ss_coef *before, ss_err *err)
{
    bool same = memcmp(&run->coef.residual, &before->residual, sizeof before->residual) == 0;
    if (same || run->eq->kind != SS_STEADY)
        return SS_OK;
    return ss_fail(err,
                   "this change alters the diagonal of %s, which scales its stored right-hand "
                   "side: the run must be reset (the parameter needs SS_P_RESET)",
                   run->eq->name);
}

/* A copy of what the next cycle needs besides the field, if it stays valid; else NULL. */
static void *keep_memory(ss_run *run, const ss_config *cfg)
{
    bool goes_on =
        run->ops->memory && !run->unseen && ss_run_method(&run->cfg) == ss_run_method(cfg);
    void *kept = goes_on ? malloc(run->ops->memory(run)) : NULL;
    if (kept && run->ops->memory_get(run, kept, NULL) == SS_OK)
        return kept;
    free(kept);
    return NULL;
}

/* The iterations that the solver's cycles consist of: the classic solver's, or its own. */
static const char *iterations_of(const ss_solver *s)
{
    return s->classic && !s->another_method ? s->classic : s->name;
}

static double damping_of(const ss_config *cfg)
{
    bool applies;
    ss_param_find(cfg, "damping", &applies);
    return applies ? ss_config_real(cfg, "damping") : 1;
}

/* After a change of settings: other iterations than before are not those of the whole run. */
static void follow_iterations(ss_run *run, const ss_config *before, const ss_coef *coef)
{
    double damping = damping_of(before), now = damping_of(&run->cfg);
    bool same = strcmp(iterations_of(run->solver), iterations_of(ss_config_solver(before))) == 0 &&
                !(damping < now) && !(damping > now) && memcmp(coef, &run->coef, sizeof *coef) == 0;
    run->exact_since = same ? run->exact_since : run->cycle;
}

/* Between two cycles: keeps the state and prepares the schedule's scratch again.
 * restarts: the caller fills the fields again afterwards. */
static int reschedule(ss_run *run, const ss_config *cfg, bool restarts, ss_err *err)
{
    ss_config before = run->cfg;
    ss_coef coef = run->coef;
    const ss_engine_ops *ops = run->ops;
    void *memory = restarts ? NULL : keep_memory(run, cfg);
    run->ops->release(run);
    clear_costs(run);
    run->factors.n = 0;
    int threads = run->threads;
    adopt(run, cfg);
    if (ss_threads_check(run->threads - threads, err) == SS_OK &&
        (restarts || ss_run_same_diagonal(run, &coef, err) == SS_OK) &&
        ss_run_ranks_open(run, err) == SS_OK && run->ops->prepare(run, err) == SS_OK) {
        int status = memory && run->ops == ops ? run->ops->memory_put(run, memory, err) : SS_OK;
        follow_iterations(run, &before, &coef);
        free(memory);
        return status;
    }
    free(memory);
    clear_costs(run);
    adopt(run, &before);
    if (ss_run_ranks_open(run, NULL) != SS_OK || run->ops->prepare(run, NULL) != SS_OK)
        run->status = SS_FAILED;
    return SS_FAIL;
}

/* The tolerance became stricter: the run may no longer have reached it. */
static void recheck_tolerance(ss_run *run)
{
    run->reached = run->reached && run->residual <= run->tol * run->residual0;
}

/* The cycle under the microscope once more, with other settings. */
static void peek_again(ss_run *run, int peek)
{
    int at = peek < run->ticks_per_cycle ? peek : run->ticks_per_cycle - 1;
    if (at > 0 && run->ops->peek && run->ops->peek(run, at, NULL) == SS_OK)
        run->peek = at;
}

int ss_run_configure(ss_run *run, const ss_config *cfg, ss_err *err)
{
    unsigned changed = 0; /* update classes */
    ss_config_differ(&run->cfg, cfg, NULL, &changed);
    if ((ss_config_ranks(&run->cfg) > 0) != (ss_config_ranks(cfg) > 0))
        changed |= SS_P_RESET; /* the seconds of a run have one clock */
    double tol = run->tol;
    int peek = run->eq->kind == SS_STEADY ? run->peek : 0;
    run->peek = 0;
    if (changed && run->eq->kind == SS_TRANSIENT && run->status == SS_RUNNING && !run->unseen &&
        ss_run_watch(run, err) != SS_OK) /* what diverges later, diverges with the new values */
        return SS_FAIL;
    if (changed & SS_P_REOPEN)
        return reopen(run, cfg, err);
    if (changed == 0) /* an explicit default may still matter: `set cycles 0` is a limit */
        adopt_equal(run, cfg);
    else if (reschedule(run, cfg, changed & SS_P_RESET, err) != SS_OK)
        return SS_FAIL;
    else
        run->start_kept = false; /* the copy belongs to a cycle of the old schedule */
    if (run->tol < tol)
        recheck_tolerance(run);
    if (!(changed & SS_P_RESET))
        peek_again(run, peek);
    return changed & SS_P_RESET ? ss_run_reset(run, err) : SS_OK;
}

int ss_run_prepare_again(ss_run *run, ss_err *err)
{
    run->peek = 0;
    run->start_kept = false;
    return reschedule(run, &run->cfg, false, err);
}

/* --- another field ---------------------------------------------------------------------------- */

/* The run becomes one that was opened with the state. */
static int continue_from(ss_run *run, const char *path, bool has_rhs, ss_err *err)
{
    run->load = path;
    run->rhs = has_rhs ? path : NULL;
    return ss_run_reset(run, err);
}

int ss_run_load(ss_run *run, const char *path, ss_err *err)
{
    double before = run->seconds_upload;
    ss_saved *state;
    int status = ss_saved_open(path, &state, err);
    bool is_state = state, has_rhs = state && ss_saved_has_rhs(state);
    if (state)
        status = ss_saved_suits(state, run, err);
    ss_saved_close(state);
    if (status != SS_OK)
        return SS_FAIL;
    if (is_state)
        return ss_array_check(run, path, 1, true, err) == SS_OK
                   ? continue_from(run, path, has_rhs, err)
                   : SS_FAIL;
    if (ss_array_read(run, 0, path, 1, false, err) != SS_OK)
        return SS_FAIL;
    run->seconds_field_up = run->seconds_upload - before;
    run->load = path;
    ss_accuracy_forget(run); /* its baseline has another start */
    forget_progress(run);
    if (ss_saved_put_memory(NULL, run, err) != SS_OK)
        return SS_FAIL;
    return run->eq->kind == SS_TRANSIENT ? ss_run_watch(run, err) : SS_OK;
}
