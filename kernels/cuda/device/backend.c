/*
 * The CUDA backend: the fields of a run in device memory. Rows are aligned to 128 bytes for
 * coalesced access; the halo is zeroed once and never written again. One device (the first visible
 * one) and one stream per run, unless several devices share it (slabs.c). Engine thread; probe and
 * limits: any thread.
 */
#include <math.h>
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cpu/simd/machine.h"
#include "kernels/cuda/device/driver.h"
#include "kernels/cuda/device/patches.h"
#include "kernels/cuda/device/slabs.h"
#include "src/base/common.h"
#include "kernels/cuda/device/plan.h"

extern const ss_equation ss_eq_poisson1d, ss_eq_poisson2d, ss_eq_line, ss_eq_plane, ss_eq_advdiff2d;

double ss_cuda_picture_bytes = 256.0 * 1024 * 1024;
_Thread_local double ss_cuda_downloaded;

#define ROW_BYTES 128 /* rows start at multiples of this */

/* --- the device ------------------------------------------------------------------------------- */

static pthread_once_t once = PTHREAD_ONCE_INIT;
static ss_cuda_limits limits;
static ss_err why; /* no device, and the reason; empty: there is one */

/* Codes of cuInit and of the first calls that have a sentence of their own. */
static const struct {
    int code;
    const char *sentence;
} reasons[] = {
    {SS_CU_NO_DEVICE, "no CUDA device"},
    {SS_CU_SYSTEM_DRIVER_MISMATCH, "the CUDA driver and its libraries do not fit each other"},
};

static int explain(int code)
{
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        if (reasons[i].code == code)
            return ss_fail(&why, "%s", reasons[i].sentence);
    return ss_fail(&why, "no CUDA: %s", ss_cu_words(code));
}

static double start_seconds; /* of the driver and its context */

double ss_cuda_start_seconds(void)
{
    return start_seconds;
}

static int begin(int *count)
{
    int version = 0, code = ss_cu->init(0);
    if (code == 0)
        code = ss_cu->driver_version(&version);
    if (code == 0)
        code = ss_cu->device_count(count);
    if (code == 0 && *count == 0)
        code = SS_CU_NO_DEVICE;
    return code == 0 ? ss_cuda_loader_open(*count, version, &why) : explain(code);
}

/* Of the current device. */
static int look_at(ss_cuda_limits *l)
{
    l->pitch = (size_t)ss_cuda_attribute(SS_CU_MAX_PITCH);
    l->processors = ss_cuda_attribute(SS_CU_PROCESSORS);
    l->block_bytes = (size_t)ss_cuda_attribute(SS_CU_SHARED_PER_BLOCK);
    return ss_cu->memory_free(&l->free, &l->memory);
}

static void look(void)
{
    double began = ss_clock();
    int count = 0;
    if (ss_cu_driver_open(&why) != SS_OK || begin(&count) != SS_OK)
        return;
    int code = ss_cu->device_name(limits.name, (int)sizeof limits.name, 0);
    if (code == 0)
        code = look_at(&limits);
    if (code != 0) {
        explain(code);
        return;
    }
    limits.devices = count;
    start_seconds = ss_clock() - began;
}

int ss_cuda_get_limits(ss_cuda_limits *out, ss_err *err)
{
    ss_err earlier;
    if (ss_cu_is_absent()) {
        *out = (ss_cuda_limits){.name = "no GPU", .devices = 1};
        look_at(out);
        return SS_OK;
    }
    pthread_once(&once, look);
    if (why.text[0])
        return ss_fail(err, "%s", why.text);
    if (ss_cuda_lost(NULL, &earlier))
        return ss_fail(err, "%s", earlier.text);
    *out = limits;
    return SS_OK;
}

int ss_cuda_probe(ss_err *err)
{
    ss_cuda_limits l;
    return ss_cuda_get_limits(&l, err);
}

/* The devices that share a run: the parameter `devices`. */
static int chosen_devices(const ss_config *cfg, ss_cuda_devices *out, ss_err *err)
{
    ss_cuda_limits l;
    if (ss_cuda_get_limits(&l, err) != SS_OK)
        return SS_FAIL;
    bool twice = getenv("STENCILSCOPE_CUDA_TWICE") != NULL; /* slabs on one device: for tests */
    return ss_cuda_devices_parse(ss_config_text(cfg, "devices"), l.devices, twice, out, err);
}

void ss_cuda_describe(const ss_config *cfg, char *buf, size_t size)
{
    ss_cuda_limits l;
    ss_cuda_devices d;
    if (ss_cuda_get_limits(&l, NULL) != SS_OK)
        snprintf(buf, size, "no GPU");
    else if (chosen_devices(cfg, &d, NULL) == SS_OK && d.count > 1)
        snprintf(buf, size, "%d \xc3\x97 %s", d.count, l.name);
    else
        snprintf(buf, size, "%s", l.name);
}

/* A device that is lost has no limit: opening a run on it says that it is lost, which is the
 * sentence that the user needs. */
double ss_cuda_memory(char *what, size_t size)
{
    size_t left = 0, all = 0;
    char text[32];
    if (ss_cuda_lost(NULL, NULL)) {
        snprintf(what, size, "GPU memory");
        return HUGE_VAL;
    }
    if (ss_cuda_probe(NULL) != SS_OK)
        left = 0;
    else {
        ss_cuda_use(0);
        ss_cu->memory_free(&left, &all);
    }
    snprintf(what, size, "%s of GPU memory", ss_format_bytes((double)left, text, sizeof text));
    return (double)left;
}

/* Of all devices that share the run, each counted once; the slabs are equal. */
double ss_cuda_memory_of(const ss_config *cfg, char *what, size_t size)
{
    ss_cuda_devices d;
    double least = HUGE_VAL;
    char text[32];
    if (ss_cuda_probe(NULL) != SS_OK || chosen_devices(cfg, &d, NULL) != SS_OK || d.count == 1)
        return ss_cuda_memory(what, size);
    for (int i = 0; i < d.count; i++) {
        size_t left = 0, all = 0;
        ss_cuda_use(d.of[i]);
        ss_cu->memory_free(&left, &all);
        int slabs = 0;
        for (int k = 0; k < d.count; k++)
            slabs += d.of[k] == d.of[i];
        least = fmin(least, (double)left / slabs);
    }
    snprintf(what, size, "%s on %d GPUs", ss_format_bytes(d.count * least, text, sizeof text),
             d.count);
    return d.count * least;
}

/* --- open and close --------------------------------------------------------------------------- */

/* A steady equation that is missing here is refused: no kernel may solve another one instead. */
static const struct {
    const ss_equation *eq;
    int update;
} updates[] = {
    {&ss_eq_poisson1d, SS_CUDA_POISSON1D}, {&ss_eq_poisson2d, SS_CUDA_POISSON2D},
    {&ss_eq_line, SS_CUDA_LINE},           {&ss_eq_plane, SS_CUDA_PLANE},
    {&ss_eq_advdiff2d, SS_CUDA_PLANE},
};

int ss_cuda_update_of(const ss_equation *eq, int *out, ss_err *err)
{
    *out = -1;
    for (size_t i = 0; i < sizeof updates / sizeof *updates; i++)
        if (updates[i].eq == eq)
            *out = updates[i].update;
    if (*out < 0 && eq->kind == SS_STEADY && !eq->patches)
        return ss_fail(err,
                       "equation %s: the GPU has no kernels with its point update: choose backend "
                       "cpu",
                       eq->name);
    return SS_OK;
}

ss_box ss_cuda_layout(const ss_run *run, int nx, int ny, int hy)
{
    const ss_problem *p = &run->problem;
    int radius = run->eq->radius, line = ROW_BYTES / (int)ss_prec_size(run->prec);
    ss_box b;
    memset(&b, 0, sizeof b);
    b.nx = nx, b.ny = ny, b.nz = p->nz, b.hx = radius;
    b.hy = hy;
    b.hz = p->dim > 2 ? radius : 0;
    b.sy = (line + (ptrdiff_t)nx + radius + line - 1) / line * line;
    b.sz = b.sy * (ny + 2 * b.hy);
    b.first = (size_t)(line + b.hy * b.sy + b.hz * b.sz);
    b.count = (size_t)(b.sz * (p->nz + 2 * b.hz) + line);
    return b;
}

void ss_cuda_close(ss_run *run)
{
    ss_cuda_state *st = ss_cuda_state_of(run);
    if (!st)
        return;
    ss_cuda_use(st->device);
    ss_cuda_staging_free(st->staging);
    ss_cuda_shadow_free(st->shadow);
    ss_cuda_patches_free(st->patches);
    ss_cuda_slabs_free(st->slabs);
    ss_cuda_kept_free(&st->arrays);
    ss_cuda_kept_free(&st->kept);
    free(st);
    run->state = NULL;
}

static int make_stream(ss_cuda_state *st, ss_err *err)
{
    st->device = ss_cuda_current();
    if (ss_cuda_keep_stream(&st->kept, &st->stream, err) != SS_OK ||
        ss_cuda_keep_event(&st->kept, &st->begin, 0, err) != SS_OK ||
        ss_cuda_keep_event(&st->kept, &st->end, 0, err) != SS_OK ||
        ss_cuda_keep_zeroed(&st->kept, (void **)&st->control, sizeof *st->control, "the norms",
                            st->stream, err) != SS_OK ||
        ss_cuda_keep_pinned(&st->kept, (void **)&st->host, sizeof *st->host, "a copy of the norms",
                            err) != SS_OK)
        return SS_FAIL;
    memset(st->host, 0, sizeof *st->host);
    return SS_OK;
}

int ss_cuda_state_make(ss_run *run, const ss_box *box, ss_err *err)
{
    ss_cuda_state *st = calloc(1, sizeof *st);
    run->state = st;
    if (!st)
        return ss_fail(err, "out of memory");
    st->box = *box;
    st->least_rhs = INFINITY;
    return ss_cuda_update_of(run->eq, &st->update, err) == SS_OK ? make_stream(st, err) : SS_FAIL;
}

int ss_cuda_arrays_make(const ss_run *run, const ss_box *box, ss_cuda_kept *kept, void *u[2],
                        void **rhs, ss_err *err)
{
    size_t bytes = box->count * ss_prec_size(run->prec) * (size_t)run->eq->nfield;
    ss_cu_stream stream = ss_cuda_of(run)->stream;
    if (ss_cuda_keep_zeroed(kept, &u[0], bytes, "the field", stream, err) != SS_OK ||
        ss_cuda_keep_zeroed(kept, &u[1], bytes, "the second field", stream, err) != SS_OK)
        return SS_FAIL;
    return run->eq->rhs ? ss_cuda_keep_zeroed(kept, rhs, bytes, "the right-hand side", stream, err)
                        : SS_OK;
}

static ss_cu_side side(const void *rows, size_t pitch, bool host)
{
    ss_cu_side s = {.memory = host ? SS_CU_HOST : SS_CU_DEVICE, .pitch = pitch};
    *(host ? &s.host : &s.device) = (void *)(uintptr_t)rows;
    return s;
}

int ss_cuda_copy_rows(const ss_run *run, void *to, size_t to_pitch, const void *from,
                      size_t from_pitch, size_t width, size_t count, ss_cuda_way way, ss_err *err)
{
    ss_cu_stream stream = ss_cuda_of(run)->stream;
    if (count > 1 && to_pitch <= limits.pitch && from_pitch <= limits.pitch) {
        ss_cu_copy copy = {side(from, from_pitch, way == SS_CUDA_UP),
                           side(to, to_pitch, way == SS_CUDA_DOWN), width, count};
        SS_CUDA(ss_cu->copy_rows(&copy, stream));
        return SS_OK;
    }
    for (size_t j = 0; j < count; j++)
        SS_CUDA(ss_cu->copy((char *)to + j * to_pitch, (const char *)from + j * from_pitch, width,
                            stream));
    return SS_OK;
}

/* The smallest magnitude of n values that are not 0, at most `least`. In an order of the threads'
 * own: a minimum has the same bits in any. */
static double rows_least(const ss_run *run, const void *rows, size_t n, double least)
{
    const double *f64 = run->prec == SS_F64 ? rows : NULL;
    const float *f32 = rows;
#pragma omp parallel for num_threads(ss_team_size(run, (double)n)) reduction(min : least)
    for (size_t i = 0; i < n; i++) {
        double magnitude = fabs(f64 ? f64[i] : (double)f32[i]);
        if (magnitude > 0 && magnitude < least)
            least = magnitude;
    }
    return least;
}

/* Copies rows [j0, j1) of an array; on the host rows are dense, in the run's precision. */
static int transfer(ss_run *run, int which, int field, int k, int j0, int j1, void *rows, bool up,
                    ss_err *err)
{
    ss_cuda_state *st = ss_cuda_state_of(run);
    ss_cuda_use(st->device);
    if (st->patches)
        return ss_cuda_patches_transfer(run, which, k, j0, j1, rows, up, err);
    size_t size = ss_prec_size(run->prec), width = (size_t)st->box.nx * size;
    if (st->slabs)
        return ss_cuda_slabs_transfer(run, which, field, j0, j1, (char *)rows, up, err);
    if ((up ? ss_cuda_split_settle_all(run, err) : ss_cuda_split_settle(run, which, err)) != SS_OK)
        return SS_FAIL;
    if (up)
        ss_cuda_split_changed(run);
    if (up && which == 1)
        st->least_rhs =
            rows_least(run, rows, (size_t)st->box.nx * (size_t)(j1 - j0), st->least_rhs);
    void *array = which == 1 ? st->rhs : st->u[which == 0 ? st->cur : 1 - st->cur];
    size_t first = (size_t)field * st->box.count + st->box.first;
    char *at = (char *)array + (first + (size_t)(j0 * st->box.sy + k * st->box.sz)) * size;
    size_t pitch = (size_t)st->box.sy * size, count = (size_t)(j1 - j0);
    double started = ss_clock();
    if ((up ? ss_cuda_copy_rows(run, at, pitch, rows, width, width, count, SS_CUDA_UP, err)
            : ss_cuda_copy_rows(run, rows, width, at, pitch, width, count, SS_CUDA_DOWN, err)) !=
        SS_OK)
        return SS_FAIL;
    SS_CUDA(ss_cu->stream_wait(st->stream));
    *(up ? &run->seconds_upload : &run->seconds_download) += ss_clock() - started;
    ss_cuda_downloaded += up ? 0 : (double)(width * count);
    return SS_OK;
}

/* Patches: the whole array with all ghost cells, laid out as on the CPU. */
static int download_whole(ss_run *run, const void *array, void *out, ss_err *err)
{
    const ss_cuda_state *st = ss_cuda_of(run);
    size_t bytes = st->box.count * ss_prec_size(run->prec);
    double started = ss_clock();
    SS_CUDA(ss_cu->copy(out, array, bytes, st->stream));
    SS_CUDA(ss_cu->stream_wait(st->stream));
    run->seconds_download += ss_clock() - started;
    ss_cuda_downloaded += (double)bytes;
    return SS_OK;
}

int ss_cuda_download_pitched(ss_run *run, int which, void *first, size_t pitch, ss_err *err)
{
    ss_cuda_state *st = ss_cuda_state_of(run);
    size_t size = ss_prec_size(run->prec);
    ss_cuda_use(st->device);
    if (st->slabs)
        return ss_cuda_slabs_download(run, which, (char *)first, pitch, err);
    if (ss_cuda_split_settle(run, which, err) != SS_OK)
        return SS_FAIL;
    const void *array = which == 1 ? st->rhs : st->u[which == 0 ? st->cur : 1 - st->cur];
    if (st->patches)
        return download_whole(run, array, first, err);
    double started = ss_clock();
    if (ss_cuda_copy_rows(run, first, pitch, (const char *)array + st->box.first * size,
                          (size_t)st->box.sy * size, (size_t)st->box.nx * size, (size_t)st->box.ny,
                          SS_CUDA_DOWN, err) != SS_OK)
        return SS_FAIL;
    SS_CUDA(ss_cu->stream_wait(st->stream));
    run->seconds_download += ss_clock() - started;
    ss_cuda_downloaded += (double)(size * (size_t)st->box.nx * (size_t)st->box.ny);
    return SS_OK;
}

void **ss_cuda_shadow(ss_run *run)
{
    return &ss_cuda_state_of(run)->shadow;
}

int ss_cuda_upload(ss_run *run, int which, int field, int k, int j0, int j1, const void *rows,
                   ss_err *err)
{
    return transfer(run, which, field, k, j0, j1, (void *)(uintptr_t)rows, true, err);
}

int ss_cuda_download(ss_run *run, int which, int field, int k, int j0, int j1, void *rows,
                     ss_err *err)
{
    return transfer(run, which, field, k, j0, j1, rows, false, err);
}

#define FILL_BYTES (8 << 20) /* rows computed on the host before they are copied together */

/* A function of ss_equation: row j of plane k in double precision. Any thread. */
typedef void row_function(const ss_problem *p, int field, int j, int k, double *row);

/* Threads for `count` rows, each of which needs a row of doubles as scratch. */
static int rows_threads(const ss_run *run, int count)
{
    int team = ss_team_size(run, (double)count * run->problem.nx);
    return team < count ? team : count;
}

static void narrow(const double *from, int n, float *to)
{
    for (int i = 0; i < n; i++)
        to[i] = (float)from[i];
}

/* Computes rows [j0, j1) of plane k, dense and in the run's precision, by the host's threads: one
 * thread takes longer for a field of 16384^2 points than the copy does. */
static void rows_fill(const ss_run *run, row_function *fn, int field, int k, int j0, int j1,
                      double *scratch, void *rows)
{
    size_t nx = (size_t)run->problem.nx;
#pragma omp parallel for num_threads(rows_threads(run, j1 - j0))
    for (int j = j0; j < j1; j++) {
        size_t at = (size_t)(j - j0) * nx;
        double *row =
            run->prec == SS_F64 ? (double *)rows + at : scratch + (size_t)omp_get_thread_num() * nx;
        fn(&run->problem, field, j, k, row);
        if (run->prec == SS_F32)
            narrow(row, run->problem.nx, (float *)rows + at);
    }
}

/* Rows on the host: `most` of them, and the scratch of the threads that compute them. */
typedef struct host_rows {
    int most;
    char *rows;
    double *scratch;
} host_rows;

static int fill_array(ss_run *run, int which, int field, row_function *fn, const host_rows *h,
                      ss_err *err)
{
    const ss_problem *p = &run->problem;
    for (int k = 0; k < p->nz; k++)
        for (int j = 0; j < p->ny; j += h->most) {
            int end = p->ny - j < h->most ? p->ny : j + h->most;
            rows_fill(run, fn, field, k, j, end, h->scratch, h->rows);
            if (transfer(run, which, field, k, j, end, h->rows, true, err) != SS_OK)
                return SS_FAIL;
        }
    return SS_OK;
}

static int fill_with(ss_run *run, const host_rows *h, ss_err *err)
{
    for (int f = 0; f < run->eq->nfield; f++)
        if (fill_array(run, 0, f, run->eq->init, h, err) != SS_OK ||
            (run->eq->rhs && fill_array(run, 1, f, run->eq->rhs, h, err) != SS_OK))
            return SS_FAIL;
    return SS_OK;
}

static int fill(ss_run *run, ss_err *err)
{
    const ss_problem *p = &run->problem;
    size_t row = (size_t)p->nx * sizeof(double);
    host_rows h = {0};
    h.most = (int)(FILL_BYTES / row);
    h.most = h.most < 1 ? 1 : h.most > p->ny ? p->ny : h.most;
    size_t bytes = (size_t)h.most * row, scratch = (size_t)rows_threads(run, h.most) * row;
    h.rows = ss_alloc(bytes + scratch, "rows of the field", err);
    h.scratch = (double *)(void *)(h.rows + bytes);
    int status = h.rows ? fill_with(run, &h, err) : SS_FAIL;
    free(h.rows);
    return status;
}

/* The arrays of a run on one device. */
static int make_alone(ss_run *run, ss_err *err)
{
    ss_cuda_state *st = ss_cuda_state_of(run);
    return ss_cuda_arrays_make(run, &st->box, &st->arrays, st->u, &st->rhs, err);
}

static int make_state(ss_run *run, const ss_cuda_devices *devices, ss_err *err)
{
    const ss_problem *p = &run->problem;
    ss_box box = ss_cuda_layout(run, p->nx, p->ny, p->dim > 1 ? run->eq->radius : 0);
    ss_cuda_use(devices->of[0]);
    if (ss_cuda_state_make(run, &box, err) != SS_OK ||
        (run->eq->patches && ss_cuda_patches_make(run, err) != SS_OK))
        return SS_FAIL;
    return ss_cuda_devices_single(devices) ? make_alone(run, err)
                                           : ss_cuda_slabs_make(run, devices, err);
}

int ss_cuda_open(ss_run *run, ss_err *err)
{
    ss_cuda_devices devices;
    if (chosen_devices(&run->cfg, &devices, err) != SS_OK)
        return SS_FAIL;
    if (make_state(run, &devices, err) == SS_OK && (ss_cu_is_dry() || fill(run, err) == SS_OK) &&
        (!run->eq->patches || ss_cuda_patches_begin(run, err) == SS_OK))
        return SS_OK;
    ss_cuda_close(run);
    return SS_FAIL;
}

int ss_cuda_reset(ss_run *run, ss_err *err)
{
    ss_cuda_use(ss_cuda_of(run)->device);
    ss_cuda_state_of(run)->cur = 0; /* graphs expect that cycle 0 starts from u[0] */
    ss_cuda_staging_forget(ss_cuda_state_of(run)->staging);
    ss_cuda_slabs_forget(ss_cuda_state_of(run)->slabs);
    ss_cuda_split_changed(run); /* all rows will be: those of the CPU need not come first */
    return fill(run, err);
}

/* --- kernels of a run, for the page that shows them ------------------------------------------- */

/* A run that several devices share has its kernels in its parts, which have the same ones. */
static const ss_cuda_plan *plan_with_kernels(const ss_run *run)
{
    const ss_run *part = ss_cuda_of(run)->slabs ? &ss_cuda_slab_of(run, 0)->run : run;
    return ss_cuda_plan_of(part->scratch ? part : run);
}

static const ss_cuda_kernel *listed(const ss_cuda_plan *p, int i)
{
    if (i < p->kernels.count)
        return p->kernels.kernel[i];
    i -= p->kernels.count;
    return p->more && i < p->more->count ? p->more->kernel[i] : NULL;
}

/* Has a kernel before the i-th the same code? */
static bool is_repeated(const ss_cuda_plan *p, int i)
{
    for (int before = 0; before < i; before++)
        if (listed(p, before)->code == listed(p, i)->code)
            return true;
    return false;
}

static const ss_cuda_kernel *different(const ss_cuda_plan *p, int which)
{
    for (int i = 0; listed(p, i); i++)
        if (listed(p, i)->code && !is_repeated(p, i) && which-- == 0)
            return listed(p, i);
    return NULL;
}

static double count(ss_cu_dim d)
{
    return (d.x ? d.x : 1.0) * (d.y ? d.y : 1.0) * (d.z ? d.z : 1.0);
}

bool ss_cuda_kernel_of(const ss_run *run, int i, ss_running_kernel *out)
{
    const ss_cuda_plan *p = plan_with_kernels(run);
    const ss_cuda_kernel *k = p ? different(p, i) : NULL;
    if (!k)
        return false;
    ss_cuda_use(k->device);
    *out = (ss_running_kernel){
        .text = k->code->defined.text,
        .registers = ss_cuda_kernel_attribute(k, SS_CU_REGISTERS),
        .local = ss_cuda_kernel_attribute(k, SS_CU_LOCAL_BYTES),
        .fixed = ss_cuda_kernel_attribute(k, SS_CU_STATIC_SHARED),
        .dynamic = (int)k->shared,
        .threads = (int)count(k->threads),
        .blocks = count(k->blocks),
        .most = ss_cuda_attribute(SS_CU_THREADS_PER_PROCESSOR),
    };
    snprintf(out->file, sizeof out->file, "%s",
             k->code->defined.file ? k->code->defined.file : k->code->source.file);
    snprintf(out->entry, sizeof out->entry, "%s", k->code->source.entry);
    if (out->registers < 0 || ss_cuda_kernel_resident(k, &out->resident, NULL) != SS_OK)
        out->resident = -1;
    return true;
}

uint64_t ss_cuda_edited(const ss_run *run)
{
    const ss_cuda_plan *p = plan_with_kernels(run);
    const ss_cuda_kernel *k;
    for (int i = 0; p && (k = listed(p, i)) != NULL; i++)
        if (k->code && k->code->defined.edited)
            return k->code->defined.edited;
    return 0;
}
