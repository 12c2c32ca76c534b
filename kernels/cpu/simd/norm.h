/*
 * Sums that are bit-for-bit equal for any number of threads and any vector width: a row is summed
 * in sixteen lanes (point i in lane i % 16), then the lanes and then the rows in a fixed tree. The
 * sweeps call it row by row, the engine thread once per cycle for the tree.
 */
#ifndef SS_CPU_NORM_H
#define SS_CPU_NORM_H

#include "src/base/common.h"

#define SS_SUM_LANES 16
/* Longer rows are summed in strips of so many bytes, each with its own sixteen lanes. A sweep whose
 * threads need much private memory has narrower ones. */
#define SS_SUM_STRIP_BYTES 32768
/* The points of a row whose changes are buffered at a time: a multiple of SS_SUM_LANES. */
#define SS_SUM_CHUNK 128

typedef struct ss_lanes {
    double lane[SS_SUM_LANES];
} ss_lanes;

/* Sum of v[0..n), n > 0, in a fixed binary tree; v is overwritten. */
SS_INLINE double ss_tree_sum(double *v, size_t n)
{
    while (n > 1) {
        size_t half = (n + 1) / 2;
        for (size_t i = 0; i + half < n; i++)
            v[i] += v[i + half];
        n = half;
    }
    return v[0];
}

SS_INLINE double ss_lanes_sum(const ss_lanes *l)
{
    ss_lanes copy = *l;
    return ss_tree_sum(copy.lane, SS_SUM_LANES);
}

#endif
