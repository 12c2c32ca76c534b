/*
 * The order of relaxation, block smoothers, and the transfer between grids, of the seven-point
 * Laplacian on one cell-centred patch with a layer of ghost cells. Each block is corrected by its
 * exact inverse applied to its residual,
 *     u_block += omega A_block^-1 (h^2 f - A u)_block,
 * all blocks at once from one array to another (damped block Jacobi), or one after the other in
 * place (block Gauss-Seidel, omega = 1). Blocks of one cell give the point methods. Source: the
 * paper on block-relaxation smoothers for structured patches, algorithm 1.
 * Called by the engine thread; a step has its own OpenMP region.
 */
#ifndef SS_BLOCK_SMOOTH_H
#define SS_BLOCK_SMOOTH_H

#include "kernels/block/inverse.h"
#include "kernels/geom/patches.h"

/* --- the order of the blocks ------------------------------------------------------------------ */

/*
 * The order in which the blocks of a patch are relaxed, and the blocks that may be relaxed
 * concurrently. Blocks are relaxed level by level: the level of a block is one more than the
 * highest level of the neighbours that precede it. Blocks of a level share no face, so the result
 * equals sequential relaxation in the given order, for any number of threads and any panel width.
 * For Jacobi all blocks form one level.
 */
typedef struct ss_order {
    ss_blocking blocking;
    int width;       /* the most blocks per panel */
    uint32_t *block; /* block numbers, sorted by level and within a level by shape */
    uint32_t *panel; /* panel p: block[panel[p]] to block[panel[p + 1] - 1], all of one shape */
    uint32_t *start; /* level l: panels start[l] to start[l + 1] - 1 */
    uint32_t levels;
    /* Scratch while an order is made: the blocks in order, and the level of each block, from 1. */
    uint32_t *sequence, *level;
} ss_order;

/* Allocates memory for orders of these blocks. A failure leaves nothing to free. */
int ss_order_make(ss_order *o, const ss_blocking *blocking, int width, ss_err *err);
void ss_order_free(ss_order *o);
/* The bytes that ss_order_make allocates. */
double ss_order_bytes(const ss_blocking *blocking);

void ss_order_at_once(ss_order *o);
void ss_order_lexicographic(ss_order *o);
/* A random permutation, uniformly distributed; equal streams of random numbers give equal orders.
 * Chaotic relaxation draws a new order for every step; one order for all steps converges like the
 * lexicographic one. */
void ss_order_chaotic(ss_order *o, uint64_t stream);

/* --- the smoother ----------------------------------------------------------------------------- */

typedef struct ss_smooth {
    ss_box box; /* layout of all arrays of the patch; at least one ghost cell on each side */
    ss_prec prec;
    ss_blocking blocking;
    const ss_inverse_form *form;
    ss_inverse inverse[SS_BLOCK_VARIANTS]; /* one per block shape; shapes not in use are zero */
    int threads;
    char *scratch; /* two panels for each thread */
} ss_smooth;

/* Inverts all shapes of blocks. Larger blocks are truncated to the size of the patch. A failure
 * leaves nothing to free. */
int ss_smooth_make(ss_smooth *s, const ss_box *box, const int block[3], const ss_inverse_form *form,
                   ss_prec prec, int threads, ss_err *err);
void ss_smooth_free(ss_smooth *s);

/* Relaxes every block once. `o` was made for the blocking and panel width of `s`; rhs is h^2 f.
 * With several levels out must equal in; with one level they must differ. Ghost cells are read but
 * not written. */
void ss_smooth_step(const ss_smooth *s, const ss_order *o, double omega, const void *in,
                    const void *rhs, void *out);

/* Relaxes panel `panel` of the order on thread `thread` of s->threads. If old is not NULL, the
 * blocks' cells of `in` are copied to it first; needed in place (out == in) only. If norm2 is not
 * NULL, it receives the sum of the squares of the residuals. Element 0 of the arrays is element 0
 * of the box. The caller has called s->form->enter. */
void ss_smooth_panel(const ss_smooth *s, const ss_order *o, uint32_t panel, int thread,
                     double omega, const void *in, const void *rhs, void *out, void *old,
                     double *norm2);
/* Copies the cells of the panel's blocks from one array to another. */
void ss_smooth_copy(const ss_smooth *s, const ss_order *o, uint32_t panel, const void *from,
                    void *to);

/* The value of a ghost cell at a wall: ZERO makes u zero at the ghost cell's centre; MIRROR stores
 * -u of the cell inside, so that u is zero on the wall itself. */
typedef enum ss_wall { SS_WALL_ZERO, SS_WALL_MIRROR } ss_wall;
#define SS_WALLS_ALL 63U

/* Fills the ghost cells of some sides: bit 2d is the lower end of direction d, bit 2d + 1 the
 * upper. */
void ss_smooth_walls(const ss_box *box, ss_prec prec, ss_wall wall, unsigned sides, void *u);

/* The sum of the squares of h^2 f - A u over the patch, in a fixed order: the lanes of a row as in
 * kernels/cpu/simd/norm.h, then row by row. */
double ss_smooth_norm2(const ss_box *box, ss_prec prec, const void *u, const void *rhs);
/* The same for each of rows [from, to), into sum[from] to sum[to - 1]. Row y + ny z is row y of
 * plane z. */
void ss_smooth_norm2_rows(const ss_box *box, ss_prec prec, const void *u, const void *rhs, int from,
                          int to, double *sum);

/* A Jacobi sweep (blocks of one cell, omega 1) of rows [from, to) from u into out. sum: NULL, or
 * the norms of u as above, at no extra memory traffic. */
void ss_smooth_sweep(const ss_box *box, ss_prec prec, const void *u, const void *rhs, void *out,
                     int from, int to, double *sum);

/* --- multigrid: the patch of half the cells in each direction --------------------------------- */

/*
 * Cell I of the coarser patch is the union of cells 2 I and 2 I + 1 in each direction. The residual
 * is averaged over these eight cells; a correction is interpolated linearly in each direction, 3/4
 * from the cell's own coarser cell and 1/4 from the next one. Called by the engine thread and its
 * OpenMP threads; no state.
 */

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
