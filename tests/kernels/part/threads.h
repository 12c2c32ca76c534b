/*
 * Ranks that are threads of one process: an ss_comm without MPI, for tests. Messages are copied
 * when they are sent and delivered in order; a rank that fails wakes all others.
 */
#ifndef SS_TESTS_PART_THREADS_H
#define SS_TESTS_PART_THREADS_H

#include <stdatomic.h>

#include "kernels/part/part.h"

typedef struct threads_fault {
    int from;        /* messages of this rank; -1: no fault */
    int number;      /* the number-th message it sends, from 0, and */
    size_t short_by; /* this many bytes of its end do not arrive */
} threads_fault;

typedef struct threads_count {
    int64_t messages, bytes, gathers; /* sent by a rank */
} threads_count;

/* Calls rank_main(comm, ctx) in `ranks` threads; returns when all have ended, with true if all
 * returned SS_OK. Otherwise err has the first sentence. count: NULL, or one entry per rank. */
bool threads_run(int ranks, int (*rank_main)(ss_comm *comm, void *ctx, ss_err *err), void *ctx,
                 const threads_fault *fault, threads_count *count, ss_err *err);

#endif
