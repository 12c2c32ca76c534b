/*
 * The edge profile: mean |layer| by position within a subdomain, along x and along y, over up to 64
 * whole tiles of the window. Staleness comes from the private values, so the overlap that a tile
 * throws away is there too; the other layers from the shown field. Engine thread.
 *
 * Convention: every whole tile of the choice counts, those at the domain's edge too (their outer
 * side never grows stale and lowers the mean). This is the convention of the reference figures:
 * 1D, n = 1024, k = 32, tenth cycle, mean over all 32 blocks. Truncated tiles count only if there
 * are no others.
 */
#include <math.h>
#include <string.h>

#include "kernels/cpu/sample.h"

#define BUDGET (1024.0 * 1024) /* bytes read for a live profile */

static int positions(ss_cut cut)
{
    return cut.n < cut.block ? cut.n : cut.block;
}

static bool is_whole(const ss_tile *t, const ss_tile_set *set)
{
    return t->x.hi - t->x.lo == positions(set->cut_x) && t->y.hi - t->y.lo == positions(set->cut_y);
}

static bool any_whole(const ss_tile_set *set)
{
    for (int i = 0; i < set->count; i++)
        if (is_whole(&set->tile[i], set))
            return true;
    return false;
}

typedef struct sums {
    double sum[2][SS_PROFILE_MAX], count[2][SS_PROFILE_MAX];
} sums;

/* Values of row y of tile i. */
static void tile_row(const ss_sampler *s, const ss_tile_set *set, int i, int y, double *v)
{
    const ss_tile *t = &set->tile[i];
    int n = t->x.hi - t->x.lo;
    if (set != &s->stale.set) {
        ss_layer_rows_of[s->view->layer].row(s, y, t->x.lo, t->x.hi, v);
        return;
    }
    const float *row = s->stale.value[i] + (ptrdiff_t)(y - t->y.lo) * n;
    for (int x = 0; x < n; x++)
        v[x] = (double)row[x];
}

static void add_row(sums *p, int position, const double *v, int n)
{
    double total = 0;
    for (int x = 0; x < n; x++) {
        double one = fabs(v[x]);
        total += one;
        if (x < SS_PROFILE_MAX) {
            p->sum[0][x] += one;
            p->count[0][x] += 1;
        }
    }
    if (position < SS_PROFILE_MAX) {
        p->sum[1][position] += total;
        p->count[1][position] += n;
    }
}

/* Pairs of rows, `step` apart: 2 is every row. */
static void add_tiles(ss_sampler *s, const ss_tile_set *set, int step, sums *p)
{
    bool whole_only = any_whole(set);
    for (int i = 0; i < set->count; i++) {
        const ss_tile *t = &set->tile[i];
        if (whole_only && !is_whole(t, set))
            continue;
        for (int y = t->y.lo; y < t->y.hi; y++) {
            if ((y - t->y.lo) % step >= 2)
                continue;
            tile_row(s, set, i, y, s->row);
            add_row(p, y - t->y.lo, s->row, t->x.hi - t->x.lo);
        }
    }
}

/* Means; a position whose rows were left out takes the value before it. */
static void finish(const sums *p, int axis, int n, ss_picture *out)
{
    double last = (double)NAN;
    n = n < SS_PROFILE_MAX ? n : SS_PROFILE_MAX;
    for (int i = 0; i < n; i++) {
        if (p->count[axis][i] > 0)
            last = p->sum[axis][i] / p->count[axis][i];
        out->profile[axis][i] = (float)last;
    }
    out->nprofile[axis] = n;
}

/* Tiles of the shown field: as many as the budget reads, and of a tile beyond it fewer rows. */
static int choose(const ss_sampler *s, ss_tile_set *set)
{
    double reads = ss_layer_rows_of[s->view->layer].reads;
    double bytes =
        (double)positions(s->tiling.x) * positions(s->tiling.y) * (double)s->size * reads;
    double tiles = s->view->exact ? SS_TILES_MAX : BUDGET / bytes;
    ss_sample_tiles(s, tiles < SS_TILES_MAX ? (int)tiles : SS_TILES_MAX, set);
    return tiles < 1 ? 2 * (int)ceil(1 / tiles) : 2;
}

void ss_sample_profile(ss_sampler *s, ss_picture *out)
{
    const ss_layer_rows *layer = &ss_layer_rows_of[s->view->layer];
    bool stale = s->view->layer == SS_STALENESS && s->stale.set.count > 0;
    ss_tile_set chosen;
    const ss_tile_set *set = &s->stale.set;
    int step = 2;
    out->nprofile[0] = out->nprofile[1] = 0;
    if (!s->tiled || !(stale || (layer->row && layer->ready(s))))
        return;
    if (!stale) {
        step = choose(s, &chosen);
        set = &chosen;
    }
    sums p;
    memset(&p, 0, sizeof p);
    add_tiles(s, set, step, &p);
    finish(&p, 0, positions(s->tiling.x), out);
    if (s->run->eq->dim > 1)
        finish(&p, 1, positions(s->tiling.y), out);
}
