/*
 * Evaluates the checks of a step while a student works on a live run. The engine thread hands over
 * an observation when the run has changed. A separate thread evaluates it, because a baseline, a
 * best value or a bit-for-bit comparison needs further runs. The main thread reads the results.
 * No thread waits for another. The checks are those of grade (evaluate.c).
 */
#ifndef SS_EXAMINER_H
#define SS_EXAMINER_H

#include "src/engine/thread.h"
#include "src/lesson/runner.h"

typedef struct ss_examiner ss_examiner;

/* `wake` is called from the examiner's thread when there are new results. NULL: no memory. */
ss_examiner *ss_examiner_new(const ss_config *machine, void (*wake)(void *ctx), void *ctx,
                             ss_err *err);
void ss_examiner_free(ss_examiner *x);
/* Selects step `index` of a lesson (-1: none) and drops all earlier results. The lesson must exist
 * until ss_examiner_free. Main thread. */
void ss_examiner_begin(ss_examiner *x, const ss_lesson *l, int index);
/* Engine thread: ss_engine_setup.observe. */
void ss_examiner_observe(const ss_engine_moment *now, void *examiner);
/* Are the results those of a still run after the command of that ticket? Main thread. */
bool ss_examiner_is_current(ss_examiner *x, uint64_t ticket);
/* The results of the step's checks, in order. True: all of them are met. Main thread. */
bool ss_examiner_results(ss_examiner *x, ss_check_result out[SS_CHECKS_MAX]);

#endif
