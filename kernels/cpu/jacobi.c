/*
 * Classic Jacobi on the CPU, damped if asked: each thread sweeps its own rows from the old
 * field into the new one; a global synchronisation ends the sweep. kernels/cpu/sweeps.c divides a
 * sweep among the threads.
 */
#include "kernels/cpu/loops/combine.h"
#include "kernels/cpu/state.h"
#include "kernels/solver/schedules.h"

typedef struct plan {
    ss_sweeps_scratch sweeps;
    double omega;
    bool damped;
    const ss_combine *combine;
} plan;

static void make_plan(ss_run *run)
{
    plan *p = run->scratch;
    p->omega = ss_damping_of(&run->cfg);
    p->damped = p->omega < 1 || p->omega > 1;
    p->combine = ss_combine_of(run->prec);
}

static void update(const ss_run *run, const ss_sweep_part *p)
{
    const ss_cpu_state *st = run->state;
    size_t at = ss_sweeps_at(run, p->x, p->j0);
    ss_sweeps_update(run, p, (const char *)ss_sweeps_from(run) + at, st->box.sy,
                     (char *)ss_sweeps_into(run) + at, st->box.sy);
}

/* Two rows at a time, so that the Jacobi values are still in the first-level cache. */
static void update_damped(const ss_run *run, const plan *how, const ss_sweep_part *p)
{
    for (int j = p->j0; j < p->j1; j += 2) {
        ss_sweep_part two = *p;
        two.j0 = j;
        two.j1 = j + 2 < p->j1 ? j + 2 : p->j1;
        two.sum = p->sum ? p->sum + (j - p->j0) : NULL;
        two.cached = true;
        update(run, &two);
        for (int row = two.j0; row < two.j1; row++) {
            size_t at = ss_sweeps_at(run, p->x, row);
            char *out = (char *)ss_sweeps_into(run) + at;
            how->combine->relax(p->nx, how->omega, (const char *)ss_sweeps_from(run) + at, out,
                                out);
        }
    }
}

static void part(const ss_run *run, int ticks, const ss_sweep_part *p)
{
    const plan *c = run->scratch;
    (void)ticks;
    if (c->damped)
        update_damped(run, c, p);
    else
        update(run, p);
}

static const ss_sweeps sweeps = {SS_SWEEPS_SCHEDULE(plan), .ticks = 1, .plan = make_plan,
                                 .part = part};

static ss_param rows[] = {SS_DAMPING_ROW, SS_RANKS_ROWS};

const ss_engine_ops ss_cpu_jacobi = {SS_CPU_TICKS("jacobi", &sweeps),
                                     .caps = SS_CAP_EXACT | SS_CAP_TICK, SS_PARAMS(rows)};
