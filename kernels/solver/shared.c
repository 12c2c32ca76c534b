/*
 * Hierarchical Jacobi in overlapping subdomains ("shared memory"), a form of temporal blocking:
 * each subdomain loads its points and a halo into private memory, does k subiterations with a
 * frozen halo, and writes back the points that it owns. One halo exchange instead of k. Source:
 * Islam & Wang, hierarchical Jacobi, equations 8-10 and 15-18. This file describes the schedule;
 * the loops are in kernels/cpu/shared.c. Pure functions; any thread.
 */
#include <math.h>
#include <stdio.h>

#include "kernels/solver/ranks.h"
#include "kernels/solver/tiled.h"

static const char *const phases[] = {"load tile", "subiterate", "store", NULL};

static int even_below(int64_t block)
{
    return (int)((block - 1) / 2 * 2);
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

/* The smaller of the values of two rows, the second of which applies to planes only. */
static int64_t smaller(const ss_config *cfg, const char *x, const char *y)
{
    ss_problem p;
    ss_config_problem(cfg, &p);
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
static ss_param params[] = {
    {SS_ROW_INT("k", "Method", 8, 1, 1024), .unit = "subiterations", .key = "k",
     .flags = SS_TILED_LIVE | SS_P_LOG, .track = track_k,
     .help = "subiterations between two exchanges of the halos"},
    {SS_TILED_BLOCK, .key = "b", .help = "points of a subdomain in x, its overlap included"},
    {SS_TILED_BLOCK_Y, .help = "the same in y; as in x unless given"},
    {SS_TILED_OVERLAP("overlap"), .key = "o", .flags = SS_TILED_LIVE | SS_P_EVEN,
     .range = range_overlap, .note = note_overlap, .track = track_overlap,
     .help = "points that two neighbouring subdomains share in x"},
    {SS_TILED_OVERLAP("overlap-y"), .symbol = "overlap y", .follows = "overlap",
     .flags = SS_TILED_LIVE | SS_P_EVEN | SS_P_PLANE, .range = range_overlap_y,
     .note = note_overlap_y, .track = track_overlap_y,
     .help = "the same in y; as in x unless given"},
};
// clang-format on

static int iterations(const ss_config *cfg, const ss_problem *p)
{
    (void)p;
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

static int check(const ss_config *cfg, const ss_problem *p, ss_err *err)
{
    ss_tiling t = tiling(cfg, p);
    if (check_overlap(t.x, "block", "overlap", err) != SS_OK ||
        check_overlap(t.y, "block-y", "overlap-y", err) != SS_OK)
        return SS_FAIL;
    return ss_tiled_check(cfg, p, &t, err);
}

static void ledger(const ss_config *cfg, const ss_equation *eq, const ss_problem *p, ss_ledger *out)
{
    ss_tiling t = tiling(cfg, p);
    ss_tiled_ledger(cfg, eq, p, &t, iterations(cfg, p), out);
}

static bool is_exact(ss_cut c, int k)
{
    return c.count == 1 || c.overlap >= 2 * (k - 1);
}

bool ss_shared_exact(const ss_config *cfg, const ss_problem *p)
{
    ss_tiling t = tiling(cfg, p);
    int k = iterations(cfg, p);
    return is_exact(t.x, k) && (p->dim == 1 || is_exact(t.y, k));
}

/* With enough overlap a cycle is k Jacobi iterations. */
static double factor(const ss_config *cfg, const ss_problem *p)
{
    int k = iterations(cfg, p);
    return ss_shared_exact(cfg, p) ? pow(ss_config_spectral_radius(cfg), k) : (double)NAN;
}

const ss_solver ss_solver_shared = {
    .name = "shared",
    .title = "hierarchical Jacobi",
    .help = "k subiterations in overlapping subdomains in fast private memory, then an exchange",
    .classic = "jacobi",
    .paper = "Islam & Wang: hierarchical Jacobi iteration for structured matrices on GPUs",
    .no_patches = SS_TILED_NO_PATCHES,
    .params = params,
    .nparam = sizeof params / sizeof *params,
    .phases = phases,
    .iterations_per_cycle = iterations,
    .check = check,
    .tiling = tiling,
    .ledger = ledger,
    .ranks = ss_ranks_tiled,
    .factor = factor,
    .falls_steadily = true,
};
