/*
 * The error of a steady run relative to u*, the exact solution of the discrete system, in two
 * norms: max|u - u*| / max|u*|, and sqrt(e'A e) / sqrt(u*'A u*) with e = u - u*, where the matrix A
 * is symmetric and positive definite. Engine thread.
 */
#ifndef SS_RUN_ERROR_H
#define SS_RUN_ERROR_H

#include "src/core/run.h"

/* The error of the current field. Fails while there is no u*, where u* is 0, and where there is no
 * such norm. The energy norm downloads the field. */
int ss_error_of(ss_run *run, ss_error_norm norm, double *out, ss_err *err);

#endif
