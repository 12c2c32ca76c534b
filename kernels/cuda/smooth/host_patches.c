/*
 * Runs whose patches live in the host's memory (stream-order depth, breadth): in every step each
 * patch is copied to the GPU, relaxed there and copied back; then the patches exchange ghosts on
 * the host. This is the paper's comparison of two orders of copies and kernels. Between steps the
 * state is on the device as always, so that pictures and files need not know; the copies between
 * the two are not part of a step's time. The fields are bit-for-bit those of resident patches.
 * Engine thread.
 */
#include "kernels/cuda/smooth/plan.h"

#include <math.h>
#include <string.h>

#include "kernels/cpu/state.h"
#include "kernels/cuda/device/patches.h"

static bool same_size(const ss_cuda_patches *p)
{
    for (int q = 1; q < p->count; q++)
        if (p->list[q].box.nx != p->list[0].box.nx || p->list[q].box.ny != p->list[0].box.ny ||
            p->list[q].box.nz != p->list[0].box.nz)
            return false;
    return true;
}

static size_t bytes_of(const ss_run *run)
{
    return ss_cuda_of(run)->box.count * ss_prec_size(run->prec);
}

int ss_cuda_host_patches_make(ss_cuda_host_patches *a, ss_run *run, const ss_cuda_smooth_how *how,
                              ss_stream_order order, ss_err *err)
{
    const ss_cuda_patches *p = ss_cuda_of(run)->patches;
    ss_cuda_kept *kept = &ss_cuda_plan_of(run)->kept;
    ss_cuda_smooth_how alone = *how;
    a->order = order;
    alone.direct = false; /* the neighbours' cells are not on the device */
    if (!same_size(p))
        return ss_fail(err, "stream-order: patches in the host's memory must be of one size: give "
                            "patch, px, py and pz instead of sizes, or stream-order resident");
    if (ss_cuda_smooth_make(&a->smooth, p->list, 1, &alone, err) != SS_OK ||
        ss_cuda_pipeline_make(&a->pipeline, a->smooth, p->list[0].box.count, p->count, err) !=
            SS_OK)
        return SS_FAIL;
    return ss_cuda_keep_pinned(kept, (void **)&a->u, bytes_of(run), "the patches", err) == SS_OK
               ? ss_cuda_keep_pinned(kept, (void **)&a->rhs, bytes_of(run), "right-hand sides", err)
               : SS_FAIL;
}

void ss_cuda_host_patches_free(ss_cuda_host_patches *a)
{
    ss_cuda_pipeline_free(a->pipeline);
    ss_cuda_smooth_free(a->smooth);
}

/* --- a step ----------------------------------------------------------------------------------- */

static int fetch(ss_run *run, ss_cuda_host_patches *a, ss_err *err)
{
    const ss_cuda_state *st = ss_cuda_of(run);
    if (ss_cuda_ghosts_renew(run, err) != SS_OK)
        return SS_FAIL;
    SS_CUDA(ss_cu->copy(a->u, st->u[st->cur], bytes_of(run), st->stream));
    SS_CUDA(ss_cu->copy(a->rhs, st->rhs, bytes_of(run), st->stream));
    SS_CUDA(ss_cu->stream_wait(st->stream));
    return SS_OK;
}

static int restore(ss_run *run, ss_cuda_host_patches *a, ss_err *err)
{
    const ss_cuda_state *st = ss_cuda_of(run);
    SS_CUDA(ss_cu->copy(st->u[st->cur], a->u, bytes_of(run), st->stream));
    SS_CUDA(ss_cu->stream_wait(st->stream));
    return SS_OK;
}

/* Exchanges ghosts by the CPU's function, on a state that consists of these patches. Returns the
 * seconds it took. */
static double exchange(const ss_run *run, const ss_cuda_host_patches *a)
{
    ss_cpu_state here;
    ss_run cpu = *run;
    double started = ss_clock();
    memset(&here, 0, sizeof here);
    here.box = ss_cuda_of(run)->box;
    here.patch = ss_cuda_of(run)->patches->list;
    here.patches = ss_cuda_of(run)->patches->count;
    cpu.problem.cfg = &cpu.cfg;
    cpu.state = &here;
    ss_cpu_exchange(&cpu, a->u);
    return ss_clock() - started;
}

static double norm(const ss_run *run, const ss_cuda_host_patches *a)
{
    const ss_cuda_patches *p = ss_cuda_of(run)->patches;
    double sum = 0;
    for (int q = 0; q < p->count; q++)
        sum += ss_smooth_norm2(&p->list[q].box, run->prec, a->u, a->rhs);
    return run->coef.residual * sqrt(sum);
}

static int smooth(ss_run *run, ss_cuda_host_patches *a, double omega, int64_t cycles, ss_err *err)
{
    run->step_seconds = 0;
    for (int64_t c = 0; c < cycles && !ss_run_abandoned(run); c++) {
        double seconds = 0;
        if (ss_run_wants_norm(run) && !ss_run_norm(run, norm(run, a)))
            return SS_OK;
        if (ss_cuda_pipeline_run(a->pipeline, 1, omega, a->u, a->rhs, a->order, &seconds, err) !=
            SS_OK)
            return SS_FAIL;
        double ghosts = exchange(run, a);
        run->seconds_ghosts += ghosts;
        run->step_seconds += seconds + ghosts;
        ss_run_cycle_done(run);
    }
    return SS_OK;
}

/* The field is copied back after a failure too, because it belongs to the cycles counted so far.
 * The device's other array does not hold the start of the last cycle. */
int ss_cuda_host_patches_step(ss_run *run, ss_cuda_host_patches *a, double omega, int64_t cycles,
                              ss_err *err)
{
    ss_err second;
    ss_cuda_use(ss_cuda_of(run)->device);
    if (fetch(run, a, err) != SS_OK)
        return SS_FAIL;
    int status = smooth(run, a, omega, cycles, err);
    run->start_kept = false;
    if (restore(run, a, status == SS_OK ? err : &second) != SS_OK)
        return SS_FAIL;
    return status;
}
