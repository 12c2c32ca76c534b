/*
 * Predicted asymptotic factors of the residual per iteration, from the spectral radius rho of the
 * Jacobi iteration (ss_config_spectral_radius), for iteration matrices whose eigenvalues follow
 * from Jacobi's real ones. Source: Young's theory of SOR; Golub & Varga for Chebyshev. NaN where
 * rho is unknown or the formula does not hold. Pure functions; any thread.
 */
#ifndef SS_SOLVER_FACTOR_H
#define SS_SOLVER_FACTOR_H

#include "src/core/solver.h"

/* rho of a config, if the matrix is symmetric, so that Jacobi's eigenvalues are real; NaN else. */
double ss_real_radius(const ss_config *cfg);
/* Where all eigenvalues of the Jacobi iteration lie; on the complex plane, if neither is known. A
 * matrix that is not symmetric has real ones if the two entries of each direction have one sign,
 * imaginary ones if the signs differ in each direction. */
typedef enum ss_spectrum {
    SS_REAL_SPECTRUM,
    SS_IMAGINARY_SPECTRUM,
    SS_COMPLEX_SPECTRUM
} ss_spectrum;
ss_spectrum ss_spectrum_of(const ss_config *cfg);
/* Damped Jacobi: max(|1 - omega (1 - rho)|, |1 - omega (1 + rho)|); omega 1: rho. */
double ss_factor_jacobi(double rho, double omega);
/* The largest omega with which damped Jacobi converges: 2/(1 + rho). */
double ss_omega_limit_jacobi(double rho);
/* SOR in a consistent order such as red-black: ((omega rho + sqrt(omega^2 rho^2 - 4 (omega -
 * 1)))/2)^2 up to the best omega, omega - 1 above it. omega 1, Gauss-Seidel: rho^2. */
double ss_factor_sor(double rho, double omega);
/* The best omega of SOR: 2/(1 + sqrt(1 - rho^2)). NaN unless 0 <= rho < 1. */
double ss_omega_best(double rho);
/* With imaginary eigenvalues up to i rho: 2/(1 + sqrt(1 + rho^2)), below 1 and for every rho; SOR
 * converges below 2/(1 + rho). */
double ss_omega_best_imaginary(double rho);
double ss_omega_limit_imaginary(double rho);
/* Chebyshev's semi-iteration with bounds -rho and rho: sqrt(omega_best - 1), a bound. */
double ss_factor_chebyshev(double rho);

#endif
