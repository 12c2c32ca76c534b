/*
 * Constant matrices whose entries are parameters: the tridiagonal `line` and the pentadiagonal
 * `plane`, and what the user hears of matrices that Jacobi's iteration has trouble with. The point
 * updates are in steady.h, the CPU's loops come from kernels/cpu/loops/apply.h. Pure; any thread.
 */
#include <math.h>
#include <stdio.h>

#include "kernels/eq/inner.h"
#include "src/core/registry.h"

#define SS_EQ_HEADER "kernels/eq/steady.h"
#define SS_EQ line
#define SS_UPDATE(f, g, w, e, s, n) f(g, c0, c1, w, e)
#include "kernels/cpu/loops/apply.h"

#define SS_EQ plane
#define SS_UPDATE(f, g, w, e, s, n) f(g, c0, c1, c2, c3, w, e, s, n)
#include "kernels/cpu/loops/apply.h"

/* The choices of the parameter `problem`, and their help. */
static const char *const problems[] = {"paper", "spike", "random", NULL};
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

static void coef(const ss_problem *p, ss_coef *out)
{
    ss_stencil m = entries(p);
    ss_stencil_coef(&m, out);
}

static void init(const ss_problem *p, int field, int j, int k, double *row)
{
    (void)field, (void)k;
    ss_problem_init(p, j, 1, row);
}

static void rhs(const ss_problem *p, int field, int j, int k, double *row)
{
    (void)field, (void)k;
    double one = 1 / ss_config_real(p->cfg, "diagonal");
    ss_problem_rhs(p, j, one, one, row);
}

static double spectral_radius(const ss_problem *p)
{
    ss_stencil m = entries(p);
    return ss_stencil_radius(p, &m);
}

static const char *asymmetric(const ss_problem *p)
{
    ss_stencil m = entries(p);
    if (ss_stencil_is_symmetric(&m))
        return NULL;
    return p->dim == 1  ? "west and east differ"
           : m.s == m.n ? "west and east differ"
           : m.w == m.e ? "south and north differ"
                        : "west and east differ, and so do south and north";
}

static int exact(const ss_problem *p, const double *g, double *u, ss_err *err)
{
    ss_stencil m = entries(p);
    return ss_stencil_solve(p, &m, g, u, err);
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

#define ENTRY_MEMBERS                                                                              \
    .coef = coef, .init = init, .rhs = rhs, .spectral_radius = spectral_radius,                    \
    .asymmetric = asymmetric, .exact = exact, .exact_cost = ss_stencil_cost, .suspect = suspect,   \
    .caution = caution

/* --- line ------------------------------------------------------------------------------------- */

// clang-format off
static ss_param line_params[] = {
    {SS_ROW_AXIS("n", 1024, 1, 1 << 30), .unit = "points",
     .help = "unknowns of the system, the points of a line"},
    {SS_ROW_POINTS("copies", 1, 1, 1 << 20),
     .help = "independent copies of the problem, solved together"},
    {ROW_ENTRY("west", "c_w"),
     .help = "entry of the matrix left of its diagonal, which the west neighbour has"},
    {ROW_ENTRY("east", "c_e"),
     .help = "entry of the matrix right of its diagonal, which the east neighbour has"},
    ROW_DIAGONAL(2.01),
    {SS_ROW_PROBLEM(problems, problem_help),
     .help = "right-hand side b and initial field u"},
};
// clang-format on

const ss_equation ss_eq_line = {
    .name = "line",
    .title = "tridiagonal",
    .help = "c_w u_w + d u + c_e u_e = b: a tridiagonal matrix with constant entries",
    .dim = 1,
    .nfield = 1,
    .nstage = 1,
    .radius = 1,
    .kind = SS_STEADY,
    .bc = SS_BC_DIRICHLET,
    .origin = 1,
    .params = line_params,
    .nparam = sizeof line_params / sizeof *line_params,
    .shape = ss_line_shape,
    ENTRY_MEMBERS,
    .apply = {[SS_F64] = line_apply_f64, [SS_F32] = line_apply_f32},
    .flops = 4,
    .reads = 3,
    .writes = 1,
};

/* --- plane ------------------------------------------------------------------------------------ */

// clang-format off
static ss_param plane_params[] = {
    SS_ROWS_SQUARE(256),
    {ROW_ENTRY("west", "c_w"), .help = "entry of the matrix that the west neighbour has"},
    {ROW_ENTRY("east", "c_e"), .help = "entry of the matrix that the east neighbour has"},
    {ROW_ENTRY("south", "c_s"), .help = "entry of the matrix that the south neighbour has"},
    {ROW_ENTRY("north", "c_n"), .help = "entry of the matrix that the north neighbour has"},
    ROW_DIAGONAL(4.02),
    {SS_ROW_PROBLEM(problems, problem_help),
     .help = "right-hand side b and initial field u"},
};
// clang-format on

const ss_equation ss_eq_plane = {
    .name = "plane",
    .title = "pentadiagonal",
    .help = "c_w u_w + c_e u_e + c_s u_s + c_n u_n + d u = b: a pentadiagonal matrix with constant "
            "entries",
    SS_SQUARE,
    .params = plane_params,
    .nparam = sizeof plane_params / sizeof *plane_params,
    ENTRY_MEMBERS,
    .apply = {[SS_F64] = plane_apply_f64, [SS_F32] = plane_apply_f32},
    .flops = 8,
    .reads = 5,
    .writes = 1,
};
