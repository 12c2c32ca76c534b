/*
 * The picture of a CPU run: a window of the field sampled to cells, 20 times a second beside a
 * running solver, so it may not read a large field. Unless the view asks for every point, a bounded
 * number of bytes is read: pairs of adjacent rows, and where even those are too many, even-length
 * pieces of them. Pairs and even lengths, because the mode Jacobi damps least alternates from point
 * to point: its mean must vanish and its residual be seen, whatever is left out. Which rows depends
 * on sizes only, so that nothing flickers.
 * Called by the engine thread through ss_backend_cpu.
 */
#include "kernels/cpu/sample.h"
#include "kernels/cpu/team.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BUDGET (2.0 * 1024 * 1024) /* bytes read for a live picture */

/* --- boxes: which points a picture cell covers along one direction ---------------------------- */

/* Points [lo, hi) of each of `count` cells; lo == hi: beyond the field. */
typedef struct bins {
    int count, first, last; /* of all points covered */
    int *lo, *hi;
} bins;

static int clamp(int v, int lo, int hi)
{
    return v < lo ? lo : v > hi ? hi : v;
}

static int clamp_floor(double v, int lo, int hi)
{
    return v <= lo ? lo : v >= hi ? hi : (int)floor(v);
}

/* Cell c of the window [from, to) over n points. */
static void make_bin(bins *b, int c, double from, double to, int n)
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

static void find_extent(bins *b, int n)
{
    b->first = n;
    b->last = 0;
    for (int c = 0; c < b->count; c++) {
        if (b->lo[c] == b->hi[c])
            continue;
        b->first = b->lo[c] < b->first ? b->lo[c] : b->first;
        b->last = b->hi[c] > b->last ? b->hi[c] : b->last;
    }
}

static int make_bins(bins *b, int count, double from, double to, int n, ss_err *err)
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

/* Boxes of more than a point that are averaged have an even length, sharing a point with the next
 * one if need be: the mean of an alternating mode is 0 in each, not +-1/length. */
static void make_even(bins *b, double from, double to, int n)
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

/* --- what is read ----------------------------------------------------------------------------- */

typedef struct plan {
    bins x, y;
    int pairs;   /* of rows read in each box; 0: all rows */
    bool pieces; /* x holds the pieces to read, not whole boxes */
    bool sampled;
} plan;

static bool same_box(const bins *b, int c)
{
    return c > 0 && b->lo[c] == b->lo[c - 1] && b->hi[c] == b->hi[c - 1];
}

/* Rows read if each box gives at most `most`. */
static double rows_read(const bins *y, int most)
{
    double sum = 0;
    for (int c = 0; c < y->count; c++) {
        int rows = y->hi[c] - y->lo[c];
        sum += same_box(y, c) ? 0 : rows < most ? rows : most;
    }
    return sum;
}

/* A block of `length` inside [lo, hi): at the left end in the first of `count` boxes, at the right
 * end in the last, evenly between, so that both edges of the domain are seen alike. */
static int place(int lo, int hi, int length, int64_t index, int64_t count)
{
    int64_t slack = hi - lo - length;
    return lo + (int)(count > 1 ? slack * index / (count - 1) : slack / 2);
}

/* Shrinks the boxes to pieces of even length, about `share` of the points, at least a line. */
static void take_pieces(plan *p, double share, int line)
{
    for (int c = 0; c < p->x.count; c++) {
        int length = p->x.hi[c] - p->x.lo[c];
        int piece = (int)(length * share) / 2 * 2;
        piece = piece < line ? line : piece;
        if (piece >= length)
            continue;
        int at = place(p->x.lo[c], p->x.hi[c], piece, c, p->x.count);
        if (at / line * line >= p->x.lo[c] && c + 1 < p->x.count)
            at = at / line * line;
        p->x.lo[c] = at;
        p->x.hi[c] = at + piece;
    }
    p->pieces = p->sampled = true;
}

/* The bound is the budget, or two cache lines a cell if the picture has that many cells. */
static void limit_reading(const ss_sampler *s, double reads, plan *p)
{
    double row = (p->x.last - p->x.first) * (double)s->size * reads;
    if (s->view->exact || rows_read(&p->y, s->ny) * row <= BUDGET)
        return;
    int boxes = 0;
    for (int c = 0; c < p->y.count; c++)
        boxes += p->y.lo[c] < p->y.hi[c] && !same_box(&p->y, c);
    int pairs = (int)(BUDGET / (2 * row * boxes));
    p->pairs = pairs < 1 ? 1 : pairs;
    p->sampled = rows_read(&p->y, 2 * p->pairs) < rows_read(&p->y, s->ny);
    double share = BUDGET / (rows_read(&p->y, 2 * p->pairs) * row);
    int line = (int)(SS_ALIGN / s->size);
    if (share < 0.75 && (p->x.last - p->x.first) >= 2 * line * p->x.count)
        take_pieces(p, share, line);
}

static int make_plan(const ss_sampler *s, const ss_layer_rows *layer, const ss_picture *out,
                     plan *p, ss_err *err)
{
    const ss_view *v = s->view;
    bool whole = !(v->x1 > v->x0 && v->y1 > v->y0);
    double x0 = whole ? 0 : v->x0, x1 = whole ? s->nx : v->x1;
    double y0 = whole ? 0 : v->y0, y1 = whole ? s->ny : v->y1;
    if (s->run->eq->dim == 1) { /* one row: the copy */
        y0 = s->window.y0;
        y1 = y0 + 1;
    }
    if (make_bins(&p->x, out->w, x0, x1, s->nx, err) != SS_OK ||
        make_bins(&p->y, out->h, y0, y1, s->ny, err) != SS_OK)
        return SS_FAIL;
    if (layer->mean)
        make_even(&p->y, y0, y1, s->ny);
    limit_reading(s, layer->reads, p);
    if (layer->mean && !p->pieces)
        make_even(&p->x, x0, x1, s->nx);
    return SS_OK;
}

static void free_plan(plan *p)
{
    free(p->x.lo);
    free(p->y.lo);
}

/* --- folding points into cells ---------------------------------------------------------------- */

static void add(double *restrict acc, const double *restrict v, int n)
{
    for (int i = 0; i < n; i++)
        acc[i] += v[i];
}

static void raise_to(double *restrict acc, const double *restrict v, int n)
{
    for (int i = 0; i < n; i++)
        acc[i] = v[i] > acc[i] ? v[i] : acc[i];
}

static void read_run(ss_sampler *s, const ss_layer_rows *layer, int y, int x0, int x1)
{
    layer->row(s, y, x0, x1, s->row);
    (layer->mean ? add : raise_to)(s->acc + x0, s->row, x1 - x0);
}

static void read_row(ss_sampler *s, const ss_layer_rows *layer, const plan *p, int y)
{
    if (!p->pieces) {
        read_run(s, layer, y, p->x.first, p->x.last);
        return;
    }
    for (int c = 0; c < p->x.count; c++)
        if (p->x.lo[c] < p->x.hi[c])
            read_run(s, layer, y, p->x.lo[c], p->x.hi[c]);
}

/* Folds the rows of box r into s->acc; returns how many. */
static int read_box(ss_sampler *s, const ss_layer_rows *layer, const plan *p, int r)
{
    int lo = p->y.lo[r], hi = p->x.first < p->x.last ? p->y.hi[r] : lo, rows = 0;
    for (int x = p->x.first; x < p->x.last; x++)
        s->acc[x] = layer->mean ? 0 : -1;
    if (p->pairs == 0 || 2 * p->pairs >= hi - lo) {
        for (int y = lo; y < hi; y++, rows++)
            read_row(s, layer, p, y);
        return rows;
    }
    for (int q = 0; q < p->pairs; q++, rows += 2) {
        int from = lo + (int)((int64_t)(hi - lo) * q / p->pairs);
        int to = lo + (int)((int64_t)(hi - lo) * (q + 1) / p->pairs);
        int y = place(from, to, 2, (int64_t)r * p->pairs + q, (int64_t)p->y.count * p->pairs);
        read_row(s, layer, p, y);
        read_row(s, layer, p, y + 1);
    }
    return rows;
}

/* Four sums, so that additions do not wait for each other. */
static double sum_of(const double *a, int n)
{
    double s[4] = {0, 0, 0, 0};
    int i = 0;
    for (; i + 4 <= n; i += 4)
        for (int l = 0; l < 4; l++)
            s[l] += a[i + l];
    for (; i < n; i++)
        s[0] += a[i];
    return (s[0] + s[1]) + (s[2] + s[3]);
}

static double max_of(const double *a, int n)
{
    double m = a[0];
    for (int i = 1; i < n; i++)
        m = a[i] > m ? a[i] : m;
    return m < 0 ? (double)NAN : m; /* every value was NaN */
}

static float cell_of(const ss_sampler *s, const ss_layer_rows *layer, int lo, int hi, int rows)
{
    if (lo == hi || rows == 0)
        return NAN;
    const double *a = s->acc + lo;
    return (float)(layer->mean ? sum_of(a, hi - lo) / ((double)(hi - lo) * rows)
                               : max_of(a, hi - lo));
}

static void fill_rows(ss_sampler *s, const ss_layer_rows *layer, const plan *p, ss_picture *out)
{
    for (int r = 0; r < out->h; r++) { /* from the bottom */
        float *cell = out->cell + (size_t)(out->h - 1 - r) * (size_t)out->w;
        if (same_box(&p->y, r)) {
            memcpy(cell, cell + out->w, (size_t)out->w * sizeof *cell);
            continue;
        }
        int rows = read_box(s, layer, p, r);
        for (int c = 0; c < out->w; c++)
            cell[c] = cell_of(s, layer, p->x.lo[c], p->x.hi[c], rows);
    }
}

/* --- owners ----------------------------------------------------------------------------------- */

/* Where the solver has no subdomains, each thread owns a band of rows: the inverse of ss_team_row.
 */
static int band_of(const ss_sampler *s, int y)
{
    return (int)(((y + (int64_t)1) * s->team - 1) / s->ny);
}

/* Four colours are enough for neighbours, also across corners, to differ. */
static uint8_t owner_colour(const ss_sampler *s, int x, int y)
{
    if (!s->tiled)
        return (uint8_t)(band_of(s, y) % 4);
    int tx = ss_cut_owner(s->tiling.x, x), ty = ss_cut_owner(s->tiling.y, y);
    return (uint8_t)(tx % 2 + 2 * (ty % 2));
}

static void fill_owner(const ss_sampler *s, const plan *p, ss_picture *out)
{
    for (int r = 0; r < out->h; r++)
        for (int c = 0; c < out->w; c++) {
            int x = (p->x.lo[c] + p->x.hi[c]) / 2, y = (p->y.lo[r] + p->y.hi[r]) / 2;
            out->owner[(size_t)(out->h - 1 - r) * (size_t)out->w + (size_t)c] =
                owner_colour(s, clamp(x, 0, s->nx - 1), clamp(y, 0, s->ny - 1));
        }
}

/* --- layers that are not a value per point ---------------------------------------------------- */

/* Zoomed out: each cell shows the maximum of the nearest tile that was computed. */
static float nearest_stale(const ss_sampler *s, int x, int y)
{
    const ss_stale *stale = &s->stale;
    if (!s->tiled)
        return 0; /* no subdomains: every value is an exact sweep */
    if (stale->set.count == 0)
        return NAN;
    int tx = ss_cut_owner(s->tiling.x, x), ty = ss_cut_owner(s->tiling.y, y);
    return stale->max[ss_sample_nearest(&stale->set, tx, ty)];
}

/* Sweeps ahead of the slowest tile of all: the least of the tiles that cell (c, r) touches. */
static float least_age(const ss_sampler *s, const plan *p, int c, int r)
{
    const ss_cpu_state *st = s->st;
    if (!s->aged)
        return NAN;
    int least = INT_MAX, x1 = ss_cut_owner(s->tiling.x, p->x.hi[c] - 1);
    for (int ty = ss_cut_owner(s->tiling.y, p->y.lo[r]);
         ty <= ss_cut_owner(s->tiling.y, p->y.hi[r] - 1); ty++)
        for (int tx = ss_cut_owner(s->tiling.x, p->x.lo[c]); tx <= x1; tx++) {
            int age = st->age[(size_t)ty * (size_t)s->tiling.x.count + (size_t)tx];
            least = age < least ? age : least;
        }
    return (float)(least - s->youngest);
}

static void fill_other(const ss_sampler *s, const plan *p, ss_picture *out)
{
    for (int r = 0; r < out->h; r++)
        for (int c = 0; c < out->w; c++) {
            size_t i = (size_t)(out->h - 1 - r) * (size_t)out->w + (size_t)c;
            bool inside = p->x.lo[c] < p->x.hi[c] && p->y.lo[r] < p->y.hi[r];
            int x = (p->x.lo[c] + p->x.hi[c]) / 2, y = (p->y.lo[r] + p->y.hi[r]) / 2;
            out->cell[i] = !inside                          ? NAN
                           : s->view->layer == SS_OWNER     ? (float)out->owner[i]
                           : s->view->layer == SS_STALENESS ? nearest_stale(s, x, y)
                           : s->view->layer == SS_AGE       ? least_age(s, p, c, r)
                                                            : NAN;
        }
}

static void find_range(ss_picture *out)
{
    bool any = false;
    out->lo = out->hi = 0;
    for (size_t i = 0; i < (size_t)out->w * (size_t)out->h; i++) {
        double v = (double)out->cell[i];
        if (!isfinite(v))
            continue;
        out->lo = !any || v < out->lo ? v : out->lo;
        out->hi = !any || v > out->hi ? v : out->hi;
        any = true;
    }
}

/* --- one sample ------------------------------------------------------------------------------- */

static ss_area window_of(const ss_sampler *s)
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
        a.y0 = clamp(v->slice, 0, s->ny - 1);
        a.y1 = a.y0 + 1;
    }
    return a;
}

static void find_youngest(ss_sampler *s)
{
    const ss_cpu_state *st = s->st;
    size_t tiles = (size_t)s->tiling.x.count * (size_t)s->tiling.y.count;
    s->aged = s->tiled && (s->run->ops->caps & SS_CAP_AGE) && st->ages == tiles;
    s->youngest = INT_MAX;
    for (size_t i = 0; s->aged && i < tiles; i++)
        s->youngest = st->age[i] < s->youngest ? st->age[i] : s->youngest;
}

static int open_sampler(ss_sampler *s, ss_run *run, const ss_view *view, ss_err *err)
{
    const ss_cpu_state *st = run->state;
    size_t size = ss_prec_size(run->prec),
           field = (size_t)clamp(view->field, 0, run->eq->nfield - 1);
    *s = (ss_sampler){.run = run, .view = view, .st = st, .size = size};
    s->nx = st->box.nx;
    s->ny = st->box.ny;
    s->window = window_of(s);
    s->u = (const char *)ss_cpu_shown(run) + field * st->box.count * size;
    s->rhs = st->rhs;
    s->start = ss_cpu_start(run, &s->subiterations);
    s->ref = ss_run_reference(run);
    s->team = ss_team_size(run, (double)s->nx * s->ny);
    s->tiled = run->solver->tiling != NULL;
    if (s->tiled)
        s->tiling = run->solver->tiling(&run->cfg, &run->problem);
    find_youngest(s);
    size_t row = ((size_t)s->nx / SS_ALIGN + 2) * SS_ALIGN;
    s->scratch = ss_alloc(row * size, "a row", err);
    s->row = ss_alloc(2 * row * sizeof *s->row, "a row", err);
    s->acc = s->row ? s->row + row : NULL;
    return s->scratch && s->row ? SS_OK : SS_FAIL;
}

static void close_sampler(ss_sampler *s)
{
    ss_sample_stale_free(s);
    free(s->scratch);
    free(s->row);
}

int ss_cpu_sample(ss_run *run, const ss_view *view, ss_picture *out, ss_err *err)
{
    const ss_layer_rows *layer = &ss_layer_rows_of[view->layer];
    ss_sampler s;
    plan p = {0};
    out->sampled = false;
    if (run->eq->dim == 1)
        out->h = 1;
    int rc = open_sampler(&s, run, view, err);
    if (rc == SS_OK)
        rc = make_plan(&s, layer, out, &p, err);
    if (rc == SS_OK && view->layer == SS_STALENESS)
        rc = ss_sample_stale(&s, &out->sampled, err);
    if (rc == SS_OK) {
        bool by_point = layer->row && layer->ready(&s);
        fill_owner(&s, &p, out);
        if (by_point)
            fill_rows(&s, layer, &p, out);
        else
            fill_other(&s, &p, out);
        out->sampled |= by_point && p.sampled;
        find_range(out);
        ss_sample_profile(&s, out);
        ss_sample_probe(&s, out);
    }
    free_plan(&p);
    close_sampler(&s);
    return rc;
}
