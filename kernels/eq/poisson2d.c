/*
 * Poisson's equation in 2D: what it is called and which parameters it has. The point update is in
 * poisson2d.h, its problems are in poisson.c, the sweeps over a box come from
 * kernels/cpu/loops/apply.h. Everything here is constant or pure; any thread.
 */
#include "kernels/eq/poisson.h"
#include "kernels/eq/sine.h"
#include "src/core/equation.h"
#include "src/core/param.h"

#define SS_EQ poisson2d
#define SS_EQ_HEADER "kernels/eq/poisson2d.h"
#define SS_UPDATE(f, g, w, e, s, n) f(g, c0, c1, w, e, s, n)
#include "kernels/cpu/loops/apply.h"

static ss_param params[] = {
    {.name = "n",
     .symbol = "n",
     .unit = "points",
     .group = "Problem",
     .type = SS_INT,
     .help = "interior points in x; the spacing is 1/(n+1)",
     .flags = SS_P_REOPEN | SS_P_LOG | SS_P_POW2,
     .def = 1024,
     .min = 1,
     .max = 1 << 30,
     .step = 1},
    {.name = "ny",
     .symbol = "ny",
     .unit = "points",
     .group = "Problem",
     .type = SS_INT,
     .help = "interior points in y; as many as in x unless given",
     .flags = SS_P_REOPEN | SS_P_LOG | SS_P_POW2,
     .def = 1024,
     .min = 1,
     .max = 1 << 30,
     .step = 1,
     .follows = "n"},
    {.name = "aspect",
     .symbol = "aspect",
     .unit = "",
     .group = "Problem",
     .type = SS_REAL_T,
     .help = "height of the domain: the spacing in y is aspect/(ny+1)",
     .flags = SS_P_REOPEN | SS_P_LOG,
     .def = 1,
     .min = 1e-3,
     .max = 1e3},
    {.name = "problem",
     .symbol = "problem",
     .unit = "",
     .group = "Problem",
     .type = SS_CHOICE,
     .help = "right-hand side b and initial field u",
     .flags = SS_P_REOPEN,
     .choices = ss_poisson_problems,
     .choice_help = ss_poisson_problem_help},
};

static void shape(const ss_config *cfg, ss_problem *out)
{
    out->dim = 2;
    out->nx = (int)ss_config_int(cfg, "n");
    out->ny = (int)ss_config_int(cfg, "ny");
    out->nz = 1;
    out->dx = 1 / (out->nx + 1.0);
    out->dy = ss_config_real(cfg, "aspect") / (out->ny + 1.0);
    out->dz = out->dx;
}

const ss_equation ss_eq_poisson2d = {
    .name = "poisson2d",
    .title = "2D Poisson",
    .help = "-u_xx - u_yy = b on the unit square, u = 0 along the edge",
    .dim = 2,
    .nfield = 1,
    .nstage = 1,
    .radius = 1,
    .kind = SS_STEADY,
    .bc = SS_BC_DIRICHLET,
    .params = params,
    .nparam = sizeof params / sizeof *params,
    .shape = shape,
    .coef = ss_poisson_coef,
    .init = ss_poisson_init,
    .rhs = ss_poisson_rhs,
    .exact = ss_sine_poisson2d,
    .exact_cost = ss_sine_poisson2d_cost,
    .apply = {[SS_F64] = poisson2d_apply_f64, [SS_F32] = poisson2d_apply_f32},
    .flops = 6,
    .reads = 5,
    .writes = 1,
};
