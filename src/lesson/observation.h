/*
 * What the checks of a lesson know of a run: its settings, where it stands, the quantities that
 * they ask for, and its field where bits are compared. Taken on the engine thread between two
 * turns (ss_engine_setup.observe), then a value that any thread may own.
 */
#ifndef SS_LESSON_OBSERVATION_H
#define SS_LESSON_OBSERVATION_H

#include "src/core/run.h"
#include "src/lesson/document.h"

#define SS_QUANTITIES_MAX 32

/* The slow part of an observation, none of it by default. */
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
    double time, reduction;          /* reduction: |r| / |r0| */
    double value[SS_QUANTITIES_MAX]; /* NaN: not wanted, or not known */
    char *field;                     /* NULL: not wanted */
    size_t bytes;
} ss_observation;

/* What the checks need of the student's run, or of the baseline. */
ss_wanted ss_wanted_by(const ss_check *check, int n, bool baseline);
/* Slow quantities and the field are left out of a run that is not still. */
int ss_observation_take(ss_run *run, ss_wanted wanted, bool still, ss_observation *out,
                        ss_err *err);
/* Frees the field. */
void ss_observation_drop(ss_observation *x);

#endif
