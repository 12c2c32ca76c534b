/*
 * The exact inverse of a block of nx*ny*nz cells. Its matrix is the seven-point stencil with 6 on
 * the diagonal, -1 for each neighbour inside the block, and zero around the block. Two forms agree
 * to round-off: the stored dense inverse of the paper on block-relaxation smoothers, and the
 * separable inverse, which is never stored. Called by the block smoothers and by tests; make and
 * free from one thread, apply from any number of threads.
 *
 * Blocks are solved in panels of up to `width` interleaved blocks: cell c of block l of the panel
 * is element c*width + l. Cell (x, y, z) of a block is c = x + nx (y + ny z).
 */
#ifndef SS_BLOCK_INVERSE_H
#define SS_BLOCK_INVERSE_H

#include "src/base/common.h"

typedef struct ss_inverse ss_inverse;

typedef struct ss_inverse_form {
    const char *name, *help;
    int (*width)(ss_prec prec); /* blocks per panel */
    /* Fails if the block is too large for this form. NULL: none is. */
    int (*check)(const int n[3], ss_err *err);
    /* Called before make for applies from so many threads at once; NULL: nothing to prepare. */
    int (*open)(int callers, ss_err *err);
    int (*make)(ss_inverse *inv, ss_err *err); /* fills in `own` */
    /* Solves for the first `count` blocks of a panel; the values of the other blocks are
     * unspecified. The arrays are SS_ALIGN-aligned and do not overlap. */
    void (*apply)(const ss_inverse *inv, const void *rhs, void *u, int count);
    void (*enter)(void);                  /* once before threads begin to apply; or NULL */
    double (*bytes)(const ss_inverse *);  /* memory that make allocates */
    double (*flops)(const ss_inverse *);  /* operations of apply per block */
    double (*moves)(const ss_inverse *);  /* values that apply reads and writes per block */
    double (*effort)(const ss_inverse *); /* operations of make; NULL: negligible */
} ss_inverse_form;

struct ss_inverse {
    const ss_inverse_form *form;
    int n[3]; /* cells per direction */
    int cells, width;
    ss_prec prec;
    void *own; /* data of the form, one allocation */
};

extern const ss_inverse_form ss_inverse_dense, ss_inverse_separable;

/* Computes the inverse in double for both precisions. A failure leaves nothing to free. */
int ss_inverse_make(ss_inverse *inv, const ss_inverse_form *form, const int n[3], ss_prec prec,
                    ss_err *err);
void ss_inverse_free(ss_inverse *inv);

SS_INLINE void ss_inverse_apply(const ss_inverse *inv, const void *rhs, void *u, int count)
{
    inv->form->apply(inv, rhs, u, count);
}

/* Bytes of a panel, a multiple of SS_ALIGN. */
SS_INLINE size_t ss_inverse_panel(const ss_inverse *inv)
{
    return (size_t)inv->cells * (size_t)inv->width * ss_prec_size(inv->prec);
}

#endif
