/* 3D runs in a snapshot: see lane.h. */
#include "src/engine/lane.h"

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

void ss_publish_slice_layers(const char *why[SS_NLAYER], const ss_run *run)
{
    if (run->eq->dim < 3) {
        why[SS_UPDATE] = "the change per cycle is a layer of 3D problems only";
        return;
    }
    why[SS_STALENESS] = "every block is solved exactly from its neighbours' current values";
    why[SS_AGE] = "all blocks are relaxed once per cycle";
}
