/*
 * Levels of a time-dependent equation on the CPU: what both schedules, stepper and swept, do to a
 * stretch of points. Engine thread and its OpenMP threads.
 */
#ifndef SS_CPU_LEVELS_H
#define SS_CPU_LEVELS_H

#include "kernels/cpu/state.h"
#include "kernels/geom/swept.h"

/* What stays the same through a chain of levels. Level 0 is the field on hand; level l lies in
 * row[l mod 2], whose pointers address point 0 of field 0. */
typedef struct ss_levels {
    const ss_run *run;
    ss_advance_fn *advance;
    char *row[2];
    ptrdiff_t size, field; /* bytes of a value; and from field to field */
    double latency;        /* seconds, added to every barrier of all threads */
} ss_levels;

/* Scratch of both schedules: their parameters. */
typedef struct ss_levels_plan {
    double latency;
    ss_swept nodes; /* of a solver that has any */
} ss_levels_plan;

/* For the tables of both: see ss_engine_ops. */
int ss_levels_prepare(ss_run *run, ss_err *err);
void ss_levels_release(ss_run *run);
int ss_levels_finish(ss_run *run, int64_t steps, ss_err *err);

/* Before level 1: both arrays agree where points never change. */
ss_levels ss_levels_begin(const ss_run *run);
/* Points [lo, hi) of a level >= 1 from the one before; 0 <= lo < 2n, beyond n the line begins
 * again. Two threads may do it at once unless both touch the same end of the line. */
void ss_levels_advance(const ss_levels *s, int64_t level, int lo, int hi);
/* Whole levels [first, last], by all threads, and the barrier after each. */
void ss_levels_all(const ss_levels *s, int64_t first, int64_t last);
/* The added latency, after every barrier of all threads. */
void ss_levels_wait(const ss_levels *s);

/* The row `latency`, which both schedules have. */
#define SS_LEVELS_LATENCY                                                                          \
    {                                                                                              \
        SS_ROW("latency", "Method", SS_DURATION),                                                  \
            .unit = "s", .key = "w", .zero = "none", .max = 0.01,                                  \
            .flags = SS_P_LIVE | SS_P_CONTROL | SS_P_LOG,                                          \
            .help = "added to each global synchronisation, as between distant processors"          \
    }

#endif
