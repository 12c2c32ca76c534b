/*
 * Sums that come out the same to the last bit whatever the threads and the vector width: a row is
 * added up in sixteen lanes (point i in lane i mod 16), the lanes and then the rows in a fixed
 * tree. Called from inside the sweeps (row by row) and once a cycle by the engine thread (the
 * tree).
 */
#ifndef SS_CPU_NORM_H
#define SS_CPU_NORM_H

#include "src/base/common.h"

#define SS_SUM_LANES 16
/* Points of a row whose changes are kept at a time: a multiple of the lanes. */
#define SS_SUM_CHUNK 128

typedef struct ss_lanes {
    double lane[SS_SUM_LANES];
} ss_lanes;

double ss_lanes_sum(const ss_lanes *l);

/* Sum of v[0..n), n > 0, in a fixed binary tree; v is overwritten. */
double ss_tree_sum(double *v, size_t n);

#endif
