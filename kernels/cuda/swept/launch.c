/*
 * The swept rule on the GPU: which kernel a run gets, and its launches. A launch is a diamond:
 * every node loads the last two levels of its points, fills the gap below it, grows to its widest
 * level, shrinks to a point, and stores two levels. Which points when, and why two levels are all
 * that neighbours need: the text in kernels/geom/swept.h. The variants differ in where the levels
 * are meanwhile, and in how nodes wait for each other:
 *
 *     block       shared memory, a thread per point, a thread block per node: the paper's Shared
 *     warp        registers, a warp per node: the paper's Register
 *     hybrid      as block; the host computes the node that the ends of the line split
 *     strip       registers, a warp per node; strips of points that lean with the diamond
 *     cluster     as warp, in one launch, with overlap; warps write each other's shared memory
 *
 * Engine thread.
 */
#include <stdio.h>
#include <string.h>

#include "kernels/cuda/swept/arguments.h"
#include "kernels/cuda/swept/chain.h"

/* --- the plan --------------------------------------------------------------------------------- */

typedef struct swept_plan {
    ss_cuda_chain chain;
    ss_swept s;
    ss_cuda_kernel kernel;
    diamond first, odd, even, last; /* of a step */
    ss_cuda_hybrid hybrid;
} swept_plan;

static swept_plan *plan_of(const ss_run *run)
{
    return ss_cuda_plan_of(run)->own;
}

/* Diamond 0, 1 or 2; every other one is one of them again. `last`: the last one of a step. */
static diamond make_diamond(ss_swept s, int d, bool last)
{
    return (diamond){
        .s = s,
        .from = ss_swept_first(s, d),
        .to = ss_swept_end(s, d, last ? d : -1),
        .parity = (int)(ss_swept_level(s, d, 0) & 1),
        .shift = d % 2 ? s.block / 2 : 0,
        .initial = d == 0,
        .nodes = s.count,
    };
}

/* --- launches --------------------------------------------------------------------------------- */

static void launch_diamond(const ss_run *run, int cur, const ss_cuda_kernel *kernel,
                           const diamond *a, ss_cu_stream stream)
{
    ss_cuda_rows rows = ss_cuda_rows_of(run, cur);
    ss_cuda_launch_kernel(kernel, stream,
                          SS_ARGUMENTS(&ss_cuda_chain_of(run)->equation.coef, &rows, a));
}

static void launch_first(const ss_run *run, int cur, ss_cu_stream stream)
{
    const swept_plan *p = plan_of(run);
    launch_diamond(run, cur, &p->kernel, &p->first, stream);
}

static void launch_middle(const ss_run *run, int cur, int i, ss_cu_stream stream)
{
    const swept_plan *p = plan_of(run);
    launch_diamond(run, cur, &p->kernel, i % 2 ? &p->odd : &p->even, stream);
}

static void launch_last(const ss_run *run, int cur, ss_cu_stream stream)
{
    const swept_plan *p = plan_of(run);
    launch_diamond(run, cur, &p->kernel, &p->last, stream);
}

static int64_t diamonds_between(const ss_run *run, int64_t cycles)
{
    (void)run;
    return 2 * cycles - 1;
}

/* Variant hybrid: an odd diamond, whose last node is the host's. The copies and the host's work
 * overlap the kernel. */
static int launch_with_host(ss_run *run, int cur, ss_err *err)
{
    const swept_plan *p = plan_of(run);
    ss_cuda_kernel others = p->kernel;
    if (ss_cuda_hybrid_fetch(run, &p->hybrid, cur, err) != SS_OK)
        return SS_FAIL;
    if (--others.blocks.x > 0)
        launch_diamond(run, cur, &others, &p->odd, ss_cuda_of(run)->stream);
    return ss_cuda_hybrid_advance(run, &p->hybrid, cur, err);
}

/* Variant cluster: all cycles in one launch. */
static void launch_cluster(const ss_run *run, int cur, int64_t cycles, ss_cu_stream stream)
{
    const swept_plan *p = plan_of(run);
    ss_cuda_rows rows = ss_cuda_rows_of(run, cur);
    int64_t levels = 2 * cycles * p->s.height;
    ss_cuda_launch_kernel(&p->kernel, stream,
                          SS_ARGUMENTS(&p->chain.equation.coef, &rows, &p->s, &levels));
}

/* --- choosing a kernel ------------------------------------------------------------------------ */

/* Of variants warp and cluster. The limit is registers: a point of three fields needs three times
 * as many. */
static int max_points_per_lane(int fields)
{
    return fields > 1 ? 2 : 8;
}

/* A power of two of points for each lane of a warp. */
static bool is_warp_block(int block, int fields)
{
    int points = block / 32;
    return block % 32 == 0 && points <= max_points_per_lane(fields) && !(points & (points - 1));
}

/* Shared memory: two rows of a node, and the values that points share beside their fields. */
static int choose_block(const ss_run *run, swept_plan *p, ss_err *err)
{
    ss_cuda_kernel *k = &p->kernel;
    const ss_cuda_equation *e = &p->chain.equation;
    const int rows = 2 * run->problem.nfield + e->shared_values;
    const size_t most = (size_t)ss_cuda_attribute(SS_CU_SHARED_PER_BLOCK);
    k->blocks.x = (unsigned)p->s.count;
    k->threads.x = (unsigned)p->s.block;
    k->shared = (size_t)rows * (size_t)node_row_width(p->s.block) * ss_prec_size(run->prec);
    if (k->shared > most)
        return ss_fail(err,
                       "block: %d points need %zu bytes of shared memory, and a thread block of "
                       "this GPU has %zu: choose a smaller block",
                       p->s.block, k->shared, most);
    return e->shared_values > 0
               ? ss_cuda_kernel_get(k, err, "swept/fast/faces.cuh", "swept_block_faces<%s>",
                                    e->type)
               : ss_cuda_kernel_get(k, err, "swept/block.cuh", "swept_block<%s>", e->type);
}

/* Points per lane. A strip has 32 of them, a node whole strips. */
static int strip_points(int block, int fields)
{
    return fields > 1 ? 2 : block % 256 ? 4 : 8;
}

/* Warps per thread block. The nodes are to be spread evenly over the SMs and their schedulers,
 * which take thread blocks in no order that one could rely on. If all warps are resident at once,
 * an SM has one thread block; else thread blocks are small, and the first SM that is free takes the
 * next. resident: warps per SM. */
static int strip_warps(int nodes, int sms, int resident)
{
    const int small = 4;
    if (nodes > sms * resident)
        return resident < small ? resident : small;
    return ceil_div(nodes, sms);
}

static int choose_strip(const ss_run *run, swept_plan *p, ss_err *err)
{
    ss_cuda_kernel *k = &p->kernel;
    const ss_cuda_equation *e = &p->chain.equation;
    const int fields = run->problem.nfield, block = p->s.block, nodes = p->s.count;
    const int edge = e->shared_values > 0 ? STRIP_EDGE : 0;
    const size_t bytes =
        (size_t)strip_node_values(block, run->eq->radius, fields, edge) * ss_prec_size(run->prec);
    const int sms = ss_cuda_attribute(SS_CU_PROCESSORS);
    const size_t shared = (size_t)ss_cuda_attribute(SS_CU_SHARED_PER_BLOCK);
    const int fit = (int)(shared / bytes);
    const int resident = fit < STRIP_WARPS(fields) ? fit : STRIP_WARPS(fields);
    if (resident < 1)
        return ss_fail(err,
                       "variant strip: no node of %d points fits on an SM of this GPU: choose a "
                       "smaller block",
                       block);
    const int warps = strip_warps(nodes, sms, resident);
    k->blocks.x = (unsigned)ceil_div(nodes, warps);
    k->threads.x = (unsigned)(32 * warps);
    k->shared = (size_t)warps * bytes;
    /* More than half of an SM's shared memory: no two thread blocks are on one SM. */
    if (nodes <= sms * resident && k->shared <= shared / 2)
        k->shared = shared / 2 + 1024;
    return ss_cuda_kernel_get(k, err, "swept/fast/strip.cuh", "swept_strip<%s, %d>", e->type,
                              strip_points(block, fields));
}

/* A node that is a warp. */
static int choose_warp(const ss_run *run, swept_plan *p, ss_err *err)
{
    (void)run;
    p->kernel.blocks.x = (unsigned)ceil_div(p->s.count, WARP_NODES);
    p->kernel.threads.x = 32 * WARP_NODES;
    return ss_cuda_kernel_get(&p->kernel, err, "swept/fast/warp.cuh", "swept_warp<%s, %d>",
                              p->chain.equation.type, p->s.block / 32);
}

/* Nodes of a line, at most. A node has two windows, which own half of it each. values: per lane. */
static int cluster_nodes(int values)
{
    return CLUSTER_BLOCKS * CLUSTER_WINDOWS(values) / 2;
}

/* As many thread blocks, each with as few windows as possible: then each warp has a scheduler for
 * itself. */
static int choose_cluster(const ss_run *run, swept_plan *p, ss_err *err)
{
    ss_cuda_kernel *k = &p->kernel;
    const int points = p->s.block / 32, values = run->problem.nfield * points;
    const int most = cluster_nodes(values);
    if (p->s.count > most)
        return ss_fail(err,
                       "variant cluster: at most %d blocks of %d points, not %d: choose warp, "
                       "strip or a larger block",
                       most, p->s.block, p->s.count);
    const int windows = 2 * p->s.count, warps = ceil_div(windows, CLUSTER_BLOCKS);
    int blocks = 2;
    while (blocks * warps < windows)
        blocks *= 2;
    k->blocks.x = (unsigned)blocks;
    k->threads.x = (unsigned)(32 * warps);
    k->shared = (size_t)warps * CLUSTER_BYTES((size_t)values, ss_prec_size(run->prec));
    k->cluster = blocks;
    return ss_cuda_kernel_get(k, err, "swept/fast/cluster.cuh", "swept_cluster<%s, %d>",
                              p->chain.equation.type, points);
}

/* --- checks ----------------------------------------------------------------------------------- */

static int check_warp(const ss_run *run, const char *name, int block, ss_err *err)
{
    const int fields = run->problem.nfield;
    if (is_warp_block(block, fields))
        return SS_OK;
    return ss_fail(err, "variant %s: a block is %s points on the GPU, not %d", name,
                   max_points_per_lane(fields) > 2 ? "32, 64, 128 or 256" : "32 or 64", block);
}

static int check_cluster(const ss_run *run, const char *name, int block, ss_err *err)
{
    if (check_warp(run, name, block, err) != SS_OK)
        return SS_FAIL;
    if (ss_cuda_is_hopper())
        return SS_OK;
    return ss_fail(err,
                   "variant cluster: thread block clusters need kernels for compute capability "
                   "9.0: choose block, warp or strip");
}

static int check_hybrid(const ss_run *run, const char *name, int block, ss_err *err)
{
    (void)block;
    if (ss_cuda_of(run)->part)
        return ss_cuda_slabs_refuse("variant hybrid", "variant block, warp or strip", err);
    if (run->eq->bc != SS_BC_PERIODIC)
        return SS_OK;
    return ss_fail(err,
                   "variant %s: the line of %s is a ring, which has no node that its ends split: "
                   "choose block, warp or strip",
                   name, run->eq->name);
}

/* --- the variants ----------------------------------------------------------------------------- */

/* As in kernels/cuda/tables.c. */
enum { BLOCK, WARP, HYBRID, STRIP, CLUSTER };

typedef struct variant {
    const char *name, *range; /* range: of the block, in words */
    int min, max, step;       /* of the block */
    /* May be NULL. */
    int (*check)(const ss_run *run, const char *name, int block, ss_err *err);
    /* Sets the kernel and its launch. */
    int (*choose)(const ss_run *run, swept_plan *p, ss_err *err);
    /* As in ss_cuda_chain; without `whole` a launch is a diamond. */
    int (*with_host)(ss_run *run, int cur, ss_err *err);
    void (*whole)(const ss_run *run, int cur, int64_t cycles, ss_cu_stream stream);
} variant;

static const variant variants[] = {
    [BLOCK] = {"block", "4 to 1024 points", 4, 1024, 1, NULL, choose_block, NULL, NULL},
    [WARP] = {"warp", NULL, 32, 256, 32, check_warp, choose_warp, NULL, NULL},
    [HYBRID] = {"hybrid", "4 to 1024 points", 4, 1024, 1, check_hybrid, choose_block,
                launch_with_host, NULL},
    [STRIP] = {"strip", "a multiple of 128 up to 1024", 128, 1024, 128, NULL, choose_strip, NULL,
               NULL},
    [CLUSTER] = {"cluster", NULL, 32, 256, 32, check_cluster, choose_cluster, NULL, launch_cluster},
};

/* The next block up or down that fits the variant and divides the line; 0: there is none. */
static int next_block(const variant *v, int n, int block, int way)
{
    block = block < v->min ? v->min - 1 : block > v->max ? v->max + 1 : block;
    for (block += way; block >= v->min && block <= v->max; block += way)
        if (block % v->step == 0 && n % block == 0)
            return block;
    return 0;
}

static int check_block(const variant *v, int n, int block, ss_err *err)
{
    char nearest[64];
    if (block >= v->min && block <= v->max && block % v->step == 0)
        return SS_OK;
    int below = next_block(v, n, block, -1), above = next_block(v, n, block, 1);
    if (below && above)
        snprintf(nearest, sizeof nearest, "%d or %d", below, above);
    else if (below || above)
        snprintf(nearest, sizeof nearest, "%d", below ? below : above);
    else
        snprintf(nearest, sizeof nearest, "no such block divides n = %d", n);
    return ss_fail(err, "variant %s: a block is %s on the GPU, not %d: %s", v->name, v->range,
                   block, nearest);
}

static int check(const ss_run *run, const variant *v, int block, ss_err *err)
{
    if (v->check && v->check(run, v->name, block, err) != SS_OK)
        return SS_FAIL;
    return check_block(v, run->problem.nx, block, err);
}

/* --- what is not given ------------------------------------------------------------------------ */

#define SHORT_LINE 8192 /* points: what a cluster holds of one field */

/* The fastest variant of limits.md that takes the block. */
static int best_variant(const ss_config *cfg)
{
    ss_problem p = ss_config_problem(cfg);
    const int block = (int)ss_config_int(cfg, "block"), count = p.nx / block;
    const bool divided = strchr(ss_config_text(cfg, "devices"), ',');
    if (p.nx > SHORT_LINE && block % variants[STRIP].step == 0 && block <= variants[STRIP].max)
        return STRIP;
    if (!is_warp_block(block, p.nfield))
        return BLOCK;
    return ss_cuda_is_hopper() && !divided && count <= cluster_nodes(p.nfield * block / 32)
               ? CLUSTER
               : WARP;
}

/* The block of variant strip: the fastest of limits.md, or the next smaller one that divides the
 * line; 0: none does. */
static int best_strip(const ss_config *cfg)
{
    ss_problem p = ss_config_problem(cfg);
    int block = p.nfield > 1 ? 256 : 1024;
    while (block > 0 && p.nx % block != 0)
        block -= variants[STRIP].step;
    return block;
}

/* Only variant strip has a block of its own: the counts of a run do not depend on a variant that
 * nobody has chosen. */
bool ss_cuda_swept_best(const ss_config *cfg, const char *row, int64_t *out)
{
    if (strcmp(row, "variant") == 0) {
        *out = best_variant(cfg);
        return true;
    }
    if (strcmp(row, "block") != 0 || !ss_config_given(cfg, "variant") ||
        ss_config_int(cfg, "variant") != STRIP)
        return false;
    *out = best_strip(cfg);
    return *out > 0;
}

/* --- prepare ---------------------------------------------------------------------------------- */

static void fill_chain(ss_cuda_chain *c, const variant *v)
{
    c->launch = launch_middle;
    c->first = launch_first;
    c->last = launch_last;
    c->between = diamonds_between;
    c->whole = v->whole;
    c->with_host = v->with_host;
}

static void fill_plan(swept_plan *p, const variant *v, ss_swept s)
{
    fill_chain(&p->chain, v);
    p->s = s;
    p->first = make_diamond(s, 0, false);
    p->odd = make_diamond(s, 1, false);
    p->even = make_diamond(s, 2, false);
    p->last = make_diamond(s, 2, true);
}

static int make(ss_run *run, ss_cuda_plan *plan, ss_err *err)
{
    const variant *v = &variants[ss_config_int(&run->cfg, "variant")];
    const int block = (int)ss_config_int(&run->cfg, "block");
    swept_plan *p = plan->own;
    if (ss_cuda_chain_make(run, err) != SS_OK)
        return SS_FAIL;
    fill_plan(p, v, ss_swept_make(run->problem.nx, block, run->eq->radius));
    if (check(run, v, block, err) != SS_OK || v->choose(run, p, err) != SS_OK ||
        (p->kernel.shared > 0 && ss_cuda_kernel_allow(&p->kernel, err) != SS_OK) ||
        (v->with_host && ss_cuda_hybrid_make(run, &p->hybrid, block, err) != SS_OK))
        return SS_FAIL;
    return ss_cuda_chain_find_level(run, err);
}

static const ss_cuda_solver solver = {sizeof(swept_plan), make, .close = ss_cuda_chain_close};

int ss_cuda_swept_prepare(ss_run *run, ss_err *err)
{
    const int block = (int)ss_config_int(&run->cfg, "block");
    return ss_cuda_slabs_of(run) ? ss_cuda_chains_prepare(run, ss_cuda_swept_prepare, block, err)
                                 : ss_cuda_prepare(run, &solver, err);
}
