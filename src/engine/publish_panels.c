/* The staleness cone and the spectrum of the error in a snapshot: see lane.h. Engine thread only.
 */
#include "src/engine/lane.h"

#include <stdlib.h>
#include <string.h>

/* --- the cone, once per cycle and block ---------------------------------------------------------
 */

/* Is it that of this cycle, and of the block and probe that are selected? */
static bool is_of_cycle(const ss_cone_memo *m, const ss_engine *e, int64_t start)
{
    const ss_lane *lane = &e->lane[e->shown];
    return m->cone && m->lane == e->shown && m->cycle == start && m->began == lane->run->began &&
           m->change == lane->pushed;
}

static bool is_of_view(const ss_cone_memo *m, const ss_view *v)
{
    return m->view.tile_x == v->tile_x && m->view.tile_y == v->tile_y &&
           m->view.probe_x == v->probe_x && m->view.probe_y == v->probe_y &&
           m->view.slice == v->slice;
}

static bool has_room(ss_cone_memo *m)
{
    if (!m->cone)
        m->cone = calloc(1, sizeof *m->cone);
    if (!m->own)
        m->own = malloc(sizeof(double) * SS_CONE_ROWS * SS_CONE_COLS);
    return m->cone && m->own;
}

/* The block's values are computed apart from the run. Are they the run's, where the block writes?
 * To the precision of a picture, which every backend has of the cycle under the microscope. They
 * are not if a mistake was set on purpose. */
static bool is_that_of_run(const ss_cone_memo *m, ss_run *run)
{
    static _Thread_local ss_picture p; /* too large for the stack of a thread */
    const ss_cone *c = m->cone;
    float cell[SS_CONE_COLS];
    uint8_t owner[SS_CONE_COLS];
    ss_view line = {.layer = SS_VALUE, .slice = m->view.slice, .w = c->span.whi - c->span.wlo};
    ss_err err;
    line.x0 = c->span.wlo, line.x1 = c->span.whi;
    line.y0 = run->eq->dim == 1 ? 0 : c->y, line.y1 = line.y0 + 1;
    line.h = 1;
    line.probe_x = line.probe_y = line.tile_x = line.tile_y = -1;
    line.exact = true;
    p = (ss_picture){.cell = cell, .owner = owner, .w = line.w, .h = 1};
    bool same = run->backend->sample(run, &line, &p, &err) == SS_OK;
    const double *own = m->own + (ptrdiff_t)run->peek * (c->span.hi - c->span.lo);
    for (int x = c->span.wlo; x < c->span.whi && same; x++) {
        float computed = (float)own[x - c->span.lo], shown = cell[x - c->span.wlo];
        same = !(computed < shown) && !(computed > shown);
    }
    return same;
}

static void compute(ss_engine *e, ss_cone_memo *m)
{
    const ss_lane *lane = &e->lane[e->shown];
    ss_err err;
    m->view = e->view;
    m->lane = e->shown;
    m->cycle = lane->run->cycle;
    m->began = lane->run->began;
    m->change = lane->pushed;
    if (ss_cone_make(lane->run, &e->view, m->cone, m->own, &err) != SS_OK)
        m->cone->there = false, m->cone->why = "the cone could not be computed";
}

static void copy(const ss_cone_memo *m, int now, ss_cone *to)
{
    const ss_cone *c = m->cone;
    size_t values = c->there ? (size_t)(c->k + 1) * (size_t)c->n : 0;
    memcpy(to, c, offsetof(ss_cone, cell));
    memcpy(to->cell, c->cell, values * sizeof *c->cell);
    to->now = now;
}

static void publish_cone(ss_engine *e, ss_snapshot *s)
{
    ss_lane *lane = &e->lane[e->shown];
    ss_run *run = lane->run;
    ss_cone_memo *m = &e->cone;
    s->cone.there = false;
    s->cone.why = NULL;
    if (run->eq->kind != SS_STEADY || !run->solver->tiling)
        return; /* a run without blocks needs no reason */
    if (e->race.on || run->status == SS_DIVERGED || run->status == SS_FAILED)
        return;
    bool ended = run->peek == 0 && lane->scale.end == run->cycle;
    if (ended && is_of_cycle(m, e, run->cycle - 1) && is_of_view(m, &e->view))
        copy(m, m->cone->k, &s->cone);
    bool next = e->setup.cones && !s->cone.there;
    if ((run->peek == 0 && !next) || run->ticks_per_cycle < 2 || !has_room(m))
        return;
    if (!is_of_cycle(m, e, run->cycle) || !is_of_view(m, &e->view))
        compute(e, m);
    copy(m, run->peek, &s->cone);
    if (!s->cone.there || !s->cone.wedge || is_that_of_run(m, run))
        return;
    s->cone.there = false;
    s->cone.why = "this run makes a mistake on purpose (fault): the cone shows correct blocks only";
}

static void end_cone(ss_engine *e)
{
    ss_cone_memo *m = &e->cone;
    free(m->cone);
    free(m->own);
    *m = (ss_cone_memo){.cone = NULL};
}

const ss_feature ss_cone_feature = {.publish = publish_cone, .end = end_cone};

/* --- the spectrum ----------------------------------------------------------------------------- */

#define SHARE 60 /* least time between transforms, in units of a transform's time */

/* Why a run has no spectrum, a sentence; NULL: it has one. */
static const char *no_bands(const ss_run *run)
{
    if (run->eq->kind != SS_STEADY)
        return "a time-dependent run has no error by frequency";
    if (!run->eq->exact)
        return "the exact discrete solution of this problem is unknown";
    if (!ss_bands_fit(&run->problem))
        return "error by frequency: up to 2048 points, 1024² or 128³ only";
    return NULL;
}

bool ss_publish_wants_exact(const ss_run *run, const ss_view *view)
{
    return view->spectrum && !no_bands(run);
}

/* Is the last spectrum recent enough? While the solver runs, the clock decides; idle and
 * deterministic runs need that of the current cycle. */
static bool is_fresh(const ss_snapshot *s, const ss_lane *lane)
{
    const ss_error_bands *last = &lane->spectrum;
    bool same = last->cycle == lane->run->cycle && last->peek == lane->run->peek;
    if (last->began != lane->run->began)
        return false;
    bool idle = s->paused || lane->run->status != SS_RUNNING || s->deterministic;
    return last->now.n > 0 && (same || (!idle && ss_clock() < last->next));
}

static void measure(ss_snapshot *s, ss_lane *lane, const double *exact)
{
    ss_error_bands *last = &lane->spectrum;
    ss_run *run = lane->run;
    double began = ss_clock();
    if (is_fresh(s, lane))
        return;
    if (run->began != last->began) /* the run has started again */
        last->start.n = 0;
    last->began = run->began;
    last->cycle = run->cycle;
    last->peek = run->peek;
    if (last->start.n == 0 && !run->load)
        ss_bands_measure(run, exact, true, &last->start, NULL);
    ss_bands_measure(run, exact, false, &last->now, NULL);
    last->next = ss_clock() + SHARE * (ss_clock() - began);
}

void ss_publish_racer_bands(ss_snapshot *s, ss_lane *lane, ss_lane *shown, ss_bands *out)
{
    const double *exact = ss_run_reference(shown->run);
    *out = (ss_bands){.n = 0};
    if (s->bands.n == 0 || !exact || lane->run->status == SS_DIVERGED)
        return;
    measure(s, lane, exact);
    *out = lane->spectrum.now;
}

void ss_publish_bands(ss_snapshot *s, ss_lane *lane)
{
    const ss_run *run = lane->run;
    const double *exact = ss_run_reference(run);
    s->bands = s->bands_start = (ss_bands){.n = 0};
    s->bands_why = no_bands(run);
    if (!ss_publish_wants_exact(run, &s->view) || !exact || run->status == SS_DIVERGED)
        return;
    measure(s, lane, exact);
    s->bands = lane->spectrum.now;
    s->bands_cycle = lane->spectrum.cycle;
    s->bands_start = lane->spectrum.start;
}
