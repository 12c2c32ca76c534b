/*
 * Time levels of a time-dependent equation on the CPU: the update of a range of points, for both
 * schedules, stepper and swept. Engine thread and its OpenMP threads.
 */
#ifndef SS_CPU_LEVELS_H
#define SS_CPU_LEVELS_H

#include "kernels/cpu/state.h"
#include "kernels/geom/swept.h"

/* The constants of a sequence of levels. Level 0 is the current field; level l is in row[l % 2],
 * which points to point 0 of field 0. */
typedef struct ss_levels {
    const ss_run *run;
    ss_advance_fn *advance;
    char *row[2];
    ptrdiff_t size, field; /* bytes of a value; bytes from field to field */
} ss_levels;

/* Scratch of both schedules: their parameters. */
typedef struct ss_levels_plan {
    ss_swept nodes; /* swept only */
} ss_levels_plan;

/* Entries of both schedules' ss_engine_ops. */
int ss_levels_prepare(ss_run *run, ss_err *err);
void ss_levels_release(ss_run *run);
int ss_levels_finish(ss_run *run, int64_t steps, ss_err *err);

/* To be called before level 1: also copies the points that never change to the other array. */
ss_levels ss_levels_begin(const ss_run *run);
/* Computes points [lo, hi) of a level >= 1 from the previous one; 0 <= lo < 2n, with indices modulo
 * n. Two threads may call it concurrently unless both update points at the same end of the line. */
void ss_levels_advance(const ss_levels *s, int64_t level, int lo, int hi);
/* Computes whole levels first to last with all threads, with a barrier after each. */
void ss_levels_all(const ss_levels *s, int64_t first, int64_t last);

#endif
