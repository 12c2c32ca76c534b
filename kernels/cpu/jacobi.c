/*
 * Classic Jacobi on the CPU: each thread sweeps its own rows from the old field into the new one;
 * a global synchronisation ends the sweep. kernels/cpu/sweeps.c divides a sweep among the threads.
 */
#include "kernels/cpu/sweeps.h"
#include "kernels/solver/ranks.h"

static void part(const ss_run *run, const void *plan, int pass, const ss_part *p)
{
    const ss_cpu_state *st = run->state;
    char *out = ss_sweeps_into(run);
    (void)plan;
    ss_sweeps_update(run, p, ss_sweeps_from(run, pass), out + ss_sweeps_at(run, p->x, p->j0),
                     st->box.sy);
}

static const ss_sweeps sweeps = {.passes = 1, .part = part};

static ss_param rows[] = {SS_RANKS_ROWS};

const ss_engine_ops ss_cpu_jacobi = SS_SWEEPS_OPS_ROWS("jacobi", &sweeps, rows);
