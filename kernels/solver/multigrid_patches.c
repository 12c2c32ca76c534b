/*
 * Multigrid on patches of cells, with a block smoother. Each patch has half the cells in each
 * direction on the next grid and remains a patch; walls have the same rule for ghost cells on each
 * grid. The residual is averaged over 2 x 2 x 2 cells, the correction is interpolated linearly in
 * each direction. The coarsest grid is the last one whose patches are not smaller than a block; it
 * is smoothed `coarsest` times.
 *
 * Measured: with blocks of 8^3, V(2,2) multiplies the residual by 0.14 to 0.17 per cycle with
 * block-jacobi on 16^3 to 64^3 cells, by 0.10 to 0.12 with block-gs. On 128^3 it is 0.16 with
 * mirrored ghost cells and 0.25 with zero ones. Pure functions; any thread.
 */
#include "kernels/solver/multigrid.h"

#include <stdio.h>

#include "kernels/eq/poisson3d.h"
#include "src/base/common.h"
#include "src/core/registry.h"

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
static const char *suspect(const ss_config *cfg)
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

/* --- grids ------------------------------------------------------------------------------------ */

/* The least number of cells of a patch on the coarsest grid. */
static int least_of(const ss_config *cfg)
{
    int size[3], least = LEAST;
    ss_block_size(cfg, size);
    for (int d = 0; d < 3; d++)
        least = size[d] > least ? size[d] : least;
    return least;
}

static int levels(const ss_problem *p)
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

static void coarsen(ss_problem *p)
{
    p->nx /= 2, p->ny /= 2, p->nz /= 2;
    p->dx *= 2, p->dy *= 2, p->dz *= 2;
}

static int check(const ss_config *cfg, const ss_problem *p, ss_err *err)
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
    ss_problem p;
    ss_config_problem(cfg, &p);
    int cells = longest(cfg, &p) >> (levels(&p) > 0 ? levels(&p) - 1 : 0);
    int edge = shortest(cfg), blocks = (cells + edge - 1) / edge;
    return 8.0 * blocks * blocks;
}

static int coarsest_sweeps(const ss_config *cfg)
{
    return (int)ss_config_int(cfg, "coarsest");
}

/* Measured: with 4 grids and blocks of 1 cell, or 5 and 2, the factor of a V cycle is about 1. */
static void caution(const ss_config *cfg, const ss_problem *p, char *buf, size_t size)
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

/* --- costs ------------------------------------------------------------------------------------ */

/* Two fields, the right-hand side (the finest grid has that of the run) and the inverses. */
static double bytes(const ss_config *cfg, const ss_equation *eq, const ss_problem *p, int level)
{
    ss_config at;
    ss_problem small;
    const char *what;
    (void)p;
    ss_mg_patch_config(cfg, level, &at);
    ss_config_problem(&at, &small);
    return ss_config_bytes(&at) * (level > 0 ? 1 : 2.0 / 3) +
           ss_config_solver(&at)->bytes(&at, eq, &small, &what);
}

static void sweep(const ss_config *cfg, const ss_equation *eq, const ss_problem *p, int level,
                  ss_ledger *out)
{
    ss_config at;
    ss_problem small;
    (void)p;
    ss_mg_patch_config(cfg, level, &at);
    ss_config_problem(&at, &small);
    ss_config_solver(&at)->ledger(&at, eq, &small, out);
}

/* The restricted residual (u, g in, g of the coarser grid out), the correction (the coarser u and u
 * in, u out), and a halo exchange of both grids. */
static void correction(const ss_config *cfg, const ss_equation *eq, const ss_problem *p, int level,
                       ss_ledger *out)
{
    ss_config at;
    ss_problem small;
    (void)p;
    ss_mg_patch_config(cfg, level, &at);
    ss_config_problem(&at, &small);
    double value = (double)ss_prec_size((ss_prec)ss_config_int(cfg, "precision"));
    double cells = ss_patch_count(eq, &small), ghosts = ss_patch_ghosts(eq, &small);
    double edge = 2 * (ghosts + ghosts / 4) * value;
    *out = (ss_ledger){.launches = 2,
                       .global_bytes = (4 + 2 / 8.0) * cells * value + edge,
                       .updates = cells,
                       .operations = cells * (eq->flops + 8),
                       .edge_bytes = edge};
}

const ss_mg_domain ss_mg_patches = {
    .coarsest = "a patch of the coarsest grid is at least a block",
    .levels = levels,
    .coarsen = coarsen,
    .check = check,
    .coarsest_sweeps = coarsest_sweeps,
    .bytes = bytes,
    .sweep = sweep,
    .correction = correction,
    .suspect = suspect,
    .caution = caution,
};
