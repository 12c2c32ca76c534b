/*
 * Conjugate gradients: the least error in the energy norm over the Krylov space, for a symmetric
 * positive definite matrix (Hestenes & Stiefel 1952). Its price is communication of another kind:
 * dot products, sums over all points for which everybody waits.
 *
 *     variant     dot products wait   source
 *     classic     twice per iteration Hestenes & Stiefel
 *     pipelined   once, while the operator is applied     Ghysels & Vanroose 2014, algorithm 3
 *     s-step      once per s iterations                   Carson 2015; Chronopoulos & Gear 1989
 *
 * The s-step variant expresses s iterations in a basis of the Krylov space, here Chebyshev
 * polynomials of Jacobi's iteration matrix scaled by its spectral radius: their largest value on
 * the spectrum is 1, so that the basis stays well conditioned where powers of the matrix become
 * parallel. The residual is that of the recurrence; where it meets the tolerance, the true one is
 * computed and decides. Pure functions; any thread.
 */
#include "kernels/solver/recurrence.h"

#include <math.h>
#include <stdio.h>

#include "kernels/solver/schedules.h"
#include "src/core/registry.h"

static const char *const phases[] = {"direction", "step", NULL};
static const char *const variants[] = {"classic", "pipelined", "s-step", NULL};
static const char *const variant_help[] = {
    "two reductions per iteration", "one reduction per iteration, hidden behind the operator",
    "one reduction per `steps` iterations", NULL};

/* Per point and cycle of s iterations (1, but for the s-step variant): numbers a + b s. */
typedef struct cost {
    double a, b;
} cost;

typedef struct variant {
    cost values;       /* read and written */
    cost passes;       /* over the field */
    cost sweeps;       /* applications of the operator */
    cost more_flops;   /* besides the operator's */
    cost vectors;      /* kept besides u and b */
    double reductions; /* per cycle */
} variant;

/* classic: p = r + beta p; p A p; u += alpha p, r -= alpha A p. pipelined: six vectors in one pass.
 * s-step: s passes for the two bases, a pass for all dot products, one for the new vectors. */
static const variant variant_rows[SS_NCG] = {
    /* values, passes, sweeps, more_flops, vectors, reductions */
    [SS_CG_CLASSIC] = {{9, 0}, {3, 0}, {1, 0}, {10, 0}, {2, 0}, 2},
    [SS_CG_PIPELINED] = {{12, 0}, {1, 0}, {1, 0}, {16, 0}, {6, 0}, 1},
    [SS_CG_S_STEP] = {{5, 10}, {2, 1}, {-1, 2}, {8, 26}, {1, 2}, 1},
};

ss_cg_id ss_cg_of(const ss_config *cfg)
{
    return (ss_cg_id)ss_config_int(cfg, "variant");
}

/* Iterations per cycle. */
static int steps_of(const ss_config *cfg)
{
    return ss_cg_of(cfg) == SS_CG_S_STEP ? (int)ss_config_int(cfg, "steps") : 1;
}

ss_cg_basis ss_cg_basis_of(const ss_config *cfg)
{
    double rho = ss_config_spectral_radius(cfg);
    return (ss_cg_basis){.s = steps_of(cfg), .rho = isfinite(rho) && rho > 0 ? rho : 1};
}

static bool has_steps(const ss_config *cfg)
{
    return ss_cg_of(cfg) == SS_CG_S_STEP;
}

// clang-format off
static ss_param params[] = {
    {SS_ROW_CHOICE("variant", "Method", variants, variant_help), .key = "v",
     .flags = SS_P_LIVE | SS_P_CONTROL, .help = "how often dot products make everybody wait"},
    {SS_ROW_INT("steps", "Method", 4, 1, SS_CG_STEPS_MAX), .symbol = "s", .unit = "iterations", .key = "k",
     .flags = SS_P_LIVE | SS_P_CONTROL, .shown = has_steps,
     .help = "iterations per reduction of the s-step variant"},
};
// clang-format on

static int iterations_per_cycle(const ss_config *cfg, const ss_problem *p)
{
    (void)p;
    return steps_of(cfg);
}

/* A cycle is shown whole. */
static int ticks_per_cycle(const ss_config *cfg, const ss_problem *p)
{
    (void)cfg, (void)p;
    return 1;
}

static double times(cost c, int steps)
{
    return c.a + c.b * steps;
}

static double bytes(const ss_config *cfg, const ss_equation *eq, const ss_problem *p,
                    const char **what)
{
    (void)eq;
    *what = "residual, directions and their products";
    return times(variant_rows[ss_cg_of(cfg)].vectors, steps_of(cfg)) * p->nx * p->ny *
           ss_value_bytes(cfg);
}

static void ledger(const ss_config *cfg, const ss_equation *eq, const ss_problem *p, ss_ledger *out)
{
    const variant *v = &variant_rows[ss_cg_of(cfg)];
    int s = steps_of(cfg);
    double points = (double)p->nx * p->ny;
    *out = (ss_ledger){
        .launches = times(v->passes, s),
        .reductions = v->reductions,
        .global_bytes = points * times(v->values, s) * ss_value_bytes(cfg),
        .updates = points * times(v->sweeps, s),
        .operations = points * (times(v->sweeps, s) * eq->flops + times(v->more_flops, s)),
    };
}

/* In a few words; NULL: the matrix is symmetric. */
static const char *asymmetric(const ss_config *cfg)
{
    const ss_equation *eq = ss_config_equation(cfg);
    ss_problem p = ss_config_problem(cfg);
    return eq->asymmetric ? eq->asymmetric(&p) : NULL;
}

/* The matrix is d (I - M) with its diagonal d. Jacobi's M has eigenvalues from -rho to rho. */
static double least_eigenvalue(const ss_config *cfg)
{
    ss_coef coef;
    ss_problem p = ss_config_problem(cfg);
    ss_config_equation(cfg)->coef(&p, &coef);
    return coef.residual * (1 - ss_config_spectral_radius(cfg));
}

static void caution(const ss_config *cfg, const ss_problem *p, char *buf, size_t size)
{
    const char *why = asymmetric(cfg);
    (void)p;
    if (why)
        snprintf(buf, size,
                 "conjugate gradients need a symmetric matrix (%s): they may not converge; choose "
                 "multigrid, sor or jacobi",
                 why);
    else if (least_eigenvalue(cfg) <= 0)
        snprintf(buf, size,
                 "conjugate gradients need a positive definite matrix, and this one is indefinite "
                 "(its least eigenvalue is %.3g): they may not converge; raise diagonal",
                 least_eigenvalue(cfg));
}

static const char *suspect(const ss_config *cfg)
{
    return asymmetric(cfg) ? "because the matrix is not symmetric, as conjugate gradients need it "
                             "(multigrid, sor and jacobi do not)"
           : least_eigenvalue(cfg) <= 0
               ? "because the matrix is indefinite, and conjugate gradients need a positive "
                 "definite one (raise diagonal)"
           : has_steps(cfg) ? "and the s-step basis is the likely cause: choose fewer steps per "
                              "reduction"
                            : NULL;
}

const ss_solver ss_solver_cg = {
    .name = "cg",
    .title = "conjugate gradients",
    .help = "the best combination of all directions so far: few iterations, but dot products",
    .classic = "jacobi",
    .another_method = true,
    .any_radius = true,
    .paper = "no paper: Hestenes & Stiefel's method, beside which the papers' methods stand",
    .no_patches = "its vectors are written for lines and planes",
    SS_PARAMS(params),
    .phases = phases,
    .iterations_per_cycle = iterations_per_cycle,
    .ticks_per_cycle = ticks_per_cycle,
    .bytes = bytes,
    .ledger = ledger,
    .ranks = ss_ranks_points,
    .krylov = true,
    .caution = caution,
    .suspect = suspect,
};
