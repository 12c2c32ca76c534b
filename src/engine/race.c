/* A race of the engine's lanes: they are kept level by a measure, and all are shown. Engine thread
 * only; see lane.h, race.h. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/engine/hold.h"
#include "src/base/modelled.h"
#include "src/engine/lane.h"

/* The time model of src/base/modelled.h. */
double ss_run_modelled(const ss_point *p)
{
    return ss_modelled_seconds(p->launches, p->bytes);
}

/* --- positions of the lanes ------------------------------------------------------------------- */

static ss_point position(const ss_engine *e, const ss_lane *lane)
{
    const ss_run *run = lane->run;
    ss_point p = {.cycle = run->cycle,
                  .iteration = run->iteration,
                  .seconds = run->seconds_solve,
                  .bytes = run->total.global_bytes,
                  .launches = run->total.launches,
                  .residual = run->residual,
                  .time = run->time};
    if (e->setup.deterministic)
        p.seconds = ss_run_modelled(&p);
    return p;
}

static ss_point one_cycle(const ss_engine *e, const ss_lane *lane)
{
    const ss_run *run = lane->run;
    ss_point p = {.cycle = 1,
                  .iteration = run->iterations_per_cycle,
                  .seconds = lane->cycle_seconds,
                  .bytes = run->per_cycle.global_bytes,
                  .launches = run->per_cycle.launches};
    if (e->setup.deterministic)
        p.seconds = ss_run_modelled(&p);
    return p;
}

static ss_stand standing(const ss_engine *e, const ss_lane *lane)
{
    ss_point at = position(e, lane), one = one_cycle(e, lane);
    return (ss_stand){.at = ss_measure_of(e->race.by, &at),
                      .cycle = ss_measure_of(e->race.by, &one),
                      .going = ss_lane_is_busy(e, lane)};
}

/* Half a cycle of tolerance for rounding: sums of bytes, estimates of seconds. */
static bool is_behind(const ss_engine *e, const ss_lane *lane)
{
    ss_point at = position(e, lane), one = one_cycle(e, lane);
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

/* --- turns ------------------------------------------------------------------------------------ */

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
        double seconds = e->lane[i].cycle_seconds;
        double far = s[i].cycle * (seconds > 0 ? slice / seconds : 1);
        lead = s[i].going && far < lead ? far : lead;
    }
    return ss_race_cycles(s, e->nlane, turn, lead, most);
}

/* --- begin and end ---------------------------------------------------------------------------- */

int ss_engine_race_admits(const ss_engine *e, int index, const ss_config *cfg, ss_err *err)
{
    for (int i = 0; e->race.on && i < e->nlane; i++)
        if (i != index && ss_race_alike(&e->lane[i].run->cfg, cfg, err) != SS_OK)
            return SS_FAIL;
    return SS_OK;
}

int ss_engine_race_begin(ss_engine *e, ss_measure by, ss_err *err)
{
    if (e->nlane < 2)
        return ss_fail(err, "a race needs two runs: | splits the view, add adds one");
    for (int i = 1; i < e->nlane; i++)
        if (ss_race_alike(&e->lane[0].run->cfg, &e->lane[i].run->cfg, err) != SS_OK)
            return SS_FAIL;
    bool paused = ss_hold_is_paused(e, &e->lane[e->shown]);
    e->race = (ss_engine_race){.on = true, .by = by};
    e->finished = false;
    for (int i = 0; i < e->nlane; i++) {
        ss_lane *lane = &e->lane[i];
        lane->run->stop_at_tol = true;
        lane->steps = lane->ticks = 0;
        lane->paused = paused;
        ss_undo_begun_again(lane);
        if (ss_run_reset(lane->run, err) != SS_OK)
            return SS_FAIL;
    }
    return SS_OK;
}

void ss_engine_race_end(ss_engine *e)
{
    e->race = (ss_engine_race){.by = e->race.by};
    for (int i = 0; i < e->nlane; i++)
        e->lane[i].run->stop_at_tol = !e->setup.interactive;
}

int ss_engine_race_lanes(ss_engine *e, ss_lane *out[SS_RUN_MAX])
{
    out[0] = &e->lane[e->shown];
    for (int i = 0; e->race.on && i < e->nlane; i++)
        out[i] = &e->lane[i];
    return e->race.on ? e->nlane : 1;
}

bool ss_engine_race_goes_on(const ss_engine *e)
{
    ss_status shown = e->lane[e->shown].run->status;
    for (int i = 0; e->race.on && i < e->nlane; i++)
        if ((shown == SS_CONVERGED || shown == SS_LIMIT) && e->lane[i].run->status == SS_RUNNING)
            return true;
    return false;
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

/* --- verbs ------------------------------------------------------------------------------------ */

/* Opens a copy of the shown run and starts a race of the two. */
int ss_verb_split(ss_engine *e, const ss_cmd *cmd, ss_err *err)
{
    (void)cmd;
    const ss_run *run = e->lane[e->shown].run;
    ss_config cfg = run->cfg;
    bool paused = ss_hold_is_paused(e, &e->lane[e->shown]);
    if (e->nlane == SS_RUN_MAX)
        return ss_fail(err, "there are %d runs already, the maximum", SS_RUN_MAX);
    if (ss_engine_open(e, e->nlane, &cfg, run->load, run->rhs, err) != SS_OK)
        return SS_FAIL;
    e->lane[e->shown].paused = paused;
    return ss_engine_race_begin(e, e->race.by, err);
}

/* race [MEASURE|next|off] */
int ss_verb_race(ss_engine *e, const ss_cmd *cmd, ss_err *err)
{
    int by = (int)e->race.by, on = e->race.on;
    const char *word = cmd->argc ? cmd->arg[0] : ss_measure_names[by];
    if (strcmp(word, "off") == 0) {
        ss_engine_race_end(e);
        return SS_OK;
    }
    if (strcmp(word, "next") == 0)
        word = ss_measure_names[on ? (by + 1) % SS_NMEASURE : by];
    for (by = 0; by < SS_NMEASURE && strcmp(word, ss_measure_names[by]) != 0;)
        by++;
    if (by == SS_NMEASURE)
        return ss_fail(
            err, "race: '%.40s' is none of cycles, iterations, seconds, bytes, next, off", word);
    if (!on)
        return ss_engine_race_begin(e, (ss_measure)by, err);
    e->race.by = (ss_measure)by;
    e->race.stepping = false;
    ss_engine_say(e, false, "the race goes by %s", word);
    return SS_OK;
}

/* --- the snapshot ----------------------------------------------------------------------------- */

static void fill_racer(const ss_engine *e, ss_racer *r, int index)
{
    const ss_run *run = e->lane[index].run;
    const ss_config *cfg[SS_RACE_MAX];
    for (int i = 0; i < e->nlane; i++)
        cfg[i] = &e->lane[i].run->cfg;
    ss_race_label_among(cfg, e->nlane, index, r->label, sizeof r->label);
    r->status = run->status;
    r->reached = run->reached;
    r->residual0 = run->residual0;
    r->at = position(e, &e->lane[index]);
    r->ncurve = ss_history_thin(&run->history, r->curve, SS_CURVE_MAX);
    for (int i = 0; e->setup.deterministic && i < r->ncurve; i++)
        r->curve[i].seconds = ss_run_modelled(&r->curve[i]);
}

/* Can a run other than the shown one show the layer cheaply? */
static bool has_layer(const ss_run *run, ss_layer layer)
{
    static const unsigned caps[SS_NLAYER] = {
        [SS_STALENESS] = SS_CAP_TILES, [SS_OWNER] = SS_CAP_TILES, [SS_AGE] = SS_CAP_AGE};
    static const bool of_reference[SS_NLAYER] = {[SS_EXACT] = true, [SS_ERROR] = true};
    return (run->ops->caps & caps[layer]) == caps[layer] &&
           (!of_reference[layer] || ss_run_reference(run));
}

/* The same view of another run. */
static void fill_picture(const ss_engine *e, ss_racer *r, ss_lane *lane)
{
    ss_err err;
    ss_run *run = lane->run;
    ss_view view = e->view;
    view.exact = view.exact || e->setup.deterministic || !ss_lane_is_busy(e, lane);
    r->picture.w = r->picture.h = 0;
    if (run->status == SS_DIVERGED || run->status == SS_FAILED || view.w < 1 ||
        !has_layer(run, view.layer) ||
        ss_publish_room(&r->picture, &r->cell_capacity, view.w, view.h) != SS_OK)
        return;
    r->picture.w = view.w, r->picture.h = view.h;
    if (run->backend->sample(run, &view, &r->picture, &err) == SS_OK)
        return;
    r->picture.w = r->picture.h = 0;
    lane->failure = err; /* the device may be lost */
}

void ss_publish_race(ss_engine *e, ss_snapshot *s)
{
    s->race.n = 0;
    if (!e->race.on)
        return;
    if (!s->race.racer)
        s->race.racer = calloc(SS_RACE_MAX, sizeof *s->race.racer);
    if (!s->race.racer)
        return;
    s->race.by = e->race.by;
    s->race.n = e->nlane;
    for (int i = 0; i < e->nlane; i++) {
        fill_racer(e, &s->race.racer[i], i);
        s->race.racer[i].picture.w = 0;
        if (i != e->shown)
            fill_picture(e, &s->race.racer[i], &e->lane[i]);
    }
}
