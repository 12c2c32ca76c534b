/* 3D runs in a snapshot: see publish_slice.h. */
#include "src/engine/publish_slice.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include <math.h>

#include "kernels/geom/blocking.h"
#include "kernels/geom/slice.h"

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

/* --- the spectrum of the error ---------------------------------------------------------------- */

#define SHARE 60 /* least time between transforms, in units of a transform's time */

bool ss_publish_wants_exact(const ss_run *run, const ss_view *view)
{
    const ss_problem *p = &run->problem;
    return run->eq->dim > 2 && view->spectrum && (double)p->nx * p->ny * p->nz <= SS_BAND_CELLS;
}

/* Is the last spectrum recent enough? While the solver runs, the clock decides; idle and
 * deterministic runs need that of the current cycle. */
static bool is_fresh(const ss_snapshot *s, const ss_lane *lane)
{
    const ss_spectrum3d *last = &lane->spectrum;
    bool same = last->cycle == lane->run->cycle;
    if (last->began != lane->run->began)
        return false;
    bool idle = s->paused || lane->run->status != SS_RUNNING || s->deterministic;
    return last->now.n > 0 && (same || (!idle && ss_clock() < last->next));
}

static void measure(ss_snapshot *s, ss_lane *lane, const double *exact)
{
    ss_spectrum3d *last = &lane->spectrum;
    ss_run *run = lane->run;
    double began = ss_clock();
    if (is_fresh(s, lane))
        return;
    if (run->began != last->began) /* the run has started again */
        last->start.n = 0;
    last->began = run->began;
    last->cycle = run->cycle;
    if (last->start.n == 0 && !run->load)
        ss_bands_measure(run, exact, true, &last->start, NULL);
    ss_bands_measure(run, exact, false, &last->now, NULL);
    last->next = ss_clock() + SHARE * (ss_clock() - began);
}

static void fill_spectrum(ss_snapshot *s, ss_lane *lane)
{
    const double *exact = ss_run_reference(lane->run);
    s->bands = s->bands_start = (ss_bands){.n = 0};
    if (!ss_publish_wants_exact(lane->run, &s->view) || !exact || lane->run->status == SS_DIVERGED)
        return;
    measure(s, lane, exact);
    s->bands = lane->spectrum.now;
    s->bands_start = lane->spectrum.start;
}

/* --- all of it -------------------------------------------------------------------------------- */

void ss_publish_slice(ss_snapshot *s, ss_lane *lane)
{
    const ss_run *run = lane->run;
    const ss_problem *p = &run->problem;
    memset(s->block_edge, 0, sizeof s->block_edge);
    memset(s->patch_edge, 0, sizeof s->patch_edge);
    fill_spectrum(s, lane);
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

void ss_publish_slice_layers(const char *why[SS_NLAYER], const ss_run *run)
{
    if (run->eq->dim < 3) {
        why[SS_UPDATE] = "the change per cycle is a layer of 3D problems only";
        return;
    }
    why[SS_STALENESS] = "every block is solved exactly from its neighbours' current values";
    why[SS_AGE] = "all blocks are relaxed once per cycle";
}
