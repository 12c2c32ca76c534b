/*
 * Common to solvers that sweep the whole field once per cycle, point by point. Pure functions; any
 * thread.
 */
#ifndef SS_SOLVER_SWEEP_H
#define SS_SOLVER_SWEEP_H

#include "src/core/solver.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ss_solver.ledger: one sweep is one launch. */
void ss_sweep_ledger(const ss_config *cfg, const ss_equation *eq, const ss_problem *p,
                     ss_ledger *out);

/*
 * Predicted asymptotic factors of the residual per iteration follow from the spectral radius rho of
 * the Jacobi iteration (ss_config_spectral_radius), for iteration matrices whose eigenvalues follow
 * from Jacobi's real ones. Source: Young's theory of SOR; Golub & Varga for Chebyshev. NaN where
 * rho is unknown or the formula does not hold.
 *
 * rho of a config, if the matrix is symmetric, so that Jacobi's eigenvalues are real; NaN else:
 */
double ss_real_radius(const ss_config *cfg);

/* A relaxation factor; the row of a solver adds its default, its note and its track. */
#define SS_ROW_RELAXATION(NAME, MAX)                                                               \
    SS_ROW_REAL(NAME, "Method", 1, 0.05, MAX), .symbol = "\xcf\x89", .key = "w", .step = 0.01,     \
                                               .flags = SS_P_LIVE | SS_P_CONTROL

/* The row of engine ops that can damp Jacobi, and its value: 1 where there is no such row. */
#define SS_DAMPING_ROW                                                                             \
    {                                                                                              \
        SS_ROW_RELAXATION("damping", 2), .note = ss_damping_note, .track = ss_damping_track,       \
                                         .help = "the share of Jacobi's change that is applied; "  \
                                                 "1 is Jacobi"                                     \
    }
double ss_damping_of(const ss_config *cfg);
void ss_damping_note(const ss_config *cfg, char *buf, size_t size);
void ss_damping_track(const ss_config *cfg, ss_track *track);

#ifdef __cplusplus
}
#endif
#endif
