/* The part of a snapshot about 3D runs: the shown slice, the edges of blocks and patches in it,
 * and its layers. Part of publish.c; engine thread only. */
#ifndef SS_PUBLISH_SLICE_H
#define SS_PUBLISH_SLICE_H

#include "src/engine/lane.h"

/* Empty for runs of fewer dimensions. */
void ss_publish_slice(ss_snapshot *s, ss_lane *lane);
/* The reasons why some of publish.c's layers do not exist. */
void ss_publish_slice_layers(const char *why[SS_NLAYER], const ss_run *run);

#endif
