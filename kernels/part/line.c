/*
 * Time-dependent equations on a line: the levels of a range of points, classic steps, and the swept
 * rule. Level l of a chain that starts from the current field is in array (cur + l) % 2, as in
 * kernels/cpu/swept.c. Points are numbered as in the whole line; a periodic line goes on beyond
 * its ends. Engine thread of a rank and its OpenMP threads.
 *
 * The swept rule between ranks: one message per diamond. A rank holds nodes a .. b - 1 of both
 * kinds of diamonds: in even ones the points [a block, b block), in odd ones the points half a
 * block further. Before an odd diamond it receives half a node from the right, before an even one
 * from the left: both arrays, and `radius` points more, which the waist reads (kernels/geom/
 * swept.h). Unless the line is a ring, the last node of an odd diamond is split: the first rank
 * computes its part at the left end and the last rank the other one. Source: Alhubail & Wang.
 *
 * On devices a cycle has one message each way: a halo of a block, which is what two diamonds reach.
 * A device updates it as well, and its own points are right at the end of the cycle. All ranks have
 * a device, or none has.
 */
#include <omp.h>
#include <string.h>

#include "kernels/cpu/simd/machine.h"
#include "kernels/part/inner.h"
#include "src/core/registry.h"

/* One cycle from the current field. */
typedef int line_cycle(ss_part_run *part, ss_err *err);

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

/* The number of the array of a level of the chain that starts from the current field. */
static int line_level(const ss_part_run *part, int64_t level)
{
    return (int)((part->cur + level) & 1);
}

static char *level_array(const ss_part_run *part, int64_t level)
{
    return part->array[line_level(part, level)];
}

/* To be called before level 1: copies the points that never change to the other array. */
static void line_begin(ss_part_run *part)
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

/* Computes the points of [lo, hi) that exist, on a level >= 1, from the previous one. Two threads
 * may call it concurrently unless both update points at the same end of the line. */
static void line_advance(const ss_part_run *part, int64_t level, int lo, int hi)
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
    line_begin(part);
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
    part->cur = line_level(part, levels);
    return status;
}

/* The same on a device, after its halo has arrived, which is as deep as a cycle reaches. */
static int cycle_on_device(ss_part_run *part, ss_err *err)
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

static int step_check(const ss_part_setup *setup, const ss_problem *p, int ranks, ss_err *err)
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

static ss_part_box step_owned(const ss_part_setup *setup, const ss_problem *p, int rank, int ranks)
{
    (void)setup;
    return (ss_part_box){ss_team_row(p->nx, rank, ranks), 0, ss_team_row(p->nx, rank + 1, ranks),
                         1};
}

static ss_part_box step_cover(const ss_part_setup *setup, const ss_problem *p, int rank, int ranks)
{
    return ss_box_grow(step_owned(setup, p, rank, ranks), p->radius * (p->nstage - 1), 0);
}

static int step_beyond(const ss_part_setup *setup, const ss_problem *p)
{
    (void)setup;
    return p->radius;
}

static int step_prepare(ss_part_run *part, ss_err *err)
{
    return ss_exchange_line(part, part->run->eq->radius * part->run->eq->nstage, err);
}

/* Cycles one by one, until the batch ends. */
static int line_batch(ss_part_run *part, const ss_part_batch *batch, ss_part_done *done,
                      line_cycle *cycle, ss_err *err)
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
    return line_batch(part, batch, done, part->device ? cycle_on_device : step, err);
}

const ss_part_schedule ss_part_stepper = {
    .kind = SS_TRANSIENT,
    .device = true,
    .check = step_check,
    .owned = step_owned,
    .cover = step_cover,
    .beyond = step_beyond,
    .prepare = step_prepare,
    .step = step_batch,
};

/* --- the swept rule --------------------------------------------------------------------------- */

static ss_swept nodes_of(const ss_part_setup *setup, const ss_problem *p)
{
    return ss_config_solver(setup->cfg)->nodes(setup->cfg, p);
}

static int first_node(const ss_part_setup *setup, const ss_problem *p, int rank, int ranks)
{
    return ss_team_row(nodes_of(setup, p).count, rank, ranks);
}

static int swept_check(const ss_part_setup *setup, const ss_problem *p, int ranks, ss_err *err)
{
    ss_swept s = nodes_of(setup, p);
    int least = p->radius * p->nstage + 1;
    if (s.count < ranks)
        return ss_fail(err,
                       "ranks: %d ranks need as many nodes, and block %d divides n = %d into %d: "
                       "use 1\xe2\x80\xa6%d ranks or a smaller block",
                       ranks, s.block, s.n, s.count, s.count);
    if (s.count / ranks * s.block < least)
        return ss_fail(err,
                       "block: a rank has %d points and its halo %d: use a larger block or fewer "
                       "ranks",
                       s.count / ranks * s.block, least - 1);
    return SS_OK;
}

static ss_part_box swept_owned(const ss_part_setup *setup, const ss_problem *p, int rank, int ranks)
{
    int block = nodes_of(setup, p).block;
    return (ss_part_box){first_node(setup, p, rank, ranks) * block, 0,
                         first_node(setup, p, rank + 1, ranks) * block, 1};
}

static ss_part_box swept_cover(const ss_part_setup *setup, const ss_problem *p, int rank, int ranks)
{
    ss_part_box b = swept_owned(setup, p, rank, ranks);
    int block = nodes_of(setup, p).block;
    if (setup->device)
        return ss_box_grow(b, block, 0);
    b.x1 += block / 2;
    return b;
}

static int swept_beyond(const ss_part_setup *setup, const ss_problem *p)
{
    return setup->device ? 0 : p->radius * p->nstage;
}

/* --- messages --------------------------------------------------------------------------------- */

/* Before odd diamonds: to the left, from the right. */
static int make_left(ss_part_run *part, int half, bool ring, ss_err *err)
{
    ss_exchange *x = &part->left;
    int me = part->comm->rank, ranks = part->comm->size, more = half + part->run->eq->radius;
    ss_part_box own = part->own;
    if (ss_exchange_make(x, 1, 2, err) != SS_OK)
        return SS_FAIL;
    if (me > 0 || ring)
        x->send[x->nsend++] = (ss_link){(me + ranks - 1) % ranks, 2, {own.x0, 0, own.x0 + more, 1}};
    if (me + 1 < ranks || ring)
        x->receive[x->nreceive++] = (ss_link){(me + 1) % ranks, 2, {own.x1, 0, own.x1 + more, 1}};
    return ss_exchange_buffers(part, x, err);
}

/* Before even diamonds: to the right, from the left. */
static int make_right(ss_part_run *part, int half, bool ring, ss_err *err)
{
    ss_exchange *x = &part->right;
    int me = part->comm->rank, ranks = part->comm->size, radius = part->run->eq->radius;
    ss_part_box own = part->own;
    if (ss_exchange_make(x, 1, 2, err) != SS_OK)
        return SS_FAIL;
    if (me + 1 < ranks || ring)
        x->send[x->nsend++] =
            (ss_link){(me + 1) % ranks, 3, {own.x1 - radius, 0, own.x1 + half, 1}};
    if (me > 0 || ring)
        x->receive[x->nreceive++] =
            (ss_link){(me + ranks - 1) % ranks, 3, {own.x0 - radius, 0, own.x0 + half, 1}};
    return ss_exchange_buffers(part, x, err);
}

static int swept_prepare(ss_part_run *part, ss_err *err)
{
    const ss_problem *p = &part->run->problem;
    int half = nodes_of(&part->setup, p).block / 2;
    bool ring = part->run->eq->bc == SS_BC_PERIODIC;
    if (part->device)
        return ss_exchange_line(part, 2 * half, err);
    part->swept = nodes_of(&part->setup, p);
    part->nodes[0] = first_node(&part->setup, p, part->comm->rank, part->comm->size);
    part->nodes[1] = first_node(&part->setup, p, part->comm->rank + 1, part->comm->size);
    if (make_left(part, half, ring, err) != SS_OK || make_right(part, half, ring, err) != SS_OK)
        return SS_FAIL;
    return ss_exchange_line(part, part->run->eq->radius * part->run->eq->nstage, err);
}

/* --- diamonds --------------------------------------------------------------------------------- */

/* Levels [from, to) of nodes [a, b) of diamond d. */
static void advance_nodes(const ss_part_run *part, int64_t d, int a, int b, int from, int to)
{
    ss_swept s = part->swept;
    int team = ss_team_size(part->run, (double)(b - a) * s.block * (to - from) / 2);
#pragma omp parallel for schedule(static) num_threads(team)
    for (int node = a; node < b; node++) {
        int origin = ss_swept_origin(s, d, node);
        for (int l = from; l < to; l++)
            line_advance(part, ss_swept_level(s, d, l), origin + ss_swept_lo(s, l),
                         origin + ss_swept_hi(s, l));
    }
}

/* Diamond d, after the exchange that it needs. The node at the side of the message comes last. */
static int diamond(ss_part_run *part, int64_t d, int to, ss_err *err)
{
    const int arrays[2] = {line_level(part, 0), line_level(part, 1)};
    bool odd = d % 2 != 0;
    ss_exchange *x = odd ? &part->left : &part->right;
    int a = part->nodes[0], b = part->nodes[1], last = odd ? b - 1 : a;
    bool left_end = odd && a == 0 && part->run->eq->bc != SS_BC_PERIODIC;
    if (ss_exchange_start(part, x, arrays, err) != SS_OK)
        return SS_FAIL;
    advance_nodes(part, d, odd ? a - left_end : a + 1, odd ? b - 1 : b, 1, to);
    if (ss_exchange_end(part, x, arrays, err) != SS_OK)
        return SS_FAIL;
    advance_nodes(part, d, last, last + 1, 1, to);
    return SS_OK;
}

static int step_diamonds(ss_part_run *part, const ss_part_batch *batch, ss_part_done *done,
                         ss_err *err)
{
    ss_swept s = part->swept;
    ss_look look = {.began = ss_clock()};
    ss_verdict verdict = SS_GO_ON;
    bool last = false;
    line_begin(part);
    advance_nodes(part, 0, part->nodes[0], part->nodes[1], ss_swept_first(s, 0), 2 * s.height);
    while (!last) {
        int64_t c = done->cycles;
        if (ss_look_due(&look, batch, c) &&
            ss_look_begin(part, &look, batch, c, false, 0, 0, err) != SS_OK)
            return SS_FAIL;
        if (diamond(part, 2 * c + 1, 2 * s.height, err) != SS_OK)
            return SS_FAIL;
        if (look.open && ss_look_end(part, &look, batch, c, done, &verdict, err) != SS_OK)
            return SS_FAIL;
        last = c + 1 == batch->cycles || verdict != SS_GO_ON;
        if (diamond(part, 2 * c + 2, last ? s.height + 1 : 2 * s.height, err) != SS_OK)
            return SS_FAIL;
        done->cycles++;
    }
    return SS_OK;
}

static int swept_step_batch(ss_part_run *part, const ss_part_batch *batch, ss_part_done *done,
                            ss_err *err)
{
    if (part->device)
        return line_batch(part, batch, done, cycle_on_device, err);
    return step_diamonds(part, batch, done, err);
}

const ss_part_schedule ss_part_swept = {
    .kind = SS_TRANSIENT,
    .device = true,
    .check = swept_check,
    .owned = swept_owned,
    .cover = swept_cover,
    .beyond = swept_beyond,
    .prepare = swept_prepare,
    .step = swept_step_batch,
};
