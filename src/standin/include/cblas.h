/* CBLAS in a build without OpenBLAS: the names that the program uses, for the loops of blas.h. */
#ifndef SS_STANDIN_CBLAS_H
#define SS_STANDIN_CBLAS_H

#include "src/standin/blas.h"

enum {
    CblasRowMajor = SS_ROW_MAJOR,
    CblasColMajor = SS_COL_MAJOR,
    CblasNoTrans = SS_NO_TRANS,
    CblasTrans = SS_TRANS,
    CblasUpper = SS_UPPER,
    CblasLower = SS_LOWER,
    CblasNonUnit = SS_NON_UNIT,
    CblasUnit = SS_UNIT,
    CblasLeft = SS_LEFT,
    CblasRight = SS_RIGHT
};

#define cblas_dgemm ss_loop_dgemm
#define cblas_sgemm ss_loop_sgemm
#define cblas_dgemv ss_loop_dgemv
#define cblas_dtrsv ss_loop_dtrsv
#define cblas_dtrsm ss_loop_dtrsm
#define cblas_dtrmm ss_loop_dtrmm
#define cblas_dsyrk ss_loop_dsyrk

#endif
