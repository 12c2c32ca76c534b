/* The convergence of Jacobi's iteration on a constant matrix: see stencil.h. */
#include "kernels/eq/stencil.h"

#include <math.h>

#include "src/base/elementary/elementary.h"

void ss_stencil_coef(const ss_stencil *m, ss_coef *out)
{
    *out =
        (ss_coef){.c = {-m->w / m->d, -m->e / m->d, -m->s / m->d, -m->n / m->d}, .residual = m->d};
}

/* sqrt(x^2 + y^2) of x, y >= 0; the hypot of C has other last digits in other C libraries. */
static double hypotenuse(double x, double y)
{
    double longer = fmax(x, y), ratio = longer > 0 ? fmin(x, y) / longer : 0;
    return longer * sqrt(1 + ratio * ratio);
}

double ss_stencil_radius(const ss_problem *p, const ss_stencil *m)
{
    const double pi = 3.14159265358979323846;
    double x = 2 * sqrt(fabs(m->w * m->e)) * ss_cos(pi / (p->nx + 1));
    double y = p->dim == 1 ? 0 : 2 * sqrt(fabs(m->s * m->n)) * ss_cos(pi / (p->ny + 1));
    /* Both real or both imaginary: they add up. Else they are legs of a right triangle. */
    bool aligned = (m->w * m->e < 0) == (m->s * m->n < 0);
    return (aligned ? x + y : hypotenuse(x, y)) / fabs(m->d);
}

double ss_stencil_beside(const ss_stencil *m)
{
    return fabs(m->w) + fabs(m->e) + fabs(m->s) + fabs(m->n);
}

/* Sums of entries that cancel exactly may differ by rounding. */
bool ss_stencil_is_dominant(const ss_stencil *m)
{
    return ss_stencil_beside(m) <= fabs(m->d) * (1 + 1e-12);
}

double ss_stencil_width(const ss_problem *p)
{
    ss_problem given;
    ss_config_problem(p->cfg, &given);
    return p->dx / given.dx;
}

bool ss_stencil_is_symmetric(const ss_stencil *m)
{
    return m->w == m->e && m->s == m->n;
}
