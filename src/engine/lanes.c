/* Opens and closes lanes, with a message before long operations; lanes that have lost their device.
 * Engine thread only; see lane.h. */
#include <stdlib.h>
#include <string.h>

#include "src/run/checkpoint.h"
#include "src/engine/lane.h"
#include "src/run/ahead.h"
#include "src/core/registry.h"
#include "src/core/run.h"

void ss_lane_clear(ss_engine *e, ss_lane *lane)
{
    for (int i = 0; e->features[i]; i++)
        if (e->features[i]->close)
            e->features[i]->close(lane);
    ss_run_close(lane->run);
    free(lane->journal.text);
    free(lane->good.cell);
    free(lane->good.owner);
    ss_scale_free(&lane->scale);
    memset(lane, 0, sizeof *lane);
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

void ss_engine_loaded(ss_engine *e, const ss_run *run)
{
    char words[96];
    if (*ss_edited_words(&run->edited, words, sizeof words))
        ss_engine_warn(e, "the saved state has cycles of an %s", words);
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
        ss_lane_clear(e, lane);
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
    ss_engine_loaded(e, run);
    e->shown = index;
    e->finished = false;
    return SS_OK;
}

/* --- a lost device: the lanes that have lost it go on elsewhere ------------------------------- */

/* Undo and redo must not return to the lost backend. */
static void move_undo(ss_lane *lane)
{
    int slot = ss_param_find(&lane->run->cfg, "backend", NULL)->slot;
    for (int i = 0; i < lane->nchange; i++)
        lane->change[i].cfg.v[slot] = lane->run->cfg.v[slot];
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

static void after(ss_engine *e, ss_lane *lane, int64_t before)
{
    (void)e, (void)before;
    ss_checkpoint_consider(lane->run);
}

const ss_feature ss_recovery_feature = {.after = after};
