/*
 * A pipeline for patches that live in the host's memory: each is copied to the GPU, relaxed a few
 * times and copied back, on a stream of its own, so that the copies of one patch overlap the
 * kernels of another. The order in which this is issued is the paper's question: depth first (all
 * of a patch, then the next one) or breadth first (all copies up, all kernels, all copies down).
 * Engine thread.
 */
#include <stdlib.h>

#include "kernels/cuda/smooth/plan.cuh"

#define MAX_STREAMS 32

/* Patch q is on stream q modulo `streams`. */
struct ss_cuda_pipeline {
    const ss_cuda_smooth *s;
    size_t bytes; /* of an array of a patch */
    int patches, streams, steps;
    double omega;
    char *host, *u[2]; /* patch after patch */
    const char *host_rhs;
    char *rhs;
    cudaStream_t stream[MAX_STREAMS];
    cudaEvent_t begin, end, arrived[MAX_STREAMS];
};
typedef ss_cuda_pipeline pipeline;

static int copy_up(const pipeline *t, int q, ss_err *err)
{
    size_t at = (size_t)q * t->bytes;
    cudaStream_t stream = t->stream[q % t->streams];
    SS_CUDA(cudaMemcpyAsync(t->u[0] + at, t->host + at, t->bytes, cudaMemcpyHostToDevice, stream));
    SS_CUDA(
        cudaMemcpyAsync(t->rhs + at, t->host_rhs + at, t->bytes, cudaMemcpyHostToDevice, stream));
    return SS_OK;
}

/* The one of the two arrays that has the result. */
static int last_array(const pipeline *t)
{
    return t->s->how.order == SS_CUDA_AT_ONCE ? t->steps % 2 : 0;
}

static int relax(const pipeline *t, int q, ss_err *err)
{
    size_t at = (size_t)q * t->bytes;
    bool once = t->s->how.order == SS_CUDA_AT_ONCE;
    for (int i = 0; i < t->steps; i++) {
        int from = once ? i % 2 : 0, to = once ? 1 - from : 0;
        if (ss_cuda_smooth_step(t->s, t->omega, t->u[from] + at, t->rhs + at, t->u[to] + at, NULL,
                                t->stream[q % t->streams], err) != SS_OK)
            return SS_FAIL;
    }
    return SS_OK;
}

static int copy_down(const pipeline *t, int q, ss_err *err)
{
    size_t at = (size_t)q * t->bytes;
    SS_CUDA(cudaMemcpyAsync(t->host + at, t->u[last_array(t)] + at, t->bytes,
                            cudaMemcpyDeviceToHost, t->stream[q % t->streams]));
    return SS_OK;
}

typedef int stage_fn(const pipeline *t, int q, ss_err *err);
static stage_fn *const stages[] = {copy_up, relax, copy_down};

static int depth_first(const pipeline *t, ss_err *err)
{
    for (int q = 0; q < t->patches; q++)
        for (int i = 0; i < 3; i++)
            if (stages[i](t, q, err) != SS_OK)
                return SS_FAIL;
    return SS_OK;
}

static int breadth_first(const pipeline *t, ss_err *err)
{
    for (int i = 0; i < 3; i++)
        for (int q = 0; q < t->patches; q++)
            if (stages[i](t, q, err) != SS_OK)
                return SS_FAIL;
    return SS_OK;
}

static int (*const orders[SS_NSTREAM_ORDER])(const pipeline *, ss_err *) = {depth_first,
                                                                            breadth_first};

/* From the first copy to the last one. */
static int run(pipeline *t, ss_stream_order order, double *seconds, ss_err *err)
{
    float ms;
    SS_CUDA(cudaEventRecord(t->begin, t->stream[0]));
    for (int i = 1; i < t->streams; i++)
        SS_CUDA(cudaStreamWaitEvent(t->stream[i], t->begin, 0));
    if (orders[order](t, err) != SS_OK)
        return SS_FAIL;
    for (int i = 1; i < t->streams; i++) {
        SS_CUDA(cudaEventRecord(t->arrived[i], t->stream[i]));
        SS_CUDA(cudaStreamWaitEvent(t->stream[0], t->arrived[i], 0));
    }
    SS_CUDA(cudaEventRecord(t->end, t->stream[0]));
    SS_CUDA(cudaEventSynchronize(t->end));
    SS_CUDA(cudaEventElapsedTime(&ms, t->begin, t->end));
    *seconds = (double)ms * 1e-3;
    return SS_OK;
}

static int open(pipeline *t, ss_err *err)
{
    size_t all = (size_t)t->patches * t->bytes;
    if (ss_cuda_alloc((void **)&t->u[0], all, "patches", err) != SS_OK ||
        ss_cuda_alloc((void **)&t->u[1], all, "patches", err) != SS_OK ||
        ss_cuda_alloc((void **)&t->rhs, all, "right-hand sides", err) != SS_OK)
        return SS_FAIL;
    SS_CUDA(cudaMemset(t->u[1], 0, all)); /* for its ghosts */
    SS_CUDA(cudaEventCreate(&t->begin));
    SS_CUDA(cudaEventCreate(&t->end));
    for (int i = 0; i < t->streams; i++) {
        SS_CUDA(cudaEventCreateWithFlags(&t->arrived[i], cudaEventDisableTiming));
        SS_CUDA(cudaStreamCreateWithFlags(&t->stream[i], cudaStreamNonBlocking));
    }
    SS_CUDA(cudaDeviceSynchronize());
    return SS_OK;
}

void ss_cuda_pipeline_free(ss_cuda_pipeline *t)
{
    if (!t)
        return;
    cudaFree(t->u[0]);
    cudaFree(t->u[1]);
    cudaFree(t->rhs);
    if (t->begin)
        cudaEventDestroy(t->begin);
    if (t->end)
        cudaEventDestroy(t->end);
    for (int i = 0; i < MAX_STREAMS; i++) {
        if (t->arrived[i])
            cudaEventDestroy(t->arrived[i]);
        if (t->stream[i])
            cudaStreamDestroy(t->stream[i]);
    }
    free(t);
}

int ss_cuda_pipeline_make(ss_cuda_pipeline **out, const ss_cuda_smooth *s, size_t count,
                          int patches, ss_err *err)
{
    *out = NULL;
    pipeline *t = (pipeline *)ss_alloc(sizeof *t, "streams", err);
    if (!t)
        return SS_FAIL;
    t->s = s;
    t->bytes = count * ss_prec_size(s->how.prec);
    t->patches = patches;
    t->streams = patches < MAX_STREAMS ? patches : MAX_STREAMS;
    if (open(t, err) != SS_OK) {
        ss_cuda_pipeline_free(t);
        return SS_FAIL;
    }
    *out = t;
    return SS_OK;
}

int ss_cuda_pipeline_run(ss_cuda_pipeline *t, int steps, double omega, void *u, const void *rhs,
                         ss_stream_order order, double *seconds, ss_err *err)
{
    t->steps = steps;
    t->omega = omega;
    t->host = (char *)u;
    t->host_rhs = (const char *)rhs;
    return run(t, order, seconds, err);
}

int ss_cuda_pinned_make(void **out, size_t bytes, const char *what, ss_err *err)
{
    *out = NULL;
    return ss_cuda_probe(err) == SS_OK ? ss_cuda_alloc_host(out, bytes, what, err) : SS_FAIL;
}

void ss_cuda_pinned_free(void *memory)
{
    cudaFreeHost(memory);
}
