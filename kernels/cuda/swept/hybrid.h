/*
 * The host's part of the swept rule's variant hybrid: see hybrid.c. The host computes the split
 * node: the last node of every odd diamond, which consists of both ends of the line (diamond.cuh).
 * Host code; engine thread.
 */
#ifndef SS_CUDA_HYBRID_H
#define SS_CUDA_HYBRID_H

#include "kernels/cuda/device/plan.h"

typedef struct ss_cuda_hybrid {
    char *row[2];     /* pinned; all fields one after the other, with room for halos around each */
    ptrdiff_t field;  /* values from field to field */
    int half, halo;   /* points of the node at each end of the line; and points beside them */
    ss_cu_event here; /* the rows have arrived */
} ss_cuda_hybrid;

/* Makes *h; the plan of the run keeps what is in it. */
int ss_cuda_hybrid_make(const ss_run *run, ss_cuda_hybrid *h, int block, ss_err *err);
/* Starts the copy of the split node's rows to the host; before the diamond's kernel is launched. */
int ss_cuda_hybrid_fetch(ss_run *run, const ss_cuda_hybrid *h, int cur, ss_err *err);
/* Waits for the rows, computes the node's diamond while the kernel runs, and starts the copy back,
 * behind the kernel. */
int ss_cuda_hybrid_advance(ss_run *run, const ss_cuda_hybrid *h, int cur, ss_err *err);

#endif
