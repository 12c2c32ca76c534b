/*
 * Multigrid: a few sweeps of a smoother damp the rough part of the error; the smooth part is
 * corrected on a grid of half the size, where it is rougher, and so on down to one point. The
 * number of cycles does not grow with n. Source: Brandt 1977; Briggs, Henson & McCormick, A
 * Multigrid Tutorial. Pure functions; any thread.
 *
 * Lines and planes: grids of n = 2^m - 1 points have a point in the middle, and every second point
 * is one of the coarser grid. The operator is discretised anew on each grid; the residual is
 * restricted by full weighting, [1 2 1; 2 4 2; 1 2 1]/16 (in 1D [1 2 1]/4), the correction is
 * interpolated linearly. Both directions are coarsened together until the smaller has one point;
 * that grid is solved. The equation's description has its operator for any spacing.
 *
 * Patches of cells, with a block smoother: each patch has half the cells in each direction on the
 * next grid and remains a patch; walls have the same rule for ghost cells on each grid. The
 * residual is averaged over 2 x 2 x 2 cells, the correction is interpolated linearly in each
 * direction. The coarsest grid is the last one whose patches are not smaller than a block; it is
 * smoothed `coarsest` times. Measured: with blocks of 8^3, V(2,2) multiplies the residual by 0.14
 * to 0.17 per cycle with block-jacobi on 16^3 to 64^3 cells, by 0.10 to 0.12 with block-gs. On
 * 128^3 it is 0.16 with mirrored ghost cells and 0.25 with zero ones.
 */
#include "kernels/solver/multigrid.h"

#include <limits.h>
#include <stdio.h>

#include "kernels/eq/poisson3d.h"
#include "src/base/common.h"
#include "src/core/registry.h"

/* How the grids of a kind of domain are made, and their costs. */
typedef struct domain {
    const char *coarsest;               /* why there are no coarser grids */
    bool solves;                        /* the coarsest one of all is solved exactly */
    int (*levels)(const ss_problem *p); /* all of them; 0: the problem cannot be halved */
    void (*coarsen)(ss_problem *p);     /* by one level: sizes and spacing */
    int (*check)(const ss_config *cfg, const ss_problem *p, ss_err *err);
    int (*coarsest_sweeps)(const ss_config *cfg);
    double (*bytes)(const ss_config *cfg, const ss_equation *eq, const ss_problem *p, int level);
    /* One sweep of the smoother; a correction from the coarser grid without any sweep; the exact
     * solution (NULL: there is none). */
    void (*sweep)(const ss_config *cfg, const ss_equation *eq, const ss_problem *p, int level,
                  ss_ledger *out);
    void (*correction)(const ss_config *cfg, const ss_equation *eq, const ss_problem *p, int level,
                       ss_ledger *out);
    void (*solution)(const ss_config *cfg, const ss_equation *eq, const ss_problem *p, int level,
                     ss_ledger *out);
    /* As in ss_solver. caution NULL: nothing to say. */
    const char *(*suspect)(const ss_config *cfg);
    void (*caution)(const ss_config *cfg, const ss_problem *p, char *buf, size_t size);
} domain;

/* --- lines and planes ------------------------------------------------------------------------- */

const char *const ss_mg_smoothers[] = {"jacobi", "red-black", NULL};
const char *const ss_mg_smoother_help[] = {"damped Jacobi: omega 0.8 unless given",
                                           "red-black Gauss-Seidel: omega 1 unless given", NULL};

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
static int plane_levels(const ss_problem *p)
{
    int x = doublings(p->nx), y = p->dim > 1 ? doublings(p->ny) : x;
    return x < y ? x : y;
}

static void plane_coarsen(ss_problem *p)
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

static int plane_check(const ss_config *cfg, const ss_problem *p, ss_err *err)
{
    (void)cfg;
    if (doublings(p->nx) == 0)
        return refuse("n", p->nx, err);
    if (p->dim > 1 && doublings(p->ny) == 0)
        return refuse("ny", p->ny, err);
    return SS_OK;
}

/* The last grid is smoothed as the others if `levels` leaves out coarser ones. */
static int plane_coarsest_sweeps(const ss_config *cfg)
{
    return (int)(ss_config_int(cfg, "pre") + ss_config_int(cfg, "post"));
}

static const char *plane_suspect(const ss_config *cfg)
{
    return ss_config_real(cfg, "omega") > ss_mg_omega(cfg)
               ? "and omega is the likely cause: the smoother overshoots"
               : NULL;
}

/* Its smoothers are Jacobi's iteration and Gauss-Seidel's: where the equation warns of them, they
 * may not smooth either, and a coarser operator may be close to singular. */
static void plane_caution(const ss_config *cfg, const ss_problem *p, char *buf, size_t size)
{
    const ss_equation *eq = ss_config_equation(cfg);
    const char *why = eq->suspect ? eq->suspect(p) : NULL;
    if (why)
        snprintf(buf, size, "multigrid may diverge %s", why);
}

enum { RELAX_FLOPS = 3 };

static double points_of(const ss_problem *p, int level)
{
    ss_problem at = ss_mg_level(p, level);
    return (double)at.nx * at.ny;
}

/* Fields per point: two for the smoother, residual, right-hand side. */
static double plane_bytes(const ss_config *cfg, const ss_equation *eq, const ss_problem *p,
                          int level)
{
    (void)eq;
    return 4 * points_of(p, level) * ss_value_bytes(cfg);
}

/* u, g in, u' out. */
static void one_pass(const ss_config *cfg, const ss_equation *eq, const ss_problem *p, int level,
                     ss_ledger *out)
{
    double points = points_of(p, level);
    *out = (ss_ledger){.launches = 1,
                       .global_bytes = 3 * points * ss_value_bytes(cfg),
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

static void plane_sweep(const ss_config *cfg, const ss_equation *eq, const ss_problem *p, int level,
                        ss_ledger *out)
{
    smoother_rows[ss_config_int(cfg, "smoother")].sweep(cfg, eq, p, level, out);
}

/* The residual (u, g in, r out), the restriction (r in, g of the coarser grid out), the correction
 * (u and the coarser u in, u out). */
static void plane_correction(const ss_config *cfg, const ss_equation *eq, const ss_problem *p,
                             int level, ss_ledger *out)
{
    double points = points_of(p, level), coarser = points / (p->dim > 1 ? 4 : 2);
    *out = (ss_ledger){.launches = 3,
                       .global_bytes = (6 * points + 2 * coarser) * ss_value_bytes(cfg),
                       .updates = points,
                       .operations = points * (eq->flops + 6)};
}

/* g in, u out. */
static void plane_solution(const ss_config *cfg, const ss_equation *eq, const ss_problem *p,
                           int level, ss_ledger *out)
{
    double points = points_of(p, level);
    *out = (ss_ledger){.launches = 1,
                       .global_bytes = 2 * points * ss_value_bytes(cfg),
                       .updates = points,
                       .operations = points * eq->flops};
}

static const domain planes = {
    .coarsest = "the coarsest grid has one point in its smaller direction",
    .solves = true,
    .levels = plane_levels,
    .coarsen = plane_coarsen,
    .check = plane_check,
    .coarsest_sweeps = plane_coarsest_sweeps,
    .bytes = plane_bytes,
    .sweep = plane_sweep,
    .correction = plane_correction,
    .solution = plane_solution,
    .suspect = plane_suspect,
    .caution = plane_caution,
};

/* --- patches of cells ------------------------------------------------------------------------- */

/* Cells of a patch on the coarsest grid: zero ghost cells move the walls outwards by half a cell,
 * too much on a coarser grid. */
#define LEAST 8

const char *const ss_mg_block_smoothers[] = {"block-jacobi", "block-gs", NULL};
const char *const ss_mg_block_smoother_help[] = {"damped block Jacobi: omega 0.8 unless given",
                                                 "block Gauss-Seidel: omega 0.9 unless given",
                                                 NULL};

enum { JACOBI, GAUSS_SEIDEL };

/* Ghost cells lag by a sweep: with mirrored ones, Gauss-Seidel without damping overshoots at walls.
 */
double ss_mg_block_omega(const ss_config *cfg)
{
    static const double usual[] = {[JACOBI] = 0.8, [GAUSS_SEIDEL] = 0.9};
    return usual[ss_config_int(cfg, "smoother")];
}

bool ss_mg_block_ordered(const ss_config *cfg)
{
    return ss_config_int(cfg, "smoother") == GAUSS_SEIDEL;
}

/* Zero ghost cells: the error of a coarse correction grows with the number of grids, and small
 * blocks smooth too little of it. */
static const char *patch_suspect(const ss_config *cfg)
{
    if (ss_config_real(cfg, "omega") > 1)
        return "and omega is the likely cause: the smoother overshoots";
    return ss_config_int(cfg, "ghost") == 0
               ? "and the ghost cells are the likely cause: zero ones are further outside on "
                 "coarser grids (set larger blocks, shape w or ghost mirror)"
               : NULL;
}

void ss_mg_block_range(const ss_config *cfg, double *lo, double *hi, const char **why)
{
    int most = ss_poisson3d_smallest(cfg, why) / 2;
    *lo = 1;
    *hi = most > 1 ? most : 1;
    *why = "half the cells of a patch: a block on the next grid";
}

/* The least number of cells of a patch on the coarsest grid. */
static int least_of(const ss_config *cfg)
{
    int size[3], least = LEAST;
    ss_block_size(cfg, size);
    for (int d = 0; d < 3; d++)
        least = size[d] > least ? size[d] : least;
    return least;
}

static int patch_levels(const ss_problem *p)
{
    const char *what;
    ss_config at = *p->cfg;
    int n = 0, least = least_of(p->cfg);
    while (ss_poisson3d_smallest(&at, &what) >= least && n < SS_MG_LEVELS_MAX) {
        n++;
        if (ss_poisson3d_halve(&at, NULL) != SS_OK)
            break;
    }
    return n > 1 ? n : 0;
}

static void patch_coarsen(ss_problem *p)
{
    p->nx /= 2, p->ny /= 2, p->nz /= 2;
    p->dx *= 2, p->dy *= 2, p->dz *= 2;
}

static int patch_check(const ss_config *cfg, const ss_problem *p, ss_err *err)
{
    const char *what;
    ss_err why = {0};
    ss_config half = *cfg;
    if (ss_block_check(cfg, p, err) != SS_OK)
        return SS_FAIL;
    if (ss_poisson3d_halve(&half, &why) != SS_OK)
        return ss_fail(err, "multigrid: %s", why.text);
    if (ss_poisson3d_smallest(&half, &what) < LEAST)
        return ss_fail(err,
                       "multigrid: a patch of %d cells is too small to be halved: the nearest "
                       "is %d",
                       ss_poisson3d_smallest(cfg, &what), 2 * LEAST);
    return SS_OK;
}

/* Cells along the shortest edge of a block. */
static int shortest(const ss_config *cfg)
{
    int size[3];
    ss_block_size(cfg, size);
    return ss_min(size[0], ss_min(size[1], size[2]));
}

/* Cells along the longest edge of a coupled domain. */
static int longest(const ss_config *cfg, const ss_problem *p)
{
    int n = p->ny > p->nz ? p->ny : p->nz;
    return p->nx > n && !ss_config_text(cfg, "sizes") ? p->nx : n;
}

/* A block smoother needs as many more sweeps as the square of the blocks along an edge. */
double ss_mg_block_coarsest(const ss_config *cfg)
{
    ss_problem p = ss_config_problem(cfg);
    int cells = longest(cfg, &p) >> (patch_levels(&p) > 0 ? patch_levels(&p) - 1 : 0);
    int edge = shortest(cfg), blocks = (cells + edge - 1) / edge;
    return 8.0 * blocks * blocks;
}

static int patch_coarsest_sweeps(const ss_config *cfg)
{
    return (int)ss_config_int(cfg, "coarsest");
}

/* Measured: with 4 grids and blocks of 1 cell, or 5 and 2, the factor of a V cycle is about 1. */
static void patch_caution(const ss_config *cfg, const ss_problem *p, char *buf, size_t size)
{
    ss_mg_plan plan = ss_mg_plan_of(cfg, p);
    bool one_visit = ss_mg_visits(&plan, plan.levels - 1) == 1;
    if (ss_config_int(cfg, "ghost") == 0 && one_visit && shortest(cfg) * 16 <= 1 << plan.levels)
        snprintf(buf, size,
                 "V cycles hardly converge here: zero ghost cells are further outside on coarser "
                 "grids, and small blocks smooth too little: set shape w or ghost mirror");
}

void ss_mg_patch_config(const ss_config *cfg, int level, ss_config *out)
{
    const char *smoother = ss_mg_block_smoothers[ss_config_int(cfg, "smoother")];
    *out = *cfg;
    const ss_param *omega = ss_param_find(cfg, "omega", NULL);
    out->v[omega->slot] = ss_config_value(cfg, omega); /* the smoother alone has another default */
    out->v[omega->slot].set = true;
    ss_config_put(out, ss_param_find(cfg, "solver", NULL), smoother, NULL);
    for (int i = 0; i < level; i++)
        ss_poisson3d_halve(out, NULL);
}

/* A grid as a problem of its own. */
typedef struct grid {
    ss_config cfg;
    ss_problem p;
} grid;

static void make_grid(const ss_config *cfg, int level, grid *out)
{
    ss_mg_patch_config(cfg, level, &out->cfg);
    out->p = ss_config_problem(&out->cfg);
}

/* Two fields, the right-hand side (the finest grid has that of the run) and the inverses. */
static double patch_bytes(const ss_config *cfg, const ss_equation *eq, const ss_problem *p,
                          int level)
{
    grid at;
    const char *what;
    (void)p;
    make_grid(cfg, level, &at);
    return ss_config_bytes(&at.cfg) * (level > 0 ? 1 : 2.0 / 3) +
           ss_config_solver(&at.cfg)->bytes(&at.cfg, eq, &at.p, &what);
}

static void patch_sweep(const ss_config *cfg, const ss_equation *eq, const ss_problem *p, int level,
                        ss_ledger *out)
{
    grid at;
    (void)p;
    make_grid(cfg, level, &at);
    ss_config_solver(&at.cfg)->ledger(&at.cfg, eq, &at.p, out);
}

/* The restricted residual (u, g in, g of the coarser grid out), the correction (the coarser u and u
 * in, u out), and a halo exchange of both grids. */
static void patch_correction(const ss_config *cfg, const ss_equation *eq, const ss_problem *p,
                             int level, ss_ledger *out)
{
    grid at;
    (void)p;
    make_grid(cfg, level, &at);
    ss_patch_sums sum = ss_patch_sums_of(eq, &at.p);
    double edge = 2 * (sum.ghosts + sum.ghosts / 4) * ss_value_bytes(cfg);
    *out = (ss_ledger){.launches = 2,
                       .global_bytes = (4 + 2 / 8.0) * sum.cells * ss_value_bytes(cfg) + edge,
                       .updates = sum.cells,
                       .operations = sum.cells * (eq->flops + 8),
                       .edge_bytes = edge};
}

static const domain patches = {
    .coarsest = "a patch of the coarsest grid is at least a block",
    .levels = patch_levels,
    .coarsen = patch_coarsen,
    .check = patch_check,
    .coarsest_sweeps = patch_coarsest_sweeps,
    .bytes = patch_bytes,
    .sweep = patch_sweep,
    .correction = patch_correction,
    .suspect = patch_suspect,
    .caution = patch_caution,
};

/* --- cycles ----------------------------------------------------------------------------------- */

static const char *const phases[] = {"smooth", "restrict", "correct", "smooth", NULL};
static const char *const shapes[] = {"v", "w", "f", NULL};
static const char *const shape_help[] = {"one visit of each grid, down and up",
                                         "two visits of the coarser grid for each of a finer one",
                                         "an F cycle and a V cycle on the coarser grid", NULL};
enum { V, W, F };
const ss_mg_shape ss_mg_shapes[SS_MG_NSHAPE] = {[V] = {{V, -1}}, [W] = {{W, W}}, [F] = {{F, V}}};

static const domain *domain_of(const ss_problem *p)
{
    return p->dim > 2 ? &patches : &planes;
}

static void range_levels(const ss_config *cfg, double *lo, double *hi, const char **why)
{
    ss_problem p = ss_config_problem(cfg);
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
    const domain *grids = domain_of(p);
    int all = grids->levels(p), asked = (int)ss_config_int(cfg, "levels");
    ss_mg_plan plan = {
        .levels = asked > 0 && asked < all ? asked : all,
        .shape = (int)ss_config_int(cfg, "shape"),
        .pre = (int)ss_config_int(cfg, "pre"),
        .post = (int)ss_config_int(cfg, "post"),
        .coarsest = grids->coarsest_sweeps(cfg),
        .smoother = (int)ss_config_int(cfg, "smoother"),
        .omega = ss_config_real(cfg, "omega"),
    };
    plan.solves = grids->solves && plan.levels == all;
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
    const domain *grids = domain_of(p);
    ss_mg_plan plan = ss_mg_plan_of(cfg, p);
    ss_ledger one;
    *out = (ss_ledger){0};
    for (int l = 0; l < plan.levels; l++) {
        double visits = ss_mg_visits(&plan, l);
        bool coarsest = l + 1 == plan.levels;
        grids->sweep(cfg, eq, p, l, &one);
        add(out, visits * ss_mg_sweeps(&plan, l), &one);
        if (coarsest && !plan.solves)
            break;
        (coarsest ? grids->solution : grids->correction)(cfg, eq, p, l, &one);
        add(out, visits, &one);
    }
}

static const char *suspect(const ss_config *cfg)
{
    ss_problem p = ss_config_problem(cfg);
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
    SS_PARAMS(params),
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
