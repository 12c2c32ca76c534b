/*
 * What the equations have in common: parameter rows, constant matrices, the limit of stability of
 * time-dependent equations, and the exact solution of a shock tube. Used inside this folder and by
 * tests. Constant and pure but for ss_stencil_solve, which takes seconds; any thread.
 */
#ifndef SS_EQ_INNER_H
#define SS_EQ_INNER_H

#include "src/core/equation.h"

/* --- rows of parameters ----------------------------------------------------------------------- */

/* The first members of rows that most equations have; others follow by name. */

/* The number of points in a direction. */
#define SS_ROW_POINTS(NAME, DEF, MIN, MAX)                                                         \
    SS_ROW_INT(NAME, "Problem", DEF, MIN, MAX), .flags = SS_P_REOPEN | SS_P_LOG | SS_P_POW2
/* The same where the solver may take only some numbers (ss_solver.nearest_points). */
#define SS_ROW_AXIS(NAME, DEF, MIN, MAX)                                                           \
    SS_ROW_INT(NAME, "Problem", DEF, MIN, MAX),                                                    \
        .flags = SS_P_REOPEN | SS_P_LOG | SS_P_POW2 | SS_P_POINTS
/* The choice of initial field and right-hand side. */
#define SS_ROW_PROBLEM(CHOICES, CHOICE_HELP)                                                       \
    SS_ROW_CHOICE("problem", "Problem", CHOICES, CHOICE_HELP), .flags = SS_P_REOPEN

/* --- constant matrices ------------------------------------------------------------------------ */

/*
 * A matrix with the same entries in every row, three in 1D and five in 2D: the numbers that
 * Jacobi's iteration, its convergence and a direct solution follow from. Used by the steady
 * equations on lines and planes. Source: Islam & Wang, equations 4 and 11.
 *
 *     w u_w + e u_e + s u_s + n u_n + d u = b     with u = 0 beyond the edge
 *
 * In the middle of row i is d, which is not 0. In 1D s = n = 0, and the rows of a field are copies.
 */
typedef struct ss_stencil {
    double w, e, s, n, d;
} ss_stencil;

/* Spectral radius of Jacobi's iteration. The eigenvalues are those of a Toeplitz matrix,
 *     -(2 sqrt(w e) cos(i pi/(nx+1)) + 2 sqrt(s n) cos(j pi/(ny+1)))/d,
 * imaginary in a direction where the product is negative: the radius is the largest modulus. */
double ss_stencil_radius(const ss_problem *p, const ss_stencil *m);
/* u* for the scaled right-hand side g = b/d, and its cost: see exact and exact_cost of ss_equation.
 * In 1D LAPACK's tridiagonal solver, in 2D Gaussian elimination with partial pivoting inside the
 * band, whose width is the smaller of nx and ny. Fails if the matrix is singular. */
int ss_stencil_solve(const ss_problem *p, const ss_stencil *m, const double *g, double *u,
                     ss_err *err);
void ss_stencil_cost(const ss_problem *p, double *bytes, double *operations);

/* --- time-dependent equations ----------------------------------------------------------------- */

/* Permits steps beyond the limit of stability. */
#define SS_ROW_ALLOW_UNSTABLE                                                                      \
    {                                                                                              \
        SS_ROW("allow-unstable", "Problem", SS_BOOL),                                              \
            .symbol = "unstable", .flags = SS_P_LIVE,                                              \
            .help = "allow steps beyond the limit of stability"                                    \
    }

/* ss_equation.step. */
struct ss_step {
    const char *row; /* the parameter that sets the time step */
    double (*limit)(const ss_config *cfg);
    double least; /* lower end of the slider; 0: limit / 1000 */
};

/* ss_equation.check: fails with a message if the row exceeds its limit and allow-unstable is off.
 */
int ss_step_check(const ss_config *cfg, const ss_problem *p, ss_err *err);
/* Members of the row. The range ends at the limit, with allow-unstable at twice the limit, and
 * includes the present value. The slider goes from 0 to 1.2 times the limit, evenly spaced. The
 * note is "0.80 of the limit". */
#define SS_STEP_ROW .range = ss_step_range, .note = ss_step_note, .track = ss_step_track
void ss_step_range(const ss_config *cfg, double *lo, double *hi, const char **why);
void ss_step_track(const ss_config *cfg, ss_track *track);
void ss_step_note(const ss_config *cfg, char *buf, size_t size);
/* A line of n points at this distance, and the time step. */
void ss_step_shape(ss_problem *out, const ss_config *cfg, double dx, double dt);

/* --- the Riemann problem ---------------------------------------------------------------------- */

/* The exact solution of a Riemann problem of an ideal gas: the evolution of two constant states
 * with a jump between them. Source: Toro, Riemann Solvers, chapter 4. */

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

#endif
