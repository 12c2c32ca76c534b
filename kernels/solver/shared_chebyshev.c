/*
 * Chebyshev's iteration in overlapping subdomains (temporal blocking): each subdomain loads the
 * present field with a halo and the field before, does k iterations with a frozen halo, and writes
 * back the points that it owns of the last two levels. The recurrence combines values of one point,
 * so that the field before needs no halo. The factors continue from cycle to cycle. Subdomains,
 * halos and overlap are those of `shared`; the recurrence is that of `chebyshev`, with its bits
 * where the overlap is enough. This file describes the schedule; the loops are in
 * kernels/cpu/shared_chebyshev.c and kernels/cuda/jacobi. Pure functions; any thread.
 */
#include <math.h>
#include <stdio.h>

#include "kernels/solver/chebyshev.h"
#include "kernels/solver/shared.h"

static const char *const phases[] = {"load tile", "subiterate", "store", NULL};

// clang-format off
static ss_param params[] = {
    SS_SHARED_BLOCKS,
    {SS_SHARED_OVERLAP, .key = "o", .usual = ss_shared_exact_overlap,
     .def_text = "2 (k - 1), if block admits it"},
    {SS_SHARED_OVERLAP_Y},
    SS_CHEBYSHEV_ROWS,
};
// clang-format on

/* The field before is loaded and stored too. In private memory a combination reads the Jacobi value
 * and the value before, and writes the new one. */
static void ledger(const ss_config *cfg, const ss_equation *eq, const ss_problem *p, ss_ledger *out)
{
    ss_shared_ledger(cfg, eq, p, out);
    double bytes = (double)ss_prec_size((ss_prec)ss_config_int(cfg, "precision"));
    double points = (double)p->nx * p->ny;
    double covered = out->updates / ss_shared_iterations(cfg, p);
    out->global_bytes += (covered + points) * bytes;
    out->shared_bytes += 3 * out->updates * bytes;
    out->operations += SS_CHEBYSHEV_FLOPS * out->updates;
}

/* Every cycle has two fields to read and two to write. */
static double bytes(const ss_config *cfg, const ss_equation *eq, const ss_problem *p,
                    const char **what)
{
    (void)eq;
    *what = "the field before, of two cycles";
    return 2.0 * p->nx * p->ny * (double)ss_prec_size((ss_prec)ss_config_int(cfg, "precision"));
}

/* With enough overlap a cycle is k of Chebyshev's iterations. */
static double factor(const ss_config *cfg, const ss_problem *p)
{
    double k = ss_shared_iterations(cfg, p);
    return ss_shared_exact(cfg, p) ? pow(ss_chebyshev_factor(cfg, p), k) : (double)NAN;
}

/* The recurrence adds what stale halos change to what they changed before: methods.md has the
 * measured cases. */
static void caution(const ss_config *cfg, const ss_problem *p, char *buf, size_t size)
{
    if (!ss_shared_exact(cfg, p))
        snprintf(buf, size,
                 "with an overlap below 2 (k - 1) = %d halos are stale, which the recurrence "
                 "amplifies: it may diverge, or with a smaller rho converge more slowly",
                 2 * (ss_shared_iterations(cfg, p) - 1));
}

static const char *suspect(const ss_config *cfg)
{
    ss_problem p;
    ss_config_problem(cfg, &p);
    return ss_shared_exact(cfg, &p) ? NULL
                                    : "and stale halos are the likely cause: choose an overlap of "
                                      "2 (k - 1) or a smaller k";
}

const ss_solver ss_solver_shared_chebyshev = {
    .name = "shared-chebyshev",
    .title = "Chebyshev iteration in tiles",
    .help = "k of Chebyshev's iterations in overlapping subdomains, then an exchange",
    .classic = "jacobi",
    .another_method = true,
    .paper = "no paper: the papers' temporal blocking, of Golub & Varga's method",
    .no_patches = SS_TILED_NO_PATCHES,
    .params = params,
    .nparam = sizeof params / sizeof *params,
    .phases = phases,
    .iterations_per_cycle = ss_shared_iterations,
    .check = ss_shared_check,
    .tiling = ss_shared_tiling,
    .bytes = bytes,
    .ledger = ledger,
    .factor = factor,
    .caution = caution,
    .suspect = suspect,
};
