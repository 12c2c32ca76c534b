/*
 * Private to src/run: shared by several files. Engine thread only.
 */
#ifndef SS_RUN_PARTS_H
#define SS_RUN_PARTS_H

#include "src/base/file.h"
#include "src/core/run.h"

typedef struct ss_saved ss_saved; /* a saved state, below */

/* Reads the files that the run was opened with into its fields. *state: the saved state that `load`
 * is, to close; NULL: it is none. */
int ss_run_read_inputs(ss_run *run, ss_saved **state, ss_err *err);
/* Resets cycles, clocks and residuals to cycle 0; leaves the fields as they are. */
void ss_run_forget_progress(ss_run *run);
/* Fails if the diagonal of a steady equation differs from `before`: the right-hand side was divided
 * by it when the run began, so a live change must not alter it. */
int ss_run_same_diagonal(const ss_run *run, const ss_coef *before, ss_err *err);
/* Does the cycles, or the classic steps that complete a run whose end lies inside a cycle; both add
 * their time and their cost. */
int ss_run_advance(ss_run *run, int64_t cycles, ss_err *err);
int ss_run_finish(ss_run *run, int64_t steps, ss_err *err);
/* Adds the time since ss_run_clock_start. */
void ss_run_add_seconds(ss_run *run);
/* A number for the equation, the solver and the values of the solver's rows. What a cycle hands on
 * to the next one (ss_engine_ops.memory) is valid only where it is the same: the search directions
 * of one variant of CG mean nothing to another. Other rows (threads, stores, checks) do not count.
 * It is the same in every process. */
uint64_t ss_run_method(const ss_config *cfg);

/* --- transient equations (conservation.c) ----------------------------------------------------- */

/* Drops the copy of fields that have not diverged: the search for divergence has no start. */
void ss_good_forget(ss_run *run);

/* Transient equations: calls ss_run_watch if it is due. */
int ss_run_watch_sometimes(ss_run *run, ss_err *err);
/* Steps left to the simulated time limit; INT64_MAX: no limit. */
int64_t ss_run_steps_left(const ss_run *run);

/* --- saved states (saved.c) ------------------------------------------------------------------- */

/*
 * Saved states (.ckpt), from which a run continues bit for bit. A state is an array that NumPy
 * reads; behind it, which NumPy ignores, a line of JSON, what the method's next cycle
 * needs besides the field, the right-hand side if it came from a file, and a checksum of all bytes.
 */

/* Does a file of this name hold a state? */
bool ss_saved_is_name(const char *path);
/* Writes what follows the array. */
int ss_saved_write(ss_run *run, ss_npy *f, ss_err *err);
/* Opens and checks a file; *out NULL: it is an array and no state. */
int ss_saved_open(const char *path, ss_saved **out, ss_err *err);
/* s may be NULL. */
void ss_saved_close(ss_saved *s);
/* Is it a state of the run's problem? The sentence says what differs. */
int ss_saved_suits(const ss_saved *s, const ss_run *run, ss_err *err);
bool ss_saved_has_rhs(const ss_saved *s);
/* Uploads the right-hand side. */
int ss_saved_put_rhs(ss_saved *s, ss_run *run, ss_err *err);
/* Restores what the method's next cycle needs, if the run continues with that method; otherwise,
 * and with s NULL, the method starts again from the field. The schedule is prepared. */
int ss_saved_put_memory(ss_saved *s, ss_run *run, ss_err *err);
/* Restores counters, first residual and ledger; nothing with s NULL. */
void ss_saved_put_progress(const ss_saved *s, ss_run *run);

#endif
