/* Axes: ticks and their labels ("4k", "1e-3"), the mapping of values to [0, 1], and the thinning
 * of long curves. Pure functions; any thread. */
#ifndef SS_PLOT_H
#define SS_PLOT_H

#include <stdbool.h>
#include <stddef.h>

#include "src/base/common.h"

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
const char *ss_axis_text(const ss_plot_axis *a, double v, char *buf, size_t size);
/* "4k", "10G", "1e-3", "0.25": short, no unit. */
const char *ss_tick_text(double v, bool log, char *buf, size_t size);

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

#endif
