/* Threads that a library will start: OpenMP's and BLAS's end the program when they cannot. */
#ifndef SS_THREADS_H
#define SS_THREADS_H

#include "src/base/common.h"

/* Starts so many threads and ends them. Fails, with the reason, if one cannot be started. Any
 * thread. */
int ss_threads_check(int count, ss_err *err);

#endif
