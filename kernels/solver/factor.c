/* See factor.h. */
#include "kernels/solver/factor.h"

#include <math.h>

#include "src/core/registry.h"

double ss_real_radius(const ss_config *cfg)
{
    ss_problem p;
    const ss_equation *eq = ss_config_equation(cfg);
    ss_config_problem(cfg, &p);
    return eq->asymmetric && eq->asymmetric(&p) ? (double)NAN : ss_config_spectral_radius(cfg);
}

ss_spectrum ss_spectrum_of(const ss_config *cfg)
{
    ss_problem p;
    ss_coef coef;
    const ss_equation *eq = ss_config_equation(cfg);
    ss_config_problem(cfg, &p);
    if (!eq->asymmetric || !eq->asymmetric(&p))
        return SS_REAL_SPECTRUM;
    eq->coef(&p, &coef); /* those of ss_stencil_coef */
    double x = coef.c[0] * coef.c[1], y = p.dim > 1 ? coef.c[2] * coef.c[3] : x;
    return x >= 0 && y >= 0   ? SS_REAL_SPECTRUM
           : x <= 0 && y <= 0 ? SS_IMAGINARY_SPECTRUM
                              : SS_COMPLEX_SPECTRUM;
}

double ss_factor_jacobi(double rho, double omega)
{
    return fmax(fabs(1 - omega * (1 - rho)), fabs(1 - omega * (1 + rho)));
}

double ss_omega_limit_jacobi(double rho)
{
    return 2 / (1 + rho);
}

double ss_omega_best(double rho)
{
    return rho >= 0 && rho < 1 ? 2 / (1 + sqrt(1 - rho * rho)) : (double)NAN;
}

double ss_omega_best_imaginary(double rho)
{
    return 2 / (1 + sqrt(1 + rho * rho));
}

double ss_omega_limit_imaginary(double rho)
{
    return 2 / (1 + rho);
}

double ss_factor_sor(double rho, double omega)
{
    double under = omega * omega * rho * rho - 4 * (omega - 1);
    if (!(rho < 1))
        return (double)NAN;
    if (under <= 0)
        return fabs(omega - 1);
    double root = (omega * rho + sqrt(under)) / 2;
    return root * root;
}

double ss_factor_chebyshev(double rho)
{
    return sqrt(ss_omega_best(rho) - 1);
}
