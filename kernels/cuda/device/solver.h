/*
 * A solver on the GPU as a constant row: what `prepare` of its engine ops does is the same for all,
 * and differs in these. Engine thread.
 */
#ifndef SS_CUDA_SOLVER_H
#define SS_CUDA_SOLVER_H

#include "kernels/cuda/device/plan.h"
#include "kernels/cuda/device/slabs.h"

typedef struct ss_cuda_solver {
    size_t own; /* bytes of its members: ss_cuda_plan.own */
    /* Fills the plan: shapes, kernels, memory, the launch of a cycle. */
    int (*make)(ss_run *run, ss_cuda_plan *plan, ss_err *err);
    const char *alone; /* in words, if it runs on one device only */
    /* As in the plan; set before `make`. */
    int (*find)(ss_run *run, ss_err *err);
    void (*begin)(const ss_run *run, int parity, ss_cu_stream stream);
    int (*enter)(ss_run *run, ss_err *err), (*leave)(ss_run *run, ss_err *err);
    void (*close)(ss_run *run);
} ss_cuda_solver;

/* Makes run->scratch; after a failure there is none. */
int ss_cuda_prepare(ss_run *run, const ss_cuda_solver *solver, ss_err *err);

/* Records as a graph, if there is none yet, what `cycle` puts on the run's stream: for cycles of
 * many launches. */
int ss_cuda_record_cycle(const ss_run *run, ss_cuda_launch *cycle, int parity, bool norm,
                         ss_cu_graph *graph, ss_err *err);

#endif
