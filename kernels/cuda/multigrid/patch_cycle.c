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

#include "kernels/cuda/device/patches.h"
#include "kernels/cuda/device/plan.h"
#include "kernels/cuda/multigrid/arguments.h"
#include "kernels/solver/multigrid.h"
#include "src/core/registry.h"

#define GRAPH_SWEEPS_MAX 4096 /* recording more takes longer than it saves */
#define COPY_BLOCKS 8192      /* at most */
#define ROWS_MAX 65535        /* of thread blocks in a launch */
#define COPY_BYTES 16         /* of an element of mg_copy, and of what mg_restrict_patches zeroes */

/* The next finer grid has `pairs` with this one; the finest grid has none. */
typedef struct patch_grid {
    ss_run run;       /* its state names the arrays of the sweep that is being launched */
    void *u[2], *rhs; /* NULL: not needed. The finest grid has u[1] only, the rest is the run's */
    size_t bytes;     /* of an array */
    mg_pairs pairs;
    ss_cuda_kernel restriction, correction; /* from the next finer grid, and to it */
    ss_cuda_kernel copy;
    double exchanges; /* halo exchanges of a cycle */
} patch_grid;

typedef struct patch_plan {
    ss_mg_plan mg;
    patch_grid *at;       /* the finest first */
    int passes;           /* over the finest grid, from a field to another one */
    bool in_place;        /* the smoother */
    ss_cu_graph graph[2]; /* [parity]; NULL: not recorded */
    int64_t begun;        /* the cycle at which the step began */
} patch_plan;

/* A cycle that is being launched. */
typedef struct patch_cycle {
    const ss_run *run;
    patch_plan *p;
    int parity;
    ss_cu_stream stream;
    int left;                    /* passes over the finest grid to come */
    void *now[SS_MG_LEVELS_MAX]; /* the present fields */
} patch_cycle;

static patch_plan *plan_of(const ss_run *run)
{
    return ss_cuda_plan_of(run)->own;
}

static ss_cuda_state *state_of(const patch_grid *g)
{
    return ss_cuda_state_of(&g->run);
}

static const int *stop_of(const patch_cycle *c)
{
    return ss_cuda_of(c->run)->control->stop;
}

/* --- launches --------------------------------------------------------------------------------- */

/* Where the next pass over a grid stores. */
static void *other(const patch_cycle *c, int level)
{
    const patch_grid *g = &c->p->at[level];
    if (level > 0)
        return c->p->in_place || c->now[level] != g->u[0] ? g->u[0] : g->u[1];
    return c->p->in_place || c->left % 2 == 1 ? ss_cuda_of(c->run)->u[1 - c->parity] : g->u[1];
}

static void passed(patch_cycle *c, int level, void *to)
{
    c->now[level] = to;
    c->left -= level == 0;
}

static void copy(const patch_cycle *c, int level, void *to)
{
    const patch_grid *g = &c->p->at[level];
    size_t count = g->bytes / COPY_BYTES;
    const int *stop = stop_of(c);
    ss_cuda_launch_kernel(&g->copy, c->stream, SS_ARGUMENTS(&c->now[level], &to, &count, &stop));
}

static void sweep(patch_cycle *c, int level)
{
    patch_grid *g = &c->p->at[level];
    void *to = other(c, level);
    if (c->p->in_place && c->now[level] != to) {
        copy(c, level, to);
        c->now[level] = to;
    }
    state_of(g)->u[0] = c->now[level];
    state_of(g)->u[1] = to;
    ss_cuda_plan_of(&g->run)->launch(&g->run, 0, false, c->stream);
    passed(c, level, to);
}

static void smooth(patch_cycle *c, int level, int sweeps)
{
    const patch_grid *g = &c->p->at[level];
    for (int i = 0; i < sweeps; i++)
        sweep(c, level);
    if (sweeps > 0 && ss_cuda_leaves_ghosts(&g->run)) /* the passes between grids read them */
        ss_cuda_exchange(&g->run, c->now[level], c->stream);
}

static void restrict_residual(patch_cycle *c, int level)
{
    const patch_grid *fine = &c->p->at[level], *coarse = &c->p->at[level + 1];
    size_t zeros = coarse->bytes / COPY_BYTES;
    const int *stop = stop_of(c);
    ss_cuda_launch_kernel(&coarse->restriction, c->stream,
                          SS_ARGUMENTS(&coarse->pairs, &c->now[level], &state_of(fine)->rhs,
                                       &coarse->rhs, &coarse->u[0], &zeros, &stop));
    c->now[level + 1] = coarse->u[0];
}

static void correct(patch_cycle *c, int level)
{
    const patch_grid *fine = &c->p->at[level], *coarse = &c->p->at[level + 1];
    void *to = level > 0 ? c->now[level] : other(c, level);
    const int *stop = stop_of(c);
    ss_ghosts_launch_edges(state_of(coarse)->patches->ghosts, c->now[level + 1], c->stream);
    ss_cuda_launch_kernel(
        &coarse->correction, c->stream,
        SS_ARGUMENTS(&coarse->pairs, &c->now[level + 1], &c->now[level], &to, &stop));
    ss_cuda_exchange(&fine->run, to, c->stream);
    passed(c, level, to);
}

/* --- a cycle ---------------------------------------------------------------------------------- */

static void visit(patch_cycle *c, int level, int shape)
{
    const ss_mg_plan *mg = &c->p->mg;
    const int *next = ss_mg_shapes[shape].next;
    bool coarsest = level + 1 == mg->levels;
    smooth(c, level, coarsest ? mg->coarsest : mg->pre);
    if (coarsest)
        return;
    restrict_residual(c, level);
    for (int i = 0; i < 2; i++)
        if (next[i] >= 0)
            visit(c, level + 1, next[i]);
    correct(c, level);
    smooth(c, level, mg->post);
}

/* The norm is a pass of its own: a smoother in place does not see the whole field unchanged. */
static void cycle(const ss_run *run, int parity, bool norm, ss_cu_stream stream)
{
    (void)norm;
    patch_plan *p = plan_of(run);
    patch_cycle c = {run, p, parity, stream, p->passes, {ss_cuda_of(run)->u[parity]}};
    visit(&c, 0, p->mg.shape);
}

static void launch(const ss_run *run, int parity, bool norm, ss_cu_stream stream)
{
    const ss_cuda_state *st = ss_cuda_of(run);
    ss_cu_graph graph = plan_of(run)->graph[parity];
    if (norm)
        ss_ghosts_check(st->patches->ghosts, st->u[parity], st->rhs, st->control, stream);
    if (graph)
        ss_cuda_note(ss_cu->graph_launch(graph, stream));
    else
        cycle(run, parity, false, stream);
}

static int enter(ss_run *run, ss_err *err)
{
    plan_of(run)->begun = run->cycle;
    return ss_cuda_ghosts_renew(run, err);
}

/* Records the cycles from both fields. */
static int enter_and_record(ss_run *run, ss_err *err)
{
    ss_cu_graph *graph = plan_of(run)->graph;
    if (enter(run, err) != SS_OK)
        return SS_FAIL;
    for (int parity = 0; parity < 2; parity++)
        if (ss_cuda_record_cycle(run, cycle, parity, false, &graph[parity], err) != SS_OK)
            return SS_FAIL;
    return SS_OK;
}

static int leave(ss_run *run, ss_err *err)
{
    const patch_plan *p = plan_of(run);
    (void)err;
    for (int l = 0; l < p->mg.levels; l++)
        run->seconds_ghosts += (double)(run->cycle - p->begun) * p->at[l].exchanges *
                               state_of(&p->at[l])->patches->exchange;
    return SS_OK;
}

/* --- the state of a grid ---------------------------------------------------------------------- */

static void close_grid(patch_grid *g, bool finest)
{
    if (g->run.ops)
        g->run.ops->release(&g->run);
    if (g->run.state && !finest)
        ss_cuda_patches_free(state_of(g)->patches);
    free(g->run.state);
}

static void close_plan(ss_run *run)
{
    patch_plan *p = plan_of(run);
    for (int parity = 0; parity < 2; parity++)
        if (p->graph[parity])
            ss_cu->graph_free(p->graph[parity]);
    for (int l = 0; p->at && l < p->mg.levels; l++)
        close_grid(&p->at[l], l == 0);
    free(p->at);
}

/* The stream, the events and the control block are the run's; of the finest grid also the patches
 * and the right-hand side. */
static int make_state(const ss_run *run, patch_grid *g, bool finest, ss_err *err)
{
    const ss_cuda_state *st = ss_cuda_of(run);
    ss_cuda_state *own = ss_alloc(sizeof *own, "a grid", err);
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
static int make_arrays(const ss_run *run, patch_grid *g, bool finest, bool in_place, ss_err *err)
{
    ss_cuda_state *st = state_of(g);
    void **const arrays[] = {in_place ? NULL : &g->u[1], finest ? NULL : &g->u[0],
                             finest ? NULL : &g->rhs};
    g->bytes = st->box.count * ss_prec_size(g->run.prec);
    for (int i = 0; i < 3; i++)
        if (arrays[i] && ss_cuda_keep_zeroed(&ss_cuda_plan_of(run)->kept, arrays[i], g->bytes,
                                             "a grid", st->stream, err) != SS_OK)
            return SS_FAIL;
    if (finest)
        return SS_OK;
    st->u[0] = g->u[0];
    st->rhs = g->rhs;
    return ss_cuda_patches_begin(&g->run, err);
}

static mg_pair pair_of(const ss_box *fine, const ss_box *coarse)
{
    return (mg_pair){(uint32_t)fine->first,
                     (uint32_t)coarse->first,
                     (int)fine->sy,
                     (int)fine->sz,
                     (int)coarse->sy,
                     (int)coarse->sz,
                     coarse->nx,
                     coarse->ny,
                     coarse->nz};
}

/* --- kernels between two grids ---------------------------------------------------------------- */

/* A row of thread blocks per patch, in which the largest one has room. */
static int find_passes(patch_grid *coarse, int cells, ss_err *err)
{
    const char *real = ss_cuda_real_name(coarse->run.prec);
    int rows = coarse->pairs.count < ROWS_MAX ? coarse->pairs.count : ROWS_MAX;
    ss_cu_dim blocks = {(unsigned)ceil_div(cells, MG_THREADS), (unsigned)rows, 1};
    coarse->restriction.blocks = coarse->correction.blocks = blocks;
    coarse->restriction.threads.x = coarse->correction.threads.x = MG_THREADS;
    return ss_cuda_kernel_get(&coarse->restriction, err, "multigrid/patch_passes.cuh",
                              "mg_restrict_patches<%s>", real) == SS_OK
               ? ss_cuda_kernel_get(&coarse->correction, err, "multigrid/patch_passes.cuh",
                                    "mg_correct_patches<%s>", real)
               : SS_FAIL;
}

/* A smoother in place copies the field first. */
static int find_copy(patch_grid *g, ss_err *err)
{
    int all = ceil_div((int64_t)(g->bytes / COPY_BYTES), MG_THREADS);
    g->copy.blocks.x = (unsigned)(all < COPY_BLOCKS ? all : COPY_BLOCKS);
    g->copy.threads.x = MG_THREADS;
    return ss_cuda_kernel_get(&g->copy, err, "multigrid/patch_passes.cuh", "mg_copy");
}

static int make_pairs(const ss_run *run, const patch_grid *fine, patch_grid *coarse, ss_err *err)
{
    const ss_cuda_patches *f = state_of(fine)->patches, *c = state_of(coarse)->patches;
    size_t bytes = (size_t)c->count * sizeof(mg_pair);
    mg_pair *list = ss_alloc(bytes, "the patches of two grids", err);
    int most = 0; /* cells of the largest patch */
    if (!list)
        return SS_FAIL;
    coarse->pairs.count = c->count;
    for (int q = 0; q < c->count; q++) {
        list[q] = pair_of(&f->list[q].box, &c->list[q].box);
        int cells = list[q].nx * list[q].ny * list[q].nz;
        most = cells > most ? cells : most;
    }
    int status = ss_cuda_keep_copy(&ss_cuda_plan_of(run)->kept, (void **)&coarse->pairs.list, list,
                                   bytes, "the patches of two grids", err);
    free(list);
    return status == SS_OK ? find_passes(coarse, most, err) : SS_FAIL;
}

/* --- prepare ---------------------------------------------------------------------------------- */

/* A run without limits and norms; its kernels test the flag with which the norm of the finest grid
 * stops them, hence check_every. */
static int describe(const ss_run *run, patch_grid *g, int level, ss_err *err)
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
    at->problem = ss_config_problem(&at->cfg);
    at->eq->coef(&at->problem, &at->coef);
    return SS_OK;
}

/* Halo exchanges of a cycle. */
static double exchanges_of(const ss_mg_plan *mg, const patch_grid *g, int level)
{
    bool coarsest = level + 1 == mg->levels;
    int smooth = ss_cuda_leaves_ghosts(&g->run) ? (coarsest ? 1 : (mg->pre > 0) + (mg->post > 0))
                                                : ss_mg_sweeps(mg, level);
    return ss_mg_visits(mg, level) * (smooth + !coarsest);
}

static int make_grid(const ss_run *run, patch_plan *p, int level, ss_err *err)
{
    patch_grid *g = &p->at[level];
    bool finest = level == 0;
    if (describe(run, g, level, err) != SS_OK || make_state(run, g, finest, err) != SS_OK)
        return SS_FAIL;
    g->run.ops = ss_matrix(g->run.eq, g->run.solver, g->run.backend, NULL);
    if (g->run.ops->prepare(&g->run, err) != SS_OK)
        return SS_FAIL;
    g->exchanges = exchanges_of(&p->mg, g, level);
    p->in_place = ss_cuda_plan_of(&g->run)->in_place;
    if (make_arrays(run, g, finest, p->in_place, err) != SS_OK ||
        (p->in_place && find_copy(g, err) != SS_OK))
        return SS_FAIL;
    return finest ? SS_OK : make_pairs(run, &p->at[level - 1], g, err);
}

static int make_grids(ss_run *run, patch_plan *p, ss_err *err)
{
    p->mg = ss_mg_plan_of(&run->cfg, &run->problem);
    p->passes = ss_mg_sweeps(&p->mg, 0) + (p->mg.levels > 1);
    p->at = ss_alloc((size_t)p->mg.levels * sizeof *p->at, "the grids", err);
    if (!p->at)
        return SS_FAIL;
    run->seconds_inverses = run->bytes_inverses = 0;
    for (int l = 0; l < p->mg.levels; l++) {
        if (make_grid(run, p, l, err) != SS_OK)
            return SS_FAIL;
        run->seconds_inverses += p->at[l].run.seconds_inverses;
        run->bytes_inverses += p->at[l].run.bytes_inverses;
    }
    return SS_OK;
}

static int make(ss_run *run, ss_cuda_plan *plan, ss_err *err)
{
    patch_plan *p = plan->own;
    if (make_grids(run, p, err) != SS_OK || ss_cuda_plan_cycles(run, launch, 1, err) != SS_OK)
        return SS_FAIL;
    const ss_cuda_plan *smoother = ss_cuda_plan_of(&p->at[0].run);
    plan->more = smoother->more ? smoother->more : &smoother->kernels;
    bool one_graph = plan->graphs && ss_mg_ticks(&p->mg) <= GRAPH_SWEEPS_MAX;
    plan->enter = one_graph ? enter_and_record : enter;
    plan->graphs = false; /* of many cycles */
    return SS_OK;
}

static const ss_cuda_solver solver = {sizeof(patch_plan), make, .leave = leave,
                                      .close = close_plan};

int ss_cuda_multigrid3d_prepare(ss_run *run, ss_err *err)
{
    return ss_cuda_prepare(run, &solver, err);
}
