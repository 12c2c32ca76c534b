/*
 * Red-black SOR on the CPU. A part first computes the red points of its own and of one more row and
 * column around it, in private memory, then its black points from them: one pass over the field, as
 * for Jacobi, although the two colours depend on each other. The points around the part are
 * computed twice. Every point is computed by the same operations as with two passes, so that the
 * bits do not depend on the parts. kernels/cpu/sweeps.c divides a sweep among the threads.
 */
#include <string.h>

#include "kernels/cpu/loops/combine.h"
#include "kernels/cpu/state.h"
#include "kernels/geom/tiles.h"
#include "kernels/solver/schedules.h"

typedef struct plan {
    ss_sweeps_scratch sweeps;
    double omega;
    bool plane; /* true: rows are coupled; false: they are independent lines */
    const ss_combine *combine;
} plan;

/* The private memory of a part: `red`, its points and one more row and column on each side, after
 * the red half of the cycle; and one row of Jacobi values. Addresses of the part's first point. */
typedef struct tile {
    char *red, *jacobi;
    ptrdiff_t sy; /* between rows of `red`, in values */
} tile;

static ptrdiff_t line_of(const ss_run *run)
{
    return SS_ALIGN / (ptrdiff_t)ss_prec_size(run->prec);
}

/* A row of the tile: a cache line for the west neighbour, the points, one for the east neighbour.
 */
static ptrdiff_t stride_of(const ss_run *run, int nx)
{
    ptrdiff_t line = line_of(run);
    return (nx + line - 1) / line * line + 2 * line;
}

static size_t memory(const ss_run *run, int nx, int rows)
{
    return (size_t)(stride_of(run, nx) * (rows + 3)) * ss_prec_size(run->prec);
}

static tile tile_of(const ss_run *run, const ss_sweep_part *p)
{
    size_t size = ss_prec_size(run->prec);
    tile t = {.sy = stride_of(run, p->nx)};
    char *first = (char *)p->memory + (size_t)line_of(run) * size;
    t.jacobi = first;
    t.red = first + (size_t)(2 * t.sy) * size;
    return t;
}

static void make_plan(ss_run *run)
{
    plan *p = run->scratch;
    p->omega = ss_config_real(&run->cfg, "omega");
    p->plane = run->eq->dim > 1;
    p->combine = ss_combine_of(run->prec);
}

/* Points [x, x + nx) of row j after the red half. sum: NULL, or it gets their squared changes by
 * Jacobi, the residual of the field from which the cycle starts. */
static void redden(const ss_run *run, const plan *how, const ss_sweep_part *p, const tile *t, int x,
                   int nx, int j, double *sum)
{
    size_t size = ss_prec_size(run->prec), at = ss_sweeps_at(run, x, j);
    ptrdiff_t sy = ((const ss_cpu_state *)run->state)->box.sy;
    const char *u = (const char *)ss_sweeps_from(run) + at;
    ptrdiff_t column = (ptrdiff_t)size * (x - p->x);
    char *jacobi = t->jacobi + column;
    char *red = t->red + (ptrdiff_t)size * t->sy * (j - p->j0) + column;
    ss_sweep_part row = {.x = x, .nx = nx, .j0 = j, .j1 = j + 1, .sum = sum, .cached = true};
    ss_sweeps_update(run, &row, u, sy, jacobi, 0);
    how->combine->relax_colour(nx, ss_colour_first(how->plane, x, j, 0), how->omega, u, jacobi,
                               red);
}

static void redden_row(const ss_run *run, const plan *how, const ss_sweep_part *p, const tile *t,
                       int j)
{
    const ss_cpu_state *st = run->state;
    bool own = j >= p->j0 && j < p->j1;
    redden(run, how, p, t, p->x, p->nx, j, own && p->sum ? p->sum + (j - p->j0) : NULL);
    if (own && p->x > 0)
        redden(run, how, p, t, p->x - 1, 1, j, NULL);
    if (own && p->x + p->nx < st->box.nx)
        redden(run, how, p, t, p->x + p->nx, 1, j, NULL);
}

/* Beyond the domain the tile must be zero, as the field is: a wider or higher part may have written
 * there. */
static void clear_edges(const ss_run *run, const ss_sweep_part *p, const tile *t)
{
    const ss_cpu_state *st = run->state;
    size_t size = ss_prec_size(run->prec), row = (size_t)t->sy * size;
    char *first = t->red - (size_t)line_of(run) * size;
    if (p->j0 == 0)
        memset(first - row, 0, row);
    if (p->j1 == st->box.ny)
        memset(first + row * (size_t)(p->j1 - p->j0), 0, row);
    for (int j = 0; j < p->j1 - p->j0; j++) {
        char *at = t->red + row * (size_t)j;
        if (p->x == 0)
            memset(at - size, 0, size);
        if (p->x + p->nx == st->box.nx)
            memset(at + (size_t)p->nx * size, 0, size);
    }
}

static void blacken(const ss_run *run, const plan *how, const ss_sweep_part *p, const tile *t,
                    int j)
{
    size_t size = ss_prec_size(run->prec);
    const char *red = t->red + (ptrdiff_t)size * t->sy * (j - p->j0);
    char *out = (char *)ss_sweeps_into(run) + ss_sweeps_at(run, p->x, j);
    ss_sweep_part row = {.x = p->x, .nx = p->nx, .j0 = j, .j1 = j + 1, .cached = true};
    ss_sweeps_update(run, &row, red, t->sy, t->jacobi, 0);
    how->combine->relax_colour(p->nx, ss_colour_first(how->plane, p->x, j, 1), how->omega, red,
                               t->jacobi, out);
}

/* ticks 1: only the red half. */
static void part(const ss_run *run, int ticks, const ss_sweep_part *p)
{
    const ss_cpu_state *st = run->state;
    const plan *c = run->scratch;
    tile t = tile_of(run, p);
    int south = c->plane && p->j0 > 0, north = c->plane && p->j1 < st->box.ny;
    clear_edges(run, p, &t);
    for (int j = p->j0 - south; j < p->j1 + north; j++)
        redden_row(run, c, p, &t, j);
    for (int j = p->j0; j < p->j1; j++) {
        size_t size = ss_prec_size(run->prec);
        if (ticks > 1)
            blacken(run, c, p, &t, j);
        else
            memcpy((char *)ss_sweeps_into(run) + ss_sweeps_at(run, p->x, j),
                   t.red + (ptrdiff_t)size * t.sy * (j - p->j0), (size_t)p->nx * size);
    }
}

static const ss_sweeps sweeps = {SS_SWEEPS_SCHEDULE(plan), .ticks = 2, .memory = memory,
                                 .plan = make_plan, .part = part};

static ss_param rows[] = {SS_RANKS_ROWS};

const ss_engine_ops ss_cpu_sor = {SS_CPU_TICKS("sor", &sweeps), .caps = SS_CAP_EXACT | SS_CAP_TICK,
                                  SS_PARAMS(rows)};
