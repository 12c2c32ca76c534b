/*
 * Classic Jacobi on the CPU: each thread sweeps its own rows from the old field into the new one,
 * then all wait for all. A sweep runs in strips narrow enough that the three rows a point needs
 * stay in the cache, and in slabs of rows, between which the app may ask for the engine back.
 * Engine thread; the OpenMP threads live inside one sweep.
 */
#include <math.h>
#include <omp.h>
#include <stdlib.h>

#include "kernels/cpu/state.h"
#include "kernels/cpu/simd/norm.h"
#include "kernels/cpu/simd/team.h"

#define STRIP_BYTES 32768 /* of a row at a time: a few rows of it fit any second-level cache */
#define SLAB_ROWS 32

/* Scratch: the sum of squared changes of every strip of every row, strip by strip. */
typedef struct scratch {
    int strips, width; /* points of a strip; the last one may be shorter */
    double *sum;
} scratch;

static void release(ss_run *run)
{
    scratch *s = run->scratch;
    if (s)
        free(s->sum);
    free(s);
    run->scratch = NULL;
}

static int prepare(ss_run *run, ss_err *err)
{
    const ss_cpu_state *st = run->state;
    scratch *s = ss_alloc(sizeof *s, "scratch", err);
    run->scratch = s;
    if (s) {
        s->width = STRIP_BYTES / (int)ss_prec_size(run->prec);
        s->strips = (st->box.nx + s->width - 1) / s->width;
        s->sum = ss_alloc((size_t)s->strips * (size_t)st->box.ny * sizeof *s->sum,
                          "sums of the rows", err);
    }
    if (s && s->sum && ss_team_bind(run, err) == SS_OK)
        return SS_OK;
    release(run);
    return SS_FAIL;
}

/* Strip i of rows [j0, j1) into the new field, with its sums if sum is not NULL. */
static void sweep_box(const ss_run *run, int i, int j0, int j1, double *sum)
{
    const ss_cpu_state *st = run->state;
    const scratch *s = run->scratch;
    const ss_box *b = &st->box;
    int x = i * s->width;
    double *sums = sum ? sum + (size_t)i * (size_t)b->ny + j0 : NULL;
    ss_sweep part = {
        .nx = b->nx - x < s->width ? b->nx - x : s->width,
        .ny = j1 - j0,
        .nz = 1,
        .in_sy = b->sy,
        .rhs_sy = b->sy,
        .out_sy = b->sy,
        .sum = sums,
        .stream = st->stream,
    };
    size_t at = ss_cpu_at(st, x, j0, 0) * ss_prec_size(run->prec);
    for (int row = 0; sums && row < part.ny; row++)
        sums[row] = 0;
    run->eq->apply[run->prec](&run->coef, 0, (const char *)st->u[st->cur] + at,
                              (const char *)st->rhs + at, (char *)st->u[1 - st->cur] + at, &part);
}

/* Strips [from, to) of the field, counted along the rows: a slab of whole rows where there is one,
 * strip by strip, else (the ends, and long lines in 1D) a single strip. Returns how many it did. */
static int64_t sweep_some(const ss_run *run, int64_t from, int64_t to, double *sum)
{
    const scratch *s = run->scratch;
    int j = (int)(from / s->strips), i = (int)(from % s->strips);
    int64_t rows = (to - from) / s->strips;
    if (i > 0 || rows == 0) {
        sweep_box(run, i, j, j + 1, sum);
        return 1;
    }
    int slab = rows < SLAB_ROWS ? (int)rows : SLAB_ROWS;
    for (i = 0; i < s->strips; i++)
        sweep_box(run, i, j, j + slab, sum);
    return (int64_t)slab * s->strips;
}

static int team_of(const ss_run *run)
{
    const ss_cpu_state *st = run->state;
    return ss_team_size(run, (double)st->box.nx * st->box.ny);
}

/* The whole field, into the other buffer. False: the app wanted the engine back. */
static bool sweep(const ss_run *run, double *sum)
{
    const ss_cpu_state *st = run->state;
    const scratch *s = run->scratch;
    int64_t all = (int64_t)st->box.ny * s->strips;
    int dropped = 0;
#pragma omp parallel num_threads(team_of(run)) reduction(| : dropped)
    {
        int t = omp_get_thread_num(), n = omp_get_num_threads();
        int64_t to = all * (t + 1) / n;
        for (int64_t at = all * t / n; at < to && !dropped;) {
            at += sweep_some(run, at, to, sum);
            dropped = at < to && ss_run_abandoned(run);
        }
    }
    return !dropped;
}

/* |r| of the field the sweep started from. */
static double norm(const ss_run *run)
{
    const ss_cpu_state *st = run->state;
    const scratch *s = run->scratch;
    return run->coef.residual * sqrt(ss_tree_sum(s->sum, (size_t)s->strips * (size_t)st->box.ny));
}

static bool cycle(ss_run *run, bool check)
{
    const scratch *s = run->scratch;
    return sweep(run, check ? s->sum : NULL);
}

static int step(ss_run *run, int64_t cycles, ss_err *err)
{
    (void)err;
    ss_cpu_step(run, cycles, cycle, norm);
    return SS_OK;
}

/* A cycle is one sweep, so there is nothing between its start and its end but the end. */
static int peek(ss_run *run, int s, ss_err *err)
{
    (void)s, (void)err;
    run->start_kept = false;
    ss_team_enter(run);
    sweep(run, NULL);
    ss_team_leave(run);
    return SS_OK;
}

const ss_engine_ops ss_cpu_jacobi = {
    .name = "jacobi",
    .caps = SS_CAP_EXACT | SS_CAP_TICK,
    .prepare = prepare,
    .step = step,
    .peek = peek,
    .release = release,
};
