/*
 * The factors of Chebyshev's recurrence, in C11 and CUDA C++17: omega_1 = 1, omega_2 = 1/(1 -
 * rho^2/2), omega_(m+1) = 1/(1 - rho^2 omega_m/4). Source: Golub & Varga 1961. Host and device
 * compute the same bits. Also the row that its solvers share. Pure functions; any thread.
 */
#ifndef SS_SOLVER_CHEBYSHEV_H
#define SS_SOLVER_CHEBYSHEV_H

#include "src/core/solver.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The factor of a cycle after `done` cycles, the last of which had the factor `before`. */
SS_INLINE double ss_chebyshev_omega(double rho, double before, int64_t done)
{
    double r2 = rho * rho;
    return done == 0 ? 1 : done == 1 ? 1 / (1 - r2 / 2) : 1 / (1 - r2 * before / 4);
}

/* Operations that combine a Jacobi value with the value before. */
#define SS_CHEBYSHEV_FLOPS 3

double ss_chebyshev_usual_rho(const ss_config *cfg);
void ss_chebyshev_note_rho(const ss_config *cfg, char *buf, size_t size);
void ss_chebyshev_track_rho(const ss_config *cfg, ss_track *track);
/* ss_solver.factor of one iteration. */
double ss_chebyshev_factor(const ss_config *cfg, const ss_problem *p);

// clang-format off
#define SS_CHEBYSHEV_ROWS                                                                          \
    {SS_ROW_REAL("rho", "Method", 0.99, 0, 1), .symbol = "\xcf\x81", .step = 0.001,                \
     .usual = ss_chebyshev_usual_rho, .def_text = "Jacobi's spectral radius",                      \
     .flags = SS_P_LIVE | SS_P_CONTROL, .note = ss_chebyshev_note_rho,                             \
     .track = ss_chebyshev_track_rho,                                                              \
     .help = "bound of Jacobi's eigenvalues, from which the factors of the recurrence follow"}
// clang-format on

#ifdef __cplusplus
}
#endif
#endif
