/* Reciprocals and square roots of the swept kernels, one per value, for callers in C. */
#ifndef SS_TESTS_ARITH_H
#define SS_TESTS_ARITH_H

#include "src/base/common.h"

#ifdef __cplusplus
extern "C" {
#endif

/* n values of the precision at x; n results each. Host memory. */
int gpu_arith(const void *x, size_t n, ss_prec prec, void *reciprocals, void *roots, ss_err *err);

#ifdef __cplusplus
}
#endif
#endif
