/*
 * A rank's part of a run on a GPU: an ss_part_device, and which GPU a rank has. For the rank
 * program and the tests; the thread that steps the rank calls. In a page, which has no GPU, the
 * functions give the reason.
 */
#ifndef SS_CUDA_RANK_RANK_H
#define SS_CUDA_RANK_RANK_H

#include "kernels/part/part.h"

typedef struct ss_cuda_ranks {
    /* The GPU for rank number `local` of this machine: *which; *id: a number that no other GPU has,
     * on any machine, > 0. Leaves the GPU alone. SS_FAIL: there is none, err says why. */
    int (*find)(int local, int *which, double *id, ss_err *err);
    /* Makes the GPU that `find` has named that of the calling thread, and asks whether it works. */
    int (*begin)(int which, ss_err *err);
    /* Its stored points, by the kind of equation. NULL: in a page. */
    const ss_part_device *device[SS_NKIND];
} ss_cuda_ranks;

extern const ss_cuda_ranks ss_cuda_rank; /* kernels/cuda/tables.c */

int ss_cuda_rank_find(int local, int *which, double *id, ss_err *err);
int ss_cuda_rank_begin(int which, ss_err *err);
/* Boxes of a plane or of copies of a line (plane.c); a range of a line (line.c). */
extern const ss_part_device ss_cuda_rank_plane, ss_cuda_rank_line;
/* As ss_part_device.pin, for copies to and from GPU number `which`. */
void ss_cuda_rank_pin(int which, void *data, size_t bytes, bool on);

#endif
