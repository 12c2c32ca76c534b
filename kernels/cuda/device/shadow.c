/*
 * A copy on the CPU of a run on the GPU, for the microscope, which is the CPU's, so that it exists
 * once and agrees to the last bit. Made when somebody first looks at a cycle from within, in a
 * paused run; a running solver never touches it. Engine thread.
 */
#include "kernels/cpu/state.h"
#include "kernels/cuda/device/names.h"

/* Array `which` of the run (0 field, 1 right-hand side) into the shadow. */
static int fetch(ss_run *run, ss_cpu_state *shadow, int which, void *array, ss_err *err)
{
    const ss_box *b = &shadow->box;
    size_t size = ss_prec_size(run->prec);
    char *first = (char *)array + b->first * size;
    return ss_cuda_download_pitched(run, which, first, (size_t)b->sy * size, err);
}

/* The same of an equation with several fields, one row each. */
static int fetch_line(ss_run *run, ss_cpu_state *shadow, ss_err *err)
{
    size_t size = ss_prec_size(run->prec);
    for (int f = 0; f < run->eq->nfield; f++) {
        size_t first = (size_t)f * shadow->box.count + shadow->box.first;
        char *row = (char *)shadow->u[shadow->cur] + first * size;
        if (ss_cuda_download(run, 0, f, 0, 0, 1, row, err) != SS_OK)
            return SS_FAIL;
    }
    return SS_OK;
}

/* What a cycle starts from. */
static int refresh(ss_run *run, ss_cpu_state *shadow, ss_err *err)
{
    if (!shadow->rhs)
        return fetch_line(run, shadow, err);
    if (fetch(run, shadow, 0, shadow->u[shadow->cur], err) != SS_OK)
        return SS_FAIL;
    return fetch(run, shadow, 1, shadow->rhs, err);
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
        ss_cpu_prepare_order(&cpu, run, err) != SS_OK || cpu.ops->prepare(&cpu, err) != SS_OK)
        return SS_FAIL;
    int status = cpu.ops->peek(&cpu, s, err);
    cpu.ops->release(&cpu);
    return status;
}

int ss_cuda_sample_line(ss_run *run, const ss_view *view, ss_picture *out, ss_err *err)
{
    ss_run cpu;
    if (on_cpu(run, &cpu, err) != SS_OK || refresh(run, cpu.state, err) != SS_OK)
        return SS_FAIL;
    return ss_cpu_sample(&cpu, view, out, err);
}

int ss_cuda_sample_peeked(ss_run *run, const ss_view *view, ss_picture *out, ss_err *err)
{
    ss_run cpu;
    if (on_cpu(run, &cpu, err) != SS_OK)
        return SS_FAIL;
    return ss_cpu_sample(&cpu, view, out, err);
}
