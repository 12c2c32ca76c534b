/*
 * The CUDA backend as C sees it: functions that the tables in tables.c point to. All of them are
 * called from the engine thread, except ss_cuda_probe, ss_cuda_lost and ss_cuda_get_limits, which
 * any thread may call. Without nvcc at build time only the tables exist, and their probe says why
 * nothing runs.
 */
#ifndef SS_CUDA_H
#define SS_CUDA_H

#include "src/core/run.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a device can hold and how wide it is; bytes. */
typedef struct ss_cuda_limits {
    char name[64];
    int processors;     /* streaming multiprocessors */
    size_t block_bytes; /* shared memory a thread block may ask for (opt-in) */
    size_t memory, free;
    size_t pitch; /* bytes that rows of a copy may lie apart */
} ss_cuda_limits;

int ss_cuda_probe(ss_err *err);
bool ss_cuda_lost(ss_err *why);
/* The device's limits; fails as probe does. */
int ss_cuda_get_limits(ss_cuda_limits *out, ss_err *err);
void ss_cuda_describe(const ss_config *cfg, char *buf, size_t size);
double ss_cuda_memory(char *what, size_t size);

int ss_cuda_open(ss_run *run, ss_err *err);
void ss_cuda_close(ss_run *run);
int ss_cuda_reset(ss_run *run, ss_err *err);
int ss_cuda_upload(ss_run *run, int which, int field, int k, int j0, int j1, const void *rows,
                   ss_err *err);
int ss_cuda_download(ss_run *run, int which, int field, int k, int j0, int j1, void *rows,
                     ss_err *err);
int ss_cuda_sample(ss_run *run, const ss_view *view, ss_picture *out, ss_err *err);
/* The same of a transient run: a line is so short that all of it travels (shadow.c). */
int ss_cuda_sample_line(ss_run *run, const ss_view *view, ss_picture *out, ss_err *err);
/* The same of a cycle that is seen from within (shadow.c). */
int ss_cuda_sample_peeked(ss_run *run, const ss_view *view, ss_picture *out, ss_err *err);
/* Bytes of the field that a live picture reads at most; tests set it to the CPU's figure. */
extern double ss_cuda_picture_bytes;
/* Bytes that have come from the device so far, of all runs. */
extern double ss_cuda_downloaded;
/* Array `which` of the run into rows that lie `pitch` bytes apart, from the first point on. */
int ss_cuda_download_pitched(ss_run *run, int which, void *first, size_t pitch, ss_err *err);
/* Where the run keeps its copy on the CPU (shadow.c). */
void **ss_cuda_shadow(ss_run *run);
void ss_cuda_shadow_free(void *shadow);
int ss_cuda_reduce(ss_run *run, double *residual, const double *ref, double *max_error,
                   ss_err *err);

/* Bandwidths and latencies of the device (limits.cu). */
extern const ss_meter ss_cuda_meter;

/* Engine ops: prepare, step, release; see src/core/backend.h. */
int ss_cuda_jacobi_prepare(ss_run *run, ss_err *err);
int ss_cuda_shared_prepare(ss_run *run, ss_err *err);
int ss_cuda_async_prepare(ss_run *run, ss_err *err);
int ss_cuda_async_order(ss_run *run, uint32_t *tile, bool *known, ss_err *err);
int ss_cuda_peek(ss_run *run, int s, ss_err *err);
int ss_cuda_step(ss_run *run, int64_t cycles, ss_err *err);
void ss_cuda_release(ss_run *run);
int ss_cuda_persistent_prepare(ss_run *run, ss_err *err);
int ss_cuda_persistent_step(ss_run *run, int64_t cycles, ss_err *err);
void ss_cuda_persistent_release(ss_run *run);

int ss_cuda_sweep3d_prepare(ss_run *run, ss_err *err);
int ss_cuda_block_jacobi_prepare(ss_run *run, ss_err *err);
int ss_cuda_block_gs_prepare(ss_run *run, ss_err *err);
int ss_cuda_block_step(ss_run *run, int64_t cycles, ss_err *err);

/* Choices of the rows in tables.c, in the order of their names. */
enum { SS_LAUNCH_GRAPH, SS_LAUNCH_STREAM };
enum {
    SS_KERNEL_VECTOR,
    SS_KERNEL_NAIVE,
    SS_KERNEL_PADDED,
    SS_KERNEL_TEXTURE,
    SS_KERNEL_SMEM,
    SS_KERNEL_UNROLLED,
    SS_NKERNEL
};
enum { SS_TILE_REGISTER, SS_TILE_MEMORY, SS_NTILE };

#ifdef __cplusplus
}
#endif
#endif
