/* BLAS as plain loops: see loops.h. A matrix is a view with two strides: to transpose it, or to
 * change its layout, is to exchange them. So each function has one loop for all its cases. */
#include "src/blas/loops.h"

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
    bool turn = side == SS_RIGHT; /* X A = B is A^T X^T = B^T */
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
    triangle t = seen(layout, SS_LEFT, uplo, trans, diag, n, 1, a, lda, x, 1);
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
