/*
 * Kernels that are compiled ahead, on a thread of their own, while the runs go on: a command that
 * needs others than the run has (`set`, `unset`, `open`, `add`) waits until they are there, and is
 * executed then. Commands behind it wait too, except those that interrupt, and two that replace it:
 * `open`, and another value of the same parameter (of a dragged slider, the last one counts).
 * While nothing waits, the kernels of the next values of the run's controls are compiled. Scripts,
 * deterministic runs and runs without a front end wait for their kernels. Engine thread, except as
 * stated.
 */
#ifndef SS_AWAIT_H
#define SS_AWAIT_H

#include "src/engine/lane.h"

/* Starts no thread before it is needed. NULL: memory is short, and nothing is compiled ahead. */
struct ss_await *ss_await_new(ss_engine *e);
/* Waits a moment for a kernel in progress. The engine thread has ended. */
void ss_await_free(struct ss_await *a);

/* The place in the queue of the command that is next, -1: all wait for the kept one. The queue is
 * not empty. Under the engine's lock. */
int ss_await_next(const ss_engine *e);
/* Is a command that was kept to be executed now? Any thread. */
bool ss_await_is_ready(const ss_engine *e);
/* Keeps a command from the queue. False: it is to be executed now. */
bool ss_await_keeps(ss_engine *e, ss_cmd *cmd);
/* The kept command, if its kernels are there. Kernels that cannot be compiled end it with a
 * message. */
ss_cmd *ss_await_take(ss_engine *e);
/* Once per turn; as ss_classic_turn. */
double ss_await_turn(ss_engine *e, double idle);
/* The last executed command, before the one that is kept; and has one waited so long that it is to
 * be said why? */
uint64_t ss_await_ticket(ss_engine *e);
bool ss_await_is_slow(const ss_engine *e);

#endif
