/* See smooth_kit.h. */
#include "tests/gpu/smooth_kit.h"

/* --- arrays ----------------------------------------------------------------------------------- */

int gpu_array_make(void **out, size_t bytes, const char *what, ss_err *err)
{
    if (ss_cuda_alloc(out, bytes, what, err) != SS_OK)
        return SS_FAIL;
    SS_CUDA(ss_cu->fill(*out, 0, bytes, NULL));
    SS_CUDA(ss_cu->stream_wait(NULL));
    return SS_OK;
}

void gpu_array_free(void *array)
{
    ss_cu->free(array);
}

int gpu_array_put(void *array, const void *host, size_t bytes, ss_err *err)
{
    SS_CUDA(ss_cu->copy_now(array, host, bytes));
    return SS_OK;
}

int gpu_array_get(void *host, const void *array, size_t bytes, ss_err *err)
{
    SS_CUDA(ss_cu->context_wait());
    SS_CUDA(ss_cu->copy_now(host, array, bytes));
    return SS_OK;
}

/* --- patches from the host -------------------------------------------------------------------- */

int gpu_smooth_from_host(const ss_cuda_smooth *s, size_t count, int patches, int steps,
                         double omega, void *u, const void *rhs, ss_stream_order order,
                         double *seconds, ss_err *err)
{
    ss_cuda_pipeline *t;
    if (ss_cuda_pipeline_make(&t, s, count, patches, err) != SS_OK)
        return SS_FAIL;
    int status = ss_cuda_pipeline_run(t, steps, omega, u, rhs, order, seconds, err);
    ss_cuda_pipeline_free(t);
    return status;
}
