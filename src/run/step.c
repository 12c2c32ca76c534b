/* Cycles of a run up to its limits, its microscope, and the norm of its field: see run.h. Engine
 * thread only (tests and the bench call it directly, from their one thread). */
#include <math.h>
#include <stdio.h>

#include "src/run/checks.h"
#include "src/run/parts.h"
#include "src/run/reference.h"

static bool at_limit(const ss_run *run)
{
    return ss_run_steps_left(run) == 0 || (run->max_cycles >= 0 && run->cycle >= run->max_cycles) ||
           (run->max_seconds > 0 && run->seconds_solve >= run->max_seconds);
}

static int advance_in_time(ss_run *run, int64_t cycles, ss_err *err)
{
    int64_t each = run->iterations_per_cycle / run->eq->nstage, left = ss_run_steps_left(run);
    bool whole = left >= each;
    int status = SS_OK;
    if (whole)
        status = ss_run_advance(run, cycles < left / each ? cycles : left / each, err);
    else if (cycles > 0)
        status = ss_run_finish(run, left, err);
    return status == SS_OK ? ss_run_watch_sometimes(run, err) : status;
}

static int advance_any(ss_run *run, int64_t cycles, ss_err *err)
{
    if (run->eq->kind == SS_TRANSIENT)
        return advance_in_time(run, cycles, err);
    if (ss_run_seeks(run))
        return ss_accuracy_seek(run, cycles, ss_run_advance, err);
    return ss_run_checks_seldom(run) ? ss_run_advance_seldom(run, cycles, err)
                                     : ss_run_advance(run, cycles, err);
}

/* In parts that end where the run may have stagnated. A part that ends early ends the call. */
static int advance_judged(ss_run *run, int64_t cycles, ss_err *err)
{
    int64_t end = run->cycle + cycles, goal;
    bool chained = run->chained;
    int status;
    do {
        int64_t until = ss_run_until_judged(run);
        goal = until < end - run->cycle ? run->cycle + until : end;
        status = advance_any(run, goal - run->cycle, err);
        if (status == SS_OK)
            status = ss_run_judge(run, err);
        run->chained = true; /* for the ledger all parts are one chain of cycles */
    } while (status == SS_OK && run->status == SS_RUNNING && run->cycle == goal && goal < end);
    run->chained = chained;
    return status;
}

int ss_run_step(ss_run *run, int64_t cycles, ss_err *err)
{
    if (run->status != SS_RUNNING)
        return SS_OK;
    run->peek = 0;
    if (run->max_cycles >= 0 && cycles > run->max_cycles - run->cycle)
        cycles = run->max_cycles - run->cycle;
    if (advance_judged(run, cycles, err) != SS_OK) {
        run->status = SS_FAILED;
        snprintf(run->message, sizeof run->message, "%s", err ? err->text : "");
        return SS_FAIL;
    }
    int status = SS_OK;
    if (run->status == SS_RUNNING && at_limit(run)) {
        status = ss_run_settle(run, err);
        if (run->status == SS_RUNNING)
            run->status = SS_LIMIT;
    }
    return status;
}

double ss_run_to_hide(const ss_run *run, double cycle_seconds)
{
    double moved = run->seconds_field_up + run->seconds_field_down;
    double iteration = cycle_seconds / (run->iterations_per_cycle ? run->iterations_per_cycle : 1);
    return moved > 0 && iteration > 0 ? ceil(moved / iteration) : (double)NAN;
}

double ss_run_teff(const ss_run *run)
{
    if (isfinite(run->teff) || !(run->ops->caps & SS_CAP_AGE))
        return run->teff;
    return (double)run->iteration;
}

int ss_run_settle(ss_run *run, ss_err *err)
{
    if (run->eq->kind == SS_TRANSIENT)
        return ss_run_watch(run, err);
    if (run->residual_cycle == run->cycle)
        return SS_OK;
    return ss_run_take_norm(run, false, err);
}

int ss_run_tick(ss_run *run, ss_err *err)
{
    if (run->status != SS_RUNNING)
        return SS_OK;
    if (run->peek + 1 >= run->ticks_per_cycle) {
        run->peek = 0;
        return ss_run_step(run, 1, err);
    }
    if (!run->ops->peek || run->ops->peek(run, run->peek + 1, err) != SS_OK)
        return run->ops->peek ? SS_FAIL
                              : ss_fail(err, "%s has no microscope on %s", run->solver->name,
                                        run->backend->name);
    run->peek++;
    run->start_kept = false;
    return SS_OK;
}
