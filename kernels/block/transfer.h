/*
 * Between a cell-centred patch and the patch of half the cells in each direction, for multigrid.
 * Cell I of the coarser patch is the union of cells 2 I and 2 I + 1 in each direction. The residual
 * is averaged over these eight cells; a correction is interpolated linearly in each direction, 3/4
 * from the cell's own coarser cell and 1/4 from the next one. Called by the engine thread and its
 * OpenMP threads; no state.
 */
#ifndef SS_BLOCK_TRANSFER_H
#define SS_BLOCK_TRANSFER_H

#include "src/base/common.h"

/* Element 0 of the arrays is element 0 of their box; row y + ny z is row y of plane z. */

/* Rows [from, to) of the coarser right-hand side, h^2 f of its own h: 4 times the mean residual of
 * u, whose ghost cells are up to date. */
void ss_transfer_restrict(const ss_box *fine, const ss_box *coarse, ss_prec prec, const void *u,
                          const void *rhs, void *out, int from, int to);
/* Adds the coarser field e to rows [from, to) of u. Ghost cells of e are read, those at the edges
 * and corners, too. */
void ss_transfer_correct(const ss_box *fine, const ss_box *coarse, ss_prec prec, const void *e,
                         void *u, int from, int to);

#endif
