/*
 * The smoother `shared` of multigrid: a sweep of a grid is a pass of k damped Jacobi subiterations
 * in overlapping subdomains (shared.c). Each grid is a run of its own, as on patches. Engine
 * thread; called by multigrid.c.
 */
#ifndef SS_CPU_MULTIGRID_TILES_H
#define SS_CPU_MULTIGRID_TILES_H

#include "kernels/cpu/state.h"

typedef struct ss_mg_tiles {
    ss_run at; /* without limits and norms */
    ss_cpu_state state;
} ss_mg_tiles;

/* level: of run's grids. box: strides, first and count of its arrays; u: its two fields. After a
 * failure the caller calls ss_mg_tiles_close, which also closes one that was never opened. */
int ss_mg_tiles_open(ss_mg_tiles *t, const ss_run *run, int level, const ss_box *box,
                     char *const u[2], ss_err *err);
void ss_mg_tiles_close(ss_mg_tiles *t);
/* A sweep from u[now] into the other field with the right-hand side g. squares: NULL, or it gets
 * the sum of squared changes by Jacobi. False: the app interrupted it. */
bool ss_mg_tiles_pass(ss_mg_tiles *t, const ss_run *run, int now, void *g, double *squares);

#endif
