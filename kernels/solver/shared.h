/*
 * Common to the solvers that do k subiterations of every tile with a frozen halo (shared,
 * shared-chebyshev, shared-sor): their rows and what follows from them. Pure functions; any thread.
 */
#ifndef SS_SOLVER_SHARED_H
#define SS_SOLVER_SHARED_H

#include "kernels/solver/tiled.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The functions of the rows. */
void ss_shared_range_overlap(const ss_config *cfg, double *lo, double *hi, const char **why);
void ss_shared_range_overlap_y(const ss_config *cfg, double *lo, double *hi, const char **why);
void ss_shared_track_k(const ss_config *cfg, ss_track *track);
void ss_shared_track_overlap(const ss_config *cfg, ss_track *track);
void ss_shared_track_overlap_y(const ss_config *cfg, ss_track *track);
void ss_shared_note_overlap(const ss_config *cfg, char *buf, size_t size);
void ss_shared_note_overlap_y(const ss_config *cfg, char *buf, size_t size);
double ss_shared_exact_overlap(const ss_config *cfg);

/* The same for an iteration that widens the domain of dependence by `reach` points (Jacobi: 1).
 * least_overlap: with it a cycle equals k iterations of the whole field; or the most that the block
 * admits. block and overlap: the names of the rows of a direction. */
double ss_shared_least_overlap(const ss_config *cfg, int reach);
void ss_shared_mark_k(const ss_config *cfg, int reach, ss_track *track);
void ss_shared_mark_overlap(const ss_config *cfg, int reach, const char *block, ss_track *track);
void ss_shared_write_exact(const ss_config *cfg, int reach, const char *block, const char *overlap,
                           char *buf, size_t size);
/* Has a cycle the bits of k iterations of the whole field? */
bool ss_shared_fresh(const ss_config *cfg, const ss_problem *p, int reach);

// clang-format off
#define SS_SHARED_K(DEF, TRACK)                                                                    \
    SS_ROW_INT("k", "Method", DEF, 1, 1024), .unit = "subiterations",                              \
    .flags = SS_TILED_LIVE | SS_P_LOG, .track = TRACK
#define SS_SHARED_BLOCKS                                                                           \
    {SS_SHARED_K(8, ss_shared_track_k), .key = "k",                                                \
     .help = "subiterations between two exchanges of the halos"},                                  \
    {SS_SHARED_BLOCK, .key = "b"},                                                                 \
    {SS_SHARED_BLOCK_Y}
#define SS_SHARED_BLOCK                                                                            \
    SS_TILED_BLOCK, .help = "points of a subdomain in x, its overlap included"
#define SS_SHARED_BLOCK_Y SS_TILED_BLOCK_Y, .help = "the same in y; as in x unless given"
/* A solver adds its key, and may add a default of its own. */
#define SS_SHARED_OVERLAP SS_SHARED_OVERLAP_OF(ss_shared_note_overlap, ss_shared_track_overlap)
#define SS_SHARED_OVERLAP_Y                                                                        \
    SS_SHARED_OVERLAP_Y_OF(ss_shared_note_overlap_y, ss_shared_track_overlap_y)
#define SS_SHARED_OVERLAP_OF(NOTE, TRACK)                                                          \
    SS_TILED_OVERLAP("overlap"), .flags = SS_TILED_LIVE | SS_P_EVEN,                               \
    .range = ss_shared_range_overlap, .note = NOTE, .track = TRACK,                                \
    .help = "points that two neighbouring subdomains share in x"
#define SS_SHARED_OVERLAP_Y_OF(NOTE, TRACK)                                                        \
    SS_TILED_OVERLAP("overlap-y"), .symbol = "overlap y", .follows = "overlap",                    \
    .flags = SS_TILED_LIVE | SS_P_EVEN | SS_P_PLANE, .range = ss_shared_range_overlap_y,           \
    .note = NOTE, .track = TRACK,                                                                  \
    .help = "the same in y; as in x unless given"
// clang-format on

/* Functions of ss_solver. ledger: that of Jacobi's subiterations. */
int ss_shared_iterations(const ss_config *cfg, const ss_problem *p);
ss_tiling ss_shared_tiling(const ss_config *cfg, const ss_problem *p);
int ss_shared_check(const ss_config *cfg, const ss_problem *p, ss_err *err);
void ss_shared_ledger(const ss_config *cfg, const ss_equation *eq, const ss_problem *p,
                      ss_ledger *out);
/* ss_shared_fresh with Jacobi's reach. */
bool ss_shared_exact(const ss_config *cfg, const ss_problem *p);

#ifdef __cplusplus
}
#endif
#endif
