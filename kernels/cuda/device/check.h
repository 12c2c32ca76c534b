/*
 * Checked calls of the driver: a failure becomes one sentence in an ss_err. And what belongs to the
 * device and is freed together. Engine thread; ss_cuda_lost (names.h): any thread.
 */
#ifndef SS_CUDA_CHECK_H
#define SS_CUDA_CHECK_H

#include "kernels/cuda/device/driver.h"

/* Writes one sentence with the expression, file and line; returns SS_FAIL. */
int ss_cuda_failed(int code, const char *expression, const char *file, int line, ss_err *err);
/* Returns code, or an error that a test injects (STENCILSCOPE_CUDA_FAULT). */
int ss_cuda_checked(int code);

#define SS_CUDA(expression)                                                                        \
    do {                                                                                           \
        int code_ = ss_cuda_checked(expression);                                                   \
        if (code_ != 0)                                                                            \
            return ss_cuda_failed(code_, #expression, __FILE__, __LINE__, err);                    \
    } while (0)

/* Allocates memory of the current device, at least one byte; `what` names it in the sentence about
 * too little memory. Free it with ss_cu->free. */
int ss_cuda_alloc(void **out, size_t bytes, const char *what, ss_err *err);
/* Allocates pinned host memory, so that copies overlap with kernels. Free it with ss_cu->host_free.
 */
int ss_cuda_alloc_host(void **out, size_t bytes, const char *what, ss_err *err);

/* --- what is freed together ------------------------------------------------------------------- */

/* A list of memory, streams, events, graphs and textures. Zeroed: empty. */
typedef struct ss_cuda_kept {
    struct ss_cuda_item *item;
    int count, room;
} ss_cuda_kept;

/* Make one on the current device, and add it to the list. *out is of no use after a failure. */
int ss_cuda_keep(ss_cuda_kept *kept, void **out, size_t bytes, const char *what, ss_err *err);
/* The same, zeroed when the stream has done what it has to. */
int ss_cuda_keep_zeroed(ss_cuda_kept *kept, void **out, size_t bytes, const char *what,
                        ss_cu_stream stream, ss_err *err);
/* The same, filled with `bytes` bytes of the host. */
int ss_cuda_keep_copy(ss_cuda_kept *kept, void **out, const void *host, size_t bytes,
                      const char *what, ss_err *err);
int ss_cuda_keep_pinned(ss_cuda_kept *kept, void **out, size_t bytes, const char *what,
                        ss_err *err);
/* A stream that does not wait for the null stream. */
int ss_cuda_keep_stream(ss_cuda_kept *kept, ss_cu_stream *out, ss_err *err);
/* The same with the highest priority: the device begins its kernels before those of other streams.
 */
int ss_cuda_keep_stream_first(ss_cuda_kept *kept, ss_cu_stream *out, ss_err *err);
/* An event; flags: SS_CU_NO_TIMING or 0. */
int ss_cuda_keep_event(ss_cuda_kept *kept, ss_cu_event *out, unsigned flags, ss_err *err);
int ss_cuda_keep_texture(ss_cuda_kept *kept, ss_cu_texture *out, const ss_cu_array *array,
                         const ss_cu_fetch *fetch, ss_err *err);
/* Seconds of the device between two events that have come. */
int ss_cuda_seconds(ss_cu_event from, ss_cu_event to, double *out, ss_err *err);
/* Frees all, the newest first. */
void ss_cuda_kept_free(ss_cuda_kept *kept);

/* --- graphs ----------------------------------------------------------------------------------- */

/* Records as a graph what launches(context) puts on the stream, which returns SS_OK, or SS_FAIL
 * with err set: many launches then cost half a microsecond each instead of three. If a launch
 * fails, the capture is ended and the first error is reported. *made is to be freed with
 * ss_cu->graph_free; NULL after a failure. */
int ss_cuda_record(ss_cu_stream stream, int (*launches)(void *context, ss_err *err), void *context,
                   ss_cu_graph *made, ss_err *err);

#endif
