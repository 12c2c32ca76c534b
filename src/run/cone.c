/* The staleness cone of a cycle: one row of a block, of its neighbours, and of exact sweeps on the
 * shrinking domain of dependence. See src/snapshot/snapshot.h. Engine thread. */
#include "src/snapshot/snapshot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "src/base/common.h"
#include "src/core/trace.h"

#define UPDATES_MAX 2.5e7 /* at most 50 ms */
#define BYTES_MAX (64.0 * 1024 * 1024)

/* Rows [y0, y1) of the start field and of the right-hand side, dense. */
typedef struct rows {
    char *u, *g;
    int y0, y1;
} rows;

static bool is_flat(const ss_run *run)
{
    return run->eq->dim == 1; /* rows are independent copies */
}

static ss_area line_of(const ss_cone *c)
{
    return (ss_area){c->first, c->y, c->first + c->n, c->y + 1};
}

/* Points [x0, x1) of row y. */
static void read_row(const ss_run *run, const ss_trace *t, int y, int x0, int x1, double *out)
{
    const char *from = ss_trace_at(run, t, x0, y);
    for (int i = 0; i < x1 - x0; i++)
        out[i] = run->prec == SS_F32 ? (double)((const float *)(const void *)from)[i]
                                     : ((const double *)(const void *)from)[i];
}

/* --- both computations ------------------------------------------------------------------------ */

/* The k sweeps of an area: `out` has k + 1 rows of the points [x0, x1) of the line. shrinks: exact
 * sweeps of the line's domain of dependence; else of a block with a frozen halo. */
static int trace_rows(const ss_run *run, const rows *from, const ss_cone *c, ss_area a,
                      bool shrinks, int x0, int x1, double *out, ss_err *err)
{
    ss_trace t = {0};
    const ss_trace_rows u = {from->u, run->problem.nx, 0, from->y0},
                        g = {from->g, run->problem.nx, 0, from->y0};
    ss_area first = shrinks ? ss_trace_widen(run, a, c->k - 1, false) : a;
    int status = ss_trace_load(run, &u, ss_trace_widen(run, first, 1, true),
                               ss_trace_widen(run, first, 1, false), &t, err);
    for (int s = 0; s <= c->k && status == SS_OK; s++) {
        read_row(run, &t, c->y, x0, x1, out + (ptrdiff_t)s * (x1 - x0));
        if (s < c->k)
            ss_trace_sweep(run, &g, shrinks ? ss_trace_widen(run, a, c->k - 1 - s, false) : a, &t);
    }
    ss_trace_free(&t);
    return status;
}

static void compare(ss_cone *c, const double *exact, const double *own, int x0, int x1)
{
    for (int s = 0; s <= c->k; s++)
        for (int x = x0; x < x1; x++) {
            ptrdiff_t at = (ptrdiff_t)s * c->n + (x - c->first);
            double d = fabs(own[(ptrdiff_t)s * (x1 - x0) + (x - x0)] - exact[at]);
            c->cell[at] = (float)d;
            c->hi = d > c->hi ? d : c->hi;
        }
}

/* --- the choice ------------------------------------------------------------------------------- */

static int middle_or(int tile, ss_cut c)
{
    return tile >= 0 && tile < c.count ? tile : ss_cut_owner(c, c.n / 2);
}

/* The points of a neighbour that are shown beside the block: those that it keeps, not more than k
 * and a half of the block. */
static int rim(const ss_cone *c, ss_span neighbour, bool left)
{
    int kept = left ? c->span.lo - neighbour.wlo : neighbour.whi - c->span.hi;
    return ss_clamp(kept, 0, ss_min(c->k, c->block / 2));
}

static void choose_line(const ss_run *run, const ss_view *view, const ss_tiling *t, ss_cone *c)
{
    int copies = run->problem.ny - 1;
    c->k = run->ticks_per_cycle;
    c->block = t->x.block, c->overlap = t->x.overlap;
    c->tile_x = middle_or(view->tile_x, t->x);
    c->span = ss_cut_span(t->x, c->tile_x);
    c->frozen[0] = c->tile_x > 0, c->frozen[1] = c->tile_x < t->x.count - 1;
    int left = c->frozen[0] ? rim(c, ss_cut_span(t->x, c->tile_x - 1), true) : 0;
    int right = c->frozen[1] ? rim(c, ss_cut_span(t->x, c->tile_x + 1), false) : 0;
    c->first = c->span.lo - left;
    c->n = c->span.hi + right - c->first;
    if (is_flat(run)) {
        c->tile_y = 0, c->y = ss_clamp(view->slice, 0, copies);
        return;
    }
    c->tile_y = middle_or(view->tile_y, t->y);
    ss_span y = ss_cut_span(t->y, c->tile_y);
    c->probed = view->probe_y >= y.wlo && view->probe_y < y.whi && view->tile_x == c->tile_x;
    c->y = c->probed ? view->probe_y : (y.lo + y.hi) / 2;
}

/* The points of block tile_x + by, all of them. */
static ss_area block_area(const ss_run *run, const ss_tiling *t, const ss_cone *c, int by)
{
    ss_span x = ss_cut_span(t->x, c->tile_x + by), y = {c->y, c->y + 1, c->y, c->y + 1};
    if (!is_flat(run))
        y = ss_cut_span(t->y, c->tile_y);
    return (ss_area){x.lo, y.lo, x.hi, y.hi};
}

static const char *too_large(const ss_run *run, const ss_cone *c, ss_area block, const rows *r)
{
    double exact = 0, bytes = (double)(r->y1 - r->y0) * run->problem.nx * 8;
    for (int s = 0; s < c->k && s < SS_CONE_ROWS; s++)
        exact += ss_area_points(ss_trace_widen(run, line_of(c), s, false));
    if (c->k >= SS_CONE_ROWS || c->n > SS_CONE_COLS)
        return "the cone is drawn for up to 128 subiterations and blocks of 320 points";
    if (3 * c->k * ss_area_points(block) + exact > UPDATES_MAX || bytes > BYTES_MAX)
        return "the cone of a block of this size is too expensive: choose a smaller one";
    return NULL;
}

/* --- without frozen halos: the subiterations of the run --------------------------------------- */

#define PEEKED_MAX 2e8 /* point updates: at most half a second */

/* Row s: staleness as the picture shows it. */
static int sample_row(ss_run *run, const ss_view *line, ss_cone *c, int s, uint8_t *owner,
                      ss_err *err)
{
    static _Thread_local ss_picture p; /* too large for the stack of a thread */
    float *row = c->cell + (ptrdiff_t)s * c->n;
    p = (ss_picture){.cell = row, .owner = owner, .w = c->n, .h = 1};
    if (run->ops->peek(run, s, err) != SS_OK)
        return SS_FAIL;
    run->peek = s;
    if (run->backend->sample(run, line, &p, err) != SS_OK)
        return SS_FAIL;
    if (p.sampled)
        c->why = "the cone of a block of this size is too expensive: choose a smaller one";
    for (int x = 0; x < c->n; x++)
        c->hi = (double)row[x] > c->hi ? (double)row[x] : c->hi;
    return SS_OK;
}

/* All subiterations; then the present one again. */
static int sample_all(ss_run *run, const ss_view *view, ss_cone *c, ss_err *err)
{
    double field = (double)run->problem.nx * run->problem.ny;
    int shown = run->peek, status = SS_OK;
    uint8_t owner[SS_CONE_COLS];
    ss_view line = *view;
    line.layer = SS_STALENESS;
    line.probe_x = line.probe_y = -1;
    line.tile_x = c->tile_x, line.tile_y = c->tile_y;
    line.x0 = c->first, line.x1 = c->first + c->n;
    line.y0 = is_flat(run) ? 0 : c->y, line.y1 = line.y0 + 1;
    line.w = c->n, line.h = 1;
    line.exact = true;
    if (0.5 * c->k * c->k * field > PEEKED_MAX) {
        c->why = "the cone needs all subiterations of this grid, which is too large";
        return SS_OK;
    }
    memset(c->cell, 0, (size_t)c->n * sizeof *c->cell);
    for (int s = 1; s <= c->k && status == SS_OK && !c->why; s++)
        status = sample_row(run, &line, c, s, owner, err);
    run->peek = shown;
    if (shown > 0 && run->ops->peek(run, shown, err) != SS_OK)
        status = SS_FAIL;
    c->there = status == SS_OK && !c->why;
    return status;
}

/* --- all of it -------------------------------------------------------------------------------- */

static int fetch(ss_run *run, rows *r, ss_err *err)
{
    size_t bytes = (size_t)(r->y1 - r->y0) * (size_t)run->problem.nx * ss_prec_size(run->prec);
    r->u = ss_alloc(bytes, "the staleness cone", err);
    r->g = r->u ? ss_alloc(bytes, "the staleness cone", err) : NULL;
    if (!r->g || run->backend->download(run, 0, 0, 0, r->y0, r->y1, r->u, err) != SS_OK)
        return SS_FAIL;
    return run->backend->download(run, 1, 0, 0, r->y0, r->y1, r->g, err);
}

/* The block in the middle, and the rims of its neighbours. */
static int fill(const ss_run *run, const rows *from, const ss_tiling *t, ss_cone *c, double *own,
                ss_err *err)
{
    size_t most = (size_t)(c->k + 1) * (size_t)c->n * sizeof(double);
    double *exact = ss_alloc(most, "the staleness cone", err);
    double *scratch = exact ? ss_alloc(most, "the staleness cone", err) : NULL;
    int status =
        scratch ? trace_rows(run, from, c, line_of(c), true, c->first, c->first + c->n, exact, err)
                : SS_FAIL;
    const int x[] = {c->first, c->span.lo, c->span.hi, c->first + c->n};
    for (int i = 0; i < 3 && status == SS_OK; i++) {
        double *to = i == 1 && own ? own : scratch;
        if (x[i] == x[i + 1])
            continue;
        status =
            trace_rows(run, from, c, block_area(run, t, c, i - 1), false, x[i], x[i + 1], to, err);
        if (status == SS_OK)
            compare(c, exact, to, x[i], x[i + 1]);
    }
    free(exact);
    free(scratch);
    return status;
}

int ss_cone_make(ss_run *run, const ss_view *view, ss_cone *c, double *own, ss_err *err)
{
    c->there = c->probed = false;
    c->hi = 0;
    c->why = NULL;
    c->wedge = !(run->ops->caps & SS_CAP_AGE);
    ss_tiling t = run->solver->tiling(&run->cfg, &run->problem);
    choose_line(run, view, &t, c);
    ss_area block = block_area(run, &t, c, 0), seen = ss_trace_widen(run, block, 1, false);
    ss_area line = ss_trace_widen(run, line_of(c), c->k, false);
    rows r = {.y0 = ss_min(line.y0, seen.y0), .y1 = -ss_min(-line.y1, -seen.y1)};
    c->why = too_large(run, c, block, &r);
    if (c->why)
        return SS_OK;
    if (!c->wedge)
        return sample_all(run, view, c, err);
    int status = fetch(run, &r, err);
    if (status == SS_OK)
        status = fill(run, &r, &t, c, own, err);
    free(r.u);
    free(r.g);
    c->there = status == SS_OK;
    return status;
}
