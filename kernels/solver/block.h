/*
 * The block smoothers as their executors and multigrid see them: choices of the order and of the
 * inverse, the size of a block, the cells of patches.
 * Source: the paper on block-relaxation smoothers for structured patches. Pure functions; any
 * thread.
 */
#ifndef SS_SOLVER_BLOCK_H
#define SS_SOLVER_BLOCK_H

#include "src/core/solver.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Rows of solvers with the same name share their value: see registry.h. */
#define SS_BLOCK_LIVE (SS_P_LIVE | SS_P_CONTROL)

/* The choices of the row `order`, in the order of the table. */
enum { SS_BLOCK_CHAOTIC, SS_BLOCK_LEXICOGRAPHIC };

#define SS_BLOCK_ORDER                                                                             \
    SS_ROW_CHOICE("order", "Method", ss_block_orders, ss_block_order_help),                        \
        .flags = SS_BLOCK_LIVE, .help = "order in which the blocks of a patch are relaxed"

extern const char *const ss_block_inverses[], *const ss_block_inverse_help[];
extern const char *const ss_block_orders[], *const ss_block_order_help[];

/* Members of ss_solver, for multigrid too. */
int ss_block_check(const ss_config *cfg, const ss_problem *p, ss_err *err);
bool ss_block_setup_cost(const ss_config *cfg, const ss_equation *eq, const ss_problem *p,
                         char *what, size_t size);

/* The cells of a block in each direction. */
void ss_block_size(const ss_config *cfg, int size[3]);

/* The selected form of the inverse. */
const struct ss_inverse_form *ss_block_form(const ss_config *cfg);

/* The number of cells of all patches, and of their ghost cells. */
double ss_patch_count(const ss_equation *eq, const ss_problem *p);
double ss_patch_ghosts(const ss_equation *eq, const ss_problem *p);

#ifdef __cplusplus
}
#endif

#endif
