/*
 * A timed pair of batches: the watched run's schedule and the classic one from the same field, in
 * turn, without the curve and without residual checks; then the two fields bit for bit. See
 * classic.h. Engine thread only.
 */
#include <stdlib.h>
#include <string.h>

#include "src/core/registry.h"
#include "src/core/run_step.h"
#include "src/engine/lane.h"
#include "src/run/checkpoint.h"

#define BATCH 8e-3  /* seconds of the slower of the two */
#define SETTLED 0.4 /* seconds without a change of the watched run before it is timed */
#define REST 19 /* times what a pair has cost, the run goes on without another: 5 % of all time */
#define FIRST 2 /* cycles of the first pair of batches, which is not timed */
#define LAST (2 + 2 * SS_PAIR_ROUNDS)

static ss_run *watched(const ss_engine *e)
{
    return e->lane[e->shown].run;
}

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
static bool begin(ss_engine *e)
{
    static const char *const limits[] = {"until",      "until-accuracy", "until-error",
                                         "until-time", "cycles",         "seconds"};
    ss_timed_pair *p = &e->classic.pair;
    ss_run *run = watched(e);
    ss_config own = run->cfg, classic;
    ss_err err;
    if (ss_classic_config(e, run, &classic, &err) != SS_OK)
        return false;
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++)
        own.v[ss_param_find(&own, limits[i], NULL)->slot] = (ss_value){.set = false};
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
static bool advance(ss_run *run, int64_t cycles, double *seconds, double *spent)
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
    if (!advance(which == 0 ? p->own : p->classic, cycles, &seconds, &spent))
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
    char *own = ss_field_download(p->own), *classic = ss_field_download(p->classic);
    if (own && classic) {
        p->equal = memcmp(own, classic, ss_field_bytes(p->own)) == 0;
        p->checked = true;
        p->compared = p->own->cycle * levels(p->own);
    }
    free(own);
    free(classic);
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

double ss_pair_wait(const ss_engine *e)
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
static void turn(ss_engine *e)
{
    ss_timed_pair *p = &e->classic.pair;
    if (!p->own && !begin(e)) {
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

void ss_pair_turn(ss_engine *e)
{
    ss_timed_pair *p = &e->classic.pair;
    double began = ss_clock();
    turn(e);
    double now = ss_clock();
    p->cost += now - began;
    if (p->own)
        return;
    p->rest = now + REST * p->cost;
    p->cost = 0;
}

void ss_pair_check(ss_engine *e)
{
    ss_timed_pair *p = &e->classic.pair;
    if (!is_due(p, watched(e)) || !begin(e))
        return;
    if (do_batch(p) && do_batch(p))
        finish(e, false);
    else
        ss_pair_stop(p, false);
}
