/*
 * A steady run with a screen, or in a lesson, holds at its tolerance: it ends there and waits.
 * `run` takes it on to round-off, where it holds again. While it holds, or is paused on a screen, a
 * change of its settings repeats the last cycle with them (src/run/repeat.h), so that the picture
 * answers; cycles, ledger and curve do not change, and the counted field returns before anything
 * else reads it. Engine thread only; see lane.h.
 */
#ifndef SS_HOLD_ENGINE_H
#define SS_HOLD_ENGINE_H

#include "src/engine/lane.h"

/* Why the lane holds at its present cycle; SS_HOLD_NONE: it does not. */
ss_hold ss_hold_of(const ss_lane *lane);
/* Did the user pause the lane? A run that holds was not paused. */
bool ss_hold_is_paused(const ss_engine *e, const ss_lane *lane);

/* Call before a lane advances. True: it holds. */
bool ss_hold_stays(ss_engine *e, ss_lane *lane);
/* Advances the lane by at most n cycles. Near the tolerance the norm of each field is computed at
 * once instead of during the next cycle, so that a run that holds still has the field from which
 * its last cycle started. */
int ss_hold_step(const ss_engine *e, ss_lane *lane, int64_t n, ss_err *err);
/* Call after the lane has advanced or its norm is known: it may hold now. */
void ss_hold_consider(ss_engine *e, ss_lane *lane);
/* `run` was given: the lane goes on. False, with a message: nothing is left to do. */
bool ss_hold_leave(ss_engine *e, ss_lane *lane);

/* Call before a command (changes: it may change the run), and after it with the result of the
 * first call. */
ss_hold ss_hold_before(const ss_engine *e, ss_lane *lane, bool changes);
/* The field was changed by hand: a paused run's last cycle is not repeated any more. */
void ss_hold_painted(ss_lane *lane);
void ss_hold_after(ss_engine *e, ss_hold before, bool changes);
/* The counted field instead of a repeated one, for those who read it; and back. */
void ss_hold_suspend(ss_lane *lane);
void ss_hold_resume(ss_engine *e, ss_lane *lane);

#endif
