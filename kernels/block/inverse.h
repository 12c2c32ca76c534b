/*
 * The exact inverse of a block of nx*ny*nz cells: of its seven-point matrix with 6 on the diagonal
 * and -1 to each neighbour inside the block, as if the cells around it were zero. There are two
 * forms of it, which agree to round-off: the stored dense inverse of the paper on block-relaxation
 * smoothers, and the separable one, which is never stored. Called by the block smoothers and by
 * tests; make and free from one thread, apply from any number of them.
 *
 * Blocks are inverted side by side, a panel of up to `width` of them at a time: cell c of block
 * number l of the panel is element c*width + l, and cell c of a block is x + nx (y + ny z).
 */
#ifndef SS_BLOCK_INVERSE_H
#define SS_BLOCK_INVERSE_H

#include "src/base/common.h"

#define SS_BLOCK_MOST 128 /* cells of a block in one direction */

typedef struct ss_inverse ss_inverse;

typedef struct ss_inverse_form {
    const char *name, *help;
    int (*width)(ss_prec prec);                /* blocks of a panel */
    int (*check)(const int n[3], ss_err *err); /* is a block not too large for it? */
    int (*make)(ss_inverse *inv, ss_err *err); /* fills in `own` */
    /* Solves for the first `count` blocks of a panel; what it writes to the others is nothing that
     * anybody should read. The arrays are SS_ALIGN-aligned and do not overlap. */
    void (*apply)(const ss_inverse *inv, const void *rhs, void *u, int count);
    void (*enter)(void);                  /* before threads begin to apply */
    double (*bytes)(const ss_inverse *);  /* of what make has stored */
    double (*flops)(const ss_inverse *);  /* of apply, a block */
    double (*effort)(const ss_inverse *); /* operations of make; NULL: they are few */
} ss_inverse_form;

struct ss_inverse {
    const ss_inverse_form *form;
    int n[3]; /* cells a direction */
    int cells, width;
    ss_prec prec;
    void *own; /* the form's; one piece of memory */
};

extern const ss_inverse_form ss_inverse_dense, ss_inverse_separable;

/* Computed in double, whatever the precision it is applied in. A failure leaves nothing to free. */
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

/* Products of BLAS, dense inverses above all, are the calling thread's own from now on. */
void ss_blas_alone(void);

#endif
