/* LAPACKE in a build without it: the names that the program uses, for the loops of blas.h. */
#ifndef SS_STANDIN_LAPACKE_H
#define SS_STANDIN_LAPACKE_H

#include "src/standin/blas.h"

typedef int lapack_int;

#define LAPACK_COL_MAJOR SS_COL_MAJOR
#define LAPACKE_dpotrf_work ss_loop_dpotrf
#define LAPACKE_dtrtri_work ss_loop_dtrtri
#define LAPACKE_dlauum_work ss_loop_dlauum
#define LAPACKE_dgetrf_work ss_loop_dgetrf
#define LAPACKE_dlaswp_work ss_loop_dlaswp
#define LAPACKE_dgtsv_work ss_loop_dgtsv

#endif
