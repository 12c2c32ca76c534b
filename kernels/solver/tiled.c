/*
 * Two schedules whose tiles are swept several times in fast private memory. This file describes
 * them. Pure functions; any thread.
 *
 * `shared`: hierarchical Jacobi in overlapping subdomains ("shared memory"), a form of temporal
 * blocking: each subdomain loads its points and a halo into private memory, does k subiterations
 * with a frozen halo, and writes back the points that it owns. One halo exchange instead of k.
 * Source: Islam & Wang, hierarchical Jacobi, equations 8-10 and 15-18. The loops are in
 * kernels/cpu/shared.c.
 *
 * `async`: "wild" asynchrony: a tile is swept several times per launch; it reads its neighbours'
 * latest halo values instead of waiting for them. Source: Venkatasubramanian & Vuduc, tuned and
 * wildly asynchronous stencil kernels, figures 7 to 10; alpha is their factor.
 *
 *     variant   sweeps per launch    copies of the tile   halo exchange        barriers per sweep
 *     0         2 floor(alpha/2)+1   two                  after every sweep    three
 *     1         the same             two                  after every sweep    one
 *     2         the same             two                  never: `shared`      one
 *     3         alpha + 1            one, in place        after every sweep    none
 *
 * The last sweep of a launch goes to the new field and is not exchanged. The age of a neighbour's
 * halo strip when it is read depends on timing on a GPU, on `seed` on a CPU. The loops are in
 * kernels/cpu/async.c and kernels/cuda/jacobi/async.cuh.
 */
#include "kernels/solver/schedules.h"

#include <math.h>
#include <stdio.h>

#include "src/base/common.h"

/* --- rows of both ----------------------------------------------------------------------------- */

/* The most private memory per tile, in bytes; larger than any cache. */
#define TILE_BYTES_MAX (256.0 * 1024 * 1024)

/* The upper end of the range on small grids. A block larger than the grid acts as one block. */
#define BLOCK_USUAL 4096

static void block_up_to(int64_t n, double *lo, double *hi, const char **why)
{
    *lo = 1;
    *hi = n > BLOCK_USUAL ? (double)n : BLOCK_USUAL;
    *why = n > BLOCK_USUAL ? "the whole grid" : NULL;
}

static void range_block(const ss_config *cfg, double *lo, double *hi, const char **why)
{
    ss_problem p = ss_config_problem(cfg);
    block_up_to(p.nx, lo, hi, why);
}

static void range_block_y(const ss_config *cfg, double *lo, double *hi, const char **why)
{
    /* While it follows `block`, it must be allowed the same values. */
    ss_problem p = ss_config_problem(cfg);
    block_up_to(p.nx > p.ny ? p.nx : p.ny, lo, hi, why);
}

/* Up to one block on the whole grid. */
static void track_block(const ss_config *cfg, ss_track *track)
{
    ss_problem p = ss_config_problem(cfg);
    track->hi = p.nx;
}

static void track_block_y(const ss_config *cfg, ss_track *track)
{
    ss_problem p = ss_config_problem(cfg);
    track->hi = p.ny;
}

/* Rows of solvers with the same name share their value: see registry.h. */
#define LIVE (SS_P_LIVE | SS_P_CONTROL)
#define ROW_BLOCK                                                                                  \
    SS_ROW_INT("block", "Method", 32, 1, 1 << 30),                                                 \
        .unit = "points", .flags = LIVE | SS_P_LOG | SS_P_POW2, .range = range_block,              \
        .track = track_block
#define ROW_BLOCK_Y                                                                                \
    SS_ROW_INT("block-y", "Method", 32, 1, 1 << 30),                                               \
        .symbol = "block y", .unit = "points", .flags = LIVE | SS_P_LOG | SS_P_POW2 | SS_P_PLANE,  \
        .follows = "block", .range = range_block_y, .track = track_block_y
#define ROW_OVERLAP(NAME)                                                                          \
    SS_ROW(NAME, "Method", SS_INT), .unit = "points", .max = 1 << 30, .step = 2

#define NO_PATCHES "its subdomains divide lines and planes only"

/* --- costs of both ---------------------------------------------------------------------------- */

/* Fails if a tile does not fit private memory: two copies with the halo, one of g without. */
static int tiled_check(const ss_config *cfg, const ss_problem *p, const ss_tiling *t, ss_err *err)
{
    double tx = ss_min(t->x.block, p->nx), ty = ss_min(t->y.block, p->ny);
    double values = 2 * (tx + 2) * (p->dim == 1 ? 1 : ty + 2) + tx * ty;
    double bytes = values * ss_value_bytes(cfg);
    if (bytes <= TILE_BYTES_MAX)
        return SS_OK;
    char need[32], most[32];
    return ss_fail(
        err,
        "block: a tile of %.0f \xc3\x97 %.0f points needs %s of private memory; the maximum is "
        "%s: choose a smaller block or block-y",
        tx, ty, ss_format_bytes(bytes, need, sizeof need),
        ss_format_bytes(TILE_BYTES_MAX, most, sizeof most));
}

/* Sums over the subdomains of one direction. All but the first and the last are equal. */
typedef struct cut_sum {
    double points; /* covered; shared points count once per subdomain */
    double fresh;  /* owned, and exact after k subiterations */
} cut_sum;

static double fresh_points(ss_cut c, ss_span s, int k)
{
    int lo = s.lo > 0 && s.lo + k - 1 > s.wlo ? s.lo + k - 1 : s.wlo;
    int hi = s.hi < c.n && s.hi - k + 1 < s.whi ? s.hi - k + 1 : s.whi;
    return hi > lo ? hi - lo : 0;
}

static cut_sum sum_cut(ss_cut c, int k)
{
    cut_sum sum = {0, 0};
    for (int i = 0; i < ss_min(c.count, 3); i++) {
        int j = i < 2 ? i : c.count - 1;
        double equal = i == 1 && c.count > 3 ? c.count - 2 : 1;
        ss_span s = ss_cut_span(c, j);
        sum.points += equal * (s.hi - s.lo);
        sum.fresh += equal * fresh_points(c, s, k);
    }
    return sum;
}

/* Halo points of all tiles together, those at the ends of the domain included: a tile loads them
 * with its points. */
static double tiled_halo(const ss_equation *eq, const ss_problem *p, const ss_tiling *t)
{
    double halo = 2.0 * eq->radius * t->x.count * sum_cut(t->y, 1).points;
    if (p->dim > 1)
        halo += 2.0 * eq->radius * t->y.count * sum_cut(t->x, 1).points;
    return halo;
}

double ss_tiled_exchange(const ss_equation *eq, const ss_problem *p, const ss_tiling *t)
{
    double read = 2.0 * eq->radius * (t->x.count - 1) * sum_cut(t->y, 1).points;
    if (p->dim > 1)
        read += 2.0 * eq->radius * (t->y.count - 1) * sum_cut(t->x, 1).points;
    return read;
}

/* The costs of k sweeps of every tile between two halo exchanges. stale_kept: the share of the
 * owned points whose values can depend on stale halo cells. Global traffic: each tile reads u with
 * its halo and g once, and every point is written once. Private memory: the reads and writes of the
 * updates. */
static void tiled_ledger(const ss_config *cfg, const ss_equation *eq, const ss_problem *p,
                         const ss_tiling *t, int k, ss_ledger *out)
{
    cut_sum x = sum_cut(t->x, k), y = sum_cut(t->y, p->dim == 1 ? 1 : k);
    double bytes = eq->nfield * ss_value_bytes(cfg);
    double points = (double)p->nx * p->ny, covered = x.points * y.points;
    *out = (ss_ledger){
        .blocks = (double)t->x.count * t->y.count,
        .launches = 1,
        .global_bytes = (2 * covered + tiled_halo(eq, p, t) + points) * bytes,
        .shared_bytes = k * covered * (eq->reads + eq->writes) * bytes,
        .barriers = (double)t->x.count * t->y.count * (k + 1),
        .updates = k * covered,
        .operations = k * covered * eq->flops,
        .redundant_updates = k * (covered - points),
        .stale_kept = 1 - x.fresh * y.fresh / points,
    };
}

/* --- shared ----------------------------------------------------------------------------------- */

static const char *const shared_phases[] = {"load tile", "subiterate", "store", NULL};

static int even_below(int64_t block)
{
    return (int)((block - 1) / 2 * 2);
}

static void range_below(const ss_config *cfg, const char *row, double *lo, double *hi,
                        const char **why)
{
    static _Thread_local char text[64];
    int64_t block = ss_config_int(cfg, row);
    snprintf(text, sizeof text, "even and less than %s %lld", row, (long long)block);
    *lo = 0;
    *hi = even_below(block);
    *why = text;
}

static void range_overlap(const ss_config *cfg, double *lo, double *hi, const char **why)
{
    range_below(cfg, "block", lo, hi, why);
}

static void range_overlap_y(const ss_config *cfg, double *lo, double *hi, const char **why)
{
    range_below(cfg, "block-y", lo, hi, why);
}

/* The smaller of the values of two rows, the second of which applies to planes only. */
static int64_t smaller(const ss_config *cfg, const char *x, const char *y)
{
    ss_problem p = ss_config_problem(cfg);
    int64_t a = ss_config_int(cfg, x), b = p.dim > 1 ? ss_config_int(cfg, y) : a;
    return a < b ? a : b;
}

/* A side of a subdomain owns the points beyond half of the overlap, and k iterations make all but
 * the last k - 1 points next to the halo exact. */
static int64_t need_of(const ss_config *cfg)
{
    return 2 * (ss_config_int(cfg, "k") - 1);
}

/* After as many subiterations as a block has points, every one of them depends on its halo. Marked:
 * the largest k that is exact with the present overlap. */
static void track_k(const ss_config *cfg, ss_track *track)
{
    int64_t overlap = smaller(cfg, "overlap", "overlap-y"), k = overlap / 2 + 1;
    double block = (double)smaller(cfg, "block", "block-y");
    track->hi = fmin(track->hi, fmax(block, 8));
    track->mark = overlap > 0 ? (double)k : (double)NAN;
}

static void mark_overlap(const ss_config *cfg, const char *block, ss_track *track)
{
    double need = (double)need_of(cfg);
    track->mark = need > 0 && need <= even_below(ss_config_int(cfg, block)) ? need : (double)NAN;
}

static void track_overlap(const ss_config *cfg, ss_track *track)
{
    mark_overlap(cfg, "block", track);
}

static void track_overlap_y(const ss_config *cfg, ss_track *track)
{
    mark_overlap(cfg, "block-y", track);
}

/* The least overlap with which a cycle equals k iterations of the whole field, or, if the block is
 * too small for it, the largest k for which there is one. */
static void write_exact(const ss_config *cfg, const char *block, const char *overlap, char *buf,
                        size_t size)
{
    int64_t need = need_of(cfg);
    int most = even_below(ss_config_int(cfg, block));
    if (need <= most)
        snprintf(buf, size, "exact from %s %lld", overlap, (long long)need);
    else
        snprintf(buf, size, "exact %s needs k \xe2\x89\xa4 %d", overlap, most / 2 + 1);
}

static void note_overlap(const ss_config *cfg, char *buf, size_t size)
{
    write_exact(cfg, "block", "overlap", buf, size);
}

static void note_overlap_y(const ss_config *cfg, char *buf, size_t size)
{
    write_exact(cfg, "block-y", "overlap-y", buf, size);
}

// clang-format off
static ss_param shared_params[] = {
    {SS_ROW_INT("k", "Method", 8, 1, 1024), .unit = "subiterations", .key = "k",
     .flags = LIVE | SS_P_LOG, .track = track_k,
     .help = "subiterations between two exchanges of the halos"},
    {ROW_BLOCK, .key = "b", .help = "points of a subdomain in x, its overlap included"},
    {ROW_BLOCK_Y, .help = "the same in y; as in x unless given"},
    {ROW_OVERLAP("overlap"), .key = "o", .flags = LIVE | SS_P_EVEN,
     .range = range_overlap, .note = note_overlap, .track = track_overlap,
     .help = "points that two neighbouring subdomains share in x"},
    {ROW_OVERLAP("overlap-y"), .symbol = "overlap y", .follows = "overlap",
     .flags = LIVE | SS_P_EVEN | SS_P_PLANE, .range = range_overlap_y,
     .note = note_overlap_y, .track = track_overlap_y,
     .help = "the same in y; as in x unless given"},
};
// clang-format on

static int shared_iterations(const ss_config *cfg, const ss_problem *p)
{
    (void)p;
    return (int)ss_config_int(cfg, "k");
}

static ss_tiling shared_tiling(const ss_config *cfg, const ss_problem *p)
{
    ss_tiling t;
    t.x = ss_cut_make(p->nx, (int)ss_config_int(cfg, "block"), (int)ss_config_int(cfg, "overlap"));
    t.y = p->dim == 1 ? ss_cut_make(p->ny, 1, 0)
                      : ss_cut_make(p->ny, (int)ss_config_int(cfg, "block-y"),
                                    (int)ss_config_int(cfg, "overlap-y"));
    return t;
}

static int check_overlap(ss_cut c, const char *block, const char *overlap, ss_err *err)
{
    if (c.overlap % 2 == 0 && c.overlap >= 0 && c.overlap < c.block)
        return SS_OK;
    return ss_fail(err, "%s: %d must be even and in 0\xe2\x80\xa6%d (less than %s %d)", overlap,
                   c.overlap, even_below(c.block), block, c.block);
}

static int shared_check(const ss_config *cfg, const ss_problem *p, ss_err *err)
{
    ss_tiling t = shared_tiling(cfg, p);
    if (check_overlap(t.x, "block", "overlap", err) != SS_OK ||
        check_overlap(t.y, "block-y", "overlap-y", err) != SS_OK)
        return SS_FAIL;
    return tiled_check(cfg, p, &t, err);
}

static void shared_ledger(const ss_config *cfg, const ss_equation *eq, const ss_problem *p,
                          ss_ledger *out)
{
    ss_tiling t = shared_tiling(cfg, p);
    tiled_ledger(cfg, eq, p, &t, shared_iterations(cfg, p), out);
}

static bool is_exact(ss_cut c, int k)
{
    return c.count == 1 || c.overlap >= 2 * (k - 1);
}

bool ss_shared_exact(const ss_config *cfg, const ss_problem *p)
{
    ss_tiling t = shared_tiling(cfg, p);
    int k = shared_iterations(cfg, p);
    return is_exact(t.x, k) && (p->dim == 1 || is_exact(t.y, k));
}

/* With enough overlap a cycle is k Jacobi iterations. */
static double shared_factor(const ss_config *cfg, const ss_problem *p)
{
    int k = shared_iterations(cfg, p);
    return ss_shared_exact(cfg, p) ? pow(ss_config_spectral_radius(cfg), k) : (double)NAN;
}

const ss_solver ss_solver_shared = {
    .name = "shared",
    .title = "hierarchical Jacobi",
    .help = "k subiterations in overlapping subdomains in fast private memory, then an exchange",
    .classic = "jacobi",
    .paper = "Islam & Wang: hierarchical Jacobi iteration for structured matrices on GPUs",
    .no_patches = NO_PATCHES,
    SS_PARAMS(shared_params),
    .phases = shared_phases,
    .iterations_per_cycle = shared_iterations,
    .check = shared_check,
    .tiling = shared_tiling,
    .ledger = shared_ledger,
    .ranks = ss_ranks_tiled,
    .factor = shared_factor,
    .falls_steadily = true,
};

/* --- async ------------------------------------------------------------------------------------ */

const ss_async_variant ss_async_variants[SS_NASYNC] = {
    [SS_ASYNC_FULL] = {.exchange = true, .barriers = 3},
    [SS_ASYNC_LOOSE] = {.exchange = true, .barriers = 1},
    [SS_ASYNC_MUTE] = {.barriers = 1},
    [SS_ASYNC_WILD] = {.exchange = true, .in_place = true},
};

const ss_async_variant *ss_async_variant_of(const ss_config *cfg)
{
    return &ss_async_variants[ss_config_int(cfg, "variant")];
}

static const char *const async_phases[] = {"load tile", "sweep and exchange", "store", NULL};
static const char *const variants[] = {"0", "1", "2", "3", NULL};
static const char *const variant_help[] = {
    "two copies of a tile, halos exchanged after every sweep, all barriers",
    "as 0, without four of the six barriers of two sweeps",
    "no exchange within a launch: shared without overlap",
    "one copy, updated in place, halos exchanged, no barrier after the load", NULL};

// clang-format off
static ss_param async_params[] = {
    {SS_ROW_CHOICE("variant", "Method", variants, variant_help), .key = "v",
     .flags = LIVE, .def = SS_ASYNC_WILD,
     .help = "the synchronisation that is omitted, more from 0 to 3"},
    {SS_ROW_INT("alpha", "Method", 4, 1, 64), .unit = "sweeps", .key = "a",
     .flags = LIVE | SS_P_LOG,
     .help = "asynchronous factor: about the number of sweeps of a tile per launch"},
    {ROW_BLOCK, .key = "b", .help = "points of a tile in x"},
    {ROW_BLOCK_Y, .help = "the same in y; as in x unless given"},
};
// clang-format on

static int async_iterations_per_cycle(const ss_config *cfg, const ss_problem *p)
{
    (void)p;
    int alpha = (int)ss_config_int(cfg, "alpha");
    return ss_async_variant_of(cfg)->in_place ? alpha + 1 : 2 * (alpha / 2) + 1;
}

static ss_tiling async_tiling(const ss_config *cfg, const ss_problem *p)
{
    ss_tiling t;
    t.x = ss_cut_make(p->nx, (int)ss_config_int(cfg, "block"), 0);
    t.y = ss_cut_make(p->ny, p->dim == 1 ? 1 : (int)ss_config_int(cfg, "block-y"), 0);
    return t;
}

static int async_check(const ss_config *cfg, const ss_problem *p, ss_err *err)
{
    ss_tiling t = async_tiling(cfg, p);
    return tiled_check(cfg, p, &t, err);
}

/* As for frozen halos; in addition every exchange writes and reads each halo strip that has a
 * neighbour on its other side. */
static void async_ledger(const ss_config *cfg, const ss_equation *eq, const ss_problem *p,
                         ss_ledger *out)
{
    ss_tiling t = async_tiling(cfg, p);
    const ss_async_variant *v = ss_async_variant_of(cfg);
    int sweeps = async_iterations_per_cycle(cfg, p);
    double bytes = eq->nfield * ss_value_bytes(cfg);
    tiled_ledger(cfg, eq, p, &t, sweeps, out);
    out->barriers = out->blocks * ((sweeps - 1) * v->barriers + 1);
    out->stale_kept = v->exchange ? (double)NAN : out->stale_kept; /* the order decides */
    if (v->exchange)
        out->global_bytes += (sweeps - 1) * 2 * ss_tiled_exchange(eq, p, &t) * bytes;
}

const ss_solver ss_solver_async = {
    .name = "async",
    .title = "asynchronous Jacobi",
    .help = "tiles swept without global synchronisation: halos are exchanged, no tile waits",
    .classic = "jacobi",
    .any_order = true,
    .paper = "Venkatasubramanian & Vuduc: tuned and wildly asynchronous stencil kernels for hybrid "
             "CPU/GPU systems",
    .no_patches = NO_PATCHES,
    SS_PARAMS(async_params),
    .phases = async_phases,
    .iterations_per_cycle = async_iterations_per_cycle,
    .check = async_check,
    .tiling = async_tiling,
    .ledger = async_ledger,
    .falls_steadily = true,
};
