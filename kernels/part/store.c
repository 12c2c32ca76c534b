/*
 * How the points are divided: the schedules jacobi and shared, and what part.h says of any setup
 * before a part exists. And a part's life: opening, filling, copying points in and out, another
 * division, a batch of cycles.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/part/inner.h"

#include "kernels/cpu/simd/machine.h"
#include "src/core/registry.h"

#define EXCHANGE_MAX 1024

/* --- jacobi: slabs ---------------------------------------------------------------------------- */

static int split_count(const ss_problem *p)
{
    return p->dim > 1 ? p->ny : p->nx;
}

static int check_slabs(const ss_part_setup *setup, const ss_problem *p, int ranks, ss_err *err)
{
    const char *what = p->dim > 1 ? "rows" : "points";
    if (ranks > split_count(p))
        return ss_fail(err, "ranks: there are only %d %s to divide: use 1\xe2\x80\xa6%d ranks",
                       split_count(p), what, split_count(p));
    if (setup->exchange < 1 || setup->exchange > EXCHANGE_MAX)
        return ss_fail(err, "exchange: %d is out of range 1\xe2\x80\xa6%d", setup->exchange,
                       EXCHANGE_MAX);
    return SS_OK;
}

static ss_part_box slab(const ss_part_setup *setup, const ss_problem *p, int rank, int ranks)
{
    int lo = ss_team_row(split_count(p), rank, ranks);
    int hi = ss_team_row(split_count(p), rank + 1, ranks);
    (void)setup;
    return p->dim > 1 ? (ss_part_box){0, lo, p->nx, hi} : (ss_part_box){lo, 0, hi, p->ny};
}

static ss_part_box slab_cover(const ss_part_setup *setup, const ss_problem *p, int rank, int ranks)
{
    int more = setup->exchange - 1;
    return ss_box_meet(ss_box_grow(slab(setup, p, rank, ranks), more, more), ss_box_domain(p));
}

static int one_point(const ss_part_setup *setup, const ss_problem *p)
{
    (void)setup;
    return p->radius;
}

const ss_part_schedule ss_part_jacobi = {
    .kind = SS_STEADY,
    .device = true,
    .check = check_slabs,
    .owned = slab,
    .cover = slab_cover,
    .beyond = one_point,
    .prepare = ss_exchange_plane,
    .step = ss_part_step_steady,
};

/* --- shared: tiles ---------------------------------------------------------------------------- */

/* Divides n points into `parts` subdomains; not every number of them is possible. */
static ss_cut cut_into(int n, int parts, int overlap)
{
    int each = (n - overlap + parts - 1) / parts;
    return ss_cut_make(n, (each > 1 ? each : 1) + overlap, overlap);
}

/* The division into px * py = ranks tiles with the fewest halo points. False: there is none. */
static bool find_tiling(const ss_part_setup *setup, const ss_problem *p, int ranks, ss_tiling *out)
{
    int ox = (int)ss_config_int(setup->cfg, "overlap");
    int oy = p->dim > 1 ? (int)ss_config_int(setup->cfg, "overlap-y") : 0;
    double least = 0;
    bool found = false;
    for (int px = 1; px <= ranks; px++) {
        int py = ranks / px;
        if (px * py != ranks || (p->dim == 1 && py > 1))
            continue;
        ss_tiling t = {cut_into(p->nx, px, ox), cut_into(p->ny, py, oy)};
        if (p->dim == 1)
            t.y = ss_cut_make(p->ny, 1, 0);
        double halo = (double)(px - 1) * p->ny + (double)(py - 1) * p->nx;
        bool fits = t.x.count == px && (p->dim == 1 || t.y.count == py);
        if (!fits || (found && halo >= least))
            continue;
        *out = t;
        least = halo;
        found = true;
    }
    return found;
}

static int check_tiles(const ss_part_setup *setup, const ss_problem *p, int ranks, ss_err *err)
{
    ss_tiling t;
    int fewer = ranks - 1;
    if (find_tiling(setup, p, ranks, &t))
        return SS_OK;
    while (fewer > 1 && !find_tiling(setup, p, fewer, &t))
        fewer--;
    return ss_fail(err,
                   "ranks: %d \xc3\x97 %d points cannot be divided into %d subdomains with this "
                   "overlap: use %d rank%s",
                   p->nx, p->ny, ranks, fewer > 0 ? fewer : 1, fewer > 1 ? "s" : "");
}

static ss_part_box box_of(ss_span x, ss_span y, const ss_problem *p, bool written)
{
    ss_part_box b =
        written ? (ss_part_box){x.wlo, y.wlo, x.whi, y.whi} : (ss_part_box){x.lo, y.lo, x.hi, y.hi};
    if (p->dim == 1)
        b.y0 = 0, b.y1 = p->ny;
    return b;
}

static ss_part_box tile_of(const ss_part_setup *setup, const ss_problem *p, int rank, int ranks,
                           bool written)
{
    ss_tiling t;
    if (!find_tiling(setup, p, ranks, &t))
        return (ss_part_box){0, 0, 0, 0};
    return box_of(ss_cut_span(t.x, rank % t.x.count), ss_cut_span(t.y, rank / t.x.count), p,
                  written);
}

static ss_part_box tile_owned(const ss_part_setup *setup, const ss_problem *p, int rank, int ranks)
{
    return tile_of(setup, p, rank, ranks, true);
}

static ss_part_box tile_cover(const ss_part_setup *setup, const ss_problem *p, int rank, int ranks)
{
    return tile_of(setup, p, rank, ranks, false);
}

const ss_part_schedule ss_part_shared = {
    .kind = SS_STEADY,
    .device = true,
    .frozen = true,
    .check = check_tiles,
    .owned = tile_owned,
    .cover = tile_cover,
    .beyond = one_point,
    .prepare = ss_exchange_plane,
    .step = ss_part_step_steady,
};

/* --- any setup -------------------------------------------------------------------------------- */

int ss_part_check(const ss_part_setup *setup, int ranks, ss_err *err)
{
    ss_problem p = ss_config_problem(setup->cfg);
    if (ranks < 1)
        return ss_fail(err, "ranks: %d is out of range: use at least 1", ranks);
    if (p.dim > 2)
        return ss_fail(err, "ranks: a domain of patches is not divided among ranks");
    return setup->schedule->check(setup, &p, ranks, err);
}

int ss_part_check_device(const ss_part_setup *setup, ss_err *err)
{
    if (setup->schedule->device)
        return SS_OK;
    return ss_fail(err, "ranks compute solver %s with CPU threads",
                   ss_config_solver(setup->cfg)->name);
}

bool ss_part_is_tiled(const ss_part_setup *setup)
{
    return setup->schedule->frozen;
}

ss_tiling ss_part_tiling(const ss_part_setup *setup, int ranks)
{
    ss_tiling t = {{1, 1, 0, 1}, {1, 1, 0, 1}};
    ss_problem p = ss_config_problem(setup->cfg);
    find_tiling(setup, &p, ranks, &t);
    return t;
}

/* The points that a rank stores, as if the domain had no ends; and those of them that exist. */
static ss_part_box reach(const ss_part_setup *setup, const ss_problem *p, int rank, int ranks)
{
    const ss_part_schedule *s = setup->schedule;
    int more = s->beyond(setup, p);
    ss_part_box b = ss_box_grow(s->cover(setup, p, rank, ranks), more, p->dim > 1 ? more : 0);
    return s->kind == SS_STEADY ? ss_box_meet(b, ss_box_domain(p)) : b;
}

/* --- opening ---------------------------------------------------------------------------------- */

/* The run that equations, thread counts and samplers ask; it has no backend. */
static ss_run *describe(const ss_part_setup *setup, const ss_config *cfg, const ss_part_box *own,
                        ss_err *err)
{
    ss_run *run = ss_alloc(sizeof *run, "a run", err);
    if (!run)
        return NULL;
    run->cfg = *cfg;
    run->eq = ss_config_equation(cfg);
    run->solver = ss_config_solver(cfg);
    run->prec = (ss_prec)ss_config_int(cfg, "precision");
    run->threads = setup->threads;
    run->residual_cycle = -1;
    run->problem = ss_config_problem(&run->cfg);
    run->problem.i0 = own->x0;
    run->problem.i1 = own->x1;
    run->problem.j0 = own->y0;
    run->problem.j1 = own->y1;
    run->eq->coef(&run->problem, &run->coef);
    run->iterations_per_cycle = run->solver->iterations_per_cycle
                                    ? run->solver->iterations_per_cycle(&run->cfg, &run->problem)
                                    : 1;
    return run;
}

/* Stored points with one row of zeros, or of unused points, around them. */
static ss_box layout(const ss_part_run *part)
{
    const ss_problem *p = &part->run->problem;
    ss_box b = {.nx = part->stored.x1 - part->stored.x0,
                .ny = part->stored.y1 - part->stored.y0,
                .nz = 1,
                .hx = p->radius};
    ptrdiff_t line = SS_ALIGN / (ptrdiff_t)ss_prec_size(part->run->prec);
    b.hy = p->dim > 1 ? p->radius : 0;
    b.sy = ((line + b.nx + p->radius + line - 1) / line | 1) * line;
    b.sz = b.sy * (b.ny + 2 * b.hy);
    b.first = (size_t)(line + b.hy * b.sy);
    b.count = (size_t)(b.sz + 2 * line);
    return b;
}

static void narrow(ss_prec prec, const double *from, int n, void *to)
{
    float *out = to;
    if (prec == SS_F64)
        memcpy(to, from, (size_t)n * sizeof *from);
    else
        for (int i = 0; i < n; i++)
            out[i] = (float)from[i];
}

typedef void row_function(const ss_problem *p, int field, int j, int k, double *row);

/* Copies the rows of a box, computed by `of`, through `rows`; row: for one of doubles. */
static int fill_rows(ss_part_run *part, const ss_problem *p, int field, ss_part_box box, int array,
                     row_function *of, double *row, char *rows, ss_err *err)
{
    size_t pitch = (size_t)(box.x1 - box.x0) * ss_prec_size(part->run->prec);
    for (int y = box.y0; y < box.y1; y++) {
        of(p, field, y, 0, row);
        narrow(part->run->prec, row, box.x1 - box.x0, rows + (size_t)(y - box.y0) * pitch);
    }
    if (ss_part_copy(part, array, field, &box, rows, (ptrdiff_t)pitch, true, err) != SS_OK)
        return SS_FAIL;
    return ss_part_copied(part, err);
}

#define FILL_BYTES (1 << 20) /* rows that are computed before they are copied together, about */

/* Fills a box with the equation's initial field or its right-hand side. */
static int fill(ss_part_run *part, const ss_part_box *box, int array, row_function *of, ss_err *err)
{
    ss_problem p = part->run->problem;
    size_t width = (size_t)(box->x1 - box->x0) * sizeof(double);
    int most = width < FILL_BYTES ? (int)(FILL_BYTES / width) : 1, status = SS_OK;
    char *rows = ss_alloc(((size_t)most + 1) * width, "rows of the field", err);
    if (!rows)
        return SS_FAIL;
    double *row = (double *)(void *)(rows + (size_t)most * width);
    p.i0 = box->x0;
    p.i1 = box->x1;
    p.j0 = box->y0;
    p.j1 = box->y1;
    for (int f = 0; f < part->run->eq->nfield; f++)
        for (int y = box->y0; y < box->y1 && status == SS_OK; y += most) {
            ss_part_box some = {box->x0, y, box->x1, y + most < box->y1 ? y + most : box->y1};
            status = fill_rows(part, &p, f, some, array, of, row, rows, err);
        }
    free(rows);
    return status;
}

ss_part_box ss_part_own(const ss_part_run *part)
{
    return part->own;
}

int ss_part_reset(ss_part_run *part, ss_err *err)
{
    part->fresh = 0;
    return fill(part, &part->own, part->cur, part->run->eq->init, err);
}

ss_part_run *ss_part_open(const ss_part_setup *setup, ss_comm *comm, ss_err *err)
{
    ss_problem p;
    int rank = comm->rank, ranks = comm->size;
    ss_part_run *part = ss_alloc(sizeof *part, "a part", err);
    if (!part || ss_part_check(setup, ranks, err) != SS_OK)
        goto fail;
    part->cfg = *setup->cfg;
    part->setup = *setup;
    part->setup.cfg = &part->cfg;
    part->comm = comm;
    p = ss_config_problem(&part->cfg);
    part->own = setup->schedule->owned(&part->setup, &p, rank, ranks);
    part->cover = setup->schedule->cover(&part->setup, &p, rank, ranks);
    part->stored = reach(&part->setup, &p, rank, ranks);
    part->run = describe(setup, &part->cfg, &part->own, err);
    if (!part->run)
        goto fail;
    part->box = layout(part);
    ss_part_box stored = ss_part_stored(part);
    if (ss_part_allocate(part, err) != SS_OK || setup->schedule->prepare(part, err) != SS_OK ||
        ss_part_reset(part, err) != SS_OK ||
        (part->run->eq->rhs &&
         fill(part, &stored, SS_PART_RIGHT, part->run->eq->rhs, err) != SS_OK))
        goto fail;
    return part;
fail:
    ss_part_close(part);
    return NULL;
}

void ss_part_close(ss_part_run *part)
{
    if (!part)
        return;
    ss_exchange_free(part, &part->halo);
    ss_exchange_free(part, &part->left);
    ss_exchange_free(part, &part->right);
    ss_part_free(part);
    free(part->run);
    free(part);
}

/* --- points in and out ------------------------------------------------------------------------ */

/* The points of `box` among `mine`, to or from the caller's data. */
static int copy(ss_part_run *part, int which, int field, const ss_part_box *box, ss_part_box mine,
                char *data, ptrdiff_t stride, bool put, ss_err *err)
{
    ss_part_box b = ss_box_meet(*box, mine);
    ptrdiff_t size = (ptrdiff_t)ss_prec_size(part->run->prec);
    if (ss_box_empty(b))
        return SS_OK;
    char *there = data + ((b.y0 - box->y0) * stride + (b.x0 - box->x0)) * size;
    int array = which == 1 ? SS_PART_RIGHT : part->cur;
    if (ss_part_copy(part, array, field, &b, there, stride * size, put, err) != SS_OK)
        return SS_FAIL;
    return ss_part_copied(part, err);
}

int ss_part_put(ss_part_run *part, int which, int field, const ss_part_box *box, const void *data,
                ptrdiff_t stride, ss_err *err)
{
    if (which == 0)
        part->fresh = 0;
    return copy(part, which, field, box, ss_part_stored(part), (char *)(uintptr_t)data, stride,
                true, err);
}

int ss_part_get(ss_part_run *part, int which, int field, const ss_part_box *box, void *data,
                ptrdiff_t stride, ss_err *err)
{
    return copy(part, which, field, box, part->own, data, stride, false, err);
}

/* --- another division ------------------------------------------------------------------------- */

ss_part_box ss_part_owned_by(const ss_part_run *part, int rank)
{
    return part->setup.schedule->owned(&part->setup, &part->run->problem, rank, part->comm->size);
}

static ss_part_box stored_by(const ss_part_run *part, int rank)
{
    return ss_box_meet(reach(&part->setup, &part->run->problem, rank, part->comm->size),
                       ss_box_domain(&part->run->problem));
}

/* Have all ranks succeeded? */
static int all_agree(ss_comm *comm, bool mine, ss_err *err)
{
    double v = mine ? 0 : 1, *all = malloc((size_t)comm->size * sizeof *all);
    bool any = false;
    if (!all || comm->ops->gather(comm, &v, 1, err) != SS_OK ||
        comm->ops->gathered(comm, all, err) != SS_OK) {
        free(all);
        return SS_FAIL;
    }
    for (int r = 0; r < comm->size; r++)
        any |= all[r] > 0;
    free(all);
    if (any && mine)
        return ss_fail(err, "another rank has no memory for its part");
    return any ? SS_FAIL : SS_OK;
}

int ss_part_configure(ss_part_run **part, const ss_part_setup *setup, ss_err *err)
{
    ss_part_run *old = *part, *next = ss_part_open(setup, old->comm, err);
    if (all_agree(old->comm, next != NULL, err) != SS_OK ||
        ss_exchange_move(old, next, old->cur, next->cur, ss_part_owned_by, err) != SS_OK ||
        (old->run->eq->rhs &&
         ss_exchange_move(old, next, SS_PART_RIGHT, SS_PART_RIGHT, stored_by, err) != SS_OK)) {
        old->failed |= next && next->failed;
        ss_part_close(next);
        return SS_FAIL;
    }
    ss_part_close(old);
    *part = next;
    return SS_OK;
}

ss_run *ss_part_described(ss_part_run *part)
{
    return part->run;
}

/* --- batches ---------------------------------------------------------------------------------- */

int ss_part_step(ss_part_run *part, const ss_part_batch *batch, ss_part_done *done, ss_err *err)
{
    double began = ss_clock();
    done->cycles = done->dropped = 0;
    done->reached = done->stopped = false;
    done->norms = 0;
    part->compute = part->send = part->wait = 0;
    int status = part->setup.schedule->step(part, batch, done, err);
    if (status == SS_OK)
        status = ss_part_settle(part, err);
    done->seconds = ss_clock() - began;
    done->compute = done->seconds - part->send - part->wait;
    done->send = part->send;
    done->wait = part->wait;
    return status;
}

int ss_part_finish(ss_part_run *part, int64_t steps, ss_err *err)
{
    return ss_line_steps(part, steps, err);
}
