/*
 * The CPU backend: owns the two fields and the right-hand side of a run in host memory. Rows start
 * at cache lines. The row stride is an odd number of cache lines, so that neighbouring rows map to
 * different cache sets. The halo is zero (Dirichlet) and written once. Each row is first touched by
 * the thread that will sweep it. Engine thread.
 */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <math.h>

#include "kernels/cpu/state.h"
#include "kernels/cpu/simd/machine.h"
#include "src/core/run.h"
#include "kernels/cpu/simd/norm.h"
#include "kernels/sample/parts.h"

static int probe(ss_err *err)
{
    (void)err; /* the CPU is always available */
    return SS_OK;
}

/* Row (j, k) of the field-th field of an array. */
static char *row_at(const ss_run *run, void *array, int field, int j, int k)
{
    const ss_cpu_state *st = run->state;
    size_t at = (size_t)field * st->box.count + ss_cpu_at(st, 0, j, k);
    return (char *)array + at * ss_prec_size(run->prec);
}

/* Converts n doubles to the run's precision. */
static void narrow(ss_prec prec, const double *from, int n, void *to)
{
    if (prec == SS_F64) {
        memcpy(to, from, (size_t)n * sizeof *from);
        return;
    }
    float *out = to;
    for (int i = 0; i < n; i++)
        out[i] = (float)from[i];
}

/* --- filling ------------------------------------------------------------------------------ */

/* Zeroes rows [j0, j1) of every plane, including the halo rows at the ends. */
static void clear_rows(const ss_run *run, void *array, int field, int j0, int j1)
{
    const ss_cpu_state *st = run->state;
    const ss_box *b = &st->box;
    size_t size = ss_prec_size(run->prec);
    int lo = j0 == 0 ? -b->hy : j0, hi = j1 == b->ny ? b->ny + b->hy : j1;
    for (int k = -b->hz; k < b->nz + b->hz; k++) {
        /* From the line before the first row to the line before the row after the last. */
        char *from = row_at(run, array, field, lo, k) - SS_ALIGN;
        size_t bytes = (size_t)(hi - lo) * (size_t)b->sy * size;
        bool end = hi == b->ny + b->hy && k == b->nz + b->hz - 1;
        memset(from, 0, bytes + (end ? SS_ALIGN : 0));
    }
}

static void fill_rows(const ss_run *run, int field, int j0, int j1, double *row)
{
    const ss_cpu_state *st = run->state;
    for (int k = 0; k < st->box.nz; k++)
        for (int j = j0; j < j1; j++) {
            run->eq->init(&run->problem, field, j, k, row);
            narrow(run->prec, row, st->box.nx, row_at(run, st->u[st->cur], field, j, k));
            if (!st->rhs)
                continue;
            run->eq->rhs(&run->problem, field, j, k, row);
            narrow(run->prec, row, st->box.nx, row_at(run, st->rhs, field, j, k));
        }
}

/* In 1D the threads divide the points of the line: each first touches its own range. */
static void touch_points(const ss_run *run, int t, int team)
{
    const ss_cpu_state *st = run->state;
    size_t size = ss_prec_size(run->prec);
    int from = ss_team_row(st->box.nx, t, team), to = ss_team_row(st->box.nx, t + 1, team);
    for (int field = 0; field < run->eq->nfield; field++)
        for (int k = 0; k < 2; k++)
            memset(row_at(run, st->u[k], field, 0, 0) + (size_t)from * size, 0,
                   (size_t)(to - from) * size);
}

/* Each thread fills its own rows. `fresh`: the memory has not been touched yet. */
static int fill(ss_run *run, bool fresh, ss_err *err)
{
    const ss_cpu_state *st = run->state;
    const ss_box *b = &st->box;
    if (st->patch)
        return ss_cpu_patches_fill(run, fresh, err);
    int team = ss_team_size(run, (double)b->nx * b->ny * b->nz);
    double *rows = ss_alloc((size_t)team * (size_t)b->nx * sizeof *rows, "rows", err);
    if (!rows)
        return SS_FAIL;
#pragma omp parallel num_threads(team)
    {
        int t = omp_get_thread_num(), n = omp_get_num_threads();
        int j0 = ss_team_row(b->ny, t, n), j1 = ss_team_row(b->ny, t + 1, n);
        if (fresh && b->ny * b->nz == 1) {
            touch_points(run, t, n);
#pragma omp barrier
        }
        for (int field = 0; field < run->eq->nfield; field++) {
            if (fresh && j1 > j0) {
                clear_rows(run, st->u[0], field, j0, j1);
                clear_rows(run, st->u[1], field, j0, j1);
                if (st->rhs)
                    clear_rows(run, st->rhs, field, j0, j1);
            }
            fill_rows(run, field, j0, j1, rows + (size_t)t * (size_t)b->nx);
        }
    }
    free(rows);
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
    st->box = ss_problem_box(&run->problem, run->prec);
    if (run->eq->patches && ss_cpu_patches_make(run, err) != SS_OK)
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
    int filled = fill(run, true, err);
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
    return fill(run, false, err);
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
        if (st->patch)
            ss_cpu_patches_put(run, array(run, which), j, k,
                               (const char *)rows + (size_t)(j - j0) * bytes);
        else
            memcpy(row_at(run, array(run, which), field, j, k),
                   (const char *)rows + (size_t)(j - j0) * bytes, bytes);
    return SS_OK;
}

static int download(ss_run *run, int which, int field, int k, int j0, int j1, void *rows,
                    ss_err *err)
{
    const ss_cpu_state *st = run->state;
    size_t bytes = (size_t)st->box.nx * ss_prec_size(run->prec);
    (void)err;
    for (int j = j0; j < j1; j++) {
        char *row = (char *)rows + (size_t)(j - j0) * bytes;
        if (st->patch)
            ss_cpu_patches_get(run, array(run, which), j, k, row);
        else
            memcpy(row, row_at(run, array(run, which), field, j, k), bytes);
    }
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

static void step_team(ss_run *run, int64_t cycles, bool (*cycle)(ss_run *run, bool check),
                      double (*norm)(const ss_run *run))
{
    ss_cpu_state *st = run->state;
    for (int64_t c = 0; c < cycles; c++) {
        bool check = ss_run_wants_norm(run);
        run->start_kept = false; /* during a cycle the other buffer is only partly written */
        if (!cycle(run, check))
            return;
        if (check && !ss_run_norm(run, norm(run)))
            return;
        st->cur = 1 - st->cur;
        ss_run_cycle_done(run);
    }
}

void ss_cpu_step(ss_run *run, int64_t cycles, bool (*cycle)(ss_run *run, bool check),
                 double (*norm)(const ss_run *run))
{
    ss_team_enter(run);
    step_team(run, cycles, cycle, norm);
    ss_team_leave(run);
}

/* --- fields for the sampler ------------------------------------------------------------------- */

const void *ss_cpu_shown(const ss_run *run)
{
    const ss_cpu_state *st = run->state;
    return run->peek ? st->u[1 - st->cur] : st->u[st->cur];
}

const void *ss_cpu_start(const ss_run *run, int *subiterations)
{
    const ss_cpu_state *st = run->state;
    *subiterations = run->peek ? run->peek : run->ticks_per_cycle;
    if (run->peek)
        return st->u[st->cur];
    return run->start_kept ? st->u[1 - st->cur] : NULL;
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

/* --- reductions over the whole field ---------------------------------------------------------- */

static int team_of(const ss_run *run)
{
    const ss_box *b = &((const ss_cpu_state *)run->state)->box;
    return ss_team_size(run, (double)b->nx * b->ny * b->nz);
}

static int row_count(const ss_cpu_state *st)
{
    return st->box.ny * st->box.nz;
}

/* Row r of the box, planes one after the other. */
static size_t element_of_row(const ss_cpu_state *st, int r)
{
    return ss_cpu_at(st, 0, r % st->box.ny, r / st->box.ny);
}

/* sum[r] = sum over row r of (u' - u)^2. The new values are discarded: each thread has one row for
 * them. */
static int sum_rows(const ss_run *run, const char *u, double *sum, ss_err *err)
{
    const ss_cpu_state *st = run->state;
    const char *rhs = st->rhs;
    size_t size = ss_prec_size(run->prec);
    size_t row = ((size_t)st->box.nx / SS_ALIGN + 2) * SS_ALIGN * size;
    int threads = team_of(run), rows = row_count(st);
    char *scratch = ss_alloc(row * (size_t)threads, "rows for a norm", err);
    if (!scratch)
        return SS_FAIL;
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int r = 0; r < rows; r++) {
        size_t at = element_of_row(st, r) * size;
        ss_sweep sweep = {.nx = st->box.nx, .ny = 1, .nz = 1, .sum = &sum[r]};
        sweep.in_sy = sweep.rhs_sy = sweep.out_sy = st->box.sy;
        sweep.in_sz = sweep.rhs_sz = sweep.out_sz = st->box.sz;
        run->eq->apply[run->prec](&run->coef, 0, u + at, rhs + at,
                                  scratch + row * (size_t)omp_get_thread_num(), &sweep);
    }
    free(scratch);
    return SS_OK;
}

static double value_at(const void *u, size_t i, ss_prec prec)
{
    return prec == SS_F64 ? ((const double *)u)[i] : (double)((const float *)u)[i];
}

/* The larger of a maximum and a deviation. One that is not a number counts as infinite: comparisons
 * would skip it, and a field of NaN would have the error 0. */
static double larger(double max, double e)
{
    return e <= max ? max : isnan(e) ? HUGE_VAL : e;
}

static double max_deviation(const ss_run *run, const void *u, const double *ref)
{
    const ss_cpu_state *st = run->state;
    int rows = row_count(st), nx = st->box.nx;
    double max = 0;
#pragma omp parallel for num_threads(team_of(run)) schedule(static) reduction(max : max)
    for (int r = 0; r < rows; r++) {
        size_t at = element_of_row(st, r);
        const double *expected = ref + (size_t)r * (size_t)nx;
        for (int i = 0; i < nx; i++) {
            double e = fabs(value_at(u, at + (size_t)i, run->prec) - expected[i]);
            max = larger(max, e);
        }
    }
    return max;
}

/* The same over the rows of a patch. ref is a dense array of the window. */
static double patch_deviation(const ss_run *run, const ss_patch *p, const void *u,
                              const double *ref)
{
    const ss_cpu_state *st = run->state;
    int64_t rows = (int64_t)p->box.ny * p->box.nz;
    double max = 0;
    for (int64_t r = 0; r < rows; r++) {
        size_t at = ss_patch_row_at(p, r);
        int64_t j = p->at[1] + r % p->box.ny, k = p->at[2] + r / p->box.ny;
        const double *expected = ref + (k * st->box.ny + j) * st->box.nx + p->at[0];
        for (int i = 0; i < p->box.nx; i++) {
            double e = fabs(value_at(u, at + (size_t)i, run->prec) - expected[i]);
            max = larger(max, e);
        }
    }
    return max;
}

static int reduce_patches(ss_run *run, double *residual, const double *ref, double *max_error,
                          ss_err *err)
{
    const ss_cpu_state *st = run->state;
    const void *u = st->u[st->cur];
    double max = 0;
    ss_cpu_ghosts(run);
    if (ref && max_error) {
#pragma omp parallel for num_threads(team_of(run)) schedule(dynamic, 1) reduction(max : max)
        for (int q = 0; q < st->patches; q++) {
            double e = patch_deviation(run, &st->patch[q], u, ref);
            max = larger(max, e);
        }
        *max_error = max;
    }
    if (!residual)
        return SS_OK;
    double *sum = ss_alloc(ss_cpu_rows(run) * sizeof *sum, "row sums", err);
    if (!sum)
        return SS_FAIL;
    *residual = ss_cpu_patches_norm(run, u, sum);
    free(sum);
    return SS_OK;
}

int ss_cpu_reduce(ss_run *run, double *residual, const double *ref, double *max_error, ss_err *err)
{
    const ss_cpu_state *st = run->state;
    const char *u = ss_cpu_shown(run);
    if (st->patch)
        return reduce_patches(run, residual, ref, max_error, err);
    if (ref && max_error)
        *max_error = max_deviation(run, u, ref);
    if (!residual)
        return SS_OK;
    double *sum = ss_alloc((size_t)row_count(st) * sizeof *sum, "row sums", err);
    if (!sum || sum_rows(run, u, sum, err) != SS_OK) {
        free(sum);
        return SS_FAIL;
    }
    *residual = fabs(run->coef.residual) * sqrt(ss_tree_sum(sum, (size_t)row_count(st)));
    free(sum);
    return SS_OK;
}

/* --- what samplers read ----------------------------------------------------------------------- */

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

static double element(ss_prec prec, const void *a, size_t i)
{
    return prec == SS_F64 ? ((const double *)a)[i] : (double)((const float *)a)[i];
}

static double field_value(const ss_run *run, const ss_box *b, size_t c)
{
    const ss_cpu_state *st = run->state;
    (void)b;
    return element(run->prec, st->u[st->cur], c);
}

static double rhs_value(const ss_run *run, const ss_box *b, size_t c)
{
    const ss_cpu_state *st = run->state;
    (void)b;
    return element(run->prec, st->rhs, c) * run->coef.residual;
}

static double start_value(const ss_run *run, const ss_box *b, size_t c)
{
    const ss_cpu_state *st = run->state;
    (void)b;
    return element(run->prec, st->u[1 - st->cur], c);
}

static double residual_value(const ss_run *run, const ss_box *b, size_t c)
{
    const ss_cpu_state *st = run->state;
    const void *u = st->u[st->cur];
    size_t sy = (size_t)b->sy, sz = (size_t)b->sz;
    double sum = element(run->prec, u, c - 1) + element(run->prec, u, c + 1) +
                 element(run->prec, u, c - sy) + element(run->prec, u, c + sy) +
                 element(run->prec, u, c - sz) + element(run->prec, u, c + sz);
    double r = element(run->prec, st->rhs, c) - 6 * element(run->prec, u, c) + sum;
    return run->coef.residual * r;
}

/* Fills the part of the slice inside a patch. */
static void fill_patch(const ss_run *run, const ss_patch *p, const ss_slice *s, ss_slice_part part,
                       double *out)
{
    static double (*const values[SS_NSLICE])(const ss_run *, const ss_box *, size_t) = {
        [SS_SLICE_U] = field_value,
        [SS_SLICE_RHS] = rhs_value,
        [SS_SLICE_START] = start_value,
        [SS_SLICE_RESIDUAL] = residual_value,
    };
    const int n[3] = {p->box.nx, p->box.ny, p->box.nz};
    const ptrdiff_t stride[3] = {1, p->box.sy, p->box.sz};
    int inside = s->at - p->at[s->axis];
    if (inside < 0 || inside >= n[s->axis])
        return;
    ptrdiff_t first = (ptrdiff_t)p->box.first + inside * stride[s->axis];
    for (int y = 0; y < n[s->d[1]]; y++) {
        double *row = out + (ptrdiff_t)(p->at[s->d[1]] + y) * s->n[0] + p->at[s->d[0]];
        for (int x = 0; x < n[s->d[0]]; x++)
            row[x] = values[part](run, &p->box,
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
