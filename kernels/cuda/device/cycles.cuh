/*
 * Solvers whose cycle is one kernel launch or a few: they say how to launch a cycle, and cycles.cu
 * enqueues cycles, one by one or as a graph. Host code; engine thread.
 */
#ifndef SS_CUDA_CYCLES_CUH
#define SS_CUDA_CYCLES_CUH

#include "kernels/cuda/device/state.cuh"

/* Launches one cycle from u[parity] into u[1 - parity], and before or with it the norm of u[parity]
 * if `norm` is set. */
typedef void ss_cuda_launch(const ss_run *run, int parity, bool norm, cudaStream_t stream);

/* Many cycles recorded. */
struct ss_cuda_cycle_graph {
    cudaGraphExec_t exec; /* NULL: none yet */
    int length;           /* its cycles */
    int start;            /* the first cycle starts from u[start] */
    bool fma;             /* its kernels are those for ss_cuda_fma */
    int64_t check_every;  /* of the run */
};

/* The scratch of such a solver. */
struct ss_cuda_cycles {
    ss_cuda_launch *launch;
    /* Optional: enqueued before the first cycle of a step, which starts from u[parity]. */
    void (*begin)(const ss_run *run, int parity, cudaStream_t stream);
    /* Optional: several launches in a row are enqueued between fork and join, for solvers with
     * streams of their own: these begin and end with `stream`. */
    void (*fork)(const ss_run *run, cudaStream_t stream);
    void (*join)(const ss_run *run, cudaStream_t stream);
    /* Optional: `cycles` cycles, at least 2, without norms in one launch, from u[parity] into
     * u[(parity + cycles) & 1]. */
    void (*many)(const ss_run *run, int parity, int cycles, cudaStream_t stream);
    int alone; /* cycles at the end of a step that are launched by themselves, not in a graph and
                  not with others */
    double *partial; /* on the device, one per thread block */
    bool loaded;     /* the driver has loaded its kernels */
    bool graphs;
    ss_cuda_cycle_graph graph[2]; /* without norms, and with those of run->check_every */
    void *own;                    /* the solver's own scratch */
    void (*free_own)(void *own);
    /* Optional: before the first cycle of a step and after its last one. Solvers that keep the
     * fields in a layout of their own convert them here. */
    int (*enter)(ss_run *run, ss_err *err), (*leave)(ss_run *run, ss_err *err);
    /* Cycles update u[cur] in place; launch then ignores parity. */
    bool in_place;
    /* Optional: enqueued before the last cycle of a step; saves the field it starts from. Double
     * buffered cycles need none, as they leave it in u[1 - cur]. */
    void (*keep)(const ss_run *run, cudaStream_t stream);
};

/* The thread block of parameters tpb-x and tpb-y. Refuses more than max_threads threads, and rows
 * that are not whole warps, which block_sum needs. */
int ss_cuda_threads(const ss_run *run, int max_threads, dim3 *out, ss_err *err);

/* The number of subdomains of a tiling; refuses more than one launch has thread blocks. */
int ss_cuda_count_tiles(const ss_tiling *t, int *out, ss_err *err);

/* Allocates the scratch for a launch of at most `blocks` thread blocks; own may be NULL. */
int ss_cuda_cycles_make(ss_run *run, ss_cuda_launch *launch, size_t blocks, void *own,
                        void (*free_own)(void *own), ss_err *err);

/* The arguments of a cycle from u[parity]. */
template <typename T> static ss_cuda_sweep<T> sweep_of(const ss_run *run, int parity)
{
    const ss_cuda_state *st = ss_cuda_of(run);
    const ss_cuda_cycles *c = (const ss_cuda_cycles *)run->scratch;
    ss_cuda_sweep<T> a;
    a.in = (const T *)st->u[parity] + st->box.first;
    a.rhs = (const T *)st->rhs + st->box.first;
    a.out = (T *)st->u[1 - parity] + st->box.first;
    a.nx = st->box.nx;
    a.ny = st->box.ny;
    a.sy = st->box.sy;
    a.partial = c ? c->partial : NULL;
    a.control = st->control;
    return a;
}

static inline int ceil_div(int64_t a, int64_t b)
{
    return (int)((a + b - 1) / b);
}

#endif
