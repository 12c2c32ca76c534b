/*
 * Persistent Jacobi: the whole grid remains in registers and shared memory from the first iteration
 * to the last, one subdomain per SM; only halos are exchanged. A subdomain covers `every` more
 * points than it owns on each side, so that one exchange serves `every` iterations: stale values
 * move inward by one point per iteration and never reach the owned points. Bit-for-bit equal to
 * classic Jacobi. This file describes the schedule; the kernel is in
 * kernels/cuda/jacobi/persistent.c. Pure functions; any thread.
 */
#include "src/core/solver.h"

static const char *const phases[] = {"iterate", "exchange", NULL};

// clang-format off
static ss_param params[] = {
    {SS_ROW_INT("every", "Method", 8, 1, 8), .unit = "iterations",
     .help = "iterations between two exchanges of the halos", .flags = SS_P_LIVE | SS_P_CONTROL},
};
// clang-format on

/* Global memory traffic is the field once per step, and the halos. Their cost depends on the
 * device, so the ledger counts neither. */
static void ledger(const ss_config *cfg, const ss_equation *eq, const ss_problem *p, ss_ledger *out)
{
    double points = (double)p->nx * p->ny * p->nz;
    (void)cfg;
    *out = (ss_ledger){.updates = points, .operations = points * eq->flops};
}

static double factor(const ss_config *cfg, const ss_problem *p)
{
    (void)p;
    return ss_config_spectral_radius(cfg);
}

const ss_solver ss_solver_persistent = {
    .name = "persistent",
    .title = "persistent Jacobi",
    .help = "the whole grid remains on chip, halos are exchanged every few iterations",
    .classic = "jacobi",
    .paper = "no paper: the classic method with the grid in registers and shared memory",
    .no_patches = "its subdomains divide lines and planes only",
    .params = params,
    .nparam = sizeof params / sizeof *params,
    .phases = phases,
    .ledger = ledger,
    .factor = factor,
    .falls_steadily = true,
};
