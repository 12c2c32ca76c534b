/*
 * Block smoothers: see smooth.h. A thread takes one panel of blocks at a time: it gathers the
 * residuals, applies the inverse and scatters the corrections. The order of the blocks says which
 * panels may be relaxed concurrently.
 */
#include "kernels/block/smooth.h"
#include "kernels/cpu/simd/norm.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

#define SS_TRANSFER_CHUNK 128 /* coarser cells of a row that are buffered at a time */
#define SS_TEMPLATE "kernels/block/panel.h"
#include "kernels/cpu/simd/each.h"

#define MOST_WIDTH 256 /* the most blocks per panel, for any form of the inverse */

/* --- the order of the blocks ------------------------------------------------------------------ */

/* ss_order's memory in uint32_t: per block, and in addition once. */
#define PER_BLOCK 5
#define EXTRA 4

double ss_order_bytes(const ss_blocking *blocking)
{
    return ((double)PER_BLOCK * ss_blocking_total(blocking) + EXTRA) * sizeof(uint32_t);
}

int ss_order_make(ss_order *o, const ss_blocking *blocking, int width, ss_err *err)
{
    size_t n = ss_blocking_total(blocking);
    *o = (ss_order){.blocking = *blocking, .width = width};
    uint32_t *memory =
        ss_alloc((PER_BLOCK * n + EXTRA) * sizeof *memory, "the order of the blocks", err);
    if (!memory)
        return SS_FAIL;
    o->block = memory;
    o->sequence = o->block + n;
    o->level = o->sequence + n;
    o->panel = o->level + n;
    o->start = o->panel + n + 1;
    return SS_OK;
}

void ss_order_free(ss_order *o)
{
    free(o->block);
    o->block = NULL;
}

static uint32_t max_u32(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* The highest level of a block's neighbours; 0 if none has a level yet. */
static uint32_t highest_neighbour(const ss_order *o, uint32_t block)
{
    const int *count = o->blocking.count;
    int place[3];
    uint32_t stride = 1, most = 0;
    ss_blocking_place(&o->blocking, block, place);
    for (int d = 0; d < 3; d++) {
        if (place[d] > 0)
            most = max_u32(most, o->level[block - stride]);
        if (place[d] + 1 < count[d])
            most = max_u32(most, o->level[block + stride]);
        stride *= (uint32_t)count[d];
    }
    return most;
}

static void find_levels(ss_order *o, uint32_t n)
{
    memset(o->level, 0, n * sizeof *o->level);
    o->levels = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t block = o->sequence[i];
        o->level[block] = 1 + highest_neighbour(o, block);
        o->levels = max_u32(o->levels, o->level[block]);
    }
}

/* Counting sorts: by shape, then by level. The second one is stable. Overwrites o->sequence. */
static void sort(ss_order *o, uint32_t n)
{
    uint32_t shapes[SS_BLOCK_VARIANTS + 1] = {0}, *position = o->start;
    for (uint32_t b = 0; b < n; b++)
        shapes[ss_blocking_variant(&o->blocking, b) + 1]++;
    for (int v = 1; v <= SS_BLOCK_VARIANTS; v++)
        shapes[v] += shapes[v - 1];
    for (uint32_t b = 0; b < n; b++)
        o->sequence[shapes[ss_blocking_variant(&o->blocking, b)]++] = b;
    memset(position, 0, (o->levels + 2) * sizeof *position);
    for (uint32_t b = 0; b < n; b++)
        position[o->level[b] + 1]++;
    for (uint32_t l = 1; l <= o->levels + 1; l++)
        position[l] += position[l - 1];
    for (uint32_t i = 0; i < n; i++) {
        uint32_t block = o->sequence[i];
        o->block[position[o->level[block]]++] = block;
    }
}

/* Divides the sorted blocks into panels, and the panels into levels. */
static void make_panels(ss_order *o, uint32_t n)
{
    uint32_t panels = 0, level = 0, from = 0;
    int shape = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t block = o->block[i];
        int variant = ss_blocking_variant(&o->blocking, block);
        bool next = o->level[block] != level;
        if (next || variant != shape || i - from == (uint32_t)o->width) {
            from = o->panel[panels++] = i;
            shape = variant;
        }
        if (next)
            o->start[level++] = panels - 1;
    }
    o->panel[panels] = n;
    o->start[level] = panels;
}

static void arrange(ss_order *o, uint32_t n)
{
    sort(o, n);
    make_panels(o, n);
}

static uint32_t reset_sequence(ss_order *o)
{
    uint32_t n = ss_blocking_total(&o->blocking);
    for (uint32_t i = 0; i < n; i++)
        o->sequence[i] = i;
    return n;
}

void ss_order_at_once(ss_order *o)
{
    uint32_t n = reset_sequence(o);
    for (uint32_t i = 0; i < n; i++)
        o->level[i] = 1;
    o->levels = 1;
    arrange(o, n);
}

void ss_order_lexicographic(ss_order *o)
{
    uint32_t n = reset_sequence(o);
    find_levels(o, n);
    arrange(o, n);
}

/* Fisher-Yates shuffle. */
void ss_order_chaotic(ss_order *o, uint64_t stream)
{
    uint32_t n = reset_sequence(o);
    for (uint32_t i = n; i > 1; i--) {
        uint32_t j = ss_random_below(stream, i, i);
        uint32_t swap = o->sequence[i - 1];
        o->sequence[i - 1] = o->sequence[j];
        o->sequence[j] = swap;
    }
    find_levels(o, n);
    arrange(o, n);
}

/* --- the loops -------------------------------------------------------------------------------- */

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
    void (*restrict_row)(const ss_box *box, int n, const void *u, const void *rhs, ptrdiff_t c,
                         void *out);
    void (*correct_row)(int n, const void *e, ptrdiff_t y, ptrdiff_t z, void *row);
} panel_ops;

#define OPS(prec)                                                                                  \
    (panel_ops)                                                                                    \
    {                                                                                              \
        SS_PICK(gather, prec), SS_PICK(scatter, prec), SS_PICK(wall, prec),                        \
            SS_PICK(row_norm2, prec), SS_PICK(sweep_row, prec), SS_PICK(restrict_row, prec),       \
            SS_PICK(correct_row, prec)                                                             \
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
    if (s->form->enter)
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

/* --- grids of half the cells ------------------------------------------------------------------ */

/* The first element of row y of plane z. */
static ptrdiff_t row_of(const ss_box *box, int y, int z)
{
    return (ptrdiff_t)box->first + y * box->sy + z * box->sz;
}

void ss_transfer_restrict(const ss_box *fine, const ss_box *coarse, ss_prec prec, const void *u,
                          const void *rhs, void *out, int from, int to)
{
    panel_ops ops = ops_of(prec);
    ptrdiff_t size = (ptrdiff_t)ss_prec_size(prec);
    for (int row = from; row < to; row++) {
        int y = row % coarse->ny, z = row / coarse->ny;
        ops.restrict_row(fine, coarse->nx, u, rhs, row_of(fine, 2 * y, 2 * z),
                         (char *)out + row_of(coarse, y, z) * size);
    }
}

void ss_transfer_correct(const ss_box *fine, const ss_box *coarse, ss_prec prec, const void *e,
                         void *u, int from, int to)
{
    panel_ops ops = ops_of(prec);
    ptrdiff_t size = (ptrdiff_t)ss_prec_size(prec);
    for (int row = from; row < to; row++) {
        int y = row % fine->ny, z = row / fine->ny;
        ops.correct_row(coarse->nx, (const char *)e + row_of(coarse, y / 2, z / 2) * size,
                        y % 2 ? coarse->sy : -coarse->sy, z % 2 ? coarse->sz : -coarse->sz,
                        (char *)u + row_of(fine, y, z) * size);
    }
}
