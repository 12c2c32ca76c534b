/*
 * The calls of a step function to its run: number of threads, cancellation, residual checks and
 * finished cycles; the time of modelled ranks. See run.h. Engine thread; any thread that works for
 * a run may read the two cancel flags.
 */
#include "src/core/run.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/system.h"
#include "src/core/registry.h"

/* --- modelled ranks --------------------------------------------------------------------------- */

/* Means since the settings last changed. */
typedef struct sums {
    double steps, checks, work, elapsed, waited, formula;
} sums;

/* The seconds of a point update. Whatever else the machine does only adds to a measurement, so that
 * the least one since the settings changed counts; each covers at least MEASURED seconds. */
#define MEASURED 2e-4

typedef struct stopwatch {
    double since;            /* the thread's CPU clock when it was started */
    double seconds, updates; /* of the measurement in progress */
    double next;             /* it is long enough with so many updates */
    double least;            /* seconds per update */
    bool full;               /* `least` is of a measurement that was long enough */
    bool fine;               /* the step function reports parts of a cycle */
} stopwatch;

struct ss_run_ranks {
    ss_ranks_link link;
    ss_ranks_plan plan, finish; /* finish: of a single time step */
    double all;                 /* point updates of a cycle */
    ss_ranks_clock clock;
    bool stepping;
    bool counted;    /* the cycle in progress is on the clocks already */
    int64_t pending; /* finished cycles that are not */
    double from;     /* virtual time when the step began */
    stopwatch watch;
    sums sum;
    bool warm; /* `sum` began after the first full measurement */
};

/* --- opening ---------------------------------------------------------------------------------- */

int ss_config_ranks(const ss_config *cfg)
{
    bool applies;
    const ss_param *row = ss_param_find(cfg, "ranks-model", &applies);
    int64_t count = row && applies ? ss_config_value(cfg, row).i : 0;
    return count > 1 ? (int)count : 0;
}

static ss_ranks_link link_of(const ss_config *cfg)
{
    return (ss_ranks_link){.latency = ss_config_real(cfg, "latency"),
                           .overhead = ss_config_real(cfg, "message-cost"),
                           .rate = ss_config_real(cfg, "link-rate"),
                           .hide = ss_config_int(cfg, "hide-messages") != 0};
}

static int fill_plan(const ss_config *cfg, const ss_problem *p, ss_ranks_plan *out, ss_err *err)
{
    return ss_config_solver(cfg)->ranks(cfg, ss_config_equation(cfg), p, out, err);
}

int ss_config_check_ranks(const ss_config *cfg, const ss_problem *p, ss_err *err)
{
    if (ss_config_ranks(cfg) == 0)
        return SS_OK;
    ss_ranks_plan *plan = ss_alloc(sizeof *plan, "the plan of the ranks", err);
    int status = plan ? fill_plan(cfg, p, plan, err) : SS_FAIL;
    free(plan);
    return status;
}

void ss_run_ranks_close(ss_run *run)
{
    free(run->ranks);
    run->ranks = NULL;
}

int ss_run_ranks_open(ss_run *run, ss_err *err)
{
    struct ss_run_ranks *r = run->ranks;
    bool fresh = !r;
    if (ss_config_ranks(&run->cfg) == 0) {
        ss_run_ranks_close(run);
        return SS_OK;
    }
    if (fresh)
        r = run->ranks = ss_alloc(sizeof *r, "the clocks of the ranks", err);
    if (!r || fill_plan(&run->cfg, &run->problem, &r->plan, err) != SS_OK)
        return SS_FAIL;
    if (run->solver->step_ranks &&
        run->solver->step_ranks(&run->cfg, run->eq, &run->problem, &r->finish, err) != SS_OK)
        return SS_FAIL;
    r->link = link_of(&run->cfg);
    r->all = ss_ranks_work_all(&r->plan);
    r->watch = (stopwatch){0};
    r->sum = (sums){0};
    r->warm = false;
    double now = ss_ranks_now(&r->clock);
    ss_ranks_start(&r->clock, &r->plan, &r->link);
    for (int i = 0; !fresh && i < r->clock.count; i++) /* other settings: the ranks meet */
        r->clock.now[i] = r->clock.link_free[i] = now;
    if (!fresh)
        ss_ranks_follow(&r->clock, &r->plan, &r->link);
    return SS_OK;
}

void ss_run_ranks_restart(ss_run *run)
{
    struct ss_run_ranks *r = run->ranks;
    if (!r)
        return;
    r->sum = (sums){0};
    ss_ranks_start(&r->clock, &r->plan, &r->link);
}

/* --- work ------------------------------------------------------------------------------------- */

/* The cost of a reading of the thread's CPU clock. */
static double reading(void)
{
    static _Thread_local double least = -1;
    for (int i = 0; i < 64 && (least < 0 || i > 0); i++) {
        double first = ss_cpu_thread(), cost = ss_cpu_thread() - first;
        least = i == 0 || cost < least ? cost : least;
    }
    return least;
}

static void start(stopwatch *w)
{
    w->since = ss_cpu_thread();
}

static void stop(stopwatch *w)
{
    w->seconds += fmax(ss_cpu_thread() - w->since - reading(), 0);
}

/* So many updates are done. */
static void count(stopwatch *w, double updates)
{
    w->updates += updates;
    if (w->updates < w->next)
        return;
    stop(w);
    w->next = 2 * w->updates;
    if (w->seconds >= MEASURED) {
        double each = w->seconds / w->updates;
        w->least = w->full ? fmin(w->least, each) : each;
        w->full = true;
        w->next = 1.1 * MEASURED / w->least;
        w->seconds = w->updates = 0;
    }
    start(w);
}

/* Seconds per update; the watch is stopped. */
static double each_update(const stopwatch *w)
{
    return w->full ? w->least : w->updates > 0 ? w->seconds / w->updates : 0;
}

/* Seconds per cycle of each rank: its updates times the seconds of one, or its share of the
 * ledger's bytes. */
static void rank_seconds(const ss_run *run, const ss_ranks_plan *plan, const ss_ledger *ledger,
                         double each, double *out)
{
    double all = ss_ranks_work_all(plan);
    for (int i = 0; i < plan->count; i++) {
        double work = ss_ranks_work(plan, i);
        out[i] = run->modelled_work
                     ? ss_modelled_seconds(ledger->launches, work / all * ledger->global_bytes)
                     : work * each;
    }
}

static void add_sums(struct ss_run_ranks *r, const ss_ranks_plan *plan, const double *seconds,
                     int64_t cycles, double elapsed, double waited)
{
    double most = 0;
    for (int i = 0; i < plan->count; i++)
        most = fmax(most, seconds[i]);
    r->sum.steps += (double)cycles * plan->steps;
    r->sum.work += (double)cycles * most;
    r->sum.formula += (double)cycles * ss_ranks_formula(plan, &r->link, seconds);
    r->sum.elapsed += elapsed;
    r->sum.waited += waited;
}

/* Puts `cycles` cycles on the clocks. */
static void settle(ss_run *run, const ss_ranks_plan *plan, const ss_ledger *ledger, int64_t cycles)
{
    struct ss_run_ranks *r = run->ranks;
    double seconds[SS_RANKS_MAX];
    stop(&r->watch);
    if (r->watch.full && !r->warm) { /* the first cycles were timed with cold caches */
        r->sum = (sums){0};
        r->warm = true;
    }
    double before = ss_ranks_now(&r->clock), waited = r->clock.waited;
    if (cycles > 0) {
        rank_seconds(run, plan, ledger, each_update(&r->watch), seconds);
        for (int64_t c = 0; c < cycles; c++)
            ss_ranks_cycle(&r->clock, plan, &r->link, seconds, cycles - c <= 2);
        add_sums(r, plan, seconds, cycles, ss_ranks_now(&r->clock) - before,
                 r->clock.waited - waited);
    }
    r->pending = 0;
    run->step_seconds = ss_ranks_now(&r->clock) - r->from;
    start(&r->watch);
}

void ss_run_ranks_begin(ss_run *run)
{
    struct ss_run_ranks *r = run->ranks;
    reading();
    r->stepping = true;
    r->counted = false;
    r->pending = 0;
    r->from = ss_ranks_now(&r->clock);
    run->step_seconds = 0;
    start(&r->watch);
}

void ss_run_ranks_end(ss_run *run)
{
    settle(run, &run->ranks->plan, &run->per_cycle, run->ranks->pending);
    run->ranks->stepping = false;
}

/* Single steps cost about as much per update as the cycles before. */
void ss_run_ranks_finish(ss_run *run, int64_t steps)
{
    ss_ledger one;
    struct ss_run_ranks *r = run->ranks;
    run->solver->step_ledger(&run->cfg, run->eq, &run->problem, &one);
    ss_ranks_follow(&r->clock, &r->finish, &r->link);
    if (!r->watch.full)
        r->watch.updates += (double)steps * ss_ranks_work_all(&r->finish);
    settle(run, &r->finish, &one, steps);
    ss_ranks_follow(&r->clock, &r->plan, &r->link);
    r->stepping = false;
}

/* A part of a cycle is done. */
static void rank_part(ss_run *run, double updates)
{
    struct ss_run_ranks *r = run->ranks;
    r->watch.fine = true;
    if (r->stepping)
        count(&r->watch, updates);
}

static void count_cycle(struct ss_run_ranks *r)
{
    if (!r->watch.fine)
        count(&r->watch, r->all);
}

/* A cycle is done. */
static void rank_cycle(ss_run *run)
{
    struct ss_run_ranks *r = run->ranks;
    if (r->stepping && !r->counted) {
        r->pending++;
        count_cycle(r);
    }
    r->counted = false;
}

/* Returns its seconds. */
static double reduce(struct ss_run_ranks *r)
{
    double before = ss_ranks_now(&r->clock), waited = r->clock.waited;
    ss_ranks_reduce(&r->clock, &r->link, true);
    double seconds = ss_ranks_now(&r->clock) - before;
    r->sum.checks++;
    r->sum.elapsed += seconds;
    r->sum.waited += r->clock.waited - waited;
    return seconds;
}

/* A norm was computed, in a cycle that is not done yet. */
static void rank_norm(ss_run *run)
{
    struct ss_run_ranks *r = run->ranks;
    if (!r->stepping || run->per_cycle.reductions > 0) /* then the norm is one of them */
        return;
    count_cycle(r);
    settle(run, &r->plan, &run->per_cycle, r->pending + 1);
    reduce(r);
    r->counted = true;
    run->step_seconds = ss_ranks_now(&r->clock) - r->from;
}

void ss_run_ranks_check(ss_run *run)
{
    run->seconds_solve += reduce(run->ranks);
}

/* --- figures ---------------------------------------------------------------------------------- */

/* The smallest block of the swept rule that divides the line, leaves each rank a node, and has
 * enough levels. */
static int best_block(const ss_ranks_plan *p, double levels)
{
    int step = p->per_level;
    for (int b = step; step > 0 && b <= p->points / p->count; b += step)
        if (p->points % b == 0 && b >= step * levels)
            return b;
    return 0;
}

/* Levels of work that last as long as a message travels. step: seconds of work per step. */
static double enough(const ss_ranks_plan *p, const ss_ranks_link *link, double step)
{
    double most = 0;
    for (int m = 0; m < p->nmessage; m++)
        most = fmax(most, p->message[m].bytes);
    double travel = link->latency + (link->rate > 0 ? most / link->rate : 0);
    return step > 0 ? travel / (step * p->steps / p->levels) : (double)INFINITY;
}

void ss_run_ranks_figures(const ss_run *run, ss_ranks_figures *out)
{
    const struct ss_run_ranks *r = run->ranks;
    memset(out, 0, sizeof *out);
    if (!r)
        return;
    const ss_ranks_plan *p = &r->plan;
    double steps = r->sum.steps > 0 ? r->sum.steps : (double)NAN;
    double reduction = ss_ranks_reduction(&r->link, p->count);
    *out = (ss_ranks_figures){
        .count = p->count,
        .columns = p->columns,
        .rows = p->rows,
        .link = r->link,
        .modelled = run->modelled_work,
        .measured = r->sum.elapsed / steps,
        .formula = (r->sum.formula + r->sum.checks * reduction) / steps,
        .work = r->sum.work / steps,
        .waiting = r->sum.elapsed > 0 ? r->sum.waited / (r->sum.elapsed * p->count) : (double)NAN,
        .messages = (double)p->nmessage / p->steps,
        .bytes = ss_ranks_bytes(p) / p->steps,
        .checks = r->sum.checks / steps,
        .levels = (double)p->levels / p->exchanges,
    };
    memcpy(out->words, p->formula, sizeof out->words);
    memcpy(out->where, p->where, sizeof out->where);
    out->enough = enough(p, &r->link, out->work);
    out->block = best_block(p, out->enough);
}

const ss_ranks_trace *ss_run_ranks_trace(const ss_run *run, int which)
{
    const struct ss_run_ranks *r = run->ranks;
    return r && r->clock.trace[which].nspan > 0 ? &r->clock.trace[which] : NULL;
}

/* --- calls of a step function ----------------------------------------------------------------- */

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
        rank_norm(run);
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
        rank_part(run, updates);
}

bool ss_run_exact(const ss_run *run)
{
    return !run->solver->any_order && !(run->per_cycle.stale_kept > 0);
}

void ss_run_cycle_done(ss_run *run)
{
    if (run->ranks)
        rank_cycle(run);
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
