/*
 * Copies small results to the host while cycles run, and u* to the device: see sample.h. Engine
 * thread.
 */
#include <stdlib.h>

#include "kernels/cuda/device/sample.h"

#define ROUND (1 << 20) /* buffer sizes are multiples: not every resize of a window reallocates */

static int make(ss_cuda_staging *s, ss_err *err)
{
    return ss_cuda_keep_stream(&s->kept, &s->copy, err) == SS_OK &&
                   ss_cuda_keep_event(&s->kept, &s->gathered, 0, err) == SS_OK
               ? ss_cuda_keep_event(&s->kept, &s->copied, 0, err)
               : SS_FAIL;
}

static int grow(ss_cuda_staging *s, size_t bytes, ss_err *err)
{
    size_t room = (bytes + ROUND - 1) / ROUND * ROUND;
    ss_cuda_kept_free(&s->buffers);
    s->capacity = 0;
    if (ss_cuda_keep(&s->buffers, (void **)&s->device, room, "a picture", err) != SS_OK ||
        ss_cuda_keep_pinned(&s->buffers, (void **)&s->host, room, "a picture", err) != SS_OK)
        return SS_FAIL;
    s->capacity = room;
    return SS_OK;
}

int ss_cuda_staging_get(ss_run *run, size_t bytes, ss_cuda_staging **out, ss_err *err)
{
    ss_cuda_state *st = ss_cuda_state_of(run);
    if (!st->staging && !(st->staging = calloc(1, sizeof *st->staging)))
        return ss_fail(err, "out of memory");
    *out = st->staging;
    if (!st->staging->copied && make(st->staging, err) != SS_OK)
        return SS_FAIL;
    return bytes <= st->staging->capacity ? SS_OK : grow(st->staging, bytes, err);
}

int ss_cuda_staging_fetch(ss_run *run, ss_cuda_staging *s, size_t from, size_t bytes, ss_err *err)
{
    float ms = 0;
    SS_CUDA(ss_cu->event_record(s->gathered, ss_cuda_of(run)->stream));
    SS_CUDA(ss_cu->stream_wait_event(s->copy, s->gathered, 0));
    SS_CUDA(ss_cu->copy(s->host + from, s->device + from, bytes, s->copy));
    SS_CUDA(ss_cu->event_record(s->copied, s->copy));
    SS_CUDA(ss_cu->event_wait(s->copied));
    SS_CUDA(ss_cu->event_ms(&ms, s->gathered, s->copied));
    run->seconds_download += (double)ms * 1e-3;
    ss_cuda_downloaded += (double)bytes;
    return SS_OK;
}

int ss_cuda_staging_reference(ss_run *run, const double *ref, const double **out, ss_err *err)
{
    ss_cuda_staging *s;
    const ss_cuda_state *st = ss_cuda_of(run);
    const ss_box *b = &st->box;
    size_t bytes = (size_t)b->nx * (size_t)b->ny * (size_t)b->nz * sizeof *ref;
    if (ss_cuda_staging_get(run, 0, &s, err) != SS_OK)
        return SS_FAIL;
    *out = s->ref;
    if (s->ref_of == ref)
        return SS_OK;
    s->ref_of = NULL;
    if (!s->ref && ss_cuda_keep(&s->kept, (void **)&s->ref, bytes, "u*", err) != SS_OK)
        return SS_FAIL;
    double started = ss_clock();
    SS_CUDA(ss_cu->copy(s->ref, ref, bytes, st->stream));
    SS_CUDA(ss_cu->stream_wait(st->stream));
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
    ss_cuda_kept_free(&s->buffers);
    ss_cuda_kept_free(&s->kept);
    free(s);
}
