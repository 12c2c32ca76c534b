/*
 * Poisson's equation in 1D and in 2D: parameters, initial fields, right-hand sides. The point
 * updates are in steady.h, the CPU's loops come from kernels/cpu/loops/apply.h. Constant and pure;
 * any thread.
 */
#include "kernels/eq/inner.h"
#include "kernels/eq/sine.h"
#include "src/base/elementary/elementary.h"

#define SS_EQ_HEADER "kernels/eq/steady.h"
#define SS_EQ poisson1d
#define SS_UPDATE(f, g, w, e, s, n) f(g, c0, w, e)
#include "kernels/cpu/loops/apply.h"

#define SS_EQ poisson2d
#define SS_UPDATE(f, g, w, e, s, n) f(g, c0, c1, w, e, s, n)
#include "kernels/cpu/loops/apply.h"

static const char *const problems[] = {"paper", "spike", "random", NULL};
static const char *const problem_help[] = {"b = 1 everywhere, u starts at 1 everywhere",
                                           "b at one point in the middle, u starts at 0",
                                           "u and b random at every point, from the seed", NULL};

static double diagonal(const ss_problem *p)
{
    double x = 2 / (p->dx * p->dx);
    return p->dim == 1 ? x : x + 2 / (p->dy * p->dy);
}

/* c = (1/dx^2)/D, and in 2D a = (dx/dy)^2. */
static void coef(const ss_problem *p, ss_coef *out)
{
    double d = diagonal(p);
    *out = (ss_coef){.residual = d};
    out->c[0] = 1 / (p->dx * p->dx) / d;
    if (p->dim > 1)
        out->c[1] = p->dx * p->dx / (p->dy * p->dy);
}

/* The eigenvalue of the smoothest sine mode; the roughest mode has its negative. */
static double spectral_radius(const ss_problem *p)
{
    const double pi = 3.14159265358979323846;
    double x = 2 / (p->dx * p->dx), y = p->dim == 1 ? 0 : 2 / (p->dy * p->dy);
    return (x * ss_cos(pi / (p->nx + 1)) + y * ss_cos(pi / (p->ny + 1))) / (x + y);
}

static void init(const ss_problem *p, int field, int j, int k, double *row)
{
    (void)field, (void)k;
    ss_problem_init(p, j, 1, row);
}

static void rhs(const ss_problem *p, int field, int j, int k, double *row)
{
    (void)field, (void)k;
    ss_problem_rhs(p, j, 1 / diagonal(p), 1 / (p->dx * p->dx) / diagonal(p), row);
}

/* --- 1D --------------------------------------------------------------------------------------- */

// clang-format off
static ss_param line_params[] = {
    {SS_ROW_AXIS("n", 1024, 1, 1 << 30), .unit = "points",
     .help = "interior points of the line; the spacing is 1/(n+1)"},
    {SS_ROW_POINTS("copies", 1, 1, 1 << 20),
     .help = "independent copies of the problem, solved together"},
    {SS_ROW_PROBLEM(problems, problem_help),
     .help = "right-hand side b and initial field u"},
};
// clang-format on

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
    .params = line_params,
    .nparam = sizeof line_params / sizeof *line_params,
    .shape = ss_line_shape,
    .coef = coef,
    .init = init,
    .rhs = rhs,
    .spectral_radius = spectral_radius,
    .exact = ss_sine_poisson1d,
    .exact_cost = ss_sine_poisson1d_cost,
    .apply = {[SS_F64] = poisson1d_apply_f64, [SS_F32] = poisson1d_apply_f32},
    .flops = 3,
    .reads = 3,
    .writes = 1,
};

/* --- 2D --------------------------------------------------------------------------------------- */

// clang-format off
static ss_param plane_params[] = {
    SS_ROWS_RECTANGLE,
    {SS_ROW_PROBLEM(problems, problem_help),
     .help = "right-hand side b and initial field u"},
};
// clang-format on

const ss_equation ss_eq_poisson2d = {
    .name = "poisson2d",
    .title = "2D Poisson",
    .help = "-u_xx - u_yy = b on the unit square, u = 0 along the edge",
    SS_RECTANGLE,
    .params = plane_params,
    .nparam = sizeof plane_params / sizeof *plane_params,
    .coef = coef,
    .init = init,
    .rhs = rhs,
    .spectral_radius = spectral_radius,
    .exact = ss_sine_poisson2d,
    .exact_cost = ss_sine_poisson2d_cost,
    .apply = {[SS_F64] = poisson2d_apply_f64, [SS_F32] = poisson2d_apply_f32},
    .flops = 6,
    .reads = 5,
    .writes = 1,
};
