/*
 * Pictures of a run on the GPU. The field stays on the device: kernels compute one number per cell
 * of the picture, and the CPU's sampler (kernels/sample/parts.h) does the geometry: which points a
 * cell covers, owners, tiles. Cells are bit-for-bit equal to the CPU's, because sums are made in
 * the CPU's order: each column over its rows, then four sums over the columns.
 *
 * The CPU computes staleness: the areas that it needs, of at most 64 subdomains, are gathered and
 * downloaded together. The microscope works on a full copy (shadow.c).
 *
 * A live picture of a field larger than a budget skips rows by the CPU's rule
 * (kernels/sample/plan.c) with a larger budget: 4096 x 4096 values are read completely. That takes
 * 0.05 ms on a large GPU and 1 ms on a small one, at most 2 % of the time at 20 pictures per
 * second. Engine thread.
 */
#include <math.h>
#include <string.h>
#include <stdlib.h>

#include "kernels/cuda/device/patches.h"
#include "kernels/cuda/device/sample.h"
#include "kernels/cuda/device/slabs.h"

#define THREADS 256

static const void *interior(const ss_run *run, const void *array)
{
    return (const char *)array + ss_cuda_of(run)->box.first * ss_prec_size(run->prec);
}

ss_cuda_fields ss_cuda_fields_of(const ss_run *run, const double *ref)
{
    const ss_cuda_state *st = ss_cuda_of(run);
    return (ss_cuda_fields){
        .u = interior(run, st->u[st->cur]),
        .rhs = interior(run, st->rhs),
        .ref = ref,
        .sy = st->box.sy,
        .nx = st->box.nx,
        .scale = fabs(run->coef.residual),
        .update = ss_cuda_coefficients_of(run),
    };
}

/* --- the kernels of a layer ------------------------------------------------------------------- */

/* Layers that follow from a point of the field, with their types in sample.cuh; the CPU computes
 * the others. */
static const struct {
    const char *point;
    bool ref; /* it reads u* */
} layers[SS_NLAYER] = {
    [SS_VALUE] = {"ss_point_value", false},
    [SS_EXACT] = {"ss_point_exact", true},
    [SS_RESIDUAL] = {"ss_point_residual", false},
    [SS_ERROR] = {"ss_point_error", true},
};

bool ss_cuda_has_cells(const ss_sampler *s)
{
    return layers[s->view->layer].point != NULL;
}

/* The kernel `name` for the layer that is shown, and what it reads. */
static int find(const ss_sampler *s, const char *name, ss_cuda_kernel *k, ss_cuda_fields *fields,
                ss_err *err)
{
    const double *ref = NULL;
    ss_layer layer = s->view->layer;
    if (layers[layer].ref && ss_cuda_staging_reference(s->run, s->ref, &ref, err) != SS_OK)
        return SS_FAIL;
    *fields = ss_cuda_fields_of(s->run, ref);
    *k = (ss_cuda_kernel){.ordinary = true};
    return ss_cuda_kernel_get(k, err, "device/gather.cuh", "%s<%s, %s>", name,
                              ss_cuda_update_name(s->run, false), layers[layer].point);
}

static ss_cu_stream stream_of(const ss_sampler *s)
{
    return ss_cuda_of(s->run)->stream;
}

/* --- cells ------------------------------------------------------------------------------------ */

/* Uploads the plan: x.lo, x.hi, y.lo, y.hi, before the cells in the staging buffers. */
static int send_boxes(const ss_sampler *s, const ss_plan *p, const ss_cuda_staging *at,
                      ss_cuda_boxes *b, ss_err *err)
{
    int w = p->x.count, h = p->y.count;
    int *host = (int *)(void *)at->host, *device = (int *)(void *)at->device;
    size_t columns = (size_t)w * sizeof *host, rows = (size_t)h * sizeof *host;
    memcpy(host, p->x.lo, columns);
    memcpy(host + w, p->x.hi, columns);
    memcpy(host + 2 * w, p->y.lo, rows);
    memcpy(host + 2 * w + h, p->y.hi, rows);
    *b = (ss_cuda_boxes){device, device + w, device + 2 * w, device + 2 * w + h, w, h, p->pairs, 1};
    for (int c = 0; c < w; c++)
        b->widest = p->x.hi[c] - p->x.lo[c] > b->widest ? p->x.hi[c] - p->x.lo[c] : b->widest;
    SS_CUDA(ss_cu->copy(device, host, 2 * (columns + rows), stream_of(s)));
    return SS_OK;
}

static int launch_cells(const ss_sampler *s, const ss_cuda_boxes *b, float *cell, ss_err *err)
{
    ss_cuda_kernel k;
    ss_cuda_fields f;
    unsigned width = 4;
    if (find(s, "gather_cells", &k, &f, err) != SS_OK)
        return SS_FAIL;
    while ((int)width < b->widest && width < THREADS)
        width *= 2;
    k.threads = (ss_cu_dim){width, THREADS / width, 1};
    k.blocks.x = (unsigned)(ceil_div(b->w, k.threads.y) * b->h);
    k.shared = THREADS * sizeof(double);
    ss_cuda_launch_kernel(&k, stream_of(s), SS_ARGUMENTS(&f, b, &cell));
    SS_CUDA(ss_cuda_launch_error());
    return SS_OK;
}

static int cells(ss_sampler *s, const ss_plan *p, ss_picture *out, ss_err *err)
{
    ss_cuda_staging *at;
    ss_cuda_boxes b;
    size_t first = 2 * (size_t)(p->x.count + p->y.count) * sizeof(int);
    size_t bytes = (size_t)p->x.count * (size_t)p->y.count * sizeof *out->cell;
    if (!ss_cuda_has_cells(s))
        return ss_sample_cells(s, p, out, err);
    if (ss_cuda_staging_get(s->run, first + bytes, &at, err) != SS_OK ||
        send_boxes(s, p, at, &b, err) != SS_OK ||
        launch_cells(s, &b, (float *)(void *)(at->device + first), err) != SS_OK ||
        ss_cuda_staging_fetch(s->run, at, first, bytes, err) != SS_OK)
        return SS_FAIL;
    memcpy(out->cell, at->host + first, bytes);
    return SS_OK;
}

int ss_cuda_add_rows(ss_sampler *s, const ss_cuda_rows_of_cells *b, double *acc, ss_err *err)
{
    ss_cuda_staging *at;
    ss_cuda_kernel k;
    ss_cuda_fields f;
    size_t bytes = (size_t)b->n * sizeof *acc;
    if (ss_cuda_staging_get(s->run, bytes, &at, err) != SS_OK ||
        find(s, "add_rows", &k, &f, err) != SS_OK)
        return SS_FAIL;
    memcpy(at->host, acc, bytes);
    SS_CUDA(ss_cu->copy(at->device, at->host, bytes, stream_of(s)));
    k.blocks.x = (unsigned)ceil_div(b->n, 128);
    k.threads.x = 128;
    ss_cuda_launch_kernel(&k, stream_of(s), SS_ARGUMENTS(&f, b, &at->device));
    SS_CUDA(ss_cuda_launch_error());
    if (ss_cuda_staging_fetch(s->run, at, 0, bytes, err) != SS_OK)
        return SS_FAIL;
    memcpy(acc, at->host, bytes);
    return SS_OK;
}

/* --- the edge profile ------------------------------------------------------------------------- */

_Static_assert(SS_CUDA_AREAS == SS_TILES_MAX, "kernels take a whole set of tiles");

static void launch_sums(const ss_sampler *s, ss_cuda_kernel *k, const ss_cuda_fields *f,
                        const ss_cuda_areas *tiles, int step, int positions, double *to)
{
    ss_cuda_launch_kernel(k, stream_of(s), SS_ARGUMENTS(f, tiles, &step, &positions, &to));
}

static int sum_tiles(const ss_sampler *s, const ss_tile_set *set, const ss_tile_sums *how,
                     double *columns, double *rows, ss_err *err)
{
    ss_cuda_areas tiles;
    ss_cuda_kernel k;
    ss_cuda_fields f;
    for (int i = 0; i < set->count; i++) {
        ss_span x = set->tile[i].x, y = set->tile[i].y;
        tiles.of[i] = (ss_cuda_area){x.lo, y.lo, x.hi - x.lo, y.hi - y.lo, 0};
    }
    if (find(s, "sum_columns", &k, &f, err) != SS_OK)
        return SS_FAIL;
    k.blocks = (ss_cu_dim){(unsigned)ceil_div(how->ncolumn, 128), (unsigned)set->count, 1};
    k.threads.x = 128;
    launch_sums(s, &k, &f, &tiles, how->step, how->ncolumn, columns);
    if (how->rows) {
        if (find(s, "sum_rows", &k, &f, err) != SS_OK)
            return SS_FAIL;
        k.blocks = (ss_cu_dim){(unsigned)ceil_div(how->nrow, 4), (unsigned)set->count, 1};
        k.threads = (ss_cu_dim){32, 4, 1};
        launch_sums(s, &k, &f, &tiles, how->step, how->nrow, rows);
    }
    SS_CUDA(ss_cuda_launch_error());
    return SS_OK;
}

static int tile_sums(ss_sampler *s, const ss_tile_set *set, const ss_tile_sums *out, ss_err *err)
{
    ss_cuda_staging *at;
    size_t columns = (size_t)set->count * (size_t)out->ncolumn * sizeof *out->columns;
    size_t rows = out->rows ? (size_t)set->count * (size_t)out->nrow * sizeof *out->rows : 0;
    if (!ss_cuda_has_cells(s))
        return ss_sample_tile_sums(s, set, out, err);
    if (ss_cuda_staging_get(s->run, columns + rows, &at, err) != SS_OK)
        return SS_FAIL;
    /* Positions that are skipped or lie beyond the tile stay zero. */
    SS_CUDA(ss_cu->fill(at->device, 0, columns + rows, stream_of(s)));
    if (sum_tiles(s, set, out, (double *)(void *)at->device,
                  (double *)(void *)(at->device + columns), err) != SS_OK ||
        ss_cuda_staging_fetch(s->run, at, 0, columns + rows, err) != SS_OK)
        return SS_FAIL;
    memcpy(out->columns, at->host, columns);
    if (rows)
        memcpy(out->rows, at->host + columns, rows);
    return SS_OK;
}

/* --- areas for the CPU ------------------------------------------------------------------------ */

/* sources<T> of gather.cuh. */
typedef struct sources {
    const void *u, *rhs, *start;
} sources;

/* Gathers n areas, of which the largest has `most` points. */
static int gather(const ss_sampler *s, const ss_cuda_areas *list, int n, int64_t most, void *to,
                  ss_err *err)
{
    const ss_run *run = s->run;
    const ss_cuda_state *st = ss_cuda_of(run);
    sources from = {interior(run, st->u[st->cur]), interior(run, st->rhs),
                    interior(run, st->u[1 - st->cur])};
    int across = ceil_div(most, THREADS) < 1024 ? ceil_div(most, THREADS) : 1024;
    ss_cuda_kernel k = {.blocks = {(unsigned)across, (unsigned)n, SS_NPART},
                        .threads = {THREADS, 1, 1},
                        .ordinary = true};
    if (ss_cuda_kernel_get(&k, err, "device/gather.cuh", "gather_areas<%s>",
                           ss_cuda_real_name(run->prec)) != SS_OK)
        return SS_FAIL;
    ss_cuda_launch_kernel(&k, st->stream, SS_ARGUMENTS(&from, &st->box.sy, list, &to));
    SS_CUDA(ss_cuda_launch_error());
    return SS_OK;
}

static int fetch(ss_sampler *s, const ss_area *wanted, int n, ss_parts *out, ss_err *err)
{
    ss_cuda_staging *at;
    ss_cuda_areas list;
    int64_t total = 0, most = 0;
    for (int i = 0; i < n; i++) {
        ss_area a = wanted[i];
        list.of[i] = (ss_cuda_area){a.x0, a.y0, a.x1 - a.x0, a.y1 - a.y0, total};
        int64_t points = (int64_t)list.of[i].nx * list.of[i].ny;
        total += SS_NPART * points;
        most = points > most ? points : most;
    }
    size_t bytes = (size_t)total * s->size;
    if (ss_cuda_staging_get(s->run, bytes, &at, err) != SS_OK ||
        gather(s, &list, n, most, at->device, err) != SS_OK ||
        ss_cuda_staging_fetch(s->run, at, 0, bytes, err) != SS_OK)
        return SS_FAIL;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < SS_NPART; k++) {
            const ss_cuda_area *a = &list.of[i];
            size_t first = (size_t)(a->to + (int64_t)k * a->nx * a->ny) * s->size;
            out[i].of[k] = (ss_part){at->host + first, a->nx, a->x0, a->y0, 0};
        }
    return SS_OK;
}

/* --- pictures --------------------------------------------------------------------------------- */

int ss_cuda_sample(ss_run *run, const ss_view *view, ss_picture *out, ss_err *err)
{
    ss_reader reader = {
        .picture_bytes = ss_cuda_picture_bytes,
        .profile_bytes = 1024.0 * 1024,
        .stale_small = 2e6, /* the GPU has nothing to do while the CPU computes staleness */
        .fetch = fetch,
        .cells = cells,
        .tile_sums = tile_sums,
        .slice = ss_cuda_slice,
    };
    ss_cuda_use(ss_cuda_of(run)->device);
    if (run->peek)
        return ss_cuda_sample_peeked(run, view, out, err);
    if (!run->eq->rhs)
        return ss_cuda_sample_line(run, view, out, err);
    if (ss_cuda_slabs_of(run))
        return ss_cuda_slabs_sample(run, view, &reader, out, err);
    if (ss_cuda_split_settle(run, 0, err) != SS_OK ||
        (view->layer == SS_STALENESS && ss_cuda_split_settle(run, 2, err) != SS_OK))
        return SS_FAIL;
    return ss_sample(run, view, &reader, &ss_cuda_of(run)->box, out, err);
}

/* --- staging: small results reach the host while cycles run, u* the device -------------------- */

#define ROUND (1 << 20) /* buffer sizes are multiples: not every resize of a window reallocates */

static int make(ss_cuda_staging *s, ss_err *err)
{
    return ss_cuda_keep_stream(&s->kept, &s->copy, err) == SS_OK &&
                   ss_cuda_keep_event(&s->kept, &s->gathered, 0, err) == SS_OK
               ? ss_cuda_keep_event(&s->kept, &s->copied, 0, err)
               : SS_FAIL;
}

static int grow(ss_cuda_staging *s, size_t bytes, ss_err *err)
{
    size_t room = (bytes + ROUND - 1) / ROUND * ROUND;
    ss_cuda_kept_free(&s->buffers);
    s->capacity = 0;
    if (ss_cuda_keep(&s->buffers, (void **)&s->device, room, "a picture", err) != SS_OK ||
        ss_cuda_keep_pinned(&s->buffers, (void **)&s->host, room, "a picture", err) != SS_OK)
        return SS_FAIL;
    s->capacity = room;
    return SS_OK;
}

int ss_cuda_staging_get(ss_run *run, size_t bytes, ss_cuda_staging **out, ss_err *err)
{
    ss_cuda_state *st = ss_cuda_state_of(run);
    if (!st->staging && !(st->staging = calloc(1, sizeof *st->staging)))
        return ss_fail(err, "out of memory");
    *out = st->staging;
    if (!st->staging->copied && make(st->staging, err) != SS_OK)
        return SS_FAIL;
    return bytes <= st->staging->capacity ? SS_OK : grow(st->staging, bytes, err);
}

int ss_cuda_staging_fetch(ss_run *run, ss_cuda_staging *s, size_t from, size_t bytes, ss_err *err)
{
    float ms = 0;
    SS_CUDA(ss_cu->event_record(s->gathered, ss_cuda_of(run)->stream));
    SS_CUDA(ss_cu->stream_wait_event(s->copy, s->gathered, 0));
    SS_CUDA(ss_cu->copy(s->host + from, s->device + from, bytes, s->copy));
    SS_CUDA(ss_cu->event_record(s->copied, s->copy));
    SS_CUDA(ss_cu->event_wait(s->copied));
    SS_CUDA(ss_cu->event_ms(&ms, s->gathered, s->copied));
    run->seconds_download += (double)ms * 1e-3;
    ss_cuda_downloaded += (double)bytes;
    return SS_OK;
}

int ss_cuda_staging_reference(ss_run *run, const double *ref, const double **out, ss_err *err)
{
    ss_cuda_staging *s;
    const ss_cuda_state *st = ss_cuda_of(run);
    const ss_box *b = &st->box;
    size_t bytes = (size_t)b->nx * (size_t)b->ny * (size_t)b->nz * sizeof *ref;
    if (ss_cuda_staging_get(run, 0, &s, err) != SS_OK)
        return SS_FAIL;
    *out = s->ref;
    if (s->ref_of == ref)
        return SS_OK;
    s->ref_of = NULL;
    if (!s->ref && ss_cuda_keep(&s->kept, (void **)&s->ref, bytes, "u*", err) != SS_OK)
        return SS_FAIL;
    double started = ss_clock();
    SS_CUDA(ss_cu->copy(s->ref, ref, bytes, st->stream));
    SS_CUDA(ss_cu->stream_wait(st->stream));
    run->seconds_upload += ss_clock() - started;
    s->ref_of = ref;
    *out = s->ref;
    return SS_OK;
}

void ss_cuda_staging_forget(ss_cuda_staging *s)
{
    if (s)
        s->ref_of = NULL;
}

void ss_cuda_staging_free(ss_cuda_staging *s)
{
    if (!s)
        return;
    ss_cuda_kept_free(&s->buffers);
    ss_cuda_kept_free(&s->kept);
    free(s);
}
