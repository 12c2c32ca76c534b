/*
 * The points that each cell of a picture covers, and those that are read. A live picture, 20 per
 * second while the solver runs, must not read all of a large field. Unless the view requests every
 * point, the bytes are limited: pairs of adjacent rows, and if these are still too many, segments
 * of even length. Pairs and even lengths, because the mode that Jacobi damps least alternates from
 * point to point: in any such sample its mean is zero and its residual is visible. The choice of
 * rows depends on sizes only, so that the picture does not flicker. Engine thread.
 */
#include <math.h>
#include <stdlib.h>

#include "src/base/common.h"
#include "kernels/sample/parts.h"
#include "kernels/geom/pictures.h"

static int clamp_floor(double v, int lo, int hi)
{
    return v <= lo ? lo : v >= hi ? hi : (int)floor(v);
}

/* --- boxes: the points that a picture cell covers along one direction ------------------------- */

/* Cell c of the window [from, to) over n points. */
static void make_bin(ss_bins *b, int c, double from, double to, int n)
{
    double step = (to - from) / b->count;
    if (step <= 1) { /* zoomed in: the nearest point */
        double at = floor(from + (to - from) * (c + 0.5) / b->count);
        bool inside = at >= 0 && at < n;
        b->lo[c] = inside ? (int)at : 0;
        b->hi[c] = inside ? (int)at + 1 : 0;
    } else {
        b->lo[c] = clamp_floor(from + (to - from) * c / b->count, 0, n);
        b->hi[c] = clamp_floor(from + (to - from) * (c + 1) / b->count, 0, n);
    }
}

static void find_extent(ss_bins *b, int n)
{
    b->first = n;
    b->last = 0;
    b->single = b->few = true;
    for (int c = 0; c < b->count; c++) {
        int points = b->hi[c] - b->lo[c];
        b->few = b->few && points >= 1 && points <= 2;
        b->single = b->single && b->lo[c] == b->lo[0] + c && b->hi[c] == b->lo[c] + 1;
        if (b->lo[c] == b->hi[c])
            continue;
        b->first = b->lo[c] < b->first ? b->lo[c] : b->first;
        b->last = b->hi[c] > b->last ? b->hi[c] : b->last;
    }
}

static int make_bins(ss_bins *b, int count, double from, double to, int n, ss_err *err)
{
    b->count = count;
    b->lo = ss_alloc(2 * (size_t)count * sizeof *b->lo, "picture", err);
    if (!b->lo)
        return SS_FAIL;
    b->hi = b->lo + count;
    for (int c = 0; c < count; c++)
        make_bin(b, c, from, to, n);
    find_extent(b, n);
    return SS_OK;
}

/* Makes the length of averaged boxes of more than one point even; neighbouring boxes may then share
 * a point. The mean of an alternating mode is then 0 in each box, not +-1/length. */
static void make_even(ss_bins *b, double from, double to, int n)
{
    if (to - from <= b->count)
        return;
    for (int c = 0; c < b->count; c++) {
        if ((b->hi[c] - b->lo[c]) % 2 == 0)
            continue;
        if (b->hi[c] < n)
            b->hi[c]++;
        else if (b->lo[c] > 0)
            b->lo[c]--;
    }
    find_extent(b, n);
}

bool ss_bins_same(const ss_bins *b, int c)
{
    return c > 0 && b->lo[c] == b->lo[c - 1] && b->hi[c] == b->hi[c - 1];
}

/* --- what is read ----------------------------------------------------------------------------- */

/* The number of rows read if each box has at most `most`. */
static double rows_read(const ss_bins *y, int most)
{
    double sum = 0;
    for (int c = 0; c < y->count; c++) {
        int rows = y->hi[c] - y->lo[c];
        sum += ss_bins_same(y, c) ? 0 : rows < most ? rows : most;
    }
    return sum;
}

/* Shrinks the boxes to segments of even length, about `share` of their points and at least one
 * cache line. */
static void shrink_boxes(ss_plan *p, double share, int line)
{
    for (int c = 0; c < p->x.count; c++) {
        int length = p->x.hi[c] - p->x.lo[c];
        int segment = (int)(length * share) / 2 * 2;
        segment = segment < line ? line : segment;
        if (segment >= length)
            continue;
        int at = ss_box_place(p->x.lo[c], p->x.hi[c], segment, c, p->x.count);
        if (at / line * line >= p->x.lo[c] && c + 1 < p->x.count)
            at = at / line * line;
        p->x.lo[c] = at;
        p->x.hi[c] = at + segment;
    }
    p->segments = p->sampled = true;
    p->x.single = p->x.few = false;
}

/* The limit is the budget, or two rows of one cache line per picture cell if that is more. */
static void limit_reading(const ss_sampler *s, double reads, ss_plan *p)
{
    double budget = s->reader->picture_bytes;
    double row = (p->x.last - p->x.first) * (double)s->size * reads;
    bool is_slice = s->run->eq->dim > 2; /* already in host memory */
    if (is_slice || s->view->exact || rows_read(&p->y, s->ny) * row <= budget)
        return;
    int boxes = 0;
    for (int c = 0; c < p->y.count; c++)
        boxes += p->y.lo[c] < p->y.hi[c] && !ss_bins_same(&p->y, c);
    int pairs = (int)(budget / (2 * row * boxes));
    p->pairs = pairs < 1 ? 1 : pairs;
    p->sampled = rows_read(&p->y, 2 * p->pairs) < rows_read(&p->y, s->ny);
    double share = budget / (rows_read(&p->y, 2 * p->pairs) * row);
    int line = (int)(SS_ALIGN / s->size);
    if (share < 0.75 && (p->x.last - p->x.first) >= 2 * line * p->x.count)
        shrink_boxes(p, share, line);
}

int ss_plan_make(const ss_sampler *s, int w, int h, ss_plan *out, ss_err *err)
{
    const ss_view *v = s->view;
    const ss_layer_rows *layer = ss_layer_of(s->run, v->layer);
    bool whole = !(v->x1 > v->x0 && v->y1 > v->y0);
    double x0 = whole ? 0 : v->x0, x1 = whole ? s->nx : v->x1;
    double y0 = whole ? 0 : v->y0, y1 = whole ? s->ny : v->y1;
    if (s->run->eq->dim == 1) { /* one row: the copy */
        y0 = s->window.y0;
        y1 = y0 + 1;
    }
    *out = (ss_plan){.pairs = 0};
    if (make_bins(&out->x, w, x0, x1, s->nx, err) != SS_OK ||
        make_bins(&out->y, h, y0, y1, s->ny, err) != SS_OK)
        return SS_FAIL;
    if (layer->mean)
        make_even(&out->y, y0, y1, s->ny);
    limit_reading(s, layer->reads, out);
    if (layer->mean && !out->segments)
        make_even(&out->x, x0, x1, s->nx);
    return SS_OK;
}

void ss_plan_free(ss_plan *p)
{
    free(p->x.lo);
    free(p->y.lo);
}

ss_area ss_plan_window(const ss_sampler *s)
{
    const ss_view *v = s->view;
    ss_area a = {0, 0, s->nx, s->ny};
    if (v->x1 > v->x0 && v->y1 > v->y0) {
        a.x0 = clamp_floor(v->x0, 0, s->nx - 1);
        a.y0 = clamp_floor(v->y0, 0, s->ny - 1);
        a.x1 = clamp_floor(ceil(v->x1), a.x0 + 1, s->nx);
        a.y1 = clamp_floor(ceil(v->y1), a.y0 + 1, s->ny);
    }
    if (s->run->eq->dim == 1) {
        a.y0 = ss_clamp(v->slice, 0, s->ny - 1);
        a.y1 = a.y0 + 1;
    }
    return a;
}
