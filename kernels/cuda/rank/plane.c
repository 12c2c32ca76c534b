/*
 * A rank's part of a run on a GPU: see rank.h and kernels/part/part.h. Each queue is a stream.
 * The kernels are those of backend cuda, launched for a box of points ("band"), as slab_cycles.c
 * does for several devices of one process. Host code; the thread that steps the rank.
 *
 * How the streams wait for each other:
 *
 *     inner sweep   the inner stream waits for `outer_done`, recorded after each edge sweep and
 *                   copy up; the outer stream waits for the inner sweep before this one
 *     copy down     the outer stream waits for the latest inner sweep
 */
#include <stdlib.h>
#include <string.h>

#include "kernels/cuda/device/plan.h"
#include "kernels/cuda/rank/rank.h"
#include "src/core/registry.h"
#include "kernels/cuda/device/check.h"
#include "kernels/cuda/device/loader.h"
#include "kernels/cuda/device/names.h"

/* The launches of one box, and where they leave their sum. */
typedef struct rank_band {
    ss_area box;
    ss_run run;
    ss_cuda_state state;
    double *sum; /* on the device */
} rank_band;

typedef struct rank_part {
    ss_run run;          /* all stored points, as functions of one device see it; its state's
                            stream is the inner one */
    ss_run edge;         /* the same for copies: */
    ss_cuda_state outer; /* its state, whose stream is the outer one */
    void *third;         /* array 2; 0, 1 and the right-hand side are those of the state */
    ss_area stored;
    ss_cu_event outer_done;
    ss_cu_event inner_done[2]; /* of the latest inner sweep and the one before it: */
    int turn;                  /* the latest one */
    rank_band **band;
    int bands, room;
    double *sum; /* [SS_PART_SUMS], pinned */
    int sums;
} rank_part;

static ss_cuda_state *state_of(const rank_part *p)
{
    return ss_cuda_state_of(&p->run);
}

static void *array_of(const rank_part *p, int array)
{
    const ss_cuda_state *st = state_of(p);
    return array == SS_PART_RIGHT ? st->rhs : array < 2 ? st->u[array] : p->third;
}

/* The element of point (x, y) in an array. */
static size_t element(const rank_part *p, int x, int y)
{
    const ss_box *b = &state_of(p)->box;
    return b->first + (size_t)((y - p->stored.y0) * b->sy + (x - p->stored.x0));
}

/* --- bands ------------------------------------------------------------------------------------ */

/* The run of a band keeps its own state and scratch. */
static void copy_run(ss_run *to, const ss_run *from, ss_cuda_state *state)
{
    *to = *from;
    to->problem.cfg = &to->cfg;
    to->state = state;
    to->scratch = NULL;
}

/* Its sum and its control block stay until the part is closed. */
static void free_band(rank_band *b)
{
    if (b)
        ss_cuda_release(&b->run);
    free(b);
}

static int make_sum(const rank_part *p, rank_band *b, ss_err *err)
{
    ss_cuda_kept *kept = &state_of(p)->kept;
    ss_cuda_control control;
    if (ss_cuda_keep(kept, (void **)&b->sum, 2 * sizeof *b->sum, "the norms", err) != SS_OK)
        return SS_FAIL;
    memset(&control, 0, sizeof control);
    control.part = b->sum;
    return ss_cuda_keep_copy(kept, (void **)&b->state.control, &control, sizeof control,
                             "the norms", err);
}

/* A sweep is a Jacobi iteration, also of a tile whose solver is shared, and ranks do not damp.
 * Kernel `vector`, the default, needs rows that begin at a multiple of its 16 bytes. */
static int choose_kernel(rank_band *b, ss_err *err)
{
    if (ss_config_set(&b->run.cfg, "solver", "jacobi", err) != SS_OK ||
        ss_config_set(&b->run.cfg, "damping", "1", err) != SS_OK)
        return SS_FAIL;
    if (b->state.box.first * ss_prec_size(b->run.prec) % 16 == 0)
        return SS_OK;
    return ss_config_set(&b->run.cfg, "kernel", "unrolled", err);
}

static int fill_band(const rank_part *p, const ss_area *box, rank_band *b, ss_err *err)
{
    b->box = *box;
    b->state = *state_of(p);
    b->state.staging = NULL;
    b->state.shadow = NULL;
    b->state.row = box->y0;
    b->state.box.nx = box->x1 - box->x0;
    b->state.box.ny = box->y1 - box->y0;
    b->state.box.first = element(p, box->x0, box->y0);
    copy_run(&b->run, &p->run, &b->state);
    if (make_sum(p, b, err) != SS_OK || choose_kernel(b, err) != SS_OK)
        return SS_FAIL;
    return ss_cuda_jacobi_prepare(&b->run, err);
}

static int reserve_band(rank_part *p, ss_err *err)
{
    int room = p->room > 0 ? 2 * p->room : 16;
    if (p->bands < p->room)
        return SS_OK;
    rank_band **more = realloc(p->band, (size_t)room * sizeof *more);
    if (!more)
        return ss_fail(err, "out of memory");
    p->band = more;
    p->room = room;
    return SS_OK;
}

/* The schedules sweep the same few boxes again and again. */
static rank_band *band_of(rank_part *p, const ss_area *box, ss_err *err)
{
    for (int i = 0; i < p->bands; i++)
        if (memcmp(&p->band[i]->box, box, sizeof *box) == 0)
            return p->band[i];
    rank_band *b = calloc(1, sizeof *b);
    if (!b)
        ss_fail(err, "out of memory");
    if (!b || reserve_band(p, err) != SS_OK || fill_band(p, box, b, err) != SS_OK) {
        free_band(b);
        return NULL;
    }
    return p->band[p->bands++] = b;
}

/* --- sweeps ----------------------------------------------------------------------------------- */

static int launch(rank_part *p, rank_band *b, int from, int to, bool norm, ss_cu_stream stream,
                  ss_err *err)
{
    b->state.u[0] = array_of(p, from);
    b->state.u[1] = array_of(p, to);
    ss_cuda_in_order = true; /* launches wait for the other stream */
    ss_cuda_plan_of(&b->run)->launch(&b->run, 0, norm, stream);
    ss_cuda_in_order = false;
    SS_CUDA(ss_cuda_launch_error());
    if (!norm)
        return SS_OK;
    if (p->sums == SS_PART_SUMS)
        return ss_fail(err, "a rank has more sums than fit");
    SS_CUDA(ss_cu->copy(p->sum + p->sums++, b->sum, sizeof *b->sum, stream));
    return SS_OK;
}

/* The host is at most two inner sweeps ahead, so that it knows what the time is. */
static int sweep_inner(rank_part *p, rank_band *b, int from, int to, bool norm, ss_err *err)
{
    ss_cu_stream inner = state_of(p)->stream;
    ss_cu_event latest = p->inner_done[p->turn], next = p->inner_done[1 - p->turn];
    SS_CUDA(ss_cu->event_wait(next));
    SS_CUDA(ss_cu->stream_wait_event(p->outer.stream, latest, 0));
    SS_CUDA(ss_cu->stream_wait_event(inner, p->outer_done, 0));
    if (launch(p, b, from, to, norm, inner, err) != SS_OK)
        return SS_FAIL;
    SS_CUDA(ss_cu->event_record(next, inner));
    p->turn = 1 - p->turn;
    return SS_OK;
}

static int sweep_edge(rank_part *p, rank_band *b, int from, int to, bool norm, ss_err *err)
{
    if (launch(p, b, from, to, norm, p->outer.stream, err) != SS_OK)
        return SS_FAIL;
    SS_CUDA(ss_cu->event_record(p->outer_done, p->outer.stream));
    return SS_OK;
}

static int sweep(void *self, int from, int to, const ss_area *box, bool inner, bool norm,
                 ss_err *err)
{
    rank_part *p = self;
    ss_cuda_use(state_of(p)->device);
    rank_band *b = band_of(p, box, err);
    if (!b)
        return SS_FAIL;
    return (inner ? sweep_inner : sweep_edge)(p, b, from, to, norm, err);
}

static int finish(void *self, double *squares, ss_err *err)
{
    rank_part *p = self;
    ss_cuda_use(state_of(p)->device);
    SS_CUDA(ss_cu->stream_wait(state_of(p)->stream));
    SS_CUDA(ss_cu->stream_wait(p->outer.stream));
    *squares = 0;
    for (int i = 0; i < p->sums; i++)
        *squares += p->sum[i];
    p->sums = 0;
    return SS_OK;
}

/* --- copies ----------------------------------------------------------------------------------- */

static int copy(void *self, int array, int field, const ss_area *box, void *data, ptrdiff_t pitch,
                bool up, ss_err *err)
{
    (void)field; /* steady equations have one */
    rank_part *p = self;
    size_t size = ss_prec_size(p->run.prec), width = (size_t)(box->x1 - box->x0) * size;
    size_t count = (size_t)(box->y1 - box->y0), row = (size_t)state_of(p)->box.sy * size;
    char *at = (char *)array_of(p, array) + element(p, box->x0, box->y0) * size;
    ss_cuda_use(state_of(p)->device);
    if (up) {
        if (ss_cuda_copy_rows(&p->edge, at, row, data, (size_t)pitch, width, count, SS_CUDA_UP,
                              err) != SS_OK)
            return SS_FAIL;
        SS_CUDA(ss_cu->event_record(p->outer_done, p->outer.stream));
        return SS_OK;
    }
    SS_CUDA(ss_cu->stream_wait_event(p->outer.stream, p->inner_done[p->turn], 0));
    return ss_cuda_copy_rows(&p->edge, data, (size_t)pitch, at, row, width, count, SS_CUDA_DOWN,
                             err);
}

static int copied(void *self, ss_err *err)
{
    rank_part *p = self;
    ss_cuda_use(state_of(p)->device);
    SS_CUDA(ss_cu->stream_wait(p->outer.stream));
    return SS_OK;
}

static void pin(void *self, void *data, size_t bytes, bool on)
{
    ss_cuda_rank_pin(state_of(self)->device, data, bytes, on);
}

/* --- open and close --------------------------------------------------------------------------- */

static void close_part(void *self)
{
    rank_part *p = self;
    if (p->run.state)
        ss_cuda_use(state_of(p)->device);
    for (int i = 0; i < p->bands; i++)
        free_band(p->band[i]);
    free(p->band);
    ss_cuda_close(&p->run);
    free(p);
}

/* The outer stream has priority: its sweeps are small, and the other ranks wait for them. */
static int make_queues(rank_part *p, ss_err *err)
{
    ss_cuda_kept *kept = &state_of(p)->kept;
    ss_cu_event *events[] = {&p->outer_done, &p->inner_done[0], &p->inner_done[1]};
    p->outer = *state_of(p);
    copy_run(&p->edge, &p->run, &p->outer);
    if (ss_cuda_keep_stream_first(kept, &p->outer.stream, err) != SS_OK)
        return SS_FAIL;
    for (int i = 0; i < 3; i++)
        if (ss_cuda_keep_event(kept, events[i], SS_CU_NO_TIMING, err) != SS_OK)
            return SS_FAIL;
    return ss_cuda_keep_pinned(kept, (void **)&p->sum, SS_PART_SUMS * sizeof *p->sum, "sums", err);
}

static int make_arrays(rank_part *p, const ss_box *box, ss_err *err)
{
    ss_cuda_state *st = state_of(p);
    size_t bytes = box->count * ss_prec_size(p->run.prec);
    if (ss_cuda_arrays_make(&p->run, box, &st->arrays, st->u, &st->rhs, err) != SS_OK ||
        ss_cuda_keep_zeroed(&st->arrays, &p->third, bytes, "the third field", st->stream, err) !=
            SS_OK)
        return SS_FAIL;
    SS_CUDA(ss_cu->stream_wait(st->stream));
    return SS_OK;
}

static int fill_part(rank_part *p, const ss_run *run, ss_err *err)
{
    copy_run(&p->run, run, NULL);
    /* Kernels ask the config for the rows of this backend. */
    if (ss_config_set(&p->run.cfg, "backend", "cuda", err) != SS_OK)
        return SS_FAIL;
    ss_box box = ss_cuda_layout(&p->run, p->stored.x1 - p->stored.x0, p->stored.y1 - p->stored.y0,
                                run->problem.dim > 1 ? run->eq->radius : 0);
    if (ss_cuda_state_make(&p->run, &box, err) != SS_OK)
        return SS_FAIL;
    return make_queues(p, err) == SS_OK ? make_arrays(p, &box, err) : SS_FAIL;
}

static int open_part(const ss_run *run, const ss_area *stored, int which, void **self, ss_err *err)
{
    if (ss_cuda_probe(err) != SS_OK)
        return SS_FAIL;
    rank_part *p = calloc(1, sizeof *p);
    if (!p)
        return ss_fail(err, "out of memory");
    p->stored = *stored;
    ss_cuda_use(which);
    if (fill_part(p, run, err) != SS_OK) {
        close_part(p);
        return SS_FAIL;
    }
    *self = p;
    return SS_OK;
}

const ss_part_device ss_cuda_rank_plane = {open_part, close_part, copy,   copied,
                                           sweep,     NULL,       finish, pin};

/* --- which GPU a rank has, and memory for its messages ---------------------------------------- */

/* If the system refuses to pin the memory, copies work, but are slower. */
void ss_cuda_rank_pin(int which, void *data, size_t bytes, bool on)
{
    ss_cuda_use(which);
    if (on)
        ss_cu->host_register(data, bytes, 0);
    else
        ss_cu->host_unregister(data);
}

/* 52 bits of the GPU's number of 128, which fit into a double. */
static double id_of(const ss_cu_uuid *uuid)
{
    uint64_t h = 14695981039346656037ull; /* FNV-1a */
    for (size_t i = 0; i < sizeof uuid->bytes; i++)
        h = (h ^ (unsigned char)uuid->bytes[i]) * 1099511628211ull;
    return (double)(h >> 12) + 1;
}

/* Without a context, which would take memory of a GPU that others use: only where there is no GPU
 * at all the probe finds out why. */
int ss_cuda_rank_find(int local, int *which, double *id, ss_err *err)
{
    int count = 0;
    ss_cu_uuid uuid;
    if (ss_cu_driver_open(NULL) != SS_OK || ss_cu->init(0) != 0 ||
        ss_cu->device_count(&count) != 0 || count == 0)
        return ss_cuda_probe(err) == SS_OK ? ss_fail(err, "no CUDA device") : SS_FAIL;
    *which = local % count;
    SS_CUDA(ss_cu->device_uuid(&uuid, *which));
    *id = id_of(&uuid);
    return SS_OK;
}

int ss_cuda_rank_begin(int which, ss_err *err)
{
    ss_cuda_use(which);
    return ss_cuda_probe(err);
}
