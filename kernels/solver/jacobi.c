/*
 * Classic Jacobi: every point from the old array into the new one, then all wait for all. One
 * iteration a cycle, and the yardstick for every other schedule. This file describes; the loops are
 * in kernels/cpu/jacobi.c. Pure functions; any thread.
 */
#include "kernels/solver/block.h"
#include "src/core/solver.h"

static const char *const phases[] = {"sweep", NULL};

static int iterations_per_cycle(const ss_config *cfg, const ss_problem *p)
{
    (void)cfg, (void)p;
    return 1;
}

/* Caches are taken to be ideal: u and g are read once, u' is written once; ghosts of patches are
 * read and written. */
static void ledger(const ss_config *cfg, const ss_equation *eq, const ss_problem *p, ss_ledger *out)
{
    bool patches = eq->patches != NULL;
    double points = patches ? ss_patch_count(eq, p) : (double)p->nx * p->ny * p->nz;
    double bytes = (double)ss_prec_size((ss_prec)ss_config_int(cfg, "precision"));
    double edge = patches ? 2 * ss_patch_ghosts(eq, p) * bytes : 0;
    *out = (ss_ledger){
        .launches = 1,
        .global_bytes = points * 3 * eq->nfield * bytes + edge,
        .updates = points,
        .edge_bytes = edge,
    };
}

const ss_solver ss_solver_jacobi = {
    .name = "jacobi",
    .title = "classic Jacobi",
    .help = "every point once, then all exchange: one iteration per cycle",
    .paper = "the classic method, the papers' baseline",
    .phases = phases,
    .iterations_per_cycle = iterations_per_cycle,
    .ledger = ledger,
};
