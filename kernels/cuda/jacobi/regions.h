/*
 * How persistent Jacobi divides one direction of n points among thread blocks. A region covers
 * `width` points. It owns those that its block stores in the end, and has a halo of `every` points
 * at each end that is not an end of the grid. `every` is the solver's parameter, 1 to 8: a halo as
 * deep as the number of iterations between two exchanges (persistent.cuh). Example: n = 30,
 * width = 12, every = 2; o owned, h halo, x covered but unused:
 *
 *     point     0         10        20        30
 *     region 0  oooooooooohh                         owns width - every     = 10
 *     region 1          hhoooooooohh                 owns width - 2 * every =  8
 *     region 2                  hhoooooooohh         the same
 *     region 3                    xxxxxxhhoooo       owns the rest          =  4
 *
 * The last region is shifted so that it ends with the grid; it may thus overlap its neighbour by
 * more than 2 * every points. Preconditions: width >= 3 * every, so that all halo points belong to
 * the next region (the shapes in persistent.c are at least 64 points wide). On lines `every`
 * is 0 in y, where nothing is coupled. Valid as C11 and CUDA C++17. Pure functions; any thread.
 */
#ifndef SS_CUDA_JACOBI_REGIONS_H
#define SS_CUDA_JACOBI_REGIONS_H

#include "src/base/common.h"

/* All regions of a direction. */
typedef struct regions {
    int n;     /* points of the grid */
    int width; /* points of a region */
    int every; /* points of a halo */
    int count; /* regions */
} regions;

/* One region: covers [lo, lo + width), owns [own0, own1). lo >= 0. lo + width <= n, unless the
 * whole grid is smaller than a region: then lo = 0. */
typedef struct region {
    int lo, own0, own1;
} region;

/* The first and the last region own at most width - every points each, those between them exactly
 * width - 2 * every. In the example: 2 + ceil((30 - 2 * 10) / 8) = 4 regions. The last one owns
 * more than `every` points, so that no region but the last has to be shifted. */
SS_INLINE regions make_regions(int n, int width, int every)
{
    regions c = {n, width, every, 1};
    int owned_first = width - every, owned_middle = width - 2 * every;
    if (n > 2 * owned_first)
        c.count = 2 + (n - 2 * owned_first + owned_middle - 1) / owned_middle;
    else if (n > width)
        c.count = 2;
    return c;
}

SS_INLINE region find_region(regions c, int i)
{
    int owned_first = c.width - c.every, owned_middle = c.width - 2 * c.every;
    region p;
    p.own0 = i == 0 ? 0 : owned_first + (i - 1) * owned_middle;
    p.own1 = i == c.count - 1 ? c.n : owned_first + i * owned_middle;
    p.lo = p.own0 - c.every;
    p.lo = p.lo + c.width > c.n ? c.n - c.width : p.lo; /* the last region */
    p.lo = p.lo < 0 ? 0 : p.lo;                         /* the first region */
    return p;
}

#endif
