/* Levels of a time-dependent equation: see levels.h. */
#include "kernels/cpu/levels.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/cpu/simd/memory.h"
#include "kernels/cpu/simd/team.h"

#define CHUNK_BYTES 8192 /* per field: the buffer before a non-temporal copy */

/* The level being computed. */
typedef struct level {
    const ss_levels *s;
    int stage;
    char *in, *out;
} level_t;

static level_t level_of(const ss_levels *s, int64_t level)
{
    return (level_t){.s = s,
                     .stage = (int)((uint64_t)(level - 1) % (unsigned)s->run->eq->nstage),
                     .in = s->row[(level - 1) & 1],
                     .out = s->row[level & 1]};
}

/* --- the ends --------------------------------------------------------------------------------- */

static void copy_point(const ss_levels *s, char *to_row, int to, const char *from_row, int from)
{
    for (int f = 0; f < s->run->eq->nfield; f++)
        memcpy(to_row + f * s->field + to * s->size, from_row + f * s->field + from * s->size,
               (size_t)s->size);
}

/* Fills the halo cells that points [lo, hi) read. */
static void fill_halo(const level_t *l, int lo, int hi)
{
    const ss_equation *eq = l->s->run->eq;
    int n = l->s->run->problem.nx, radius = eq->radius;
    for (int i = 1; i <= radius && lo < radius; i++)
        copy_point(l->s, l->in, -i, l->in, ss_end_source(eq->bc, n, -i));
    for (int i = n; i < n + radius && hi > n - radius; i++)
        copy_point(l->s, l->in, i, l->in, ss_end_source(eq->bc, n, i));
}

int ss_levels_prepare(ss_run *run, ss_err *err)
{
    ss_levels_plan *plan = ss_alloc(sizeof *plan, "scratch", err);
    run->scratch = plan;
    if (!plan)
        return SS_FAIL;
    if (run->solver->nodes)
        plan->nodes = run->solver->nodes(&run->cfg, &run->problem);
    if (ss_team_bind(run, err) == SS_OK)
        return SS_OK;
    ss_levels_release(run);
    return SS_FAIL;
}

void ss_levels_release(ss_run *run)
{
    free(run->scratch);
    run->scratch = NULL;
}

ss_levels ss_levels_begin(const ss_run *run)
{
    const ss_cpu_state *st = run->state;
    ptrdiff_t size = (ptrdiff_t)ss_prec_size(run->prec);
    ss_levels s = {.run = run,
                   .advance = run->eq->advance[run->prec],
                   .size = size,
                   .field = (ptrdiff_t)st->box.count * size};
    for (int k = 0; k < 2; k++)
        s.row[k] = (char *)st->u[(st->cur + k) & 1] + (ptrdiff_t)st->box.first * size;
    for (int i = 0; i < run->eq->fixed; i++) {
        int last = run->problem.nx - 1 - i;
        copy_point(&s, s.row[1], i, s.row[0], i);
        copy_point(&s, s.row[1], last, s.row[0], last);
    }
    return s;
}

/* --- a range of points ------------------------------------------------------------------------ */

static void advance_cached(const level_t *l, int lo, int hi)
{
    ptrdiff_t field = l->s->field / l->s->size;
    ss_strip strip = {l->in, l->out, field, field, lo, hi};
    l->s->advance(&l->s->run->coef, l->stage, &strip);
}

/* Computes into a small buffer and copies it with non-temporal stores. For stage 0 only: later
 * stages also read the values that they overwrite, so those lines are in the cache anyway. */
static void advance_stream(const level_t *l, int lo, int hi)
{
    _Alignas(SS_ALIGN) char chunk[SS_FIELD_MAX * CHUNK_BYTES];
    const ss_levels *s = l->s;
    const ptrdiff_t points = CHUNK_BYTES / s->size;
    for (int at = lo, n; at < hi; at += n) {
        n = hi - at < points ? hi - at : (int)points;
        size_t bytes = (size_t)(n * s->size);
        ss_strip strip = {l->in + at * s->size, chunk, s->field / s->size, points, 0, n};
        s->advance(&s->run->coef, l->stage, &strip);
        for (int f = 0; f < s->run->eq->nfield; f++)
            ss_stream_copy(l->out + f * s->field + at * s->size, chunk + f * CHUNK_BYTES, bytes);
    }
    ss_stream_done();
}

/* Points [lo, hi) with 0 <= lo and hi <= n; skips those that never change. */
static void advance_range(const level_t *l, int lo, int hi,
                          void (*advance)(const level_t *l, int lo, int hi))
{
    int n = l->s->run->problem.nx, fixed = l->s->run->eq->fixed;
    lo = lo < fixed ? fixed : lo;
    hi = hi > n - fixed ? n - fixed : hi;
    if (lo >= hi)
        return;
    fill_halo(l, lo, hi);
    advance(l, lo, hi);
}

void ss_levels_advance(const ss_levels *s, int64_t level, int lo, int hi)
{
    level_t l = level_of(s, level);
    int n = s->run->problem.nx;
    if (lo < n)
        advance_range(&l, lo, hi < n ? hi : n, advance_cached);
    if (hi > n)
        advance_range(&l, lo > n ? lo - n : 0, hi - n, advance_cached);
}

/* --- all of them ------------------------------------------------------------------------------ */

void ss_levels_all(const ss_levels *s, int64_t first, int64_t last)
{
    const ss_cpu_state *st = s->run->state;
    int n = s->run->problem.nx;
    for (int64_t level = first; level <= last; level++) {
        level_t l = level_of(s, level);
#pragma omp parallel num_threads(ss_team_size(s->run, n))
        {
            int t = omp_get_thread_num(), threads = omp_get_num_threads();
            advance_range(&l, ss_team_row(n, t, threads), ss_team_row(n, t + 1, threads),
                          st->stream && l.stage == 0 ? advance_stream : advance_cached);
        }
    }
}

int ss_levels_finish(ss_run *run, int64_t steps, ss_err *err)
{
    ss_cpu_state *st = run->state;
    (void)err;
    ss_team_enter(run);
    ss_levels s = ss_levels_begin(run);
    ss_levels_all(&s, 1, steps * run->eq->nstage);
    ss_team_leave(run);
    st->cur = (int)((st->cur + steps * run->eq->nstage) & 1);
    return SS_OK;
}
