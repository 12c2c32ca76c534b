/*
 * What a snapshot says of time-dependent runs on a line: quantities, monitors, the exact solution
 * over the numerical one, the spectrum, the theatre. Part of publish.c; engine thread only.
 */
#ifndef SS_PUBLISH_LINE_H
#define SS_PUBLISH_LINE_H

#include "src/core/run.h"
#include "src/snapshot/types.h"

/* Everything but the layers; says that there is nothing where the run is of another kind.
 * selected: a node, or -1. */
void ss_publish_line(ss_snapshot *s, ss_run *run, int selected);
/* Why which layers mean nothing. */
void ss_publish_line_layers(ss_snapshot *s, const ss_run *run);

#endif
