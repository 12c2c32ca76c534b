/* The part of prepare that all solvers on the GPU share: see solver.h. */
#include "kernels/cuda/device/solver.h"

static int fill(ss_run *run, const ss_cuda_solver *s, ss_err *err)
{
    if (ss_cuda_plan_make(run, s->own, err) != SS_OK)
        return SS_FAIL;
    ss_cuda_plan *plan = ss_cuda_plan_of(run);
    plan->find = s->find;
    plan->begin = s->begin;
    plan->enter = s->enter;
    plan->leave = s->leave;
    plan->close = s->close;
    return s->make(run, plan, err);
}

int ss_cuda_prepare(ss_run *run, const ss_cuda_solver *s, ss_err *err)
{
    if (s->alone && ss_cuda_slabs_of(run))
        return ss_cuda_slabs_refuse(s->alone, "solver jacobi or shared", err);
    int status = fill(run, s, err);
    if (status != SS_OK)
        ss_cuda_release(run);
    return status;
}

typedef struct recording {
    const ss_run *run;
    ss_cuda_launch *cycle;
    int parity;
    bool norm;
} recording;

static int launch_cycle(void *context, ss_err *err)
{
    const recording *r = context;
    (void)err;
    r->cycle(r->run, r->parity, r->norm, ss_cuda_of(r->run)->stream);
    return SS_OK;
}

int ss_cuda_record_cycle(const ss_run *run, ss_cuda_launch *cycle, int parity, bool norm,
                         ss_cu_graph *graph, ss_err *err)
{
    ss_cu_stream stream = ss_cuda_of(run)->stream;
    recording r = {run, cycle, parity, norm};
    if (*graph)
        return SS_OK;
    if (ss_cuda_record(stream, launch_cycle, &r, graph, err) != SS_OK)
        return SS_FAIL;
    SS_CUDA(ss_cu->graph_upload(*graph, stream));
    return SS_OK;
}
