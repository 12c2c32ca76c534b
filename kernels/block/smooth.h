/*
 * Block smoothers of the seven-point Laplacian on one cell-centred patch with a layer of ghost
 * cells: each block gets the correction of its residual by the block's exact inverse,
 *     u_block += omega A_block^-1 (h^2 f - A u)_block,
 * with all blocks at once from one array to another (damped block Jacobi), or one after the other
 * in place (block Gauss-Seidel, omega = 1). Blocks of one cell are the point methods. Source: the
 * paper on block-relaxation smoothers for structured patches, algorithm 1; numerics section 6.
 * Engine thread; the OpenMP threads live inside a step.
 */
#ifndef SS_BLOCK_SMOOTH_H
#define SS_BLOCK_SMOOTH_H

#include "kernels/block/inverse.h"
#include "kernels/block/order.h"

typedef struct ss_smooth {
    ss_box box; /* of the patch, for all its arrays: at least one halo cell on each side */
    ss_prec prec;
    ss_blocking blocking;
    const ss_inverse_form *form;
    ss_inverse inverse[SS_BLOCK_VARIANTS]; /* of each shape of block that there is */
    int threads;
    char *scratch; /* two panels for each thread */
} ss_smooth;

/* Inverts all shapes of blocks. Blocks larger than the patch are as large as the patch. A failure
 * leaves nothing to free. */
int ss_smooth_make(ss_smooth *s, const ss_box *box, const int block[3], const ss_inverse_form *form,
                   ss_prec prec, int threads, ss_err *err);
void ss_smooth_free(ss_smooth *s);

/* Relaxes every block once, in this order, made for these blocks and panels. rhs is h^2 f. Level by
 * level: with an order of several levels out has to be in, with one it may not. Ghosts are read as
 * they are and not written. */
void ss_smooth_step(const ss_smooth *s, const ss_order *o, double omega, const void *in,
                    const void *rhs, void *out);

/* One panel of that, panel number `panel` of the order, by the thread number `thread` of
 * s->threads. In place (out is in) the cells of its blocks go to keep before they are changed, if
 * keep is not NULL. The arrays begin where the box counts from. s->form->enter has been called. */
void ss_smooth_panel(const ss_smooth *s, const ss_order *o, uint32_t panel, int thread,
                     double omega, const void *in, const void *rhs, void *out, void *keep,
                     double *norm2);
/* The cells of the panel's blocks from one array into another. */
void ss_smooth_copy(const ss_smooth *s, const ss_order *o, uint32_t panel, const void *from,
                    void *to);

/* What a ghost cell at a wall holds: nothing, so that u is zero at distance h, or -u of the cell
 * inside, so that it is zero on the wall itself. */
typedef enum ss_wall { SS_WALL_ZERO, SS_WALL_MIRROR } ss_wall;
#define SS_WALLS_ALL 63U

/* Fills the ghosts of the sides: bit 2d is the lower end of direction d, bit 2d + 1 the upper. */
void ss_smooth_walls(const ss_box *box, ss_prec prec, ss_wall wall, unsigned sides, void *u);

/* The sum of the squares of h^2 f - A u over the patch, in an order that is always the same: lanes
 * of a row as kernels/cpu/simd/norm.h has them, then row by row. */
double ss_smooth_norm2(const ss_box *box, ss_prec prec, const void *u, const void *rhs);
/* Of rows [from, to) alone, into sum[from] ...; rows count planes one after the other. */
void ss_smooth_norm2_rows(const ss_box *box, ss_prec prec, const void *u, const void *rhs, int from,
                          int to, double *sum);

/* Jacobi's method, blocks of one cell and omega 1, row by row: rows [from, to) from u into out.
 * sum: NULL, or as above, for nothing. */
void ss_smooth_sweep(const ss_box *box, ss_prec prec, const void *u, const void *rhs, void *out,
                     int from, int to, double *sum);

#endif
