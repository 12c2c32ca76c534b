/*
 * Poisson's equation in 1D: its description and parameters. The point update is in poisson1d.h, the
 * problems are in poisson.c, the CPU's loops come from kernels/cpu/loops/apply.h. Constant and
 * pure; any thread.
 */
#include "kernels/eq/poisson.h"
#include "kernels/eq/sine.h"
#include "kernels/eq/rows.h"

#define SS_EQ poisson1d
#define SS_EQ_HEADER "kernels/eq/poisson1d.h"
#define SS_UPDATE(f, g, w, e, s, n) f(g, c0, w, e)
#include "kernels/cpu/loops/apply.h"

// clang-format off
static ss_param params[] = {
    {SS_ROW_AXIS("n", 1024, 1, 1 << 30), .unit = "points",
     .help = "interior points of the line; the spacing is 1/(n+1)"},
    {SS_ROW_POINTS("copies", 1, 1, 1 << 20),
     .help = "independent copies of the problem, solved together"},
    {SS_ROW_PROBLEM(ss_poisson_problems, ss_poisson_problem_help),
     .help = "right-hand side b and initial field u"},
};
// clang-format on

/* Each copy is a row; the rows are not coupled. */
static void shape(const ss_config *cfg, ss_problem *out)
{
    out->dim = 1;
    out->nx = (int)ss_config_int(cfg, "n");
    out->ny = (int)ss_config_int(cfg, "copies");
    out->nz = 1;
    out->dx = out->dy = out->dz = 1 / (out->nx + 1.0);
}

const ss_equation ss_eq_poisson1d = {
    .name = "poisson1d",
    .title = "1D Poisson",
    .help = "-u'' = b on the unit interval, u = 0 at both ends",
    .dim = 1,
    .nfield = 1,
    .nstage = 1,
    .radius = 1,
    .kind = SS_STEADY,
    .bc = SS_BC_DIRICHLET,
    .origin = 1,
    .params = params,
    .nparam = sizeof params / sizeof *params,
    .shape = shape,
    .coef = ss_poisson_coef,
    .init = ss_poisson_init,
    .rhs = ss_poisson_rhs,
    .spectral_radius = ss_poisson_spectral_radius,
    .exact = ss_sine_poisson1d,
    .exact_cost = ss_sine_poisson1d_cost,
    .apply = {[SS_F64] = poisson1d_apply_f64, [SS_F32] = poisson1d_apply_f32},
    .flops = 3,
    .reads = 3,
    .writes = 1,
};
