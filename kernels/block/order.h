/*
 * The order in which the blocks of a patch are relaxed, and the blocks that may be relaxed
 * concurrently. Blocks are relaxed level by level: the level of a block is one more than the
 * highest level of the neighbours that precede it. Blocks of a level share no face, so the result
 * equals sequential relaxation in the given order, for any number of threads and any panel width.
 * For Jacobi all blocks form one level. Engine thread.
 */
#ifndef SS_BLOCK_ORDER_H
#define SS_BLOCK_ORDER_H

#include "kernels/geom/blocking.h"

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

#endif
