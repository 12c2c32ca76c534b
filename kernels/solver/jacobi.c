/*
 * Classic Jacobi: every point from the old array into the new one, then a global synchronisation.
 * One iteration per cycle. The baseline of every other schedule. With damping omega other than 1 a
 * point becomes u + omega (u' - u). This file describes the schedule; the loops are in
 * kernels/cpu/jacobi.c. Pure functions; any thread.
 */
#include <math.h>
#include <stdio.h>

#include "kernels/solver/factor.h"
#include "kernels/solver/ranks.h"
#include "kernels/solver/sweep.h"
#include "src/core/registry.h"

static const char *const phases[] = {"sweep", NULL};

double ss_damping_of(const ss_config *cfg)
{
    bool applies;
    ss_param_find(cfg, "damping", &applies);
    return applies ? ss_config_real(cfg, "damping") : 1;
}

/* The damping that reduces the rougher half of the modes most evenly: 2/3, 4/5, 6/7. */
static double best_smoother(const ss_config *cfg)
{
    ss_problem p;
    ss_config_problem(cfg, &p);
    return 2.0 * p.dim / (2 * p.dim + 1);
}

void ss_damping_note(const ss_config *cfg, char *buf, size_t size)
{
    double limit = ss_omega_limit_jacobi(ss_config_spectral_radius(cfg));
    if (ss_damping_of(cfg) > limit)
        snprintf(buf, size, "converges below %.6g", limit);
    else
        snprintf(buf, size, "%.3g smooths best", best_smoother(cfg));
}

void ss_damping_track(const ss_config *cfg, ss_track *track)
{
    track->lo = 0.4;
    track->hi = 1.2;
    track->mark = best_smoother(cfg);
    track->limit = ss_omega_limit_jacobi(ss_config_spectral_radius(cfg));
    track->linear = true;
}

static double factor(const ss_config *cfg, const ss_problem *p)
{
    (void)p;
    double omega = ss_damping_of(cfg);
    bool damped = omega < 1 || omega > 1; /* else complex eigenvalues do no harm */
    return ss_factor_jacobi(damped ? ss_real_radius(cfg) : ss_config_spectral_radius(cfg), omega);
}

static void caution(const ss_config *cfg, const ss_problem *p, char *buf, size_t size)
{
    double omega = ss_damping_of(cfg), limit = ss_omega_limit_jacobi(ss_real_radius(cfg));
    (void)p;
    if (omega > limit && omega > 1)
        snprintf(buf, size, "Jacobi with damping %g diverges: it converges below %.6g", omega,
                 limit);
}

static const char *suspect(const ss_config *cfg)
{
    return ss_damping_of(cfg) > 1 ? "and damping above 1 is the likely cause: the change of the "
                                    "roughest mode overshoots"
                                  : NULL;
}

const ss_solver ss_solver_jacobi = {
    .name = "jacobi",
    .title = "classic Jacobi",
    .help = "every point once, then a global synchronisation: one iteration per cycle",
    .paper = "the classic method, the papers' baseline",
    .phases = phases,
    .ledger = ss_sweep_ledger,
    .ranks = ss_ranks_sweep,
    .factor = factor,
    .falls_steadily = true,
    .caution = caution,
    .suspect = suspect,
};
