/*
 * Time-dependent equations on several devices. The line is cut into ranges with deep halos
 * (device/slabs.c); each range is a run of its own, and advances by a chain of launches as on
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
#include "kernels/cuda/swept/chain.h"

#define HALO 16384           /* points, where parts have four times as many */
#define CYCLES_AT_ONCE 65536 /* before the step tests whether it was abandoned */

/* Events of a part: the last chain has ended; the halo after it has arrived. */
enum { ADVANCED, RECEIVED, EVENTS };

typedef struct chains {
    int cycles; /* between two exchanges */
    ss_cu_event forked;
    ss_cu_event part[SS_CUDA_DEVICES_MAX][EVENTS];
} chains;

static chains *chains_of(const ss_run *run)
{
    return ss_cuda_plan_of(run)->own;
}

static ss_cu_stream stream_of(const ss_run *run, int i)
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

/* --- prepare ---------------------------------------------------------------------------------- */

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
    ss_run *part = part_of(run, i);
    ss_cuda_use(ss_cuda_of(part)->device);
    for (int k = 0; k < EVENTS; k++)
        if (ss_cuda_keep_event(&ss_cuda_plan_of(run)->kept, &chains_of(run)->part[i][k],
                               SS_CU_NO_TIMING, err) != SS_OK)
            return SS_FAIL;
    return prepare(part, err);
}

static void release_parts(ss_run *run)
{
    ss_cuda_slabs *s = ss_cuda_slabs_of(run);
    for (int i = 0; i < s->count; i++)
        ss_cuda_release(&s->of[i].run);
}

static int make_parts(ss_run *run, int (*prepare)(ss_run *part, ss_err *err), int unit, ss_err *err)
{
    int halo;
    if (divide(run, unit, &halo, err) != SS_OK ||
        ss_cuda_plan_make(run, sizeof(chains), err) != SS_OK)
        return SS_FAIL;
    ss_cuda_plan *plan = ss_cuda_plan_of(run);
    chains *c = plan->own;
    plan->close = release_parts;
    c->cycles = halo > 0 ? halo / reach_of(run) : CYCLES_AT_ONCE;
    if (ss_cuda_keep_event(&plan->kept, &c->forked, SS_CU_NO_TIMING, err) != SS_OK)
        return SS_FAIL;
    for (int i = 0; i < ss_cuda_slabs_of(run)->count; i++)
        if (make_part(run, i, prepare, err) != SS_OK)
            return SS_FAIL;
    return SS_OK;
}

int ss_cuda_chains_prepare(ss_run *run, int (*prepare)(ss_run *part, ss_err *err), int unit,
                           ss_err *err)
{
    if (make_parts(run, prepare, unit, err) == SS_OK)
        return SS_OK;
    ss_cuda_release(run);
    return SS_FAIL;
}

/* --- a step ----------------------------------------------------------------------------------- */

/* The stream of part i goes on when its neighbours have come to an event of theirs. */
static void wait_for_neighbours(const ss_run *run, int i, int event)
{
    for (int way = -1; way <= 1; way += 2) {
        int k = ss_cuda_line_neighbour(run, i, way);
        if (k >= 0)
            ss_cuda_note(
                ss_cu->stream_wait_event(stream_of(run, i), chains_of(run)->part[k][event], 0));
    }
}

/* A chain may overwrite what the neighbours have received. */
static int advance_part(const ss_run *run, int i, int64_t cycles, int64_t steps, ss_err *err)
{
    ss_run *part = part_of(run, i);
    ss_cuda_use(ss_cuda_of(part)->device);
    wait_for_neighbours(run, i, RECEIVED);
    if (steps > 0)
        ss_cuda_chain_enqueue_steps(part, steps);
    else if (ss_cuda_chain_enqueue(part, cycles, err) != SS_OK)
        return SS_FAIL;
    SS_CUDA(ss_cuda_launch_error());
    SS_CUDA(ss_cu->event_record(chains_of(run)->part[i][ADVANCED], stream_of(run, i)));
    return SS_OK;
}

static int receive_part(const ss_run *run, int i, int array, ss_err *err)
{
    ss_cu_stream stream = stream_of(run, i);
    ss_cuda_use(ss_cuda_device_of(&ss_cuda_slabs_of(run)->of[i]));
    wait_for_neighbours(run, i, ADVANCED);
    ss_cuda_line_receive(run, i, array, stream);
    SS_CUDA(ss_cuda_launch_error());
    SS_CUDA(ss_cu->event_record(chains_of(run)->part[i][RECEIVED], stream));
    return SS_OK;
}

/* A number of cycles that a halo lasts for, or of steps, on all devices; then the halos. */
static int advance_all(ss_run *run, int64_t cycles, int64_t steps, ss_err *err)
{
    ss_cuda_state *st = ss_cuda_state_of(run);
    int64_t levels = steps > 0 ? steps * run->eq->nstage : cycles * run->iterations_per_cycle;
    int parts = ss_cuda_slabs_of(run)->count;
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
    const chains *c = chains_of(run);
    if (ss_cuda_slabs_refresh(run, err) != SS_OK)
        return SS_FAIL;
    SS_CUDA(ss_cu->event_record(st->begin, st->stream));
    SS_CUDA(ss_cu->event_record(c->forked, st->stream));
    for (int i = 0; i < ss_cuda_slabs_of(run)->count; i++) {
        SS_CUDA(ss_cu->stream_wait_event(stream_of(run, i), c->forked, 0));
        SS_CUDA(ss_cu->event_record(c->part[i][RECEIVED], stream_of(run, i)));
    }
    return SS_OK;
}

static int end(ss_run *run, ss_err *err)
{
    const ss_cuda_state *st = ss_cuda_of(run);
    for (int i = 0; i < ss_cuda_slabs_of(run)->count; i++)
        SS_CUDA(ss_cu->stream_wait_event(st->stream, chains_of(run)->part[i][RECEIVED], 0));
    return ss_cuda_chain_end(run, err);
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
    if (begin(run, err) != SS_OK || advance_all(run, 0, steps, err) != SS_OK)
        return SS_FAIL;
    return end(run, err);
}
