/* Runs that hold at their tolerance, and the last cycle once more with other settings: see lane.h.
 */
#include "src/engine/lane.h"

#include <math.h>
#include <string.h>

#include "src/core/registry.h"
#include "src/run/checkpoint.h"

#define NEAR 4           /* checked cycles before the expected end */
#define FALL 1e-9        /* least relative fall of the residual that counts */
#define PATIENCE 1000    /* least number of cycles without such a fall */
#define PATIENCE_PART 10 /* and the part of all cycles so far */

/* --- states ----------------------------------------------------------------------------------- */

/* Runs without a screen end at their tolerance, and races by their own rules. */
static bool may_hold(const ss_engine *e, const ss_lane *lane)
{
    return (e->setup.interactive || e->setup.observe) && !e->race.on &&
           lane->run->eq->kind == SS_STEADY;
}

/* Is it a run on a screen that the user has paused between two cycles? The clocks of modelled ranks
 * would count a repeated cycle. */
static bool is_paused(const ss_engine *e, const ss_lane *lane)
{
    return e->setup.interactive && may_hold(e, lane) && lane->paused && ss_lane_is_endless(lane) &&
           lane->run->peek == 0 && !lane->run->ranks;
}

/* Do the copies belong to the present cycle, and is it shown for long? */
static bool rests(const ss_engine *e, const ss_lane *lane)
{
    bool here = lane->held.cycle == lane->run->cycle && lane->held.began == lane->run->began;
    return ss_hold_of(lane) != SS_HOLD_NONE || (here && is_paused(e, lane));
}

bool ss_hold_is_paused(const ss_engine *e, const ss_lane *lane)
{
    return lane->paused && (e->setup.observe || ss_hold_of(lane) == SS_HOLD_NONE);
}

/* Are the present settings those of the last counted cycle? */
static bool has_held_settings(const ss_lane *lane)
{
    return !ss_config_differ(&lane->held.cfg, &lane->run->cfg, ss_param_matters, NULL);
}

static void drop_copies(ss_lane *lane)
{
    ss_hold_suspend(lane);
    ss_repeat_free(lane->held.repeat);
    lane->held.repeat = NULL;
}

static void hold(ss_engine *e, ss_lane *lane, ss_hold kind)
{
    ss_run *run = lane->run;
    ss_err err;
    lane->paused = true;
    e->dirty = e->changed = true;
    if (ss_hold_of(lane) != SS_HOLD_NONE)
        return;
    if (ss_run_settle(run, &err) != SS_OK)
        lane->failure = err;
    drop_copies(lane);
    lane->held = (ss_held){.kind = run->residual > 0 ? kind : SS_HOLD_ZERO,
                           .cycle = run->cycle,
                           .began = run->began,
                           .cfg = run->cfg};
    lane->beyond = false;
    run->status = kind == SS_HOLD_STAGNATED ? SS_STAGNATED : SS_CONVERGED;
}

/* --- advancing -------------------------------------------------------------------------------- */

/* Without a screen: has the run no other end than a residual of 0? */
static bool ends_at_zero(const ss_engine *e, const ss_lane *lane)
{
    const ss_run *run = lane->run;
    bool limited = run->tol > 0 || ss_run_seeks(run) || run->max_cycles >= 0 ||
                   run->max_seconds > 0 || !ss_lane_is_endless(lane);
    return !e->setup.interactive && !e->setup.observe && !e->race.on && !limited;
}

/* Before a lane advances: does it, or does it hold? */
static bool goes_on(ss_engine *e, ss_lane *lane)
{
    ss_run *run = lane->run;
    run->stop_at_zero = ends_at_zero(e, lane);
    if (!may_hold(e, lane))
        return true;
    run->stop_at_tol = ss_lane_is_endless(lane) && !(lane->beyond && run->reached);
    if (!run->stop_at_tol || !run->reached)
        return true;
    hold(e, lane, SS_HOLD_TOLERANCE);
    if (e->setup.observe)
        ss_engine_say(e, false,
                      "converged at cycle %lld: r starts again, a smaller until continues the run",
                      (long long)run->reached_cycle);
    return false;
}

/* The number of cycles until the residual, if it falls as in the last ones, meets the tolerance. */
static double cycles_left(const ss_run *run)
{
    double goal = run->tol * run->residual0;
    double factor = fmin(ss_factors_last(&run->factors), ss_factors_mean(&run->factors));
    double since = (double)(run->cycle - run->residual_cycle);
    if (run->residual_cycle < 0 || run->residual <= goal || isnan(factor))
        return 0; /* unknown */
    return factor < 1 ? log(goal / run->residual) / log(factor) - since : (double)INFINITY;
}

static int settle_if_due(ss_run *run, ss_err *err)
{
    bool due = run->residual_cycle >= 0 && run->cycle % run->check_every == 0;
    return due && run->status == SS_RUNNING ? ss_run_settle(run, err) : SS_OK;
}

int ss_hold_step(const ss_engine *e, ss_lane *lane, int64_t n, ss_err *err)
{
    ss_run *run = lane->run;
    bool watched = may_hold(e, lane) && run->stop_at_tol && run->tol > 0 && run->check_every > 0;
    double left = watched ? cycles_left(run) : (double)INFINITY;
    if (left > NEAR * (double)run->check_every)
        return ss_run_step(run, left / 2 < (double)n ? (int64_t)(left / 2) : n, err);
    if (settle_if_due(run, err) != SS_OK)
        return SS_FAIL;
    int64_t next = run->check_every - run->cycle % run->check_every;
    if (ss_run_step(run, next < n ? next : n, err) != SS_OK)
        return SS_FAIL;
    return settle_if_due(run, err);
}

/* Beyond the tolerance: has the residual stopped falling? */
static bool has_stopped_falling(ss_lane *lane)
{
    const ss_run *run = lane->run;
    int64_t patience = run->residual_cycle / PATIENCE_PART;
    if (run->residual < lane->least * (1 - FALL)) {
        lane->least = run->residual;
        lane->least_cycle = run->residual_cycle;
    }
    return run->residual_cycle - lane->least_cycle > (patience > PATIENCE ? patience : PATIENCE);
}

void ss_hold_consider(ss_engine *e, ss_lane *lane)
{
    const ss_run *run = lane->run;
    if (!may_hold(e, lane) || ss_hold_of(lane) != SS_HOLD_NONE)
        return;
    if (run->status == SS_CONVERGED && run->reached) /* not by a distance */
        hold(e, lane, SS_HOLD_TOLERANCE);
    else if (run->status == SS_STAGNATED)
        hold(e, lane, SS_HOLD_STAGNATED);
    else if (run->status == SS_RUNNING && lane->beyond && run->reached &&
             ss_lane_is_endless(lane) && (!(run->residual > 0) || has_stopped_falling(lane)))
        hold(e, lane, SS_HOLD_ROUNDOFF);
}

bool ss_hold_leave(ss_engine *e, ss_lane *lane)
{
    ss_run *run = lane->run;
    ss_hold kind = ss_hold_of(lane);
    if (!may_hold(e, lane) || e->setup.observe)
        return true;
    if (kind == SS_HOLD_ZERO || (kind == SS_HOLD_ROUNDOFF && has_held_settings(lane))) {
        ss_engine_say(e, false, "nothing left to do: the residual %s. Press r",
                      kind == SS_HOLD_ZERO ? "is 0" : "no longer falls");
        return false;
    }
    if (run->status == SS_CONVERGED || run->status == SS_STAGNATED)
        run->status = SS_RUNNING;
    lane->journal.passed = lane->journal.passed || kind == SS_HOLD_STAGNATED;
    lane->held.kind = SS_HOLD_NONE;
    lane->beyond = run->reached;
    lane->least = (double)INFINITY;
    lane->least_cycle = run->cycle;
    return true;
}

/* --- the last cycle once more ----------------------------------------------------------------- */

static void failed(ss_engine *e, ss_lane *lane, const ss_err *err)
{
    lane->failure = *err;
    drop_copies(lane);
    if (!ss_lane_is_lost(lane)) /* otherwise the rescue reports it */
        ss_engine_say(e, true, "%s", err->text);
}

void ss_hold_suspend(ss_lane *lane)
{
    ss_err err;
    if (!lane->run->repeated)
        return;
    if (ss_repeat_return(lane->run, lane->held.repeat, &err) != SS_OK)
        lane->failure = err;
    lane->spectrum.now.n = 0;
}

void ss_hold_resume(ss_engine *e, ss_lane *lane)
{
    ss_run *run = lane->run;
    ss_err err;
    if (!rests(e, lane))
        drop_copies(lane);
    if (!lane->held.repeat || run->start_kept)
        return;
    if (ss_repeat_cycle(run, lane->held.repeat, &err) != SS_OK) {
        failed(e, lane, &err);
        return;
    }
    lane->spectrum.now.n = 0;
    if (!has_held_settings(lane))
        return;
    /* The counted field; the repetition has restored what else a picture shows of the cycle. */
    if (ss_repeat_return(run, lane->held.repeat, &err) != SS_OK)
        failed(e, lane, &err);
    else
        run->start_kept = true;
}

ss_hold ss_hold_before(const ss_engine *e, ss_lane *lane, bool changes)
{
    ss_run *run = lane->run;
    ss_hold_suspend(lane);
    ss_hold held = ss_hold_of(lane);
    bool repeats = held != SS_HOLD_NONE || is_paused(e, lane);
    if (!changes || !repeats || lane->held.repeat)
        return held;
    lane->held.repeat = ss_repeat_keep(run);
    if (held == SS_HOLD_NONE && lane->held.repeat) {
        lane->held.kind = SS_HOLD_NONE;
        lane->held.cycle = run->cycle;
        lane->held.began = run->began;
        lane->held.cfg = run->cfg;
    }
    return held;
}

void ss_hold_after(ss_engine *e, ss_hold before, bool changes)
{
    ss_lane *lane = &e->lane[e->shown];
    bool ended = before != SS_HOLD_NONE && ss_hold_of(lane) == SS_HOLD_NONE;
    if (ended && changes && !e->setup.observe)
        lane->paused = false; /* there is something to do again */
    for (int i = 0; i < e->nlane; i++)
        ss_hold_resume(e, &e->lane[i]);
}

/* --- the feature ------------------------------------------------------------------------------ */

static void after(ss_engine *e, ss_lane *lane, int64_t before)
{
    (void)before;
    ss_hold_consider(e, lane);
}

static void close_lane(ss_lane *lane)
{
    ss_repeat_free(lane->held.repeat);
}

const ss_feature ss_hold_feature = {.before = goes_on, .after = after, .close = close_lane};
