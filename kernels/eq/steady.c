/*
 * The steady equations on lines and planes: all have a matrix with the same entries in every row
 * (inner.h), from which convergence and the direct solution follow. Parameters, initial fields,
 * right-hand sides, what the user hears of matrices that Jacobi's iteration has trouble with. The
 * point updates are in steady.h, the CPU's loops come from kernels/cpu/loops/apply.h. Constant and
 * pure; any thread.
 */
#include <math.h>
#include <stdio.h>

#include "kernels/eq/inner.h"
#include "kernels/eq/sine.h"
#include "src/core/registry.h"

#define SS_EQ_HEADER "kernels/eq/steady.h"
#define SS_EQ line
#define SS_UPDATE(f, g, w, e, s, n) f(g, c0, c1, w, e)
#include "kernels/cpu/loops/apply.h"

#define SS_EQ plane
#define SS_UPDATE(f, g, w, e, s, n) f(g, c0, c1, c2, c3, w, e, s, n)
#include "kernels/cpu/loops/apply.h"

#define SS_EQ poisson1d
#define SS_UPDATE(f, g, w, e, s, n) f(g, c0, w, e)
#include "kernels/cpu/loops/apply.h"

#define SS_EQ poisson2d
#define SS_UPDATE(f, g, w, e, s, n) f(g, c0, c1, w, e, s, n)
#include "kernels/cpu/loops/apply.h"

/* The members in which the equations differ. */
struct ss_steady {
    ss_stencil (*entries)(const ss_problem *p);
    double start;      /* the initial field of the problem with an even b */
    bool differential; /* b of a spike is 1/dx^2, not 1 */
};

static const struct ss_steady *steady_of(const ss_problem *p)
{
    return ss_config_equation(p->cfg)->steady;
}

static ss_stencil entries_of(const ss_problem *p)
{
    return steady_of(p)->entries(p);
}

/* --- shapes ----------------------------------------------------------------------------------- */

static void line_shape(const ss_config *cfg, ss_problem *out)
{
    out->dim = 1;
    out->nx = (int)ss_config_int(cfg, "n");
    out->ny = (int)ss_config_int(cfg, "copies");
    out->nz = 1;
    out->dx = out->dy = out->dz = 1 / (out->nx + 1.0);
}

static void square_shape(const ss_config *cfg, ss_problem *out)
{
    out->dim = 2;
    out->nx = (int)ss_config_int(cfg, "n");
    out->ny = (int)ss_config_int(cfg, "ny");
    out->nz = 1;
    out->dx = 1 / (out->nx + 1.0);
    out->dy = 1 / (out->ny + 1.0);
    out->dz = out->dx;
}

static void rectangle_shape(const ss_config *cfg, ss_problem *out)
{
    square_shape(cfg, out);
    out->dy = ss_config_real(cfg, "aspect") / (out->ny + 1.0);
}

/* --- problems --------------------------------------------------------------------------------- */

/* A right-hand side that is even, a spike or random, and an initial field to each. */
enum { EVEN, SPIKE, RANDOM };

/* Values 0 .. N-1 of the random stream are the initial u, the next N the right-hand side. Points
 * are in lexicographic order (in 1D one copy after the other). */
static uint64_t random_index(const ss_problem *p, int j)
{
    return (uint64_t)j * (uint64_t)p->nx;
}

static void init(const ss_problem *p, int field, int j, int k, double *row)
{
    int64_t problem = ss_config_int(p->cfg, "problem");
    (void)field, (void)k;
    for (int i = p->i0; i < p->i1; i++)
        *row++ = problem == RANDOM ? ss_random_unit(p->seed, random_index(p, j) + (uint64_t)i)
                 : problem == EVEN ? steady_of(p)->start
                                   : 0;
}

/* Whether the part's points of row j contain the spike: it is in the middle row in 2D, in every row
 * (copy) in 1D. */
static bool has_spike(const ss_problem *p, int j)
{
    return p->i0 <= p->nx / 2 && p->nx / 2 < p->i1 && (p->dim == 1 || j == p->ny / 2);
}

/* b = 1 everywhere, or a spike at the middle point. A random g is drawn directly, between -1 and 1:
 * the g of a random b of that size would be negligible compared with u. */
static void rhs(const ss_problem *p, int field, int j, int k, double *row)
{
    int64_t problem = ss_config_int(p->cfg, "problem");
    uint64_t first = (uint64_t)p->nx * (uint64_t)p->ny + random_index(p, j);
    double d = entries_of(p).d;
    (void)field, (void)k;
    for (int i = p->i0; i < p->i1; i++)
        row[i - p->i0] = problem == RANDOM ? 2 * ss_random_unit(p->seed, first + (uint64_t)i) - 1
                         : problem == EVEN ? 1 / d
                                           : 0;
    if (problem == SPIKE && has_spike(p, j))
        row[p->nx / 2 - p->i0] = (steady_of(p)->differential ? 1 / (p->dx * p->dx) : 1) / d;
}

/* --- what follows from the entries ------------------------------------------------------------ */

/* c[0] to c[3] are -w/d, -e/d, -s/d, -n/d, what the updates multiply the neighbours by. */
static void coef(const ss_problem *p, ss_coef *out)
{
    ss_stencil m = entries_of(p);
    *out = (ss_coef){.c = {-m.w / m.d, -m.e / m.d, -m.s / m.d, -m.n / m.d}, .residual = m.d};
}

static double spectral_radius(const ss_problem *p)
{
    ss_stencil m = entries_of(p);
    return ss_stencil_radius(p, &m);
}

static int exact(const ss_problem *p, const double *g, double *u, ss_err *err)
{
    ss_stencil m = entries_of(p);
    return ss_stencil_solve(p, &m, g, u, err);
}

/* How many times as far apart as those of the config the points of a problem are: 1, or a power of
 * 2 on a coarser grid of multigrid. */
static double width_of(const ss_problem *p)
{
    ss_problem given = ss_config_problem(p->cfg);
    return p->dx / given.dx;
}

/* Members of ss_equation: one field, nearest neighbours, a steady solution. */
#define MEMBERS                                                                                    \
    .nfield = 1, .nstage = 1, .radius = 1, .kind = SS_STEADY, .bc = SS_BC_DIRICHLET, .origin = 1,  \
    .init = init, .rhs = rhs, .spectral_radius = spectral_radius, .writes = 1
#define LINE MEMBERS, .dim = 1, .shape = line_shape, .reads = 3
#define PLANE MEMBERS, .dim = 2, .reads = 5
/* Members where the updates have a factor for each neighbour. */
#define SOLVED .coef = coef, .exact = exact, .exact_cost = ss_stencil_cost

/* n, ny: a rectangle of width 1. N is the default. */
#define ROWS_SQUARE(N)                                                                             \
    {SS_ROW_AXIS("n", N, 1, 1 << 30), .unit = "points",                                            \
     .help = "interior points in x; the spacing is 1/(n+1)"},                                      \
    {                                                                                              \
        SS_ROW_POINTS("ny", N, 1, 1 << 30),                                                        \
            .unit = "points", .follows = "n",                                                      \
            .help = "interior points in y; as many as in x unless given"                           \
    }
#define ROW_COPIES                                                                                 \
    {                                                                                              \
        SS_ROW_POINTS("copies", 1, 1, 1 << 20),                                                    \
            .help = "independent copies of the problem, solved together"                           \
    }
#define ROW_PROBLEM                                                                                \
    {                                                                                              \
        SS_ROW_PROBLEM(problems, problem_help), .help = "right-hand side b and initial field u"    \
    }

/* The choices of the parameter `problem`, and their help. */
static const char *const problems[] = {"paper", "spike", "random", NULL};

/* --- matrices whose entries are parameters: line, plane --------------------------------------- */

static const char *const problem_help[] = {"b = 1 everywhere, u starts at 1 everywhere",
                                           "b = 1 at one point in the middle, u starts at 0",
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

/* The entries in force; south and north are 0 in 1D. */
static ss_stencil entries(const ss_problem *p)
{
    ss_stencil m = {.w = ss_config_real(p->cfg, "west"),
                    .e = ss_config_real(p->cfg, "east"),
                    .d = ss_config_real(p->cfg, "diagonal")};
    double wider = width_of(p);
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

static const char *asymmetric(const ss_problem *p)
{
    ss_stencil m = entries(p);
    bool x = m.w == m.e, y = m.s == m.n;
    return x && y ? NULL
           : y    ? "west and east differ"
           : x    ? "south and north differ"
                  : "west and east differ, and so do south and north";
}

/* The sum of the moduli beside the diagonal. Up to |d| the matrix is diagonally dominant, and no
 * iteration enlarges the largest error. */
static double beside(const ss_stencil *m)
{
    return fabs(m->w) + fabs(m->e) + fabs(m->s) + fabs(m->n);
}

/* Sums of entries that cancel exactly may differ by rounding. */
static bool is_dominant(const ss_stencil *m)
{
    return beside(m) <= fabs(m->d) * (1 + 1e-12);
}

static const char *suspect(const ss_problem *p)
{
    ss_stencil m = entries(p);
    if (ss_stencil_radius(p, &m) >= 1)
        return "because the spectral radius of Jacobi's iteration is 1 or more with these entries "
               "(raise diagonal)";
    return is_dominant(&m)
               ? NULL
               : "because the matrix is not diagonally dominant: the error grows before it decays "
                 "(raise diagonal)";
}

/* The radius and the sum beside the diagonal are in proportion to 1/d and to 1, so that the
 * diagonals that suffice are known. */
static void caution(const ss_problem *p, char *buf, size_t size)
{
    ss_stencil m = entries(p);
    double radius = ss_stencil_radius(p, &m);
    if (ss_config_solver(p->cfg)->any_radius)
        return;
    if (radius >= 1)
        snprintf(buf, size,
                 "Jacobi's iteration diverges with these entries: its spectral radius is %.4g, and "
                 "is below 1 with diagonal above %.6g",
                 radius, radius * m.d);
    else if (!is_dominant(&m))
        snprintf(buf, size,
                 "the matrix is not diagonally dominant: Jacobi's error may grow by orders of "
                 "magnitude before it decays; it cannot with diagonal %.6g or more",
                 beside(&m));
}

/* Jacobi's spectral radius. */
static void note_radius(const ss_config *cfg, char *buf, size_t size)
{
    double radius = ss_config_spectral_radius(cfg);
    snprintf(buf, size, "Jacobi's radius %.4g%s", radius, radius >= 1 ? ": diverges" : "");
}

/* An entry beside the diagonal; the other members follow by name. */
#define ROW_ENTRY(NAME, SYMBOL)                                                                    \
    SS_ROW_REAL(NAME, "Problem", -1, -1e6, 1e6), .symbol = SYMBOL, .step = 0.1, .flags = SS_P_RESET
#define ROW_DIAGONAL(DEF)                                                                          \
    {                                                                                              \
        SS_ROW_REAL("diagonal", "Problem", DEF, 1e-3, 1e6),                                        \
            .symbol = "d", .flags = SS_P_RESET | SS_P_LOG | SS_P_CONTROL, .note = note_radius,     \
            .help = "entry of the matrix on its diagonal, which g = b/d is divided by"             \
    }

static const struct ss_steady constant = {entries, .start = 1};

#define CHECKED                                                                                    \
    SOLVED, .steady = &constant, .asymmetric = asymmetric, .suspect = suspect, .caution = caution

// clang-format off
static ss_param line_params[] = {
    {SS_ROW_AXIS("n", 1024, 1, 1 << 30), .unit = "points",
     .help = "unknowns of the system, the points of a line"},
    ROW_COPIES,
    {ROW_ENTRY("west", "c_w"),
     .help = "entry of the matrix left of its diagonal, which the west neighbour has"},
    {ROW_ENTRY("east", "c_e"),
     .help = "entry of the matrix right of its diagonal, which the east neighbour has"},
    ROW_DIAGONAL(2.01),
    ROW_PROBLEM,
};
// clang-format on

const ss_equation ss_eq_line = {
    .name = "line",
    .title = "tridiagonal",
    .help = "c_w u_w + d u + c_e u_e = b: a tridiagonal matrix with constant entries",
    LINE,
    CHECKED,
    SS_PARAMS(line_params),
    .apply = {[SS_F64] = line_apply_f64, [SS_F32] = line_apply_f32},
    .flops = 4,
};

// clang-format off
static ss_param plane_params[] = {
    ROWS_SQUARE(256),
    {ROW_ENTRY("west", "c_w"), .help = "entry of the matrix that the west neighbour has"},
    {ROW_ENTRY("east", "c_e"), .help = "entry of the matrix that the east neighbour has"},
    {ROW_ENTRY("south", "c_s"), .help = "entry of the matrix that the south neighbour has"},
    {ROW_ENTRY("north", "c_n"), .help = "entry of the matrix that the north neighbour has"},
    ROW_DIAGONAL(4.02),
    ROW_PROBLEM,
};
// clang-format on

const ss_equation ss_eq_plane = {
    .name = "plane",
    .title = "pentadiagonal",
    .help = "c_w u_w + c_e u_e + c_s u_s + c_n u_n + d u = b: a pentadiagonal matrix with constant "
            "entries",
    PLANE,
    CHECKED,
    .shape = square_shape,
    SS_PARAMS(plane_params),
    .apply = {[SS_F64] = plane_apply_f64, [SS_F32] = plane_apply_f32},
    .flops = 8,
};

/* --- Poisson's equation ----------------------------------------------------------------------- */

static const char *const poisson_help[] = {"b = 1 everywhere, u starts at 1 everywhere",
                                           "b at one point in the middle, u starts at 0",
                                           "u and b random at every point, from the seed", NULL};

static ss_stencil poisson_entries(const ss_problem *p)
{
    double x = 1 / (p->dx * p->dx), y = p->dim == 1 ? 0 : 1 / (p->dy * p->dy);
    return (ss_stencil){-x, -x, -y, -y, 2 * x + 2 * y};
}

/* c = (1/dx^2)/D, and in 2D a = (dx/dy)^2. */
static void poisson_coef(const ss_problem *p, ss_coef *out)
{
    double d = entries_of(p).d;
    *out = (ss_coef){.c = {1 / (p->dx * p->dx) / d}, .residual = d};
    if (p->dim > 1)
        out->c[1] = p->dx * p->dx / (p->dy * p->dy);
}

static const struct ss_steady poisson = {poisson_entries, .start = 1, .differential = true};

// clang-format off
static ss_param poisson1d_params[] = {
    {SS_ROW_AXIS("n", 1024, 1, 1 << 30), .unit = "points",
     .help = "interior points of the line; the spacing is 1/(n+1)"},
    ROW_COPIES,
    {SS_ROW_PROBLEM(problems, poisson_help), .help = "right-hand side b and initial field u"},
};
// clang-format on

const ss_equation ss_eq_poisson1d = {
    .name = "poisson1d",
    .title = "1D Poisson",
    .help = "-u'' = b on the unit interval, u = 0 at both ends",
    LINE,
    .steady = &poisson,
    SS_PARAMS(poisson1d_params),
    .coef = poisson_coef,
    .exact = ss_sine_poisson1d,
    .exact_cost = ss_sine_poisson1d_cost,
    .apply = {[SS_F64] = poisson1d_apply_f64, [SS_F32] = poisson1d_apply_f32},
    .flops = 3,
};

// clang-format off
static ss_param poisson2d_params[] = {
    ROWS_SQUARE(1024),
    {SS_ROW_REAL("aspect", "Problem", 1, 1e-3, 1e3), .flags = SS_P_REOPEN | SS_P_LOG,
     .help = "height of the domain: the spacing in y is aspect/(ny+1)"},
    {SS_ROW_PROBLEM(problems, poisson_help), .help = "right-hand side b and initial field u"},
};
// clang-format on

const ss_equation ss_eq_poisson2d = {
    .name = "poisson2d",
    .title = "2D Poisson",
    .help = "-u_xx - u_yy = b on the unit square, u = 0 along the edge",
    PLANE,
    .steady = &poisson,
    .shape = rectangle_shape,
    SS_PARAMS(poisson2d_params),
    .coef = poisson_coef,
    .exact = ss_sine_poisson2d,
    .exact_cost = ss_sine_poisson2d_cost,
    .apply = {[SS_F64] = poisson2d_apply_f64, [SS_F32] = poisson2d_apply_f32},
    .flops = 6,
};

/* --- advection and diffusion ------------------------------------------------------------------ */

/*
 * With a constant velocity on the unit square:
 *
 *     -laplace(u) + (b_x, b_y) . grad(u) = f,      u = 0 along the edge
 *
 * Differences of the first derivatives are central, of second order, or taken upwind, of first
 * order. With the cell Peclet number P = |b_x| dx the central entries beside the diagonal are
 * -(1 +- P/2)/dx^2: beyond P = 2 one changes its sign, and the discrete solution oscillates.
 */

/* Two strings, since c is a hexadecimal digit. */
#define PECLET                                                                                     \
    "cell P\xc3\xa9"                                                                               \
    "clet number"
#define PECLET_MAX 2.0 /* cell Peclet limit of central differences */
#define ROUNDING 1e-12 /* of the product of velocity and spacing */
#define VELOCITY_MAX 1e5

static const char *const schemes[] = {"central", "upwind", NULL};
static const char *const scheme_help[] = {"second order; oscillates where the " PECLET
                                          " is above 2",
                                          "first order: adds diffusion, never oscillates", NULL};
enum { CENTRAL, UPWIND };

static const char *const flow_problems[] = {"source", "spike", "random", NULL};
static const char *const flow_help[] = {
    "f = 1 everywhere, u starts at 0: boundary layers at the outflow",
    "f at one point in the middle, u starts at 0: a plume downstream",
    "u and f random at every point, from the seed", NULL};

static double peclet(const ss_problem *p, bool y)
{
    return fabs(ss_config_real(p->cfg, y ? "velocity-y" : "velocity-x")) * (y ? p->dy : p->dx);
}

static void note_peclet(const ss_config *cfg, bool y, char *buf, size_t size)
{
    ss_problem p = ss_config_problem(cfg);
    snprintf(buf, size, PECLET " %.3g", peclet(&p, y));
}

static void note_x(const ss_config *cfg, char *buf, size_t size)
{
    note_peclet(cfg, false, buf, size);
}

static void note_y(const ss_config *cfg, char *buf, size_t size)
{
    note_peclet(cfg, true, buf, size);
}

// clang-format off
static ss_param flow_params[] = {
    ROWS_SQUARE(256),
    {SS_ROW_REAL("velocity-x", "Problem", 40, -VELOCITY_MAX, VELOCITY_MAX), .symbol = "b_x",
     .step = 1, .flags = SS_P_RESET | SS_P_CONTROL, .note = note_x,
     .help = "velocity in x; the coefficient of diffusion is 1"},
    {SS_ROW_REAL("velocity-y", "Problem", 20, -VELOCITY_MAX, VELOCITY_MAX), .symbol = "b_y",
     .step = 1, .flags = SS_P_RESET | SS_P_CONTROL, .note = note_y,
     .help = "velocity in y"},
    {SS_ROW_CHOICE("scheme", "Problem", schemes, scheme_help),
     .flags = SS_P_RESET | SS_P_CONTROL, .help = "differences of the first derivatives"},
    {SS_ROW_PROBLEM(flow_problems, flow_help), .help = "right-hand side f and initial field u"},
};
// clang-format on

/* The scheme of a direction: central differences are replaced on grids of multigrid that are so
 * coarse that they would oscillate, and the smoother diverge. The finest grid has the scheme asked
 * for, and with it the solution. */
static int64_t scheme_of(const ss_problem *p, double velocity, double h)
{
    bool coarser = width_of(p) > 1;
    return coarser && fabs(velocity) * h > PECLET_MAX ? UPWIND : ss_config_int(p->cfg, "scheme");
}

/* The velocity times the first difference (u - u_before) and (u_after - u), each divided by the
 * spacing: their shares in the entries of one direction. */
static void add_direction(const ss_problem *p, const char *name, double h, double *before,
                          double *after, double *diagonal)
{
    double velocity = ss_config_real(p->cfg, name);
    double diffusion = 1 / (h * h), advection = velocity / h;
    int64_t scheme = scheme_of(p, velocity, h);
    double upstream = scheme == UPWIND ? fmax(advection, 0) : advection / 2;
    double downstream = scheme == UPWIND ? fmin(advection, 0) : advection / 2;
    *before = -(diffusion + upstream);
    *after = -(diffusion - downstream);
    *diagonal += 2 * diffusion + (upstream - downstream);
}

static ss_stencil flow_entries(const ss_problem *p)
{
    ss_stencil m = {.d = 0};
    add_direction(p, "velocity-x", p->dx, &m.w, &m.e, &m.d);
    add_direction(p, "velocity-y", p->dy, &m.s, &m.n, &m.d);
    return m;
}

static const char *flow_asymmetric(const ss_problem *p)
{
    ss_stencil m = flow_entries(p);
    return m.w == m.e && m.s == m.n ? NULL : "the velocity is not 0";
}

/* The larger of both directions. */
static double peclet_most(const ss_problem *p)
{
    return fmax(peclet(p, false), peclet(p, true));
}

static bool oscillates(const ss_problem *p)
{
    return ss_config_int(p->cfg, "scheme") == CENTRAL &&
           peclet_most(p) > PECLET_MAX * (1 + ROUNDING);
}

static const char *flow_suspect(const ss_problem *p)
{
    if (!oscillates(p))
        return NULL;
    return spectral_radius(p) >= 1
               ? "because the " PECLET " is above 2 with central differences (scheme upwind has no "
                 "such limit)"
               : "because the " PECLET " is above 2 with central differences: the error grows "
                 "before it decays (scheme upwind has no such limit)";
}

/* The smallest number of points with |velocity|/(points + 1) <= PECLET_MAX, or the present one. */
static int enough(const ss_problem *p, const char *velocity, int points)
{
    int least = (int)ceil(fabs(ss_config_real(p->cfg, velocity)) / PECLET_MAX * (1 - ROUNDING)) - 1;
    return least > points ? least : points;
}

static void flow_caution(const ss_problem *p, char *buf, size_t size)
{
    if (!oscillates(p))
        return;
    double radius = spectral_radius(p);
    snprintf(buf, size,
             "the " PECLET " %.3g is above 2: with central differences the discrete solution "
             "oscillates, and %s (spectral radius %.4g); choose scheme upwind, or n %d and ny %d",
             peclet_most(p),
             radius >= 1 ? "Jacobi's iteration diverges" : "Jacobi's error may grow at first",
             radius, enough(p, "velocity-x", p->nx), enough(p, "velocity-y", p->ny));
}

static const struct ss_steady flow = {flow_entries, .differential = true};

const ss_equation ss_eq_advdiff2d = {
    .name = "advdiff2d",
    .title = "2D advection-diffusion",
    .help = "-u_xx - u_yy + b_x u_x + b_y u_y = f on the unit square, u = 0 along the edge",
    PLANE,
    SOLVED,
    .steady = &flow,
    .shape = square_shape,
    SS_PARAMS(flow_params),
    .asymmetric = flow_asymmetric,
    .suspect = flow_suspect,
    .caution = flow_caution,
    .apply = {[SS_F64] = plane_apply_f64, [SS_F32] = plane_apply_f32},
    .flops = 8,
};
