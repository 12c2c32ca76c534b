/*
 * Two methods that are faster than Jacobi because they know its spectral radius rho.
 *
 * Successive over-relaxation (SOR) in red-black order: first the red points, those with i + j even,
 * then the black ones from the new red ones, each u + omega (u' - u). omega 1 is Gauss-Seidel. With
 * the best omega the number of iterations grows like n instead of n^2 (Young). Both colours can be
 * swept in one pass over the field (kernels/cpu/sor.c).
 *
 * Chebyshev's semi-iteration on Jacobi: the next field is combined from the Jacobi step of the
 * present one and the field before it,
 *     u_(m+1) = omega_(m+1) (u_m' - u_(m-1)) + u_(m-1)
 *     omega_1 = 1,  omega_2 = 1/(1 - rho^2/2),  omega_(m+1) = 1/(1 - rho^2 omega_m/4)
 * where rho bounds Jacobi's eigenvalues. As fast as SOR, but every point is computed from old
 * values, and no dot product is needed. Source: Golub & Varga 1961. A change of a parameter begins
 * the recurrence again. Pure functions; any thread.
 */
#include <math.h>
#include <stdio.h>

#include "kernels/solver/schedules.h"
#include "src/core/registry.h"

enum { FLOPS = 3 }; /* operations that relaxation, or the recurrence, adds to a point update */

/* --- predicted factors (schedules.h)
 * -------------------------------------------------------------- */

/* Where all eigenvalues of the Jacobi iteration lie; on the complex plane, if neither is known. A
 * matrix that is not symmetric has real ones if the two entries of each direction have one sign,
 * imaginary ones if the signs differ in each direction. */
typedef enum spectrum { REAL, IMAGINARY, COMPLEX } spectrum;

static spectrum spectrum_of(const ss_config *cfg)
{
    ss_coef coef;
    const ss_equation *eq = ss_config_equation(cfg);
    ss_problem p = ss_config_problem(cfg);
    if (!eq->asymmetric || !eq->asymmetric(&p))
        return REAL;
    eq->coef(&p, &coef); /* those of ss_stencil_coef */
    double x = coef.c[0] * coef.c[1], y = p.dim > 1 ? coef.c[2] * coef.c[3] : x;
    return x >= 0 && y >= 0 ? REAL : x <= 0 && y <= 0 ? IMAGINARY : COMPLEX;
}

/* The best omega of SOR with real eigenvalues: 2/(1 + sqrt(1 - rho^2)). NaN unless 0 <= rho < 1. */
static double best_real(double rho)
{
    return rho >= 0 && rho < 1 ? 2 / (1 + sqrt(1 - rho * rho)) : (double)NAN;
}

/* SOR in a consistent order such as red-black: ((omega rho + sqrt(omega^2 rho^2 - 4 (omega -
 * 1)))/2)^2 up to the best omega, omega - 1 above it. omega 1, Gauss-Seidel: rho^2. */
static double factor_sor(double rho, double omega)
{
    double under = omega * omega * rho * rho - 4 * (omega - 1);
    if (!(rho < 1))
        return (double)NAN;
    if (under <= 0)
        return fabs(omega - 1);
    double root = (omega * rho + sqrt(under)) / 2;
    return root * root;
}

/* Chebyshev's semi-iteration with bounds -rho and rho: sqrt(omega_best - 1), a bound. */
static double factor_chebyshev(double rho)
{
    return sqrt(best_real(rho) - 1);
}

/* --- red-black SOR ---------------------------------------------------------------------------- */

static const char *const sor_phases[] = {"red points", "black points", NULL};

/* NaN: unknown. With imaginary eigenvalues up to i rho it is below 1, and there is one for every
 * rho: 2/(1 + sqrt(1 + rho^2)). */
static double best(const ss_config *cfg)
{
    double rho = ss_config_spectral_radius(cfg);
    spectrum s = spectrum_of(cfg);
    return s == REAL        ? best_real(rho)
           : s == IMAGINARY ? 2 / (1 + sqrt(1 + rho * rho))
                            : (double)NAN;
}

/* SOR converges below it. */
static double limit(const ss_config *cfg)
{
    return spectrum_of(cfg) == IMAGINARY ? 2 / (1 + ss_config_spectral_radius(cfg)) : 2;
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
    static const char *const reasons[] = {[REAL] = "real eigenvalues",
                                          [IMAGINARY] = "imaginary eigenvalues",
                                          [COMPLEX] = "complex eigenvalues"};
    const char *reason = reasons[spectrum_of(cfg)];
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
static ss_param sor_params[] = {
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

static void sor_ledger(const ss_config *cfg, const ss_equation *eq, const ss_problem *p,
                       ss_ledger *out)
{
    ss_sweep_ledger(cfg, eq, p, out);
    out->operations += FLOPS * out->updates;
}

static double sor_factor(const ss_config *cfg, const ss_problem *p)
{
    (void)p;
    return factor_sor(ss_real_radius(cfg), ss_config_real(cfg, "omega"));
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
    SS_PARAMS(sor_params),
    .phases = sor_phases,
    .ticks_per_cycle = ticks_per_cycle,
    .ledger = sor_ledger,
    .ranks = ss_ranks_points,
    .factor = sor_factor,
    .caution = caution,
    .suspect = suspect,
};

/* --- Chebyshev -------------------------------------------------------------------------------- */

static const char *const chebyshev_phases[] = {"sweep and combine", NULL};

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
static ss_param chebyshev_params[] = {
    {SS_ROW_REAL("rho", "Method", 0.99, 0, 1), .symbol = "\xcf\x81", .step = 0.001,
     .usual = usual_rho, .def_text = "Jacobi's spectral radius",
     .flags = SS_P_LIVE | SS_P_CONTROL, .note = note_rho, .track = track_rho,
     .help = "bound of Jacobi's eigenvalues, from which the factors of the recurrence follow"},
};
// clang-format on

/* The field before the present one is read too. */
static void chebyshev_ledger(const ss_config *cfg, const ss_equation *eq, const ss_problem *p,
                             ss_ledger *out)
{
    ss_sweep_ledger(cfg, eq, p, out);
    out->global_bytes = out->global_bytes / 3 * 4;
    out->operations += FLOPS * out->updates;
}

/* With a bound below Jacobi's spectral radius, its smoothest mode decays more slowly: the
 * polynomial grows outside of its interval. */
static double chebyshev_factor(const ss_config *cfg, const ss_problem *p)
{
    (void)p;
    double rho = ss_real_radius(cfg), bound = ss_config_real(cfg, "rho");
    double inside = bound < 1 ? factor_chebyshev(bound) : 1;
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
    SS_PARAMS(chebyshev_params),
    .phases = chebyshev_phases,
    .ledger = chebyshev_ledger,
    .ranks = ss_ranks_points,
    .factor = chebyshev_factor,
};
