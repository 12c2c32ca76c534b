/*
 * What a snapshot has of a 3D run besides: which slice the picture is of, where blocks and patches
 * end in it, which layers there are, and the spectrum of the error. A part of publish.c; engine
 * thread only.
 */
#ifndef SS_PUBLISH_SLICE_H
#define SS_PUBLISH_SLICE_H

#include "src/engine/lane.h"

/* Nothing for runs of fewer dimensions. */
void ss_publish_slice(ss_snapshot *s, ss_lane *lane);
/* Why layers do not exist, of those that publish.c believes in. */
void ss_publish_slice_layers(ss_snapshot *s, const ss_run *run);

/* Is u* needed for what is looked at, besides a layer? */
bool ss_publish_wants_exact(const ss_run *run, const ss_view *view);

#endif
