/*
 * BLAS and LAPACK: OpenBLAS, which is loaded when the first function needs it. Linked, it would
 * reserve 128 MB per thread and start its threads before main, for every command, and where the
 * address space is limited it asks for that memory again and again, for ever. Without the library
 * the loops below are used; so does the page. Any thread.
 */
#ifndef SS_BLAS_H
#define SS_BLAS_H

#include "src/base/common.h"

/* --- plain loops ------------------------------------------------------------------------------ */

/*
 * The functions of BLAS and LAPACK that the program uses, as plain loops: the build for WebAssembly
 * has no OpenBLAS. Sums are in another order than OpenBLAS's, so results agree to rounding errors
 * only. Arguments, layouts and results
 * are those of the standard; only the cases that the program needs are there. No state, any thread.
 */

/* The numbers of CBLAS and LAPACKE. */
enum { SS_ROW_MAJOR = 101, SS_COL_MAJOR = 102 };
enum { SS_NO_TRANS = 111, SS_TRANS = 112 };
enum { SS_UPPER = 121, SS_LOWER = 122 };
enum { SS_NON_UNIT = 131, SS_UNIT = 132 };
enum { SS_LEFT = 141, SS_RIGHT = 142 };

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

/* --- the functions in use --------------------------------------------------------------------- */

/* The functions in use, the loops until ss_blas_open. Arguments as in CBLAS and LAPACKE;
 * matrices of LAPACK by columns. */
typedef struct ss_blas_functions {
    void (*dgemm)(int layout, int transa, int transb, int m, int n, int k, double alpha,
                  const double *a, int lda, const double *b, int ldb, double beta, double *c,
                  int ldc);
    void (*sgemm)(int layout, int transa, int transb, int m, int n, int k, float alpha,
                  const float *a, int lda, const float *b, int ldb, float beta, float *c, int ldc);
    void (*dgemv)(int layout, int trans, int m, int n, double alpha, const double *a, int lda,
                  const double *x, int incx, double beta, double *y, int incy);
    void (*dtrsv)(int layout, int uplo, int trans, int diag, int n, const double *a, int lda,
                  double *x, int incx);
    void (*dtrsm)(int layout, int side, int uplo, int trans, int diag, int m, int n, double alpha,
                  const double *a, int lda, double *b, int ldb);
    void (*dtrmm)(int layout, int side, int uplo, int trans, int diag, int m, int n, double alpha,
                  const double *a, int lda, double *b, int ldb);
    void (*dsyrk)(int layout, int uplo, int trans, int n, int k, double alpha, const double *a,
                  int lda, double beta, double *c, int ldc);
    int (*dpotrf)(int layout, char uplo, int n, double *a, int lda);
    int (*dtrtri)(int layout, char uplo, char diag, int n, double *a, int lda);
    int (*dlauum)(int layout, char uplo, int n, double *a, int lda);
    int (*dgetrf)(int layout, int m, int n, double *a, int lda, int *pivot);
    int (*dlaswp)(int layout, int n, double *a, int lda, int from, int to, const int *pivot,
                  int step);
    int (*dgtsv)(int layout, int n, int nrhs, double *lower, double *diagonal, double *upper,
                 double *b, int ldb);
} ss_blas_functions;

extern const ss_blas_functions *ss_blas;

/* Before main starts a thread: OpenBLAS starts none by itself, see ss_blas_threads. */
void ss_blas_settle(void);
/* Loads the library, and reserves its memory for calls from so many threads at once. Fails if there
 * is too little address space. Whoever calls ss_blas calls this before. */
int ss_blas_open(int callers, ss_err *err);
/* From now on a call uses so many threads. Fails if they cannot be started. */
int ss_blas_threads(int threads, ss_err *err);
/* From now on each call runs on its calling thread only. */
void ss_blas_alone(void);
/* The kernels that OpenBLAS uses, "SkylakeX", or that it is not there and why. After ss_blas_open.
 */
const char *ss_blas_kernels(void);
/* Is it used? After ss_blas_open. */
bool ss_blas_found(void);

#endif
