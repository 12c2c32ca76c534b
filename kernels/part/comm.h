/*
 * What one rank needs of the others: messages, and a gather of a few numbers. Two implementations:
 * MPI in the rank program, and threads of one process in the tests. Called from the one thread that
 * steps the rank. A failure (a rank is gone) is final: err has the sentence.
 *
 * All calls are collective in this sense: a message started by one rank is expected by its peer,
 * and every rank starts the same gathers in the same order. One exchange and one gather may be in
 * progress at the same time.
 */
#ifndef SS_PART_COMM_H
#define SS_PART_COMM_H

#include "src/base/common.h"

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

#endif
