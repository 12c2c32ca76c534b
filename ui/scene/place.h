/* Places in charts: from character cells to data and back, legends, nearest points. Painters and
 * the view use the same functions, so that the mouse points at what is drawn. In a window these
 * are the cells that ss_drawing_place reports for the pixels of a chart. Pure; any thread. */
#ifndef SS_SCENE_PLACE_H
#define SS_SCENE_PLACE_H

#include "ui/scene/items.h"

/* Whether cells are made of pixels, as in a window, or are the dots themselves. */
bool ss_scene_fine(const ss_scene *s);
/* Bars side by side per point; 0: the chart has curves. */
int ss_chart_bars(const ss_chart *c);
/* The cells of the data of a chart in `item`: without labels, titles and marks below. */
ss_rect ss_chart_data(const ss_chart *c, ss_rect item);
/* Parts of the data, in [0, 1] inside: x to the right, y down. From cells; from data. */
ss_xy ss_chart_part(const ss_scene *s, const ss_item *chart, double x, double y);
ss_xy ss_chart_part_of(const ss_chart *c, ss_xy data);
/* The data at a part. Bars: x is the number of the bar. */
ss_xy ss_chart_value(const ss_chart *c, ss_xy part);
/* The x that is told for an x of the data, and back: the coordinate of a point, a bar's number. */
double ss_chart_told(const ss_chart *c, double x);
double ss_chart_untold(const ss_chart *c, double told);
/* The cell of a terminal that shows a part. */
int ss_chart_column(const ss_chart *c, ss_rect data, double part);
int ss_chart_row(ss_rect data, double part);

/* Legends. Where entry i stands in a terminal; its row counts from the top of the data. w 0: the
 * entry has no room or no name. Returns the rows used. */
int ss_chart_legend(const ss_chart *c, ss_rect data, ss_rect entry[SS_SERIES_MAX]);
/* Does the entry show a piece of its curve? */
bool ss_series_has_piece(const ss_series *s);
/* The cells of entry i for the mouse. A window places its names itself: there they are beside the
 * screen. */
ss_rect ss_legend_hit(const ss_scene *s, const ss_chart *c, ss_rect item, int i);
/* Curve `number`, from 1, of those that can be hidden: with a legend its named entries. Returns the
 * index of its first series, -1: there is none. last: the series that belong to it end before. */
int ss_chart_curve(const ss_chart *c, int number, int *last);

/* What tells a curve from the others of its chart, whichever of them are there: its colour, dash
 * and mark. */
unsigned ss_series_look(const ss_series *s);

/* The shown series of a line or of bars that values are read from; -1: there is none. */
int ss_chart_first(const ss_chart *c);
/* The point of all shown series of points that is nearest on the screen: its series and index.
 * False: the chart has none. */
bool ss_chart_nearest_point(const ss_chart *c, ss_rect data, ss_xy part, int *series, int *index);

/* The points of the shown curves as lines of CSV with a line of names: a column per curve over one
 * column of x, or a line per point (curve, x, y) where there are marks without a line. note: a
 * comment before them, or "". Allocated; NULL: out of memory. rows: without the names. */
char *ss_chart_csv(const ss_chart *c, const char *note, int *rows);

#endif
