/*
 * The swept rule on the CPU: a node is a range of points that fits the cache while a thread
 * advances it through all levels of its diamond. One global synchronisation per diamond replaces
 * one per level. kernels/geom/swept.h defines the points of each level and explains why two arrays
 * suffice. Engine thread; each diamond is an OpenMP region.
 */
#include <stdlib.h>
#include <string.h>

#include "kernels/cpu/levels.h"
#include "kernels/cpu/simd/team.h"
#include "kernels/solver/ranks.h"

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
    const ss_levels_plan *plan = run->scratch;
    ss_swept s = plan->nodes;
    int64_t done = 0;
    (void)err;
    ss_team_enter(run);
    ss_levels levels = ss_levels_begin(run);
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
    const ss_levels_plan *plan = run->scratch;
    ss_swept s = plan->nodes;
    size_t size = ss_prec_size(run->prec), bytes = st->box.count * size * (size_t)run->eq->nfield;
    char *start = ss_alloc(bytes, "the start of the cycle", err);
    int *newest = start ? ss_alloc((size_t)s.n * sizeof *newest, "levels of points", err) : NULL;
    if (newest) {
        char *now = st->u[st->cur], *other = st->u[1 - st->cur];
        memcpy(start, now, bytes);
        ss_levels levels = ss_levels_begin(run);
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

static ss_param rows[] = {SS_RANKS_ROWS};

const ss_engine_ops ss_cpu_swept = {
    .name = "swept",
    .caps = SS_CAP_EXACT | SS_CAP_TICK | SS_CAP_TILES,
    .params = rows,
    .nparam = sizeof rows / sizeof *rows,
    .prepare = ss_levels_prepare,
    .step = step,
    .finish = ss_levels_finish,
    .peek = peek,
    .release = ss_levels_release,
};
