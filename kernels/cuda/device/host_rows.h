/*
 * Rows of a start field or a right-hand side, computed by the host's threads before they are copied
 * to the device: a field of 16384^2 points takes one thread longer than the copy does. Engine
 * thread.
 */
#ifndef SS_CUDA_HOST_ROWS_H
#define SS_CUDA_HOST_ROWS_H

#include "src/core/run.h"

/* A function of ss_equation: row j of plane k in double precision. Any thread. */
typedef void ss_row_function(const ss_problem *p, int field, int j, int k, double *row);

/* Threads for `count` rows, each of which needs a row of doubles as scratch. */
int ss_host_rows_threads(const ss_run *run, int count);
/* Computes rows [j0, j1) of plane k, dense and in the run's precision. */
void ss_host_rows_fill(const ss_run *run, ss_row_function *fn, int field, int k, int j0, int j1,
                       double *scratch, void *rows);
/* The smallest magnitude of the n values that are not 0, at most `least`. */
double ss_host_rows_least(const ss_run *run, const void *rows, size_t n, double least);

#endif
