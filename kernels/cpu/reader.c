/*
 * The sampler's access to the CPU's fields, which are in host memory: see ss_reader in
 * kernels/sample/parts.h. Engine thread.
 */
#include <string.h>

#include "kernels/cpu/state.h"
#include "kernels/sample/parts.h"

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
