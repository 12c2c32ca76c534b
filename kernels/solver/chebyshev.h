/*
 * The factors of Chebyshev's recurrence, in C11 and CUDA C++17: omega_1 = 1, omega_2 = 1/(1 -
 * rho^2/2), omega_(m+1) = 1/(1 - rho^2 omega_m/4). Source: Golub & Varga 1961. Host and device
 * compute the same bits. Any thread.
 */
#ifndef SS_SOLVER_CHEBYSHEV_H
#define SS_SOLVER_CHEBYSHEV_H

#include "src/base/common.h"

/* The factor of a cycle after `done` cycles, the last of which had the factor `before`. */
SS_INLINE double ss_chebyshev_omega(double rho, double before, int64_t done)
{
    double r2 = rho * rho;
    return done == 0 ? 1 : done == 1 ? 1 / (1 - r2 / 2) : 1 / (1 - r2 * before / 4);
}

#endif
