/*
 * Time-dependent equations on several devices. The line is cut into ranges with deep halos
 * (device/slab_lines.cu); each range is a run of its own, and advances by a chain of launches as on
 * one device, with any kernel. A halo of h points lasts for h / R levels, R being the radius of the
 * stencil; then the devices exchange halos and go on:
 *
 *     device 0   chain of m cycles | halo | chain of m cycles | halo ...
 *     device 1   chain of m cycles | halo | ...
 *
 * This is the rule of the swept scheme once more, between devices: few messages with many levels
 * between them. Instead of a trapezoid that shrinks, a device updates h points more on each side;
 * with h = 16384 and 2^23 points per device that is 0.4 % more updates, and one exchange per 16384
 * levels of heat. No host thread waits between exchanges: events order the streams. Engine thread.
 */
#include <stdlib.h>

#include "kernels/cuda/device/slabs.cuh"
#include "kernels/cuda/swept/chain.cuh"

#define HALO 16384           /* points, where parts have four times as many */
#define CYCLES_AT_ONCE 65536 /* before the step tests whether it was abandoned */

struct part_plan {
    cudaEvent_t advanced, received; /* the last chain has ended; the halo after it has arrived */
};

struct chains {
    int cycles; /* between two exchanges */
    cudaEvent_t forked;
    int parts;
    part_plan part[SS_CUDA_DEVICES_MAX];
};

static chains *chains_of(const ss_run *run)
{
    return (chains *)run->scratch;
}

static cudaStream_t stream_of(const ss_run *run, int i)
{
    return ss_cuda_of(&ss_cuda_slabs_of(run)->of[i].run)->stream;
}

/* Part i as a run of its own: as many points as it stores. */
static ss_run *part_of(const ss_run *run, int i)
{
    ss_cuda_slab *slab = ss_cuda_slab_of(run, i);
    slab->run.problem.nx = slab->run.problem.i1 = slab->x1 - slab->x0;
    slab->run.problem.i0 = 0;
    return &slab->run;
}

/* --- prepare and release ---------------------------------------------------------------------- */

/* The points that a cycle's error advances from a false end of the line: the radius per level. */
static int reach_of(const ss_run *run)
{
    return run->iterations_per_cycle * run->eq->radius;
}

/* The deepest halo up to HALO that costs at most a quarter of the updates; at least one cycle's. */
static int choose_halo(const ss_run *run, int unit, int least_part)
{
    int reach = reach_of(run), units = least_part / 4 < HALO ? least_part / 4 / unit : HALO / unit;
    int least = (reach + unit - 1) / unit;
    return (units < least ? least : units) * unit;
}

static int divide(ss_run *run, int unit, int *halo, ss_err *err)
{
    const ss_cuda_slabs *s = ss_cuda_slabs_of(run);
    int cut[SS_CUDA_DEVICES_MAX + 1], units = run->problem.nx / unit;
    for (int i = 0; i <= s->count; i++)
        cut[i] = (int)((int64_t)units * i / s->count) * unit;
    int least = units / s->count * unit;
    *halo = s->count > 1 ? choose_halo(run, unit, least) : 0;
    if (*halo <= least)
        return ss_cuda_lines_divide(run, cut, *halo, err);
    return ss_fail(err,
                   "devices: each of %d devices has %d points, and a cycle needs a halo of %d: "
                   "choose fewer devices, a larger n or a smaller block",
                   s->count, least, *halo);
}

static int make_part(const ss_run *run, int i, int (*prepare)(ss_run *part, ss_err *err),
                     ss_err *err)
{
    part_plan *p = &chains_of(run)->part[i];
    ss_run *part = part_of(run, i);
    ss_cuda_on here(ss_cuda_of(part)->device);
    SS_CUDA(cudaEventCreateWithFlags(&p->advanced, cudaEventDisableTiming));
    SS_CUDA(cudaEventCreateWithFlags(&p->received, cudaEventDisableTiming));
    return prepare(part, err);
}

void ss_cuda_chains_release(ss_run *run)
{
    chains *c = chains_of(run);
    for (int i = 0; i < c->parts; i++) {
        ss_cuda_on here(ss_cuda_device_of(&ss_cuda_slabs_of(run)->of[i]));
        ss_cuda_chain_release(&ss_cuda_slabs_of(run)->of[i].run);
        for (cudaEvent_t e : {c->part[i].advanced, c->part[i].received})
            if (e)
                cudaEventDestroy(e);
    }
    if (c->forked)
        cudaEventDestroy(c->forked);
    free(c);
    run->scratch = NULL;
}

static int make_parts(ss_run *run, int (*prepare)(ss_run *part, ss_err *err), ss_err *err)
{
    chains *c = chains_of(run);
    SS_CUDA(cudaEventCreateWithFlags(&c->forked, cudaEventDisableTiming));
    for (int i = 0; i < ss_cuda_slabs_of(run)->count; i++) {
        c->parts = i + 1;
        if (make_part(run, i, prepare, err) != SS_OK)
            return SS_FAIL;
    }
    return SS_OK;
}

int ss_cuda_chains_prepare(ss_run *run, int (*prepare)(ss_run *part, ss_err *err), int unit,
                           ss_err *err)
{
    int halo;
    ss_cuda_on here(ss_cuda_of(run)->device);
    if (divide(run, unit, &halo, err) != SS_OK)
        return SS_FAIL;
    chains *c = (chains *)calloc(1, sizeof *c);
    if (!c)
        return ss_fail(err, "out of memory");
    run->scratch = c;
    c->cycles = halo > 0 ? halo / reach_of(run) : CYCLES_AT_ONCE;
    if (make_parts(run, prepare, err) == SS_OK)
        return SS_OK;
    ss_cuda_chains_release(run);
    return SS_FAIL;
}

/* --- a step ----------------------------------------------------------------------------------- */

/* `way`: to the west and to the east. Calls f(neighbour). */
template <class F> static void each_neighbour(const ss_run *run, int i, F f)
{
    for (int way = -1; way <= 1; way += 2) {
        int k = ss_cuda_line_neighbour(run, i, way);
        if (k >= 0)
            f(k);
    }
}

/* A chain may overwrite what the neighbours have received. */
static int advance_part(const ss_run *run, int i, int64_t cycles, int64_t steps, ss_err *err)
{
    chains *c = chains_of(run);
    ss_run *part = part_of(run, i);
    cudaStream_t stream = stream_of(run, i);
    ss_cuda_on here(ss_cuda_of(part)->device);
    each_neighbour(run, i, [=](int k) { cudaStreamWaitEvent(stream, c->part[k].received, 0); });
    if (steps > 0)
        ss_cuda_chain_enqueue_steps(part, steps);
    else if (ss_cuda_chain_enqueue(part, cycles, err) != SS_OK)
        return SS_FAIL;
    SS_CUDA(cudaGetLastError());
    SS_CUDA(cudaEventRecord(c->part[i].advanced, stream));
    return SS_OK;
}

static int receive_part(const ss_run *run, int i, int array, ss_err *err)
{
    chains *c = chains_of(run);
    cudaStream_t stream = stream_of(run, i);
    ss_cuda_on here(ss_cuda_device_of(&ss_cuda_slabs_of(run)->of[i]));
    each_neighbour(run, i, [=](int k) { cudaStreamWaitEvent(stream, c->part[k].advanced, 0); });
    ss_cuda_line_receive(run, i, array, stream);
    SS_CUDA(cudaGetLastError());
    SS_CUDA(cudaEventRecord(c->part[i].received, stream));
    return SS_OK;
}

/* A number of cycles that a halo lasts for, or of steps, on all devices; then the halos. */
static int advance_all(ss_run *run, int64_t cycles, int64_t steps, ss_err *err)
{
    ss_cuda_state *st = ss_cuda_state_of(run);
    int64_t levels = steps > 0 ? steps * run->eq->nstage : cycles * run->iterations_per_cycle;
    int parts = chains_of(run)->parts;
    for (int i = 0; i < parts; i++)
        if (advance_part(run, i, cycles, steps, err) != SS_OK)
            return SS_FAIL;
    st->cur = (int)((st->cur + levels) & 1);
    for (int i = 0; i < parts; i++)
        if (receive_part(run, i, st->cur, err) != SS_OK)
            return SS_FAIL;
    return SS_OK;
}

/* All streams go on where the run's stream is; nothing has been received since then. */
static int begin(ss_run *run, ss_err *err)
{
    const ss_cuda_state *st = ss_cuda_of(run);
    chains *c = chains_of(run);
    if (ss_cuda_slabs_refresh(run, err) != SS_OK)
        return SS_FAIL;
    SS_CUDA(cudaEventRecord(st->begin, st->stream));
    SS_CUDA(cudaEventRecord(c->forked, st->stream));
    for (int i = 0; i < c->parts; i++) {
        ss_cuda_on here(ss_cuda_device_of(&ss_cuda_slabs_of(run)->of[i]));
        SS_CUDA(cudaStreamWaitEvent(stream_of(run, i), c->forked, 0));
        SS_CUDA(cudaEventRecord(c->part[i].received, stream_of(run, i)));
    }
    return SS_OK;
}

static int end(ss_run *run, ss_err *err)
{
    const ss_cuda_state *st = ss_cuda_of(run);
    const chains *c = chains_of(run);
    float ms = 0;
    for (int i = 0; i < c->parts; i++)
        SS_CUDA(cudaStreamWaitEvent(st->stream, c->part[i].received, 0));
    SS_CUDA(cudaEventRecord(st->end, st->stream));
    SS_CUDA(cudaStreamSynchronize(st->stream));
    SS_CUDA(cudaEventElapsedTime(&ms, st->begin, st->end));
    run->step_seconds = (run->step_seconds > 0 ? run->step_seconds : 0) + ms * 1e-3;
    return SS_OK;
}

/* At most CYCLES_AT_ONCE cycles. */
static int advance_many(ss_run *run, int64_t cycles, ss_err *err)
{
    if (begin(run, err) != SS_OK)
        return SS_FAIL;
    for (int64_t now; cycles > 0; cycles -= now) {
        now = cycles < chains_of(run)->cycles ? cycles : chains_of(run)->cycles;
        if (advance_all(run, now, 0, err) != SS_OK)
            return SS_FAIL;
    }
    return end(run, err);
}

int ss_cuda_chains_step(ss_run *run, int64_t cycles, ss_err *err)
{
    ss_cuda_on here(ss_cuda_of(run)->device);
    while (cycles > 0 && !ss_run_abandoned(run)) {
        int64_t now = cycles < CYCLES_AT_ONCE ? cycles : CYCLES_AT_ONCE;
        if (advance_many(run, now, err) != SS_OK)
            return SS_FAIL;
        for (int64_t i = 0; i < now; i++)
            ss_run_cycle_done(run);
        cycles -= now;
    }
    return SS_OK;
}

int ss_cuda_chains_finish(ss_run *run, int64_t steps, ss_err *err)
{
    ss_cuda_on here(ss_cuda_of(run)->device);
    if (begin(run, err) != SS_OK || advance_all(run, 0, steps, err) != SS_OK)
        return SS_FAIL;
    return end(run, err);
}
