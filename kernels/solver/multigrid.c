/*
 * Multigrid: a few sweeps of a smoother damp the rough part of the error; the smooth part is
 * corrected on a grid of half the size, where it is rougher, and so on down to one point. The
 * number of cycles does not grow with n. Source: Brandt 1977; Briggs, Henson & McCormick, A
 * Multigrid Tutorial.
 *
 * Lines and planes of points are in multigrid_planes.c, patches of cells in multigrid_patches.c:
 * their grids, their smoothers and their costs. Pure functions; any thread.
 */
#include "kernels/solver/multigrid.h"

#include <limits.h>

static const char *const phases[] = {"smooth", "restrict", "correct", "smooth", NULL};
static const char *const shapes[] = {"v", "w", "f", NULL};
static const char *const shape_help[] = {"one visit of each grid, down and up",
                                         "two visits of the coarser grid for each of a finer one",
                                         "an F cycle and a V cycle on the coarser grid", NULL};
enum { V, W, F };
const ss_mg_shape ss_mg_shapes[SS_MG_NSHAPE] = {[V] = {{V, -1}}, [W] = {{W, W}}, [F] = {{F, V}}};

/* --- grids ------------------------------------------------------------------------------------ */

static const ss_mg_domain *domain_of(const ss_problem *p)
{
    return p->dim > 2 ? &ss_mg_patches : &ss_mg_planes;
}

static void range_levels(const ss_config *cfg, double *lo, double *hi, const char **why)
{
    ss_problem p;
    ss_config_problem(cfg, &p);
    int all = domain_of(&p)->levels(&p);
    *lo = 0;
    *hi = all > 0 ? all : *hi;
    *why = all > 0 ? domain_of(&p)->coarsest : NULL;
}

ss_problem ss_mg_level(const ss_problem *p, int level)
{
    ss_problem out = *p;
    for (int i = 0; i < level; i++)
        domain_of(p)->coarsen(&out);
    out.i1 = out.nx;
    out.j1 = out.ny;
    return out;
}

ss_mg_plan ss_mg_plan_of(const ss_config *cfg, const ss_problem *p)
{
    const ss_mg_domain *domain = domain_of(p);
    int all = domain->levels(p), asked = (int)ss_config_int(cfg, "levels");
    ss_mg_plan plan = {
        .levels = asked > 0 && asked < all ? asked : all,
        .shape = (int)ss_config_int(cfg, "shape"),
        .pre = (int)ss_config_int(cfg, "pre"),
        .post = (int)ss_config_int(cfg, "post"),
        .coarsest = domain->coarsest_sweeps(cfg),
        .smoother = (int)ss_config_int(cfg, "smoother"),
        .omega = ss_config_real(cfg, "omega"),
    };
    plan.solves = domain->solves && plan.levels == all;
    return plan;
}

int ss_mg_sweeps(const ss_mg_plan *plan, int level)
{
    bool coarsest = level + 1 == plan->levels;
    return !coarsest ? plan->pre + plan->post : plan->solves ? 0 : plan->coarsest;
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
    return level + 1 == plan->levels && plan->solves ? 1 : ss_mg_sweeps(plan, level);
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
    } part[2] = {
        {coarsest ? "sweep" : "sweep before the correction", coarsest ? plan->coarsest : plan->pre},
        {"sweep after the correction", coarsest ? 0 : plan->post}};
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

// clang-format off
static ss_param params[] = {
    {SS_ROW_CHOICE("shape", "Method", shapes, shape_help), .key = "v", .flags = SS_MG_LIVE,
     .help = "the order in which a cycle visits the grids"},
    {SS_ROW_INT("pre", "Method", 2, 0, 20), .unit = "sweeps", .key = "k", .flags = SS_MG_LIVE,
     .help = "smoothing sweeps before the correction from the coarser grid"},
    {SS_ROW_INT("post", "Method", 2, 0, 20), .unit = "sweeps", .key = "o", .flags = SS_MG_LIVE,
     .help = "smoothing sweeps after it"},
    {SS_ROW_INT("levels", "Method", 0, 0, SS_MG_LEVELS_MAX), .key = "b", .zero = "all", .flags = SS_MG_LIVE,
     .range = range_levels,
     .help = "grids; without the coarsest ones, the last grid is only smoothed"},
};
// clang-format on

static int check(const ss_config *cfg, const ss_problem *p, ss_err *err)
{
    if (domain_of(p)->check(cfg, p, err) != SS_OK)
        return SS_FAIL;
    if (ss_config_int(cfg, "pre") + ss_config_int(cfg, "post") == 0)
        return ss_fail(err, "multigrid: pre and post are both 0: at least one sweep must smooth");
    return SS_OK;
}

static double bytes(const ss_config *cfg, const ss_equation *eq, const ss_problem *p,
                    const char **what)
{
    ss_mg_plan plan = ss_mg_plan_of(cfg, p);
    double sum = 0;
    *what = "the coarser grids";
    for (int l = 0; l < plan.levels; l++)
        sum += domain_of(p)->bytes(cfg, eq, p, l);
    return sum;
}

/* Adds the cost `one` times `times`. */
static void add(ss_ledger *sum, double times, const ss_ledger *one)
{
    sum->launches += times * one->launches;
    sum->global_bytes += times * one->global_bytes;
    sum->shared_bytes += times * one->shared_bytes;
    sum->barriers += times * one->barriers;
    sum->updates += times * one->updates;
    sum->redundant_updates += times * one->redundant_updates;
    sum->operations += times * one->operations;
    sum->edge_bytes += times * one->edge_bytes;
}

static void ledger(const ss_config *cfg, const ss_equation *eq, const ss_problem *p, ss_ledger *out)
{
    const ss_mg_domain *domain = domain_of(p);
    ss_mg_plan plan = ss_mg_plan_of(cfg, p);
    ss_ledger one;
    *out = (ss_ledger){0};
    for (int l = 0; l < plan.levels; l++) {
        double visits = ss_mg_visits(&plan, l);
        bool coarsest = l + 1 == plan.levels;
        domain->sweep(cfg, eq, p, l, &one);
        add(out, visits * ss_mg_sweeps(&plan, l), &one);
        if (coarsest && !plan.solves)
            break;
        (coarsest ? domain->solution : domain->correction)(cfg, eq, p, l, &one);
        add(out, visits, &one);
    }
}

static const char *suspect(const ss_config *cfg)
{
    ss_problem p;
    ss_config_problem(cfg, &p);
    return domain_of(&p)->suspect(cfg);
}

static void caution(const ss_config *cfg, const ss_problem *p, char *buf, size_t size)
{
    if (domain_of(p)->caution)
        domain_of(p)->caution(cfg, p, buf, size);
}

const ss_solver ss_solver_multigrid = {
    .name = "multigrid",
    .title = "multigrid",
    .help = "smoothing on ever coarser grids: the number of cycles does not grow with n",
    .classic = "jacobi",
    .another_method = true,
    .paper = "no paper: Brandt's method, for which the block methods are smoothers",
    .params = params,
    .nparam = sizeof params / sizeof *params,
    .phases = phases,
    .nearest_points = ss_mg_nearest_points,
    .ticks_per_cycle = ticks_per_cycle,
    .check = check,
    .bytes = bytes,
    .ledger = ledger,
    .setup_cost = ss_block_setup_cost, /* a line or a plane has no blocks: never */
    .suspect = suspect,
    .caution = caution,
    .visit = visit,
};
