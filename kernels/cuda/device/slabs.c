/*
 * The slabs of a run that several devices share: how they are made and divided again, their
 * transfers and their halos. Cycles are in slab_cycles.c, pictures in slab_sample.c; see
 * slabs.h. Engine thread.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cuda/device/slabs.h"
#include "src/base/common.h"

static int larger(int a, int b)
{
    return a > b ? a : b;
}

/* --- copies of the run ------------------------------------------------------------------------ */

void ss_cuda_follow(ss_run *copy, const ss_run *run)
{
    void *state = copy->state, *scratch = copy->scratch;
    *copy = *run;
    copy->problem.cfg = &copy->cfg;
    copy->state = state;
    copy->scratch = scratch;
}

ss_cuda_slab *ss_cuda_slab_of(const ss_run *run, int i)
{
    ss_cuda_slab *slab = &ss_cuda_slabs_of(run)->of[i];
    ss_cuda_state *st = ss_cuda_state_of(&slab->run);
    ss_cuda_follow(&slab->run, run);
    st->cur = ss_cuda_of(run)->cur;
    st->least_rhs = ss_cuda_of(run)->least_rhs;
    return slab;
}

int ss_cuda_band_make(ss_cuda_band *b, const ss_run *run, const ss_cuda_state *whole, int lo,
                      int hi, ss_cuda_control *control, int (*prepare)(ss_run *band, ss_err *err),
                      ss_err *err)
{
    ss_cuda_state *st = &b->state;
    *st = *whole;
    st->slabs = NULL;
    st->split = NULL;
    st->staging = NULL;
    st->shadow = NULL;
    st->row += lo;
    st->box.ny = hi - lo;
    st->box.first += (size_t)(lo * st->box.sy);
    st->control = control;
    b->run.state = st;
    b->run.scratch = NULL;
    ss_cuda_band_follow(b, run);
    return prepare(&b->run, err);
}

void ss_cuda_band_follow(ss_cuda_band *b, const ss_run *run)
{
    ss_cuda_follow(&b->run, run);
    b->state.least_rhs = ss_cuda_of(run)->least_rhs;
}

void ss_cuda_count(ss_run *run, const ss_run *copy)
{
    run->seconds_upload = copy->seconds_upload;
    run->seconds_download = copy->seconds_download;
}

/* --- make and free ---------------------------------------------------------------------------- */

int ss_cuda_slabs_refuse(const char *what, const char *instead, ss_err *err)
{
    return ss_fail(err, "devices: %s runs on one device only: choose devices 0, or %s", what,
                   instead);
}

/* Do all devices have the same kernels and limits? What was asked of the first one then holds for
 * all of them. */
static int check_alike(const ss_cuda_devices *d, ss_err *err)
{
    char first[64], other[64];
    int processors = 0, others = 0;
    SS_CUDA(ss_cu->device_name(first, sizeof first, 0));
    SS_CUDA(ss_cu->device_attribute(&processors, SS_CU_PROCESSORS, 0));
    for (int i = 0; i < d->count; i++) {
        SS_CUDA(ss_cu->device_name(other, sizeof other, d->of[i]));
        SS_CUDA(ss_cu->device_attribute(&others, SS_CU_PROCESSORS, d->of[i]));
        if (strcmp(first, other) != 0 || processors != others)
            return ss_fail(err,
                           "devices: device %d is a %.60s, device 0 a %.60s: a run is divided "
                           "among equal devices",
                           d->of[i], other, first);
    }
    return SS_OK;
}

/* Lets device a access the memory of device b. *can: false where the hardware does not allow it. */
static int allow_access(int a, int b, bool *can, ss_err *err)
{
    int possible = 0;
    if (a == b)
        return SS_OK;
    SS_CUDA(ss_cu->device_can_access_peer(&possible, a, b));
    *can = *can && possible;
    return possible ? ss_cuda_enable_peer(a, b, err) : SS_OK;
}

static int allow_all(ss_cuda_slabs *s, ss_err *err)
{
    const char *forbidden = getenv("STENCILSCOPE_CUDA_NO_PEERS"); /* for tests: through the host */
    s->peers = !forbidden;
    for (int a = 0; a < s->count && !forbidden; a++)
        for (int b = 0; b < s->count; b++)
            if (allow_access(s->devices.of[a], s->devices.of[b], &s->peers, err) != SS_OK)
                return SS_FAIL;
    return SS_OK;
}

static int make_slab(const ss_run *run, ss_cuda_slab *slab, int device, ss_err *err)
{
    ss_cuda_use(device);
    ss_box box = ss_cuda_layout(run, 0, 0, 0); /* the rows follow in ss_cuda_slabs_divide */
    slab->run = *run;
    slab->run.state = slab->run.scratch = NULL;
    if (ss_cuda_state_make(&slab->run, &box, err) != SS_OK)
        return SS_FAIL;
    ss_cuda_state_of(&slab->run)->part = true;
    return SS_OK;
}

static int check_equation(const ss_run *run, const ss_cuda_devices *d, ss_err *err)
{
    int n = run->eq->kind == SS_TRANSIENT ? run->problem.nx : run->problem.ny;
    if (run->eq->patches)
        return ss_fail(err, "devices: %s runs on one device only: choose devices 0", run->eq->name);
    if (n < d->count)
        return ss_fail(err, "devices: %d %s are too few for %d devices: choose at most %d", n,
                       run->problem.dim > 1            ? "rows"
                       : run->eq->kind == SS_TRANSIENT ? "points"
                                                       : "copies",
                       d->count, n);
    return SS_OK;
}

int ss_cuda_slabs_make(ss_run *run, const ss_cuda_devices *devices, ss_err *err)
{
    int cut[SS_CUDA_DEVICES_MAX + 1];
    if (check_equation(run, devices, err) != SS_OK || check_alike(devices, err) != SS_OK)
        return SS_FAIL;
    ss_cuda_slabs *s = calloc(1, sizeof *s);
    if (!s)
        return ss_fail(err, "out of memory");
    ss_cuda_state_of(run)->slabs = s;
    s->devices = *devices;
    s->count = devices->count;
    bool line = run->eq->kind == SS_TRANSIENT;
    for (int i = 0; i <= s->count; i++)
        cut[i] = (int)((int64_t)(line ? run->problem.nx : run->problem.ny) * i / s->count);
    if (allow_all(s, err) != SS_OK)
        return SS_FAIL;
    for (int i = 0; i < s->count; i++)
        if (make_slab(run, &s->of[i], devices->of[i], err) != SS_OK)
            return SS_FAIL;
    return line ? ss_cuda_lines_divide(run, cut, 0, err)
                : ss_cuda_slabs_divide(run, cut, run->problem.dim > 1 ? run->eq->radius : 0, err);
}

void ss_cuda_slabs_free(ss_cuda_slabs *s)
{
    if (!s)
        return;
    for (int i = 0; i < s->count; i++)
        ss_cuda_close(&s->of[i].run);
    free(s->areas);
    free(s);
}

/* --- division --------------------------------------------------------------------------------- */

static char *row_of(const ss_box *b, void *array, int row, size_t size)
{
    return (char *)array + (ptrdiff_t)size * ((ptrdiff_t)b->first + row * b->sy);
}

/* Row `row` of a slab's own numbering in one of its arrays. */
static char *slab_row(const ss_cuda_slab *s, void *array, int row)
{
    return row_of(&ss_cuda_of(&s->run)->box, array, row, ss_prec_size(s->run.prec));
}

/* Bytes of n rows, one after the other, without the padding of the last one. */
static size_t bytes_of(const ss_box *b, int n, size_t size)
{
    return size * (size_t)((n - 1) * b->sy + b->nx);
}

/* Copies the rows that old slab `from` shares with [j0, j1) into the new arrays, whose row 0 is row
 * j0 of the field. */
static int move_rows(const ss_cuda_slab *from, const ss_cuda_arrays *to, int j0, int j1,
                     ss_cu_stream stream, ss_err *err)
{
    const ss_cuda_state *st = ss_cuda_of(&from->run);
    size_t size = ss_prec_size(from->run.prec);
    int lo = larger(from->j0, j0), hi = ss_min(from->j1, j1);
    void *old[3] = {st->u[0], st->u[1], st->rhs}, *made[3] = {to->u[0], to->u[1], to->rhs};
    for (int i = 0; i < 3 && lo < hi; i++)
        if (old[i])
            SS_CUDA(ss_cu->copy(row_of(&to->box, made[i], lo - j0, size),
                                slab_row(from, old[i], lo - from->j0),
                                bytes_of(&to->box, hi - lo, size), stream));
    return SS_OK;
}

/* Allocates the arrays of new slab i and fills them with the rows that exist already. */
static int make_arrays(const ss_run *run, int i, int j0, int j1, ss_cuda_arrays *made, ss_err *err)
{
    const ss_cuda_slabs *s = ss_cuda_slabs_of(run);
    const ss_run *slab = &s->of[i].run;
    ss_cu_stream stream = ss_cuda_of(slab)->stream;
    ss_cuda_use(ss_cuda_of(slab)->device);
    if (ss_cuda_arrays_make(slab, &made->box, &made->kept, made->u, &made->rhs, err) != SS_OK)
        return SS_FAIL;
    for (int k = 0; k < s->count; k++)
        if (move_rows(&s->of[k], made, j0, j1, stream, err) != SS_OK)
            return SS_FAIL;
    SS_CUDA(ss_cu->stream_wait(stream));
    return SS_OK;
}

void ss_cuda_arrays_free(ss_cuda_arrays *a)
{
    ss_cuda_kept_free(&a->kept);
}

void ss_cuda_arrays_swap(ss_cuda_slab *slab, ss_cuda_arrays *made)
{
    ss_cuda_state *st = ss_cuda_state_of(&slab->run);
    ss_cuda_arrays old = {st->box, {st->u[0], st->u[1]}, st->rhs, st->arrays};
    st->box = made->box;
    st->u[0] = made->u[0];
    st->u[1] = made->u[1];
    st->rhs = made->rhs;
    st->arrays = made->kept;
    ss_cuda_staging_free(st->staging); /* its u* has the old rows */
    st->staging = NULL;
    *made = old;
}

static bool is_divided(const ss_cuda_slabs *s, const int *cut, int depth)
{
    bool same = s->depth == depth;
    for (int i = 0; i < s->count && same; i++)
        same = s->of[i].j0 == cut[i] && s->of[i].j1 == cut[i + 1];
    return same;
}

int ss_cuda_slabs_divide(ss_run *run, const int *cut, int depth, ss_err *err)
{
    ss_cuda_slabs *s = ss_cuda_slabs_of(run);
    ss_cuda_arrays made[SS_CUDA_DEVICES_MAX] = {0};
    int status = SS_OK;
    if (is_divided(s, cut, depth))
        return SS_OK;
    for (int i = 0; i < s->count && status == SS_OK; i++) {
        made[i].box = ss_cuda_layout(run, run->problem.nx, cut[i + 1] - cut[i], depth);
        status = make_arrays(run, i, cut[i], cut[i + 1], &made[i], err);
    }
    for (int i = 0; i < s->count; i++) {
        if (status == SS_OK) {
            ss_cuda_arrays_swap(&s->of[i], &made[i]);
            s->of[i].j0 = ss_cuda_state_of(&s->of[i].run)->row = cut[i];
            s->of[i].j1 = cut[i + 1];
        }
        ss_cuda_arrays_free(&made[i]);
    }
    s->depth = status == SS_OK ? depth : s->depth;
    s->fresh = false;
    ss_cuda_use(ss_cuda_of(run)->device);
    return status;
}

/* --- halos ------------------------------------------------------------------------------------ */

static void *array_of(const ss_cuda_slab *s, int array)
{
    const ss_cuda_state *st = ss_cuda_of(&s->run);
    return array < 2 ? st->u[array] : st->rhs;
}

/* Copies n rows between neighbours; rows in their own numbering. */
static void copy_halo(const ss_cuda_slabs *s, int to, int to_row, int from, int from_row, int n,
                      int array, ss_cu_stream stream)
{
    const ss_cuda_slab *a = &s->of[to], *b = &s->of[from];
    const ss_box *box = &ss_cuda_of(&a->run)->box;
    ss_cuda_note(ss_cu->copy(slab_row(a, array_of(a, array), to_row),
                             slab_row(b, array_of(b, array), from_row),
                             bytes_of(box, n, ss_prec_size(a->run.prec)), stream));
}

/* Rows of a halo that slab `from` has: all, unless the halo has room for more than a neighbour has
 * rows (persistent_devices.c). */
static int rows_from(const ss_cuda_slabs *s, int from)
{
    return ss_min(s->depth, s->of[from].j1 - s->of[from].j0);
}

void ss_cuda_slab_receive(const ss_cuda_slabs *s, int slab, int array, ss_cu_stream stream)
{
    const ss_cuda_slab *own = &s->of[slab];
    if (s->depth > 0 && slab > 0) {
        const ss_cuda_slab *south = own - 1;
        int n = rows_from(s, slab - 1);
        copy_halo(s, slab, -n, slab - 1, south->j1 - south->j0 - n, n, array, stream);
    }
    if (s->depth > 0 && slab + 1 < s->count)
        copy_halo(s, slab, own->j1 - own->j0, slab + 1, 0, rows_from(s, slab + 1), array, stream);
}

int ss_cuda_slabs_refresh(ss_run *run, ss_err *err)
{
    ss_cuda_slabs *s = ss_cuda_slabs_of(run);
    const ss_cuda_state *st = ss_cuda_of(run);
    if (s->fresh)
        return SS_OK;
    ss_cuda_use(st->device);
    for (int i = 0; i < s->count; i++) {
        if (run->eq->kind == SS_TRANSIENT) {
            ss_cuda_line_receive(run, i, st->cur, st->stream);
            continue;
        }
        ss_cuda_slab_receive(s, i, st->cur, st->stream);
        ss_cuda_slab_receive(s, i, 2, st->stream);
    }
    SS_CUDA(ss_cuda_launch_error());
    SS_CUDA(ss_cu->stream_wait(st->stream));
    s->fresh = true;
    return SS_OK;
}

/* --- transfers -------------------------------------------------------------------------------- */

int ss_cuda_slabs_transfer(ss_run *run, int which, int field, int j0, int j1, char *rows, bool up,
                           ss_err *err)
{
    ss_cuda_slabs *s = ss_cuda_slabs_of(run);
    size_t width = (size_t)run->problem.nx * ss_prec_size(run->prec);
    int status = SS_OK;
    if (run->eq->kind == SS_TRANSIENT)
        return ss_cuda_lines_transfer(run, which, field, rows, up, err);
    s->fresh = s->fresh && !up;
    for (int i = 0; i < s->count && status == SS_OK; i++) {
        ss_cuda_slab *slab = ss_cuda_slab_of(run, i);
        int lo = larger(j0, slab->j0), hi = ss_min(j1, slab->j1);
        if (lo >= hi)
            continue;
        ss_cuda_use(ss_cuda_device_of(slab));
        char *at = rows + width * (size_t)(lo - j0);
        status =
            (up ? ss_cuda_upload(&slab->run, which, field, 0, lo - slab->j0, hi - slab->j0, at, err)
                : ss_cuda_download(&slab->run, which, field, 0, lo - slab->j0, hi - slab->j0, at,
                                   err));
        ss_cuda_count(run, &slab->run);
        ss_cuda_state_of(run)->least_rhs = ss_cuda_of(&slab->run)->least_rhs;
    }
    return status;
}

int ss_cuda_slabs_download(ss_run *run, int which, char *first, size_t pitch, ss_err *err)
{
    ss_cuda_slabs *s = ss_cuda_slabs_of(run);
    for (int i = 0; i < s->count; i++) {
        ss_cuda_slab *slab = ss_cuda_slab_of(run, i);
        ss_cuda_use(ss_cuda_device_of(slab));
        if (ss_cuda_download_pitched(&slab->run, which, first + (size_t)slab->j0 * pitch, pitch,
                                     err) != SS_OK)
            return SS_FAIL;
        ss_cuda_count(run, &slab->run);
    }
    return SS_OK;
}

void ss_cuda_slabs_forget(ss_cuda_slabs *s)
{
    for (int i = 0; s && i < s->count; i++)
        ss_cuda_staging_forget(ss_cuda_of(&s->of[i].run)->staging);
}

/* --- reductions on request -------------------------------------------------------------------- */

/* |r| of the whole from the norms of the slabs, and the largest of their errors; a value that is
 * not a number was made infinite by the slab. */
int ss_cuda_slabs_reduce(ss_run *run, double *residual, const double *ref, double *max_error,
                         ss_err *err)
{
    ss_cuda_slabs *s = ss_cuda_slabs_of(run);
    double squares = 0, most = 0;
    if (ss_cuda_slabs_refresh(run, err) != SS_OK)
        return SS_FAIL;
    for (int i = 0; i < s->count; i++) {
        ss_cuda_slab *slab = ss_cuda_slab_of(run, i);
        const double *rows = ref ? ref + (size_t)slab->j0 * (size_t)run->problem.nx : NULL;
        double norm = 0, error = 0;
        if (ss_cuda_reduce(&slab->run, residual ? &norm : NULL, rows, max_error ? &error : NULL,
                           err) != SS_OK)
            return SS_FAIL;
        ss_cuda_count(run, &slab->run);
        squares += norm * norm;
        most = error > most ? error : most;
    }
    if (residual)
        *residual = sqrt(squares);
    if (ref && max_error)
        *max_error = most;
    return SS_OK;
}

/* --- the parameter `devices` ------------------------------------------------------------------ */

static bool is_named(const ss_cuda_devices *d, long number)
{
    for (int i = 0; i < d->count; i++)
        if (d->of[i] == number)
            return true;
    return false;
}

static int add(ss_cuda_devices *d, long number, int present, bool twice, ss_err *err)
{
    if (number < 0 || number >= present)
        return present > 1
                   ? ss_fail(err, "devices: there is no device %ld: choose among 0\xe2\x80\xa6%d",
                             number, present - 1)
                   : ss_fail(err, "devices: there is no device %ld: this machine has one, device 0",
                             number);
    if (!twice && is_named(d, number))
        return ss_fail(err, "devices: device %ld is named twice: name each device once", number);
    if (d->count == SS_CUDA_DEVICES_MAX)
        return ss_fail(err, "devices: a run is divided among at most %d devices",
                       SS_CUDA_DEVICES_MAX);
    d->of[d->count++] = (int)number;
    return SS_OK;
}

int ss_cuda_devices_parse(const char *text, int present, bool twice, ss_cuda_devices *out,
                          ss_err *err)
{
    *out = (ss_cuda_devices){1, {0}};
    if (!text)
        return SS_OK;
    out->count = 0;
    for (const char *at = text;; at++) {
        char *end;
        bool digit = *at >= '0' && *at <= '9';
        long number = digit ? strtol(at, &end, 10) : -1;
        if (!digit || (*end != ',' && *end != '\0'))
            return ss_fail(err, "devices: '%.60s' is no list of device numbers: write it as 0,1",
                           text);
        if (add(out, number, present, twice, err) != SS_OK)
            return SS_FAIL;
        if (*end == '\0')
            return SS_OK;
        at = end;
    }
}

bool ss_cuda_devices_single(const ss_cuda_devices *d)
{
    return d->count == 1 && d->of[0] == 0;
}

/* --- lines ------------------------------------------------------------------------------------ */

/* A point of the whole line, in a field of one of the slab's arrays. */
static char *point_of(const ss_cuda_slab *s, const ss_box *b, void *array, int field, int i)
{
    size_t element = (size_t)field * b->count + b->first + (size_t)(i - s->x0);
    return (char *)array + element * ss_prec_size(s->run.prec);
}

static const ss_box *box_of(const ss_cuda_slab *s)
{
    return &ss_cuda_of(&s->run)->box;
}

static bool is_ring(const ss_run *run)
{
    return run->eq->bc == SS_BC_PERIODIC;
}

/* --- division --------------------------------------------------------------------------------- */

/* The range of slab i and its halo. */
static void place(const ss_run *run, int i, const int *cut, int halo, ss_cuda_slab *out)
{
    int count = ss_cuda_slabs_of(run)->count;
    bool ring = is_ring(run) && count > 1;
    out->i0 = cut[i];
    out->i1 = cut[i + 1];
    out->x0 = out->i0 - (i > 0 || ring ? halo : 0);
    out->x1 = out->i1 + (i + 1 < count || ring ? halo : 0);
}

/* Copies the points that old slab `from` owns within slab `to` to its new arrays. */
static int move_points(const ss_cuda_slab *from, const ss_cuda_slab *to, const ss_cuda_arrays *made,
                       ss_cu_stream stream, ss_err *err)
{
    int lo = from->i0 > to->i0 ? from->i0 : to->i0, hi = from->i1 < to->i1 ? from->i1 : to->i1;
    for (int a = 0; a < 2 && lo < hi; a++)
        for (int f = 0; f < to->run.eq->nfield; f++)
            SS_CUDA(ss_cu->copy(point_of(to, &made->box, made->u[a], f, lo),
                                point_of(from, box_of(from), ss_cuda_of(&from->run)->u[a], f, lo),
                                (size_t)(hi - lo) * ss_prec_size(to->run.prec), stream));
    return SS_OK;
}

static int make_line(const ss_run *run, int i, const ss_cuda_slab *place_of, ss_cuda_arrays *made,
                     ss_err *err)
{
    const ss_cuda_slabs *s = ss_cuda_slabs_of(run);
    ss_cu_stream stream = ss_cuda_of(&s->of[i].run)->stream;
    ss_cuda_use(ss_cuda_device_of(&s->of[i]));
    made->box = ss_cuda_layout(run, place_of->x1 - place_of->x0, 1, 0);
    if (ss_cuda_arrays_make(&s->of[i].run, &made->box, &made->kept, made->u, &made->rhs, err) !=
        SS_OK)
        return SS_FAIL;
    for (int k = 0; k < s->count; k++)
        if (ss_cuda_of(&s->of[k].run)->u[0] &&
            move_points(&s->of[k], place_of, made, stream, err) != SS_OK)
            return SS_FAIL;
    SS_CUDA(ss_cu->stream_wait(stream));
    return SS_OK;
}

static bool is_placed(const ss_cuda_slab *a, const ss_cuda_slab *b)
{
    return a->i0 == b->i0 && a->i1 == b->i1 && a->x0 == b->x0 && a->x1 == b->x1;
}

int ss_cuda_lines_divide(ss_run *run, const int *cut, int halo, ss_err *err)
{
    ss_cuda_slabs *s = ss_cuda_slabs_of(run);
    ss_cuda_slab next[SS_CUDA_DEVICES_MAX];
    ss_cuda_arrays made[SS_CUDA_DEVICES_MAX] = {0};
    int status = SS_OK;
    bool same = true;
    for (int i = 0; i < s->count; i++) {
        next[i] = s->of[i];
        place(run, i, cut, halo, &next[i]);
        same = same && is_placed(&next[i], &s->of[i]);
    }
    if (same)
        return SS_OK;
    for (int i = 0; i < s->count && status == SS_OK; i++)
        status = make_line(run, i, &next[i], &made[i], err);
    for (int i = 0; i < s->count; i++) {
        if (status == SS_OK) {
            ss_cuda_arrays_swap(&s->of[i], &made[i]);
            place(run, i, cut, halo, &s->of[i]);
        }
        ss_cuda_arrays_free(&made[i]);
    }
    s->depth = status == SS_OK ? halo : s->depth;
    s->fresh = false;
    ss_cuda_use(ss_cuda_of(run)->device);
    return status;
}

/* --- halos ------------------------------------------------------------------------------------ */

int ss_cuda_line_neighbour(const ss_run *run, int i, int way)
{
    int count = ss_cuda_slabs_of(run)->count, k = i + way;
    if (k >= 0 && k < count)
        return k;
    return is_ring(run) && count > 1 ? (k + count) % count : -1;
}

/* Copies n points; `to_point` and `from_point` in the numbering of the line, which a ring's halo
 * exceeds. */
static void copy_points(const ss_cuda_slab *to, int to_point, const ss_cuda_slab *from,
                        int from_point, int n, int array, ss_cu_stream stream)
{
    for (int f = 0; f < to->run.eq->nfield; f++)
        ss_cuda_note(ss_cu->copy(
            point_of(to, box_of(to), ss_cuda_of(&to->run)->u[array], f, to_point),
            point_of(from, box_of(from), ss_cuda_of(&from->run)->u[array], f, from_point),
            (size_t)n * ss_prec_size(to->run.prec), stream));
}

void ss_cuda_line_receive(const ss_run *run, int i, int array, ss_cu_stream stream)
{
    const ss_cuda_slabs *s = ss_cuda_slabs_of(run);
    const ss_cuda_slab *own = &s->of[i];
    int west = ss_cuda_line_neighbour(run, i, -1), east = ss_cuda_line_neighbour(run, i, 1);
    if (west >= 0 && own->x0 < own->i0)
        copy_points(own, own->x0, &s->of[west], s->of[west].i1 - s->depth, s->depth, array, stream);
    if (east >= 0 && own->i1 < own->x1)
        copy_points(own, own->i1, &s->of[east], s->of[east].i0, s->depth, array, stream);
}

/* --- transfers -------------------------------------------------------------------------------- */

int ss_cuda_lines_transfer(ss_run *run, int which, int field, char *row, bool up, ss_err *err)
{
    ss_cuda_slabs *s = ss_cuda_slabs_of(run);
    const ss_cuda_state *st = ss_cuda_of(run);
    size_t size = ss_prec_size(run->prec);
    int array = which == 0 ? st->cur : 1 - st->cur;
    double started = ss_clock();
    s->fresh = s->fresh && !up;
    ss_cuda_use(st->device);
    for (int i = 0; i < s->count; i++) {
        const ss_cuda_slab *own = &s->of[i];
        char *host = row + (size_t)own->i0 * size;
        char *at = point_of(own, box_of(own), ss_cuda_of(&own->run)->u[array], field, own->i0);
        SS_CUDA(ss_cu->copy(up ? at : host, up ? host : at, (size_t)(own->i1 - own->i0) * size,
                            st->stream));
    }
    SS_CUDA(ss_cu->stream_wait(st->stream));
    *(up ? &run->seconds_upload : &run->seconds_download) += ss_clock() - started;
    ss_cuda_downloaded += up ? 0 : (double)(size * (size_t)run->problem.nx);
    return SS_OK;
}
