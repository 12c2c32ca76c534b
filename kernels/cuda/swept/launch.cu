/*
 * The swept rule on the GPU. A launch is a diamond: every node takes two levels of its points from
 * memory, climbs down into the gap and up to the next point as far as it can alone, and gives two
 * levels back. Which points when, and why two levels are all that neighbours need: the text in
 * kernels/geom/swept.h. Variants differ in where the two levels are meanwhile:
 *
 *     block     in shared memory, a thread a point, a node a thread block: the paper's Shared
 *     warp      in registers, a node a warp: the paper's Register
 *     cluster   the same, and nodes write each other's shared memory: all diamonds are one launch
 *     register  by the slab in registers, several points a thread; in between in shared memory
 *     persistent  register, but a node waits for its neighbour only: all diamonds are one launch
 *     hybrid    block, and the node that is split across the ends of the line is the host's
 *
 * Engine thread.
 */
#include <stdio.h>
#include <stdlib.h>

#include "kernels/cuda/swept/cluster.cuh"
#include "kernels/cuda/swept/memory.cuh"
#include "kernels/cuda/swept/persistent.cuh"
#include "kernels/cuda/swept/hybrid.cuh"

static diamond diamond_of(const ss_run *run, int d, bool last)
{
    diamond a;
    a.s = ss_swept_make(run->problem.nx, (int)ss_config_int(&run->cfg, "block"), run->eq->radius);
    a.from = ss_swept_first(a.s, d);
    a.to = ss_swept_end(a.s, d, last ? d : -1);
    a.parity = (int)(ss_swept_level(a.s, d, 0) & 1);
    a.shift = d % 2 ? a.s.block / 2 : 0;
    a.flat = d == 0;
    a.nodes = a.s.count;
    return a;
}

/* --- launches --------------------------------------------------------------------------------- */

/* Lets kernels have so much shared memory, and all that the processors have. */
template <class K> static int allow(K kernel, size_t bytes, ss_err *err)
{
    SS_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes));
    SS_CUDA(cudaFuncSetAttribute(kernel, cudaFuncAttributePreferredSharedMemoryCarveout,
                                 cudaSharedmemCarveoutMaxShared));
    return SS_OK;
}

/* Of shared memory: two rows of a node, and what its points have beside their fields. */
template <class E, bool GAPS> static size_t memory_bytes(int block)
{
    int rows = 2 * E::fields + (GAPS ? 0 : E::own);
    return (size_t)rows * (size_t)node_rows<E, GAPS>::width_of(block) * sizeof(typename E::real);
}

template <class E> using kernel = void (*)(E, ss_rows<typename E::real>, diamond);

template <class E> static kernel<E> memory_kernel()
{
    if constexpr (E::own > 0)
        return climb_by_faces<E>;
    else
        return climb_in_memory<E>;
}

template <class E>
static void launch_in_memory(const ss_run *run, int cur, const diamond &a, cudaStream_t stream)
{
    launch_kernel(memory_kernel<E>(), a.nodes, a.s.block, memory_bytes<E, false>(a.s.block), stream,
                  E(run->coef), rows_of<typename E::real>(run, cur), a);
}

template <class E, int P> static kernel<E> register_kernel(int block)
{
    if constexpr (E::fields > 1)
        return block > 512 ? climb_in_registers<E, P, 1024> : climb_in_registers<E, P, 512>;
    else
        return climb_in_registers<E, P, 1024>;
}

template <class E, int P>
static void launch_points(const ss_run *run, int cur, const diamond &a, cudaStream_t stream)
{
    launch_kernel(register_kernel<E, P>(a.s.block), a.nodes, 32 * slab<E, P>::warps(a.s.block),
                  memory_bytes<E, true>(a.s.block), stream, E(run->coef),
                  rows_of<typename E::real>(run, cur), a);
}

/* Points of a thread, at most: those of three fields have no room for more. */
template <class E> constexpr int many = E::fields > 1 ? 4 : 8;

/* The parameter `points`, or what suits the equation and the block; an index into those of a launch
 * function. */
static int points_choice(const ss_run *run)
{
    int choice = (int)ss_config_int(&run->cfg, "points");
    if (choice > 0)
        return choice - 1;
    return run->problem.nfield > 1 ? 1 : ss_config_int(&run->cfg, "block") < 512 ? 2 : 3;
}

template <class E>
static void launch_in_registers(const ss_run *run, int cur, const diamond &a, cudaStream_t stream)
{
    static void (*const launch[])(const ss_run *, int, const diamond &, cudaStream_t) = {
        launch_points<E, 2>, launch_points<E, 2>, launch_points<E, 4>, launch_points<E, many<E>>};
    launch[points_choice(run)](run, cur, a, stream);
}

/* A node that is a warp has 32 P points. P is a power of two up to: */
template <class E> constexpr int most_lane = E::fields > 1 ? 2 : 8;

template <class E, int P = most_lane<E>>
static void launch_in_warps(const ss_run *run, int cur, const diamond &a, cudaStream_t stream)
{
    if (a.s.block == 32 * P)
        launch_kernel(climb_in_warp<E, P>, ceil_div(a.nodes, WARPS), 32 * WARPS, 0, stream,
                      E(run->coef), rows_of<typename E::real>(run, cur), a);
    else if constexpr (P > 1)
        launch_in_warps<E, P / 2>(run, cur, a, stream);
}

/* Thread blocks of a cluster, and nodes of each: few nodes, that each has a scheduler for itself.
 */
struct cluster_shape {
    int blocks, nodes;
};

static cluster_shape cluster_of(int nodes)
{
    cluster_shape c = {2, ceil_div(nodes, CLUSTER_BLOCKS)}; /* a cluster of one is none */
    while (c.blocks * c.nodes < nodes)
        c.blocks *= 2;
    return c;
}

/* All cycles in one launch. */
template <class E, int P = most_lane<E>>
static void launch_cluster(const ss_run *run, int cur, int64_t cycles, cudaStream_t stream)
{
    diamond a = diamond_of(run, 0, false);
    cluster_shape c = cluster_of(a.s.count);
    if (a.s.block == 32 * P)
        launch_clusters(c.blocks, climb_in_cluster<E, P>, c.blocks, 64 * c.nodes,
                        cluster_bytes<E, P>(c.nodes), stream, E(run->coef),
                        rows_of<typename E::real>(run, cur), a.s, (int)(2 * cycles));
    else if constexpr (P > 1)
        launch_cluster<E, P / 2>(run, cur, cycles, stream);
}

/* A diamond of variant hybrid whose last node is the host's. */
template <class E> static int aside(ss_run *run, int cur, ss_err *err)
{
    ss_cuda_hybrid *h = (ss_cuda_hybrid *)((const ss_cuda_chain *)run->scratch)->own;
    diamond a = diamond_of(run, 1, false);
    if (ss_cuda_hybrid_fetch(run, h, cur, err) != SS_OK)
        return SS_FAIL;
    if (--a.nodes > 0)
        launch_in_memory<E>(run, cur, a, ss_cuda_of(run)->stream);
    return ss_cuda_hybrid_climb(run, h, cur, err);
}

/* Of variant persistent. */
struct flags {
    int *done;
    int each, blocks; /* nodes of a block */
};

static void free_flags(void *own)
{
    flags *f = (flags *)own;
    cudaFree(f->done);
    free(f);
}

/* As many blocks as the device can hold at once, and no more nodes for the busiest processor than
 * need be. */
static void share_nodes(flags *f, int nodes, int processors, int resident)
{
    int least = 0;
    for (int r = 1; r <= resident; r++) {
        int each = ceil_div(nodes, r * processors), busiest = r * each;
        if (least == 0 || busiest <= least) {
            least = busiest;
            f->each = each;
        }
    }
    f->blocks = ceil_div(nodes, f->each);
}

template <class E, int P> static int share_points(const ss_run *run, flags *f, ss_err *err)
{
    int block = (int)ss_config_int(&run->cfg, "block"), processors, resident;
    SS_CUDA(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, 0));
    if (allow(climb_persistently<E, P>, memory_bytes<E, true>(block), err) != SS_OK)
        return SS_FAIL;
    SS_CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, climb_persistently<E, P>,
                                                          32 * slab<E, P>::warps(block),
                                                          memory_bytes<E, true>(block)));
    if (resident < 1)
        return ss_fail(err,
                       "variant persistent: a block of %d points asks too much of this GPU's "
                       "processors: choose a smaller one",
                       block);
    share_nodes(f, run->problem.nx / block, processors, resident);
    return ss_cuda_alloc((void **)&f->done, (size_t)(run->problem.nx / block) * sizeof *f->done,
                         "the flags", err);
}

template <class E> static void *make_flags(ss_run *run, ss_err *err)
{
    static int (*const share[])(const ss_run *, flags *, ss_err *) = {
        share_points<E, 2>, share_points<E, 2>, share_points<E, 4>, share_points<E, many<E>>};
    flags *f = (flags *)calloc(1, sizeof *f);
    if (!f) {
        ss_fail(err, "out of memory");
        return NULL;
    }
    if (share[points_choice(run)](run, f, err) == SS_OK)
        return f;
    free_flags(f);
    return NULL;
}

template <class E, int P>
static void persist_points(const ss_run *run, int cur, int64_t cycles, cudaStream_t stream)
{
    const flags *f = (const flags *)((const ss_cuda_chain *)run->scratch)->own;
    diamond d = diamond_of(run, 0, false);
    E eq(run->coef);
    auto rows = rows_of<typename E::real>(run, cur);
    persistence a = {d.s, (int)(2 * cycles), f->each, f->done};
    void *args[] = {&eq, &rows, &a};
    cudaMemsetAsync(f->done, 0, (size_t)d.nodes * sizeof *f->done, stream);
    cudaLaunchCooperativeKernel(climb_persistently<E, P>, dim3((unsigned)f->blocks),
                                dim3(32 * slab<E, P>::warps(d.s.block)), args,
                                memory_bytes<E, true>(d.s.block), stream);
}

template <class E>
static void persist(const ss_run *run, int cur, int64_t cycles, cudaStream_t stream)
{
    static void (*const launch[])(const ss_run *, int, int64_t, cudaStream_t) = {
        persist_points<E, 2>, persist_points<E, 2>, persist_points<E, 4>,
        persist_points<E, many<E>>};
    launch[points_choice(run)](run, cur, cycles, stream);
}

/* --- preparing -------------------------------------------------------------------------------- */

/* What the variants ask for, in the order of their names in tables.c. */
static const struct limits {
    const char *name, *range;
    int least, most, step;
    int points;   /* of a thread, at least; 0: the block says how many */
    bool warps;   /* a node is a warp, of 1, 2, 4 or 8 points a lane */
    bool walls;   /* the line must have ends */
    bool cluster; /* all nodes are in one cluster */
} limits_of[] = {
    {"register", "a multiple of 32 up to 1024", 32, 1024, 32, 2, false, false, false},
    {"block", "4 to 1024 points", 4, 1024, 1, 0, false, false, false},
    {"warp", NULL, 32, 256, 32, 0, true, false, false},
    {"cluster", NULL, 32, 256, 32, 0, true, false, true},
    {"persistent", "a multiple of 32 up to 1024", 32, 1024, 32, 2, false, false, false},
    {"hybrid", "4 to 1024 points", 4, 1024, 1, 0, false, true, false}};

/* A node that is a warp. */
static int fit_warp(const ss_run *run, const char *name, int block, int most_lane, ss_err *err)
{
    int points = block / 32, choice = (int)ss_config_int(&run->cfg, "points");
    if (block % 32 || points > most_lane || (points & (points - 1)))
        return ss_fail(err, "variant %s: a block is %s points on the GPU, not %d", name,
                       most_lane > 2 ? "32, 64, 128 or 256" : "32 or 64", block);
    if (choice > 0 && 1 << (choice - 1) != points)
        return ss_fail(err,
                       "points: with variant %s a thread has a 32nd of the block, %d here; leave "
                       "it at auto",
                       name, points);
    return SS_OK;
}

static int fit_cluster(ss_err *err)
{
    if (ss_cuda_overlap)
        return SS_OK;
    return ss_fail(err,
                   "variant cluster: the processors of this GPU cannot write each other's shared "
                   "memory, which Hopper brought: choose register, block or warp");
}

/* The next block up or down that fits the variant and the line; 0: there is none. */
static int next_block(const limits *v, int n, int block, int way)
{
    block = block < v->least ? v->least - 1 : block > v->most ? v->most + 1 : block;
    for (block += way; block >= v->least && block <= v->most; block += way)
        if (block % v->step == 0 && n % block == 0)
            return block;
    return 0;
}

static int fit_block(const limits *v, int n, int block, ss_err *err)
{
    char nearest[64];
    if (block >= v->least && block <= v->most && block % v->step == 0)
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

static int fit(const ss_run *run, int most_lane, ss_err *err)
{
    const limits *v = &limits_of[ss_config_int(&run->cfg, "variant")];
    int block = (int)ss_config_int(&run->cfg, "block");
    int64_t points = ss_config_int(&run->cfg, "points");
    if (v->walls && run->eq->bc == SS_BC_PERIODIC)
        return ss_fail(err,
                       "variant hybrid: the line of %s is a ring, which has no node that its ends "
                       "split: choose register, block or warp",
                       run->eq->name);
    if (v->warps && fit_warp(run, v->name, block, most_lane, err) != SS_OK)
        return SS_FAIL;
    if (v->cluster && fit_cluster(err) != SS_OK)
        return SS_FAIL;
    if (fit_block(v, run->problem.nx, block, err) != SS_OK)
        return SS_FAIL;
    if (points > 0 && 1 << (points - 1) < v->points)
        return ss_fail(err, "points: 2, 4 or 8 with variant %s; 1 is what variant warp has",
                       v->name);
    return SS_OK;
}

template <class E, int P = most_lane<E>> static int allow_cluster(const ss_run *run, ss_err *err)
{
    int block = (int)ss_config_int(&run->cfg, "block");
    int nodes = run->problem.nx / block, most = CLUSTER_BLOCKS * cluster_nodes<E, P>;
    if (block == 32 * P && nodes > most)
        return ss_fail(err,
                       "variant cluster: at most %d blocks of %d points, not %d: choose "
                       "persistent, register or a larger block",
                       most, block, nodes);
    if (block == 32 * P)
        return allow(climb_in_cluster<E, P>, cluster_bytes<E, P>(cluster_of(nodes).nodes), err);
    if constexpr (P > 1)
        return allow_cluster<E, P / 2>(run, err);
    return SS_OK;
}

template <class E> static int allow_memory(const ss_run *run, ss_err *err)
{
    int block = (int)ss_config_int(&run->cfg, "block");
    return allow(memory_kernel<E>(), memory_bytes<E, false>(block), err);
}

template <class E> static int allow_registers(const ss_run *run, ss_err *err)
{
    int block = (int)ss_config_int(&run->cfg, "block");
    const kernel<E> by_slabs[] = {register_kernel<E, 2>(block), register_kernel<E, 4>(block),
                                  register_kernel<E, many<E>>(block)};
    for (kernel<E> k : by_slabs)
        if (allow(k, memory_bytes<E, true>(block), err) != SS_OK)
            return SS_FAIL;
    return SS_OK;
}

static int allow_nothing(const ss_run *run, ss_err *err)
{
    (void)run, (void)err;
    return SS_OK;
}

/* --- the variants ----------------------------------------------------------------------------- */

static void *make_hybrid(ss_run *run, ss_err *err)
{
    return ss_cuda_hybrid_make(run, (int)ss_config_int(&run->cfg, "block"), err);
}

/* How each of them goes up, in the same order as above: diamond by diamond, or all at once. */
template <class E> struct variant {
    int (*allow)(const ss_run *run, ss_err *err);
    void (*diamond)(const ss_run *run, int cur, const ::diamond &a, cudaStream_t stream);
    void (*whole)(const ss_run *run, int cur, int64_t cycles, cudaStream_t stream);
    int (*aside)(ss_run *run, int cur, ss_err *err);
    void *(*make_own)(ss_run *run, ss_err *err);
    void (*free_own)(void *own);
};

template <class E> static const variant<E> &variant_of(const ss_run *run)
{
    static const variant<E> variants[] = {
        {allow_registers<E>, launch_in_registers<E>, NULL, NULL, NULL, NULL},
        {allow_memory<E>, launch_in_memory<E>, NULL, NULL, NULL, NULL},
        {allow_nothing, launch_in_warps<E>, NULL, NULL, NULL, NULL},
        {allow_cluster<E>, NULL, launch_cluster<E>, NULL, NULL, NULL},
        {allow_nothing, NULL, persist<E>, NULL, make_flags<E>, free_flags},
        {allow_memory<E>, launch_in_memory<E>, NULL, aside<E>, make_hybrid, ss_cuda_hybrid_free}};
    return variants[ss_config_int(&run->cfg, "variant")];
}

template <class E>
static void launch_diamond(const ss_run *run, int cur, int d, bool last, cudaStream_t stream)
{
    variant_of<E>(run).diamond(run, cur, diamond_of(run, d, last), stream);
}

template <class E> static void first(const ss_run *run, int cur, cudaStream_t stream)
{
    launch_diamond<E>(run, cur, 0, false, stream);
}

template <class E> static void middle(const ss_run *run, int cur, int i, cudaStream_t stream)
{
    launch_diamond<E>(run, cur, i % 2 ? 1 : 2, false, stream);
}

template <class E> static void last(const ss_run *run, int cur, cudaStream_t stream)
{
    launch_diamond<E>(run, cur, 2, true, stream);
}

static int64_t between(const ss_run *run, int64_t cycles)
{
    (void)run;
    return 2 * cycles - 1;
}

template <class E> static int prepare(ss_run *run, ss_err *err)
{
    ss_cuda_chain like = {};
    const variant<E> &v = variant_of<E>(run);
    if (fit(run, most_lane<E>, err) != SS_OK || v.allow(run, err) != SS_OK)
        return SS_FAIL;
    like.launch = middle<E>;
    like.level = ss_cuda_launch_level<E>;
    like.first = first<E>;
    like.last = last<E>;
    like.between = between;
    like.whole = v.whole;
    like.aside = v.aside;
    like.free_own = v.free_own;
    if (v.make_own && !(like.own = v.make_own(run, err)))
        return SS_FAIL;
    if (ss_cuda_chain_make(run, &like, err) == SS_OK)
        return SS_OK;
    if (like.free_own)
        like.free_own(like.own);
    return SS_FAIL;
}

extern "C" {
SS_CUDA_PREPARE_EACH(ss_cuda_swept, prepare)
}
