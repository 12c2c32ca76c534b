/*
 * Persistent Jacobi on several devices: each has whole rows of regions and launches the kernel
 * once; the launches exchange halos with each other while they run, by stores and flags over the
 * link between the devices (halo_exchange.cuh). The devices must access each other's memory, and
 * all launches must run at the same time: each waits for points of the others.
 *
 * Between launches, and before the first one, the host has the halo rows copied (device/slabs.cu):
 * a launch loads its regions with the rows around them. Steps and norms are those of one device
 * (persistent.cu), where the sums of the devices are added. Engine thread.
 */
#include <stdlib.h>

#include "kernels/cuda/device/slabs.cuh"
#include "kernels/cuda/jacobi/persistent_shapes.cuh"

/* What a device has for its launch. */
struct device_plan {
    int first, end, blocks; /* its rows of regions; its thread blocks */
    void *exchange[2];
    int *flag; /* [region of the whole grid] */
    int *lost;
    double *sums, *squares, *host; /* as in persistent.cu; host: pinned */
};

struct devices_plan {
    persistent_steps steps;
    const region_shape *shape;
    regions x, y;
    int exchanges; /* so far */
    int devices;
    bool cooperative; /* all devices differ */
    double squares[CHECKED_CHUNK];
    device_plan of[SS_CUDA_DEVICES_MAX];
};

static devices_plan *plan_of(const ss_run *run)
{
    return (devices_plan *)run->scratch;
}

/* --- shapes ----------------------------------------------------------------------------------- */

/* Grids smaller than a region are refused: they fit on one device. */
template <class E, class P, int WARPS> static kernel_choice choose_kernel(bool norm, grid_kind kind)
{
    typedef device_args<typename E::real> A;
    static kernel_choice (*const of[2][2])() = {
        {instantiate<E, P, 1, WARPS, false, WHOLE_ROWS, A>,
         instantiate<E, P, 1, WARPS, false, ANY_POINTS, A>},
        {instantiate<E, P, 1, WARPS, true, WHOLE_ROWS, A>,
         instantiate<E, P, 1, WARPS, true, ANY_POINTS, A>},
    };
    return of[norm][kind]();
}

template <class E, class F, int LX, int R, int WARPS> static region_shape plane_shape()
{
    typedef warp_tile<E, LX, PLANE_COLUMNS, R> P;
    typedef warp_tile<F, LX, PLANE_COLUMNS, R> Q;
    return {P::WIDTH,
            P::HEIGHT * WARPS,
            WARPS,
            false,
            {choose_kernel<E, P, WARPS>, choose_kernel<F, Q, WARPS>}};
}

/* As on one device (persistent.cu). */
template <class E, class F = E> static const region_shape *planes_f64()
{
    static const region_shape shapes[] = {
        plane_shape<E, F, 16, 8, 4>(),   /*  64 x  64 points */
        plane_shape<E, F, 32, 11, 8>(),  /* 128 x  88 */
        plane_shape<E, F, 32, 13, 12>(), /* 128 x 156, right-hand sides in shared memory */
        {},
    };
    return shapes;
}

template <class E, class F = E> static const region_shape *planes_f32()
{
    static const region_shape shapes[] = {
        plane_shape<E, F, 16, 8, 4>(),   /*  64 x  64 points */
        plane_shape<E, F, 32, 11, 8>(),  /* 128 x  88 */
        plane_shape<E, F, 32, 13, 12>(), /* 128 x 156 */
        {},
    };
    return shapes;
}

/* By update, without those of lines, and precision. */
static const region_shape *(*const shapes[SS_CUDA_NUPDATE][SS_NPREC])() = {
    {},
    {planes_f64<poisson_plane<double>, fma_plane<double>>,
     planes_f32<poisson_plane<float>, fma_plane<float>>},
    {},
    {planes_f64<pentadiagonal<double>>, planes_f32<pentadiagonal<float>>},
};

/* --- launches --------------------------------------------------------------------------------- */

/* Point (0, 0) of the whole grid in an array of slab i, which has some of its rows. */
template <typename T> static T *origin(const ss_run *run, int i, const void *array)
{
    const ss_cuda_state *st = ss_cuda_of(&ss_cuda_slabs_of(run)->of[i].run);
    return (T *)array + (ptrdiff_t)st->box.first - st->row * st->box.sy;
}

template <typename T> static device_args<T> args_of(const ss_run *run, int i, int iterations)
{
    devices_plan *p = plan_of(run);
    const device_plan *d = &p->of[i];
    const ss_cuda_state *st = ss_cuda_of(&ss_cuda_slabs_of(run)->of[i].run);
    int cur = ss_cuda_of(run)->cur;
    device_args<T> a = {};
    a.in = origin<T>(run, i, st->u[cur]);
    a.rhs = origin<T>(run, i, st->rhs);
    a.out = origin<T>(run, i, st->u[1 - cur]);
    a.sy = st->box.sy;
    a.x = p->x;
    a.y = p->y;
    a.iterations = iterations;
    a.exchanges_before = p->exchanges;
    a.flag = d->flag;
    a.sums = d->sums;
    a.first = d->first;
    a.end = d->end;
    a.lost = d->lost;
    for (int b = 0; b < 2; b++)
        a.exchange[b] = origin<T>(run, i, d->exchange[b]);
    for (int side = 0; side < 2; side++) {
        int k = side ? i + 1 : i - 1;
        if (k < 0 || k >= p->devices)
            continue;
        a.flags_beyond[side] = p->of[k].flag;
        for (int b = 0; b < 2; b++)
            a.beyond[side][b] = origin<T>(run, k, p->of[k].exchange[b]);
    }
    return a;
}

/* The kernel of device i, on the stream of its slab. */
template <typename T>
static int launch_device(const ss_run *run, int i, const kernel_choice &c, int iterations,
                         ss_err *err)
{
    devices_plan *p = plan_of(run);
    cudaStream_t stream = ss_cuda_of(&ss_cuda_slabs_of(run)->of[i].run)->stream;
    device_args<T> a = args_of<T>(run, i, iterations);
    pentadiagonal<T> update = equation<pentadiagonal<T>>(run);
    void *args[] = {&a, &update};
    dim3 blocks((unsigned)p->of[i].blocks), threads((unsigned)(32 * p->shape->warps));
    SS_CUDA(
        cudaFuncSetAttribute(c.kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)c.bytes));
    if (p->cooperative)
        SS_CUDA(cudaLaunchCooperativeKernel(c.kernel, blocks, threads, args, c.bytes, stream));
    else /* several launches share a device, and have room on it together: choose_shape */
        SS_CUDA(cudaLaunchKernel(c.kernel, blocks, threads, args, c.bytes, stream));
    return SS_OK;
}

static int launch_all(const ss_run *run, int iterations, bool norm, ss_err *err)
{
    devices_plan *p = plan_of(run);
    kernel_choice c = p->shape->choose[ss_cuda_fma(run)](norm, kind_of(2, p->x, p->y));
    for (int i = 0; i < p->devices; i++) {
        ss_cuda_on here(ss_cuda_device_of(&ss_cuda_slabs_of(run)->of[i]));
        if ((run->prec == SS_F64 ? launch_device<double>
                                 : launch_device<float>)(run, i, c, iterations, err) != SS_OK)
            return SS_FAIL;
    }
    p->exchanges += (iterations - 1) / p->x.every;
    return SS_OK;
}

/* The sums of device i, and whether it has waited in vain, on the way to the host. */
static int fetch_sums(const ss_run *run, int i, int iterations, bool norm, ss_err *err)
{
    const devices_plan *p = plan_of(run);
    const device_plan *d = &p->of[i];
    cudaStream_t stream = ss_cuda_of(&ss_cuda_slabs_of(run)->of[i].run)->stream;
    ss_cuda_on here(ss_cuda_device_of(&ss_cuda_slabs_of(run)->of[i]));
    if (norm) {
        add_sums<<<iterations, 128, 0, stream>>>(d->sums, d->blocks * p->shape->warps, d->squares);
        SS_CUDA(cudaGetLastError());
        SS_CUDA(cudaMemcpyAsync(d->host, d->squares, (size_t)iterations * sizeof *d->host,
                                cudaMemcpyDeviceToHost, stream));
    }
    SS_CUDA(cudaMemcpyAsync(d->host + CHECKED_CHUNK, d->lost, sizeof *d->lost,
                            cudaMemcpyDeviceToHost, stream));
    return SS_OK;
}

/* The halos of the current field, and the flags: their numbers start again before they overflow. */
static int begin(ss_run *run, ss_err *err)
{
    devices_plan *p = plan_of(run);
    size_t flags = (size_t)p->x.count * (size_t)p->y.count * sizeof(int);
    if (ss_cuda_slabs_refresh(run, err) != SS_OK)
        return SS_FAIL;
    for (int i = 0; i < p->devices && p->exchanges > 1 << 30; i++) {
        SS_CUDA(cudaMemsetAsync(p->of[i].flag, 0, flags, ss_cuda_of(run)->stream));
        SS_CUDA(cudaStreamSynchronize(ss_cuda_of(run)->stream));
    }
    p->exchanges = p->exchanges > 1 << 30 ? 0 : p->exchanges;
    return SS_OK;
}

/* Waits for device i; *ms becomes the time of the slowest one so far. */
static int finish(const ss_run *run, int i, int iterations, bool norm, float *ms, ss_err *err)
{
    devices_plan *p = plan_of(run);
    const ss_cuda_state *st = ss_cuda_of(&ss_cuda_slabs_of(run)->of[i].run);
    float took = 0;
    SS_CUDA(cudaStreamSynchronize(st->stream));
    SS_CUDA(cudaEventElapsedTime(&took, st->begin, st->end));
    *ms = took > *ms ? took : *ms;
    for (int n = 0; norm && n < iterations; n++)
        p->squares[n] = (i > 0 ? p->squares[n] : 0) + p->of[i].host[n];
    if (*(const int *)(const void *)(p->of[i].host + CHECKED_CHUNK))
        return ss_fail(err, "devices: a device has waited for another one for seconds, in vain");
    return SS_OK;
}

/* See persistent_steps. */
static int launch(ss_run *run, int iterations, bool norm, float *ms, ss_err *err)
{
    devices_plan *p = plan_of(run);
    *ms = 0;
    if (begin(run, err) != SS_OK)
        return SS_FAIL;
    for (int i = 0; i < p->devices; i++) {
        const ss_cuda_state *st = ss_cuda_of(&ss_cuda_slabs_of(run)->of[i].run);
        SS_CUDA(cudaEventRecord(st->begin, st->stream));
    }
    if (launch_all(run, iterations, norm, err) != SS_OK)
        return SS_FAIL;
    for (int i = 0; i < p->devices; i++) {
        const ss_cuda_state *st = ss_cuda_of(&ss_cuda_slabs_of(run)->of[i].run);
        SS_CUDA(cudaEventRecord(st->end, st->stream));
        if (fetch_sums(run, i, iterations, norm, err) != SS_OK)
            return SS_FAIL;
    }
    for (int i = 0; i < p->devices; i++)
        if (finish(run, i, iterations, norm, ms, err) != SS_OK)
            return SS_FAIL;
    ss_cuda_slabs_of(run)->fresh = false;
    return SS_OK;
}

/* --- prepare and release ---------------------------------------------------------------------- */

static void release(ss_run *run)
{
    devices_plan *p = plan_of(run);
    for (int i = 0; i < p->devices; i++) {
        device_plan *d = &p->of[i];
        for (void *array : {d->exchange[0], d->exchange[1], (void *)d->flag, (void *)d->lost,
                            (void *)d->sums, (void *)d->squares})
            cudaFree(array);
        cudaFreeHost(d->host);
    }
    free(p);
    run->scratch = NULL;
}

/* How many slabs lie on the device of slab i. */
static int slabs_on(const ss_cuda_slabs *s, int i)
{
    int n = 0;
    for (int k = 0; k < s->count; k++)
        n += s->devices.of[k] == s->devices.of[i];
    return n;
}

/* Do the regions of a shape fit on the devices, one block per SM, and each device has some? */
static bool fits(const ss_run *run, devices_plan *p, const region_shape *shape, int sms)
{
    const ss_cuda_slabs *s = ss_cuda_slabs_of(run);
    int every = (int)ss_config_int(&run->cfg, "every");
    bool room = true;
    p->shape = shape;
    p->x = make_regions(run->problem.nx, shape->width, every);
    p->y = make_regions(run->problem.ny, shape->height, every);
    if (p->x.n < shape->width || p->y.n < shape->height || p->y.count < s->count)
        return false;
    for (int i = 0; i < s->count; i++) {
        device_plan *d = &p->of[i];
        d->first = (int)((int64_t)p->y.count * i / s->count);
        d->end = (int)((int64_t)p->y.count * (i + 1) / s->count);
        d->blocks = p->x.count * (d->end - d->first);
        room = room && (int64_t)d->blocks * slabs_on(s, i) <= sms;
        p->cooperative = p->cooperative && slabs_on(s, i) == 1;
    }
    return room;
}

static int choose_shape(const ss_run *run, devices_plan *p, ss_err *err)
{
    ss_cuda_limits limits;
    if (run->problem.dim == 1)
        return ss_cuda_slabs_refuse("the persistent solver of lines", "solver jacobi or shared",
                                    err);
    if (!ss_cuda_slabs_of(run)->peers)
        return ss_cuda_slabs_refuse("without peer access between them the persistent solver",
                                    "solver jacobi or shared", err);
    if (ss_cuda_get_limits(&limits, err) != SS_OK)
        return SS_FAIL;
    p->cooperative = true;
    const region_shape *shape = shapes[ss_cuda_of(run)->update][run->prec]();
    for (; shape->warps; shape++)
        if (shape->choose[0](true, ANY_POINTS).bytes <= limits.block_bytes &&
            fits(run, p, shape, limits.processors))
            return SS_OK;
    return ss_fail(err,
                   "persistent: %d \xc3\x97 %d points do not fit on the chips of %d devices, or "
                   "leave one of them without a region: choose another n, every or solver",
                   run->problem.nx, run->problem.ny, ss_cuda_slabs_of(run)->count);
}

/* Rows that the regions of a device cover beyond those that it owns. The last region of the grid
 * covers more than `every`, which it does not use (regions.cuh); they must exist, nevertheless. */
static int rows_beyond(const devices_plan *p, const device_plan *d)
{
    region first = find_region(p->y, d->first), last = find_region(p->y, d->end - 1);
    int south = first.own0 - first.lo, north = last.lo + p->y.width - last.own1;
    return south > north ? south : north;
}

static int divide(ss_run *run, ss_err *err)
{
    devices_plan *p = plan_of(run);
    int cut[SS_CUDA_DEVICES_MAX + 1], depth = p->y.every;
    int count = ss_cuda_slabs_of(run)->count;
    for (int i = 0; i < count; i++) {
        int beyond = rows_beyond(p, &p->of[i]);
        cut[i] = find_region(p->y, p->of[i].first).own0;
        depth = beyond > depth ? beyond : depth;
    }
    cut[count] = run->problem.ny;
    return ss_cuda_slabs_divide(run, cut, depth, err);
}

static int allocate(const ss_run *run, int i, ss_err *err)
{
    devices_plan *p = plan_of(run);
    device_plan *d = &p->of[i];
    const ss_cuda_state *st = ss_cuda_of(&ss_cuda_slabs_of(run)->of[i].run);
    size_t bytes = st->box.count * ss_prec_size(run->prec);
    size_t flags = (size_t)p->x.count * (size_t)p->y.count * sizeof *d->flag;
    size_t warps = (size_t)d->blocks * (size_t)p->shape->warps;
    ss_cuda_on here(st->device);
    p->devices = i + 1;
    for (int b = 0; b < 2; b++)
        if (ss_cuda_alloc(&d->exchange[b], bytes, "the halo strips", err) != SS_OK)
            return SS_FAIL;
    if (ss_cuda_alloc((void **)&d->flag, flags, "the flags", err) != SS_OK ||
        ss_cuda_alloc((void **)&d->lost, sizeof *d->lost, "the flags", err) != SS_OK ||
        ss_cuda_alloc((void **)&d->sums, warps * CHECKED_CHUNK * sizeof *d->sums, "sums of warps",
                      err) != SS_OK ||
        ss_cuda_alloc((void **)&d->squares, CHECKED_CHUNK * sizeof *d->squares, "the norms", err) !=
            SS_OK ||
        ss_cuda_alloc_host((void **)&d->host, (CHECKED_CHUNK + 1) * sizeof *d->host,
                           "a copy of the norms", err) != SS_OK)
        return SS_FAIL;
    SS_CUDA(cudaMemsetAsync(d->flag, 0, flags, st->stream));
    SS_CUDA(cudaMemsetAsync(d->lost, 0, sizeof *d->lost, st->stream));
    SS_CUDA(cudaStreamSynchronize(st->stream));
    return SS_OK;
}

int ss_cuda_persistent_prepare_devices(ss_run *run, ss_err *err)
{
    devices_plan *p = (devices_plan *)calloc(1, sizeof *p);
    if (!p)
        return ss_fail(err, "out of memory");
    run->scratch = p;
    p->steps.launch = launch;
    p->steps.release = release;
    p->steps.squares = p->squares;
    int status = choose_shape(run, p, err) == SS_OK ? divide(run, err) : SS_FAIL;
    for (int i = 0; i < ss_cuda_slabs_of(run)->count && status == SS_OK; i++)
        status = allocate(run, i, err);
    if (status == SS_OK)
        return SS_OK;
    release(run);
    return SS_FAIL;
}
