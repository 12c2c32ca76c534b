/* LAPACK as plain loops: see loops.h. The textbook's unblocked algorithms; callers block them. */
#include <math.h>
#include <stddef.h>

#include "src/blas/loops.h"

static double *element(double *a, int lda, int i, int j)
{
    return a + (ptrdiff_t)j * lda + i;
}

/* Cholesky: column j of L from the columns before it. */
int ss_loop_dpotrf(int layout, char uplo, int n, double *a, int lda)
{
    (void)layout, (void)uplo;
    for (int j = 0; j < n; j++) {
        double *column = element(a, lda, j, j);
        for (int p = 0; p < j; p++) {
            const double *done = element(a, lda, j, p);
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
        if (*element(a, lda, j, j) == 0)
            return j + 1;
    for (int j = n - 1; j >= 0; j--) {
        double *own = element(a, lda, j, j);
        *own = 1 / *own;
        if (j + 1 < n)
            ss_loop_dtrmm(SS_COL_MAJOR, SS_LEFT, SS_LOWER, SS_NO_TRANS, SS_NON_UNIT, n - j - 1, 1,
                          -*own, element(a, lda, j + 1, j + 1), lda, own + 1, lda);
    }
    return 0;
}

/* The lower triangle of L^T L. Row i needs the rows from i on, and its diagonal last. */
int ss_loop_dlauum(int layout, char uplo, int n, double *a, int lda)
{
    (void)layout, (void)uplo;
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            const double *left = element(a, lda, i, i), *right = element(a, lda, i, j);
            double sum = 0;
            for (int p = 0; p < n - i; p++)
                sum += left[p] * right[p];
            *element(a, lda, i, j) = sum;
        }
    return 0;
}

static void swap_rows(double *a, int lda, int n, int i, int p)
{
    for (int j = 0; j < n && i != p; j++) {
        double *x = element(a, lda, i, j), *y = element(a, lda, p, j), kept = *x;
        *x = *y;
        *y = kept;
    }
}

static int largest_below(double *a, int lda, int m, int j)
{
    int best = j;
    for (int i = j + 1; i < m; i++)
        if (fabs(*element(a, lda, i, j)) > fabs(*element(a, lda, best, j)))
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
        double *column = element(a, lda, 0, j);
        pivot[j] = best + 1;
        swap_rows(a, lda, n, j, best);
        if (column[j] == 0) {
            info = info ? info : j + 1;
            continue;
        }
        for (int i = j + 1; i < m; i++)
            column[i] /= column[j];
        for (int right = j + 1; right < n; right++) {
            double *to = element(a, lda, 0, right);
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
