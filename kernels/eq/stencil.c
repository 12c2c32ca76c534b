/*
 * Constant matrices (inner.h): the convergence of Jacobi's iteration, and the direct solution of
 * the system. For that the unknowns of 2D are
 * numbered along the shorter direction, of m points, so that all entries lie within m of the
 * diagonal. Gaussian elimination then needs only a window of the matrix at a time:
 *
 *              P columns     2m columns         1
 *           +-----------+----------------+---------+
 *     P     |  L and U  |  U             |    y    |   -> stored, for the back substitution
 *           +-----------+----------------+---------+
 *     m     |  L        |  updated       | updated |   -> moves up and left; P new rows follow
 *           +-----------+----------------+---------+
 *
 * LAPACK factorises the panel of P columns with partial pivoting, which fills in at most m more
 * columns, and BLAS updates the rest; the right-hand side is one more column. LAPACK's own banded
 * solver (dgbsv) does the same, but stores L as well, and cannot be cancelled.
 */
#include "kernels/eq/inner.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/elementary/elementary.h"
#include "src/blas/blas.h"

#define PANEL 64 /* columns factorised at a time: enough for the full speed of the update */

/* --- convergence ------------------------------------------------------------------------------ */

/* sqrt(x^2 + y^2) of x, y >= 0; the hypot of C has other last digits in other C libraries. */
static double hypotenuse(double x, double y)
{
    double longer = fmax(x, y), ratio = longer > 0 ? fmin(x, y) / longer : 0;
    return longer * sqrt(1 + ratio * ratio);
}

double ss_stencil_radius(const ss_problem *p, const ss_stencil *m)
{
    const double pi = 3.14159265358979323846;
    double x = 2 * sqrt(fabs(m->w * m->e)) * ss_cos(pi / (p->nx + 1));
    double y = p->dim == 1 ? 0 : 2 * sqrt(fabs(m->s * m->n)) * ss_cos(pi / (p->ny + 1));
    /* Both real or both imaginary: they add up. Else they are legs of a right triangle. */
    bool aligned = (m->w * m->e < 0) == (m->s * m->n < 0);
    return (aligned ? x + y : hypotenuse(x, y)) / fabs(m->d);
}

/* --- direct solution in 1D -------------------------------------------------------------------- */

/* One copy; work holds 3n doubles. dgtsv overwrites the three diagonals. */
static int solve_row(const ss_stencil *m, int n, double *u, double *work)
{
    double *lower = work, *diagonal = work + n, *upper = work + 2 * (size_t)n;
    for (int i = 0; i < n; i++) {
        lower[i] = m->w / m->d;
        diagonal[i] = 1;
        upper[i] = m->e / m->d;
    }
    return (int)ss_blas->dgtsv(SS_COL_MAJOR, n, 1, lower, diagonal, upper, u, n);
}

static int fail_singular(ss_err *err)
{
    return ss_fail(err, "the matrix is singular with these coefficients: there is no u*");
}

static int solve_rows(const ss_problem *p, const ss_stencil *m, double *u, ss_err *err)
{
    double *work = ss_alloc(3 * (size_t)p->nx * sizeof *work, "direct solver", err);
    if (!work)
        return SS_FAIL;
    int rc = SS_OK;
    for (int j = 0; j < p->ny && rc == SS_OK; j++) {
        if (ss_exact_cancelled())
            rc = ss_fail(err, "the direct solution was abandoned");
        else if (solve_row(m, p->nx, u + (size_t)j * (size_t)p->nx, work) != 0)
            rc = fail_singular(err);
    }
    free(work);
    return rc;
}

/* --- direct solution in 2D -------------------------------------------------------------------- */

/* The matrix divided by d, and the numbering: unknown k is point k % inner of line k / inner. */
typedef struct band {
    size_t inner, count; /* m, and the number of unknowns */
    bool turned;         /* lines are columns of the field */
    double before, after, line_before, line_after;
    size_t rows, cols; /* size of the window; the last column holds the right-hand side */
    double *window;    /* column-major */
    double *stored;    /* PANEL rows of the window for each panel, column-major */
    int pivot[PANEL];
} band;

static size_t smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t panels(const band *b)
{
    return (b->count + PANEL - 1) / PANEL;
}

static band number(const ss_problem *p, const ss_stencil *m)
{
    bool turned = p->ny < p->nx;
    band b = {.inner = (size_t)(turned ? p->ny : p->nx), .turned = turned};
    b.count = (size_t)p->nx * (size_t)p->ny;
    b.before = (turned ? m->s : m->w) / m->d;
    b.after = (turned ? m->n : m->e) / m->d;
    b.line_before = (turned ? m->w : m->s) / m->d;
    b.line_after = (turned ? m->e : m->n) / m->d;
    b.rows = b.inner + PANEL;
    b.cols = 2 * b.inner + PANEL + 1;
    return b;
}

/* The position of unknown k in the field. */
static size_t place(const band *b, size_t k)
{
    size_t lines = b->count / b->inner;
    return b->turned ? k % b->inner * lines + k / b->inner : k;
}

/* Row `row` of the matrix, into the window whose first row and column are `first`. */
static void enter_row(band *b, size_t first, size_t row, const double *g)
{
    double *at = b->window + (row - first);
    size_t in_line = row % b->inner, m = b->inner;
    at[(row - first) * b->rows] = 1;
    if (in_line > 0 && row >= first + 1)
        at[(row - 1 - first) * b->rows] = b->before;
    if (in_line + 1 < m)
        at[(row + 1 - first) * b->rows] = b->after;
    if (row >= first + m)
        at[(row - m - first) * b->rows] = b->line_before;
    if (row + m < b->count)
        at[(row + m - first) * b->rows] = b->line_after;
    at[(b->cols - 1) * b->rows] = g[place(b, row)];
}

/* Factorises `cols` columns of the first `rows` rows and updates the columns after them. */
static int eliminate(band *b, size_t rows, size_t cols)
{
    int ld = (int)b->rows, width = (int)cols;
    int after = (int)(b->cols - cols), below = (int)(rows - cols);
    double *rest = b->window + cols * b->rows;
    if (ss_blas->dgetrf(SS_COL_MAJOR, (int)rows, width, b->window, ld, b->pivot))
        return SS_FAIL;
    ss_blas->dlaswp(SS_COL_MAJOR, after, rest, ld, 1, width, b->pivot, 1);
    ss_blas->dtrsm(SS_COL_MAJOR, SS_FROM_LEFT, SS_LOWER, SS_NO_TRANS, SS_UNIT, width, after, 1.0,
                   b->window, ld, rest, ld);
    if (below > 0)
        ss_blas->dgemm(SS_COL_MAJOR, SS_NO_TRANS, SS_NO_TRANS, below, after, width, -1.0,
                       b->window + cols, ld, rest, ld, 1.0, rest + cols, ld);
    return SS_OK;
}

/* Stores the panel's rows, and moves the rows below them to the corner of the window. */
static void advance(band *b, double *stored)
{
    size_t m = b->inner;
    for (size_t c = 0; c < b->cols; c++)
        memcpy(stored + c * PANEL, b->window + c * b->rows, PANEL * sizeof *stored);
    for (size_t c = 0; c < b->cols; c++) {
        bool kept = c < 2 * m || c + 1 == b->cols;
        double *to = b->window + c * b->rows;
        const double *from = c + 1 == b->cols ? to : to + PANEL * b->rows;
        if (kept)
            memmove(to, from + PANEL, m * sizeof *to);
        else
            memset(to, 0, m * sizeof *to);
        memset(to + m, 0, PANEL * sizeof *to);
    }
}

static int factorise(band *b, const double *g, ss_err *err)
{
    size_t entered = 0;
    for (size_t i = 0; i < panels(b); i++) {
        size_t first = i * PANEL, end = smaller(first + b->rows, b->count);
        if (ss_exact_cancelled())
            return ss_fail(err, "the direct solution was abandoned");
        for (; entered < end; entered++)
            enter_row(b, first, entered, g);
        if (eliminate(b, end - first, smaller(PANEL, b->count - first)) != SS_OK)
            return fail_singular(err);
        advance(b, b->stored + i * PANEL * b->cols);
    }
    return SS_OK;
}

/* x, in the order of the unknowns, from the last panel to the first: U x = y. */
static void substitute(const band *b, double *x)
{
    for (size_t i = panels(b); i-- > 0;) {
        const double *u = b->stored + i * PANEL * b->cols;
        size_t first = i * PANEL, rows = smaller(PANEL, b->count - first);
        size_t known = smaller(2 * b->inner, b->count - first - rows);
        memcpy(x + first, u + (b->cols - 1) * PANEL, rows * sizeof *x);
        if (known > 0)
            ss_blas->dgemv(SS_COL_MAJOR, SS_NO_TRANS, (int)rows, (int)known, -1.0, u + rows * PANEL,
                           PANEL, x + first + rows, 1, 1.0, x + first, 1);
        ss_blas->dtrsv(SS_COL_MAJOR, SS_UPPER, SS_NO_TRANS, SS_NON_UNIT, (int)rows, u, PANEL,
                       x + first, 1);
    }
}

static int solve_plane(const ss_problem *p, const ss_stencil *m, const double *g, double *u,
                       ss_err *err)
{
    band b = number(p, m);
    double *x = NULL;
    int rc = SS_FAIL;
    b.window = ss_alloc(b.rows * b.cols * sizeof *b.window, "direct solver", err);
    b.stored = ss_alloc(panels(&b) * PANEL * b.cols * sizeof *b.stored, "factorised matrix", err);
    x = ss_alloc(b.count * sizeof *x, "direct solver", err);
    if (b.window && b.stored && x) {
        memset(b.window, 0, b.rows * b.cols * sizeof *b.window);
        rc = factorise(&b, g, err);
    }
    if (rc == SS_OK) {
        substitute(&b, x);
        for (size_t k = 0; k < b.count; k++)
            u[place(&b, k)] = x[k];
    }
    free(b.window);
    free(b.stored);
    free(x);
    return rc;
}

int ss_stencil_solve(const ss_problem *p, const ss_stencil *m, const double *g, double *u,
                     ss_err *err)
{
    if (ss_blas_open(1, err) != SS_OK)
        return SS_FAIL;
    if (p->dim > 1)
        return solve_plane(p, m, g, u, err);
    memcpy(u, g, (size_t)p->nx * (size_t)p->ny * sizeof *u);
    return solve_rows(p, m, u, err);
}

void ss_stencil_cost(const ss_problem *p, double *bytes, double *operations)
{
    double nx = p->nx, ny = p->ny, m = nx < ny ? nx : ny, cols = 2 * m + PANEL + 1;
    *bytes = p->dim == 1 ? 24.0 * nx : 8.0 * (nx * ny * (cols + 1) + (m + PANEL) * cols);
    *operations = p->dim == 1 ? 14.0 * nx * ny : nx * ny * (4 * m * m + 3.0 * PANEL * m);
}
