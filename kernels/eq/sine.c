/*
 * Sine bases and the direct solvers on them (sine.h). Fast diagonalisation in 2D: with Tx, Ty the
 * second differences and S their eigenvectors, the five-point system is
 *     u = Sy [ (Sy g Sx) / (cx lambda_x + cy lambda_y) ] Sx,
 * four dense products instead of a factorisation (Lynch, Rice & Thomas 1964), and likewise in 3D.
 * They process u in panels, in place: the memory is two fields, the sine matrices and a panel, and
 * the solution can be cancelled between panels.
 */
#include "kernels/eq/sine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/elementary/elementary.h"
#include "src/blas/blas.h"
#include "src/core/equation.h"

#define PANEL 256 /* rows or columns per product: enough for dgemm's full speed */

static const double PI = 3.14159265358979323846;

/* --- lines ------------------------------------------------------------------------------------ */

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

void ss_sine_poisson1d_cost(const ss_problem *p, double *bytes, double *operations)
{
    *bytes = (double)sizeof(long double) * p->nx;
    *operations = 8.0 * p->nx * p->ny;
}

/* --- modes of a box of cells ------------------------------------------------------------------ */

/* sin(pi a / b), with exact range reduction. */
static double sine(int64_t a, int64_t b)
{
    a %= 2 * b;
    double sign = a > b ? -1 : 1;
    a = a > b ? a - b : a;
    a = 2 * a > b ? b - a : a;
    return sign * ss_sin(PI * (double)a / (double)b);
}

double ss_mode_at(int n, bool mirror, int m, int i)
{
    return mirror ? sine((int64_t)m * (2 * i + 1), 2 * (int64_t)n)
                  : sine((int64_t)m * (i + 1), n + 1);
}

/* The values of all basis functions: products of m and i repeat after a period. */
static double *sines(int64_t b, ss_err *err)
{
    double *of = ss_alloc((size_t)(2 * b) * sizeof *of, "the modes of a patch", err);
    for (int64_t a = 0; of && a < 2 * b; a++)
        of[a] = sine(a, b);
    return of;
}

static int make_direction(ss_modes *out, int n, bool mirror, ss_err *err)
{
    size_t size = (size_t)n;
    double length = mirror ? n : n + 1.0;
    int64_t b = mirror ? 2 * (int64_t)n : (int64_t)n + 1;
    double *of = sines(b, err);
    *out = (ss_modes){.n = n};
    if (of)
        out->basis = ss_alloc((size + 1) * size * sizeof *out->basis, "the modes of a patch", err);
    if (!out->basis) {
        free(of);
        return SS_FAIL;
    }
    out->lambda = out->basis + size * size;
    for (int k = 0; k < n; k++) {
        double half = ss_sin(PI * (k + 1) / (2 * length));
        out->lambda[k] = 4 * half * half;
    }
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++) {
            double scale = sqrt((mirror && k == n - 1 ? 1 : 2) / length);
            int64_t a = (int64_t)(k + 1) * (mirror ? 2 * i + 1 : i + 1);
            out->basis[(size_t)i * size + (size_t)k] = scale * of[a % (2 * b)];
        }
    free(of);
    return SS_OK;
}

int ss_modes_make(ss_modes out[3], const int n[3], bool mirror, ss_err *err)
{
    memset(out, 0, 3 * sizeof *out);
    for (int d = 0; d < 3; d++) {
        int same = 0;
        while (same < d && n[same] != n[d])
            same++;
        if (same < d)
            out[d] = out[same];
        else if (make_direction(&out[d], n[d], mirror, err) != SS_OK) {
            ss_modes_free(out);
            return SS_FAIL;
        }
    }
    return SS_OK;
}

void ss_modes_free(ss_modes m[3])
{
    for (int d = 0; d < 3; d++) {
        bool shared = false;
        for (int e = 0; e < d; e++)
            shared = shared || m[e].basis == m[d].basis;
        if (!shared)
            free(m[d].basis);
    }
    memset(m, 0, 3 * sizeof *m);
}

size_t ss_modes_work(const ss_modes m[3])
{
    size_t most = 0;
    for (int d = 0; d < 3; d++)
        most = (size_t)m[d].n > most ? (size_t)m[d].n : most;
    return PANEL * most;
}

static int cancelled(ss_err *err)
{
    return ss_exact_cancelled() ? ss_fail(err, "the direct solution was cancelled") : SS_OK;
}

/* Transforms along x: `rows` contiguous lines. */
static int along_rows(const ss_modes *m, bool back, size_t rows, double *u, double *work,
                      ss_err *err)
{
    size_t n = (size_t)m->n;
    for (size_t r = 0; r < rows; r += PANEL) {
        size_t count = rows - r < PANEL ? rows - r : PANEL;
        if (cancelled(err) != SS_OK)
            return SS_FAIL;
        ss_blas->dgemm(SS_ROW_MAJOR, SS_NO_TRANS, back ? SS_TRANS : SS_NO_TRANS, (int)count, m->n,
                       m->n, 1, u + r * n, m->n, m->basis, m->n, 0, work, m->n);
        memcpy(u + r * n, work, count * n * sizeof *u);
    }
    return SS_OK;
}

/* Transforms along y or z: `stride` adjacent lines whose cells are `stride` elements apart. */
static int along_columns(const ss_modes *m, bool back, size_t stride, double *u, double *work,
                         ss_err *err)
{
    size_t n = (size_t)m->n;
    for (size_t c = 0; c < stride; c += PANEL) {
        size_t count = stride - c < PANEL ? stride - c : PANEL;
        if (cancelled(err) != SS_OK)
            return SS_FAIL;
        ss_blas->dgemm(SS_ROW_MAJOR, back ? SS_NO_TRANS : SS_TRANS, SS_NO_TRANS, m->n, (int)count,
                       m->n, 1, m->basis, m->n, u + c, (int)stride, 0, work, (int)count);
        for (size_t i = 0; i < n; i++)
            memcpy(u + i * stride + c, work + i * count, count * sizeof *u);
    }
    return SS_OK;
}

/* Along direction d. */
static int along(const ss_modes m[3], int d, bool back, double *u, double *work, ss_err *err)
{
    size_t nx = (size_t)m[0].n, ny = (size_t)m[1].n, nz = (size_t)m[2].n;
    int rc = SS_OK;
    if (d == 0)
        return along_rows(&m[0], back, ny * nz, u, work, err);
    for (size_t k = 0; d == 1 && k < nz && rc == SS_OK; k++)
        rc = along_columns(&m[1], back, nx, u + k * nx * ny, work, err);
    /* A single plane has one mode in z: itself. */
    return d == 2 && nz > 1 ? along_columns(&m[2], back, nx * ny, u, work, err) : rc;
}

int ss_modes_transform(const ss_modes m[3], bool back, double *u, double *work, ss_err *err)
{
    bool reverse = back && m[2].n == 1; /* planes only */
    int rc = ss_blas_open(1, err);
    for (int i = 0; i < 3 && rc == SS_OK; i++)
        rc = along(m, reverse ? 2 - i : i, back, u, work, err);
    return rc;
}

/* --- planes ----------------------------------------------------------------------------------- */

/* Divides the modes by their eigenvalues. */
static void divide(const ss_problem *p, const ss_modes m[3], double *u)
{
    double wx = 1.0 / (p->dx * p->dx), wy = 1.0 / (p->dy * p->dy), diagonal = 2.0 * (wx + wy);
    for (int j = 0; j < p->ny; j++)
        for (int i = 0; i < p->nx; i++)
            *u++ *= diagonal / (wx * m[0].lambda[i] + wy * m[1].lambda[j]);
}

int ss_sine_poisson2d(const ss_problem *p, const double *g, double *u, ss_err *err)
{
    const int n[3] = {p->nx, p->ny, 1};
    ss_modes modes[3];
    if (ss_modes_make(modes, n, false, err) != SS_OK)
        return SS_FAIL;
    double *work = ss_alloc(ss_modes_work(modes) * sizeof *work, "direct solver", err);
    int rc = work ? SS_OK : SS_FAIL;
    memcpy(u, g, (size_t)p->nx * (size_t)p->ny * sizeof *u);
    if (rc == SS_OK)
        rc = ss_modes_transform(modes, false, u, work, err);
    if (rc == SS_OK) {
        divide(p, modes, u);
        rc = ss_modes_transform(modes, true, u, work, err);
    }
    free(work);
    ss_modes_free(modes);
    return rc;
}

void ss_sine_poisson2d_cost(const ss_problem *p, double *bytes, double *operations)
{
    double nx = p->nx, ny = p->ny, n = nx > ny ? nx : ny;
    *bytes = 8.0 * (nx * nx + (p->nx == p->ny ? 0.0 : ny * ny) + PANEL * n + nx + ny);
    *operations = 4.0 * nx * ny * (nx + ny);
}
