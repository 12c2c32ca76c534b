/*
 * A pipeline for patches that live in the host's memory: each is copied to the GPU, relaxed a few
 * times and copied back, on a stream of its own, so that the copies of one patch overlap the
 * kernels of another. The order in which this is issued is the paper's question: depth first (all
 * of a patch, then the next one) or breadth first (all copies up, all kernels, all copies down).
 * Engine thread.
 */
#include <stdlib.h>

#include "kernels/cuda/smooth/plan.h"

#define MAX_STREAMS 32

/* Patch q is on stream q modulo `streams`. */
typedef struct ss_cuda_pipeline {
    const ss_cuda_smooth *s;
    size_t bytes; /* of an array of a patch */
    int patches, streams, steps;
    double omega;
    char *host, *u[2]; /* patch after patch */
    const char *host_rhs;
    char *rhs;
    ss_cu_stream stream[MAX_STREAMS];
    ss_cu_event begin, end, arrived[MAX_STREAMS];
    ss_cuda_kept kept; /* what is on the device */
} pipeline;

static int copy_up(const pipeline *t, int q, ss_err *err)
{
    size_t at = (size_t)q * t->bytes;
    ss_cu_stream stream = t->stream[q % t->streams];
    SS_CUDA(ss_cu->copy(t->u[0] + at, t->host + at, t->bytes, stream));
    SS_CUDA(ss_cu->copy(t->rhs + at, t->host_rhs + at, t->bytes, stream));
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
    SS_CUDA(
        ss_cu->copy(t->host + at, t->u[last_array(t)] + at, t->bytes, t->stream[q % t->streams]));
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
    SS_CUDA(ss_cu->event_record(t->begin, t->stream[0]));
    for (int i = 1; i < t->streams; i++)
        SS_CUDA(ss_cu->stream_wait_event(t->stream[i], t->begin, 0));
    if (orders[order](t, err) != SS_OK)
        return SS_FAIL;
    for (int i = 1; i < t->streams; i++) {
        SS_CUDA(ss_cu->event_record(t->arrived[i], t->stream[i]));
        SS_CUDA(ss_cu->stream_wait_event(t->stream[0], t->arrived[i], 0));
    }
    SS_CUDA(ss_cu->event_record(t->end, t->stream[0]));
    SS_CUDA(ss_cu->event_wait(t->end));
    return ss_cuda_seconds(t->begin, t->end, seconds, err);
}

static int open(pipeline *t, ss_err *err)
{
    size_t all = (size_t)t->patches * t->bytes;
    ss_cuda_kept *kept = &t->kept;
    if (ss_cuda_keep(kept, (void **)&t->u[0], all, "patches", err) != SS_OK ||
        ss_cuda_keep_zeroed(kept, (void **)&t->u[1], all, "patches", NULL, err) != SS_OK ||
        ss_cuda_keep(kept, (void **)&t->rhs, all, "right-hand sides", err) != SS_OK ||
        ss_cuda_keep_event(kept, &t->begin, 0, err) != SS_OK ||
        ss_cuda_keep_event(kept, &t->end, 0, err) != SS_OK)
        return SS_FAIL;
    for (int i = 0; i < t->streams; i++)
        if (ss_cuda_keep_event(kept, &t->arrived[i], SS_CU_NO_TIMING, err) != SS_OK ||
            ss_cuda_keep_stream(kept, &t->stream[i], err) != SS_OK)
            return SS_FAIL;
    SS_CUDA(ss_cu->stream_wait(NULL)); /* u[1] is zero: for its ghosts */
    return SS_OK;
}

void ss_cuda_pipeline_free(ss_cuda_pipeline *t)
{
    if (t)
        ss_cuda_kept_free(&t->kept);
    free(t);
}

int ss_cuda_pipeline_make(ss_cuda_pipeline **out, const ss_cuda_smooth *s, size_t count,
                          int patches, ss_err *err)
{
    *out = NULL;
    pipeline *t = ss_alloc(sizeof *t, "streams", err);
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
    t->host = u;
    t->host_rhs = rhs;
    return run(t, order, seconds, err);
}
