/*
 * Where the blocks of a smoother lie: a list of places, or, for bars of a box of equal patches, a
 * formula. For the host and for kernels: valid as C11 and CUDA C++17; pure functions.
 */
#ifndef SS_CUDA_SMOOTH_PLACES_H
#define SS_CUDA_SMOOTH_PLACES_H

#include "src/base/common.h"

#define BAR_CELLS 8 /* of a bar's cubes in each direction */

/* A block, a cube of several, or a bar of cubes adjacent in x: the element it begins at, its
 * patch's strides, and what lies beyond its six sides, 2d and 2d + 1 of direction d: the element of
 * the first cell there, a ghost cell or one of a neighbour patch with the same strides. Only bars
 * read `beyond`; the other kernels take cells at the strides. */
typedef struct __attribute__((aligned(16))) ss_block_place {
    uint32_t first;
    int sy, sz;
    int cubes; /* of a bar, else 1 */
    uint32_t beyond[6];
} ss_block_place;

/* A count, and what divide takes: ceil(2^31 / count). */
typedef struct ss_divisor {
    int count;
    uint32_t by;
} ss_divisor;

/*
 * Bars of a box of equal patches at equal distances: their places follow from those of their thread
 * blocks in the grid, which has the bars of a patch in x and y, and those of all patches, one patch
 * after the other, in z. Distances are numbers of elements, and may be negative.
 */
typedef struct ss_bars {
    int cubes; /* of a bar, but for the last ones in x; 0: places are listed */
    int x, y, cubes_x;
    ss_divisor z;
    ss_divisor patch[2]; /* patches in x and y */
    int patches_z;
    uint32_t first, stride; /* the first bar; from a patch to the next one */
    int sy, sz;
    /* What lies beyond the sides of a patch are its ghosts. Where blocks read the neighbours' cells
     * instead: from the ghosts at the lower side to these cells; to those of the upper neighbour it
     * is as far the other way. */
    bool direct;
    uint32_t jump[3];
    /* A bar that is relaxed later: so many rows, planes and patches of bars further. Its distance,
     * and what is added where y or z come out beyond the patch. */
    int later_y, later_z;
    uint32_t later, wrap_y, wrap_z;
} ss_bars;

/* *n / d->count, and in *n the remainder; *n d->count < 2^31. */
SS_INLINE int ss_divide(int *n, const ss_divisor *d)
{
    const int quotient = (int)((uint64_t)(2 * (uint32_t)*n) * d->by >> 32);
    *n -= quotient * d->count;
    return quotient;
}

/* Where patches end, the neighbours' cells instead of ghosts. x, y, z: the bar in its patch. */
SS_INLINE void ss_jump_to_neighbours(ss_block_place *p, const ss_bars *l, int x, int y, int z,
                                     int patch)
{
    int patch_x = patch, patch_y = ss_divide(&patch_x, &l->patch[0]);
    const int patch_z = ss_divide(&patch_y, &l->patch[1]);
    p->beyond[0] += x == 0 && patch_x > 0 ? l->jump[0] : 0;
    p->beyond[1] -= x == l->x - 1 && patch_x < l->patch[0].count - 1 ? l->jump[0] : 0;
    p->beyond[2] += y == 0 && patch_y > 0 ? l->jump[1] : 0;
    p->beyond[3] -= y == l->y - 1 && patch_y < l->patch[1].count - 1 ? l->jump[1] : 0;
    p->beyond[4] += z == 0 && patch_z > 0 ? l->jump[2] : 0;
    p->beyond[5] -= z == l->z.count - 1 && patch_z < l->patches_z - 1 ? l->jump[2] : 0;
}

/* The place of the bar of thread block (x, y, z). */
SS_INLINE ss_block_place ss_bar_place(const ss_bars *l, int x, int y, int z)
{
    const int patch = ss_divide(&z, &l->z);
    const uint32_t length = (uint32_t)l->cubes * BAR_CELLS, height = BAR_CELLS * (uint32_t)l->sy,
                   depth = BAR_CELLS * (uint32_t)l->sz;
    ss_block_place p;
    p.first = l->first + (uint32_t)patch * l->stride + (uint32_t)x * length + (uint32_t)y * height +
              (uint32_t)z * depth;
    p.sy = l->sy;
    p.sz = l->sz;
    p.cubes = l->cubes_x - x * l->cubes;
    p.cubes = p.cubes < l->cubes ? p.cubes : l->cubes;
    p.beyond[0] = p.first - 1;
    p.beyond[1] = p.first + (uint32_t)p.cubes * BAR_CELLS;
    p.beyond[2] = p.first - (uint32_t)l->sy;
    p.beyond[3] = p.first + height;
    p.beyond[4] = p.first - (uint32_t)l->sz;
    p.beyond[5] = p.first + depth;
    if (l->direct)
        ss_jump_to_neighbours(&p, l, x, y, z, patch);
    return p;
}

/* From that bar to the later one. */
SS_INLINE uint32_t ss_to_later_bar(const ss_bars *l, int y, int z)
{
    ss_divide(&z, &l->z);
    const bool over_y = y + l->later_y >= l->y,
               over_z = z + l->later_z + (over_y ? 1 : 0) >= l->z.count;
    return l->later + (over_y ? l->wrap_y : 0) + (over_z ? l->wrap_z : 0);
}

#endif
