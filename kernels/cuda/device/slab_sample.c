/*
 * Pictures of a run that several devices share. Each device reduces its own rows to cells, and the
 * host puts the rows of cells together. Where a row of cells covers points of two slabs, the sums
 * of its columns pass through the devices from south to north, so that their order, and with it
 * every bit, is that of one device. Areas of the fields are put together on the host. Engine
 * thread.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cuda/device/sample.h"
#include "kernels/cuda/device/slabs.h"
#include "kernels/geom/pictures.h"

/* The reader of the whole run, and the one that each slab has. */
typedef struct slabs_reader {
    ss_reader all; /* first: samplers point to it */
    const ss_reader *one;
} slabs_reader;

static const ss_reader *reader_of_slab(const ss_sampler *s)
{
    return ((const slabs_reader *)(const void *)s->reader)->one;
}

/* The sampler of one slab, whose device becomes current; rows count from its first one. */
static ss_sampler sampler_of(const ss_sampler *s, int i)
{
    ss_sampler local = *s;
    ss_cuda_slab *slab = ss_cuda_slab_of(s->run, i);
    ss_cuda_use(ss_cuda_device_of(slab));
    local.run = &slab->run;
    local.reader = reader_of_slab(s);
    local.box = &ss_cuda_of(&slab->run)->box;
    local.ref = s->ref ? s->ref + (size_t)slab->j0 * (size_t)s->nx : NULL;
    return local;
}

static ss_cuda_slabs *slabs_of(const ss_sampler *s)
{
    return ss_cuda_slabs_of(s->run);
}

/* --- cells ------------------------------------------------------------------------------------ */

/* Copies the rows of cells that lie inside a slab to its own plan; its other rows become empty. */
static void clip_plan(const ss_plan *p, const ss_cuda_slab *slab, ss_plan *out, int *lo, int *hi)
{
    *out = *p;
    out->y.lo = lo;
    out->y.hi = hi;
    for (int r = 0; r < p->y.count; r++) {
        bool inside = p->y.lo[r] >= slab->j0 && p->y.hi[r] <= slab->j1;
        lo[r] = inside ? p->y.lo[r] - slab->j0 : 0;
        hi[r] = inside ? p->y.hi[r] - slab->j0 : 0;
    }
}

static int cells_of_slab(ss_sampler *s, int i, const ss_plan *p, ss_picture *out, float *cell,
                         int *bounds, ss_err *err)
{
    ss_sampler local = sampler_of(s, i);
    ss_picture picture = *out;
    ss_plan clipped;
    size_t w = (size_t)out->w;
    clip_plan(p, &slabs_of(s)->of[i], &clipped, bounds, bounds + p->y.count);
    picture.cell = cell;
    if (local.reader->cells(&local, &clipped, &picture, err) != SS_OK)
        return SS_FAIL;
    ss_cuda_count(s->run, local.run);
    for (int r = 0; r < p->y.count; r++) {
        size_t at = (size_t)(out->h - 1 - r) * w;
        if (clipped.y.lo[r] < clipped.y.hi[r])
            memcpy(out->cell + at, cell + at, w * sizeof *cell);
    }
    return SS_OK;
}

/* The slab whose rows include row j. */
static int slab_with(const ss_cuda_slabs *s, int j)
{
    int i = 0;
    while (i + 1 < s->count && j >= s->of[i].j1)
        i++;
    return i;
}

/* A row of cells that covers points of several slabs: its columns are added up from south to north,
 * each device going on where the one before has ended. */
static int row_of_cells(ss_sampler *s, int r, const ss_plan *p, ss_picture *out, double *columns,
                        ss_err *err)
{
    const ss_layer_rows *layer = ss_layer_of(s->run, s->view->layer);
    ss_cuda_rows_of_cells b = {
        p->y.lo[r], p->y.hi[r], p->pairs, r, p->y.count, 0, 0, p->x.first, p->x.last - p->x.first};
    float *cell = out->cell + (size_t)(out->h - 1 - r) * (size_t)out->w;
    for (int x = 0; x < b.n; x++)
        columns[x] = layer->mean ? 0 : -1;
    for (int i = slab_with(slabs_of(s), b.lo); i <= slab_with(slabs_of(s), b.hi - 1); i++) {
        ss_sampler local = sampler_of(s, i);
        b.from = slabs_of(s)->of[i].j0;
        b.to = slabs_of(s)->of[i].j1;
        if (b.n > 0 && ss_cuda_add_rows(&local, &b, columns, err) != SS_OK)
            return SS_FAIL;
        ss_cuda_count(s->run, local.run);
    }
    for (int c = 0; c < out->w; c++)
        cell[c] = ss_sample_cell(columns - b.x0, layer->mean, p->x.lo[c], p->x.hi[c],
                                 b.n > 0 ? ss_box_rows(b.lo, b.hi, p->pairs) : 0);
    return SS_OK;
}

static int cells_of_all(ss_sampler *s, const ss_plan *p, ss_picture *out, float *cell, int *bounds,
                        double *columns, ss_err *err)
{
    const ss_cuda_slabs *slabs = slabs_of(s);
    for (int k = 0; k < out->w * out->h; k++)
        out->cell[k] = NAN;
    for (int i = 0; i < slabs->count; i++)
        if (cells_of_slab(s, i, p, out, cell, bounds, err) != SS_OK)
            return SS_FAIL;
    for (int r = 0; r < p->y.count; r++)
        if (p->y.lo[r] < p->y.hi[r] &&
            slab_with(slabs, p->y.lo[r]) != slab_with(slabs, p->y.hi[r] - 1) &&
            row_of_cells(s, r, p, out, columns, err) != SS_OK)
            return SS_FAIL;
    return SS_OK;
}

static int cells(ss_sampler *s, const ss_plan *p, ss_picture *out, ss_err *err)
{
    size_t n = (size_t)out->w * (size_t)out->h, h = (size_t)p->y.count;
    if (!ss_cuda_has_cells(s))
        return ss_sample_cells(s, p, out, err);
    double *columns =
        ss_alloc((size_t)s->nx * sizeof *columns + n * sizeof(float) + 2 * h * sizeof(int),
                 "a picture", err);
    if (!columns)
        return SS_FAIL;
    float *cell = (float *)(columns + s->nx);
    int status = cells_of_all(s, p, out, cell, (int *)(cell + n), columns, err);
    free(columns);
    return status;
}

/* --- areas ------------------------------------------------------------------------------------ */

static size_t bytes_of(const ss_sampler *s, const ss_area *a)
{
    return (size_t)(a->x1 - a->x0) * (size_t)(a->y1 - a->y0) * s->size;
}

/* Host memory for all parts of all areas, kept until the run is closed; *out gets the addresses. */
static int make_room(ss_sampler *s, const ss_area *area, int n, ss_parts *out, ss_err *err)
{
    ss_cuda_slabs *slabs = slabs_of(s);
    size_t bytes = 0, at = 0;
    for (int i = 0; i < n; i++)
        bytes += SS_NPART * bytes_of(s, &area[i]);
    if (bytes > slabs->areas_bytes) {
        free(slabs->areas);
        slabs->areas = ss_alloc(bytes, "a picture", err);
        slabs->areas_bytes = slabs->areas ? bytes : 0;
        if (!slabs->areas)
            return SS_FAIL;
    }
    for (int i = 0; i < n; i++)
        for (int k = 0; k < SS_NPART; k++) {
            out[i].of[k] =
                (ss_part){slabs->areas + at, area[i].x1 - area[i].x0, area[i].x0, area[i].y0, 0};
            at += bytes_of(s, &area[i]);
        }
    return SS_OK;
}

/* The rows of an area that slab i has, in its own numbering. The first and the last slab also have
 * the halo of the whole field. False: none. */
static bool clip_area(const ss_cuda_slabs *slabs, int i, const ss_area *a, ss_area *out)
{
    const ss_cuda_slab *slab = &slabs->of[i];
    *out = *a;
    if (i > 0 && a->y0 < slab->j0)
        out->y0 = slab->j0;
    if (i + 1 < slabs->count && a->y1 > slab->j1)
        out->y1 = slab->j1;
    bool some = out->y0 < out->y1;
    out->y0 -= slab->j0;
    out->y1 -= slab->j0;
    return some;
}

static void put_part(const ss_part *from, const ss_area *rows, int j0, const ss_part *to,
                     size_t size)
{
    size_t row = (size_t)(rows->x1 - rows->x0) * size;
    char *at = (char *)(uintptr_t)to->data + (size_t)(rows->y0 + j0 - to->y0) * row;
    memcpy(at, from->data, row * (size_t)(rows->y1 - rows->y0));
}

static int fetch_from(ss_sampler *s, int i, const ss_area *area, int n, const ss_parts *out,
                      ss_err *err)
{
    ss_area clipped[SS_TILES_MAX];
    ss_parts parts[SS_TILES_MAX];
    int whose[SS_TILES_MAX], count = 0;
    for (int k = 0; k < n; k++)
        if (clip_area(slabs_of(s), i, &area[k], &clipped[count]))
            whose[count++] = k;
    if (count == 0)
        return SS_OK;
    ss_sampler local = sampler_of(s, i);
    if (local.reader->fetch(&local, clipped, count, parts, err) != SS_OK)
        return SS_FAIL;
    ss_cuda_count(s->run, local.run);
    for (int k = 0; k < count; k++)
        for (int p = 0; p < SS_NPART; p++)
            put_part(&parts[k].of[p], &clipped[k], slabs_of(s)->of[i].j0, &out[whose[k]].of[p],
                     s->size);
    return SS_OK;
}

static int fetch(ss_sampler *s, const ss_area *area, int n, ss_parts *out, ss_err *err)
{
    if (make_room(s, area, n, out, err) != SS_OK)
        return SS_FAIL;
    for (int i = 0; i < slabs_of(s)->count; i++)
        if (fetch_from(s, i, area, n, out, err) != SS_OK)
            return SS_FAIL;
    return SS_OK;
}

/* --- sums over tiles -------------------------------------------------------------------------- */

/* The slab that has all rows of a tile; -1: there is none. */
static int slab_of_tile(const ss_cuda_slabs *slabs, const ss_tile *t)
{
    int i = slab_with(slabs, t->y.lo);
    return t->y.hi <= slabs->of[i].j1 ? i : -1;
}

/* The place of tile k in the sums of a set; the other tiles of *out belong to later ones. */
static ss_tile_sums sums_from(const ss_tile_sums *all, int k)
{
    ss_tile_sums one = *all;
    one.columns += (ptrdiff_t)k * all->ncolumn;
    one.rows = all->rows ? all->rows + (ptrdiff_t)k * all->nrow : NULL;
    return one;
}

/* On the device that has the tile. */
static int sum_on_slab(ss_sampler *s, int i, const ss_tile *tile, const ss_tile_sums *out,
                       ss_err *err)
{
    ss_sampler local = sampler_of(s, i);
    int j0 = slabs_of(s)->of[i].j0;
    ss_tile_set one;
    memset(&one, 0, sizeof one);
    one.count = 1;
    one.tile[0] = *tile;
    one.tile[0].y = (ss_span){tile->y.lo - j0, tile->y.hi - j0, tile->y.wlo - j0, tile->y.whi - j0};
    int status = local.reader->tile_sums(&local, &one, out, err);
    ss_cuda_count(s->run, local.run);
    return status;
}

/* On the host: a tile that lies in two slabs. */
static int sum_on_host(ss_sampler *s, const ss_tile *tile, const ss_tile_sums *out, ss_err *err)
{
    ss_sampler local = *s;
    ss_tile_set one;
    ss_area around = {tile->x.lo - 1, tile->y.lo - 1, tile->x.hi + 1, tile->y.hi + 1};
    memset(&one, 0, sizeof one);
    one.count = 1;
    one.tile[0] = *tile;
    if (fetch(s, &around, 1, &local.here, err) != SS_OK)
        return SS_FAIL;
    return ss_sample_tile_sums(&local, &one, out, err);
}

static int tile_sums(ss_sampler *s, const ss_tile_set *set, const ss_tile_sums *out, ss_err *err)
{
    if (!ss_cuda_has_cells(s))
        return ss_sample_tile_sums(s, set, out, err);
    for (int k = 0; k < set->count; k++) {
        const ss_tile *tile = &set->tile[k];
        ss_tile_sums one = sums_from(out, k);
        int i = slab_of_tile(slabs_of(s), tile);
        if ((i >= 0 ? sum_on_slab(s, i, tile, &one, err) : sum_on_host(s, tile, &one, err)) !=
            SS_OK)
            return SS_FAIL;
    }
    return SS_OK;
}

int ss_cuda_slabs_sample(ss_run *run, const ss_view *view, const ss_reader *reader, ss_picture *out,
                         ss_err *err)
{
    slabs_reader of = {*reader, reader};
    of.all.fetch = fetch;
    of.all.cells = cells;
    of.all.tile_sums = tile_sums;
    if (ss_cuda_slabs_refresh(run, err) != SS_OK)
        return SS_FAIL;
    return ss_sample(run, view, &of.all, &ss_cuda_of(run)->box, out, err);
}
