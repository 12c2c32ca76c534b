/*
 * The fields of a run: one array per field holds all patches, each with its own halo; a line or a
 * plane is one patch. Rows of the window are scattered to the patches that contain them. Ghost
 * cells come from the neighbouring patch or from the rule for walls. Each row is first touched by
 * the thread that will sweep it. Engine thread; each call has its own OpenMP region.
 */
#include <math.h>
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/block/smooth.h"
#include "kernels/cpu/state.h"
#include "kernels/cpu/simd/norm.h"
#include "kernels/cpu/simd/machine.h"

/* --- the list --------------------------------------------------------------------------------- */

int ss_cpu_fields_make(ss_run *run, ss_err *err)
{
    ss_cpu_state *st = run->state;
    const ss_problem *p = &run->problem;
    int line = SS_ALIGN / (int)ss_prec_size(run->prec);
    st->box = ss_problem_box(p, run->prec);
    st->patches = run->eq->patches ? run->eq->patches(p, NULL) : 1;
    st->patch = ss_alloc((size_t)st->patches * sizeof *st->patch, "the list of patches", err);
    if (!st->patch)
        return SS_FAIL;
    if (run->eq->patches) {
        run->eq->patches(p, st->patch);
        st->box = (ss_box){.nx = p->nx, .ny = p->ny, .nz = p->nz, .hx = 1, .hy = 1, .hz = 1};
        st->box.count = ss_patches_layout(st->patch, st->patches, line);
    } else {
        *st->patch = ss_patch_make(p->nx, p->ny, p->nz, 0, 0, 0);
        st->patch->box = st->box;
    }
    st->rows = ss_patches_rows(st->patch, st->patches);
    return SS_OK;
}

static int team_of(const ss_run *run)
{
    const ss_cpu_state *st = run->state;
    return ss_team_size(run, (double)st->box.nx * st->box.ny * st->box.nz);
}

/* --- what is displayed ------------------------------------------------------------------------ */

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

/* --- rows of the window ----------------------------------------------------------------------- */

/* The part of row (j, k) of a field that is in a patch; NULL: none is. */
static char *row_in(const ss_run *run, const ss_patch *p, void *array, int field, int j, int k)
{
    const ss_cpu_state *st = run->state;
    int64_t r = ss_patch_row(p, j, k);
    if (r < 0)
        return NULL;
    return (char *)array +
           ((size_t)field * st->box.count + ss_patch_row_at(p, r)) * ss_prec_size(run->prec);
}

void ss_cpu_row_put(const ss_run *run, void *array, int field, int j, int k, const void *row)
{
    const ss_cpu_state *st = run->state;
    size_t size = ss_prec_size(run->prec);
    const ss_patch *first = st->patch + ss_patch_rows_at(&st->rows, j, k);
    for (const ss_patch *p = first; p < first + st->rows.count[0]; p++) {
        char *to = row_in(run, p, array, field, j, k);
        if (to)
            memcpy(to, (const char *)row + (size_t)p->at[0] * size, (size_t)p->box.nx * size);
    }
}

static void fill_with_nan(ss_prec prec, int n, void *row)
{
    for (int i = 0; i < n; i++)
        if (prec == SS_F64)
            ((double *)row)[i] = (double)NAN;
        else
            ((float *)row)[i] = NAN;
}

void ss_cpu_row_get(const ss_run *run, void *array, int field, int j, int k, void *row)
{
    const ss_cpu_state *st = run->state;
    size_t size = ss_prec_size(run->prec);
    const ss_patch *first = st->patch + ss_patch_rows_at(&st->rows, j, k);
    if (run->eq->patches)
        fill_with_nan(run->prec, st->box.nx, row);
    for (const ss_patch *p = first; p < first + st->rows.count[0]; p++) {
        const char *from = row_in(run, p, array, field, j, k);
        if (from)
            memcpy((char *)row + (size_t)p->at[0] * size, from, (size_t)p->box.nx * size);
    }
}

/* --- filling ---------------------------------------------------------------------------------- */

/* Converts doubles to the run's precision, in place. */
static void narrow(ss_prec prec, double *row, int n)
{
    for (int i = 0; prec == SS_F32 && i < n; i++) {
        float value = (float)row[i];
        memcpy((char *)row + (size_t)i * sizeof value, &value, sizeof value);
    }
}

/* Rows [from, to) of the window, planes one after the other. */
static void fill_rows(const ss_run *run, int field, int from, int to, double *row)
{
    const ss_cpu_state *st = run->state;
    for (int r = from; r < to; r++) {
        int j = r % st->box.ny, k = r / st->box.ny;
        run->eq->init(&run->problem, field, j, k, row);
        narrow(run->prec, row, st->box.nx);
        ss_cpu_row_put(run, st->u[st->cur], field, j, k, row);
        if (!st->rhs)
            continue;
        run->eq->rhs(&run->problem, field, j, k, row);
        narrow(run->prec, row, st->box.nx);
        ss_cpu_row_put(run, st->rhs, field, j, k, row);
    }
}

/* Element `index` of the rows of a patch, with the line before the row; the last index is the end
 * of the patch. The halo belongs to the first and the last row. */
static size_t row_begin(const ss_run *run, const ss_patch *p, int64_t index)
{
    const ss_box *b = &p->box;
    size_t line = SS_ALIGN / ss_prec_size(run->prec);
    size_t begin = b->first - (line + (size_t)(b->hy * b->sy + b->hz * b->sz));
    if (index == 0)
        return begin;
    return index == (int64_t)b->ny * b->nz ? begin + b->count : ss_patch_row_at(p, index) - line;
}

/* Zeroes rows [from, to) of the patches, counted one patch after the other, halo and padding
 * included. */
static void clear_rows(const ss_run *run, void *array, int64_t from, int64_t to)
{
    const ss_cpu_state *st = run->state;
    size_t size = ss_prec_size(run->prec);
    for (const ss_patch *p = st->patch; p < st->patch + st->patches; p++) {
        int64_t n = (int64_t)p->box.ny * p->box.nz, lo = from > 0 ? from : 0, hi = to < n ? to : n;
        if (lo < hi) {
            size_t at = row_begin(run, p, lo), end = row_begin(run, p, hi);
            for (size_t f = 0; f < (size_t)run->eq->nfield; f++)
                memset((char *)array + (f * st->box.count + at) * size, 0, (end - at) * size);
        }
        from -= n;
        to -= n;
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
            memset(row_in(run, st->patch, st->u[k], field, 0, 0) + (size_t)from * size, 0,
                   (size_t)(to - from) * size);
}

/* The first touch of thread t. */
static void touch(const ss_run *run, int t, int team)
{
    const ss_cpu_state *st = run->state;
    int64_t rows = (int64_t)ss_cpu_rows(run), from = rows * t / team, to = rows * (t + 1) / team;
    if (rows == 1) {
        touch_points(run, t, team);
#pragma omp barrier
    }
    clear_rows(run, st->u[0], from, to);
    clear_rows(run, st->u[1], from, to);
    if (st->rhs)
        clear_rows(run, st->rhs, from, to);
#pragma omp barrier
}

int ss_cpu_fill(ss_run *run, bool fresh, ss_err *err)
{
    ss_cpu_state *st = run->state;
    int team = team_of(run), nx = st->box.nx, rows = st->box.ny * st->box.nz;
    double *buffer = ss_alloc((size_t)team * (size_t)nx * sizeof *buffer, "rows", err);
    if (!buffer)
        return SS_FAIL;
#pragma omp parallel num_threads(team)
    {
        int t = omp_get_thread_num(), n = omp_get_num_threads();
        if (fresh)
            touch(run, t, n);
        for (int field = 0; field < run->eq->nfield; field++)
            fill_rows(run, field, ss_team_row(rows, t, n), ss_team_row(rows, t + 1, n),
                      buffer + (size_t)t * (size_t)nx);
    }
    free(buffer);
    st->ghosts_old = true;
    return SS_OK;
}

/* --- halo exchange ---------------------------------------------------------------------------- */

/* A side of a patch: rows x columns of ghost cells from element `ghost` on, with strides row and
 * column. Their values begin at element `from`, with strides from_row and from_column. */
typedef struct side {
    int rows, columns;
    ptrdiff_t row, column, ghost, from_row, from_column, from;
} side;

static void copy_side(const side *s, ss_prec prec, void *u)
{
    size_t size = ss_prec_size(prec);
    for (int r = 0; r < s->rows; r++) {
        ptrdiff_t to = s->ghost + r * s->row, from = s->from + r * s->from_row;
        if (s->column == 1 && s->from_column == 1) {
            memcpy((char *)u + to * (ptrdiff_t)size, (char *)u + from * (ptrdiff_t)size,
                   (size_t)s->columns * size);
            continue;
        }
        for (int c = 0; c < s->columns; c++)
            if (prec == SS_F64)
                ((double *)u)[to + c * s->column] = ((double *)u)[from + c * s->from_column];
            else
                ((float *)u)[to + c * s->column] = ((float *)u)[from + c * s->from_column];
    }
}

/* Copies the neighbour's outermost cells in direction d to the ghost cells of side 2d + upper. */
static void copy_from_neighbour(const ss_patch *p, const ss_patch *other, int d, int upper,
                                ss_prec prec, void *u)
{
    const int n[3] = {p->box.nx, p->box.ny, p->box.nz};
    const ptrdiff_t stride[3] = {1, p->box.sy, p->box.sz};
    const ptrdiff_t other_stride[3] = {1, other->box.sy, other->box.sz};
    const int last[3] = {other->box.nx - 1, other->box.ny - 1, other->box.nz - 1};
    int a = d == 0 ? 1 : 0, b = d == 2 ? 1 : 2; /* the directions along the side */
    side s = {.rows = n[b], .columns = n[a], .row = stride[b], .column = stride[a]};
    s.ghost = (ptrdiff_t)p->box.first + (upper ? n[d] : -1) * stride[d];
    s.from_row = other_stride[b];
    s.from_column = other_stride[a];
    s.from = (ptrdiff_t)other->box.first + (upper ? 0 : last[d] * other_stride[d]);
    copy_side(&s, prec, u);
}

/* The patch with the ghost cells of the directions before d counted as cells. */
static ss_patch widened(const ss_patch *p, int d)
{
    ss_patch w = *p;
    ss_box *b = &w.box;
    if (d > 0)
        b->nx += 2, b->first -= 1;
    if (d > 1)
        b->ny += 2, b->first -= (size_t)b->sy;
    return w;
}

/* The ghost cells of a patch in direction d; `edges`: those next to ghost cells of the directions
 * before d, too. */
static void exchange_direction(const ss_run *run, const ss_patch *p, int d, bool edges, void *u)
{
    const ss_cpu_state *st = run->state;
    ss_wall wall = run->coef.c[0] < 0 ? SS_WALL_MIRROR : SS_WALL_ZERO;
    ss_patch wide = widened(p, edges ? d : 0);
    unsigned walls = 0;
    for (int upper = 0; upper < 2; upper++) {
        int s = 2 * d + upper;
        if (p->side[s] == SS_WALL_SIDE) {
            walls |= 1U << s;
            continue;
        }
        ss_patch other = widened(&st->patch[p->side[s]], edges ? d : 0);
        copy_from_neighbour(&wide, &other, d, upper, run->prec, u);
    }
    if (walls)
        ss_smooth_walls(&wide.box, run->prec, wall, walls, u);
}

void ss_cpu_exchange(const ss_run *run, void *u)
{
    const ss_cpu_state *st = run->state;
#pragma omp parallel for num_threads(team_of(run)) schedule(static)
    for (int q = 0; q < st->patches; q++)
        for (int d = 0; d < 3; d++)
            exchange_direction(run, &st->patch[q], d, false, u);
}

/* Direction by direction: the ghost cells of a patch's edges come from ghost cells of its
 * neighbours. */
void ss_cpu_exchange_edges(const ss_run *run, void *u)
{
    const ss_cpu_state *st = run->state;
    for (int d = 0; d < 3; d++) {
#pragma omp parallel for num_threads(team_of(run)) schedule(static)
        for (int q = 0; q < st->patches; q++)
            exchange_direction(run, &st->patch[q], d, true, u);
    }
}

void ss_cpu_ghosts(ss_run *run)
{
    ss_cpu_state *st = run->state;
    if (run->eq->patches && st->ghosts_old)
        ss_cpu_exchange(run, st->u[st->cur]);
    st->ghosts_old = false;
}

/* --- norms and errors ------------------------------------------------------------------------- */

size_t ss_cpu_rows(const ss_run *run)
{
    const ss_cpu_state *st = run->state;
    size_t rows = 0;
    for (int q = 0; q < st->patches; q++)
        rows += (size_t)st->patch[q].box.ny * (size_t)st->patch[q].box.nz;
    return rows;
}

double ss_cpu_rows_norm(const ss_run *run, double *sum)
{
    return fabs(run->coef.residual) * sqrt(ss_tree_sum(sum, ss_cpu_rows(run)));
}

double ss_cpu_patches_norm(const ss_run *run, const void *u, double *sum)
{
    const ss_cpu_state *st = run->state;
#pragma omp parallel num_threads(team_of(run))
    {
        int t = omp_get_thread_num(), team = omp_get_num_threads();
        double *at = sum;
        for (int q = 0; q < st->patches; q++) {
            const ss_box *b = &st->patch[q].box;
            int rows = b->ny * b->nz;
            ss_smooth_norm2_rows(b, run->prec, u, st->rhs, ss_team_row(rows, t, team),
                                 ss_team_row(rows, t + 1, team), at);
            at += rows;
        }
    }
    return ss_cpu_rows_norm(run, sum);
}

void ss_cpu_sum_rows(const ss_run *run, const void *u, double *sum, void *memory, size_t bytes)
{
    const ss_cpu_state *st = run->state;
    size_t size = ss_prec_size(run->prec);
#pragma omp parallel for num_threads(team_of(run)) schedule(static)
    for (int j = 0; j < st->box.ny; j++) {
        size_t at = ss_cpu_at(st, 0, j, 0) * size;
        ss_sweep sweep = {.nx = st->box.nx, .ny = 1, .nz = 1, .in_sy = st->box.sy, .sum = sum + j};
        sum[j] = 0;
        run->eq->apply[run->prec](&run->coef, 0, (const char *)u + at, (const char *)st->rhs + at,
                                  (char *)memory + bytes * (size_t)omp_get_thread_num(), &sweep);
    }
}

/* |r| of a line or a plane. */
static int norm_of(const ss_run *run, const void *u, double *sum, double *out, ss_err *err)
{
    const ss_cpu_state *st = run->state;
    size_t bytes = ((size_t)st->box.nx / SS_ALIGN + 2) * SS_ALIGN * ss_prec_size(run->prec);
    void *memory = ss_alloc(bytes * (size_t)team_of(run), "rows for a norm", err);
    if (!memory)
        return SS_FAIL;
    ss_cpu_sum_rows(run, u, sum, memory, bytes);
    *out = ss_cpu_rows_norm(run, sum);
    free(memory);
    return SS_OK;
}

/* The larger of a maximum and a deviation. One that is not a number counts as infinite: comparisons
 * would skip it, and a field of NaN would have the error 0. */
static double larger(double max, double e)
{
    return e <= max ? max : isnan(e) ? HUGE_VAL : e;
}

/* ref is a dense array of the window. */
static double max_deviation(const ss_run *run, const void *u, const double *ref)
{
    const ss_cpu_state *st = run->state;
    double max = 0;
#pragma omp parallel num_threads(team_of(run)) reduction(max : max)
    for (const ss_patch *p = st->patch; p < st->patch + st->patches; p++) {
        int64_t rows = (int64_t)p->box.ny * p->box.nz;
#pragma omp for schedule(static) nowait
        for (int64_t r = 0; r < rows; r++) {
            size_t at = ss_patch_row_at(p, r);
            int64_t j = p->at[1] + r % p->box.ny, k = p->at[2] + r / p->box.ny;
            const double *expected = ref + (k * st->box.ny + j) * st->box.nx + p->at[0];
            for (int i = 0; i < p->box.nx; i++)
                max = larger(max, fabs(ss_cpu_value(run->prec, u, at + (size_t)i) - expected[i]));
        }
    }
    return max;
}

int ss_cpu_reduce(ss_run *run, double *residual, const double *ref, double *max_error, ss_err *err)
{
    const ss_cpu_state *st = run->state;
    const void *u = run->eq->patches ? st->u[st->cur] : ss_cpu_shown(run);
    int status = SS_OK;
    ss_cpu_ghosts(run);
    if (ref && max_error)
        *max_error = max_deviation(run, u, ref);
    if (!residual)
        return SS_OK;
    double *sum = ss_alloc(ss_cpu_rows(run) * sizeof *sum, "row sums", err);
    if (!sum)
        return SS_FAIL;
    if (run->eq->patches)
        *residual = ss_cpu_patches_norm(run, u, sum);
    else
        status = norm_of(run, u, sum, residual, err);
    free(sum);
    return status;
}
