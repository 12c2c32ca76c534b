/*
 * Red-black SOR in tiles: the inner iteration of shared.c that relaxes one colour per subiteration.
 * Every update has the operands and the operations of kernels/cpu/sor.c. Engine thread; `update` on
 * the OpenMP threads.
 */
#include "kernels/cpu/loops/combine.h"
#include "kernels/cpu/shared.h"
#include "kernels/geom/colours.h"
#include "kernels/sample/parts.h"

typedef struct relaxation {
    double omega;
    bool plane; /* else rows are copies of a line */
    const ss_combine *combine;
} relaxation;

/* --- one cycle ---------------------------------------------------------------------------- */

/* Subiteration s is half s - 1 of the cycle. */
static void update_row(const ss_shared_tile *t, int s, int x0, int x1, int j, double *sum)
{
    const relaxation *r = t->own;
    ptrdiff_t at = x0 * (ptrdiff_t)t->size, sy = 0;
    const char *in = ss_shared_before(t, s, j, &sy) + at;
    int first = ss_colour_first(r->plane, t->x.lo + x0, t->y.lo + j, s - 1);
    ss_sweep row = {
        .nx = x1 - x0, .ny = 1, .nz = 1, .in_sy = sy, .rhs_sy = t->shape->sy, .sum = sum};
    t->run->eq->apply[t->run->prec](&t->run->coef, 0, in, ss_shared_field(t, t->st->rhs, j) + at,
                                    t->jacobi + at, &row);
    r->combine->relax_colour(x1 - x0, first, r->omega, in, t->jacobi + at,
                             ss_shared_row(t, s, j) + at);
}

static void update(const ss_shared_tile *t, int s, int x0, int x1, int j0, int j1, double *sum)
{
    for (int j = j0; j < j1 && x1 > x0; j++)
        update_row(t, s, x0, x1, j, sum ? sum + (j - j0) : NULL);
}

/* --- pictures ----------------------------------------------------------------------------- */

static bool show(const ss_run *run, ss_recurrence *out)
{
    const relaxation *r = ss_shared_own(run);
    *out = (ss_recurrence){.colours = r->combine->relax_colour, .relaxation = r->omega};
    return true;
}

static int open_relaxation(ss_run *run, void *own, ss_err *err)
{
    ss_cpu_state *st = run->state;
    relaxation *r = own;
    (void)err;
    st->recurrence = show;
    r->omega = ss_config_real(&run->cfg, "omega");
    r->plane = run->eq->dim > 1;
    r->combine = ss_combine_of(run->prec);
    return SS_OK;
}

static void close_relaxation(ss_run *run, void *own)
{
    ss_cpu_state *st = run->state;
    (void)own;
    st->recurrence = NULL;
}

static const ss_shared_inner sor = {.bytes = sizeof(relaxation),
                                    .open = open_relaxation,
                                    .close = close_relaxation,
                                    .update = update};

const ss_engine_ops ss_cpu_shared_sor = {
    .name = "shared-sor",
    .caps = SS_CAP_EXACT | SS_CAP_TICK | SS_CAP_TILES,
    .own = &sor,
    .prepare = ss_shared_prepare,
    .step = ss_shared_step,
    .peek = ss_shared_peek,
    .release = ss_shared_release,
};
