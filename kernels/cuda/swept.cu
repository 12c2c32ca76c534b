/*
 * The swept rule on the GPU. A launch is a diamond: every node takes two levels of its points from
 * memory, climbs down into the gap and up to the next point as far as it can alone, and gives two
 * levels back. Which points when, and why two levels are all that neighbours need: the text in
 * kernels/geom/swept.h. Variants differ in where the two levels are meanwhile:
 *
 *     block     in shared memory, a thread a point, a node a thread block: the paper's Shared
 *     warp      in registers, a lane a point, a node of 32 points a warp: the paper's Register
 *     register  by the slab in registers, several points a thread; in between in shared memory
 *     hybrid    block, and the node that is split across the ends of the line is the host's
 *
 * Engine thread.
 */
#include "kernels/cuda/climb_memory.cuh"
#include "kernels/cuda/climb_slab.cuh"
#include "kernels/cuda/climb_warp.cuh"
#include "kernels/cuda/hybrid.cuh"

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

enum { REGISTER, BLOCK, WARP, HYBRID }; /* in the order of the names in tables.c */

template <class E> static size_t memory_bytes(int block)
{
    return (2 * E::fields + E::own) * (size_t)row_width(block) * sizeof(typename E::real);
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
    launch_kernel(memory_kernel<E>(), a.nodes, a.s.block, memory_bytes<E>(a.s.block), stream,
                  E(run->coef), rows_of<typename E::real>(run, cur), a);
}

template <class E, int P>
static void launch_points(const ss_run *run, int cur, const diamond &a, cudaStream_t stream)
{
    int warps = ceil_div(a.s.block, slab<E, P>::own);
    launch_kernel(climb_in_registers<E, P>, a.nodes, 32 * warps, memory_bytes<E>(a.s.block), stream,
                  E(run->coef), rows_of<typename E::real>(run, cur), a);
}

/* Points of a thread, at most: those of three fields have no room for more. */
template <class E> constexpr int many = E::fields > 1 ? 4 : 8;

#define FEW 65536 /* points of a line that leave most of the device idle */

template <class E>
static void launch_in_registers(const ss_run *run, int cur, const diamond &a, cudaStream_t stream)
{
    static void (*const launch[])(const ss_run *, int, const diamond &, cudaStream_t) = {
        launch_points<E, 2>, launch_points<E, 2>, launch_points<E, 4>, launch_points<E, many<E>>};
    int choice = (int)ss_config_int(&run->cfg, "points");
    launch[choice > 0 ? choice - 1 : a.s.n <= FEW ? 1 : 3](run, cur, a, stream);
}

template <class E>
static void launch_in_warps(const ss_run *run, int cur, const diamond &a, cudaStream_t stream)
{
    launch_kernel(climb_in_warp<E>, ceil_div(a.nodes, WARPS), dim3(32, WARPS), 0, stream,
                  E(run->coef), rows_of<typename E::real>(run, cur), a);
}

template <class E>
static void launch_diamond(const ss_run *run, int cur, int d, bool last, cudaStream_t stream)
{
    static void (*const launch[])(const ss_run *, int, const diamond &, cudaStream_t) = {
        launch_in_registers<E>, launch_in_memory<E>, launch_in_warps<E>, launch_in_memory<E>};
    launch[ss_config_int(&run->cfg, "variant")](run, cur, diamond_of(run, d, last), stream);
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

static int64_t between(const ss_run *run, int64_t cycles)
{
    (void)run;
    return 2 * cycles - 1;
}

/* --- preparing -------------------------------------------------------------------------------- */

/* What the variants ask of a block. */
static const struct {
    const char *name, *range;
    int least, most, step;
    bool walls; /* the line must have ends */
} variants[] = {{"register", "a multiple of 32 up to 1024", 32, 1024, 32, false},
                {"block", "4 to 1024 points", 4, 1024, 1, false},
                {"warp", "32 points", 32, 32, 32, false},
                {"hybrid", "4 to 1024 points", 4, 1024, 1, true}};

static int fit(const ss_run *run, ss_err *err)
{
    int block = (int)ss_config_int(&run->cfg, "block");
    int64_t v = ss_config_int(&run->cfg, "variant");
    if (variants[v].walls && run->eq->bc == SS_BC_PERIODIC)
        return ss_fail(err,
                       "variant hybrid: the line of %s is a ring, which has no node that its ends "
                       "split: choose register, block or warp",
                       run->eq->name);
    if (block < variants[v].least || block > variants[v].most || block % variants[v].step)
        return ss_fail(err, "variant %s: a block is %s on the GPU, not %d", variants[v].name,
                       variants[v].range, block);
    if (v == REGISTER && ss_config_int(&run->cfg, "points") == 1)
        return ss_fail(err, "points: 2, 4 or 8 with variant register; 1 is what variant warp has");
    return SS_OK;
}

template <class E> static int prepare(ss_run *run, ss_err *err)
{
    ss_cuda_chain like = {};
    if (fit(run, err) != SS_OK)
        return SS_FAIL;
    int block = (int)ss_config_int(&run->cfg, "block");
    const kernel<E> kernels[] = {memory_kernel<E>(), climb_in_registers<E, 2>,
                                 climb_in_registers<E, 4>, climb_in_registers<E, many<E>>};
    for (kernel<E> k : kernels)
        SS_CUDA(cudaFuncSetAttribute(k, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                     (int)memory_bytes<E>(block)));
    like.launch = middle<E>;
    like.level = ss_cuda_launch_level<E>;
    like.first = first<E>;
    like.last = last<E>;
    like.between = between;
    if (ss_config_int(&run->cfg, "variant") != HYBRID)
        return ss_cuda_chain_make(run, &like, err);
    like.aside = aside<E>;
    like.free_own = ss_cuda_hybrid_free;
    like.own = ss_cuda_hybrid_make(run, block, err);
    if (like.own && ss_cuda_chain_make(run, &like, err) == SS_OK)
        return SS_OK;
    if (like.own)
        ss_cuda_hybrid_free(like.own);
    return SS_FAIL;
}

extern "C" {
SS_CUDA_PREPARE_EACH(ss_cuda_swept, prepare)
}
