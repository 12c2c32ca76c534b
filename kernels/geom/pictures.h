/*
 * What a picture reads of the field: some rows of a box of points, and a slice of a 3D window of
 * cells. Called by the CPU's sampler, by the GPU's gather kernels, and for the outlines of blocks
 * and patches in pictures. Valid as C11 and CUDA C++17. Pure.
 */
#ifndef SS_GEOM_PICTURES_H
#define SS_GEOM_PICTURES_H

#include "src/base/common.h"

/* --- the rows of a box ------------------------------------------------------------------------ */

/*
 * A box has the rows [lo, hi). Live pictures of large fields read `pairs` pairs of adjacent rows of
 * it, evenly spread; 0: every row. The choice depends on sizes only, so that pictures do not
 * flicker.
 */

/* The start of a segment of `length` inside [lo, hi): at the lower end in the first of `count`
 * boxes, at the upper end in the last, linear in between. This samples both edges of the domain. */
SS_INLINE int ss_box_place(int lo, int hi, int length, int64_t index, int64_t count)
{
    int64_t slack = hi - lo - length;
    return lo + (int)(count > 1 ? slack * index / (count - 1) : slack / 2);
}

/* Whether all rows of a box are read. */
SS_INLINE bool ss_box_whole(int lo, int hi, int pairs)
{
    return pairs == 0 || 2 * pairs >= hi - lo;
}

/* The number of rows read. */
SS_INLINE int ss_box_rows(int lo, int hi, int pairs)
{
    return ss_box_whole(lo, hi, pairs) ? hi - lo : 2 * pairs;
}

/* The i-th row read, in box r of `count`. */
SS_INLINE int ss_box_row(int lo, int hi, int pairs, int r, int count, int i)
{
    if (ss_box_whole(lo, hi, pairs))
        return lo + i;
    int q = i / 2;
    int from = lo + (int)((int64_t)(hi - lo) * q / pairs);
    int to = lo + (int)((int64_t)(hi - lo) * (q + 1) / pairs);
    return ss_box_place(from, to, 2, (int64_t)r * pairs + q, (int64_t)count * pairs) + i % 2;
}

/* --- a slice of a window ---------------------------------------------------------------------- */

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
