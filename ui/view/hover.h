/*
 * Charts that answer: the place under the mouse, the cursor of the keyboard, hidden curves, the
 * part of a chart that is shown. Part of ui/view/state.h; the panels draw it. Main thread only.
 */
#ifndef SS_VIEW_HOVER_H
#define SS_VIEW_HOVER_H

#include "ui/scene/items.h"
#include "ui/scene/place.h"

enum { SS_NCHART = 4, SS_CURVES_MAX = 9 }; /* charts of a scene */

/* A place: an item of the scene (a chart or a picture), and the part of its data, y down. */
typedef struct ss_hover {
    int item; /* -1: nothing that tells a value */
    ss_xy part;
} ss_hover;

/* How the charts of one abscissa are shown. [0]: x, [1]: y */
typedef struct ss_chart_view {
    unsigned hidden[SS_CURVES_MAX]; /* the looks of the hidden curves */
    int nhidden;
    bool zoomed[2];
    double lo[2], hi[2];
    double all_lo[2], all_hi[2]; /* the axes without zoom, when it was drawn last */
    double least;                /* the narrowest part of x, as it was then; 0: any */
    int log[2];                  /* 1: on, -1: off, 0: as the chart has it */
} ss_chart_view;

/* The mouse on a chart, held. */
typedef struct ss_chart_drag {
    bool on, moved, pans;
    bool draws; /* it sets the number that a lesson asks for */
    int chart;
    ss_xy from, to; /* parts of its data */
    double when;    /* of the last press; 0: none */
} ss_chart_drag;

typedef struct ss_charts {
    bool off; /* the mouse asks for no values */
    bool cursor;
    int chart; /* of the cursor */
    double x;  /* of the cursor, as it is told */
    ss_chart_view of[SS_NABSCISSA];
    ss_chart_drag drag;
} ss_charts;

/* The place at (x, y), in cells. */
ss_hover ss_hover_at(const ss_scene *s, double x, double y);
/* The item of a chart, -1: it is not on the screen. The chart of an item, -1: it is none. */
int ss_chart_item(const ss_scene *s, int chart);
int ss_chart_of_item(const ss_scene *s, int item);
bool ss_chart_hides(const ss_chart_view *v, const ss_series *s);
/* Can its x axis be zoomed? Bars and the visits of grids stay whole. */
bool ss_chart_zooms(const ss_chart *c);

#endif
