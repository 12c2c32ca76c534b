/* The scale of a cycle under the microscope: see lane.h. Each subiteration is computed
 * again from the start of the cycle and sampled, the last one first, because staleness is largest
 * there. Until the cycle's end this changes nothing: the field shown is computed again afterwards.
 */
#include "src/engine/lane.h"

#include <math.h>
#include <stdlib.h>

#define SLICE 0.05 /* seconds per snapshot, while a user waits for it */
#define UPDATES_MAX                                                                                \
    2e8 /* the most point updates in a subiteration's picture, for the same reason */

static bool same_picture(const ss_view *a, const ss_view *b)
{
    bool window = !(a->x0 < b->x0) && !(a->x0 > b->x0) && !(a->x1 < b->x1) && !(a->x1 > b->x1) &&
                  !(a->y0 < b->y0) && !(a->y0 > b->y0) && !(a->y1 < b->y1) && !(a->y1 > b->y1);
    return window && a->layer == b->layer && a->field == b->field && a->axis == b->axis &&
           a->slice == b->slice && a->w == b->w && a->h == b->h;
}

/* Is this the scale of the present cycle and layer, under the present parameters? */
static bool is_current(const ss_cycle_scale *c, const ss_lane *lane, const ss_view *view,
                       int64_t start)
{
    return c->begun && c->cycle == start && c->began == lane->run->began &&
           c->change == lane->pushed && same_picture(&c->view, view);
}

static bool can_learn(const ss_engine *e, const ss_run *run, const ss_view *view)
{
    const ss_problem *p = &run->problem;
    double updates = (double)p->nx * p->ny * p->nz * run->ticks_per_cycle;
    bool numbers = view->layer != SS_AGE && view->layer != SS_OWNER;
    return numbers && view->w > 0 && view->h > 0 && run->ops->peek && run->status == SS_RUNNING &&
           run->ticks_per_cycle > 1 && (e->setup.deterministic || updates <= UPDATES_MAX);
}

static void begin(ss_cycle_scale *c, const ss_lane *lane, const ss_view *view)
{
    c->begun = true;
    c->view = *view;
    c->cycle = lane->run->cycle;
    c->began = lane->run->began;
    c->change = lane->pushed;
    c->next = lane->run->ticks_per_cycle;
    c->lo = (double)INFINITY, c->hi = (double)-INFINITY;
}

/* Adds the extremes of subiteration c->next. */
static int learn_one(const ss_engine *e, ss_cycle_scale *c, ss_run *run, ss_err *err)
{
    ss_view view = c->view;
    view.exact = view.exact || e->setup.deterministic || e->finished;
    view.tile_x = view.tile_y = view.probe_x = view.probe_y = -1;
    if (ss_publish_room(&c->picture, &c->room, view.w, view.h) != SS_OK)
        return ss_fail(err, "out of memory: a picture");
    c->picture.w = view.w, c->picture.h = view.h;
    if (run->ops->peek(run, c->next, err) != SS_OK)
        return SS_FAIL;
    run->peek = c->next--;
    if (run->backend->sample(run, &view, &c->picture, err) != SS_OK)
        return SS_FAIL;
    c->lo = fmin(c->lo, c->picture.lo);
    c->hi = fmax(c->hi, c->picture.hi);
    return SS_OK;
}

/* Learns all of it, or what fits into a slice of time. False: it is not known. */
static bool learn(const ss_engine *e, ss_lane *lane)
{
    ss_cycle_scale *c = &lane->scale;
    ss_run *run = lane->run;
    ss_err err;
    if (!can_learn(e, run, &e->view))
        return false;
    if (!is_current(c, lane, &e->view, run->cycle))
        begin(c, lane, &e->view);
    if (c->next == 0)
        return true;
    int shown = run->peek, status = SS_OK;
    double until = ss_clock() + SLICE;
    do
        status = learn_one(e, c, run, &err);
    while (status == SS_OK && c->next > 0 && (e->setup.deterministic || ss_clock() < until));
    run->peek = shown;
    if (shown > 0 && run->ops->peek(run, shown, &err) != SS_OK)
        status = SS_FAIL;
    c->begun = status == SS_OK;
    return c->begun;
}

int ss_scale_tick(const ss_engine *e, ss_lane *lane, ss_err *err)
{
    ss_run *run = lane->run;
    int64_t start = run->cycle;
    if (run->peek == 0)
        lane->scale.begun = false;
    if (run->peek > 0 && run->peek + 1 >= run->ticks_per_cycle)
        learn(e, lane);
    int status = ss_run_tick(run, err);
    lane->scale.end = run->cycle > start ? run->cycle : -1;
    return status;
}

/* The scale of the cycle that is shown, or that a tick has just ended. */
static bool scale_of(const ss_engine *e, ss_lane *lane)
{
    const ss_cycle_scale *c = &lane->scale;
    const ss_run *run = lane->run;
    if (run->peek > 0)
        return learn(e, lane);
    return c->end == run->cycle && is_current(c, lane, &e->view, run->cycle - 1);
}

bool ss_publish_scale(ss_engine *e, ss_snapshot *s)
{
    bool busy = false;
    s->scale = (ss_scale){false, (double)INFINITY, (double)-INFINITY};
    for (int i = 0; i < e->nlane; i++) {
        ss_lane *lane = &e->lane[i];
        if ((i != e->shown && !e->race.on) || !scale_of(e, lane))
            continue;
        s->scale.valid = true;
        s->scale.lo = fmin(s->scale.lo, lane->scale.lo);
        s->scale.hi = fmax(s->scale.hi, lane->scale.hi);
        busy = busy || (lane->run->peek > 0 && lane->scale.next > 0);
    }
    return busy;
}

void ss_scale_free(ss_cycle_scale *c)
{
    free(c->picture.cell);
    free(c->picture.owner);
    *c = (ss_cycle_scale){.begun = false};
}
