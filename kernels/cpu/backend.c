/*
 * The CPU backend: owns the two fields and the right-hand side of a run in host memory. Rows start
 * at cache lines. The row stride is an odd number of cache lines, so that neighbouring rows map to
 * different cache sets. The halo is zero (Dirichlet) and written once. Each row is first touched by
 * the thread that will sweep it. Engine thread.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cpu/state.h"
#include "kernels/cpu/simd/machine.h"
#include "src/core/run.h"
#include "kernels/sample/parts.h"

static int probe(ss_err *err)
{
    (void)err; /* the CPU is always available */
    return SS_OK;
}

/* --- functions of ss_backend ------------------------------------------------------------------ */

static void close_state(ss_run *run)
{
    ss_cpu_state *st = run->state;
    if (!st)
        return;
    free(st->u[0]);
    free(st->u[1]);
    free(st->rhs);
    free(st->age);
    free(st->order);
    free(st->patch);
    free(st);
    run->state = NULL;
}

int ss_cpu_prepare_ages(ss_run *run, ss_err *err)
{
    ss_cpu_state *st = run->state;
    ss_tiling t = run->solver->tiling(&run->cfg, &run->problem);
    size_t tiles = (size_t)t.x.count * (size_t)t.y.count;
    if (tiles == st->ages)
        return SS_OK;
    free(st->age);
    st->age = ss_alloc(tiles * sizeof *st->age, "ages of the tiles", err);
    st->ages = st->age ? tiles : 0;
    return st->age ? SS_OK : SS_FAIL;
}

/* Allocates memory for an order, which is not yet recorded. */
static int make_order(ss_cpu_state *st, size_t sweeps, ss_err *err)
{
    if (sweeps != st->orders) {
        free(st->order);
        st->order = ss_alloc(sweeps * sizeof *st->order, "the order of the tiles", err);
    }
    st->orders = 0;
    return st->order ? SS_OK : SS_FAIL;
}

int ss_cpu_prepare_order(ss_run *run, ss_run *watched, ss_err *err)
{
    ss_cpu_state *st = run->state;
    bool known = false;
    if (!watched->ops->order)
        return SS_OK;
    ss_tiling t = run->solver->tiling(&run->cfg, &run->problem);
    size_t sweeps = (size_t)t.x.count * (size_t)t.y.count * (size_t)run->iterations_per_cycle;
    if (make_order(st, sweeps, err) != SS_OK ||
        watched->ops->order(watched, st->order, &known, err) != SS_OK)
        return SS_FAIL;
    st->orders = known ? sweeps : 0;
    return SS_OK;
}

static int open_state(ss_run *run, ss_err *err)
{
    ss_cpu_state *st = ss_alloc(sizeof *st, "state", err);
    if (!st)
        return SS_FAIL;
    run->state = st;
    if (ss_cpu_fields_make(run, err) != SS_OK)
        goto fail;
    size_t bytes = st->box.count * ss_prec_size(run->prec) * (size_t)run->eq->nfield;
    int arrays = run->eq->rhs ? 3 : 2;
    st->stream = (size_t)arrays * bytes > ss_memory_cache();
    st->u[0] = ss_memory_untouched(bytes, "the field", err);
    st->u[1] = st->u[0] ? ss_memory_untouched(bytes, "the second field", err) : NULL;
    if (st->u[1] && run->eq->rhs)
        st->rhs = ss_memory_untouched(bytes, "the right-hand side", err);
    if (!st->u[1] || (run->eq->rhs && !st->rhs) || ss_team_bind(run, err) != SS_OK)
        goto fail;
    ss_team_enter(run);
    int filled = ss_cpu_fill(run, true, err);
    ss_team_leave(run);
    if (filled == SS_OK)
        return SS_OK;
fail:
    close_state(run);
    return SS_FAIL;
}

static int reset(ss_run *run, ss_err *err)
{
    const ss_cpu_state *st = run->state;
    if (st->ages > 0)
        memset(st->age, 0, st->ages * sizeof *st->age);
    return ss_cpu_fill(run, false, err);
}

/* 0: the current field, 1: the right-hand side, 2: the start of the last cycle. */
static void *array(const ss_run *run, int which)
{
    const ss_cpu_state *st = run->state;
    return which == 1 ? st->rhs : st->u[which == 0 ? st->cur : 1 - st->cur];
}

static int upload(ss_run *run, int which, int field, int k, int j0, int j1, const void *rows,
                  ss_err *err)
{
    ss_cpu_state *st = run->state;
    size_t bytes = (size_t)st->box.nx * ss_prec_size(run->prec);
    (void)err;
    st->ghosts_old |= which == 0;
    for (int j = j0; j < j1; j++)
        ss_cpu_row_put(run, array(run, which), field, j, k,
                       (const char *)rows + (size_t)(j - j0) * bytes);
    return SS_OK;
}

static int download(ss_run *run, int which, int field, int k, int j0, int j1, void *rows,
                    ss_err *err)
{
    const ss_cpu_state *st = run->state;
    size_t bytes = (size_t)st->box.nx * ss_prec_size(run->prec);
    (void)err;
    for (int j = j0; j < j1; j++)
        ss_cpu_row_get(run, array(run, which), field, j, k,
                       (char *)rows + (size_t)(j - j0) * bytes);
    return SS_OK;
}

static void describe(const ss_config *cfg, char *buf, size_t size)
{
    int threads = ss_config_threads(cfg), ranks = ss_config_ranks(cfg);
    if (ranks > 0)
        snprintf(buf, size, "CPU, %d modelled ranks", ranks);
    else
        snprintf(buf, size, "CPU, %d thread%s", threads, threads == 1 ? "" : "s");
}

/* --- stepping --------------------------------------------------------------------------------- */

void *ss_cpu_own(ss_run *run, void *memory)
{
    ss_cpu_state *st = run->state;
    st->own[st->owned++] = memory;
    return memory;
}

void *ss_cpu_alloc(ss_run *run, size_t bytes, const char *what, ss_err *err)
{
    return ss_cpu_own(run, ss_alloc(bytes, what, err));
}

static const ss_cpu_schedule *schedule_of(const ss_run *run)
{
    return run->ops->own;
}

/* The threads are bound first: schedules touch their memory for the first time. */
int ss_cpu_prepare(ss_run *run, ss_err *err)
{
    const ss_cpu_schedule *how = schedule_of(run);
    run->scratch = ss_cpu_alloc(run, how->scratch, "scratch", err);
    if (run->scratch && ss_team_bind(run, err) == SS_OK && how->prepare(run, err) == SS_OK)
        return SS_OK;
    ss_cpu_release(run);
    return SS_FAIL;
}

void ss_cpu_release(ss_run *run)
{
    ss_cpu_state *st = run->state;
    if (run->scratch && schedule_of(run)->release)
        schedule_of(run)->release(run->scratch);
    while (st->owned > 0)
        free(st->own[--st->owned]);
    run->scratch = NULL;
}

static void step_team(ss_run *run, int64_t cycles)
{
    const ss_cpu_schedule *how = schedule_of(run);
    ss_cpu_state *st = run->state;
    for (int64_t c = 0; c < cycles; c++) {
        bool check = ss_run_wants_norm(run);
        run->start_kept = false; /* during a cycle the other buffer is only partly written */
        if (!how->cycle(run, check))
            return;
        if (check && !ss_run_norm(run, how->norm(run)))
            return;
        st->cur = 1 - st->cur;
        ss_run_cycle_done(run);
    }
}

int ss_cpu_step(ss_run *run, int64_t cycles, ss_err *err)
{
    (void)err;
    ss_cpu_ghosts(run);
    ss_team_enter(run);
    step_team(run, cycles);
    ss_team_leave(run);
    return SS_OK;
}

int ss_cpu_peek(ss_run *run, int ticks, ss_err *err)
{
    run->start_kept = false;
    ss_cpu_ghosts(run);
    ss_team_enter(run);
    bool whole = schedule_of(run)->peek(run, ticks);
    ss_team_leave(run);
    return whole ? SS_OK : ss_fail(err, "the cycle was interrupted");
}

/* --- lines and planes ------------------------------------------------------------------------- */

static ss_part whole_field(const ss_run *run, const void *field)
{
    const ss_cpu_state *st = run->state;
    ss_part p = {.stride = st->box.sy, .field = (ptrdiff_t)st->box.count};
    if (field)
        p.data = (const char *)field + st->box.first * ss_prec_size(run->prec);
    return p;
}

/* Every area is the whole field. */
static int fetch(ss_sampler *s, const ss_area *area, int n, ss_parts *out, ss_err *err)
{
    const ss_run *run = s->run;
    const ss_cpu_state *st = run->state;
    int subiterations;
    (void)area, (void)err;
    for (int i = 0; i < n; i++) {
        out[i].of[SS_PART_U] = whole_field(run, ss_cpu_shown(run));
        out[i].of[SS_PART_RHS] = whole_field(run, st->rhs);
        out[i].of[SS_PART_START] = whole_field(run, ss_cpu_start(run, &subiterations));
    }
    return SS_OK;
}

static int cells(ss_sampler *s, const ss_plan *p, ss_picture *out, ss_err *err)
{
    fetch(s, NULL, 1, &s->here, err);
    return ss_sample_cells(s, p, out, err);
}

static int tile_sums(ss_sampler *s, const ss_tile_set *set, const ss_tile_sums *out, ss_err *err)
{
    fetch(s, NULL, 1, &s->here, err);
    return ss_sample_tile_sums(s, set, out, err);
}

/* --- slices of a 3D domain -------------------------------------------------------------------- */

/* The quantity at element c. */
static double slice_value(const ss_run *run, const ss_box *b, ss_slice_part part, size_t c)
{
    const ss_cpu_state *st = run->state;
    const void *u = st->u[part == SS_SLICE_START ? 1 - st->cur : st->cur];
    size_t sy = (size_t)b->sy, sz = (size_t)b->sz;
    double g = ss_cpu_value(run->prec, st->rhs, c), here = ss_cpu_value(run->prec, u, c);
    if (part == SS_SLICE_RHS)
        return g * run->coef.residual;
    if (part != SS_SLICE_RESIDUAL)
        return here;
    double sum = ss_cpu_value(run->prec, u, c - 1) + ss_cpu_value(run->prec, u, c + 1) +
                 ss_cpu_value(run->prec, u, c - sy) + ss_cpu_value(run->prec, u, c + sy) +
                 ss_cpu_value(run->prec, u, c - sz) + ss_cpu_value(run->prec, u, c + sz);
    return run->coef.residual * (g - 6 * here + sum);
}

/* Fills the part of the slice inside a patch. */
static void fill_patch(const ss_run *run, const ss_patch *p, const ss_slice *s, ss_slice_part part,
                       double *out)
{
    const int n[3] = {p->box.nx, p->box.ny, p->box.nz};
    const ptrdiff_t stride[3] = {1, p->box.sy, p->box.sz};
    int inside = s->at - p->at[s->axis];
    if (inside < 0 || inside >= n[s->axis])
        return;
    ptrdiff_t first = (ptrdiff_t)p->box.first + inside * stride[s->axis];
    for (int y = 0; y < n[s->d[1]]; y++) {
        double *row = out + (ptrdiff_t)(p->at[s->d[1]] + y) * s->n[0] + p->at[s->d[0]];
        for (int x = 0; x < n[s->d[0]]; x++)
            row[x] = slice_value(run, &p->box, part,
                                 (size_t)(first + y * stride[s->d[1]] + x * stride[s->d[0]]));
    }
}

static int slice(ss_run *run, const ss_slice *s, ss_slice_part part, double *out, ss_err *err)
{
    const ss_cpu_state *st = run->state;
    (void)err;
    ss_cpu_ghosts(run);
    for (int q = 0; q < st->patches; q++)
        fill_patch(run, &st->patch[q], s, part, out);
    return SS_OK;
}

/* --- the reader ------------------------------------------------------------------------------- */

static const int *ages(const ss_run *run, size_t tiles)
{
    const ss_cpu_state *st = run->state;
    return st->ages == tiles ? st->age : NULL;
}

int ss_cpu_sample(ss_run *run, const ss_view *view, ss_picture *out, ss_err *err)
{
    static const ss_reader reader = {
        .picture_bytes = 2.0 * 1024 * 1024,
        .profile_bytes = 1024.0 * 1024,
        .stale_small = 5e6,
        .stale_share = 0.05,
        .fetch = fetch,
        .cells = cells,
        .tile_sums = tile_sums,
        .slice = slice,
        .ages = ages,
    };
    const ss_cpu_state *st = run->state;
    return ss_sample(run, view, &reader, &st->box, out, err);
}

const ss_backend ss_backend_cpu = {
    .name = "cpu",
    .title = "this machine's processors",
    .probe = probe,
    .describe = describe,
    .memory = ss_memory_available,
    .open = open_state,
    .close = close_state,
    .reset = reset,
    .upload = upload,
    .download = download,
    .sample = ss_cpu_sample,
    .reduce = ss_cpu_reduce,
    .meter = &ss_cpu_meter,
    .beside = 2048.0 * 2048,
};
