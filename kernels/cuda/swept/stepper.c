/*
 * Classic time stepping on the GPU: which of the kernels of stepper.cuh a run gets, and its
 * launches. Engine thread.
 */
#include "kernels/cuda/swept/arguments.h"
#include "kernels/cuda/swept/chain.h"

/* Of one_level: the points of a thread are `times` groups of `adjacent` ones. */
typedef struct shape {
    int adjacent, times;
    int from; /* points of the shortest line that it is for */
} shape;

/* More points per thread mean fewer blocks to launch and more bytes in flight per SM, as long as
 * all SMs have threads. Adjacent points share faces, so that a thread has four of them if there are
 * many fields. Measured on an H200. [0]: of one field; [1]: of more. */
static const shape shapes[2][4] = {
    {{1, 1, 0}, {2, 1, 1 << 17}, {2, 2, 1 << 19}, {2, 4, 1 << 20}},
    {{1, 1, 0}, {2, 1, 1 << 18}, {4, 1, 1 << 20}, {4, 1, 1 << 20}},
};

static shape shape_for(const ss_problem *p)
{
    const shape *rising = shapes[p->nfield > 1];
    int i = 3;
    while (p->nx < rising[i].from)
        i--;
    return rising[i];
}

int ss_cuda_chain_find_level(const ss_run *run, ss_err *err)
{
    ss_cuda_chain *c = ss_cuda_chain_of(run);
    const shape s = shape_for(&run->problem);
    c->level.blocks.x = (unsigned)ceil_div(run->problem.nx, s.adjacent * s.times * STEPPER_THREADS);
    c->level.threads.x = STEPPER_THREADS;
    return ss_cuda_kernel_get(&c->level, err, "swept/stepper.cuh", "one_level<%s, %d, %d>",
                              c->equation.type, s.adjacent, s.times);
}

static int64_t levels_of(const ss_run *run, int64_t cycles)
{
    return cycles * run->iterations_per_cycle;
}

static int make(ss_run *run, ss_cuda_plan *plan, ss_err *err)
{
    ss_cuda_chain *c = plan->own;
    c->launch = ss_cuda_chain_level;
    c->between = levels_of;
    return ss_cuda_chain_make(run, err) == SS_OK ? ss_cuda_chain_find_level(run, err) : SS_FAIL;
}

static const ss_cuda_solver solver = {sizeof(ss_cuda_chain), make, .close = ss_cuda_chain_close};

int ss_cuda_stepper_prepare(ss_run *run, ss_err *err)
{
    if (ss_cuda_slabs_of(run))
        return ss_cuda_chains_prepare(run, ss_cuda_stepper_prepare, 1, err);
    return ss_cuda_prepare(run, &solver, err);
}
