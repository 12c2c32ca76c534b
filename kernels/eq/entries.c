/* Matrices given by their entries: see entries.h. */
#include "kernels/eq/entries.h"

#include <math.h>
#include <stdio.h>

#include "kernels/eq/problems.h"

#include "src/core/registry.h"

const char *const ss_entries_problems[] = {"paper", "spike", "random", NULL};
const char *const ss_entries_problem_help[] = {
    "b = 1 everywhere, u starts at 1 everywhere", "b = 1 at one point in the middle, u starts at 0",
    "u and b random at every point, from the seed", NULL};

/* With the points `wider` times as far apart: c_w u_w + c_e u_e is a second difference, the mean of
 * both entries, a first one, half of their difference, and the rest a multiple of u. Where the
 * first one dominates it is taken upwind, as in advdiff2d, so that no entry changes its sign. Adds
 * the change of this direction to the diagonal: the sum of all entries remains. */
static void spread(double wider, double *before, double *after, double *diagonal)
{
    double second = (*before + *after) / 2 / (wider * wider);
    double first = (*after - *before) / 2 / wider;
    if (fabs(first) > fabs(second))
        second += copysign(first, second);
    *diagonal += *before + *after - 2 * second;
    *before = second - first;
    *after = second + first;
}

ss_stencil ss_entries(const ss_problem *p)
{
    ss_stencil m = {.w = ss_config_real(p->cfg, "west"),
                    .e = ss_config_real(p->cfg, "east"),
                    .d = ss_config_real(p->cfg, "diagonal")};
    double wider = ss_stencil_width(p);
    if (p->dim > 1) {
        m.s = ss_config_real(p->cfg, "south");
        m.n = ss_config_real(p->cfg, "north");
    }
    if (wider > 1) {
        spread(wider, &m.w, &m.e, &m.d);
        spread(wider, &m.s, &m.n, &m.d);
    }
    return m;
}

void ss_entries_coef(const ss_problem *p, ss_coef *out)
{
    ss_stencil m = ss_entries(p);
    ss_stencil_coef(&m, out);
}

void ss_entries_init(const ss_problem *p, int field, int j, int k, double *row)
{
    (void)field, (void)k;
    ss_problem_init(p, j, 1, row);
}

void ss_entries_rhs(const ss_problem *p, int field, int j, int k, double *row)
{
    (void)field, (void)k;
    double one = 1 / ss_config_real(p->cfg, "diagonal");
    ss_problem_rhs(p, j, one, one, row);
}

double ss_entries_radius(const ss_problem *p)
{
    ss_stencil m = ss_entries(p);
    return ss_stencil_radius(p, &m);
}

const char *ss_entries_asymmetric(const ss_problem *p)
{
    ss_stencil m = ss_entries(p);
    if (ss_stencil_is_symmetric(&m))
        return NULL;
    return p->dim == 1  ? "west and east differ"
           : m.s == m.n ? "west and east differ"
           : m.w == m.e ? "south and north differ"
                        : "west and east differ, and so do south and north";
}

int ss_entries_exact(const ss_problem *p, const double *g, double *u, ss_err *err)
{
    ss_stencil m = ss_entries(p);
    return ss_stencil_solve(p, &m, g, u, err);
}

const char *ss_entries_suspect(const ss_problem *p)
{
    ss_stencil m = ss_entries(p);
    if (ss_stencil_radius(p, &m) >= 1)
        return "because the spectral radius of Jacobi's iteration is 1 or more with these entries "
               "(raise diagonal)";
    return ss_stencil_is_dominant(&m)
               ? NULL
               : "because the matrix is not diagonally dominant: the error grows before it decays "
                 "(raise diagonal)";
}

/* The radius and the sum beside the diagonal are in proportion to 1/d and to 1, so that the
 * diagonals that suffice are known. */
void ss_entries_caution(const ss_problem *p, char *buf, size_t size)
{
    ss_stencil m = ss_entries(p);
    double radius = ss_stencil_radius(p, &m);
    if (ss_config_solver(p->cfg)->any_radius)
        return;
    if (radius >= 1)
        snprintf(buf, size,
                 "Jacobi's iteration diverges with these entries: its spectral radius is %.4g, and "
                 "is below 1 with diagonal above %.6g",
                 radius, radius * m.d);
    else if (!ss_stencil_is_dominant(&m))
        snprintf(buf, size,
                 "the matrix is not diagonally dominant: Jacobi's error may grow by orders of "
                 "magnitude before it decays; it cannot with diagonal %.6g or more",
                 ss_stencil_beside(&m));
}

void ss_entries_note(const ss_config *cfg, char *buf, size_t size)
{
    double radius = ss_config_spectral_radius(cfg);
    snprintf(buf, size, "Jacobi's radius %.4g%s", radius, radius >= 1 ? ": diverges" : "");
}
