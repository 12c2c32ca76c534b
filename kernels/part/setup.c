/*
 * How the points are divided: the schedules jacobi and shared, and what part.h says of any setup
 * before a part exists. Pure.
 */
#include "kernels/part/inner.h"

#include "kernels/cpu/simd/team.h"
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
    ss_problem p;
    ss_config_problem(setup->cfg, &p);
    if (ranks < 1)
        return ss_fail(err, "ranks: %d is out of range: use at least 1", ranks);
    if (p.dim > 2)
        return ss_fail(err, "ranks: a domain of patches is not divided among ranks");
    return setup->schedule->check(setup, &p, ranks, err);
}

ss_part_box ss_part_owned(const ss_part_setup *setup, int rank, int ranks)
{
    ss_problem p;
    ss_config_problem(setup->cfg, &p);
    return setup->schedule->owned(setup, &p, rank, ranks);
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
    ss_problem p;
    ss_tiling t = {{1, 1, 0, 1}, {1, 1, 0, 1}};
    ss_config_problem(setup->cfg, &p);
    find_tiling(setup, &p, ranks, &t);
    return t;
}

ss_part_box ss_part_reach(const ss_part_setup *setup, const ss_problem *p, int rank, int ranks)
{
    const ss_part_schedule *s = setup->schedule;
    int more = s->beyond(setup, p);
    ss_part_box b = ss_box_grow(s->cover(setup, p, rank, ranks), more, p->dim > 1 ? more : 0);
    return s->kind == SS_STEADY ? ss_box_meet(b, ss_box_domain(p)) : b;
}
