/*
 * The edge profile: mean |layer| by position within a subdomain, along x and along y, over up to 64
 * whole tiles of the window. The backend sums over each tile, where the field is; this file sums
 * over the tiles. Staleness uses the private values, so it includes the overlap that a tile
 * discards; other layers use the displayed field. A mean of staleness along x is over the middle
 * rows, which staleness from below and above has not reached, or reaches last; so is one along y:
 * the middle of a block is 0 there while it is 0 in the picture. Engine thread.
 *
 * Convention: all whole tiles of the set count, including those at the edge of the domain, although
 * their outer side never becomes stale and lowers the mean. The reference figures use the same
 * convention: 1D, n = 1024, k = 32, tenth cycle, mean over all 32 subdomains. Truncated tiles count
 * only if the set has no others.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/sample/parts.h"

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

/* Rows are read in pairs at a distance of `step`. */
static bool is_read(int y, int step)
{
    return y % step < 2;
}

/* --- sums over a tile ------------------------------------------------------------------------- */

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

#define LANES 32 /* as in a warp, so that a device sums in the same order */

static double row_sum(const double *v, int n)
{
    double lane[LANES] = {0};
    for (int x = 0; x < n; x++)
        lane[x % LANES] += fabs(v[x]);
    for (int width = LANES / 2; width > 0; width /= 2)
        for (int l = 0; l < width; l++)
            lane[l] += lane[l + width];
    return lane[0];
}

/* Points [from, to) of a direction of a tile that enter the sums across it. */
typedef struct part {
    int from, to;
} part;

static part part_of(const ss_span *s, int rim)
{
    int n = s->hi - s->lo, out = rim < (n - 1) / 2 ? rim : (n - 1) / 2;
    return (part){out, n - out};
}

static void sum_tile(ss_sampler *s, const ss_tile_set *set, int i, const ss_tile_sums *out)
{
    const ss_tile *t = &set->tile[i];
    int n = t->x.hi - t->x.lo, columns = n < out->ncolumn ? n : out->ncolumn;
    part across = part_of(&t->x, out->rim), up = part_of(&t->y, out->rim);
    double *column = out->columns + (ptrdiff_t)i * out->ncolumn;
    for (int x = 0; x < columns; x++)
        column[x] = 0;
    for (int y = 0; y < t->y.hi - t->y.lo; y++) {
        if (!is_read(y, out->step))
            continue;
        tile_row(s, set, i, t->y.lo + y, s->row);
        for (int x = 0; x < columns && y >= up.from && y < up.to; x++)
            column[x] += fabs(s->row[x]);
        if (out->rows && y < out->nrow)
            out->rows[(ptrdiff_t)i * out->nrow + y] =
                row_sum(s->row + across.from, across.to - across.from);
    }
}

int ss_sample_tile_sums(ss_sampler *s, const ss_tile_set *set, const ss_tile_sums *out, ss_err *err)
{
    (void)err;
    for (int i = 0; i < set->count; i++)
        sum_tile(s, set, i, out);
    return SS_OK;
}

/* --- over all tiles --------------------------------------------------------------------------- */

typedef struct sums {
    double sum[2][SS_PROFILE_MAX], count[2][SS_PROFILE_MAX];
} sums;

static void add_tile(const ss_tile *t, const double *columns, const double *rows,
                     const ss_tile_sums *how, sums *p)
{
    int nx = t->x.hi - t->x.lo, ny = t->y.hi - t->y.lo, read = 0;
    part across = part_of(&t->x, how->rim), up = part_of(&t->y, how->rim);
    for (int y = 0; y < ny; y++) {
        if (!is_read(y, how->step))
            continue;
        read += y >= up.from && y < up.to;
        if (rows && y < how->nrow) {
            p->sum[1][y] += rows[y];
            p->count[1][y] += across.to - across.from;
        }
    }
    for (int x = 0; x < nx && x < how->ncolumn; x++) {
        p->sum[0][x] += columns[x];
        p->count[0][x] += read;
    }
}

static void add_tiles(const ss_tile_set *set, const ss_tile_sums *t, sums *p)
{
    bool whole_only = any_whole(set);
    for (int i = 0; i < set->count; i++)
        if (!whole_only || is_whole(&set->tile[i], set))
            add_tile(&set->tile[i], t->columns + (ptrdiff_t)i * t->ncolumn,
                     t->rows ? t->rows + (ptrdiff_t)i * t->nrow : NULL, t, p);
}

/* Writes the means. A position whose rows were not read takes the previous value. */
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

/* Chooses as many tiles of the displayed field as the budget allows. Returns the step between pairs
 * of rows: more than 2 if one whole tile exceeds the budget. */
static int choose(const ss_sampler *s, ss_tile_set *set)
{
    double reads = ss_layer_rows_of[s->view->layer].reads;
    double bytes =
        (double)positions(s->tiling.x) * positions(s->tiling.y) * (double)s->size * reads;
    double tiles = s->view->exact ? SS_TILES_MAX : s->reader->profile_bytes / bytes;
    ss_sample_tiles(s, tiles < SS_TILES_MAX ? (int)tiles : SS_TILES_MAX, set);
    return tiles < 1 ? 2 * (int)ceil(1 / tiles) : 2;
}

static int clip(int n)
{
    return n < SS_PROFILE_MAX ? n : SS_PROFILE_MAX;
}

/* Sums private values on the host, other layers where the field is. */
static int fill(ss_sampler *s, const ss_tile_set *set, int step, ss_picture *out, ss_err *err)
{
    bool plane = s->run->eq->dim > 1, stale = set == &s->stale.set;
    ss_tile_sums t = {.ncolumn = clip(positions(s->tiling.x)), .step = step};
    t.rim = stale ? s->subiterations - 1 : 0; /* points that staleness spreads from a halo */
    t.nrow = plane ? clip(positions(s->tiling.y)) : 0;
    size_t each = (size_t)t.ncolumn + (size_t)t.nrow;
    t.columns = ss_alloc(each * (size_t)set->count * sizeof *t.columns, "the edge profile", err);
    if (!t.columns)
        return SS_FAIL;
    if (plane)
        t.rows = t.columns + (ptrdiff_t)set->count * t.ncolumn;
    int rc = (stale ? ss_sample_tile_sums : s->reader->tile_sums)(s, set, &t, err);
    if (rc == SS_OK) {
        sums p;
        memset(&p, 0, sizeof p);
        add_tiles(set, &t, &p);
        finish(&p, 0, positions(s->tiling.x), out);
        if (plane)
            finish(&p, 1, positions(s->tiling.y), out);
    }
    free(t.columns);
    return rc;
}

int ss_sample_profile(ss_sampler *s, ss_picture *out, ss_err *err)
{
    const ss_layer_rows *layer = &ss_layer_rows_of[s->view->layer];
    ss_tile_set chosen;
    out->nprofile[0] = out->nprofile[1] = 0;
    if (s->tiled && s->view->layer == SS_STALENESS && s->stale.set.count > 0)
        return fill(s, &s->stale.set, 2, out, err);
    if (!s->tiled || !s->reader->tile_sums || !layer->row || !layer->ready(s))
        return SS_OK;
    int step = choose(s, &chosen);
    return fill(s, &chosen, step, out, err);
}
