/*
 * Where the blocks of a smoother lie: a list of places, or, for bars of a box of equal patches, a
 * formula. Host and device code, CUDA C++17; pure functions.
 */
#ifndef SS_CUDA_SMOOTH_PLACES_CUH
#define SS_CUDA_SMOOTH_PLACES_CUH

#include <stdint.h>

#define BAR_CELLS 8 /* of a bar's cubes in each direction */

/* A block, a cube of several, or a bar of cubes adjacent in x: the element it begins at, its
 * patch's strides, and what lies beyond its six sides, 2d and 2d + 1 of direction d: the element of
 * the first cell there, a ghost cell or one of a neighbour patch with the same strides. Only bars
 * read `beyond`; the other kernels take cells at the strides. */
struct alignas(16) ss_place {
    uint32_t first;
    int sy, sz;
    int cubes; /* of a bar, else 1 */
    uint32_t beyond[6];
};

/* A count, and what quotient takes to divide by it: ceil(2^31 / count). */
struct ss_divisor {
    int count;
    uint32_t by;
};

/* Bars of a box of equal patches at equal distances: their places follow from their numbers. A
 * bar's number counts along x, y and z in its patch, then the patches before it. */
struct ss_bars {
    int cubes;           /* of a bar, but for the last ones in x; 0: places are listed */
    ss_divisor bar[3];   /* bars of a patch */
    ss_divisor patch[2]; /* patches in x and y */
    int patches_z;
    uint32_t first, stride; /* elements: of the first bar; from a patch to the next one */
    int sy, sz, cubes_x;    /* cubes_x: of a patch */
    /* What lies beyond the sides of a patch are its ghosts. Where blocks read the neighbours' cells
     * instead: elements from the ghosts at the lower side to these cells; to those of the upper
     * neighbour it is as far the other way. */
    uint32_t jump[3];
};

/* n / d.count, and in n the remainder; n d.count < 2^31. */
static __host__ __device__ __forceinline__ int divide(int &n, const ss_divisor &d)
{
    const int quotient = (int)((uint64_t)(2 * (uint32_t)n) * d.by >> 32);
    n -= quotient * d.count;
    return quotient;
}

/* The place of a bar by its number. */
static __host__ __device__ __forceinline__ ss_place bar_place(const ss_bars &l, int number)
{
    int x = number, patch_x, patch_y, patch_z;
    int y = divide(x, l.bar[0]), z = divide(y, l.bar[1]), patch = divide(z, l.bar[2]);
    const uint32_t length = l.cubes * BAR_CELLS, height = BAR_CELLS * l.sy,
                   depth = BAR_CELLS * l.sz;
    ss_place p;
    p.first = l.first + patch * l.stride + x * length + y * height + z * depth;
    p.sy = l.sy;
    p.sz = l.sz;
    p.cubes = l.cubes_x - x * l.cubes;
    p.cubes = p.cubes < l.cubes ? p.cubes : l.cubes;
    patch_x = patch;
    patch_y = divide(patch_x, l.patch[0]);
    patch_z = divide(patch_y, l.patch[1]);
    const bool lower[] = {x == 0 && patch_x > 0, y == 0 && patch_y > 0, z == 0 && patch_z > 0};
    const bool upper[] = {x == l.bar[0].count - 1 && patch_x < l.patch[0].count - 1,
                          y == l.bar[1].count - 1 && patch_y < l.patch[1].count - 1,
                          z == l.bar[2].count - 1 && patch_z < l.patches_z - 1};
    const uint32_t before[] = {1, (uint32_t)l.sy, (uint32_t)l.sz};
    const uint32_t after[] = {p.cubes * (uint32_t)BAR_CELLS, height, depth};
#pragma unroll
    for (int d = 0; d < 3; d++) {
        p.beyond[2 * d] = p.first - before[d] + (lower[d] ? l.jump[d] : 0);
        p.beyond[2 * d + 1] = p.first + after[d] - (upper[d] ? l.jump[d] : 0);
    }
    return p;
}

#endif
