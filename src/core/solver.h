/*
 * WHEN and WHERE: one constant ss_solver per schedule, in kernels/solver/. It describes; the
 * backends' engine ops (backend.h) execute. Pure functions, any thread.
 */
#ifndef SS_SOLVER_H
#define SS_SOLVER_H

#include "src/base/common.h"
#include "src/core/equation.h"
#include "src/core/param.h"
#include "kernels/geom/swept.h"
#include "kernels/geom/tiles.h"

#ifdef __cplusplus
extern "C" {
#endif

/* What a schedule costs: the papers' currency. Modelled, not measured. */
typedef struct ss_ledger {
    double blocks;            /* subdomains; 0: none */
    double launches;          /* global synchronisations */
    double global_bytes;      /* between memory and cores or SMs */
    double shared_bytes;      /* inside shared memory (CPU: the private tile) */
    double barriers;          /* inside blocks, summed over them */
    double updates;           /* point updates, redundant ones included */
    double redundant_updates; /* of these, computed twice and discarded */
    double stale_kept;        /* share of kept points whose value is stale, 0..1 */
    double edge_bytes;        /* of global_bytes: halo exchange, ghost cells included */
    double idle;              /* share of idle points in working blocks, 0..1 */
} ss_ledger;

typedef struct ss_solver {
    const char *name, *title, *help, *paper;
    ss_kind kind; /* of equations it is for */
    /* Why it does not run where the domain is one box, and why not on patches. NULL: it may. */
    const char *no_box, *no_patches;
    ss_param *params;
    int nparam;
    /* Of one cycle, NULL-terminated: "load tile", "subiterate", "store". */
    const char *const *phases;
    /* Updates of a point in a cycle: iterations, or levels (stages of time steps). NULL: 1. */
    int (*iterations_per_cycle)(const ss_config *cfg, const ss_problem *p);
    /* Ticks of a cycle that is seen from within; NULL: one for each iteration. */
    int (*ticks_per_cycle)(const ss_config *cfg, const ss_problem *p);
    /* Are the values valid together? One sentence with the valid range if not. */
    int (*check)(const ss_config *cfg, const ss_problem *p, ss_err *err);
    /* Subdomains; a solver without any has NULL. */
    ss_tiling (*tiling)(const ss_config *cfg, const ss_problem *p);
    /* Nodes in space and time, where a cycle goes up in triangles and diamonds; NULL: it does not.
     */
    ss_swept (*nodes)(const ss_config *cfg, const ss_problem *p);
    /* Blocks of cells that a patch is cut into (3D), cells in each direction; NULL: there are none.
     */
    void (*blocks)(const ss_config *cfg, int size[3]);
    /* Bytes that it stores besides the fields, where they are worth mentioning, and what they are:
     * "the inverses of the blocks". NULL: nothing. */
    double (*bytes)(const ss_config *cfg, const ss_equation *eq, const ss_problem *p,
                    const char **what);
    void (*ledger)(const ss_config *cfg, const ss_equation *eq, const ss_problem *p,
                   ss_ledger *out);
    /* Does preparing take long enough to tell the user? Then what it does: "inverting blocks".
     * NULL: never. */
    bool (*setup_cost)(const ss_config *cfg, const ss_equation *eq, const ss_problem *p, char *what,
                       size_t size);
    /* Why the residual may grow with these values, in a few words, or NULL. NULL: it never does. */
    const char *(*suspect)(const ss_config *cfg);
} ss_solver;

#ifdef __cplusplus
}
#endif
#endif
