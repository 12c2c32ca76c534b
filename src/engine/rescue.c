/* Recovery after a lost device: finds the lanes that have lost it and moves them to another
 * backend. See lane.h and checkpoint.h. Engine thread only. */
#include <string.h>

#include "src/run/checkpoint.h"
#include "src/engine/lane.h"
#include "src/core/registry.h"

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
