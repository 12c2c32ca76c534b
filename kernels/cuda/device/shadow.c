/*
 * A copy on the CPU of a run on the GPU, for the microscope: it exists on the CPU only, and works
 * on the GPU's fields bit for bit. The copy is made when a paused run is first put under the
 * microscope; a running solver never uses it. Engine thread.
 */
#include "kernels/cpu/state.h"
#include "kernels/cuda/device/names.h"

/* Downloads array `which` (0 field, 1 right-hand side) into the copy. */
static int fetch(ss_run *run, ss_cpu_state *shadow, int which, void *array, ss_err *err)
{
    const ss_box *b = &shadow->box;
    size_t size = ss_prec_size(run->prec);
    char *first = (char *)array + b->first * size;
    return ss_cuda_download_pitched(run, which, first, (size_t)b->sy * size, err);
}

/* The same for an equation with several fields of one row each. */
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

/* Downloads the state that a cycle starts from. */
static int refresh(ss_run *run, ss_cpu_state *shadow, ss_err *err)
{
    shadow->ghosts_old = true;
    if (!shadow->rhs)
        return fetch_line(run, shadow, err);
    if (fetch(run, shadow, 0, shadow->u[shadow->cur], err) != SS_OK)
        return SS_FAIL;
    return fetch(run, shadow, 1, shadow->rhs, err);
}

/* *out becomes the run on the CPU, with the copy as its state; the copy is made by the first call.
 */
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

/* The field seen under the microscope stays in the copy until the next call. */
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
