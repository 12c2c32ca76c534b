/* Initial fields and right-hand sides: see problems.h. */
#include "kernels/eq/problems.h"

/* Values 0 .. N-1 of the random stream are the initial u, the next N the right-hand side. Points
 * are in lexicographic order (in 1D one copy after the other). */
static uint64_t random_index(const ss_problem *p, int j)
{
    return (uint64_t)j * (uint64_t)p->nx;
}

void ss_problem_init(const ss_problem *p, int j, double even, double *row)
{
    int64_t problem = ss_config_int(p->cfg, "problem");
    for (int i = p->i0; i < p->i1; i++)
        *row++ = problem == SS_PROBLEM_RANDOM
                     ? ss_random_unit(p->seed, random_index(p, j) + (uint64_t)i)
                 : problem == SS_PROBLEM_EVEN ? even
                                              : 0;
}

/* Whether the part's points of row j contain the spike: it is in the middle row in 2D, in every row
 * (copy) in 1D. */
static bool has_spike(const ss_problem *p, int j)
{
    return p->i0 <= p->nx / 2 && p->nx / 2 < p->i1 && (p->dim == 1 || j == p->ny / 2);
}

/* A random g is drawn directly: the g of a random b of that size would be negligible compared with
 * u. */
void ss_problem_rhs(const ss_problem *p, int j, double even, double spike, double *row)
{
    int64_t problem = ss_config_int(p->cfg, "problem");
    uint64_t first = (uint64_t)p->nx * (uint64_t)p->ny + random_index(p, j);
    for (int i = p->i0; i < p->i1; i++)
        row[i - p->i0] = problem == SS_PROBLEM_RANDOM
                             ? 2 * ss_random_unit(p->seed, first + (uint64_t)i) - 1
                         : problem == SS_PROBLEM_EVEN ? even
                                                      : 0;
    if (problem == SS_PROBLEM_SPIKE && has_spike(p, j))
        row[p->nx / 2 - p->i0] = spike;
}
