/*
 * One row of each operation of transfer.h. Compiled by each.h for each precision and instruction
 * set, hence no include guard. n: cells of the coarser row.
 */
#include "kernels/block/residual.h"

/* Four fine rows meet a coarser one: c, and those next to it in y and in z. */
static void SS_NAME(restrict_row)(const ss_box *box, int n, const void *field, const void *right,
                                  ptrdiff_t c, void *coarser)
{
    const SS_REAL *u = (const SS_REAL *)field + c, *f = (const SS_REAL *)right + c;
    const ptrdiff_t sy = box->sy, sz = box->sz, row[4] = {0, sy, sz, sy + sz};
    SS_REAL *out = coarser, r[4][2 * SS_TRANSFER_CHUNK];
    for (int x = 0; x < n; x += SS_TRANSFER_CHUNK) {
        int m = n - x < SS_TRANSFER_CHUNK ? n - x : SS_TRANSFER_CHUNK;
        for (int k = 0; k < 4; k++) {
            const SS_REAL *a = u + row[k] + 2 * x, *g = f + row[k] + 2 * x;
            for (int i = 0; i < 2 * m; i++)
                r[k][i] = SS_NAME(residual)(g[i], a[i], a[i - 1], a[i + 1], a[i - sy], a[i + sy],
                                            a[i - sz], a[i + sz]);
        }
        for (int i = 0; i < 2 * m; i++)
            r[0][i] = (r[0][i] + r[1][i]) + (r[2][i] + r[3][i]);
        for (int i = 0; i < m; i++)
            out[x + i] = (SS_REAL)0.5 * (r[0][2 * i] + r[0][2 * i + 1]);
    }
}

/* e: the coarser row that contains the fine one; y and z: the distances to the next coarser rows.
 */
static void SS_NAME(correct_row)(int n, const void *coarser, ptrdiff_t y, ptrdiff_t z, void *row)
{
    const SS_REAL near = (SS_REAL)0.75, far = (SS_REAL)0.25, *e = coarser;
    SS_REAL *u = row, line[SS_TRANSFER_CHUNK + 2];
    for (int x = 0; x < n; x += SS_TRANSFER_CHUNK) {
        int m = n - x < SS_TRANSFER_CHUNK ? n - x : SS_TRANSFER_CHUNK;
        const SS_REAL *c = e + x - 1;
        for (int i = 0; i < m + 2; i++)
            line[i] = near * (near * c[i] + far * c[i + y]) +
                      far * (near * c[i + z] + far * c[i + y + z]);
        for (int i = 0; i < m; i++) {
            u[2 * (x + i)] += near * line[i + 1] + far * line[i];
            u[2 * (x + i) + 1] += near * line[i + 1] + far * line[i + 2];
        }
    }
}
