/*
 * Multigrid on patches on the GPU, in the order of kernels/cpu/multigrid3d.c. Each grid is a run of
 * its own: of the block smoother, on patches that are half as large, with the stream and the
 * control block of the run whose grids they are. A sweep is what the smoother launches for a cycle,
 * so that a whole cycle is enqueued without waiting, and recorded as a CUDA graph. Kernels between
 * the grids: patch_passes.cuh. Host code; engine thread.
 *
 * Which array holds what. A cycle starts from the run's u[parity], which stays, and ends in
 * u[1 - parity]. On the finest grid a smoother in place works in u[1 - parity] alone; one that goes
 * from array to array alternates between u[1 - parity] and one array more, so that the last pass of
 * a cycle stores to u[1 - parity]. Coarser grids have arrays of their own. If the norm of u[parity]
 * ends the run, the launches after it store nothing, but for halo exchanges, which write the values
 * that are there.
 */
#include <stdlib.h>

#include "kernels/cuda/device/graph.cuh"
#include "kernels/cuda/device/patches.cuh"
#include "kernels/cuda/multigrid/engine_ops.h"
#include "kernels/cuda/multigrid/patch_passes.cuh"
#include "kernels/solver/multigrid.h"
#include "src/core/registry.h"

#define GRAPH_SWEEPS_MAX 4096 /* recording more takes longer than it saves */
#define COPY_BLOCKS 8192      /* at most */
#define ROWS_MAX 65535        /* of thread blocks in a launch */

/* The next finer grid has `pairs` with this one; the finest grid has none. */
struct mg_patch_grid {
    ss_run run;        /* its state names the arrays of the sweep that is being launched */
    char *memory;      /* on the device: the arrays below */
    void *u[2], *rhs;  /* NULL: not needed. The finest grid has u[1] only, the rest is the run's */
    size_t bytes;      /* of an array */
    mg_pair *pairs;    /* on the device */
    int patches, most; /* most: cells of the largest patch */
    double exchanges;  /* halo exchanges of a cycle */
};

struct mg_patch_plan {
    ss_mg_plan mg;
    mg_patch_grid *at;        /* the finest first */
    int passes;               /* over the finest grid, from a field to another one */
    bool in_place;            /* the smoother */
    cudaGraphExec_t graph[2]; /* [parity]; NULL: not recorded */
    int64_t begun;            /* the cycle at which the step began */
};

/* A cycle that is being launched. */
struct mg_patch_cycle {
    const ss_run *run;
    mg_patch_plan *p;
    int parity;
    cudaStream_t stream;
    int left;                    /* passes over the finest grid to come */
    void *now[SS_MG_LEVELS_MAX]; /* the present fields */
};

static mg_patch_plan *plan_of(const ss_run *run)
{
    return (mg_patch_plan *)((const ss_cuda_cycles *)run->scratch)->own;
}

static ss_cuda_state *state_of(const mg_patch_grid *g)
{
    return (ss_cuda_state *)g->run.state;
}

static const int *stop_of(const mg_patch_cycle &c)
{
    return &ss_cuda_of(c.run)->control->stop;
}

/* --- launches --------------------------------------------------------------------------------- */

/* Where the next pass over a grid stores. */
static void *other(const mg_patch_cycle &c, int level)
{
    const mg_patch_grid &g = c.p->at[level];
    if (level > 0)
        return c.p->in_place || c.now[level] != g.u[0] ? g.u[0] : g.u[1];
    return c.p->in_place || c.left % 2 == 1 ? ss_cuda_of(c.run)->u[1 - c.parity] : g.u[1];
}

static void passed(mg_patch_cycle &c, int level, void *to)
{
    c.now[level] = to;
    c.left -= level == 0;
}

static void copy(const mg_patch_cycle &c, int level, void *to)
{
    size_t count = c.p->at[level].bytes / sizeof(uint4);
    int all = ceil_div((int64_t)count, MG_THREADS);
    launch_kernel(mg_copy, all < COPY_BLOCKS ? all : COPY_BLOCKS, MG_THREADS, 0, c.stream,
                  (const uint4 *)c.now[level], (uint4 *)to, count, stop_of(c));
}

static void sweep(mg_patch_cycle &c, int level)
{
    mg_patch_grid &g = c.p->at[level];
    void *to = other(c, level);
    if (c.p->in_place && c.now[level] != to) {
        copy(c, level, to);
        c.now[level] = to;
    }
    state_of(&g)->u[0] = c.now[level];
    state_of(&g)->u[1] = to;
    ((const ss_cuda_cycles *)g.run.scratch)->launch(&g.run, 0, false, c.stream);
    passed(c, level, to);
}

static void smooth(mg_patch_cycle &c, int level, int sweeps)
{
    const mg_patch_grid &g = c.p->at[level];
    for (int i = 0; i < sweeps; i++)
        sweep(c, level);
    if (sweeps > 0 && ss_cuda_leaves_ghosts(&g.run)) /* the passes between grids read them */
        ss_cuda_exchange(&g.run, c.now[level], c.stream);
}

/* Between a grid and the next finer one: a row of thread blocks per patch. */
static dim3 blocks_of(const mg_patch_grid &coarse)
{
    int rows = coarse.patches < ROWS_MAX ? coarse.patches : ROWS_MAX;
    return dim3((unsigned)ceil_div(coarse.most, MG_THREADS), (unsigned)rows);
}

template <typename T> static void launch_restriction(mg_patch_cycle &c, int level)
{
    const mg_patch_grid &fine = c.p->at[level], &coarse = c.p->at[level + 1];
    launch_kernel(mg_restrict_patches<T>, blocks_of(coarse), MG_THREADS, 0, c.stream,
                  mg_pairs{coarse.pairs, coarse.patches}, (const T *)c.now[level],
                  (const T *)state_of(&fine)->rhs, (T *)coarse.rhs, (uint4 *)coarse.u[0],
                  coarse.bytes / sizeof(uint4), stop_of(c));
}

template <typename T> static void launch_correction(mg_patch_cycle &c, int level, void *to)
{
    const mg_patch_grid &coarse = c.p->at[level + 1];
    launch_kernel(mg_correct_patches<T>, blocks_of(coarse), MG_THREADS, 0, c.stream,
                  mg_pairs{coarse.pairs, coarse.patches}, (const T *)c.now[level + 1],
                  (const T *)c.now[level], (T *)to, stop_of(c));
}

static void restrict_residual(mg_patch_cycle &c, int level)
{
    static void (*const launches[SS_NPREC])(mg_patch_cycle &, int) = {launch_restriction<double>,
                                                                      launch_restriction<float>};
    launches[c.run->prec](c, level);
    c.now[level + 1] = c.p->at[level + 1].u[0];
}

static void correct(mg_patch_cycle &c, int level)
{
    static void (*const launches[SS_NPREC])(mg_patch_cycle &, int, void *) = {
        launch_correction<double>, launch_correction<float>};
    void *to = level > 0 ? c.now[level] : other(c, level);
    ss_ghosts_launch_edges(state_of(&c.p->at[level + 1])->patches->ghosts, c.now[level + 1],
                           c.stream);
    launches[c.run->prec](c, level, to);
    ss_cuda_exchange(&c.p->at[level].run, to, c.stream);
    passed(c, level, to);
}

/* --- a cycle ---------------------------------------------------------------------------------- */

static void visit(mg_patch_cycle &c, int level, int shape)
{
    const ss_mg_plan &mg = c.p->mg;
    bool coarsest = level + 1 == mg.levels;
    smooth(c, level, coarsest ? mg.coarsest : mg.pre);
    if (coarsest)
        return;
    restrict_residual(c, level);
    for (int next : ss_mg_shapes[shape].next)
        if (next >= 0)
            visit(c, level + 1, next);
    correct(c, level);
    smooth(c, level, mg.post);
}

static void cycle(const ss_run *run, int parity, cudaStream_t stream)
{
    mg_patch_plan *p = plan_of(run);
    mg_patch_cycle c = {run, p, parity, stream, p->passes, {ss_cuda_of(run)->u[parity]}};
    visit(c, 0, p->mg.shape);
}

static void check(const ss_run *run, int parity, cudaStream_t stream)
{
    const ss_cuda_state *st = ss_cuda_of(run);
    ss_ghosts_check(st->patches->ghosts, st->u[parity], st->rhs, st->control, stream);
}

/* The norm is a pass of its own: a smoother in place does not see the whole field unchanged. */
static void launch(const ss_run *run, int parity, bool norm, cudaStream_t stream)
{
    cudaGraphExec_t graph = plan_of(run)->graph[parity];
    if (norm)
        check(run, parity, stream);
    if (graph)
        cudaGraphLaunch(graph, stream);
    else
        cycle(run, parity, stream);
}

/* Records the cycles from both fields. */
static int record(ss_run *run, ss_err *err)
{
    mg_patch_plan *p = plan_of(run);
    cudaStream_t stream = ss_cuda_of(run)->stream;
    auto norm = [=] {
        check(run, 0, stream);
        return SS_OK;
    };
    for (int parity = 0; parity < 2; parity++) {
        auto launches = [=] {
            cycle(run, parity, stream);
            return SS_OK;
        };
        if (p->graph[parity])
            continue;
        if (ss_cuda_record(stream, launches, &p->graph[parity], err) != SS_OK)
            return SS_FAIL;
        SS_CUDA(cudaGraphUpload(p->graph[parity], stream));
    }
    ss_cuda_cycles *c = (ss_cuda_cycles *)run->scratch;
    if (!c->loaded && ss_cuda_load(stream, norm, err) != SS_OK)
        return SS_FAIL;
    c->loaded = true; /* with the graphs */
    return SS_OK;
}

static int enter(ss_run *run, ss_err *err)
{
    plan_of(run)->begun = run->cycle;
    return ss_cuda_ghosts_renew(run, err);
}

static int enter_and_record(ss_run *run, ss_err *err)
{
    return enter(run, err) == SS_OK ? record(run, err) : SS_FAIL;
}

static int leave(ss_run *run, ss_err *err)
{
    const mg_patch_plan *p = plan_of(run);
    (void)err;
    for (int l = 0; l < p->mg.levels; l++)
        run->seconds_ghosts += (double)(run->cycle - p->begun) * p->at[l].exchanges *
                               state_of(&p->at[l])->patches->exchange;
    return SS_OK;
}

/* --- memory ----------------------------------------------------------------------------------- */

static void free_grid(mg_patch_grid *g, bool finest)
{
    if (g->run.ops)
        g->run.ops->release(&g->run);
    if (g->run.state && !finest)
        ss_cuda_patches_free(state_of(g)->patches);
    free(g->run.state);
    cudaFree(g->memory);
    cudaFree(g->pairs);
}

static void free_plan(void *own)
{
    mg_patch_plan *p = (mg_patch_plan *)own;
    for (cudaGraphExec_t graph : p->graph)
        if (graph)
            cudaGraphExecDestroy(graph);
    for (int l = 0; p->at && l < p->mg.levels; l++)
        free_grid(&p->at[l], l == 0);
    free(p->at);
    free(p);
}

/* The stream, the events and the control block are the run's; of the finest grid also the patches
 * and the right-hand side. */
static int make_state(const ss_run *run, mg_patch_grid *g, bool finest, ss_err *err)
{
    const ss_cuda_state *st = ss_cuda_of(run);
    ss_cuda_state *own = (ss_cuda_state *)ss_alloc(sizeof *own, "a grid", err);
    g->run.state = own;
    if (!own)
        return SS_FAIL;
    own->device = st->device;
    own->update = st->update;
    own->least_rhs = st->least_rhs;
    own->stream = st->stream;
    own->begin = st->begin;
    own->end = st->end;
    own->control = st->control;
    own->host = st->host;
    own->box = st->box;
    own->patches = finest ? st->patches : NULL;
    own->rhs = finest ? st->rhs : NULL;
    if (finest)
        return SS_OK;
    if (ss_cuda_patches_make(&g->run, err) != SS_OK)
        return SS_FAIL;
    const ss_cuda_patches *p = own->patches;
    return ss_ghosts_add_edges(p->ghosts, p->list, p->count,
                               p->mirror ? SS_WALL_MIRROR : SS_WALL_ZERO, err);
}

/* A smoother in place has one array per grid, and on the finest grid that of the run. */
static int make_arrays(mg_patch_grid *g, bool finest, bool in_place, ss_err *err)
{
    ss_cuda_state *st = state_of(g);
    void **const arrays[] = {in_place ? NULL : &g->u[1], finest ? NULL : &g->u[0],
                             finest ? NULL : &g->rhs};
    size_t count = 0;
    g->bytes = st->box.count * ss_prec_size(g->run.prec);
    for (void **array : arrays)
        count += array != NULL;
    if (count == 0)
        return SS_OK;
    if (ss_cuda_alloc((void **)&g->memory, count * g->bytes, "a grid", err) != SS_OK)
        return SS_FAIL;
    SS_CUDA(cudaMemsetAsync(g->memory, 0, count * g->bytes, st->stream));
    size_t at = 0;
    for (void **array : arrays)
        if (array)
            *array = g->memory + g->bytes * at++;
    if (finest)
        return SS_OK;
    st->u[0] = g->u[0];
    st->rhs = g->rhs;
    return ss_cuda_patches_begin(&g->run, err);
}

static mg_pair pair_of(const ss_box *fine, const ss_box *coarse)
{
    return mg_pair{(uint32_t)fine->first,
                   (uint32_t)coarse->first,
                   (int)fine->sy,
                   (int)fine->sz,
                   (int)coarse->sy,
                   (int)coarse->sz,
                   coarse->nx,
                   coarse->ny,
                   coarse->nz};
}

static int make_pairs(const mg_patch_grid *fine, mg_patch_grid *coarse, ss_err *err)
{
    const ss_cuda_patches *f = state_of(fine)->patches, *c = state_of(coarse)->patches;
    size_t bytes = (size_t)c->count * sizeof(mg_pair);
    mg_pair *list = (mg_pair *)ss_alloc(bytes, "the patches of two grids", err);
    if (!list)
        return SS_FAIL;
    coarse->patches = c->count;
    for (int q = 0; q < c->count; q++) {
        list[q] = pair_of(&f->list[q].box, &c->list[q].box);
        int cells = list[q].nx * list[q].ny * list[q].nz;
        coarse->most = cells > coarse->most ? cells : coarse->most;
    }
    int status =
        ss_cuda_alloc_copy((void **)&coarse->pairs, list, bytes, "the patches of two grids", err);
    free(list);
    return status;
}

/* --- prepare ---------------------------------------------------------------------------------- */

/* A run without limits and norms; its kernels test the flag with which the norm of the finest grid
 * stops them, hence check_every. */
static int describe(const ss_run *run, mg_patch_grid *g, int level, ss_err *err)
{
    ss_run *at = &g->run;
    at->eq = run->eq;
    at->backend = run->backend;
    at->prec = run->prec;
    at->threads = run->threads;
    at->iterations_per_cycle = 1;
    at->check_every = 1;
    ss_mg_patch_config(&run->cfg, level, &at->cfg);
    /* Whatever was set for a smoother alone, grids are on the device. */
    if (ss_config_unset(&at->cfg, "stream-order", err) != SS_OK)
        return SS_FAIL;
    at->solver = ss_config_solver(&at->cfg);
    ss_config_problem(&at->cfg, &at->problem);
    at->eq->coef(&at->problem, &at->coef);
    return SS_OK;
}

/* Halo exchanges of a cycle. */
static double exchanges_of(const ss_mg_plan *mg, const mg_patch_grid *g, int level)
{
    bool coarsest = level + 1 == mg->levels;
    int smooth = ss_cuda_leaves_ghosts(&g->run) ? (coarsest ? 1 : (mg->pre > 0) + (mg->post > 0))
                                                : ss_mg_sweeps(mg, level);
    return ss_mg_visits(mg, level) * (smooth + !coarsest);
}

static int make_grid(const ss_run *run, mg_patch_plan *p, int level, ss_err *err)
{
    mg_patch_grid *g = &p->at[level];
    bool finest = level == 0;
    if (describe(run, g, level, err) != SS_OK || make_state(run, g, finest, err) != SS_OK)
        return SS_FAIL;
    g->run.ops = ss_matrix(g->run.eq, g->run.solver, g->run.backend, NULL);
    if (g->run.ops->prepare(&g->run, err) != SS_OK)
        return SS_FAIL;
    g->exchanges = exchanges_of(&p->mg, g, level);
    p->in_place = ((const ss_cuda_cycles *)g->run.scratch)->in_place;
    if (make_arrays(g, finest, p->in_place, err) != SS_OK)
        return SS_FAIL;
    return finest ? SS_OK : make_pairs(&p->at[level - 1], g, err);
}

static int make(ss_run *run, mg_patch_plan *p, ss_err *err)
{
    p->mg = ss_mg_plan_of(&run->cfg, &run->problem);
    p->passes = ss_mg_sweeps(&p->mg, 0) + (p->mg.levels > 1);
    p->at = (mg_patch_grid *)ss_alloc((size_t)p->mg.levels * sizeof *p->at, "the grids", err);
    if (!p->at)
        return SS_FAIL;
    run->seconds_inverses = run->bytes_inverses = 0;
    for (int l = 0; l < p->mg.levels; l++) {
        if (make_grid(run, p, l, err) != SS_OK)
            return SS_FAIL;
        run->seconds_inverses += p->at[l].run.seconds_inverses;
        run->bytes_inverses += p->at[l].run.bytes_inverses;
    }
    return ss_cuda_cycles_make(run, launch, 1, p, free_plan, err);
}

int ss_cuda_multigrid3d_prepare(ss_run *run, ss_err *err)
{
    mg_patch_plan *p = (mg_patch_plan *)ss_alloc(sizeof *p, "scratch", err);
    if (!p)
        return SS_FAIL;
    if (make(run, p, err) == SS_OK) {
        ss_cuda_cycles *c = (ss_cuda_cycles *)run->scratch;
        bool one_graph = c->graphs && ss_mg_ticks(&p->mg) <= GRAPH_SWEEPS_MAX;
        c->enter = one_graph ? enter_and_record : enter;
        c->leave = leave;
        c->graphs = false; /* of many cycles */
        return SS_OK;
    }
    if (!run->scratch) /* else the scratch owns p, and ss_cuda_release frees it */
        free_plan(p);
    ss_cuda_release(run);
    return SS_FAIL;
}
