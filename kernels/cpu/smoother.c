/*
 * Block smoothers on the CPU: damped block Jacobi from one array into the other, block Gauss-Seidel
 * in place. A thread takes a panel of blocks at a time (kernels/block). The panels of a phase may
 * be relaxed concurrently; the list of phases is made when the settings change, and in chaotic
 * order for every step. The parameter `parallel` selects whether threads divide the patches, the
 * blocks of one patch after the other, or the blocks of all patches at once. Results are
 * bit-for-bit equal for any choice and number of threads. A step ends with a halo exchange. Engine
 * thread; each step is an OpenMP region.
 */
#include <math.h>
#include <omp.h>
#include <string.h>

#include "kernels/block/smooth.h"
#include "kernels/cpu/state.h"
#include "kernels/cpu/simd/norm.h"
#include "kernels/cpu/simd/machine.h"
#include "kernels/solver/schedules.h"

const char *const ss_cpu_parallel[] = {"nested", "patch", "block", NULL};
const char *const ss_cpu_parallel_help[] = {
    "the threads divide the blocks of all patches",
    "each thread does whole patches, the largest patches first",
    "the threads divide the blocks of one patch after the other", NULL};
enum { NESTED, PATCHES, BLOCKS };

static ss_param params[] = {SS_CPU_PARALLEL_ROW};

typedef struct item {
    uint32_t patch, panel;
} item;

typedef struct scratch {
    ss_smooth *smooth; /* one per distinct extent of a patch: shape */
    ss_order *order;   /* one per shape, or in chaotic order one per patch */
    int shapes, orders;
    bool in_place, drawn;     /* drawn: every step has new orders */
    int *shape_of, *order_of; /* per patch: its smoother, its order */
    int *by_size;             /* the patches, largest first */
    item *items;              /* phase by phase */
    uint8_t *done;            /* per item: relaxed in this step */
    size_t *phase;            /* phase f: items phase[f] to phase[f + 1] - 1 */
    size_t *of_patch; /* patch q: phases of_patch[q] to of_patch[q + 1] - 1; not if nested */
    size_t phases;
    int64_t parallel; /* NESTED, PATCHES or BLOCKS */
    int team;
    double omega;
    size_t *first_panel; /* per patch: the number of panels of all patches before it */
    double *sum;         /* squared residuals, per row or per panel */
} scratch;

/* --- memory ----------------------------------------------------------------------------------- */

static void release(void *memory)
{
    scratch *s = memory;
    for (int i = 0; i < s->shapes; i++)
        ss_smooth_free(&s->smooth[i]);
    for (int i = 0; i < s->orders; i++)
        ss_order_free(&s->order[i]);
}

/* Makes and times the inverses, once per extent of a patch. */
static int prepare_smoothers(ss_run *run, ss_err *err)
{
    const ss_cpu_state *st = run->state;
    scratch *s = run->scratch;
    double start = ss_clock();
    int size[3];
    ss_block_size(&run->cfg, size);
    run->bytes_inverses = 0;
    for (int q = 0; q < st->patches; q++) {
        const ss_box *box = &st->patch[q].box;
        int i = 0;
        while (i < s->shapes && !ss_patch_same_shape(&s->smooth[i].box, box))
            i++;
        s->shape_of[q] = i;
        if (i < s->shapes)
            continue;
        if (ss_smooth_make(&s->smooth[i], box, size, ss_block_form(&run->cfg), run->prec, s->team,
                           err) != SS_OK)
            return SS_FAIL;
        s->shapes++;
        for (int v = 0; v < SS_BLOCK_VARIANTS; v++)
            if (s->smooth[i].inverse[v].own)
                run->bytes_inverses += s->smooth[i].form->bytes(&s->smooth[i].inverse[v]);
    }
    run->seconds_inverses = ss_clock() - start;
    return SS_OK;
}

/* A chaotic order depends on the seed, the number of the step and the number of the patch, so that
 * the same step has the same order again. */
static void draw(const ss_run *run, ss_order *o, int patch)
{
    const scratch *s = run->scratch;
    uint64_t step = ss_schedule_stream(run->problem.seed, run->cycle);
    if (s->drawn)
        ss_order_chaotic(o, ss_schedule_stream(step, patch));
    else if (s->in_place)
        ss_order_lexicographic(o);
    else
        ss_order_at_once(o);
}

static int make_orders(ss_run *run, ss_err *err)
{
    const ss_cpu_state *st = run->state;
    scratch *s = run->scratch;
    int n = s->drawn ? st->patches : s->shapes;
    s->order = ss_cpu_alloc(run, (size_t)n * sizeof *s->order, "orders of the blocks", err);
    for (int i = 0; s->order && i < n; i++) {
        const ss_smooth *m = &s->smooth[s->drawn ? s->shape_of[i] : i];
        if (ss_order_make(&s->order[i], &m->blocking, m->form->width(run->prec), err) != SS_OK)
            return SS_FAIL;
        s->orders++;
        draw(run, &s->order[i], i);
    }
    for (int q = 0; q < st->patches; q++)
        s->order_of[q] = s->drawn ? q : s->shape_of[q];
    return s->order ? SS_OK : SS_FAIL;
}

/* --- phases ----------------------------------------------------------------------------------- */

static const ss_order *order_of(const scratch *s, int patch)
{
    return &s->order[s->order_of[patch]];
}

/* Appends the panels of a level of a patch to the items; returns the new number of items. */
static size_t add_level(scratch *s, size_t at, int patch, uint32_t level)
{
    const ss_order *o = order_of(s, patch);
    for (uint32_t p = o->start[level]; p < o->start[level + 1]; p++)
        s->items[at++] = (item){(uint32_t)patch, p};
    return at;
}

/* One phase per patch and level. */
static void list_by_patch(scratch *s, int patches)
{
    size_t at = 0;
    for (int q = 0; q < patches; q++) {
        s->of_patch[q] = s->phases;
        for (uint32_t l = 0; l < order_of(s, q)->levels; l++) {
            s->phase[s->phases++] = at;
            at = add_level(s, at, q, l);
        }
    }
    s->of_patch[patches] = s->phases;
    s->phase[s->phases] = at;
}

/* One phase per level, of patches [from, to) together; returns the new number of items. */
static size_t list_by_level(scratch *s, size_t at, int from, int to)
{
    size_t before = 1;
    for (uint32_t l = 0; before > 0; l++) {
        before = at;
        for (int q = from; q < to; q++)
            if (l < order_of(s, q)->levels)
                at = add_level(s, at, q, l);
        before = at - before;
        if (before > 0)
            s->phase[s->phases++] = at - before;
    }
    return at;
}

#define PANELS_EACH 16 /* of a phase for each thread, on average */

/* Patches [from, result) are relaxed together: few, because the levels of a patch use its cells
 * again, which then are in the cache; but so many that each phase has panels for all threads. */
static int end_of_group(const scratch *s, int from, int patches)
{
    size_t panels = 0, levels = 0, each = s->team > 1 ? (size_t)(PANELS_EACH * s->team) : 0;
    int to = from;
    do {
        const ss_order *o = order_of(s, to++);
        panels += o->start[o->levels];
        levels = o->levels > levels ? o->levels : levels;
    } while (to < patches && (levels == 1 || panels < each * levels));
    return to;
}

static void list_by_group(scratch *s, int patches)
{
    size_t at = 0;
    for (int from = 0, to; from < patches; from = to) {
        to = end_of_group(s, from, patches);
        at = list_by_level(s, at, from, to);
    }
    s->phase[s->phases] = at;
}

static void list_phases(scratch *s, int patches)
{
    s->phases = 0;
    for (int q = 0; q < patches; q++) {
        const ss_order *o = order_of(s, q);
        s->first_panel[q + 1] = s->first_panel[q] + o->start[o->levels];
    }
    if (s->parallel == NESTED)
        list_by_group(s, patches);
    else
        list_by_patch(s, patches);
}

/* Allocates the lists. Orders that are still to be drawn have at most one panel and one level per
 * block. */
static int make_phases(ss_run *run, ss_err *err)
{
    const ss_cpu_state *st = run->state;
    scratch *s = run->scratch;
    size_t items = 0, levels = 0, patches = (size_t)st->patches;
    for (int q = 0; q < st->patches; q++) {
        const ss_order *o = order_of(s, q);
        size_t blocks = ss_blocking_total(&o->blocking);
        items += s->drawn ? blocks : o->start[o->levels];
        levels += s->drawn ? blocks : o->levels;
    }
    size_t sums = ss_cpu_rows(run) > items ? ss_cpu_rows(run) : items;
    s->first_panel =
        ss_cpu_alloc(run, (patches + 1) * sizeof *s->first_panel, "panels of patches", err);
    s->sum = ss_cpu_alloc(run, sums * sizeof *s->sum, "sums of squares", err);
    s->items = ss_cpu_alloc(run, items * sizeof *s->items, "the list of panels", err);
    s->done = ss_cpu_alloc(run, items, "the list of panels", err);
    s->phase = ss_cpu_alloc(run, (levels + patches + 2) * sizeof *s->phase, "phases", err);
    if (!s->first_panel || !s->sum || !s->items || !s->done || !s->phase)
        return SS_FAIL;
    s->of_patch = s->phase + levels + 1;
    list_phases(s, st->patches);
    return SS_OK;
}

/* Makes the orders of the coming step. */
static void draw_orders(const ss_run *run)
{
    scratch *s = run->scratch;
#pragma omp parallel for num_threads(s->team) schedule(dynamic, 1)
    for (int i = 0; i < s->orders; i++)
        draw(run, &s->order[i], i);
    list_phases(s, s->orders);
}

/* Insertion sort: patches are few, or of equal size. */
static void sort_by_size(const ss_cpu_state *st, int *by_size)
{
    for (int q = 0; q < st->patches; q++) {
        int at = q;
        double cells = ss_patch_cells(&st->patch[q]);
        for (; at > 0 && ss_patch_cells(&st->patch[by_size[at - 1]]) < cells; at--)
            by_size[at] = by_size[at - 1];
        by_size[at] = q;
    }
}

/* drawn: each patch has an order of its own, anew for every step. */
static int prepare(ss_run *run, bool in_place, bool drawn, ss_err *err)
{
    const ss_cpu_state *st = run->state;
    size_t patches = (size_t)st->patches;
    scratch *s = run->scratch;
    s->parallel = ss_config_int(&run->cfg, "parallel");
    s->omega = ss_config_real(&run->cfg, "omega");
    s->in_place = in_place;
    s->drawn = drawn;
    s->team = ss_team_size(run, 4.0 * st->box.nx * st->box.ny * st->box.nz);
    s->smooth = ss_cpu_alloc(run, patches * sizeof *s->smooth, "smoothers", err);
    s->shape_of = ss_cpu_alloc(run, 3 * patches * sizeof(int), "patches", err);
    if (!s->smooth || !s->shape_of)
        return SS_FAIL;
    s->order_of = s->shape_of + patches;
    s->by_size = s->order_of + patches;
    sort_by_size(st, s->by_size);
    if (prepare_smoothers(run, err) != SS_OK || make_orders(run, err) != SS_OK)
        return SS_FAIL;
    return make_phases(run, err);
}

static int prepare_jacobi(ss_run *run, ss_err *err)
{
    return prepare(run, false, false, err);
}

static int prepare_gauss_seidel(ss_run *run, ss_err *err)
{
    return prepare(run, true, ss_config_int(&run->cfg, "order") == SS_BLOCK_CHAOTIC, err);
}

/* --- a step ----------------------------------------------------------------------------------- */

typedef struct relaxation {
    const ss_run *run;
    const char *in, *rhs;
    char *out, *old; /* old: in place, receives the cells before they change; else NULL */
    bool check;      /* sum the squared residuals */
} relaxation;

/* A smoother's box is that of the first patch of its shape: the distance to this patch in bytes. */
static ptrdiff_t offset(const ss_run *run, int patch)
{
    const ss_cpu_state *st = run->state;
    const scratch *s = run->scratch;
    const ss_smooth *m = &s->smooth[s->shape_of[patch]];
    return ((ptrdiff_t)st->patch[patch].box.first - (ptrdiff_t)m->box.first) *
           (ptrdiff_t)ss_prec_size(run->prec);
}

/* Relaxes item i, unless the app interrupts the step. */
static void relax(const relaxation *r, size_t i)
{
    const scratch *s = r->run->scratch;
    int patch = (int)s->items[i].patch;
    double *sum = s->sum + s->first_panel[patch] + s->items[i].panel;
    ptrdiff_t at = offset(r->run, patch);
    s->done[i] = !ss_run_abandoned(r->run);
    if (s->done[i])
        ss_smooth_panel(&s->smooth[s->shape_of[patch]], order_of(s, patch), s->items[i].panel,
                        omp_get_thread_num(), s->omega, r->in + at, r->rhs + at, r->out + at,
                        r->old ? r->old + at : NULL, r->check ? sum : NULL);
}

static void relax_patches(const relaxation *r, int patches)
{
    const scratch *s = r->run->scratch;
#pragma omp parallel for num_threads(s->team) schedule(dynamic, 1)
    for (int q = 0; q < patches; q++) {
        int patch = s->by_size[q];
        size_t from = s->phase[s->of_patch[patch]], to = s->phase[s->of_patch[patch + 1]];
        for (size_t i = from; i < to; i++)
            relax(r, i);
    }
}

static void relax_phases(const relaxation *r)
{
    const scratch *s = r->run->scratch;
#pragma omp parallel num_threads(s->team)
    for (size_t f = 0; f < s->phases; f++) {
#pragma omp for schedule(static)
        for (size_t i = s->phase[f]; i < s->phase[f + 1]; i++)
            relax(r, i);
    }
}

/* Returns false if the app interrupted it and some blocks are not relaxed. */
static bool relax_all(const relaxation *r)
{
    const ss_cpu_state *st = r->run->state;
    const scratch *s = r->run->scratch;
    if (s->smooth[0].form->enter)
        s->smooth[0].form->enter();
    if (s->parallel == PATCHES)
        relax_patches(r, st->patches);
    else
        relax_phases(r);
    return !memchr(s->done, 0, s->phase[s->phases]);
}

static void exchange(ss_run *run, void *u)
{
    double start = ss_clock();
    ss_cpu_exchange(run, u);
    run->seconds_ghosts += ss_clock() - start;
}

/* --- block Jacobi ----------------------------------------------------------------------------- */

static bool cycle(ss_run *run, bool check)
{
    const ss_cpu_state *st = run->state;
    relaxation r = {run, st->u[st->cur], st->rhs, st->u[1 - st->cur], NULL, check};
    bool whole = relax_all(&r);
    if (whole)
        exchange(run, r.out);
    return whole;
}

/* |r| before the step, from the sums of the panels: their order depends on the blocks only. */
static double norm(const ss_run *run)
{
    const ss_cpu_state *st = run->state;
    const scratch *s = run->scratch;
    return run->coef.residual * sqrt(ss_tree_sum(s->sum, s->first_panel[st->patches]));
}

static const ss_cpu_schedule jacobi = {
    .scratch = sizeof(scratch),
    .prepare = prepare_jacobi,
    .cycle = cycle,
    .norm = norm,
    .release = release,
};

/* --- block Gauss-Seidel ----------------------------------------------------------------------- */

/* Restores the cells of the blocks that an interrupted step has relaxed. */
static void roll_back(const relaxation *r)
{
    const scratch *s = r->run->scratch;
    for (size_t i = 0; i < s->phase[s->phases]; i++)
        if (s->done[i]) {
            int patch = (int)s->items[i].patch;
            ptrdiff_t at = offset(r->run, patch);
            ss_smooth_copy(&s->smooth[s->shape_of[patch]], order_of(s, patch), s->items[i].panel,
                           r->old + at, r->out + at);
        }
}

/* The other array receives the start of the step. */
static bool cycle_in_place(ss_run *run)
{
    const ss_cpu_state *st = run->state;
    const scratch *s = run->scratch;
    if (s->drawn)
        draw_orders(run);
    relaxation r = {run, st->u[st->cur], st->rhs, st->u[st->cur], st->u[1 - st->cur], false};
    bool whole = relax_all(&r);
    if (whole)
        exchange(run, r.out);
    else
        roll_back(&r);
    return whole;
}

/* A separate pass over the rows: during the step, blocks read neighbours that have already changed.
 */
static double start_norm(const ss_run *run)
{
    const ss_cpu_state *st = run->state;
    const scratch *s = run->scratch;
    return ss_cpu_patches_norm(run, st->u[st->cur], s->sum);
}

static int step_gauss_seidel(ss_run *run, int64_t cycles, ss_err *err)
{
    (void)err;
    ss_cpu_ghosts(run);
    ss_team_enter(run);
    for (int64_t c = 0; c < cycles; c++) {
        if (ss_run_wants_norm(run) && !ss_run_norm(run, start_norm(run)))
            break;
        run->start_kept = false; /* during a cycle the other buffer is only partly written */
        if (!cycle_in_place(run))
            break;
        ss_run_cycle_done(run);
    }
    ss_team_leave(run);
    return SS_OK;
}

static const ss_cpu_schedule gauss_seidel = {
    .scratch = sizeof(scratch), .prepare = prepare_gauss_seidel, .release = release};

const ss_engine_ops ss_cpu_block_jacobi = {
    SS_CPU_CYCLES("block-jacobi", &jacobi),
    .caps = SS_CAP_EXACT,
    SS_PARAMS(params),
};

const ss_engine_ops ss_cpu_block_gs = {
    .name = "block-gs",
    .own = &gauss_seidel,
    .caps = SS_CAP_EXACT,
    SS_PARAMS(params),
    .prepare = ss_cpu_prepare,
    .step = step_gauss_seidel,
    .release = ss_cpu_release,
};
