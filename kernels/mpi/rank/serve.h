/* What a rank does with the program's commands. The thread that initialised MPI. */
#ifndef SS_MPI_RANK_SERVE_H
#define SS_MPI_RANK_SERVE_H

#include "kernels/part/part.h"

/* Obeys until QUIT or the end of the connection. fd: rank 0's connection for commands; other ranks
 * are told by rank 0. local_ranks: ranks of this machine; local: the number of this one. */
void ss_rank_serve(ss_comm *comm, int fd, int local_ranks, int local);

#endif
