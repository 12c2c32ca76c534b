/* Residual checks at cycles of the run's own choice: see checks.h. */
#include "src/run/checks.h"

#include <float.h>
#include <math.h>

#include "src/base/elementary/elementary.h"
#include "src/core/run.h"
#include "src/core/registry.h"
#include "src/run/parts.h"

#define MARGIN 0.01  /* of the tolerance, from which on each cycle is checked */
#define STEEPER 2.0  /* the residual may fall so much faster than it did */
#define LONGER 2     /* a wait over the stretch on which the fall was measured */
#define LEAST 16     /* cycles that a wait may always take */
#define PART 4       /* no wait is longer than the cycles so far divided by it */
#define BASE 32      /* the stretch is at least the cycles so far divided by it */
#define ROUNDING 1e3 /* times the rounding floor: each residual below this is checked */

/* The relative residual at which rounding ends its fall; NaN: unknown. */
static double rounding_floor(const ss_run *run)
{
    double unit = run->prec == SS_F64 ? DBL_EPSILON / 2 : (double)FLT_EPSILON / 2;
    double radius = ss_config_spectral_radius(&run->cfg);
    return radius < 1 ? unit / (1 - radius) : (double)NAN;
}

/* The relative residual from which on each cycle is checked; 0: never. */
static double aim_of(const ss_run *run)
{
    double goal = run->reached ? 0 : ss_run_goal(run);
    return goal > 0 ? fmax(goal, ROUNDING * rounding_floor(run)) : 0;
}

/* Not with processes that are asked for, MPI ranks: there a norm for a picture costs messages, and
 * one in a cycle travels with its halos. */
bool ss_run_checks_seldom(const ss_run *run)
{
    const ss_equation *eq = run->eq;
    return run->seldom && run->no_stride && !run->backend->asked_by && eq->kind == SS_STEADY &&
           run->solver->falls_steadily && !run->split.on && !run->load &&
           !(eq->asymmetric && eq->asymmetric(&run->problem)) && isfinite(rounding_floor(run));
}

/* The norm with which the newest one is compared. */
static int base_of(const ss_factors *f)
{
    int64_t newest = f->cycle[f->n - 1];
    int at = f->n - 2;
    while (at > 0 && newest - f->cycle[at] < newest / BASE)
        at--;
    return at;
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* x as a number of cycles, at most `most`, at least 1. */
static int64_t whole(double x, int64_t most)
{
    return x < (double)most ? larger((int64_t)x, 1) : most;
}

/* Cycles from the last norm to the next one. *each: the cycles until then have theirs, too. */
static int64_t wait_of(const ss_run *run, bool *each)
{
    const ss_factors *f = &run->factors;
    *each = false;
    if (f->n < 2)
        return 1;
    int newest = f->n - 1, base = base_of(f);
    int64_t length = f->cycle[newest] - f->cycle[base];
    int64_t most = larger(LEAST, run->residual_cycle / PART);
    double fall = ss_log(f->residual[base] / f->residual[newest]) / (double)length;
    double aim = aim_of(run) * run->residual0;
    double left = aim > 0 ? ss_log(run->residual / aim) : (double)INFINITY;
    *each = left <= MARGIN;
    if (*each) /* the step ends at the tolerance: a long wait does no harm */
        return most;
    if (!(fall > 0))
        return larger(length / LONGER, 1);
    return whole((left - MARGIN) / (STEEPER * fall), smaller(most, LONGER * length));
}

/* The norm of the current field. */
static int take_norm(ss_run *run, ss_err *err)
{
    double residual;
    ss_run_clock_start(run);
    if (run->backend->reduce(run, &residual, NULL, NULL, err) != SS_OK)
        return SS_FAIL;
    bool kept = run->start_kept;
    ss_run_norm(run, residual);
    run->start_kept = kept; /* no cycle was begun, none is dropped */
    if (run->ranks)
        ss_run_ranks_check(run); /* their clocks, not this machine's */
    else
        ss_run_add_seconds(run);
    return SS_OK;
}

/* Does one stretch, at most up to cycle `end`, or the norm after it. *ended: so does the step. */
static int advance_stretch(ss_run *run, int64_t end, bool *ended, ss_err *err)
{
    bool each;
    int64_t before = run->cycle, until = run->residual_cycle + wait_of(run, &each);
    if (until <= before && !each)
        return take_norm(run, err);
    int64_t to = smaller(larger(until, before + 1), end);
    run->check_every = each ? 1 : 0;
    int status = ss_run_advance(run, to - before, err);
    run->chained = true; /* for the ledger all stretches are one chain of cycles */
    *ended = run->cycle < to;
    return status;
}

int ss_run_advance_seldom(ss_run *run, int64_t cycles, ss_err *err)
{
    int64_t every = run->check_every, end = run->cycle + cycles;
    bool chained = run->chained, ended = false;
    int status = run->residual_cycle < 0 ? take_norm(run, err) : SS_OK;
    while (status == SS_OK && !ended && run->status == SS_RUNNING && run->cycle < end &&
           !ss_run_abandoned(run))
        status = advance_stretch(run, end, &ended, err);
    run->check_every = every;
    run->chained = chained;
    return status;
}
