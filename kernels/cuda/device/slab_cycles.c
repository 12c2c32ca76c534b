/*
 * Cycles of a run that several devices share: see slabs.h. Engine thread.
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

#include "kernels/cuda/device/plan.h"
#include "kernels/cuda/device/slabs.h"
#include "kernels/cuda/device/slab_sums.h"

/* Events with times, of a cycle that ends a period. */
enum { OUTER_BEGINS, EDGES_END, HALO_ARRIVED, INNER_BEGINS, INNER_ENDS, TIMES };

#define MEASURE_SECONDS 0.25 /* between two measurements of where the time goes */

/* What a slab needs for its cycles. */
typedef struct slab_plan {
    ss_cu_event time[TIMES];
    ss_cu_stream outer; /* of high priority; the inner one is that of the slab's state */
    ss_cu_event outer_done, inner_done, received, summed;
    ss_cuda_kernel tell, decide; /* of slab_cycles.cuh */
    ss_cuda_control *control;    /* of the slab's own device */
    ss_cuda_control *part;       /* [SS_BANDS] where bands find `stop` and leave their sums */
    double *sums;                /* [SS_BANDS][2] those sums */
    double *copies; /* [slab][SS_BANDS][2] of all slabs, where devices cannot read them */
    /* The last cycle of a period updates the inner rows and the two edges by themselves; */
    ss_cuda_band edge[SS_BANDS];
    /* the others update all rows of the slab, and halo[south or north][rows - 1] with them. */
    ss_cuda_band whole;
    ss_cuda_band *halo[SS_BANDS];
} slab_plan;

typedef struct plan {
    ss_cuda_division d;
    int slabs;
    int phase; /* of the next cycle of a period that is enqueued */
    int last;  /* the array that the last cycle enqueued writes */
    ss_cu_event forked;
    double measured;    /* host clock at the last measurement */
    bool timing, timed; /* this cycle is measured; one was in this step */
    slab_plan slab[SS_CUDA_DEVICES_MAX];
} plan;

static plan *plan_of(const ss_run *run)
{
    return ss_cuda_plan_of(run)->own;
}

static int device_of(const ss_run *run, int slab)
{
    return ss_cuda_device_of(&ss_cuda_slabs_of(run)->of[slab]);
}

static ss_cu_stream inner_of(const ss_run *run, int slab)
{
    return ss_cuda_of(&ss_cuda_slabs_of(run)->of[slab].run)->stream;
}

static bool has_rows(const ss_cuda_band *b)
{
    return b->state.box.ny > 0;
}

/* Calls f for all bands that have rows, until it fails. */
static int each_band(const ss_run *run, int (*f)(const ss_run *run, ss_cuda_band *b, ss_err *err),
                     ss_err *err)
{
    plan *p = plan_of(run);
    for (int i = 0; i < p->slabs; i++) {
        slab_plan *s = &p->slab[i];
        for (int side = 0; side < SS_BANDS; side++) {
            if (has_rows(&s->edge[side]) && f(run, &s->edge[side], err) != SS_OK)
                return SS_FAIL;
            for (int rows = 1; s->halo[side] && rows < p->d.period; rows++)
                if (has_rows(&s->halo[side][rows - 1]) &&
                    f(run, &s->halo[side][rows - 1], err) != SS_OK)
                    return SS_FAIL;
        }
        if (has_rows(&s->whole) && f(run, &s->whole, err) != SS_OK)
            return SS_FAIL;
    }
    return SS_OK;
}

/* --- events ----------------------------------------------------------------------------------- */

static void wait_for(ss_cu_stream stream, ss_cu_event event)
{
    ss_cuda_note(ss_cu->stream_wait_event(stream, event, 0));
}

static void record(ss_cu_event event, ss_cu_stream stream)
{
    ss_cuda_note(ss_cu->event_record(event, stream));
}

/* --- the decision ----------------------------------------------------------------------------- */

/* The sums of slab `of` where the device of slab `to`, the current one, can read them. */
static const double *sums_for(const ss_run *run, int to, int of, ss_cu_stream stream)
{
    const plan *p = plan_of(run);
    double *copy = p->slab[to].copies + 2 * SS_BANDS * of;
    if (ss_cuda_slabs_of(run)->peers || to == of)
        return p->slab[of].sums;
    ss_cuda_note(ss_cu->copy(copy, p->slab[of].sums, 2 * SS_BANDS * sizeof *copy, stream));
    return copy;
}

static void decide_everywhere(const ss_run *run, int bands)
{
    plan *p = plan_of(run);
    for (int i = 0; i < p->slabs; i++) {
        slab_plan *s = &p->slab[i];
        wait_for(s->outer, s->inner_done);
        record(s->summed, s->outer);
    }
    for (int i = 0; i < p->slabs; i++) {
        slab_plan *s = &p->slab[i];
        ss_slab_sums sums = {{NULL}, p->slabs, bands};
        ss_cuda_use(device_of(run, i));
        for (int k = 0; k < p->slabs; k++) {
            if (k != i)
                wait_for(s->outer, p->slab[k].summed);
            sums.of[k] = sums_for(run, i, k, s->outer);
        }
        ss_cuda_launch_kernel(&s->decide, s->outer, SS_ARGUMENTS(&s->control, &s->part, &sums));
        record(s->outer_done, s->outer);
    }
}

/* --- a cycle ---------------------------------------------------------------------------------- */

static void launch_band(const ss_cuda_band *b, int parity, bool norm, ss_cu_stream stream)
{
    if (has_rows(b))
        ss_cuda_plan_of(&b->run)->launch(&b->run, parity, norm, stream);
}

/* Records a time, if this cycle is measured. */
static void note_time(const plan *p, int slab, int which, ss_cu_stream stream)
{
    if (p->timing)
        record(p->slab[slab].time[which], stream);
}

static void launch_slab(const ss_run *run, int i, int parity, bool norm, bool last)
{
    plan *p = plan_of(run);
    slab_plan *s = &p->slab[i];
    int beyond = p->d.period - 1 - p->phase; /* rows of the halo that later cycles need */
    ss_cu_stream inner = inner_of(run, i);
    wait_for(s->outer, s->inner_done);
    wait_for(inner, s->outer_done);
    if (!last) /* all rows of the slab, which read the halo as well */
        wait_for(inner, s->received);
    for (int k = i - 1; k <= i + 1 && p->d.period > 1; k += 2)
        if (k >= 0 && k < p->slabs)
            wait_for(s->outer, p->slab[k].received);
    note_time(p, i, OUTER_BEGINS, s->outer);
    for (int side = SS_BAND_SOUTH; side < SS_BANDS; side++)
        if (last)
            launch_band(&s->edge[side], parity, norm, s->outer);
        else if (s->halo[side])
            launch_band(&s->halo[side][beyond - 1], parity, false, s->outer);
    note_time(p, i, EDGES_END, s->outer);
    record(s->outer_done, s->outer);
    note_time(p, i, INNER_BEGINS, inner);
    launch_band(last ? &s->edge[SS_BAND_INNER] : &s->whole, parity, norm, inner);
    note_time(p, i, INNER_ENDS, inner);
    record(s->inner_done, inner);
}

static void receive_everywhere(const ss_run *run, int array)
{
    plan *p = plan_of(run);
    for (int i = 0; i < p->slabs; i++) {
        ss_cu_stream outer = p->slab[i].outer;
        ss_cuda_use(device_of(run, i));
        for (int k = i - 1; k <= i + 1; k += 2)
            if (k >= 0 && k < p->slabs)
                wait_for(outer, p->slab[k].outer_done);
        ss_cuda_slab_receive(ss_cuda_slabs_of(run), i, array, outer);
        note_time(p, i, HALO_ARRIVED, outer);
        record(p->slab[i].received, outer);
    }
}

static void launch(const ss_run *run, int parity, bool norm, ss_cu_stream stream)
{
    plan *p = plan_of(run);
    bool last = p->phase + 1 == p->d.period;
    int capture = SS_CU_NOT_CAPTURING;
    ss_cuda_note(ss_cu->capture_status(stream, &capture));
    bool single = capture == SS_CU_NOT_CAPTURING;
    p->timing = last && single && ss_cuda_plan_of(run)->alone > 0;
    p->timed = p->timed || p->timing;
    ss_cuda_in_order = true;
    for (int i = 0; i < p->slabs; i++)
        launch_slab(run, i, parity, norm, last);
    p->last = 1 - parity;
    p->phase = last ? 0 : p->phase + 1;
    if (last)
        receive_everywhere(run, p->last);
    p->timing = false;
    if (norm)
        decide_everywhere(run, last ? SS_BANDS : 1);
    ss_cuda_in_order = false;
}

/* --- several cycles --------------------------------------------------------------------------- */

/* Before the first cycle of a step: each device gets a control block of its own. */
static void begin(const ss_run *run, int parity, ss_cu_stream stream)
{
    const ss_cuda_control *first = ss_cuda_of(run)->control;
    (void)parity;
    for (int i = 1; i < plan_of(run)->slabs; i++)
        ss_cuda_note(ss_cu->copy(plan_of(run)->slab[i].control, first,
                                 sizeof *first - sizeof first->norm, stream));
}

/* All streams of all slabs go on where `stream` is. */
static void fork(const ss_run *run, ss_cu_stream stream)
{
    plan *p = plan_of(run);
    p->phase = 0;
    record(p->forked, stream);
    for (int i = 0; i < p->slabs; i++) {
        slab_plan *s = &p->slab[i];
        ss_cu_stream inner = inner_of(run, i);
        wait_for(s->outer, p->forked);
        wait_for(inner, p->forked);
        ss_cuda_launch_kernel(&s->tell, s->outer, SS_ARGUMENTS(&s->control, &s->part));
        record(s->outer_done, s->outer);
        record(s->received, s->outer);
        record(s->inner_done, inner);
    }
}

/* `stream` goes on when all slabs have ended their cycles. In the middle of a period the halos are
 * received, so that the next cycle begins a period. */
static void join(const ss_run *run, ss_cu_stream stream)
{
    plan *p = plan_of(run);
    for (int i = 0; i < p->slabs; i++) {
        slab_plan *s = &p->slab[i];
        wait_for(s->outer, s->inner_done);
        record(s->outer_done, s->outer);
    }
    if (p->phase > 0)
        receive_everywhere(run, p->last);
    p->phase = 0;
    for (int i = 0; i < p->slabs; i++) {
        record(p->slab[i].outer_done, p->slab[i].outer);
        wait_for(stream, p->slab[i].outer_done);
    }
}

/* A band has the config and the coefficients of the run. */
static int follow(const ss_run *run, ss_cuda_band *b, ss_err *err)
{
    (void)err;
    ss_cuda_band_follow(b, run);
    return SS_OK;
}

static int enter(ss_run *run, ss_err *err)
{
    plan *p = plan_of(run);
    bool due = ss_clock() - p->measured > MEASURE_SECONDS;
    ss_cuda_plan_of(run)->alone = due ? p->d.period : 0;
    p->timed = false;
    each_band(run, follow, err);
    return ss_cuda_slabs_refresh(run, err);
}

/* *cycle: from the begin of the slab's edges to the end of its last work. */
static int measure_slab(const slab_plan *s, ss_share *out, double *cycle, ss_err *err)
{
    double received = 0, ended = 0;
    const ss_cu_event *at = s->time;
    if (ss_cuda_seconds(at[INNER_BEGINS], at[INNER_ENDS], &out->interior, err) != SS_OK ||
        ss_cuda_seconds(at[OUTER_BEGINS], at[EDGES_END], &out->edge, err) != SS_OK ||
        ss_cuda_seconds(at[EDGES_END], at[HALO_ARRIVED], &out->exchange, err) != SS_OK ||
        ss_cuda_seconds(at[OUTER_BEGINS], at[HALO_ARRIVED], &received, err) != SS_OK ||
        ss_cuda_seconds(at[OUTER_BEGINS], at[INNER_ENDS], &ended, err) != SS_OK)
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
static int make_band(const ss_run *run, int slab, int lo, int hi, int part, ss_cuda_band *b,
                     ss_err *err)
{
    plan *p = plan_of(run);
    return lo < hi ? ss_cuda_band_make(b, run, ss_cuda_of(&ss_cuda_slabs_of(run)->of[slab].run), lo,
                                       hi, p->slab[slab].part + part, p->d.prepare, err)
                   : SS_OK;
}

/* The bands of a halo, each some rows of it. */
static int make_halo(const ss_run *run, int i, int side, ss_err *err)
{
    plan *p = plan_of(run);
    int ny = p->d.cut[i + 1] - p->d.cut[i];
    bool south = side == SS_BAND_SOUTH;
    ss_cuda_band *halo = calloc((size_t)p->d.period - 1, sizeof *halo);
    p->slab[i].halo[side] = halo;
    if (!halo)
        return ss_fail(err, "out of memory");
    for (int rows = 1; rows < p->d.period; rows++)
        if (make_band(run, i, south ? -rows : ny, south ? 0 : ny + rows, side, &halo[rows - 1],
                      err) != SS_OK)
            return SS_FAIL;
    return SS_OK;
}

static int make_bands(const ss_run *run, int i, ss_err *err)
{
    plan *p = plan_of(run);
    slab_plan *s = &p->slab[i];
    const ss_cuda_division *d = &p->d;
    int ny = d->cut[i + 1] - d->cut[i], south = d->south[i], north = d->north[i];
    if (make_band(run, i, south, ny - north, SS_BAND_INNER, &s->edge[SS_BAND_INNER], err) !=
            SS_OK ||
        make_band(run, i, 0, south, SS_BAND_SOUTH, &s->edge[SS_BAND_SOUTH], err) != SS_OK ||
        make_band(run, i, ny - north, ny, SS_BAND_NORTH, &s->edge[SS_BAND_NORTH], err) != SS_OK)
        return SS_FAIL;
    if (d->period == 1)
        return SS_OK;
    if (make_band(run, i, 0, ny, SS_BAND_INNER, &s->whole, err) != SS_OK ||
        (i > 0 && make_halo(run, i, SS_BAND_SOUTH, err) != SS_OK))
        return SS_FAIL;
    return i + 1 < p->slabs ? make_halo(run, i, SS_BAND_NORTH, err) : SS_OK;
}

static int make_events(slab_plan *s, ss_cuda_kept *kept, ss_err *err)
{
    ss_cu_event *order[] = {&s->outer_done, &s->inner_done, &s->received, &s->summed};
    if (ss_cuda_keep_stream_first(kept, &s->outer, err) != SS_OK)
        return SS_FAIL;
    for (size_t i = 0; i < sizeof order / sizeof *order; i++)
        if (ss_cuda_keep_event(kept, order[i], SS_CU_NO_TIMING, err) != SS_OK)
            return SS_FAIL;
    for (int i = 0; i < TIMES; i++)
        if (ss_cuda_keep_event(kept, &s->time[i], 0, err) != SS_OK)
            return SS_FAIL;
    return SS_OK;
}

/* The control blocks of the bands, and where they leave their sums. */
static int make_sums(slab_plan *s, int slabs, ss_cuda_kept *kept, ss_err *err)
{
    ss_cuda_control part[SS_BANDS];
    const double none[2 * SS_BANDS] = {0}; /* bands without rows leave none */
    if (ss_cuda_keep_copy(kept, (void **)&s->sums, none, sizeof none, "the norms", err) != SS_OK ||
        ss_cuda_keep(kept, (void **)&s->copies, (size_t)slabs * sizeof none, "the norms", err) !=
            SS_OK)
        return SS_FAIL;
    memset(part, 0, sizeof part);
    for (int side = 0; side < SS_BANDS; side++)
        part[side].part = s->sums + 2 * side;
    return ss_cuda_keep_copy(kept, (void **)&s->part, part, sizeof part, "the norms", err);
}

static int find_decision(slab_plan *s, ss_err *err)
{
    static const char file[] = "device/slab_cycles.cuh";
    s->tell.ordinary = s->decide.ordinary = true;
    return ss_cuda_kernel_get(&s->tell, err, file, "tell_parts") == SS_OK
               ? ss_cuda_kernel_get(&s->decide, err, file, "decide_parts")
               : SS_FAIL;
}

static int make_slab(const ss_run *run, int i, ss_err *err)
{
    plan *p = plan_of(run);
    slab_plan *s = &p->slab[i];
    ss_cuda_kept *kept = &ss_cuda_plan_of(run)->kept;
    const ss_cuda_state *st = ss_cuda_of(&ss_cuda_slab_of(run, i)->run);
    ss_cuda_use(st->device);
    s->control = i == 0 ? ss_cuda_of(run)->control : st->control;
    if (make_events(s, kept, err) != SS_OK || make_sums(s, p->slabs, kept, err) != SS_OK ||
        find_decision(s, err) != SS_OK)
        return SS_FAIL;
    return make_bands(run, i, err);
}

static int make_slabs(ss_run *run, ss_err *err)
{
    plan *p = plan_of(run);
    if (ss_cuda_keep_event(&ss_cuda_plan_of(run)->kept, &p->forked, SS_CU_NO_TIMING, err) != SS_OK)
        return SS_FAIL;
    p->measured = ss_clock();
    for (int i = 0; i < p->slabs; i++)
        if (make_slab(run, i, err) != SS_OK)
            return SS_FAIL;
    run->tile_bytes = p->slab[0].edge[SS_BAND_INNER].run.tile_bytes;
    run->tile_room = p->slab[0].edge[SS_BAND_INNER].run.tile_room;
    return SS_OK;
}

static int find_band(const ss_run *run, ss_cuda_band *b, ss_err *err)
{
    (void)run;
    ss_cuda_use(b->state.device);
    return ss_cuda_plan_find(&b->run, err);
}

/* The kernels of the bands, which have followed the run: see `enter`. */
static int find(ss_run *run, ss_err *err)
{
    return each_band(run, find_band, err);
}

static int release_band(const ss_run *run, ss_cuda_band *b, ss_err *err)
{
    (void)run, (void)err;
    ss_cuda_release(&b->run);
    return SS_OK;
}

static void close(ss_run *run)
{
    plan *p = plan_of(run);
    each_band(run, release_band, NULL);
    for (int i = 0; i < p->slabs; i++)
        for (int side = 0; side < SS_BANDS; side++)
            free(p->slab[i].halo[side]);
}

static int prepare(ss_run *run, const ss_cuda_division *d, ss_err *err)
{
    if (ss_cuda_slabs_divide(run, d->cut, d->depth, err) != SS_OK ||
        ss_cuda_plan_make(run, sizeof(plan), err) != SS_OK)
        return SS_FAIL;
    ss_cuda_plan *c = ss_cuda_plan_of(run);
    plan *p = c->own;
    p->d = *d;
    p->slabs = ss_cuda_slabs_of(run)->count;
    c->close = close;
    c->find = find;
    c->begin = begin;
    c->fork = fork;
    c->join = join;
    c->enter = enter;
    c->leave = leave;
    if (ss_cuda_plan_cycles(run, launch, 1, err) != SS_OK)
        return SS_FAIL;
    c->graphs =
        c->graphs && ss_cuda_slabs_of(run)->peers; /* copies through the host stay outside */
    return make_slabs(run, err);
}

int ss_cuda_divided_prepare(ss_run *run, const ss_cuda_division *d, ss_err *err)
{
    if (prepare(run, d, err) == SS_OK)
        return SS_OK;
    ss_cuda_release(run);
    return SS_FAIL;
}
