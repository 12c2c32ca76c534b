/*
 * Red-black SOR in overlapping subdomains (temporal blocking): each subdomain loads the present
 * field with a halo, does k iterations with a frozen halo, and writes back the points that it owns.
 * An iteration has two halves, one per colour, and each half reads the neighbours that the other
 * one has written: it widens the domain of dependence by two points, so that the bits of `sor` need
 * an overlap of 2 (2k - 1). Subdomains and halos are those of `shared`. This file describes the
 * schedule; the loops are in kernels/cpu/shared_sor.c and kernels/cuda/jacobi. Pure functions; any
 * thread.
 */
#include <math.h>
#include <stdio.h>

#include "kernels/solver/shared.h"
#include "kernels/solver/sor.h"

enum { REACH = 2 }; /* points by which an iteration widens the domain of dependence */

static const char *const phases[] = {"load tile", "red and black in turn", "store", NULL};

static double exact_overlap(const ss_config *cfg)
{
    return ss_shared_least_overlap(cfg, REACH);
}

static void track_k(const ss_config *cfg, ss_track *track)
{
    ss_shared_mark_k(cfg, REACH, track);
}

static void track_overlap(const ss_config *cfg, ss_track *track)
{
    ss_shared_mark_overlap(cfg, REACH, "block", track);
}

static void track_overlap_y(const ss_config *cfg, ss_track *track)
{
    ss_shared_mark_overlap(cfg, REACH, "block-y", track);
}

static void note_overlap(const ss_config *cfg, char *buf, size_t size)
{
    ss_shared_write_exact(cfg, REACH, "block", "overlap", buf, size);
}

static void note_overlap_y(const ss_config *cfg, char *buf, size_t size)
{
    ss_shared_write_exact(cfg, REACH, "block-y", "overlap-y", buf, size);
}

// clang-format off
static ss_param params[] = {
    {SS_SHARED_K(2, track_k), .key = "k", .help = "iterations between two exchanges of the halos"},
    {SS_SHARED_BLOCK, .key = "b"},
    {SS_SHARED_BLOCK_Y},
    {SS_SHARED_OVERLAP_OF(note_overlap, track_overlap), .key = "o", .usual = exact_overlap,
     .def_text = "2 (2k - 1), if block admits it"},
    {SS_SHARED_OVERLAP_Y_OF(note_overlap_y, track_overlap_y)},
    SS_SOR_ROWS,
};
// clang-format on

static int halves(const ss_config *cfg, const ss_problem *p)
{
    return REACH * ss_shared_iterations(cfg, p);
}

/* A half updates half of the points, and ends at a barrier. In private memory a relaxation reads
 * the value and its Jacobi value, and writes the new one. */
static void ledger(const ss_config *cfg, const ss_equation *eq, const ss_problem *p, ss_ledger *out)
{
    ss_tiling t = ss_shared_tiling(cfg, p);
    double bytes = (double)ss_prec_size((ss_prec)ss_config_int(cfg, "precision"));
    ss_tiled_ledger(cfg, eq, p, &t, halves(cfg, p), out);
    out->updates /= 2;
    out->redundant_updates /= 2;
    out->shared_bytes = out->shared_bytes / 2 + 3 * out->updates * bytes;
    out->operations = out->operations / 2 + SS_SOR_FLOPS * out->updates;
}

/* With enough overlap a cycle is k of SOR's iterations. */
static double factor(const ss_config *cfg, const ss_problem *p)
{
    double k = ss_shared_iterations(cfg, p);
    return ss_shared_fresh(cfg, p, REACH) ? pow(ss_sor_factor(cfg, p), k) : (double)NAN;
}

/* Gauss-Seidel and under-relaxation converge with stale halos too: methods.md has the measured
 * cases. */
static bool may_diverge(const ss_config *cfg, const ss_problem *p)
{
    return ss_config_real(cfg, "omega") > 1 && !ss_shared_fresh(cfg, p, REACH);
}

static void caution(const ss_config *cfg, const ss_problem *p, char *buf, size_t size)
{
    ss_sor_caution(cfg, p, buf, size);
    if (!buf[0] && may_diverge(cfg, p))
        snprintf(
            buf, size,
            "with an overlap below 2 (2k - 1) = %d halos are stale, which over-relaxation "
            "amplifies: it may diverge, or converge more slowly; omega 1 does not amplify them",
            2 * (halves(cfg, p) - 1));
}

static const char *suspect(const ss_config *cfg)
{
    ss_problem p;
    const char *omega = ss_sor_suspect(cfg);
    ss_config_problem(cfg, &p);
    return omega                  ? omega
           : may_diverge(cfg, &p) ? "and stale halos are the likely cause: choose an overlap of "
                                    "2 (2k - 1) or a smaller k"
                                  : NULL;
}

const ss_solver ss_solver_shared_sor = {
    .name = "shared-sor",
    .title = "red-black SOR in tiles",
    .help = "k iterations of red-black SOR in overlapping subdomains, then an exchange",
    .classic = "jacobi",
    .another_method = true,
    .paper = "no paper: the papers' temporal blocking, of Young's method",
    .no_patches = SS_TILED_NO_PATCHES,
    .params = params,
    .nparam = sizeof params / sizeof *params,
    .phases = phases,
    .iterations_per_cycle = ss_shared_iterations,
    .ticks_per_cycle = halves,
    .check = ss_shared_check,
    .tiling = ss_shared_tiling,
    .ledger = ledger,
    .factor = factor,
    .caution = caution,
    .suspect = suspect,
};
