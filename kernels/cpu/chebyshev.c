/*
 * Chebyshev's semi-iteration on the CPU: the Jacobi step of the present field is combined in place
 * with the other buffer, which holds the field before it. So a cycle, once begun, is finished; if
 * the run then stops at the cycle's start, the next cycle is already there. Engine thread.
 */
#include <string.h>

#include "kernels/cpu/loops/combine.h"
#include "kernels/cpu/state.h"
#include "kernels/solver/recurrence.h"
#include "kernels/solver/schedules.h"

typedef struct plan {
    ss_sweeps_scratch sweeps;
    double rho;
    const ss_combine *combine;
    /* The recurrence: `done` cycles since it began, the last one with `omega`, from buffer `from`
     * into the other one. If `from` is still the present field, the run stopped there, and the
     * other buffer is the next field; else it is the field before. */
    double omega;
    int64_t done;
    int from; /* -1: none */
} plan;

static void begin(plan *p)
{
    p->done = 0;
    p->from = -1;
    p->omega = 1;
}

static void make_plan(ss_run *run)
{
    plan *p = run->scratch;
    p->rho = ss_config_real(&run->cfg, "rho");
    p->combine = ss_combine_of(run->prec);
    begin(p);
}

/* The first cycle is a Jacobi step. */
static void part(const ss_run *run, int ticks, const ss_sweep_part *p)
{
    const ss_cpu_state *st = run->state;
    const plan *c = run->scratch;
    (void)ticks;
    for (int j = p->j0; j < p->j1; j++) {
        size_t at = ss_sweeps_at(run, p->x, j);
        ss_sweep_part row = *p;
        row.j0 = j;
        row.j1 = j + 1;
        row.sum = p->sum ? p->sum + (j - p->j0) : NULL;
        row.cached = true;
        ss_sweeps_update(run, &row, (const char *)ss_sweeps_from(run) + at, st->box.sy, p->memory,
                         0);
        char *out = (char *)ss_sweeps_into(run) + at;
        if (c->done == 0)
            memcpy(out, p->memory, (size_t)p->nx * ss_prec_size(run->prec));
        else
            c->combine->recur(p->nx, c->omega, p->memory, out);
    }
}

/* A row of Jacobi values. */
static size_t memory(const ss_run *run, int nx, int rows)
{
    (void)rows;
    return (size_t)nx * ss_prec_size(run->prec);
}

static bool cycle(ss_run *run, bool check)
{
    const ss_cpu_state *st = run->state;
    plan *p = run->scratch;
    if (p->from == st->cur)
        return true;
    if (ss_run_abandoned(run))
        return false;
    p->omega = ss_chebyshev_omega(p->rho, p->omega, p->done);
    ss_sweeps_whole(run, check);
    p->from = st->cur;
    p->done++;
    return true;
}

static const ss_sweeps sweeps = {
    .schedule = {sizeof(plan), ss_sweeps_prepare, cycle, ss_sweeps_norm},
    .ticks = 1,
    .memory = memory,
    .plan = make_plan,
    .part = part};

/* --- copies of the state ---------------------------------------------------------------------- */

/* What follows the field in a copy: the recurrence, then the other buffer, dense. */
typedef struct kept {
    double omega;
    int64_t done, ahead; /* ahead 1: the buffer is the next field */
} kept;

static size_t buffer_bytes(const ss_run *run)
{
    const ss_problem *p = &run->problem;
    return (size_t)p->nx * (size_t)p->ny * ss_prec_size(run->prec);
}

static size_t kept_bytes(const ss_run *run)
{
    return sizeof(kept) + buffer_bytes(run);
}

static int get(ss_run *run, void *to, ss_err *err)
{
    const ss_cpu_state *st = run->state;
    const plan *p = run->scratch;
    kept k = {.omega = p->omega, .done = p->done, .ahead = p->from == st->cur};
    memcpy(to, &k, sizeof k);
    return run->backend->download(run, 2, 0, 0, 0, run->problem.ny, (char *)to + sizeof k, err);
}

static int put(ss_run *run, const void *from, ss_err *err)
{
    const ss_cpu_state *st = run->state;
    plan *p = run->scratch;
    kept k;
    begin(p);
    if (!from)
        return SS_OK;
    memcpy(&k, from, sizeof k);
    p->omega = k.omega;
    p->done = k.done;
    p->from = k.ahead ? st->cur : 1 - st->cur;
    return run->backend->upload(run, 2, 0, 0, 0, run->problem.ny, (const char *)from + sizeof k,
                                err);
}

static ss_param rows[] = {SS_RANKS_ROWS};

const ss_engine_ops ss_cpu_chebyshev = {
    SS_CPU_CYCLES("chebyshev", &sweeps),
    .caps = SS_CAP_EXACT | SS_CAP_TICK,
    SS_PARAMS(rows),
    .memory = kept_bytes,
    .memory_get = get,
    .memory_put = put,
};
