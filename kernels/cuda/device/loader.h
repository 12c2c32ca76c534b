/*
 * From the text of a kernel to a launch: kernels are compiled when a plan asks for them, for the
 * GPU that it runs on, and kept, on disk for the next start (compiler.h) and in this process for
 * the next plan. Engine thread, or any other that has called ss_cuda_use.
 */
#ifndef SS_CUDA_LOADER_H
#define SS_CUDA_LOADER_H

#include "kernels/cuda/device/compiler.h"
#include "kernels/cuda/device/driver.h"

typedef struct ss_cu_dim {
    unsigned x, y, z; /* 0 counts as 1 */
} ss_cu_dim;

/* The source of a kernel, and the file that defines it. */
typedef struct ss_cuda_code {
    ss_cuda_source source;
    ss_cuda_definition defined;
} ss_cuda_code;

/* A kernel and the shape of its launch: what a plan holds, so that a step only fills in arguments.
 */
typedef struct ss_cuda_kernel {
    ss_cu_function function;
    const ss_cuda_code *code;  /* until the process ends */
    int device;                /* that has it */
    ss_cu_dim blocks, threads; /* grid, and threads per block */
    size_t shared;             /* dynamic shared memory per block, bytes */
    int cluster;               /* thread blocks per cluster; 0: no clusters */
    bool cooperative;          /* all blocks are resident at once, and wait for each other */
    bool ordinary;             /* begins when all work before it has ended: no dependent launch */
} ss_cuda_kernel;

/* Makes a device current for this thread: for allocations, streams, events, and kernels that it
 * asks for. Launches find their kernel's device. The first use of a device makes its context, which
 * takes memory there; where that fails, the thread's next calls do. */
void ss_cuda_use(int device);
/* The device that is current for this thread. */
int ss_cuda_current(void);
/* Lets the kernels of a device access the memory of another one; makes it current. */
int ss_cuda_enable_peer(int device, int peer, ss_err *err);
/* From now on this thread prepares plans for a device that is not there: kernels are compiled and
 * kept on disk, nothing runs (driver.h). shares: except those that another process is compiling.
 * One thread at a time. */
void ss_cuda_dry_begin(ss_cuda_target target, bool shares);
/* The same for the devices that are there, beside runs that go on: kernels are loaded. compiles:
 * where they are not on disk, compiled too, else that fails. */
void ss_cuda_beside_begin(bool compiles);
void ss_cuda_dry_end(void);
/* An attribute of the current device: SS_CU_PROCESSORS and so on. */
int ss_cuda_attribute(int attribute);

/* Sets k->function and k->device: the kernel `entry`, as printf makes it, of the file
 * "kernels/cuda/" + file, on the current device. Waits for the compiler if it was never compiled.
 * Fails with one sentence: no compiler, or its first error. */
int ss_cuda_kernel_get(ss_cuda_kernel *k, ss_err *err, const char *file, const char *entry, ...)
    SS_PRINTF(4, 5);
/* The same for any file. */
int ss_cuda_kernel_find(ss_cuda_kernel *k, const ss_cuda_source *source, ss_err *err);
/* The kernels in some memory of a run, by address: each is listed when it is found. */
#define SS_CUDA_LISTED 64
typedef struct ss_cuda_kernel_list {
    struct ss_cuda_kernel_list *next;
    const void *memory;
    size_t bytes;
    const ss_cuda_kernel *kernel[SS_CUDA_LISTED];
    int count;
} ss_cuda_kernel_list;
/* The list, which is zeroed, has the kernels of the memory until list_end. Any thread; the kernels
 * are read by the thread that finds them. */
void ss_cuda_list_begin(ss_cuda_kernel_list *list, const void *memory, size_t bytes);
void ss_cuda_list_end(ss_cuda_kernel_list *list);

/* Where k->shared exceeds what every kernel may have, raises the kernel's dynamic shared-memory
 * limit to all that a block can have: the SM then has less L1 (4 smem of the ladder: 7 % more
 * time). */
int ss_cuda_kernel_raise(const ss_cuda_kernel *k, ss_err *err);
/* The same, and asks for the largest carve-out of each SM for shared memory: L1 gets the rest. */
int ss_cuda_kernel_allow(const ss_cuda_kernel *k, ss_err *err);
/* *blocks: those of this launch that are resident on an SM at once. */
int ss_cuda_kernel_resident(const ss_cuda_kernel *k, int *blocks, ss_err *err);
/* An attribute of the kernel: SS_CU_REGISTERS and so on. */
int ss_cuda_kernel_attribute(const ss_cuda_kernel *k, int attribute);

/* Launches with arguments[i] the address of the i-th argument. The code of a launch that fails is
 * kept for ss_cuda_launch_error, so that launches can be captured and need no check each. */
void ss_cuda_launch_kernel(const ss_cuda_kernel *k, ss_cu_stream stream,
                           const void *const arguments[]);
#define SS_ARGUMENTS(...) ((const void *const[]){__VA_ARGS__})
/* Keeps the code of another call like that of a launch: for copies and events between launches. */
void ss_cuda_note(int code);
/* The first code other than 0 of this thread's launches and notes since the last call. */
int ss_cuda_launch_error(void);

/* The target that kernels are compiled for on this thread's device. */
ss_cuda_target ss_cuda_target_here(void);
/* Is the current device one of compute capability 9.0 or newer? Launches overlap on
 * it (await_previous in ptx.cuh), and it has clusters of thread blocks. */
bool ss_cuda_is_hopper(void);
/* This thread's launches must not overlap now: their streams wait for other streams, which
 * await_previous knows nothing of (slab_cycles.c). */
extern _Thread_local bool ss_cuda_in_order;

#define SS_CUDA_PRESENT_MAX 64 /* devices of a machine that this program knows */

/* Finds out what kernels are compiled for, once per device, at most SS_CUDA_PRESENT_MAX; `version`
 * of the driver. Fails where the current device, the first one unless the thread has chosen
 * another, has no kernels. */
int ss_cuda_loader_open(int devices, int version, ss_err *err);

#endif
