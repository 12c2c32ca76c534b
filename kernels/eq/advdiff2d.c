/*
 * Steady advection and diffusion on the unit square with a constant velocity:
 *
 *     -laplace(u) + (b_x, b_y) . grad(u) = f,      u = 0 along the edge
 *
 * The discrete system is pentadiagonal with constant entries, so that its point update is that of
 * `plane` in steady.h. Differences of the first derivatives are central, of second order, or taken
 * upwind, of first order. With the cell Peclet number P = |b_x| dx the central entries beside the
 * diagonal are
 * -(1 +- P/2)/dx^2: beyond P = 2 one changes its sign, and the discrete solution oscillates.
 * Constant and pure; any thread.
 */
#include <math.h>
#include <stdio.h>

#include "kernels/eq/inner.h"

#define SS_EQ plane
#define SS_EQ_HEADER "kernels/eq/steady.h"
#define SS_UPDATE(f, g, w, e, s, n) f(g, c0, c1, c2, c3, w, e, s, n)
#include "kernels/cpu/loops/apply.h"

/* Two strings, since c is a hexadecimal digit. */
#define PECLET                                                                                     \
    "cell P\xc3\xa9"                                                                               \
    "clet number"
#define PECLET_MAX 2.0 /* of central differences */
#define ROUNDING 1e-12 /* of the product of velocity and spacing */
#define VELOCITY_MAX 1e5

static const char *const schemes[] = {"central", "upwind", NULL};
static const char *const scheme_help[] = {"second order; oscillates where the " PECLET
                                          " is above 2",
                                          "first order: adds diffusion, never oscillates", NULL};
enum { CENTRAL, UPWIND };

static const char *const problems[] = {"source", "spike", "random", NULL};
static const char *const problem_help[] = {
    "f = 1 everywhere, u starts at 0: boundary layers at the outflow",
    "f at one point in the middle, u starts at 0: a plume downstream",
    "u and f random at every point, from the seed", NULL};

static void note_peclet_x(const ss_config *cfg, char *buf, size_t size);
static void note_peclet_y(const ss_config *cfg, char *buf, size_t size);

// clang-format off
static ss_param params[] = {
    SS_ROWS_SQUARE(256),
    {SS_ROW_REAL("velocity-x", "Problem", 40, -VELOCITY_MAX, VELOCITY_MAX), .symbol = "b_x",
     .step = 1, .flags = SS_P_RESET | SS_P_CONTROL, .note = note_peclet_x,
     .help = "velocity in x; the coefficient of diffusion is 1"},
    {SS_ROW_REAL("velocity-y", "Problem", 20, -VELOCITY_MAX, VELOCITY_MAX), .symbol = "b_y",
     .step = 1, .flags = SS_P_RESET | SS_P_CONTROL, .note = note_peclet_y,
     .help = "velocity in y"},
    {SS_ROW_CHOICE("scheme", "Problem", schemes, scheme_help),
     .flags = SS_P_RESET | SS_P_CONTROL, .help = "differences of the first derivatives"},
    {SS_ROW_PROBLEM(problems, problem_help), .help = "right-hand side f and initial field u"},
};
// clang-format on

/* The scheme of a direction: central differences are replaced on grids of multigrid that are so
 * coarse that they would oscillate, and the smoother diverge. The finest grid has the scheme asked
 * for, and with it the solution. */
static int64_t scheme_of(const ss_problem *p, double velocity, double h)
{
    bool coarser = ss_stencil_width(p) > 1;
    return coarser && fabs(velocity) * h > PECLET_MAX ? UPWIND : ss_config_int(p->cfg, "scheme");
}

/* The velocity times the first difference (u - u_before) and (u_after - u), each divided by the
 * spacing: their shares in the entries of one direction. */
static void add_direction(const ss_problem *p, const char *name, double h, double *before,
                          double *after, double *diagonal)
{
    double velocity = ss_config_real(p->cfg, name);
    double diffusion = 1 / (h * h), advection = velocity / h;
    int64_t scheme = scheme_of(p, velocity, h);
    double upstream = scheme == UPWIND ? fmax(advection, 0) : advection / 2;
    double downstream = scheme == UPWIND ? fmin(advection, 0) : advection / 2;
    *before = -(diffusion + upstream);
    *after = -(diffusion - downstream);
    *diagonal += 2 * diffusion + (upstream - downstream);
}

static ss_stencil entries(const ss_problem *p)
{
    ss_stencil m = {.d = 0};
    add_direction(p, "velocity-x", p->dx, &m.w, &m.e, &m.d);
    add_direction(p, "velocity-y", p->dy, &m.s, &m.n, &m.d);
    return m;
}

static void coef(const ss_problem *p, ss_coef *out)
{
    ss_stencil m = entries(p);
    ss_stencil_coef(&m, out);
}

static void init(const ss_problem *p, int field, int j, int k, double *row)
{
    (void)field, (void)k;
    ss_problem_init(p, j, 0, row);
}

static void rhs(const ss_problem *p, int field, int j, int k, double *row)
{
    (void)field, (void)k;
    double d = entries(p).d;
    ss_problem_rhs(p, j, 1 / d, 1 / (p->dx * p->dx) / d, row);
}

static double spectral_radius(const ss_problem *p)
{
    ss_stencil m = entries(p);
    return ss_stencil_radius(p, &m);
}

static const char *asymmetric(const ss_problem *p)
{
    ss_stencil m = entries(p);
    return ss_stencil_is_symmetric(&m) ? NULL : "the velocity is not 0";
}

static int exact(const ss_problem *p, const double *g, double *u, ss_err *err)
{
    ss_stencil m = entries(p);
    return ss_stencil_solve(p, &m, g, u, err);
}

/* --- the cell Peclet number ------------------------------------------------------------------- */

static double peclet_x(const ss_problem *p)
{
    return fabs(ss_config_real(p->cfg, "velocity-x")) * p->dx;
}

static double peclet_y(const ss_problem *p)
{
    return fabs(ss_config_real(p->cfg, "velocity-y")) * p->dy;
}

static void note_peclet_x(const ss_config *cfg, char *buf, size_t size)
{
    ss_problem p;
    ss_config_problem(cfg, &p);
    snprintf(buf, size,
             "cell P\xc3\xa9"
             "clet number %.3g",
             peclet_x(&p));
}

static void note_peclet_y(const ss_config *cfg, char *buf, size_t size)
{
    ss_problem p;
    ss_config_problem(cfg, &p);
    snprintf(buf, size,
             "cell P\xc3\xa9"
             "clet number %.3g",
             peclet_y(&p));
}

static bool oscillates(const ss_problem *p)
{
    return ss_config_int(p->cfg, "scheme") == CENTRAL &&
           fmax(peclet_x(p), peclet_y(p)) > PECLET_MAX * (1 + ROUNDING);
}

static const char *suspect(const ss_problem *p)
{
    if (!oscillates(p))
        return NULL;
    return spectral_radius(p) >= 1
               ? "because the " PECLET " is above 2 with central differences (scheme upwind has no "
                 "such limit)"
               : "because the " PECLET " is above 2 with central differences: the error grows "
                 "before it decays (scheme upwind has no such limit)";
}

/* The smallest number of points with |velocity|/(points + 1) <= PECLET_MAX, or the present one. */
static int enough(const ss_problem *p, const char *velocity, int points)
{
    int least = (int)ceil(fabs(ss_config_real(p->cfg, velocity)) / PECLET_MAX * (1 - ROUNDING)) - 1;
    return least > points ? least : points;
}

static void caution(const ss_problem *p, char *buf, size_t size)
{
    if (!oscillates(p))
        return;
    double radius = spectral_radius(p);
    snprintf(buf, size,
             "the " PECLET " %.3g is above 2: with central differences the discrete solution "
             "oscillates, and %s (spectral radius %.4g); choose scheme upwind, or n %d and ny %d",
             fmax(peclet_x(p), peclet_y(p)),
             radius >= 1 ? "Jacobi's iteration diverges" : "Jacobi's error may grow at first",
             radius, enough(p, "velocity-x", p->nx), enough(p, "velocity-y", p->ny));
}

const ss_equation ss_eq_advdiff2d = {
    .name = "advdiff2d",
    .title = "2D advection-diffusion",
    .help = "-u_xx - u_yy + b_x u_x + b_y u_y = f on the unit square, u = 0 along the edge",
    SS_SQUARE,
    .params = params,
    .nparam = sizeof params / sizeof *params,
    .coef = coef,
    .init = init,
    .rhs = rhs,
    .spectral_radius = spectral_radius,
    .asymmetric = asymmetric,
    .exact = exact,
    .exact_cost = ss_stencil_cost,
    .suspect = suspect,
    .caution = caution,
    .apply = {[SS_F64] = plane_apply_f64, [SS_F32] = plane_apply_f32},
    .flops = 8,
    .reads = 5,
    .writes = 1,
};
