/*
 * Poisson's equation in 1D: what it is called, which parameters it has, where it starts. The point
 * update is in poisson1d.h, the sweeps over a box of points come from kernels/cpu/apply.h.
 * Everything here is constant or pure; any thread.
 */
#include "kernels/eq/sine.h"
#include "src/equation.h"
#include "src/param.h"

#define SS_EQ poisson1d
#define SS_EQ_HEADER "kernels/eq/poisson1d.h"
#define SS_UPDATE(f, g, w, e, s, n) f(g, cx, w, e)
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
     .help = "interior points of the line; the spacing is 1/(n+1)",
     .flags = SS_P_REOPEN | SS_P_LOG | SS_P_POW2,
     .def = 1024,
     .min = 1,
     .max = 1 << 30,
     .step = 1},
    {.name = "copies",
     .symbol = "copies",
     .unit = "",
     .group = "Problem",
     .type = SS_INT,
     .help = "independent copies of the problem, solved side by side",
     .flags = SS_P_REOPEN | SS_P_LOG | SS_P_POW2,
     .def = 1,
     .min = 1,
     .max = 1 << 20,
     .step = 1},
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

/* A copy is a row; nothing couples the rows. */
static void shape(const ss_config *cfg, ss_problem *out)
{
    out->dim = 1;
    out->nx = (int)ss_config_int(cfg, "n");
    out->ny = (int)ss_config_int(cfg, "copies");
    out->nz = 1;
    out->dx = out->dy = out->dz = 1 / (out->nx + 1.0);
}

static double diagonal(const ss_problem *p)
{
    return 2 / (p->dx * p->dx);
}

static void coef(const ss_problem *p, ss_coef *out)
{
    double d = diagonal(p);
    *out = (ss_coef){.residual = d};
    out->c[0] = 1 / (p->dx * p->dx) / d;
}

/* Values 0 .. N-1 of the random stream start u, the next N are the right-hand side; points count in
 * lexicographic order, one copy after the other. */
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
    if (problem == SPIKE)
        row[p->nx / 2] = 1 / (p->dx * p->dx) / diagonal(p);
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
    .params = params,
    .nparam = sizeof params / sizeof *params,
    .shape = shape,
    .coef = coef,
    .init = init,
    .rhs = rhs,
    .exact = ss_sine_poisson1d,
    .exact_cost = ss_sine_poisson1d_cost,
    .apply = {[SS_F64] = poisson1d_apply_f64, [SS_F32] = poisson1d_apply_f32},
    .flops = 3,
    .reads = 3,
    .writes = 1,
};
