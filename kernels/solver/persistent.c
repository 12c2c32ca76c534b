/*
 * Persistent Jacobi: the whole grid stays in registers and shared memory from the first iteration
 * to the last, one patch per SM; only halos are exchanged. A patch covers `every` points more than
 * it owns on each side, so that neighbours exchange once in `every` iterations: from a frozen halo
 * staleness grows one point an iteration, and never reaches what is owned. Classic Jacobi, bit for
 * bit. This file describes; the kernel is in kernels/cuda/jacobi/persistent.cu. Pure functions; any
 * thread.
 */
#include "src/core/solver.h"

static const char *const phases[] = {"iterate", "exchange", NULL};

// clang-format off
static ss_param params[] = {
    {SS_ROW_INT("every", "Method", 8, 1, 8), .unit = "iterations",
     .help = "iterations between two exchanges of the halos", .flags = SS_P_LIVE | SS_P_CONTROL},
};
// clang-format on

/* Between memory and processors only the field of a whole step goes, and the halos: what they
 * cost depends on the device, so the ledger counts neither. */
static void ledger(const ss_config *cfg, const ss_equation *eq, const ss_problem *p, ss_ledger *out)
{
    double points = (double)p->nx * p->ny * p->nz;
    (void)cfg, (void)eq;
    *out = (ss_ledger){.updates = points};
}

const ss_solver ss_solver_persistent = {
    .name = "persistent",
    .title = "persistent Jacobi",
    .help = "the whole grid stays on chip, halos are exchanged every few iterations",
    .paper = "no paper of ours: what the hardware allows the classic method",
    .no_patches = "its processors keep pieces of lines and planes",
    .params = params,
    .nparam = sizeof params / sizeof *params,
    .phases = phases,
    .ledger = ledger,
};
