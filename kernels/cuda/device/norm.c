/*
 * |r| of the current field on request (norms of cycles are made on the device: norm.cuh), and
 * max |u - u*|. Engine thread.
 */
#include <math.h>
#include <string.h>

#include "kernels/cuda/device/patches.h"
#include "kernels/cuda/device/sample.h"
#include "kernels/cuda/device/slabs.h"

#define REDUCE_BLOCKS 512
#define REDUCE_THREADS 256

/* A kernel of reduce.cuh for the run's update. */
static int find(const ss_run *run, const char *name, ss_cuda_kernel *k, ss_err *err)
{
    *k = (ss_cuda_kernel){
        .blocks = {REDUCE_BLOCKS, 1, 1}, .threads = {REDUCE_THREADS, 1, 1}, .ordinary = true};
    return ss_cuda_kernel_get(k, err, "device/reduce.cuh", "%s<%s>", name,
                              ss_cuda_update_name(run, false));
}

/* --- |r| ----------------------------------------------------------------------------------------
 */

static int residual_norm(const ss_run *run, double *sums, double *out, ss_err *err)
{
    const ss_cuda_state *st = ss_cuda_of(run);
    ss_cuda_cycle_args a = ss_cuda_cycle_args_of(run, st->cur);
    ss_cuda_coefficients update = ss_cuda_coefficients_of(run);
    ss_cuda_kernel changes;
    double host[REDUCE_BLOCKS], sum = 0;
    if (find(run, "changes", &changes, err) != SS_OK)
        return SS_FAIL;
    ss_cuda_launch_kernel(&changes, st->stream, SS_ARGUMENTS(&a, &update, &sums));
    SS_CUDA(ss_cuda_launch_error());
    SS_CUDA(ss_cu->copy(host, sums, sizeof host, st->stream));
    SS_CUDA(ss_cu->stream_wait(st->stream));
    for (int i = 0; i < REDUCE_BLOCKS; i++)
        sum += host[i];
    *out = run->coef.residual * sqrt(sum);
    return SS_OK;
}

static int residual(const ss_run *run, double *out, ss_err *err)
{
    void *sums = NULL;
    if (ss_cuda_alloc(&sums, REDUCE_BLOCKS * sizeof(double), "a norm", err) != SS_OK)
        return SS_FAIL;
    int status = residual_norm(run, sums, out, err);
    ss_cu->free(sums);
    return status;
}

/* --- max |u - ref| ------------------------------------------------------------------------------
 */

#define CHUNK ((size_t)32 << 20) /* bytes of ref on the device at a time */
#define RESULT 256               /* bytes before ref in the buffer, for the result */

/* In chunks: u* may be larger than the free memory. */
static int max_deviation(ss_run *run, const double *ref, double *out, ss_err *err)
{
    ss_cuda_staging *s;
    ss_cuda_kernel deviations;
    const ss_cuda_state *st = ss_cuda_of(run);
    size_t row = (size_t)st->box.nx * sizeof *ref;
    int all = st->box.ny, most = (int)(CHUNK / row);
    most = most < 1 ? 1 : most > all ? all : most;
    if (find(run, "deviations", &deviations, err) != SS_OK ||
        ss_cuda_staging_get(run, RESULT + (size_t)most * row, &s, err) != SS_OK)
        return SS_FAIL;
    ss_cuda_fields fields = ss_cuda_fields_of(run, (const double *)(s->device + RESULT));
    SS_CUDA(ss_cu->fill(s->device, 0, sizeof *out, st->stream));
    for (int j = 0; j < all; j += most) {
        int end = j + most < all ? j + most : all;
        double started = ss_clock();
        SS_CUDA(ss_cu->copy(s->device + RESULT, ref + (size_t)j * (size_t)st->box.nx,
                            (size_t)(end - j) * row, st->stream));
        run->seconds_upload += ss_clock() - started;
        ss_cuda_launch_kernel(&deviations, st->stream, SS_ARGUMENTS(&fields, &j, &end, &s->device));
    }
    SS_CUDA(ss_cuda_launch_error());
    if (ss_cuda_staging_fetch(run, s, 0, sizeof *out, err) != SS_OK)
        return SS_FAIL;
    memcpy(out, s->host, sizeof *out);
    return SS_OK;
}

int ss_cuda_reduce(ss_run *run, double *norm, const double *ref, double *max_error, ss_err *err)
{
    ss_cuda_use(ss_cuda_of(run)->device);
    if (ss_cuda_of(run)->patches)
        return ss_cuda_patches_reduce(run, norm, ref, max_error, err);
    if (ss_cuda_slabs_of(run))
        return ss_cuda_slabs_reduce(run, norm, ref, max_error, err);
    if (ss_cuda_split_settle(run, 0, err) != SS_OK)
        return SS_FAIL;
    if (norm && residual(run, norm, err) != SS_OK)
        return SS_FAIL;
    return ref && max_error ? max_deviation(run, ref, max_error, err) : SS_OK;
}
