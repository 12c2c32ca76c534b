/*
 * A copy on the CPU of a run on the GPU, for what a person is shown: pictures, the probe, the edge
 * profile and the microscope are the CPU's, so they exist once and agree to the last bit. Brought
 * up to date when a picture is asked for; the solver's own path never touches it. Engine thread.
 */
#include "kernels/cpu/cpu.h"
#include "kernels/cuda/cuda.h"

/* Array `which` of the run (0 field, 1 right-hand side, 2 start of the cycle) into the shadow. */
static int fetch(ss_run *run, ss_cpu_state *shadow, int which, void *array, ss_err *err)
{
    const ss_box *b = &shadow->box;
    size_t size = ss_prec_size(run->prec);
    char *first = (char *)array + b->first * size;
    return ss_cuda_download_pitched(run, which, first, (size_t)b->sy * size, err);
}

/* The fields a view may look at. */
static int refresh(ss_run *run, ss_cpu_state *shadow, ss_err *err)
{
    if (fetch(run, shadow, 0, shadow->u[shadow->cur], err) != SS_OK ||
        fetch(run, shadow, 1, shadow->rhs, err) != SS_OK)
        return SS_FAIL;
    return run->start_kept ? fetch(run, shadow, 2, shadow->u[1 - shadow->cur], err) : SS_OK;
}

/* The run as the CPU would have it, with the shadow for a state; made at the first call. */
static int on_cpu(ss_run *run, ss_run *out, ss_err *err)
{
    void **kept = ss_cuda_shadow(run);
    *out = *run;
    out->backend = &ss_backend_cpu;
    out->ops = run->ops->microscope;
    out->problem.cfg = &out->cfg;
    out->scratch = NULL;
    out->state = *kept;
    if (out->state)
        return SS_OK;
    if (ss_backend_cpu.open(out, err) != SS_OK)
        return SS_FAIL;
    *kept = out->state;
    return SS_OK;
}

void ss_cuda_shadow_free(void *shadow)
{
    ss_run holder = {.state = shadow};
    if (shadow)
        ss_backend_cpu.close(&holder);
}

/* A field that is peeked at stays in the shadow until the next peek. */
int ss_cuda_peek(ss_run *run, int s, ss_err *err)
{
    ss_run cpu;
    run->start_kept = false;
    if (on_cpu(run, &cpu, err) != SS_OK || refresh(run, cpu.state, err) != SS_OK ||
        ss_cpu_take_order(&cpu, run, err) != SS_OK || cpu.ops->prepare(&cpu, err) != SS_OK)
        return SS_FAIL;
    int status = cpu.ops->peek(&cpu, s, err);
    cpu.ops->release(&cpu);
    return status;
}

int ss_cuda_sample(ss_run *run, const ss_view *view, ss_picture *out, ss_err *err)
{
    ss_run cpu;
    if (on_cpu(run, &cpu, err) != SS_OK)
        return SS_FAIL;
    if (!run->peek && refresh(run, cpu.state, err) != SS_OK)
        return SS_FAIL;
    if (view->layer == SS_AGE && !run->peek && ss_cpu_take_order(&cpu, run, err) != SS_OK)
        return SS_FAIL;
    return ss_cpu_sample(&cpu, view, out, err);
}

int ss_cuda_reduce(ss_run *run, double *residual, const double *ref, double *max_error, ss_err *err)
{
    ss_run cpu;
    if (residual && ss_cuda_residual(run, residual, err) != SS_OK)
        return SS_FAIL;
    if (!ref)
        return SS_OK;
    double again;
    if (on_cpu(run, &cpu, err) != SS_OK || refresh(run, cpu.state, err) != SS_OK)
        return SS_FAIL;
    return ss_cpu_reduce(&cpu, &again, ref, max_error, err);
}
