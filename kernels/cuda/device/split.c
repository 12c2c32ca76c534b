/* The GPU's part of a hybrid run: see slabs.h. Engine thread. */
#include <stdlib.h>
#include <string.h>

#include "kernels/cpu/hybrid.h"
#include "kernels/cuda/device/plan.h"
#include "kernels/cuda/device/slabs.h"

enum { BEGIN, SWEPT, DOWN_BEGIN, DOWN_END, UP_BEGIN, UP_END, NEVENT };

typedef struct ss_cuda_split {
    ss_hybrid h;
    ss_cuda_state *whole; /* of the run */
    int (*prepare)(ss_run *band, ss_err *err);
    const ss_run *run;   /* while `prepare` and a step last */
    ss_cuda_band *bands; /* [depth]: rows [x - beyond, ny), by `beyond` */
    int nband;           /* that were prepared */
    ss_cuda_kept kept;   /* the events, the control block and the sums */
    ss_cu_event event[NEVENT];
    ss_cuda_control *control; /* of the bands, which leave their sum at: */
    double *sum, *host_sum;   /* on the device, and its pinned copy */
    void *pinned[2];          /* where the CPU's rows of u[i] are pinned; NULL: they are not */
    bool down_begun;          /* the copy to the CPU is on its way */
    int64_t probed;           /* cycles of the GPU alone, */
    double probed_seconds;    /* and the time of the later ones */
} ss_cuda_split;

static void *device_array(const ss_cuda_split *s, int i)
{
    return i == SS_HYBRID_RHS ? s->whole->rhs : s->whole->u[i];
}

static void *host_array(const ss_cuda_split *s, int i)
{
    return i == SS_HYBRID_RHS ? s->h.state.rhs : s->h.state.u[i];
}

/* --- copies ----------------------------------------------------------------------------------- */

/* Both sides have one layout, so that rows with their padding and the zeros of their halo are one
 * block. */
static int copy_rows(ss_cuda_split *s, int array, int j0, int j1, bool to_device, ss_err *err)
{
    const ss_box *box = &s->whole->box;
    size_t row = (size_t)box->sy * ss_prec_size(s->h.cpu.prec),
           first = (size_t)(j0 + box->hy) * row;
    char *device = (char *)device_array(s, array) + first;
    char *host = (char *)host_array(s, array) + first;
    size_t bytes = row * (size_t)(j1 - j0);
    SS_CUDA(
        ss_cu->copy(to_device ? device : host, to_device ? host : device, bytes, s->whole->stream));
    return SS_OK;
}

static int copy(void *self, int array, int j0, int j1, bool to_part, ss_err *err)
{
    ss_cuda_split *s = self;
    if (copy_rows(s, array, j0, j1, to_part, err) != SS_OK)
        return SS_FAIL;
    SS_CUDA(ss_cu->stream_wait(s->whole->stream));
    return SS_OK;
}

/* --- a round ---------------------------------------------------------------------------------- */

static int copy_down(ss_cuda_split *s, int array, ss_err *err)
{
    SS_CUDA(ss_cu->event_record(s->event[DOWN_BEGIN], s->whole->stream));
    if (copy_rows(s, array, s->h.rows, s->h.rows + s->h.depth, false, err) != SS_OK)
        return SS_FAIL;
    SS_CUDA(ss_cu->event_record(s->event[DOWN_END], s->whole->stream));
    return SS_OK;
}

static int begin(void *self, int from, int n, bool norm, ss_err *err)
{
    ss_cuda_split *s = self;
    ss_cu_stream stream = s->whole->stream;
    SS_CUDA(ss_cu->event_record(s->event[BEGIN], stream));
    for (int i = 0; i < n; i++) {
        const ss_cuda_band *b = &s->bands[n - 1 - i];
        ss_cuda_plan_of(&b->run)->launch(&b->run, (from + i) & 1, norm && i == n - 1, stream);
    }
    SS_CUDA(ss_cuda_launch_error());
    SS_CUDA(ss_cu->event_record(s->event[SWEPT], stream));
    *s->host_sum = 0;
    if (norm)
        SS_CUDA(ss_cu->copy(s->host_sum, s->sum, sizeof *s->sum, stream));
    s->down_begun = n == 1;
    return s->down_begun ? copy_down(s, 1 - from, err) : SS_OK;
}

static int finish(void *self, int to, ss_hybrid_times *t, double *squares, ss_err *err)
{
    ss_cuda_split *s = self;
    ss_cu_stream stream = s->whole->stream;
    if (!s->down_begun && copy_down(s, to, err) != SS_OK)
        return SS_FAIL;
    SS_CUDA(ss_cu->event_record(s->event[UP_BEGIN], stream));
    if (copy_rows(s, to, s->h.rows - s->h.depth, s->h.rows, true, err) != SS_OK)
        return SS_FAIL;
    SS_CUDA(ss_cu->event_record(s->event[UP_END], stream));
    SS_CUDA(ss_cu->stream_wait(stream));
    *squares = *s->host_sum;
    const ss_cu_event *at = s->event;
    if (ss_cuda_seconds(at[BEGIN], at[SWEPT], &t->kernel, err) != SS_OK ||
        ss_cuda_seconds(at[DOWN_BEGIN], at[DOWN_END], &t->down, err) != SS_OK)
        return SS_FAIL;
    return ss_cuda_seconds(at[UP_BEGIN], at[UP_END], &t->up, err);
}

/* --- division --------------------------------------------------------------------------------- */

static void free_bands(ss_cuda_split *s)
{
    for (int i = 0; i < s->nband; i++)
        ss_cuda_release(&s->bands[i].run);
    s->nband = 0;
}

static void unpin(ss_cuda_split *s)
{
    for (int i = 0; i < 2; i++)
        if (s->pinned[i])
            ss_cu->host_unregister(s->pinned[i]);
    s->pinned[0] = s->pinned[1] = NULL;
}

/* Pins the CPU's rows, so that copies are direct. Where the system refuses, they are slower. */
static void pin(ss_cuda_split *s, int rows)
{
    size_t row = (size_t)s->whole->box.sy * ss_prec_size(s->h.cpu.prec);
    unpin(s);
    for (int i = 0; i < 2; i++) {
        void *array = host_array(s, i);
        if (ss_cu->host_register(array, row * (size_t)(rows + s->h.depth + 1), 0) == 0)
            s->pinned[i] = array;
    }
}

static int divide(void *self, int rows, ss_err *err)
{
    ss_cuda_split *s = self;
    free_bands(s);
    pin(s, rows);
    for (; s->nband < s->h.depth; s->nband++)
        if (ss_cuda_band_make(&s->bands[s->nband], s->run, s->whole, rows - s->nband,
                              s->whole->box.ny, s->control, s->prepare, err) != SS_OK)
            return SS_FAIL;
    return SS_OK;
}

/* --- prepare, step, free ---------------------------------------------------------------------- */

static int make_sum(ss_cuda_split *s, ss_err *err)
{
    ss_cuda_control control;
    for (int i = 0; i < NEVENT; i++)
        if (ss_cuda_keep_event(&s->kept, &s->event[i], 0, err) != SS_OK)
            return SS_FAIL;
    if (ss_cuda_keep(&s->kept, (void **)&s->sum, 2 * sizeof *s->sum, "the norms", err) != SS_OK ||
        ss_cuda_keep_pinned(&s->kept, (void **)&s->host_sum, sizeof *s->host_sum, "a norm", err) !=
            SS_OK)
        return SS_FAIL;
    memset(&control, 0, sizeof control);
    control.part = s->sum;
    return ss_cuda_keep_copy(&s->kept, (void **)&s->control, &control, sizeof control, "the norms",
                             err);
}

static int fill(ss_run *run, ss_cuda_split *s, const ss_split_choice *choice, int depth,
                ss_err *err)
{
    const ss_hybrid_part part = {s, divide, begin, finish, copy};
    s->bands = calloc((size_t)depth, sizeof *s->bands);
    if (!s->bands)
        return ss_fail(err, "out of memory");
    if (make_sum(s, err) != SS_OK)
        return SS_FAIL;
    return ss_hybrid_make(&s->h, run, &s->whole->box, &part, choice, depth, &s->whole->cur, err);
}

int ss_cuda_split_prepare(ss_run *run, const ss_split_choice *choice, int depth,
                          int (*prepare)(ss_run *band, ss_err *err), ss_err *err)
{
    ss_cuda_split *s = calloc(1, sizeof *s);
    if (!s)
        return ss_fail(err, "out of memory");
    s->whole = ss_cuda_state_of(run);
    s->whole->split = s;
    s->prepare = prepare;
    s->run = run;
    int status = fill(run, s, choice, depth, err);
    s->run = NULL;
    if (status != SS_OK)
        ss_cuda_split_free(s->whole);
    return status;
}

enum { PROBE_WARM = 64, PROBE = 192 }; /* cycles of the GPU alone: the first ones do not count */

int ss_cuda_split_probe(const ss_run *run)
{
    const ss_cuda_split *s = ss_cuda_of(run)->split;
    if (!s || !s->h.choice.automatic || s->probed >= PROBE)
        return 0;
    return (int)((s->probed < PROBE_WARM ? PROBE_WARM : PROBE) - s->probed);
}

void ss_cuda_split_probed(const ss_run *run, int64_t cycles, double seconds)
{
    ss_cuda_split *s = ss_cuda_of(run)->split;
    if (s->probed >= PROBE_WARM)
        s->probed_seconds += seconds;
    s->probed += cycles;
    s->h.alone = s->probed_seconds / (double)(PROBE - PROBE_WARM);
    ss_hybrid_changed(&s->h);
}

/* Bands have the config, the coefficients and the kernels of the run. */
static int follow(ss_cuda_split *s, ss_err *err)
{
    for (int i = 0; i < s->nband; i++) {
        ss_cuda_band_follow(&s->bands[i], s->run);
        if (ss_cuda_plan_find(&s->bands[i].run, err) != SS_OK)
            return SS_FAIL;
    }
    return SS_OK;
}

int ss_cuda_split_step(ss_run *run, int64_t *cycles, bool *alone, ss_err *err)
{
    ss_cuda_split *s = ss_cuda_of(run)->split;
    s->run = run;
    int status = follow(s, err) == SS_OK ? ss_hybrid_step(&s->h, run, cycles, err) : SS_FAIL;
    *alone = s->h.rows == 0;
    s->run = NULL;
    return status;
}

int ss_cuda_split_settle(ss_run *run, int which, ss_err *err)
{
    ss_cuda_split *s = ss_cuda_of(run)->split;
    if (!s || which == 1) /* the right-hand side does not change */
        return SS_OK;
    double started = ss_clock();
    int status = ss_hybrid_settle(&s->h, which == 0 ? s->whole->cur : 1 - s->whole->cur, err);
    run->seconds_upload += ss_clock() - started;
    return status;
}

int ss_cuda_split_settle_all(ss_run *run, ss_err *err)
{
    return ss_cuda_split_settle(run, 0, err) == SS_OK ? ss_cuda_split_settle(run, 2, err) : SS_FAIL;
}

void ss_cuda_split_changed(const ss_run *run)
{
    if (ss_cuda_of(run)->split)
        ss_hybrid_changed(&ss_cuda_of(run)->split->h);
}

void ss_cuda_split_free(ss_cuda_state *st)
{
    ss_cuda_split *s = st->split;
    st->split = NULL;
    if (!s)
        return;
    for (int i = 0; i < 2; i++)
        ss_hybrid_settle(&s->h, i, NULL); /* if it fails, the device is lost */
    free_bands(s);
    unpin(s);
    ss_hybrid_free(&s->h);
    free(s->bands);
    ss_cuda_kept_free(&s->kept);
    free(s);
}
