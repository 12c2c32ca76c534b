/*
 * The CUDA state where the domain is made of patches (kernels/geom/patches.h): one array on the
 * device holds them all, laid out as on the CPU, each patch with ghost cells of its own. Everything
 * that knows of rows of the window, of ghosts and of slices is here; the kernels that smooth see
 * patches only. Host functions; engine thread.
 */
#ifndef SS_CUDA_PATCHES_CUH
#define SS_CUDA_PATCHES_CUH

#include "kernels/sample/parts.h"
#include "kernels/cuda/device/ghosts.cuh"
#include "kernels/cuda/device/numerics.cuh"
#include "kernels/cuda/device/sums.cuh"

struct ss_cuda_patches {
    ss_patch *list, *device; /* here and there */
    int count;
    ss_patch_rows rows; /* which of them have a row of the window */
    ss_cuda_ghosts *ghosts;
    bool mirror;     /* the rule at the walls; zeros stand there from the beginning */
    bool ghosts_old; /* those of u[cur] are not yet what its cells say */
    double exchange; /* seconds of an exchange of ghosts by itself */
};

/* The list and the window of a run that is being opened; what is left after a failure goes with
 * ss_cuda_patches_free. */
int ss_cuda_patches_make(ss_run *run, ss_err *err);
void ss_cuda_patches_free(ss_cuda_patches *p);
/* Once the arrays are filled: the first exchange, and what one costs. */
int ss_cuda_patches_begin(ss_run *run, ss_err *err);

/* Rows [j0, j1) of plane k of the window, as in ss_backend; of no patch: NaN. */
int ss_cuda_patches_transfer(ss_run *run, int which, int k, int j0, int j1, void *rows, bool up,
                             ss_err *err);

/* Ghosts of an array; errors are left to be found. */
void ss_cuda_exchange(const ss_run *run, void *u, cudaStream_t stream);
/* Those of the field on hand, if it was written from outside. */
int ss_cuda_ghosts_renew(ss_run *run, ss_err *err);

int ss_cuda_patches_reduce(ss_run *run, double *residual, const double *ref, double *max_error,
                           ss_err *err);
/* A part of a slice, gathered on the device: see ss_reader. */
int ss_cuda_slice(ss_run *run, const ss_slice *s, ss_slice_part part, double *out, ss_err *err);

#endif
