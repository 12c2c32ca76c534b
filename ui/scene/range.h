/* The range of values that the colours of a picture, or the axis of a curve, stand for. Pure
 * functions, except that ss_range_follow keeps a range still from picture to picture. */
#ifndef SS_SCENE_RANGE_H
#define SS_SCENE_RANGE_H

#include <stdbool.h>
#include <stddef.h>

enum { SS_RANGE_DECADES = 5 }; /* of the colours of a log layer */

typedef struct ss_range {
    double lo, hi;
    bool valid, sign; /* sign: both signs have occurred, the range is symmetric */
} ss_range;

/* The range of values lo to hi. log: the whole decades that end above hi, `decades` of them.
 * Invalid if there is nothing to show: all values are zero or not finite. */
ss_range ss_range_linear_fit(double lo, double hi, bool sign);
ss_range ss_range_log_fit(double hi, int decades);
/* Follows the values of a new picture. It grows at once and shrinks after a clear fall. still: the
 * picture does not change any more, so the range is that of its values. */
void ss_range_linear(ss_range *r, double lo, double hi, bool still);
void ss_range_log(ss_range *r, double hi, int decades, bool still);
/* The range that contains both. log: the one that ends higher, so that it keeps its number of
 * decades. */
ss_range ss_range_join(ss_range a, ss_range b, bool log);
/* Part t in [0, 1] of the way from one range to another. */
ss_range ss_range_between(ss_range from, ss_range to, bool log, double t);
/* Do the two ends differ by more than a tenth of the range? On a log scale: by a tenth of a decade.
 */
bool ss_range_differs(ss_range a, ss_range b, bool log);
/* The largest value, hi. If at most one cell in a thousand lies in its decade: the end of the
 * decade below, so that a single cell does not change the scale. */
double ss_range_peak(const float *cell, size_t n, double hi);

/* Position of a value in [0, 1]; NaN stays NaN. */
double ss_range_at(const ss_range *r, bool log, double v);
/* The value at a position, also beyond [0, 1]. */
double ss_range_value(const ss_range *r, bool log, double at);

#endif
