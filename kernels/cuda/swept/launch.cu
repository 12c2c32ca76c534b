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
#include <stdlib.h>
#include <string.h>

#include "kernels/cuda/device/slabs.cuh"
#include "kernels/cuda/swept/block.cuh"
#include "kernels/cuda/swept/chain.cuh"
#include "kernels/cuda/swept/cluster.cuh"
#include "kernels/cuda/swept/hybrid.cuh"
#include "kernels/cuda/swept/strip.cuh"
#include "kernels/cuda/swept/warp.cuh"

/* --- the plan --------------------------------------------------------------------------------- */

/* What `prepare` resolves, beside the chain's own part. */
struct swept_plan {
    ss_swept s;
    ss_cuda_kernel kernel;
    diamond first, odd, even, last; /* of a step */
    ss_cuda_hybrid *hybrid;
};

static swept_plan *plan_of(const ss_run *run)
{
    return (swept_plan *)ss_cuda_chain_of(run)->own;
}

static void free_plan(void *own)
{
    swept_plan *p = (swept_plan *)own;
    if (p->hybrid)
        ss_cuda_hybrid_free(p->hybrid);
    free(p);
}

/* Diamond 0, 1 or 2; every other one is one of them again. `last`: the last one of a step. */
static diamond make_diamond(ss_swept s, int d, bool last)
{
    diamond a;
    a.s = s;
    a.from = ss_swept_first(s, d);
    a.to = ss_swept_end(s, d, last ? d : -1);
    a.parity = (int)(ss_swept_level(s, d, 0) & 1);
    a.shift = d % 2 ? s.block / 2 : 0;
    a.initial = d == 0;
    a.nodes = s.count;
    return a;
}

/* --- launches --------------------------------------------------------------------------------- */

static void launch_diamond(const ss_run *run, int cur, const ss_cuda_kernel *kernel, diamond *a,
                           cudaStream_t stream)
{
    ss_rows<void> rows = ss_cuda_rows(run, cur);
    void *args[] = {&ss_cuda_chain_of(run)->equation, &rows, a};
    ss_cuda_kernel_launch(kernel, args, stream);
}

static void launch_first(const ss_run *run, int cur, cudaStream_t stream)
{
    swept_plan *p = plan_of(run);
    launch_diamond(run, cur, &p->kernel, &p->first, stream);
}

static void launch_middle(const ss_run *run, int cur, int i, cudaStream_t stream)
{
    swept_plan *p = plan_of(run);
    launch_diamond(run, cur, &p->kernel, i % 2 ? &p->odd : &p->even, stream);
}

static void launch_last(const ss_run *run, int cur, cudaStream_t stream)
{
    swept_plan *p = plan_of(run);
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
    swept_plan *p = plan_of(run);
    ss_cuda_kernel others = p->kernel;
    if (ss_cuda_hybrid_fetch(run, p->hybrid, cur, err) != SS_OK)
        return SS_FAIL;
    if (--others.blocks.x > 0)
        launch_diamond(run, cur, &others, &p->odd, ss_cuda_of(run)->stream);
    return ss_cuda_hybrid_advance(run, p->hybrid, cur, err);
}

/* Variant cluster: all cycles in one launch. */
static void launch_cluster(const ss_run *run, int cur, int64_t cycles, cudaStream_t stream)
{
    swept_plan *p = plan_of(run);
    ss_rows<void> rows = ss_cuda_rows(run, cur);
    int64_t levels = 2 * cycles * p->s.height;
    void *args[] = {&ss_cuda_chain_of(run)->equation, &rows, &p->s, &levels};
    ss_cuda_kernel_launch(&p->kernel, args, stream);
}

/* --- choosing a kernel ------------------------------------------------------------------------ */

/* What the parameters ask for, read once by prepare. */
struct request {
    const ss_run *run;
    ss_swept s;
};

/* Of variants warp and cluster. The limit is registers: a point of three fields needs three times
 * as many. */
static constexpr int max_points_per_lane(int fields)
{
    return fields > 1 ? 2 : 8;
}

/* A power of two of points for each lane of a warp. */
static bool is_warp_block(int block, int fields)
{
    int points = block / 32;
    return block % 32 == 0 && points <= max_points_per_lane(fields) && !(points & (points - 1));
}

typedef int choose_fn(const request &q, ss_cuda_kernel *k, ss_err *err);

/* Shared memory: two rows of a node, and the values that points share beside their fields. */
template <class E> static size_t shared_bytes(int block)
{
    int rows = 2 * E::fields + E::shared_values;
    return (size_t)rows * (size_t)node_rows<E>::width_of(block) * sizeof(typename E::real);
}

template <class E> static int choose_block(const request &q, ss_cuda_kernel *k, ss_err *)
{
    if constexpr (E::shared_values > 0)
        k->function = (const void *)swept_block_faces<E>;
    else
        k->function = (const void *)swept_block<E>;
    k->blocks = (unsigned)q.s.count;
    k->threads = (unsigned)q.s.block;
    k->bytes = shared_bytes<E>(q.s.block);
    return SS_OK;
}

/* Points per lane, at most: the limit is registers. A strip has 32 of them, a node whole strips. */
template <class E> constexpr int max_strip_points = E::fields > 1 ? 2 : 8;

static int strip_points(const request &q)
{
    return q.run->problem.nfield > 1 ? 2 : q.s.block % 256 ? 4 : 8;
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

template <class E, int P = max_strip_points<E>>
static int choose_strip(const request &q, ss_cuda_kernel *k, ss_err *err)
{
    if constexpr (P > 4)
        if (strip_points(q) < P)
            return choose_strip<E, P / 2>(q, k, err);
    const size_t bytes = (size_t)strip_rows<E>::values(q.s.block) * sizeof(typename E::real);
    int sms, shared;
    SS_CUDA(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
    SS_CUDA(cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
    const int fit = (int)((size_t)shared / bytes);
    const int resident = fit < max_strip_warps<E> ? fit : max_strip_warps<E>;
    if (resident < 1)
        return ss_fail(err,
                       "variant strip: no node of %d points fits on an SM of this GPU: choose a "
                       "smaller block",
                       q.s.block);
    const int warps = strip_warps(q.s.count, sms, resident);
    k->function = (const void *)swept_strip<E, P>;
    k->blocks = (unsigned)ceil_div(q.s.count, warps);
    k->threads = (unsigned)(32 * warps);
    k->bytes = (size_t)warps * bytes;
    /* More than half of an SM's shared memory: no two thread blocks are on one SM. */
    if (q.s.count <= sms * resident && k->bytes <= (size_t)shared / 2)
        k->bytes = (size_t)shared / 2 + 1024;
    return SS_OK;
}

/* A node that is a warp has 32 P points; check_warp has seen that P is a power of two. */
template <class E, int P = max_points_per_lane(E::fields)>
static int choose_warp(const request &q, ss_cuda_kernel *k, ss_err *err)
{
    if constexpr (P > 1)
        if (q.s.block < 32 * P)
            return choose_warp<E, P / 2>(q, k, err);
    k->function = (const void *)swept_warp<E, P>;
    k->blocks = (unsigned)ceil_div(q.s.count, WARPS);
    k->threads = 32 * WARPS;
    return SS_OK;
}

/* As many thread blocks, each with as few windows as possible: then each warp has a scheduler for
 * itself. */
template <class E, int P = max_points_per_lane(E::fields)>
static int choose_cluster(const request &q, ss_cuda_kernel *k, ss_err *err)
{
    if constexpr (P > 1)
        if (q.s.block < 32 * P)
            return choose_cluster<E, P / 2>(q, k, err);
    const int most = cluster_nodes(E::fields * P);
    if (q.s.count > most)
        return ss_fail(err,
                       "variant cluster: at most %d blocks of %d points, not %d: choose warp, "
                       "strip or a larger block",
                       most, q.s.block, q.s.count);
    const int windows = 2 * q.s.count, warps = ceil_div(windows, CLUSTER_BLOCKS);
    int blocks = 2;
    while (blocks * warps < windows)
        blocks *= 2;
    k->function = (const void *)swept_cluster<E, P>;
    k->blocks = (unsigned)blocks;
    k->threads = (unsigned)(32 * warps);
    k->bytes = cluster_bytes<E, P>(warps);
    k->cluster = blocks;
    return SS_OK;
}

/* --- what a variant needs beside its kernel --------------------------------------------------- */

static int prepare_hybrid(ss_run *run, swept_plan *p, ss_err *err)
{
    p->hybrid = ss_cuda_hybrid_make(run, p->s.block, err);
    return p->hybrid ? SS_OK : SS_FAIL;
}

/* --- checks ----------------------------------------------------------------------------------- */

static int check_warp(const request &q, const char *name, ss_err *err)
{
    const int fields = q.run->problem.nfield;
    if (is_warp_block(q.s.block, fields))
        return SS_OK;
    return ss_fail(err, "variant %s: a block is %s points on the GPU, not %d", name,
                   max_points_per_lane(fields) > 2 ? "32, 64, 128 or 256" : "32 or 64", q.s.block);
}

static int check_cluster(const request &q, const char *name, ss_err *err)
{
    if (check_warp(q, name, err) != SS_OK)
        return SS_FAIL;
    if (ss_cuda_overlap)
        return SS_OK;
    return ss_fail(err,
                   "variant cluster: this GPU has no thread block clusters, which need compute "
                   "capability 9.0: choose block, warp or strip");
}

static int check_hybrid(const request &q, const char *name, ss_err *err)
{
    if (ss_cuda_of(q.run)->part)
        return ss_cuda_slabs_refuse("variant hybrid", "variant block, warp or strip", err);
    if (q.run->eq->bc != SS_BC_PERIODIC)
        return SS_OK;
    return ss_fail(err,
                   "variant %s: the line of %s is a ring, which has no node that its ends split: "
                   "choose block, warp or strip",
                   name, q.run->eq->name);
}

/* --- the variants ----------------------------------------------------------------------------- */

/* As in kernels/cuda/tables.c. */
enum { BLOCK, WARP, HYBRID, STRIP, CLUSTER };

/* In this order. Without `whole` a launch is a diamond. */
static const struct variant {
    const char *name, *range; /* range: of the block, in words */
    int min, max, step;       /* of the block */
    int (*check)(const request &q, const char *name, ss_err *err);
    int (*prepare)(ss_run *run, swept_plan *p, ss_err *err);
    void (*whole)(const ss_run *run, int cur, int64_t cycles, cudaStream_t stream);
    int (*with_host)(ss_run *run, int cur, ss_err *err);
} variants[] = {{"block", "4 to 1024 points", 4, 1024, 1, NULL, NULL, NULL, NULL},
                {"warp", NULL, 32, 256, 32, check_warp, NULL, NULL, NULL},
                {"hybrid", "4 to 1024 points", 4, 1024, 1, check_hybrid, prepare_hybrid, NULL,
                 launch_with_host},
                {"strip", "a multiple of 128 up to 1024", 128, 1024, 128, NULL, NULL, NULL, NULL},
                {"cluster", NULL, 32, 256, 32, check_cluster, NULL, launch_cluster, NULL}};

template <class E> static choose_fn *chooser(int64_t variant)
{
    static choose_fn *const choosers[] = {choose_block<E>, choose_warp<E>, choose_block<E>,
                                          choose_strip<E>, choose_cluster<E>};
    return choosers[variant];
}

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

static int check(const request &q, const variant *v, ss_err *err)
{
    if (v->check && v->check(q, v->name, err) != SS_OK)
        return SS_FAIL;
    return check_block(v, q.s.n, q.s.block, err);
}

/* --- what is not given ------------------------------------------------------------------------ */

#define SHORT_LINE 8192 /* points: what a cluster holds of one field */

/* The fastest variant of limits.md that takes the block. */
static int best_variant(const ss_config *cfg)
{
    ss_problem p;
    ss_config_problem(cfg, &p);
    const int block = (int)ss_config_int(cfg, "block"), count = p.nx / block;
    const bool divided = strchr(ss_config_text(cfg, "devices"), ',');
    if (p.nx > SHORT_LINE && block % variants[STRIP].step == 0 && block <= variants[STRIP].max)
        return STRIP;
    if (!is_warp_block(block, p.nfield))
        return BLOCK;
    return ss_cuda_overlap && !divided && count <= cluster_nodes(p.nfield * block / 32) ? CLUSTER
                                                                                        : WARP;
}

/* The block of variant strip: the fastest of limits.md, or the next smaller one that divides the
 * line; 0: none does. */
static int best_strip(const ss_config *cfg)
{
    ss_problem p;
    ss_config_problem(cfg, &p);
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

/* Raise the kernel's dynamic shared-memory limit and ask for the largest carve-out of each SM. */
static int allow_shared(const ss_cuda_kernel *k, ss_err *err)
{
    if (k->bytes == 0)
        return SS_OK;
    SS_CUDA(cudaFuncSetAttribute(k->function, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                 (int)k->bytes));
    SS_CUDA(cudaFuncSetAttribute(k->function, cudaFuncAttributePreferredSharedMemoryCarveout,
                                 cudaSharedmemCarveoutMaxShared));
    return SS_OK;
}

static int fill_plan(const request &q, const variant *v, choose_fn *choose, ss_run *run,
                     swept_plan *p, ss_err *err)
{
    p->s = q.s;
    p->first = make_diamond(q.s, 0, false);
    p->odd = make_diamond(q.s, 1, false);
    p->even = make_diamond(q.s, 2, false);
    p->last = make_diamond(q.s, 2, true);
    if (check(q, v, err) != SS_OK || choose(q, &p->kernel, err) != SS_OK ||
        allow_shared(&p->kernel, err) != SS_OK)
        return SS_FAIL;
    return v->prepare ? v->prepare(run, p, err) : SS_OK;
}

static int prepare(ss_run *run, choose_fn *choose, ss_cuda_chain *plan, ss_err *err)
{
    const variant *v = &variants[ss_config_int(&run->cfg, "variant")];
    const int block = (int)ss_config_int(&run->cfg, "block");
    const request q = {run, ss_swept_make(run->problem.nx, block, run->eq->radius)};
    swept_plan *own = (swept_plan *)calloc(1, sizeof *own);
    if (!own)
        return ss_fail(err, "out of memory");
    plan->launch = launch_middle;
    plan->first = launch_first;
    plan->last = launch_last;
    plan->between = diamonds_between;
    plan->whole = v->whole;
    plan->with_host = v->with_host;
    plan->own = own;
    plan->free_own = free_plan;
    if (fill_plan(q, v, choose, run, own, err) == SS_OK &&
        ss_cuda_chain_make(run, plan, err) == SS_OK)
        return SS_OK;
    free_plan(own);
    return SS_FAIL;
}

#define EQUATION(TYPE)                                                                             \
    int ss_cuda_swept_##TYPE##_prepare(ss_run *run, ss_err *err)                                   \
    {                                                                                              \
        ss_cuda_chain plan = {};                                                                   \
        if (ss_cuda_slabs_of(run))                                                                 \
            return ss_cuda_chains_prepare(run, ss_cuda_swept_##TYPE##_prepare,                     \
                                          (int)ss_config_int(&run->cfg, "block"), err);            \
        ss_cuda_##TYPE##_plan_level(run, &plan);                                                   \
        return ss_with_equation<TYPE>(run, [&](auto e) {                                           \
            typedef typename decltype(e)::type E;                                                  \
            return prepare(run, chooser<E>(ss_config_int(&run->cfg, "variant")), &plan, err);      \
        });                                                                                        \
    }
#include "kernels/cuda/swept/equations.def"
#undef EQUATION
