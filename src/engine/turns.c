/* Whose turn it is to advance, and how far: of one run, or of a race, which is kept level by a
 * measure. See lane.h. Engine thread only. */
#include "src/engine/lane.h"

#include <math.h>

#include "src/core/registry.h"

/* --- positions of the lanes ------------------------------------------------------------------- */

ss_point ss_lane_position(const ss_engine *e, const ss_lane *lane)
{
    ss_point p = ss_run_point(lane->run, lane->run->seconds_solve);
    if (e->setup.deterministic)
        p.seconds = ss_run_modelled(lane->run, &p);
    return p;
}

static ss_point one_cycle(const ss_engine *e, const ss_lane *lane)
{
    const ss_run *run = lane->run;
    ss_point p = {.cycle = 1,
                  .iteration = run->iterations_per_cycle,
                  .time = run->problem.dt * run->iterations_per_cycle / run->eq->nstage,
                  .seconds = lane->cycle_seconds,
                  .bytes = run->per_cycle.global_bytes,
                  .launches = run->per_cycle.launches,
                  .work = ss_run_work(run, &run->per_cycle),
                  .reductions = run->per_cycle.reductions};
    if (e->setup.deterministic)
        p.seconds = ss_run_modelled(run, &p);
    return p;
}

static ss_stand standing(const ss_engine *e, const ss_lane *lane)
{
    ss_point at = ss_lane_position(e, lane), one = one_cycle(e, lane);
    return (ss_stand){.at = ss_measure_of(e->race.by, &at),
                      .cycle = ss_measure_of(e->race.by, &one),
                      .going = ss_lane_is_busy(e, lane)};
}

/* Half a cycle of tolerance for rounding: sums of bytes, estimates of seconds. */
static bool is_behind(const ss_engine *e, const ss_lane *lane)
{
    ss_point at = ss_lane_position(e, lane), one = one_cycle(e, lane);
    return e->race.on && e->race.stepping &&
           ss_measure_of(e->race.by, &at) + 0.5 * ss_measure_of(e->race.by, &one) < e->race.goal;
}

bool ss_lane_is_busy(const ss_engine *e, const ss_lane *lane)
{
    return lane->run && lane->run->status == SS_RUNNING &&
           (!lane->paused || lane->steps > 0 || lane->ticks > 0 || is_behind(e, lane));
}

bool ss_engine_is_stepping(const ss_engine *e)
{
    const ss_lane *lane = &e->lane[e->shown];
    if (lane->run->status == SS_RUNNING && (lane->steps > 0 || lane->ticks > 0))
        return true;
    for (int i = 0; i < e->nlane; i++)
        if (e->lane[i].run->status == SS_RUNNING && is_behind(e, &e->lane[i]))
            return true;
    return false;
}

static void all_standings(const ss_engine *e, ss_stand *s)
{
    for (int i = 0; i < e->nlane; i++)
        s[i] = standing(e, &e->lane[i]);
}

int ss_engine_race_turn(const ss_engine *e)
{
    ss_stand s[SS_RUN_MAX];
    if (!e->race.on)
        return -1;
    all_standings(e, s);
    return ss_race_turn(s, e->nlane);
}

/* Simulated time: the lane whose turn it is meets the one that is furthest ahead, so that their
 * fields can be compared; level lanes advance by `lead`. */
static int64_t cycles_to_meet(const ss_stand *s, int n, int turn, double lead, int64_t most)
{
    double ahead = s[turn].at, one = s[turn].cycle;
    for (int i = 0; i < n; i++)
        ahead = s[i].at > ahead ? s[i].at : ahead;
    double way = ahead - s[turn].at > 0.5 * one ? ahead - s[turn].at : fmax(lead, one);
    double cycles = ceil(way / one - 0.5);
    return !(one > 0) || !(cycles < (double)most) ? most : cycles < 1 ? 1 : (int64_t)cycles;
}

/* No lane may lead by more than the slowest lane advances in one slice. Deterministic races
 * alternate after every cycle. */
int64_t ss_engine_race_cycles(const ss_engine *e, int turn, double slice, int64_t most)
{
    ss_stand s[SS_RUN_MAX];
    double lead = (double)INFINITY;
    if (e->setup.deterministic || e->race.stepping)
        return 1;
    if (!e->setup.interactive)
        return most;
    all_standings(e, s);
    for (int i = 0; i < e->nlane; i++) {
        double seconds = e->lane[i].cycle_spent;
        double far = s[i].cycle * (seconds > 0 ? slice / seconds : 1);
        lead = s[i].going && far < lead ? far : lead;
    }
    return (e->race.by == SS_BY_TIME ? cycles_to_meet : ss_race_cycles)(s, e->nlane, turn, lead,
                                                                        most);
}

int ss_engine_race_lanes(ss_engine *e, ss_lane *out[SS_RUN_MAX])
{
    out[0] = &e->lane[e->shown];
    for (int i = 0; e->race.on && i < e->nlane; i++)
        out[i] = &e->lane[i];
    return e->race.on ? e->nlane : 1;
}

void ss_engine_race_step(ss_engine *e, int64_t n)
{
    ss_stand s = standing(e, &e->lane[e->shown]);
    double from = e->race.stepping && e->race.goal > s.at ? e->race.goal : s.at;
    double cycle = s.cycle > 0 ? s.cycle : 1e-9; /* unknown: a tiny goal, which takes one cycle */
    e->race.goal = from + (double)n * cycle;
    e->race.stepping = true;
    for (int i = 0; i < e->nlane; i++)
        e->lane[i].paused = true;
}

int64_t ss_engine_race_level(const ss_engine *e)
{
    ss_stand s[SS_RUN_MAX];
    double most = 0, cycle = standing(e, &e->lane[e->shown]).cycle;
    all_standings(e, s);
    for (int i = 0; i < e->nlane; i++)
        most = fmax(most, s[i].at);
    return cycle > 0 ? (int64_t)(most / cycle + 0.5) : 0;
}
