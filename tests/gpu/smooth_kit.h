/*
 * Additions to methods.h for the tests and the timing program of the block smoothers: arrays on the
 * device, and a pipeline that is used once.
 */
#ifndef SS_TESTS_SMOOTH_KIT_H
#define SS_TESTS_SMOOTH_KIT_H

#include "kernels/cuda/device/check.h"
#include "kernels/cuda/smooth/methods.h"

/* Zeroed. */
int gpu_array_make(void **out, size_t bytes, const char *what, ss_err *err);
void gpu_array_free(void *array);
int gpu_array_put(void *array, const void *host, size_t bytes, ss_err *err);
int gpu_array_get(void *host, const void *array, size_t bytes, ss_err *err);

/* A pipeline of patches in the host's memory, made, run and freed. */
int gpu_smooth_from_host(const ss_cuda_smooth *s, size_t count, int patches, int steps,
                         double omega, void *u, const void *rhs, ss_stream_order order,
                         double *seconds, ss_err *err);

#endif
