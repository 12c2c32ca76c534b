/*
 * The picture of a run: a window of the field, cell by cell, from the points that plan.c selects.
 * An ss_reader accesses the fields on the CPU or a device; the geometry (owners, tiles, ranges) is
 * computed here for all backends. Called by the engine thread through the backends.
 */
#include "src/base/common.h"
#include "kernels/sample/parts.h"
#include "kernels/cpu/simd/machine.h"
#include "kernels/geom/pictures.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- reduction of points to cells ------------------------------------------------------------- */

static void accumulate_sum(double *restrict acc, const double *restrict v, int n)
{
    for (int i = 0; i < n; i++)
        acc[i] += v[i];
}

static void accumulate_max(double *restrict acc, const double *restrict v, int n)
{
    for (int i = 0; i < n; i++)
        acc[i] = v[i] > acc[i] ? v[i] : acc[i];
}

static void read_segment(ss_sampler *s, const ss_layer_rows *layer, int y, int x0, int x1)
{
    x0 = x0 > s->part.x0 ? x0 : s->part.x0;
    x1 = x1 < s->part.x1 ? x1 : s->part.x1;
    if (x0 >= x1 || y < s->part.y0 || y >= s->part.y1)
        return;
    if (layer->add) {
        layer->add(s, y, x0, x1, s->acc + x0);
        return;
    }
    layer->row(s, y, x0, x1, s->row);
    (layer->mean ? accumulate_sum : accumulate_max)(s->acc + x0, s->row, x1 - x0);
}

static void read_row(ss_sampler *s, const ss_layer_rows *layer, const ss_plan *p, int y)
{
    if (!p->segments) {
        read_segment(s, layer, y, p->x.first, p->x.last);
        return;
    }
    for (int c = 0; c < p->x.count; c++)
        if (p->x.lo[c] < p->x.hi[c])
            read_segment(s, layer, y, p->x.lo[c], p->x.hi[c]);
}

/* Reduces the rows of box r into s->acc; returns their number. */
static int read_box(ss_sampler *s, const ss_layer_rows *layer, const ss_plan *p, int r)
{
    int lo = p->y.lo[r], hi = p->x.first < p->x.last ? p->y.hi[r] : lo;
    int rows = ss_box_rows(lo, hi, p->pairs);
    for (int x = p->x.first; x < p->x.last; x++)
        s->acc[x] = layer->mean ? 0 : -1;
    for (int i = 0; i < rows; i++)
        read_row(s, layer, p, ss_box_row(lo, hi, p->pairs, r, p->y.count, i));
    return rows;
}

/* Four partial sums, to break the dependence chain of the additions. */
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

/* The sum of a box, or its maximum (NaN: it has no value). */
static double fold_of(const double *columns, bool mean, int lo, int hi)
{
    return mean ? sum_of(columns + lo, hi - lo) : max_of(columns + lo, hi - lo);
}

static float cell_of(bool mean, double fold, int lo, int hi, int rows)
{
    if (lo == hi || rows == 0)
        return NAN;
    return (float)(mean ? fold / ((double)(hi - lo) * rows) : fold);
}

float ss_sample_cell(const double *columns, bool mean, int lo, int hi, int rows)
{
    double fold = lo < hi && rows > 0 ? fold_of(columns, mean, lo, hi) : 0;
    return cell_of(mean, fold, lo, hi, rows);
}

static void divide(const double *restrict sum, int n, double by, float *restrict cell)
{
    for (int i = 0; i < n; i++)
        cell[i] = (float)(sum[i] / by);
}

static void copy_valid(const double *restrict max, int n, float *restrict cell)
{
    for (int i = 0; i < n; i++)
        cell[i] = (float)(max[i] < 0 ? (double)NAN : max[i]);
}

static void divide_few(const double *columns, const ss_bins *x, int rows, float *restrict cell)
{
    for (int c = 0; c < x->count; c++) {
        int lo = x->lo[c], n = x->hi[c] - lo;
        double a = columns[lo], b = columns[lo + n - 1];
        cell[c] = (float)((n > 1 ? a + b : a) / ((double)n * rows));
    }
}

static void copy_valid_few(const double *columns, const ss_bins *x, float *restrict cell)
{
    for (int c = 0; c < x->count; c++) {
        double a = columns[x->lo[c]], b = columns[x->hi[c] - 1], max = b > a ? b : a;
        cell[c] = (float)(max < 0 ? (double)NAN : max);
    }
}

/* The cells of a row of boxes from s->acc. Most pictures of pixels have a point or two per cell:
 * for one, the loops become vectors. */
static void fill_row(const ss_sampler *s, bool mean, const ss_bins *x, int rows, float *cell)
{
    const double *acc = s->acc + x->first;
    if (x->single && rows > 0 && mean)
        divide(acc, x->count, rows, cell);
    else if (x->single && rows > 0)
        copy_valid(acc, x->count, cell);
    else if (x->few && rows > 0 && mean)
        divide_few(s->acc, x, rows, cell);
    else if (x->few && rows > 0)
        copy_valid_few(s->acc, x, cell);
    else
        for (int c = 0; c < x->count; c++)
            cell[c] = ss_sample_cell(s->acc, mean, x->lo[c], x->hi[c], rows);
}

int ss_sample_cells(ss_sampler *s, const ss_plan *p, ss_picture *out, ss_err *err)
{
    const ss_layer_rows *layer = ss_layer_of(s->run, s->view->layer);
    (void)err;
    for (int r = 0; r < out->h; r++) { /* from the bottom */
        float *cell = out->cell + (size_t)(out->h - 1 - r) * (size_t)out->w;
        if (ss_bins_same(&p->y, r)) {
            memcpy(cell, cell + out->w, (size_t)out->w * sizeof *cell);
            continue;
        }
        int rows = read_box(s, layer, p, r);
        fill_row(s, layer->mean, &p->x, rows, cell);
    }
    return SS_OK;
}

/* --- a field in parts ------------------------------------------------------------------------- */

/* The rows that a sampler needs. */
static int open_rows(ss_sampler *s, ss_err *err)
{
    size_t row = ((size_t)s->nx / SS_ALIGN + 2) * SS_ALIGN;
    s->scratch = ss_alloc(row * s->size, "a row", err);
    s->row = ss_alloc(2 * row * sizeof *s->row, "a row", err);
    s->acc = s->row ? s->row + row : NULL;
    return s->scratch && s->row ? SS_OK : SS_FAIL;
}

/* Rows without points of the part are skipped: they add nothing to a sum. */
static bool meets_part(const ss_sampler *s, int lo, int hi)
{
    return lo < s->part.y1 && hi > s->part.y0;
}

int ss_sample_plan(ss_run *run, const ss_view *view, const ss_reader *reader, ss_plan *out,
                   ss_err *err)
{
    ss_sampler s = {.run = run,
                    .view = view,
                    .reader = reader,
                    .size = ss_prec_size(run->prec),
                    .nx = run->problem.nx,
                    .ny = run->problem.ny};
    s.window = ss_plan_window(&s);
    return ss_plan_make(&s, view->w, view->h, out, err);
}

int ss_sample_fold(ss_run *run, ss_layer of, const ss_parts *here, const ss_area *part,
                   const ss_plan *p, double *fold, ss_err *err)
{
    const ss_layer_rows *layer = ss_layer_of(run, of);
    ss_sampler s = {.run = run,
                    .here = *here,
                    .part = *part,
                    .size = ss_prec_size(run->prec),
                    .nx = run->problem.nx,
                    .ny = run->problem.ny};
    int status = open_rows(&s, err), w = p->x.count;
    for (int r = 0; r < p->y.count; r++)
        for (int c = 0; c < w; c++)
            fold[(ptrdiff_t)r * w + c] = layer->mean ? 0 : -1;
    for (int r = 0; r < p->y.count && status == SS_OK; r++) {
        if (ss_bins_same(&p->y, r) || !meets_part(&s, p->y.lo[r], p->y.hi[r]))
            continue;
        read_box(&s, layer, p, r);
        for (int c = 0; c < w; c++) {
            int lo = p->x.lo[c] > part->x0 ? p->x.lo[c] : part->x0;
            int hi = p->x.hi[c] < part->x1 ? p->x.hi[c] : part->x1;
            double v = lo < hi ? fold_of(s.acc, layer->mean, lo, hi) : -1;
            if (lo < hi && v == v)
                fold[(ptrdiff_t)r * w + c] = v;
        }
    }
    free(s.scratch);
    free(s.row);
    return status;
}

void ss_sample_unfold(const ss_sampler *s, const ss_plan *p, const double *fold, ss_picture *out)
{
    const ss_layer_rows *layer = ss_layer_of(s->run, s->view->layer);
    for (int r = 0; r < out->h; r++) {
        float *cell = out->cell + (size_t)(out->h - 1 - r) * (size_t)out->w;
        if (ss_bins_same(&p->y, r)) {
            memcpy(cell, cell + out->w, (size_t)out->w * sizeof *cell);
            continue;
        }
        int rows = ss_box_rows(p->y.lo[r], p->y.hi[r], p->pairs);
        for (int c = 0; c < out->w; c++) {
            double v = fold[(ptrdiff_t)r * out->w + c];
            cell[c] = cell_of(layer->mean, layer->mean || v >= 0 ? v : (double)NAN, p->x.lo[c],
                              p->x.hi[c], rows);
        }
    }
}

/* --- owners ----------------------------------------------------------------------------------- */

/* The thread that owns row y if the solver has no subdomains: the inverse of ss_team_row. */
static int thread_of_row(const ss_sampler *s, int y)
{
    return (int)(((y + (int64_t)1) * s->team - 1) / s->ny);
}

/* Four colours suffice for neighbours to differ, including diagonal ones. */
static uint8_t owner_colour(const ss_sampler *s, int x, int y)
{
    if (s->owners)
        return s->owners[(ptrdiff_t)y * s->nx + x];
    if (!s->tiled)
        return (uint8_t)(thread_of_row(s, y) % 4);
    int tx = ss_cut_owner(s->tiling.x, x), ty = ss_cut_owner(s->tiling.y, y);
    return (uint8_t)(tx % 2 + 2 * (ty % 2));
}

/* The point in the middle of cell (c, r). */
static uint8_t colour_of_cell(const ss_sampler *s, const ss_plan *p, int c, int r)
{
    int x = (p->x.lo[c] + p->x.hi[c]) / 2, y = (p->y.lo[r] + p->y.hi[r]) / 2;
    return owner_colour(s, ss_clamp(x, 0, s->nx - 1), ss_clamp(y, 0, s->ny - 1));
}

static void xor_all(uint8_t *restrict row, const uint8_t *restrict first, size_t n, uint8_t bits)
{
    for (size_t i = 0; i < n; i++)
        row[i] = first[i] ^ bits;
}

/* Unless single points have owners, one bit of a colour depends on x and the other on y: each row
 * differs from the first by the same bits in all cells. */
static void fill_owner(const ss_sampler *s, const ss_plan *p, ss_picture *out)
{
    size_t w = (size_t)out->w;
    const uint8_t *first = out->owner + ((size_t)out->h - 1) * w;
    for (int r = 0; r < out->h; r++) {
        uint8_t *row = out->owner + (size_t)(out->h - 1 - r) * w;
        if (r > 0 && !s->owners)
            xor_all(row, first, w, first[0] ^ colour_of_cell(s, p, 0, r));
        else
            for (int c = 0; c < out->w; c++)
                row[c] = colour_of_cell(s, p, c, r);
    }
}

/* --- layers without a value per point --------------------------------------------------------- */

/* When zoomed out, each cell shows the maximum of the nearest computed tile. */
static float nearest_stale(const ss_sampler *s, int x, int y)
{
    const ss_stale *stale = &s->stale;
    if (!s->tiled)
        return 0; /* no subdomains: every value is that of an exact sweep */
    if (stale->set.count == 0)
        return NAN;
    int tx = ss_cut_owner(s->tiling.x, x), ty = ss_cut_owner(s->tiling.y, y);
    return stale->max[ss_sample_nearest(&stale->set, tx, ty)];
}

/* The fewest sweeps of the tiles that cell (c, r) touches, minus those of the slowest tile. */
static float least_age(const ss_sampler *s, const ss_plan *p, int c, int r)
{
    if (!s->age)
        return NAN;
    int least = INT_MAX, x1 = ss_cut_owner(s->tiling.x, p->x.hi[c] - 1);
    for (int ty = ss_cut_owner(s->tiling.y, p->y.lo[r]);
         ty <= ss_cut_owner(s->tiling.y, p->y.hi[r] - 1); ty++)
        for (int tx = ss_cut_owner(s->tiling.x, p->x.lo[c]); tx <= x1; tx++) {
            int age = s->age[(size_t)ty * (size_t)s->tiling.x.count + (size_t)tx];
            least = age < least ? age : least;
        }
    return (float)(least - s->youngest);
}

static void fill_by_tile(const ss_sampler *s, const ss_plan *p, ss_picture *out)
{
    for (int r = 0; r < out->h; r++)
        for (int c = 0; c < out->w; c++) {
            size_t i = (size_t)(out->h - 1 - r) * (size_t)out->w + (size_t)c;
            bool inside = p->x.lo[c] < p->x.hi[c] && p->y.lo[r] < p->y.hi[r];
            inside = inside && out->owner[i] != UINT8_MAX;
            int x = (p->x.lo[c] + p->x.hi[c]) / 2, y = (p->y.lo[r] + p->y.hi[r]) / 2;
            out->cell[i] = !inside                          ? NAN
                           : s->view->layer == SS_OWNER     ? (float)out->owner[i]
                           : s->view->layer == SS_STALENESS ? nearest_stale(s, x, y)
                           : s->view->layer == SS_AGE       ? least_age(s, p, c, r)
                                                            : NAN;
        }
}

enum { RANGE_LANES = 64 }; /* shorter loops are unrolled, and then not made of vectors */

/* The least and the largest finite value of each lane, widened by one value each. */
static void widen_lanes(const float *restrict v, float *restrict lo, float *restrict hi)
{
    for (int l = 0; l < RANGE_LANES; l++) {
        bool finite = fabsf(v[l]) <= FLT_MAX;
        float low = finite ? v[l] : INFINITY, high = finite ? v[l] : -INFINITY;
        lo[l] = low < lo[l] ? low : lo[l];
        hi[l] = high > hi[l] ? high : hi[l];
    }
}

/* The least and the largest finite cell; both 0: there is none. */
static void find_range(ss_picture *out)
{
    float lo[RANGE_LANES], hi[RANGE_LANES], last[RANGE_LANES], least = INFINITY, most = -INFINITY;
    size_t n = (size_t)out->w * (size_t)out->h, whole = n - n % RANGE_LANES;
    for (int l = 0; l < RANGE_LANES; l++)
        lo[l] = INFINITY, hi[l] = -INFINITY, last[l] = NAN;
    for (size_t i = 0; i < whole; i += RANGE_LANES)
        widen_lanes(out->cell + i, lo, hi);
    memcpy(last, out->cell + whole, (n - whole) * sizeof *last);
    widen_lanes(last, lo, hi);
    for (int l = 0; l < RANGE_LANES; l++) {
        least = lo[l] < least ? lo[l] : least;
        most = hi[l] > most ? hi[l] : most;
    }
    out->lo = least <= most ? (double)least : 0;
    out->hi = least <= most ? (double)most : 0;
}

/* --- ages ------------------------------------------------------------------------------------- */

/* From the recorded order: the sweeps that each tile had done when half of all sweeps were done. */
static int count_ages(ss_sampler *s, size_t tiles, ss_err *err)
{
    bool known = false;
    size_t sweeps = tiles * (size_t)s->run->iterations_per_cycle;
    uint32_t *order = ss_alloc(sweeps * sizeof *order, "the order of the tiles", err);
    int rc = order ? s->run->ops->order(s->run, order, &known, err) : SS_FAIL;
    for (size_t i = 0; rc == SS_OK && known && i < sweeps / 2; i++)
        s->age[order[i]]++;
    s->aged = known;
    free(order);
    return rc;
}

static int find_ages(ss_sampler *s, ss_err *err)
{
    const ss_run *run = s->run;
    if (s->view->layer != SS_AGE || !s->tiled || !(run->ops->caps & SS_CAP_AGE))
        return SS_OK;
    size_t tiles = (size_t)s->tiling.x.count * (size_t)s->tiling.y.count;
    s->age = ss_alloc(tiles * sizeof *s->age, "ages of the tiles", err);
    if (!s->age || (run->ops->order && count_ages(s, tiles, err) != SS_OK))
        return SS_FAIL;
    const int *counted = s->reader->ages && !run->ops->order ? s->reader->ages(run, tiles) : NULL;
    if (counted)
        memcpy(s->age, counted, tiles * sizeof *s->age);
    s->aged = s->aged || (counted && (run->cycle > 0 || run->peek > 0));
    s->youngest = INT_MAX;
    for (size_t i = 0; i < tiles; i++)
        s->youngest = s->age[i] < s->youngest ? s->age[i] : s->youngest;
    return SS_OK;
}

/* Tiles by age, for ages up to the sweeps of a launch. */
static void sort_ages(const ss_sampler *s, ss_picture *out)
{
    size_t tiles = (size_t)s->tiling.x.count * (size_t)s->tiling.y.count;
    int ages = s->run->iterations_per_cycle + 1;
    out->age_step = (ages + SS_AGES_MAX - 1) / SS_AGES_MAX;
    out->nages = (ages + out->age_step - 1) / out->age_step;
    memset(out->tiles, 0, sizeof out->tiles);
    for (size_t i = 0; i < tiles; i++)
        out->tiles[ss_clamp((s->age[i] - s->youngest) / out->age_step, 0, out->nages - 1)]++;
}

/* --- the point under the cursor, in full precision -------------------------------------------- */

/* The layer's value at one point; false if it has none. */
static bool layer_at(const ss_sampler *s, ss_layer layer, int x, int y, double *out)
{
    const ss_layer_rows *rows = &ss_layer_rows_of[layer];
    if (!rows->ready(s))
        return false;
    rows->row(s, y, x, x + 1, out);
    return true;
}

/* 1D in time: the displayed quantity at the point and its neighbours, periodic if the line is. */
static int probe_line(ss_sampler *s, int x, int y, ss_probe *p, ss_err *err)
{
    ss_area line = {0, y, s->nx, y + 1};
    ss_bc bc = s->run->eq->bc;
    if (s->reader->fetch(s, &line, 1, &s->here, err) != SS_OK)
        return SS_FAIL;
    layer_at(s, SS_VALUE, x, y, &p->value);
    layer_at(s, SS_VALUE, ss_end_source(bc, s->nx, x - 1), y, &p->west);
    layer_at(s, SS_VALUE, ss_end_source(bc, s->nx, x + 1), y, &p->east);
    p->south = p->north = p->rhs = p->residual = (double)NAN;
    p->has_error = layer_at(s, SS_ERROR, x, y, &p->error);
    return SS_OK;
}

static int probe(ss_sampler *s, ss_picture *out, ss_err *err)
{
    ss_probe *p = &out->probe;
    int x = s->view->probe_x, y = s->view->probe_y;
    *p = (ss_probe){.x = x, .y = y, .tile_x = -1, .tile_y = -1};
    if (s->run->eq->dim == 1)
        p->y = y = s->window.y0;
    p->valid = x >= 0 && x < s->nx && y >= 0 && y < s->ny;
    if (!p->valid)
        return SS_OK;
    if (s->run->eq->dim > 2)
        return ss_slice_probe(s, p, err);
    if (s->run->eq->kind == SS_TRANSIENT)
        return probe_line(s, x, y, p, err);
    ss_area around = ss_sample_stale_area(s, x, y);
    if (s->reader->fetch(s, &around, 1, &s->here, err) != SS_OK)
        return SS_FAIL;
    p->value = ss_sample_value(s, SS_PART_U, x, y);
    p->west = ss_sample_value(s, SS_PART_U, x - 1, y);
    p->east = ss_sample_value(s, SS_PART_U, x + 1, y);
    p->south = p->north = (double)NAN; /* the rows of a 1D problem are independent copies */
    if (s->box->hy > 0) {
        p->south = ss_sample_value(s, SS_PART_U, x, y - 1);
        p->north = ss_sample_value(s, SS_PART_U, x, y + 1);
    }
    p->rhs = ss_sample_value(s, SS_PART_RHS, x, y) * s->run->coef.residual; /* b = diagonal g */
    if (!layer_at(s, SS_RESIDUAL, x, y, &p->residual))
        p->residual = (double)NAN;
    p->has_error = layer_at(s, SS_ERROR, x, y, &p->error);
    p->has_stale = ss_sample_stale_at(s, x, y, &p->stale);
    if (s->tiled) {
        p->tile_x = ss_cut_owner(s->tiling.x, x);
        p->tile_y = ss_cut_owner(s->tiling.y, y);
    }
    return SS_OK;
}

/* --- one sample ------------------------------------------------------------------------------- */

/* The exact solution at the present time, if the equation has one. */
static int find_solution(ss_sampler *s, ss_err *err)
{
    const ss_run *run = s->run;
    bool needed = s->view->layer == SS_EXACT || s->view->layer == SS_ERROR;
    if (!needed || !ss_run_solution(run, s->quantity, NULL))
        return SS_OK;
    s->solution = ss_alloc((size_t)s->nx * sizeof *s->solution, "the exact solution", err);
    if (!s->solution)
        return SS_FAIL;
    ss_run_solution(run, s->quantity, s->solution);
    return SS_OK;
}

static int open_sampler(ss_sampler *s, ss_run *run, const ss_view *view, const ss_reader *reader,
                        const ss_box *box, ss_err *err)
{
    *s = (ss_sampler){.run = run, .view = view, .reader = reader, .box = box};
    s->size = ss_prec_size(run->prec);
    s->nx = box->nx;
    s->ny = box->ny;
    if (run->eq->dim > 2 && ss_slice_open(s, err) != SS_OK)
        return SS_FAIL;
    s->window = ss_plan_window(s);
    s->start_kept = run->peek || run->start_kept;
    s->subiterations = run->peek ? run->peek : run->ticks_per_cycle;
    s->ref = ss_run_reference(run);
    s->quantity = ss_clamp(view->field, 0, ss_quantities(run->eq) - 1);
    s->team = ss_team_size(run, (double)s->nx * s->ny);
    s->tiled = run->solver->tiling != NULL;
    if (s->tiled)
        s->tiling = run->solver->tiling(&run->cfg, &run->problem);
    s->part = (ss_area){0, 0, s->nx, s->ny};
    if (open_rows(s, err) != SS_OK || find_solution(s, err) != SS_OK)
        return SS_FAIL;
    return find_ages(s, err);
}

static void close_sampler(ss_sampler *s)
{
    ss_sample_stale_free(s);
    free(s->age);
    ss_slice_free(s);
    free(s->owners);
    free(s->solution);
    free(s->scratch);
    free(s->row);
}

/* Derived quantities and exact solutions are computed on the host only, so time-dependent fields
 * are fetched to the host. */
static int line_cells(ss_sampler *s, const ss_plan *p, ss_picture *out, ss_err *err)
{
    ss_area area = s->window; /* even boxes may include a point outside it: see plan.c */
    area.x0 -= area.x0 > 0;
    area.x1 += area.x1 < s->nx;
    int rc = s->reader->fetch(s, &area, 1, &s->here, err);
    return rc == SS_OK ? ss_sample_cells(s, p, out, err) : rc;
}

static int fill_cells(ss_sampler *s, const ss_layer_rows *layer, const ss_plan *p, ss_picture *out,
                      ss_err *err)
{
    int rc = SS_OK;
    bool by_point = layer->row && layer->ready(s);
    fill_owner(s, p, out);
    if (by_point)
        rc = (s->run->eq->kind == SS_TRANSIENT ? line_cells
              : s->run->eq->dim > 2            ? ss_sample_cells
                                               : s->reader->cells)(s, p, out, err);
    else
        fill_by_tile(s, p, out);
    out->sampled |= by_point && p->sampled;
    find_range(out);
    return rc;
}

int ss_sample(ss_run *run, const ss_view *view, const ss_reader *reader, const ss_box *box,
              ss_picture *out, ss_err *err)
{
    const ss_layer_rows *layer = ss_layer_of(run, view->layer);
    ss_sampler s;
    ss_plan p = {.pairs = 0};
    out->sampled = false;
    out->nages = 0;
    out->blocks = out->blocks_computed = 0;
    if (run->eq->dim == 1)
        out->h = 1;
    int rc = open_sampler(&s, run, view, reader, box, err);
    if (rc == SS_OK && run->eq->dim > 2)
        rc = ss_slice_read(&s, err);
    if (rc == SS_OK)
        rc = ss_plan_make(&s, out->w, out->h, &p, err);
    if (rc == SS_OK && view->layer == SS_STALENESS)
        rc = ss_sample_stale(&s, out, err);
    if (rc == SS_OK)
        rc = fill_cells(&s, layer, &p, out, err);
    if (rc == SS_OK)
        rc = ss_sample_profile(&s, out, err);
    if (rc == SS_OK)
        rc = probe(&s, out, err);
    if (rc == SS_OK && s.aged)
        sort_ages(&s, out);
    ss_plan_free(&p);
    close_sampler(&s);
    return rc;
}
