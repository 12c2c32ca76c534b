/*
 * Private to kernels/part: the memory of a part, the messages of an exchange, and the functions of
 * a schedule. Engine thread of a rank; OpenMP threads inside a sweep.
 */
#ifndef SS_PART_INNER_H
#define SS_PART_INNER_H

#include "kernels/part/part.h"

/* One message of an exchange: the points of a box, in one or two arrays. */
typedef struct ss_link {
    int peer, tag;
    ss_part_box box;
} ss_link;

/* An exchange that is done many times: its messages and their buffers. */
typedef struct ss_exchange {
    ss_link *send, *receive;
    int nsend, nreceive;
    int arrays;   /* 1 or 2 per message */
    char *buffer; /* of all messages, from its first page on: */
    size_t bytes; /* of whole pages */
    ss_message *out, *in;
} ss_exchange;

/* What is known of a gather that is in progress. */
typedef struct ss_look {
    bool open;     /* a gather is in progress */
    bool norm;     /* it has the norm of the field of cycle `cycle`, which is in array `kept` */
    int64_t cycle; /* counted from the beginning of the batch */
    int kept;
    int64_t next; /* the cycle of the next gather if no norm is due before */
    double began; /* clock at the beginning of the batch */
} ss_look;

typedef enum ss_verdict {
    SS_GO_ON,
    SS_ENOUGH, /* end the batch after the cycle in progress */
    SS_DROP,   /* end it at once: discard the cycle in progress */
    SS_BACK    /* end it with the field of the norm */
} ss_verdict;

struct ss_part_run {
    ss_part_setup setup;
    ss_config cfg;
    ss_comm *comm;
    ss_run *run; /* described */
    ss_part_box own, cover, stored;
    ss_box box;   /* memory layout of the stored points */
    size_t bytes; /* of an array: all fields */
    /* Fields and the right-hand side; array[cur] is the current field. NULL: there is none, or it
     * lies on the device. The third field only where norms are computed. */
    char *array[SS_PART_ARRAYS];
    int cur;
    const ss_part_device *device; /* NULL: the arrays are in memory */
    void *on_device;              /* its own */
    bool failed;                  /* the device has */
    char *seen[SS_PART_ARRAYS];   /* copies of rows on the device, for pictures and figures: of the
                                     current field in [0], of the right-hand side; NULL: none yet */
    int fresh;    /* iterations that the current halo still allows (jacobi); 0: it is out of date */
    bool stream;  /* the fields exceed the caches: use non-temporal stores */
    double *sum;  /* sums of squares of segments of rows; */
    size_t nsum;  /* those in use */
    char *frozen; /* the halo of the current field, dense, on its way to other arrays; NULL: none */
    ss_exchange halo;           /* of the current field */
    ss_exchange left, right;    /* swept: before odd diamonds, and before even ones */
    ss_swept swept;             /* swept: all nodes, */
    int nodes[2];               /* and those of this rank, first and end */
    double compute, send, wait; /* seconds of the batch */
};

struct ss_part_schedule {
    ss_kind kind;
    bool frozen; /* a cycle iterates with a frozen halo, which it receives first */
    bool device; /* a device can do its sweeps or cycles */
    int (*check)(const ss_part_setup *setup, const ss_problem *p, int ranks, ss_err *err);
    ss_part_box (*owned)(const ss_part_setup *setup, const ss_problem *p, int rank, int ranks);
    /* The points that a cycle updates: owned points and those that it computes again. */
    ss_part_box (*cover)(const ss_part_setup *setup, const ss_problem *p, int rank, int ranks);
    /* Points stored beyond the cover on each side. */
    int (*beyond)(const ss_part_setup *setup, const ss_problem *p);
    int (*prepare)(ss_part_run *part, ss_err *err); /* its exchanges */
    int (*step)(ss_part_run *part, const ss_part_batch *batch, ss_part_done *done, ss_err *err);
};

/* --- exchange.c: boxes ------------------------------------------------------------------------ */

ss_part_box ss_box_meet(ss_part_box a, ss_part_box b);
bool ss_box_empty(ss_part_box a);
ss_part_box ss_box_grow(ss_part_box a, int x, int y);
/* All points of the problem. */
ss_part_box ss_box_domain(const ss_problem *p);

/* The byte offset of point (x, y) of field f in an array. */
static inline ptrdiff_t ss_part_offset(const ss_part_run *part, int f, int x, int y)
{
    ptrdiff_t at = (ptrdiff_t)part->box.first + f * (ptrdiff_t)part->box.count +
                   (y - part->stored.y0) * part->box.sy + (x - part->stored.x0);
    return at * (ptrdiff_t)ss_prec_size(part->run->prec);
}

/* --- exchange.c: messages --------------------------------------------------------------------- */

/* Room for n messages each way. */
int ss_exchange_make(ss_exchange *x, int n, int arrays, ss_err *err);
/* After send and receive are filled: buffers for these boxes. */
int ss_exchange_buffers(const ss_part_run *part, ss_exchange *x, ss_err *err);
void ss_exchange_free(const ss_part_run *part, ss_exchange *x);
/* Packs and sends; array: the numbers of x->arrays arrays. */
int ss_exchange_start(ss_part_run *part, ss_exchange *x, const int *array, ss_err *err);
/* The same in two calls: a device has begun to pack; it may get more work before the rank waits for
 * it and sends. */
int ss_exchange_pack(ss_part_run *part, ss_exchange *x, const int *array, ss_err *err);
int ss_exchange_send(ss_part_run *part, ss_exchange *x, ss_err *err);
/* Waits and unpacks. */
int ss_exchange_end(ss_part_run *part, ss_exchange *x, const int *array, ss_err *err);
/* Sends points from one part of this rank to another one, which has other points: part `to`
 * receives the points `wanted(rank)` from their owners in `from`. array: its number in each part.
 */
int ss_exchange_move(ss_part_run *from, ss_part_run *to, int from_array, int to_array,
                     ss_part_box (*wanted)(const ss_part_run *to, int rank), ss_err *err);
/* Makes part->halo. A plane, or copies of a line: each point of the halo from its owner. */
int ss_exchange_plane(ss_part_run *part, ss_err *err);
/* Makes part->halo of a line: `depth` points on each side. */
int ss_exchange_line(ss_part_run *part, int depth, ss_err *err);
/* Brings the halo of the current field up to date. */
int ss_part_refresh(ss_part_run *part, ss_err *err);

/* --- exchange.c: points in memory or on the device -------------------------------------------- */

/* Copies the points of a box of one field from `data` (rows `pitch` bytes apart), or to it. The
 * caller leaves data alone until ss_part_copied has returned. */
int ss_part_copy(ss_part_run *part, int array, int field, const ss_part_box *box, char *data,
                 ptrdiff_t pitch, bool up, ss_err *err);
int ss_part_copied(ss_part_run *part, ss_err *err);
/* Waits for the device. */
int ss_part_settle(ss_part_run *part, ss_err *err);
/* Allocates the arrays, in memory or on the device. */
int ss_part_allocate(ss_part_run *part, ss_err *err);
void ss_part_free(ss_part_run *part);
/* Rows [y0, y1) of an array in memory, at the stored points and in the part's layout; the others
 * may be old. NULL: err. */
const char *ss_part_look(ss_part_run *part, int array, int y0, int y1, ss_err *err);

/* --- batch.c ---------------------------------------------------------------------------------- */

/* Is the norm of the field `c` cycles after the beginning of the batch due? */
bool ss_look_norm_due(const ss_part_batch *batch, int64_t c);
bool ss_look_due(const ss_look *look, const ss_part_batch *batch, int64_t c);
/* Starts a gather. sum: this rank's share of the sum of squares of the field of cycle c, which is
 * in array `kept`; norm false: there is none. */
int ss_look_begin(ss_part_run *part, ss_look *look, const ss_part_batch *batch, int64_t c,
                  bool norm, double sum, int kept, ss_err *err);
/* Waits for it. `c`: cycles finished. */
int ss_look_end(ss_part_run *part, ss_look *look, const ss_part_batch *batch, int64_t c,
                ss_part_done *done, ss_verdict *out, ss_err *err);

/* --- sweep.c: steady equations ---------------------------------------------------------------- */

/* Updates the points of a box from array `from` to array `to`. inner: see ss_part_device. norm:
 * adds the squared changes to the sum. */
int ss_part_sweep(ss_part_run *part, int from, int to, ss_part_box box, bool inner, bool norm,
                  ss_err *err);
/* The sum since ss_part_sum_clear; waits for the device. */
void ss_part_sum_clear(ss_part_run *part);
int ss_part_sum(ss_part_run *part, double *sum, ss_err *err);
int ss_part_step_steady(ss_part_run *part, const ss_part_batch *batch, ss_part_done *done,
                        ss_err *err);

/* --- line.c: time-dependent equations --------------------------------------------------------- */

/* Classic steps from the current field. */
int ss_line_steps(ss_part_run *part, int64_t steps, ss_err *err);

#endif
