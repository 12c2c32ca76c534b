/* Levels of a time-dependent equation: see levels.h. */
#include "kernels/cpu/levels.h"

#include <omp.h>
#include <string.h>

#include "kernels/cpu/stream.h"
#include "kernels/cpu/team.h"

#define CHUNK_BYTES 8192 /* of a field at a time, where it is written past the caches */

/* A level being made: rows address point 0 of field 0. */
typedef struct level {
    const ss_run *run;
    int stage;
    ptrdiff_t size, field; /* bytes of a value; and from field to field */
    char *in, *out;
} level_t;

static char *row_of(const ss_run *run, int64_t level)
{
    const ss_cpu_state *st = run->state;
    return (char *)st->u[(st->cur + level) & 1] + st->box.first * ss_prec_size(run->prec);
}

static level_t level_of(const ss_run *run, int64_t level)
{
    const ss_cpu_state *st = run->state;
    ptrdiff_t size = (ptrdiff_t)ss_prec_size(run->prec);
    return (level_t){.run = run,
                     .stage = (int)((level - 1) % run->eq->nstage),
                     .size = size,
                     .field = (ptrdiff_t)st->box.count * size,
                     .in = row_of(run, level - 1),
                     .out = row_of(run, level)};
}

/* --- the ends --------------------------------------------------------------------------------- */

static void copy_point(const level_t *l, char *to_row, int to, const char *from_row, int from)
{
    for (int f = 0; f < l->run->eq->nfield; f++)
        memcpy(to_row + f * l->field + to * l->size, from_row + f * l->field + from * l->size,
               (size_t)l->size);
}

/* What lies beyond the ends, where points [lo, hi) read it. */
static void fill_halo(const level_t *l, int lo, int hi)
{
    const ss_equation *eq = l->run->eq;
    int n = l->run->problem.nx, radius = eq->radius;
    for (int i = 1; i <= radius && lo < radius; i++)
        copy_point(l, l->in, -i, l->in, ss_end_source(eq->bc, n, -i));
    for (int i = n; i < n + radius && hi > n - radius; i++)
        copy_point(l, l->in, i, l->in, ss_end_source(eq->bc, n, i));
}

void ss_levels_begin(const ss_run *run)
{
    level_t l = level_of(run, 1);
    for (int i = 0; i < run->eq->fixed; i++) {
        int last = run->problem.nx - 1 - i;
        copy_point(&l, l.out, i, l.in, i);
        copy_point(&l, l.out, last, l.in, last);
    }
}

/* --- a stretch of points ---------------------------------------------------------------------- */

static void advance_cached(const level_t *l, int lo, int hi)
{
    ss_strip strip = {l->in, l->out, l->field / l->size, l->field / l->size, lo, hi};
    l->run->eq->advance[l->run->prec](&l->run->coef, l->stage, &strip);
}

/* Made where it stays in the cache, and copied past it. */
static void advance_stream(const level_t *l, int lo, int hi)
{
    _Alignas(SS_ALIGN) char chunk[SS_FIELD_MAX * CHUNK_BYTES];
    const ptrdiff_t points = CHUNK_BYTES / l->size;
    for (int at = lo, n; at < hi; at += n) {
        n = hi - at < points ? hi - at : (int)points;
        ss_strip strip = {l->in + at * l->size, chunk, l->field / l->size, points, 0, n};
        for (int f = 0; f < l->run->eq->nfield; f++)
            memcpy(chunk + f * CHUNK_BYTES, l->out + f * l->field + at * l->size,
                   l->stage > 0 ? (size_t)(n * l->size) : 0);
        l->run->eq->advance[l->run->prec](&l->run->coef, l->stage, &strip);
        for (int f = 0; f < l->run->eq->nfield; f++)
            ss_stream_copy(l->out + f * l->field + at * l->size, chunk + f * CHUNK_BYTES,
                           (size_t)(n * l->size));
    }
    ss_stream_done();
}

/* Within the line. */
static void advance_inside(const level_t *l, int lo, int hi, bool stream)
{
    int n = l->run->problem.nx, fixed = l->run->eq->fixed;
    lo = lo < fixed ? fixed : lo;
    hi = hi > n - fixed ? n - fixed : hi;
    if (lo >= hi)
        return;
    fill_halo(l, lo, hi);
    if (stream)
        advance_stream(l, lo, hi);
    else
        advance_cached(l, lo, hi);
}

void ss_levels_advance(const ss_run *run, int64_t level, int lo, int hi, bool stream)
{
    level_t l = level_of(run, level);
    int n = run->problem.nx;
    if (lo < n)
        advance_inside(&l, lo, hi < n ? hi : n, stream);
    if (hi > n)
        advance_inside(&l, lo > n ? lo - n : 0, hi - n, stream);
}

/* --- all of them ------------------------------------------------------------------------------ */

void ss_levels_latency(const ss_run *run)
{
    double until = ss_clock() + ss_config_real(&run->cfg, "latency");
    while (ss_clock() < until)
        ; /* a sleep would last longer than asked for */
}

void ss_levels_all(const ss_run *run, int64_t level)
{
    const ss_cpu_state *st = run->state;
    int n = run->problem.nx;
#pragma omp parallel num_threads(ss_team_size(run, n))
    {
        int t = omp_get_thread_num(), team = omp_get_num_threads();
        ss_levels_advance(run, level, ss_team_row(n, t, team), ss_team_row(n, t + 1, team),
                          st->stream);
    }
    ss_levels_latency(run);
}

void ss_levels_steps(ss_run *run, int64_t steps)
{
    ss_cpu_state *st = run->state;
    ss_levels_begin(run);
    for (int64_t level = 1; level <= steps * run->eq->nstage; level++)
        ss_levels_all(run, level);
    st->cur = (int)((st->cur + steps * run->eq->nstage) & 1);
}
