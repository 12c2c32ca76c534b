/*
 * Sweeps over the whole field: see state.h. A sweep runs in strips so narrow that the three rows
 * that a point needs fit the cache, and in slabs of rows, between which the app may interrupt it.
 * Each strip of each row, or each segment of it, has its own sum of squares. They are added in a
 * fixed order, so that a norm does not depend on the number of threads.
 */
#include "kernels/cpu/state.h"

#include <math.h>
#include <omp.h>
#include <string.h>

#include "kernels/cpu/loops/combine.h"
#include "kernels/cpu/simd/machine.h"
#include "kernels/cpu/simd/norm.h"
#include "kernels/solver/schedules.h"

#define MEMORY_BYTES 262144 /* of a thread's private memory: it fits most L2 caches */
#define SLAB_ROWS 32

typedef ss_sweeps_scratch scratch;

static const ss_sweeps *sweeps_of(const ss_run *run)
{
    return run->ops->own;
}

static int team_of(const ss_run *run)
{
    const ss_cpu_state *st = run->state;
    return st->team > 0 ? st->team : ss_team_size(run, (double)st->box.nx * st->box.ny);
}

/* Rows of a slab. */
static int slab_of(const ss_run *run)
{
    const ss_cpu_state *st = run->state;
    return st->box.ny < SLAB_ROWS ? st->box.ny : SLAB_ROWS;
}

/* The strips' width: a multiple of a cache line. */
static int width_of(const ss_run *run)
{
    const ss_sweeps *sweeps = sweeps_of(run);
    int size = (int)ss_prec_size(run->prec), line = SS_ALIGN / size;
    int width = SS_SUM_STRIP_BYTES / size;
    while (sweeps->memory && width > line &&
           sweeps->memory(run, width, slab_of(run)) > MEMORY_BYTES)
        width = (width / 2 + line - 1) / line * line;
    return width;
}

/* The segments of nx points of a row. */
static size_t segments_of(const scratch *s, int nx)
{
    return ((size_t)nx + (size_t)s->segment - 1) / (size_t)s->segment;
}

/* Sums of one kind: one per segment and row. */
static size_t sums_of(const ss_run *run)
{
    const ss_cpu_state *st = run->state;
    return segments_of(run->scratch, st->box.nx) * (size_t)st->box.ny;
}

/* Points that no part writes stay zero: the domain's boundary. */
static void clear_memory(const ss_run *run, const scratch *s)
{
#pragma omp parallel num_threads(team_of(run))
    memset(s->memory + (size_t)omp_get_thread_num() * s->memory_bytes, 0, s->memory_bytes);
}

int ss_sweeps_prepare(ss_run *run, ss_err *err)
{
    const ss_cpu_state *st = run->state;
    const ss_sweeps *sweeps = sweeps_of(run);
    scratch *s = run->scratch;
    s->sums = 1;
    s->width = width_of(run);
    s->strips = (st->box.nx + s->width - 1) / s->width;
    s->segment = sweeps->segment > 0 ? sweeps->segment : s->width;
    size_t sums = sums_of(run) * (size_t)(sweeps->sums > 0 ? sweeps->sums : 1);
    size_t bytes = sweeps->memory ? sweeps->memory(run, s->width, slab_of(run)) : 0;
    s->memory_bytes = (bytes + SS_ALIGN - 1) / SS_ALIGN * SS_ALIGN;
    s->sum = ss_cpu_alloc(run, sums * sizeof *s->sum, "sums of the rows", err);
    if (s->sum && bytes > 0)
        s->memory = ss_cpu_own(
            run, ss_memory_untouched((size_t)team_of(run) * s->memory_bytes, "rows", err));
    if (!s->sum || (!s->memory && bytes > 0))
        return SS_FAIL;
    if (s->memory)
        clear_memory(run, s);
    if (sweeps->plan)
        sweeps->plan(run);
    return SS_OK;
}

const void *ss_sweeps_from(const ss_run *run)
{
    const ss_cpu_state *st = run->state;
    return st->u[st->cur];
}

void *ss_sweeps_into(const ss_run *run)
{
    const ss_cpu_state *st = run->state;
    return st->u[1 - st->cur];
}

void ss_sweeps_update(const ss_run *run, const ss_sweep_part *part, const void *in, ptrdiff_t in_sy,
                      void *out, ptrdiff_t out_sy)
{
    const ss_cpu_state *st = run->state;
    size_t at = ss_sweeps_at(run, part->x, part->j0);
    ss_sweep box = {
        .nx = part->nx,
        .ny = part->j1 - part->j0,
        .nz = 1,
        .in_sy = in_sy,
        .rhs_sy = st->box.sy,
        .out_sy = out_sy,
        .sum = part->sum,
        .stream = st->stream && !part->cached,
    };
    run->eq->apply[run->prec](&run->coef, 0, in, (const char *)st->rhs + at, out, &box);
}

static void clear_sums(const scratch *s, const ss_sweep_part *p)
{
    size_t segments = segments_of(s, p->nx), bytes = (size_t)(p->j1 - p->j0) * sizeof *p->sum;
    for (size_t k = 0; p->sum && k < (size_t)s->sums; k++)
        for (size_t q = 0; q < segments; q++)
            memset(p->sum + k * p->next + q * p->right, 0, bytes);
}

/* Strip i of rows [j0, j1). */
static void sweep_part(const ss_run *run, int ticks, int i, int j0, int j1, double *sum)
{
    const ss_cpu_state *st = run->state;
    const scratch *s = run->scratch;
    int x = i * s->width;
    ss_sweep_part part = {.x = x,
                          .nx = st->box.nx - x < s->width ? st->box.nx - x : s->width,
                          .j0 = j0,
                          .j1 = j1,
                          .next = sums_of(run),
                          .right = (size_t)st->box.ny,
                          .sum = sum ? sum + segments_of(s, x) * (size_t)st->box.ny + j0 : NULL};
    if (s->memory)
        part.memory = s->memory + (size_t)omp_get_thread_num() * s->memory_bytes;
    clear_sums(s, &part);
    sweeps_of(run)->part(run, ticks, &part);
}

/* A segment is one strip of one row; segments are numbered row by row. Sweeps the first segments of
 * [from, to) and returns their number: a slab of whole rows, strip by strip, or, at the ends of a
 * thread's range and on long lines in 1D, a single segment. */
static int64_t sweep_slab(const ss_run *run, int ticks, int64_t from, int64_t to, double *sum)
{
    const scratch *s = run->scratch;
    int j = (int)(from / s->strips), i = (int)(from % s->strips);
    int64_t rows = (to - from) / s->strips;
    if (i > 0 || rows == 0) {
        sweep_part(run, ticks, i, j, j + 1, sum);
        return 1;
    }
    int slab = rows < SLAB_ROWS ? (int)rows : SLAB_ROWS;
    for (i = 0; i < s->strips; i++)
        sweep_part(run, ticks, i, j, j + slab, sum);
    return (int64_t)slab * s->strips;
}

/* The first `ticks` ticks of a cycle. Returns false if the app interrupted it, which only happens
 * if `interruptible`. */
static bool sweep(const ss_run *run, int ticks, double *sum, bool interruptible)
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
            at += sweep_slab(run, ticks, at, to, sum);
            dropped = interruptible && at < to && ss_run_abandoned(run);
        }
    }
    return !dropped;
}

/* The sum of the squared changes of the last sweep that summed them. */
static double squares_of(const ss_run *run)
{
    const scratch *s = run->scratch;
    return ss_tree_sum(s->sum, sums_of(run));
}

double ss_sweeps_norm(const ss_run *run)
{
    return run->coef.residual * sqrt(squares_of(run));
}

void ss_sweeps_whole(const ss_run *run, bool check)
{
    const scratch *s = run->scratch;
    sweep(run, sweeps_of(run)->ticks, check ? s->sum : NULL, false);
}

void ss_sweeps_pass(ss_run *run, int which, int sums, double *out)
{
    scratch *s = run->scratch;
    s->sums = sums;
    sweep(run, which, sums > 0 ? s->sum : NULL, false);
    for (int k = 0; k < sums; k++)
        out[k] = ss_tree_sum(s->sum + (size_t)k * sums_of(run), sums_of(run));
    s->sums = 1;
}

bool ss_sweeps_cycle(ss_run *run, bool check)
{
    const scratch *s = run->scratch;
    return sweep(run, sweeps_of(run)->ticks, check ? s->sum : NULL, true);
}

void ss_sweeps_once(ss_run *run, double *squares)
{
    ss_sweeps_cycle(run, squares != NULL);
    if (squares)
        *squares = squares_of(run);
}

/* An interrupted sweep is shown as far as it came. */
bool ss_sweeps_peek(ss_run *run, int ticks)
{
    sweep(run, ticks, NULL, true);
    return true;
}
