/*
 * What the equations have in common: parameter rows, the domain and the problems of steady
 * equations, constant matrices, the limit of stability of time-dependent equations, and the exact
 * solution of a shock tube. Used inside this folder and by tests. Constant and pure but for
 * ss_stencil_solve, which takes seconds; any thread.
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

/* --- domains of steady equations, with u = 0 along the edge ----------------------------------- */

/* Parameters n and copies: a line of length 1. Each copy is a row; the rows are not coupled. */
void ss_line_shape(const ss_config *cfg, ss_problem *out);

/* n, ny: the parameters of ss_square_shape, a rectangle of width 1. N is the default. */
#define SS_ROWS_SQUARE(N)                                                                          \
    {SS_ROW_AXIS("n", N, 1, 1 << 30), .unit = "points",                                            \
     .help = "interior points in x; the spacing is 1/(n+1)"},                                      \
    {                                                                                              \
        SS_ROW_POINTS("ny", N, 1, 1 << 30),                                                        \
            .unit = "points", .follows = "n",                                                      \
            .help = "interior points in y; as many as in x unless given"                           \
    }
/* n, ny, aspect: the parameters of ss_rectangle_shape. */
#define SS_ROWS_RECTANGLE                                                                          \
    SS_ROWS_SQUARE(1024),                                                                          \
    {                                                                                              \
        SS_ROW_REAL("aspect", "Problem", 1, 1e-3, 1e3),                                            \
            .flags = SS_P_REOPEN | SS_P_LOG,                                                       \
            .help = "height of the domain: the spacing in y is aspect/(ny+1)"                      \
    }

void ss_square_shape(const ss_config *cfg, ss_problem *out);
void ss_rectangle_shape(const ss_config *cfg, ss_problem *out);

/* Members of ss_equation: one field, nearest neighbours, a steady solution. */
#define SS_PLANE_MEMBERS                                                                           \
    .dim = 2, .nfield = 1, .nstage = 1, .radius = 1, .kind = SS_STEADY, .bc = SS_BC_DIRICHLET,     \
    .origin = 1
#define SS_SQUARE SS_PLANE_MEMBERS, .shape = ss_square_shape
#define SS_RECTANGLE SS_PLANE_MEMBERS, .shape = ss_rectangle_shape

/* --- problems of the steady equations in 1D and in 2D ----------------------------------------- */

/* A right-hand side that is even, a spike or random, and an initial field to each. The equations
 * name them; the order is that of the enum. */
enum { SS_PROBLEM_EVEN, SS_PROBLEM_SPIKE, SS_PROBLEM_RANDOM };

/* See ss_equation. The initial field is `even` everywhere in the first problem, 0 in the second. */
void ss_problem_init(const ss_problem *p, int j, double even, double *row);
/* The scaled right-hand side g: `even` everywhere, or `spike` at the middle point and 0 elsewhere,
 * or random between -1 and 1. */
void ss_problem_rhs(const ss_problem *p, int j, double even, double spike, double *row);

/* --- constant matrices ------------------------------------------------------------------------ */

/*
 * A matrix with the same entries in every row, three in 1D and five in 2D: the numbers that
 * Jacobi's iteration, its convergence and a direct solution follow from. Used by the equations
 * line, plane and advdiff2d. Source: Islam & Wang, equations 4 and 11.
 *
 *     w u_w + e u_e + s u_s + n u_n + d u = b     with u = 0 beyond the edge
 *
 * In the middle of row i is d, which is not 0. In 1D s = n = 0, and the rows of a field are copies.
 */
typedef struct ss_stencil {
    double w, e, s, n, d;
} ss_stencil;

/* c[0] to c[3] are -w/d, -e/d, -s/d, -n/d, what the updates multiply the neighbours by. */
void ss_stencil_coef(const ss_stencil *m, ss_coef *out);
/* Spectral radius of Jacobi's iteration. The eigenvalues are those of a Toeplitz matrix,
 *     -(2 sqrt(w e) cos(i pi/(nx+1)) + 2 sqrt(s n) cos(j pi/(ny+1)))/d,
 * imaginary in a direction where the product is negative: the radius is the largest modulus. */
double ss_stencil_radius(const ss_problem *p, const ss_stencil *m);
bool ss_stencil_is_symmetric(const ss_stencil *m);

/* How many times as far apart as those of the config the points of a problem are: 1, or a power of
 * 2 on a coarser grid of multigrid. */
double ss_stencil_width(const ss_problem *p);

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

/* Fails with a message if `value` of `row` exceeds `limit` and allow-unstable is off. */
int ss_transient_check(const ss_config *cfg, const char *row, double value, double limit,
                       ss_err *err);
/* The range of a slider: from `least` to the limit, with allow-unstable to twice the limit. It is
 * extended to include the present `value`; ss_transient_check decides whether that is valid. */
void ss_transient_range(const ss_config *cfg, double value, double least, double limit, double *lo,
                        double *hi, const char **why);
/* A slider from 0 to 1.2 times the limit, evenly spaced. */
void ss_transient_track(double limit, ss_track *track);
/* Writes the note "0.80 of the limit". */
void ss_transient_note(double value, double limit, char *buf, size_t size);

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
