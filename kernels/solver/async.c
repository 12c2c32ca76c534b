/*
 * "Wild" asynchrony: a tile is swept several times per launch in fast private memory; it reads its
 * neighbours' latest halo values instead of waiting for them. Source: Venkatasubramanian & Vuduc,
 * tuned and wildly asynchronous stencil kernels, figures 7 to 10; alpha is their factor.
 *
 *     variant   sweeps per launch    copies of the tile   halo exchange        barriers per sweep
 *     0         2 floor(alpha/2)+1   two                  after every sweep    three
 *     1         the same             two                  after every sweep    one
 *     2         the same             two                  never: `shared`      one
 *     3         alpha + 1            one, in place        after every sweep    none
 *
 * The last sweep of a launch goes to the new field and is not exchanged. The age of a neighbour's
 * halo strip when it is read depends on timing on a GPU, on `seed` on a CPU. This file describes
 * the schedule; the loops are in kernels/cpu/async.c and kernels/cuda/jacobi/async.cuh.
 * Pure functions; any thread.
 */
#include "kernels/solver/async.h"

#include <math.h>

#include "kernels/solver/tiled.h"

const ss_async_variant ss_async_variants[SS_NASYNC] = {
    [SS_ASYNC_FULL] = {.exchange = true, .barriers = 3},
    [SS_ASYNC_LOOSE] = {.exchange = true, .barriers = 1},
    [SS_ASYNC_MUTE] = {.barriers = 1},
    [SS_ASYNC_WILD] = {.exchange = true, .in_place = true},
};

const ss_async_variant *ss_async_variant_of(const ss_config *cfg)
{
    return &ss_async_variants[ss_config_int(cfg, "variant")];
}

static const char *const phases[] = {"load tile", "sweep and exchange", "store", NULL};
static const char *const variants[] = {"0", "1", "2", "3", NULL};
static const char *const variant_help[] = {
    "two copies of a tile, halos exchanged after every sweep, all barriers",
    "as 0, without four of the six barriers of two sweeps",
    "no exchange within a launch: shared without overlap",
    "one copy, updated in place, halos exchanged, no barrier after the load", NULL};

// clang-format off
static ss_param params[] = {
    {SS_ROW_CHOICE("variant", "Method", variants, variant_help), .key = "v",
     .flags = SS_TILED_LIVE, .def = SS_ASYNC_WILD,
     .help = "the synchronisation that is omitted, more from 0 to 3"},
    {SS_ROW_INT("alpha", "Method", 4, 1, 64), .unit = "sweeps", .key = "a",
     .flags = SS_TILED_LIVE | SS_P_LOG,
     .help = "asynchronous factor: about the number of sweeps of a tile per launch"},
    {SS_TILED_BLOCK, .key = "b", .help = "points of a tile in x"},
    {SS_TILED_BLOCK_Y, .help = "the same in y; as in x unless given"},
};
// clang-format on

static int iterations_per_cycle(const ss_config *cfg, const ss_problem *p)
{
    (void)p;
    int alpha = (int)ss_config_int(cfg, "alpha");
    return ss_async_variant_of(cfg)->in_place ? alpha + 1 : 2 * (alpha / 2) + 1;
}

static ss_tiling tiling(const ss_config *cfg, const ss_problem *p)
{
    ss_tiling t;
    t.x = ss_cut_make(p->nx, (int)ss_config_int(cfg, "block"), 0);
    t.y = ss_cut_make(p->ny, p->dim == 1 ? 1 : (int)ss_config_int(cfg, "block-y"), 0);
    return t;
}

static int check(const ss_config *cfg, const ss_problem *p, ss_err *err)
{
    ss_tiling t = tiling(cfg, p);
    return ss_tiled_check(cfg, p, &t, err);
}

/* As for frozen halos; in addition every exchange writes and reads each halo strip that has a
 * neighbour on its other side. */
static void ledger(const ss_config *cfg, const ss_equation *eq, const ss_problem *p, ss_ledger *out)
{
    ss_tiling t = tiling(cfg, p);
    const ss_async_variant *v = ss_async_variant_of(cfg);
    int sweeps = iterations_per_cycle(cfg, p);
    double bytes = eq->nfield * (double)ss_prec_size((ss_prec)ss_config_int(cfg, "precision"));
    ss_tiled_ledger(cfg, eq, p, &t, sweeps, out);
    out->barriers = out->blocks * ((sweeps - 1) * v->barriers + 1);
    out->stale_kept = v->exchange ? (double)NAN : out->stale_kept; /* the order decides */
    if (v->exchange)
        out->global_bytes += (sweeps - 1) * 2 * ss_tiled_exchange(eq, p, &t) * bytes;
}

const ss_solver ss_solver_async = {
    .name = "async",
    .title = "asynchronous Jacobi",
    .help = "tiles swept without global synchronisation: halos are exchanged, no tile waits",
    .classic = "jacobi",
    .any_order = true,
    .paper = "Venkatasubramanian & Vuduc: tuned and wildly asynchronous stencil kernels for hybrid "
             "CPU/GPU systems",
    .no_patches = SS_TILED_NO_PATCHES,
    .params = params,
    .nparam = sizeof params / sizeof *params,
    .phases = phases,
    .iterations_per_cycle = iterations_per_cycle,
    .check = check,
    .tiling = tiling,
    .ledger = ledger,
    .falls_steadily = true,
};
