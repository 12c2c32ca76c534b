/*
 * Common to the descriptors of tiled schedules (shared, async): ranges of their rows, the memory of
 * a tile, the ledger of k sweeps with a frozen halo. Pure functions; any thread.
 */
#ifndef SS_SOLVER_TILED_H
#define SS_SOLVER_TILED_H

#include "src/core/solver.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Rows of solvers with the same name share their value: see registry.h. */
#define SS_TILED_LIVE (SS_P_LIVE | SS_P_CONTROL)
#define SS_TILED_BLOCK                                                                             \
    SS_ROW_INT("block", "Method", 32, 1, 1 << 30),                                                 \
        .unit = "points", .flags = SS_TILED_LIVE | SS_P_LOG | SS_P_POW2,                           \
        .range = ss_tiled_range_block, .track = ss_tiled_track_block
#define SS_TILED_BLOCK_Y                                                                           \
    SS_ROW_INT("block-y", "Method", 32, 1, 1 << 30),                                               \
        .symbol = "block y", .unit = "points",                                                     \
        .flags = SS_TILED_LIVE | SS_P_LOG | SS_P_POW2 | SS_P_PLANE, .follows = "block",            \
        .range = ss_tiled_range_block_y, .track = ss_tiled_track_block_y
#define SS_TILED_OVERLAP(NAME)                                                                     \
    SS_ROW(NAME, "Method", SS_INT), .unit = "points", .max = 1 << 30, .step = 2

#define SS_TILED_NO_PATCHES "its subdomains divide lines and planes only"

void ss_tiled_range_block(const ss_config *cfg, double *lo, double *hi, const char **why);
void ss_tiled_range_block_y(const ss_config *cfg, double *lo, double *hi, const char **why);
/* Up to one block on the whole grid. */
void ss_tiled_track_block(const ss_config *cfg, ss_track *track);
void ss_tiled_track_block_y(const ss_config *cfg, ss_track *track);

/* Fails if a tile does not fit private memory: two copies with the halo, one of g without. */
int ss_tiled_check(const ss_config *cfg, const ss_problem *p, const ss_tiling *t, ss_err *err);

/* The costs of k sweeps of every tile between two halo exchanges. stale_kept: the share of the
 * owned points whose values can depend on stale halo cells. */
void ss_tiled_ledger(const ss_config *cfg, const ss_equation *eq, const ss_problem *p,
                     const ss_tiling *t, int k, ss_ledger *out);
/* `shared`: has a cycle the bits of k iterations of the whole field? */
bool ss_shared_exact(const ss_config *cfg, const ss_problem *p);
/* Halo points of all tiles together, those at the ends of the domain included: a tile loads them
 * with its points. */
double ss_tiled_halo(const ss_equation *eq, const ss_problem *p, const ss_tiling *t);
/* The halo points that a neighbouring tile owns: those that an exchange between tiles moves. */
double ss_tiled_exchange(const ss_equation *eq, const ss_problem *p, const ss_tiling *t);

#ifdef __cplusplus
}
#endif
#endif
