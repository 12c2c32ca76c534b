/*
 * Hierarchical Jacobi in overlapping subdomains ("shared memory"): each block takes its points and
 * a halo into private memory, iterates k times with the halo frozen, and writes back the points it
 * owns. One exchange instead of k. Source: Islam & Wang, hierarchical Jacobi, equations 8-10 and
 * 15-18. This file describes; the loops are in kernels/cpu/shared.c. Pure functions; any thread.
 */
#include <stdio.h>

#include "src/solver.h"

/* Bytes of private memory a block may ask for. Beyond any cache; a larger one is a mistake. */
#define TILE_BYTES_MAX (256.0 * 1024 * 1024)

static const char *const phases[] = {"load tile", "subiterate", "store", NULL};

static int even_below(int64_t block)
{
    return (int)((block - 1) / 2 * 2);
}

/* A block larger than the grid is one block, so there is nothing to be had beyond. */
#define BLOCK_USUAL 4096

static void block_up_to(int64_t n, double *lo, double *hi, const char **why)
{
    *lo = 1;
    *hi = n > BLOCK_USUAL ? (double)n : BLOCK_USUAL;
    *why = n > BLOCK_USUAL ? "the whole grid" : NULL;
}

static void range_block(const ss_config *cfg, double *lo, double *hi, const char **why)
{
    block_up_to(ss_config_int(cfg, "n"), lo, hi, why);
}

static void range_block_y(const ss_config *cfg, double *lo, double *hi, const char **why)
{
    /* While it follows block it may be as large as that one. */
    int64_t n = ss_config_int(cfg, "n"), ny = ss_config_int(cfg, "ny");
    block_up_to(n > ny ? n : ny, lo, hi, why);
}

static void range_overlap(const ss_config *cfg, double *lo, double *hi, const char **why)
{
    static _Thread_local char text[64];
    int64_t block = ss_config_int(cfg, "block");
    snprintf(text, sizeof text, "even and less than block %lld", (long long)block);
    *lo = 0;
    *hi = even_below(block);
    *why = text;
}

static void range_overlap_y(const ss_config *cfg, double *lo, double *hi, const char **why)
{
    static _Thread_local char text[64];
    int64_t block = ss_config_int(cfg, "block-y");
    snprintf(text, sizeof text, "even and less than block-y %lld", (long long)block);
    *lo = 0;
    *hi = even_below(block);
    *why = text;
}

/* From which overlap on a cycle is k exact Jacobi iterations, if the block has room for it. */
static void note_exact(const ss_config *cfg, const char *block, char *buf, size_t size)
{
    int64_t need = 2 * (ss_config_int(cfg, "k") - 1);
    int most = even_below(ss_config_int(cfg, block));
    if (need <= most)
        snprintf(buf, size, "exact from %lld", (long long)need);
    else
        snprintf(buf, size, "exact if k \xe2\x89\xa4 %d", most / 2 + 1);
}

static void note_overlap(const ss_config *cfg, char *buf, size_t size)
{
    note_exact(cfg, "block", buf, size);
}

static void note_overlap_y(const ss_config *cfg, char *buf, size_t size)
{
    note_exact(cfg, "block-y", buf, size);
}

#define LIVE (SS_P_LIVE | SS_P_CONTROL)
#define ROW(NAME, SYMBOL, UNIT)                                                                    \
    .name = NAME, .symbol = SYMBOL, .unit = UNIT, .group = "Method", .type = SS_INT

static ss_param params[] = {
    {ROW("k", "k", "subiterations"), .key = "k", .flags = LIVE | SS_P_LOG, .def = 8, .min = 1,
     .max = 1024, .step = 1, .help = "subiterations between two exchanges of the halos"},
    {ROW("block", "block", "points"), .key = "b", .flags = LIVE | SS_P_LOG | SS_P_POW2, .def = 32,
     .min = 1, .max = 1 << 30, .step = 1, .range = range_block,
     .help = "points of a subdomain in x, its overlap included"},
    {ROW("block-y", "block y", "points"), .flags = LIVE | SS_P_LOG | SS_P_POW2 | SS_P_PLANE,
     .def = 32, .min = 1, .max = 1 << 30, .step = 1, .range = range_block_y, .follows = "block",
     .help = "the same in y; as in x unless given"},
    {ROW("overlap", "overlap", "points"), .key = "o", .flags = LIVE | SS_P_EVEN, .min = 0,
     .max = 1 << 30, .step = 2, .range = range_overlap, .note = note_overlap,
     .help = "points that two neighbouring subdomains share in x"},
    {ROW("overlap-y", "overlap y", "points"), .flags = LIVE | SS_P_EVEN | SS_P_PLANE, .min = 0,
     .max = 1 << 30, .step = 2, .follows = "overlap", .range = range_overlap_y,
     .note = note_overlap_y, .help = "the same in y; as in x unless given"},
};

static int iterations_per_cycle(const ss_config *cfg)
{
    return (int)ss_config_int(cfg, "k");
}

static ss_tiling tiling(const ss_config *cfg, const ss_problem *p)
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

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

static int check(const ss_config *cfg, const ss_problem *p, ss_err *err)
{
    ss_tiling t = tiling(cfg, p);
    if (check_overlap(t.x, "block", "overlap", err) != SS_OK ||
        check_overlap(t.y, "block-y", "overlap-y", err) != SS_OK)
        return SS_FAIL;
    double tx = smaller(t.x.block, p->nx), ty = smaller(t.y.block, p->ny);
    double values = 2 * (tx + 2) * (p->dim == 1 ? 1 : ty + 2) + tx * ty;
    double bytes = values * (double)ss_prec_size((ss_prec)ss_config_int(cfg, "precision"));
    if (bytes <= TILE_BYTES_MAX)
        return SS_OK;
    char need[32], most[32];
    return ss_fail(
        err,
        "block: a tile of %.0f \xc3\x97 %.0f points needs %s of private memory, the most is "
        "%s: choose a smaller block or block-y",
        tx, ty, ss_format_bytes(bytes, need, sizeof need),
        ss_format_bytes(TILE_BYTES_MAX, most, sizeof most));
}

/* Sums over the subdomains of one direction. All but the first and the last are alike. */
typedef struct cut_sum {
    double points; /* covered, shared ones once per subdomain */
    double fresh;  /* written, and exact after k subiterations */
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
    for (int i = 0; i < smaller(c.count, 3); i++) {
        int j = i < 2 ? i : c.count - 1;
        double alike = i == 1 && c.count > 3 ? c.count - 2 : 1;
        ss_span s = ss_cut_span(c, j);
        sum.points += alike * (s.hi - s.lo);
        sum.fresh += alike * fresh_points(c, s, k);
    }
    return sum;
}

/* Global traffic: each tile's u with its halo and its g once, and every point is written once.
 * Private memory: what the updates read and write there. */
static void ledger(const ss_config *cfg, const ss_equation *eq, const ss_problem *p, ss_ledger *out)
{
    ss_tiling t = tiling(cfg, p);
    int k = iterations_per_cycle(cfg);
    cut_sum x = sum_cut(t.x, k), y = sum_cut(t.y, p->dim == 1 ? 1 : k);
    double bytes = eq->nfield * (double)ss_prec_size((ss_prec)ss_config_int(cfg, "precision"));
    double points = (double)p->nx * p->ny, covered = x.points * y.points;
    double halo = 2.0 * eq->radius * t.x.count * y.points;
    if (p->dim > 1)
        halo += 2.0 * eq->radius * t.y.count * x.points;
    *out = (ss_ledger){
        .blocks = (double)t.x.count * t.y.count,
        .launches = 1,
        .global_bytes = (2 * covered + halo + points) * bytes,
        .shared_bytes = k * covered * (eq->reads + eq->writes) * bytes,
        .barriers = (double)t.x.count * t.y.count * (k + 1),
        .updates = k * covered,
        .redundant_updates = k * (covered - points),
        .stale_kept = 1 - x.fresh * y.fresh / points,
    };
}

const ss_solver ss_solver_shared = {
    .name = "shared",
    .title = "hierarchical Jacobi",
    .help = "k subiterations in overlapping subdomains in fast private memory, then an exchange",
    .paper = "Islam & Wang: hierarchical Jacobi iteration for structured matrices on GPUs",
    .params = params,
    .nparam = sizeof params / sizeof *params,
    .phases = phases,
    .iterations_per_cycle = iterations_per_cycle,
    .check = check,
    .tiling = tiling,
    .ledger = ledger,
};
