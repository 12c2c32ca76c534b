/*
 * Classic Jacobi: every point from the old array into the new one, then a global synchronisation.
 * One iteration per cycle. The baseline of every other schedule. This file describes the schedule;
 * the loops are in kernels/cpu/jacobi.c. Pure functions; any thread.
 */
#include "kernels/solver/ranks.h"
#include "kernels/solver/sweep.h"

static const char *const phases[] = {"sweep", NULL};

const ss_solver ss_solver_jacobi = {
    .name = "jacobi",
    .title = "classic Jacobi",
    .help = "every point once, then a global synchronisation: one iteration per cycle",
    .paper = "the classic method, the papers' baseline",
    .phases = phases,
    .ledger = ss_sweep_ledger,
    .ranks = ss_ranks_sweep,
};
