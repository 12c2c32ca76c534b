/*
 * What cycles.cu needs to know of a solver whose cycle is a launch or more: how to launch one, and
 * its scratch. Host code; engine thread.
 */
#ifndef SS_CUDA_CYCLES_CUH
#define SS_CUDA_CYCLES_CUH

#include "kernels/cuda/device/state.cuh"

/* Launches one cycle from u[parity] into u[1 - parity]. */
typedef void ss_cuda_launch(const ss_run *run, int parity, bool norm, cudaStream_t stream);

/* Scratch of engine ops that launch a kernel or more a cycle (cycles.cu). What a solver needs
 * beside it follows in `own`. */
struct ss_cuda_cycles {
    ss_cuda_launch *launch;
    /* Before the first launch of a step, which is from u[parity]; NULL: nothing to be done. */
    void (*begin)(const ss_run *run, int parity, cudaStream_t stream);
    double *partial; /* on the device, one per thread block */
    bool loaded;     /* its kernels have been asked for */
    bool graphs;
    cudaGraphExec_t graph; /* NULL: none yet */
    int graph_length;      /* its cycles, */
    int graph_start;       /* of which the first is from u[graph_start] */
    bool graph_even;       /* their kernels: see ss_cuda_even */
    void *own;
    void (*free_own)(void *own);
    /* Before the first cycle of a step and after its last one: a kernel that has the fields in a
     * layout of its own fetches them and gives them back. May be NULL. */
    int (*enter)(ss_run *run, ss_err *err), (*leave)(ss_run *run, ss_err *err);
    /* Cycles are in place, in u[cur], which stays the same; launch is then given any parity. */
    bool in_place;
    /* Before the last cycle of a step: keeps the field it starts from, which cycles from one array
     * into the other do by themselves. NULL: nothing to be done. */
    void (*keep)(const ss_run *run, cudaStream_t stream);
};

/* tpb-x times tpb-y threads, of which a block of the kernel may have so many: whole warps, as sums
 * over a block want them. */
int ss_cuda_threads(const ss_run *run, int most, dim3 *out, ss_err *err);

/* Subdomains of a tiling, where they are not too many for one launch. */
int ss_cuda_count_tiles(const ss_tiling *t, int *out, ss_err *err);

/* Allocates the scratch for a launch of at most `blocks` thread blocks; own may be NULL. */
int ss_cuda_cycles_make(ss_run *run, ss_cuda_launch *launch, size_t blocks, void *own,
                        void (*free_own)(void *own), ss_err *err);

/* What a launch from u[parity] works on. */
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
