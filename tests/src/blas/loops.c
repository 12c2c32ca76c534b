/* The loops that stand in for BLAS and LAPACK against the library, in every case in use. */
#include "src/base/common.h"
#include "src/blas/blas.h"
#include "tests/check.h"

enum { N = 37, M = 29, K = 70, LD = 80, ROOM = LD * LD };

/* Values in [-1, 1]; the diagonal of a square part is large, so that it can be inverted. */
static void fill(double *a, uint64_t seed)
{
    for (int i = 0; i < ROOM; i++) {
        seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
        a[i] = (double)(seed >> 33) / (double)(1ULL << 30) - 1;
    }
    for (int i = 0; i < LD; i++)
        a[i * LD + i] += 12;
}

static void agree(const double *ours, const double *theirs, const char *what, int which)
{
    for (int i = 0; i < ROOM; i++)
        CHECK_MSG(fabs(ours[i] - theirs[i]) <= 1e-11 * fmax(1, fabs(theirs[i])),
                  "%s, case %d, element %d: %.17g, not %.17g", what, which, i, ours[i], theirs[i]);
}

typedef struct arrays {
    double a[ROOM], b[ROOM], ours[ROOM], theirs[ROOM];
} arrays;

static arrays *new_arrays(void)
{
    arrays *s = malloc(sizeof *s);
    ss_err err;
    CHECK_MSG(ss_blas_open(1, &err) == SS_OK && ss_blas_found(), "%s", ss_blas_kernels());
    fill(s->a, 1);
    fill(s->b, 2);
    fill(s->ours, 3);
    fill(s->theirs, 3);
    return s;
}

TEST(blas, products_are_those_of_blas)
{
    for (int c = 0; c < 24; c++) {
        arrays *s = new_arrays();
        int layout = c & 1 ? SS_ROW_MAJOR : SS_COL_MAJOR, ta = c & 2 ? SS_TRANS : SS_NO_TRANS;
        int tb = c & 4 ? SS_TRANS : SS_NO_TRANS;
        double beta = c / 8 == 0 ? 0 : c / 8 == 1 ? 1 : -0.5;
        ss_loop_dgemm(layout, ta, tb, M, N, K, 1.5, s->a, LD, s->b, LD, beta, s->ours, LD);
        ss_blas->dgemm(layout, ta, tb, M, N, K, 1.5, s->a, LD, s->b, LD, beta, s->theirs, LD);
        agree(s->ours, s->theirs, "dgemm", c);
        ss_loop_dgemv(layout, ta, M, N, -1, s->a, LD, s->b, 1, beta, s->ours, 1);
        ss_blas->dgemv(layout, ta, M, N, -1, s->a, LD, s->b, 1, beta, s->theirs, 1);
        agree(s->ours, s->theirs, "dgemv", c);
        ss_loop_dsyrk(layout, SS_LOWER, ta, N, M, -1, s->a, LD, beta, s->ours, LD);
        ss_blas->dsyrk(layout, SS_LOWER, ta, N, M, -1, s->a, LD, beta, s->theirs, LD);
        agree(s->ours, s->theirs, "dsyrk", c);
        free(s);
    }
}

TEST(blas, the_product_in_single_precision_is_that_of_blas)
{
    static float a[ROOM], b[ROOM], ours[ROOM], theirs[ROOM];
    arrays *s = new_arrays();
    for (int i = 0; i < ROOM; i++)
        a[i] = (float)s->a[i], b[i] = (float)s->b[i];
    ss_loop_sgemm(SS_ROW_MAJOR, SS_NO_TRANS, SS_NO_TRANS, M, N, K, 1, a, LD, b, LD, 0, ours, LD);
    ss_blas->sgemm(SS_ROW_MAJOR, SS_NO_TRANS, SS_NO_TRANS, M, N, K, 1, a, LD, b, LD, 0, theirs, LD);
    for (int i = 0; i < ROOM; i++)
        CHECK_NEAR(ours[i], theirs[i], 1e-3);
    free(s);
}

TEST(blas, triangles_are_solved_and_multiplied_as_by_blas)
{
    for (int c = 0; c < 32; c++) {
        arrays *s = new_arrays();
        int layout = c & 1 ? SS_ROW_MAJOR : SS_COL_MAJOR,
            side = c & 2 ? SS_FROM_LEFT : SS_FROM_RIGHT;
        int uplo = c & 4 ? SS_LOWER : SS_UPPER, trans = c & 8 ? SS_TRANS : SS_NO_TRANS;
        int diag = c & 16 ? SS_NON_UNIT : SS_UNIT;
        if (diag == SS_UNIT) /* its elements are as large as the diagonal */
            for (int i = 0; i < ROOM; i++)
                s->a[i] /= 16;
        ss_loop_dtrsm(layout, side, uplo, trans, diag, M, N, 0.5, s->a, LD, s->ours, LD);
        ss_blas->dtrsm(layout, side, uplo, trans, diag, M, N, 0.5, s->a, LD, s->theirs, LD);
        agree(s->ours, s->theirs, "dtrsm", c);
        ss_loop_dtrmm(layout, side, uplo, trans, diag, M, N, -1, s->a, LD, s->ours, LD);
        ss_blas->dtrmm(layout, side, uplo, trans, diag, M, N, -1, s->a, LD, s->theirs, LD);
        agree(s->ours, s->theirs, "dtrmm", c);
        ss_loop_dtrsv(layout, uplo, trans, diag, N, s->a, LD, s->ours, 1);
        ss_blas->dtrsv(layout, uplo, trans, diag, N, s->a, LD, s->theirs, 1);
        agree(s->ours, s->theirs, "dtrsv", c);
        free(s);
    }
}

TEST(blas, a_matrix_is_inverted_by_cholesky_as_by_lapack)
{
    arrays *s = new_arrays();
    CHECK_INT(ss_loop_dpotrf(SS_COL_MAJOR, 'L', N, s->ours, LD), 0);
    CHECK_INT(ss_blas->dpotrf(SS_COL_MAJOR, 'L', N, s->theirs, LD), 0);
    agree(s->ours, s->theirs, "dpotrf", 0);
    CHECK_INT(ss_loop_dtrtri(SS_COL_MAJOR, 'L', 'N', N, s->ours, LD), 0);
    CHECK_INT(ss_blas->dtrtri(SS_COL_MAJOR, 'L', 'N', N, s->theirs, LD), 0);
    agree(s->ours, s->theirs, "dtrtri", 0);
    CHECK_INT(ss_loop_dlauum(SS_COL_MAJOR, 'L', N, s->ours, LD), 0);
    CHECK_INT(ss_blas->dlauum(SS_COL_MAJOR, 'L', N, s->theirs, LD), 0);
    agree(s->ours, s->theirs, "dlauum", 0);
    s->a[3 * LD + 3] = -1;
    CHECK_INT(ss_loop_dpotrf(SS_COL_MAJOR, 'L', N, s->a, LD), 4);
    free(s);
}

TEST(blas, elimination_chooses_the_pivots_of_lapack)
{
    int ours[N], theirs[N];
    arrays *s = new_arrays();
    for (int i = 0; i < LD; i++) /* no large diagonal: rows are exchanged */
        s->ours[i * LD + i] = s->theirs[i * LD + i] = 0;
    CHECK_INT(ss_loop_dgetrf(SS_COL_MAJOR, M, N, s->ours, LD, ours), 0);
    CHECK_INT(ss_blas->dgetrf(SS_COL_MAJOR, M, N, s->theirs, LD, theirs), 0);
    agree(s->ours, s->theirs, "dgetrf", 0);
    CHECK(memcmp(ours, theirs, M * sizeof *ours) == 0);
    ss_loop_dlaswp(SS_COL_MAJOR, K, s->ours, LD, 1, M, ours, 1);
    ss_blas->dlaswp(SS_COL_MAJOR, K, s->theirs, LD, 1, M, theirs, 1);
    agree(s->ours, s->theirs, "dlaswp", 0);
    free(s);
}

TEST(blas, tridiagonal_systems_are_solved_as_by_lapack)
{
    for (int c = 0; c < 2; c++) { /* without and with exchanged rows */
        arrays *s = new_arrays(), *t = new_arrays();
        for (int i = 0; i < N; i++)
            s->b[i] = t->b[i] = c ? 0.1 * s->b[i + 1] : 4;
        double *lower = s->a + 1, *upper = s->a + 200;
        CHECK_INT(ss_loop_dgtsv(SS_COL_MAJOR, N, 1, lower, s->b, upper, s->ours, LD), 0);
        CHECK_INT(ss_blas->dgtsv(SS_COL_MAJOR, N, 1, t->a + 1, t->b, t->a + 200, s->theirs, LD), 0);
        for (int i = 0; i < N; i++)
            CHECK_NEAR(s->ours[i], s->theirs[i], 1e-10 * fmax(1, fabs(s->theirs[i])));
        free(s);
        free(t);
    }
}
