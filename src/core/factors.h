/*
 * How fast a residual falls: a step's factor |r_c| / |r_{c-1}|, which for a smoother is its
 * smoothing factor, and the mean one over the last few steps. Kept by the run; engine thread only.
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
/* A cycle's, the geometric mean since the residual before, or since the oldest one there is. NaN:
 * not known. */
double ss_factors_last(const ss_factors *f);
double ss_factors_mean(const ss_factors *f);

#endif
