/*
 * Chebyshev's iteration in tiles: the inner iteration of shared.c that combines each Jacobi value
 * with the value before, in place, as kernels/cpu/chebyshev.c does for the whole field. Every
 * update has the operands and the operations of that one. Beside each of the two fields lie the
 * field before it and the state of the recurrence, so that a cycle that is dropped changes nothing.
 * Engine thread; `update` on the OpenMP threads.
 */
#include <stdlib.h>
#include <string.h>

#include "kernels/cpu/loops/combine.h"
#include "kernels/cpu/shared.h"
#include "kernels/cpu/simd/memory.h"
#include "kernels/cpu/simd/team.h"
#include "kernels/sample/parts.h"
#include "kernels/solver/chebyshev.h"

#define PAGE 4096

/* The recurrence at a field: `done` iterations since it began, the last one with `omega`. */
typedef struct level {
    double omega;
    int64_t done;
} level;

typedef struct recurrence {
    double rho;
    const ss_combine *combine;
    level at[2];     /* of u[i] */
    void *before[2]; /* the field before u[i], in the same layout; not read if at[i].done is 0 */
    bool begins;     /* the first subiteration of the present cycle is a Jacobi step alone */
    double *omega;   /* of its subiterations */
} recurrence;

/* --- memory ------------------------------------------------------------------------------- */

static bool show(const ss_run *run, ss_recurrence *out);

/* Untouched memory that the threads have placed, so that no cycle waits for its pages. */
static void *placed(const ss_run *run, ss_err *err)
{
    const ss_cpu_state *st = run->state;
    size_t bytes = st->box.count * ss_prec_size(run->prec);
    char *memory = ss_memory_untouched(bytes, "the field before", err);
    int64_t pages = memory ? (int64_t)((bytes + PAGE - 1) / PAGE) : 0;
#pragma omp parallel for num_threads(ss_team_size(run, (double)st->box.nx * st->box.ny))
    for (int64_t i = 0; i < pages; i++) {
        size_t from = (size_t)i * PAGE, rest = bytes - from;
        memset(memory + from, 0, rest < PAGE ? rest : PAGE);
    }
    return memory;
}

static int open_recurrence(ss_run *run, void *own, ss_err *err)
{
    ss_cpu_state *st = run->state;
    recurrence *r = own;
    r->rho = ss_config_real(&run->cfg, "rho");
    r->combine = ss_combine_of(run->prec);
    st->recurrence = show;
    r->omega = ss_alloc((size_t)run->iterations_per_cycle * sizeof *r->omega, "factors", err);
    for (int i = 0; i < 2 && r->omega; i++)
        if (!(r->before[i] = placed(run, err)))
            return SS_FAIL;
    return r->omega ? SS_OK : SS_FAIL;
}

static void close_recurrence(ss_run *run, void *own)
{
    ss_cpu_state *st = run->state;
    recurrence *r = own;
    st->recurrence = NULL;
    if (!r)
        return;
    free(r->omega);
    free(r->before[0]);
    free(r->before[1]);
}

/* --- one cycle ---------------------------------------------------------------------------- */

static void begin(const ss_run *run, void *own, int k)
{
    const ss_cpu_state *st = run->state;
    recurrence *r = own;
    level now = r->at[st->cur];
    r->begins = now.done == 0;
    for (int s = 0; s < k; s++, now.done++)
        r->omega[s] = now.omega = ss_chebyshev_omega(r->rho, now.omega, now.done);
    r->at[1 - st->cur] = now;
}

static void enter(ss_shared_tile *t)
{
    const recurrence *r = t->own;
    t->before = r->before[t->st->cur];
    t->next_before = r->before[1 - t->st->cur];
}

static void update_row(const ss_shared_tile *t, int s, int x0, int x1, int j, double *sum)
{
    const recurrence *r = t->own;
    ptrdiff_t at = x0 * (ptrdiff_t)t->size, sy = 0;
    bool alone = s == 1 && r->begins;
    const char *in = ss_shared_before(t, s, j, &sy) + at;
    char *out = ss_shared_row(t, s, j) + at, *jacobi = alone ? out : t->jacobi + at;
    ss_sweep row = {
        .nx = x1 - x0, .ny = 1, .nz = 1, .in_sy = sy, .rhs_sy = t->shape->sy, .sum = sum};
    t->run->eq->apply[t->run->prec](&t->run->coef, 0, in, ss_shared_field(t, t->st->rhs, j) + at,
                                    jacobi, &row);
    if (!alone)
        r->combine->recur(x1 - x0, r->omega[s - 1], jacobi, out);
}

static void update(const ss_shared_tile *t, int s, int x0, int x1, int j0, int j1, double *sum)
{
    for (int j = j0; j < j1 && x1 > x0; j++)
        update_row(t, s, x0, x1, j, sum ? sum + (j - j0) : NULL);
}

static const ss_shared_inner chebyshev = {.recurs = true,
                                          .bytes = sizeof(recurrence),
                                          .open = open_recurrence,
                                          .close = close_recurrence,
                                          .begin = begin,
                                          .enter = enter,
                                          .update = update};

/* --- pictures ----------------------------------------------------------------------------- */

static bool show(const ss_run *run, ss_recurrence *out)
{
    const ss_cpu_state *st = run->state;
    const recurrence *r = ss_shared_own(run);
    int start = run->peek ? st->cur : 1 - st->cur;
    *out = (ss_recurrence){.begins = r->begins, .omega = r->omega, .combine = r->combine->recur};
    out->before.data = (const char *)r->before[start] + st->box.first * ss_prec_size(run->prec);
    out->before.stride = st->box.sy;
    return true;
}

/* --- copies of the state ------------------------------------------------------------------ */

/* What follows the field in a copy: the recurrence, then the field before, dense. */
static size_t row_bytes(const ss_run *run)
{
    return (size_t)run->problem.nx * ss_prec_size(run->prec);
}

static size_t kept_bytes(const ss_run *run)
{
    return sizeof(level) + (size_t)run->problem.ny * row_bytes(run);
}

/* Row j of the field before the present one. */
static char *before_row(const ss_run *run, int j)
{
    const ss_cpu_state *st = run->state;
    const recurrence *r = ss_shared_own(run);
    return (char *)r->before[st->cur] + ss_cpu_at(st, 0, j, 0) * ss_prec_size(run->prec);
}

static int get(ss_run *run, void *to, ss_err *err)
{
    const ss_cpu_state *st = run->state;
    const recurrence *r = ss_shared_own(run);
    char *rows = (char *)to + sizeof(level);
    (void)err;
    memcpy(to, &r->at[st->cur], sizeof(level));
    for (int j = 0; j < run->problem.ny; j++)
        memcpy(rows + (size_t)j * row_bytes(run), before_row(run, j), row_bytes(run));
    return SS_OK;
}

static int put(ss_run *run, const void *from, ss_err *err)
{
    const ss_cpu_state *st = run->state;
    recurrence *r = ss_shared_own(run);
    (void)err;
    r->at[st->cur] = (level){.done = 0};
    if (!from)
        return SS_OK;
    const char *rows = (const char *)from + sizeof(level);
    memcpy(&r->at[st->cur], from, sizeof(level));
    for (int j = 0; j < run->problem.ny; j++)
        memcpy(before_row(run, j), rows + (size_t)j * row_bytes(run), row_bytes(run));
    return SS_OK;
}

const ss_engine_ops ss_cpu_shared_chebyshev = {
    .name = "shared-chebyshev",
    .caps = SS_CAP_EXACT | SS_CAP_TICK | SS_CAP_TILES,
    .own = &chebyshev,
    .prepare = ss_shared_prepare,
    .step = ss_shared_step,
    .peek = ss_shared_peek,
    .release = ss_shared_release,
    .memory = kept_bytes,
    .memory_get = get,
    .memory_put = put,
};
