/* Restriction and interpolation of multigrid on patches: see transfer.h. */
#include "kernels/block/transfer.h"

#define SS_TRANSFER_CHUNK 128 /* coarser cells of a row that are buffered at a time */
#define SS_TEMPLATE "kernels/block/transfer_rows.h"
#include "kernels/cpu/simd/each.h"

typedef struct row_ops {
    void (*restrict_row)(const ss_box *box, int n, const void *u, const void *rhs, ptrdiff_t c,
                         void *out);
    void (*correct_row)(int n, const void *e, ptrdiff_t y, ptrdiff_t z, void *row);
} row_ops;

static row_ops ops_of(ss_prec prec)
{
    return prec == SS_F64 ? (row_ops){SS_PICK(restrict_row, f64), SS_PICK(correct_row, f64)}
                          : (row_ops){SS_PICK(restrict_row, f32), SS_PICK(correct_row, f32)};
}

/* The first element of row y of plane z. */
static ptrdiff_t row_at(const ss_box *box, int y, int z)
{
    return (ptrdiff_t)box->first + y * box->sy + z * box->sz;
}

void ss_transfer_restrict(const ss_box *fine, const ss_box *coarse, ss_prec prec, const void *u,
                          const void *rhs, void *out, int from, int to)
{
    row_ops ops = ops_of(prec);
    ptrdiff_t size = (ptrdiff_t)ss_prec_size(prec);
    for (int row = from; row < to; row++) {
        int y = row % coarse->ny, z = row / coarse->ny;
        ops.restrict_row(fine, coarse->nx, u, rhs, row_at(fine, 2 * y, 2 * z),
                         (char *)out + row_at(coarse, y, z) * size);
    }
}

void ss_transfer_correct(const ss_box *fine, const ss_box *coarse, ss_prec prec, const void *e,
                         void *u, int from, int to)
{
    row_ops ops = ops_of(prec);
    ptrdiff_t size = (ptrdiff_t)ss_prec_size(prec);
    for (int row = from; row < to; row++) {
        int y = row % fine->ny, z = row / fine->ny;
        ops.correct_row(coarse->nx, (const char *)e + row_at(coarse, y / 2, z / 2) * size,
                        y % 2 ? coarse->sy : -coarse->sy, z % 2 ? coarse->sz : -coarse->sz,
                        (char *)u + row_at(fine, y, z) * size);
    }
}
