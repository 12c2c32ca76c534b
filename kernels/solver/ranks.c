/* Modelled ranks of each schedule: see schedules.h. */
#include "kernels/solver/schedules.h"

#include <stdio.h>
#include <string.h>

#include "src/base/common.h"
#include "src/core/registry.h"

/* --- rows ------------------------------------------------------------------------------------- */

/* The parts of a problem that a rank can have: points, subdomains or nodes. */
typedef struct parts {
    int x, y;
    const char *name;
} parts;

static parts parts_of(const ss_config *cfg, const ss_problem *p)
{
    const ss_solver *solver = ss_config_solver(cfg);
    if (solver->nodes)
        return (parts){solver->nodes(cfg, p).count, 1, "nodes"};
    if (solver->tiling) {
        ss_tiling t = solver->tiling(cfg, p);
        return (parts){t.x.count, p->dim == 1 ? 1 : t.y.count, "subdomains"};
    }
    return (parts){p->nx / p->radius, p->dim == 1 ? 1 : p->ny / p->radius, "points"};
}

void ss_ranks_range(const ss_config *cfg, double *lo, double *hi, const char **why)
{
    static _Thread_local char text[64];
    ss_problem p = ss_config_problem(cfg);
    parts all = parts_of(cfg, &p);
    double most = (double)all.x * all.y;
    *lo = 0;
    if (most >= *hi)
        return;
    *hi = most;
    snprintf(text, sizeof text, "a rank has at least one of %.0f %s", most, all.name);
    *why = text;
}

double ss_ranks_usual(const ss_config *cfg)
{
    bool far = ss_config_given(cfg, "latency") && ss_config_real(cfg, "latency") > 0;
    return far ? 4 : 0;
}

double ss_ranks_usual_latency(const ss_config *cfg)
{
    return ss_config_given(cfg, "ranks-model") && ss_config_int(cfg, "ranks-model") > 1 ? 20e-6 : 0;
}

/* Among the controls once there are ranks; time-dependent runs always offer the latency. */
bool ss_ranks_shown(const ss_config *cfg)
{
    return ss_config_int(cfg, "ranks-model") > 1;
}

bool ss_ranks_shown_latency(const ss_config *cfg)
{
    return ss_ranks_shown(cfg) || ss_config_equation(cfg)->kind == SS_TRANSIENT;
}

/* --- the grid of ranks ------------------------------------------------------------------------ */

static int begin(const ss_config *cfg, const ss_problem *p, ss_ranks_plan *out, ss_err *err)
{
    parts all = parts_of(cfg, p);
    int count = (int)ss_config_int(cfg, "ranks-model");
    memset(out, 0, sizeof *out);
    out->count = count;
    out->levels = out->steps = out->exchanges = 1;
    if (ss_ranks_grid(count, p->nx, p->ny, all.x, all.y, &out->columns, &out->rows))
        return SS_OK;
    return ss_fail(err,
                   "ranks-model: %d ranks cannot divide %d \xc3\x97 %d %s into equal columns and "
                   "rows of at least one: choose another number of ranks or smaller subdomains",
                   count, all.x, all.y, all.name);
}

/* The first of `n` things that rank r of `ranks` has; r + 1 ends them. */
static int first_of(int n, int r, int ranks)
{
    return (int)((int64_t)n * r / ranks);
}

/* The ranks' part of one direction. */
typedef struct side {
    double own;           /* points */
    double before, after; /* halo points that it needs of each neighbour; 0: there is none */
} side;

static double value_bytes(const ss_config *cfg, const ss_equation *eq)
{
    return eq->nfield * ss_value_bytes(cfg);
}

/* Halo points that `to`, `way` = -1, 0, 1 from here, needs of our points along one direction; the
 * neighbour's halo towards us, or, along a common edge, our own length. */
static double needed(const side *from, const side *to, int way)
{
    return way == 0 ? from->own : way < 0 ? to->after : to->before;
}

/* The messages of a halo exchange on the grid, to all neighbours of all ranks; `corners`: also to
 * the diagonal ones; `periodic`: the first and the last column are neighbours. Returns the first.
 */
static int add_halo(ss_ranks_plan *out, const side *x, const side *y, bool corners, bool periodic,
                    double bytes)
{
    int first = out->nmessage;
    for (int r = 0; r < out->count; r++)
        for (int way = 0; way < 9; way++) {
            int dx = way % 3 - 1, dy = way / 3 - 1, cx = r % out->columns, cy = r / out->columns;
            int tx = periodic ? (cx + dx + out->columns) % out->columns : cx + dx, ty = cy + dy;
            bool inside = tx >= 0 && tx < out->columns && ty >= 0 && ty < out->rows;
            if (way == 4 || !inside || (dx && dy && !corners))
                continue;
            ss_ranks_message_add(out, r, tx + ty * out->columns,
                                 bytes * needed(&x[cx], &x[tx], dx) * needed(&y[cy], &y[ty], dy));
        }
    return first;
}

static void describe(ss_ranks_plan *out, const char *formula, const char *where)
{
    snprintf(out->formula, sizeof out->formula, formula, ss_ranks_calls(out));
    snprintf(out->where, sizeof out->where, "%s", where);
}

#define CLASSIC_WHERE "c: work, s: bytes/link rate"

/* --- points ----------------------------------------------------------------------------------- */

/* Points of each rank along one direction, with a halo of `depth`. */
static void divide(int n, int ranks, int depth, bool periodic, side *out)
{
    for (int r = 0; r < ranks; r++)
        out[r] = (side){.own = first_of(n, r + 1, ranks) - first_of(n, r, ranks),
                        .before = r > 0 || periodic ? depth : 0,
                        .after = r + 1 < ranks || periodic ? depth : 0};
}

/* Points that need no halo: all but `halo` at each end with a neighbour. */
static double inner(const side *s, double halo)
{
    double n = s->own - (s->before > 0 ? halo : 0) - (s->after > 0 ? halo : 0);
    return n > 0 ? n : 0;
}

/* `passes` exchanges per cycle, each of a share of the halo before a share of the work; the halo is
 * as deep as so many iterations need. */
typedef struct exchanges {
    int passes, depth;
    double share;
    bool periodic;
} exchanges;

static exchanges exchanges_of(const ss_config *cfg, const ss_equation *eq, const ss_problem *p)
{
    const ss_solver *solver = ss_config_solver(cfg);
    if (eq->kind == SS_TRANSIENT) /* of each level */
        return (exchanges){p->nstage, 1, 1, eq->bc == SS_BC_PERIODIC};
    int passes = solver->ticks_per_cycle ? solver->ticks_per_cycle(cfg, p) : 1; /* colours */
    int depth = solver->iterations_per_cycle ? solver->iterations_per_cycle(cfg, p) : 1;
    return (exchanges){passes, depth, 1.0 / passes, false};
}

static void add_passes(const exchanges *e, const ss_config *cfg, const ss_equation *eq,
                       const ss_problem *p, ss_ranks_plan *out)
{
    side x[SS_RANKS_MAX], y[SS_RANKS_MAX];
    double in[SS_RANKS_MAX], edge[SS_RANKS_MAX];
    int depth = e->depth * p->radius;
    divide(p->nx, out->columns, depth, e->periodic, x);
    divide(p->ny, out->rows, depth, false, y);
    for (int r = 0; r < out->count; r++) {
        const side *a = &x[r % out->columns], *b = &y[r / out->columns];
        in[r] = inner(a, depth) * inner(b, depth) * e->share;
        edge[r] = a->own * b->own * e->share - in[r];
    }
    for (int pass = 0; pass < e->passes; pass++) {
        int first = add_halo(out, x, y, false, e->periodic, value_bytes(cfg, eq) * e->share);
        ss_ranks_exchange(out, first, out->nmessage - first, ss_config_int(cfg, "hide-messages"),
                          in, edge);
    }
}

/* One global reduction after another. Not modelled: that a pipelined one can be hidden, and that
 * the points of a deep halo are computed twice. */
static void add_reductions(int reductions, ss_ranks_plan *out)
{
    size_t n = strlen(out->formula);
    snprintf(out->formula + n, sizeof out->formula - n, " + %d log2 P (L + 2 o)", reductions);
    for (int i = 0; i < reductions; i++)
        ss_ranks_reduction_add(out);
}

int ss_ranks_points(const ss_config *cfg, const ss_equation *eq, const ss_problem *p,
                    ss_ranks_plan *out, ss_err *err)
{
    ss_ledger one;
    exchanges e = exchanges_of(cfg, eq, p);
    bool hide = ss_config_int(cfg, "hide-messages") != 0, colours = e.share < 1;
    if (begin(cfg, p, out, err) != SS_OK)
        return SS_FAIL;
    out->exchanges = e.passes;
    if (eq->kind == SS_TRANSIENT)
        out->levels = e.passes;
    else
        out->levels = out->steps = e.depth;
    add_passes(&e, cfg, eq, p, out);
    describe(out,
             colours && hide ? "2 [max(c/2, L + s/2) + %d o]"
             : colours       ? "c + 2 (L + s/2 + %d o)"
             : hide          ? "max(c, L + s) + %d o"
                             : "c + L + s + %d o",
             CLASSIC_WHERE);
    ss_config_solver(cfg)->ledger(cfg, eq, p, &one);
    if (one.reductions > 0)
        add_reductions((int)one.reductions, out);
    return SS_OK;
}

/* --- subdomains ------------------------------------------------------------------------------- */

/* Subdomains [first, end) of a direction. */
typedef struct group {
    int first, end;
} group;

static group group_of(ss_cut c, int r, int ranks)
{
    return (group){first_of(c.count, r, ranks), first_of(c.count, r + 1, ranks)};
}

static void divide_cut(ss_cut c, int ranks, int radius, side *out)
{
    for (int r = 0; r < ranks; r++) {
        group g = group_of(c, r, ranks);
        ss_span a = ss_cut_span(c, g.first), b = ss_cut_span(c, g.end - 1);
        out[r] = (side){.own = b.whi - a.wlo,
                        .before = r > 0 ? a.wlo - a.lo + radius : 0,
                        .after = r + 1 < ranks ? b.hi - b.whi + radius : 0};
    }
}

/* Points of a rank's subdomains along one direction; without: those within `levels` points of
 * the ends of its own points, and beyond them (levels < 0: none). */
static double covered(ss_cut c, group g, bool before, bool after, int levels)
{
    int lo = ss_cut_span(c, g.first).wlo + levels, hi = ss_cut_span(c, g.end - 1).whi - levels;
    double sum = 0;
    for (int j = g.first; j < g.end; j++) {
        ss_span s = ss_cut_span(c, j);
        int from = before && levels >= 0 && s.lo < lo ? lo : s.lo;
        int to = after && levels >= 0 && s.hi > hi ? hi : s.hi;
        sum += to > from ? to - from : 0;
    }
    return sum;
}

/* Updates of a rank in k subiterations: all, and those that need no halo of another rank. */
static void tiled_work(const ss_ranks_plan *out, const ss_tiling *t, int r, int k, int radius,
                       double *all, double *in)
{
    int cx = r % out->columns, cy = r / out->columns;
    group gx = group_of(t->x, cx, out->columns), gy = group_of(t->y, cy, out->rows);
    bool west = cx > 0, east = cx + 1 < out->columns, south = cy > 0, north = cy + 1 < out->rows;
    *all = k * covered(t->x, gx, west, east, -1) * covered(t->y, gy, south, north, -1);
    *in = 0;
    for (int s = 1; s <= k; s++)
        *in +=
            covered(t->x, gx, west, east, s * radius) * covered(t->y, gy, south, north, s * radius);
}

/* A message brings points of the adjacent rank only. */
static int check_halo(const side *s, int ranks, const char *overlap, ss_err *err)
{
    for (int r = 0; r + 1 < ranks; r++) {
        const side *a = &s[r], *b = &s[r + 1];
        double need = a->after > b->own ? a->after : b->before,
               has = a->after > b->own ? b->own : a->own;
        if (need > has)
            return ss_fail(err,
                           "ranks-model: with this %s a rank needs %.0f points of its neighbour, "
                           "which owns only %.0f: choose fewer ranks or a smaller %s",
                           overlap, need, has, overlap);
    }
    return SS_OK;
}

int ss_ranks_tiled(const ss_config *cfg, const ss_equation *eq, const ss_problem *p,
                   ss_ranks_plan *out, ss_err *err)
{
    side x[SS_RANKS_MAX], y[SS_RANKS_MAX];
    double in[SS_RANKS_MAX], edge[SS_RANKS_MAX], all;
    ss_tiling t = ss_config_solver(cfg)->tiling(cfg, p);
    int k = (int)ss_config_int(cfg, "k");
    if (begin(cfg, p, out, err) != SS_OK)
        return SS_FAIL;
    divide_cut(t.x, out->columns, p->radius, x);
    divide_cut(t.y, out->rows, p->radius, y);
    if (check_halo(x, out->columns, "overlap", err) != SS_OK ||
        check_halo(y, out->rows, "overlap-y", err) != SS_OK)
        return SS_FAIL;
    for (int r = 0; r < out->count; r++) {
        tiled_work(out, &t, r, k, p->radius, &all, &in[r]);
        edge[r] = all - in[r];
    }
    bool corners = p->dim > 1 && (t.x.overlap > 0 || t.y.overlap > 0);
    bool hide = ss_config_int(cfg, "hide-messages") != 0;
    out->levels = out->steps = k;
    add_halo(out, x, y, corners, false, value_bytes(cfg, eq));
    ss_ranks_exchange(out, 0, out->nmessage, hide, in, edge);
    describe(out, hide ? "[max(w, L + s) + k c - w + %d o] / k" : "[k c + L + s + %d o] / k",
             hide ? CLASSIC_WHERE ", w: work that needs no halo" : CLASSIC_WHERE);
    return SS_OK;
}

/* --- the swept rule --------------------------------------------------------------------------- */

/* The nodes of a rank in a diamond: `all`, and among them `edge`, after which its message leaves.
 * The node that the ends of the line split is computed by the first and the last rank. */
typedef struct swept_share {
    double all, edge;
} swept_share;

static swept_share share_of(ss_swept s, int rank, int ranks, bool shifted, bool periodic,
                            bool sends)
{
    swept_share w = {first_of(s.count, rank + 1, ranks) - first_of(s.count, rank, ranks), 0};
    if (shifted && !periodic)
        w.all += rank == 0 ? 0.5 : rank == ranks - 1 ? -0.5 : 0;
    w.edge = !sends ? 0 : w.all < 1 ? w.all : 1;
    return w;
}

/* One diamond: its edge node, the messages to one side, its other nodes. Nodes that are not shifted
 * send to the left, shifted ones to the right. */
static int add_diamond(ss_ranks_plan *out, ss_swept s, bool shifted, bool periodic, bool hide,
                       double bytes)
{
    int first = out->nmessage, way = shifted ? 1 : -1;
    double rest[SS_RANKS_MAX], *edge = ss_ranks_compute(out);
    for (int r = 0; r < out->count; r++) {
        int to = r + way;
        bool sends = periodic || (to >= 0 && to < out->count);
        swept_share w = share_of(s, r, out->count, shifted, periodic, sends);
        double updates = (double)s.block * s.height;
        edge[r] = updates * (hide ? w.edge : w.all);
        rest[r] = updates * (w.all - w.edge);
        if (sends)
            ss_ranks_message_add(out, r, (to + out->count) % out->count, bytes);
    }
    ss_ranks_send(out, first, out->nmessage - first);
    if (hide)
        memcpy(ss_ranks_compute(out), rest, (size_t)out->count * sizeof *rest);
    return first;
}

/* The messages of the nodes that are not shifted are in flight between two cycles: the closing
 * triangle of a cycle and the first one of the next are one diamond. */
int ss_ranks_swept(const ss_config *cfg, const ss_equation *eq, const ss_problem *p,
                   ss_ranks_plan *out, ss_err *err)
{
    ss_swept s = ss_config_solver(cfg)->nodes(cfg, p);
    bool periodic = eq->bc == SS_BC_PERIODIC, hide = ss_config_int(cfg, "hide-messages") != 0;
    if (begin(cfg, p, out, err) != SS_OK)
        return SS_FAIL;
    /* An edge: the last two levels of half a node, and R points beyond it for the waist. */
    double bytes = 2 * (s.block / 2 + s.radius) * value_bytes(cfg, eq);
    int left = periodic ? out->count : out->count - 1;
    out->levels = 2 * s.height;
    out->steps = 2 * s.height / p->nstage;
    out->exchanges = 2;
    out->points = s.n;
    out->per_level = 2 * s.radius;
    ss_ranks_phase *receive_left = &out->phase[0];
    ss_ranks_receive(out, 0, 0);
    int right = add_diamond(out, s, true, periodic, hide, bytes);
    ss_ranks_receive(out, right, left);
    receive_left->first = add_diamond(out, s, false, periodic, hide, bytes);
    receive_left->count = left;
    snprintf(out->formula, sizeof out->formula, "%s",
             hide ? "[max(h c (m-1)/m, L + s) + h c/m + 2 o] / h" : "[h c + L + s + 2 o] / h");
    snprintf(out->where, sizeof out->where,
             "h = %d levels per diamond, m = %d nodes per rank, s: bytes/link rate", s.height,
             s.count / out->count);
    return SS_OK;
}
