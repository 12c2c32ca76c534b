/*
 * An engine without a front end, for the scripts of a lesson: commands go to the engine one at a
 * time, and each returns when the engine has carried it out and the run is still. One thread at a
 * time may use it. And what the checks of a lesson read of any run: its settings and progress, the
 * quantities that they name, and its field for bit-for-bit comparisons.
 */
#ifndef SS_LESSON_HEADLESS_H
#define SS_LESSON_HEADLESS_H

#include <stdatomic.h>

#include "src/core/run.h"
#include "src/lesson/document.h"

/* --- observations: taken on the engine thread between two turns (ss_engine_setup.observe); then
 * any thread may own one. ---------------------------------------------------------------------- */

#define SS_QUANTITIES_MAX 32

/* The parts of an observation that take time; none by default. */
typedef struct ss_wanted {
    uint32_t quantities; /* a bit per row of ss_lesson_quantities */
    bool field;
} ss_wanted;

typedef struct ss_observation {
    ss_config cfg;
    ss_status status;
    ss_kind kind;
    bool begun, reached, painted;
    bool has_end; /* a tolerance or a limit ends it */
    bool still;   /* it does not advance */
    int64_t cycle, iteration, step;
    int iterations_per_cycle;
    int undoable;                    /* changes that `undo` can take back; headless runs only */
    double value[SS_QUANTITIES_MAX]; /* NaN: not wanted, or not known */
    char *field;                     /* NULL: not wanted */
    size_t bytes;
} ss_observation;

/* The parts that the checks need of the student's run, or of the baseline. */
ss_wanted ss_wanted_by(const ss_check *check, int n, bool baseline);
/* Slow quantities and the field are left out of a run that is not still. */
int ss_observation_take(ss_run *run, ss_wanted wanted, bool still, ss_observation *out,
                        ss_err *err);
/* Frees the field. */
void ss_observation_drop(ss_observation *x);

/* --- the engine ------------------------------------------------------------------------------- */

typedef struct ss_headless ss_headless;

/* A time limit for all commands of a lesson together, and a flag that ends them at once. */
typedef struct ss_budget {
    double seconds, until;   /* until: a time of ss_clock */
    const atomic_bool *stop; /* may be NULL */
} ss_budget;

/* A paused run of a checked config. NULL: err says why. */
ss_headless *ss_headless_open(const ss_config *cfg, const ss_budget *budget, ss_err *err);
void ss_headless_close(ss_headless *h);
/* SS_FAIL: the command failed, or the budget is spent; the run is then paused where it is. */
int ss_headless_do(ss_headless *h, const ss_cmd *cmd, const ss_budget *budget, ss_err *err);
int ss_headless_line(ss_headless *h, const char *line, const ss_budget *budget, ss_err *err);
/* Observes the run as it is now, with the wanted parts; the caller drops *out. */
int ss_headless_observe(ss_headless *h, ss_wanted wanted, const ss_budget *budget,
                        ss_observation *out, ss_err *err);
/* The run after the last command, without quantities and field. */
const ss_observation *ss_headless_now(const ss_headless *h);

#endif
