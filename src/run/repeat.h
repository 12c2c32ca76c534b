/*
 * The last cycle once more: from the field that it started from, with other settings, and not
 * counted. A run that holds shows in this way what a change of k, overlap, block or solver does to
 * a cycle. Steady equations. Engine thread (tests call it from their one thread).
 */
#ifndef SS_REPEAT_H
#define SS_REPEAT_H

#include "src/core/run.h"

/* Copies in host memory: the field, and the field that the last cycle started from. */
typedef struct ss_repeat ss_repeat;

/* NULL: the start of the last cycle is not kept, or the copies need too much memory. */
ss_repeat *ss_repeat_keep(ss_run *run);
void ss_repeat_free(ss_repeat *r);
/* Repeats the cycle with the run's present settings; its result becomes the field and its start
 * is kept. Cycle, iteration, ledger, norms, curve and clocks stay as they are. On failure the field
 * is the counted one. */
int ss_repeat_cycle(ss_run *run, const ss_repeat *r, ss_err *err);
/* The counted field replaces the repeated one. */
int ss_repeat_return(ss_run *run, const ss_repeat *r, ss_err *err);

#endif
