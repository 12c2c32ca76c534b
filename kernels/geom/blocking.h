/*
 * The division of a patch of cells into blocks, from the lower ends on; blocks at the upper ends
 * may be truncated. Blocks and cells are numbered with x fastest. Called by the smoothers and by
 * pictures of them; valid as C11 and CUDA C++17.
 */
#ifndef SS_BLOCK_BLOCKING_H
#define SS_BLOCK_BLOCKING_H

#include "src/base/common.h"

#define SS_BLOCK_MOST 128   /* the most cells of a block per direction */
#define SS_BLOCK_VARIANTS 8 /* truncated or not, in each of three directions */

typedef struct ss_blocking {
    int n[3];     /* cells of the patch */
    int size[3];  /* cells of a whole block */
    int count[3]; /* blocks per direction */
} ss_blocking;

SS_INLINE ss_blocking ss_blocking_make(const int n[3], const int size[3])
{
    ss_blocking b;
    for (int d = 0; d < 3; d++) {
        b.n[d] = n[d];
        b.size[d] = size[d] < n[d] ? size[d] : n[d];
        b.count[d] = (n[d] + b.size[d] - 1) / b.size[d];
    }
    return b;
}

SS_INLINE uint32_t ss_blocking_total(const ss_blocking *b)
{
    return (uint32_t)b->count[0] * (uint32_t)b->count[1] * (uint32_t)b->count[2];
}

/* The coordinates of a block, in blocks. */
SS_INLINE void ss_blocking_place(const ss_blocking *b, uint32_t block, int place[3])
{
    place[0] = (int)(block % (uint32_t)b->count[0]);
    place[1] = (int)(block / (uint32_t)b->count[0] % (uint32_t)b->count[1]);
    place[2] = (int)(block / (uint32_t)b->count[0] / (uint32_t)b->count[1]);
}

/* Bit d: the block is truncated in direction d. All blocks of a variant have the same shape. */
SS_INLINE int ss_blocking_variant(const ss_blocking *b, uint32_t block)
{
    int place[3], variant = 0;
    ss_blocking_place(b, block, place);
    for (int d = 0; d < 3; d++)
        variant |= ((place[d] + 1) * b->size[d] > b->n[d]) << d;
    return variant;
}

/* The shape of the blocks of a variant; false if the patch has none. */
SS_INLINE bool ss_blocking_shape(const ss_blocking *b, int variant, int cells[3])
{
    bool exists = true;
    for (int d = 0; d < 3; d++) {
        cells[d] = variant >> d & 1 ? b->n[d] % b->size[d] : b->size[d];
        exists = exists && cells[d] > 0;
    }
    return exists;
}

#endif
