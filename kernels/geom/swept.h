/*
 * The swept rule's geometry in space and time: the CPU schedule, the CUDA kernels, the ledger and
 * the space-time panel all call these functions. Valid as C11 and CUDA C++17.
 * Source: Magee & Niemeyer, the swept rule on GPUs, section 3, after Alhubail & Wang.
 *
 * A line of n points is divided into n/block nodes. With a stencil of radius R, a node of `block`
 * points on one level can compute block - 2R points of the next level, block - 4R of the one after,
 * and so on, without any halo values: a triangle, height = block/(2R) levels from its base to its
 * apex. A node shifted by half a block fills the gap between two triangles with an inverted
 * triangle; its full width is the base of the next triangle. The two together are a diamond,
 * 2 height - 1 levels tall.
 *
 *        diamond 2  \    /\    /\    /      nodes not shifted
 *        diamond 1   \  /  \  /  \  /       nodes shifted by block/2
 *                     \/    \/    \/
 *                     /\    /\    /\        diamond 0: only its upper half; its base is level 0,
 *        level 0     /__\  /__\  /__\       which is known at all points
 *
 * Level l of diamond d, l = 1 .. 2 height - 1, is level (d - 1) height + l of the chain. Diamonds
 * 0 and 2c have only one half (after and before the waist), so that c cycles begin and end on one
 * level at all points. A cycle is two diamonds: 2 height levels.
 *
 * Two arrays suffice. Level l is in array l % 2. A point that a node can no longer compute retains
 * its last two levels, which are exactly the values that the neighbours need to fill the gap. At
 * its waist a node reads R points of each neighbour, of their level below the waist, which no
 * node overwrites any more.
 */
#ifndef SS_GEOM_SWEPT_H
#define SS_GEOM_SWEPT_H

#include "kernels/geom/tiles.h"

typedef struct ss_swept {
    int n, block, radius;
    int count;  /* nodes */
    int height; /* levels from the base of a triangle to its apex; the advance per diamond */
} ss_swept;

SS_INLINE ss_swept ss_swept_make(int n, int block, int radius)
{
    ss_swept s = {n, block, radius, n / block, block / (2 * radius)};
    return s;
}

/* The levels [first, end) of diamond d in a chain of diamonds 0 .. `last`, which is even. */
SS_INLINE int ss_swept_first(ss_swept s, int64_t d)
{
    return d == 0 ? s.height + 1 : 1;
}
SS_INLINE int ss_swept_end(ss_swept s, int64_t d, int64_t last)
{
    return d == last ? s.height + 1 : 2 * s.height;
}

/* The points of a node, counted from its first one, that its diamond covers on level l. */
SS_INLINE int ss_swept_lo(ss_swept s, int l)
{
    return l <= s.height ? s.block / 2 - s.radius * l : s.radius * (l - s.height);
}
SS_INLINE int ss_swept_hi(ss_swept s, int l)
{
    return s.block - ss_swept_lo(s, l);
}

/* The first point of node j of diamond d. The points of the last node of an odd diamond wrap around
 * to the other end of the line: this node is split in two halves. */
SS_INLINE int ss_swept_origin(ss_swept s, int64_t d, int j)
{
    return j * s.block + (d % 2 ? s.block / 2 : 0);
}

/* The node of diamond d whose points include point i. */
SS_INLINE int ss_swept_node(ss_swept s, int64_t d, int i)
{
    return d % 2 ? (i + s.n - s.block / 2) % s.n / s.block : i / s.block;
}

/* The number in the chain of level l of diamond d. */
SS_INLINE int64_t ss_swept_level(ss_swept s, int64_t d, int l)
{
    return (d - 1) * s.height + l;
}

/* The diamond that computes point i on a level >= 1 of the chain. */
SS_INLINE int64_t ss_swept_diamond(ss_swept s, int64_t level, int i)
{
    /* Two candidates: d, past its waist, and d + 1, which fills the gaps between d's triangles. */
    int64_t d = (level - 1) / s.height; /* level = d height + l, l = 1 .. height */
    int l = (int)(level - d * s.height);
    int at = (i + s.n - (d + 1) % 2 * (s.block / 2)) % s.n % s.block; /* within d + 1's node */
    bool gap = at >= ss_swept_lo(s, l) && at < ss_swept_hi(s, l);
    return gap ? d + 1 : d;
}

#endif
