/* What all solvers on the GPU do to prepare: see solver.h. */
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
