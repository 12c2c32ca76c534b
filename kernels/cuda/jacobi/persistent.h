/*
 * What the two plans of persistent Jacobi have in common: one device (persistent.c) and several
 * (persistent_devices.c). Resident tiles (resident.c) take the arguments of its exchange as well.
 * Host code; engine thread.
 */
#ifndef SS_CUDA_JACOBI_PERSISTENT_H
#define SS_CUDA_JACOBI_PERSISTENT_H

#include "kernels/cuda/device/plan.h"
#include "kernels/cuda/jacobi/block_shape.h"
#include "kernels/cuda/jacobi/regions.h"

/* Most iterations of a launch. Between launches the step tests whether the run was abandoned. With
 * norms the limit is also the length of the arrays of sums. */
#define CHUNK 2048
#define CHECKED_CHUNK 512 /* with norms */

/* The first member of a plan's own: what a step calls. */
typedef struct persistent_steps {
    /* Runs iterations from u[cur] into the other buffer; with `norm`, their sums of squared updates
     * are in `squares` afterwards. Waits for the end; *ms is the device's time. */
    int (*launch)(ss_run *run, int iterations, bool norm, float *ms, ss_err *err);
    double *squares; /* [iteration], in host memory */
} persistent_steps;

extern const ss_cuda_solver ss_cuda_persistent_devices; /* several devices */

/* --- arguments of kernels: halo_exchange.cuh -------------------------------------------------- */

/* persistent_args<T>. */
typedef struct persistent_args {
    const void *in, *rhs;
    void *out;
    ptrdiff_t sy;
    regions x, y;
    int iterations, exchanges_before;
    double *sums;
} persistent_args;

/* flag_args<T>. */
typedef struct flag_args {
    persistent_args all;
    void *exchange[2];
    int *flag;
} flag_args;

/* --- shapes of regions: persistent.c ---------------------------------------------------------- */

/* The block that holds a region; its smem_rows depend on the kernel. */
typedef struct region_shape {
    block_shape block;
    bool whole; /* for lines that one region covers only */
} region_shape;

/* The shapes for the run's equation, in the order in which they are tried; the last has no warps.
 */
const region_shape *ss_cuda_persistent_shapes(const ss_run *run);
/* Shared memory of a block that makes norms; devices: its kernel is for several devices. */
size_t ss_cuda_persistent_bytes(const ss_run *run, const region_shape *s, bool devices);
/* Finds the kernels for regions x and y on the current device, and the sizes of their blocks: k[0]
 * makes no norms, k[1] does. */
int ss_cuda_persistent_find(const ss_run *run, const region_shape *s, regions x, regions y,
                            bool devices, ss_cuda_kernel k[2], ss_err *err);

#endif
