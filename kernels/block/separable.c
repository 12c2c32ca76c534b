/*
 * The separable inverse of a block, which is never stored (inverse.h). The matrix is the sum of
 * tridiag(-1, 2, -1) over the three directions. Its eigenvectors are products of sines, so that
 *     u = Sz Sy Sx [ (Sx Sy Sz rhs) / (lambda_x + lambda_y + lambda_z) ]
 * is the exact solution: short sine transforms along the lines of the block. The sines are even or
 * odd about the middle of a line, so half of every product is enough: about 2 (nx + ny + nz)
 * operations per cell. The loops are in lines.h.
 */
#include "kernels/block/inverse.h"

#include <stdlib.h>

#include "kernels/eq/sine.h"
#include "kernels/geom/blocking.h"

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

static void store_reciprocals(const ss_inverse *inv, size_t at)
{
    double lambda[3][SS_BLOCK_MOST];
    for (int d = 0; d < 3; d++)
        ss_sine_eigenvalues(inv->n[d], lambda[d]);
    for (int k = 0; k < inv->n[2]; k++)
        for (int j = 0; j < inv->n[1]; j++)
            for (int i = 0; i < inv->n[0]; i++)
                store(inv, at++, 1 / (lambda[0][i] + lambda[1][j] + lambda[2][k]));
}

static int make(ss_inverse *inv, ss_err *err)
{
    size_t at = 0;
    inv->own = ss_alloc(total_values(inv) * ss_prec_size(inv->prec), "the sines of a block", err);
    for (int d = 0; d < 3 && inv->own; d++) {
        double *basis = ss_sine_basis(inv->n[d], err);
        if (basis)
            at = store_sines(inv, at, inv->n[d], basis);
        else
            ss_inverse_free(inv);
        free(basis);
    }
    if (!inv->own)
        return SS_FAIL;
    store_reciprocals(inv, at);
    return SS_OK;
}

static int width(ss_prec prec)
{
    return (int)(SS_ALIGN / ss_prec_size(prec));
}

static void enter(void)
{
}

static int check(const int n[3], ss_err *err)
{
    (void)n, (void)err;
    return SS_OK;
}

static void apply(const ss_inverse *inv, const void *rhs, void *u, int count)
{
    (void)count;
    if (inv->prec == SS_F64)
        SS_PICK(solve, f64)(inv->n, inv->own, rhs, u);
    else
        SS_PICK(solve, f32)(inv->n, inv->own, rhs, u);
}

static double bytes(const ss_inverse *inv)
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

static double flops(const ss_inverse *inv)
{
    double per_cell = 1;
    for (int d = 0; d < 3; d++)
        per_cell += 2 * line_flops(inv->n[d]) / inv->n[d];
    return per_cell * inv->cells;
}

/* Five passes along lines (z, y, x there and back, y, z) read and write every value once; the one
 * along x reads the reciprocal eigenvalues too. */
static double moves(const ss_inverse *inv)
{
    return 11.0 * inv->cells;
}

const ss_inverse_form ss_inverse_separable = {
    .name = "separable",
    .help = "by sine transforms along x, y, z: the same inverse, never stored",
    .width = width,
    .check = check,
    .make = make,
    .apply = apply,
    .enter = enter,
    .bytes = bytes,
    .flops = flops,
    .moves = moves,
};
