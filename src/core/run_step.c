/*
 * The calls of a step function to its run: number of threads, cancellation, residual checks and
 * finished cycles. See run.h and run_step.h. Engine thread; any thread that works for a run may
 * read the two cancel flags.
 */
#include "src/core/run_step.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "src/core/ranks.h"
#include "src/core/registry.h"

int ss_run_threads(const ss_run *run)
{
    return run->threads;
}

bool ss_run_abandoned(const ss_run *run)
{
    return run->abandon && atomic_load_explicit(run->abandon, memory_order_relaxed);
}

static _Thread_local atomic_bool *abandon_by; /* cancel flag of the runs that this thread opens */

void ss_run_abandon_by(atomic_bool *flag)
{
    abandon_by = flag;
}

atomic_bool *ss_run_abandon_flag(void)
{
    return abandon_by;
}

static _Thread_local bool model_work;

void ss_run_model_work(bool modelled)
{
    model_work = modelled;
}

bool ss_run_models_work(void)
{
    return model_work;
}

bool ss_run_unwanted(void)
{
    return abandon_by && atomic_load_explicit(abandon_by, memory_order_relaxed);
}

/* The cancel flag of the reference this thread computes. */
static _Thread_local const atomic_bool *cancel_flag;

void ss_exact_cancel_by(const atomic_bool *flag)
{
    cancel_flag = flag;
}

bool ss_exact_cancelled(void)
{
    return cancel_flag && atomic_load_explicit(cancel_flag, memory_order_relaxed);
}

bool ss_run_wants_norm(const ss_run *run)
{
    return run->eq->kind == SS_STEADY && run->check_every > 0 &&
           run->residual_cycle != run->cycle && run->cycle % run->check_every == 0;
}

double ss_run_goal(const ss_run *run)
{
    return run->tol > 0 ? run->tol : run->stop_at_zero ? DBL_MIN : 0;
}

double ss_run_work(const ss_run *run, const ss_ledger *ledger)
{
    const ss_problem *p = &run->problem;
    return ledger->updates / ((double)p->nx * p->ny * p->nz);
}

ss_point ss_run_point(const ss_run *run, double seconds)
{
    ss_point p = {.cycle = run->cycle,
                  .iteration = run->iteration,
                  .seconds = seconds,
                  .bytes = run->total.global_bytes,
                  .launches = run->total.launches,
                  .work = ss_run_work(run, &run->total),
                  .reductions = run->total.reductions,
                  .residual = run->residual,
                  .time = run->time,
                  .error = run->watch.error,
                  .error_time = run->watch.error_time};
    memcpy(p.monitor, run->watch.now, sizeof p.monitor);
    return p;
}

double ss_run_in_step(const ss_run *run)
{
    return run->step_seconds >= 0 ? run->step_seconds : ss_clock() - run->step_started;
}

double ss_run_spent(const ss_run *run)
{
    return run->ranks ? run->seconds_host : run->seconds_solve;
}

void ss_run_clock_start(ss_run *run)
{
    run->step_started = ss_clock();
    run->step_seconds = run->ranks ? 0 : -1;
}

static bool is_asymmetric(const ss_run *run)
{
    return run->eq->asymmetric && run->eq->asymmetric(&run->problem);
}

/* Where the matrix is not symmetric, residuals fall (or grow) at another rate while what is wrong
 * moves through the grid, one cell per iteration, than once it has left it. */
static bool has_crossed(const ss_run *run)
{
    const ss_problem *p = &run->problem;
    int64_t half = (run->cycle - run->factors.sparse_cycle[0]) / 2;
    return half * run->iterations_per_cycle >= p->nx + p->ny + p->nz;
}

double ss_run_factor(const ss_run *run, bool *settled)
{
    *settled = false;
    if (run->solver->krylov)
        return (double)NAN;
    double factor = ss_factors_measured(&run->factors, settled);
    *settled = *settled && (!is_asymmetric(run) || has_crossed(run));
    return factor;
}

static bool has_diverged(const ss_run *run)
{
    return !isfinite(run->residual) ||
           (run->residual0 > 0 && run->residual > run->growth * run->residual0);
}

/* Conjugate gradients do not inherit the convergence of Jacobi's iteration. */
double ss_run_growth_bound(const ss_run *run)
{
    bool passes = run->eq->kind == SS_STEADY && is_asymmetric(run) && !run->solver->krylov &&
                  ss_config_spectral_radius(&run->cfg) < 1;
    return passes ? SS_RUN_GROWTH_PASSING : SS_RUN_GROWTH;
}

double ss_run_matrix_norm(const ss_run *run)
{
    return (run->eq->patches ? 12 : 2) * fabs(run->coef.residual);
}

/* What an equation suspects is of Jacobi's iteration and its relatives. */
const char *ss_run_suspect(const ss_run *run)
{
    const char *why = run->solver->suspect ? run->solver->suspect(&run->cfg) : NULL;
    return why || run->solver->krylov || !run->eq->suspect ? why : run->eq->suspect(&run->problem);
}

void ss_run_say_diverged(ss_run *run, const char *what, const char *cause)
{
    run->status = SS_DIVERGED;
    const ss_factors *f = &run->factors;
    int64_t ago = f->n > 1 ? f->cycle[f->n - 1] - f->cycle[f->n - 2] : 1;
    char checked[64] = "";
    if (run->eq->kind == SS_STEADY && run->check_every > 1)
        snprintf(checked, sizeof checked, " (checked every %lld cycles)",
                 (long long)run->check_every);
    else if (run->eq->kind == SS_STEADY && ago > 1)
        snprintf(checked, sizeof checked, " (last checked %lld cycles before)", (long long)ago);
    snprintf(run->message, sizeof run->message,
             "diverged at cycle %lld%s: %s%s%s. u undoes the last change, r starts again",
             (long long)run->cycle, checked, what, cause ? ", " : "", cause ? cause : "");
}

static void report_divergence(ss_run *run)
{
    bool finite = isfinite(run->residual), first = run->residual_cycle == 0;
    ss_run_say_diverged(run,
                        !finite                       ? "the residual is not a finite number"
                        : run->growth > SS_RUN_GROWTH ? "the residual is 10^14 times the first"
                                                      : "the residual is a million times the first",
                        finite || !first ? ss_run_suspect(run)
                                         : "so the initial field or the right-hand side is the "
                                           "cause");
}

static void mark_converged(ss_run *run)
{
    run->reached = true;
    run->reached_cycle = run->cycle;
    run->reached_tol = run->tol;
    if (!(run->tol > 0))
        snprintf(run->message, sizeof run->message,
                 "the residual is 0: more cycles would change nothing");
    ss_history_mark(&run->history, ss_run_point(run, run->seconds_solve), "converged");
}

bool ss_run_norm(ss_run *run, double residual)
{
    double goal = ss_run_goal(run);
    if (run->ranks)
        ss_run_ranks_norm(run);
    if (run->residual_cycle < 0)
        run->residual0 = residual;
    run->residual = residual;
    run->residual_cycle = run->cycle;
    ss_factors_add(&run->factors, run->cycle, residual);
    ss_history_add(&run->history, ss_run_point(run, run->seconds_solve + ss_run_in_step(run)));
    if (has_diverged(run)) {
        report_divergence(run);
    } else if (goal > 0 && !run->reached && residual <= goal * run->residual0) {
        mark_converged(run);
        if (run->stop_at_tol)
            run->status = SS_CONVERGED;
    }
    if (run->status == SS_RUNNING)
        return true;
    run->start_kept = false; /* the dropped cycle has overwritten the other buffer */
    return false;
}

ss_since ss_run_since(const ss_run *run)
{
    ss_since now = {.time = run->time, .dt = run->problem.dt, .step = run->step};
    return run->since.dt == now.dt ? run->since : now;
}

bool ss_run_many_dt(const ss_run *run)
{
    return run->many_dt || (run->step > 0 && run->since.dt != run->problem.dt);
}

void ss_run_steps_done(ss_run *run, int64_t steps)
{
    run->many_dt = ss_run_many_dt(run);
    run->since = ss_run_since(run);
    run->step += steps;
    run->time = run->since.time + (double)(run->step - run->since.step) * run->problem.dt;
}

void ss_run_bill(ss_run *run, const ss_ledger *one, double times)
{
    ss_ledger *sum = &run->total;
    sum->launches += times * one->launches;
    sum->global_bytes += times * one->global_bytes;
    sum->shared_bytes += times * one->shared_bytes;
    sum->reductions += times * one->reductions;
    sum->barriers += times * one->barriers;
    sum->updates += times * one->updates;
    sum->operations += times * one->operations;
    sum->redundant_updates += times * one->redundant_updates;
    sum->edge_bytes += times * one->edge_bytes;
}

void ss_run_part_done(ss_run *run, double updates)
{
    if (run->ranks)
        ss_run_ranks_part(run, updates);
}

bool ss_run_exact(const ss_run *run)
{
    return !run->solver->any_order && !(run->per_cycle.stale_kept > 0);
}

void ss_run_cycle_done(ss_run *run)
{
    if (run->ranks)
        ss_run_ranks_cycle(run);
    run->cycle++;
    run->iteration += run->iterations_per_cycle;
    ss_run_steps_done(run, run->iterations_per_cycle / run->eq->nstage);
    run->start_kept = run->eq->kind == SS_STEADY; /* transient: the other buffer holds a stage */
    ss_run_bill(run, &run->per_cycle, 1);
    run->total.stale_kept = run->per_cycle.stale_kept;
    run->total.idle = run->per_cycle.idle;
    if (!ss_run_exact(run))
        run->exact_since = run->cycle;
}
