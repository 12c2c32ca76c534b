/*
 * Classic time stepping on the CPU: each thread advances its own range of points, with a global
 * synchronisation after every level. Engine thread; each level is an OpenMP region.
 */
#include "kernels/cpu/levels.h"
#include "kernels/cpu/simd/team.h"
#include "kernels/solver/ranks.h"

static int step(ss_run *run, int64_t cycles, ss_err *err)
{
    ss_cpu_state *st = run->state;
    int each = run->eq->nstage;
    int64_t done = 0;
    (void)err;
    ss_team_enter(run);
    ss_levels levels = ss_levels_begin(run);
    for (; done < cycles && !ss_run_abandoned(run); done++) {
        ss_levels_all(&levels, done * each + 1, (done + 1) * each);
        ss_run_cycle_done(run);
    }
    st->cur = (int)((st->cur + done * each) & 1);
    ss_team_leave(run);
    return SS_OK;
}

/* Shows level 1 of the next step in the other array; s is 1, because a step has at most two levels.
 */
static int peek(ss_run *run, int s, ss_err *err)
{
    (void)s, (void)err;
    ss_team_enter(run);
    ss_levels levels = ss_levels_begin(run);
    ss_levels_all(&levels, 1, 1);
    ss_team_leave(run);
    return SS_OK;
}

static ss_param rows[] = {SS_RANKS_ROWS};

const ss_engine_ops ss_cpu_stepper = {
    .name = "stepper",
    .caps = SS_CAP_EXACT | SS_CAP_TICK,
    .params = rows,
    .nparam = sizeof rows / sizeof *rows,
    .prepare = ss_levels_prepare,
    .step = step,
    .finish = ss_levels_finish,
    .peek = peek,
    .release = ss_levels_release,
};
