/*
 * Block smoothers: see smooth.h. A thread takes one panel of blocks at a time: it gathers the
 * residuals, applies the inverse and scatters the corrections. order.h says which panels may be
 * relaxed concurrently.
 */
#include "kernels/block/smooth.h"
#include "kernels/cpu/simd/norm.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

#define SS_TEMPLATE "kernels/block/panel.h"
#include "kernels/cpu/simd/each.h"

#define MOST_WIDTH 256 /* the most blocks per panel, for any form of the inverse */

/* The loops of panel.h in one precision, for this processor's instruction set. */
typedef struct panel_ops {
    void (*gather)(const ss_box *box, const int n[3], const ptrdiff_t *at, int count, int width,
                   const void *u, const void *rhs, void *panel, double *norm2);
    void (*scatter)(const ss_box *box, const int n[3], const ptrdiff_t *at, int count, int width,
                    double omega, const void *panel, const void *in, void *out, void *old);
    void (*wall)(int rows, int columns, ptrdiff_t row, ptrdiff_t column, ptrdiff_t ghost,
                 ptrdiff_t inside, bool mirror, void *u);
    double (*row_norm2)(const ss_box *box, const void *u, const void *rhs, ptrdiff_t row);
    double (*sweep_row)(const ss_box *box, const void *u, const void *rhs, void *out, ptrdiff_t row,
                        bool norm);
} panel_ops;

#define OPS(prec)                                                                                  \
    (panel_ops)                                                                                    \
    {                                                                                              \
        SS_PICK(gather, prec), SS_PICK(scatter, prec), SS_PICK(wall, prec),                        \
            SS_PICK(row_norm2, prec), SS_PICK(sweep_row, prec)                                     \
    }

static panel_ops ops_of(ss_prec prec)
{
    return prec == SS_F64 ? OPS(f64) : OPS(f32);
}

/* --- memory ----------------------------------------------------------------------------------- */

/* Bytes per thread: two panels of the largest blocks. */
static size_t scratch_size(const ss_smooth *s)
{
    return 2 * ss_inverse_panel(&s->inverse[0]);
}

void ss_smooth_free(ss_smooth *s)
{
    for (int v = 0; v < SS_BLOCK_VARIANTS; v++)
        ss_inverse_free(&s->inverse[v]);
    free(s->scratch);
    s->scratch = NULL;
}

int ss_smooth_make(ss_smooth *s, const ss_box *box, const int block[3], const ss_inverse_form *form,
                   ss_prec prec, int threads, ss_err *err)
{
    const int n[3] = {box->nx, box->ny, box->nz};
    if (form->width(prec) > MOST_WIDTH)
        return ss_fail(err, "panels of %d blocks; the maximum is %d", form->width(prec),
                       MOST_WIDTH);
    if (form->open && form->open(threads, err) != SS_OK)
        return SS_FAIL;
    *s = (ss_smooth){.box = *box,
                     .prec = prec,
                     .blocking = ss_blocking_make(n, block),
                     .form = form,
                     .threads = threads};
    for (int v = 0; v < SS_BLOCK_VARIANTS; v++) {
        int shape[3];
        if (ss_blocking_shape(&s->blocking, v, shape) &&
            ss_inverse_make(&s->inverse[v], form, shape, prec, err) != SS_OK)
            goto fail;
    }
    s->scratch = ss_alloc((size_t)threads * scratch_size(s), "panels of blocks", err);
    if (s->scratch)
        return SS_OK;
fail:
    ss_smooth_free(s);
    return SS_FAIL;
}

/* --- a step ----------------------------------------------------------------------------------- */

/* The element at which a block begins. */
static ptrdiff_t first_cell(const ss_smooth *s, uint32_t block)
{
    int place[3];
    ss_blocking_place(&s->blocking, block, place);
    return (ptrdiff_t)s->box.first + (ptrdiff_t)place[0] * s->blocking.size[0] +
           place[1] * s->blocking.size[1] * s->box.sy + place[2] * s->blocking.size[2] * s->box.sz;
}

/* Returns the number of blocks of a panel; *inverse is that of their shape, at[] their first cells.
 */
static int place_panel(const ss_smooth *s, const ss_order *o, uint32_t panel,
                       const ss_inverse **inverse, ptrdiff_t at[MOST_WIDTH])
{
    const uint32_t *block = o->block + o->panel[panel];
    int count = (int)(o->panel[panel + 1] - o->panel[panel]);
    *inverse = &s->inverse[ss_blocking_variant(&s->blocking, block[0])];
    for (int l = 0; l < count; l++)
        at[l] = first_cell(s, block[l]);
    return count;
}

void ss_smooth_panel(const ss_smooth *s, const ss_order *o, uint32_t panel, int thread,
                     double omega, const void *in, const void *rhs, void *out, void *old,
                     double *norm2)
{
    const ss_inverse *inv;
    ptrdiff_t at[MOST_WIDTH];
    panel_ops ops = ops_of(s->prec);
    char *residuals = s->scratch + (size_t)thread * scratch_size(s);
    char *corrections = residuals + scratch_size(s) / 2;
    int count = place_panel(s, o, panel, &inv, at);
    ops.gather(&s->box, inv->n, at, count, inv->width, in, rhs, residuals, norm2);
    ss_inverse_apply(inv, residuals, corrections, count);
    ops.scatter(&s->box, inv->n, at, count, inv->width, omega, corrections, in, out, old);
}

void ss_smooth_copy(const ss_smooth *s, const ss_order *o, uint32_t panel, const void *from,
                    void *to)
{
    const ss_inverse *inv;
    ptrdiff_t at[MOST_WIDTH];
    size_t size = ss_prec_size(s->prec);
    int count = place_panel(s, o, panel, &inv, at);
    for (int l = 0; l < count; l++)
        for (int k = 0; k < inv->n[2]; k++)
            for (int j = 0; j < inv->n[1]; j++) {
                size_t cell = (size_t)(at[l] + j * s->box.sy + k * s->box.sz) * size;
                memcpy((char *)to + cell, (const char *)from + cell, (size_t)inv->n[0] * size);
            }
}

void ss_smooth_step(const ss_smooth *s, const ss_order *o, double omega, const void *in,
                    const void *rhs, void *out)
{
    s->form->enter();
#pragma omp parallel num_threads(s->threads)
    for (uint32_t level = 0; level < o->levels; level++) {
#pragma omp for schedule(static)
        for (uint32_t p = o->start[level]; p < o->start[level + 1]; p++)
            ss_smooth_panel(s, o, p, omp_get_thread_num(), omega, in, rhs, out, NULL, NULL);
    }
}

/* --- walls and norm --------------------------------------------------------------------------- */

void ss_smooth_walls(const ss_box *box, ss_prec prec, ss_wall wall, unsigned sides, void *u)
{
    const int n[3] = {box->nx, box->ny, box->nz};
    const ptrdiff_t stride[3] = {1, box->sy, box->sz};
    panel_ops ops = ops_of(prec);
    for (int d = 0; d < 3; d++)
        for (int upper = 0; upper < 2; upper++) {
            int a = d == 0 ? 1 : 0, b = d == 2 ? 1 : 2; /* the directions along the side */
            ptrdiff_t outward = upper ? stride[d] : -stride[d];
            ptrdiff_t cell = (ptrdiff_t)box->first + (upper ? (n[d] - 1) * stride[d] : 0);
            if (sides >> (2 * d + upper) & 1)
                ops.wall(n[b], n[a], stride[b], stride[a], cell + outward, -outward,
                         wall == SS_WALL_MIRROR, u);
        }
}

static ptrdiff_t row_at(const ss_box *box, int row)
{
    return (ptrdiff_t)box->first + row % box->ny * box->sy + row / box->ny * box->sz;
}

void ss_smooth_norm2_rows(const ss_box *box, ss_prec prec, const void *u, const void *rhs, int from,
                          int to, double *sum)
{
    panel_ops ops = ops_of(prec);
    for (int row = from; row < to; row++)
        sum[row] = ops.row_norm2(box, u, rhs, row_at(box, row));
}

double ss_smooth_norm2(const ss_box *box, ss_prec prec, const void *u, const void *rhs)
{
    panel_ops ops = ops_of(prec);
    double sum = 0;
    for (int row = 0; row < box->ny * box->nz; row++)
        sum += ops.row_norm2(box, u, rhs, row_at(box, row));
    return sum;
}

void ss_smooth_sweep(const ss_box *box, ss_prec prec, const void *u, const void *rhs, void *out,
                     int from, int to, double *sum)
{
    panel_ops ops = ops_of(prec);
    for (int row = from; row < to; row++) {
        double norm2 = ops.sweep_row(box, u, rhs, out, row_at(box, row), sum != NULL);
        if (sum)
            sum[row] = norm2;
    }
}
