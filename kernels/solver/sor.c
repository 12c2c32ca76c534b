/*
 * Successive over-relaxation (SOR) in red-black order: first the red points, those with i + j even,
 * then the black ones from the new red ones, each u + omega (u' - u). omega 1 is Gauss-Seidel. With
 * the best omega the number of iterations grows like n instead of n^2 (Young). Both colours can be
 * swept in one pass over the field (kernels/cpu/sor.c). Pure functions; any thread.
 */
#include <math.h>
#include <stdio.h>

#include "kernels/solver/factor.h"
#include "kernels/solver/ranks.h"
#include "kernels/solver/sweep.h"

enum { FLOPS = 3 }; /* operations that relaxation adds to a point update */

static const char *const phases[] = {"red points", "black points", NULL};

static double two(double rho)
{
    (void)rho;
    return 2;
}

static double unknown(double rho)
{
    (void)rho;
    return (double)NAN;
}

/* What the eigenvalues of Jacobi's iteration say about omega: the best one, NaN if unknown, and the
 * one from which SOR diverges. */
static const struct {
    double (*best)(double rho), (*limit)(double rho);
    const char *reason; /* of a matrix that is not symmetric */
} known[] = {
    [SS_REAL_SPECTRUM] = {ss_omega_best, two, "real eigenvalues"},
    [SS_IMAGINARY_SPECTRUM] = {ss_omega_best_imaginary, ss_omega_limit_imaginary,
                               "imaginary eigenvalues"},
    [SS_COMPLEX_SPECTRUM] = {unknown, two, "complex eigenvalues"},
};

static double best(const ss_config *cfg)
{
    return known[ss_spectrum_of(cfg)].best(ss_config_spectral_radius(cfg));
}

static double limit(const ss_config *cfg)
{
    return known[ss_spectrum_of(cfg)].limit(ss_config_spectral_radius(cfg));
}

static double usual_omega(const ss_config *cfg)
{
    double omega = best(cfg);
    return isfinite(omega) ? omega : 1;
}

static void note_omega(const ss_config *cfg, char *buf, size_t size)
{
    double omega = best(cfg);
    bool symmetric = isfinite(ss_real_radius(cfg));
    const char *reason = known[ss_spectrum_of(cfg)].reason;
    if (ss_config_real(cfg, "omega") >= limit(cfg))
        snprintf(buf, size, "diverges from %.3g on", limit(cfg));
    else if (isfinite(omega))
        snprintf(buf, size, symmetric ? "best %.5g" : "best %.4g: %s", omega, reason);
    else if (!symmetric)
        snprintf(buf, size, "best unknown: %s", reason);
}

static void track_omega(const ss_config *cfg, ss_track *track)
{
    track->lo = fmin(0.8, usual_omega(cfg) / 2);
    track->hi = 2.05;
    track->mark = usual_omega(cfg);
    track->limit = limit(cfg);
    track->linear = true;
}

// clang-format off
static ss_param params[] = {
    {SS_ROW_RELAXATION("omega", 2.2), .usual = usual_omega,
     .def_text = "the best, 2/(1 + sqrt(1 - rho^2))", .note = note_omega, .track = track_omega,
     .help = "relaxation factor: 1 is Gauss-Seidel; rho is Jacobi's spectral radius"},
};
// clang-format on

static int ticks_per_cycle(const ss_config *cfg, const ss_problem *p)
{
    (void)cfg, (void)p;
    return 2; /* colours */
}

static void ledger(const ss_config *cfg, const ss_equation *eq, const ss_problem *p, ss_ledger *out)
{
    ss_sweep_ledger(cfg, eq, p, out);
    out->operations += FLOPS * out->updates;
}

static double factor(const ss_config *cfg, const ss_problem *p)
{
    (void)p;
    return ss_factor_sor(ss_real_radius(cfg), ss_config_real(cfg, "omega"));
}

static void caution(const ss_config *cfg, const ss_problem *p, char *buf, size_t size)
{
    (void)p;
    double omega = ss_config_real(cfg, "omega");
    if (omega >= limit(cfg))
        snprintf(buf, size, "SOR with omega %g diverges: it converges only with omega below %.4g",
                 omega, limit(cfg));
}

static const char *suspect(const ss_config *cfg)
{
    static _Thread_local char text[100];
    if (ss_config_real(cfg, "omega") < limit(cfg))
        return NULL;
    snprintf(text, sizeof text,
             "and omega is the likely cause: SOR converges only with omega below %.4g", limit(cfg));
    return text;
}

const ss_solver ss_solver_sor = {
    .name = "sor",
    .title = "red-black SOR",
    .help = "red points, then black points from them, over-relaxed: omega 1 is Gauss-Seidel",
    .classic = "jacobi",
    .another_method = true,
    .paper = "no paper: Young's method, beside which the papers' methods stand",
    .no_patches = "its two colours are those of lines and planes",
    .params = params,
    .nparam = sizeof params / sizeof *params,
    .phases = phases,
    .ticks_per_cycle = ticks_per_cycle,
    .ledger = ledger,
    .ranks = ss_ranks_colours,
    .factor = factor,
    .caution = caution,
    .suspect = suspect,
};
