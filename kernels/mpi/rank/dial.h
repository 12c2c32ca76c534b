/*
 * The connections of a rank to the program. A thread of its own waits on the silent one: if it
 * ends, so does the process, at once, whatever the other threads wait for.
 */
#ifndef SS_MPI_RANK_DIAL_H
#define SS_MPI_RANK_DIAL_H

#include <stdatomic.h>

#include "src/base/common.h"

/* Dials as SS_MPI_WHERE says. Returns the connection; -1: err says why. */
int ss_rank_dial(ss_err *err);
/* Says who this is. */
int ss_rank_hello(int fd, int connection, int rank, int ranks, ss_err *err);
/* Starts the thread. */
int ss_rank_watch(int fd, ss_err *err);
/* True from the moment on that the program wants step `number` to stop; for ss_part_batch.stop. */
atomic_bool *ss_rank_stop(void);
/* The step that begins: earlier wishes do not count. */
void ss_rank_begin(uint64_t number);

#endif
