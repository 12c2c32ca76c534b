/*
 * Multigrid on lines and planes. Grids of n = 2^m - 1 points have a point in the middle, and every
 * second point is one of the coarser grid. The operator is discretised anew on each grid; the
 * residual is restricted by full weighting, [1 2 1; 2 4 2; 1 2 1]/16 (in 1D [1 2 1]/4), the
 * correction is interpolated linearly. Both directions are coarsened together until the smaller has
 * one point; that grid is solved. The equation's description has its operator for any spacing.
 * Pure functions; any thread.
 */
#include "kernels/solver/multigrid.h"

#include <stdio.h>

#include "src/core/registry.h"

#define JACOBI "damped Jacobi: omega 0.8 unless given"
#define RED_BLACK "red-black Gauss-Seidel: omega 1 unless given"
const char *const ss_mg_smoothers[] = {"jacobi", "red-black", NULL};
const char *const ss_mg_smoother_help[] = {JACOBI, RED_BLACK, NULL};

typedef void cost_fn(const ss_config *cfg, const ss_equation *eq, const ss_problem *p, int level,
                     ss_ledger *out);
static cost_fn one_pass, two_passes;

/* The usual relaxation factor of a smoother, and the cost of a sweep. Undamped Jacobi does not
 * smooth: it turns the sign of the roughest error and keeps its size. */
static const struct {
    double omega;
    cost_fn *sweep;
} smoother_rows[SS_MG_NSMOOTHER] = {
    [SS_MG_JACOBI] = {0.8, one_pass}, [SS_MG_RED_BLACK] = {1, two_passes}};

double ss_mg_omega(const ss_config *cfg)
{
    return smoother_rows[ss_config_int(cfg, "smoother")].omega;
}

/* m if n = 2^m - 1, else 0. */
static int doublings(int64_t n)
{
    int m = 0;
    while (((int64_t)1 << m) - 1 < n)
        m++;
    return ((int64_t)1 << m) - 1 == n ? m : 0;
}

/* The grids down to the one whose smaller direction has one point. */
static int levels(const ss_problem *p)
{
    int x = doublings(p->nx), y = p->dim > 1 ? doublings(p->ny) : x;
    return x < y ? x : y;
}

static void coarsen(ss_problem *p)
{
    p->nx = (p->nx - 1) / 2;
    p->dx *= 2;
    if (p->dim > 1) {
        p->ny = (p->ny - 1) / 2;
        p->dy *= 2;
    }
}

typedef struct neighbours {
    int64_t below, above;
} neighbours;

/* 63 and 127 for 100. */
static neighbours sizes_around(int64_t n)
{
    int64_t above = 1;
    while (above < n)
        above = 2 * above + 1;
    return (neighbours){(above - 1) / 2 > 0 ? (above - 1) / 2 : 1, above};
}

int64_t ss_mg_nearest_points(int64_t n)
{
    neighbours size = sizes_around(n);
    return n - size.below < size.above - n ? size.below : size.above;
}

static int refuse(const char *name, int64_t n, ss_err *err)
{
    neighbours size = sizes_around(n);
    return ss_fail(err,
                   "multigrid: %s %lld cannot be halved down to one point: it must be 2^m - 1, "
                   "and the nearest are %lld and %lld",
                   name, (long long)n, (long long)size.below, (long long)size.above);
}

static int check(const ss_config *cfg, const ss_problem *p, ss_err *err)
{
    (void)cfg;
    if (doublings(p->nx) == 0)
        return refuse("n", p->nx, err);
    if (p->dim > 1 && doublings(p->ny) == 0)
        return refuse("ny", p->ny, err);
    return SS_OK;
}

/* The last grid is smoothed as the others if `levels` leaves out coarser ones. */
static int coarsest_sweeps(const ss_config *cfg)
{
    return (int)(ss_config_int(cfg, "pre") + ss_config_int(cfg, "post"));
}

static const char *suspect(const ss_config *cfg)
{
    return ss_config_real(cfg, "omega") > ss_mg_omega(cfg)
               ? "and omega is the likely cause: the smoother overshoots"
               : NULL;
}

/* Its smoothers are Jacobi's iteration and Gauss-Seidel's: where the equation warns of them, they
 * may not smooth either, and a coarser operator may be close to singular. */
static void caution(const ss_config *cfg, const ss_problem *p, char *buf, size_t size)
{
    const ss_equation *eq = ss_config_equation(cfg);
    const char *why = eq->suspect ? eq->suspect(p) : NULL;
    if (why)
        snprintf(buf, size, "multigrid may diverge %s", why);
}

/* --- costs ------------------------------------------------------------------------------------ */

enum { RELAX_FLOPS = 3 };

static double value_bytes(const ss_config *cfg)
{
    return (double)ss_prec_size((ss_prec)ss_config_int(cfg, "precision"));
}

static double points_of(const ss_problem *p, int level)
{
    ss_problem at = ss_mg_level(p, level);
    return (double)at.nx * at.ny;
}

/* Fields per point: two for the smoother, residual, right-hand side. */
static double bytes(const ss_config *cfg, const ss_equation *eq, const ss_problem *p, int level)
{
    (void)eq;
    return 4 * points_of(p, level) * value_bytes(cfg);
}

/* u, g in, u' out. */
static void one_pass(const ss_config *cfg, const ss_equation *eq, const ss_problem *p, int level,
                     ss_ledger *out)
{
    double points = points_of(p, level);
    *out = (ss_ledger){.launches = 1,
                       .global_bytes = 3 * points * value_bytes(cfg),
                       .updates = points,
                       .operations = points * (eq->flops + RELAX_FLOPS)};
}

/* A pass per colour, each of which updates half of the points. */
static void two_passes(const ss_config *cfg, const ss_equation *eq, const ss_problem *p, int level,
                       ss_ledger *out)
{
    one_pass(cfg, eq, p, level, out);
    out->launches *= 2;
    out->global_bytes *= 2;
}

static void sweep(const ss_config *cfg, const ss_equation *eq, const ss_problem *p, int level,
                  ss_ledger *out)
{
    smoother_rows[ss_config_int(cfg, "smoother")].sweep(cfg, eq, p, level, out);
}

/* The residual (u, g in, r out), the restriction (r in, g of the coarser grid out), the correction
 * (u and the coarser u in, u out). */
static void correction(const ss_config *cfg, const ss_equation *eq, const ss_problem *p, int level,
                       ss_ledger *out)
{
    double points = points_of(p, level), coarser = points / (p->dim > 1 ? 4 : 2);
    *out = (ss_ledger){.launches = 3,
                       .global_bytes = (6 * points + 2 * coarser) * value_bytes(cfg),
                       .updates = points,
                       .operations = points * (eq->flops + 6)};
}

/* g in, u out. */
static void solution(const ss_config *cfg, const ss_equation *eq, const ss_problem *p, int level,
                     ss_ledger *out)
{
    double points = points_of(p, level);
    *out = (ss_ledger){.launches = 1,
                       .global_bytes = 2 * points * value_bytes(cfg),
                       .updates = points,
                       .operations = points * eq->flops};
}

const ss_mg_domain ss_mg_planes = {
    .coarsest = "the coarsest grid has one point in its smaller direction",
    .solves = true,
    .levels = levels,
    .coarsen = coarsen,
    .check = check,
    .coarsest_sweeps = coarsest_sweeps,
    .bytes = bytes,
    .sweep = sweep,
    .correction = correction,
    .solution = solution,
    .suspect = suspect,
    .caution = caution,
};
