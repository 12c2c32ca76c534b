/*
 * A copy on the CPU of a run on the GPU, for the microscope: it exists on the CPU only, and works
 * on the GPU's fields bit for bit. The copy is made when a paused run is first put under the
 * microscope; a running solver never uses it. Engine thread.
 */
#include <stdlib.h>

#include "kernels/cpu/state.h"
#include "kernels/cuda/device/names.h"

typedef struct copy {
    ss_cpu_state *state;
    /* The scratch of the engine ops that made the field, where pictures read it: NULL: none. */
    void *scratch;
    const ss_engine_ops *ops;
} copy;

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
static int on_cpu(ss_run *run, ss_run *out, copy **made, ss_err *err)
{
    copy **kept = (copy **)ss_cuda_shadow(run);
    if (!*kept)
        *kept = ss_alloc(sizeof **kept, "the copy on the CPU", err);
    *made = *kept;
    if (!*made)
        return SS_FAIL;
    *out = *run;
    out->backend = &ss_backend_cpu;
    out->ops = run->ops->microscope;
    out->problem.cfg = &out->cfg;
    out->scratch = (*made)->scratch;
    out->state = (*made)->state;
    if (out->state)
        return SS_OK;
    if (ss_backend_cpu.open(out, err) != SS_OK)
        return SS_FAIL;
    (*made)->state = out->state;
    return SS_OK;
}

static void release(copy *c)
{
    ss_run holder = {
        .backend = &ss_backend_cpu, .state = c->state, .scratch = c->scratch, .ops = c->ops};
    if (c->scratch)
        c->ops->release(&holder);
    c->scratch = NULL;
}

void ss_cuda_shadow_free(void *shadow)
{
    copy *c = shadow;
    if (!c)
        return;
    release(c);
    ss_run holder = {.state = c->state};
    if (c->state)
        ss_backend_cpu.close(&holder);
    free(c);
}

/* What the cycle needs besides the field; both engine ops lay it out alike. */
static int fetch_memory(ss_run *run, ss_run *cpu, ss_err *err)
{
    if (!run->ops->memory)
        return SS_OK;
    void *memory = ss_alloc(run->ops->memory(run), "the memory of the method", err);
    int status = memory && run->ops->memory_get(run, memory, err) == SS_OK
                     ? cpu->ops->memory_put(cpu, memory, err)
                     : SS_FAIL;
    free(memory);
    return status;
}

static int peek(ss_run *run, ss_run *cpu, int s, ss_err *err)
{
    if (ss_cpu_prepare_order(cpu, run, err) != SS_OK || cpu->ops->prepare(cpu, err) != SS_OK)
        return SS_FAIL;
    return fetch_memory(run, cpu, err) == SS_OK ? cpu->ops->peek(cpu, s, err) : SS_FAIL;
}

/* The field seen under the microscope stays in the copy until the next call, and the scratch if
 * pictures of it need it. */
int ss_cuda_peek(ss_run *run, int s, ss_err *err)
{
    ss_run cpu;
    copy *c;
    run->start_kept = false;
    if (on_cpu(run, &cpu, &c, err) != SS_OK)
        return SS_FAIL;
    release(c);
    cpu.scratch = NULL;
    int status = refresh(run, c->state, err) == SS_OK ? peek(run, &cpu, s, err) : SS_FAIL;
    c->scratch = cpu.scratch;
    c->ops = cpu.ops;
    if (status != SS_OK || !c->state->recurrence)
        release(c);
    return status;
}

int ss_cuda_sample_line(ss_run *run, const ss_view *view, ss_picture *out, ss_err *err)
{
    ss_run cpu;
    copy *c;
    if (on_cpu(run, &cpu, &c, err) != SS_OK || refresh(run, c->state, err) != SS_OK)
        return SS_FAIL;
    return ss_cpu_sample(&cpu, view, out, err);
}

int ss_cuda_sample_peeked(ss_run *run, const ss_view *view, ss_picture *out, ss_err *err)
{
    ss_run cpu;
    copy *c;
    if (on_cpu(run, &cpu, &c, err) != SS_OK)
        return SS_FAIL;
    return ss_cpu_sample(&cpu, view, out, err);
}
