/*
 * Poisson's equation in 2D: its description and parameters. The point update is in poisson2d.h, the
 * problems are in poisson.c, the CPU's loops come from kernels/cpu/loops/apply.h. Constant and
 * pure; any thread.
 */
#include "kernels/eq/rectangle.h"
#include "kernels/eq/poisson.h"
#include "kernels/eq/sine.h"

#define SS_EQ poisson2d
#define SS_EQ_HEADER "kernels/eq/poisson2d.h"
#define SS_UPDATE(f, g, w, e, s, n) f(g, c0, c1, w, e, s, n)
#include "kernels/cpu/loops/apply.h"

// clang-format off
static ss_param params[] = {
    SS_ROWS_RECTANGLE,
    {SS_ROW_PROBLEM(ss_poisson_problems, ss_poisson_problem_help),
     .help = "right-hand side b and initial field u"},
};
// clang-format on

const ss_equation ss_eq_poisson2d = {
    .name = "poisson2d",
    .title = "2D Poisson",
    .help = "-u_xx - u_yy = b on the unit square, u = 0 along the edge",
    SS_RECTANGLE,
    .params = params,
    .nparam = sizeof params / sizeof *params,
    .coef = ss_poisson_coef,
    .init = ss_poisson_init,
    .rhs = ss_poisson_rhs,
    .spectral_radius = ss_poisson_spectral_radius,
    .exact = ss_sine_poisson2d,
    .exact_cost = ss_sine_poisson2d_cost,
    .apply = {[SS_F64] = poisson2d_apply_f64, [SS_F32] = poisson2d_apply_f32},
    .flops = 6,
    .reads = 5,
    .writes = 1,
};
