/*
 * The state of a run that the checks of a lesson read: its settings and progress, the quantities
 * that they name, and its field for bit-for-bit comparisons. Taken on the engine thread between
 * two turns (ss_engine_setup.observe); then any thread may own it.
 */
#ifndef SS_LESSON_OBSERVATION_H
#define SS_LESSON_OBSERVATION_H

#include "src/core/run.h"
#include "src/lesson/document.h"

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
    double time, reduction;          /* reduction: |r| / |r0| */
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

#endif
