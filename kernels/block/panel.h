/*
 * Between a patch and the panels in which its blocks are inverted, and what else goes through the
 * cells of a patch. Compiled by each.h for each precision and instruction set, hence no include
 * guard. Block l of a panel begins at element at[l] of the patch.
 */
#include "kernels/block/residual.h"

static SS_REAL SS_NAME(residual_at)(const ss_box *box, const SS_REAL *u, const SS_REAL *rhs,
                                    ptrdiff_t c)
{
    ptrdiff_t sy = box->sy, sz = box->sz;
    return SS_NAME(residual)(rhs[c], u[c], u[c - 1], u[c + 1], u[c - sy], u[c + sy], u[c - sz],
                             u[c + sz]);
}

/* The residuals of blocks of n[0] x n[1] x n[2] cells. Row by row through all blocks: they write
 * to the same cache lines of the panel. */
static void SS_NAME(gather)(const ss_box *box, const int n[3], const ptrdiff_t *at, int count,
                            int width, const void *from, const void *right, void *panel)
{
    const SS_REAL *u = from, *rhs = right;
    SS_REAL *line = panel;
    for (int k = 0; k < n[2]; k++)
        for (int j = 0; j < n[1]; j++, line += (ptrdiff_t)n[0] * width)
            for (int l = 0; l < count; l++) {
                ptrdiff_t c = at[l] + j * box->sy + k * box->sz;
                for (int i = 0; i < n[0]; i++)
                    line[(ptrdiff_t)i * width + l] = SS_NAME(residual_at)(box, u, rhs, c + i);
            }
}

/* out = in + omega * correction. */
static void SS_NAME(scatter)(const ss_box *box, const int n[3], const ptrdiff_t *at, int count,
                             int width, double omega, const void *panel, const void *from, void *to)
{
    const SS_REAL *in = from, *line = panel;
    SS_REAL *out = to, factor = (SS_REAL)omega;
    for (int k = 0; k < n[2]; k++)
        for (int j = 0; j < n[1]; j++, line += (ptrdiff_t)n[0] * width)
            for (int l = 0; l < count; l++) {
                ptrdiff_t c = at[l] + j * box->sy + k * box->sz;
                for (int i = 0; i < n[0]; i++)
                    out[c + i] = in[c + i] + factor * line[(ptrdiff_t)i * width + l];
            }
}

/* Zero, or minus the cells inside, into the ghosts of a side: rows x columns of them, from element
 * `ghost` on; the cells lie `inside` further. */
static void SS_NAME(wall)(int rows, int columns, ptrdiff_t row, ptrdiff_t column, ptrdiff_t ghost,
                          ptrdiff_t inside, bool mirror, void *field)
{
    SS_REAL *u = (SS_REAL *)field + ghost;
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < columns; c++) {
            SS_REAL *cell = u + r * row + c * column;
            *cell = mirror ? -cell[inside] : 0;
        }
}

static double SS_NAME(row_norm2)(const ss_box *box, const void *field, const void *right,
                                 ptrdiff_t row)
{
    double sum = 0;
    for (int i = 0; i < box->nx; i++) {
        double r = (double)SS_NAME(residual_at)(box, field, right, row + i);
        sum += r * r;
    }
    return sum;
}
