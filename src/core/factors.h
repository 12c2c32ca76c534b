/*
 * Reduction factors of the residual: that of one step, |r_c| / |r_{c-1}| (the smoothing factor of a
 * smoother), the mean over the last steps, and the measured factor of convergence, which is
 * compared with the predicted one (ss_solver.factor). Owned by the run; engine thread only.
 */
#ifndef SS_FACTORS_H
#define SS_FACTORS_H

#include "src/base/common.h"

#define SS_FACTOR_WINDOW 10   /* residuals back */
#define SS_FACTOR_LONG 100    /* ratios of the measured factor */
#define SS_FACTOR_FLOOR 1e-10 /* smaller residuals, over the first one, may be rounding errors */

typedef struct ss_factors {
    double residual[SS_FACTOR_WINDOW + 1]; /* the newest last */
    int64_t cycle[SS_FACTOR_WINDOW + 1];
    int n; /* 0: forgets everything */
    /* Residual i since the start, above the floor, is at i % (SS_FACTOR_LONG + 1). */
    double above[SS_FACTOR_LONG + 1];
    int64_t above_cycle[SS_FACTOR_LONG + 1], count;
    double first;
} ss_factors;

void ss_factors_add(ss_factors *f, int64_t cycle, double residual);
/* The factor per cycle, as a geometric mean: since the previous residual, and since the oldest one
 * stored. NaN: unknown. */
double ss_factors_last(const ss_factors *f);
double ss_factors_mean(const ss_factors *f);
/* The factor per cycle over the last min(100, half) ratios above the floor, as a geometric mean.
 * NaN: there are fewer than four. *settled (may be NULL): its two halves agree within 1 %. */
double ss_factors_measured(const ss_factors *f, bool *settled);

#endif
