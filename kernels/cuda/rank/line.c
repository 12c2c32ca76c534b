/*
 * A rank's range of a line on a GPU: see kernels/part/part.h. To the kernels the stored points,
 * with the halo, are a line of their own; any solver of the backend cuda advances it, and the halo
 * is as deep as a cycle's wrong values reach. divided.c does the same for several GPUs of one
 * process. Host code; the thread that steps the rank.
 */
#include <stdlib.h>

#include "kernels/cuda/device/state.h"
#include "kernels/cuda/rank/rank.h"
#include "src/core/registry.h"

typedef struct rank_line {
    ss_run run; /* of the stored points */
    int first;  /* the number of its point 0 in the whole line */
} rank_line;

static ss_cuda_state *state_of(const rank_line *l)
{
    return ss_cuda_state_of(&l->run);
}

static void close_line(void *self)
{
    rank_line *l = self;
    if (l->run.state) {
        ss_cuda_use(state_of(l)->device);
        if (l->run.scratch)
            l->run.ops->release(&l->run);
        ss_cuda_close(&l->run);
    }
    free(l);
}

/* Kernels ask the config for the rows of the backend cuda. */
static int describe(rank_line *l, const ss_run *run, const ss_area *stored, ss_err *err)
{
    const char *why = NULL;
    l->run = *run;
    l->run.problem.cfg = &l->run.cfg;
    l->run.problem.nx = l->run.problem.i1 = stored->x1 - stored->x0;
    l->run.problem.i0 = 0;
    l->run.state = l->run.scratch = NULL;
    l->first = stored->x0;
    if (ss_config_set(&l->run.cfg, "backend", "cuda", err) != SS_OK)
        return SS_FAIL;
    l->run.backend = ss_config_backend(&l->run.cfg);
    l->run.ops = ss_matrix(run->eq, run->solver, l->run.backend, &why);
    return l->run.ops ? SS_OK : ss_fail(err, "%s", why);
}

static int fill(rank_line *l, ss_err *err)
{
    ss_box box = ss_cuda_layout(&l->run, l->run.problem.nx, 1, 0);
    if (ss_cuda_state_make(&l->run, &box, err) != SS_OK)
        return SS_FAIL;
    ss_cuda_state *st = state_of(l);
    if (ss_cuda_arrays_make(&l->run, &box, &st->arrays, st->u, &st->rhs, err) != SS_OK)
        return SS_FAIL;
    SS_CUDA(ss_cu->stream_wait(st->stream));
    return l->run.ops->prepare(&l->run, err);
}

static int open_line(const ss_run *run, const ss_area *stored, int which, void **self, ss_err *err)
{
    if (ss_cuda_probe(err) != SS_OK)
        return SS_FAIL;
    rank_line *l = calloc(1, sizeof *l);
    if (!l)
        return ss_fail(err, "out of memory");
    ss_cuda_use(which);
    if (describe(l, run, stored, err) != SS_OK || fill(l, err) != SS_OK) {
        close_line(l);
        return SS_FAIL;
    }
    *self = l;
    return SS_OK;
}

/* A box of a line has one row. */
static int copy(void *self, int array, int field, const ss_area *box, void *data, ptrdiff_t pitch,
                bool up, ss_err *err)
{
    rank_line *l = self;
    const ss_cuda_state *st = state_of(l);
    size_t size = ss_prec_size(l->run.prec), bytes = (size_t)(box->x1 - box->x0) * size;
    size_t element = (size_t)field * st->box.count + st->box.first + (size_t)(box->x0 - l->first);
    char *at = (char *)st->u[array] + element * size;
    (void)pitch;
    ss_cuda_use(st->device);
    SS_CUDA(ss_cu->copy(up ? at : data, up ? data : at, bytes, st->stream));
    return SS_OK;
}

static int copied(void *self, ss_err *err)
{
    const ss_cuda_state *st = state_of(self);
    ss_cuda_use(st->device);
    SS_CUDA(ss_cu->stream_wait(st->stream));
    return SS_OK;
}

static void pin(void *self, void *data, size_t bytes, bool on)
{
    ss_cuda_rank_pin(state_of(self)->device, data, bytes, on);
}

static int advance(void *self, int from, int64_t cycles, int64_t steps, ss_err *err)
{
    rank_line *l = self;
    ss_cuda_use(state_of(l)->device);
    state_of(l)->cur = from;
    return steps > 0 ? l->run.ops->finish(&l->run, steps, err)
                     : l->run.ops->step(&l->run, cycles, err);
}

static int finish(void *self, double *squares, ss_err *err)
{
    *squares = 0;
    return copied(self, err);
}

const ss_part_device ss_cuda_rank_line = {open_line, close_line, copy,   copied,
                                          NULL,      advance,    finish, pin};
