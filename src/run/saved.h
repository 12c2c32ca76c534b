/*
 * Saved states (.ckpt), from which a run continues bit for bit. A state is an array that NumPy
 * reads; behind it, which NumPy ignores, a line of JSON (progress.c), what the method's next cycle
 * needs besides the field, the right-hand side if it came from a file, and a checksum of all bytes.
 * Private to src/run. Engine thread.
 */
#ifndef SS_SAVED_H
#define SS_SAVED_H

#include "src/base/json_out.h"
#include "src/base/npy.h"
#include "src/core/run.h"

typedef struct ss_saved ss_saved;

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

/* --- the line (progress.c) -------------------------------------------------------------------- */

/* The problem, the settings that were given, counters, first residual, ledger. NULL: out of memory.
 */
json_t *ss_progress_line(const ss_run *run);
/* Fails if a member is missing or has no valid value. */
int ss_progress_check(const json_t *line, const char *path, ss_err *err);
int ss_progress_suits(const json_t *line, const char *path, const ss_run *run, ss_err *err);
void ss_progress_take(const json_t *line, ss_run *run);
/* Sets the equation, the solver and what was given. */
int ss_progress_settings(const json_t *line, ss_config *cfg, ss_err *err);

#endif
