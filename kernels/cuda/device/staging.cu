/*
 * Copies small results to the host while cycles run, and u* to the device: see sample.cuh. Engine
 * thread.
 */
#include <stdlib.h>

#include "kernels/cuda/device/sample.cuh"

#define ROUND (1 << 20) /* buffer sizes are multiples: not every resize of a window reallocates */

static ss_cuda_state *state_of(const ss_run *run)
{
    return (ss_cuda_state *)run->state;
}

static int make(ss_cuda_staging *s, ss_err *err)
{
    SS_CUDA(cudaStreamCreateWithFlags(&s->copy, cudaStreamNonBlocking));
    SS_CUDA(cudaEventCreate(&s->gathered));
    SS_CUDA(cudaEventCreate(&s->copied));
    return SS_OK;
}

static void free_buffers(ss_cuda_staging *s)
{
    cudaFree(s->device);
    cudaFreeHost(s->host);
    s->device = s->host = NULL;
    s->capacity = 0;
}

static int grow(ss_cuda_staging *s, size_t bytes, ss_err *err)
{
    size_t room = (bytes + ROUND - 1) / ROUND * ROUND;
    free_buffers(s);
    if (ss_cuda_alloc((void **)&s->device, room, "a picture", err) != SS_OK)
        return SS_FAIL;
    if (ss_cuda_alloc_host((void **)&s->host, room, "a picture", err) != SS_OK)
        return SS_FAIL;
    s->capacity = room;
    return SS_OK;
}

int ss_cuda_staging_get(ss_run *run, size_t bytes, ss_cuda_staging **out, ss_err *err)
{
    ss_cuda_state *st = state_of(run);
    if (!st->staging && !(st->staging = (ss_cuda_staging *)calloc(1, sizeof *st->staging)))
        return ss_fail(err, "out of memory");
    *out = st->staging;
    if (!st->staging->copied && make(st->staging, err) != SS_OK)
        return SS_FAIL;
    return bytes <= st->staging->capacity ? SS_OK : grow(st->staging, bytes, err);
}

int ss_cuda_staging_fetch(ss_run *run, ss_cuda_staging *s, size_t from, size_t bytes, ss_err *err)
{
    float ms = 0;
    SS_CUDA(cudaEventRecord(s->gathered, state_of(run)->stream));
    SS_CUDA(cudaStreamWaitEvent(s->copy, s->gathered, 0));
    SS_CUDA(
        cudaMemcpyAsync(s->host + from, s->device + from, bytes, cudaMemcpyDeviceToHost, s->copy));
    SS_CUDA(cudaEventRecord(s->copied, s->copy));
    SS_CUDA(cudaEventSynchronize(s->copied));
    SS_CUDA(cudaEventElapsedTime(&ms, s->gathered, s->copied));
    run->seconds_download += ms * 1e-3;
    ss_cuda_downloaded += (double)bytes;
    return SS_OK;
}

int ss_cuda_staging_reference(ss_run *run, const double *ref, const double **out, ss_err *err)
{
    ss_cuda_staging *s;
    const ss_box *b = &state_of(run)->box;
    cudaStream_t stream = state_of(run)->stream;
    size_t bytes = (size_t)b->nx * (size_t)b->ny * (size_t)b->nz * sizeof *ref;
    if (ss_cuda_staging_get(run, 0, &s, err) != SS_OK)
        return SS_FAIL;
    *out = s->ref;
    if (s->ref_of == ref)
        return SS_OK;
    s->ref_of = NULL;
    if (!s->ref && ss_cuda_alloc((void **)&s->ref, bytes, "u*", err) != SS_OK)
        return SS_FAIL;
    double started = ss_clock();
    SS_CUDA(cudaMemcpyAsync(s->ref, ref, bytes, cudaMemcpyHostToDevice, stream));
    SS_CUDA(cudaStreamSynchronize(stream));
    run->seconds_upload += ss_clock() - started;
    s->ref_of = ref;
    *out = s->ref;
    return SS_OK;
}

void ss_cuda_staging_forget(ss_cuda_staging *s)
{
    if (s)
        s->ref_of = NULL;
}

void ss_cuda_staging_free(ss_cuda_staging *s)
{
    if (!s)
        return;
    free_buffers(s);
    cudaFree(s->ref);
    if (s->gathered)
        cudaEventDestroy(s->gathered);
    if (s->copied)
        cudaEventDestroy(s->copied);
    if (s->copy)
        cudaStreamDestroy(s->copy);
    free(s);
}
