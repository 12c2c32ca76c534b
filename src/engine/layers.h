/* The layers that a run does not have, with the reasons. Engine thread only. */
#ifndef SS_LAYERS_H
#define SS_LAYERS_H

#include "src/core/run.h"

/* Per layer the reason why it does not exist for this run, a sentence; NULL: it does. */
void ss_layers_missing(const ss_run *run, const char *why[SS_NLAYER]);
/* The same for one layer. */
const char *ss_no_layer(const ss_run *run, ss_layer layer);
/* The layer of a run in which it is 0 everywhere because no point can be stale: fills the picture
 * with that, so that a race can compare. False: it is another one. */
bool ss_layer_of_zeros(const ss_run *run, ss_layer layer, ss_picture *p);

#endif
