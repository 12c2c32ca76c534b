/*
 * BLAS and LAPACK: OpenBLAS, which is loaded when the first function needs it. Linked, it would
 * reserve 128 MB per thread and start its threads before main, for every command, and where the
 * address space is limited it asks for that memory again and again, for ever. Without the library
 * the loops of loops.h are used; so does the page. Any thread.
 */
#ifndef SS_BLAS_H
#define SS_BLAS_H

#include "src/base/common.h"
#include "src/blas/loops.h"

/* The functions in use, those of loops.h until ss_blas_open. Arguments as in CBLAS and LAPACKE;
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
