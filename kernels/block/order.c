/* Orders of blocks and their levels: see order.h. */
#include "kernels/block/order.h"

#include <stdlib.h>
#include <string.h>

/* ss_order's memory in uint32_t: per block, and in addition once. */
#define PER_BLOCK 5
#define EXTRA 4

double ss_order_bytes(const ss_blocking *blocking)
{
    return ((double)PER_BLOCK * ss_blocking_total(blocking) + EXTRA) * sizeof(uint32_t);
}

int ss_order_make(ss_order *o, const ss_blocking *blocking, int width, ss_err *err)
{
    size_t n = ss_blocking_total(blocking);
    *o = (ss_order){.blocking = *blocking, .width = width};
    uint32_t *memory =
        ss_alloc((PER_BLOCK * n + EXTRA) * sizeof *memory, "the order of the blocks", err);
    if (!memory)
        return SS_FAIL;
    o->block = memory;
    o->sequence = o->block + n;
    o->level = o->sequence + n;
    o->panel = o->level + n;
    o->start = o->panel + n + 1;
    return SS_OK;
}

void ss_order_free(ss_order *o)
{
    free(o->block);
    o->block = NULL;
}

static uint32_t max_u32(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* The highest level of a block's neighbours; 0 if none has a level yet. */
static uint32_t highest_neighbour(const ss_order *o, uint32_t block)
{
    const int *count = o->blocking.count;
    int place[3];
    uint32_t stride = 1, most = 0;
    ss_blocking_place(&o->blocking, block, place);
    for (int d = 0; d < 3; d++) {
        if (place[d] > 0)
            most = max_u32(most, o->level[block - stride]);
        if (place[d] + 1 < count[d])
            most = max_u32(most, o->level[block + stride]);
        stride *= (uint32_t)count[d];
    }
    return most;
}

static void find_levels(ss_order *o, uint32_t n)
{
    memset(o->level, 0, n * sizeof *o->level);
    o->levels = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t block = o->sequence[i];
        o->level[block] = 1 + highest_neighbour(o, block);
        o->levels = max_u32(o->levels, o->level[block]);
    }
}

/* Counting sorts: by shape, then by level. The second one is stable. Overwrites o->sequence. */
static void sort(ss_order *o, uint32_t n)
{
    uint32_t shapes[SS_BLOCK_VARIANTS + 1] = {0}, *position = o->start;
    for (uint32_t b = 0; b < n; b++)
        shapes[ss_blocking_variant(&o->blocking, b) + 1]++;
    for (int v = 1; v <= SS_BLOCK_VARIANTS; v++)
        shapes[v] += shapes[v - 1];
    for (uint32_t b = 0; b < n; b++)
        o->sequence[shapes[ss_blocking_variant(&o->blocking, b)]++] = b;
    memset(position, 0, (o->levels + 2) * sizeof *position);
    for (uint32_t b = 0; b < n; b++)
        position[o->level[b] + 1]++;
    for (uint32_t l = 1; l <= o->levels + 1; l++)
        position[l] += position[l - 1];
    for (uint32_t i = 0; i < n; i++) {
        uint32_t block = o->sequence[i];
        o->block[position[o->level[block]]++] = block;
    }
}

/* Divides the sorted blocks into panels, and the panels into levels. */
static void make_panels(ss_order *o, uint32_t n)
{
    uint32_t panels = 0, level = 0, from = 0;
    int shape = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t block = o->block[i];
        int variant = ss_blocking_variant(&o->blocking, block);
        bool next = o->level[block] != level;
        if (next || variant != shape || i - from == (uint32_t)o->width) {
            from = o->panel[panels++] = i;
            shape = variant;
        }
        if (next)
            o->start[level++] = panels - 1;
    }
    o->panel[panels] = n;
    o->start[level] = panels;
}

static void arrange(ss_order *o, uint32_t n)
{
    sort(o, n);
    make_panels(o, n);
}

static uint32_t reset_sequence(ss_order *o)
{
    uint32_t n = ss_blocking_total(&o->blocking);
    for (uint32_t i = 0; i < n; i++)
        o->sequence[i] = i;
    return n;
}

void ss_order_at_once(ss_order *o)
{
    uint32_t n = reset_sequence(o);
    for (uint32_t i = 0; i < n; i++)
        o->level[i] = 1;
    o->levels = 1;
    arrange(o, n);
}

void ss_order_lexicographic(ss_order *o)
{
    uint32_t n = reset_sequence(o);
    find_levels(o, n);
    arrange(o, n);
}

/* Fisher-Yates shuffle. */
void ss_order_chaotic(ss_order *o, uint64_t stream)
{
    uint32_t n = reset_sequence(o);
    for (uint32_t i = n; i > 1; i--) {
        uint32_t j = ss_random_below(stream, i, i);
        uint32_t swap = o->sequence[i - 1];
        o->sequence[i - 1] = o->sequence[j];
        o->sequence[j] = swap;
    }
    find_levels(o, n);
    arrange(o, n);
}
