/*
 * The rows of the field that a picture reads for a box of points. The CPU's sampler and the GPU's
 * gather kernel both call these functions. Valid as C11 and CUDA C++17.
 *
 * A box has the rows [lo, hi). Live pictures of large fields read `pairs` pairs of adjacent rows of
 * it, evenly spread; 0: every row. The choice depends on sizes only, so that pictures do not
 * flicker.
 */
#ifndef SS_GEOM_BOXES_H
#define SS_GEOM_BOXES_H

#include "src/base/common.h"

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

#endif
