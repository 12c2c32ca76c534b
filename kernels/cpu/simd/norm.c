/* Reproducible sums: see norm.h. */
#include "kernels/cpu/simd/norm.h"

double ss_lanes_sum(const ss_lanes *l)
{
    ss_lanes copy = *l;
    return ss_tree_sum(copy.lane, SS_SUM_LANES);
}

double ss_tree_sum(double *v, size_t n)
{
    while (n > 1) {
        size_t half = (n + 1) / 2;
        for (size_t i = 0; i + half < n; i++)
            v[i] += v[i + half];
        n = half;
    }
    return v[0];
}
