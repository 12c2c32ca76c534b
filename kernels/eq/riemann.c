/* The exact Riemann solution: see riemann.h. */
#include "kernels/eq/riemann.h"

#include <math.h>

#include "src/base/elementary/elementary.h"

static double sound(double gamma, double p, double r)
{
    return sqrt(gamma * p / r);
}

/* The change of velocity across the wave from state s to pressure p (equations 4.6, 4.7); *slope is
 * its derivative with respect to p. */
static double jump(double gamma, ss_gas s, double p, double *slope)
{
    if (p > s.p) { /* a shock */
        double a = 2 / ((gamma + 1) * s.r), b = (gamma - 1) / (gamma + 1) * s.p;
        double root = sqrt(a / (p + b));
        *slope = root * (1 - (p - s.p) / (2 * (p + b)));
        return (p - s.p) * root;
    }
    double c = sound(gamma, s.p, s.r), ratio = p / s.p;
    *slope = ss_pow(ratio, -(gamma + 1) / (2 * gamma)) / (s.r * c);
    return 2 * c / (gamma - 1) * (ss_pow(ratio, (gamma - 1) / (2 * gamma)) - 1);
}

/* The density behind that wave. */
static double density(double gamma, ss_gas s, double p)
{
    double ratio = p / s.p, g = (gamma - 1) / (gamma + 1);
    return p > s.p ? s.r * (ratio + g) / (g * ratio + 1) : s.r * ss_pow(ratio, 1 / gamma);
}

ss_riemann ss_riemann_solve(ss_gas left, ss_gas right, double gamma)
{
    ss_riemann s = {.left = left, .right = right, .gamma = gamma};
    double p = 0.5 * (left.p + right.p), a, b, sum = 0;
    for (int i = 0; i < 100; i++) { /* Newton's method; monotone from below */
        sum = jump(gamma, left, p, &a) + jump(gamma, right, p, &b) + right.u - left.u;
        double next = p - sum / (a + b);
        next = next > 0 ? next : 1e-3 * p;
        if (fabs(next - p) <= 1e-16 * (next + p))
            break;
        p = next;
    }
    s.p = p;
    s.u = 0.5 * (left.u + right.u + jump(gamma, right, p, &b) - jump(gamma, left, p, &a));
    s.r_left = density(gamma, left, p);
    s.r_right = density(gamma, right, p);
    return s;
}

/* The state on `ray` across a left-going wave: `ahead` is the state before it, u and r the velocity
 * and density behind it. */
static ss_gas wave_state(const ss_riemann *s, ss_gas ahead, double u, double r, double ray)
{
    double gamma = s->gamma, c = sound(gamma, ahead.p, ahead.r), g = gamma - 1;
    if (s->p > ahead.p) {
        double ratio = s->p / ahead.p;
        double shock = ahead.u - c * sqrt((gamma + 1) / (2 * gamma) * ratio + g / (2 * gamma));
        return ray < shock ? ahead : (ss_gas){r, u, s->p};
    }
    double behind = c * ss_pow(s->p / ahead.p, g / (2 * gamma));
    if (ray <= ahead.u - c)
        return ahead;
    if (ray >= u - behind)
        return (ss_gas){r, u, s->p};
    double k = 2 / (gamma + 1) + g / ((gamma + 1) * c) * (ahead.u - ray); /* in the fan */
    return (ss_gas){ahead.r * ss_pow(k, 2 / g), 2 / (gamma + 1) * (c + g / 2 * ahead.u + ray),
                    ahead.p * ss_pow(k, 2 * gamma / g)};
}

ss_gas ss_riemann_at(const ss_riemann *s, double ray)
{
    if (ray < s->u)
        return wave_state(s, s->left, s->u, s->r_left, ray);
    /* The right-going wave, mirrored. */
    ss_gas ahead = {s->right.r, -s->right.u, s->right.p};
    ss_gas g = wave_state(s, ahead, -s->u, s->r_right, -ray);
    g.u = -g.u;
    return g;
}

static double fastest(double gamma, double r, double u, double p)
{
    return fabs(u) + sound(gamma, p, r);
}

static double max_double(double a, double b)
{
    return a > b ? a : b;
}

double ss_riemann_speed(const ss_riemann *s)
{
    double ahead = max_double(fastest(s->gamma, s->left.r, s->left.u, s->left.p),
                              fastest(s->gamma, s->right.r, s->right.u, s->right.p));
    double behind = max_double(fastest(s->gamma, s->r_left, s->u, s->p),
                               fastest(s->gamma, s->r_right, s->u, s->p));
    return max_double(ahead, behind);
}
