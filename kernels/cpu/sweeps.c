/*
 * Sweeps over the whole field: see sweeps.h. A sweep runs in strips so narrow that the three rows
 * that a point needs fit the cache, and in slabs of rows, between which the app may interrupt it.
 * Each strip of each row has its own sum of squares. They are added in a fixed order, so that a
 * norm does not depend on the number of threads.
 */
#include "kernels/cpu/sweeps.h"

#include <math.h>
#include <omp.h>
#include <stdlib.h>

#include "kernels/cpu/simd/norm.h"
#include "kernels/cpu/simd/team.h"

#define STRIP_BYTES 32768 /* width of a strip: a few of its rows fit any L2 cache */
#define SLAB_ROWS 32

typedef struct scratch {
    const ss_sweeps *sweeps;
    int strips, width; /* points per strip; the last strip may be narrower */
    double *sum;       /* sum[strip * ny + row] */
    char *rows;        /* in place: one buffer per thread */
    size_t row_bytes;
    void *plan;
} scratch;

static int team_of(const ss_run *run)
{
    const ss_cpu_state *st = run->state;
    return st->team > 0 ? st->team : ss_team_size(run, (double)st->box.nx * st->box.ny);
}

void ss_sweeps_release(ss_run *run)
{
    scratch *s = run->scratch;
    if (s) {
        free(s->sum);
        free(s->rows);
        free(s->plan);
    }
    free(s);
    run->scratch = NULL;
}

static int prepare_memory(const ss_run *run, scratch *s, ss_err *err)
{
    const ss_cpu_state *st = run->state;
    size_t sums = (size_t)s->strips * (size_t)st->box.ny;
    s->row_bytes = ((size_t)s->width * ss_prec_size(run->prec) / SS_ALIGN + 1) * SS_ALIGN;
    s->sum = ss_alloc(sums * sizeof *s->sum, "sums of the rows", err);
    if (s->sum && s->sweeps->in_place)
        s->rows = ss_alloc((size_t)team_of(run) * s->row_bytes, "rows", err);
    if (s->sum && s->sweeps->plan_bytes > 0)
        s->plan = ss_alloc(s->sweeps->plan_bytes, "scratch", err);
    bool complete =
        s->sum && (s->rows || !s->sweeps->in_place) && (s->plan || s->sweeps->plan_bytes == 0);
    return complete ? SS_OK : SS_FAIL;
}

int ss_sweeps_prepare(ss_run *run, ss_err *err)
{
    const ss_cpu_state *st = run->state;
    scratch *s = ss_alloc(sizeof *s, "scratch", err);
    run->scratch = s;
    if (!s)
        return SS_FAIL;
    s->sweeps = run->ops->own;
    s->width = s->sweeps->in_place ? st->box.nx : STRIP_BYTES / (int)ss_prec_size(run->prec);
    s->strips = (st->box.nx + s->width - 1) / s->width;
    if (prepare_memory(run, s, err) == SS_OK && ss_team_bind(run, err) == SS_OK) {
        if (s->sweeps->plan)
            s->sweeps->plan(run, s->plan);
        return SS_OK;
    }
    ss_sweeps_release(run);
    return SS_FAIL;
}

const void *ss_sweeps_from(const ss_run *run, int pass)
{
    const ss_cpu_state *st = run->state;
    return st->u[pass == 0 ? st->cur : 1 - st->cur];
}

void *ss_sweeps_into(const ss_run *run)
{
    const ss_cpu_state *st = run->state;
    return st->u[1 - st->cur];
}

void ss_sweeps_update(const ss_run *run, const ss_part *part, const void *in, void *out,
                      ptrdiff_t out_sy)
{
    const ss_cpu_state *st = run->state;
    size_t at = ss_sweeps_at(run, part->x, part->j0);
    ss_sweep box = {
        .nx = part->nx,
        .ny = part->j1 - part->j0,
        .nz = 1,
        .in_sy = st->box.sy,
        .rhs_sy = st->box.sy,
        .out_sy = out_sy,
        .sum = part->sum,
        .stream = st->stream && !part->row,
    };
    run->eq->apply[run->prec](&run->coef, 0, (const char *)in + at, (const char *)st->rhs + at, out,
                              &box);
}

/* Strip i of rows [j0, j1). */
static void sweep_part(const ss_run *run, int pass, int i, int j0, int j1, double *sum)
{
    const ss_cpu_state *st = run->state;
    const scratch *s = run->scratch;
    int x = i * s->width;
    ss_part part = {.x = x,
                    .nx = st->box.nx - x < s->width ? st->box.nx - x : s->width,
                    .j0 = j0,
                    .j1 = j1,
                    .sum = sum ? sum + (size_t)i * (size_t)st->box.ny + j0 : NULL};
    if (s->rows)
        part.row = s->rows + (size_t)omp_get_thread_num() * s->row_bytes;
    for (int row = 0; sum && row < j1 - j0; row++)
        part.sum[row] = 0;
    s->sweeps->part(run, s->plan, pass, &part);
}

/* A segment is one strip of one row; segments are numbered row by row. Sweeps the first segments of
 * [from, to) and returns their number: a slab of whole rows, strip by strip, or, at the ends of a
 * thread's range and on long lines in 1D, a single segment. */
static int64_t sweep_slab(const ss_run *run, int pass, int64_t from, int64_t to, double *sum)
{
    const scratch *s = run->scratch;
    int j = (int)(from / s->strips), i = (int)(from % s->strips);
    int64_t rows = (to - from) / s->strips;
    if (i > 0 || rows == 0) {
        sweep_part(run, pass, i, j, j + 1, sum);
        return 1;
    }
    int slab = rows < SLAB_ROWS ? (int)rows : SLAB_ROWS;
    for (i = 0; i < s->strips; i++)
        sweep_part(run, pass, i, j, j + slab, sum);
    return (int64_t)slab * s->strips;
}

/* Sweeps the whole field. Returns false if the app interrupted it. */
static bool sweep(const ss_run *run, int pass, double *sum)
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
            at += sweep_slab(run, pass, at, to, sum);
            dropped = at < to && ss_run_abandoned(run);
        }
    }
    return !dropped;
}

/* The sum of the squared changes of the last sweep that summed them. */
static double squares_of(const ss_run *run)
{
    const ss_cpu_state *st = run->state;
    const scratch *s = run->scratch;
    return ss_tree_sum(s->sum, (size_t)s->strips * (size_t)st->box.ny);
}

/* |r| of the field from which the cycle started. */
static double norm(const ss_run *run)
{
    return run->coef.residual * sqrt(squares_of(run));
}

void ss_sweeps_once(const ss_run *run, double *squares)
{
    const scratch *s = run->scratch;
    sweep(run, 0, squares ? s->sum : NULL);
    if (squares)
        *squares = squares_of(run);
}

static bool cycle(ss_run *run, bool check)
{
    const scratch *s = run->scratch;
    bool whole = sweep(run, 0, check ? s->sum : NULL);
    for (int pass = 1; pass < s->sweeps->passes && whole; pass++)
        whole = sweep(run, pass, NULL);
    return whole;
}

int ss_sweeps_step(ss_run *run, int64_t cycles, ss_err *err)
{
    (void)err;
    ss_cpu_step(run, cycles, cycle, norm);
    return SS_OK;
}

/* The first s passes. */
int ss_sweeps_peek(ss_run *run, int s, ss_err *err)
{
    (void)err;
    run->start_kept = false;
    ss_team_enter(run);
    for (int pass = 0; pass < s; pass++)
        sweep(run, pass, NULL);
    ss_team_leave(run);
    return SS_OK;
}
