/* Problems of -laplace(u) = b in 1D and 2D: see poisson.h. */
#include "kernels/eq/poisson.h"

#include <math.h>

const char *const ss_poisson_problems[] = {"paper", "spike", "random", NULL};
const char *const ss_poisson_problem_help[] = {
    "b = 1 everywhere, u starts at 1 everywhere", "b at one point in the middle, u starts at 0",
    "u and b random at every point, from the seed", NULL};
enum { PAPER, SPIKE, RANDOM };

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
    return (x * cos(pi / (p->nx + 1)) + y * cos(pi / (p->ny + 1))) / (x + y);
}

/* Values 0 .. N-1 of the random stream are the initial u, the next N the right-hand side. Points
 * are in lexicographic order (in 1D one copy after the other). */
static uint64_t random_index(const ss_problem *p, int j)
{
    return (uint64_t)j * (uint64_t)p->nx;
}

void ss_poisson_init(const ss_problem *p, int field, int j, int k, double *row)
{
    (void)field, (void)k;
    int64_t problem = ss_config_int(p->cfg, "problem");
    for (int i = p->i0; i < p->i1; i++)
        *row++ = problem == RANDOM  ? ss_random_unit(p->seed, random_index(p, j) + (uint64_t)i)
                 : problem == PAPER ? 1
                                    : 0;
}

/* Whether the part's points of row j contain the spike: it is in the middle row in 2D, in every row
 * (copy) in 1D. */
static bool has_spike(const ss_problem *p, int j)
{
    return p->i0 <= p->nx / 2 && p->nx / 2 < p->i1 && (p->dim == 1 || j == p->ny / 2);
}

/* The scaled right-hand side g = b/D. A random g is drawn directly, between -1 and 1: the g of a
 * random b of that size would be negligible compared with u. */
void ss_poisson_rhs(const ss_problem *p, int field, int j, int k, double *row)
{
    (void)field, (void)k;
    int64_t problem = ss_config_int(p->cfg, "problem");
    uint64_t first = (uint64_t)p->nx * (uint64_t)p->ny + random_index(p, j);
    for (int i = p->i0; i < p->i1; i++)
        row[i - p->i0] = problem == RANDOM  ? 2 * ss_random_unit(p->seed, first + (uint64_t)i) - 1
                         : problem == PAPER ? 1 / diagonal(p)
                                            : 0;
    if (problem == SPIKE && has_spike(p, j))
        row[p->nx / 2 - p->i0] = 1 / (p->dx * p->dx) / diagonal(p);
}
