/* The working sets of a schedule: see working_set.h. */
#include "src/core/working_set.h"

#include "src/base/numbers.h"
#include "src/core/registry.h"

/* Points of the largest subdomain; 0: the solver has none. */
static double points_of_tile(const ss_config *cfg, const ss_problem *p)
{
    const ss_solver *solver = ss_config_solver(cfg);
    int size[3];
    if (solver->tiling) {
        ss_tiling t = solver->tiling(cfg, p);
        return (double)ss_min(t.x.block, p->nx) * (p->dim > 1 ? ss_min(t.y.block, p->ny) : 1);
    }
    if (solver->nodes)
        return solver->nodes(cfg, p).block;
    if (!solver->blocks)
        return 0;
    solver->blocks(cfg, size);
    return (double)size[0] * size[1] * size[2];
}

ss_working_set ss_config_working_set(const ss_config *cfg)
{
    const ss_equation *eq = ss_config_equation(cfg);
    ss_problem p;
    ss_config_problem(cfg, &p);
    double value = (double)ss_prec_size((ss_prec)ss_config_int(cfg, "precision"));
    int arrays = eq->kind == SS_STEADY ? 3 : 2; /* only steady equations have a right-hand side */
    return (ss_working_set){.fields = ss_config_bytes(cfg),
                            .tile = points_of_tile(cfg, &p) * eq->nfield * arrays * value};
}
