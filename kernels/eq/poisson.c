/* Problems of -laplace(u) = b in 1D and 2D: see poisson.h. */
#include "kernels/eq/poisson.h"

#include "kernels/eq/problems.h"
#include "src/base/elementary/elementary.h"

const char *const ss_poisson_problems[] = {"paper", "spike", "random", NULL};
const char *const ss_poisson_problem_help[] = {
    "b = 1 everywhere, u starts at 1 everywhere", "b at one point in the middle, u starts at 0",
    "u and b random at every point, from the seed", NULL};

static double diagonal(const ss_problem *p)
{
    double x = 2 / (p->dx * p->dx);
    return p->dim == 1 ? x : x + 2 / (p->dy * p->dy);
}

void ss_poisson_coef(const ss_problem *p, ss_coef *out)
{
    double d = diagonal(p);
    *out = (ss_coef){.residual = d};
    out->c[0] = 1 / (p->dx * p->dx) / d;
    if (p->dim > 1)
        out->c[1] = p->dx * p->dx / (p->dy * p->dy);
}

/* The eigenvalue of the smoothest sine mode; the roughest mode has its negative. */
double ss_poisson_spectral_radius(const ss_problem *p)
{
    const double pi = 3.14159265358979323846;
    double x = 2 / (p->dx * p->dx), y = p->dim == 1 ? 0 : 2 / (p->dy * p->dy);
    return (x * ss_cos(pi / (p->nx + 1)) + y * ss_cos(pi / (p->ny + 1))) / (x + y);
}

void ss_poisson_init(const ss_problem *p, int field, int j, int k, double *row)
{
    (void)field, (void)k;
    ss_problem_init(p, j, 1, row);
}

void ss_poisson_rhs(const ss_problem *p, int field, int j, int k, double *row)
{
    (void)field, (void)k;
    ss_problem_rhs(p, j, 1 / diagonal(p), 1 / (p->dx * p->dx) / diagonal(p), row);
}
