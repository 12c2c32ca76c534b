/*
 * The control block of a step, which the host and the kernels share: see norm.cuh. Valid as C11 and
 * CUDA C++17.
 */
#ifndef SS_CUDA_CONTROL_H
#define SS_CUDA_CONTROL_H

#define SS_CUDA_NORMS 1024   /* at most, in one step */
#define SS_CUDA_STOPS 32     /* copies of `stop` */
#define SS_CUDA_STOP_STEP 32 /* ints from one copy to the next: a cache line */

/* Lives on the device during a step; the host fills it before and reads it back after. */
typedef struct ss_cuda_control {
    /* Not 0: kernels store nothing. Every warp of every launch reads it, and L2 serves about 5
     * billion loads of one line per second: 7 us for a plane of 1024^2 points. Hence the copies. */
    int stop[SS_CUDA_STOPS * SS_CUDA_STOP_STEP];
    int count;        /* norms so far, in the order of the cycles */
    unsigned arrived; /* thread blocks that have stored their partial sum */
    int stops;        /* not 0: the run ends when the tolerance is met */
    double scale;     /* |r| = scale * sqrt(sum of squared changes) */
    double tol, first, growth;
    double *part; /* not NULL: this block belongs to a part of the field, which several devices
                     share. Sums go to part[count % 2], and the run is decided in slab_cycles.cuh */
    double norm[SS_CUDA_NORMS];
} ss_cuda_control;

/* The arguments of a cycle, for kernels that take them as one: ss_cuda_sweep<T> of norm.cuh, which
 * has the same layout. */
typedef struct ss_cuda_cycle_args {
    const void *in, *rhs;
    void *out;
    int nx, ny;
    long sy;
    double *partial;
    ss_cuda_control *control;
} ss_cuda_cycle_args;

#endif
