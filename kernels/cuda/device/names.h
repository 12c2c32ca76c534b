/*
 * The CUDA backend's interface in C: the functions that the tables in kernels/cuda/tables.c point
 * to. The engine thread calls them; ss_cuda_probe, ss_cuda_lost and ss_cuda_get_limits may be
 * called from any thread. A page has only the tables.
 */
#ifndef SS_CUDA_H
#define SS_CUDA_H

#include "src/core/run.h"

/* Properties of the device; sizes in bytes. */
typedef struct ss_cuda_limits {
    char name[64];
    int processors;     /* streaming multiprocessors */
    size_t block_bytes; /* largest dynamic shared memory of a thread block (opt-in) */
    size_t memory, free;
    int devices;  /* of this machine */
    size_t pitch; /* largest pitch of a 2D copy */
} ss_cuda_limits;

int ss_cuda_probe(ss_err *err);
bool ss_cuda_lost(const ss_run *run, ss_err *why);
/* The device's limits; fails as probe does. */
int ss_cuda_get_limits(ss_cuda_limits *out, ss_err *err);
void ss_cuda_describe(const ss_config *cfg, char *buf, size_t size);
double ss_cuda_memory(char *what, size_t size);
double ss_cuda_memory_of(const ss_config *cfg, char *what, size_t size);

/* The point updates that kernels exist for, and which one an equation has. Fails with a sentence
 * where a steady equation has none; *out is -1 for equations with kernels of their own. */
enum { SS_CUDA_POISSON1D, SS_CUDA_POISSON2D, SS_CUDA_LINE, SS_CUDA_PLANE, SS_CUDA_NUPDATE };
int ss_cuda_update_of(const ss_equation *eq, int *out, ss_err *err);

int ss_cuda_open(ss_run *run, ss_err *err);
void ss_cuda_close(ss_run *run);
int ss_cuda_reset(ss_run *run, ss_err *err);
int ss_cuda_upload(ss_run *run, int which, int field, int k, int j0, int j1, const void *rows,
                   ss_err *err);
int ss_cuda_download(ss_run *run, int which, int field, int k, int j0, int j1, void *rows,
                     ss_err *err);
int ss_cuda_sample(ss_run *run, const ss_view *view, ss_picture *out, ss_err *err);
/* The same for a transient run: the whole line is downloaded and sampled by the CPU (shadow.c). */
int ss_cuda_sample_line(ss_run *run, const ss_view *view, ss_picture *out, ss_err *err);
/* The same for a cycle under the microscope (shadow.c). */
int ss_cuda_sample_peeked(ss_run *run, const ss_view *view, ss_picture *out, ss_err *err);
/* Most bytes of the field that a live picture reads; tests set it to the CPU's limit. */
extern double ss_cuda_picture_bytes;
/* Bytes downloaded so far by all runs of this thread. */
extern _Thread_local double ss_cuda_downloaded;
/* Downloads array `which` (0 field, 1 right-hand side) to rows `pitch` bytes apart; `first` is
 * point (0, 0). */
int ss_cuda_download_pitched(ss_run *run, int which, void *first, size_t pitch, ss_err *err);
/* The pointer to the run's copy on the CPU (shadow.c). */
void **ss_cuda_shadow(ss_run *run);
void ss_cuda_shadow_free(void *shadow);
int ss_cuda_reduce(ss_run *run, double *residual, const double *ref, double *max_error,
                   ss_err *err);

/* Kernel i of a run, and what the driver reports of it (backend.c). */
bool ss_cuda_kernel_of(const ss_run *run, int i, ss_running_kernel *out);
uint64_t ss_cuda_edited(const ss_run *run);

/* Bandwidths and latencies of the device (limits.c). */
extern const ss_meter ss_cuda_meter;
/* Compiled kernels on disk (loader.c). */
extern const ss_kernel_store ss_cuda_kernel_store;
double ss_cuda_start_seconds(void);

/* Engine ops: prepare, step, release; see src/core/backend.h. */
int ss_cuda_jacobi_prepare(ss_run *run, ss_err *err);
int ss_cuda_shared_prepare(ss_run *run, ss_err *err);
bool ss_cuda_shared_best(const ss_config *cfg, const char *row, int64_t *out);
int ss_cuda_async_prepare(ss_run *run, ss_err *err);
int ss_cuda_async_order(ss_run *run, uint32_t *tile, bool *known, ss_err *err);
int ss_cuda_peek(ss_run *run, int s, ss_err *err);
int ss_cuda_step(ss_run *run, int64_t cycles, ss_err *err);
void ss_cuda_release(ss_run *run);
int ss_cuda_persistent_prepare(ss_run *run, ss_err *err);
int ss_cuda_persistent_step(ss_run *run, int64_t cycles, ss_err *err);
int ss_cuda_sor_prepare(ss_run *run, ss_err *err);
int ss_cuda_chebyshev_prepare(ss_run *run, ss_err *err);
int ss_cuda_chebyshev_step(ss_run *run, int64_t cycles, ss_err *err);
size_t ss_cuda_chebyshev_memory(const ss_run *run);
int ss_cuda_chebyshev_get(ss_run *run, void *to, ss_err *err);
int ss_cuda_chebyshev_put(ss_run *run, const void *from, ss_err *err);

int ss_cuda_sweep3d_prepare(ss_run *run, ss_err *err);
int ss_cuda_block_jacobi_prepare(ss_run *run, ss_err *err);
int ss_cuda_block_gs_prepare(ss_run *run, ss_err *err);
int ss_cuda_block_step(ss_run *run, int64_t cycles, ss_err *err);

int ss_cuda_multigrid_prepare(ss_run *run, ss_err *err);
int ss_cuda_multigrid3d_prepare(ss_run *run, ss_err *err);
int ss_cuda_cg_prepare(ss_run *run, ss_err *err);
size_t ss_cuda_cg_memory(const ss_run *run);
int ss_cuda_cg_get(ss_run *run, void *to, ss_err *err);
int ss_cuda_cg_put(ss_run *run, const void *from, ss_err *err);

int ss_cuda_stepper_prepare(ss_run *run, ss_err *err);
int ss_cuda_swept_prepare(ss_run *run, ss_err *err);
bool ss_cuda_swept_best(const ss_config *cfg, const char *row, int64_t *out);
int ss_cuda_chain_step(ss_run *run, int64_t cycles, ss_err *err);
int ss_cuda_chain_finish(ss_run *run, int64_t steps, ss_err *err);

/* Choices of the rows in tables.c, in the order of their names. Kernels: in the order of the ladder
 * (kernels/cuda/jacobi/ladder.cuh). */
enum { SS_LAUNCH_GRAPH, SS_LAUNCH_STREAM };
enum {
    SS_KERNEL_NAIVE,
    SS_KERNEL_PADDED,
    SS_KERNEL_TEXTURE,
    SS_KERNEL_SMEM_PACKED,
    SS_KERNEL_SMEM,
    SS_KERNEL_UNROLLED,
    SS_KERNEL_VECTOR,
    SS_KERNEL_INLINE,
    SS_NKERNEL
};
enum { SS_SOR_FUSED, SS_SOR_INTERLEAVED, SS_SOR_SPLIT, SS_NSOR };
enum {
    SS_TILE_REGISTER,
    SS_TILE_MEMORY,
    SS_TILE_RESIDENT,
    SS_TILE_MARCH,
    SS_TILE_PIPELINE,
    SS_NTILE
};

#endif
