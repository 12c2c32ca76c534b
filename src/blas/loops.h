/*
 * The functions of BLAS and LAPACK that the program uses, as plain loops: the build for WebAssembly
 * has no OpenBLAS. Sums are in another order than OpenBLAS's, so results agree to rounding errors
 * only. Arguments, layouts and results
 * are those of the standard; only the cases that the program needs are there. No state, any thread.
 */
#ifndef SS_BLAS_LOOPS_H
#define SS_BLAS_LOOPS_H

/* The numbers of CBLAS and LAPACKE. */
enum { SS_ROW_MAJOR = 101, SS_COL_MAJOR = 102 };
enum { SS_NO_TRANS = 111, SS_TRANS = 112 };
enum { SS_UPPER = 121, SS_LOWER = 122 };
enum { SS_NON_UNIT = 131, SS_UNIT = 132 };
enum { SS_FROM_LEFT = 141, SS_FROM_RIGHT = 142 };

void ss_loop_dgemm(int layout, int transa, int transb, int m, int n, int k, double alpha,
                   const double *a, int lda, const double *b, int ldb, double beta, double *c,
                   int ldc);
void ss_loop_sgemm(int layout, int transa, int transb, int m, int n, int k, float alpha,
                   const float *a, int lda, const float *b, int ldb, float beta, float *c, int ldc);
/* Steps between the elements of vectors are 1. */
void ss_loop_dgemv(int layout, int trans, int m, int n, double alpha, const double *a, int lda,
                   const double *x, int incx, double beta, double *y, int incy);
void ss_loop_dtrsv(int layout, int uplo, int trans, int diag, int n, const double *a, int lda,
                   double *x, int incx);
void ss_loop_dtrsm(int layout, int side, int uplo, int trans, int diag, int m, int n, double alpha,
                   const double *a, int lda, double *b, int ldb);
void ss_loop_dtrmm(int layout, int side, int uplo, int trans, int diag, int m, int n, double alpha,
                   const double *a, int lda, double *b, int ldb);
/* The lower triangle only. */
void ss_loop_dsyrk(int layout, int uplo, int trans, int n, int k, double alpha, const double *a,
                   int lda, double beta, double *c, int ldc);

/* LAPACK, matrices by columns; triangles are the lower ones, with their own diagonal. Return 0, or
 * the number (from 1) of the first row or column that has no pivot. */
int ss_loop_dpotrf(int layout, char uplo, int n, double *a, int lda);
int ss_loop_dtrtri(int layout, char uplo, char diag, int n, double *a, int lda);
int ss_loop_dlauum(int layout, char uplo, int n, double *a, int lda);
int ss_loop_dgetrf(int layout, int m, int n, double *a, int lda, int *pivot);
int ss_loop_dlaswp(int layout, int n, double *a, int lda, int from, int to, const int *pivot,
                   int step);
int ss_loop_dgtsv(int layout, int n, int nrhs, double *lower, double *diagonal, double *upper,
                  double *b, int ldb);

#endif
