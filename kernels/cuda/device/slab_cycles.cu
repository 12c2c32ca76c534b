/*
 * Cycles of a run that several devices share: see slab_cycles.cuh. Engine thread.
 *
 * The order of events, which no host thread waits for. Cycle c of slab s:
 *
 *     outer   after its inner rows of cycle c - 1                                        (1)
 *     inner   after its edges of cycle c - 1, and the decision whether the run goes on    (2)
 *             (where it reads the halo as well: after that was received)
 *     halo    on the outer stream, after the edges of the neighbours of cycle c           (3)
 *
 * Why no row is overwritten that a neighbour still has to copy. A neighbour copies edge rows of
 * array x in cycle c; this slab writes array x again in cycle c + 2. With a period of one cycle the
 * halo of cycle c + 1 lies between: by (3) it follows the neighbour's edges of cycle c + 1, which
 * follow its copies of cycle c on the same stream. With a longer period an event says so: the outer
 * stream waits in cycle c + 1 until the neighbours have received.
 *
 * Why no halo is overwritten that is still read. Array x is read in cycle c - 1 by the edges, on
 * the stream that receives the halo, and with a longer period by the inner rows, which (1) has
 * waited for.
 */
#include <stdlib.h>
#include <string.h>

#include "kernels/cuda/device/slab_cycles.cuh"

/* A launch of a band, if it has rows. */
struct band {
    ss_run run;
    ss_cuda_state state;
    int rows;
};

enum { INNER, SOUTH, NORTH, SIDES }; /* bands of a slab that leave a sum */

/* Events with times, of a cycle that ends a period. */
enum { OUTER_BEGINS, EDGES_END, HALO_ARRIVED, INNER_BEGINS, INNER_ENDS, TIMES };

#define MEASURE_SECONDS 0.25 /* between two measurements of where the time goes */

/* What a slab needs for its cycles. */
struct slab_plan {
    cudaEvent_t time[TIMES];
    cudaStream_t outer; /* of high priority; the inner one is that of the slab's state */
    cudaEvent_t outer_done, inner_done, received, summed;
    ss_cuda_control *control; /* of the slab's own device */
    ss_cuda_control *part;    /* [SIDES] where bands find `stop` and leave their sums */
    double *sums;             /* [SIDES][2] those sums */
    double *copies;           /* [slab][SIDES][2] of all slabs, where devices cannot read them */
    band edge[SIDES];         /* of the last cycle of a period: inner rows, south and north edge */
    band whole;               /* of the others: all rows of the slab, */
    band *halo[SIDES];        /* [SOUTH], [NORTH]: [rows - 1] and so many rows of its halo */
};

struct plan {
    ss_cuda_division d;
    int slabs;
    int phase; /* of the next cycle of a period that is enqueued */
    int last;  /* the array that the last cycle enqueued writes */
    cudaEvent_t forked;
    double measured;    /* host clock at the last measurement */
    bool timing, timed; /* this cycle is measured; one was in this step */
    slab_plan slab[SS_CUDA_DEVICES_MAX];
};

static plan *plan_of(const ss_run *run)
{
    return (plan *)((const ss_cuda_cycles *)run->scratch)->own;
}

static int device_of(const ss_run *run, int slab)
{
    return ss_cuda_device_of(&ss_cuda_slabs_of(run)->of[slab]);
}

static cudaStream_t inner_of(const ss_run *run, int slab)
{
    return ss_cuda_of(&ss_cuda_slabs_of(run)->of[slab].run)->stream;
}

/* While an object of this type exists, launches of the thread do not overlap. */
struct in_order {
    in_order()
    {
        ss_cuda_in_order = true;
    }
    ~in_order()
    {
        ss_cuda_in_order = false;
    }
};

/* --- the decision ----------------------------------------------------------------------------- */

struct all_sums {
    const double *of[SS_CUDA_DEVICES_MAX]; /* [SIDES][2] of each slab */
    int slabs, sides;                      /* SIDES, or 1: only the inner band was launched */
};

/* Tells the bands of a device whether the run goes on, and into which half of their sums the next
 * norm goes. */
static __device__ void tell(const ss_cuda_control *control, ss_cuda_control *part)
{
    for (int i = 0; i < SIDES; i++) {
        part[i].stop = control->stop;
        part[i].count = control->count;
    }
}

static __global__ void tell_parts(const ss_cuda_control *control, ss_cuda_control *part)
{
    tell(control, part);
}

/* Two halves of the sums alternate: a device may already add up the next norm while another one
 * still reads this one, but no more than that. */
static __global__ void decide_parts(ss_cuda_control *control, ss_cuda_control *part, all_sums sums)
{
    double sum = 0;
    if (control->stop)
        return;
#pragma unroll /* an index known at compile time: the argument is not copied to local memory */
    for (int i = 0; i < SS_CUDA_DEVICES_MAX; i++)
        for (int side = 0; i < sums.slabs && side < sums.sides; side++)
            sum += __ldcg(sums.of[i] + 2 * side + control->count % 2);
    decide(control, sum);
    tell(control, part);
}

/* The sums of slab `of` where the device of slab `to` can read them. */
static const double *sums_for(const ss_run *run, int to, int of, cudaStream_t stream)
{
    const plan *p = plan_of(run);
    double *copy = p->slab[to].copies + 2 * SIDES * of;
    if (ss_cuda_slabs_of(run)->peers || to == of)
        return p->slab[of].sums;
    cudaMemcpyAsync(copy, p->slab[of].sums, 2 * SIDES * sizeof *copy, cudaMemcpyDefault, stream);
    return copy;
}

static void decide_everywhere(const ss_run *run, int sides)
{
    plan *p = plan_of(run);
    for (int i = 0; i < p->slabs; i++) {
        slab_plan *s = &p->slab[i];
        cudaStreamWaitEvent(s->outer, s->inner_done, 0);
        cudaEventRecord(s->summed, s->outer);
    }
    for (int i = 0; i < p->slabs; i++) {
        slab_plan *s = &p->slab[i];
        ss_cuda_on here(device_of(run, i));
        all_sums sums = {{}, p->slabs, sides};
        for (int k = 0; k < p->slabs; k++) {
            if (k != i)
                cudaStreamWaitEvent(s->outer, p->slab[k].summed, 0);
            sums.of[k] = sums_for(run, i, k, s->outer);
        }
        decide_parts<<<1, 1, 0, s->outer>>>(s->control, s->part, sums);
        cudaEventRecord(s->outer_done, s->outer);
    }
}

/* --- a cycle ---------------------------------------------------------------------------------- */

static void launch_band(const band *b, int parity, bool norm, cudaStream_t stream)
{
    if (b->rows > 0)
        ((const ss_cuda_cycles *)b->run.scratch)->launch(&b->run, parity, norm, stream);
}

/* Records a time, if this cycle is measured. */
static void note_time(const plan *p, int slab, int which, cudaStream_t stream)
{
    if (p->timing)
        cudaEventRecord(p->slab[slab].time[which], stream);
}

static void launch_slab(const ss_run *run, int i, int parity, bool norm, bool last)
{
    plan *p = plan_of(run);
    slab_plan *s = &p->slab[i];
    int beyond = p->d.period - 1 - p->phase; /* rows of the halo that later cycles need */
    cudaStream_t inner = inner_of(run, i);
    ss_cuda_on here(device_of(run, i));
    cudaStreamWaitEvent(s->outer, s->inner_done, 0);
    cudaStreamWaitEvent(inner, s->outer_done, 0);
    if (!last) /* all rows of the slab, which read the halo as well */
        cudaStreamWaitEvent(inner, s->received, 0);
    for (int k = i - 1; k <= i + 1 && p->d.period > 1; k += 2)
        if (k >= 0 && k < p->slabs)
            cudaStreamWaitEvent(s->outer, p->slab[k].received, 0);
    note_time(p, i, OUTER_BEGINS, s->outer);
    for (int side = SOUTH; side < SIDES; side++)
        if (last)
            launch_band(&s->edge[side], parity, norm, s->outer);
        else if (s->halo[side])
            launch_band(&s->halo[side][beyond - 1], parity, false, s->outer);
    note_time(p, i, EDGES_END, s->outer);
    cudaEventRecord(s->outer_done, s->outer);
    note_time(p, i, INNER_BEGINS, inner);
    launch_band(last ? &s->edge[INNER] : &s->whole, parity, norm, inner);
    note_time(p, i, INNER_ENDS, inner);
    cudaEventRecord(s->inner_done, inner);
}

static void receive_everywhere(const ss_run *run, int array)
{
    plan *p = plan_of(run);
    for (int i = 0; i < p->slabs; i++) {
        cudaStream_t outer = p->slab[i].outer;
        ss_cuda_on here(device_of(run, i));
        for (int k = i - 1; k <= i + 1; k += 2)
            if (k >= 0 && k < p->slabs)
                cudaStreamWaitEvent(outer, p->slab[k].outer_done, 0);
        ss_cuda_slab_receive(ss_cuda_slabs_of(run), i, array, outer);
        note_time(p, i, HALO_ARRIVED, outer);
        cudaEventRecord(p->slab[i].received, outer);
    }
}

static void launch(const ss_run *run, int parity, bool norm, cudaStream_t stream)
{
    plan *p = plan_of(run);
    bool last = p->phase + 1 == p->d.period;
    in_order launches;
    cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
    cudaStreamIsCapturing(stream, &capture);
    bool single = capture == cudaStreamCaptureStatusNone;
    p->timing = last && single && ((const ss_cuda_cycles *)run->scratch)->alone > 0;
    p->timed = p->timed || p->timing;
    for (int i = 0; i < p->slabs; i++)
        launch_slab(run, i, parity, norm, last);
    p->last = 1 - parity;
    p->phase = last ? 0 : p->phase + 1;
    if (last)
        receive_everywhere(run, p->last);
    p->timing = false;
    if (norm)
        decide_everywhere(run, last ? SIDES : 1);
}

/* --- several cycles --------------------------------------------------------------------------- */

/* Before the first cycle of a step: each device gets a control block of its own. */
static void begin(const ss_run *run, int parity, cudaStream_t stream)
{
    const ss_cuda_control *first = ss_cuda_of(run)->control;
    (void)parity;
    for (int i = 1; i < plan_of(run)->slabs; i++)
        cudaMemcpyAsync(plan_of(run)->slab[i].control, first, sizeof *first - sizeof first->norm,
                        cudaMemcpyDefault, stream);
}

/* All streams of all slabs go on where `stream` is. */
static void fork(const ss_run *run, cudaStream_t stream)
{
    plan *p = plan_of(run);
    p->phase = 0;
    cudaEventRecord(p->forked, stream);
    for (int i = 0; i < p->slabs; i++) {
        slab_plan *s = &p->slab[i];
        cudaStream_t inner = inner_of(run, i);
        ss_cuda_on here(device_of(run, i));
        cudaStreamWaitEvent(s->outer, p->forked, 0);
        cudaStreamWaitEvent(inner, p->forked, 0);
        tell_parts<<<1, 1, 0, s->outer>>>(s->control, s->part);
        cudaEventRecord(s->outer_done, s->outer);
        cudaEventRecord(s->received, s->outer);
        cudaEventRecord(s->inner_done, inner);
    }
}

/* `stream` goes on when all slabs have ended their cycles. In the middle of a period the halos are
 * received, so that the next cycle begins a period. */
static void join(const ss_run *run, cudaStream_t stream)
{
    plan *p = plan_of(run);
    for (int i = 0; i < p->slabs; i++) {
        slab_plan *s = &p->slab[i];
        cudaStreamWaitEvent(s->outer, s->inner_done, 0);
        cudaEventRecord(s->outer_done, s->outer);
    }
    if (p->phase > 0)
        receive_everywhere(run, p->last);
    p->phase = 0;
    for (int i = 0; i < p->slabs; i++) {
        cudaEventRecord(p->slab[i].outer_done, p->slab[i].outer);
        cudaStreamWaitEvent(stream, p->slab[i].outer_done, 0);
    }
}

/* A band has the config and the coefficients of the run. */
static void follow(const ss_run *run, band *b)
{
    ss_cuda_follow(&b->run, run);
    b->state.least_rhs = ss_cuda_of(run)->least_rhs;
}

static int enter(ss_run *run, ss_err *err)
{
    plan *p = plan_of(run);
    for (int i = 0; i < p->slabs; i++) {
        slab_plan *s = &p->slab[i];
        for (int side = 0; side < SIDES; side++) {
            follow(run, &s->edge[side]);
            for (int rows = 1; s->halo[side] && rows < p->d.period; rows++)
                follow(run, &s->halo[side][rows - 1]);
        }
        follow(run, &s->whole);
    }
    bool due = ss_clock() - p->measured > MEASURE_SECONDS;
    ((ss_cuda_cycles *)run->scratch)->alone = due ? p->d.period : 0;
    p->timed = false;
    return ss_cuda_slabs_refresh(run, err);
}

static int seconds_between(const slab_plan *s, int from, int to, double *out, ss_err *err)
{
    float ms = 0;
    SS_CUDA(cudaEventElapsedTime(&ms, s->time[from], s->time[to]));
    *out = ms * 1e-3;
    return SS_OK;
}

/* *cycle: from the begin of the slab's edges to the end of its last work. */
static int measure_slab(const slab_plan *s, ss_share *out, double *cycle, ss_err *err)
{
    double received = 0, ended = 0;
    if (seconds_between(s, INNER_BEGINS, INNER_ENDS, &out->interior, err) != SS_OK ||
        seconds_between(s, OUTER_BEGINS, EDGES_END, &out->edge, err) != SS_OK ||
        seconds_between(s, EDGES_END, HALO_ARRIVED, &out->exchange, err) != SS_OK ||
        seconds_between(s, OUTER_BEGINS, HALO_ARRIVED, &received, err) != SS_OK ||
        seconds_between(s, OUTER_BEGINS, INNER_ENDS, &ended, err) != SS_OK)
        return SS_FAIL;
    *cycle = received > ended ? received : ended;
    return SS_OK;
}

/* A device waits where its interior does not last as long as the longest cycle of all. */
static int measure(ss_run *run, ss_err *err)
{
    plan *p = plan_of(run);
    double longest = 0, cycle = 0;
    for (int i = 0; i < p->slabs; i++) {
        run->shares.of[i].device = device_of(run, i);
        if (measure_slab(&p->slab[i], &run->shares.of[i], &cycle, err) != SS_OK)
            return SS_FAIL;
        longest = cycle > longest ? cycle : longest;
    }
    for (int i = 0; i < p->slabs; i++) {
        double wait = longest - run->shares.of[i].interior;
        run->shares.of[i].wait = wait > 0 ? wait : 0;
    }
    run->shares.count = p->slabs;
    p->measured = ss_clock();
    return SS_OK;
}

/* If the run has stopped in the middle of a period, the halo of its field is not as deep as a
 * period needs. */
static int leave(ss_run *run, ss_err *err)
{
    ss_cuda_slabs_of(run)->fresh = plan_of(run)->d.period == 1;
    return plan_of(run)->timed ? measure(run, err) : SS_OK;
}

/* --- prepare and release ---------------------------------------------------------------------- */

/* Rows [lo, hi) of a slab, in its own numbering, as a run of their own. `part`: which control block
 * has their sums. */
static int make_band(const ss_run *run, int slab, int lo, int hi, int part, band *b, ss_err *err)
{
    plan *p = (plan *)plan_of(run);
    const ss_cuda_state *st = ss_cuda_of(&ss_cuda_slabs_of(run)->of[slab].run);
    b->rows = hi - lo;
    if (b->rows <= 0)
        return SS_OK;
    b->state = *st;
    b->state.slabs = NULL;
    b->state.staging = NULL;
    b->state.shadow = NULL;
    b->state.row = st->row + lo;
    b->state.box.ny = b->rows;
    b->state.box.first += (size_t)(lo * st->box.sy);
    b->state.control = p->slab[slab].part + part;
    b->run.state = &b->state;
    b->run.scratch = NULL;
    follow(run, b);
    return p->d.prepare(&b->run, err);
}

static void free_band(band *b)
{
    if (b->run.scratch)
        ss_cuda_release(&b->run);
}

static int make_bands(const ss_run *run, int i, ss_err *err)
{
    plan *p = plan_of(run);
    slab_plan *s = &p->slab[i];
    const ss_cuda_division *d = &p->d;
    int ny = d->cut[i + 1] - d->cut[i], south = d->south[i], north = d->north[i];
    if (make_band(run, i, south, ny - north, INNER, &s->edge[INNER], err) != SS_OK ||
        make_band(run, i, 0, south, SOUTH, &s->edge[SOUTH], err) != SS_OK ||
        make_band(run, i, ny - north, ny, NORTH, &s->edge[NORTH], err) != SS_OK)
        return SS_FAIL;
    if (d->period == 1)
        return SS_OK;
    if (make_band(run, i, 0, ny, INNER, &s->whole, err) != SS_OK)
        return SS_FAIL;
    for (int side = SOUTH; side < SIDES; side++) {
        if ((side == SOUTH ? i == 0 : i + 1 == p->slabs))
            continue;
        s->halo[side] = (band *)calloc((size_t)d->period - 1, sizeof *s->halo[side]);
        if (!s->halo[side])
            return ss_fail(err, "out of memory");
        for (int rows = 1; rows < d->period; rows++)
            if (make_band(run, i, side == SOUTH ? -rows : ny, side == SOUTH ? 0 : ny + rows, side,
                          &s->halo[side][rows - 1], err) != SS_OK)
                return SS_FAIL;
    }
    return SS_OK;
}

static int make_events(slab_plan *s, ss_err *err)
{
    cudaEvent_t *events[] = {&s->outer_done, &s->inner_done, &s->received, &s->summed};
    int low, high;
    SS_CUDA(cudaDeviceGetStreamPriorityRange(&low, &high));
    SS_CUDA(cudaStreamCreateWithPriority(&s->outer, cudaStreamNonBlocking, high));
    for (cudaEvent_t *e : events)
        SS_CUDA(cudaEventCreateWithFlags(e, cudaEventDisableTiming));
    for (cudaEvent_t &e : s->time)
        SS_CUDA(cudaEventCreate(&e));
    return SS_OK;
}

/* The control blocks of the bands, and where they leave their sums. */
static int make_sums(slab_plan *s, int slabs, ss_err *err)
{
    ss_cuda_control part[SIDES];
    size_t bytes = 2 * SIDES * sizeof *s->sums;
    if (ss_cuda_alloc((void **)&s->sums, bytes, "the norms", err) != SS_OK ||
        ss_cuda_alloc((void **)&s->copies, (size_t)slabs * bytes, "the norms", err) != SS_OK)
        return SS_FAIL;
    SS_CUDA(cudaMemset(s->sums, 0, bytes)); /* bands without rows leave none */
    memset(part, 0, sizeof part);
    for (int side = 0; side < SIDES; side++)
        part[side].part = s->sums + 2 * side;
    return ss_cuda_alloc_copy((void **)&s->part, part, sizeof part, "the norms", err);
}

static int make_slab(const ss_run *run, int i, ss_err *err)
{
    plan *p = plan_of(run);
    slab_plan *s = &p->slab[i];
    const ss_cuda_state *st = ss_cuda_of(&ss_cuda_slab_of(run, i)->run);
    ss_cuda_on here(st->device);
    s->control = i == 0 ? ss_cuda_of(run)->control : st->control;
    if (make_events(s, err) != SS_OK || make_sums(s, p->slabs, err) != SS_OK)
        return SS_FAIL;
    return make_bands(run, i, err);
}

static void free_slab(slab_plan *s, int period)
{
    for (int side = 0; side < SIDES; side++) {
        free_band(&s->edge[side]);
        for (int rows = 1; s->halo[side] && rows < period; rows++)
            free_band(&s->halo[side][rows - 1]);
        free(s->halo[side]);
    }
    free_band(&s->whole);
    cudaFree(s->part);
    cudaFree(s->sums);
    cudaFree(s->copies);
    for (cudaEvent_t e : {s->outer_done, s->inner_done, s->received, s->summed})
        if (e)
            cudaEventDestroy(e);
    for (cudaEvent_t e : s->time)
        if (e)
            cudaEventDestroy(e);
    if (s->outer)
        cudaStreamDestroy(s->outer);
}

static void free_plan(void *own)
{
    plan *p = (plan *)own;
    for (int i = 0; i < p->slabs; i++)
        free_slab(&p->slab[i], p->d.period);
    if (p->forked)
        cudaEventDestroy(p->forked);
    free(p);
}

static int fill_plan(ss_run *run, ss_err *err)
{
    plan *p = plan_of(run);
    SS_CUDA(cudaEventCreateWithFlags(&p->forked, cudaEventDisableTiming));
    p->measured = ss_clock();
    for (int i = 0; i < p->slabs; i++)
        if (make_slab(run, i, err) != SS_OK)
            return SS_FAIL;
    run->tile_bytes = p->slab[0].edge[INNER].run.tile_bytes;
    run->tile_room = p->slab[0].edge[INNER].run.tile_room;
    return SS_OK;
}

int ss_cuda_divided_prepare(ss_run *run, const ss_cuda_division *d, ss_err *err)
{
    ss_cuda_on here(ss_cuda_of(run)->device);
    if (ss_cuda_slabs_divide(run, d->cut, d->depth, err) != SS_OK)
        return SS_FAIL;
    plan *p = (plan *)calloc(1, sizeof *p);
    if (!p)
        return ss_fail(err, "out of memory");
    p->d = *d;
    p->slabs = ss_cuda_slabs_of(run)->count;
    if (ss_cuda_cycles_make(run, launch, 1, p, free_plan, err) != SS_OK) {
        if (!run->scratch) /* else the release frees it */
            free_plan(p);
        ss_cuda_release(run);
        return SS_FAIL;
    }
    ss_cuda_cycles *c = (ss_cuda_cycles *)run->scratch;
    c->begin = begin;
    c->fork = fork;
    c->join = join;
    c->enter = enter;
    c->leave = leave;
    c->graphs =
        c->graphs && ss_cuda_slabs_of(run)->peers; /* copies through the host stay outside */
    if (fill_plan(run, err) == SS_OK)
        return SS_OK;
    ss_cuda_release(run);
    return SS_FAIL;
}
