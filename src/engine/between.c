/* The states inside a cycle: see lane.h. */
#include "src/engine/lane.h"

#include <stdlib.h>
#include <string.h>

#include "src/run/checkpoint.h"

enum {
    STEPS_MAX = 256, /* between two snapshots: a run at full speed passes by */
    POINTS_MAX = 4096
};
#define SECONDS_MAX 4e-3 /* for all steps of a snapshot, unless deterministic */

/* Does the snapshot's run have states that only its classic solver can show? */
static bool is_wanted(const ss_engine *e, const ss_snapshot *s, const ss_run *run)
{
    return s->view.raster && s->view.layer == SS_VALUE && s->picture.w > 0 &&
           run->eq->kind == SS_TRANSIENT && run->solver->classic && s->steps > 1 &&
           run->problem.nx <= POINTS_MAX && run->peek == 0 && !e->race.on &&
           run->status != SS_DIVERGED && run->status != SS_FAILED;
}

static ss_run *classic_of(ss_engine *e, const ss_run *run)
{
    ss_between_run *b = &e->between;
    ss_config cfg;
    ss_err err;
    if (b->run && b->load == run->load && memcmp(&b->cfg, &run->cfg, sizeof b->cfg) == 0)
        return b->run;
    ss_between_free(e);
    b->cfg = run->cfg;
    b->load = run->load;
    if (ss_classic_config(e, run, &cfg, &err) == SS_OK)
        b->run = ss_run_open(&cfg, run->load, run->rhs, &err);
    return b->run;
}

void ss_between_free(ss_engine *e)
{
    ss_run_close(e->between.run);
    e->between = (ss_between_run){.run = NULL};
}

/* The number of steps since the last snapshot, if their states can be computed; else 0. */
static int64_t steps_since(const ss_engine *e, const ss_lane *lane)
{
    const ss_between_run *b = &e->between;
    const ss_run *run = lane->run;
    bool same = b->level && b->lane == e->shown && b->began == run->began &&
                b->change == lane->pushed && !lane->stroking;
    int64_t steps = run->step - b->step;
    double most = e->setup.deterministic || b->each <= 0 ? STEPS_MAX : SECONDS_MAX / b->each;
    return same && steps > 1 && steps <= STEPS_MAX && (double)steps <= most ? steps : 0;
}

/* The values of the snapshot's picture, of another run. */
static bool sample(ss_run *run, const ss_snapshot *s, float *cell)
{
    static _Thread_local uint8_t owner[SS_LINE_MAX]; /* too large for the stack of a thread */
    static _Thread_local ss_picture picture;
    ss_err err;
    ss_view view = s->view;
    view.probe_x = view.probe_y = view.tile_x = view.tile_y = -1;
    view.w = s->picture.w, view.h = 1;
    picture = (ss_picture){.cell = cell, .owner = owner, .w = view.w, .h = 1};
    return run->backend->sample(run, &view, &picture, &err) == SS_OK;
}

/* Every state, or evenly spread ones. */
static void fill(ss_between_run *b, ss_snapshot *s, int64_t steps)
{
    int64_t stride = (steps + SS_BETWEEN_MAX - 1) / SS_BETWEEN_MAX;
    double dt = b->run->problem.dt, began = ss_clock();
    ss_between *out = &s->between;
    ss_err err;
    for (int64_t i = stride; i < steps && out->n < SS_BETWEEN_MAX; i += stride) {
        if (ss_run_step(b->run, stride, &err) != SS_OK || b->run->status != SS_RUNNING ||
            !sample(b->run, s, out->cell[out->n]))
            return;
        out->time[out->n++] = b->time + (double)i * dt;
    }
    b->each = (ss_clock() - began) / (double)steps;
}

/* The classic run gets the field of the watched one. */
static void make_level(ss_engine *e, ss_lane *lane)
{
    ss_between_run *b = &e->between;
    ss_run *run = lane->run;
    ss_err err;
    char *field = classic_of(e, run) ? ss_field_download(run) : NULL;
    b->level = field && ss_field_upload(b->run, field, &err) == SS_OK;
    b->step = run->step, b->time = run->time;
    b->began = run->began, b->change = lane->pushed;
    b->lane = e->shown;
    free(field);
}

void ss_between_publish(ss_engine *e, ss_snapshot *s)
{
    ss_lane *lane = &e->lane[e->shown];
    ss_between_run *b = &e->between;
    s->between.n = 0;
    s->between.each = 0;
    if (!is_wanted(e, s, lane->run)) {
        b->level = false;
        return;
    }
    if (s->picture.w > SS_LINE_MAX || !classic_of(e, lane->run))
        return;
    s->between.each = b->run->problem.dt;
    if (b->level && b->began == lane->run->began && b->step == lane->run->step)
        return;
    int64_t steps = steps_since(e, lane);
    if (steps > 0)
        fill(b, s, steps);
    else
        b->each *= 0.9; /* it may have been measured while the machine was busy */
    make_level(e, lane);
}
