/*
 * The schedule: when and where points are updated. One constant ss_solver per schedule, in
 * kernels/solver/, describes it; the backends' engine ops (backend.h) execute it. Pure functions,
 * any thread.
 */
#ifndef SS_SOLVER_H
#define SS_SOLVER_H

#include "src/base/common.h"
#include "src/core/equation.h"
#include "src/core/param.h"
#include "src/ranks/plan.h"
#include "kernels/geom/swept.h"
#include "kernels/geom/tiles.h"

/* The cost of a schedule in the papers' measures. Modelled, not measured. */
typedef struct ss_ledger {
    double blocks;            /* subdomains; 0: none */
    double launches;          /* global synchronisations, per cycle of a chain of cycles */
    double opening;           /* and once per chain: the swept rule's opening triangle */
    double global_bytes;      /* between memory and cores or SMs */
    double shared_bytes;      /* inside shared memory (CPU: the private tile) */
    double reductions;        /* sums over all points that the method waits for: dot products. Those
                                 of one moment count as one; residual checks are not counted */
    double barriers;          /* inside thread blocks, summed over all blocks */
    double updates;           /* point updates, redundant ones included, on all grids; a residual
                                 that is computed by itself counts as one of each point */
    double operations;        /* floating-point operations of these updates */
    double redundant_updates; /* part of updates: computed again and discarded */
    double stale_kept;        /* share of kept points whose value is stale, 0..1; NAN: unknown */
    double edge_bytes;        /* part of global_bytes: halo exchange, ghost cells included */
    double idle;              /* share of idle points in working blocks, 0..1 */
} ss_ledger;

/* What one subiteration of a cycle does, where they differ in kind. */
typedef struct ss_visit {
    int level, levels; /* the grid, 0: the finest one, and the number of grids */
    const char *what;  /* "sweep before the correction" */
    int sweep, sweeps; /* its number from 1 on, and how many there are; 0: it is not a sweep */
} ss_visit;

typedef struct ss_solver {
    const char *name, *title, *help, *paper;
    ss_kind kind; /* the kind of equation that it solves */
    /* The solver with which this one is compared; NULL: there is none, or it is one itself. It
     * computes the same iterations or steps one by one, but for another_method: then only times
     * and curves are compared, not fields. */
    const char *classic;
    bool another_method;
    bool any_radius; /* Jacobi's spectral radius is no matter: it may converge with 1 and more */
    /* Its blocks read values of several iterations, later ones too: a difference to the classic
     * solver is not staleness alone. */
    bool any_order;
    /* The reason why it does not run on one box, and why not on patches. NULL: it does. */
    const char *no_box, *no_patches;
    ss_param *params;
    int nparam;
    /* Phases of one cycle, NULL-terminated: "load tile", "subiterate", "store". */
    const char *const *phases;
    /* Updates per point and cycle: iterations, or levels (stages of time steps). NULL: 1. */
    int (*iterations_per_cycle)(const ss_config *cfg, const ss_problem *p);
    /* Subiterations per cycle under the microscope; NULL: one per iteration. */
    int (*ticks_per_cycle)(const ss_config *cfg, const ss_problem *p);
    /* The number of points along an axis that the schedule takes and that is nearest to n, the
     * default of a row of SS_P_POINTS, which it replaces. NULL: it takes any. */
    int64_t (*nearest_points)(int64_t n);
    /* Are the values valid together? One sentence with the valid range if not. */
    int (*check)(const ss_config *cfg, const ss_problem *p, ss_err *err);
    /* Subdomains; a solver without any has NULL. */
    ss_tiling (*tiling)(const ss_config *cfg, const ss_problem *p);
    /* The nodes of the swept rule, whose cycle consists of space-time triangles and diamonds; NULL:
     * another schedule. */
    ss_swept (*nodes)(const ss_config *cfg, const ss_problem *p);
    /* Size in cells of the blocks that a patch is divided into (3D); NULL: there are none. */
    void (*blocks)(const ss_config *cfg, int size[3]);
    /* Bytes of large data besides the fields, and its name: "the inverses of the blocks". NULL:
     * none. */
    double (*bytes)(const ss_config *cfg, const ss_equation *eq, const ss_problem *p,
                    const char **what);
    void (*ledger)(const ss_config *cfg, const ss_equation *eq, const ss_problem *p,
                   ss_ledger *out);
    /* The cost of one of the classic steps that complete a run whose end lies inside a cycle. NULL:
     * no cycle has more than one step. */
    void (*step_ledger)(const ss_config *cfg, const ss_equation *eq, const ss_problem *p,
                        ss_ledger *out);
    /* The division among modelled ranks, and their messages; step_ranks: of one of the classic
     * steps. Fails, with a sentence, if they cannot divide the problem. NULL: not modelled. */
    int (*ranks)(const ss_config *cfg, const ss_equation *eq, const ss_problem *p,
                 ss_ranks_plan *out, ss_err *err);
    int (*step_ranks)(const ss_config *cfg, const ss_equation *eq, const ss_problem *p,
                      ss_ranks_plan *out, ss_err *err);
    /* Does prepare take long enough to tell the user? Then writes its name: "inverting blocks".
     * NULL: never. */
    bool (*setup_cost)(const ss_config *cfg, const ss_equation *eq, const ss_problem *p, char *what,
                       size_t size);
    /* The predicted asymptotic factor of the residual per cycle (kernels/solver/schedules.h), NaN:
     * unknown with these values. NULL: unknown. */
    double (*factor)(const ss_config *cfg, const ss_problem *p);
    /* Does it choose each field from a Krylov space, as a combination of all directions so far?
     * Then there is no factor per cycle, the residual may stand for long, and what an equation says
     * of Jacobi's iteration (caution, suspect) does not hold for it. */
    bool krylov;
    /* Does the residual fall steadily where the matrix is symmetric, so that its norm may be taken
     * seldom (src/run/checks.h)? */
    bool falls_steadily;
    /* Why it may not converge with these valid values, said before the run: a sentence as in
     * ss_equation.caution, which is said if this one is empty. NULL: nothing to say. */
    void (*caution)(const ss_config *cfg, const ss_problem *p, char *buf, size_t size);
    /* The likely cause of a growing residual with these values, in a few words, or NULL. NULL: it
     * never grows. */
    const char *(*suspect)(const ss_config *cfg);
    /* What subiteration `tick` (from 1 on) of a cycle does. NULL: each updates all points. */
    void (*visit)(const ss_config *cfg, const ss_problem *p, int tick, ss_visit *out);
} ss_solver;

#endif
