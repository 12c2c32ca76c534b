/*
 * What the kernels of the block smoothers share: where a block lies, how cells are read while
 * others may be writing them, the residuals of a column of cells, the plan of a step. CUDA C++17;
 * host functions are called from the engine thread. The smoothers: smooth.h,
 * kernels/block/smooth.h.
 */
#ifndef SS_CUDA_SMOOTH_CUH
#define SS_CUDA_SMOOTH_CUH

#include "kernels/cuda/device/common.cuh"
#include "kernels/cuda/device/ghosts.cuh"
#include "kernels/cuda/device/numerics.cuh"
#include "kernels/cuda/device/sums.cuh"
#include "kernels/cuda/smooth/methods.h"

/* --- where ------------------------------------------------------------------------------------ */

/* A block, or a cube of several: the element it begins at, and its patch's strides. */
struct alignas(16) ss_place {
    uint32_t first;
    int sy, sz, patch;
};

/* One launch: blocks of one shape that are relaxed at once. */
template <typename T> struct relaxation {
    const T *in, *rhs;
    T *out;
    const ss_place *place;
    int count; /* of places */
    T omega;
    double *partial; /* a sum of squared residuals per thread block */
    const int *stop; /* not 0 there: nothing is written any more; NULL: nobody stops */
};

/* Not 0: the cycle is dropped. All threads get the same answer, since only a launch of its own
 * raises the flag. */
template <typename T> static __device__ __forceinline__ int dropped(const relaxation<T> &a)
{
    return a.stop ? __ldcg(a.stop) : 0;
}

/* --- the plan of a step ------------------------------------------------------------------------
 */

struct ss_cuda_smooth;
struct ss_smooth_launch;

/* One step, from in to out. */
struct ss_smooth_step_args {
    double omega;
    const void *in, *rhs;
    void *out;
    bool norm;
    cudaStream_t stream;
    const int *stop; /* see relaxation; on the device */
};

/* Blocks of one shape, and their inverse on the device. */
struct ss_smooth_shape {
    int n[3];    /* cells of a block */
    int cube;    /* cells of a cube of whole blocks, 0: places are single blocks */
    void *table; /* on the device, in the form that the kernel wants */
    void *host;  /* what goes with a launch; NULL: nothing */
};

struct ss_smooth_launch {
    void (*go)(const ss_cuda_smooth *s, const ss_smooth_launch *l, const ss_smooth_step_args *a);
    int shape;
    uint32_t first, count; /* places */
    uint32_t grid;         /* thread blocks */
    uint32_t sums;         /* where its partial sums begin */
    int width;             /* places of a thread block */
};

/* A way to relax blocks: a row of the table in plan.cu. */
struct ss_smooth_way {
    const char *name;
    const ss_inverse_form *form;
    /* Cells of a cube that the kernel takes at once, if blocks are n^3; 0: blocks one by one. */
    int (*cube)(int n, ss_cuda_order order);
    /* The inverse of a shape to the device. */
    int (*load)(ss_cuda_smooth *s, ss_smooth_shape *shape, const ss_inverse *inv, ss_err *err);
    /* Which kernel, how many places a thread block, how many of these. */
    int (*arrange)(const ss_cuda_smooth *s, ss_smooth_launch *l, ss_err *err);
};

extern const ss_smooth_way ss_smooth_separable, ss_smooth_batched, ss_smooth_paper;

struct ss_cuda_smooth {
    ss_cuda_smooth_how how;
    const ss_smooth_way *way;
    ss_smooth_shape *shape;
    int shapes;
    ss_place *place; /* on the device, launch by launch */
    ss_smooth_launch *launch;
    int launches;
    double *partial; /* on the device: a sum per thread block of a step */
    uint32_t sums;
    double seconds; /* to invert */
    double bytes;   /* of the inverses */
};

template <typename T>
static relaxation<T> relaxation_of(const ss_cuda_smooth *s, const ss_smooth_launch *l,
                                   const ss_smooth_step_args *a)
{
    relaxation<T> r;
    r.in = (const T *)a->in;
    r.rhs = (const T *)a->rhs;
    r.out = (T *)a->out;
    r.place = s->place + l->first;
    r.count = (int)l->count;
    r.omega = (T)a->omega;
    r.partial = s->partial + l->sums;
    r.stop = a->stop;
    return r;
}

/* In chaotic order as many thread blocks run at once as leave most of the others for later: see
 * smooth.h. Otherwise one for every `width` places. */
static inline uint32_t ss_smooth_grid(const ss_cuda_smooth *s, uint32_t count, int width)
{
    uint32_t all = (uint32_t)ceil_div(count, width), most = (uint32_t)(3 * (uint64_t)all / 16);
    return s->how.order != SS_CUDA_CHAOTIC ? all : most < 1 ? 1 : most;
}

/* A launch of the kernel for `what` wants so many bytes of shared memory: allows it all that it can
 * have beside what it always has, or says that this is too little. */
int ss_smooth_allow(const void *kernel, size_t bytes, const char *what, ss_err *err);

/* --- steps of runs ----------------------------------------------------------------------------
 *
 * Launches without looking at errors, so that they can be recorded in graphs as well.
 */

/* All launches of a step. */
void ss_smooth_relax(const ss_cuda_smooth *s, const ss_smooth_step_args *a);
/* Kernels are loaded when they are first used, which takes time: all that a step launches, with
 * nothing to do. */
void ss_smooth_warm(const ss_cuda_smooth *s, ss_cuda_control *control, cudaStream_t stream);

#endif
