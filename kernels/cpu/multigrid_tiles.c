/* The smoother `shared` of multigrid: see multigrid_tiles.h. */
#include "kernels/cpu/multigrid_tiles.h"

#include "kernels/cpu/loops/combine.h"
#include "kernels/cpu/shared.h"
#include "kernels/solver/multigrid.h"

/* --- damped Jacobi as an inner iteration ------------------------------------------------------ */

typedef struct damping {
    double omega;
    const ss_combine *combine;
} damping;

static int open_damping(ss_run *run, void *own, ss_err *err)
{
    damping *d = own;
    (void)err;
    d->omega = ss_config_real(&run->cfg, "omega");
    d->combine = ss_combine_of(run->prec);
    return SS_OK;
}

/* The operands and operations of multigrid's smoother `jacobi`. */
static void update_row(const ss_shared_tile *t, int s, int x0, int x1, int j, double *sum)
{
    const damping *d = t->own;
    ptrdiff_t at = x0 * (ptrdiff_t)t->size, sy = 0;
    const char *in = ss_shared_before(t, s, j, &sy) + at;
    ss_sweep row = {
        .nx = x1 - x0, .ny = 1, .nz = 1, .in_sy = sy, .rhs_sy = t->shape->sy, .sum = sum};
    t->run->eq->apply[t->run->prec](&t->run->coef, 0, in, ss_shared_field(t, t->st->rhs, j) + at,
                                    t->jacobi + at, &row);
    d->combine->relax(x1 - x0, d->omega, in, t->jacobi + at, ss_shared_row(t, s, j) + at);
}

static void update(const ss_shared_tile *t, int s, int x0, int x1, int j0, int j1, double *sum)
{
    for (int j = j0; j < j1 && x1 > x0; j++)
        update_row(t, s, x0, x1, j, sum ? sum + (j - j0) : NULL);
}

static const ss_shared_inner damped = {
    .bytes = sizeof(damping), .open = open_damping, .update = update};
static const ss_engine_ops ops = {.name = "shared", .own = &damped};
static const ss_solver solver = {.name = "shared", .tiling = ss_shared_tiling};

/* --- the grids -------------------------------------------------------------------------------- */

int ss_mg_tiles_open(ss_mg_tiles *t, const ss_run *run, int level, const ss_box *box,
                     char *const u[2], ss_err *err)
{
    const ss_cpu_state *finest = run->state;
    t->at = (ss_run){.cfg = run->cfg,
                     .eq = run->eq,
                     .solver = &solver,
                     .ops = &ops,
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
    return ss_shared_prepare(&t->at, err);
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
