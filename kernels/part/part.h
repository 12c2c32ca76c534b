/*
 * One rank's part of a run whose field is divided among ranks: its storage, its cycles and its
 * share of every reduction. The rank program calls it; nothing here knows MPI (comm.h). Fields are
 * bit-for-bit those of the backend cpu.
 *
 * Functions marked "collective" are called by all ranks, in the same order and with the same
 * arguments unless it says otherwise; they exchange messages. One thread calls; OpenMP threads work
 * inside a call. After a failed communication, or a failure of its device, a part can only be
 * closed.
 *
 * Sources: exact halos and frozen halos of subdomains, Islam & Wang, hierarchical Jacobi, equations
 * 8-10 and 15-18; the swept rule between processes, Alhubail & Wang.
 */
#ifndef SS_PART_PART_H
#define SS_PART_PART_H

#include <stdatomic.h>

#include "kernels/part/comm.h"
#include "kernels/part/device.h"
#include "kernels/sample/parts.h"
#include "src/core/run.h"

typedef struct ss_part_run ss_part_run;

/* How a solver's cycles are divided among ranks. The one to use is the `own` of the backend's
 * engine ops (src/core/backend.h). */
typedef struct ss_part_schedule ss_part_schedule;
/* Slabs of rows (in 1D of points). A halo `exchange` points deep is received every `exchange`
 * iterations; in between a rank repeats the neighbours' updates in its halo. */
extern const ss_part_schedule ss_part_jacobi;
/* Ranks are tiles: one subdomain each. k subiterations with a frozen halo, one message per cycle.
 */
extern const ss_part_schedule ss_part_shared;
/* One message per time step: the halo of all its stages. */
extern const ss_part_schedule ss_part_stepper;
/* One message per diamond; a rank holds consecutive nodes. */
extern const ss_part_schedule ss_part_swept;

typedef struct ss_part_setup {
    const ss_config *cfg; /* checked; copied. Its block sizes do not count where ranks are tiles */
    const ss_part_schedule *schedule;
    int exchange;                 /* jacobi: iterations per message, at least 1; others ignore it */
    int threads;                  /* OpenMP threads of this rank */
    const ss_part_device *device; /* stores and updates this rank's points; NULL: the CPU does.
                                     Ranks may differ if the equation is steady */
    int which;                    /* of the devices of this machine */
} ss_part_setup;

/* The points [x0, x1) x [y0, y1). In 1D y counts the copies. */
typedef ss_area ss_part_box;

/* Could this config run on `ranks` ranks? If not, err has one sentence with the valid range. Pure:
 * also for the program, before it starts any rank. */
int ss_part_check(const ss_part_setup *setup, int ranks, ss_err *err);
/* The points that a rank owns: parts are disjoint and cover the field. Pure, after ss_part_check.
 */
ss_part_box ss_part_owned(const ss_part_setup *setup, int rank, int ranks);
/* Can a device compute a rank's part? If not, err has one sentence. Pure. */
int ss_part_check_device(const ss_part_setup *setup, ss_err *err);
/* Are ranks tiles? */
bool ss_part_is_tiled(const ss_part_setup *setup);
/* The tiling whose subdomains are the ranks, in rows; only for ss_part_shared. */
ss_tiling ss_part_tiling(const ss_part_setup *setup, int ranks);

/* Allocates the part and fills it with init and rhs. Not collective. NULL: nothing remains
 * allocated. comm must live as long as the part. */
ss_part_run *ss_part_open(const ss_part_setup *setup, ss_comm *comm, ss_err *err);
void ss_part_close(ss_part_run *part);
/* Collective: another setup of the same problem (same equation, points and precision), with the
 * fields kept: points move to the ranks that own them now. On failure *part is as before. */
int ss_part_configure(ss_part_run **part, const ss_part_setup *setup, ss_err *err);
/* The initial field again; right-hand sides that were put stay. Not collective. */
int ss_part_reset(ss_part_run *part, ss_err *err);

/* The points that this rank owns, and those that it stores: the owned ones and its halo. */
ss_part_box ss_part_own(const ss_part_run *part);
ss_part_box ss_part_owned_by(const ss_part_run *part, int rank);
ss_part_box ss_part_stored(const ss_part_run *part);
/* Copies the points of `box` that this rank stores from `data`, or those that it owns to `data`.
 * which: 0 the current field, 1 the right-hand side. data: the run's precision, the value at
 * (x0, y0), rows `stride` values apart. Not collective. After a put of the right-hand side every
 * rank must have received the points that it stores; of the field, those that it owns suffice. */
int ss_part_put(ss_part_run *part, int which, int field, const ss_part_box *box, const void *data,
                ptrdiff_t stride, ss_err *err);
int ss_part_get(ss_part_run *part, int which, int field, const ss_part_box *box, void *data,
                ptrdiff_t stride, ss_err *err);
/* Has its device failed? Then the other ranks wait for messages that never come: end them. */
bool ss_part_failed(const ss_part_run *part);

/* What ends a batch, and when norms are due: see ss_run_wants_norm and ss_run_norm. */
typedef struct ss_part_batch {
    int64_t cycles;          /* at most this many, > 0 */
    int64_t cycle;           /* the number of the current field's cycle */
    int64_t residual_cycle;  /* the last cycle whose norm is known; -1: none */
    int64_t check_every;     /* cycles between norms; 0: never */
    double residual0;        /* of the run's first norm; the batch sets its own if there is none */
    double tol;              /* stop at |r| <= tol residual0; 0: do not */
    double growth;           /* stop at |r| > growth residual0; 0: do not */
    double seconds;          /* end the batch after about this time; 0: do not */
    const atomic_bool *stop; /* drop the cycle in progress if it is set on any rank; NULL: no flag.
                                Seconds and flag may differ between the ranks */
} ss_part_batch;

#define SS_PART_NORMS_MAX 1024 /* of one batch; the batch ends there */

typedef struct ss_part_norm {
    int64_t cycle;
    double norm; /* |b - A u|_2 of the field of that cycle */
} ss_part_norm;

/* The same on all ranks, but for the last line. */
typedef struct ss_part_done {
    int64_t cycles;  /* finished; the current field is that of batch.cycle + cycles */
    int64_t dropped; /* begun or finished beyond it, and discarded */
    bool reached;    /* the last norm met tol, is not finite, or is beyond `growth` */
    bool stopped;    /* a flag was seen */
    int norms;
    ss_part_norm norm[SS_PART_NORMS_MAX];
    double seconds, compute, send, wait; /* of this rank; wait: for messages and gathers. With a
                                            device `send` includes the copies of its edges */
} ss_part_done;

/* Collective. A halo that is still valid from the last batch is used (jacobi). Norms are known one
 * sweep late: cycles beyond the one that stops the run are discarded, so that the field is that
 * of the cycle at which backend cpu stops. */
int ss_part_step(ss_part_run *part, const ss_part_batch *batch, ss_part_done *done, ss_err *err);
/* Collective. Time-dependent equations: classic steps, for a remainder shorter than a cycle. */
int ss_part_finish(ss_part_run *part, int64_t steps, ss_err *err);

/* Figures of the whole field. */
typedef struct ss_part_figures {
    double residual;  /* |b - A u|_2 of a steady equation; else NaN */
    double max_error; /* max |u - ref|, HUGE_VAL if one is not a number; NaN: no ref */
    double largest;   /* max |u| over all fields; HUGE_VAL if one is not finite */
    double monitor[SS_MONITOR_MAX]; /* the equation's, over all points */
} ss_part_figures;

/* Collective. ref: NULL on all ranks, or each rank's owned points, dense doubles. */
int ss_part_reduce(ss_part_run *part, const double *ref, ss_part_figures *out, ss_err *err);

/* Shows where the fields lie: u and the right-hand side at the stored points. Valid until the next
 * call that changes them. The start of a cycle is not kept. With `halo`, collective: first brings
 * the halo up to date, one point deep at least. plan: only the rows that this picture reads, and
 * their neighbours, need be there (a device copies no others); NULL: all. */
int ss_part_show(ss_part_run *part, bool halo, const ss_plan *plan, ss_parts *out, ss_err *err);
/* The run's problem and its equation, solver, precision and coefficients, for a sampler. It is not
 * stepped: its counters stay 0. */
ss_run *ss_part_described(ss_part_run *part);

#endif
