/*
 * Checked CUDA calls and allocations: see check.h. Errors that lose the device are remembered for
 * ss_cuda_lost, which any thread may call; the rest: engine thread.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cuda/device/check.h"
#include "kernels/cuda/device/names.h"

/* --- errors ----------------------------------------------------------------------------------- */

/* STENCILSCOPE_CUDA_FAULT=N makes the N-th checked call fail like an illegal access by a kernel. */
static long fault_at()
{
    const char *text = getenv("STENCILSCOPE_CUDA_FAULT");
    return text ? strtol(text, NULL, 10) : 0;
}

cudaError_t ss_cuda_checked(cudaError_t code)
{
    static long calls, at = -1;
    if (at < 0)
        at = fault_at();
    if (at > 0 && ++calls >= at)
        return cudaErrorIllegalAddress;
    return code;
}

/* Sticky errors: every later CUDA call of the process fails, and its device memory is lost. */
static const cudaError_t sticky[] = {
    cudaErrorIllegalAddress,      cudaErrorLaunchFailure,
    cudaErrorLaunchTimeout,       cudaErrorAssert,
    cudaErrorHardwareStackError,  cudaErrorIllegalInstruction,
    cudaErrorMisalignedAddress,   cudaErrorInvalidPc,
    cudaErrorInvalidAddressSpace, cudaErrorECCUncorrectable,
    cudaErrorNvlinkUncorrectable,
};

static pthread_mutex_t lost_lock = PTHREAD_MUTEX_INITIALIZER;
static ss_err lost; /* protected by lost_lock; empty: the device is not lost */

static void remember_loss(cudaError_t code, const ss_err *sentence)
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

int ss_cuda_failed(cudaError_t code, const char *expression, const char *file, int line,
                   ss_err *err)
{
    const char *name = strrchr(file, '/');
    ss_err text;
    cudaGetLastError(); /* clear it for the next call */
    if (code == cudaErrorMemoryAllocation)
        return ss_fail(err, "the GPU is out of memory (%s): choose a smaller n, or --backend cpu",
                       cudaGetErrorString(code));
    ss_fail(&text, "the GPU failed: %s, in %.80s (%s:%d)", cudaGetErrorString(code), expression,
            name ? name + 1 : file, line);
    remember_loss(code, &text);
    return ss_fail(err, "%s", text.text);
}

/* --- allocations ------------------------------------------------------------------------------ */

/* STENCILSCOPE_CUDA_FULL=N makes the N-th allocation fail for lack of memory. */
static bool is_full()
{
    static long count;
    const char *text = getenv("STENCILSCOPE_CUDA_FULL");
    count = text ? count + 1 : 0;
    return text && count == strtol(text, NULL, 10);
}

/* By cudaMalloc or cudaMallocHost; *out is null where that fails. */
static cudaError_t allocate(cudaError_t (*call)(void **, size_t), void **out, size_t bytes)
{
    cudaError_t code = ss_cuda_checked(is_full() ? cudaErrorMemoryAllocation : call(out, bytes));
    if (code != cudaSuccess) {
        *out = NULL;
        cudaGetLastError(); /* clear it for the next call */
    }
    return code;
}

int ss_cuda_alloc(void **out, size_t bytes, const char *what, ss_err *err)
{
    cudaError_t code = allocate(cudaMalloc, out, bytes);
    char need[32], have[32];
    size_t left = 0, all = 0;
    if (code == cudaSuccess)
        return SS_OK;
    if (code != cudaErrorMemoryAllocation)
        return ss_cuda_failed(code, "cudaMalloc", __FILE__, __LINE__, err);
    SS_CUDA(cudaMemGetInfo(&left, &all));
    return ss_fail(err,
                   "the GPU is out of memory: %s needs %s, and %s are free: choose a smaller n, or "
                   "--backend cpu",
                   what, ss_format_bytes((double)bytes, need, sizeof need),
                   ss_format_bytes((double)left, have, sizeof have));
}

int ss_cuda_alloc_copy(void **out, const void *host, size_t size, const char *what, ss_err *err)
{
    if (ss_cuda_alloc(out, size, what, err) != SS_OK)
        return SS_FAIL;
    SS_CUDA(cudaMemcpy(*out, host, size, cudaMemcpyHostToDevice));
    SS_CUDA(cudaStreamSynchronize(NULL)); /* runs' streams do not wait for this stream */
    return SS_OK;
}

int ss_cuda_alloc_host(void **out, size_t bytes, const char *what, ss_err *err)
{
    cudaError_t code = allocate(cudaMallocHost, out, bytes);
    char need[32];
    if (code == cudaSuccess)
        return SS_OK;
    if (code != cudaErrorMemoryAllocation)
        return ss_cuda_failed(code, "cudaMallocHost", __FILE__, __LINE__, err);
    return ss_fail(err, "out of memory: %s needs %s of this machine's pinned memory", what,
                   ss_format_bytes((double)bytes, need, sizeof need));
}
