/*
 * Schedules of whole sweeps: a cycle is one pass from the current field into the new one, in parts.
 * Such a schedule is one function that computes a part; threads, sums of squares, the norm, the
 * microscope and interruption are here. A part that needs points beyond its own which the same
 * cycle changes computes them itself, in private memory (kernels/cpu/sor.c). A schedule declares an
 * ss_sweeps and its ops by SS_SWEEPS_OPS; kernels/cpu/jacobi.c is the example. Engine thread;
 * `part` runs on the OpenMP threads.
 */
#ifndef SS_CPU_SWEEPS_H
#define SS_CPU_SWEEPS_H

#include "kernels/cpu/state.h"

/* Points [x, x + nx) of rows [j0, j1). */
typedef struct ss_sweep_part {
    int x, nx, j0, j1;
    double *sum;  /* NULL, or one sum per row, to which ss_sweeps_update adds; zero at first */
    size_t next;  /* from a row's sum to the same row's next one, if the pass has several */
    size_t right; /* from a row's sum to that of its next segment, where strips have several */
    void *memory; /* private to the thread; NULL: the schedule needs none */
    bool cached;  /* `part` reads again what ss_sweeps_update writes: no non-temporal stores */
} ss_sweep_part;

typedef struct ss_sweeps {
    int ticks; /* of a cycle: what the microscope shows, 1 ... ticks */
    int sums;  /* most sums per row in a pass; 0: one */
    /* Points of a row that a sum has at most, which divide a strip; 0: all points of the strip. */
    int segment;
    /* Bytes of private memory for a part of at most nx points in rows rows; NULL: none. Parts are
     * then so narrow that it fits the second-level cache. */
    size_t (*memory)(const ss_run *run, int nx, int rows);
    size_t plan_bytes; /* size of the plan that `plan` fills; 0: no plan */
    void (*plan)(const ss_run *run, void *plan);
    /* Writes a part of the new field: the cycle after its first `ticks` ticks. */
    void (*part)(const ss_run *run, const void *plan, int ticks, const ss_sweep_part *part);
} ss_sweeps;

/* The equation's update of a part (j1 - j0 rows). `in` and `out` are the addresses of the part's
 * first point, with rows in_sy and out_sy values apart. Adds to part->sum. */
void ss_sweeps_update(const ss_run *run, const ss_sweep_part *part, const void *in, ptrdiff_t in_sy,
                      void *out, ptrdiff_t out_sy);
/* The array that a cycle reads, and the one that it writes. */
const void *ss_sweeps_from(const ss_run *run);
void *ss_sweeps_into(const ss_run *run);
/* The byte offset of point (i, j) in an array. */
static inline size_t ss_sweeps_at(const ss_run *run, int i, int j)
{
    return ss_cpu_at(run->state, i, j, 0) * ss_prec_size(run->prec);
}

/* Sweeps the current field into the other one, outside of a step and without a report to the run.
 * squares: NULL, or it gets the sum of squared changes. */
void ss_sweeps_once(const ss_run *run, double *squares);

/* For schedules with a cycle of their own: the plan; a whole sweep that the app does not interrupt;
 * and |r| of the field from which the last sweep with `check` started. */
void *ss_sweeps_plan(const ss_run *run);
/* A pass of a method that has several: calls `part` for the whole field with `which` in place of
 * the ticks. out gets the pass's `sums` sums over the field, each in a fixed order. */
void ss_sweeps_pass(const ss_run *run, int which, int sums, double *out);
void ss_sweeps_whole(const ss_run *run, bool check);
double ss_sweeps_norm(const ss_run *run);

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
