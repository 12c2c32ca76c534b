/*
 * Common to the descriptors of the block smoothers (block_jacobi.c, block_gs.c): rows and ranges of
 * the block's size and of its inverse, the memory of the inverses, the ledger of a step.
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
#define SS_BLOCK_CELLS(NAME)                                                                       \
    SS_ROW_INT(NAME, "Method", 8, 1, 128),                                                         \
        .unit = "cells", .range = ss_block_range,                                                  \
        .flags = SS_BLOCK_LIVE | SS_P_LOG | SS_P_POW2 | SS_P_FITS
#define SS_BLOCK_ROWS(OMEGA)                                                                       \
    {SS_BLOCK_CELLS("bx"), .key = "b",                                                             \
     .help = "cells of a block in x, fewer at upper ends; at most a patch unless given"},          \
        {SS_BLOCK_CELLS("by"), .follows = "bx", .help = "the same in y; as in x unless given"},    \
        {SS_BLOCK_CELLS("bz"), .follows = "bx", .help = "the same in z; as in x unless given"},    \
        {SS_ROW_REAL("omega", "Method", OMEGA, 0.05, 2),                                           \
         .symbol = "\xcf\x89",                                                                     \
         .key = "w",                                                                               \
         .flags = SS_BLOCK_LIVE,                                                                   \
         .step = 0.05,                                                                             \
         .help = "relaxation factor: the share of a correction that is applied"},                  \
    {                                                                                              \
        SS_ROW_CHOICE("inverse", "Method", ss_block_inverses, ss_block_inverse_help),              \
            .key = "a", .flags = SS_BLOCK_LIVE,                                                    \
            .help = "how the exact inverse of a block is applied"                                  \
    }

#define SS_BLOCK_NO_BOX "its blocks divide 3D patches"

/* The choices of the row `order`, in the order of the table. */
enum { SS_BLOCK_CHAOTIC, SS_BLOCK_LEXICOGRAPHIC };

#define SS_BLOCK_ORDER                                                                             \
    SS_ROW_CHOICE("order", "Method", ss_block_orders, ss_block_order_help),                        \
        .flags = SS_BLOCK_LIVE, .help = "order in which the blocks of a patch are relaxed"

extern const char *const ss_block_inverses[], *const ss_block_inverse_help[];
extern const char *const ss_block_orders[], *const ss_block_order_help[];

void ss_block_range(const ss_config *cfg, double *lo, double *hi, const char **why);

/* Members of both solvers' ss_solver. */
void ss_block_size(const ss_config *cfg, int size[3]);
int ss_block_check(const ss_config *cfg, const ss_problem *p, ss_err *err);
double ss_block_bytes(const ss_config *cfg, const ss_equation *eq, const ss_problem *p,
                      const char **what);
/* The same for solvers whose order may differ from patch to patch. */
double ss_block_bytes_drawn(const ss_config *cfg, const ss_equation *eq, const ss_problem *p,
                            const char **what);
bool ss_block_setup_cost(const ss_config *cfg, const ss_equation *eq, const ss_problem *p,
                         char *what, size_t size);
void ss_block_ledger(const ss_config *cfg, const ss_equation *eq, const ss_problem *p,
                     ss_ledger *out);

/* The selected form of the inverse. */
const struct ss_inverse_form *ss_block_form(const ss_config *cfg);

/* The number of cells of all patches, and of their ghost cells. */
double ss_patch_count(const ss_equation *eq, const ss_problem *p);
double ss_patch_ghosts(const ss_equation *eq, const ss_problem *p);

#ifdef __cplusplus
}
#endif

#endif
