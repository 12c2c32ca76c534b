/* Patches on the device: see patches.h. */
#include "kernels/cuda/device/patches.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cuda/device/sample.h"

#define THREADS 256 /* both as in patches.cuh */
#define STRIPES 16

/* --- the list --------------------------------------------------------------------------------- */

#define LARGEST_ARRAY ((size_t)UINT32_MAX) /* kernels index elements with 32 bits */

static int list_patches(ss_run *run, ss_cuda_patches *p, ss_err *err)
{
    ss_box *window = &ss_cuda_state_of(run)->box;
    int line = SS_ALIGN / (int)ss_prec_size(run->prec);
    p->count = run->eq->patches(&run->problem, NULL);
    p->list = ss_alloc((size_t)p->count * sizeof *p->list, "the list of patches", err);
    if (!p->list)
        return SS_FAIL;
    run->eq->patches(&run->problem, p->list);
    p->rows = ss_patches_rows(p->list, p->count);
    memset(window, 0, sizeof *window);
    window->nx = run->problem.nx, window->ny = run->problem.ny, window->nz = run->problem.nz;
    window->hx = window->hy = window->hz = 1;
    window->count = ss_patches_layout(p->list, p->count, line);
    if (window->count > LARGEST_ARRAY)
        return ss_fail(err,
                       "the patches have %zu cells with their ghosts, the GPU's kernels can index "
                       "%zu: choose fewer or smaller ones",
                       window->count, LARGEST_ARRAY);
    return SS_OK;
}

int ss_cuda_patches_make(ss_run *run, ss_err *err)
{
    ss_cuda_patches *p = ss_alloc(sizeof *p, "patches", err);
    ss_cuda_state_of(run)->patches = p;
    if (!p || list_patches(run, p, err) != SS_OK)
        return SS_FAIL;
    p->mirror = run->coef.c[0] < 0;
    if (ss_cuda_keep_copy(&p->kept, (void **)&p->device, p->list,
                          (size_t)p->count * sizeof *p->list, "the list of patches", err) != SS_OK)
        return SS_FAIL;
    return ss_cuda_ghosts_make(&p->ghosts, p->list, p->count, run->prec,
                               p->mirror ? SS_WALL_MIRROR : SS_WALL_ZERO, err);
}

void ss_cuda_patches_free(ss_cuda_patches *p)
{
    if (p) {
        ss_cuda_ghosts_free(p->ghosts);
        ss_cuda_kept_free(&p->kept);
        free(p->list);
    }
    free(p);
}

/* One row of thread blocks per patch. */
static ss_cuda_kernel kernel_for(const ss_cuda_patches *p)
{
    return (ss_cuda_kernel){
        .blocks = {(unsigned)p->count, STRIPES, 1}, .threads = {THREADS, 1, 1}, .ordinary = true};
}

/* --- rows of the window ----------------------------------------------------------------------- */

static void fill_with_nan(ss_prec prec, void *row, size_t n)
{
    double *f64 = row;
    float *f32 = row;
    for (size_t i = 0; i < n; i++)
        if (prec == SS_F64)
            f64[i] = (double)NAN;
        else
            f32[i] = NAN;
}

/* Copies the part of rows [j0, j1) of plane k that lies in the patch. */
static int transfer_patch(const ss_run *run, const ss_patch *p, char *array, int k, int j0, int j1,
                          char *rows, bool up, ss_err *err)
{
    size_t size = ss_prec_size(run->prec), pitch = (size_t)ss_cuda_of(run)->box.nx * size;
    int lo = p->at[1] > j0 ? p->at[1] : j0, end = p->at[1] + p->box.ny, hi = end < j1 ? end : j1;
    if (lo >= hi || ss_patch_row(p, lo, k) < 0)
        return SS_OK;
    char *there = array + ss_patch_row_at(p, ss_patch_row(p, lo, k)) * size;
    char *here = rows + (size_t)(lo - j0) * pitch + (size_t)p->at[0] * size;
    size_t width = (size_t)p->box.nx * size, stride = (size_t)p->box.sy * size;
    size_t count = (size_t)(hi - lo);
    ss_cuda_downloaded += up ? 0 : (double)(width * count);
    return up ? ss_cuda_copy_rows(run, there, stride, here, pitch, width, count, SS_CUDA_UP, err)
              : ss_cuda_copy_rows(run, here, pitch, there, stride, width, count, SS_CUDA_DOWN, err);
}

#define BAND (8 << 20) /* bytes of a copy at a time */

/* Copies rows [j0, j1) of plane k through pinned memory: rows of patches are short, and many short
 * copies from or to pageable memory are slow. */
static int transfer_band(ss_run *run, char *array, int k, int j0, int j1, char *rows, bool up,
                         ss_err *err)
{
    ss_cuda_staging *s;
    const ss_cuda_state *st = ss_cuda_of(run);
    size_t cells = (size_t)(j1 - j0) * (size_t)st->box.nx, bytes = cells * ss_prec_size(run->prec);
    const ss_patch_rows *at = &st->patches->rows;
    int from = ss_patch_rows_at(at, j0, k), to = ss_patch_rows_at(at, j1 - 1, k) + at->count[0];
    if (ss_cuda_staging_get(run, bytes, &s, err) != SS_OK)
        return SS_FAIL;
    if (up)
        memcpy(s->host, rows, bytes);
    else
        fill_with_nan(run->prec, s->host, cells);
    for (int q = from; q < to; q++)
        if (transfer_patch(run, &st->patches->list[q], array, k, j0, j1, s->host, up, err) != SS_OK)
            return SS_FAIL;
    SS_CUDA(ss_cu->stream_wait(st->stream));
    if (!up)
        memcpy(rows, s->host, bytes);
    return SS_OK;
}

int ss_cuda_patches_transfer(ss_run *run, int which, int k, int j0, int j1, void *rows, bool up,
                             ss_err *err)
{
    ss_cuda_state *st = ss_cuda_state_of(run);
    void *array = which == 1 ? st->rhs : st->u[which == 0 ? st->cur : 1 - st->cur];
    size_t row = (size_t)st->box.nx * ss_prec_size(run->prec);
    int most = row < BAND ? (int)(BAND / row) : 1;
    double started = ss_clock();
    st->patches->ghosts_old |= up && which == 0;
    for (int j = j0; j < j1; j += most) {
        int end = j + most < j1 ? j + most : j1;
        if (transfer_band(run, array, k, j, end, (char *)rows + (size_t)(j - j0) * row, up, err) !=
            SS_OK)
            return SS_FAIL;
    }
    *(up ? &run->seconds_upload : &run->seconds_download) += ss_clock() - started;
    return SS_OK;
}

/* --- ghosts ----------------------------------------------------------------------------------- */

void ss_cuda_exchange(const ss_run *run, void *u, ss_cu_stream stream)
{
    const ss_cuda_patches *p = ss_cuda_of(run)->patches;
    ss_ghosts_launch(p->ghosts, u, p->mirror, stream);
}

int ss_cuda_ghosts_renew(ss_run *run, ss_err *err)
{
    ss_cuda_state *st = ss_cuda_state_of(run);
    if (!st->patches->ghosts_old)
        return SS_OK;
    ss_cuda_exchange(run, st->u[st->cur], st->stream);
    SS_CUDA(ss_cuda_launch_error());
    st->patches->ghosts_old = false;
    return SS_OK;
}

#define EXCHANGES 8 /* timed together */

int ss_cuda_patches_begin(ss_run *run, ss_err *err)
{
    ss_cuda_state *st = ss_cuda_state_of(run);
    double seconds;
    if (ss_cuda_ghosts_renew(run, err) != SS_OK)
        return SS_FAIL;
    SS_CUDA(ss_cu->event_record(st->begin, st->stream));
    for (int i = 0; i < EXCHANGES; i++)
        ss_cuda_exchange(run, st->u[st->cur], st->stream);
    SS_CUDA(ss_cuda_launch_error());
    SS_CUDA(ss_cu->event_record(st->end, st->stream));
    SS_CUDA(ss_cu->event_wait(st->end));
    if (ss_cuda_seconds(st->begin, st->end, &seconds, err) != SS_OK)
        return SS_FAIL;
    st->patches->exchange = seconds / EXCHANGES;
    return SS_OK;
}

/* --- numbers of the whole field --------------------------------------------------------------- */

#define CHUNK (32 << 20) /* bytes of u* on the device at a time */
#define RESULT 256       /* bytes before u* in the buffer, for the result */

/* The maximum of |u - ref|, in chunks of whole planes. */
static int max_deviation(ss_run *run, const double *ref, double *out, ss_err *err)
{
    ss_cuda_staging *s;
    const ss_cuda_state *st = ss_cuda_of(run);
    const ss_box *b = &st->box;
    ss_cuda_kernel find_deviation = kernel_for(st->patches);
    size_t plane = (size_t)b->nx * (size_t)b->ny;
    int most = (int)(CHUNK / (plane * sizeof *ref));
    most = most < 1 ? 1 : most > b->nz ? b->nz : most;
    if (ss_cuda_kernel_get(&find_deviation, err, "device/patches.cuh", "find_deviation<%s>",
                           ss_cuda_real_name(run->prec)) != SS_OK ||
        ss_cuda_staging_get(run, RESULT + (size_t)most * plane * sizeof *ref, &s, err) != SS_OK)
        return SS_FAIL;
    char *chunk = s->device + RESULT;
    SS_CUDA(ss_cu->fill(s->device, 0, sizeof *out, st->stream));
    for (int k = 0; k < b->nz; k += most) {
        int end = k + most < b->nz ? k + most : b->nz;
        double started = ss_clock();
        SS_CUDA(ss_cu->copy(chunk, ref + (size_t)k * plane, (size_t)(end - k) * plane * sizeof *ref,
                            st->stream));
        run->seconds_upload += ss_clock() - started;
        ss_cuda_launch_kernel(&find_deviation, st->stream,
                              SS_ARGUMENTS(&st->patches->device, &chunk, &b->nx, &b->ny, &k, &end,
                                           &st->u[st->cur], &s->device));
        SS_CUDA(ss_cuda_launch_error());
    }
    if (ss_cuda_staging_fetch(run, s, 0, sizeof *out, err) != SS_OK)
        return SS_FAIL;
    memcpy(out, s->host, sizeof *out);
    return SS_OK;
}

static int residual_norm(ss_run *run, double *out, ss_err *err)
{
    ss_cuda_staging *s;
    const ss_cuda_state *st = ss_cuda_of(run);
    double norm2 = 0;
    if (ss_cuda_staging_get(run, RESULT, &s, err) != SS_OK ||
        ss_cuda_ghosts_norm2(st->patches->ghosts, st->u[st->cur], st->rhs,
                             (double *)(void *)s->device, st->stream, err) != SS_OK ||
        ss_cuda_staging_fetch(run, s, 0, sizeof norm2, err) != SS_OK)
        return SS_FAIL;
    memcpy(&norm2, s->host, sizeof norm2);
    *out = run->coef.residual * sqrt(norm2);
    return SS_OK;
}

int ss_cuda_patches_reduce(ss_run *run, double *residual, const double *ref, double *max_error,
                           ss_err *err)
{
    if (ss_cuda_ghosts_renew(run, err) != SS_OK ||
        (residual && residual_norm(run, residual, err) != SS_OK))
        return SS_FAIL;
    return ref && max_error ? max_deviation(run, ref, max_error, err) : SS_OK;
}

/* --- slices ----------------------------------------------------------------------------------- */

/* fields<T> of patches.cuh. */
typedef struct fields {
    const void *u, *rhs, *start;
    double scale;
} fields;

static int gather(const ss_run *run, const ss_slice *s, ss_slice_part part, char *plane,
                  ss_err *err)
{
    static const char *const parts[SS_NSLICE] = {
        [SS_SLICE_U] = "part_u",
        [SS_SLICE_RHS] = "part_rhs",
        [SS_SLICE_START] = "part_start",
        [SS_SLICE_RESIDUAL] = "part_residual",
    };
    const ss_cuda_state *st = ss_cuda_of(run);
    ss_cuda_kernel k = kernel_for(st->patches);
    fields f = {st->u[st->cur], st->rhs, st->u[1 - st->cur], run->coef.residual};
    if (ss_cuda_kernel_get(&k, err, "device/patches.cuh", "gather_slice<%s, %s>", parts[part],
                           ss_cuda_real_name(run->prec)) != SS_OK)
        return SS_FAIL;
    ss_cuda_launch_kernel(&k, st->stream, SS_ARGUMENTS(&st->patches->device, s, &f, &plane));
    SS_CUDA(ss_cuda_launch_error());
    return SS_OK;
}

/* Copies the cells of a patch; cells of the plane that belong to no patch keep their values. */
static void copy_patch(const ss_patch *p, const ss_slice *s, const double *plane, double *out)
{
    const int n[3] = {p->box.nx, p->box.ny, p->box.nz};
    int inside = s->at - p->at[s->axis];
    if (inside < 0 || inside >= n[s->axis])
        return;
    for (int y = 0; y < n[s->d[1]]; y++) {
        ptrdiff_t at = (ptrdiff_t)(p->at[s->d[1]] + y) * s->n[0] + p->at[s->d[0]];
        memcpy(out + at, plane + at, (size_t)n[s->d[0]] * sizeof *out);
    }
}

int ss_cuda_slice(ss_run *run, const ss_slice *s, ss_slice_part part, double *out, ss_err *err)
{
    ss_cuda_staging *at;
    const ss_cuda_patches *p = ss_cuda_of(run)->patches;
    size_t bytes = (size_t)s->n[0] * (size_t)s->n[1] * sizeof *out;
    if (ss_cuda_ghosts_renew(run, err) != SS_OK ||
        ss_cuda_staging_get(run, bytes, &at, err) != SS_OK)
        return SS_FAIL;
    /* Cells of no patch are copied as well: give them a value. */
    SS_CUDA(ss_cu->fill(at->device, 0, bytes, ss_cuda_of(run)->stream));
    if (gather(run, s, part, at->device, err) != SS_OK ||
        ss_cuda_staging_fetch(run, at, 0, bytes, err) != SS_OK)
        return SS_FAIL;
    for (int q = 0; q < p->count; q++)
        copy_patch(&p->list[q], s, (const double *)(void *)at->host, out);
    return SS_OK;
}
