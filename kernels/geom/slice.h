/*
 * A slice of a 3D window of cells, for the sampler, for kernels that gather it on a device, and for
 * the outlines of blocks and patches in pictures. Valid as C11 and CUDA C++17. Pure.
 */
#ifndef SS_GEOM_SLICE_H
#define SS_GEOM_SLICE_H

#include "src/base/common.h"

typedef struct ss_slice {
    int axis, at; /* the slice has the cells whose coordinate `axis` (0 x, 1 y, 2 z) is `at` */
    int d[2];     /* the horizontal and vertical direction of the picture */
    int n[2];     /* cells in these directions */
    int count;    /* slices along the axis */
} ss_slice;

/* at < 0: the middle slice; too large: the last one. */
SS_INLINE ss_slice ss_slice_make(int nx, int ny, int nz, int axis, int at)
{
    ss_slice s;
    const int n[3] = {nx, ny, nz};
    s.axis = axis < 0 || axis > 2 ? 2 : axis;
    s.count = n[s.axis];
    s.at = at < 0 ? s.count / 2 : at < s.count ? at : s.count - 1;
    s.d[0] = s.axis == 0 ? 1 : 0;
    s.d[1] = s.axis == 2 ? 1 : 2;
    s.n[0] = n[s.d[0]];
    s.n[1] = n[s.d[1]];
    return s;
}

/* The cell of the window at (x, y) of the slice. */
SS_INLINE void ss_slice_cell(const ss_slice *s, int x, int y, int cell[3])
{
    cell[s->axis] = s->at;
    cell[s->d[0]] = x;
    cell[s->d[1]] = y;
}

#endif
