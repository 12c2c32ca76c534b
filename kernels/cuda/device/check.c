/*
 * Checked calls of the driver, allocations, graphs: see check.h. Errors that lose the device are
 * remembered for ss_cuda_lost, which any thread may call; the rest: engine thread.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cuda/device/check.h"
#include "kernels/cuda/device/driver.h"
#include "kernels/cuda/device/loader.h"
#include "kernels/cuda/device/names.h"

/* --- errors --------------------------------------------------------------------------------------
 */

/* STENCILSCOPE_CUDA_FAULT=N makes the N-th checked call fail like an illegal access by a kernel. */
static long fault_at(void)
{
    const char *text = getenv("STENCILSCOPE_CUDA_FAULT");
    return text ? strtol(text, NULL, 10) : 0;
}

int ss_cuda_checked(int code)
{
    static long calls, at = -1;
    if (ss_cu_is_dry())
        return code;
    if (at < 0)
        at = fault_at();
    if (at > 0 && ++calls >= at)
        return SS_CU_ILLEGAL_ADDRESS;
    return code;
}

/* Sticky errors: every later call of the process fails, and its device memory is lost. */
static const int sticky[] = {
    SS_CU_ILLEGAL_ADDRESS,       SS_CU_LAUNCH_FAILED,
    SS_CU_LAUNCH_TIMEOUT,        SS_CU_ASSERT,
    SS_CU_HARDWARE_STACK_ERROR,  SS_CU_ILLEGAL_INSTRUCTION,
    SS_CU_MISALIGNED_ADDRESS,    SS_CU_INVALID_PC,
    SS_CU_INVALID_ADDRESS_SPACE, SS_CU_ECC_UNCORRECTABLE,
    SS_CU_NVLINK_UNCORRECTABLE,
};

static pthread_mutex_t lost_lock = PTHREAD_MUTEX_INITIALIZER;
static ss_err lost; /* protected by lost_lock; empty: the device is not lost */

static void remember_loss(int code, const ss_err *sentence)
{
    bool is_sticky = false;
    for (size_t i = 0; i < sizeof sticky / sizeof *sticky; i++)
        is_sticky = is_sticky || sticky[i] == code;
    pthread_mutex_lock(&lost_lock);
    if (is_sticky && !lost.text[0])
        lost = *sentence;
    pthread_mutex_unlock(&lost_lock);
}

/* All runs lose their states together. */
bool ss_cuda_lost(const ss_run *run, ss_err *why)
{
    (void)run;
    pthread_mutex_lock(&lost_lock);
    bool is_lost = lost.text[0];
    if (is_lost && why)
        *why = lost;
    pthread_mutex_unlock(&lost_lock);
    return is_lost;
}

int ss_cuda_failed(int code, const char *expression, const char *file, int line, ss_err *err)
{
    const char *name = strrchr(file, '/');
    ss_err text;
    if (code == SS_CU_OUT_OF_MEMORY)
        return ss_fail(err, "the GPU is out of memory (%s): choose a smaller n, or --backend cpu",
                       ss_cu_words(code));
    ss_fail(&text, "the GPU failed: %s, in %.80s (%s:%d)", ss_cu_words(code), expression,
            name ? name + 1 : file, line);
    remember_loss(code, &text);
    return ss_fail(err, "%s", text.text);
}

/* --- allocations ------------------------------------------------------------------------------ */

/* STENCILSCOPE_CUDA_FULL=N makes the N-th allocation fail for lack of memory. */
static bool is_full(void)
{
    static long count;
    if (ss_cu_is_dry())
        return false;
    const char *text = getenv("STENCILSCOPE_CUDA_FULL");
    count = text ? count + 1 : 0;
    return text && count == strtol(text, NULL, 10);
}

/* By ss_cu->alloc or ss_cu->host_alloc, which refuse 0 bytes. */
static int allocate(int (*call)(void **, size_t), void **out, size_t bytes)
{
    *out = NULL;
    return ss_cuda_checked(is_full() ? SS_CU_OUT_OF_MEMORY : call(out, bytes > 0 ? bytes : 1));
}

int ss_cuda_alloc(void **out, size_t bytes, const char *what, ss_err *err)
{
    int code = allocate(ss_cu->alloc, out, bytes);
    char need[32], have[32];
    size_t left = 0, total = 0;
    if (code == 0)
        return SS_OK;
    if (code != SS_CU_OUT_OF_MEMORY)
        return ss_cuda_failed(code, "alloc", __FILE__, __LINE__, err);
    SS_CUDA(ss_cu->memory_free(&left, &total));
    return ss_fail(err,
                   "the GPU is out of memory: %s needs %s, and %s are free: choose a smaller n, or "
                   "--backend cpu",
                   what, ss_format_bytes((double)bytes, need, sizeof need),
                   ss_format_bytes((double)left, have, sizeof have));
}

int ss_cuda_alloc_host(void **out, size_t bytes, const char *what, ss_err *err)
{
    int code = allocate(ss_cu->host_alloc, out, bytes);
    char need[32];
    if (code == 0)
        return SS_OK;
    if (code != SS_CU_OUT_OF_MEMORY)
        return ss_cuda_failed(code, "host_alloc", __FILE__, __LINE__, err);
    return ss_fail(err, "out of memory: %s needs %s of this machine's pinned memory", what,
                   ss_format_bytes((double)bytes, need, sizeof need));
}

/* --- what is freed together ------------------------------------------------------------------- */

struct ss_cuda_item {
    enum { MEMORY, PINNED, STREAM, EVENT, TEXTURE } kind;
    union {
        void *memory;
        ss_cu_stream stream;
        ss_cu_event event;
        ss_cu_texture texture;
    } of;
};
typedef struct ss_cuda_item item;

static void free_item(const item *i)
{
    switch (i->kind) {
    case MEMORY:
        ss_cu->free(i->of.memory);
        break;
    case PINNED:
        ss_cu->host_free(i->of.memory);
        break;
    case STREAM:
        ss_cu->stream_destroy(i->of.stream);
        break;
    case EVENT:
        ss_cu->event_destroy(i->of.event);
        break;
    case TEXTURE:
        ss_cu->texture_destroy(i->of.texture);
        break;
    }
}

void ss_cuda_kept_free(ss_cuda_kept *kept)
{
    while (kept->count > 0)
        free_item(&kept->item[--kept->count]);
    free(kept->item);
    *kept = (ss_cuda_kept){0};
}

/* Frees what cannot be added. */
static int add(ss_cuda_kept *kept, item made, ss_err *err)
{
    if (kept->count == kept->room) {
        int room = kept->room ? 2 * kept->room : 8;
        item *more = realloc(kept->item, (size_t)room * sizeof *more);
        if (!more) {
            free_item(&made);
            return ss_fail(err, "out of memory");
        }
        kept->item = more;
        kept->room = room;
    }
    kept->item[kept->count++] = made;
    return SS_OK;
}

int ss_cuda_keep(ss_cuda_kept *kept, void **out, size_t bytes, const char *what, ss_err *err)
{
    if (ss_cuda_alloc(out, bytes, what, err) != SS_OK)
        return SS_FAIL;
    return add(kept, (item){MEMORY, {.memory = *out}}, err);
}

int ss_cuda_keep_zeroed(ss_cuda_kept *kept, void **out, size_t bytes, const char *what,
                        ss_cu_stream stream, ss_err *err)
{
    if (ss_cuda_keep(kept, out, bytes, what, err) != SS_OK)
        return SS_FAIL;
    SS_CUDA(ss_cu->fill(*out, 0, bytes, stream));
    return SS_OK;
}

int ss_cuda_keep_copy(ss_cuda_kept *kept, void **out, const void *host, size_t bytes,
                      const char *what, ss_err *err)
{
    if (ss_cuda_keep(kept, out, bytes, what, err) != SS_OK)
        return SS_FAIL;
    SS_CUDA(ss_cu->copy_now(*out, host, bytes));
    SS_CUDA(ss_cu->stream_wait(NULL)); /* runs' streams do not wait for this stream */
    return SS_OK;
}

int ss_cuda_keep_pinned(ss_cuda_kept *kept, void **out, size_t bytes, const char *what, ss_err *err)
{
    if (ss_cuda_alloc_host(out, bytes, what, err) != SS_OK)
        return SS_FAIL;
    return add(kept, (item){PINNED, {.memory = *out}}, err);
}

int ss_cuda_keep_stream(ss_cuda_kept *kept, ss_cu_stream *out, ss_err *err)
{
    *out = NULL;
    SS_CUDA(ss_cu->stream_create(out, SS_CU_NON_BLOCKING));
    return add(kept, (item){STREAM, {.stream = *out}}, err);
}

int ss_cuda_keep_stream_first(ss_cuda_kept *kept, ss_cu_stream *out, ss_err *err)
{
    int least, greatest;
    *out = NULL;
    SS_CUDA(ss_cu->context_priorities(&least, &greatest));
    SS_CUDA(ss_cu->stream_create_with(out, SS_CU_NON_BLOCKING, greatest));
    return add(kept, (item){STREAM, {.stream = *out}}, err);
}

int ss_cuda_keep_event(ss_cuda_kept *kept, ss_cu_event *out, unsigned flags, ss_err *err)
{
    *out = NULL;
    SS_CUDA(ss_cu->event_create(out, flags));
    return add(kept, (item){EVENT, {.event = *out}}, err);
}

int ss_cuda_seconds(ss_cu_event from, ss_cu_event to, double *out, ss_err *err)
{
    float ms = 0;
    SS_CUDA(ss_cu->event_ms(&ms, from, to));
    *out = (double)ms * 1e-3;
    return SS_OK;
}

int ss_cuda_keep_texture(ss_cuda_kept *kept, ss_cu_texture *out, const ss_cu_array *array,
                         const ss_cu_fetch *fetch, ss_err *err)
{
    SS_CUDA(ss_cu->texture_create(out, array, fetch, NULL));
    return add(kept, (item){TEXTURE, {.texture = *out}}, err);
}

/* --- graphs ----------------------------------------------------------------------------------- */

int ss_cuda_record(ss_cu_stream stream, int (*launches)(void *context, ss_err *err), void *context,
                   ss_cu_graph *made, ss_err *err)
{
    ss_cu_capture graph = NULL;
    *made = NULL;
    SS_CUDA(ss_cu->capture_begin(stream, SS_CU_THREAD_LOCAL));
    int status = launches(context, err);
    int launch_in_graph = ss_cuda_launch_error();
    int end_of_capture = ss_cu->capture_end(stream, &graph), instantiation = 0;
    if (status == SS_OK && launch_in_graph == 0 && end_of_capture == 0)
        instantiation = ss_cu->graph_make(made, graph, 0);
    if (graph)
        ss_cu->graph_destroy(graph);
    if (status != SS_OK)
        return SS_FAIL;
    SS_CUDA(launch_in_graph);
    SS_CUDA(end_of_capture);
    SS_CUDA(instantiation);
    return SS_OK;
}
