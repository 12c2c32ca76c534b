/* Places for call-outs: boxes of words near the points that they explain, which cover neither these
 * points nor each other. Pure functions; any thread. */
#ifndef SS_CALLOUTS_H
#define SS_CALLOUTS_H

#include "ui/scene/layout.h"
#include "ui/scene/plot.h"

typedef struct ss_callout {
    ss_rect panel; /* the box stands in it if there is room */
    ss_xy at;      /* the explained point, in cells */
    int w, h;      /* of the box */
    ss_rect box;   /* the result; w 0: there is no room */
} ss_callout;

/* Places n boxes in order; the first ones are the most important. */
void ss_callouts_place(ss_callout *c, int n, ss_rect screen);
/* The place in a box that is nearest to its point: there its line begins. */
ss_xy ss_callout_start(const ss_callout *c);

#endif
