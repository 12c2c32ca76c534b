/* Patches on the device: see patches.cuh. */
#include "kernels/cuda/device/patches.cuh"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cuda/device/sample.cuh"

static ss_cuda_state *state_of(const ss_run *run)
{
    return (ss_cuda_state *)run->state;
}

/* --- the list --------------------------------------------------------------------------------- */

#define LARGEST_ARRAY ((size_t)UINT32_MAX) /* kernels index elements with 32 bits */

static int list_patches(ss_run *run, ss_cuda_patches *p, ss_err *err)
{
    ss_box *window = &state_of(run)->box;
    int line = SS_ALIGN / (int)ss_prec_size(run->prec);
    p->count = run->eq->patches(&run->problem, NULL);
    p->list = (ss_patch *)ss_alloc((size_t)p->count * sizeof *p->list, "the list of patches", err);
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
    ss_cuda_patches *p = (ss_cuda_patches *)ss_alloc(sizeof *p, "patches", err);
    state_of(run)->patches = p;
    if (!p || list_patches(run, p, err) != SS_OK)
        return SS_FAIL;
    p->mirror = run->coef.c[0] < 0;
    if (ss_cuda_alloc_copy((void **)&p->device, p->list, (size_t)p->count * sizeof *p->list,
                           "the list of patches", err) != SS_OK)
        return SS_FAIL;
    return ss_cuda_ghosts_make(&p->ghosts, p->list, p->count, run->prec,
                               p->mirror ? SS_WALL_MIRROR : SS_WALL_ZERO, err);
}

void ss_cuda_patches_free(ss_cuda_patches *p)
{
    if (p) {
        ss_cuda_ghosts_free(p->ghosts);
        cudaFree(p->device);
        free(p->list);
    }
    free(p);
}

/* --- rows of the window ----------------------------------------------------------------------- */

template <typename T> static void fill_with_nan(T *row, size_t n)
{
    for (size_t i = 0; i < n; i++)
        row[i] = (T)NAN;
}

/* Copies the part of rows [j0, j1) of plane k that lies in the patch. */
static int transfer_patch(const ss_run *run, const ss_patch *p, char *array, int k, int j0, int j1,
                          char *rows, bool up, ss_err *err)
{
    const ss_cuda_state *st = ss_cuda_of(run);
    size_t size = ss_prec_size(run->prec), pitch = (size_t)st->box.nx * size;
    int lo = p->at[1] > j0 ? p->at[1] : j0, end = p->at[1] + p->box.ny, hi = end < j1 ? end : j1;
    if (lo >= hi || ss_patch_row(p, lo, k) < 0)
        return SS_OK;
    char *there = array + ss_patch_row_at(p, ss_patch_row(p, lo, k)) * size;
    char *here = rows + (size_t)(lo - j0) * pitch + (size_t)p->at[0] * size;
    size_t width = (size_t)p->box.nx * size, stride = (size_t)p->box.sy * size;
    if (up)
        SS_CUDA(cudaMemcpy2DAsync(there, stride, here, pitch, width, (size_t)(hi - lo),
                                  cudaMemcpyHostToDevice, st->stream));
    else
        SS_CUDA(cudaMemcpy2DAsync(here, pitch, there, stride, width, (size_t)(hi - lo),
                                  cudaMemcpyDeviceToHost, st->stream));
    ss_cuda_downloaded += up ? 0 : (double)(width * (size_t)(hi - lo));
    return SS_OK;
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
    else if (run->prec == SS_F64)
        fill_with_nan((double *)(void *)s->host, cells);
    else
        fill_with_nan((float *)(void *)s->host, cells);
    for (int q = from; q < to; q++)
        if (transfer_patch(run, &st->patches->list[q], array, k, j0, j1, s->host, up, err) != SS_OK)
            return SS_FAIL;
    SS_CUDA(cudaStreamSynchronize(st->stream));
    if (!up)
        memcpy(rows, s->host, bytes);
    return SS_OK;
}

int ss_cuda_patches_transfer(ss_run *run, int which, int k, int j0, int j1, void *rows, bool up,
                             ss_err *err)
{
    ss_cuda_state *st = state_of(run);
    void *array = which == 1 ? st->rhs : st->u[which == 0 ? st->cur : 1 - st->cur];
    size_t row = (size_t)st->box.nx * ss_prec_size(run->prec);
    int most = row < BAND ? (int)(BAND / row) : 1;
    double started = ss_clock();
    st->patches->ghosts_old |= up && which == 0;
    for (int j = j0; j < j1; j += most) {
        int end = j + most < j1 ? j + most : j1;
        if (transfer_band(run, (char *)array, k, j, end, (char *)rows + (size_t)(j - j0) * row, up,
                          err) != SS_OK)
            return SS_FAIL;
    }
    *(up ? &run->seconds_upload : &run->seconds_download) += ss_clock() - started;
    return SS_OK;
}

/* --- ghosts ----------------------------------------------------------------------------------- */

void ss_cuda_exchange(const ss_run *run, void *u, cudaStream_t stream)
{
    const ss_cuda_patches *p = ss_cuda_of(run)->patches;
    ss_ghosts_launch(p->ghosts, u, p->mirror, stream);
}

int ss_cuda_ghosts_renew(ss_run *run, ss_err *err)
{
    ss_cuda_state *st = state_of(run);
    if (!st->patches->ghosts_old)
        return SS_OK;
    ss_cuda_exchange(run, st->u[st->cur], st->stream);
    SS_CUDA(cudaGetLastError());
    st->patches->ghosts_old = false;
    return SS_OK;
}

#define EXCHANGES 8 /* timed together */

int ss_cuda_patches_begin(ss_run *run, ss_err *err)
{
    ss_cuda_state *st = state_of(run);
    float ms = 0;
    if (ss_cuda_ghosts_renew(run, err) != SS_OK)
        return SS_FAIL;
    SS_CUDA(cudaEventRecord(st->begin, st->stream));
    for (int i = 0; i < EXCHANGES; i++)
        ss_cuda_exchange(run, st->u[st->cur], st->stream);
    SS_CUDA(cudaGetLastError());
    SS_CUDA(cudaEventRecord(st->end, st->stream));
    SS_CUDA(cudaEventSynchronize(st->end));
    SS_CUDA(cudaEventElapsedTime(&ms, st->begin, st->end));
    st->patches->exchange = ms * 1e-3 / EXCHANGES;
    return SS_OK;
}

/* --- numbers of the whole field --------------------------------------------------------------- */

#define THREADS 256
#define STRIPES 16       /* thread blocks per patch */
#define CHUNK (32 << 20) /* bytes of u* on the device at a time */
#define RESULT 256       /* bytes before u* in the buffer, for the result */

/* Planes [k0, k1) of the window; ref holds these planes only. */
struct deviation {
    const ss_patch *list;
    const double *ref;
    int nx, ny, k0, k1;
};

/* Max |u - ref|; a value that is not a number counts as infinite. Bit patterns of non-negative
 * doubles are ordered like their values. */
template <typename T>
__global__ void __launch_bounds__(THREADS)
    find_deviation(deviation d, const T *u, unsigned long long *max)
{
    const ss_patch &p = d.list[blockIdx.x];
    double most = 0;
    int lo = d.k0 > p.at[2] ? d.k0 - p.at[2] : 0;
    int hi = d.k1 - p.at[2] < p.box.nz ? d.k1 - p.at[2] : p.box.nz;
    for (int r = lo * p.box.ny + blockIdx.y; r < hi * p.box.ny; r += STRIPES) {
        const T *row = u + ss_patch_row_at(&p, r);
        int j = p.at[1] + r % p.box.ny, k = p.at[2] + r / p.box.ny - d.k0;
        const double *ref = d.ref + ((ptrdiff_t)k * d.ny + j) * d.nx + p.at[0];
        for (int i = threadIdx.x; i < p.box.nx; i += THREADS) {
            double e = fabs((double)row[i] - ref[i]);
            most = e <= most ? most : isnan(e) ? HUGE_VAL : e;
        }
    }
    for (int s = 16; s > 0; s /= 2)
        most = fmax(most, __shfl_down_sync(~0u, most, s));
    if (threadIdx.x % 32 == 0)
        atomicMax(max, (unsigned long long)__double_as_longlong(most));
}

static void launch_deviation(const ss_run *run, const deviation &d, char *max)
{
    const ss_cuda_state *st = ss_cuda_of(run);
    dim3 blocks((unsigned)st->patches->count, STRIPES);
    unsigned long long *out = (unsigned long long *)(void *)max;
    if (run->prec == SS_F64)
        find_deviation<<<blocks, THREADS, 0, st->stream>>>(d, (const double *)st->u[st->cur], out);
    else
        find_deviation<<<blocks, THREADS, 0, st->stream>>>(d, (const float *)st->u[st->cur], out);
}

static int max_deviation(ss_run *run, const double *ref, double *out, ss_err *err)
{
    ss_cuda_staging *s;
    const ss_cuda_state *st = ss_cuda_of(run);
    const ss_box *b = &st->box;
    size_t plane = (size_t)b->nx * (size_t)b->ny;
    int most = (int)(CHUNK / (plane * sizeof *ref));
    most = most < 1 ? 1 : most > b->nz ? b->nz : most;
    if (ss_cuda_staging_get(run, RESULT + (size_t)most * plane * sizeof *ref, &s, err) != SS_OK)
        return SS_FAIL;
    SS_CUDA(cudaMemsetAsync(s->device, 0, sizeof *out, st->stream));
    for (int k = 0; k < b->nz; k += most) {
        int end = k + most < b->nz ? k + most : b->nz;
        deviation d = {st->patches->device,
                       (const double *)(void *)(s->device + RESULT),
                       b->nx,
                       b->ny,
                       k,
                       end};
        double started = ss_clock();
        SS_CUDA(cudaMemcpyAsync(s->device + RESULT, ref + (size_t)k * plane,
                                (size_t)(end - k) * plane * sizeof *ref, cudaMemcpyHostToDevice,
                                st->stream));
        run->seconds_upload += ss_clock() - started;
        launch_deviation(run, d, s->device);
        SS_CUDA(cudaGetLastError());
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

template <typename T> struct fields {
    const T *u, *rhs, *start;
    double scale; /* of the right-hand side and of residuals */
};

/* The values of the parts of a slice, in the expressions of kernels/sample/slice.c. */
struct part_u {
    template <typename T> static __device__ double at(const fields<T> &f, const ss_box &, size_t c)
    {
        return (double)f.u[c];
    }
};
struct part_rhs {
    template <typename T> static __device__ double at(const fields<T> &f, const ss_box &, size_t c)
    {
        return (double)f.rhs[c] * f.scale;
    }
};
struct part_start {
    template <typename T> static __device__ double at(const fields<T> &f, const ss_box &, size_t c)
    {
        return (double)f.start[c];
    }
};
struct part_residual {
    template <typename T> static __device__ double at(const fields<T> &f, const ss_box &b, size_t c)
    {
        const T *u = f.u + c;
        double sum = (double)u[-1] + (double)u[1] + (double)u[-b.sy] + (double)u[b.sy] +
                     (double)u[-b.sz] + (double)u[b.sz];
        double r = (double)f.rhs[c] - 6 * (double)u[0] + sum;
        return f.scale * r;
    }
};

/* Instead of an array, which the compiler would put into local memory if it is indexed at run time.
 */
template <typename V> static __device__ V choose(int axis, V x, V y, V z)
{
    return axis == 0 ? x : axis == 1 ? y : z;
}

static __device__ int extent(const ss_box &b, int axis)
{
    return choose(axis, b.nx, b.ny, b.nz);
}

static __device__ ptrdiff_t stride(const ss_box &b, int axis)
{
    return choose<ptrdiff_t>(axis, 1, b.sy, b.sz);
}

/* Gathers the cells of patch blockIdx.x that lie in the slice into the dense plane. */
template <class PART, typename T>
__global__ void __launch_bounds__(THREADS)
    gather_slice(const ss_patch *list, ss_slice s, fields<T> f, double *plane)
{
    const ss_patch &p = list[blockIdx.x];
    int inside = s.at - p.at[s.axis];
    if (inside < 0 || inside >= extent(p.box, s.axis))
        return;
    size_t first = p.box.first + (size_t)(inside * stride(p.box, s.axis));
    ptrdiff_t step_across = stride(p.box, s.d[0]), step_up = stride(p.box, s.d[1]);
    int across = extent(p.box, s.d[0]), up = extent(p.box, s.d[1]);
    for (int c = blockIdx.y * THREADS + threadIdx.x; c < across * up; c += STRIPES * THREADS) {
        int x = c % across, y = c / across;
        size_t at = first + (size_t)(y * step_up + x * step_across);
        plane[(ptrdiff_t)(p.at[s.d[1]] + y) * s.n[0] + p.at[s.d[0]] + x] = PART::at(f, p.box, at);
    }
}

template <class PART, typename T>
static void launch_slice(const ss_run *run, const ss_slice *s, double *plane)
{
    const ss_cuda_state *st = ss_cuda_of(run);
    fields<T> f = {(const T *)st->u[st->cur], (const T *)st->rhs, (const T *)st->u[1 - st->cur],
                   run->coef.residual};
    dim3 blocks((unsigned)st->patches->count, STRIPES);
    gather_slice<PART, T><<<blocks, THREADS, 0, st->stream>>>(st->patches->device, *s, f, plane);
}

/* In the order of ss_slice_part. */
static void (*const gathers[SS_NSLICE][SS_NPREC])(const ss_run *, const ss_slice *, double *) = {
    {launch_slice<part_u, double>, launch_slice<part_u, float>},
    {launch_slice<part_rhs, double>, launch_slice<part_rhs, float>},
    {launch_slice<part_start, double>, launch_slice<part_start, float>},
    {launch_slice<part_residual, double>, launch_slice<part_residual, float>},
};

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
    SS_CUDA(cudaMemsetAsync(at->device, 0, bytes, ss_cuda_of(run)->stream));
    gathers[part][run->prec](run, s, (double *)(void *)at->device);
    SS_CUDA(cudaGetLastError());
    if (ss_cuda_staging_fetch(run, at, 0, bytes, err) != SS_OK)
        return SS_FAIL;
    for (int q = 0; q < p->count; q++)
        copy_patch(&p->list[q], s, (const double *)(void *)at->host, out);
    return SS_OK;
}
