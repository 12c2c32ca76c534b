/*
 * Steady equations: jacobi and shared. The first sweep of a cycle updates the points that need no
 * halo while the messages travel, then the others. A norm is known one sweep later (jacobi, k = 1)
 * or at the end of its cycle; the field that it belongs to is kept so long. See part.h.
 */
#include <omp.h>
#include <string.h>

#include "kernels/cpu/simd/norm.h"
#include "kernels/cpu/simd/machine.h"
#include "kernels/part/inner.h"

#define STRIP_BYTES 32768 /* as in kernels/cpu/sweeps.c */
#define SLAB_ROWS 32

/* --- one sweep -------------------------------------------------------------------------------- */

void ss_part_sum_clear(ss_part_run *part)
{
    part->nsum = 0;
}

int ss_part_sum(ss_part_run *part, double *sum, ss_err *err)
{
    if (!part->device) {
        *sum = part->nsum > 0 ? ss_tree_sum(part->sum, part->nsum) : 0;
        return SS_OK;
    }
    int status = part->device->finish(part->on_device, sum, err);
    part->failed |= status != SS_OK;
    return status;
}

/* Rows [j0, j1), points [x0, x1). */
static void update(const ss_part_run *part, const char *in, char *out, ss_part_box b, double *sum)
{
    ss_sweep sweep = {.nx = b.x1 - b.x0,
                      .ny = b.y1 - b.y0,
                      .nz = 1,
                      .in_sy = part->box.sy,
                      .rhs_sy = part->box.sy,
                      .out_sy = part->box.sy,
                      .sum = sum,
                      .stream = part->stream};
    ptrdiff_t at = ss_part_offset(part, 0, b.x0, b.y0);
    for (int j = 0; sum && j < sweep.ny; j++)
        sum[j] = 0;
    part->run->eq->apply[part->run->prec](&part->run->coef, 0, in + at,
                                          part->array[SS_PART_RIGHT] + at, out + at, &sweep);
}

static void sweep_in_memory(ss_part_run *part, const char *in, char *out, ss_part_box box,
                            bool norm)
{
    int width = STRIP_BYTES / (int)ss_prec_size(part->run->prec), h = box.y1 - box.y0;
    int strips = (box.x1 - box.x0 + width - 1) / width, slabs = (h + SLAB_ROWS - 1) / SLAB_ROWS;
    int team = ss_team_size(part->run, (double)(box.x1 - box.x0) * h);
    double *sum = part->sum + part->nsum;
    part->nsum += norm ? (size_t)strips * (size_t)h : 0;
#pragma omp parallel for num_threads(team) schedule(static)
    for (int64_t i = 0; i < (int64_t)strips * slabs; i++) {
        int strip = (int)(i % strips), j = (int)(i / strips) * SLAB_ROWS;
        ss_part_box segment = {box.x0 + strip * width, box.y0 + j, box.x0 + (strip + 1) * width,
                               box.y0 + j + SLAB_ROWS};
        double *of_segment = norm ? sum + (size_t)strip * (size_t)h + j : NULL;
        update(part, in, out, ss_box_meet(segment, box), of_segment);
    }
}

int ss_part_sweep(ss_part_run *part, int from, int to, ss_part_box box, bool inner, bool norm,
                  ss_err *err)
{
    if (ss_box_empty(box))
        return SS_OK;
    if (part->device) {
        int status = part->device->sweep(part->on_device, from, to, &box, inner, norm, err);
        part->failed |= status != SS_OK;
        return status;
    }
    sweep_in_memory(part, part->array[from], part->array[to], box, norm);
    return SS_OK;
}

/* --- one cycle -------------------------------------------------------------------------------- */

/* An iteration over all points of the rank, from one array to another. */
typedef struct sweep {
    ss_part_box target; /* the owned points among them */
    int from, to;
    bool exchange; /* first receive the halo of array `from` */
    bool norm;
} sweep_t;

/* The owned points whose update reads no point of another rank. */
static ss_part_box inner_points(const ss_part_run *part)
{
    ss_part_box own = part->own, stored = part->stored;
    int r = part->run->eq->radius;
    own.x0 += stored.x0 < own.x0 ? r : 0;
    own.x1 -= stored.x1 > own.x1 ? r : 0;
    own.y0 += stored.y0 < own.y0 ? r : 0;
    own.y1 -= stored.y1 > own.y1 ? r : 0;
    return own;
}

/* outer without inner, which lies inside it: at most four boxes. Returns their number. */
static int frame_of(ss_part_box outer, ss_part_box inner, ss_part_box out[4])
{
    int n = 0;
    if (ss_box_empty(inner)) {
        out[n] = outer;
        return !ss_box_empty(outer);
    }
    const ss_part_box sides[4] = {{outer.x0, outer.y0, outer.x1, inner.y0},
                                  {outer.x0, inner.y0, inner.x0, inner.y1},
                                  {inner.x1, inner.y0, outer.x1, inner.y1},
                                  {outer.x0, inner.y1, outer.x1, outer.y1}};
    for (int i = 0; i < 4; i++)
        if (!ss_box_empty(sides[i]))
            out[n++] = sides[i];
    return n;
}

static int sweep_frame(ss_part_run *part, const sweep_t *s, ss_part_box outer, ss_part_box inner,
                       bool norm, ss_err *err)
{
    ss_part_box side[4];
    int n = frame_of(outer, inner, side), status = SS_OK;
    for (int i = 0; i < n && status == SS_OK; i++)
        status = ss_part_sweep(part, s->from, s->to, side[i], false, norm, err);
    return status;
}

static int sweep_inner(ss_part_run *part, const sweep_t *s, ss_part_box inner, ss_err *err)
{
    return ss_part_sweep(part, s->from, s->to, inner, true, s->norm, err);
}

/* Sends the edges and sweeps the inner points. A device sweeps while its edges are copied to the
 * rank's memory; threads begin when the messages are on their way. */
static int send_and_sweep(ss_part_run *part, const sweep_t *s, ss_part_box inner, ss_err *err)
{
    if (ss_exchange_pack(part, &part->halo, &s->from, err) != SS_OK ||
        (part->device && sweep_inner(part, s, inner, err) != SS_OK) ||
        ss_exchange_send(part, &part->halo, err) != SS_OK)
        return SS_FAIL;
    return part->device ? SS_OK : sweep_inner(part, s, inner, err);
}

static int sweep_all(ss_part_run *part, const sweep_t *s, ss_err *err)
{
    ss_part_box inner = s->exchange ? inner_points(part) : part->own;
    ss_part_sum_clear(part);
    if ((s->exchange ? send_and_sweep : sweep_inner)(part, s, inner, err) != SS_OK)
        return SS_FAIL;
    if (s->exchange && ss_exchange_end(part, &part->halo, &s->from, err) != SS_OK)
        return SS_FAIL;
    if (sweep_frame(part, s, part->own, inner, s->norm, err) != SS_OK)
        return SS_FAIL;
    return sweep_frame(part, s, s->target, part->own, false, err);
}

/* An array that has neither the current field nor the one whose norm is awaited. */
static int spare(const ss_part_run *part, const ss_look *look, int other)
{
    int kept = look && look->open && look->norm ? look->kept : -1;
    for (int i = 0;; i++)
        if (i != part->cur && i != kept && i != other)
            return i;
}

/* Copies boxes of one array to the dense buffer, or back. */
static int copy_sides(ss_part_run *part, int array, const ss_part_box *side, int n, bool up,
                      ss_err *err)
{
    char *at = part->frozen;
    for (int i = 0; i < n; i++) {
        size_t row = (size_t)(side[i].x1 - side[i].x0) * ss_prec_size(part->run->prec);
        if (ss_part_copy(part, array, 0, &side[i], at, (ptrdiff_t)row, up, err) != SS_OK)
            return SS_FAIL;
        at += row * (size_t)(side[i].y1 - side[i].y0);
    }
    return SS_OK;
}

static size_t bytes_of_sides(const ss_part_run *part, const ss_part_box *side, int n)
{
    size_t points = 0;
    for (int i = 0; i < n; i++)
        points += (size_t)(side[i].x1 - side[i].x0) * (size_t)(side[i].y1 - side[i].y0);
    return points * ss_prec_size(part->run->prec);
}

/* Copies the frozen halo of the current field to the arrays of the subiterations. */
static int freeze_halo(ss_part_run *part, int a, int b, ss_err *err)
{
    ss_part_box side[4];
    int n = frame_of(part->stored, part->cover, side);
    if (!part->frozen &&
        !(part->frozen = ss_alloc(bytes_of_sides(part, side, n) + 1, "a frozen halo", err)))
        return SS_FAIL;
    if (copy_sides(part, part->cur, side, n, false, err) != SS_OK ||
        ss_part_copied(part, err) != SS_OK || copy_sides(part, a, side, n, true, err) != SS_OK)
        return SS_FAIL;
    return copy_sides(part, b, side, n, true, err);
}

/* The first iteration of a cycle, to array *to. */
static int first_sweep(ss_part_run *part, const ss_look *look, bool norm, int *to, ss_err *err)
{
    bool frozen = part->setup.schedule->frozen;
    int depth = frozen ? 1 : part->fresh > 0 ? part->fresh : part->setup.exchange;
    ss_part_box whole = ss_box_domain(&part->run->problem);
    sweep_t s = {.from = part->cur, .exchange = part->fresh == 0, .norm = norm};
    s.to = *to = spare(part, look, -1);
    s.target =
        frozen ? part->cover : ss_box_meet(ss_box_grow(part->own, depth - 1, depth - 1), whole);
    if (sweep_all(part, &s, err) != SS_OK)
        return SS_FAIL;
    part->fresh = depth; /* of the current field; the cycle's result has one less */
    return SS_OK;
}

/* The other iterations of a cycle whose first one is in array *to. */
static int further_sweeps(ss_part_run *part, int *to, ss_err *err)
{
    int k = part->run->iterations_per_cycle;
    if (k < 2)
        return SS_OK;
    int other = spare(part, NULL, *to);
    if (freeze_halo(part, *to, other, err) != SS_OK)
        return SS_FAIL;
    for (int s = 1; s < k; s++) {
        if (ss_part_sweep(part, *to, other, part->cover, true, false, err) != SS_OK)
            return SS_FAIL;
        int swap = *to;
        *to = other;
        other = swap;
    }
    return SS_OK;
}

static void adopt(ss_part_run *part, int index, int fresh)
{
    part->cur = index;
    part->fresh = fresh;
}

/* --- a batch ---------------------------------------------------------------------------------- */

typedef struct iteration {
    ss_part_run *part;
    const ss_part_batch *batch;
    ss_part_done *done;
    ss_look look;
    ss_verdict verdict;
} iteration;

/* Waits for the open gather, and returns to the field of its norm if that ends the run. begun:
 * cycles begun. */
static int close_look(iteration *it, int64_t begun, ss_err *err)
{
    ss_part_done *done = it->done;
    if (ss_look_end(it->part, &it->look, it->batch, done->cycles, done, &it->verdict, err) != SS_OK)
        return SS_FAIL;
    if (it->verdict == SS_BACK) {
        done->cycles = it->look.cycle;
        adopt(it->part, it->look.kept, 0);
    }
    if (it->verdict >= SS_DROP)
        done->dropped = begun - done->cycles;
    return SS_OK;
}

/* One cycle; it->verdict >= SS_DROP: it was discarded. */
static int one_cycle(iteration *it, ss_err *err)
{
    ss_part_run *part = it->part;
    ss_look *look = &it->look;
    int64_t c = it->done->cycles;
    bool norm = ss_look_norm_due(it->batch, c);
    double sum = 0;
    int to;
    if (first_sweep(part, look, norm, &to, err) != SS_OK)
        return SS_FAIL;
    if (look->open && close_look(it, c + 1, err) != SS_OK)
        return SS_FAIL;
    if (it->verdict >= SS_DROP)
        return SS_OK;
    if (norm && ss_part_sum(part, &sum, err) != SS_OK)
        return SS_FAIL;
    if (ss_look_due(look, it->batch, c) &&
        ss_look_begin(part, look, it->batch, c, norm, sum, part->cur, err) != SS_OK)
        return SS_FAIL;
    if (further_sweeps(part, &to, err) != SS_OK)
        return SS_FAIL;
    if (look->open && part->run->iterations_per_cycle > 1 && close_look(it, c + 1, err) != SS_OK)
        return SS_FAIL;
    if (it->verdict >= SS_DROP)
        return SS_OK;
    adopt(part, to, part->setup.schedule->frozen ? 0 : part->fresh - 1);
    it->done->cycles++;
    return SS_OK;
}

int ss_part_step_steady(ss_part_run *part, const ss_part_batch *batch, ss_part_done *done,
                        ss_err *err)
{
    iteration it = {part, batch, done, {.began = ss_clock()}, SS_GO_ON};
    while (done->cycles < batch->cycles && it.verdict == SS_GO_ON)
        if (one_cycle(&it, err) != SS_OK)
            return SS_FAIL;
    return it.look.open ? close_look(&it, done->cycles, err) : SS_OK;
}
