/* A chart being drawn: shared by chart.c (axes and curves) and legend.c (words, and where the mouse
 * meets them). For ui/draw, and for ui/canvas, which keeps what is below the data. Thread: the
 * owner of the pen. */
#ifndef SS_DRAW_PLOT_H
#define SS_DRAW_PLOT_H

#include "ui/draw/draw.h"
#include "ui/scene/labels.h"
#include "ui/scene/place.h"

/* The data rectangle of a chart. */
typedef struct ss_plot {
    const ss_painter *p;
    const ss_chart *chart;
    double x, y, w, h, s; /* pixels; s: scale */
    double left, right;   /* edges of the chart with its labels */
    double curve;         /* width of a curve in pixels */
    ss_rect item;         /* in cells */
    int bars;             /* bars side by side per point, 0: curves */
} ss_plot;

/* --- chart.c ---------------------------------------------------------------------------------- */

/* False: too small for any data. */
bool ss_plot_make(ss_plot *f, const ss_painter *p, const ss_item *item);
/* Axes, zones and marks; then the curves or bars, and the words over them. */
void ss_plot_ground(const ss_plot *f);
void ss_plot_data(const ss_plot *f);
bool ss_plot_is_solid(const ss_plot *f); /* no bars, no points, no dashes */
double ss_plot_x(const ss_plot *f, double v);
double ss_plot_y(const ss_plot *f, double v);
bool ss_plot_has_x(const ss_plot *f, double x);
bool ss_plot_has_y(const ss_plot *f, double y);
/* A piece of a curve, or a point, centred on the line y. */
void ss_plot_piece(const ss_plot *f, const ss_series *s, double x, double y, double w);

/* --- legend.c --------------------------------------------------------------------------------- */

/* Labels of the marks, and the order of the marks by position; returns their number. The middle of
 * a label's row, below `under` rows of the legend. */
int ss_plot_flags(const ss_plot *f, ss_flag *flag, int *mark);
double ss_plot_flag_y(const ss_plot *f, int row, int under);
/* Returns the rows of the legend. */
int ss_plot_legend(const ss_plot *f, bool draw);
/* The words over the curves. */
void ss_plot_words(const ss_plot *f);

#endif
