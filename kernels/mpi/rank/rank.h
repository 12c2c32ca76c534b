/*
 * Private to the rank program: its messages, its connections to stencilscope, and what it does with
 * commands. The thread that initialised MPI calls.
 */
#ifndef SS_MPI_RANK_RANK_H
#define SS_MPI_RANK_RANK_H

#include <stdatomic.h>

#include "kernels/part/part.h"

/* --- comm.c: an ss_comm over MPI, and the other messages -------------------------------------- */

/*
 * Only point-to-point messages, each to every rank directly: one latency, whatever the number of
 * ranks. Waiting gives up the processor, because ranks may be more than processors and may wait for
 * minutes.
 */

/* Initialises MPI. NULL: it has printed why. */
ss_comm *ss_mpi_comm_begin(int *argc, char ***argv);
void ss_mpi_comm_end(ss_comm *c);
/* Ends all ranks at once. */
_Noreturn void ss_mpi_comm_abort(const char *why);

/* Ranks on this rank's machine, and its number among them. */
int ss_mpi_comm_local(ss_comm *c, int *mine);

/* The same bytes for all ranks: rank 0 tells, the others are told. Waiting for a long time, they
 * look less and less often, down to a thousand times per second. */
void ss_mpi_comm_tell(ss_comm *c, const void *data, size_t bytes);
void ss_mpi_comm_told(ss_comm *c, void *data, size_t bytes);
/* To rank 0, from every other rank. */
void ss_mpi_comm_report(ss_comm *c, const void *data, size_t bytes);
void ss_mpi_comm_collect(ss_comm *c, int rank, void *data, size_t bytes);

/* --- dial.c: the connections to the program --------------------------------------------------- */

/*
 * A thread of its own waits on the silent one: if it ends, so does the process, at once, whatever
 * the other threads wait for.
 */

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

/* --- serve.c: the program's commands ---------------------------------------------------------- */

/* Obeys until QUIT or the end of the connection. fd: rank 0's connection for commands; other ranks
 * are told by rank 0. local_ranks: ranks of this machine; local: the number of this one. */
void ss_rank_serve(ss_comm *comm, int fd, int local_ranks, int local);

#endif
