/*
 * In which order the blocks of a patch are relaxed, and which of them may be at once: level by
 * level, where a block's level is one more than that of any neighbour that comes before it. Blocks
 * of a level do not share a face, so that the result is that of one block after the other in the
 * given order, whatever the threads and however many blocks are solved side by side. All at once,
 * for Jacobi, is one level. Engine thread.
 */
#ifndef SS_BLOCK_ORDER_H
#define SS_BLOCK_ORDER_H

#include "kernels/geom/blocking.h"

typedef struct ss_order {
    ss_blocking blocking;
    int width;       /* blocks of a panel, at most */
    uint32_t *block; /* level by level, in a level shape by shape */
    uint32_t *panel; /* panel p: blocks number panel[p] up to panel[p + 1], of one shape */
    uint32_t *start; /* level l: panels start[l] up to start[l + 1] */
    uint32_t levels;
    uint32_t *sequence, *level; /* while drawing: the order; of each block, from 1 */
} ss_order;

/* Memory for orders of these blocks. A failure leaves nothing to free. */
int ss_order_make(ss_order *o, const ss_blocking *blocking, int width, ss_err *err);
void ss_order_free(ss_order *o);
/* Bytes of it. */
double ss_order_bytes(const ss_blocking *blocking);

void ss_order_at_once(ss_order *o);
void ss_order_lexicographic(ss_order *o);
/* Each order as likely as any other; the same one for the same stream of random numbers. An order
 * that is kept smooths about as well as the lexicographic one; drawing a new one for every step
 * leaves a fifth to a quarter more after three steps of the reference case. */
void ss_order_chaotic(ss_order *o, uint64_t stream);

#endif
