/* Opens and closes lanes, with a message before long operations; lanes that have lost their device
 * or wander. Engine thread only; see lane.h. */
#include <stdlib.h>
#include <string.h>
#include <math.h>
#include <stdio.h>

#include "src/run/checkpoint.h"
#include "src/engine/lane.h"
#include "src/run/ahead.h"
#include "src/core/registry.h"
#include "src/core/run.h"

void ss_lane_clear(ss_lane *lane)
{
    ss_run_close(lane->run);
    free(lane->journal.text);
    ss_undo_clear(lane);
    ss_repeat_free(lane->held.repeat);
    ss_rewind_free(lane);
    free(lane->good.cell);
    free(lane->good.owner);
    ss_scale_free(&lane->scale);
    memset(lane, 0, sizeof *lane);
}

void ss_engine_caution_of(const ss_config *cfg, char *buf, size_t size)
{
    const ss_equation *eq = ss_config_equation(cfg);
    const ss_solver *solver = ss_config_solver(cfg);
    buf[0] = '\0';
    ss_problem p = ss_config_problem(cfg);
    if (solver->caution)
        solver->caution(cfg, &p, buf, size);
    if (!buf[0] && eq->caution && !solver->krylov)
        eq->caution(&p, buf, size);
}

void ss_engine_caution(ss_engine *e, const ss_config *before, const ss_config *cfg)
{
    char then[300] = "", now[300];
    if (before)
        ss_engine_caution_of(before, then, sizeof then);
    ss_engine_caution_of(cfg, now, sizeof now);
    if (now[0] && strcmp(then, now) != 0)
        ss_engine_warn(e, "%s", now);
}

bool ss_engine_announce(ss_engine *e, const ss_config *cfg)
{
    char what[100];
    const ss_solver *solver = ss_config_solver(cfg);
    ss_problem p = ss_config_problem(cfg);
    if (e->nlane == 0 || e->setup.deterministic || !solver->setup_cost ||
        !solver->setup_cost(cfg, ss_config_equation(cfg), &p, what, sizeof what))
        return false;
    ss_engine_say(e, false, "%s: this takes a while", what);
    ss_engine_publish(e);
    return true;
}

void ss_engine_announce_end(ss_engine *e, const ss_run *run)
{
    ss_engine_say(e, false, "the blocks are inverted (%.1f s)", run->seconds_inverses);
}

int ss_engine_admits_bytes(const ss_engine *e, const ss_config *cfg, ss_err *err)
{
    char need[32], most[32];
    double bytes = ss_config_bytes(cfg), limit = e->setup.bytes_max;
    if (limit <= 0 || bytes <= limit)
        return SS_OK;
    return ss_fail(err, "the fields need %s; the limit is %s",
                   ss_format_bytes(bytes, need, sizeof need),
                   ss_format_bytes(limit, most, sizeof most));
}

double ss_engine_usual_pace(const ss_engine *e, const ss_run *run)
{
    return e->setup.interactive && !e->setup.deterministic ? run->eq->pace : 0;
}

int ss_engine_open(ss_engine *e, int index, const ss_config *cfg, const char *load, const char *rhs,
                   ss_err *err)
{
    if (ss_engine_admits_bytes(e, cfg, err) != SS_OK)
        return SS_FAIL;
    bool long_setup = ss_engine_announce(e, cfg);
    if (!long_setup && ss_config_backend(cfg)->kernels)
        ss_ahead_load(cfg, NULL); /* what fails, fails again below */
    ss_run *run = ss_run_open(cfg, load, rhs, err);
    if (!run)
        ss_ahead_name_kept(cfg, err);
    if (!run && !(run = ss_fallback_open(cfg, load, rhs, err)))
        return SS_FAIL;
    run->stop_at_tol = !e->setup.interactive;
    ss_lane *lane = &e->lane[index];
    if (index < e->nlane)
        ss_lane_clear(lane);
    else
        e->nlane = index + 1;
    lane->run = run;
    lane->pace = ss_engine_usual_pace(e, run);
    ss_journal_open(lane, cfg, load);
    if (long_setup)
        ss_engine_announce_end(e, run);
    ss_engine_caution(e, NULL, cfg);
    if (run->rescued[0])
        ss_engine_say(e, e->setup.interactive, "%s", run->rescued);
    ss_edit_loaded(e, run);
    e->shown = index;
    e->finished = false;
    return SS_OK;
}

/* --- a lost device: the lanes that have lost it go on elsewhere ------------------------------- */

bool ss_lane_is_lost(const ss_lane *lane)
{
    const ss_run *run = lane->run;
    if (!run->backend->lost || lane->given_up)
        return false;
    return run->status == SS_FAILED || run->backend->lost(run, NULL);
}

/* Undo and redo must not return to the lost backend. */
static void move_undo(ss_lane *lane)
{
    int slot = ss_param_find(&lane->run->cfg, "backend", NULL)->slot;
    for (int i = 0; i < lane->nundo; i++)
        lane->undo[i].cfg.v[slot] = lane->run->cfg.v[slot];
    for (int i = 0; i < lane->nredo; i++)
        lane->redo[i].cfg.v[slot] = lane->run->cfg.v[slot];
}

static void give_up(ss_engine *e, ss_lane *lane, const ss_err *why, const ss_err *err)
{
    lane->given_up = true;
    lane->steps = lane->ticks = 0;
    lane->run->status = SS_FAILED;
    ss_engine_say(e, true, "%.180s; no other backend can continue: %.100s", why->text, err->text);
}

static void rescue(ss_engine *e, ss_lane *lane)
{
    ss_err why = lane->failure, err = {0}, said;
    ss_run *run = lane->run;
    int64_t before = run->cycle;
    if (!why.text[0])
        run->backend->lost(run, &why);
    said = why;
    if (run->edited.hash != 0)
        ss_fail(&why, "an edited kernel: %.200s", said.text);
    if (ss_run_rescue(run, &why, &err) != SS_OK) {
        give_up(e, lane, &why, &err);
        return;
    }
    /* Requested steps remain to be done: adds the lost cycles. */
    lane->steps += lane->steps > 0 ? before - run->cycle : 0;
    lane->cycle_seconds = 0;
    lane->failure.text[0] = '\0';
    move_undo(lane);
    e->finished = false;
    ss_engine_say(e, e->setup.interactive, "%s", run->rescued);
}

bool ss_engine_rescue(ss_engine *e)
{
    bool any = false;
    for (int i = 0; i < e->nlane && !atomic_load(&e->quit); i++)
        if (ss_lane_is_lost(&e->lane[i])) {
            rescue(e, &e->lane[i]);
            any = true;
        }
    return any;
}

/* --- a run that wanders ----------------------------------------------------------------------- */

/* No smaller residual for a long time, although the run has not diverged. It is said once, where a
 * caution was said before the run; a residual that rounding holds is no news. */

enum { ITERATIONS_MIN = 200 };

/* Begins anew after a reset, and with the present residual after a change of a parameter. */
static void begin(ss_stall *s, const ss_lane *lane)
{
    size_t count = lane->run->history.count;
    bool reset = s->began != lane->run->began;
    if (!reset && s->change == lane->pushed)
        return;
    *s = (ss_stall){.began = lane->run->began,
                    .change = lane->pushed,
                    .seen = reset || count == 0 ? 0 : count - 1,
                    .residual = HUGE_VAL};
}

/* A history that was thinned, or cut by a jump back, has fewer points than were compared. */
static void follow(ss_stall *s, const ss_history *h)
{
    s->seen = s->seen < h->count ? s->seen : h->count;
    for (; s->seen < h->count; s->seen++)
        if (h->point[s->seen].residual < s->residual) {
            s->residual = h->point[s->seen].residual;
            s->iteration = h->point[s->seen].iteration;
        }
}

/* "no smaller residual for 1943 iterations (the least, 0.31 of the first, at iteration 57)" */
static void say(ss_engine *e, const ss_stall *s, const ss_run *run)
{
    char least[80] = "the first is the least";
    const char *cause = ss_run_suspect(run);
    if (s->iteration > 0)
        snprintf(least, sizeof least, "the least, %.2g of the first, at iteration %lld",
                 s->residual / run->residual0, (long long)s->iteration);
    ss_engine_warn(e, "no smaller residual for %lld iterations (%s)%s%s",
                   (long long)(run->iteration - s->iteration), least, cause ? ", " : "",
                   cause ? cause : "");
}

/* As long without a smaller residual as it took to find the least one. */
static bool is_stalled(const ss_stall *s, const ss_run *run)
{
    int64_t unknown = (run->cycle - run->residual_cycle) * run->iterations_per_cycle;
    int64_t since = run->iteration - unknown - s->iteration; /* up to the newest norm */
    return isfinite(s->residual) && since >= ITERATIONS_MIN && since >= s->iteration;
}

void ss_stall_consider(ss_engine *e, ss_lane *lane)
{
    char before[300];
    ss_stall *s = &lane->stall;
    const ss_run *run = lane->run;
    if (run->eq->kind != SS_STEADY || run->reached || e->race.on ||
        (run->status != SS_RUNNING && run->status != SS_LIMIT))
        return;
    begin(s, lane);
    follow(s, &run->history);
    if (s->said || !is_stalled(s, run))
        return;
    s->said = true;
    ss_engine_caution_of(&run->cfg, before, sizeof before);
    if (before[0])
        say(e, s, run);
}
