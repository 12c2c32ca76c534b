/*
 * Multigrid: a few sweeps of a smoother damp the rough part of the error; the smooth part is
 * corrected on a grid of half the size, where it is rougher, and so on down to one point. The
 * number of cycles does not grow with n. Source: Brandt 1977; Briggs, Henson & McCormick, A
 * Multigrid Tutorial.
 *
 * Grids of n = 2^m - 1 points have a point in the middle, and every second point is one of the
 * coarser grid. The operator is discretised anew on each grid; the residual is restricted by full
 * weighting, [1 2 1; 2 4 2; 1 2 1]/16 (in 1D [1 2 1]/4), the correction is interpolated linearly.
 * Both directions are coarsened together until the smaller has one point; that grid is solved. Pure
 * functions; any thread.
 */
#include "kernels/solver/multigrid.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>

static const char *const phases[] = {"smooth", "restrict", "correct", "smooth", NULL};
static const char *const shapes[] = {"v", "w", "f", NULL};
static const char *const shape_help[] = {"one visit of each grid, down and up",
                                         "two visits of the coarser grid for each of a finer one",
                                         "an F cycle and a V cycle on the coarser grid", NULL};
static const char *const smoothers[] = {"jacobi", "red-black", NULL};
static const char *const smoother_help[] = {"damped Jacobi: omega 0.8 unless given",
                                            "red-black Gauss-Seidel: omega 1 unless given", NULL};

enum { V, W, F };
const ss_mg_shape ss_mg_shapes[SS_MG_NSHAPE] = {[V] = {{V, -1}}, [W] = {{W, W}}, [F] = {{F, V}}};

/* Passes over a grid per sweep of a smoother, and its usual relaxation factor. */
static const struct {
    int passes;
    double omega;
} smoother_rows[SS_MG_NSMOOTHER] = {[SS_MG_JACOBI] = {1, 0.8}, [SS_MG_RED_BLACK] = {2, 1}};

static double usual_omega(const ss_config *cfg)
{
    return smoother_rows[ss_config_int(cfg, "smoother")].omega;
}

/* --- grids ------------------------------------------------------------------------------------ */

/* m if n = 2^m - 1, else 0. */
static int doublings(int64_t n)
{
    int m = 0;
    while (((int64_t)1 << m) - 1 < n)
        m++;
    return ((int64_t)1 << m) - 1 == n ? m : 0;
}

/* The grids down to the one whose smaller direction has one point. */
static int all_levels(const ss_problem *p)
{
    int x = doublings(p->nx), y = p->dim > 1 ? doublings(p->ny) : x;
    return x < y ? x : y;
}

static void range_levels(const ss_config *cfg, double *lo, double *hi, const char **why)
{
    ss_problem p;
    ss_config_problem(cfg, &p);
    int all = all_levels(&p);
    *lo = 0;
    *hi = all > 0 ? all : *hi;
    *why = all > 0 ? "the coarsest grid has one point in its smaller direction" : NULL;
}

ss_problem ss_mg_level(const ss_problem *p, int level)
{
    ss_problem out = *p;
    for (int i = 0; i < level; i++) {
        out.nx = (out.nx - 1) / 2;
        out.dx *= 2;
        if (p->dim > 1) {
            out.ny = (out.ny - 1) / 2;
            out.dy *= 2;
        }
    }
    out.i1 = out.nx;
    out.j1 = out.ny;
    return out;
}

ss_mg_plan ss_mg_plan_of(const ss_config *cfg, const ss_problem *p)
{
    int all = all_levels(p), asked = (int)ss_config_int(cfg, "levels");
    ss_mg_plan plan = {
        .levels = asked > 0 && asked < all ? asked : all,
        .shape = (int)ss_config_int(cfg, "shape"),
        .pre = (int)ss_config_int(cfg, "pre"),
        .post = (int)ss_config_int(cfg, "post"),
        .smoother = (ss_mg_smoother)ss_config_int(cfg, "smoother"),
        .omega = ss_config_real(cfg, "omega"),
    };
    plan.solves = plan.levels == all;
    return plan;
}

static double visits_of(int shape, int level)
{
    double sum = 0;
    if (level == 0)
        return 1;
    for (int i = 0; i < 2; i++)
        if (ss_mg_shapes[shape].next[i] >= 0)
            sum += visits_of(ss_mg_shapes[shape].next[i], level - 1);
    return sum;
}

/* W: 2^level, F: level + 1. */
double ss_mg_visits(const ss_mg_plan *plan, int level)
{
    return visits_of(plan->shape, level);
}

/* --- the microscope --------------------------------------------------------------------------- */

/* Ticks of one visit of a grid alone. */
static int own_ticks(const ss_mg_plan *plan, int level)
{
    return level + 1 == plan->levels && plan->solves ? 1 : plan->pre + plan->post;
}

int64_t ss_mg_ticks(const ss_mg_plan *plan)
{
    double sum = 0;
    for (int l = 0; l < plan->levels; l++)
        sum += ss_mg_visits(plan, l) * own_ticks(plan, l);
    return sum < INT_MAX ? (int64_t)sum : INT_MAX;
}

/* Finds the sweep or the solution that is tick *left of a visit; else subtracts all of them. */
static bool find(const ss_mg_plan *plan, int level, int shape, int *left, ss_visit *out)
{
    bool coarsest = level + 1 == plan->levels, solves = coarsest && plan->solves;
    const struct {
        const char *what;
        int ticks;
    } part[2] = {{coarsest ? "sweep" : "sweep before the correction", plan->pre},
                 {coarsest ? "sweep" : "sweep after the correction", plan->post}};
    *out = (ss_visit){.level = level, .levels = plan->levels, .what = "solved exactly"};
    if (solves)
        return --*left <= 0;
    for (int i = 0; i < 2; i++) {
        if (*left <= part[i].ticks) {
            *out = (ss_visit){.level = level,
                              .levels = plan->levels,
                              .what = part[i].what,
                              .sweep = *left,
                              .sweeps = part[i].ticks};
            return true;
        }
        *left -= part[i].ticks;
        for (int n = 0; n < 2 && i == 0 && !coarsest && ss_mg_shapes[shape].next[n] >= 0; n++)
            if (find(plan, level + 1, ss_mg_shapes[shape].next[n], left, out))
                return true;
    }
    return false;
}

static int ticks_per_cycle(const ss_config *cfg, const ss_problem *p)
{
    ss_mg_plan plan = ss_mg_plan_of(cfg, p);
    return (int)ss_mg_ticks(&plan);
}

static void visit(const ss_config *cfg, const ss_problem *p, int tick, ss_visit *out)
{
    ss_mg_plan plan = ss_mg_plan_of(cfg, p);
    find(&plan, 0, plan.shape, &tick, out);
}

/* --- the description -------------------------------------------------------------------------- */

#define LIVE (SS_P_LIVE | SS_P_CONTROL)

// clang-format off
static ss_param params[] = {
    {SS_ROW_CHOICE("shape", "Method", shapes, shape_help), .key = "v", .flags = LIVE,
     .help = "the order in which a cycle visits the grids"},
    {SS_ROW_CHOICE("smoother", "Method", smoothers, smoother_help), .key = "i", .flags = LIVE,
     .help = "the method that damps the rough part of the error"},
    {SS_ROW_INT("pre", "Method", 2, 0, 20), .unit = "sweeps", .key = "k", .flags = LIVE,
     .help = "smoothing sweeps before the correction from the coarser grid"},
    {SS_ROW_INT("post", "Method", 2, 0, 20), .unit = "sweeps", .key = "o", .flags = LIVE,
     .help = "smoothing sweeps after it"},
    {SS_ROW_REAL("omega", "Method", 1, 0.05, 2), .symbol = "\xcf\x89", .key = "w", .step = 0.05, .flags = LIVE,
     .usual = usual_omega, .def_text = "0.8 for jacobi, 1 for red-black",
     .help = "relaxation factor of the smoother"},
    {SS_ROW_INT("levels", "Method", 0, 0, SS_MG_LEVELS_MAX), .key = "b", .zero = "all", .flags = LIVE,
     .range = range_levels,
     .help = "grids; without the coarsest ones, the last grid is only smoothed"},
};
// clang-format on

/* "63 and 127" */
static int refuse(const char *name, int64_t n, ss_err *err)
{
    int64_t above = 1;
    while (above < n)
        above = 2 * above + 1;
    int64_t below = (above - 1) / 2 > 0 ? (above - 1) / 2 : 1;
    return ss_fail(err,
                   "multigrid: %s %lld cannot be halved down to one point: it must be 2^m - 1, "
                   "and the nearest are %lld and %lld",
                   name, (long long)n, (long long)below, (long long)above);
}

static int check(const ss_config *cfg, const ss_problem *p, ss_err *err)
{
    if (doublings(p->nx) == 0)
        return refuse("n", p->nx, err);
    if (p->dim > 1 && doublings(p->ny) == 0)
        return refuse("ny", p->ny, err);
    if (ss_config_int(cfg, "pre") + ss_config_int(cfg, "post") == 0)
        return ss_fail(err, "multigrid: pre and post are both 0: at least one sweep must smooth");
    return SS_OK;
}

static double value_bytes(const ss_config *cfg)
{
    return (double)ss_prec_size((ss_prec)ss_config_int(cfg, "precision"));
}

/* Fields per point of a level: two for the smoother, residual, right-hand side. */
static double bytes(const ss_config *cfg, const ss_equation *eq, const ss_problem *p,
                    const char **what)
{
    ss_mg_plan plan = ss_mg_plan_of(cfg, p);
    double sum = 0;
    (void)eq;
    *what = "the coarser grids";
    for (int l = 0; l < plan.levels; l++) {
        ss_problem at = ss_mg_level(p, l);
        sum += 4.0 * at.nx * at.ny * value_bytes(cfg);
    }
    return sum;
}

/* Per visit of a grid: sweeps (u, g in, u' out), the residual (u, g in, r out), the restriction (r
 * in, g of the coarser grid out), the correction (u and the coarser u in, u out). */
static void add_level(const ss_mg_plan *plan, const ss_config *cfg, const ss_equation *eq,
                      const ss_problem *p, int level, ss_ledger *out)
{
    bool coarsest = level + 1 == plan->levels;
    ss_problem at = ss_mg_level(p, level);
    double points = (double)at.nx * at.ny, visits = ss_mg_visits(plan, level);
    double coarser = points / (p->dim > 1 ? 4 : 2), value = value_bytes(cfg);
    int passes = smoother_rows[plan->smoother].passes, sweeps = plan->pre + plan->post;
    if (coarsest && plan->solves) {
        out->launches += visits;
        out->global_bytes += visits * 2 * points * value;
        out->updates += visits * points;
        out->operations += visits * points * eq->flops;
        return;
    }
    double residuals = coarsest ? 0 : 1;
    out->launches += visits * (sweeps * passes + 3 * residuals);
    out->global_bytes +=
        visits * value * (points * (3 * sweeps * passes + 6 * residuals) + 2 * coarser * residuals);
    out->updates += visits * points * (sweeps + residuals);
    out->operations += visits * points * (sweeps * (eq->flops + 3) + residuals * (eq->flops + 6));
}

static void ledger(const ss_config *cfg, const ss_equation *eq, const ss_problem *p, ss_ledger *out)
{
    ss_mg_plan plan = ss_mg_plan_of(cfg, p);
    *out = (ss_ledger){0};
    for (int l = 0; l < plan.levels; l++)
        add_level(&plan, cfg, eq, p, l, out);
}

static const char *suspect(const ss_config *cfg)
{
    return ss_config_real(cfg, "omega") > smoother_rows[ss_config_int(cfg, "smoother")].omega
               ? "and omega is the likely cause: the smoother overshoots"
               : NULL;
}

const ss_solver ss_solver_multigrid = {
    .name = "multigrid",
    .title = "multigrid",
    .help = "smoothing on ever coarser grids: the number of cycles does not grow with n",
    .classic = "jacobi",
    .another_method = true,
    .paper = "no paper: Brandt's method, for which the block methods are smoothers",
    .no_patches = "its grids are lines and planes of 2^m - 1 points",
    .params = params,
    .nparam = sizeof params / sizeof *params,
    .phases = phases,
    .ticks_per_cycle = ticks_per_cycle,
    .check = check,
    .bytes = bytes,
    .ledger = ledger,
    .suspect = suspect,
    .visit = visit,
};
