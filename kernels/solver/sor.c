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
#include "kernels/solver/sor.h"
#include "kernels/solver/sweep.h"

static const char *const phases[] = {"red points", "black points", NULL};

double ss_sor_best(const ss_config *cfg)
{
    double omega = ss_omega_best(ss_real_radius(cfg));
    return isfinite(omega) ? omega : 1;
}

void ss_sor_note(const ss_config *cfg, char *buf, size_t size)
{
    double omega = ss_omega_best(ss_real_radius(cfg));
    if (ss_config_real(cfg, "omega") >= 2)
        snprintf(buf, size, "diverges from 2 on");
    else if (isfinite(omega))
        snprintf(buf, size, "best %.5g", omega);
}

void ss_sor_track(const ss_config *cfg, ss_track *track)
{
    track->lo = 0.8;
    track->hi = 2.05;
    track->mark = ss_sor_best(cfg);
    track->limit = 2;
    track->linear = true;
}

static ss_param params[] = {SS_SOR_ROWS};

static int ticks_per_cycle(const ss_config *cfg, const ss_problem *p)
{
    (void)cfg, (void)p;
    return 2; /* colours */
}

static void ledger(const ss_config *cfg, const ss_equation *eq, const ss_problem *p, ss_ledger *out)
{
    ss_sweep_ledger(cfg, eq, p, out);
    out->operations += SS_SOR_FLOPS * out->updates;
}

double ss_sor_factor(const ss_config *cfg, const ss_problem *p)
{
    (void)p;
    return ss_factor_sor(ss_real_radius(cfg), ss_config_real(cfg, "omega"));
}

void ss_sor_caution(const ss_config *cfg, const ss_problem *p, char *buf, size_t size)
{
    (void)p;
    double omega = ss_config_real(cfg, "omega");
    if (omega >= 2)
        snprintf(buf, size, "SOR with omega %g diverges: it converges only with omega below 2",
                 omega);
}

const char *ss_sor_suspect(const ss_config *cfg)
{
    return ss_config_real(cfg, "omega") >= 2
               ? "and omega is the likely cause: SOR converges only with omega below 2"
               : NULL;
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
    .factor = ss_sor_factor,
    .caution = ss_sor_caution,
    .suspect = ss_sor_suspect,
};
