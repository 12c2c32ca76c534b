/*
 * The CPU's state for a domain of patches: one array holds all patches, each with its own layer of
 * ghost cells. Rows of the window are scattered to the patches that contain them. Ghost cells come
 * from the neighbouring patch or from the rule for walls. Engine thread; each call has its own
 * OpenMP region.
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

int ss_cpu_patches_make(ss_run *run, ss_err *err)
{
    ss_cpu_state *st = run->state;
    const ss_problem *p = &run->problem;
    int line = SS_ALIGN / (int)ss_prec_size(run->prec);
    st->patches = run->eq->patches(p, NULL);
    st->patch = ss_alloc((size_t)st->patches * sizeof *st->patch, "the list of patches", err);
    if (!st->patch)
        return SS_FAIL;
    run->eq->patches(p, st->patch);
    st->rows = ss_patches_rows(st->patch, st->patches);
    st->box = (ss_box){.nx = p->nx, .ny = p->ny, .nz = p->nz, .hx = 1, .hy = 1, .hz = 1};
    st->box.count = ss_patches_layout(st->patch, st->patches, line);
    return SS_OK;
}

static int team_of(const ss_run *run)
{
    const ss_cpu_state *st = run->state;
    return ss_team_size(run, (double)st->box.nx * st->box.ny * st->box.nz);
}

/* --- rows of the window ----------------------------------------------------------------------- */

void ss_cpu_patches_put(const ss_run *run, void *array, int j, int k, const void *row)
{
    const ss_cpu_state *st = run->state;
    size_t size = ss_prec_size(run->prec);
    const ss_patch *first = st->patch + ss_patch_rows_at(&st->rows, j, k);
    for (const ss_patch *p = first; p < first + st->rows.count[0]; p++) {
        int64_t r = ss_patch_row(p, j, k);
        if (r >= 0)
            memcpy((char *)array + ss_patch_row_at(p, r) * size,
                   (const char *)row + (size_t)p->at[0] * size, (size_t)p->box.nx * size);
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

void ss_cpu_patches_get(const ss_run *run, const void *array, int j, int k, void *row)
{
    const ss_cpu_state *st = run->state;
    size_t size = ss_prec_size(run->prec);
    fill_with_nan(run->prec, st->box.nx, row);
    const ss_patch *first = st->patch + ss_patch_rows_at(&st->rows, j, k);
    for (const ss_patch *p = first; p < first + st->rows.count[0]; p++) {
        int64_t r = ss_patch_row(p, j, k);
        if (r >= 0)
            memcpy((char *)row + (size_t)p->at[0] * size,
                   (const char *)array + ss_patch_row_at(p, r) * size, (size_t)p->box.nx * size);
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

static void fill_row(const ss_run *run, int j, int k, double *row)
{
    const ss_cpu_state *st = run->state;
    run->eq->init(&run->problem, 0, j, k, row);
    narrow(run->prec, row, st->box.nx);
    ss_cpu_patches_put(run, st->u[st->cur], j, k, row);
    run->eq->rhs(&run->problem, 0, j, k, row);
    narrow(run->prec, row, st->box.nx);
    ss_cpu_patches_put(run, st->rhs, j, k, row);
}

/* Zeroes all patches with ghost cells and padding. One thread per patch: the first touch. */
static void clear(const ss_run *run)
{
    const ss_cpu_state *st = run->state;
    size_t size = ss_prec_size(run->prec), at = 0;
    void *const arrays[] = {st->u[0], st->u[1], st->rhs};
#pragma omp for schedule(static)
    for (int q = 0; q < st->patches; q++) {
        const ss_box *b = &st->patch[q].box;
        int line = SS_ALIGN / (int)size;
        at = b->first - (size_t)(line + b->sy + b->sz);
        for (int a = 0; a < 3; a++)
            memset((char *)arrays[a] + at * size, 0, b->count * size);
    }
}

int ss_cpu_patches_fill(ss_run *run, bool fresh, ss_err *err)
{
    ss_cpu_state *st = run->state;
    int team = team_of(run), nx = st->box.nx;
    double *rows = ss_alloc((size_t)team * (size_t)nx * sizeof *rows, "rows", err);
    if (!rows)
        return SS_FAIL;
#pragma omp parallel num_threads(team)
    {
        double *row = rows + (size_t)omp_get_thread_num() * (size_t)nx;
        if (fresh)
            clear(run);
#pragma omp for schedule(static)
        for (int k = 0; k < st->box.nz; k++)
            for (int j = 0; j < st->box.ny; j++)
                fill_row(run, j, k, row);
    }
    free(rows);
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
    if (st->patch && st->ghosts_old)
        ss_cpu_exchange(run, st->u[st->cur]);
    st->ghosts_old = false;
}

/* --- norm ------------------------------------------------------------------------------------- */

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
    return run->coef.residual * sqrt(ss_tree_sum(sum, ss_cpu_rows(run)));
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
