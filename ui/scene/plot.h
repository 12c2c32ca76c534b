/*
 * Axes: ticks and their labels ("4k", "1e-3"), the mapping of values to [0, 1], and the thinning of
 * long curves; where the words of a chart stand; ranges of values; two pictures in one. Pure
 * functions, except that ss_range_follow keeps a range still from picture to picture; any thread.
 */
#ifndef SS_PLOT_H
#define SS_PLOT_H

#include <stdbool.h>
#include <stddef.h>

#include "src/base/common.h"

/* --- axes and curves -------------------------------------------------------------------------- */

#define SS_TICK_MAX 16

typedef struct ss_tick {
    double at; /* data coordinate */
    char label[16];
} ss_tick;

typedef struct ss_plot_axis {
    double lo, hi;
    bool log;
    ss_tick tick[SS_TICK_MAX];
    int ntick;
} ss_plot_axis;

/* A usable axis from any range (lo >= hi, NaN, zero on a log axis included). `round` widens the
 * ends to whole steps; at most `max` ticks. */
void ss_axis_make(ss_plot_axis *a, double lo, double hi, bool log, bool round, int max);
/* One more tick, if there is room. */
void ss_axis_add(ss_plot_axis *a, double at, const char *label);
/* Tick i; tick 0 is the lowest. */
const ss_tick *ss_axis_tick(const ss_plot_axis *a, int i);
/* Position in [0, 1]; below 0 or above 1 outside the axis; NaN if undefined. */
double ss_axis_at(const ss_plot_axis *a, double v);
/* The value at a position: the inverse. */
double ss_axis_value(const ss_plot_axis *a, double at);
/* Drops the ticks whose labels are wider than so many columns. */
void ss_axis_drop_wide(ss_plot_axis *a, int columns);
/* Where labels are wider, ticks are told by their distance from the one with the shortest label:
 * "+5e-5", "1", "-5e-5". What is still too wide is dropped. */
void ss_axis_shorten(ss_plot_axis *a, int columns);
/* The label of an end, or of any place that is no tick, with enough digits to tell them apart. */
const char *ss_axis_text(const ss_plot_axis *a, double v);
/* "4k", "10G", "1e-3", "0.25": short, no unit. */
const char *ss_tick_text(double v, bool log);

/* The part of a curve of increasing x between the ends of the axis; where it crosses an end it gets
 * a point on the line, which is straight on these axes. out: n + 2 points or more; it may not alias
 * in. Returns the number of points. */
int ss_curve_clip(const ss_plot_axis *x, const ss_plot_axis *y, const ss_xy *in, int n, ss_xy *out);
/* The point nearest to x; -1: there is none. */
int ss_curve_nearest(const ss_plot_axis *x, const ss_xy *at, int n, double v);
/* The y of a curve of increasing x at v, on the straight line between two points; NaN: beyond its
 * ends, or in a gap. */
double ss_curve_value(const ss_plot_axis *x, const ss_plot_axis *y, const ss_xy *at, int n,
                      double v);

/* Keeps the first, last, lowest and highest point of each of `columns` equal intervals of the x
 * axis, in order, and drops points that cannot be shown. out may alias in. Returns the number of
 * points left. */
int ss_curve_thin(const ss_plot_axis *x, const ss_plot_axis *y, const ss_xy *in, int n, int columns,
                  ss_xy *out);

/* --- labels ----------------------------------------------------------------------------------- */

/* Where the words of a chart stand: tick labels and the title of an axis on one line, labels of
 * marks below each other. In pixels or columns. Painters call it. */

typedef struct ss_label {
    double x, w; /* left edge, width */
    bool shown;
} ss_label;

/* Chooses tick labels, ascending in x and within [lo, hi], that are at least `gap` apart; the first
 * and the last one are kept. Returns the left edge of the axis title, `title` wide, in the gap
 * furthest to the right; where there is none, a label gives way, but not the last one. NaN: no
 * room. */
double ss_labels_on_axis(ss_label *label, int n, double lo, double hi, double gap, double title);

/* A vertical line at x, and its label. */
typedef struct ss_flag {
    double x, w;
    double at; /* left edge of the label, right of its line where there is room */
    int row;   /* rows from the top; the line begins here */
    bool shown;
} ss_flag;

/* Gives each label, ascending in x, a row in which no line of a later one crosses it. Hides the
 * oldest where more than `rows` would be needed. [lo, hi]: room; gap: between line and label. */
void ss_labels_of_marks(ss_flag *flag, int n, double lo, double hi, double gap, int rows);

/* --- ranges ----------------------------------------------------------------------------------- */

/* Of values, that the colours of a picture, or the axis of a curve, stand for. */

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

/* --- two pictures in one ---------------------------------------------------------------------- */

/* Left and right of a line, and the difference of both; ui/panels/wipe.c draws the result. Cells
 * are rows of w, NaN: nothing to show. */

/* The columns of w that are left of the line; at: its place, a part of the width in [0, 1]. */
int ss_wipe_columns(int w, double at);
/* Cells left of the line are those of `left`, the others those of `right`, unchanged. */
void ss_wipe_cells(const float *left, const float *right, int w, int h, double at, float *out);
/* out = right - left. Returns the largest magnitude; 0: all that are not NaN are zero. */
double ss_wipe_difference(const float *left, const float *right, size_t n, float *out);
/* Fewer cells: each has the value of the largest magnitude of its box. w1 <= w, h1 <= h; `out` may
 * be `cell`. */
void ss_wipe_reduce(const float *cell, int w, int h, int w1, int h1, float *out);
/* The end of a scale for differences up to `most`: 1, 2 or 5 times a power of ten. It grows at
 * once, and falls when less than a tenth of it is in use. before: 0: none. */
double ss_wipe_scale(double before, double most);

#endif
