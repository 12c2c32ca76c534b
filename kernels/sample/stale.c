/*
 * Staleness: the difference between the subdomains' values and exact sweeps from the same start.
 * A picture recomputes both from the start of the cycle, for a few tiles: a tile with a frozen
 * halo, and the same points with their whole domain of dependence (the cone: one point wider on
 * each side for every sweep back in time). Engine thread.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/sample/parts.h"

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

/* A set without a grid has one tile, the selected one. */
int ss_sample_nearest_row(const ss_tile_set *set, int ty)
{
    return set->nx * set->ny > 0 ? nearest(ty, set->y0, set->range_y, set->ny) * set->nx : 0;
}

static int nearest_column(const ss_tile_set *set, int tx)
{
    return set->nx * set->ny > 0 ? nearest(tx, set->x0, set->range_x, set->nx) : 0;
}

int ss_sample_nearest(const ss_tile_set *set, int tx, int ty)
{
    return ss_sample_is_last(set, tx, ty)
               ? set->count - 1
               : ss_sample_nearest_row(set, ty) + nearest_column(set, tx);
}

/* --- sweeps on a part of the field ------------------------------------------------------------ */

/* A copy of a part of the field as a double buffer. */
typedef struct patch {
    char *now, *next;
    size_t capacity;
    int x0, y0; /* the point at element 0 */
    ptrdiff_t stride;
} patch;

/* The radius of the point update along y: 0 in 1D, whose rows are independent copies. */
static int reach_y(const ss_sampler *s)
{
    return s->box->hy > 0 ? s->run->eq->radius : 0;
}

/* a, widened by `by` stencil radii on each side and clipped to the domain, or with `halo` to the
 * domain and its halo. */
static ss_area widen(const ss_sampler *s, ss_area a, int by, bool halo)
{
    int dx = by * s->run->eq->radius, dy = by * reach_y(s);
    int hx = halo ? s->box->hx : 0, hy = halo ? s->box->hy : 0;
    a.x0 = a.x0 - dx < -hx ? -hx : a.x0 - dx;
    a.y0 = a.y0 - dy < -hy ? -hy : a.y0 - dy;
    a.x1 = a.x1 + dx > s->nx + hx ? s->nx + hx : a.x1 + dx;
    a.y1 = a.y1 + dy > s->ny + hy ? s->ny + hy : a.y1 + dy;
    return a;
}

static double points(ss_area a)
{
    return (double)(a.x1 - a.x0) * (a.y1 - a.y0);
}

/* The point updates of `advance`; the copies in and out count as two more. */
static double sweep_cost(const ss_sampler *s, ss_area a, bool cone)
{
    double sum = 2 * points(widen(s, a, cone ? s->subiterations : 1, true));
    for (int t = 0; t < s->subiterations; t++)
        sum += points(cone ? widen(s, a, t, false) : a);
    return sum;
}

/* Loads area a of the start field into both buffers. */
static int load_patch(const ss_sampler *s, const ss_parts *from, ss_area a, patch *p, ss_err *err)
{
    int line = (int)(SS_ALIGN / s->size);
    p->x0 = a.x0 - (a.x0 + line) % line; /* the same alignment of rows as in the field */
    p->y0 = a.y0;
    p->stride = (a.x1 - p->x0 + line - 1) / line * line;
    size_t bytes = (size_t)p->stride * (size_t)(a.y1 - a.y0) * s->size;
    if (bytes > p->capacity) {
        free(p->now);
        free(p->next);
        p->now = ss_alloc(bytes, "staleness", err);
        p->next = ss_alloc(bytes, "staleness", err);
        p->capacity = bytes;
    }
    if (!p->now || !p->next)
        return SS_FAIL;
    size_t length = (size_t)(a.x1 - a.x0) * s->size;
    for (int y = a.y0; y < a.y1; y++) {
        const char *row = ss_part_at(s, &from->of[SS_PART_START], a.x0, y);
        ptrdiff_t to = ((y - p->y0) * p->stride + (a.x0 - p->x0)) * (ptrdiff_t)s->size;
        memcpy(p->now + to, row, length);
        memcpy(p->next + to, row, length);
    }
    return SS_OK;
}

static void free_patch(patch *p)
{
    free(p->now);
    free(p->next);
}

static char *in_patch(const ss_sampler *s, const patch *p, char *buffer, int x, int y)
{
    return buffer + ((y - p->y0) * p->stride + (x - p->x0)) * (ptrdiff_t)s->size;
}

/* One sweep of area a. */
static void sweep(const ss_sampler *s, const ss_parts *from, ss_area a, patch *p)
{
    const ss_run *run = s->run;
    const ss_part *rhs = &from->of[SS_PART_RHS];
    ss_sweep sw = {.nx = a.x1 - a.x0, .ny = a.y1 - a.y0, .nz = 1};
    sw.in_sy = sw.out_sy = p->stride;
    sw.rhs_sy = rhs->stride;
    run->eq->apply[run->prec](&run->coef, 0, in_patch(s, p, p->now, a.x0, a.y0),
                              ss_part_at(s, rhs, a.x0, a.y0), in_patch(s, p, p->next, a.x0, a.y0),
                              &sw);
    char *done = p->next;
    p->next = p->now;
    p->now = done;
}

/* Computes all subiterations of area a. cone: exactly, on the shrinking domain of dependence; else
 * with a frozen halo, as a subdomain does. */
static int advance(const ss_sampler *s, const ss_parts *from, ss_area a, bool cone, patch *p,
                   ss_err *err)
{
    if (load_patch(s, from, widen(s, a, cone ? s->subiterations : 1, true), p, err) != SS_OK)
        return SS_FAIL;
    for (int t = s->subiterations - 1; t >= 0; t--)
        sweep(s, from, cone ? widen(s, a, t, false) : a, p);
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

static patch displayed_patch(const ss_parts *from)
{
    const ss_part *u = &from->of[SS_PART_U];
    return (patch){.now = (char *)u->data, .x0 = u->x0, .y0 = u->y0, .stride = u->stride};
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
        total += (size_t)points(area_of(&stale->set.tile[i]));
    float *values = ss_alloc((total + 1) * sizeof *values, "staleness", err);
    if (!values)
        return SS_FAIL;
    for (int i = 0; i < stale->set.count; i++) {
        stale->value[i] = values;
        values += (size_t)points(area_of(&stale->set.tile[i]));
    }
    return SS_OK;
}

static void compare(ss_sampler *s, int i, const patch *frozen, const patch *exact)
{
    const ss_tile *t = &s->stale.set.tile[i];
    int n = t->x.hi - t->x.lo;
    float max = 0;
    for (int y = t->y.lo; y < t->y.hi; y++) {
        float *out = s->stale.value[i] + (ptrdiff_t)(y - t->y.lo) * n;
        ss_sample_difference(s, in_patch(s, frozen, frozen->now, t->x.lo, y),
                             in_patch(s, exact, exact->now, t->x.lo, y), n, 1.0, s->row);
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
static int compute_tile(ss_sampler *s, const ss_parts *from, int i, patch *frozen, patch *exact,
                        bool together, ss_err *err)
{
    ss_area a = area_of(&s->stale.set.tile[i]);
    patch displayed = displayed_patch(from);
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
        area[i] = widen(s, a, s->subiterations, true);
    }
    return s->reader->fetch(s, area, n, from, err);
}

int ss_sample_stale(ss_sampler *s, ss_picture *out, ss_err *err)
{
    ss_stale *stale = &s->stale;
    ss_parts from[SS_TILES_MAX];
    patch frozen = {0}, exact = {0};
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
    free_patch(&frozen);
    free_patch(&exact);
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
    return widen(s, a, has_cone(s, a) ? s->subiterations : 1, true);
}

bool ss_sample_stale_at(const ss_sampler *s, int x, int y, double *out)
{
    ss_area a = {x, y, x + 1, y + 1};
    patch exact = {0};
    *out = 0;
    if (!s->tiled)
        return true; /* no subdomains: every value is that of an exact sweep */
    if (!has_cone(s, a))
        return false;
    bool ok = advance(s, &s->here, a, true, &exact, NULL) == SS_OK;
    if (ok) {
        const char *displayed = ss_part_at(s, &s->here.of[SS_PART_U], x, y);
        ss_sample_difference(s, displayed, in_patch(s, &exact, exact.now, x, y), 1, 1.0, out);
    }
    free_patch(&exact);
    return ok;
}
