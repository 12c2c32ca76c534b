/*
 * Time-dependent equations on a line: the levels of a range of points, and classic steps. Level l
 * of a chain that starts from the current field is in array (cur + l) % 2, as in
 * kernels/cpu/swept.c.
 */
#include "kernels/part/line.h"

#include <omp.h>
#include <string.h>

#include "kernels/cpu/simd/team.h"

static void copy_point(const ss_part_run *part, char *to_array, int to, const char *from_array,
                       int from)
{
    size_t size = ss_prec_size(part->run->prec);
    for (int f = 0; f < part->run->eq->nfield; f++)
        memcpy(to_array + ss_part_offset(part, f, to, 0),
               from_array + ss_part_offset(part, f, from, 0), size);
}

static bool is_ring(const ss_part_run *part)
{
    return part->run->eq->bc == SS_BC_PERIODIC;
}

int ss_line_level(const ss_part_run *part, int64_t level)
{
    return (int)((part->cur + level) & 1);
}

static char *level_array(const ss_part_run *part, int64_t level)
{
    return part->array[ss_line_level(part, level)];
}

void ss_line_begin(ss_part_run *part)
{
    int n = part->run->problem.nx;
    char *now = level_array(part, 0), *other = level_array(part, 1);
    for (int i = 0; i < part->run->eq->fixed; i++) {
        if (part->own.x0 == 0)
            copy_point(part, other, i, now, i);
        if (part->own.x1 == n)
            copy_point(part, other, n - 1 - i, now, n - 1 - i);
    }
}

/* Fills the cells beyond the ends of the domain that points [lo, hi) read. */
static void fill_ends(const ss_part_run *part, char *in, int lo, int hi)
{
    const ss_equation *eq = part->run->eq;
    int n = part->run->problem.nx, radius = eq->radius;
    for (int i = 1; i <= radius && lo < radius; i++)
        copy_point(part, in, -i, in, ss_end_source(eq->bc, n, -i));
    for (int i = n; i < n + radius && hi > n - radius; i++)
        copy_point(part, in, i, in, ss_end_source(eq->bc, n, i));
}

/* Points [lo, hi) that exist and change. */
static void clip(const ss_part_run *part, int *lo, int *hi)
{
    int n = part->run->problem.nx, fixed = part->run->eq->fixed;
    if (is_ring(part))
        return;
    *lo = *lo < fixed ? fixed : *lo;
    *hi = *hi > n - fixed ? n - fixed : *hi;
}

static void advance(const ss_part_run *part, int64_t level, int lo, int hi)
{
    const ss_run *run = part->run;
    int stage = (int)((uint64_t)(level - 1) % (unsigned)run->eq->nstage);
    ptrdiff_t at = ss_part_offset(part, 0, lo, 0), field = (ptrdiff_t)part->box.count;
    ss_strip strip = {
        level_array(part, level - 1) + at, level_array(part, level) + at, field, field, 0, hi - lo};
    if (lo < hi)
        run->eq->advance[run->prec](&run->coef, stage, &strip);
}

void ss_line_advance(const ss_part_run *part, int64_t level, int lo, int hi)
{
    clip(part, &lo, &hi);
    if (lo < hi && !is_ring(part))
        fill_ends(part, level_array(part, level - 1), lo, hi);
    advance(part, level, lo, hi);
}

/* The same with all threads. */
static void advance_all(const ss_part_run *part, int64_t level, int lo, int hi)
{
    clip(part, &lo, &hi);
    if (lo >= hi)
        return;
    if (!is_ring(part))
        fill_ends(part, level_array(part, level - 1), lo, hi);
#pragma omp parallel num_threads(ss_team_size(part->run, hi - lo))
    {
        int t = omp_get_thread_num(), n = omp_get_num_threads();
        advance(part, level, lo + ss_team_row(hi - lo, t, n), lo + ss_team_row(hi - lo, t + 1, n));
    }
}

/* One step: stage s is also computed at the points of the halo that later stages read. While the
 * message travels, the first stage of the points that do not need it. */
static int step(ss_part_run *part, ss_err *err)
{
    int stages = part->run->eq->nstage, r = part->run->eq->radius, lo = part->own.x0 + r,
        hi = part->own.x1 - r;
    ss_line_begin(part);
    if (ss_exchange_start(part, &part->halo, &part->cur, err) != SS_OK)
        return SS_FAIL;
    if (lo < hi)
        advance_all(part, 1, lo, hi);
    else
        hi = lo = part->own.x0;
    if (ss_exchange_end(part, &part->halo, &part->cur, err) != SS_OK)
        return SS_FAIL;
    advance_all(part, 1, part->own.x0 - r * (stages - 1), lo);
    advance_all(part, 1, hi, part->own.x1 + r * (stages - 1));
    for (int s = 1; s < stages; s++) {
        int more = r * (stages - 1 - s);
        advance_all(part, s + 1, part->own.x0 - more, part->own.x1 + more);
    }
    part->cur = (part->cur + stages) & 1;
    return SS_OK;
}

/* --- on a device ------------------------------------------------------------------------------ */

static int advance_on_device(ss_part_run *part, int64_t cycles, int64_t steps, ss_err *err)
{
    int64_t levels = cycles * part->run->iterations_per_cycle + steps * part->run->eq->nstage;
    if (ss_part_refresh(part, err) != SS_OK)
        return SS_FAIL;
    int status = part->device->advance(part->on_device, part->cur, cycles, steps, err);
    part->failed |= status != SS_OK;
    part->cur = ss_line_level(part, levels);
    return status;
}

int ss_line_cycle_on_device(ss_part_run *part, ss_err *err)
{
    return advance_on_device(part, 1, 0, err);
}

int ss_line_steps(ss_part_run *part, int64_t steps, ss_err *err)
{
    for (int64_t i = 0; i < steps; i++)
        if ((part->device ? advance_on_device(part, 0, 1, err) : step(part, err)) != SS_OK)
            return SS_FAIL;
    return SS_OK;
}

/* --- the schedule stepper --------------------------------------------------------------------- */

static int check(const ss_part_setup *setup, const ss_problem *p, int ranks, ss_err *err)
{
    int least = p->radius * p->nstage + 1;
    (void)setup;
    if (p->nx / ranks >= least)
        return SS_OK;
    return ss_fail(err,
                   "ranks: %d ranks have %d points each of n = %d; the halo needs %d: use "
                   "1\xe2\x80\xa6%d ranks",
                   ranks, p->nx / ranks, p->nx, least, p->nx / least);
}

static ss_part_box owned(const ss_part_setup *setup, const ss_problem *p, int rank, int ranks)
{
    (void)setup;
    return (ss_part_box){ss_team_row(p->nx, rank, ranks), 0, ss_team_row(p->nx, rank + 1, ranks),
                         1};
}

static ss_part_box cover(const ss_part_setup *setup, const ss_problem *p, int rank, int ranks)
{
    return ss_box_grow(owned(setup, p, rank, ranks), p->radius * (p->nstage - 1), 0);
}

static int beyond(const ss_part_setup *setup, const ss_problem *p)
{
    (void)setup;
    return p->radius;
}

static int prepare(ss_part_run *part, ss_err *err)
{
    return ss_exchange_line(part, part->run->eq->radius * part->run->eq->nstage, err);
}

int ss_line_batch(ss_part_run *part, const ss_part_batch *batch, ss_part_done *done,
                  ss_line_cycle *cycle, ss_err *err)
{
    ss_look look = {.began = ss_clock()};
    ss_verdict verdict = SS_GO_ON;
    while (done->cycles < batch->cycles && verdict == SS_GO_ON) {
        int64_t c = done->cycles;
        if (ss_look_due(&look, batch, c) &&
            ss_look_begin(part, &look, batch, c, false, 0, 0, err) != SS_OK)
            return SS_FAIL;
        if (cycle(part, err) != SS_OK)
            return SS_FAIL;
        done->cycles++;
        if (look.open && ss_look_end(part, &look, batch, c, done, &verdict, err) != SS_OK)
            return SS_FAIL;
    }
    return SS_OK;
}

static int step_batch(ss_part_run *part, const ss_part_batch *batch, ss_part_done *done,
                      ss_err *err)
{
    return ss_line_batch(part, batch, done, part->device ? ss_line_cycle_on_device : step, err);
}

const ss_part_schedule ss_part_stepper = {
    .kind = SS_TRANSIENT,
    .device = true,
    .check = check,
    .owned = owned,
    .cover = cover,
    .beyond = beyond,
    .prepare = prepare,
    .step = step_batch,
};
