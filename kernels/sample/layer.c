/*
 * Rows of a layer's values: u, |r|, |u - u*|, staleness. The picture reduces them over boxes, the
 * profile over positions; the probe reads a single value. Engine thread.
 *
 * Staleness is the difference between the subdomains' values and exact sweeps from the same start.
 * A picture recomputes both from the start of the cycle, for a few tiles: a tile with a frozen
 * halo, and the same points with their whole domain of dependence (the cone: one point wider on
 * each side for every sweep back in time).
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/sample/parts.h"

/* Rows of values as doubles. Simple loops, so that any compiler vectorises them. difference: v =
 * scale |a - b|. */
#define ROW_FUNCTIONS(TYPE, PREC)                                                                  \
    static void load_##PREC(const void *in, int n, double *restrict v)                             \
    {                                                                                              \
        const TYPE *a = in;                                                                        \
        for (int i = 0; i < n; i++)                                                                \
            v[i] = (double)a[i];                                                                   \
    }                                                                                              \
    static void difference_##PREC(const void *first, const void *second, int n, double scale,      \
                                  double *restrict v)                                              \
    {                                                                                              \
        const TYPE *a = first, *b = second;                                                        \
        for (int i = 0; i < n; i++)                                                                \
            v[i] = scale * fabs((double)a[i] - (double)b[i]);                                      \
    }
ROW_FUNCTIONS(double, f64)
ROW_FUNCTIONS(float, f32)

static const struct row_functions {
    void (*load)(const void *in, int n, double *restrict v);
    void (*difference)(const void *a, const void *b, int n, double scale, double *restrict v);
} rows[SS_NPREC] = {
    [SS_F64] = {load_f64, difference_f64},
    [SS_F32] = {load_f32, difference_f32},
};

static const char *at(const ss_sampler *s, int part, int x, int y)
{
    return ss_part_at(s, &s->here.of[part], x, y);
}

double ss_sample_value(const ss_sampler *s, int part, int x, int y)
{
    double v;
    rows[s->run->prec].load(at(s, part, x, y), 1, &v);
    return v;
}

/* v = scale |a - b|, a and b in the run's precision. */
static void difference(const ss_sampler *s, const void *a, const void *b, int n, double scale,
                       double *v)
{
    rows[s->run->prec].difference(a, b, n, scale, v);
}

/* --- staleness -------------------------------------------------------------------------------- */

/* The most point updates per picture. Live: at most a millisecond, 20 per second, for a large
 * field; for a field of at most SMALL points ss_reader.stale_small applies. */
#define BUDGET_LIVE 2e6
#define SMALL (1024.0 * 1024)
#define BUDGET_EXACT 2.4e7
/* The selected or central tile may cost this much, or ss_reader.stale_share of a cycle. */
#define BUDGET_ONE 6e6

/* --- the choice of tiles ---------------------------------------------------------------------- */

/* Chooses nx * ny <= max, in the aspect ratio of the range. */
static void choose_grid(ss_tile_set *set, int max)
{
    int nx = (int)sqrt((double)max * set->range_x / set->range_y);
    nx = nx < 1 ? 1 : nx > set->range_x ? set->range_x : nx;
    nx = nx > max ? max : nx;
    set->ny = max / nx < set->range_y ? max / nx : set->range_y;
    set->nx = max / set->ny < set->range_x ? max / set->ny : set->range_x;
}

static void add_tile(ss_tile_set *set, int tx, int ty)
{
    set->tile[set->count++] =
        (ss_tile){tx, ty, ss_cut_span(set->cut_x, tx), ss_cut_span(set->cut_y, ty)};
}

/* num / den rounded to the nearest integer; num >= 0, den > 0. */
static int rounded(int64_t num, int64_t den)
{
    return (int)((2 * num + den) / (2 * den));
}

/* Tile i of n spread over a range. Three or more include both ends, because staleness is greatest
 * near the edges of the domain; one or two are the middles of n equal parts. */
static int spread(int first, int range, int i, int n)
{
    if (n > 2)
        return first + rounded((int64_t)i * (range - 1), n - 1);
    return first + (int)((2 * (int64_t)i + 1) * range / (2 * n));
}

/* The index i of the spread tile that is nearest to tile t of the range. The ends represent only
 * themselves: at the edge of the domain a tile has a side without a halo, where nothing is stale.
 */
static int nearest(int t, int first, int range, int n)
{
    if (n > 2) {
        int i = rounded((int64_t)(t - first) * (n - 1), range - 1);
        bool inner = t > first && t < first + range - 1;
        return !inner ? i : i < 1 ? 1 : i > n - 2 ? n - 2 : i;
    }
    return (int)((int64_t)(t - first) * n / range);
}

static bool contains(const ss_tile_set *set, int tx, int ty)
{
    for (int i = 0; i < set->count; i++)
        if (set->tile[i].tx == tx && set->tile[i].ty == ty)
            return true;
    return false;
}

void ss_sample_tiles(const ss_sampler *s, int max, ss_tile_set *out)
{
    ss_tile_set set = {.cut_x = s->tiling.x, .cut_y = s->tiling.y};
    set.x0 = ss_cut_owner(set.cut_x, s->window.x0);
    set.y0 = ss_cut_owner(set.cut_y, s->window.y0);
    set.range_x = ss_cut_owner(set.cut_x, s->window.x1 - 1) + 1 - set.x0;
    set.range_y = ss_cut_owner(set.cut_y, s->window.y1 - 1) + 1 - set.y0;
    int tx = s->view->tile_x, ty = s->run->eq->dim == 1 ? set.y0 : s->view->tile_y;
    bool selected =
        tx >= set.x0 && tx < set.x0 + set.range_x && ty >= set.y0 && ty < set.y0 + set.range_y;
    max = max < 1 ? 1 : max > SS_TILES_MAX ? SS_TILES_MAX : max;
    bool complete = (int64_t)set.range_x * set.range_y <= max;
    int grid = selected && !complete ? max - 1 : max;
    if (grid > 0) {
        choose_grid(&set, grid);
        for (int j = 0; j < set.ny; j++)
            for (int i = 0; i < set.nx; i++)
                add_tile(&set, spread(set.x0, set.range_x, i, set.nx),
                         spread(set.y0, set.range_y, j, set.ny));
    }
    if (selected && set.count < max && !contains(&set, tx, ty))
        add_tile(&set, tx, ty);
    *out = set;
}

/* The same in two parts: the last tile represents only itself; for other tiles the index is that of
 * the nearest row's first tile, plus ss_tile_column.nearest. */
static bool is_last(const ss_tile_set *set, int tx, int ty)
{
    const ss_tile *last = &set->tile[set->count - 1];
    return last->tx == tx && last->ty == ty;
}

/* A set without a grid has one tile, the selected one. */
static int nearest_row(const ss_tile_set *set, int ty)
{
    return set->nx * set->ny > 0 ? nearest(ty, set->y0, set->range_y, set->ny) * set->nx : 0;
}

static int nearest_column(const ss_tile_set *set, int tx)
{
    return set->nx * set->ny > 0 ? nearest(tx, set->x0, set->range_x, set->nx) : 0;
}

int ss_sample_nearest(const ss_tile_set *set, int tx, int ty)
{
    return is_last(set, tx, ty) ? set->count - 1 : nearest_row(set, ty) + nearest_column(set, tx);
}

/* --- sweeps on a part of the field ------------------------------------------------------------ */

/* The point updates of `advance`; the copies in and out count as two more. */
static double sweep_cost(const ss_sampler *s, ss_area a, bool cone)
{
    double sum = 2 * ss_area_points(ss_trace_widen(s->run, a, cone ? s->subiterations : 1, true));
    for (int t = 0; t < s->subiterations; t++)
        sum += ss_area_points(cone ? ss_trace_widen(s->run, a, t, false) : a);
    return sum;
}

static ss_trace_rows rows_of(const ss_parts *from, int part)
{
    const ss_part *p = &from->of[part];
    return (ss_trace_rows){p->data, p->stride, p->x0, p->y0};
}

/* Computes all subiterations of area a. cone: exactly, on the shrinking domain of dependence; else
 * with a frozen halo, as a subdomain does. */
static int advance(const ss_sampler *s, const ss_parts *from, ss_area a, bool cone, ss_trace *t,
                   ss_err *err)
{
    const ss_trace_rows start = rows_of(from, SS_PART_START), rhs = rows_of(from, SS_PART_RHS);
    ss_area all = ss_trace_widen(s->run, a, cone ? s->subiterations : 1, true);
    if (ss_trace_load(s->run, &start, all, all, t, err) != SS_OK)
        return SS_FAIL;
    for (int i = s->subiterations - 1; i >= 0; i--)
        ss_trace_sweep(s->run, &rhs, cone ? ss_trace_widen(s->run, a, i, false) : a, t);
    return SS_OK;
}

/* --- the tiles of a picture ------------------------------------------------------------------- */

static ss_area area_of(const ss_tile *t)
{
    return (ss_area){t->x.lo, t->y.lo, t->x.hi, t->y.hi};
}

static ss_area area_of_set(const ss_tile_set *set)
{
    ss_area a = area_of(&set->tile[0]);
    for (int i = 1; i < set->count; i++) {
        ss_area b = area_of(&set->tile[i]);
        a.x0 = b.x0 < a.x0 ? b.x0 : a.x0;
        a.y0 = b.y0 < a.y0 ? b.y0 : a.y0;
        a.x1 = b.x1 > a.x1 ? b.x1 : a.x1;
        a.y1 = b.y1 > a.y1 ? b.y1 : a.y1;
    }
    return a;
}

/* Without overlap a subdomain writes all points that it computes: its private values are those of
 * the displayed field. */
static bool writes_all(const ss_sampler *s)
{
    return s->tiling.x.overlap == 0 && s->tiling.y.overlap == 0;
}

static ss_trace displayed_trace(const ss_parts *from)
{
    const ss_part *u = &from->of[SS_PART_U];
    return (ss_trace){.now = (char *)u->data, .x0 = u->x0, .y0 = u->y0, .stride = u->stride};
}

/* The cost of all tiles of the set. *together: one cone over all tiles is cheaper than one each. */
static double set_cost(const ss_sampler *s, const ss_tile_set *set, bool *together)
{
    double frozen = 0, cones = 0, one = sweep_cost(s, area_of_set(set), true);
    for (int i = 0; i < set->count; i++) {
        frozen += writes_all(s) ? 0 : sweep_cost(s, area_of(&set->tile[i]), false);
        cones += sweep_cost(s, area_of(&set->tile[i]), true);
    }
    *together = one < cones;
    return frozen + (*together ? one : cones);
}

/* Chooses the tiles that the budget allows; none if a single one is too expensive. */
static void choose_tiles(ss_sampler *s, bool *together)
{
    ss_stale *stale = &s->stale;
    bool small = (double)s->nx * s->ny <= SMALL;
    double budget = s->view->exact ? BUDGET_EXACT : small ? s->reader->stale_small : BUDGET_LIVE;
    double cycle = (double)s->nx * s->ny * s->subiterations;
    ss_sample_tiles(s, SS_TILES_MAX, &stale->set);
    stale->all = (int64_t)stale->set.range_x * stale->set.range_y <= SS_TILES_MAX &&
                 set_cost(s, &stale->set, together) <= budget;
    if (stale->all)
        return;
    *together = false;
    ss_sample_tiles(s, 1, &stale->set);
    double one = set_cost(s, &stale->set, together);
    int max = (int)(budget / one < SS_TILES_MAX ? budget / one : SS_TILES_MAX);
    double most = s->reader->stale_share * cycle;
    most = most > BUDGET_ONE ? most : BUDGET_ONE;
    if (max > 1)
        ss_sample_tiles(s, max, &stale->set);
    else if (one > budget && one > most)
        stale->set.count = 0;
    stale->all = stale->set.count == 1 && stale->set.range_x == 1 && stale->set.range_y == 1;
    *together = false;
}

/* Whether a subdomain covers more than three picture cells in each direction. */
static bool resolves_tiles(const ss_sampler *s)
{
    const ss_area *w = &s->window;
    double x = s->tiling.x.block - s->tiling.x.overlap, y = s->tiling.y.block - s->tiling.y.overlap;
    bool line = w->y1 - w->y0 == 1;
    return x * s->view->w > 3.0 * (w->x1 - w->x0) &&
           (line || y * s->view->h > 3.0 * (w->y1 - w->y0));
}

/* Leaves none where a picture shows no values per point: it has not all tiles, and its cells are
 * too large to show positions within one. */
static int list_columns(ss_sampler *s, ss_err *err)
{
    ss_stale *stale = &s->stale;
    const ss_tile_set *set = &stale->set;
    if (!stale->all && !resolves_tiles(s))
        return SS_OK;
    stale->column = ss_alloc((size_t)set->range_x * sizeof *stale->column, "staleness", err);
    for (int i = 0; stale->column && i < set->range_x; i++) {
        ss_span span = ss_cut_span(set->cut_x, set->x0 + i);
        stale->column[i] = (ss_tile_column){span.lo, span.whi, nearest_column(set, set->x0 + i)};
    }
    return stale->column ? SS_OK : SS_FAIL;
}

static int allocate_values(ss_stale *stale, ss_err *err)
{
    size_t total = 0;
    for (int i = 0; i < stale->set.count; i++)
        total += (size_t)ss_area_points(area_of(&stale->set.tile[i]));
    float *values = ss_alloc((total + 1) * sizeof *values, "staleness", err);
    if (!values)
        return SS_FAIL;
    for (int i = 0; i < stale->set.count; i++) {
        stale->value[i] = values;
        values += (size_t)ss_area_points(area_of(&stale->set.tile[i]));
    }
    return SS_OK;
}

static void compare(ss_sampler *s, int i, const ss_trace *frozen, const ss_trace *exact)
{
    const ss_tile *t = &s->stale.set.tile[i];
    int n = t->x.hi - t->x.lo;
    float max = 0;
    for (int y = t->y.lo; y < t->y.hi; y++) {
        float *out = s->stale.value[i] + (ptrdiff_t)(y - t->y.lo) * n;
        difference(s, ss_trace_at(s->run, frozen, t->x.lo, y),
                   ss_trace_at(s->run, exact, t->x.lo, y), n, 1.0, s->row);
        for (int x = 0; x < n; x++)
            out[x] = (float)s->row[x];
        bool written = y >= t->y.wlo && y < t->y.whi;
        for (int x = t->x.wlo - t->x.lo; written && x < t->x.whi - t->x.lo; x++)
            max = out[x] > max ? out[x] : max;
    }
    s->stale.max[i] = max;
}

/* Both computations for tile i; if `together`, `exact` already holds the exact one for all tiles.
 */
static int compute_tile(ss_sampler *s, const ss_parts *from, int i, ss_trace *frozen,
                        ss_trace *exact, bool together, ss_err *err)
{
    ss_area a = area_of(&s->stale.set.tile[i]);
    ss_trace displayed = displayed_trace(from);
    if (!together && advance(s, from, a, true, exact, err) != SS_OK)
        return SS_FAIL;
    if (!writes_all(s) && advance(s, from, a, false, frozen, err) != SS_OK)
        return SS_FAIL;
    compare(s, i, writes_all(s) ? &displayed : frozen, exact);
    return SS_OK;
}

/* Fetches the domains of dependence of the tiles: one common area, or one per tile. */
static int fetch(ss_sampler *s, bool together, ss_parts *from, ss_err *err)
{
    const ss_tile_set *set = &s->stale.set;
    ss_area area[SS_TILES_MAX];
    int n = together ? 1 : set->count;
    for (int i = 0; i < n; i++) {
        ss_area a = together ? area_of_set(set) : area_of(&set->tile[i]);
        area[i] = ss_trace_widen(s->run, a, s->subiterations, true);
    }
    return s->reader->fetch(s, area, n, from, err);
}

int ss_sample_stale(ss_sampler *s, ss_picture *out, ss_err *err)
{
    ss_stale *stale = &s->stale;
    ss_parts from[SS_TILES_MAX];
    ss_trace frozen = {0}, exact = {0};
    bool together = false;
    if (!s->start_kept || !s->tiled)
        return SS_OK;
    choose_tiles(s, &together);
    out->sampled = !stale->all;
    out->blocks = stale->set.range_x * stale->set.range_y;
    out->blocks_computed = stale->all ? out->blocks : stale->set.count;
    if (stale->set.count == 0)
        return SS_OK;
    int rc = list_columns(s, err);
    if (rc == SS_OK)
        rc = allocate_values(stale, err);
    if (rc == SS_OK)
        rc = fetch(s, together, from, err);
    if (rc == SS_OK && together)
        rc = advance(s, &from[0], area_of_set(&stale->set), true, &exact, err);
    for (int i = 0; i < stale->set.count && rc == SS_OK; i++)
        rc = compute_tile(s, &from[together ? 0 : i], i, &frozen, &exact, together, err);
    ss_trace_free(&frozen);
    ss_trace_free(&exact);
    return rc;
}

void ss_sample_stale_free(ss_sampler *s)
{
    free(s->stale.value[0]);
    free(s->stale.column);
}

/* Whether the cone of a single point is available and cheap enough. */
static bool has_cone(const ss_sampler *s, ss_area point)
{
    return s->start_kept && s->tiled && sweep_cost(s, point, true) <= BUDGET_LIVE;
}

ss_area ss_sample_stale_area(const ss_sampler *s, int x, int y)
{
    ss_area a = {x, y, x + 1, y + 1};
    return ss_trace_widen(s->run, a, has_cone(s, a) ? s->subiterations : 1, true);
}

bool ss_sample_stale_at(const ss_sampler *s, int x, int y, double *out)
{
    ss_area a = {x, y, x + 1, y + 1};
    ss_trace exact = {0};
    *out = 0;
    if (!s->tiled)
        return true; /* no subdomains: every value is that of an exact sweep */
    if (!has_cone(s, a))
        return false;
    bool ok = advance(s, &s->here, a, true, &exact, NULL) == SS_OK;
    if (ok) {
        const char *displayed = ss_part_at(s, &s->here.of[SS_PART_U], x, y);
        difference(s, displayed, ss_trace_at(s->run, &exact, x, y), 1, 1.0, out);
    }
    ss_trace_free(&exact);
    return ok;
}

/* --- VALUE ------------------------------------------------------------------------------------ */

static bool always(const ss_sampler *s)
{
    (void)s;
    return true;
}

/* Points [x0, x0 + n) of row y of field f. */
static void load_field(const ss_sampler *s, int f, int y, int x0, int n, double *v)
{
    ptrdiff_t skip = f * s->here.of[SS_PART_U].field * (ptrdiff_t)s->size;
    rows[s->run->prec].load(at(s, SS_PART_U, x0, y) + skip, n, v);
}

/* A quantity computed from all fields of a point, CHUNK points at a time. */
static void derived_row(const ss_sampler *s, int y, int x0, int x1, double *v)
{
    enum { CHUNK = 64 };
    double field[SS_FIELD_MAX][CHUNK], point[SS_FIELD_MAX];
    const ss_equation *eq = s->run->eq;
    for (int x = x0, n; x < x1; x += n, v += n) {
        n = x1 - x < CHUNK ? x1 - x : CHUNK;
        for (int f = 0; f < eq->nfield; f++)
            load_field(s, f, y, x, n, field[f]);
        for (int i = 0; i < n; i++) {
            for (int f = 0; f < eq->nfield; f++)
                point[f] = field[f][i];
            v[i] = eq->quantities[s->quantity].of(point);
        }
    }
}

static void value_row(const ss_sampler *s, int y, int x0, int x1, double *v)
{
    const ss_quantity *table = s->run->eq->quantities;
    if (table && table[s->quantity].of)
        derived_row(s, y, x0, x1, v);
    else
        load_field(s, s->quantity, y, x0, x1 - x0, v);
}

/* --- RESIDUAL: r = diagonal (u' - u), where u' is one more update of the row ------------------ */

static bool is_steady(const ss_sampler *s)
{
    return s->run->eq->kind == SS_STEADY;
}

static void residual_row(const ss_sampler *s, int y, int x0, int x1, double *v)
{
    const ss_run *run = s->run;
    const char *u = at(s, SS_PART_U, x0, y);
    char *updated = s->scratch + (size_t)x0 * s->size;
    ss_sweep sweep = {.nx = x1 - x0, .ny = 1, .nz = 1};
    sweep.in_sy = sweep.out_sy = s->here.of[SS_PART_U].stride;
    sweep.rhs_sy = s->here.of[SS_PART_RHS].stride;
    run->eq->apply[run->prec](&run->coef, 0, u, at(s, SS_PART_RHS, x0, y), updated, &sweep);
    rows[run->prec].difference(updated, u, x1 - x0, fabs(run->coef.residual), v);
}

/* --- ERROR ------------------------------------------------------------------------------------ */

static bool has_reference(const ss_sampler *s)
{
    return s->ref || s->solution;
}

/* u* is constant; a solution is for the present time. */
static const double *reference_at(const ss_sampler *s, int x, int y)
{
    return (s->solution ? s->solution : s->ref) + (size_t)y * (size_t)s->nx + (size_t)x;
}

static void error_row(const ss_sampler *s, int y, int x0, int x1, double *v)
{
    const double *ref = reference_at(s, x0, y);
    value_row(s, y, x0, x1, v);
    for (int x = 0; x < x1 - x0; x++)
        v[x] = fabs(v[x] - ref[x]);
}

static void exact_row(const ss_sampler *s, int y, int x0, int x1, double *v)
{
    memcpy(v, reference_at(s, x0, y), (size_t)(x1 - x0) * sizeof *v);
}

/* --- STALENESS: the private value of each point's owner. A subdomain that was not recomputed shows
 * the values of the nearest one that was, position by position --------------------------------- */

static bool has_stale(const ss_sampler *s)
{
    return s->stale.column != NULL;
}

static int clip(int a, int b)
{
    return a < b ? a : b - 1;
}

/* v becomes the maximum of itself and values [from, from + count) of a row of n; beyond the row, of
 * its last one. */
static void add_clipped(const float *restrict row, int n, int from, int count, double *restrict v)
{
    int inside = from + count <= n ? count : from < n ? n - from : 0;
    for (int i = 0; i < inside; i++)
        v[i] = (double)row[from + i] > v[i] ? (double)row[from + i] : v[i];
    for (int i = inside; i < count; i++)
        v[i] = (double)row[n - 1] > v[i] ? (double)row[n - 1] : v[i];
}

static void add_stale_row(const ss_sampler *s, int y, int x0, int x1, double *v)
{
    const ss_tile_set *set = &s->stale.set;
    int ty = ss_cut_owner(s->tiling.y, y), tx = ss_cut_owner(s->tiling.x, x0);
    int local_y = y - ss_cut_span(s->tiling.y, ty).lo, tiles = nearest_row(set, ty);
    for (int x = x0; x < x1; tx++) {
        const ss_tile_column *column = &s->stale.column[tx - set->x0];
        int i = is_last(set, tx, ty) ? set->count - 1 : tiles + column->nearest;
        const ss_tile *t = &set->tile[i];
        int n = t->x.hi - t->x.lo, end = column->end < x1 ? column->end : x1;
        const float *row = s->stale.value[i] + (ptrdiff_t)clip(local_y, t->y.hi - t->y.lo) * n;
        add_clipped(row, n, x - column->lo, end - x, v + (x - x0));
        x = end;
    }
}

static void stale_row(const ss_sampler *s, int y, int x0, int x1, double *v)
{
    for (int i = 0; i < x1 - x0; i++)
        v[i] = -1;
    add_stale_row(s, y, x0, x1, v);
    for (int i = 0; i < x1 - x0; i++)
        v[i] = v[i] < 0 ? (double)NAN : v[i];
}

const ss_layer_rows ss_layer_rows_of[SS_NLAYER] = {
    [SS_VALUE] = {true, 1, always, value_row},
    [SS_EXACT] = {true, 1, has_reference, exact_row},
    [SS_RESIDUAL] = {false, 3, is_steady, residual_row},
    [SS_ERROR] = {false, 2, has_reference, error_row},
    [SS_STALENESS] = {false, 1, has_stale, stale_row, add_stale_row},
};
