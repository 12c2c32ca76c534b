/*
 * How persistent Jacobi divides the grid among thread blocks. A direction of n points is cut into
 * regions of `width` points. Each region owns the points in its middle, and covers `every` points
 * more on each side, its halo; at the ends of the grid it has none. Neighbouring regions thus
 * overlap by 2 * every points. Pure functions, host and device.
 *
 *     region 0   |<------- owned ------>|<every>|
 *     region 1                  |<every>|<-- owned -->|<every>|
 *     region 2                                |<every>|<------- owned ------>|
 */
#ifndef SS_CUDA_REGIONS_CUH
#define SS_CUDA_REGIONS_CUH

#include "kernels/cuda/device/common.cuh"

struct regions {
    int n, width, every, count;
};

/* One of them: covers [lo, lo + width), owns [own0, own1). */
struct region {
    int lo, own0, own1;
};

static regions make_regions(int n, int width, int every)
{
    regions c = {n, width, every, 1};
    int end = width - every, middle = width - 2 * every; /* owned points of a region */
    if (n > 2 * end)
        c.count = 2 + ceil_div(n - 2 * end, middle);
    else if (n > width)
        c.count = 2;
    return c;
}

static __host__ __device__ region find_region(regions c, int i)
{
    int end = c.width - c.every, middle = c.width - 2 * c.every;
    region p;
    p.own0 = i == 0 ? 0 : end + (i - 1) * middle;
    p.own1 = i == c.count - 1 ? c.n : end + i * middle;
    p.lo = p.own0 - c.every;
    p.lo = p.lo + c.width > c.n ? c.n - c.width : p.lo; /* the last one ends with the grid */
    p.lo = p.lo < 0 ? 0 : p.lo;
    return p;
}

#endif
