/* Cycles and steps of a run, with their time and their cost, and the norm of a field between two
 * cycles: see parts.h. Engine thread only. */
#include "src/run/parts.h"

uint64_t ss_run_edited_now(const ss_run *run)
{
    const ss_kernel_store *kernels = run->backend->kernels;
    return kernels && run->scratch ? kernels->edited(run) : 0;
}

/* What was compared, was another text. */
static void note_edited(ss_run *run)
{
    uint64_t hash = ss_run_edited_now(run);
    if (hash == 0 || hash == run->edited.hash)
        return;
    run->edited.hash = hash;
    if (run->edited.bits == SS_BITS_SAME)
        run->edited.bits = SS_BITS_UNKNOWN;
}

void ss_run_mark(ss_run *run, const char *text)
{
    ss_history_mark(&run->history, ss_run_point(run, run->seconds_solve), text);
}

/* Adds the time since ss_run_clock_start. */
static void add_seconds(ss_run *run)
{
    run->seconds_solve += ss_run_in_step(run);
    run->seconds_host += ss_clock() - run->step_started;
}

int ss_run_advance(ss_run *run, int64_t cycles, ss_err *err)
{
    int64_t before = run->cycle;
    ss_run_clock_start(run);
    if (run->ranks)
        ss_run_ranks_begin(run);
    int status = cycles > 0 ? run->ops->step(run, cycles, err) : SS_OK;
    if (run->ranks)
        ss_run_ranks_end(run);
    add_seconds(run);
    note_edited(run);
    if (run->cycle > before && !run->chained)
        run->total.launches += run->per_cycle.opening;
    return status;
}

int ss_run_finish(ss_run *run, int64_t steps, ss_err *err)
{
    ss_ledger one;
    ss_run_clock_start(run);
    if (run->ranks)
        ss_run_ranks_begin(run);
    int status = run->ops->finish(run, steps, err);
    if (run->ranks)
        ss_run_ranks_finish(run, steps);
    add_seconds(run);
    ss_run_steps_done(run, steps);
    run->iteration += steps * run->eq->nstage;
    run->solver->step_ledger(&run->cfg, run->eq, &run->problem, &one);
    ss_run_bill(run, &one, (double)steps);
    run->start_kept = false;
    return status;
}

int ss_run_take_norm(ss_run *run, bool counts, ss_err *err)
{
    double residual;
    ss_run_clock_start(run);
    if (run->backend->reduce(run, &residual, NULL, NULL, err) != SS_OK)
        return SS_FAIL;
    bool kept = run->start_kept;
    if (run->ranks && !counts)
        ss_run_ranks_check(run);
    if (!counts)
        ss_run_clock_start(run);
    ss_run_norm(run, residual);
    run->start_kept = kept; /* no cycle was begun, so ss_run_norm dropped none */
    if (run->ranks && counts)
        ss_run_ranks_check(run); /* their clocks, not this machine's */
    else if (counts)
        add_seconds(run);
    return SS_OK;
}
