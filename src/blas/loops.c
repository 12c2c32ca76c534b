/* BLAS and LAPACK as plain loops: see loops.h. A matrix is a view with two strides: to transpose
 * it, or to change its layout, is to exchange them. So each function has one loop for all its
 * cases. */
#include "src/blas/loops.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#define REAL float
#define VIEW(name) single_##name
#define PRODUCT multiply_single
#include "src/blas/gemm_each.h"

#define REAL double
#define VIEW(name) name
#define PRODUCT multiply
#include "src/blas/gemm_each.h"

static matrix view(const double *a, int layout, int trans, int lda)
{
    bool turn = (layout == SS_COL_MAJOR) != (trans == SS_TRANS);
    return (matrix){(double *)a, turn ? 1 : lda, turn ? lda : 1};
}

static single_matrix single_view(const float *a, int layout, int trans, int lda)
{
    bool turn = (layout == SS_COL_MAJOR) != (trans == SS_TRANS);
    return (single_matrix){(float *)a, turn ? 1 : lda, turn ? lda : 1};
}

static double *element(matrix a, int i, int j)
{
    return a.at + i * a.down + j * a.right;
}

void ss_loop_dgemm(int layout, int transa, int transb, int m, int n, int k, double alpha,
                   const double *a, int lda, const double *b, int ldb, double beta, double *c,
                   int ldc)
{
    multiply(m, n, k, alpha, view(a, layout, transa, lda), view(b, layout, transb, ldb), beta,
             view(c, layout, SS_NO_TRANS, ldc));
}

void ss_loop_sgemm(int layout, int transa, int transb, int m, int n, int k, float alpha,
                   const float *a, int lda, const float *b, int ldb, float beta, float *c, int ldc)
{
    multiply_single(m, n, k, alpha, single_view(a, layout, transa, lda),
                    single_view(b, layout, transb, ldb), beta,
                    single_view(c, layout, SS_NO_TRANS, ldc));
}

void ss_loop_dgemv(int layout, int trans, int m, int n, double alpha, const double *a, int lda,
                   const double *x, int incx, double beta, double *y, int incy)
{
    bool turn = trans == SS_TRANS;
    matrix from = {(double *)x, incx, 1}, to = {y, incy, 1};
    multiply(turn ? n : m, 1, turn ? m : n, alpha, view(a, layout, trans, lda), from, beta, to);
}

/* --- triangles -------------------------------------------------------------------------------- */

/* op(A) with a triangle of A, seen from the left side of an m x n matrix B. */
typedef struct triangle {
    matrix a, b;
    int m, n;
    bool lower, unit;
} triangle;

static triangle seen(int layout, int side, int uplo, int trans, int diag, int m, int n,
                     const double *a, int lda, double *b, int ldb)
{
    bool turn = side == SS_FROM_RIGHT; /* X A = B is A^T X^T = B^T */
    matrix own = view(a, layout, trans, lda), of = view(b, layout, SS_NO_TRANS, ldb);
    bool flipped = (trans == SS_TRANS) != turn;
    return (triangle){.a = turn ? turned(own) : own,
                      .b = turn ? turned(of) : of,
                      .m = turn ? n : m,
                      .n = turn ? m : n,
                      .lower = (uplo == SS_LOWER) != flipped,
                      .unit = diag == SS_UNIT};
}

/* b(i, :) += factor b(p, :) */
static void add_row(const triangle *t, int i, int p, double factor)
{
    double *to = element(t->b, i, 0);
    const double *from = element(t->b, p, 0);
    for (int j = 0; j < t->n; j++)
        to[j * t->b.right] += factor * from[j * t->b.right];
}

static void scale_row(const triangle *t, int i, double factor)
{
    for (int j = 0; j < t->n; j++)
        *element(t->b, i, j) *= factor;
}

/* B = alpha A^-1 B, by substitution: from the row that has no other unknowns. */
static void solve(const triangle *t, double alpha)
{
    for (int step = 0; step < t->m; step++) {
        int i = t->lower ? step : t->m - 1 - step;
        scale_row(t, i, alpha);
        for (int s = 0; s < step; s++) {
            int p = t->lower ? s : t->m - 1 - s;
            add_row(t, i, p, -*element(t->a, i, p));
        }
        if (!t->unit)
            scale_row(t, i, 1 / *element(t->a, i, i));
    }
}

/* B = alpha A B, in the order in which no row is needed after it is written. */
static void apply(const triangle *t, double alpha)
{
    for (int step = t->m; step-- > 0;) {
        int i = t->lower ? step : t->m - 1 - step;
        scale_row(t, i, t->unit ? alpha : alpha * *element(t->a, i, i));
        for (int s = 0; s < step; s++) {
            int p = t->lower ? s : t->m - 1 - s;
            add_row(t, i, p, alpha * *element(t->a, i, p));
        }
    }
}

void ss_loop_dtrsm(int layout, int side, int uplo, int trans, int diag, int m, int n, double alpha,
                   const double *a, int lda, double *b, int ldb)
{
    triangle t = seen(layout, side, uplo, trans, diag, m, n, a, lda, b, ldb);
    solve(&t, alpha);
}

void ss_loop_dtrmm(int layout, int side, int uplo, int trans, int diag, int m, int n, double alpha,
                   const double *a, int lda, double *b, int ldb)
{
    triangle t = seen(layout, side, uplo, trans, diag, m, n, a, lda, b, ldb);
    apply(&t, alpha);
}

void ss_loop_dtrsv(int layout, int uplo, int trans, int diag, int n, const double *a, int lda,
                   double *x, int incx)
{
    triangle t = seen(layout, SS_FROM_LEFT, uplo, trans, diag, n, 1, a, lda, x, 1);
    t.b = (matrix){x, incx, 1};
    solve(&t, 1);
}

/* Row i of the lower triangle is a product of one row of A with the first rows of A^T. */
void ss_loop_dsyrk(int layout, int uplo, int trans, int n, int k, double alpha, const double *a,
                   int lda, double beta, double *c, int ldc)
{
    matrix left = view(a, layout, trans, lda), to = view(c, layout, SS_NO_TRANS, ldc);
    (void)uplo;
    for (int i = 0; i < n; i++) {
        matrix row = {element(left, i, 0), left.down, left.right};
        matrix out = {element(to, i, 0), to.down, to.right};
        multiply(1, i + 1, k, alpha, row, turned(left), beta, out);
    }
}

/* --- LAPACK ----------------------------------------------------------------------------------- */

/* The textbook's unblocked algorithms; callers block them. */

static double *entry(double *a, int lda, int i, int j)
{
    return a + (ptrdiff_t)j * lda + i;
}

/* Cholesky: column j of L from the columns before it. */
int ss_loop_dpotrf(int layout, char uplo, int n, double *a, int lda)
{
    (void)layout, (void)uplo;
    for (int j = 0; j < n; j++) {
        double *column = entry(a, lda, j, j);
        for (int p = 0; p < j; p++) {
            const double *done = entry(a, lda, j, p);
            for (int i = 0; i < n - j; i++)
                column[i] -= done[0] * done[i];
        }
        if (!(column[0] > 0))
            return j + 1;
        double root = sqrt(column[0]);
        for (int i = 0; i < n - j; i++)
            column[i] /= root;
        column[0] = root;
    }
    return 0;
}

/* The inverse of L, from its last column: below the diagonal it is -(inverse below) L(:, j) / L(j,
 * j).
 */
int ss_loop_dtrtri(int layout, char uplo, char diag, int n, double *a, int lda)
{
    (void)layout, (void)uplo, (void)diag;
    for (int j = 0; j < n; j++)
        if (*entry(a, lda, j, j) == 0)
            return j + 1;
    for (int j = n - 1; j >= 0; j--) {
        double *own = entry(a, lda, j, j);
        *own = 1 / *own;
        if (j + 1 < n)
            ss_loop_dtrmm(SS_COL_MAJOR, SS_FROM_LEFT, SS_LOWER, SS_NO_TRANS, SS_NON_UNIT, n - j - 1,
                          1, -*own, entry(a, lda, j + 1, j + 1), lda, own + 1, lda);
    }
    return 0;
}

/* The lower triangle of L^T L. Row i needs the rows from i on, and its diagonal last. */
int ss_loop_dlauum(int layout, char uplo, int n, double *a, int lda)
{
    (void)layout, (void)uplo;
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            const double *left = entry(a, lda, i, i), *right = entry(a, lda, i, j);
            double sum = 0;
            for (int p = 0; p < n - i; p++)
                sum += left[p] * right[p];
            *entry(a, lda, i, j) = sum;
        }
    return 0;
}

static void swap_rows(double *a, int lda, int n, int i, int p)
{
    for (int j = 0; j < n && i != p; j++) {
        double *x = entry(a, lda, i, j), *y = entry(a, lda, p, j), kept = *x;
        *x = *y;
        *y = kept;
    }
}

static int largest_below(double *a, int lda, int m, int j)
{
    int best = j;
    for (int i = j + 1; i < m; i++)
        if (fabs(*entry(a, lda, i, j)) > fabs(*entry(a, lda, best, j)))
            best = i;
    return best;
}

/* Elimination with partial pivoting; a column without a pivot is passed over, as in LAPACK. */
int ss_loop_dgetrf(int layout, int m, int n, double *a, int lda, int *pivot)
{
    int info = 0;
    (void)layout;
    for (int j = 0; j < m && j < n; j++) {
        int best = largest_below(a, lda, m, j);
        double *column = entry(a, lda, 0, j);
        pivot[j] = best + 1;
        swap_rows(a, lda, n, j, best);
        if (column[j] == 0) {
            info = info ? info : j + 1;
            continue;
        }
        for (int i = j + 1; i < m; i++)
            column[i] /= column[j];
        for (int right = j + 1; right < n; right++) {
            double *to = entry(a, lda, 0, right);
            for (int i = j + 1; i < m; i++)
                to[i] -= column[i] * to[j];
        }
    }
    return info;
}

int ss_loop_dlaswp(int layout, int n, double *a, int lda, int from, int to, const int *pivot,
                   int step)
{
    (void)layout, (void)step;
    for (int i = from; i <= to; i++)
        swap_rows(a, lda, n, i - 1, pivot[i - 1] - 1);
    return 0;
}

/* Eliminates below the diagonal of column i. The larger of the two elements is the pivot; if rows
 * are exchanged, one element fills in above the upper diagonal: it is kept in lower[i]. */
static void eliminate(int n, int i, double *lower, double *diagonal, double *upper, double *b)
{
    if (fabs(diagonal[i]) >= fabs(lower[i])) {
        double factor = lower[i] / diagonal[i];
        diagonal[i + 1] -= factor * upper[i];
        b[i + 1] -= factor * b[i];
        lower[i] = 0;
        return;
    }
    double factor = diagonal[i] / lower[i], below = diagonal[i + 1], rhs = b[i];
    diagonal[i] = lower[i];
    diagonal[i + 1] = upper[i] - factor * below;
    upper[i] = below;
    b[i] = b[i + 1];
    b[i + 1] = rhs - factor * b[i + 1];
    lower[i] = 0;
    if (i + 2 < n) {
        lower[i] = upper[i + 1];
        upper[i + 1] = -factor * lower[i];
    }
}

int ss_loop_dgtsv(int layout, int n, int nrhs, double *lower, double *diagonal, double *upper,
                  double *b, int ldb)
{
    (void)layout, (void)nrhs, (void)ldb;
    for (int i = 0; i + 1 < n; i++) {
        if (diagonal[i] == 0 && lower[i] == 0)
            return i + 1;
        eliminate(n, i, lower, diagonal, upper, b);
    }
    if (n > 0 && diagonal[n - 1] == 0)
        return n;
    for (int i = n - 1; i >= 0; i--) {
        double sum = b[i];
        if (i + 1 < n)
            sum -= upper[i] * b[i + 1];
        if (i + 2 < n)
            sum -= lower[i] * b[i + 2];
        b[i] = sum / diagonal[i];
    }
    return 0;
}
