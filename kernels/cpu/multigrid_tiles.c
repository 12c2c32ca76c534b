/* The smoother `shared` of multigrid: see multigrid_tiles.h. */
#include "kernels/cpu/multigrid_tiles.h"

#include "kernels/cpu/shared.h"
#include "kernels/solver/multigrid.h"

static const ss_solver solver = {.name = "shared", .tiling = ss_shared_tiling};

int ss_mg_tiles_open(ss_mg_tiles *t, const ss_run *run, int level, const ss_box *box,
                     char *const u[2], ss_err *err)
{
    const ss_cpu_state *finest = run->state;
    t->at = (ss_run){.cfg = run->cfg,
                     .eq = run->eq,
                     .solver = &solver,
                     .prec = run->prec,
                     .problem = ss_mg_level(&run->problem, level),
                     .threads = run->threads,
                     .pin = run->pin,
                     .state = &t->state};
    t->at.ticks_per_cycle = ss_shared_iterations(&run->cfg, &t->at.problem);
    run->eq->coef(&t->at.problem, &t->at.coef);
    t->state = (ss_cpu_state){.box = *box, .u = {u[0], u[1]}};
    t->state.box.nx = t->at.problem.nx;
    t->state.box.ny = t->at.problem.ny;
    t->state.box.nz = 1;
    t->state.box.hx = finest->box.hx;
    t->state.box.hy = finest->box.hy;
    t->state.stream = level == 0 && finest->stream;
    double omega = ss_config_real(&run->cfg, "omega");
    return ss_shared_open(&t->at, &omega, err);
}

void ss_mg_tiles_close(ss_mg_tiles *t)
{
    ss_shared_release(&t->at);
}

bool ss_mg_tiles_pass(ss_mg_tiles *t, const ss_run *run, int now, void *g, double *squares)
{
    t->at.abandon = run->abandon; /* the app may have another flag than at the last cycle */
    t->state.cur = now;
    t->state.rhs = g;
    if (!ss_shared_pass(&t->at, t->at.ticks_per_cycle, squares != NULL))
        return false;
    if (squares)
        *squares = ss_shared_squares(&t->at);
    return true;
}
