/* See smooth_kit.h. */
#include "kernels/cuda/smooth/batched.cuh"
#include "tests/gpu/smooth_kit.h"

/* --- arrays ----------------------------------------------------------------------------------- */

int gpu_array_make(void **out, size_t bytes, const char *what, ss_err *err)
{
    *out = NULL;
    if (ss_cuda_probe(err) != SS_OK || ss_cuda_alloc(out, bytes, what, err) != SS_OK)
        return SS_FAIL;
    SS_CUDA(cudaMemset(*out, 0, bytes));
    return SS_OK;
}

void gpu_array_free(void *array)
{
    cudaFree(array);
}

int gpu_array_put(void *array, const void *host, size_t bytes, ss_err *err)
{
    SS_CUDA(cudaMemcpy(array, host, bytes, cudaMemcpyHostToDevice));
    return SS_OK;
}

int gpu_array_get(void *host, const void *array, size_t bytes, ss_err *err)
{
    SS_CUDA(cudaDeviceSynchronize());
    SS_CUDA(cudaMemcpy(host, array, bytes, cudaMemcpyDeviceToHost));
    return SS_OK;
}

/* --- variants of the product ------------------------------------------------------------------ */

/* Tiles per warp (rows, columns), warps per thread block, thread blocks per SM; the program has the
 * first two. */
static const ss_panel_variant *const variants[PANEL_VARIANTS] = {
    &ss_panel_variant_of<2, 4, 16, 1>, &ss_panel_variant_of<2, 4, 8, 2>,
    &ss_panel_variant_of<4, 4, 8, 1>, &ss_panel_variant_of<2, 6, 8, 1>,
    &ss_panel_variant_of<2, 2, 16, 1>};

template <int V>
static int load(const ss_cuda_smooth *, ss_smooth_shape *shape, const ss_inverse *inv, ss_err *err)
{
    return ss_panel_load(variants[V], shape, inv, err);
}

template <int V> static void plan(const ss_cuda_smooth *s, ss_smooth_launch *l)
{
    ss_panel_plan(variants[V], s, l);
}

template <int V>
static const ss_smooth_method method = {"batched", &ss_inverse_dense, ss_panel_no_cube,
                                        NULL,      load<V>,           plan<V>};

const ss_smooth_method *gpu_panel_variant(int variant)
{
    static const ss_smooth_method *const methods[] = {NULL,       &method<0>, &method<1>,
                                                      &method<2>, &method<3>, &method<4>};
    return methods[variant];
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
