/* The scale of a cycle under the microscope: the extremes of the shown layer in all its
 * subiterations, so that their pictures can share one colour range. Engine thread; see lane.h. */
#ifndef SS_ENGINE_PUBLISH_SCALE_H
#define SS_ENGINE_PUBLISH_SCALE_H

#include "src/engine/lane.h"

/* The next subiteration. Before the last one, which ends the cycle, the scale is completed. */
int ss_scale_tick(const ss_engine *e, ss_lane *lane, ss_err *err);
/* Fills s->scale, over all lanes of a race. True: some subiterations are not known yet, so the next
 * snapshot will have a better one. */
bool ss_publish_scale(ss_engine *e, ss_snapshot *s);
void ss_scale_free(ss_cycle_scale *c);

#endif
