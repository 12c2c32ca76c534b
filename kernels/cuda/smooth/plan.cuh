/*
 * The plan of a block smoother: its launches and its inverses on the device. plan.cu makes it, and
 * each method (separable.cu, paper.cu) adds its kernels and the form of its inverse.
 * The interface to callers: methods.h. Host code, CUDA C++17; engine thread.
 */
#ifndef SS_CUDA_SMOOTH_PLAN_CUH
#define SS_CUDA_SMOOTH_PLAN_CUH

#include "kernels/cuda/device/kernel.cuh"
#include "kernels/cuda/smooth/methods.h"
#include "kernels/cuda/smooth/relaxation.cuh"

/* One step, from `in` to `out`. */
struct ss_smooth_step_args {
    double omega;
    const void *in, *rhs;
    void *out;
    bool norm;
    cudaStream_t stream;
    const int *stop; /* see relaxation; on the device */
};

/* Blocks of one shape, and their inverse. */
struct ss_smooth_shape {
    int n[3];       /* cells of a block */
    int cube;       /* cells of a cube of whole blocks, 0: places are single blocks */
    void *argument; /* on the host: argument 1 of the kernel, by value */
    void *table;    /* on the device: argument 2, the inverse in the kernel's order */
};

/* Kernels are called with (relaxation<T>, *argument, table, bool norm, ss_bars). Most have no last
 * argument, and those that fuse the norm at compile time have no norm or do not read it. */
struct ss_smooth_launch {
    int shape;
    uint32_t first, count; /* places */
    int width;             /* places per thread block */
    ss_cuda_kernel kernel;
    const void *with_norm; /* kernel.function where the norm of `in` is wanted too */
    uint32_t sums;         /* where its partial sums begin */
    int ahead;             /* see relaxation */
    ss_bars bars;          /* see places.cuh */
};

/* The method that applies inverses of one form. Constant. */
struct ss_smooth_method {
    const ss_inverse_form *form;
    /* Cells of a cube that the kernel takes at once, if blocks are n^3; 0: single blocks. NULL:
     * always 0. */
    int (*cube)(int n, ss_cuda_order order);
    /* The most cubes, adjacent in x, that are one place; 0: single cubes. NULL: never more. */
    int (*bar)(int cube, ss_prec prec, ss_cuda_order order);
    /* Fills `argument` and `table` of a shape. */
    int (*load)(ss_smooth_shape *shape, const ss_inverse *inv, ss_err *err);
    /* Fills `width`, `kernel` (all but its blocks) and `with_norm` of a launch. */
    void (*plan)(const ss_cuda_smooth *s, ss_smooth_launch *l);
};

extern const ss_smooth_method ss_smooth_separable, ss_smooth_paper;

struct ss_cuda_smooth {
    ss_cuda_smooth_how how;
    const ss_smooth_method *method;
    ss_smooth_shape *shape;
    int shapes;
    ss_place *place; /* on the device, launch by launch */
    ss_smooth_launch *launch;
    int launches;
    bool direct;     /* blocks read the neighbour patches' cells, not the ghost cells between */
    double *partial; /* on the device: a sum per thread block of a step */
    uint32_t sums;
    double seconds; /* spent on inverting */
    double bytes;   /* of the inverses */
};

/* --- steps of runs ----------------------------------------------------------------------------
 *
 * Launches without looking at errors, so that they can be recorded in graphs as well.
 */

/* All launches of a step. */
void ss_smooth_relax(const ss_cuda_smooth *s, const ss_smooth_step_args *a);
/* The driver loads a kernel when it is first used: launches all kernels of a step on no blocks. */
void ss_smooth_warm(const ss_cuda_smooth *s, ss_cuda_control *control, cudaStream_t stream);

#endif
