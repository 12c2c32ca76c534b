/*
 * Schedules of whole sweeps: each pass goes once through the field, all threads wait for each other
 * behind it, and a cycle is a few passes. Such a schedule is one function that updates a part of
 * the field; threads, sums of squares, the norm, the microscope and interruption are here. A
 * schedule declares an ss_sweeps and its ops by SS_SWEEPS_OPS; kernels/cpu/jacobi.c is the example.
 * Engine thread; `part` runs on the OpenMP threads.
 */
#ifndef SS_CPU_SWEEPS_H
#define SS_CPU_SWEEPS_H

#include "kernels/cpu/state.h"

/* Points [x, x + nx) of rows [j0, j1). */
typedef struct ss_part {
    int x, nx, j0, j1;
    double *sum; /* pass 0: NULL, or a sum for each row, to which ss_sweeps_update adds */
    void *row;   /* in place: nx values of this thread alone; else NULL */
} ss_part;

typedef struct ss_sweeps {
    int passes; /* of a cycle; the microscope shows the field after each */
    /* Passes after the first change the new field itself. Then a row belongs to one thread, and
     * the part has a row of memory to compute in. */
    bool in_place;
    size_t plan_bytes; /* of what `plan` fills; 0: there is nothing to resolve */
    void (*plan)(const ss_run *run, void *plan);
    /* From the field `from` (pass 0: the current one; later: the new one) into the new one. */
    void (*part)(const ss_run *run, const void *plan, int pass, const ss_part *part);
} ss_sweeps;

/* The equation's update of a part (j1 - j0 rows), read from the array `in`, into `out`, which is
 * where the part's first point goes; rows of out lie out_sy values apart. Adds to part->sum. */
void ss_sweeps_update(const ss_run *run, const ss_part *part, const void *in, void *out,
                      ptrdiff_t out_sy);
/* The array that a pass reads, and the one that it writes. */
const void *ss_sweeps_from(const ss_run *run, int pass);
void *ss_sweeps_into(const ss_run *run);
/* Of an array: point (i, j). */
static inline size_t ss_sweeps_at(const ss_run *run, int i, int j)
{
    return ss_cpu_at(run->state, i, j, 0) * ss_prec_size(run->prec);
}

/* The functions of the table. */
int ss_sweeps_prepare(ss_run *run, ss_err *err);
int ss_sweeps_step(ss_run *run, int64_t cycles, ss_err *err);
int ss_sweeps_peek(ss_run *run, int s, ss_err *err);
void ss_sweeps_release(ss_run *run);
#define SS_SWEEPS_OPS(NAME, SWEEPS)                                                                \
    {                                                                                              \
        .name = NAME, .caps = SS_CAP_EXACT | SS_CAP_TICK, .own = SWEEPS,                           \
        .prepare = ss_sweeps_prepare, .step = ss_sweeps_step, .peek = ss_sweeps_peek,              \
        .release = ss_sweeps_release                                                               \
    }

#endif
