/* The classic run beside the shown one, its curve, its time and its bits: see lane.h. Engine thread
 * only. */
#include "src/engine/lane.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <stdlib.h>

#include "src/core/registry.h"
#include "src/core/run.h"
#include "src/run/copy.h"

#define SLICE 4e-3 /* seconds of the classic run per turn */
#define SHARE                                                                                      \
    0.05 /* its largest share of the watched run's time: too little to slow it visibly             \
          */
#define BYTES_MAX 64e6 /* of all classic runs that are kept; the present one always is */

/* --- configs ---------------------------------------------------------------------------------- */

static ss_run *watched(const ss_engine *e)
{
    return e->lane[e->shown].run;
}

/* The problem of a run, solved by its classic solver without limits. Fails if there is none. */
static int classic_config(const ss_engine *e, const ss_run *run, ss_config *cfg, ss_err *err)
{
    if (!run->solver->classic)
        return ss_fail(err, "%s is not compared with another solver", run->solver->name);
    *cfg = run->cfg;
    ss_config_unlimit(cfg);
    cfg->v[ss_param_find(cfg, "check-every", NULL)->slot].set = false;
    if (ss_config_set(cfg, "solver", run->solver->classic, err) != SS_OK ||
        ss_config_check(cfg, NULL, err) != SS_OK)
        return SS_FAIL;
    return ss_engine_admits_bytes(e, cfg, err);
}

static bool is_of_run(const ss_param *row)
{
    return !(row->flags & SS_P_APP);
}

/* --- the kept runs ---------------------------------------------------------------------------- */

static void close_oldest(ss_classic *c)
{
    ss_run_close(c->kept[--c->nkept]);
}

static void keep(ss_classic *c, ss_run *run)
{
    double bytes = ss_config_bytes(&run->cfg);
    for (int i = 0; i < c->nkept; i++)
        bytes += ss_config_bytes(&c->kept[i]->cfg);
    for (; c->nkept > 0 && (c->nkept == SS_CLASSIC_KEPT || bytes > BYTES_MAX); close_oldest(c))
        bytes -= ss_config_bytes(&c->kept[c->nkept - 1]->cfg);
    memmove(c->kept + 1, c->kept, (size_t)c->nkept++ * sizeof *c->kept);
    c->kept[0] = run;
}

static ss_run *find(ss_classic *c, const ss_config *cfg, const ss_run *of)
{
    for (int i = 0; i < c->nkept; i++) {
        ss_run *run = c->kept[i];
        if (run->load != of->load || run->rhs != of->rhs ||
            ss_config_differ(&run->cfg, cfg, is_of_run, NULL))
            continue;
        memmove(c->kept + 1, c->kept, (size_t)i * sizeof *c->kept);
        return c->kept[0] = run;
    }
    return NULL;
}

/* The classic run of the watched one: a kept one, or a new one. */
static ss_run *classic_of(ss_engine *e, const ss_run *of)
{
    ss_classic *c = &e->classic;
    ss_config cfg;
    ss_err err;
    if (c->run || c->refused)
        return c->run;
    c->refused = classic_config(e, of, &cfg, &err) != SS_OK;
    if (c->refused || (c->run = find(c, &cfg, of)))
        return c->run;
    c->run = ss_run_open(&cfg, of->load, of->rhs, &err);
    c->refused = !c->run;
    c->cycle_seconds = 0;
    if (c->run)
        keep(c, c->run);
    return c->run;
}

/* --- a timed pair ----------------------------------------------------------------------------- */

/* The watched run's schedule and the classic one from the same field, in turn, without the curve
 * and without residual checks; then the two fields bit for bit. */

#define BATCH 8e-3  /* seconds of the slower of the two */
#define SETTLED 0.4 /* seconds without a change of the watched run before it is timed */
#define REST 19 /* times what a pair has cost, the run goes on without another: 5 % of all time */
#define FIRST 2 /* cycles of the first pair of batches, which is not timed */
#define LAST (2 + 2 * SS_PAIR_ROUNDS)

void ss_pair_stop(ss_timed_pair *p, bool forget)
{
    ss_run_close(p->own);
    ss_run_close(p->classic);
    p->own = p->classic = NULL;
    p->at = 0;
    if (forget)
        *p = (ss_timed_pair){.since = p->since};
}

/* Iterations or steps of a run's cycle. */
static int64_t levels(const ss_run *run)
{
    return run->iterations_per_cycle / run->eq->nstage;
}

static ss_run *open_from(const ss_run *run, ss_config *cfg, const char *field)
{
    ss_err err;
    cfg->v[ss_param_find(cfg, "check-every", NULL)->slot] = (ss_value){.i = 0, .set = true};
    ss_run *copy = ss_run_open(cfg, run->load, run->rhs, &err);
    if (copy && ss_field_upload(copy, field, &err) == SS_OK)
        return copy;
    ss_run_close(copy);
    return NULL;
}

/* Opens both runs with the watched run's present field. */
static bool begin_pair(ss_engine *e)
{
    ss_timed_pair *p = &e->classic.pair;
    ss_run *run = watched(e);
    ss_config own = run->cfg, classic;
    ss_err err;
    if (classic_config(e, run, &classic, &err) != SS_OK)
        return false;
    ss_config_unlimit(&own);
    char *field = ss_field_download(run);
    if (field && (p->own = open_from(run, &own, field)))
        p->classic = open_from(run, &classic, field);
    free(field);
    p->batch = 0;
    p->cycles = FIRST;
    p->from = run->cycle;
    if (p->classic)
        return true;
    ss_pair_stop(p, false);
    return false;
}

/* spent: of this machine's time. */
static bool time_batch(ss_run *run, int64_t cycles, double *seconds, double *spent)
{
    ss_err err;
    int64_t end = run->cycle + cycles;
    double before = run->seconds_solve, began = ss_run_spent(run);
    if (ss_run_step(run, cycles, &err) != SS_OK || run->cycle != end)
        return false;
    *seconds = run->seconds_solve - before;
    *spent = ss_run_spent(run) - began;
    return true;
}

/* One batch; false: it failed or was interrupted. */
static bool do_batch(ss_timed_pair *p)
{
    int which = p->batch % 2, round = p->batch / 2 - 1;
    int64_t cycles = which == 0 ? p->cycles : p->cycles * levels(p->own) / levels(p->classic);
    double seconds, spent, slower;
    if (!time_batch(which == 0 ? p->own : p->classic, cycles, &seconds, &spent))
        return false;
    p->batch++;
    if (round >= 0) {
        p->seconds[which][round] = seconds;
        return true;
    }
    p->seconds[which][0] = spent;
    slower = p->seconds[0][0] > p->seconds[1][0] ? p->seconds[0][0] : p->seconds[1][0];
    if (which == 1) /* the first pair has set the length of the others */
        p->cycles = slower < BATCH ? (int64_t)(FIRST * BATCH / slower) + 1 : 1;
    return true;
}

static void compare(ss_timed_pair *p)
{
    if (p->own->solver->another_method)
        return;
    if (ss_fields_compare(p->own, p->classic, &p->equal)) {
        p->checked = true;
        p->compared = p->own->cycle * levels(p->own);
    }
}

/* Of the best round: whatever else runs on the machine only adds to a time. */
static double least(const double *seconds)
{
    double best = seconds[0];
    for (int i = 1; i < SS_PAIR_ROUNDS; i++)
        best = seconds[i] < best ? seconds[i] : best;
    return best;
}

/* Later pairs may have been less disturbed than the first one. */
static void take_times(ss_timed_pair *p, double iterations)
{
    for (int i = 0; i < 2; i++) {
        double each = least(p->seconds[i]) / iterations;
        p->each[i] = p->timed && p->each[i] < each ? p->each[i] : each;
    }
    p->timed = true;
}

static void finish(ss_engine *e, bool timed)
{
    ss_timed_pair *p = &e->classic.pair;
    compare(p);
    if (timed)
        take_times(p, (double)(p->cycles * levels(p->own)));
    ss_pair_stop(p, false);
    p->done = true;
    p->at = watched(e)->cycle;
    e->dirty = true;
}

/* A field near its start may have the same bits by chance, a smooth part for example: the bits are
 * checked again when the run has come twice as far. */
static bool is_due(const ss_timed_pair *p, const ss_run *run)
{
    return run->cycle > 0 && run->peek == 0 && (!p->done || run->cycle >= 2 * p->at);
}

/* Seconds until the next batch of the pair is due; < 0: none will be. */
static double pair_wait(const ss_engine *e)
{
    const ss_timed_pair *p = &e->classic.pair;
    double from = p->since + SETTLED > p->rest ? p->since + SETTLED : p->rest;
    double wait = from - ss_clock();
    if (p->own)
        return 0;
    if (!is_due(p, watched(e)))
        return -1;
    return wait > 0 ? wait : 0;
}

/* The next batch; the first one opens the runs, the last one compares the fields. */
static void turn_pair(ss_engine *e)
{
    ss_timed_pair *p = &e->classic.pair;
    if (!p->own && !begin_pair(e)) {
        p->done = true;
        p->at = INT64_MAX / 2; /* never again with these settings */
        return;
    }
    bool went = do_batch(p);
    e->classic.disturbed = true;
    if (!went)
        ss_pair_stop(p, false);
    else if (p->batch == LAST)
        finish(e, true);
}

/* Does that batch. */
static void do_pair(ss_engine *e)
{
    ss_timed_pair *p = &e->classic.pair;
    double began = ss_clock();
    turn_pair(e);
    double now = ss_clock();
    p->cost += now - began;
    if (p->own)
        return;
    p->rest = now + REST * p->cost;
    p->cost = 0;
}

/* Deterministic: the bits at once. */
static void check_pair(ss_engine *e)
{
    ss_timed_pair *p = &e->classic.pair;
    if (!is_due(p, watched(e)) || !begin_pair(e))
        return;
    if (do_batch(p) && do_batch(p))
        finish(e, false);
    else
        ss_pair_stop(p, false);
}

/* --- when --------------------------------------------------------------------------------------
 */

/* Is the watched run another one, or has it other settings, than at the last turn? */
static bool is_changed(const ss_classic *c, const ss_run *run)
{
    return memcmp(&c->cfg, &run->cfg, sizeof c->cfg) != 0 || c->load != run->load ||
           c->rhs != run->rhs;
}

static double classic_bytes(const ss_engine *e, const ss_run *run)
{
    ss_config cfg;
    ss_err err;
    ss_problem p;
    ss_ledger one;
    if (classic_config(e, run, &cfg, &err) != SS_OK)
        return 0;
    p = ss_config_problem(&cfg);
    ss_config_solver(&cfg)->ledger(&cfg, run->eq, &p, &one);
    return one.global_bytes;
}

static void follow(ss_engine *e)
{
    ss_classic *c = &e->classic;
    const ss_run *run = watched(e);
    if (is_changed(c, run)) {
        c->cfg = run->cfg;
        c->load = run->load, c->rhs = run->rhs;
        c->run = NULL;
        c->refused = false;
        c->bytes = classic_bytes(e, run);
        c->credit = 0;
        ss_pair_stop(&c->pair, true);
        c->pair.since = ss_clock();
    }
    if (c->began != run->began)
        ss_pair_stop(&c->pair, false);
    double more = c->began == run->began ? ss_run_spent(run) - c->spent : 0;
    c->began = run->began;
    c->spent = ss_run_spent(run);
    c->credit = fmin(c->credit + SHARE * fmax(more, 0), 2 * SLICE);
}

static double points(const ss_run *run)
{
    return (double)run->problem.nx * run->problem.ny * run->problem.nz;
}

/* Is a picture shown, of a run that can be compared? */
static bool is_wanted(const ss_engine *e)
{
    const ss_run *run = watched(e);
    bool size = e->classic.choice == SS_CLASSIC_ON || points(run) <= run->backend->beside;
    return run->solver->classic && size && e->classic.choice != SS_CLASSIC_OFF && !e->race.on &&
           e->view.w > 0 && run->status != SS_DIVERGED && run->status != SS_FAILED;
}

/* A painted run has another start. */
static bool has_curve(const ss_run *run)
{
    return run->eq->kind == SS_STEADY && run->eq->dim < 3 && !run->painted && run->cycle > 0;
}

/* Iterations that the classic run is behind. */
static int64_t behind(const ss_run *classic, const ss_run *run)
{
    bool runs = classic && classic->status == SS_RUNNING;
    return runs && classic->iteration < run->iteration ? run->iteration - classic->iteration : 0;
}

static void advance(ss_classic *c, int64_t cycles)
{
    ss_err err;
    ss_run *run = c->run;
    int64_t before = run->cycle;
    double spent = ss_run_spent(run);
    ss_run_step(run, cycles, &err);
    if (run->cycle > before)
        c->cycle_seconds = (ss_run_spent(run) - spent) / (double)(run->cycle - before);
    c->disturbed = true;
}

/* The norm of its last field, so that both curves end at one iteration. */
static bool settle(ss_classic *c, const ss_run *run)
{
    ss_err err;
    bool due = c->run && c->run->status == SS_RUNNING && c->run->iteration == run->iteration &&
               c->run->residual_cycle != c->run->cycle;
    if (due)
        ss_run_settle(c->run, &err);
    return due;
}

/* A slice of the curve. resting: the watched run does not advance. True: there is more to do. */
static bool advance_curve(ss_engine *e, bool resting)
{
    ss_classic *c = &e->classic;
    const ss_run *run = watched(e);
    bool had = c->run != NULL;
    int64_t left = has_curve(run) ? behind(classic_of(e, run), run) : 0;
    int64_t slice = c->cycle_seconds > 0 ? (int64_t)(SLICE / c->cycle_seconds) : 1;
    bool found = !had && c->run; /* a kept one, whose curve has not been shown with this run */
    if (left == 0) {
        c->credit = 0;
        e->dirty = found || (resting && settle(c, run)) || e->dirty;
        return false;
    }
    if (!resting && c->credit < SLICE)
        return false;
    double started = ss_clock();
    advance(c, slice < 1 ? 1 : slice < left ? slice : left);
    c->credit -= ss_clock() - started;
    e->dirty = true;
    return resting;
}

static double turn(ss_engine *e, double idle)
{
    follow(e);
    if (e->setup.deterministic || !is_wanted(e))
        return idle;
    bool resting = idle < 0 || idle > SLICE;
    double wait = pair_wait(e);
    if (wait < 0 || wait > 0)
        return advance_curve(e, resting) ? 0 : ss_earlier(idle, wait);
    do_pair(e);
    return 0;
}

/* --- the snapshot ----------------------------------------------------------------------------- */

/* Deterministic: all of it at once, whatever it takes. */
static void catch_up(ss_engine *e)
{
    ss_classic *c = &e->classic;
    const ss_run *run = watched(e);
    int64_t left;
    follow(e);
    if (!is_wanted(e))
        return;
    if (has_curve(run) && (left = behind(classic_of(e, run), run)) > 0)
        advance(c, left);
    settle(c, run);
    check_pair(e);
}

static void fill_curve(const ss_engine *e, ss_beside *out, const ss_run *classic)
{
    const ss_run *run = watched(e);
    ss_history h = classic->history;
    while (h.count > 0 && h.point[h.count - 1].iteration > run->iteration)
        h.count--;
    out->n = ss_history_thin(&h, out->curve, SS_CURVE_MAX);
    out->residual0 = classic->residual0;
    out->behind = behind(classic, run) > 0;
    for (int i = 0; e->setup.deterministic && i < out->n; i++)
        out->curve[i].seconds = ss_run_modelled(run, &out->curve[i]);
}

static void publish(ss_engine *e, ss_snapshot *s)
{
    const ss_classic *c = &e->classic;
    const ss_timed_pair *p = &c->pair;
    ss_beside *out = &s->beside;
    if (e->setup.deterministic)
        catch_up(e);
    out->n = 0;
    out->wanted = is_wanted(e);
    out->another_method = watched(e)->solver->another_method;
    out->solver = watched(e)->solver->classic;
    out->bytes = c->bytes;
    out->pair = (ss_beside_pair){.checked = p->checked && out->wanted,
                                 .equal = p->equal,
                                 .timed = p->timed && out->wanted,
                                 .own = p->each[0],
                                 .classic = p->each[1],
                                 .compared = p->compared,
                                 .from = p->from};
    if (out->wanted && c->run && has_curve(watched(e)))
        fill_curve(e, out, c->run);
}

/* --- the command ------------------------------------------------------------------------------ */

/* The seconds that the classic run needs up to the watched run's iteration. */
static void say_expected(ss_engine *e)
{
    ss_classic *c = &e->classic;
    const ss_run *run = watched(e);
    int64_t left = has_curve(run) ? behind(classic_of(e, run), run) : 0;
    char many[32], text[32];
    if (left == 0) {
        ss_engine_say(e, false, "compared with %s", run->solver->classic);
        return;
    }
    if (c->cycle_seconds <= 0)
        advance(c, 1);
    advance(c, 1); /* the first one also touches the memory */
    ss_engine_say(e, false, "%s up to iteration %s: about %s", c->run->solver->title,
                  ss_format_si((double)run->iteration, "", many, sizeof many),
                  ss_format_si((double)left * c->cycle_seconds, "s", text, sizeof text));
}

int ss_verb_classic(ss_engine *e, const ss_cmd *cmd, ss_err *err)
{
    static const ss_classic_choice words[SS_NVERB] = {[SS_VERB_CLASSIC_ON] = SS_CLASSIC_ON,
                                                      [SS_VERB_CLASSIC_OFF] = SS_CLASSIC_OFF,
                                                      [SS_VERB_CLASSIC_AUTO] = SS_CLASSIC_AUTO};
    ss_classic *c = &e->classic;
    ss_config cfg;
    ss_classic_choice now = is_wanted(e) ? SS_CLASSIC_OFF : SS_CLASSIC_ON;
    follow(e);
    c->choice = cmd->argc > 0 ? words[cmd->row->id] : now;
    c->refused = false;
    if (c->choice == SS_CLASSIC_OFF)
        ss_pair_stop(&c->pair, true);
    if (c->choice != SS_CLASSIC_ON)
        return SS_OK;
    if (classic_config(e, watched(e), &cfg, err) != SS_OK) {
        c->choice = SS_CLASSIC_AUTO;
        return SS_FAIL;
    }
    say_expected(e);
    return SS_OK;
}

static void end(ss_engine *e)
{
    ss_pair_stop(&e->classic.pair, true);
    while (e->classic.nkept > 0)
        close_oldest(&e->classic);
    e->classic.run = NULL;
}

const ss_feature ss_classic_feature = {.turn = turn, .publish = publish, .end = end};
