/*
 * The plan of a block smoother: its launches and its inverses on the device. plan.c makes it, and
 * each method (inverses.c) adds its kernels and the form of its inverse.
 * The interface to callers: methods.h. Engine thread.
 */
#ifndef SS_CUDA_SMOOTH_PLAN_H
#define SS_CUDA_SMOOTH_PLAN_H

#include "kernels/cuda/device/plan.h"
#include "kernels/cuda/smooth/methods.h"
#include "kernels/cuda/smooth/places.h"

/* One step, from `in` to `out`. */
typedef struct ss_smooth_step_args {
    double omega;
    const void *in, *rhs;
    void *out;
    bool norm; /* of `in` */
    ss_cu_stream stream;
    const int *stop; /* see cubes.cuh; on the device */
} ss_smooth_step_args;

/* Blocks of one shape, and their inverse. */
typedef struct ss_smooth_shape {
    int n[3];       /* cells of a block */
    int cube;       /* cells of a cube of whole blocks, 0: places are single blocks */
    void *argument; /* on the host: argument 1 of the kernel, by value */
    void *table;    /* on the device: argument 2, the inverse in the kernel's order */
} ss_smooth_shape;

/* Kernels are called with (relaxation<T>, *argument, table, bool norm, ss_bars). Most have no last
 * argument, and those that are compiled for the norm or without it do not read `norm`. */
typedef struct ss_smooth_launch {
    int shape;
    uint32_t first, count;    /* places */
    int width;                /* places per thread block */
    ss_cuda_kernel kernel[2]; /* without and with the norm of `in`; [1]: if there can be one */
    uint32_t partial;         /* where its partial sums begin */
    int ahead;                /* see cubes.cuh */
    ss_bars bars;             /* see places.h */
} ss_smooth_launch;

/* The method that applies inverses of one form. Constant. */
typedef struct ss_smooth_method {
    const ss_inverse_form *form;
    /* Cells of a cube that the kernel takes at once, if blocks are n^3; 0: single blocks. NULL:
     * always 0. */
    int (*cube)(int n, ss_cuda_order order);
    /* The most cubes, adjacent in x, that are one place; 0: single cubes. NULL: never more. */
    int (*bar)(int cube, ss_prec prec, ss_cuda_order order);
    /* Fills `argument` and `table` of a shape. */
    int (*load)(ss_cuda_smooth *s, ss_smooth_shape *shape, const ss_inverse *inv, ss_err *err);
    /* Fills `width`, `ahead` and `kernel`, all but its blocks, of a launch. */
    int (*find)(const ss_cuda_smooth *s, ss_smooth_launch *l, ss_err *err);
} ss_smooth_method;

extern const ss_smooth_method ss_smooth_separable, ss_smooth_paper;

struct ss_cuda_smooth {
    ss_cuda_smooth_how how;
    const ss_smooth_method *method;
    ss_smooth_shape *shape;
    int shapes;
    ss_block_place *place; /* on the device, launch by launch */
    ss_smooth_launch *launch;
    int launches;
    ss_cuda_kernel_list kernels; /* of the launches */
    bool direct;       /* blocks read the neighbour patches' cells, not the ghost cells between */
    double *partial;   /* on the device: a sum per thread block of a step */
    uint32_t partials; /* of a step */
    ss_cuda_sums sums; /* adds them; empty: there is no norm */
    double seconds;    /* spent on inverting */
    double bytes;      /* of the inverses */
    ss_cuda_kept kept; /* what is on the device */
};

/* Whether a step can make the norm of the field it starts from. In place it cannot, because some
 * blocks change before others are read. */
static inline bool ss_smooth_has_norm(const ss_cuda_smooth *s)
{
    return s->how.order == SS_CUDA_AT_ONCE;
}

/* How kernels access cells (numerics.cuh): the name of a type. */
static inline const char *ss_smooth_access(const ss_cuda_smooth *s)
{
    return s->how.order == SS_CUDA_CHAOTIC ? "racing" : "alone";
}

/* All launches of a step, without looking at errors, so that they can be recorded in graphs as
 * well. */
void ss_smooth_relax(const ss_cuda_smooth *s, const ss_smooth_step_args *a);

/* --- patches in the host's memory: host_patches.c --------------------------------------------- */

typedef struct ss_cuda_host_patches {
    ss_cuda_smooth *smooth; /* of one patch; NULL: not made */
    ss_cuda_pipeline *pipeline;
    char *u, *rhs; /* pinned; all patches, laid out as on the device */
    ss_stream_order order;
} ss_cuda_host_patches;

/* Allocates all patches on the host, for as long as the run's plan, and on the device; they must
 * have one size. After a failure the caller calls ss_cuda_host_patches_free. */
int ss_cuda_host_patches_make(ss_cuda_host_patches *a, ss_run *run, const ss_cuda_smooth_how *how,
                              ss_stream_order order, ss_err *err);
void ss_cuda_host_patches_free(ss_cuda_host_patches *a);
int ss_cuda_host_patches_step(ss_run *run, ss_cuda_host_patches *a, double omega, int64_t cycles,
                              ss_err *err);

#endif
