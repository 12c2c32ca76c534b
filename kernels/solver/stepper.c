/*
 * Classic time stepping: one level (a stage of a step) of all points, then a global
 * synchronisation. One step per cycle. The baseline of the swept rule: the paper's Classic. This
 * file describes the schedule; the loops are in kernels/cpu/swept.c and
 * kernels/cuda/swept/stepper.c. Pure functions; any thread.
 */
#include "kernels/solver/ranks.h"
#include "kernels/solver/transient.h"

static const char *const phases[] = {"level", NULL};

static int iterations_per_cycle(const ss_config *cfg, const ss_problem *p)
{
    (void)cfg;
    return p->nstage;
}

/* Assumes ideal caches: a level is read once and written once; a stage after the first also reads
 * the start of its step. */
void ss_step_ledger(const ss_config *cfg, const ss_equation *eq, const ss_problem *p,
                    ss_ledger *out)
{
    double points = (double)p->nx * p->ny * p->nz;
    double bytes = eq->nfield * (double)ss_prec_size((ss_prec)ss_config_int(cfg, "precision"));
    *out = (ss_ledger){
        .launches = eq->nstage,
        .global_bytes = points * bytes * (2 * eq->nstage + (eq->nstage - 1)),
        .updates = points * eq->nstage,
        .operations = points * eq->nstage * eq->flops,
    };
}

const ss_solver ss_solver_stepper = {
    .name = "stepper",
    .title = "classic stepping",
    .help = "one time level of all points, then a global synchronisation: one step per cycle",
    .paper = "the classic method, the swept paper's baseline",
    .kind = SS_TRANSIENT,
    .phases = phases,
    .iterations_per_cycle = iterations_per_cycle,
    .ledger = ss_step_ledger,
    .step_ledger = ss_step_ledger,
    .ranks = ss_ranks_levels,
    .step_ranks = ss_ranks_levels,
};
