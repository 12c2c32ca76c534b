/*
 * stencilscope-rank: one rank of a run that is divided among processes. stencilscope starts it with
 * mpiexec; it dials back and obeys. It ends with the program, whatever happens to either.
 */
#include <stdio.h>

#include "kernels/mpi/rank/rank.h"
#include "kernels/mpi/wire.h"
#include "src/app/tables.h"

static int fail(const ss_err *err)
{
    fprintf(stderr, "stencilscope-rank: %s\n", err->text);
    return 1;
}

int main(int argc, char **argv)
{
    ss_err err = {0};
    int commands = -1;
    int silent = ss_rank_dial(&err); /* before MPI: its initialisation may wait for ever */
    if (silent < 0 || ss_rank_watch(silent, &err) != SS_OK)
        return fail(&err);
    ss_comm *comm = ss_mpi_comm_begin(&argc, &argv);
    if (!comm)
        return 1;
    ss_tables_init();
    int mine = 0, local = ss_mpi_comm_local(comm, &mine);
    if (ss_rank_hello(silent, SS_MPI_WATCH, comm->rank, comm->size, &err) != SS_OK)
        ss_mpi_comm_abort(err.text);
    if (comm->rank == 0 && ((commands = ss_rank_dial(&err)) < 0 ||
                            ss_rank_hello(commands, SS_MPI_COMMANDS, 0, comm->size, &err) != SS_OK))
        ss_mpi_comm_abort(err.text);
    ss_rank_serve(comm, commands, local, mine);
    ss_mpi_comm_end(comm);
    return 0;
}
