/* The part of a snapshot about the spectrum of a steady run's error. Part of publish.c; engine
 * thread only. */
#ifndef SS_PUBLISH_BANDS_H
#define SS_PUBLISH_BANDS_H

#include "src/engine/lane.h"

/* Empty while the view does not show it, and for runs that have none. */
void ss_publish_bands(ss_snapshot *s, ss_lane *lane);
/* After it: the spectrum of another run of a race. `shown`: the run of ss_publish_bands, of the
 * same problem. */
void ss_publish_racer_bands(ss_snapshot *s, ss_lane *lane, ss_lane *shown, ss_bands *out);

/* Does the view need u* for its spectrum? */
bool ss_publish_wants_exact(const ss_run *run, const ss_view *view);

#endif
