/* Reproducible sums: see norm.h. */
#include "kernels/cpu/norm.h"

void ss_lanes_add_f64(ss_lanes *l, const double *d, int n)
{
    int i = 0;
    for (; i + SS_SUM_LANES <= n; i += SS_SUM_LANES)
        for (int k = 0; k < SS_SUM_LANES; k++)
            l->lane[k] += d[i + k] * d[i + k];
    for (int k = 0; i + k < n; k++)
        l->lane[k] += d[i + k] * d[i + k];
}

void ss_lanes_add_f32(ss_lanes *l, const float *d, int n)
{
    int i = 0;
    for (; i + SS_SUM_LANES <= n; i += SS_SUM_LANES)
        for (int k = 0; k < SS_SUM_LANES; k++)
            l->lane[k] += (double)d[i + k] * (double)d[i + k];
    for (int k = 0; i + k < n; k++)
        l->lane[k] += (double)d[i + k] * (double)d[i + k];
}

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
