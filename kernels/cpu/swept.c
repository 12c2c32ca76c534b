/*
 * Time-dependent equations on the CPU: the swept rule by diamonds, and the classic stepper level by
 * level. The swept rule: a node is a range of points that fits the cache while a thread
 * advances it through all levels of its diamond. One global synchronisation per diamond replaces
 * one per level. kernels/geom/swept.h defines the points of each level and explains why two arrays
 * suffice. Engine thread; each diamond is an OpenMP region.
 */
#include <stdlib.h>
#include <string.h>
#include <omp.h>

#include "kernels/cpu/state.h"
#include "kernels/cpu/simd/machine.h"
#include "kernels/solver/schedules.h"

/* --- levels ----------------------------------------------------------------------------------- */

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

/* To be called before level 1: also copies the points that never change to the other array. */
static ss_levels begin(const ss_run *run)
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

/* Computes whole levels first to last with all threads, with a barrier after each. */
static void advance_all(const ss_levels *s, int64_t first, int64_t last)
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

static int finish(ss_run *run, int64_t steps, ss_err *err)
{
    ss_cpu_state *st = run->state;
    (void)err;
    ss_team_enter(run);
    ss_levels s = begin(run);
    advance_all(&s, 1, steps * run->eq->nstage);
    ss_team_leave(run);
    st->cur = (int)((st->cur + steps * run->eq->nstage) & 1);
    return SS_OK;
}

/* --- the swept rule --------------------------------------------------------------------------- */

/* Computes levels [from, to) of a node of diamond d. */
static void advance_node(const ss_levels *levels, ss_swept s, int64_t d, int node, int from, int to)
{
    int origin = ss_swept_origin(s, d, node);
    for (int l = from; l < to; l++)
        ss_levels_advance(levels, ss_swept_level(s, d, l), origin + ss_swept_lo(s, l),
                          origin + ss_swept_hi(s, l));
}

/* The number of threads for `count` levels of all nodes. */
static int team_of(const ss_levels *levels, ss_swept s, int count)
{
    int team = ss_team_size(levels->run, (double)s.n * count / 2);
    return team < s.count ? team : s.count;
}

static double updates_of(ss_swept s, int from, int to)
{
    double sum = 0;
    for (int l = from; l < to; l++)
        sum += ss_swept_hi(s, l) - ss_swept_lo(s, l);
    return sum;
}

/* Computes levels [from, to) of all nodes of diamond d, then synchronises. */
static void sweep(ss_run *run, const ss_levels *levels, ss_swept s, int64_t d, int from, int to)
{
    int team = team_of(levels, s, to - from);
    double updates = updates_of(s, from, to);
#pragma omp parallel for schedule(static) num_threads(team)
    for (int node = 0; node < s.count; node++) {
        advance_node(levels, s, d, node, from, to);
        if (team == 1)
            ss_run_part_done(run, updates);
    }
}

static int step(ss_run *run, int64_t cycles, ss_err *err)
{
    ss_swept s = *(const ss_swept *)run->scratch;
    int64_t done = 0;
    (void)err;
    ss_team_enter(run);
    ss_levels levels = begin(run);
    sweep(run, &levels, s, 0, ss_swept_first(s, 0), 2 * s.height);
    while (done < cycles) {
        bool last = ++done == cycles || ss_run_abandoned(run);
        sweep(run, &levels, s, 2 * done - 1, 1, 2 * s.height);
        sweep(run, &levels, s, 2 * done, 1, last ? s.height + 1 : 2 * s.height);
        if (last)
            break;
    }
    ss_team_leave(run);
    while (done-- > 0)
        ss_run_cycle_done(run);
    return SS_OK;
}

/* --- microscope ------------------------------------------------------------------------------- */

/* Computes the first `ticks` levels of the nodes of a cycle. newest[i]: the last level that point i
 * has reached. */
static void advance_ticks(const ss_levels *levels, ss_swept s, int ticks, int *newest)
{
    for (int64_t d = 0; d <= 2 && ticks > 0; d++)
        for (int l = ss_swept_first(s, d); l < ss_swept_end(s, d, 2) && ticks > 0; l++, ticks--)
            for (int node = 0; node < s.count; node++) {
                advance_node(levels, s, d, node, l, l + 1);
                int first = ss_swept_origin(s, d, node);
                for (int i = ss_swept_lo(s, l); i < ss_swept_hi(s, l); i++)
                    newest[(first + i) % s.n] = (int)ss_swept_level(s, d, l);
            }
}

/* Shows every point on the last level that it has reached, in the other array; the current array is
 * restored. */
static int peek(ss_run *run, int ticks, ss_err *err)
{
    const ss_cpu_state *st = run->state;
    ss_swept s = *(const ss_swept *)run->scratch;
    size_t size = ss_prec_size(run->prec), bytes = st->box.count * size * (size_t)run->eq->nfield;
    char *start = ss_alloc(bytes, "the start of the cycle", err);
    int *newest = start ? ss_alloc((size_t)s.n * sizeof *newest, "levels of points", err) : NULL;
    if (newest) {
        char *now = st->u[st->cur], *other = st->u[1 - st->cur];
        memcpy(start, now, bytes);
        ss_levels levels = begin(run);
        advance_ticks(&levels, s, ticks, newest);
        for (int f = 0; f < run->eq->nfield; f++)
            for (int i = 0; i < s.n; i++) {
                size_t at = ((size_t)f * st->box.count + ss_cpu_at(st, i, 0, 0)) * size;
                if (newest[i] % 2 == 0)
                    memcpy(other + at, now + at, size);
            }
        memcpy(now, start, bytes);
    }
    free(newest);
    free(start);
    return newest ? SS_OK : SS_FAIL;
}

/* --- the classic stepper ---------------------------------------------------------------------- */

static int step_levels(ss_run *run, int64_t cycles, ss_err *err)
{
    ss_cpu_state *st = run->state;
    int each = run->eq->nstage;
    int64_t done = 0;
    (void)err;
    ss_team_enter(run);
    ss_levels levels = begin(run);
    for (; done < cycles && !ss_run_abandoned(run); done++) {
        advance_all(&levels, done * each + 1, (done + 1) * each);
        ss_run_cycle_done(run);
    }
    st->cur = (int)((st->cur + done * each) & 1);
    ss_team_leave(run);
    return SS_OK;
}

/* Shows level 1 of the next step in the other array; s is 1, because a step has at most two levels.
 */
static int peek_levels(ss_run *run, int s, ss_err *err)
{
    (void)s, (void)err;
    ss_team_enter(run);
    ss_levels levels = begin(run);
    advance_all(&levels, 1, 1);
    ss_team_leave(run);
    return SS_OK;
}

/* --- both ------------------------------------------------------------------------------------- */

/* The scratch is the nodes of the swept rule. */
static int prepare(ss_run *run, ss_err *err)
{
    (void)err;
    if (run->solver->nodes)
        *(ss_swept *)run->scratch = run->solver->nodes(&run->cfg, &run->problem);
    return SS_OK;
}

static const ss_cpu_schedule schedule = {.scratch = sizeof(ss_swept), .prepare = prepare};

static ss_param rows[] = {SS_RANKS_ROWS};

#define OPS(NAME, STEP, PEEK)                                                                      \
    .name = NAME, .own = &schedule, SS_PARAMS(rows), .prepare = ss_cpu_prepare, .step = STEP,      \
    .finish = finish, .peek = PEEK, .release = ss_cpu_release

const ss_engine_ops ss_cpu_swept = {OPS("swept", step, peek),
                                    .caps = SS_CAP_EXACT | SS_CAP_TICK | SS_CAP_TILES};
const ss_engine_ops ss_cpu_stepper = {OPS("stepper", step_levels, peek_levels),
                                      .caps = SS_CAP_EXACT | SS_CAP_TICK};
