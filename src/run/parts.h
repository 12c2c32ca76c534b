/*
 * Private to src/run: shared by several files. Engine thread only.
 */
#ifndef SS_RUN_PARTS_H
#define SS_RUN_PARTS_H

#include <pthread.h>
#include <stdatomic.h>

#include "src/base/file.h"
#include "src/run/copy.h"

typedef struct ss_saved ss_saved;         /* a saved state, below */
typedef struct ss_reference ss_reference; /* src/run/reference.h */

/* Reads the files that the run was opened with into its fields. *state: the saved state that `load`
 * is, to close; NULL: it is none. */
int ss_run_read_inputs(ss_run *run, ss_saved **state, ss_err *err);
/* Fails if the diagonal of a steady equation differs from `before`: the right-hand side was divided
 * by it when the run began, so a live change must not alter it. */
int ss_run_same_diagonal(const ss_run *run, const ss_coef *before, ss_err *err);
/* Does the cycles, or the classic steps that complete a run whose end lies inside a cycle; both add
 * their time and their cost. */
int ss_run_advance(ss_run *run, int64_t cycles, ss_err *err);
int ss_run_finish(ss_run *run, int64_t steps, ss_err *err);
/* Computes the norm of the present field. counts: its time is part of the run's. */
int ss_run_take_norm(ss_run *run, bool counts, ss_err *err);
/* --- transient equations (conservation.c) ----------------------------------------------------- */

/* Transient equations: calls ss_run_watch if it is due. */
int ss_run_watch_sometimes(ss_run *run, ss_err *err);
/* Steps left to the simulated time limit; INT64_MAX: no limit. */
int64_t ss_run_steps_left(const ss_run *run);

/* --- references (reference.c) ----------------------------------------------------------------- */

struct ss_reference {
    int (*solve)(ss_reference *ref); /* fills u */
    const ss_equation *eq;
    ss_config cfg; /* problem.cfg points here, since the run's own config may change */
    ss_problem problem;
    double *g;              /* the right-hand side; freed by the thread after the solve */
    const char *load, *rhs; /* files that the run started from, or NULL */
    double *u, largest;     /* max |u| */
    pthread_t thread;
    bool joined;
    int others; /* owners beside the first */
    atomic_bool done, cancelled;
    /* Written by the thread before `done`. */
    int status;
    ss_err err;
    double seconds;
};

size_t ss_reference_points(const ss_run *run);
/* Fails if there is too little memory; writes `total` as text to need. */
int ss_reference_memory(const ss_run *run, const char *name, double total, char *need, size_t size,
                        ss_err *err);
/* All but the computation itself. */
ss_reference *ss_reference_new(const ss_run *run, int (*solve)(ss_reference *ref), const char *what,
                               ss_err *err);
/* Starts the computation on a thread of its own. */
int ss_reference_run(ss_reference *ref, const char *what, ss_err *err);

/* --- arrays in files (files.c) ---------------------------------------------------------------- */

/* Reads a whole array into `which` (0 field, 1 right-hand side), multiplied by factor. It is
 * checked first, so a bad file leaves the run unchanged; check: that alone. */
int ss_array_check(ss_run *run, const char *path, double factor, bool is_state, ss_err *err);
int ss_array_read(ss_run *run, int which, const char *path, double factor, bool is_state,
                  ss_err *err);

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
