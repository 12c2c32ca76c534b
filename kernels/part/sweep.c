/*
 * Steady equations: jacobi and shared. The first sweep of a cycle updates the points that need no
 * halo while the messages travel, then the others. A norm is known one sweep later (jacobi, k = 1)
 * or at the end of its cycle; the field that it belongs to is kept so long. See part.h.
 */
#include <omp.h>
#include <string.h>

#include "kernels/cpu/simd/norm.h"
#include "kernels/cpu/simd/team.h"
#include "kernels/part/inner.h"

#define STRIP_BYTES 32768 /* as in kernels/cpu/sweeps.c */
#define SLAB_ROWS 32

/* --- one sweep -------------------------------------------------------------------------------- */

void ss_part_sum_clear(ss_part_run *part)
{
    part->nsum = 0;
}

double ss_part_sum(ss_part_run *part)
{
    return part->nsum > 0 ? ss_tree_sum(part->sum, part->nsum) : 0;
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
    part->run->eq->apply[part->run->prec](&part->run->coef, 0, in + at, part->rhs + at, out + at,
                                          &sweep);
}

void ss_part_sweep(ss_part_run *part, const char *in, char *out, ss_part_box box, bool norm)
{
    if (ss_box_empty(box))
        return;
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

/* --- one cycle -------------------------------------------------------------------------------- */

/* An iteration over all points of the rank, in the arrays u[from] and u[to]. */
typedef struct sweep {
    ss_part_box target; /* the owned points among them */
    int from, to;
    bool exchange; /* first receive the halo of u[from] */
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

static void sweep_frame(ss_part_run *part, const sweep_t *s, ss_part_box outer, ss_part_box inner,
                        bool norm)
{
    ss_part_box side[4];
    int n = ss_box_frame(outer, inner, side);
    for (int i = 0; i < n; i++)
        ss_part_sweep(part, part->u[s->from], part->u[s->to], side[i], norm);
}

static int sweep_all(ss_part_run *part, const sweep_t *s, ss_err *err)
{
    char *const *array = &part->u[s->from];
    ss_part_box inner = s->exchange ? inner_points(part) : part->own;
    ss_part_sum_clear(part);
    if (s->exchange && ss_exchange_start(part, &part->halo, array, err) != SS_OK)
        return SS_FAIL;
    ss_part_sweep(part, part->u[s->from], part->u[s->to], inner, s->norm);
    if (s->exchange && ss_exchange_end(part, &part->halo, array, err) != SS_OK)
        return SS_FAIL;
    sweep_frame(part, s, part->own, inner, s->norm);
    sweep_frame(part, s, s->target, part->own, false);
    return SS_OK;
}

/* An array that has neither the current field nor the one whose norm is awaited. */
static int spare(const ss_part_run *part, const ss_look *look, int other)
{
    int kept = look && look->open && look->norm ? look->kept : -1;
    for (int i = 0;; i++)
        if (i != part->cur && i != kept && i != other)
            return i;
}

/* Copies the frozen halo of the current field to the arrays of the subiterations. */
static void freeze_halo(const ss_part_run *part, int a, int b)
{
    ss_part_box side[4];
    int n = ss_box_frame(part->stored, part->cover, side);
    for (int i = 0; i < n; i++)
        for (int y = side[i].y0; y < side[i].y1; y++) {
            ptrdiff_t at = ss_part_offset(part, 0, side[i].x0, y);
            size_t bytes = (size_t)(side[i].x1 - side[i].x0) * ss_prec_size(part->run->prec);
            memcpy(part->u[a] + at, part->u[part->cur] + at, bytes);
            memcpy(part->u[b] + at, part->u[part->cur] + at, bytes);
        }
}

/* The first iteration of a cycle, to u[*to]. */
static int first_sweep(ss_part_run *part, const ss_look *look, bool norm, int *to, ss_err *err)
{
    bool frozen = part->setup.schedule->frozen;
    int depth = frozen ? 1 : part->fresh > 0 ? part->fresh : part->setup.exchange;
    ss_part_box whole = ss_box_whole(&part->run->problem);
    sweep_t s = {.from = part->cur, .exchange = part->fresh == 0, .norm = norm};
    s.to = *to = spare(part, look, -1);
    s.target =
        frozen ? part->cover : ss_box_meet(ss_box_grow(part->own, depth - 1, depth - 1), whole);
    if (sweep_all(part, &s, err) != SS_OK)
        return SS_FAIL;
    part->fresh = depth; /* of u[cur]; the cycle's result has one less */
    return SS_OK;
}

/* The other iterations of a cycle whose first one is in u[*to]. */
static void further_sweeps(ss_part_run *part, int *to)
{
    int k = part->run->iterations_per_cycle;
    if (k < 2)
        return;
    int other = spare(part, NULL, *to);
    freeze_halo(part, *to, other);
    for (int s = 1; s < k; s++) {
        ss_part_sweep(part, part->u[*to], part->u[other], part->cover, false);
        int swap = *to;
        *to = other;
        other = swap;
    }
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
    int to;
    if (first_sweep(part, look, norm, &to, err) != SS_OK)
        return SS_FAIL;
    if (look->open && close_look(it, c + 1, err) != SS_OK)
        return SS_FAIL;
    if (it->verdict >= SS_DROP)
        return SS_OK;
    if (ss_look_due(look, it->batch, c) &&
        ss_look_begin(part, look, it->batch, c, norm, norm ? ss_part_sum(part) : 0, part->cur,
                      err) != SS_OK)
        return SS_FAIL;
    further_sweeps(part, &to);
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
