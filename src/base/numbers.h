/*
 * Minimum and clamp of integers, comparison of doubles. Any thread.
 */
#ifndef SS_NUMBERS_H
#define SS_NUMBERS_H

#include "src/base/common.h"

SS_INLINE int ss_min(int a, int b)
{
    return a < b ? a : b;
}

SS_INLINE int ss_clamp(int v, int lo, int hi)
{
    return v < lo ? lo : v > hi ? hi : v;
}

/* For qsort of doubles, ascending. */
SS_INLINE int ss_ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

#endif
