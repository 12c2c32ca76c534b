/*
 * Rows of a layer's values: u, |r|, |u - u*|, |stale|. The picture reduces them over boxes, the
 * profile over positions; the probe reads a single value. Engine thread.
 */
#include <math.h>
#include <string.h>

#include "kernels/sample/parts.h"

#define SS_REAL double
#define SS_NAME(x) x##_f64
#include "kernels/sample/row.h"
#define SS_REAL float
#define SS_NAME(x) x##_f32
#include "kernels/sample/row.h"

static const struct row_functions {
    void (*load)(const void *in, int n, double *restrict v);
    void (*difference)(const void *a, const void *b, int n, double scale, double *restrict v);
} rows[SS_NPREC] = {
    [SS_F64] = {load_f64, difference_f64},
    [SS_F32] = {load_f32, difference_f32},
};

static const char *at(const ss_sampler *s, int part, int x, int y)
{
    return ss_part_at(s, &s->here.of[part], x, y);
}

double ss_sample_value(const ss_sampler *s, int part, int x, int y)
{
    double v;
    rows[s->run->prec].load(at(s, part, x, y), 1, &v);
    return v;
}

void ss_sample_difference(const ss_sampler *s, const void *a, const void *b, int n, double scale,
                          double *v)
{
    rows[s->run->prec].difference(a, b, n, scale, v);
}

/* --- VALUE ------------------------------------------------------------------------------------ */

static bool always(const ss_sampler *s)
{
    (void)s;
    return true;
}

/* Points [x0, x0 + n) of row y of field f. */
static void load_field(const ss_sampler *s, int f, int y, int x0, int n, double *v)
{
    ptrdiff_t skip = f * s->here.of[SS_PART_U].field * (ptrdiff_t)s->size;
    rows[s->run->prec].load(at(s, SS_PART_U, x0, y) + skip, n, v);
}

/* A quantity computed from all fields of a point, CHUNK points at a time. */
static void derived_row(const ss_sampler *s, int y, int x0, int x1, double *v)
{
    enum { CHUNK = 64 };
    double field[SS_FIELD_MAX][CHUNK], point[SS_FIELD_MAX];
    const ss_equation *eq = s->run->eq;
    for (int x = x0, n; x < x1; x += n, v += n) {
        n = x1 - x < CHUNK ? x1 - x : CHUNK;
        for (int f = 0; f < eq->nfield; f++)
            load_field(s, f, y, x, n, field[f]);
        for (int i = 0; i < n; i++) {
            for (int f = 0; f < eq->nfield; f++)
                point[f] = field[f][i];
            v[i] = eq->quantities[s->quantity].of(point);
        }
    }
}

static void value_row(const ss_sampler *s, int y, int x0, int x1, double *v)
{
    const ss_quantity *table = s->run->eq->quantities;
    if (table && table[s->quantity].of)
        derived_row(s, y, x0, x1, v);
    else
        load_field(s, s->quantity, y, x0, x1 - x0, v);
}

/* --- RESIDUAL: r = diagonal (u' - u), where u' is one more update of the row ------------------ */

static bool is_steady(const ss_sampler *s)
{
    return s->run->eq->kind == SS_STEADY;
}

static void residual_row(const ss_sampler *s, int y, int x0, int x1, double *v)
{
    const ss_run *run = s->run;
    const char *u = at(s, SS_PART_U, x0, y);
    char *updated = s->scratch + (size_t)x0 * s->size;
    ss_sweep sweep = {.nx = x1 - x0, .ny = 1, .nz = 1};
    sweep.in_sy = sweep.out_sy = s->here.of[SS_PART_U].stride;
    sweep.rhs_sy = s->here.of[SS_PART_RHS].stride;
    run->eq->apply[run->prec](&run->coef, 0, u, at(s, SS_PART_RHS, x0, y), updated, &sweep);
    rows[run->prec].difference(updated, u, x1 - x0, fabs(run->coef.residual), v);
}

/* --- ERROR ------------------------------------------------------------------------------------ */

static bool has_reference(const ss_sampler *s)
{
    return s->ref || s->solution;
}

/* u* is constant; a solution is for the present time. */
static const double *reference_at(const ss_sampler *s, int x, int y)
{
    return (s->solution ? s->solution : s->ref) + (size_t)y * (size_t)s->nx + (size_t)x;
}

static void error_row(const ss_sampler *s, int y, int x0, int x1, double *v)
{
    const double *ref = reference_at(s, x0, y);
    value_row(s, y, x0, x1, v);
    for (int x = 0; x < x1 - x0; x++)
        v[x] = fabs(v[x] - ref[x]);
}

static void exact_row(const ss_sampler *s, int y, int x0, int x1, double *v)
{
    memcpy(v, reference_at(s, x0, y), (size_t)(x1 - x0) * sizeof *v);
}

/* --- STALENESS: the private value of each point's owner. A subdomain that was not recomputed shows
 * the values of the nearest one that was, position by position --------------------------------- */

static bool has_stale(const ss_sampler *s)
{
    return s->stale.column != NULL;
}

static int clip(int a, int b)
{
    return a < b ? a : b - 1;
}

/* v becomes the maximum of itself and values [from, from + count) of a row of n; beyond the row, of
 * its last one. */
static void add_clipped(const float *restrict row, int n, int from, int count, double *restrict v)
{
    int inside = from + count <= n ? count : from < n ? n - from : 0;
    for (int i = 0; i < inside; i++)
        v[i] = (double)row[from + i] > v[i] ? (double)row[from + i] : v[i];
    for (int i = inside; i < count; i++)
        v[i] = (double)row[n - 1] > v[i] ? (double)row[n - 1] : v[i];
}

static void add_stale_row(const ss_sampler *s, int y, int x0, int x1, double *v)
{
    const ss_tile_set *set = &s->stale.set;
    int ty = ss_cut_owner(s->tiling.y, y), tx = ss_cut_owner(s->tiling.x, x0);
    int local_y = y - ss_cut_span(s->tiling.y, ty).lo, tiles = ss_sample_nearest_row(set, ty);
    for (int x = x0; x < x1; tx++) {
        const ss_tile_column *column = &s->stale.column[tx - set->x0];
        int i = ss_sample_is_last(set, tx, ty) ? set->count - 1 : tiles + column->nearest;
        const ss_tile *t = &set->tile[i];
        int n = t->x.hi - t->x.lo, end = column->end < x1 ? column->end : x1;
        const float *row = s->stale.value[i] + (ptrdiff_t)clip(local_y, t->y.hi - t->y.lo) * n;
        add_clipped(row, n, x - column->lo, end - x, v + (x - x0));
        x = end;
    }
}

static void stale_row(const ss_sampler *s, int y, int x0, int x1, double *v)
{
    for (int i = 0; i < x1 - x0; i++)
        v[i] = -1;
    add_stale_row(s, y, x0, x1, v);
    for (int i = 0; i < x1 - x0; i++)
        v[i] = v[i] < 0 ? (double)NAN : v[i];
}

const ss_layer_rows ss_layer_rows_of[SS_NLAYER] = {
    [SS_VALUE] = {true, 1, always, value_row},
    [SS_EXACT] = {true, 1, has_reference, exact_row},
    [SS_RESIDUAL] = {false, 3, is_steady, residual_row},
    [SS_ERROR] = {false, 2, has_reference, error_row},
    [SS_STALENESS] = {false, 1, has_stale, stale_row, add_stale_row},
};
