/* Time-dependent runs in a snapshot: see lane.h. */
#include "src/engine/lane.h"

#include <math.h>
#include <string.h>

#include "src/base/spectrum.h"

/* At 20 pictures per second, an exact solution may cost this many points. */
#define OVERLAY_POINTS 16384

/* Samples the line with another view than the user's. cell: view->w, at most SS_LINE_MAX. */
static int sample_line(ss_run *run, const ss_view *view, float *cell)
{
    static _Thread_local uint8_t owner[SS_LINE_MAX]; /* too large for the stack of a thread */
    static _Thread_local ss_picture picture;
    ss_err err;
    picture = (ss_picture){.cell = cell, .owner = owner, .w = view->w, .h = 1};
    return run->backend->sample(run, view, &picture, &err) == SS_OK ? view->w : 0;
}

/* The exact value of the shown quantity, per cell of the picture. */
static void fill_exact(ss_snapshot *s, ss_run *run)
{
    ss_view view = s->view;
    view.layer = SS_EXACT;
    view.w = s->picture.w;
    view.probe_x = -1;
    bool wanted = s->view.layer == SS_VALUE && run->status != SS_DIVERGED && run->peek == 0;
    bool room = view.w > 0 && view.w <= SS_LINE_MAX && run->problem.nx <= OVERLAY_POINTS;
    if (wanted && room && ss_run_solution(run, s->view.field, NULL))
        s->nexact = sample_line(run, &view, s->exact);
}

/* Periodic domains only. If the line has more points than cells, each cell is a mean of points. */
static void fill_spectrum(ss_snapshot *s, ss_run *run)
{
    float line[SS_LINE_MAX];
    ss_view view = {.field = s->view.field, .probe_x = -1, .tile_x = -1, .exact = s->view.exact};
    view.w = run->problem.nx < SS_LINE_MAX ? run->problem.nx : SS_LINE_MAX;
    view.h = 1;
    if (!s->view.spectrum || run->eq->bc != SS_BC_PERIODIC || run->status == SS_DIVERGED ||
        sample_line(run, &view, line) == 0)
        return;
    s->nspectrum = view.w / 2 < SS_MODE_MAX ? view.w / 2 : SS_MODE_MAX;
    ss_spectrum(line, view.w, s->nspectrum, s->spectrum);
}

/* The curve goes on to be shown after waves have reached the ends. */
static const char *no_error(const ss_run *run)
{
    const ss_history *h = &run->history;
    bool began = h->count > 0 && isfinite(h->point[0].error);
    return began && !run->painted ? NULL : ss_run_no_error(run);
}

static void fill_watched(ss_snapshot *s, const ss_run *run)
{
    s->nwatched = run->eq->nmonitor;
    for (int i = 0; i < s->nwatched; i++)
        s->watched[i] = (ss_watched){&run->eq->monitors[i], run->watch.first[i], run->watch.now[i],
                                     run->watch.time, ss_run_inflow(run, i)};
}

/* Nodes as subdomains, at their positions at the start of the cycle; the phase of the last tick. */
static void fill_nodes(ss_snapshot *s, const ss_run *run, int selected)
{
    const ss_theatre *t = &s->theatre;
    ss_theatre_fill(&s->theatre, run->solver, &run->cfg, &run->problem, selected, run->peek);
    if (!t->swept)
        return;
    s->tiling = (ss_tiling){ss_cut_make(run->problem.nx, t->block, 0), ss_cut_make(1, 1, 0)};
    if (t->phase > SS_PHASE_START)
        s->phase = run->solver->phases[t->phase - SS_PHASE_TRIANGLE];
}

void ss_publish_line(ss_snapshot *s, ss_run *run, int selected)
{
    s->quantities = run->eq->quantities;
    s->nquantity = run->eq->nquantity;
    s->nexact = s->nspectrum = s->nwatched = 0;
    fill_nodes(s, run, selected);
    if (run->eq->kind != SS_TRANSIENT)
        return;
    if (s->view.field >= ss_quantities(run->eq))
        s->view.field = 0;
    s->levels = run->iterations_per_cycle;
    s->steps = s->levels / run->eq->nstage;
    s->error_why = no_error(run);
    fill_watched(s, run);
    fill_exact(s, run);
    fill_spectrum(s, run);
}

void ss_publish_line_layers(const char *why[SS_NLAYER], const ss_run *run)
{
    const char *unknown = ss_run_no_solution(run);
    const char *const line[SS_NLAYER] = {
        [SS_EXACT] = unknown,
        [SS_ERROR] = unknown,
        [SS_UPDATE] = "the change per cycle is a layer of 3D problems only",
        [SS_RESIDUAL] = "the steps are explicit: there is no residual",
        [SS_STALENESS] = "no point is ever computed from a stale neighbour",
        [SS_AGE] = "all points have the same time at the end of a cycle",
        [SS_OWNER] = "the owner of a point depends on the level: see the diamonds",
    };
    memcpy(why, line, sizeof line);
}
