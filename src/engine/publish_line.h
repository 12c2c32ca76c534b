/* The part of a snapshot about time-dependent runs on a line: quantities, monitors, the exact
 * solution, the spectrum, the space-time diagram. Part of publish.c; engine thread only. */
#ifndef SS_PUBLISH_LINE_H
#define SS_PUBLISH_LINE_H

#include "src/core/run.h"
#include "src/snapshot/types.h"

/* Everything except the layers; empty for other runs. selected: a node, or -1. */
void ss_publish_line(ss_snapshot *s, ss_run *run, int selected);
/* The reasons why some layers do not exist for these runs. */
void ss_publish_line_layers(const char *why[SS_NLAYER], const ss_run *run);

#endif
