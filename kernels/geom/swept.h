/*
 * The swept rule's geometry in space and time, written once: the CPU schedule, the CUDA kernels,
 * the ledger and the theatre all ask these functions. Valid as C11 and CUDA C++17.
 * Source: Magee & Niemeyer, the swept rule on GPUs, section 3, after Alhubail & Wang.
 *
 * A line of n points is cut into n/block nodes. A stencil of radius R lets a node of `block` points
 * that knows one level compute block - 2R points of the next one, block - 4R of the one after, and
 * so on, without asking anybody: a triangle, height = block/(2R) levels from its base to where it
 * would end in a point. Half a block further on the gap between two triangles is filled from both
 * sides: the triangle upside down, and on its full width the next triangle stands. The two together
 * are a diamond, 2 height - 1 levels tall.
 *
 *        diamond 2  \    /\    /\    /      nodes where they were
 *        diamond 1   \  /  \  /  \  /       nodes shifted by block/2
 *                     \/    \/    \/
 *                     /\    /\    /\        diamond 0: only its upper half, on the level that is
 *        level 0     /__\  /__\  /__\       known everywhere
 *
 * Level l of diamond d, l = 1 .. 2 height - 1, is level (d - 1) height + l of the whole. Diamonds
 * 0 and 2c have only one half (after and before the waist), so that c cycles begin and end on one
 * level: 2 height levels a cycle, two diamonds.
 *
 * Two arrays hold all of it. Level l lies in array l mod 2; a point that a node may not compute any
 * more keeps its last two levels, and these are just what the neighbours need to fill the gap. At
 * its waist a node reads R points of each neighbour: their level below the waist, which no node
 * changes any more.
 */
#ifndef SS_GEOM_SWEPT_H
#define SS_GEOM_SWEPT_H

#include "kernels/geom/tiles.h"

typedef struct ss_swept {
    int n, block, radius;
    int count;  /* nodes */
    int height; /* levels from the base of a triangle to its point; a diamond advances by so many */
} ss_swept;

SS_INLINE ss_swept ss_swept_make(int n, int block, int radius)
{
    ss_swept s = {n, block, radius, n / block, block / (2 * radius)};
    return s;
}

/* Levels of diamond d of `last` (an even number) that exist: [lo, hi). */
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

/* The first point of node j of diamond d. The points of the last node of an odd diamond go on at
 * the other end of the line: there two halves lie side by side. */
SS_INLINE int ss_swept_origin(ss_swept s, int64_t d, int j)
{
    return j * s.block + (d % 2 ? s.block / 2 : 0);
}

/* The node of diamond d whose points include point i. */
SS_INLINE int ss_swept_node(ss_swept s, int64_t d, int i)
{
    return d % 2 ? (i + s.n - s.block / 2) % s.n / s.block : i / s.block;
}

/* Level l of diamond d among all levels. */
SS_INLINE int64_t ss_swept_level(ss_swept s, int64_t d, int l)
{
    return (d - 1) * s.height + l;
}

/* The diamond that computes point i on a level >= 1 of the whole, if `last` diamonds chain. */
SS_INLINE int64_t ss_swept_diamond(ss_swept s, int64_t level, int i)
{
    /* Two candidates: the one past its waist, and the one that fills its gaps. */
    int64_t d = (level - 1) / s.height; /* level = d height + l, l = 1 .. height */
    int l = (int)(level - d * s.height);
    int at = (i + s.n - (d + 1) % 2 * (s.block / 2)) % s.n % s.block; /* in the later one's node */
    bool gap = at >= ss_swept_lo(s, l) && at < ss_swept_hi(s, l);
    return gap ? d + 1 : d;
}

#endif
