/*
 * Checked CUDA calls and allocations on the device: a failure becomes one sentence in an ss_err.
 * CUDA C++17, host only; engine thread.
 */
#ifndef SS_CUDA_CHECK_H
#define SS_CUDA_CHECK_H

#include <cuda_runtime.h>

#include "src/base/common.h"

/* Writes one sentence with the expression, file and line; returns SS_FAIL. */
int ss_cuda_failed(cudaError_t code, const char *expression, const char *file, int line,
                   ss_err *err);
/* Returns code, or an error that a test injects (STENCILSCOPE_CUDA_FAULT). */
cudaError_t ss_cuda_checked(cudaError_t code);

#define SS_CUDA(expression)                                                                        \
    do {                                                                                           \
        cudaError_t code_ = ss_cuda_checked(expression);                                           \
        if (code_ != cudaSuccess)                                                                  \
            return ss_cuda_failed(code_, #expression, __FILE__, __LINE__, err);                    \
    } while (0)

/* Allocates device memory; `what` names it in the sentence about too little memory. */
int ss_cuda_alloc(void **out, size_t bytes, const char *what, ss_err *err);
/* The same, filled with `size` bytes from the host. */
int ss_cuda_alloc_copy(void **out, const void *host, size_t size, const char *what, ss_err *err);
/* Allocates pinned host memory, so that copies overlap with kernels. */
int ss_cuda_alloc_host(void **out, size_t bytes, const char *what, ss_err *err);

#endif
