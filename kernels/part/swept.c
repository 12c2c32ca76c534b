/*
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
#include "kernels/cpu/simd/team.h"
#include "kernels/part/line.h"
#include "src/core/registry.h"

static ss_swept nodes_of(const ss_part_setup *setup, const ss_problem *p)
{
    return ss_config_solver(setup->cfg)->nodes(setup->cfg, p);
}

static int first_node(const ss_part_setup *setup, const ss_problem *p, int rank, int ranks)
{
    return ss_team_row(nodes_of(setup, p).count, rank, ranks);
}

static int check(const ss_part_setup *setup, const ss_problem *p, int ranks, ss_err *err)
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

static ss_part_box owned(const ss_part_setup *setup, const ss_problem *p, int rank, int ranks)
{
    int block = nodes_of(setup, p).block;
    return (ss_part_box){first_node(setup, p, rank, ranks) * block, 0,
                         first_node(setup, p, rank + 1, ranks) * block, 1};
}

static ss_part_box cover(const ss_part_setup *setup, const ss_problem *p, int rank, int ranks)
{
    ss_part_box b = owned(setup, p, rank, ranks);
    int block = nodes_of(setup, p).block;
    if (setup->device)
        return ss_box_grow(b, block, 0);
    b.x1 += block / 2;
    return b;
}

static int beyond(const ss_part_setup *setup, const ss_problem *p)
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

static int prepare(ss_part_run *part, ss_err *err)
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
            ss_line_advance(part, ss_swept_level(s, d, l), origin + ss_swept_lo(s, l),
                            origin + ss_swept_hi(s, l));
    }
}

/* Diamond d, after the exchange that it needs. The node at the side of the message comes last. */
static int diamond(ss_part_run *part, int64_t d, int to, ss_err *err)
{
    const int arrays[2] = {ss_line_level(part, 0), ss_line_level(part, 1)};
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
    ss_line_begin(part);
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

static int step_batch(ss_part_run *part, const ss_part_batch *batch, ss_part_done *done,
                      ss_err *err)
{
    if (part->device)
        return ss_line_batch(part, batch, done, ss_line_cycle_on_device, err);
    return step_diamonds(part, batch, done, err);
}

const ss_part_schedule ss_part_swept = {
    .kind = SS_TRANSIENT,
    .device = true,
    .check = check,
    .owned = owned,
    .cover = cover,
    .beyond = beyond,
    .prepare = prepare,
    .step = step_batch,
};
