/* What computes a rank's part: CPU threads or a GPU. The thread that initialised MPI. */
#ifndef SS_MPI_RANK_GPU_H
#define SS_MPI_RANK_GPU_H

#include "kernels/part/part.h"

/* Collective: completes a setup. GPUs only if each rank has one of its own. local: this rank's
 * number among those of its machine. wish: SS_RANK_*. note: what was chosen, in words; empty if
 * there is no GPU or none is wished. Fails on all ranks where GPUs are wished and cannot be. */
int ss_rank_device(ss_comm *comm, int local, int wish, ss_part_setup *setup, ss_err *note,
                   ss_err *err);

#endif
