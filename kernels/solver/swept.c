/*
 * Time-dependent schedules. This file describes them. Pure functions; any thread.
 *
 * `stepper`, classic time stepping: one level (a stage of a step) of all points, then a global
 * synchronisation. One step per cycle. The baseline of the swept rule: the paper's Classic. The
 * loops are in kernels/cpu/swept.c and kernels/cuda/swept/stepper.cuh.
 *
 * `swept`, the swept rule: a node advances as many levels as its points allow without halo values;
 * then a node shifted by half a block fills the gap and advances further. A node sends one message
 * per diamond in each direction where the classic method sends one per level; the fields are
 * bit-for-bit equal. The geometry is in kernels/geom/swept.h. Source: Magee & Niemeyer, the swept
 * time-space decomposition on GPUs. The loops are in kernels/cpu/swept.c and
 * kernels/cuda/swept/launch.c.
 */
#include <stdio.h>

#include "kernels/solver/schedules.h"

/* --- classic stepping ------------------------------------------------------------------------- */

static const char *const step_phases[] = {"level", NULL};

static int step_iterations_per_cycle(const ss_config *cfg, const ss_problem *p)
{
    (void)cfg;
    return p->nstage;
}

/* Assumes ideal caches: a level is read once and written once; a stage after the first also reads
 * the start of its step. */
static void step_ledger(const ss_config *cfg, const ss_equation *eq, const ss_problem *p,
                        ss_ledger *out)
{
    double points = (double)p->nx * p->ny * p->nz;
    double bytes = eq->nfield * ss_value_bytes(cfg);
    *out = (ss_ledger){
        .launches = eq->nstage,
        .global_bytes = points * bytes * (2 * eq->nstage + (eq->nstage - 1)),
        .updates = points * eq->nstage,
        .operations = points * eq->nstage * eq->flops,
    };
}

const ss_solver ss_solver_stepper = {
    .name = "stepper",
    .title = "classic stepping",
    .help = "one time level of all points, then a global synchronisation: one step per cycle",
    .paper = "the classic method, the swept paper's baseline",
    .kind = SS_TRANSIENT,
    .phases = step_phases,
    .iterations_per_cycle = step_iterations_per_cycle,
    .ledger = step_ledger,
    .step_ledger = step_ledger,
    .ranks = ss_ranks_points,
    .step_ranks = ss_ranks_points,
};

/* --- the swept rule --------------------------------------------------------------------------- */

static const char *const swept_phases[] = {"triangle", "diamond", "closing triangle", NULL};

static void range_block(const ss_config *cfg, double *lo, double *hi, const char **why)
{
    static _Thread_local char text[48];
    ss_problem p = ss_config_problem(cfg);
    snprintf(text, sizeof text, "a divisor of n %d", p.nx);
    *lo = 2;
    *hi = p.nx;
    *why = text;
}

// clang-format off
static ss_param swept_params[] = {
    {SS_ROW_INT("block", "Method", 32, 2, 1 << 30), .unit = "points", .key = "b",
     .help = "points of a node; it advances block/2 levels (block/4 for stencil radius 2)",
     .flags = SS_P_LIVE | SS_P_CONTROL | SS_P_LOG | SS_P_POW2, .range = range_block},
};
// clang-format on

static ss_swept nodes_of(const ss_config *cfg, const ss_problem *p)
{
    return ss_swept_make(p->nx, (int)ss_config_int(cfg, "block"), p->radius);
}

/* Two diamonds. */
static int swept_iterations_per_cycle(const ss_config *cfg, const ss_problem *p)
{
    return 2 * nodes_of(cfg, p).height;
}

/* The levels of the triangle, the diamond and the closing triangle. */
static int swept_ticks_per_cycle(const ss_config *cfg, const ss_problem *p)
{
    return 4 * nodes_of(cfg, p).height - 2;
}

/* The next larger (way 1) or smaller (way -1) block that fits; 0 if none does. */
static int fitting(int n, int step, int block, int way)
{
    for (block += way; block > 0 && block <= n; block += way)
        if (n % block == 0 && block % step == 0)
            return block;
    return 0;
}

/* If no block fits: the nearest values of n that are multiples of a block. */
static void other_sizes(int n, int step, int block, char *buf, size_t size)
{
    int multiple = (block + step - 1) / step * step, below = n / multiple * multiple;
    if (below > 0)
        snprintf(buf, size, "no block fits; use n = %d or %d", below, below + multiple);
    else
        snprintf(buf, size, "no block fits; use n = %d", multiple);
}

static int swept_check(const ss_config *cfg, const ss_problem *p, ss_err *err)
{
    int block = (int)ss_config_int(cfg, "block"), step = 2 * p->radius, n = p->nx;
    char near[64];
    if (n % block == 0 && block % step == 0)
        return SS_OK;
    int below = fitting(n, step, block, -1), above = fitting(n, step, block, 1);
    if (below && above)
        snprintf(near, sizeof near, "use %d or %d", below, above);
    else if (below || above)
        snprintf(near, sizeof near, "use %d", below ? below : above);
    else
        other_sizes(n, step, block, near, sizeof near);
    return ss_fail(err,
                   "block: %d must divide n = %d and be a multiple of %d, the points that a node "
                   "loses per level: %s",
                   block, n, step, near);
}

/* One of many cycles: two diamonds. In each, every node reads and writes two levels of its points,
 * and half of the points that it reads were written by a neighbour. A chain of c cycles is 2c - 1
 * diamonds between an opening and a closing triangle, the halves of one more: 2c + 1
 * synchronisations, with the traffic of 2c diamonds. */
static void swept_ledger(const ss_config *cfg, const ss_equation *eq, const ss_problem *p,
                         ss_ledger *out)
{
    ss_swept s = nodes_of(cfg, p);
    double bytes = eq->nfield * ss_value_bytes(cfg);
    double rows = 2.0 * p->nx * bytes, levels = 2.0 * s.height - 1;
    *out = (ss_ledger){
        .blocks = s.count,
        .launches = 2,
        .opening = 1,
        .global_bytes = 2 * 2 * rows,
        .edge_bytes = 2 * rows / 2,
        .shared_bytes = 2.0 * s.height * p->nx * bytes * 2,
        .barriers = 2 * levels * s.count,
        .updates = 2.0 * s.height * p->nx,
        .operations = 2.0 * s.height * p->nx * eq->flops,
        .idle = 1 - s.height / levels,
    };
}

const ss_solver ss_solver_swept = {
    .name = "swept",
    .title = "swept rule",
    .help =
        "triangles and diamonds in space and time: a node advances as far as it can without halos",
    .classic = "stepper",
    .paper = "Magee & Niemeyer: accelerating solutions of one-dimensional unsteady PDEs with "
             "GPU-based swept time-space decomposition",
    .kind = SS_TRANSIENT,
    SS_PARAMS(swept_params),
    .phases = swept_phases,
    .iterations_per_cycle = swept_iterations_per_cycle,
    .ticks_per_cycle = swept_ticks_per_cycle,
    .check = swept_check,
    .nodes = nodes_of,
    .ledger = swept_ledger,
    .step_ledger = step_ledger,
    .ranks = ss_ranks_swept,
    .step_ranks = ss_ranks_points,
};
