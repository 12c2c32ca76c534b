/*
 * Sums that come out the same to the last bit whatever the threads and the vector width: a row is
 * added up in sixteen lanes (point i in lane i mod 16), the lanes and then the rows in a fixed tree.
 * Called from inside the sweeps (row by row) and once a cycle by the engine thread (the tree).
 */
#ifndef SS_CPU_NORM_H
#define SS_CPU_NORM_H

#include "src/base.h"

#define SS_SUM_LANES 16
/* Points of a row between two calls of ss_lanes_add: a multiple of the lanes. */
#define SS_SUM_CHUNK 512

typedef struct ss_lanes {
    double lane[SS_SUM_LANES];
} ss_lanes;

/* lane[i mod 16] += d[i]^2, in double. All calls for a row but the last have n = SS_SUM_CHUNK. */
void ss_lanes_add_f64(ss_lanes *l, const double *d, int n);
void ss_lanes_add_f32(ss_lanes *l, const float *d, int n);
double ss_lanes_sum(const ss_lanes *l);

/* Sum of v[0..n), n > 0, in a fixed binary tree; v is overwritten. */
double ss_tree_sum(double *v, size_t n);

#endif
