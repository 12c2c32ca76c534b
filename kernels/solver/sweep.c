/* Solvers of one sweep per cycle: see sweep.h. */
#include "kernels/solver/sweep.h"

#include "kernels/solver/block.h"

/* Assumes ideal caches: u and g are read once, u' is written once; ghost cells of patches are read
 * and written. */
void ss_sweep_ledger(const ss_config *cfg, const ss_equation *eq, const ss_problem *p,
                     ss_ledger *out)
{
    bool patches = eq->patches != NULL;
    double points = patches ? ss_patch_count(eq, p) : (double)p->nx * p->ny * p->nz;
    double bytes = (double)ss_prec_size((ss_prec)ss_config_int(cfg, "precision"));
    double edge = patches ? 2 * ss_patch_ghosts(eq, p) * bytes : 0;
    *out = (ss_ledger){
        .launches = 1,
        .global_bytes = points * 3 * eq->nfield * bytes + edge,
        .updates = points,
        .operations = points * eq->flops,
        .edge_bytes = edge,
    };
}
