/*
 * An ss_comm over MPI, and the other messages of the rank program. Only point-to-point messages,
 * each to every rank directly: one latency, whatever the number of ranks. Waiting gives up the
 * processor, because ranks may be more than processors and may wait for minutes. The thread that
 * initialised MPI calls.
 */
#ifndef SS_MPI_RANK_COMM_H
#define SS_MPI_RANK_COMM_H

#include "kernels/part/part.h"

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

#endif
