/* What runs of one and of three dimensions add to a snapshot, and the layers that a run does not
 * have: see lane.h. Engine thread only. */
#include "src/engine/lane.h"

#include <math.h>
#include <string.h>
#include <limits.h>
#include <stdlib.h>

#include "src/snapshot/snapshot.h"
#include "kernels/geom/patches.h"
#include "kernels/geom/pictures.h"

/* --- time-dependent runs -----------------------------------------------------------------------
 */

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

/* The reasons why some layers do not exist for these runs. */
static void line_layers(const char *why[SS_NLAYER], const ss_run *run)
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

/* --- slices of 3D runs ------------------------------------------------------------------------ */

/* --- outlines --------------------------------------------------------------------------------- */

static void add_edge(ss_edges *e, int at, int end)
{
    int i = e->n;
    if (at <= 0 || at >= end || e->n == SS_EDGE_MAX)
        return;
    while (i > 0 && e->at[i - 1] > at)
        i--;
    if (i > 0 && e->at[i - 1] == at)
        return;
    memmove(e->at + i + 1, e->at + i, (size_t)(e->n - i) * sizeof *e->at);
    e->at[i] = at;
    e->n++;
}

/* The edges of a patch and of its blocks along direction d, one of the picture's two. */
static void add_patch(ss_snapshot *s, const ss_patch *p, const int size[3], int d, int which,
                      int end)
{
    const int n[3] = {p->box.nx, p->box.ny, p->box.nz};
    ss_blocking b = ss_blocking_make(n, size);
    add_edge(&s->patch_edge[which], p->at[d], end);
    add_edge(&s->patch_edge[which], p->at[d] + n[d], end);
    s->block_edge[which].pitch = b.size[d];
    for (int i = 1; b.count[d] > 1 && i < b.count[d]; i++)
        add_edge(&s->block_edge[which], p->at[d] + i * b.size[d], end);
}

static void fill_edges(ss_snapshot *s, const ss_run *run, const ss_slice *slice)
{
    int n = run->eq->patches(&run->problem, NULL), size[3] = {INT_MAX, INT_MAX, INT_MAX};
    ss_patch *patch = malloc((size_t)n * sizeof *patch);
    if (!patch)
        return; /* a picture without outlines */
    run->eq->patches(&run->problem, patch);
    if (run->solver->blocks)
        run->solver->blocks(&run->cfg, size);
    for (int q = 0; q < n; q++) {
        const int extent[3] = {patch[q].box.nx, patch[q].box.ny, patch[q].box.nz};
        int inside = slice->at - patch[q].at[slice->axis];
        for (int w = 0; w < 2 && inside >= 0 && inside < extent[slice->axis]; w++)
            add_patch(s, &patch[q], size, slice->d[w], w, slice->n[w]);
    }
    free(patch);
}

/* --- all of it -------------------------------------------------------------------------------- */

void ss_publish_slice(ss_snapshot *s, ss_lane *lane)
{
    const ss_run *run = lane->run;
    const ss_problem *p = &run->problem;
    memset(s->block_edge, 0, sizeof s->block_edge);
    memset(s->patch_edge, 0, sizeof s->patch_edge);
    if (run->eq->dim < 3)
        return;
    ss_slice slice = ss_slice_make(p->nx, p->ny, p->nz, s->view.axis, s->view.slice);
    s->view.axis = slice.axis;
    s->view.slice = slice.at;
    s->nx = slice.n[0];
    s->ny = slice.n[1];
    s->nz = slice.count;
    fill_edges(s, run, &slice);
}

static void slice_layers(const char *why[SS_NLAYER], const ss_run *run)
{
    if (run->eq->dim < 3) {
        why[SS_UPDATE] = "the change per cycle is a layer of 3D problems only";
        return;
    }
    why[SS_STALENESS] = "every block is solved exactly from its neighbours' current values";
    why[SS_AGE] = "all blocks are relaxed once per cycle";
}

/* --- layers that a run does not have ---------------------------------------------------------- */

void ss_layers_missing(const ss_run *run, const char *why[SS_NLAYER])
{
    bool tiles = run->ops->caps & SS_CAP_TILES, exact = run->eq->exact;
    const char *const any[SS_NLAYER] = {
        [SS_EXACT] = exact ? NULL : "the exact solution of this equation is unknown",
        [SS_ERROR] = exact ? NULL : "the exact solution of this equation is unknown",
        [SS_STALENESS] = tiles ? NULL : "every point of this solver is up to date",
        [SS_AGE] =
            run->ops->caps & SS_CAP_AGE ? NULL : "all tiles of this solver have the same age",
    };
    memcpy(why, any, sizeof any);
    slice_layers(why, run);
    if (run->eq->kind == SS_TRANSIENT)
        line_layers(why, run);
}

bool ss_layer_of_zeros(const ss_run *run, ss_layer layer, ss_picture *p)
{
    bool zeros = layer == SS_STALENESS && run->eq->kind == SS_STEADY && run->eq->dim < 3 &&
                 !(run->ops->caps & SS_CAP_TILES);
    for (size_t i = 0; zeros && i < (size_t)p->w * (size_t)p->h; i++)
        p->cell[i] = 0;
    if (zeros)
        p->lo = p->hi = 0;
    return zeros;
}

const char *ss_no_layer(const ss_run *run, ss_layer layer)
{
    const char *why[SS_NLAYER];
    ss_layers_missing(run, why);
    return why[layer];
}
