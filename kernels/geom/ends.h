/*
 * Boundary conditions at the ends of a line, for the CPU's halo and the CUDA kernels. Valid as C11
 * and CUDA C++17.
 */
#ifndef SS_GEOM_ENDS_H
#define SS_GEOM_ENDS_H

#include "src/base/common.h"

typedef enum ss_bc {
    SS_BC_DIRICHLET, /* zero */
    SS_BC_MIRROR,    /* insulated: point -i is point i */
    SS_BC_PERIODIC,  /* point -i is point n - i */
    SS_BC_FIXED,     /* the end points never change; points outside have the same values */
    SS_BC_GHOST      /* patches: ghost cells, see patches.h */
} ss_bc;

/* The point in 0 .. n-1 that supplies the value of point i, -n < i < 2n - 1. */
SS_INLINE int ss_end_source(ss_bc bc, int n, int i)
{
    if (bc == SS_BC_MIRROR)
        return i < 0 ? -i : i >= n ? 2 * (n - 1) - i : i;
    if (bc == SS_BC_PERIODIC)
        return i < 0 ? i + n : i >= n ? i - n : i;
    return i < 0 ? 0 : i >= n ? n - 1 : i;
}

#endif
