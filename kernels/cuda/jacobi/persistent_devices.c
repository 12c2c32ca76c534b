/*
 * Persistent Jacobi on several devices: each has whole rows of regions and launches the kernel
 * once; the launches exchange halos with each other while they run, by stores and flags over the
 * link between the devices (halo_exchange.cuh). The devices must access each other's memory, and
 * all launches must run at the same time: each waits for points of the others.
 *
 * Between launches, and before the first one, the host has the halo rows copied (device/slabs.c):
 * a launch loads its regions with the rows around them. Steps and norms are those of one device
 * (persistent.c), where the sums of the devices are added. Engine thread.
 */
#include "kernels/cuda/jacobi/persistent.h"

/* device_args<T> of halo_exchange.cuh. */
typedef struct device_args {
    flag_args all;
    int first, end;
    void *beyond[2][2];
    int *flags_beyond[2];
    int *lost;
} device_args;

/* What a device has for its launch. */
typedef struct device_plan {
    int first, end, blocks;         /* its rows of regions; its thread blocks */
    ss_cuda_kernel iterate[2], add; /* as in persistent.c */
    void *exchange[2];
    int *flag; /* [region of the whole grid] */
    int *lost;
    double *sums, *squares, *host; /* as in persistent.c; host: pinned */
} device_plan;

typedef struct devices_plan {
    persistent_steps steps;
    const region_shape *shape;
    regions x, y;
    int exchanges; /* so far */
    int devices;
    bool cooperative; /* all devices differ */
    double squares[CHECKED_CHUNK];
    device_plan of[SS_CUDA_DEVICES_MAX];
} devices_plan;

static devices_plan *plan_of(const ss_run *run)
{
    return ss_cuda_plan_of(run)->own;
}

/* The state of slab i. */
static const ss_cuda_state *state_of(const ss_run *run, int i)
{
    return ss_cuda_of(&ss_cuda_slabs_of(run)->of[i].run);
}

/* --- launches --------------------------------------------------------------------------------- */

/* Point (0, 0) of the whole grid in an array of slab i, which has some of its rows. */
static void *origin(const ss_run *run, int i, void *array)
{
    const ss_cuda_state *st = state_of(run, i);
    ptrdiff_t first = (ptrdiff_t)st->box.first - st->row * st->box.sy;
    return (char *)array + first * (ptrdiff_t)ss_prec_size(run->prec);
}

/* What the launch of device i has in common with that on one device. */
static flag_args flag_args_of(const ss_run *run, int i, int iterations)
{
    const devices_plan *p = plan_of(run);
    const device_plan *d = &p->of[i];
    const ss_cuda_state *st = state_of(run, i);
    int cur = ss_cuda_of(run)->cur;
    return (flag_args){
        .all = {.in = origin(run, i, st->u[cur]),
                .rhs = origin(run, i, st->rhs),
                .out = origin(run, i, st->u[1 - cur]),
                .sy = st->box.sy,
                .x = p->x,
                .y = p->y,
                .iterations = iterations,
                .exchanges_before = p->exchanges,
                .sums = d->sums},
        .exchange = {origin(run, i, d->exchange[0]), origin(run, i, d->exchange[1])},
        .flag = d->flag,
    };
}

static device_args args_of(const ss_run *run, int i, int iterations)
{
    const devices_plan *p = plan_of(run);
    const device_plan *d = &p->of[i];
    device_args a = {
        .all = flag_args_of(run, i, iterations), .first = d->first, .end = d->end, .lost = d->lost};
    for (int side = 0; side < 2; side++) {
        int k = side ? i + 1 : i - 1;
        if (k < 0 || k >= p->devices)
            continue;
        a.flags_beyond[side] = p->of[k].flag;
        for (int b = 0; b < 2; b++)
            a.beyond[side][b] = origin(run, k, p->of[k].exchange[b]);
    }
    return a;
}

/* On the streams of the slabs. */
static int launch_all(const ss_run *run, int iterations, bool norm, ss_err *err)
{
    devices_plan *p = plan_of(run);
    ss_cuda_coefficients update = ss_cuda_coefficients_of(run);
    for (int i = 0; i < p->devices; i++) {
        device_args a = args_of(run, i, iterations);
        ss_cuda_launch_kernel(&p->of[i].iterate[norm], state_of(run, i)->stream,
                              SS_ARGUMENTS(&a, &update));
    }
    SS_CUDA(ss_cuda_launch_error());
    p->exchanges += (iterations - 1) / p->x.every;
    return SS_OK;
}

/* The sums of device i, and whether it has waited in vain, on the way to the host. */
static int fetch_sums(const ss_run *run, int i, int iterations, bool norm, ss_err *err)
{
    devices_plan *p = plan_of(run);
    device_plan *d = &p->of[i];
    ss_cu_stream stream = state_of(run, i)->stream;
    int warps = d->blocks * shape_warps(p->shape->block);
    ss_cuda_use(state_of(run, i)->device);
    if (norm) {
        d->add.blocks.x = (unsigned)iterations;
        ss_cuda_launch_kernel(&d->add, stream, SS_ARGUMENTS(&d->sums, &warps, &d->squares));
        SS_CUDA(ss_cuda_launch_error());
        SS_CUDA(ss_cu->copy(d->host, d->squares, (size_t)iterations * sizeof *d->host, stream));
    }
    SS_CUDA(ss_cu->copy(d->host + CHECKED_CHUNK, d->lost, sizeof *d->lost, stream));
    return SS_OK;
}

/* The halos of the current field, and the flags: their numbers start again before they overflow. */
static int begin(ss_run *run, ss_err *err)
{
    devices_plan *p = plan_of(run);
    size_t flags = (size_t)p->x.count * (size_t)p->y.count * sizeof(int);
    ss_cuda_use(ss_cuda_of(run)->device);
    if (ss_cuda_slabs_refresh(run, err) != SS_OK)
        return SS_FAIL;
    for (int i = 0; i < p->devices && p->exchanges > 1 << 30; i++) {
        const ss_cuda_state *st = state_of(run, i);
        ss_cuda_use(st->device);
        SS_CUDA(ss_cu->fill(p->of[i].flag, 0, flags, st->stream));
        SS_CUDA(ss_cu->stream_wait(st->stream));
    }
    p->exchanges = p->exchanges > 1 << 30 ? 0 : p->exchanges;
    return SS_OK;
}

/* Waits for device i; *ms becomes the time of the slowest one so far. */
static int finish(const ss_run *run, int i, int iterations, bool norm, float *ms, ss_err *err)
{
    devices_plan *p = plan_of(run);
    const ss_cuda_state *st = state_of(run, i);
    float took = 0;
    ss_cuda_use(st->device);
    SS_CUDA(ss_cu->stream_wait(st->stream));
    SS_CUDA(ss_cu->event_ms(&took, st->begin, st->end));
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
        const ss_cuda_state *st = state_of(run, i);
        ss_cuda_use(st->device);
        SS_CUDA(ss_cu->event_record(st->begin, st->stream));
    }
    if (launch_all(run, iterations, norm, err) != SS_OK)
        return SS_FAIL;
    for (int i = 0; i < p->devices; i++) {
        const ss_cuda_state *st = state_of(run, i);
        ss_cuda_use(st->device);
        SS_CUDA(ss_cu->event_record(st->end, st->stream));
        if (fetch_sums(run, i, iterations, norm, err) != SS_OK)
            return SS_FAIL;
    }
    for (int i = 0; i < p->devices; i++)
        if (finish(run, i, iterations, norm, ms, err) != SS_OK)
            return SS_FAIL;
    ss_cuda_slabs_of(run)->fresh = false;
    return SS_OK;
}

/* --- prepare ---------------------------------------------------------------------------------- */

/* How many slabs lie on the device of slab i. */
static int slabs_on(const ss_cuda_slabs *s, int i)
{
    int n = 0;
    for (int k = 0; k < s->count; k++)
        n += s->devices.of[k] == s->devices.of[i];
    return n;
}

/* Do the regions of a shape fit on the devices, one block per SM, and each device has some? Grids
 * smaller than a region do not: they fit on one device. */
static bool fits(const ss_run *run, const region_shape *shape, int sms)
{
    devices_plan *p = plan_of(run);
    const ss_cuda_slabs *s = ss_cuda_slabs_of(run);
    int every = (int)ss_config_int(&run->cfg, "every");
    bool room = true;
    p->shape = shape;
    p->x = make_regions(run->problem.nx, shape_width(shape->block), every);
    p->y = make_regions(run->problem.ny, shape_height(shape->block), every);
    if (p->x.n < p->x.width || p->y.n < p->y.width || p->y.count < s->count)
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

static int choose_shape(const ss_run *run, ss_err *err)
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
    plan_of(run)->cooperative = true;
    for (const region_shape *shape = ss_cuda_persistent_shapes(run); shape->block.wx; shape++)
        if (ss_cuda_persistent_bytes(run, shape, true) <= limits.block_bytes &&
            fits(run, shape, limits.processors))
            return SS_OK;
    return ss_fail(err,
                   "persistent: %d \xc3\x97 %d points do not fit on the chips of %d devices, or "
                   "leave one of them without a region: choose another n, every or solver",
                   run->problem.nx, run->problem.ny, ss_cuda_slabs_of(run)->count);
}

/* Rows that the regions of a device cover beyond those that it owns. The last region of the grid
 * covers more than `every`, which it does not use (regions.h); they must exist, nevertheless. */
static int rows_beyond(const devices_plan *p, const device_plan *d)
{
    region first = find_region(p->y, d->first), last = find_region(p->y, d->end - 1);
    int south = first.own0 - first.lo, north = last.lo + p->y.width - last.own1;
    return south > north ? south : north;
}

static int divide(ss_run *run, ss_err *err)
{
    const devices_plan *p = plan_of(run);
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
    const ss_cuda_state *st = state_of(run, i);
    ss_cuda_kept *kept = &ss_cuda_plan_of(run)->kept;
    size_t bytes = st->box.count * ss_prec_size(run->prec);
    size_t flags = (size_t)p->x.count * (size_t)p->y.count * sizeof *d->flag;
    size_t warps = (size_t)d->blocks * (size_t)shape_warps(p->shape->block);
    ss_cuda_use(st->device);
    for (int b = 0; b < 2; b++)
        if (ss_cuda_keep(kept, &d->exchange[b], bytes, "the halo strips", err) != SS_OK)
            return SS_FAIL;
    if (ss_cuda_keep_zeroed(kept, (void **)&d->flag, flags, "the flags", st->stream, err) !=
            SS_OK ||
        ss_cuda_keep_zeroed(kept, (void **)&d->lost, sizeof *d->lost, "the flags", st->stream,
                            err) != SS_OK ||
        ss_cuda_keep(kept, (void **)&d->sums, warps * CHECKED_CHUNK * sizeof *d->sums,
                     "sums of warps", err) != SS_OK ||
        ss_cuda_keep(kept, (void **)&d->squares, CHECKED_CHUNK * sizeof *d->squares, "the norms",
                     err) != SS_OK ||
        ss_cuda_keep_pinned(kept, (void **)&d->host, (CHECKED_CHUNK + 1) * sizeof *d->host,
                            "a copy of the norms", err) != SS_OK)
        return SS_FAIL;
    SS_CUDA(ss_cu->stream_wait(st->stream));
    return SS_OK;
}

/* Launches that share a device are not cooperative, and have room on it together: fits. */
static int find_kernels(const ss_run *run, int i, ss_err *err)
{
    devices_plan *p = plan_of(run);
    device_plan *d = &p->of[i];
    ss_cuda_use(state_of(run, i)->device);
    for (int norm = 0; norm < 2; norm++) {
        d->iterate[norm].blocks.x = (unsigned)d->blocks;
        d->iterate[norm].cooperative = p->cooperative;
        d->iterate[norm].ordinary = true;
    }
    d->add.threads.x = 128;
    d->add.ordinary = true;
    if (ss_cuda_persistent_find(run, p->shape, p->x, p->y, true, d->iterate, err) != SS_OK)
        return SS_FAIL;
    return ss_cuda_kernel_get(&d->add, err, "jacobi/fast/persistent.cuh", "add_sums");
}

static int find(ss_run *run, ss_err *err)
{
    for (int i = 0; i < plan_of(run)->devices; i++)
        if (find_kernels(run, i, err) != SS_OK)
            return SS_FAIL;
    return SS_OK;
}

static int make(ss_run *run, ss_cuda_plan *plan, ss_err *err)
{
    devices_plan *p = plan->own;
    p->steps.launch = launch;
    p->steps.squares = p->squares;
    p->devices = ss_cuda_slabs_of(run)->count;
    if (choose_shape(run, err) != SS_OK || divide(run, err) != SS_OK || find(run, err) != SS_OK)
        return SS_FAIL;
    for (int i = 0; i < p->devices; i++)
        if (allocate(run, i, err) != SS_OK)
            return SS_FAIL;
    return SS_OK;
}

const ss_cuda_solver ss_cuda_persistent_devices = {sizeof(devices_plan), make, .find = find};
