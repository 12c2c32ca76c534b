/*
 * Poisson's equation in 2D: what it is called, which parameters it has, where it starts. The point
 * update is in poisson2d.h, the sweeps over a box of points come from kernels/cpu/apply.h.
 * Everything here is constant or pure; any thread.
 */
#include "kernels/eq/sine.h"
#include "src/equation.h"
#include "src/param.h"

#define SS_EQ poisson2d
#define SS_EQ_HEADER "kernels/eq/poisson2d.h"
#define SS_UPDATE(f, g, w, e, s, n) f(g, cx, cy, w, e, s, n)
#include "kernels/cpu/apply.h"

static const char *const problem_names[] = {"paper", "spike", "random", NULL};
static const char *const problem_help[] = {
    "b = 1 everywhere, u starts at 1 everywhere", "b in one point in the middle, u starts at 0",
    "u and b drawn at random in every point, from the seed", NULL};
enum { PAPER, SPIKE, RANDOM };

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
     .choices = problem_names,
     .choice_help = problem_help},
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

static double diagonal(const ss_problem *p)
{
    return 2 / (p->dx * p->dx) + 2 / (p->dy * p->dy);
}

static void coef(const ss_problem *p, ss_coef *out)
{
    double d = diagonal(p);
    *out = (ss_coef){.residual = d};
    out->c[0] = 1 / (p->dx * p->dx) / d;
    out->c[1] = 1 / (p->dy * p->dy) / d;
}

/* Values 0 .. N-1 of the random stream start u, the next N are the right-hand side; points count in
 * lexicographic order. */
static uint64_t random_index(const ss_problem *p, int j)
{
    return (uint64_t)j * (uint64_t)p->nx;
}

static void init(const ss_problem *p, int field, int j, int k, double *row)
{
    (void)field, (void)k;
    int64_t problem = ss_config_int(p->cfg, "problem");
    for (int i = 0; i < p->nx; i++)
        row[i] = problem == RANDOM  ? ss_random_unit(p->seed, random_index(p, j) + (uint64_t)i)
                 : problem == PAPER ? 1
                                    : 0;
}

/* The scaled right-hand side g = b/D. A random one is drawn as g itself, between -1 and 1: drawn as
 * b it would be too small beside u to matter. */
static void rhs(const ss_problem *p, int field, int j, int k, double *row)
{
    (void)field, (void)k;
    int64_t problem = ss_config_int(p->cfg, "problem");
    uint64_t first = (uint64_t)p->nx * (uint64_t)p->ny + random_index(p, j);
    for (int i = 0; i < p->nx; i++)
        row[i] = problem == RANDOM  ? 2 * ss_random_unit(p->seed, first + (uint64_t)i) - 1
                 : problem == PAPER ? 1 / diagonal(p)
                                    : 0;
    if (problem == SPIKE && j == p->ny / 2)
        row[p->nx / 2] = 1 / (p->dx * p->dx) / diagonal(p);
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
    .coef = coef,
    .init = init,
    .rhs = rhs,
    .exact = ss_sine_poisson2d,
    .exact_cost = ss_sine_poisson2d_cost,
    .apply = {[SS_F64] = poisson2d_apply_f64, [SS_F32] = poisson2d_apply_f32},
    .flops = 6,
    .reads = 5,
    .writes = 1,
};
