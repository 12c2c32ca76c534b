/*
 * Axes: where ticks stand and what they say ("4k", "1e-3"), the mapping of values to [0, 1], and
 * the thinning of long curves. Pure functions; any thread.
 */
#ifndef SS_PLOT_H
#define SS_PLOT_H

#include <stdbool.h>
#include <stddef.h>

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

/* A usable axis from a range that may be anything (lo >= hi, NaN, zero on a log axis). The ends are
 * widened to whole steps if `round`; at most `max` ticks. */
void ss_axis_make(ss_plot_axis *a, double lo, double hi, bool log, bool round, int max);
/* Tick i, the lowest being the first. */
const ss_tick *ss_axis_tick(const ss_plot_axis *a, int i);
/* Position in [0, 1]; below 0 or above 1 outside; NaN for what cannot be shown. */
double ss_axis_at(const ss_plot_axis *a, double v);
/* The ends, or another place that is no tick: with so many digits that they differ. */
const char *ss_axis_text(const ss_plot_axis *a, double v, char *buf, size_t size);
/* "4k", "1e-3", "0.25": short, no unit. */
const char *ss_tick_text(double v, bool log, char *buf, size_t size);

typedef struct ss_xy {
    double x, y;
} ss_xy;

/* Keeps the first, last, lowest and highest point of each of `columns` equal pieces of the x axis,
 * in order; points that cannot be shown are dropped. out may be in. Returns how many are left. */
int ss_curve_thin(const ss_plot_axis *x, const ss_plot_axis *y, const ss_xy *in, int n, int columns,
                  ss_xy *out);

#endif
