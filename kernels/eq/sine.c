/*
 * The sine basis and the direct solvers on it (sine.h). Fast diagonalisation: with Tx, Ty the
 * second differences and S their eigenvectors, the five-point system is
 *     u = Sy [ (Sy g Sx) / (cx lambda_x + cy lambda_y) ] Sx,
 * four dense products instead of a factorisation (Lynch, Rice & Thomas 1964). They process u in
 * panels, in place: the memory is two fields, the sine matrices and a panel, and the solution can
 * be cancelled between panels.
 */
#include "kernels/eq/sine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/elementary/elementary.h"
#include "src/blas/blas.h"
#include "src/core/equation.h"

#define PANEL 256 /* rows or columns of u per product: enough for dgemm's full speed */

static const double PI = 3.14159265358979323846;

double *ss_sine_basis(int n, ss_err *err)
{
    size_t period = 2 * ((size_t)n + 1);
    double *table = ss_alloc(period * sizeof *table, "sine table", err);
    double *s = table ? ss_alloc((size_t)n * (size_t)n * sizeof *s, "sine matrix", err) : NULL;
    if (!s)
        goto out;
    /* The argument is reduced as an integer, so that the last column is as accurate as the first.
     * Only the first quarter is computed, so that symmetric entries are bit-for-bit equal. */
    double scale = sqrt(2.0 / (n + 1));
    for (size_t m = 0; m <= (size_t)n + 1; m++) {
        size_t mirrored = m <= period / 4 ? m : period / 2 - m;
        table[m] = scale * ss_sin(PI * (double)mirrored / (n + 1));
    }
    for (size_t m = (size_t)n + 2; m < period; m++)
        table[m] = -table[period - m];
    for (size_t i = 0; i < (size_t)n; i++) {
        double *row = s + i * (size_t)n;
        for (size_t j = 0, m = 0; j < (size_t)n; j++) {
            m += i + 1;
            if (m >= period)
                m -= period;
            row[j] = table[m];
        }
    }
out:
    free(table);
    return s;
}

void ss_sine_eigenvalues(int n, double *lambda)
{
    for (int i = 0; i < n; i++) {
        double half = ss_sin(PI * (i + 1) / (2.0 * (n + 1)));
        lambda[i] = 4.0 * half * half;
    }
}

/* Solves u_i - (u_{i-1} + u_{i+1})/2 = g_i for one copy by elimination without subtractions: the
 * pivots are (i+2)/(2(i+1)), and scaled by them both passes become running sums,
 *     Y_i = Y_{i-1} + (i+1) g_i,   V_i = V_{i+1} + 2 Y_i / ((i+1)(i+2)),   u_i = (i+1) V_i.
 * Long double limits the rounding error of sums of n terms. */
static void solve_row(int n, const double *g, double *u, long double *y)
{
    long double sum = 0;
    for (int i = 0; i < n; i++) {
        sum += (long double)(i + 1) * (long double)g[i];
        y[i] = sum;
    }
    sum = 0;
    for (int i = n - 1; i >= 0; i--) {
        sum += 2 * y[i] / ((long double)(i + 1) * (i + 2));
        u[i] = (double)((i + 1) * sum);
    }
}

int ss_sine_poisson1d(const ss_problem *p, const double *g, double *u, ss_err *err)
{
    long double *y = ss_alloc((size_t)p->nx * sizeof *y, "direct solver", err);
    if (!y)
        return SS_FAIL;
    for (int j = 0; j < p->ny; j++) {
        size_t row = (size_t)j * (size_t)p->nx;
        solve_row(p->nx, g + row, u + row, y);
    }
    free(y);
    return SS_OK;
}

/* out = in Sx, for all rows; in may equal out. */
static int transform_rows(const ss_problem *p, const double *sx, const double *in, double *out,
                          double *panel, ss_err *err)
{
    for (int j = 0; j < p->ny; j += PANEL) {
        int rows = p->ny - j < PANEL ? p->ny - j : PANEL;
        size_t at = (size_t)j * (size_t)p->nx;
        if (ss_exact_cancelled())
            return ss_fail(err, "the direct solution was abandoned");
        ss_blas->dgemm(SS_ROW_MAJOR, SS_NO_TRANS, SS_NO_TRANS, rows, p->nx, p->nx, 1.0, in + at,
                       p->nx, sx, p->nx, 0.0, panel, p->nx);
        memcpy(out + at, panel, (size_t)rows * (size_t)p->nx * sizeof *out);
    }
    return SS_OK;
}

/* Divides the modes of columns i .. i+cols of the transformed field by their eigenvalues. */
static void divide(const ss_problem *p, const double *lx, const double *ly, int i, int cols,
                   double *panel)
{
    double wx = 1.0 / (p->dx * p->dx), wy = 1.0 / (p->dy * p->dy), diagonal = 2.0 * (wx + wy);
    for (int j = 0; j < p->ny; j++)
        for (int c = 0; c < cols; c++)
            panel[(size_t)j * (size_t)cols + (size_t)c] *= diagonal / (wx * lx[i + c] + wy * ly[j]);
}

/* u = Sy [ (Sy u) / lambda ], for all columns. */
static int solve_columns(const ss_problem *p, const double *sy, const double *lx, const double *ly,
                         double *u, double *panel, ss_err *err)
{
    for (int i = 0; i < p->nx; i += PANEL) {
        int cols = p->nx - i < PANEL ? p->nx - i : PANEL;
        if (ss_exact_cancelled())
            return ss_fail(err, "the direct solution was abandoned");
        ss_blas->dgemm(SS_ROW_MAJOR, SS_NO_TRANS, SS_NO_TRANS, p->ny, cols, p->ny, 1.0, sy, p->ny,
                       u + i, p->nx, 0.0, panel, cols);
        divide(p, lx, ly, i, cols, panel);
        if (ss_exact_cancelled())
            return ss_fail(err, "the direct solution was abandoned");
        ss_blas->dgemm(SS_ROW_MAJOR, SS_NO_TRANS, SS_NO_TRANS, p->ny, cols, p->ny, 1.0, sy, p->ny,
                       panel, cols, 0.0, u + i, p->nx);
    }
    return SS_OK;
}

int ss_sine_poisson2d(const ss_problem *p, const double *g, double *u, ss_err *err)
{
    int n = p->nx > p->ny ? p->nx : p->ny, rc = SS_FAIL;
    double *sy = NULL;
    double *sx = ss_sine_basis(p->nx, err);
    double *panel = ss_alloc((size_t)PANEL * (size_t)n * sizeof *panel, "direct solver", err);
    double *lambda = ss_alloc(((size_t)p->nx + (size_t)p->ny) * sizeof *lambda, "eigenvalues", err);
    if (!sx || !panel || !lambda || ss_blas_open(1, err) != SS_OK)
        goto out;
    sy = p->ny == p->nx ? sx : ss_sine_basis(p->ny, err);
    if (!sy)
        goto out;
    ss_sine_eigenvalues(p->nx, lambda);
    ss_sine_eigenvalues(p->ny, lambda + p->nx);
    rc = transform_rows(p, sx, g, u, panel, err);
    if (rc == SS_OK)
        rc = solve_columns(p, sy, lambda, lambda + p->nx, u, panel, err);
    if (rc == SS_OK)
        rc = transform_rows(p, sx, u, u, panel, err);
out:
    if (sy != sx)
        free(sy);
    free(sx);
    free(panel);
    free(lambda);
    return rc;
}

void ss_sine_poisson1d_cost(const ss_problem *p, double *bytes, double *operations)
{
    *bytes = (double)sizeof(long double) * p->nx;
    *operations = 8.0 * p->nx * p->ny;
}

void ss_sine_poisson2d_cost(const ss_problem *p, double *bytes, double *operations)
{
    double nx = p->nx, ny = p->ny, n = nx > ny ? nx : ny;
    *bytes = 8.0 * (nx * nx + (p->nx == p->ny ? 0.0 : ny * ny) + PANEL * n + nx + ny);
    *operations = 4.0 * nx * ny * (nx + ny);
}
