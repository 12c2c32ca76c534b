/*
 * The CUDA state of domains that consist of patches (kernels/geom/patches.h). One array on the
 * device holds all patches, in the CPU's layout, each with its own ghost cells. Rows of the window,
 * ghosts and slices are handled here; the smoothers' kernels see patches only. Host functions;
 * engine thread.
 */
#ifndef SS_CUDA_PATCHES_H
#define SS_CUDA_PATCHES_H

#include "kernels/sample/parts.h"
#include "kernels/cuda/device/state.h"
#include "kernels/block/smooth.h"
#include "kernels/cuda/device/driver.h"

/* --- lists of ghosts -------------------------------------------------------------------------- */

/*
 * Ghost cells of patches on the GPU: exchanged between neighbours, filled at walls; and the norm of
 * the residual as a pass of its own. Engine thread.
 */

/* Ghost cells: those at a side with a neighbour become its outermost cells, those at a wall zero or
 * minus the cell inside. */
typedef struct ss_cuda_ghosts ss_cuda_ghosts;
int ss_cuda_ghosts_make(ss_cuda_ghosts **out, const ss_patch *patch, int patches, ss_prec prec,
                        ss_wall wall, ss_err *err);
void ss_cuda_ghosts_free(ss_cuda_ghosts *g);
/* walls: fill the ghosts at walls too; zeros are needed only once. */
int ss_cuda_ghosts_exchange(const ss_cuda_ghosts *g, void *u, bool walls, ss_cu_stream stream,
                            ss_err *err);
/* The sum of the squares of all residuals, in a pass of its own; *norm2 is on the device. Always in
 * the same order. */
int ss_cuda_ghosts_norm2(const ss_cuda_ghosts *g, const void *u, const void *rhs, double *norm2,
                         ss_cu_stream stream, ss_err *err);

typedef struct ss_cuda_patches {
    ss_patch *list, *device; /* on the host; on the device */
    int count;
    ss_patch_rows rows; /* which patches have a given row of the window */
    ss_cuda_ghosts *ghosts;
    bool mirror;       /* ghosts at walls mirror the cell inside; else they stay zero */
    bool ghosts_old;   /* the ghosts of u[cur] are out of date */
    double exchange;   /* seconds of one ghost exchange, measured alone */
    ss_cuda_kept kept; /* what is on the device */
} ss_cuda_patches;

/* Lists the patches and sets the window of a run that is being opened. After a failure the caller
 * calls ss_cuda_patches_free. */
int ss_cuda_patches_make(ss_run *run, ss_err *err);
void ss_cuda_patches_free(ss_cuda_patches *p);
/* Call once the arrays are filled: exchanges ghosts and measures the time of an exchange. */
int ss_cuda_patches_begin(ss_run *run, ss_err *err);

/* Copies rows [j0, j1) of plane k of the window, as in ss_backend. Cells of no patch are NaN. */
int ss_cuda_patches_transfer(ss_run *run, int which, int k, int j0, int j1, void *rows, bool up,
                             ss_err *err);

/* Launches a ghost exchange of u; the caller checks ss_cuda_launch_error. */
void ss_cuda_exchange(const ss_run *run, void *u, ss_cu_stream stream);
/* Whether a cycle of the run's solver leaves the ghosts between patches as they are, because it
 * reads the neighbour patches' cells: who reads ghosts exchanges them first. In
 * smooth/engine_ops.c. */
bool ss_cuda_leaves_ghosts(const ss_run *run);
/* Exchanges the ghosts of the current field if they are out of date. */
int ss_cuda_ghosts_renew(ss_run *run, ss_err *err);

int ss_cuda_patches_reduce(ss_run *run, double *residual, const double *ref, double *max_error,
                           ss_err *err);
/* Gathers a part of a slice on the device: see ss_reader. */
int ss_cuda_slice(ss_run *run, const ss_slice *s, ss_slice_part part, double *out, ss_err *err);

/* ghosts.c. Launches without error checks, so that a graph can capture them; the caller checks
 * ss_cuda_launch_error. check appends the norm of the residual of u and decides whether the run
 * goes on: see norm.cuh. */
void ss_ghosts_check(const ss_cuda_ghosts *g, const void *u, const void *rhs,
                     ss_cuda_control *control, ss_cu_stream stream);
void ss_ghosts_launch(const ss_cuda_ghosts *g, void *u, bool walls, ss_cu_stream stream);
/* Those at walls alone. */
void ss_ghosts_launch_walls(const ss_cuda_ghosts *g, void *u, ss_cu_stream stream);
/* Ghosts at the edges and corners of patches, which only interpolation reads: add_edges lists them,
 * launch_edges copies them from the cells (kernels/cpu: ss_cpu_exchange_edges). Zero ones at walls
 * keep their value. */
int ss_ghosts_add_edges(ss_cuda_ghosts *g, const ss_patch *patch, int patches, ss_wall wall,
                        ss_err *err);
void ss_ghosts_launch_edges(const ss_cuda_ghosts *g, void *u, ss_cu_stream stream);

#endif
