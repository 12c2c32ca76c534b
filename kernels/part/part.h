/*
 * One rank's part of a run whose field is divided among ranks: its storage, its cycles and its
 * share of every reduction. The rank program calls it; nothing here knows MPI. Fields are
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

#include "kernels/sample/parts.h"
#include "src/core/run.h"

/* --- messages --------------------------------------------------------------------------------- */

/*
 * What one rank needs of the others: messages, and a gather of a few numbers. Two implementations:
 * MPI in the rank program, and threads of one process in the tests. Called from the one thread that
 * steps the rank. A failure (a rank is gone) is final: err has the sentence.
 *
 * All calls are collective in this sense: a message started by one rank is expected by its peer,
 * and every rank starts the same gathers in the same order. One exchange and one gather may be in
 * progress at the same time.
 */

/* The caller neither writes the data of a send nor reads that of a receive before wait has
 * returned. Messages between the same two ranks are told apart by their tags; a rank may be its own
 * peer (a ring of one). */
typedef struct ss_message {
    int peer, tag; /* 0 <= tag < SS_COMM_TAGS */
    void *data;
    size_t bytes;
} ss_message;

#define SS_COMM_TAGS 64
#define SS_COMM_NUMBERS 16 /* the most numbers of one gather */

struct ss_comm;

typedef struct ss_comm_ops {
    /* Starts an exchange: nonblocking sends and receives. `send` has copied or will read the data
     * of the sends until wait returns. */
    int (*start)(struct ss_comm *c, const ss_message *send, int nsend, const ss_message *receive,
                 int nreceive, ss_err *err);
    /* Waits until all messages of the exchange have arrived and its sends may be overwritten. */
    int (*wait)(struct ss_comm *c, ss_err *err);
    /* Starts a gather of n numbers, which are copied. */
    int (*gather)(struct ss_comm *c, const double *v, int n, ss_err *err);
    /* Waits for the gather: all[r * n + i] is number i of rank r. Each rank gets the same bits, so
     * that sums and decisions made of them are the same everywhere. */
    int (*gathered)(struct ss_comm *c, double *all, ss_err *err);
} ss_comm_ops;

typedef struct ss_comm {
    int rank, size;
    const ss_comm_ops *ops;
    void *own; /* the implementation's */
} ss_comm;

/* --- a device --------------------------------------------------------------------------------- */

/*
 * A device that stores a rank's points and updates them, instead of the rank's own memory and
 * threads: a GPU (kernels/cuda/rank/rank.h), or an array in the tests. The schedules decide which
 * points are copied and when; the rank's memory then has messages only. Called by the one thread
 * that steps the rank. Any failure is final: the part can only be closed.
 *
 * Of a steady equation it updates boxes of points. It has two queues, so that its edges travel
 * while it computes:
 *
 *     outer queue   edges down |  messages  | halo up | edge sweeps |
 *     inner queue   inner sweep ........................................
 *
 * Calls return before their work is done. Within a queue the order is that of the calls. Besides,
 *     - an inner sweep begins after all edge sweeps and all copies up that were called before it;
 *     - a copy down begins after all sweeps that were called before it;
 *     - an edge sweep or a copy up begins after all inner sweeps but the latest one.
 *
 * Of a time-dependent equation it advances all points that it stores by whole cycles, as if they
 * were a line of their own (kernels/cuda/swept/divided.c says why that is enough).
 */

/* The arrays of a part: three fields, of which one is the current one, and the right-hand side. */
enum { SS_PART_FIELDS = 3, SS_PART_RIGHT = SS_PART_FIELDS, SS_PART_ARRAYS };

typedef struct ss_part_device {
    /* Makes arrays of the points `stored`, zero, with points around them that stay zero. run: the
     * problem, its equation, precision and coefficients; it need not outlive the call. which:
     * ss_part_setup.which. On failure nothing remains. */
    int (*open)(const ss_run *run, const ss_area *stored, int which, void **self, ss_err *err);
    void (*close)(void *self);
    /* Copies the points of a box of one field from `data`, or to it: rows `pitch` bytes apart. The
     * caller leaves data alone until copied() has returned. */
    int (*copy)(void *self, int array, int field, const ss_area *box, void *data, ptrdiff_t pitch,
                bool up, ss_err *err);
    /* Waits for the outer queue. */
    int (*copied)(void *self, ss_err *err);
    /* Steady: updates the points of a box from one array to another one. inner: in the inner queue.
     * norm: adds up the squares of the changes, for finish(). At most SS_PART_SUMS sweeps have a
     * norm between two calls of finish. */
    int (*sweep)(void *self, int from, int to, const ss_area *box, bool inner, bool norm,
                 ss_err *err);
    /* Time-dependent: advances the field in array `from` by a number of cycles of the run's solver,
     * or else of classic steps, and waits; after n levels it is in array (from + n) % 2. Wrong
     * values begin at the ends of the stored points that are not ends of the line, and come nearer
     * by the stencil's radius per level. */
    int (*advance)(void *self, int from, int64_t cycles, int64_t steps, ss_err *err);
    /* Waits for all work. *squares: the sum of the sweeps with a norm since the last call. */
    int (*finish)(void *self, double *squares, ss_err *err);
    /* Makes copies to and from this memory fast, or no longer. NULL: they are. */
    void (*pin)(void *self, void *data, size_t bytes, bool on);
} ss_part_device;

#define SS_PART_SUMS 8

/* --- a part ----------------------------------------------------------------------------------- */

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
