/*
 * The exact solution of a Riemann problem of an ideal gas: the evolution of two constant states
 * with a jump between them. Pure; any thread. Source: Toro, Riemann Solvers, chapter 4.
 */
#ifndef SS_EQ_RIEMANN_H
#define SS_EQ_RIEMANN_H

/* Density, velocity, pressure. */
typedef struct ss_gas {
    double r, u, p;
} ss_gas;

/* The star region between the two outer waves: one pressure, one velocity, two densities. */
typedef struct ss_riemann {
    ss_gas left, right;
    double gamma, p, u;
    double r_left, r_right;
} ss_riemann;

ss_riemann ss_riemann_solve(ss_gas left, ss_gas right, double gamma);
/* The state on the ray x/t. */
ss_gas ss_riemann_at(const ss_riemann *s, double ray);
/* The largest |u| + c of the four states. */
double ss_riemann_speed(const ss_riemann *s);

#endif
