/*
 * k subiterations of every tile with a frozen halo: the rows and what follows from them, for the
 * solver `shared` and for multigrid's smoother of that name. Pure functions; any thread.
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
/* The least overlap with which a cycle equals k iterations of the whole field, or the most that the
 * block admits. */
double ss_shared_exact_overlap(const ss_config *cfg);

// clang-format off
#define SS_SHARED_BLOCK                                                                            \
    SS_TILED_BLOCK, .help = "points of a subdomain in x, its overlap included"
#define SS_SHARED_BLOCK_Y SS_TILED_BLOCK_Y, .help = "the same in y; as in x unless given"
#define SS_SHARED_OVERLAP                                                                          \
    SS_TILED_OVERLAP("overlap"), .flags = SS_TILED_LIVE | SS_P_EVEN,                               \
    .range = ss_shared_range_overlap, .note = ss_shared_note_overlap,                              \
    .track = ss_shared_track_overlap,                                                              \
    .help = "points that two neighbouring subdomains share in x"
#define SS_SHARED_OVERLAP_Y                                                                        \
    SS_TILED_OVERLAP("overlap-y"), .symbol = "overlap y", .follows = "overlap",                    \
    .flags = SS_TILED_LIVE | SS_P_EVEN | SS_P_PLANE, .range = ss_shared_range_overlap_y,           \
    .note = ss_shared_note_overlap_y, .track = ss_shared_track_overlap_y,                          \
    .help = "the same in y; as in x unless given"
// clang-format on

/* Functions of ss_solver. */
int ss_shared_iterations(const ss_config *cfg, const ss_problem *p);
ss_tiling ss_shared_tiling(const ss_config *cfg, const ss_problem *p);
int ss_shared_check(const ss_config *cfg, const ss_problem *p, ss_err *err);
void ss_shared_ledger(const ss_config *cfg, const ss_equation *eq, const ss_problem *p,
                      ss_ledger *out);
/* Has a cycle the bits of k iterations of the whole field? */
bool ss_shared_exact(const ss_config *cfg, const ss_problem *p);

#ifdef __cplusplus
}
#endif
#endif
