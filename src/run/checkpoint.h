/*
 * Recovery of a run whose device is lost, and its last cycle once more. Engine thread (tests call
 * it from their one thread).
 */
#ifndef SS_CHECKPOINT_H
#define SS_CHECKPOINT_H

#include "src/run/copy.h"

/* --- recovery --------------------------------------------------------------------------------- */

/*
 * Recovery of a run whose device is lost. After a sticky CUDA error the fields on the GPU cannot be
 * read. The run continues on another backend, from the last checkpoint (a copy of the field on the
 * host, taken at a bounded cost) or from its start.
 */

/* Between two steps: takes a checkpoint if one is due, for backends that can be lost. Checkpoints
 * are some seconds apart and cost at most 1 % of the time. */
void ss_checkpoint_consider(ss_run *run);
/* Takes a checkpoint now; false: out of memory, or the device is lost. */
bool ss_checkpoint_take(ss_run *run);
/* Adapts `cfg` to another backend: the first of the table that is present and runs it. If that
 * backend lacks the solver, `out` names the equivalent one. SS_FAIL: there is no such backend. */
int ss_fallback(const ss_config *cfg, const ss_backend *lost, const ss_engine_ops *ops,
                ss_config *out, ss_err *err);
/* Opens a run on another backend after its own device was lost. NULL, with err unchanged: the
 * device is not lost, or no other backend runs it. */
ss_run *ss_fallback_open(const ss_config *cfg, const char *load, const char *rhs, ss_err *err);
/* Moves the run to another backend, from the last checkpoint or the start. Keeps its history up to
 * that cycle, its clocks and u*. The message "WHY: continuing on ... from cycle N" is in
 * run->rescued. On failure the run is as before. */
int ss_run_rescue(ss_run *run, const ss_err *why, ss_err *err);

/* --- the last cycle once more ----------------------------------------------------------------- */

/*
 * The last cycle once more: from the field that it started from, with other settings, and not
 * counted. A run that holds shows in this way what a change of k, overlap, block or solver does to
 * a cycle. Steady equations.
 */

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
