/*
 * Reduction factors of the residual: that of one step, |r_c| / |r_{c-1}| (the smoothing factor of a
 * smoother), and the mean over the last steps. Owned by the run; engine thread only.
 */
#ifndef SS_FACTORS_H
#define SS_FACTORS_H

#include "src/base/common.h"

#define SS_FACTOR_WINDOW 10 /* residuals back */

typedef struct ss_factors {
    double residual[SS_FACTOR_WINDOW + 1]; /* the newest last */
    int64_t cycle[SS_FACTOR_WINDOW + 1];
    int n;
} ss_factors;

void ss_factors_add(ss_factors *f, int64_t cycle, double residual);
/* The factor per cycle, as a geometric mean: since the previous residual, and since the oldest one
 * stored. NaN: unknown. */
double ss_factors_last(const ss_factors *f);
double ss_factors_mean(const ss_factors *f);

#endif
