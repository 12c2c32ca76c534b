/*
 * The stored inverse of a block: a full symmetric matrix from LAPACK, applied to a panel as one
 * matrix product by BLAS (inverse.h). 2 cells operations for each cell, 8 cells^2 bytes in double.
 */
#include "kernels/block/inverse.h"

#include <cblas.h>
#include <lapacke.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH 128        /* dgemm rearranges the matrix anew each time: this wants many columns */
#define MOST_CELLS 16384 /* 2 GiB of matrix */

/* Of OpenBLAS; another BLAS has its own ways. */
extern void openblas_set_num_threads(int threads) __attribute__((weak));

/* Threads share the panels out between them, and those of BLAS would only be in their way. */
void ss_blas_alone(void)
{
    if (openblas_set_num_threads)
        openblas_set_num_threads(1);
}

static int width(ss_prec prec)
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

static int invert(const ss_inverse *inv, double *a, ss_err *err)
{
    int n = inv->cells;
    size_t cells = (size_t)n;
    ss_blas_alone(); /* or its bits would depend on the threads */
    lapack_int info = LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', n, a, n);
    if (info == 0)
        info = LAPACKE_dpotri_work(LAPACK_COL_MAJOR, 'L', n, a, n);
    if (info != 0)
        return ss_fail(err, "block %dx%dx%d: LAPACK could not invert it (%d)", inv->n[0], inv->n[1],
                       inv->n[2], (int)info);
    for (size_t j = 0; j < cells; j++)
        for (size_t i = j + 1; i < cells; i++)
            a[i * cells + j] = a[j * cells + i];
    return SS_OK;
}

/* In place: entry i of the result lies before entry i of the matrix. */
static void narrow(double *a, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        float value = (float)a[i];
        memcpy((char *)a + i * sizeof value, &value, sizeof value);
    }
}

static int check(const int n[3], ss_err *err)
{
    double cells = (double)n[0] * n[1] * n[2];
    if (cells <= MOST_CELLS)
        return SS_OK;
    return ss_fail(err,
                   "block %dx%dx%d: it has %.0f cells, and a stored inverse is for at most %d: "
                   "choose a smaller one, or inverse separable",
                   n[0], n[1], n[2], cells, MOST_CELLS);
}

static int make(ss_inverse *inv, ss_err *err)
{
    size_t count = (size_t)inv->cells * (size_t)inv->cells;
    if (check(inv->n, err) != SS_OK)
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

static void apply(const ss_inverse *inv, const void *rhs, void *u, int count)
{
    int n = inv->cells;
    if (inv->prec == SS_F64)
        cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, count, n, 1.0, inv->own, n, rhs,
                    inv->width, 0.0, u, inv->width);
    else
        cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, count, n, 1.0F, inv->own, n, rhs,
                    inv->width, 0.0F, u, inv->width);
}

/* Of both precisions: it is computed in double. */
static double bytes(const ss_inverse *inv)
{
    return 8.0 * inv->cells * inv->cells;
}

static double flops(const ss_inverse *inv)
{
    return 2.0 * inv->cells * inv->cells;
}

const ss_inverse_form ss_inverse_dense = {
    .name = "dense",
    .help = "stored, 2 operations a cell and cell of the block",
    .width = width,
    .check = check,
    .make = make,
    .apply = apply,
    .enter = ss_blas_alone,
    .bytes = bytes,
    .flops = flops,
};
