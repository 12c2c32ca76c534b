/*
 * The exact inverse of a block (inverse.h) in two forms.
 *
 * Separable, which is never stored. The matrix is the sum of tridiag(-1, 2, -1) over the three
 * directions. Its eigenvectors are products of sines, so that
 *     u = Sz Sy Sx [ (Sx Sy Sz rhs) / (lambda_x + lambda_y + lambda_z) ]
 * is the exact solution: short sine transforms along the lines of the block. The sines are even or
 * odd about the middle of a line, so half of every product is enough: about 2 (nx + ny + nz)
 * operations per cell. The loops are in lines.h.
 *
 * Stored: a full symmetric matrix from LAPACK, applied to a panel as one matrix product by BLAS. A
 * block of N cells takes 2 N operations per cell and 8 N^2 bytes in double.
 */
#include "kernels/block/inverse.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/eq/sine.h"
#include "kernels/geom/patches.h"
#include "src/blas/blas.h"
#include "src/core/run.h"

int ss_inverse_make(ss_inverse *inv, const ss_inverse_form *form, const int n[3], ss_prec prec,
                    ss_err *err)
{
    *inv = (ss_inverse){.form = form, .cells = 1, .width = form->width(prec), .prec = prec};
    for (int d = 0; d < 3; d++) {
        if (n[d] < 1 || n[d] > SS_BLOCK_MOST)
            return ss_fail(err, "block: %d cells in a direction; the range is 1 to %d", n[d],
                           SS_BLOCK_MOST);
        inv->n[d] = n[d];
        inv->cells *= n[d];
    }
    return form->make(inv, err);
}

void ss_inverse_free(ss_inverse *inv)
{
    free(inv->own);
    inv->own = NULL;
}

/* --- separable -------------------------------------------------------------------------------- */

#define FIXED 8 /* loops over lines of up to this many cells are unrolled */

/* make stores, in the precision of the inverse: for each direction the first (n+1)/2 columns of the
 * sine matrix by rows, then the reciprocal eigenvalue of each mode. Here the sines of a direction.
 */
static size_t sines(int n)
{
    return (size_t)n * (size_t)((n + 1) / 2);
}

#define SS_TEMPLATE "kernels/block/lines.h"
#include "kernels/cpu/simd/each.h"

static size_t total_values(const ss_inverse *inv)
{
    return sines(inv->n[0]) + sines(inv->n[1]) + sines(inv->n[2]) + (size_t)inv->cells;
}

static void store(const ss_inverse *inv, size_t at, double value)
{
    if (inv->prec == SS_F64)
        ((double *)inv->own)[at] = value;
    else
        ((float *)inv->own)[at] = (float)value;
}

static size_t store_sines(const ss_inverse *inv, size_t at, int n, const double *basis)
{
    for (int k = 0; k < n; k++)
        for (int m = 0; m < (n + 1) / 2; m++)
            store(inv, at++, basis[k * n + m]);
    return at;
}

static int separable_make(ss_inverse *inv, ss_err *err)
{
    ss_modes m[3];
    size_t at = 0;
    if (ss_modes_make(m, inv->n, false, err) != SS_OK)
        return SS_FAIL;
    inv->own = ss_alloc(total_values(inv) * ss_prec_size(inv->prec), "the sines of a block", err);
    for (int d = 0; d < 3 && inv->own; d++)
        at = store_sines(inv, at, inv->n[d], m[d].basis);
    for (int k = 0; k < inv->n[2] && inv->own; k++)
        for (int j = 0; j < inv->n[1]; j++)
            for (int i = 0; i < inv->n[0]; i++)
                store(inv, at++, 1 / (m[0].lambda[i] + m[1].lambda[j] + m[2].lambda[k]));
    ss_modes_free(m);
    return inv->own ? SS_OK : SS_FAIL;
}

static int separable_width(ss_prec prec)
{
    return (int)(SS_ALIGN / ss_prec_size(prec));
}

static void separable_apply(const ss_inverse *inv, const void *rhs, void *u, int count)
{
    (void)count;
    if (inv->prec == SS_F64)
        SS_PICK(solve, f64)(inv->n, inv->own, rhs, u);
    else
        SS_PICK(solve, f32)(inv->n, inv->own, rhs, u);
}

static double separable_bytes(const ss_inverse *inv)
{
    return (double)total_values(inv) * (double)ss_prec_size(inv->prec);
}

/* The sums and differences, then a dot product of half the length per mode. */
static double line_flops(int n)
{
    int half = n / 2, flops = 2 * half;
    for (int k = 0; k < n; k++)
        flops += 2 * (k % 2 ? half : n - half) - 1;
    return flops;
}

static double separable_flops(const ss_inverse *inv)
{
    double per_cell = 1;
    for (int d = 0; d < 3; d++)
        per_cell += 2 * line_flops(inv->n[d]) / inv->n[d];
    return per_cell * inv->cells;
}

/* Five passes along lines (z, y, x there and back, y, z) read and write every value once; the one
 * along x reads the reciprocal eigenvalues too. */
static double separable_moves(const ss_inverse *inv)
{
    return 11.0 * inv->cells;
}

const ss_inverse_form ss_inverse_separable = {
    .name = "separable",
    .help = "by sine transforms along x, y, z: the same inverse, never stored",
    .width = separable_width,
    .make = separable_make,
    .apply = separable_apply,
    .bytes = separable_bytes,
    .flops = separable_flops,
    .moves = separable_moves,
};

/* --- stored ----------------------------------------------------------------------------------- */

#define WIDTH 128        /* dgemm repacks the matrix in every call: many columns amortise this */
#define MOST_CELLS 16384 /* 2 GiB of matrix */

static int dense_width(ss_prec prec)
{
    (void)prec;
    return WIDTH;
}

/* The lower triangle of the matrix, by columns. */
static void assemble(const ss_inverse *inv, double *a)
{
    size_t cells = (size_t)inv->cells, stride = 1;
    memset(a, 0, cells * cells * sizeof *a);
    for (size_t c = 0; c < cells; c++)
        a[c * cells + c] = 6;
    for (int d = 0; d < 3; d++) {
        size_t n = (size_t)inv->n[d];
        for (size_t c = 0; c < cells; c++)
            if (c / stride % n + 1 < n)
                a[c * cells + c + stride] = -1;
        stride *= n;
    }
}

/* Columns between two checks for cancellation: one second of work at most. */
#define COLUMNS 64

/* Element (i, j) of a matrix of n rows, by columns. */
static double *element(double *a, int n, int i, int j)
{
    return a + (size_t)j * (size_t)n + (size_t)i;
}

/* Columns [j, j + m) of the lower Cholesky factor L; columns before j are done. */
static int factor_columns(double *a, int n, int j, int m)
{
    int below = n - j - m;
    double *corner = element(a, n, j, j), *below_corner = corner + m;
    ss_blas->dsyrk(SS_COL_MAJOR, SS_LOWER, SS_NO_TRANS, m, j, -1.0, element(a, n, j, 0), n, 1.0,
                   corner, n);
    int info = (int)ss_blas->dpotrf(SS_COL_MAJOR, 'L', m, corner, n);
    if (info != 0 || below == 0)
        return info;
    ss_blas->dgemm(SS_COL_MAJOR, SS_NO_TRANS, SS_TRANS, below, m, j, -1.0, element(a, n, j + m, 0),
                   n, element(a, n, j, 0), n, 1.0, below_corner, n);
    ss_blas->dtrsm(SS_COL_MAJOR, SS_FROM_RIGHT, SS_LOWER, SS_TRANS, SS_NON_UNIT, below, m, 1.0,
                   corner, n, below_corner, n);
    return 0;
}

/* Columns [j, j + m) of the inverse of L; columns from j + m on are done. */
static int invert_columns(double *a, int n, int j, int m)
{
    int below = n - j - m;
    double *corner = element(a, n, j, j), *below_corner = corner + m;
    if (below > 0) {
        ss_blas->dtrmm(SS_COL_MAJOR, SS_FROM_LEFT, SS_LOWER, SS_NO_TRANS, SS_NON_UNIT, below, m,
                       1.0, element(a, n, j + m, j + m), n, below_corner, n);
        ss_blas->dtrsm(SS_COL_MAJOR, SS_FROM_RIGHT, SS_LOWER, SS_NO_TRANS, SS_NON_UNIT, below, m,
                       -1.0, corner, n, below_corner, n);
    }
    return (int)ss_blas->dtrtri(SS_COL_MAJOR, 'L', 'N', m, corner, n);
}

/* Rows [i, i + m) of the lower triangle of L^-T L^-1, in place. */
static int multiply_rows(double *a, int n, int i, int m)
{
    int below = n - i - m;
    double *corner = element(a, n, i, i), *left = element(a, n, i, 0), *below_corner = corner + m;
    ss_blas->dtrmm(SS_COL_MAJOR, SS_FROM_LEFT, SS_LOWER, SS_TRANS, SS_NON_UNIT, m, i, 1.0, corner,
                   n, left, n);
    int info = (int)ss_blas->dlauum(SS_COL_MAJOR, 'L', m, corner, n);
    if (info != 0 || below == 0)
        return info;
    ss_blas->dgemm(SS_COL_MAJOR, SS_TRANS, SS_NO_TRANS, m, i, below, 1.0, below_corner, n, left + m,
                   n, 1.0, left, n);
    ss_blas->dsyrk(SS_COL_MAJOR, SS_LOWER, SS_TRANS, m, below, 1.0, below_corner, n, 1.0, corner,
                   n);
    return 0;
}

#define CANCELLED INT_MIN

/* LAPACK's dpotrf and dpotri in steps of COLUMNS columns, so that the work can be cancelled. */
static int invert_matrix(double *a, int n)
{
    static const struct {
        int (*part)(double *a, int n, int from, int m);
        bool backwards;
    } passes[] = {{factor_columns, false}, {invert_columns, true}, {multiply_rows, false}};
    int parts = (n + COLUMNS - 1) / COLUMNS, info = 0;
    for (int pass = 0; pass < 3; pass++)
        for (int p = 0; p < parts && info == 0; p++) {
            int from = COLUMNS * (passes[pass].backwards ? parts - 1 - p : p);
            int m = n - from < COLUMNS ? n - from : COLUMNS;
            info = ss_run_unwanted() ? CANCELLED : passes[pass].part(a, n, from, m);
        }
    return info;
}

static int invert(const ss_inverse *inv, double *a, ss_err *err)
{
    int n = inv->cells;
    size_t cells = (size_t)n;
    ss_blas_alone(); /* with threads of BLAS the rounding would depend on their number */
    int info = invert_matrix(a, n);
    if (info == CANCELLED)
        return ss_fail(err, "block %dx%dx%d: the inversion was cancelled", inv->n[0], inv->n[1],
                       inv->n[2]);
    if (info != 0)
        return ss_fail(err, "block %dx%dx%d: LAPACK could not invert it (%d)", inv->n[0], inv->n[1],
                       inv->n[2], info);
    for (size_t j = 0; j < cells; j++)
        for (size_t i = j + 1; i < cells; i++)
            a[i * cells + j] = a[j * cells + i];
    return SS_OK;
}

/* Converts to float in place: float i never overlaps a later double. */
static void narrow(double *a, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        float value = (float)a[i];
        memcpy((char *)a + i * sizeof value, &value, sizeof value);
    }
}

static int dense_check(const int n[3], ss_err *err)
{
    double cells = (double)n[0] * n[1] * n[2];
    if (cells <= MOST_CELLS)
        return SS_OK;
    return ss_fail(err,
                   "block %dx%dx%d: it has %.0f cells, and a stored inverse is for at most %d: "
                   "choose a smaller block, or inverse separable",
                   n[0], n[1], n[2], cells, MOST_CELLS);
}

static int dense_make(ss_inverse *inv, ss_err *err)
{
    size_t count = (size_t)inv->cells * (size_t)inv->cells;
    if (dense_check(inv->n, err) != SS_OK || ss_blas_open(1, err) != SS_OK)
        return SS_FAIL;
    double *a = ss_alloc(count * sizeof *a, "the inverse of a block", err);
    if (!a)
        return SS_FAIL;
    assemble(inv, a);
    if (invert(inv, a, err) != SS_OK) {
        free(a);
        return SS_FAIL;
    }
    if (inv->prec == SS_F32)
        narrow(a, count);
    inv->own = a;
    return SS_OK;
}

static void dense_apply(const ss_inverse *inv, const void *rhs, void *u, int count)
{
    int n = inv->cells;
    if (inv->prec == SS_F64)
        ss_blas->dgemm(SS_ROW_MAJOR, SS_NO_TRANS, SS_NO_TRANS, n, count, n, 1.0, inv->own, n, rhs,
                       inv->width, 0.0, u, inv->width);
    else
        ss_blas->sgemm(SS_ROW_MAJOR, SS_NO_TRANS, SS_NO_TRANS, n, count, n, 1.0F, inv->own, n, rhs,
                       inv->width, 0.0F, u, inv->width);
}

/* The same for both precisions: it is computed in double and narrowed in place. */
static double dense_bytes(const ss_inverse *inv)
{
    return 8.0 * inv->cells * inv->cells;
}

static double dense_flops(const ss_inverse *inv)
{
    return 2.0 * inv->cells * inv->cells;
}

/* Every element of the matrix and a value of the right-hand side for each; a result is written
 * once.
 */
static double dense_moves(const ss_inverse *inv)
{
    return 2.0 * inv->cells * inv->cells + inv->cells;
}

/* n^3 in all: a third each for L, its inverse, and the product. */
static double dense_effort(const ss_inverse *inv)
{
    return (double)inv->cells * inv->cells * inv->cells;
}

const ss_inverse_form ss_inverse_dense = {
    .name = "dense",
    .help = "stored matrix, 2 N operations per cell for a block of N cells",
    .width = dense_width,
    .check = dense_check,
    .make = dense_make,
    .apply = dense_apply,
    .open = ss_blas_open,
    .enter = ss_blas_alone, /* the threads already share the panels */
    .bytes = dense_bytes,
    .flops = dense_flops,
    .moves = dense_moves,
    .effort = dense_effort,
};
