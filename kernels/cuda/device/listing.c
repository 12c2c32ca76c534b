/* The kernels of a run, for the page that shows them: those that its plan has found, and what the
 * driver reports of each. Engine thread; see kernel_of in src/core/backend.h. */
#include <stdio.h>
#include <string.h>

#include "kernels/cuda/device/plan.h"
#include "kernels/cuda/device/slabs.h"

/* A run that several devices share has its kernels in its parts, which have the same ones. */
static const ss_cuda_plan *plan_with_kernels(const ss_run *run)
{
    const ss_run *part = ss_cuda_of(run)->slabs ? &ss_cuda_slab_of(run, 0)->run : run;
    return ss_cuda_plan_of(part->scratch ? part : run);
}

static const ss_cuda_kernel *listed(const ss_cuda_plan *p, int i)
{
    if (i < p->kernels.count)
        return p->kernels.kernel[i];
    i -= p->kernels.count;
    return p->more && i < p->more->count ? p->more->kernel[i] : NULL;
}

/* Has a kernel before the i-th the same code? */
static bool is_repeated(const ss_cuda_plan *p, int i)
{
    for (int before = 0; before < i; before++)
        if (listed(p, before)->code == listed(p, i)->code)
            return true;
    return false;
}

static const ss_cuda_kernel *different(const ss_cuda_plan *p, int which)
{
    for (int i = 0; listed(p, i); i++)
        if (listed(p, i)->code && !is_repeated(p, i) && which-- == 0)
            return listed(p, i);
    return NULL;
}

static double count(ss_cu_dim d)
{
    return (d.x ? d.x : 1.0) * (d.y ? d.y : 1.0) * (d.z ? d.z : 1.0);
}

bool ss_cuda_kernel_of(const ss_run *run, int i, ss_running_kernel *out)
{
    const ss_cuda_plan *p = plan_with_kernels(run);
    const ss_cuda_kernel *k = p ? different(p, i) : NULL;
    if (!k)
        return false;
    ss_cuda_use(k->device);
    *out = (ss_running_kernel){
        .text = k->code->defined.text,
        .registers = ss_cuda_kernel_attribute(k, SS_CU_REGISTERS),
        .local = ss_cuda_kernel_attribute(k, SS_CU_LOCAL_BYTES),
        .fixed = ss_cuda_kernel_attribute(k, SS_CU_STATIC_SHARED),
        .dynamic = (int)k->shared,
        .threads = (int)count(k->threads),
        .blocks = count(k->blocks),
        .most = ss_cuda_attribute(SS_CU_THREADS_PER_PROCESSOR),
    };
    snprintf(out->file, sizeof out->file, "%s",
             k->code->defined.file ? k->code->defined.file : k->code->source.file);
    snprintf(out->entry, sizeof out->entry, "%s", k->code->source.entry);
    if (out->registers < 0 || ss_cuda_kernel_resident(k, &out->resident, NULL) != SS_OK)
        out->resident = -1;
    return true;
}

uint64_t ss_cuda_edited(const ss_run *run)
{
    const ss_cuda_plan *p = plan_with_kernels(run);
    const ss_cuda_kernel *k;
    for (int i = 0; p && (k = listed(p, i)) != NULL; i++)
        if (k->code && k->code->defined.edited)
            return k->code->defined.edited;
    return 0;
}
