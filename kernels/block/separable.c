/*
 * The inverse of a block that is never stored (inverse.h). The matrix is a sum of the three
 * directions' tridiag(-1, 2, -1), whose eigenvectors are sines, so that
 *     u = Sz Sy Sx [ (Sx Sy Sz rhs) / (lambda_x + lambda_y + lambda_z) ]
 * is the exact solution: short sine transforms along the lines of the block. About 2 (nx + ny + nz)
 * operations for each cell, since the sines are even or odd about the middle of a line and half of
 * every product is enough. The loops are in lines.h.
 */
#include "kernels/block/inverse.h"

#include <stdlib.h>

#include "kernels/eq/sine.h"

#define FIXED 8 /* lines of up to so many cells have loops of their own, unrolled */

/* What make stores, all in the precision of the inverse: for each direction the first (n+1)/2
 * columns of the sine matrix by rows, then for each cell the reciprocal of its mode's eigenvalue.
 */
static size_t sines(int n)
{
    return (size_t)n * (size_t)((n + 1) / 2);
}

#define SS_TEMPLATE "kernels/block/lines.h"
#include "kernels/block/each.h"

static size_t values(const ss_inverse *inv)
{
    return sines(inv->n[0]) + sines(inv->n[1]) + sines(inv->n[2]) + (size_t)inv->cells;
}

static void put(const ss_inverse *inv, size_t at, double value)
{
    if (inv->prec == SS_F64)
        ((double *)inv->own)[at] = value;
    else
        ((float *)inv->own)[at] = (float)value;
}

static size_t put_sines(const ss_inverse *inv, size_t at, int n, const double *basis)
{
    for (int k = 0; k < n; k++)
        for (int m = 0; m < (n + 1) / 2; m++)
            put(inv, at++, basis[k * n + m]);
    return at;
}

static void put_reciprocals(const ss_inverse *inv, size_t at)
{
    double lambda[3][SS_BLOCK_MOST];
    for (int d = 0; d < 3; d++)
        ss_sine_eigenvalues(inv->n[d], lambda[d]);
    for (int k = 0; k < inv->n[2]; k++)
        for (int j = 0; j < inv->n[1]; j++)
            for (int i = 0; i < inv->n[0]; i++)
                put(inv, at++, 1 / (lambda[0][i] + lambda[1][j] + lambda[2][k]));
}

static int make(ss_inverse *inv, ss_err *err)
{
    size_t at = 0;
    inv->own = ss_alloc(values(inv) * ss_prec_size(inv->prec), "the sines of a block", err);
    for (int d = 0; d < 3 && inv->own; d++) {
        double *basis = ss_sine_basis(inv->n[d], err);
        if (basis)
            at = put_sines(inv, at, inv->n[d], basis);
        else
            ss_inverse_free(inv);
        free(basis);
    }
    if (!inv->own)
        return SS_FAIL;
    put_reciprocals(inv, at);
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
    return (double)values(inv) * (double)ss_prec_size(inv->prec);
}

/* Sums and differences, then for each mode a product of half the length. */
static double line_flops(int n)
{
    int half = n / 2, flops = 2 * half;
    for (int k = 0; k < n; k++)
        flops += 2 * (k % 2 ? half : n - half) - 1;
    return flops;
}

static double flops(const ss_inverse *inv)
{
    double a_cell = 1;
    for (int d = 0; d < 3; d++)
        a_cell += 2 * line_flops(inv->n[d]) / inv->n[d];
    return a_cell * inv->cells;
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
};
