/* A race of the engine's lanes: they are kept level by a measure, and all are shown. Engine thread
 * only; see lane.h. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "src/engine/lane.h"
#include "src/base/system.h"
#include "src/core/registry.h"
#include "src/core/run.h"
#include "src/run/copy.h"
#include "src/run/reference.h"

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
    const ss_config *cfg[SS_RACE_MAX];
    for (int i = 0; i < e->nlane; i++)
        cfg[i] = &e->lane[i].run->cfg;
    e->race = (ss_engine_race){.on = true, .by = by, .chosen = e->race.chosen};
    e->race.end = ss_race_end(cfg, e->nlane);
    e->finished = false;
    for (int i = 0; i < e->nlane; i++) {
        ss_lane *lane = &e->lane[i];
        lane->run->stop_at_tol = true;
        lane->steps = lane->ticks = 0;
        lane->paused = paused;
        lane->restarted = false;
        ss_undo_begun_again(lane);
        if (ss_run_reset(lane->run, err) != SS_OK)
            return SS_FAIL;
    }
    return SS_OK;
}

/* Before a lane advances: sets its end, which a change of its settings removes. */
static bool set_end(ss_engine *e, ss_lane *lane)
{
    if (e->race.on && e->race.end > 0)
        lane->run->max_time = e->race.end;
    return true;
}

int ss_engine_race_changed(ss_engine *e, int index, ss_err *err)
{
    ss_lane *lane = &e->lane[index];
    if (!e->race.on || lane->run->cycle == 0)
        return SS_OK;
    char label[64];
    lane->restarted = true;
    lane->ticks = 0;
    ss_undo_begun_again(lane);
    ss_engine_say(e, false, "run %d starts again, with %s", index + 1,
                  ss_race_label(&lane->run->cfg, label, sizeof label));
    return ss_run_reset(lane->run, err);
}

void ss_engine_race_end(ss_engine *e)
{
    bool ended = e->race.on && e->race.end > 0;
    e->race = (ss_engine_race){.by = e->race.by, .chosen = e->race.chosen};
    for (int i = 0; i < e->nlane; i++) {
        ss_run *run = e->lane[i].run;
        run->stop_at_tol = !e->setup.interactive;
        e->lane[i].restarted = false;
        if (ended) {
            run->max_time = ss_config_real(&run->cfg, "until-time");
            run->status = run->status == SS_LIMIT ? SS_RUNNING : run->status;
        }
    }
}

/* --- verbs ------------------------------------------------------------------------------------ */

/* The measure that the user chose, if these runs have it. */
static ss_measure measure_for(const ss_engine *e, ss_kind kind)
{
    bool has = e->race.by != SS_BY_TIME || kind == SS_TRANSIENT;
    return e->race.chosen && has ? e->race.by : ss_race_usual(kind);
}

/* The same problem and goal for the classic solver of a run. */
static int make_classic(const ss_run *run, ss_config *cfg, ss_err *err)
{
    if (!run->solver->classic)
        return ss_fail(err, "%s is compared with no classic solver: | races a copy of it",
                       run->solver->name);
    if (ss_config_set(cfg, "solver", run->solver->classic, err) != SS_OK)
        return SS_FAIL;
    return ss_config_check(cfg, NULL, err);
}

/* split [classic]: opens a copy of the shown run and starts a race of the two; or its classic
 * solver, level by iterations, so that the fields can be compared, and the run stays the shown one.
 */
int ss_verb_split(ss_engine *e, const ss_cmd *cmd, ss_err *err)
{
    const ss_run *run = e->lane[e->shown].run;
    ss_config cfg = run->cfg;
    bool classic = cmd->row->id == SS_VERB_SPLIT_CLASSIC;
    bool paused = ss_hold_is_paused(e, &e->lane[e->shown]);
    int shown = e->shown;
    if (classic && make_classic(run, &cfg, err) != SS_OK)
        return SS_FAIL;
    if (e->nlane == SS_RUN_MAX)
        return ss_fail(err, "there are %d runs already, the maximum", SS_RUN_MAX);
    if (ss_engine_open(e, e->nlane, &cfg, run->load, run->rhs, err) != SS_OK)
        return SS_FAIL;
    e->lane[e->shown].paused = paused;
    ss_measure by = measure_for(e, run->eq->kind);
    e->shown = classic ? shown : e->shown;
    if (classic && by != SS_BY_TIME && !e->race.chosen)
        by = SS_BY_ITERATIONS;
    return ss_engine_race_begin(e, by, err);
}

/* race [MEASURE|next|off] */
int ss_verb_race(ss_engine *e, const ss_cmd *cmd, ss_err *err)
{
    ss_kind kind = e->lane[e->shown].run->eq->kind;
    int on = e->race.on, by = (int)(on ? e->race.by : measure_for(e, kind));
    int n = kind == SS_TRANSIENT ? SS_NMEASURE : SS_NRANKED;
    const char *word = cmd->argc ? cmd->arg[0] : ss_measure_names[by];
    if (strcmp(word, "off") == 0) {
        ss_engine_race_end(e);
        return SS_OK;
    }
    if (strcmp(word, "next") == 0)
        word = ss_measure_names[on ? (by + 1) % n : by];
    for (by = 0; by < SS_NMEASURE && strcmp(word, ss_measure_names[by]) != 0;)
        by++;
    if (by == SS_NMEASURE)
        return ss_fail(err,
                       "race: '%.40s' is none of cycles, iterations, sweeps, seconds, bytes, "
                       "reductions, time, next, off",
                       word);
    if (by >= n)
        return ss_fail(err, "race: a steady run has no simulated time");
    e->race.chosen = e->race.chosen || cmd->argc > 0;
    if (!on)
        return ss_engine_race_begin(e, (ss_measure)by, err);
    e->race.by = (ss_measure)by;
    e->race.stepping = false;
    ss_engine_say(e, false, "the race goes by %s", word);
    return SS_OK;
}

/* --- equal bits ------------------------------------------------------------------------------- */

#define COMPARE_EVERY 0.1             /* seconds between two comparisons while the race goes on */
#define COMPARE_POINTS (256.0 * 1024) /* larger fields are compared only when it rests */

static int64_t level_of(const ss_run *run)
{
    return run->eq->kind == SS_TRANSIENT ? run->step : run->iteration;
}

/* Are both at the same iteration or step, and not compared there yet? */
static bool can_compare(const ss_lane *lane, const ss_run *first)
{
    const ss_run *run = lane->run;
    const ss_compared *last = &lane->compared;
    bool repeated = last->bits.known && last->bits.at == level_of(run) &&
                    last->began == run->began && last->first == first->began;
    bool sound = run->status != SS_DIVERGED && run->status != SS_FAILED && run->peek == 0 &&
                 first->status != SS_DIVERGED && first->status != SS_FAILED && first->peek == 0;
    return sound && !repeated && run->prec == first->prec && level_of(run) > 0 &&
           level_of(run) == level_of(first);
}

static void compare(ss_lane *lane, ss_run *first)
{
    bool equal;
    if (ss_fields_compare(lane->run, first, &equal))
        lane->compared = (ss_compared){
            {.known = true, .equal = equal, .at = level_of(first), .time = first->time},
            lane->run->began,
            first->began};
}

/* Compares the fields of lanes that stand at the same iteration or step. */
static void compare_all(ss_engine *e, bool now)
{
    ss_run *first = e->lane[0].run;
    double points = (double)first->problem.nx * first->problem.ny * first->problem.nz;
    bool rests = ss_engine_race_turn(e) < 0 || e->setup.deterministic;
    if (!e->race.on || (!rests && points > COMPARE_POINTS) ||
        (!now && (e->setup.deterministic || ss_clock() - e->race.looked < COMPARE_EVERY)))
        return;
    for (int i = 1; i < e->nlane; i++)
        if (can_compare(&e->lane[i], first)) {
            compare(&e->lane[i], first);
            e->race.looked = ss_clock();
        }
}

static double turn(ss_engine *e, double idle)
{
    compare_all(e, false);
    return idle;
}

/* --- the snapshot ----------------------------------------------------------------------------- */

/* The last comparison of a lane. Deterministic: only that of the present field, since the earlier
 * ones depend on when pictures were requested. */
static ss_race_bits bits_of(const ss_engine *e, const ss_lane *lane)
{
    const ss_compared *c = &lane->compared;
    const ss_run *first = e->lane[0].run;
    bool valid = c->began == lane->run->began && c->first == first->began;
    bool now = c->bits.at == level_of(lane->run) && c->bits.at == level_of(first);
    return valid && (now || !e->setup.deterministic) ? c->bits : (ss_race_bits){.known = false};
}

static void fill_racer(const ss_engine *e, ss_racer *r, int index)
{
    const ss_run *run = e->lane[index].run;
    const ss_config *cfg[SS_RACE_MAX];
    for (int i = 0; i < e->nlane; i++)
        cfg[i] = &e->lane[i].run->cfg;
    ss_race_label_among(cfg, e->nlane, index, r->label, sizeof r->label);
    const ss_lane *lane = &e->lane[index];
    r->restarted = lane->restarted;
    r->bits = bits_of(e, lane);
    r->status = run->status;
    r->reached = run->reached;
    r->residual0 = run->residual0;
    r->at = ss_lane_position(e, lane);
    r->ncurve = ss_history_thin(&run->history, r->curve, SS_CURVE_MAX);
    for (int i = 0; e->setup.deterministic && i < r->ncurve; i++)
        r->curve[i].seconds = ss_run_modelled(run, &r->curve[i]);
}

/* Why a run other than the shown one cannot show the layer cheaply; NULL: it can. */
static const char *no_layer(const ss_run *run, ss_layer layer)
{
    static const bool of_reference[SS_NLAYER] = {[SS_EXACT] = true, [SS_ERROR] = true};
    const char *why = ss_no_layer(run, layer);
    bool steady = run->eq->kind == SS_STEADY;
    if (why || !steady || !of_reference[layer] || ss_run_reference(run))
        return why;
    return run->reference ? "u* is being computed"
                          : "the selected run's u* is that of another precision or file";
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
        ss_publish_room(&r->picture, &r->cell_capacity, view.w, view.h) != SS_OK)
        return;
    r->picture.w = view.w, r->picture.h = view.h;
    if (ss_layer_of_zeros(run, view.layer, &r->picture))
        return;
    if (r->no_layer) {
        r->picture.w = r->picture.h = 0;
        return;
    }
    if (run->backend->sample(run, &view, &r->picture, &err) == SS_OK)
        return;
    r->picture.w = r->picture.h = 0;
    lane->failure = err; /* the device may be lost */
}

/* Has the shown lane finished while another has not? */
static bool goes_on(const ss_engine *e)
{
    ss_status shown = e->lane[e->shown].run->status;
    bool ended = shown == SS_CONVERGED || shown == SS_LIMIT || shown == SS_STAGNATED;
    for (int i = 0; e->race.on && i < e->nlane; i++)
        if (ended && e->lane[i].run->status == SS_RUNNING)
            return true;
    return false;
}

static void publish(ss_engine *e, ss_snapshot *s)
{
    s->race.n = 0;
    if (!e->race.on)
        return;
    if (!s->race.racer)
        s->race.racer = calloc(SS_RACE_MAX, sizeof *s->race.racer);
    if (!s->race.racer)
        return;
    s->status = goes_on(e) ? SS_RUNNING : s->status;
    ss_publish_references(e);
    compare_all(e, true);
    s->race.by = e->race.by;
    s->race.end = e->lane[e->shown].run->max_time;
    s->race.n = e->nlane;
    for (int i = 0; i < e->nlane; i++) {
        fill_racer(e, &s->race.racer[i], i);
        s->race.racer[i].picture.w = 0;
        s->race.racer[i].no_layer = no_layer(e->lane[i].run, e->view.layer);
        if (i != e->shown && ss_race_has_picture(i, e->shown, e->lane[i].run->eq->dim))
            fill_picture(e, &s->race.racer[i], &e->lane[i]);
        ss_publish_racer_bands(s, &e->lane[i], &e->lane[e->shown], &s->race.racer[i].bands);
    }
}

const ss_feature ss_race_feature = {.before = set_end, .turn = turn, .publish = publish};
