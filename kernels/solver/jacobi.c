/*
 * Classic Jacobi: every point from the old array into the new one, then a global synchronisation.
 * One iteration per cycle. The baseline of every other schedule. With damping omega other than 1 a
 * point becomes u + omega (u' - u). This file describes the schedule; the loops are in
 * kernels/cpu/jacobi.c.
 *
 * Persistent Jacobi: the whole grid remains in registers and shared memory from the first iteration
 * to the last, one subdomain per SM; only halos are exchanged. A subdomain covers `every` more
 * points than it owns on each side, so that one exchange serves `every` iterations: stale values
 * move inward by one point per iteration and never reach the owned points. Bit-for-bit equal to
 * classic Jacobi. The kernel is in kernels/cuda/jacobi/persistent.c. Pure functions; any thread.
 */
#include <math.h>
#include <stdio.h>

#include "kernels/solver/schedules.h"
#include "src/core/registry.h"

/* Assumes ideal caches: u and g are read once, u' is written once; ghost cells of patches are read
 * and written. */
void ss_sweep_ledger(const ss_config *cfg, const ss_equation *eq, const ss_problem *p,
                     ss_ledger *out)
{
    ss_patch_sums sum = ss_patch_sums_of(eq, p); /* 0 where there are no patches */
    double points = eq->patches ? sum.cells : (double)p->nx * p->ny * p->nz;
    double bytes = ss_value_bytes(cfg);
    double edge = 2 * sum.ghosts * bytes;
    *out = (ss_ledger){
        .launches = 1,
        .global_bytes = points * 3 * eq->nfield * bytes + edge,
        .updates = points,
        .operations = points * eq->flops,
        .edge_bytes = edge,
    };
}

double ss_real_radius(const ss_config *cfg)
{
    const ss_equation *eq = ss_config_equation(cfg);
    ss_problem p = ss_config_problem(cfg);
    return eq->asymmetric && eq->asymmetric(&p) ? (double)NAN : ss_config_spectral_radius(cfg);
}

/* --- damping ---------------------------------------------------------------------------------- */

/* The asymptotic factor of damped Jacobi, from Young's theory (schedules.h): rho with omega 1. */
static double factor_of(double rho, double omega)
{
    return fmax(fabs(1 - omega * (1 - rho)), fabs(1 - omega * (1 + rho)));
}

/* The largest omega with which damped Jacobi converges. */
static double omega_limit(double rho)
{
    return 2 / (1 + rho);
}

double ss_damping_of(const ss_config *cfg)
{
    bool applies;
    ss_param_find(cfg, "damping", &applies);
    return applies ? ss_config_real(cfg, "damping") : 1;
}

/* The damping that reduces the rougher half of the modes most evenly: 2/3, 4/5, 6/7. */
static double best_smoother(const ss_config *cfg)
{
    ss_problem p = ss_config_problem(cfg);
    return 2.0 * p.dim / (2 * p.dim + 1);
}

void ss_damping_note(const ss_config *cfg, char *buf, size_t size)
{
    double limit = omega_limit(ss_config_spectral_radius(cfg));
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
    track->limit = omega_limit(ss_config_spectral_radius(cfg));
    track->linear = true;
}

static double factor(const ss_config *cfg, const ss_problem *p)
{
    (void)p;
    double omega = ss_damping_of(cfg);
    bool damped = omega < 1 || omega > 1; /* else complex eigenvalues do no harm */
    return factor_of(damped ? ss_real_radius(cfg) : ss_config_spectral_radius(cfg), omega);
}

static void caution(const ss_config *cfg, const ss_problem *p, char *buf, size_t size)
{
    double omega = ss_damping_of(cfg), limit = omega_limit(ss_real_radius(cfg));
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

/* --- classic ---------------------------------------------------------------------------------- */

static const char *const phases[] = {"sweep", NULL};

const ss_solver ss_solver_jacobi = {
    .name = "jacobi",
    .title = "classic Jacobi",
    .help = "every point once, then a global synchronisation: one iteration per cycle",
    .paper = "the classic method, the papers' baseline",
    .phases = phases,
    .ledger = ss_sweep_ledger,
    .ranks = ss_ranks_points,
    .factor = factor,
    .falls_steadily = true,
    .caution = caution,
    .suspect = suspect,
};

/* --- persistent ------------------------------------------------------------------------------- */

static const char *const persistent_phases[] = {"iterate", "exchange", NULL};

// clang-format off
static ss_param persistent_params[] = {
    {SS_ROW_INT("every", "Method", 8, 1, 8), .unit = "iterations",
     .help = "iterations between two exchanges of the halos", .flags = SS_P_LIVE | SS_P_CONTROL},
};
// clang-format on

/* Global memory traffic is the field once per step, and the halos. Their cost depends on the
 * device, so the ledger counts neither. */
static void persistent_ledger(const ss_config *cfg, const ss_equation *eq, const ss_problem *p,
                              ss_ledger *out)
{
    double points = (double)p->nx * p->ny * p->nz;
    (void)cfg;
    *out = (ss_ledger){.updates = points, .operations = points * eq->flops};
}

static double persistent_factor(const ss_config *cfg, const ss_problem *p)
{
    (void)p;
    return ss_config_spectral_radius(cfg);
}

const ss_solver ss_solver_persistent = {
    .name = "persistent",
    .title = "persistent Jacobi",
    .help = "the whole grid remains on chip, halos are exchanged every few iterations",
    .classic = "jacobi",
    .paper = "no paper: the classic method with the grid in registers and shared memory",
    .no_patches = "its subdomains divide lines and planes only",
    SS_PARAMS(persistent_params),
    .phases = persistent_phases,
    .ledger = persistent_ledger,
    .factor = persistent_factor,
    .falls_steadily = true,
};
