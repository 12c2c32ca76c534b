/*
 * All loops over the cells of a patch: gather and scatter of panels, walls, norms, Jacobi sweeps,
 * restriction and correction of multigrid.
 * Compiled by each.h for each precision and instruction set, hence no include guard. Block l of a
 * panel begins at element at[l] of the patch.
 */
#include "kernels/eq/poisson3d.h"

#define residual_at SS_NAME(residual_at)
#define gather_blocks SS_NAME(gather_blocks)
#define scatter_blocks SS_NAME(scatter_blocks)
#define add_squares SS_NAME(add_squares)
#define sweep_cells SS_NAME(sweep_cells)
#define inlined static inline __attribute__((always_inline))

inlined SS_REAL residual_at(const ss_box *box, const SS_REAL *u, const SS_REAL *rhs, ptrdiff_t c)
{
    ptrdiff_t sy = box->sy, sz = box->sz;
    return SS_NAME(residual)(rhs[c], u[c], u[c - 1], u[c + 1], u[c - sy], u[c + sy], u[c - sz],
                             u[c + sz]);
}

/* Residuals of `count` blocks of nx * n[1] * n[2] cells into the panel `line`; also the sum of
 * their squares, if norm2 is not NULL. The loop over blocks is inside those over rows because all
 * blocks write to the same cache lines of the panel. A row is first computed contiguously, so that
 * it vectorises, and then stored with stride `width`. */
inlined void gather_blocks(int nx, const ss_box *box, const int n[3], const ptrdiff_t *at,
                           int count, int width, const SS_REAL *u, const SS_REAL *rhs,
                           SS_REAL *line, double *norm2)
{
    SS_REAL row[SS_BLOCK_MOST];
    ss_lanes lanes = {{0}};
    for (int k = 0; k < n[2]; k++)
        for (int j = 0; j < n[1]; j++, line += (ptrdiff_t)nx * width)
            for (int l = 0; l < count; l++) {
                ptrdiff_t c = at[l] + j * box->sy + k * box->sz;
                for (int i = 0; i < nx; i++)
                    row[i] = residual_at(box, u, rhs, c + i);
                for (int i = 0; i < nx; i++)
                    line[(ptrdiff_t)i * width + l] = row[i];
                for (int i = 0; norm2 && i < nx; i++)
                    lanes.lane[i % SS_SUM_LANES] += (double)row[i] * (double)row[i];
            }
    if (norm2)
        *norm2 = ss_lanes_sum(&lanes);
}

/* out = in + omega * correction. If old is not NULL, the cells of `in` are first copied to it. */
inlined void scatter_blocks(int nx, const ss_box *box, const int n[3], const ptrdiff_t *at,
                            int count, int width, SS_REAL omega, const SS_REAL *line,
                            const SS_REAL *in, SS_REAL *out, SS_REAL *old)
{
    SS_REAL row[SS_BLOCK_MOST];
    for (int k = 0; k < n[2]; k++)
        for (int j = 0; j < n[1]; j++, line += (ptrdiff_t)nx * width)
            for (int l = 0; l < count; l++) {
                ptrdiff_t c = at[l] + j * box->sy + k * box->sz;
                for (int i = 0; i < nx; i++)
                    row[i] = line[(ptrdiff_t)i * width + l];
                for (int i = 0; old && i < nx; i++)
                    old[c + i] = in[c + i];
                for (int i = 0; i < nx; i++)
                    row[i] = in[c + i] + omega * row[i];
                for (int i = 0; i < nx; i++)
                    out[c + i] = row[i];
            }
}

/* Calls with a constant row length for the usual ones: loops over short rows of unknown length are
 * slow. */
#define EACH_LENGTH(nx, call)                                                                      \
    switch (nx) {                                                                                  \
    case 1:                                                                                        \
        call(1);                                                                                   \
        break;                                                                                     \
    case 2:                                                                                        \
        call(2);                                                                                   \
        break;                                                                                     \
    case 4:                                                                                        \
        call(4);                                                                                   \
        break;                                                                                     \
    case 8:                                                                                        \
        call(8);                                                                                   \
        break;                                                                                     \
    default:                                                                                       \
        call(nx);                                                                                  \
    }

static void SS_NAME(gather)(const ss_box *box, const int n[3], const ptrdiff_t *at, int count,
                            int width, const void *u, const void *rhs, void *panel, double *norm2)
{
#define GATHER(nx) gather_blocks(nx, box, n, at, count, width, u, rhs, panel, norm2)
    EACH_LENGTH(n[0], GATHER)
#undef GATHER
}

static void SS_NAME(scatter)(const ss_box *box, const int n[3], const ptrdiff_t *at, int count,
                             int width, double omega, const void *panel, const void *in, void *out,
                             void *old)
{
#define SCATTER(nx)                                                                                \
    scatter_blocks(nx, box, n, at, count, width, (SS_REAL)omega, panel, in, out, old)
    EACH_LENGTH(n[0], SCATTER)
#undef SCATTER
}

/* Fills the rows x columns ghost cells of a side, from element `ghost` on, with zero or, if
 * `mirror`, with minus the cell inside the wall, which is `inside` elements further. */
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

/* lane[i % SS_SUM_LANES] += d[i]^2. n is a multiple of SS_SUM_LANES except at the end of a row. */
inlined void add_squares(const SS_REAL *d, int n, double *lane)
{
    int i = 0;
    for (; i + SS_SUM_LANES <= n; i += SS_SUM_LANES)
        for (int l = 0; l < SS_SUM_LANES; l++)
            lane[l] += (double)d[i + l] * (double)d[i + l];
    for (int l = 0; i + l < n; l++)
        lane[l] += (double)d[i + l] * (double)d[i + l];
}

/* The sum of the squares of the residuals of a row that begins at element `row`. */
static double SS_NAME(row_norm2)(const ss_box *box, const void *field, const void *right,
                                 ptrdiff_t row)
{
    SS_REAL r[SS_SUM_CHUNK];
    ss_lanes lanes = {{0}};
    for (int x = 0; x < box->nx; x += SS_SUM_CHUNK) {
        int n = box->nx - x < SS_SUM_CHUNK ? box->nx - x : SS_SUM_CHUNK;
        for (int i = 0; i < n; i++)
            r[i] = residual_at(box, field, right, row + x + i);
        add_squares(r, n, lanes.lane);
    }
    return ss_lanes_sum(&lanes);
}

/* One row of a Jacobi sweep from u into out. Returns the sum of the squares of its residuals, as
 * above, if `norm`, else 0. */
inlined double sweep_cells(const ss_box *box, const SS_REAL *u, const SS_REAL *f,
                           SS_REAL *restrict out, ptrdiff_t row, bool norm)
{
    const SS_REAL sixth = (SS_REAL)(1 / 6.0);
    SS_REAL r[SS_SUM_CHUNK];
    ss_lanes lanes = {{0}};
    for (int x = 0; x < box->nx; x += SS_SUM_CHUNK) {
        int n = box->nx - x < SS_SUM_CHUNK ? box->nx - x : SS_SUM_CHUNK;
        ptrdiff_t c = row + x;
        if (!norm) {
            for (int i = 0; i < n; i++)
                out[c + i] = SS_NAME(poisson3d)(u[c + i], residual_at(box, u, f, c + i), sixth);
            continue;
        }
        for (int i = 0; i < n; i++) {
            r[i] = residual_at(box, u, f, c + i);
            out[c + i] = SS_NAME(poisson3d)(u[c + i], r[i], sixth);
        }
        add_squares(r, n, lanes.lane);
    }
    return norm ? ss_lanes_sum(&lanes) : 0;
}

static double SS_NAME(sweep_row)(const ss_box *box, const void *u, const void *rhs, void *out,
                                 ptrdiff_t row, bool norm)
{
    return norm ? sweep_cells(box, u, rhs, out, row, true)
                : sweep_cells(box, u, rhs, out, row, false);
}

/* Restriction and correction (smooth.h), one row of each. n: cells of the coarser row. */

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
