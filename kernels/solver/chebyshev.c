/*
 * Chebyshev's semi-iteration on Jacobi: the next field is combined from the Jacobi step of the
 * present one and the field before it, u_(m+1) = omega_(m+1) (u_m' - u_(m-1)) + u_(m-1) omega_1 =
 * 1, omega_2 = 1/(1 - rho^2/2), omega_(m+1) = 1/(1 - rho^2 omega_m/4) where rho bounds Jacobi's
 * eigenvalues. As fast as SOR, but every point is computed from old values, and no dot product is
 * needed. Source: Golub & Varga 1961. A change of a parameter begins the recurrence again. Pure
 * functions; any thread.
 */
#include <math.h>
#include <stdio.h>

#include "kernels/solver/factor.h"
#include "kernels/solver/ranks.h"
#include "kernels/solver/sweep.h"

enum { FLOPS = 3 }; /* operations that combine a Jacobi value with the value before */

static const char *const phases[] = {"sweep and combine", NULL};

/* Jacobi's spectral radius, rounded up so that four digits of it are a bound too. */
static double usual_rho(const ss_config *cfg)
{
    double rho = ss_config_spectral_radius(cfg);
    return rho >= 0 && rho < 1 ? rho : 0.99;
}

static void note_rho(const ss_config *cfg, char *buf, size_t size)
{
    double rho = ss_config_spectral_radius(cfg);
    if (isfinite(rho))
        snprintf(buf, size, "Jacobi's is %.6g", rho);
}

static void track_rho(const ss_config *cfg, ss_track *track)
{
    track->mark = ss_config_spectral_radius(cfg);
    track->linear = true;
}

// clang-format off
static ss_param params[] = {
    {SS_ROW_REAL("rho", "Method", 0.99, 0, 1), .symbol = "\xcf\x81", .step = 0.001,
     .usual = usual_rho, .def_text = "Jacobi's spectral radius",
     .flags = SS_P_LIVE | SS_P_CONTROL, .note = note_rho, .track = track_rho,
     .help = "bound of Jacobi's eigenvalues, from which the factors of the recurrence follow"},
};
// clang-format on

/* The field before the present one is read too. */
static void ledger(const ss_config *cfg, const ss_equation *eq, const ss_problem *p, ss_ledger *out)
{
    ss_sweep_ledger(cfg, eq, p, out);
    out->global_bytes = out->global_bytes / 3 * 4;
    out->operations += FLOPS * out->updates;
}

/* With a bound below Jacobi's spectral radius, its smoothest mode decays more slowly: the
 * polynomial grows outside of its interval. */
static double factor(const ss_config *cfg, const ss_problem *p)
{
    (void)p;
    double rho = ss_real_radius(cfg), bound = ss_config_real(cfg, "rho");
    double inside = bound < 1 ? ss_factor_chebyshev(bound) : 1;
    if (!(rho > bound) || !(bound > 0))
        return bound > 0 ? inside : rho;
    double x = rho / bound;
    return inside * (x + sqrt(x * x - 1));
}

const ss_solver ss_solver_chebyshev = {
    .name = "chebyshev",
    .title = "Chebyshev iteration",
    .help = "Jacobi steps combined with the field before: fast as SOR, without dot products",
    .classic = "jacobi",
    .another_method = true,
    .paper = "no paper: Golub & Varga's method, beside which the papers' methods stand",
    .no_patches = "its recurrence is written for lines and planes",
    .params = params,
    .nparam = sizeof params / sizeof *params,
    .phases = phases,
    .ledger = ledger,
    .ranks = ss_ranks_sweep,
    .factor = factor,
};
