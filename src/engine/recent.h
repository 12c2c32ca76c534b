/*
 * The recent cost of a cycle: the median over the last seconds, so that one slow slice does not
 * move a point of the roofline. Plain data and pure functions; engine thread.
 */
#ifndef SS_RECENT_H
#define SS_RECENT_H

#include <stdbool.h>

#define SS_RECENT_SECONDS 5.0 /* that it covers */
enum { SS_RECENT_BINS = 50 };

typedef struct ss_recent_bin {
    double began; /* clock */
    double cycles, seconds;
} ss_recent_bin;

typedef struct ss_recent {
    ss_recent_bin bin[SS_RECENT_BINS]; /* a ring; the present one at `at` */
    int n, at;
} ss_recent;

void ss_recent_clear(ss_recent *r);
/* Adds cycles that ended at the clock's `now` and cost `seconds`, by whatever clock. Drops what is
 * older than SS_RECENT_SECONDS. */
void ss_recent_add(ss_recent *r, double now, double cycles, double seconds);
/* Median of the seconds per cycle; NaN: nothing was added. */
double ss_recent_median(const ss_recent *r);

#endif
