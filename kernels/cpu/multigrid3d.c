/*
 * Multigrid on patches on the CPU. Each grid is a run of its own: of the block smoother, on patches
 * that are half as large, whose field is the correction of the next finer grid. A sweep is a step
 * of that run, halo exchange included. The finest grid has two fields of its own and the right-hand
 * side of the run, so that the current field does not change before the cycle is complete. Rows are
 * restricted and corrected independently, so that the bits do not depend on the threads. Engine
 * thread.
 */
#include <omp.h>
#include <string.h>

#include "kernels/block/smooth.h"
#include "kernels/cpu/simd/machine.h"
#include "kernels/cpu/state.h"
#include "kernels/solver/multigrid.h"
#include "src/core/registry.h"

static ss_param params[] = {SS_MG_PATCH_ROWS, SS_CPU_PARALLEL_ROW};

typedef struct scratch {
    ss_mg_plan plan;
    ss_run *at;     /* the grids, the finest first */
    int64_t *steps; /* per grid: its sweeps in a cycle */
    double *sum;    /* squared residuals of the rows of the finest grid */
    double norm;
    int64_t left; /* sweeps still to do: the microscope stops in a cycle */
} scratch;

/* --- between grids ---------------------------------------------------------------------------- */

/* An operation over rows [from, to) of patch q of a grid. */
typedef void rows_fn(const ss_run *fine, const ss_run *coarse, int q, int from, int to);

/* Runs it over all rows of a grid; the threads divide the rows of each patch. */
static void over_rows(const ss_run *of, const ss_run *fine, const ss_run *coarse, rows_fn *what)
{
    const ss_cpu_state *st = of->state;
    int team = ss_team_size(of, (double)st->box.nx * st->box.ny * st->box.nz);
#pragma omp parallel num_threads(team)
    for (int q = 0; q < st->patches; q++) {
        int t = omp_get_thread_num(), n = omp_get_num_threads();
        int rows = st->patch[q].box.ny * st->patch[q].box.nz;
        what(fine, coarse, q, ss_team_row(rows, t, n), ss_team_row(rows, t + 1, n));
    }
}

static void restrict_rows(const ss_run *fine, const ss_run *coarse, int q, int from, int to)
{
    const ss_cpu_state *f = fine->state, *c = coarse->state;
    ss_transfer_restrict(&f->patch[q].box, &c->patch[q].box, fine->prec, f->u[f->cur], f->rhs,
                         c->rhs, from, to);
}

static void correct_rows(const ss_run *fine, const ss_run *coarse, int q, int from, int to)
{
    const ss_cpu_state *f = fine->state, *c = coarse->state;
    ss_transfer_correct(&f->patch[q].box, &c->patch[q].box, fine->prec, c->u[c->cur], f->u[f->cur],
                        from, to);
}

/* The coarser grid's right-hand side, and its first guess: zero, in the ghost cells, too. */
static void restrict_residual(const ss_run *fine, ss_run *coarse)
{
    const ss_cpu_state *c = coarse->state;
    over_rows(coarse, fine, coarse, restrict_rows);
    memset(c->u[c->cur], 0, c->box.count * ss_prec_size(coarse->prec));
}

static void correct(const ss_run *fine, const ss_run *coarse)
{
    const ss_cpu_state *f = fine->state, *c = coarse->state;
    ss_cpu_exchange_edges(coarse, c->u[c->cur]);
    over_rows(fine, fine, coarse, correct_rows);
    ss_cpu_exchange(fine, f->u[f->cur]);
}

/* --- a cycle ---------------------------------------------------------------------------------- */

static void smooth(ss_run *run, int level, int sweeps)
{
    scratch *s = run->scratch;
    int64_t n = sweeps < s->left ? sweeps : s->left;
    if (n > 0)
        s->at[level].ops->step(&s->at[level], n, NULL);
    s->left -= n;
}

static void visit(ss_run *run, int level, int shape)
{
    scratch *s = run->scratch;
    ss_run *at = &s->at[level];
    bool coarsest = level + 1 == s->plan.levels;
    smooth(run, level, coarsest ? s->plan.coarsest : s->plan.pre);
    if (coarsest || s->left <= 0)
        return;
    restrict_residual(at, at + 1);
    for (int i = 0; i < 2 && s->left > 0 && !ss_run_abandoned(run); i++)
        if (ss_mg_shapes[shape].next[i] >= 0)
            visit(run, level + 1, ss_mg_shapes[shape].next[i]);
    correct(at, at + 1);
    smooth(run, level, s->plan.post);
}

/* Sweeps are numbered from the beginning of the run: the order of a chaotic one depends on it. The
 * app may have another flag for interruptions than at the last cycle. */
static void number_sweeps(ss_run *run)
{
    scratch *s = run->scratch;
    for (int l = 0; l < s->plan.levels; l++) {
        s->at[l].abandon = run->abandon;
        s->at[l].cycle = run->cycle * s->steps[l];
    }
}

/* The seconds of the halo exchange on all grids. */
static void add_seconds(ss_run *run)
{
    scratch *s = run->scratch;
    for (int l = 0; l < s->plan.levels; l++) {
        run->seconds_ghosts += s->at[l].seconds_ghosts;
        s->at[l].seconds_ghosts = 0;
    }
}

/* Ends after `ticks` sweeps: then what the coarser grids have so far is added, without any more
 * sweep. */
static bool part_of_cycle(ss_run *run, int64_t ticks)
{
    const ss_cpu_state *st = run->state;
    scratch *s = run->scratch;
    const ss_cpu_state *finest = s->at[0].state;
    size_t bytes = st->box.count * ss_prec_size(run->prec);
    memcpy(finest->u[finest->cur], st->u[st->cur], bytes);
    number_sweeps(run);
    s->left = ticks;
    visit(run, 0, s->plan.shape);
    add_seconds(run);
    if (ss_run_abandoned(run))
        return false;
    memcpy(st->u[1 - st->cur], finest->u[finest->cur], bytes);
    return true;
}

/* The norm is a pass of its own: a smoother in place does not see the whole field unchanged. */
static bool cycle(ss_run *run, bool check)
{
    const ss_cpu_state *st = run->state;
    scratch *s = run->scratch;
    if (check)
        s->norm = ss_cpu_patches_norm(run, st->u[st->cur], s->sum);
    return part_of_cycle(run, INT64_MAX);
}

static double norm(const ss_run *run)
{
    const scratch *s = run->scratch;
    return s->norm;
}

static bool peek(ss_run *run, int ticks)
{
    return part_of_cycle(run, ticks);
}

/* --- memory ----------------------------------------------------------------------------------- */

/* The finest grid: the patches and the right-hand side are those of the run. */
static int open_finest(ss_run *run, ss_run *at, ss_err *err)
{
    const ss_cpu_state *st = run->state;
    size_t bytes = st->box.count * ss_prec_size(run->prec);
    ss_cpu_state *own = ss_cpu_alloc(run, sizeof *own, "state", err);
    at->state = own;
    if (!own)
        return SS_FAIL;
    *own = *st;
    own->cur = own->owned = 0;
    own->ghosts_old = false;
    own->u[0] = ss_cpu_alloc(run, bytes, "the finest grid", err);
    own->u[1] = ss_cpu_alloc(run, bytes, "the finest grid", err);
    return own->u[0] && own->u[1] ? SS_OK : SS_FAIL;
}

/* The state of the finest grid is the run's own. */
static void release(void *memory)
{
    scratch *s = memory;
    for (int l = 0; s->at && l < s->plan.levels; l++) {
        ss_run *at = &s->at[l];
        if (at->ops)
            at->ops->release(at);
        if (l > 0 && at->backend)
            at->backend->close(at);
    }
}

/* A grid is a run without limits and norms. */
static int prepare_grid(ss_run *run, int level, ss_err *err)
{
    scratch *s = run->scratch;
    ss_run *at = &s->at[level];
    at->eq = run->eq;
    at->backend = run->backend;
    at->prec = run->prec;
    at->threads = run->threads;
    at->pin = run->pin;
    at->iterations_per_cycle = 1;
    ss_mg_patch_config(&run->cfg, level, &at->cfg);
    at->solver = ss_config_solver(&at->cfg);
    at->problem = ss_config_problem(&at->cfg);
    at->eq->coef(&at->problem, &at->coef);
    s->steps[level] = (int64_t)ss_mg_visits(&s->plan, level) * ss_mg_sweeps(&s->plan, level);
    int opened = level == 0 ? open_finest(run, at, err) : run->backend->open(at, err);
    if (opened != SS_OK)
        return SS_FAIL;
    at->ops = ss_matrix(at->eq, at->solver, at->backend, NULL);
    return at->ops->prepare(at, err);
}

static int prepare(ss_run *run, ss_err *err)
{
    scratch *s = run->scratch;
    s->plan = ss_mg_plan_of(&run->cfg, &run->problem);
    size_t levels = (size_t)s->plan.levels;
    s->at = ss_cpu_alloc(run, levels * sizeof *s->at, "the grids", err);
    s->steps = ss_cpu_alloc(run, levels * sizeof *s->steps, "the grids", err);
    s->sum = ss_cpu_alloc(run, ss_cpu_rows(run) * sizeof *s->sum, "sums of the rows", err);
    if (!s->at || !s->steps || !s->sum)
        return SS_FAIL;
    run->seconds_inverses = run->bytes_inverses = 0;
    for (int l = 0; l < s->plan.levels; l++) {
        if (prepare_grid(run, l, err) != SS_OK)
            return SS_FAIL;
        run->seconds_inverses += s->at[l].seconds_inverses;
        run->bytes_inverses += s->at[l].bytes_inverses;
    }
    return SS_OK;
}

static const ss_cpu_schedule schedule = {sizeof(scratch), prepare, cycle, norm, peek, release};

const ss_engine_ops ss_cpu_multigrid3d = {
    SS_CPU_TICKS("multigrid", &schedule),
    .caps = SS_CAP_EXACT | SS_CAP_TICK,
    SS_PARAMS(params),
};
