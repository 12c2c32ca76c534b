/*
 * Schedules of whole sweeps: a cycle is a few passes over the field with a barrier after each. Such
 * a schedule is one function that updates a part of the field; threads, sums of squares, the norm,
 * the microscope and interruption are here. A schedule declares an ss_sweeps and its ops by
 * SS_SWEEPS_OPS; kernels/cpu/jacobi.c is the example. Engine thread; `part` runs on the OpenMP
 * threads.
 */
#ifndef SS_CPU_SWEEPS_H
#define SS_CPU_SWEEPS_H

#include "kernels/cpu/state.h"

/* Points [x, x + nx) of rows [j0, j1). */
typedef struct ss_part {
    int x, nx, j0, j1;
    double *sum; /* pass 0: NULL, or one sum per row, to which ss_sweeps_update adds */
    void *row;   /* in place: a private row of nx values per thread; else NULL */
} ss_part;

typedef struct ss_sweeps {
    int passes; /* per cycle; the microscope shows the field after each */
    /* Passes after the first update the new field in place. Then one thread owns the whole row,
     * and ss_part.row is a buffer for the new values. The first and last row of a part have
     * neighbours that other threads are writing: update only points there whose neighbours this
     * pass does not write, each as a part of its own (one colour of a checkerboard, say). */
    bool in_place;
    size_t plan_bytes; /* size of the plan that `plan` fills; 0: no plan */
    void (*plan)(const ss_run *run, void *plan);
    /* Updates a part. Pass 0 reads the current field, later passes the new one; all write the new
     * one. */
    void (*part)(const ss_run *run, const void *plan, int pass, const ss_part *part);
} ss_sweeps;

/* The equation's update of a part (j1 - j0 rows). `in` is a whole array; `out` is the address of
 * the part's first point, with rows out_sy values apart. Adds to part->sum. */
void ss_sweeps_update(const ss_run *run, const ss_part *part, const void *in, void *out,
                      ptrdiff_t out_sy);
/* The array that a pass reads, and the one that it writes. */
const void *ss_sweeps_from(const ss_run *run, int pass);
void *ss_sweeps_into(const ss_run *run);
/* The byte offset of point (i, j) in an array. */
static inline size_t ss_sweeps_at(const ss_run *run, int i, int j)
{
    return ss_cpu_at(run->state, i, j, 0) * ss_prec_size(run->prec);
}

/* Sweeps the current field into the other one, outside of a step and without a report to the run.
 * squares: NULL, or it gets the sum of squared changes. */
void ss_sweeps_once(const ss_run *run, double *squares);

/* The functions of ss_engine_ops. */
int ss_sweeps_prepare(ss_run *run, ss_err *err);
int ss_sweeps_step(ss_run *run, int64_t cycles, ss_err *err);
int ss_sweeps_peek(ss_run *run, int s, ss_err *err);
void ss_sweeps_release(ss_run *run);
#define SS_SWEEPS_OPS(NAME, SWEEPS)                                                                \
    {                                                                                              \
        SS_SWEEPS_MEMBERS(NAME, SWEEPS)                                                            \
    }
/* The same with parameter rows of its own. */
#define SS_SWEEPS_OPS_ROWS(NAME, SWEEPS, ROWS)                                                     \
    {                                                                                              \
        SS_SWEEPS_MEMBERS(NAME, SWEEPS), .params = ROWS, .nparam = sizeof ROWS / sizeof *ROWS      \
    }
#define SS_SWEEPS_MEMBERS(NAME, SWEEPS)                                                            \
    .name = NAME, .caps = SS_CAP_EXACT | SS_CAP_TICK, .own = SWEEPS, .prepare = ss_sweeps_prepare, \
    .step = ss_sweeps_step, .peek = ss_sweeps_peek, .release = ss_sweeps_release

#endif
